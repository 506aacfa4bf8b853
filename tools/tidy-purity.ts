/** Rule 2: pure and actor files touch nothing but their arguments and their Env, and keep no state in the module. */
import { BANS, type Ban, CELL_NAMES, METHODS, NAMES, PROPERTIES } from "./tidy-bans.ts";
import { importsOf } from "./tidy-imports.ts";
import { kindOf, type Problem, problemAt, type Repository, roomName } from "./tidy-rooms.ts";
import { newLineBetween, type Source } from "./tidy-tokens.ts";

type Kind = "pure" | "actor";

/** A word after which a name is a member of a class or type, not a use of the global. */
const MODIFIERS: ReadonlySet<string> = new Set(
  "readonly private public protected static override declare get set abstract accessor".split(" "),
);
/** A token after which `name:` or `name(…) {` begins a member. */
const MEMBER_STARTS: ReadonlySet<string> = new Set(["{", ",", ";", "}"]);
const ERRORS = /^(e|err|error|cause|exception)$|Error$/;

export function checkPurity(repository: Repository): readonly Problem[] {
  return repository.sources.flatMap((source) => {
    const kind = kindOf(repository.rooms, source.path);
    if (kind !== "pure" && kind !== "actor") return [];
    return [...outsideImports(source, kind), ...hazards(source, kind), ...moduleState(source)];
  });
}

/** The only package that a pure room may use is protobuf's runtime, in wire. */
function outsideImports(source: Source, kind: Kind): readonly Problem[] {
  return importsOf(source).flatMap((found) => {
    const { path } = found;
    if (found.form === "url" || /^[./#~]/.test(path)) return [];
    if (roomName(source.path) === "wire" && /^@bufbuild\/protobuf(\/|$)/.test(path)) return [];
    const instead =
      path === "@bufbuild/protobuf" || path.startsWith("@bufbuild/protobuf/")
        ? "let a file of wire do it"
        : kind === "pure"
          ? "take the result as an argument"
          : "take it through Env or the constructor";
    const who = kind === "pure" ? "A pure file" : "An actor";
    return [problemAt(source, found.token.at, `${who} may not import "${path}"; ${instead}`)];
  });
}

function hazards(source: Source, kind: Kind): readonly Problem[] {
  const problems: Problem[] = [];
  source.tokens.forEach((token, index) => {
    if (token.kind !== "name") return;
    const hit = banAt(source, index);
    if (hit !== undefined) problems.push(problemAt(source, token.at, `"${hit.shown}" ${hit.ban.why}; ${hit.ban[kind]}`));
    else if (token.text === "for" && isForIn(source, index)) {
      problems.push(problemAt(source, token.at, '"for … in" visits inherited keys; use Object.keys() or "for … of"'));
    }
  });
  return problems;
}

interface Hit {
  readonly ban: Ban;
  readonly shown: string;
}

function banAt(source: Source, index: number): Hit | undefined {
  const { text } = source.tokens[index]!;
  const before = source.tokens[index - 1]?.text;
  const after = source.tokens[index + 1]?.text;
  if (before === "." || before === "?.") return propertyBan(source, index);
  const ban = NAMES.get(text) ?? (roomName(source.path) === "cell" ? CELL_NAMES.get(text) : undefined);
  if (ban !== undefined) return isMember(source, index) || isOrdinaryName(text, after) ? undefined : { ban, shown: text };
  if (text === "Math") return mathBan(source, index);
  if (text === "import" && after === "(" && !["typeof", ":", "<", "|", "&", "="].includes(before ?? "")) {
    return { ban: BANS.PROMISE, shown: "import()" };
  }
  return undefined;
}

/** `async` and `await` are keywords only in front of code; before these marks they name a field or a variable. */
function isOrdinaryName(text: string, after: string | undefined): boolean {
  return (text === "async" || text === "await") && (after === undefined || [",", "}", ")", "=", ";"].includes(after));
}

function propertyBan(source: Source, index: number): Hit | undefined {
  const { text } = source.tokens[index]!;
  const after = source.tokens[index + 1]?.text;
  const ban = PROPERTIES.get(text) ?? (after === "(" ? METHODS.get(text) : undefined);
  if (ban !== undefined) return { ban, shown: `.${text}` };
  const owner = source.tokens[index - 2];
  if (text === "stack" && owner?.kind === "name" && ERRORS.test(owner.text)) return { ban: BANS.STACK, shown: ".stack" };
  return undefined;
}

function mathBan(source: Source, index: number): Hit | undefined {
  if (isMember(source, index)) return undefined;
  const after = source.tokens[index + 1]?.text;
  if (after !== "." && after !== "?.") return { ban: BANS.MATH, shown: "Math" };
  return source.tokens[index + 2]?.text === "random" ? { ban: BANS.RANDOM, shown: "Math.random" } : undefined;
}

/** Whether a name stands where a key, a member of a class or type, or a parameter is named. */
function isMember(source: Source, index: number): boolean {
  const { tokens } = source;
  const before = tokens[index - 1];
  if (before === undefined) return false;
  if (before.kind === "name" && MODIFIERS.has(before.text)) return true;
  const starts = MEMBER_STARTS.has(before.text) || (before.text !== "?" && newLineBetween(source, before, tokens[index]!));
  let next = index + 1;
  if (tokens[next]?.text === "?") next++;
  if (tokens[next]?.text === ":") return starts || before.text === "(";
  // `async (a): T => …` looks like a method named async, but nobody names a method so.
  if (tokens[next]?.text !== "(" || tokens[index]!.text === "async" || tokens[index]!.text === "await") return false;
  if (!starts && before.text !== "*" && before.text !== "async") return false;
  const close = source.partner[next]!;
  const follows = close === -1 ? undefined : tokens[close + 1];
  return follows?.text === ":" || (follows?.text === "{" && !newLineBetween(source, tokens[close]!, follows));
}

function isForIn(source: Source, index: number): boolean {
  if (source.tokens[index + 1]?.text !== "(" || source.tokens[index - 1]?.text === ".") return false;
  const end = source.partner[index + 1]!;
  const inside = source.depth[index + 1]! + 1;
  for (let at = index + 2; at < end; at++) {
    if (source.depth[at] !== inside) continue;
    const { text } = source.tokens[at]!;
    if (text === ";" || text === "of") return false;
    if (text === "in") return true;
  }
  return false;
}

/** `let` and `var` at the top, containers that start empty and can only be filled later, and static fields that change. */
function moduleState(source: Source): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (index: number, what: string): void => {
    problems.push(
      problemAt(source, source.tokens[index]!.at, `${what} is state of the module; keep it in an object that the caller makes`),
    );
  };
  source.tokens.forEach((token, index) => {
    const next = source.tokens[index + 1];
    const declares = next?.kind === "name" || next?.text === "{" || next?.text === "[";
    if ((token.text === "let" || token.text === "var") && source.depth[index] === 0 && declares) {
      report(index, `"${token.text}" at the top of a file`);
    }
    if (token.text === "const" && source.depth[index] === 0 && isEmptyContainer(source, index))
      report(index, `"${next!.text}", a container to be filled,`);
    if (token.text === "static" && isChangingField(source, index)) report(index, `"static ${next!.text}"`);
  });
  return problems;
}

function isEmptyContainer(source: Source, index: number): boolean {
  const { tokens } = source;
  for (let at = index + 2; at < tokens.length && tokens[at]!.text !== ";"; at++) {
    if (tokens[at]!.text.startsWith("Readonly")) return false;
    if (tokens[at]!.text !== "=") continue;
    if (tokens[at + 1]?.text !== "new" || !["Map", "Set", "WeakMap", "WeakSet"].includes(tokens[at + 2]?.text ?? "")) return false;
    while (at < tokens.length && tokens[at]!.text !== "(" && tokens[at]!.text !== ";") at++;
    return tokens[at]?.text !== "(" || tokens[at + 1]?.text === ")";
  }
  return false;
}

function isChangingField(source: Source, index: number): boolean {
  const before = source.tokens[index - 1]?.text ?? "";
  const name = source.tokens[index + 1];
  const after = source.tokens[index + 2]?.text ?? "";
  return name?.kind === "name" && (MEMBER_STARTS.has(before) || MODIFIERS.has(before)) && ["=", ":", ";", "?"].includes(after);
}
