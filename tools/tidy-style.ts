/** Rules 4 and 7: sizes, names, words that do not belong into finished code, and tests that would not run. */
import { functionsOf } from "./tidy-functions.ts";
import { isTest, kindOf, type Problem, problemAt, type Repository, roomName } from "./tidy-rooms.ts";
import type { Source, Token } from "./tidy-tokens.ts";

export const FILE_LINES_MAX = 500;
export const FUNCTION_LINES_MAX = 70;

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
const UNFINISHED = /\b(TODO|FIXME|XXX)\b/;

export function checkStyle(repository: Repository): readonly Problem[] {
  return repository.sources.flatMap((source) => [
    ...fileName(source),
    ...(isTest(source.path) || kindOf(repository.rooms, source.path) === "test" ? [] : sizes(source)),
    ...words(source),
    ...removals(source),
    ...comments(source),
    ...(isTest(source.path) ? tests(source) : []),
    ...(mayPrint(repository, source.path) ? [] : prints(source)),
  ]);
}

function fileName(source: Source): readonly Problem[] {
  const bad = source.path.split("/").find((part) => !KEBAB.test(part) && !part.startsWith("."));
  if (bad === undefined) return [];
  const words = bad.replace(/([a-z0-9])([A-Z])/g, "$1-$2").replace(/_+/g, "-");
  return [problemAt(source, 0, `Name "${bad}" is not kebab-case; rename it to "${words.toLowerCase()}"`)];
}

function sizes(source: Source): readonly Problem[] {
  const problems: Problem[] = [];
  const lines = source.text.split("\n").length - (source.text.endsWith("\n") ? 1 : 0);
  if (lines > FILE_LINES_MAX) {
    const message = `This file has ${lines} lines, more than ${FILE_LINES_MAX}; ask which noun in it wants a file of its own`;
    problems.push({ path: source.path, line: FILE_LINES_MAX + 1, column: 1, message });
  }
  for (const found of functionsOf(source)) {
    if (found.lines <= FUNCTION_LINES_MAX) continue;
    const who = found.name === undefined ? "This function" : `Function "${found.name}"`;
    const message = `${who} has ${found.lines} lines, more than ${FUNCTION_LINES_MAX}; let it decide, and move what it computes into functions with names`;
    problems.push(problemAt(source, found.start.at, message));
  }
  return problems;
}

function words(source: Source): readonly Problem[] {
  const { tokens } = source;
  const problems: Problem[] = [];
  tokens.forEach((token, index) => {
    if (token.text === "enum" && tokens[index + 1]?.kind === "name" && tokens[index + 2]?.text === "{") {
      problems.push(problemAt(source, token.at, 'No "enum": Node cannot run it; use a union of strings'));
    }
    if (token.text === "any" && isType(tokens, index)) {
      problems.push(problemAt(source, token.at, 'No "any": use "unknown" and check, or write the type'));
    }
  });
  return problems;
}

/** A borglet may be root, and what it removes may have been a stranger's to arrange. */
function removals(source: Source): readonly Problem[] {
  if (roomName(source.path) !== "borglet" || isTest(source.path)) return [];
  const { tokens } = source;
  return tokens.flatMap((token, index) => {
    if (token.text !== "recursive" || tokens[index + 1]?.text !== ":" || tokens[index + 2]?.text !== "true") return [];
    if (!["rm", "rmSync", "rmdir", "rmdirSync"].includes(calledAround(tokens, index))) return [];
    return [
      problemAt(
        source,
        token.at,
        "No recursive removal here: it follows paths that a task can swap; use removeOwn (remove.ts) or the trash",
      ),
    ];
  });
}

/** The name of the innermost call that the token at `index` is an argument of. */
function calledAround(tokens: readonly Token[], index: number): string {
  let open = 0;
  for (let at = index - 1; at > 0; at--) {
    const { text } = tokens[at]!;
    if (text === ")") open += 1;
    else if (text === "(" && open-- === 0) return tokens[at - 1]!.text;
  }
  return "";
}

/** Whether the `any` at `index` stands where a type stands. */
function isType(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text ?? "";
  const after = tokens[index + 1]?.text ?? "";
  if (["(", ".", "?.", ":"].includes(after)) return false;
  if ([":", "as", "satisfies", "|", "&", "keyof", "readonly"].includes(before)) return true;
  if (before === "<") return [">", ",", "[", "|", "&"].includes(after);
  if (before === "," && after === ">") return true;
  if (before === "=>" || before === "extends") return true;
  return before === "=" && tokens[index - 3]?.text === "type";
}

function comments(source: Source): readonly Problem[] {
  return source.comments.flatMap((comment) => {
    const unfinished = UNFINISHED.exec(comment.text);
    if (unfinished !== null) {
      const message = `No "${unfinished[0]}": do it now, or write an issue and say here what holds today`;
      return [problemAt(source, comment.at + unfinished.index, message)];
    }
    return comment.text.startsWith("//") && looksLikeCode(comment.text.slice(2).trim())
      ? [problemAt(source, comment.at, "This comment is code; remove it (git remembers), or say in words what the reader should know")]
      : [];
  });
}

/** Code that is hard to take for English: it must both begin and end like a statement. */
const CODE: readonly RegExp[] = [
  /^(export )?(const|let|var)\s+[\w${[][^=]*=.*[;{([,]$/,
  /^import\s.*from\s*["'].*["'];?$/,
  /^(export )?(default )?(async )?function\*?\s*\w*\(.*\{$/,
  /^export (class|interface|type|default|\{|\*).*[;{}]$/,
  /^(\} else )?(if|for|while|switch) ?\(.*\)( \{|.*;)$/,
  /^(return|throw new|await|yield)\b[^a-z]*[\w.]*[[({"'`].*;$/,
  /^return( [\w.!]+)?;$/,
  /^[\w.$#]+(\[[^\]]*\])?\s*([-+*/|&?]{0,2}=)\s.*;$/,
  /^[\w.$#?!]+\(.*\);$/,
  /^.*(\)|=>) \{$/,
  /^[})\]]+[;,]?$/,
  /^\} (else|catch|finally).*\{$/,
];

function looksLikeCode(comment: string): boolean {
  return CODE.some((pattern) => pattern.test(comment));
}

/** Pure and actor files may not even name `console` (tidy-purity.ts); tests and the command may print. */
function mayPrint(repository: Repository, path: string): boolean {
  return kindOf(repository.rooms, path) !== "outer" || roomName(path) === "cli";
}

function prints(source: Source): readonly Problem[] {
  const { tokens } = source;
  return tokens.flatMap((token, index) => {
    const method = tokens[index + 2]?.text ?? "";
    if (token.text !== "console" || token.kind !== "name" || tokens[index - 1]?.text === "." || tokens[index + 1]?.text !== ".") return [];
    if (!["log", "info", "debug"].includes(method)) return [];
    return [problemAt(source, token.at, `No "console.${method}" outside cli; write to the log that this file was given`)];
  });
}

function tests(source: Source): readonly Problem[] {
  const { tokens } = source;
  return tokens.flatMap((token, index) => {
    const message = token.kind === "name" ? testMessage(source, index) : undefined;
    return message === undefined ? [] : [problemAt(source, token.at, message)];
  });
}

function testMessage(source: Source, index: number): string | undefined {
  const { tokens } = source;
  const method = tokens[index - 1]?.text === ".";
  const after = tokens[index + 1]?.text;
  const { text } = tokens[index]!;
  if (text === "only" && ((method && after === "(") || (after === ":" && tokens[index + 2]?.text === "true"))) {
    return 'No "only": the other tests of this file would not run; use --test-name-pattern while you look for a fault';
  }
  if (text !== "skip") return undefined;
  const reason = 'A skipped test needs a reason that people see; write { skip: "why" } with a condition, or mend the test';
  if (method && after === "(") {
    const onTest = ["test", "it", "describe", "suite"].includes(tokens[index - 2]?.text ?? "");
    return onTest || tokens[index + 2]?.text === ")" ? reason : undefined;
  }
  return !method && after === ":" && !givesReason(source, index + 2) ? reason : undefined;
}

/** A string somewhere in the value, or a name that may hold one; `true` and bare conditions say nothing. */
function givesReason(source: Source, start: number): boolean {
  const { tokens, depth } = source;
  const value: Token[] = [];
  for (let at = start; at < tokens.length && depth[at]! >= depth[start]!; at++) {
    if (depth[at] === depth[start] && [",", "}", ")"].includes(tokens[at]!.text)) break;
    value.push(tokens[at]!);
  }
  if (value.some((token) => token.kind === "string" || token.kind === "template")) return true;
  return value[0]?.kind === "name" && value[0].text !== "true" && !value.some((token) => ["<", ">", "=", "!"].includes(token.text));
}
