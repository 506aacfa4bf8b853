/** The syntax tree. Every node knows its place; names that are visible inside a tuple are worked out once, when it is parsed. */
import type { Quantity } from "../quantity.ts";
import type { Source, Span } from "../source.ts";
import type { Comment, Lexeme, Role } from "./lexeme.ts";

export type Expression =
  | { readonly kind: "number"; readonly span: Span; readonly value: Quantity }
  | { readonly kind: "text"; readonly span: Span; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: "constant"; readonly span: Span; readonly value: true | false | null }
  | Name
  | { readonly kind: "self"; readonly span: Span }
  | { readonly kind: "super"; readonly span: Span }
  | { readonly kind: "list"; readonly span: Span; readonly items: readonly Expression[] }
  | { readonly kind: "list-for"; readonly span: Span; readonly item: Expression; readonly clauses: readonly Clause[] }
  | TupleNode
  | {
      readonly kind: "tuple-for";
      readonly span: Span;
      readonly key: Expression;
      readonly value: Expression;
      readonly clauses: readonly Clause[];
    }
  | { readonly kind: "select"; readonly span: Span; readonly of: Expression; readonly name: string; readonly nameSpan: Span }
  | { readonly kind: "index"; readonly span: Span; readonly of: Expression; readonly index: Expression }
  | CallNode
  | { readonly kind: "extend"; readonly span: Span; readonly base: Expression; readonly tuple: TupleNode }
  | LambdaNode
  | { readonly kind: "if"; readonly span: Span; readonly test: Expression; readonly then: Expression; readonly else: Expression }
  | { readonly kind: "let"; readonly span: Span; readonly name: Binding; readonly value: Expression; readonly body: Expression }
  | { readonly kind: "unary"; readonly span: Span; readonly operator: "-" | "!"; readonly of: Expression }
  | {
      readonly kind: "binary";
      readonly span: Span;
      readonly operator: Operator;
      readonly at: Span;
      readonly left: Expression;
      readonly right: Expression;
    };

export interface Name {
  readonly kind: "name";
  readonly span: Span;
  readonly name: string;
  /** How many definitions of this name to pass by, from the inside out. Worked out by resolve.ts. */
  skip: number;
}

export interface CallNode {
  readonly kind: "call";
  readonly span: Span;
  readonly of: Expression;
  readonly arguments: readonly Argument[];
}

export interface Argument {
  readonly name: Binding | undefined;
  readonly value: Expression;
}

export interface LambdaNode {
  readonly kind: "lambda";
  readonly span: Span;
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
}

export interface Parameter extends Binding {
  readonly default: Expression | undefined;
}

export interface Binding {
  readonly name: string;
  readonly span: Span;
}

export type Operator = "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";

/** `for x in xs`, `for i, x in xs`, or a condition. */
export type Clause =
  | { readonly kind: "for"; readonly span: Span; readonly names: readonly Binding[]; readonly of: Expression }
  | { readonly kind: "if"; readonly span: Span; readonly test: Expression };

export interface Field {
  readonly kind: "field";
  readonly span: Span;
  /** A computed key is worked out in the scope around the tuple. */
  readonly key: string | Expression;
  readonly keySpan: Span;
  readonly local: boolean;
  /** `:=`: takes the place of what was inherited, also where both are tuples. */
  readonly replace: boolean;
  readonly role: Role | undefined;
  readonly value: Expression;
}

export interface Assert {
  readonly kind: "assert";
  readonly span: Span;
  readonly test: Expression;
  readonly message: Expression | undefined;
}

export interface Import {
  readonly kind: "import";
  readonly span: Span;
  readonly path: string;
  readonly pathSpan: Span;
  readonly as: Binding;
}

export interface Test {
  readonly kind: "test";
  readonly span: Span;
  readonly name: string;
  readonly body: TupleNode;
}

/** `for x in xs { job ... }`: declarations for each element. */
export interface Loop {
  readonly kind: "loop";
  readonly span: Span;
  readonly clause: Clause & { readonly kind: "for" };
  readonly body: TupleNode;
}

export type Item = Field | Assert | Import | Test | Loop;

export interface TupleNode {
  readonly kind: "tuple";
  readonly span: Span;
  readonly items: readonly Item[];
  /** Fields with a written name, and imports' names are not among them: those are local. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly locals: ReadonlyMap<string, Field | Import>;
  readonly computed: readonly Field[];
  readonly asserts: readonly Assert[];
  readonly loops: readonly Loop[];
}

export interface FileNode {
  readonly source: Source;
  readonly body: TupleNode;
  readonly imports: readonly Import[];
  readonly tests: readonly Test[];
  readonly comments: readonly Comment[];
  readonly lexemes: readonly Lexeme[];
}

/** `hello-web` in a cell is `hello_web` in expressions: the language's names have no hyphens. */
export const bindingName = (name: string): string => name.replaceAll("-", "_");
