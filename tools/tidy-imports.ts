/** Rule 1: who may import whom, and how an import is written. */
import { posix } from "node:path";
import { type FileKind, isTest, kindOf, type Problem, problemAt, type Repository, type Room, roomName, roomOf } from "./tidy-rooms.ts";
import { type Source, type Token, unquote } from "./tidy-tokens.ts";

export interface Import {
  readonly path: string;
  readonly token: Token;
  /** `url` is `new URL("./x", import.meta.url)`: a file of data or a worker. */
  readonly form: "static" | "dynamic" | "require" | "url";
}

/** Folders beside src/ that src/ must not lean on. */
const OUTSIDE: readonly string[] = ["test", "bench", "tools"];
const EXTENSIONS = /\.(ts|tsx|json|css|svg|html|txt|sql|wasm)$/;

export function checkImports(repository: Repository): readonly Problem[] {
  return repository.sources.flatMap((source) => [
    ...importsOf(source).flatMap((found) => {
      const message = writing(found) ?? target(repository, source, found);
      return message === undefined ? [] : [problemAt(source, found.token.at, message)];
    }),
    ...barrel(source),
  ]);
}

/** Every import of a file, in the order they stand there. */
export function importsOf(source: Source): readonly Import[] {
  const found: Import[] = [];
  source.tokens.forEach((token, index) => {
    if (token.kind !== "name" || source.tokens[index - 1]?.text === "." || source.tokens[index + 1]?.text === ":") return;
    const one = importAt(source, index);
    if (one !== undefined) found.push(one);
  });
  return found;
}

function importAt(source: Source, index: number): Import | undefined {
  const text = (offset: number): string | undefined => source.tokens[index + offset]?.text;
  switch (text(0)) {
    case "import":
      if (text(1) === "(") return make(source, index + 2, "dynamic");
      if (text(1) === ".") return undefined;
      return make(source, index + 1, "static") ?? fromAfter(source, index);
    case "export":
      return text(1) === "*" || text(1) === "{" || (text(1) === "type" && (text(2) === "{" || text(2) === "*"))
        ? fromAfter(source, index)
        : undefined;
    case "require":
      return text(1) === "(" ? make(source, index + 2, "require") : undefined;
    case "URL":
      return text(1) === "(" && text(3) === "," && text(4) === "import" ? make(source, index + 2, "url") : undefined;
    default:
      return undefined;
  }
}

function make(source: Source, index: number, form: Import["form"]): Import | undefined {
  const token = source.tokens[index];
  if (token === undefined) return undefined;
  const plain = token.kind === "string" || (token.kind === "template" && token.text.length > 1 && token.text.endsWith("`"));
  return plain ? { path: unquote(token), token, form } : undefined;
}

/** The string after the `from` that belongs to the `import` or `export` at `index`. */
function fromAfter(source: Source, index: number): Import | undefined {
  for (let at = index + 1; at < source.tokens.length; at++) {
    const token = source.tokens[at]!;
    if (token.text === "{") {
      at = source.partner[at] === -1 ? at : source.partner[at]!;
      // `export { a }` without `from` ends here.
      if (source.tokens[at + 1]?.text !== "from" && source.tokens[at + 1]?.text !== ",") return undefined;
    } else if (token.text === "from" && source.tokens[at + 1]?.kind === "string") return make(source, at + 1, "static");
    else if (token.text === ";" || token.text === "=") return undefined;
  }
  return undefined;
}

/** What is wrong with how an import is written, whatever it points to. */
function writing(found: Import): string | undefined {
  const { path } = found;
  if (/^(\/|#|~|@\/|src\/|file:)/.test(path)) {
    return `Import "${path}" is not relative; write the way from this file, beginning with "./" or "../"`;
  }
  if (!isRelative(path) || found.form === "url" || EXTENSIONS.test(path)) return undefined;
  const better = /\.[cm]?jsx?$/.test(path) ? path.replace(/\.[cm]?jsx?$/, ".ts") : `${path}.ts`;
  return `Import "${path}" does not name a file; write "${better}", or the file in that folder which has the thing`;
}

function isRelative(path: string): boolean {
  return path === "." || path === ".." || path.startsWith("./") || path.startsWith("../");
}

/** What is wrong with what an import points to. */
function target(repository: Repository, source: Source, found: Import): string | undefined {
  if (!isRelative(found.path) || !source.path.startsWith("src/")) return undefined;
  const path = posix.join(posix.dirname(source.path), found.path);
  const outside = OUTSIDE.find((folder) => path.startsWith(`${folder}/`));
  if (outside !== undefined) return `Nothing in src/ may import from ${outside}/; move what is needed into a room`;
  const from = roomOf(repository.rooms, source.path);
  const to = roomName(path);
  if (from === undefined || to === undefined) return undefined;
  return acrossRooms(from, to) ?? acrossKinds(repository.rooms, source.path, path);
}

function acrossRooms(from: Room, to: string): string | undefined {
  if (from.name === to || from.uses === "everything" || from.uses.includes(to)) return undefined;
  const allowed = from.uses.length === 0 ? "no other room" : from.uses.join(", ");
  return `Room "${from.name}" may not use room "${to}" (it may use ${allowed}); take the thing as an argument, or put the code where both are allowed`;
}

function acrossKinds(rooms: readonly Room[], from: string, to: string): string | undefined {
  const kind: FileKind | undefined = kindOf(rooms, from);
  const toKind = kindOf(rooms, to);
  if (kind !== "test" && toKind === "test") return `Only tests may import "${to}"; move what is needed into a file that is no test`;
  if ((kind !== "pure" && kind !== "actor") || toKind !== "outer") return undefined;
  return `${kind === "pure" ? "A pure" : "An actor"} file may not import "${to}", which touches the world; take it as an argument behind an interface that this file may see`;
}

function barrel(source: Source): readonly Problem[] {
  if (/(^|\/)index\.tsx?$/.test(source.path)) {
    return [problemAt(source, 0, "No index files; name the file after the one thing inside and import that file")];
  }
  if (isTest(source.path) || !onlyReexports(source)) return [];
  return [problemAt(source, 0, "This file only re-exports; remove it and import the files that have the things")];
}

function onlyReexports(source: Source): boolean {
  const { tokens } = source;
  let exports = 0;
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]!.text === ";") continue;
    const found = importAt(source, at);
    const local = tokens[at]!.text === "export" && tokens[at + 1]?.text === "{" ? source.partner[at + 1]! : -1;
    const end = found?.form === "static" ? tokens.indexOf(found.token) : local;
    if (end === -1) return false;
    if (tokens[at]!.text === "export") exports++;
    at = end;
  }
  return exports > 0;
}
