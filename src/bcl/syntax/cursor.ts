/** Where the parser stands among the lexemes, and the ways it can fail. */
import { type Problems, problemAt } from "../problem.ts";
import type { Source, Span } from "../source.ts";
import type { Lexeme } from "./lexeme.ts";

/** Brackets, operators and calls nest at most this deep. Walks over the tree are recursive and rely on it. */
export const NESTING_MAX = 200;

/** A syntax error that was reported: the parser goes on with the next field, or, when fatal, not at all. */
export class SyntaxFault extends Error {
  readonly fatal: boolean;

  constructor(fatal: boolean) {
    super("syntax");
    this.fatal = fatal;
  }
}

export class Cursor {
  readonly source: Source;
  readonly #lexemes: readonly Lexeme[];
  readonly #problems: Problems;
  /** Where the lines begin that the lexer had a problem with. */
  readonly #unreadable: ReadonlySet<number>;
  #at = 0;
  #depth = 0;
  #head = false;

  constructor(source: Source, lexemes: readonly Lexeme[], problems: Problems) {
    this.source = source;
    this.#lexemes = lexemes;
    this.#problems = problems;
    const own = problems.list.filter((problem) => problem.span.source === source);
    this.#unreadable = new Set(own.map((problem) => lineStart(source.text, problem.span.start)));
  }

  get lexeme(): Lexeme {
    return this.#lexemes[this.#at]!;
  }

  get next(): Lexeme {
    return this.#lexemes[Math.min(this.#at + 1, this.#lexemes.length - 1)]!;
  }

  /** The lexeme `ahead` places further on. */
  peek(ahead: number): Lexeme {
    return this.#lexemes[Math.min(this.#at + ahead, this.#lexemes.length - 1)]!;
  }

  get previous(): Lexeme {
    return this.#lexemes[Math.max(0, this.#at - 1)]!;
  }

  take(): Lexeme {
    const lexeme = this.lexeme;
    if (lexeme.kind !== "end") this.#at++;
    return lexeme;
  }

  is(symbol: string): boolean {
    return this.lexeme.kind === "symbol" && this.lexeme.text === symbol;
  }

  isWord(word: string): boolean {
    return this.lexeme.kind === "name" && this.lexeme.text === word;
  }

  accept(symbol: string): boolean {
    const there = this.is(symbol);
    if (there) this.#at++;
    return there;
  }

  expect(symbol: string, where: string): Lexeme {
    if (!this.is(symbol)) throw this.expected(`"${symbol}" ${where}`);
    return this.take();
  }

  expectWord(word: string, where: string): void {
    if (!this.isWord(word)) throw this.expected(`"${word}" ${where}`);
    this.take();
  }

  spanOf(lexeme: Lexeme): Span {
    return { source: this.source, start: lexeme.start, end: lexeme.end };
  }

  /** From a place to the end of what was taken last. */
  spanFrom(start: number): Span {
    return { source: this.source, start, end: Math.max(start, this.previous.end) };
  }

  expected(what: string, hint?: string): SyntaxFault {
    // What is missing at the end is shown behind the last word, not on an empty line.
    const { end } = this.previous;
    const span = this.lexeme.kind === "end" ? { source: this.source, start: end, end } : this.spanOf(this.lexeme);
    return this.fault(span, `Expected ${what}, found ${lexemeText(this.lexeme)}`, hint);
  }

  /** On a line that the lexer could not read, what the parser makes of the rest is only a consequence. */
  report(span: Span, message: string, hint?: string): void {
    if (!this.#unreadable.has(lineStart(this.source.text, span.start))) this.#problems.add(problemAt(span, message, hint));
  }

  fault(span: Span, message: string, hint?: string): SyntaxFault {
    this.report(span, message, hint);
    return new SyntaxFault(this.#problems.isFull);
  }

  /** Counts one level of nesting around `parse`. */
  nested<T>(parse: () => T): T {
    this.deepen(1);
    const result = parse();
    this.#depth--;
    return result;
  }

  /** In the head of a loop a brace begins the body, and extends nothing; inside brackets of that head it does again. */
  get isHead(): boolean {
    return this.#head;
  }

  withHead<T>(head: boolean, parse: () => T): T {
    const before = this.#head;
    this.#head = head;
    const result = parse();
    this.#head = before;
    return result;
  }

  /** For operators and calls in a row, which nest to the left without recursion; `shallow` gives the levels back. */
  deepen(levels: number): void {
    this.#depth += levels;
    if (this.#depth <= NESTING_MAX) return;
    this.report(this.spanOf(this.lexeme), `Cannot nest deeper than ${NESTING_MAX} levels`, "give the inner parts names of their own");
    throw new SyntaxFault(true);
  }

  shallow(levels: number): void {
    this.#depth -= levels;
  }

  get depth(): number {
    return this.#depth;
  }

  /** After a syntax error: forward to the next field of the body that was being read, at the depth where it began. */
  recover(depth: number): void {
    this.#depth = depth;
    this.#head = false;
    for (let open = 0; this.lexeme.kind !== "end"; this.take()) {
      const { kind, text, newline } = this.lexeme;
      if (open === 0 && newline && (kind === "name" || kind === "quote")) return;
      if (kind === "symbol" && (text === "{" || text === "[" || text === "(")) open++;
      if (kind === "symbol" && (text === "}" || text === "]" || text === ")")) {
        if (open === 0 && text === "}") return;
        open = Math.max(0, open - 1);
      }
    }
  }
}

const lineStart = (text: string, offset: number): number => (offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1);

export function lexemeText(lexeme: Lexeme): string {
  if (lexeme.kind === "end") return "the end of the file";
  if (lexeme.kind === "quote" || lexeme.kind === "raw") return "text";
  return `"${lexeme.text.slice(0, 40)}"`;
}
