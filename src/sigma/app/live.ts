/**
 * Everything that a page watches goes through one call that waits for news, and the map through another: a browser has only few connections to a server. Views are known
 * by what they ask for, and what was seen last of a view is kept for a while, so that going back shows it at once.
 */
import { ENDED, Refused, type Session } from "./session.ts";
import type { Cell, Happened, JobRow, Machine, MachineMap, Task, ViewChange, ViewSpec, ViewsAnswer } from "./shapes.ts";

const WAIT_MS = 10_000;
const RETRY_MS = [300, 600, 1000, 2000] as const;
/** Views that nobody looks at and that are still known. */
const KEPT_MAX = 24;
const EVENTS_MAX = 500;
/** One in ten seconds. */
const SAMPLES_MAX = 360;

export type Row = JobRow | Task | Machine;

export interface ViewData {
  readonly rows: ReadonlyMap<string, Row>;
  readonly order: readonly string[];
  readonly total: number;
  readonly cell?: Cell;
  readonly map?: MachineMap;
  /** Newest first. */
  readonly events: readonly Happened[];
}

/** Whether the page shows what is. */
export interface Connection {
  readonly state: "asking" | "live" | "lost" | "ended";
  readonly sinceMs: number;
  readonly words: string;
  /** Cell time of the last answer, and when that was by this browser's clock. */
  readonly timeMs: number;
  readonly heardMs: number;
}

interface Watched {
  readonly spec: ViewSpec;
  data: ViewData | undefined;
  readonly listeners: Set<() => void>;
}

/** One call that waits, is answered, and waits again. */
interface Line {
  readonly name: string;
  readonly carries: (spec: ViewSpec) => boolean;
  /** Of the call that waits; undefined: none does. */
  asked: AbortController | undefined;
  /** What it waits for. */
  key: string;
  seen: number;
  failures: number;
}

const newLine = (carries: Line["carries"]): Line => ({
  ...{ name: crypto.randomUUID().slice(0, 13), carries },
  ...{ asked: undefined, key: "", seen: 0, failures: 0 },
});

const isMap = ({ kind }: ViewSpec): boolean => kind === "MAP";

const keyOf = (spec: ViewSpec): string => JSON.stringify([spec.kind, spec.query ?? "", spec.sort ?? "", spec.first ?? 0, spec.limit ?? 0]);

export class Live {
  readonly session: Session;
  /** The map is large, and told without a word that users chose: alone it can be compressed (decision 0047). */
  readonly #lines: readonly Line[] = [newLine((spec) => !isMap(spec)), newLine(isMap)];
  readonly #views = new Map<string, Watched>();
  readonly #listeners = new Set<() => void>();
  #connection: Connection = { state: "asking", sinceMs: Date.now(), words: "", timeMs: 0, heardMs: Date.now() };
  #isDue = false;

  constructor(session: Session) {
    this.session = session;
    document.addEventListener("visibilitychange", () => this.#changed());
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Cell time now, as far as this page can tell. */
  get nowMs(): number {
    const { timeMs, heardMs } = this.#connection;
    return timeMs === 0 ? Date.now() : timeMs + (Date.now() - heardMs);
  }

  onConnection(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dataOf(spec: ViewSpec): ViewData | undefined {
    return this.#views.get(keyOf(spec))?.data;
  }

  watch(spec: ViewSpec, listener: () => void): () => void {
    const key = keyOf(spec);
    const known = this.#views.get(key);
    const watched: Watched = known ?? { spec, data: undefined, listeners: new Set() };
    // The newest last: the first that nobody looks at goes first.
    this.#views.delete(key);
    this.#views.set(key, watched);
    watched.listeners.add(listener);
    this.#forget();
    this.#changed();
    return () => {
      watched.listeners.delete(listener);
      this.#changed();
    };
  }

  /** Nobody may see anything here any more. */
  end(words: string): void {
    this.session.forget();
    for (const watched of this.#views.values()) watched.data = undefined;
    this.#become("ended", words);
  }

  #forget(): void {
    const idle = [...this.#views].filter(([, { listeners }]) => listeners.size === 0);
    for (const [key] of idle.slice(0, Math.max(0, idle.length - KEPT_MAX))) this.#views.delete(key);
  }

  /** What is watched may be another set: a call that waits for others is asked again, once, after everybody has said what they want. */
  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      for (const line of this.#lines) this.#restart(line);
    });
  }

  #restart(line: Line): void {
    const views = this.#watched(line);
    const key = JSON.stringify(views.map(({ spec }) => keyOf(spec)));
    if (line.asked !== undefined && line.key === key && !document.hidden) return;
    line.asked?.abort();
    const own = new AbortController();
    line.asked = own;
    line.key = key;
    void this.#follow(line, views, own.signal).finally(() => {
      if (line.asked === own) line.asked = undefined;
    });
  }

  #watched({ carries }: Line): readonly Watched[] {
    return [...this.#views.values()].filter(({ spec, listeners }) => listeners.size > 0 && carries(spec)).slice(-6);
  }

  async #follow(line: Line, views: readonly Watched[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted && views.length > 0 && !document.hidden && this.#connection.state !== "ended") {
      try {
        const answer = await this.#ask(line, views, signal);
        if (signal.aborted) return;
        this.#hear(line, views, answer);
      } catch (error) {
        if (signal.aborted) return;
        await this.#failed(line, error);
      }
    }
  }

  #ask({ name, seen }: Line, views: readonly Watched[], signal: AbortSignal): Promise<ViewsAnswer> {
    const specs = views.map(({ spec }) => ({ ...spec, kind: `VIEW_KIND_${spec.kind}` }));
    const waitMs = this.#connection.state === "live" ? WAIT_MS : 0;
    const either = AbortSignal.any([signal, AbortSignal.timeout(2 * WAIT_MS)]);
    return this.session.ask("WatchViews", { watch: name, seen, views: specs, waitMs }, either);
  }

  #hear(line: Line, views: readonly Watched[], { seen = 0, timeMs = 0, changes = [] }: ViewsAnswer): void {
    line.seen = seen;
    line.failures = 0;
    const now = Date.now();
    if (this.#connection.state !== "live") this.#become("live", "");
    this.#connection = { ...this.#connection, timeMs, heardMs: now };
    for (const change of changes) {
      const watched = views[change.view ?? 0];
      if (watched === undefined) continue;
      watched.data = changedData(watched.data, change);
      for (const listener of watched.listeners) listener();
    }
  }

  async #failed(line: Line, error: unknown): Promise<void> {
    if (error instanceof Refused && error.status === ENDED) return this.end("This page has no session, or its session has ended.");
    const words = error instanceof Refused ? error.message : "no answer";
    this.#become("lost", words);
    const ms = RETRY_MS[Math.min(line.failures, RETRY_MS.length - 1)]!;
    line.failures += 1;
    await new Promise((resolve) => setTimeout(resolve, ms));
  }

  #become(state: Connection["state"], words: string): void {
    const sinceMs = this.#connection.state === state ? this.#connection.sinceMs : Date.now();
    this.#connection = { ...this.#connection, state, sinceMs, words };
    for (const listener of this.#listeners) listener();
  }
}

const NO_ROWS: ReadonlyMap<string, Row> = new Map();

const nameOf = (row: Row): string => ("job" in row ? row.job.name : row.name);

function changedData(before: ViewData | undefined, change: ViewChange): ViewData {
  const { anew = false, ordered = false, order = [], jobs = [], tasks = [], machines = [], events = [] } = change;
  const known = anew ? undefined : before;
  const told = [...jobs, ...tasks, ...machines];
  const newOrder = ordered ? order : (known?.order ?? []);
  const rows = told.length === 0 && !ordered && known !== undefined ? known.rows : merged(known?.rows ?? NO_ROWS, told, newOrder);
  const cell = change.cell === undefined ? known?.cell : { ...change.cell, samples: lastHour(known?.cell, change.cell) };
  const map = change.map === undefined ? known?.map : { ...known?.map, ...change.map };
  return {
    rows,
    order: newOrder,
    total: change.total ?? (ordered ? 0 : (known?.total ?? 0)),
    events: [...[...events].reverse(), ...(known?.events ?? [])].slice(0, EVENTS_MAX),
    ...(cell === undefined ? {} : { cell }),
    ...(map === undefined ? {} : { map }),
  };
}

/** A cell is told with the samples that are new. */
const lastHour = (before: Cell | undefined, { samples = [] }: Cell): NonNullable<Cell["samples"]> =>
  [...(before?.samples ?? []), ...samples].slice(-SAMPLES_MAX);

function merged(before: ReadonlyMap<string, Row>, told: readonly Row[], order: readonly string[]): ReadonlyMap<string, Row> {
  const fresh = new Map(told.map((row) => [nameOf(row), row]));
  const rows = new Map<string, Row>();
  for (const name of order) {
    const row = fresh.get(name) ?? before.get(name);
    if (row !== undefined) rows.set(name, row);
  }
  return rows;
}
