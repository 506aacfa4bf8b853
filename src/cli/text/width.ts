/** How many columns a text takes on a terminal, and texts cut to fit. Never looks at the terminal itself. */

/** First and last code points that take two columns: East Asian wide and fullwidth forms, and pictures. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x26a1, 0x26a1],
  [0x2705, 0x2705],
  [0x274c, 0x274c],
  [0x2753, 0x2757],
  [0x2795, 0x2797],
  [0x2b1b, 0x2b1c],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f1ff],
  [0x1f200, 0x1f320],
  [0x1f32d, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7eb],
  [0x1f90c, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
];

const ASCII = /^[\x20-\x7e]*$/;
const MARK = /^\p{M}|^\p{Cf}/u;
const PICTURE = /\ufe0f/;

/** Made only for a text beyond ASCII: it costs a millisecond. */
let segmenter: Intl.Segmenter | undefined;

const graphemes = (text: string): readonly string[] => {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (part) => part.segment);
};

export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

function graphemeWidth(grapheme: string): number {
  const point = grapheme.codePointAt(0)!;
  if (point < 0x300) return 1;
  if (PICTURE.test(grapheme) || WIDE.some(([first, last]) => point >= first && point <= last)) return 2;
  return MARK.test(grapheme) ? 0 : 1;
}

/** At most so many columns; what is cut off is shown by "…". */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns <= 0) return "";
  let kept = "";
  let used = 0;
  for (const grapheme of ASCII.test(text) ? text.slice(0, columns) : graphemes(text)) {
    const width = graphemeWidth(grapheme);
    if (used + width > columns - 1) break;
    kept += grapheme;
    used += width;
  }
  return `${kept}…`;
}

export function pad(text: string, columns: number, side: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, columns - widthOf(text)));
  return side === "right" ? space + text : text + space;
}
