/** The words of the language. */

export type LexemeKind =
  | "name"
  | "number"
  /** A string comes in parts: the opening quote, pieces of text, holes with the lexemes of an expression between, the closing quote. */
  | "quote"
  | "piece"
  | "hole"
  | "hole-end"
  | "quote-end"
  /** A `"""` string, whole. */
  | "raw"
  | "symbol"
  | "end";

export interface Lexeme {
  readonly kind: LexemeKind;
  readonly start: number;
  readonly end: number;
  /** As written; for a piece and a raw string: what it stands for. */
  readonly text: string;
  /** Whether it is the first on its line. */
  readonly newline: boolean;
}

export interface Comment {
  readonly start: number;
  readonly end: number;
  readonly newline: boolean;
}

/** Longest first, so that the first match is the right one. */
export const SYMBOLS: readonly string[] = "=> == != <= >= && || := + - * / % < > ! = : , . ( ) [ ] { }".split(" ");

/** Words that cannot name a field without quotes. */
export const KEYWORDS: readonly string[] = "assert else false for if in let local null self super then true".split(" ");

/** Words that begin a declaration when a name follows, and are ordinary names elsewhere. */
export const ROLES = ["job", "alloc_set", "quota", "service"] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

export const isKeyword = (text: string): boolean => KEYWORDS.includes(text);

export const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a key can be written without quotes. */
export const isPlainKey = (text: string): boolean => NAME.test(text) && !isKeyword(text);
