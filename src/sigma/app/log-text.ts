/** Lines out of what a task writes. Bounded, whatever it writes: so many lines, each so long, and nothing in them that a terminal would obey. */
export const LINES_MAX = 2000;
export const LINE_MAX = 2000;

export interface LogLine {
  readonly number: number;
  readonly text: string;
}

export interface LogState {
  readonly lines: readonly LogLine[];
  /** The last line, which has no end yet; no longer than a line is shown. */
  readonly open: string;
  /** Characters of the open line, shown or not. */
  readonly openLength: number;
  readonly written: number;
  readonly isCut: boolean;
}

/** As the cell tells bytes in JSON. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

export const newLog = (): LogState => ({ lines: [], open: "", openLength: 0, written: 0, isCut: false });

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const COLOURS = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(\u0007|\u001b\\)?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const clean = (text: string): string => text.replace(COLOURS, "").replace(CONTROLS, "");

/** Of a line of this length: no more than is shown of one, and nothing that a terminal would obey. */
export function shownLine(text: string, length: number): string {
  const cleaned = clean(text);
  return length > LINE_MAX ? `${cleaned.slice(0, LINE_MAX)} … (${length.toLocaleString("en")} characters)` : cleaned;
}

export function logText(before: LogState, text: string): LogState {
  if (text === "") return before;
  const parts = text.split("\n");
  const lines: LogLine[] = [];
  let { open, openLength } = before;
  let number = before.written;
  for (const [i, part] of parts.entries()) {
    if (open.length <= LINE_MAX) open += part.slice(0, LINE_MAX + 1);
    openLength += part.length;
    if (i === parts.length - 1) break;
    lines.push({ number, text: shownLine(open, openLength) });
    number += 1;
    open = "";
    openLength = 0;
  }
  const all = [...before.lines, ...lines];
  return { lines: all.slice(-LINES_MAX), open, openLength, written: number, isCut: before.isCut || all.length > LINES_MAX };
}

/** `found`: what a search knows of the lines before the one with this number; undefined: nothing yet. */
export function shownLines(
  log: LogState,
  find: string,
  found?: readonly string[],
  written = 0,
): { readonly lines: readonly LogLine[]; readonly matches: number } {
  const all = log.open === "" ? log.lines : [...log.lines, { number: log.written, text: shownLine(log.open, log.openLength) }];
  if (find === "") return { lines: all, matches: all.length };
  const known = found === undefined ? all : all.filter(({ number }) => number >= written);
  const live = known.filter(({ text }) => text.toLowerCase().includes(find.toLowerCase()));
  const before = (found ?? []).map((text, i) => ({ number: i - (found ?? []).length, text }));
  const lines = [...before, ...live];
  return { lines, matches: lines.length };
}
