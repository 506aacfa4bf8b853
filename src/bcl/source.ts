/** A text and places in it. Offsets count UTF-16 code units; lines and columns are worked out only when somebody wants to read them. */

export interface Source {
  /** From the project's root, with `/` between parts. */
  readonly path: string;
  readonly text: string;
}

export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

export interface Position {
  /** Both begin at 1, as people and compilers count. */
  readonly line: number;
  readonly column: number;
}

export function positionOf(text: string, offset: number): Position {
  let line = 1;
  let begin = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    begin = at + 1;
  }
  return { line, column: offset - begin + 1 };
}

/** The line that holds an offset, without its end. */
export function lineAt(text: string, offset: number): string {
  const begin = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", begin);
  return text.slice(begin, end === -1 ? text.length : end).replace(/\r$/, "");
}

/** Finds many places: the beginnings of a text's lines are looked for once. */
export class LineTable {
  readonly #starts = new Map<Source, readonly number[]>();

  positionOf(span: Span): Position {
    const starts = this.#startsOf(span.source);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= span.start) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: span.start - starts[low]! + 1 };
  }

  /** `site.bcl:3:7`: what terminals and editors can click. */
  textOf(span: Span): string {
    const { line, column } = this.positionOf(span);
    return `${span.source.path}:${line}:${column}`;
  }

  #startsOf(source: Source): readonly number[] {
    let starts = this.#starts.get(source);
    if (starts === undefined) {
      const found = [0];
      for (let at = source.text.indexOf("\n"); at !== -1; at = source.text.indexOf("\n", at + 1)) found.push(at + 1);
      starts = found;
      this.#starts.set(source, starts);
    }
    return starts;
  }
}

export const joinSpans = (first: Span, last: Span): Span => ({ source: first.source, start: first.start, end: last.end });
