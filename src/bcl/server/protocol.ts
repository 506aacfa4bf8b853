/** Places and names as the language server protocol has them: lines and characters from 0, files as URIs. */
import { positionOf } from "../source.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A member of what came over the wire, whatever that is. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

export function textMember(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" ? found : undefined;
}

export function rangeOf(text: string, start: number, end: number): Json {
  return { start: place(text, start), end: place(text, end) };
}

function place(text: string, offset: number): Json {
  const { line, column } = positionOf(text, offset);
  return { line: line - 1, character: column - 1 };
}

/** The offset of a position; beyond the end of a line it is the end of the line. */
export function offsetOf(text: string, position: unknown): number {
  const [line, character] = [member(position, "line"), member(position, "character")];
  if (typeof line !== "number" || typeof character !== "number") return 0;
  let start = 0;
  for (let i = 0; i < line; i++) {
    const next = text.indexOf("\n", start);
    if (next === -1) return text.length;
    start = next + 1;
  }
  const end = text.indexOf("\n", start);
  return Math.min(start + Math.max(0, character), end === -1 ? text.length : end);
}

/** The path inside the root; undefined for what is outside. */
export function pathOf(root: string, uri: string): string | undefined {
  if (!uri.startsWith("file://")) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(uri.slice("file://".length));
  } catch {
    return undefined;
  }
  const prefix = root.endsWith("/") ? root : `${root}/`;
  const inside = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
  return inside === undefined || inside.split("/").some((part) => part === ".." || part === "") ? undefined : inside;
}

export function uriOf(root: string, path: string): string {
  const full = `${root.endsWith("/") ? root : `${root}/`}${path}`;
  return `file://${full.split("/").map(encodeURIComponent).join("/")}`;
}
