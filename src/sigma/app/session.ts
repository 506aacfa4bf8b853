/** The page's way to the cell: the one-time link out of its address, the session's key, and calls with it. The key is kept in sessionStorage: it goes with the tab. */
import type { WayToCell } from "./commands.ts";

const KEY = "borg-session";
const WAY = "borg-way";
const UNKNOWN: WayToCell = { url: "https://CELL" };
export const ENDED = 401;

export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Entered {
  readonly key: string;
  readonly way?: WayToCell;
}

interface Said {
  readonly message?: string;
}

async function post(path: string, headers: Readonly<Record<string, string>>, body: object, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    ...(signal === undefined ? {} : { signal }),
  });
  const told: unknown = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, (told as Said).message ?? `The cell answered ${answer.status}`);
  return told;
}

export class Session {
  /** The link is good once, and stands in the part of the address that is never sent; it leaves the address before anything else happens. */
  async enter(): Promise<void> {
    const link = new URLSearchParams(location.hash.slice(1)).get("link");
    if (link === null) return;
    history.replaceState(null, "", location.pathname + location.search);
    try {
      const { key, way } = (await post("/session", { "borg-link": link }, {})) as Entered;
      sessionStorage.setItem(KEY, key);
      sessionStorage.setItem(WAY, JSON.stringify(way ?? UNKNOWN));
    } catch (error) {
      // A link that was followed before, in a tab that has a session: it goes on.
      if (sessionStorage.getItem(KEY) === null) throw error;
    }
  }

  /** How the user of this page reaches the cell without it. */
  get way(): WayToCell {
    return JSON.parse(sessionStorage.getItem(WAY) ?? JSON.stringify(UNKNOWN)) as WayToCell;
  }

  async ask<Answer>(method: string, request: object = {}, signal?: AbortSignal): Promise<Answer> {
    const key = sessionStorage.getItem(KEY) ?? "";
    return (await post(`/borg.v1.CellService/${method}`, { [KEY]: key }, request, signal)) as Answer;
  }

  forget(): void {
    sessionStorage.removeItem(KEY);
    sessionStorage.removeItem(WAY);
  }
}
