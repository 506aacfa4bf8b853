/** A screen of letters: lines, a cursor, colours, a scroll region, and what scrolled away. It knows nothing of control sequences, and its memory is bounded whatever is asked of it. */
export const ROWS_MAX = 200;
export const COLUMNS_MAX = 400;
/** Lines that scrolled away and can still be seen; the oldest goes for one more. */
export const BACK_MAX = 1000;
/** Marks that may stand on one letter; more are left out. */
const MARKS_MAX = 4;
const TAB = 8;

/** Colour 0 is the page's own; then come 256, from 1 on. */
export interface Look {
  readonly fore: number;
  readonly back: number;
  readonly bold: boolean;
  readonly faint: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}

export const PLAIN: Look = { fore: 0, back: 0, bold: false, faint: false, underline: false, inverse: false };

/** One line. `version` changes with every change, so that whoever draws it draws only what is new. */
export interface Line {
  readonly id: number;
  version: number;
  /** A letter for each column; "" is the right half of the wide letter before it. */
  letters: string[];
  looks: Look[];
}

export interface Cursor {
  row: number;
  column: number;
  /** The last column was written: the next letter begins a new line first. */
  isPast: boolean;
}

interface Kept {
  readonly row: number;
  readonly column: number;
  readonly look: Look;
}

const HOME: Kept = { row: 0, column: 0, look: PLAIN };

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, Math.floor(value) || least));

export class Grid {
  rows: number;
  columns: number;
  lines: Line[];
  readonly back: Line[] = [];
  readonly cursor: Cursor = { row: 0, column: 0, isPast: false };
  look: Look = PLAIN;
  wraps = true;
  inserts = false;
  /** Rows count from the top of the scroll region. */
  isFromRegion = false;
  #top = 0;
  #bottom: number;
  #kept: Kept = HOME;
  #other: Line[] | undefined;
  #ids = 0;

  constructor(rows: number, columns: number) {
    this.rows = within(rows, 2, ROWS_MAX);
    this.columns = within(columns, 2, COLUMNS_MAX);
    this.#bottom = this.rows - 1;
    this.lines = this.#blankLines(this.rows);
  }

  get isAlternate(): boolean {
    return this.#other !== undefined;
  }

  /** A letter at the cursor. */
  put(letter: string, width: 0 | 1 | 2): void {
    if (width === 0) return this.#mark(letter);
    const { cursor } = this;
    if (this.wraps && (cursor.isPast || cursor.column + width > this.columns)) {
      cursor.column = 0;
      this.lineFeed();
    }
    cursor.isPast = false;
    cursor.column = Math.min(cursor.column, this.columns - width);
    if (this.inserts) this.insertLetters(width);
    const line = this.#line(cursor.row);
    this.#cutWide(line, cursor.column);
    this.#cutWide(line, cursor.column + width);
    line.letters[cursor.column] = letter;
    line.looks[cursor.column] = this.look;
    if (width === 2) {
      line.letters[cursor.column + 1] = "";
      line.looks[cursor.column + 1] = this.look;
    }
    cursor.column += width;
    if (cursor.column < this.columns) return;
    cursor.column = this.columns - 1;
    cursor.isPast = true;
  }

  /** A mark joins the letter before it. */
  #mark(letter: string): void {
    const { row, column, isPast } = this.cursor;
    const line = this.#line(row);
    let at = isPast ? column : column - 1;
    if (at > 0 && line.letters[at] === "") at -= 1;
    const known = line.letters[at];
    if (known !== undefined && known !== "" && known.length < 2 + MARKS_MAX) line.letters[at] = known + letter;
  }

  /** Half of a wide letter is nothing. */
  #cutWide(line: Line, column: number): void {
    if (column < 1 || column >= this.columns || line.letters[column] !== "") return;
    line.letters[column - 1] = " ";
    line.letters[column] = " ";
  }

  moveTo(row: number, column: number): void {
    const first = this.isFromRegion ? this.#top : 0;
    const last = this.isFromRegion ? this.#bottom : this.rows - 1;
    this.cursor.row = within(row + first, first, last);
    this.cursor.column = within(column, 0, this.columns - 1);
    this.cursor.isPast = false;
  }

  moveToColumn(column: number): void {
    this.cursor.column = within(column, 0, this.columns - 1);
    this.cursor.isPast = false;
  }

  moveToRow(row: number): void {
    this.moveTo(row, this.cursor.column);
  }

  /** Not out of the scroll region, when the cursor is in it. */
  moveBy(rows: number, columns: number): void {
    const { row } = this.cursor;
    const first = row >= this.#top ? this.#top : 0;
    const last = row <= this.#bottom ? this.#bottom : this.rows - 1;
    this.cursor.row = within(row + rows, first, last);
    this.moveToColumn(this.cursor.column + columns);
  }

  tab(count: number): void {
    const at = Math.floor(this.cursor.column / TAB) * TAB;
    const isBetween = this.cursor.column > at;
    this.moveToColumn(count > 0 ? at + TAB * count : at + TAB * (count + (isBetween ? 1 : 0)));
  }

  lineFeed(): void {
    this.cursor.isPast = false;
    if (this.cursor.row === this.#bottom) this.scroll(1);
    else if (this.cursor.row < this.rows - 1) this.cursor.row += 1;
  }

  reverseLineFeed(): void {
    this.cursor.isPast = false;
    if (this.cursor.row === this.#top) this.scroll(-1);
    else if (this.cursor.row > 0) this.cursor.row -= 1;
  }

  /** The lines of the region go up, or down with a negative count. What leaves a whole screen at its top is kept. */
  scroll(count: number): void {
    const height = this.#bottom - this.#top + 1;
    const lines = Math.min(Math.abs(count), height);
    if (count > 0) {
      const gone = this.lines.splice(this.#top, lines);
      this.lines.splice(this.#bottom - lines + 1, 0, ...this.#blankLines(lines));
      if (this.#top === 0 && !this.isAlternate) this.#keepBack(gone);
    } else {
      this.lines.splice(this.#bottom - lines + 1, lines);
      this.lines.splice(this.#top, 0, ...this.#blankLines(lines));
    }
  }

  insertLines(count: number): void {
    this.#inRegionBelow(-count);
  }

  deleteLines(count: number): void {
    this.#inRegionBelow(count);
  }

  #inRegionBelow(count: number): void {
    const { row } = this.cursor;
    if (row < this.#top || row > this.#bottom) return;
    const lines = Math.min(Math.abs(count), this.#bottom - row + 1);
    const at = count > 0 ? row : this.#bottom - lines + 1;
    this.lines.splice(at, lines);
    this.lines.splice(count > 0 ? this.#bottom - lines + 1 : row, 0, ...this.#blankLines(lines));
    this.moveToColumn(0);
  }

  insertLetters(count: number): void {
    const line = this.#line(this.cursor.row);
    const { column } = this.cursor;
    const blanks = Math.min(count, this.columns - column);
    this.#cutWide(line, column);
    line.letters.splice(column, 0, ...Array<string>(blanks).fill(" "));
    line.looks.splice(column, 0, ...Array<Look>(blanks).fill(this.#ground()));
    line.letters.length = this.columns;
    line.looks.length = this.columns;
  }

  deleteLetters(count: number): void {
    const line = this.#line(this.cursor.row);
    const { column } = this.cursor;
    const gone = Math.min(count, this.columns - column);
    this.#cutWide(line, column);
    this.#cutWide(line, column + gone);
    line.letters.splice(column, gone);
    line.looks.splice(column, gone);
    line.letters.push(...Array<string>(gone).fill(" "));
    line.looks.push(...Array<Look>(gone).fill(this.#ground()));
  }

  /** From one column up to another, which stays. */
  eraseLetters(from: number, to: number): void {
    this.#erase(this.cursor.row, from, to);
  }

  eraseLines(from: number, to: number): void {
    for (let row = Math.max(0, from); row < Math.min(to, this.rows); row++) this.#erase(row, 0, this.columns);
  }

  #erase(row: number, from: number, to: number): void {
    const line = this.#line(row);
    const [first, end] = [within(from, 0, this.columns), within(to, 0, this.columns)];
    this.#cutWide(line, first);
    this.#cutWide(line, end);
    line.letters.fill(" ", first, end);
    line.looks.fill(this.#ground(), first, end);
    this.cursor.isPast = false;
  }

  /** Rows that scroll, both named; an impossible pair is the whole screen. */
  setRegion(top: number, bottom: number): void {
    const isRegion = top >= 0 && bottom < this.rows && top < bottom;
    this.#top = isRegion ? top : 0;
    this.#bottom = isRegion ? bottom : this.rows - 1;
    this.moveTo(0, 0);
  }

  keep(): void {
    this.#kept = { row: this.cursor.row, column: this.cursor.column, look: this.look };
  }

  restore(): void {
    this.look = this.#kept.look;
    this.cursor.row = within(this.#kept.row, 0, this.rows - 1);
    this.moveToColumn(this.#kept.column);
  }

  /** A second screen for programs that draw: what is on the first one comes back when they leave. */
  alternate(isOn: boolean): void {
    if (isOn === this.isAlternate) return;
    if (isOn) {
      this.#other = this.lines;
      this.lines = this.#blankLines(this.rows);
    } else {
      this.lines = this.#other ?? this.#blankLines(this.rows);
      this.#other = undefined;
    }
    this.#top = 0;
    this.#bottom = this.rows - 1;
  }

  reset(): void {
    this.alternate(false);
    this.look = PLAIN;
    this.lines = this.#blankLines(this.rows);
    this.wraps = true;
    this.inserts = false;
    this.isFromRegion = false;
    this.#kept = HOME;
    this.setRegion(0, this.rows - 1);
  }

  /** Lines are cut or filled up, never broken anew; blank lines at the bottom go before lines at the top do. */
  resize(rows: number, columns: number): void {
    this.columns = within(columns, 2, COLUMNS_MAX);
    const wanted = within(rows, 2, ROWS_MAX);
    const above = Math.max(0, this.cursor.row - wanted + 1);
    if (!this.isAlternate) this.#keepBack(this.lines.slice(0, above));
    this.lines = this.#fitted(this.lines, above, wanted);
    if (this.#other !== undefined) this.#other = this.#fitted(this.#other, Math.max(0, this.#other.length - wanted), wanted);
    this.rows = wanted;
    this.#top = 0;
    this.#bottom = wanted - 1;
    this.cursor.row = within(this.cursor.row - above, 0, wanted - 1);
    this.moveToColumn(this.cursor.column);
  }

  #fitted(lines: readonly Line[], above: number, rows: number): Line[] {
    const kept = lines.slice(above, above + rows);
    for (const line of kept) {
      const missing = this.columns - line.letters.length;
      if (missing > 0) {
        line.letters.push(...Array<string>(missing).fill(" "));
        line.looks.push(...Array<Look>(missing).fill(PLAIN));
      }
      if (missing < 0 && line.letters[this.columns] === "") line.letters[this.columns - 1] = " ";
      line.letters.length = this.columns;
      line.looks.length = this.columns;
      line.version += 1;
    }
    return [...kept, ...this.#blankLines(rows - kept.length)];
  }

  /** Of what was seen and cannot change any more, only the part that has letters is kept. */
  #keepBack(gone: readonly Line[]): void {
    for (const line of gone) {
      let end = line.letters.length;
      while (end > 0 && line.letters[end - 1] === " " && line.looks[end - 1]!.back === 0) end -= 1;
      this.back.push({ ...line, version: line.version + 1, letters: line.letters.slice(0, end), looks: line.looks.slice(0, end) });
    }
    if (this.back.length > BACK_MAX) this.back.splice(0, this.back.length - BACK_MAX);
  }

  #line(row: number): Line {
    const line = this.lines[row]!;
    line.version += 1;
    return line;
  }

  /** What is erased has the ground that is chosen, and nothing else of the look. */
  #ground(): Look {
    return this.look.back === 0 ? PLAIN : { ...PLAIN, back: this.look.back };
  }

  #blankLines(count: number): Line[] {
    const ground = this.#ground();
    return Array.from({ length: Math.max(0, count) }, () => ({
      id: ++this.#ids,
      version: 0,
      letters: Array<string>(this.columns).fill(" "),
      looks: Array<Look>(this.columns).fill(ground),
    }));
  }
}

export const textOf = ({ letters }: Line): string => letters.join("").trimEnd();
