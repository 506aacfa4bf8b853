/**
 * Every command that the program or its papers tell people to type can be typed: it exists, takes those options and so many arguments.
 * test/e2e/typed.test.ts types them into a real cell.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { main as bclMain } from "./bcl.ts";
import { connectReal } from "./client.ts";
import { fakeTerminal, helpLines } from "./fixture.test.ts";
import { programFor } from "./main.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const program = programFor({ terminal: fakeTerminal(), connect: connectReal, code: 0 });

/** What is wrong with the words behind `borg`; undefined where nothing is. */
function problemOf(all: readonly string[]): string | undefined {
  const end = all.includes("--") ? all.indexOf("--") : all.length;
  const [words, behind] = [all.slice(0, end), all.slice(end + 1)];
  const first = program.parseOptions([...words]);
  let [at, rest] = [program as Command, [...first.operands, ...first.unknown]];
  for (
    let next = at.commands.find((one) => one.name() === rest[0]);
    next !== undefined;
    next = at.commands.find((one) => one.name() === rest[0])
  ) {
    [at, rest] = [next, rest.slice(1)];
  }
  if (at === program) return `there is no command "${words[0]}"`;
  if (at.commands.length > 0 && at.registeredArguments.length === 0) return `"${at.name()}" is not whole`;
  if (["bcl", "bench", "experiment"].includes(at.name())) return undefined;
  const { operands: before, unknown } = at.parseOptions(rest);
  const operands = [...before, ...behind];
  if (unknown.length > 0) return `there is no option ${unknown[0]}`;
  const needed = at.registeredArguments.filter(({ required }) => required).length;
  const most = at.registeredArguments.some(({ variadic }) => variadic) ? Number.POSITIVE_INFINITY : at.registeredArguments.length;
  if (operands.length < needed || operands.length > most) return `it takes other arguments than ${operands.join(" ")}`;
  const absent = at.options.find(
    (option) => option.mandatory && !words.some((word) => word === option.long || word.startsWith(`${option.long}=`)),
  );
  return absent === undefined ? undefined : `it needs ${absent.long}`;
}

/** A line as a shell takes it apart: quotes, comments, and what goes into another program. */
function wordsOf(line: string): readonly string[] {
  const plain = line.replace(/\s+#.*$/, "").replace(/\s[|>].*$/, "");
  return [...plain.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3]!);
}

/** `borg ...` in blocks and between backticks; lines that stand for a form (`bcl eval FILE`) have words in capitals, which are as good as any. */
function pageLines(path: string): readonly string[] {
  const text = readFileSync(path, "utf8");
  const blocks = [...text.matchAll(/^(?: {4}|#\s+)?(?:\.\/)?borg ([a-z].*)$/gm)].map((m) => m[1]!);
  const inline = [...text.matchAll(/`(?:source <\()?(?:\.\/)?borg ([a-z-][^`\n]*?)\)?`/g)].map((m) => m[1]!);
  return [...blocks, ...inline].map((line) => line.split(/ {2,}/)[0]!.replace("...", ""));
}

const PAGES = [
  "README.md",
  ...["docs", "docs/how-to", "docs/operations", "examples"].flatMap((folder) => filesIn(folder).map((name) => `${folder}/${name}`)),
].filter((path) => /\.(md|bcl)$/.test(path));

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(`${ROOT}${folder}`);
  } catch {
    return [];
  }
}

test("every example of --help can be typed [N9]", () => {
  const lines = helpLines(program).flatMap((line) => [...line.matchAll(/^borg (.*)$|\(borg ([^)]*)\)/g)].map((m) => m[1] ?? m[2]!));
  assert.ok(lines.length > 60, `found ${lines.length}`);
  for (const line of lines) assert.equal(problemOf(wordsOf(line)), undefined, `borg ${line}`);
});

test("every command in the papers can be typed [N9]", () => {
  const lines = PAGES.flatMap((path) => pageLines(`${ROOT}${path}`).map((line) => [path, line] as const));
  assert.ok(lines.length > 50, `found ${lines.length}`);
  for (const [path, line] of lines) {
    const words = wordsOf(line);
    // A sentence may name a command without its arguments: `borg up`, `borg bench start`.
    const problem = problemOf(words);
    const isMention = problem !== undefined && /^it (takes|needs)/.test(problem) && words.length <= 2;
    assert.ok(problem === undefined || isMention, `${path}: borg ${line}: ${problem}`);
  }
});

/** What follows the program's name in a sentence about it. */
const PROSE = /^(itself|command|in|on|changes|is|says|prints)\b/;

/** Sentences of the program that name a command: strings in the source, without comments. */
function sentencesIn(path: string): readonly string[] {
  const code = readFileSync(path, "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "");
  return [...code.matchAll(/(?<![\w./-])borg ([a-z][^"`\n]*)/g)].map((m) => m[1]!);
}

/** The command ends where the sentence goes on: at a mark, or at a word that is no option behind its arguments. */
function commandIn(sentence: string): readonly string[] {
  const [head = ""] = sentence.split(/[;,()]|: |\. |\\n|\s\|\s/);
  return head
    .replace(/\$\{[^}]*\}+/g, "NAME")
    .trim()
    .split(/\s+/);
}

test("every command in a message or a hint exists, with the options it is given [N9]", () => {
  const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("gen/") && !path.startsWith("cli/catalogue"),
  );
  const found = files.flatMap((path) =>
    sentencesIn(`${ROOT}src/${path}`)
      .filter((text) => !PROSE.test(text))
      .map((text) => ({ path: `src/${path}`, words: commandIn(text) })),
  );
  assert.ok(found.length > 30, `found ${found.length}`);
  const wrong = found.flatMap(({ path, words }) => {
    const command = program.commands.find((one) => one.name() === words[0]);
    if (command === undefined) return [`${path}: borg ${words[0]}: there is no command "${words[0]}"`];
    const sub = command.commands.find((one) => one.name() === words[1]);
    if (command.commands.length > 0 && sub === undefined && command.registeredArguments.length === 0)
      return [`${path}: borg ${words.join(" ")}: "${words[0]}" is not whole`];
    const known = [...(sub ?? command).options, ...program.options].map(({ long }) => long);
    const option = command.name() === "bcl" ? undefined : words.find((word) => /^--[a-z]/.test(word) && !known.includes(word));
    return option === undefined ? [] : [`${path}: borg ${words.join(" ")}: there is no option ${option}`];
  });
  assert.deepEqual(wrong, []);
});

test("the examples of bcl --help run", async () => {
  let text = "";
  const say = (piece: string): void => {
    text += piece;
  };
  await bclMain(["--help"], { cwd: ROOT, print: say, complain: say });
  const lines = [...text.matchAll(/borg bcl (.*?)(?: {2,}|$)/gm)].map((m) => m[1]!);
  assert.ok(lines.length >= 3);
  for (const line of lines)
    assert.equal(await bclMain(wordsOf(line), { cwd: ROOT, print: say, complain: say }), 0, `borg bcl ${line}\n${text}`);
});

test("what cannot be typed is found", () => {
  for (const line of ["lss", "token", "quota set", "kill a b", "ls --jsn", "token create", "quota set ann", "logs web --sinse 5m"])
    assert.notEqual(problemOf(wordsOf(line)), undefined, line);
  for (const line of ["run x -- sh -c 'a b'", "token create --user=ann", "ls --json | jq .", "cell show --cell test"])
    assert.equal(problemOf(wordsOf(line)), undefined, line);
});
