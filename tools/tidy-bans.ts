/** What pure and actor files may not name, why, and what to use instead. Data for tidy-purity.ts. */

export interface Ban {
  readonly why: string;
  /** What to do instead, in a pure file and in an actor. */
  readonly pure: string;
  readonly actor: string;
}

const CLOCK: Ban = {
  why: "reads a clock",
  pure: "take the time as an argument (ops and entries carry it)",
  actor: "ask env.now() or env.wall()",
};
const RANDOM: Ban = {
  why: "draws random numbers",
  pure: "take a seeded Random (base/random.ts) or the drawn value as an argument",
  actor: "ask env.random() or env.id()",
};
const TIMER: Ban = {
  why: "waits for a time",
  pure: "return an effect and let an actor wait",
  actor: "use env.timer() and go on in onTimer()",
};
const PROMISE: Ban = {
  why: "waits",
  pure: "return the result, or an effect that somebody else performs",
  actor: "send a message and go on in onMessage() when the answer comes",
};
const CONSOLE: Ban = { why: "prints", pure: "return what should be said", actor: "use env.log()" };
const WORLD: Ban = {
  why: "reaches into the world",
  pure: "take the value as an argument",
  actor: "take it through the constructor, or add it to Env",
};
const BYTES: Ban = { why: "belongs to Node", pure: "use Uint8Array and DataView", actor: "use Uint8Array and DataView" };
const LOCALE: Ban = {
  why: "depends on the locale of the machine",
  pure: "compare with < and >, and format by hand",
  actor: "compare with < and >, and format by hand",
};
const COLLECTOR: Ban = {
  why: "shows when memory was collected",
  pure: "hold a plain reference and drop it when it is no longer needed",
  actor: "hold a plain reference and drop it when it is no longer needed",
};
const CLONE: Ban = { why: "copies what it does not know", pure: "copy the fields by name", actor: "copy the fields by name" };
const TEXT: Ban = { why: "runs text as code", pure: "write a function", actor: "write a function" };
const THREADS: Ban = {
  why: "lets threads race",
  pure: "keep state in plain records and hand out copies",
  actor: "keep state in plain records and hand out copies",
};
const STACK: Ban = { why: "differs between machines", pure: "use the error's message", actor: "use the error's message" };
const MATH: Ban = { why: "may hide Math.random", pure: "write Math.floor and so on in full", actor: "write Math.floor and so on in full" };

/** Names of values and types that are banned wherever they are not a property of something. */
export const NAMES: ReadonlyMap<string, Ban> = table([
  [CLOCK, "Date performance Temporal"],
  [RANDOM, "crypto"],
  [TIMER, "setTimeout setInterval setImmediate queueMicrotask clearTimeout clearInterval clearImmediate"],
  [PROMISE, "Promise PromiseLike AsyncIterable AsyncIterator AsyncGenerator async await"],
  [CONSOLE, "console"],
  [WORLD, "process globalThis fetch require"],
  [BYTES, "Buffer"],
  [LOCALE, "Intl"],
  [COLLECTOR, "WeakRef FinalizationRegistry"],
  [CLONE, "structuredClone"],
  [TEXT, "eval Function"],
]);

/** Banned in the cell only; the scheduler's mirror may be shared between threads. */
export const CELL_NAMES: ReadonlyMap<string, Ban> = table([[THREADS, "Atomics SharedArrayBuffer"]]);

/** Properties that are banned on anything. */
export const PROPERTIES: ReadonlyMap<string, Ban> = table([
  [LOCALE, "localeCompare toLocaleString toLocaleDateString toLocaleTimeString toLocaleUpperCase toLocaleLowerCase"],
  [STACK, "captureStackTrace stackTraceLimit"],
]);

/** Properties that are banned when they are called. */
export const METHODS: ReadonlyMap<string, Ban> = table([[PROMISE, "then catch finally"]]);

export const BANS = { RANDOM, PROMISE, WORLD, STACK, MATH } as const;

function table(rows: readonly (readonly [Ban, string])[]): ReadonlyMap<string, Ban> {
  return new Map(rows.flatMap(([ban, names]) => names.split(" ").map((name) => [name, ban] as const)));
}
