/**
 * What a program in a terminal writes, as a screen: the part of VT100 and xterm that shells, editors and pagers use. Everything else is passed over. Nothing that is
 * written can do more than put letters on this screen: titles, links, clipboards and files are not there, and an answer to a program never has its own words in it.
 */
import { Grid, type Look, PLAIN } from "./grid.ts";

/** Numbers of one sequence; further ones are passed over. */
const NUMBERS_MAX = 16;
const NUMBER_MAX = 9999;
/** Letters of a sequence before it counts as broken. */
const SEQUENCE_MAX = 64;
/** Letters of a title or the like, which nobody reads, before what follows is text again. */
const STRING_MAX = 4096;
/** Answers to one piece of output; a program that asks more often is not answered. */
const ANSWERS_MAX = 8;

/** What lines are drawn with in the second set of letters. */
const DRAWN: ReadonlyMap<string, string> = new Map(
  [..."jklmnqtuvwxa`fgo~"].map((letter, i) => [letter, [..."┘┐┌└┼─├┤┴┬│▒◆°±⎺·"][i] as string]),
);

/** Letters that change what stands beside them, or are not seen at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/u;
const MARK = /^[\p{Mn}\p{Me}]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;

function widthOf(letter: string): 0 | 1 | 2 {
  if (letter < "\u0300") return 1;
  if (MARK.test(letter)) return 0;
  return WIDE.test(letter) ? 2 : 1;
}

type Reading = "text" | "escape" | "sequence" | "string" | "string-escape" | "letters-0" | "letters-1" | "skip";

export class Screen {
  readonly grid: Grid;
  /** The cursor is seen. */
  isCursorSeen = true;
  /** Arrow keys are told in the other way. */
  arrowsAreKeys = false;
  /** Pasted text is marked as such. */
  marksPaste = false;
  #reading: Reading = "text";
  #sequence = "";
  #skipped = 0;
  #sets: [boolean, boolean] = [false, false];
  #set: 0 | 1 = 0;
  #last = " ";
  #answers: string[] = [];

  constructor(rows: number, columns: number) {
    this.grid = new Grid(rows, columns);
  }

  /** What the terminal answers, to be typed. */
  write(text: string): string {
    this.#answers = [];
    for (const letter of text) this.#hear(letter);
    return this.#answers.slice(0, ANSWERS_MAX).join("");
  }

  resize(rows: number, columns: number): void {
    this.grid.resize(rows, columns);
  }

  #hear(letter: string): void {
    if (letter === "\u0018" || letter === "\u001a") {
      this.#reading = "text";
      return;
    }
    if (letter === "\u001b" && this.#reading !== "string") {
      this.#reading = "escape";
      return;
    }
    switch (this.#reading) {
      case "text":
        return this.#text(letter);
      case "escape":
        return this.#escape(letter);
      case "sequence":
        return this.#inSequence(letter);
      case "string":
      case "string-escape":
        return this.#inString(letter);
      case "letters-0":
      case "letters-1":
        this.#sets[this.#reading === "letters-0" ? 0 : 1] = letter === "0";
        this.#reading = "text";
        return;
      case "skip":
        this.#reading = "text";
    }
  }

  #text(letter: string): void {
    if (letter < " ") return this.#control(letter);
    if (UNSEEN.test(letter)) return;
    const shown = this.#sets[this.#set] ? (DRAWN.get(letter) ?? letter) : letter;
    this.#last = shown;
    this.grid.put(shown, widthOf(shown));
  }

  #control(letter: string): void {
    const { grid } = this;
    if (letter === "\r") grid.moveToColumn(0);
    else if (letter === "\n" || letter === "\u000b" || letter === "\u000c") grid.lineFeed();
    else if (letter === "\b") grid.moveToColumn(grid.cursor.column - 1);
    else if (letter === "\t") grid.tab(1);
    else if (letter === "\u000e" || letter === "\u000f") this.#set = letter === "\u000e" ? 1 : 0;
  }

  #escape(letter: string): void {
    this.#reading = "text";
    const { grid } = this;
    if (letter === "[") this.#begin("sequence");
    else if ("]PX^_".includes(letter)) this.#begin("string");
    else if (letter === "(") this.#reading = "letters-0";
    else if (letter === ")") this.#reading = "letters-1";
    else if ("*+#%- ".includes(letter)) this.#reading = "skip";
    else if (letter === "7") grid.keep();
    else if (letter === "8") grid.restore();
    else if (letter === "D") grid.lineFeed();
    else if (letter === "M") grid.reverseLineFeed();
    else if (letter === "c") this.#reset();
    else if (letter === "E") {
      grid.moveToColumn(0);
      grid.lineFeed();
    }
  }

  #begin(reading: "sequence" | "string"): void {
    this.#reading = reading;
    this.#sequence = "";
    this.#skipped = 0;
  }

  #reset(): void {
    this.grid.reset();
    this.isCursorSeen = true;
    this.arrowsAreKeys = false;
    this.marksPaste = false;
    this.#sets = [false, false];
    this.#set = 0;
  }

  /** Until its end, which is a bell or ESC \; nothing of it is kept. */
  #inString(letter: string): void {
    this.#skipped += 1;
    if (letter === "\u0007" || this.#skipped >= STRING_MAX) this.#reading = "text";
    else if (this.#reading === "string-escape") {
      this.#reading = "text";
      if (letter !== "\\") this.#escape(letter);
    } else if (letter === "\u001b") this.#reading = "string-escape";
  }

  #inSequence(letter: string): void {
    if (letter < " ") return this.#control(letter);
    if (letter >= "@" && letter <= "~") {
      this.#reading = "text";
      if (this.#sequence.length <= SEQUENCE_MAX) this.#obey(letter);
    } else if (letter > "~") this.#reading = "text";
    else if (this.#sequence.length <= SEQUENCE_MAX) this.#sequence += letter;
  }

  #obey(end: string): void {
    const kind = /^[?<=>]/.exec(this.#sequence)?.[0] ?? "";
    const body = this.#sequence.slice(kind.length);
    if (/[^0-9;:]/.test(body)) return;
    const numbers = body.split(/[;:]/, NUMBERS_MAX).map((part) => Math.min(NUMBER_MAX, Number(part)));
    if (kind === "?" && (end === "h" || end === "l")) for (const number of numbers) this.#mode(number, end === "h");
    else if (kind === "") this.#act(end, numbers);
  }

  #mode(number: number, isOn: boolean): void {
    const { grid } = this;
    if (number === 1) this.arrowsAreKeys = isOn;
    else if (number === 6) {
      grid.isFromRegion = isOn;
      grid.moveTo(0, 0);
    } else if (number === 7) grid.wraps = isOn;
    else if (number === 25) this.isCursorSeen = isOn;
    else if (number === 47 || number === 1047) grid.alternate(isOn);
    else if (number === 1048) isOn ? grid.keep() : grid.restore();
    else if (number === 1049) {
      if (isOn) grid.keep();
      grid.alternate(isOn);
      if (!isOn) grid.restore();
    } else if (number === 2004) this.marksPaste = isOn;
  }

  #act(end: string, numbers: readonly number[]): void {
    const { grid } = this;
    const [first = 0, second = 0] = numbers;
    const count = Math.max(1, first);
    if (this.#moves(end, count, first, second)) return;
    if (end === "J") this.#eraseScreen(first);
    else if (end === "K") this.#eraseLine(first);
    else if (end === "L") grid.insertLines(count);
    else if (end === "M") grid.deleteLines(count);
    else if (end === "P") grid.deleteLetters(count);
    else if (end === "@") grid.insertLetters(count);
    else if (end === "X") grid.eraseLetters(grid.cursor.column, grid.cursor.column + count);
    else if (end === "S") grid.scroll(count);
    else if (end === "T") grid.scroll(-count);
    else if (end === "b") for (let i = 0; i < Math.min(count, grid.columns); i++) grid.put(this.#last, widthOf(this.#last));
    else if (end === "r") grid.setRegion(count - 1, (second === 0 ? grid.rows : second) - 1);
    else if (end === "m") grid.look = lookAfter(grid.look, numbers);
    else if (end === "h" || end === "l") grid.inserts = first === 4 ? end === "h" : grid.inserts;
    else if (end === "s") grid.keep();
    else if (end === "u") grid.restore();
    else if (end === "c" && first === 0) this.#answer("\u001b[?6c");
    else if (end === "n") this.#report(first);
  }

  #moves(end: string, count: number, first: number, second: number): boolean {
    const { grid } = this;
    if (end === "A") grid.moveBy(-count, 0);
    else if (end === "B" || end === "e") grid.moveBy(count, 0);
    else if (end === "C" || end === "a") grid.moveBy(0, count);
    else if (end === "D") grid.moveBy(0, -count);
    else if (end === "E" || end === "F") {
      grid.moveBy(end === "E" ? count : -count, 0);
      grid.moveToColumn(0);
    } else if (end === "G" || end === "`") grid.moveToColumn(count - 1);
    else if (end === "d") grid.moveToRow(count - 1);
    else if (end === "H" || end === "f") grid.moveTo(Math.max(1, first) - 1, Math.max(1, second) - 1);
    else if (end === "I") grid.tab(count);
    else if (end === "Z") grid.tab(-count);
    else return false;
    return true;
  }

  #eraseScreen(what: number): void {
    const { grid } = this;
    const { row, column } = grid.cursor;
    if (what === 0) {
      grid.eraseLetters(column, grid.columns);
      grid.eraseLines(row + 1, grid.rows);
    } else if (what === 1) {
      grid.eraseLines(0, row);
      grid.eraseLetters(0, column + 1);
    } else if (what === 2) grid.eraseLines(0, grid.rows);
    else if (what === 3) grid.back.length = 0;
  }

  #eraseLine(what: number): void {
    const { grid } = this;
    const { column } = grid.cursor;
    if (what === 0) grid.eraseLetters(column, grid.columns);
    else if (what === 1) grid.eraseLetters(0, column + 1);
    else if (what === 2) grid.eraseLetters(0, grid.columns);
  }

  #report(what: number): void {
    const { row, column } = this.grid.cursor;
    if (what === 5) this.#answer("\u001b[0n");
    else if (what === 6) this.#answer(`\u001b[${row + 1};${column + 1}R`);
  }

  #answer(text: string): void {
    if (this.#answers.length < ANSWERS_MAX) this.#answers.push(text);
  }
}

const FLAGS: Readonly<Record<number, Partial<Look>>> = {
  1: { bold: true },
  2: { faint: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, faint: false },
  24: { underline: false },
  27: { inverse: false },
  39: { fore: 0 },
  49: { back: 0 },
};

export function lookAfter(before: Look, numbers: readonly number[]): Look {
  let look = before;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? 0;
    if (number === 0) look = PLAIN;
    else if (number === 38 || number === 48) {
      const isRgb = numbers[i + 1] === 2;
      const rest = numbers.slice(i + 2, i + (isRgb ? 5 : 3));
      const colour = isRgb ? nearest(rest) : Math.min(255, rest[0] ?? 0) + 1;
      look = { ...look, [number === 38 ? "fore" : "back"]: colour };
      i += isRgb ? 4 : 2;
    } else look = { ...look, ...FLAGS[number], ...plainColour(number) };
  }
  return look;
}

function plainColour(number: number): Partial<Look> {
  if (number >= 30 && number <= 37) return { fore: number - 29 };
  if (number >= 40 && number <= 47) return { back: number - 39 };
  if (number >= 90 && number <= 97) return { fore: number - 81 };
  return number >= 100 && number <= 107 ? { back: number - 91 } : {};
}

/** Of the cube of 216 colours. */
function nearest([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const step = (value: number): number => Math.round((Math.min(255, value) / 255) * 5);
  return 17 + 36 * step(red) + 6 * step(green) + step(blue);
}
