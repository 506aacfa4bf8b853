/** A view's query, and the window of what it found. */
import type { View as WireView } from "../../wire/gen/borg/v1/api_pb.ts";

export const LIMIT_DEFAULT = 100;

/** A query in parts: `user:ann state:pending web` has two keys and a word. */
export interface Query {
  readonly keys: ReadonlyMap<string, string>;
  readonly words: readonly string[];
}

export function queryOf(text: string): Query {
  const keys = new Map<string, string>();
  const words: string[] = [];
  for (const part of text.split(" ").filter((each) => each !== "")) {
    const colon = part.indexOf(":");
    if (colon > 0) keys.set(part.slice(0, colon), part.slice(colon + 1));
    else words.push(part.toLowerCase());
  }
  return { keys, words };
}

/** The window's names, and how many rows there are in all. */
export interface Window {
  readonly names: readonly string[];
  readonly total: number;
}

export const windowOf = (names: readonly string[], { first, limit }: WireView): Window => ({
  names: names.slice(first, first + (limit || LIMIT_DEFAULT)),
  total: names.length,
});

export const has = (name: string, words: readonly string[]): boolean => words.every((word) => name.toLowerCase().includes(word));
