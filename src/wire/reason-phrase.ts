/** How the explainer's reasons go on behind "8 machines", or "8 allocs"; each is said of one. */
const PHRASES: readonly (readonly [RegExp, string, string])[] = [
  [/^lacks /, "lacks ", "lack "],
  [/^names /, "names ", "name "],
  [/^has /, "has ", "have "],
  [/^is /, "is ", "are "],
  [/^does not /, "does not ", "do not "],
  [/^over its /, "is over its ", "are over their "],
  [/^(?=unreachable|draining|not the )/, "is ", "are "],
];

export function reasonPhrase(reason: string, machines: number, place = "machine"): string {
  const who = machines === 1 ? place : `${place}s`;
  const found = PHRASES.find(([begins]) => begins.test(reason));
  return found === undefined ? `${who}: ${reason}` : `${who} ${reason.replace(found[0], machines === 1 ? found[1] : found[2])}`;
}
