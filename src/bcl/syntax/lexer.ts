/**
 * Cuts a text into lexemes. Never recursive: strings inside holes inside strings are kept on a list, so that no text, however deep,
 * can exhaust the stack. Mistakes are reported and cutting goes on, so that one bad character does not hide the next mistake.
 */
import { type Problems, problemAt } from "../problem.ts";
import { readQuantity } from "../quantity.ts";
import type { Source } from "../source.ts";
import { type Comment, type Lexeme, type LexemeKind, SYMBOLS } from "./lexeme.ts";
import { dedent, escapeLength, meantBy } from "./string.ts";

export interface Lexed {
  readonly lexemes: readonly Lexeme[];
  readonly comments: readonly Comment[];
}

/** `json` takes `${` in strings as it stands: JSON has no holes. */
export type Dialect = "bcl" | "json";

/** Sticky patterns are looked at from `lastIndex`; a lexer has its own, so that no two share that state. */
const patterns = () => ({
  blank: /[ \t\r\n\uFEFF]+/y,
  name: /[A-Za-z_][A-Za-z0-9_]*/y,
  number: /[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?[A-Za-z_]*/y,
  plain: /[^"\\$\n]+/y,
});

export function lex(source: Source, problems: Problems, dialect: Dialect = "bcl"): Lexed {
  return new Lexer(source, problems, dialect).run();
}

class Lexer {
  readonly #source: Source;
  readonly #text: string;
  readonly #problems: Problems;
  readonly #dialect: Dialect;
  readonly #patterns = patterns();
  readonly #lexemes: Lexeme[] = [];
  readonly #comments: Comment[] = [];
  /** Open braces inside each open hole, innermost last. */
  readonly #holes: number[] = [];
  #at = 0;
  #newline = true;

  constructor(source: Source, problems: Problems, dialect: Dialect) {
    this.#source = source;
    this.#text = source.text;
    this.#problems = problems;
    this.#dialect = dialect;
  }

  run(): Lexed {
    while (this.#at < this.#text.length) this.#next();
    this.#push("end", this.#text.length, "");
    return { lexemes: this.#lexemes, comments: this.#comments };
  }

  #next(): void {
    const blank = this.#match(this.#patterns.blank);
    if (blank !== undefined) {
      if (blank.includes("\n")) this.#newline = true;
      this.#at += blank.length;
      return;
    }
    const char = this.#text[this.#at]!;
    if (char === "#") this.#comment();
    else if (char === '"') this.#quote();
    else if (char >= "0" && char <= "9") this.#number();
    else if (char === "}" && this.#holes.at(-1) === 0) this.#endHole();
    else {
      const name = this.#match(this.#patterns.name);
      if (name !== undefined) this.#push("name", this.#at + name.length, name);
      else this.#symbol(char);
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #push(kind: LexemeKind, end: number, text: string): void {
    this.#lexemes.push({ kind, start: this.#at, end, text, newline: this.#newline });
    this.#newline = false;
    this.#at = end;
  }

  #report(start: number, end: number, message: string, hint?: string): void {
    this.#problems.add(problemAt({ source: this.#source, start, end }, message, hint));
  }

  #comment(): void {
    const line = this.#text.indexOf("\n", this.#at);
    const end = line === -1 ? this.#text.length : line;
    this.#comments.push({ start: this.#at, end, newline: this.#newline });
    this.#at = end;
  }

  #number(): void {
    const text = this.#match(this.#patterns.number)!;
    const reading = readQuantity(text);
    if (!reading.ok) this.#report(this.#at, this.#at + text.length, reading.reason, reading.hint);
    this.#push("number", this.#at + text.length, text);
  }

  #symbol(char: string): void {
    const symbol = SYMBOLS.find((s) => this.#text.startsWith(s, this.#at));
    if (symbol === undefined) {
      const shown = String.fromCodePoint(this.#text.codePointAt(this.#at)!);
      this.#report(
        this.#at,
        this.#at + shown.length,
        `Cannot understand the character ${JSON.stringify(shown)}`,
        CHARACTER_HINTS.get(char),
      );
      this.#at += shown.length;
      return;
    }
    if (symbol === "/" && this.#text[this.#at + 1] === "/") {
      this.#report(this.#at, this.#at + 2, 'Cannot understand "//"', "a comment begins with #");
      this.#comment();
      this.#comments.pop();
      return;
    }
    const depth = this.#holes.length - 1;
    if (depth >= 0 && symbol === "{") this.#holes[depth]!++;
    if (depth >= 0 && symbol === "}") this.#holes[depth]!--;
    this.#push("symbol", this.#at + symbol.length, symbol);
  }

  #quote(): void {
    if (this.#dialect === "bcl" && this.#text.startsWith('"""', this.#at)) {
      this.#raw();
      return;
    }
    this.#push("quote", this.#at + 1, '"');
    this.#string();
  }

  #raw(): void {
    const close = this.#text.indexOf('"""', this.#at + 3);
    if (close === -1) {
      this.#report(this.#at, this.#at + 3, 'Cannot find the """ that ends this text');
      this.#push("raw", this.#text.length, "");
      return;
    }
    this.#push("raw", close + 3, dedent(this.#text.slice(this.#at + 3, close)));
  }

  /** From inside the quotes to the end of the string, or to the hole that interrupts it. */
  #string(): void {
    const start = this.#at;
    let text = "";
    let at = start;
    const flush = (): void => {
      this.#at = start;
      if (at > start) this.#push("piece", at, text);
    };
    for (;;) {
      const char = this.#text[at];
      if (char === undefined || char === "\n") {
        flush();
        this.#report(start - 1, at, "Cannot find the quote that ends this text", 'text over several lines stands between """ and """');
        this.#push("quote-end", at, "");
        return;
      }
      if (char === '"') {
        flush();
        this.#push("quote-end", at + 1, '"');
        return;
      }
      if (char === "$" && this.#text[at + 1] === "{" && this.#dialect === "bcl") {
        flush();
        this.#push("hole", at + 2, "${");
        this.#holes.push(0);
        return;
      }
      const [piece, length] = this.#piece(char, at);
      text += piece;
      at += length;
    }
  }

  /** What the next characters of a string stand for, and how many they are. */
  #piece(char: string, at: number): readonly [string, number] {
    if (char === "\\") {
      const length = escapeLength(this.#text, at);
      const value = meantBy(this.#text.slice(at, at + length));
      if (value !== undefined) return [value, length];
      this.#report(
        at,
        at + length,
        `Cannot understand the escape ${this.#text.slice(at, at + length)}`,
        'known are \\n \\t \\r \\" \\\\ \\/ \\b \\f \\$ and \\u0041',
      );
      return ["", length];
    }
    if (char === "$") return ["$", 1];
    this.#patterns.plain.lastIndex = at;
    const plain = this.#patterns.plain.exec(this.#text)![0];
    return [plain, plain.length];
  }

  #endHole(): void {
    this.#holes.pop();
    this.#push("hole-end", this.#at + 1, "}");
    this.#string();
  }
}

const CHARACTER_HINTS: ReadonlyMap<string, string> = new Map([
  ["'", 'text stands between double quotes: "text"'],
  [";", "fields are separated by a comma or a new line"],
  ["&", "write && for and"],
  ["|", "write || for or"],
  ["?", "write: if condition then this else that"],
]);
