/** Strings as they are written and as they are meant. */

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["$", "$"],
]);

/** How many characters the escape at `at` has, good or bad. */
export function escapeLength(text: string, at: number): number {
  const next = text[at + 1];
  if (next === undefined || next === "\n") return 1;
  return next === "u" && /^[0-9A-Fa-f]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 2;
}

export function meantBy(written: string): string | undefined {
  if (written.length === 6) return String.fromCharCode(Number.parseInt(written.slice(2), 16));
  return SIMPLE.get(written[1] ?? "");
}

/** A string that reads back to the same text, in one line. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("${", "\\${");
}

/**
 * Takes the common indentation off a raw string. The line break after the opening quotes does not count, and the indentation
 * of the closing quotes counts when they stand on a line of their own.
 */
export function dedent(raw: string): string {
  const text = raw.replaceAll("\r\n", "\n");
  if (!text.startsWith("\n")) return text;
  const lines = text.slice(1).split("\n");
  const last = lines.length - 1;
  const counted = lines.filter((line, i) => i === last || line.trim() !== "");
  const indent = counted.reduce((least, line) => Math.min(least, /^[ \t]*/.exec(line)![0].length), Number.MAX_SAFE_INTEGER);
  return lines.map((line, i) => (i !== last && line.trim() === "" ? "" : line.slice(indent))).join("\n");
}
