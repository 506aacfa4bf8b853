/**
 * Sessions of browsers. `borg ui` gets a link that is good once and for a short time; the page exchanges it for a key, which it sends with every call. A session
 * is the user who typed `borg ui`, and may look, and make the few changes that pages make. All of it is in the memory of one master, as hashes, and goes with it.
 */
import { createHash, randomBytes } from "node:crypto";

export interface SessionBounds {
  /** From the command to the first look at the page. */
  readonly linkMs: number;
  /** Links that nobody has followed yet, of all users; the oldest goes for a new one. */
  readonly links: number;
  /** Without a call for so long a session ends, and after this time in any case. */
  readonly idleMs: number;
  readonly lifeMs: number;
  /** Of one user; the one that was silent longest goes for a new one. Of all together; one more is refused. */
  readonly perUser: number;
  readonly sessions: number;
}

export const SESSION_LIMITS: SessionBounds = {
  linkMs: 120_000,
  links: 100,
  idleMs: 3_600_000,
  lifeMs: 43_200_000,
  perUser: 8,
  sessions: 400,
};

const SECRET_BYTES = 32;

interface Invite {
  readonly user: string;
  readonly untilMs: number;
}

export interface EnteredPage {
  readonly key: string;
  readonly user: string;
  /** How this user's programs reach the cell; the page says it in the commands that it shows. */
  readonly way?: { readonly socket: string } | { readonly url: string };
}

interface Session {
  readonly user: string;
  readonly untilMs: number;
  heardMs: number;
}

export class Sessions {
  readonly #bounds: SessionBounds;
  readonly #now: () => number;
  /** By the hash of the link, and of the key; oldest first. */
  readonly #links = new Map<string, Invite>();
  readonly #sessions = new Map<string, Session>();

  /** `now`: a clock that never steps. */
  constructor(now: () => number, bounds: Partial<SessionBounds> = {}) {
    this.#now = now;
    this.#bounds = { ...SESSION_LIMITS, ...bounds };
  }

  /** A link for this user, which is nowhere else. */
  open(user: string): { readonly link: string; readonly ttlMs: number } {
    this.#sweep();
    const [oldest] = this.#links.size >= this.#bounds.links ? this.#links.keys() : [];
    if (oldest !== undefined) this.#links.delete(oldest);
    const link = randomBytes(SECRET_BYTES).toString("base64url");
    this.#links.set(hashOf(link), { user, untilMs: this.#now() + this.#bounds.linkMs });
    return { link, ttlMs: this.#bounds.linkMs };
  }

  /** The key of a new session; undefined for a link that nobody got, that has ended or was followed before. "full": too many look already. */
  enter(link: string): EnteredPage | "full" | undefined {
    this.#sweep();
    const hash = hashOf(link);
    const found = this.#links.get(hash);
    if (found === undefined) return undefined;
    if (this.#sessions.size >= this.#bounds.sessions) return "full";
    this.#links.delete(hash);
    this.#makeRoom(found.user);
    const key = randomBytes(SECRET_BYTES).toString("base64url");
    const now = this.#now();
    this.#sessions.set(hashOf(key), { user: found.user, untilMs: now + this.#bounds.lifeMs, heardMs: now });
    return { key, user: found.user };
  }

  /** Whose session it is; undefined: none, or it has ended. */
  user(key: string): string | undefined {
    this.#sweep();
    const session = this.#sessions.get(hashOf(key));
    if (session !== undefined) session.heardMs = this.#now();
    return session?.user;
  }

  /** Ends all sessions and links of a user; how many sessions there were. */
  end(user: string): number {
    const ended = [...this.#sessions].filter(([, session]) => session.user === user);
    for (const [hash] of ended) this.#sessions.delete(hash);
    for (const [hash, link] of this.#links) if (link.user === user) this.#links.delete(hash);
    return ended.length;
  }

  #makeRoom(user: string): void {
    const own = [...this.#sessions].filter(([, session]) => session.user === user);
    if (own.length < this.#bounds.perUser) return;
    const [first] = own.sort(([, a], [, b]) => a.heardMs - b.heardMs);
    this.#sessions.delete(first![0]);
  }

  #sweep(): void {
    const now = this.#now();
    for (const [hash, { untilMs }] of this.#links) if (untilMs <= now) this.#links.delete(hash);
    for (const [hash, { untilMs, heardMs }] of this.#sessions)
      if (untilMs <= now || now - heardMs >= this.#bounds.idleMs) this.#sessions.delete(hash);
  }
}

/** What is looked up tells nothing of the secret. */
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
