/** The form that all tickets have: one line, a word that says which kind it is, and what it holds as base64 of JSON. What it has to hold, each kind says itself. */
import { Failure } from "./exit.ts";

const LENGTH_MAX = 16_384;

export interface TicketKind<T> {
  readonly prefix: string;
  /** "This is no ...", and the command that prints one. */
  readonly words: string;
  readonly from: string;
  /** Undefined: something is missing. */
  read(held: Readonly<Partial<Record<keyof T, unknown>>>): T | undefined;
}

export const ticketLine = <T>({ prefix }: TicketKind<T>, ticket: T): string =>
  `${prefix}${Buffer.from(JSON.stringify(ticket)).toString("base64url")}`;

export function readTicketLine<T>(kind: TicketKind<T>, text: string): T {
  const line = text.trim();
  const found = line.length <= LENGTH_MAX && line.startsWith(kind.prefix) ? held(kind, line.slice(kind.prefix.length)) : undefined;
  if (found !== undefined) return found;
  throw new Failure("usage", `This is no ${kind.words}`, `it is one line that begins with ${kind.prefix}, as ${kind.from} prints it`);
}

function held<T>(kind: TicketKind<T>, text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return kind.read((value ?? {}) as Partial<Record<keyof T, unknown>>);
  } catch {
    return undefined;
  }
}

export const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
