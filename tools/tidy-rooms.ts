/** What a row of the room table says, what a problem is, and questions about a path. The table itself is in tidy.ts. */
import { columnOf, lineOf, type Source } from "./tidy-tokens.ts";

/** `pure` computes, `actor` is a synchronous state machine over an Env, `outer` touches the world, `test` may do anything. */
export type FileKind = "pure" | "actor" | "outer" | "test" | "generated";

export interface Room {
  readonly name: string;
  readonly kind: "pure" | "actor" | "outer" | "mixed";
  readonly uses: readonly string[] | "everything";
  readonly what: string;
  /** Only in mixed rooms, first match wins: a path inside the room, where `*` stands for the rest. Others are what `others` says. */
  readonly files?: readonly { readonly path: string; readonly kind: FileKind }[];
  readonly others?: FileKind;
}

export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** What every rule looks at: all text files of a repository, and the TypeScript among them cut into tokens. */
export interface Repository {
  readonly rooms: readonly Room[];
  readonly files: ReadonlyMap<string, string>;
  /** Every TypeScript file that is not generated. */
  readonly sources: readonly Source[];
}

export function problemAt(source: { readonly path: string; readonly text: string }, at: number, message: string): Problem {
  return { path: source.path, line: lineOf(source.text, at), column: columnOf(source.text, at), message };
}

export function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.endsWith(".test.tsx");
}

/** Generated code lives in a folder `gen` of its room. */
export function isGenerated(path: string): boolean {
  return /^src\/[^/]+\/gen\//.test(path);
}

/** The folder of src/ that a path is in, whether or not the table knows it. */
export function roomName(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

export function roomOf(rooms: readonly Room[], path: string): Room | undefined {
  const name = roomName(path);
  return rooms.find((room) => room.name === name);
}

/** Undefined for a file that stands in no room of the table. */
export function kindOf(rooms: readonly Room[], path: string): FileKind | undefined {
  const room = roomOf(rooms, path);
  if (room === undefined) return undefined;
  if (isGenerated(path)) return "generated";
  if (isTest(path)) return "test";
  if (room.kind !== "mixed") return room.kind;
  const inside = path.slice(`src/${room.name}/`.length);
  return room.files?.find((row) => matches(row.path, inside))?.kind ?? room.others;
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

/** The table as Markdown, for docs/ARCHITECTURE.md. */
export function roomTable(rooms: readonly Room[]): string {
  const lines = ["| room | kind | may use | what it is |", "|---|---|---|---|"];
  for (const room of rooms) {
    const uses = room.uses === "everything" ? "everything" : room.uses.join(", ") || "-";
    lines.push(`| \`${room.name}\` | ${kindText(room)} | ${uses} | ${room.what} |`);
  }
  return lines.join("\n");
}

function kindText(room: Room): string {
  if (room.kind !== "mixed") return room.kind;
  const rows = (room.files ?? []).map((row) => `\`${row.path}\` ${row.kind}`);
  return `${rows.join(", ")}; others ${room.others}`;
}
