/**
 * Text that others supplied, made harmless for a terminal: job names, messages, reasons. Nothing that moves the cursor, changes
 * colours, rings, or turns the direction of writing gets through; it is shown instead.
 */

/** Control characters, and those that reorder or hide text: marks of direction, zero width, line separators, half surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const DANGEROUS = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/** One line: also line feeds and tabs are shown. */
export const safeLine = (text: string): string => text.replace(DANGEROUS, shown);

const EIGHT_BIT = /[\u007f-\u009f]/g;

/**
 * The last gate before a terminal, for everything that is printed: the 8-bit controls, which some terminals obey as they do escapes and which JSON lets
 * through, as JSON would write them. JSON means the same afterwards.
 */
export const printable = (text: string): string =>
  text.replace(EIGHT_BIT, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`);

/** Several lines: line feeds stay, tabs become spaces. */
export const safeBlock = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => safeLine(line.replaceAll("\t", "  ")))
    .join("\n");

/** `\n`, `\x1b`, `\u202e`: as a programmer would write it. */
function shown(character: string): string {
  const named = NAMED.get(character);
  if (named !== undefined) return named;
  const point = character.codePointAt(0)!;
  return point < 0x100 ? `\\x${point.toString(16).padStart(2, "0")}` : `\\u${point.toString(16).padStart(4, "0")}`;
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);
