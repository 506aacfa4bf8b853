/** Colours, for terminals only. What a colour says is always said in words too. */

const CODES = { good: "32", wait: "33", bad: "31", dim: "2", strong: "1" } as const;
export type Paint = keyof typeof CODES;

export const paint = (text: string, how: Paint | undefined, colour: boolean): string =>
  colour && how !== undefined && text !== "" ? `\x1b[${CODES[how]}m${text}\x1b[0m` : text;

const STATES: ReadonlyMap<string, Paint> = new Map([
  ["running", "good"],
  ["up", "good"],
  ["finished", "dim"],
  ["killed", "dim"],
  ["lost", "bad"],
  ["backing-off", "bad"],
  ["pending", "wait"],
  ["starting", "wait"],
  ["stopping", "wait"],
  ["ending", "wait"],
  ["draining", "wait"],
  ["drained", "dim"],
  ["unreachable", "bad"],
  ["dead", "dim"],
  ["failed", "bad"],
]);

export const statePaint = (state: string): Paint | undefined => STATES.get(state);
