/**
 * Cuts TypeScript into tokens, well enough to tell code from comments, strings, templates and regular expressions.
 * It is no parser: it never fails, and on text that is no TypeScript it gives some tokens rather than an error.
 */

export type TokenKind = "name" | "number" | "string" | "template" | "regex" | "punct" | "comment";

export interface Token {
  readonly kind: TokenKind;
  /** As written: a string keeps its quotes; a template is one token per piece between its `${` and `}`. */
  readonly text: string;
  /** Offset in the file. */
  readonly at: number;
}

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly comments: readonly Token[];
  /** For a bracket's index the index of its partner; -1 for anything else and for brackets without partner. */
  readonly partner: readonly number[];
  /** For each token how many brackets of any kind are open before it. */
  readonly depth: readonly number[];
}

const SPACE = /[\s\uFEFF]+/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|^#![^\n]*/y;
const NAME = /#?[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const NUMBER = /\.?\d[\w.]*/y;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/y;
const TEMPLATE_PIECE = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|\\?$)/y;
const REGEX = /\/(?![*/])(?:[^\\/[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*/y;
const PUNCT = /\.\.\.|=>|\?\.(?!\d)|\+\+|--|[\s\S]/y;

const OPENERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const CLOSERS: ReadonlySet<string> = new Set([")", "]", "}"]);
/** After these words a slash begins a regular expression; after any other name it divides. */
const WORDS_BEFORE_VALUE: ReadonlySet<string> = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await default extends".split(" "),
);
const WORDS_BEFORE_CONDITION: ReadonlySet<string> = new Set(["if", "while", "for", "with"]);

export function scan(path: string, text: string): Source {
  return new Scanner(path, text).run();
}

class Scanner {
  readonly #path: string;
  readonly #text: string;
  readonly #tokens: Token[] = [];
  readonly #comments: Token[] = [];
  readonly #partner: number[] = [];
  readonly #depth: number[] = [];
  /** Indexes of open brackets; -1 stands for the `${` of a template. */
  readonly #open: number[] = [];
  #at = 0;

  constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
  }

  run(): Source {
    while (this.#at < this.#text.length) {
      const space = this.#match(SPACE);
      if (space !== undefined) {
        this.#at += space.length;
        continue;
      }
      const comment = this.#match(COMMENT);
      if (comment === undefined) this.#push(...this.#next());
      else {
        this.#comments.push({ kind: "comment", text: comment, at: this.#at });
        this.#at += comment.length;
      }
    }
    const partner = this.#partner;
    return { path: this.#path, text: this.#text, tokens: this.#tokens, comments: this.#comments, partner, depth: this.#depth };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #next(): [TokenKind, string] {
    const first = this.#text[this.#at]!;
    if (first === '"' || first === "'") return ["string", this.#match(STRING)!];
    if (first === "`" || (first === "}" && this.#open.at(-1) === -1)) return ["template", this.#match(TEMPLATE_PIECE) ?? first];
    const name = this.#match(NAME);
    if (name !== undefined) return ["name", name];
    const number = this.#match(NUMBER);
    if (number !== undefined) return ["number", number];
    const regex = first === "/" && this.#expectsValue() ? this.#match(REGEX) : undefined;
    return regex === undefined ? ["punct", this.#match(PUNCT)!] : ["regex", regex];
  }

  #push(kind: TokenKind, text: string): void {
    if (kind === "template" && text.startsWith("}")) this.#open.pop();
    const index = this.#tokens.length;
    if (kind === "punct" && CLOSERS.has(text)) this.#close(index, text);
    else this.#partner.push(-1);
    this.#depth.push(this.#open.length);
    this.#tokens.push({ kind, text, at: this.#at });
    if (kind === "punct" && text in OPENERS) this.#open.push(index);
    if (kind === "template" && text.endsWith("${")) this.#open.push(-1);
    this.#at += text.length;
  }

  #close(index: number, text: string): void {
    const open = this.#open.at(-1);
    if (open === undefined || open === -1 || OPENERS[this.#tokens[open]!.text] !== text) {
      this.#partner.push(-1);
      return;
    }
    this.#open.pop();
    this.#partner.push(open);
    this.#partner[open] = index;
  }

  /** Whether a slash here would begin a regular expression. */
  #expectsValue(): boolean {
    const last = this.#tokens.length - 1;
    const token = this.#tokens[last];
    if (token === undefined) return true;
    if (token.kind === "name") return WORDS_BEFORE_VALUE.has(token.text) && this.#tokens[last - 1]?.text !== ".";
    if (token.kind === "template") return token.text.endsWith("${");
    if (token.kind !== "punct") return false;
    if (token.text === ")") return WORDS_BEFORE_CONDITION.has(this.#tokens[(this.#partner[last] ?? 0) - 1]?.text ?? "");
    if (token.text === "!") return !this.#endsValue(last - 1);
    return !["]", "++", "--"].includes(token.text);
  }

  #endsValue(index: number): boolean {
    const token = this.#tokens[index];
    if (token === undefined) return false;
    if (token.kind === "name") return !WORDS_BEFORE_VALUE.has(token.text);
    return token.text === ")" || token.text === "]";
  }
}

/** Whether a line ends between two neighbouring tokens. */
export function newLineBetween(source: Source, before: Token, after: Token): boolean {
  return source.text.slice(before.at + before.text.length, after.at).includes("\n");
}

export function lineOf(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", end + 1)) line++;
  return line;
}

export function columnOf(text: string, at: number): number {
  return at - (at === 0 ? -1 : text.lastIndexOf("\n", at - 1));
}

/** The text inside a string's quotes; only for import paths and the like, which have no escapes. */
export function unquote(token: Token): string {
  return token.text.slice(1, -1);
}
