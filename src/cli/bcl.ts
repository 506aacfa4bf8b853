/** `bcl eval|check|fmt|test|explain|diff|lsp`: reads files, prints, and answers with an exit code. Everything else is in src/bcl. */
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { difference, differenceText } from "../bcl/difference.ts";
import { type Evaluation, evaluateFile } from "../bcl/evaluation.ts";
import { explain, explainText, ROWS } from "../bcl/explain.ts";
import { formatText } from "../bcl/format.ts";
import { type Problem, renderProblems } from "../bcl/problem.ts";
import { referencePage } from "../bcl/reference-page.ts";
import { showJson, showText } from "../bcl/show.ts";
import { LineTable } from "../bcl/source.ts";
import { runTests } from "../bcl/tests.ts";
import { serveLanguage } from "./bcl-server.ts";
import { loginName } from "./login.ts";
import { projectFiles } from "./project-files.ts";
import { printable } from "./text/safe.ts";
import { plural } from "./text/units.ts";

const USAGE = `bcl eval FILE      what the file evaluates to (--json: as JSON of the same shape)
bcl check FILE     whether the file is good
bcl fmt FILE...    put files into the one form (--check: only say which are not; - reads and prints)
bcl test FILE...   run the tests in files
bcl explain [NAME] what a field or a function does
bcl diff A B       what changed between two files
bcl lsp            the language server, on standard input and output
examples: borg bcl eval examples/canary.bcl --set tasks=5   borg bcl fmt --check examples/batch.bcl   borg bcl explain ram
options: --set NAME=VALUE  --user NAME  --root DIR (imports stay inside; default: the current directory)  --json
`;

/** Exit codes: the same as those of the borg command. */
const OK = 0;
const FAILED = 1;
const BAD = 2;

export interface Terminal {
  readonly cwd: string;
  print(text: string): void;
  complain(text: string): void;
}

interface Flags {
  readonly json: boolean;
  readonly check: boolean;
  readonly set: ReadonlyMap<string, string>;
  readonly user: string;
  readonly root: string | undefined;
}

export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parse(args);
  if (typeof parsed === "string") return usage(terminal, parsed);
  const { flags, words } = parsed;
  const [command, ...rest] = words;
  switch (command) {
    case "eval":
      return rest.length === 1 ? evalCommand(rest[0]!, flags, terminal) : usage(terminal, "eval takes one file");
    case "check":
      return rest.length > 0 ? worst(rest.map((file) => checkCommand(file, flags, terminal))) : usage(terminal, "check takes files");
    case "fmt":
      return rest.length > 0 ? worst(rest.map((file) => fmtCommand(file, flags, terminal))) : usage(terminal, "fmt takes files");
    case "test":
      return rest.length > 0 ? worst(rest.map((file) => testCommand(file, flags, terminal))) : usage(terminal, "test takes files");
    case "explain":
      return explainCommand(rest, flags, terminal);
    case "diff":
      return rest.length === 2 ? diffCommand(rest[0]!, rest[1]!, flags, terminal) : usage(terminal, "diff takes two files");
    case "reference":
      terminal.print(`${referencePage()}\n`);
      return OK;
    case "lsp":
      return serveLanguage(process.stdin, process.stdout, flags.root ?? terminal.cwd, flags.user);
    default:
      return usage(terminal, command === undefined ? undefined : `there is no command "${command}"`);
  }
}

const worst = (codes: readonly number[]): number => Math.max(...codes);

function parse(args: readonly string[]): { readonly flags: Flags; readonly words: readonly string[] } | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        check: { type: "boolean" },
        set: { type: "string", multiple: true },
        user: { type: "string" },
        root: { type: "string" },
        help: { type: "boolean" },
      },
    });
    if (values.help === true) return "";
    const pairs = (values.set ?? []).map((text) => /^([^=]+)=(.*)$/s.exec(text) ?? text);
    const bad = pairs.find((pair) => typeof pair === "string");
    if (bad !== undefined) return `--set wants NAME=VALUE, found "${bad}"`;
    const set = new Map(pairs.map((pair) => [pair[1]!, pair[2]!]));
    return {
      flags: { json: values.json ?? false, check: values.check ?? false, set, user: values.user ?? loginName(), root: values.root },
      words: positionals,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function usage(terminal: Terminal, problem: string | undefined): number {
  if (problem === "") {
    terminal.print(USAGE);
    return OK;
  }
  terminal.complain(`${problem === undefined ? "" : `Cannot understand the command: ${problem}\n`}${USAGE}`);
  return BAD;
}

/** The file may stand anywhere; imports stay inside the root, which is the current directory when the file is in it. */
export function evaluateAt(file: string, flags: Pick<Flags, "root" | "user" | "set">, terminal: Pick<Terminal, "cwd">): Evaluation {
  const full = realOf(resolve(terminal.cwd, file));
  const root = realOf(resolve(terminal.cwd, flags.root ?? "."));
  const inside = relative(root, full);
  const isInside = inside !== "" && !inside.startsWith(`..${sep}`) && inside !== ".." && !isAbsolute(inside);
  const [base, path] = isInside || flags.root !== undefined ? [root, inside] : [dirname(full), relative(dirname(full), full)];
  return evaluateFile(path.replaceAll(sep, "/"), projectFiles(base), { user: flags.user, parameters: flags.set });
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function evalCommand(file: string, flags: Flags, terminal: Terminal): number {
  const evaluation = evaluateAt(file, flags, terminal);
  if (complainAbout(evaluation.problems, flags, terminal)) return BAD;
  terminal.print(flags.json ? `${JSON.stringify(showJson(evaluation), null, 2)}\n` : showText(evaluation));
  return OK;
}

function checkCommand(file: string, flags: Flags, terminal: Terminal): number {
  const { problems, result } = evaluateAt(file, flags, terminal);
  if (complainAbout(problems, flags, terminal)) return BAD;
  const { jobs = [], allocSets = [], quotas = [], services = [] } = result ?? {};
  const counts = {
    jobCount: jobs.length,
    allocSetCount: allocSets.length,
    quotaCount: quotas.length,
    serviceCount: services.length,
  };
  const words = [
    plural(counts.jobCount, "job"),
    plural(counts.allocSetCount, "alloc set"),
    plural(counts.quotaCount, "quota"),
    plural(counts.serviceCount, "service"),
  ];
  const declared = words.filter((word) => !word.startsWith("0 ")).join(", ") || "declares nothing";
  terminal.print(flags.json ? `${JSON.stringify({ file, ...counts })}\n` : `${file}: good (${declared})\n`);
  return OK;
}

function fmtCommand(file: string, flags: Flags, terminal: Terminal): number {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : resolve(terminal.cwd, file), "utf8");
  } catch (error) {
    terminal.complain(`Cannot read "${file}": ${(error as NodeJS.ErrnoException).code}\n`);
    return BAD;
  }
  const formatted = formatText(file, text);
  if (!formatted.ok) {
    complainAbout(formatted.problems, flags, terminal);
    return BAD;
  }
  if (file === "-") terminal.print(formatted.text);
  else if (formatted.text !== text) {
    terminal.print(`${flags.check ? "not formatted" : "formatted"}: ${file}\n`);
    if (flags.check) return FAILED;
    writeFileSync(resolve(terminal.cwd, file), formatted.text);
  }
  return OK;
}

function testCommand(file: string, flags: Flags, terminal: Terminal): number {
  const evaluation = evaluateAt(file, flags, terminal);
  if (complainAbout(evaluation.problems, flags, terminal)) return BAD;
  const outcomes = runTests(evaluation);
  if (flags.json)
    terminal.print(
      `${JSON.stringify(outcomes.map(({ name, problems }) => ({ name, passed: problems.length === 0, problems: problems.map(problemJson) })))}\n`,
    );
  else {
    for (const { name, problems } of outcomes)
      terminal.print(problems.length === 0 ? `passed: ${name}\n` : `FAILED: ${name}\n${renderProblems(problems)}\n`);
    terminal.print(
      outcomes.length === 0
        ? `${file} has no tests\n`
        : `${outcomes.filter((o) => o.problems.length === 0).length} of ${outcomes.length} tests of ${file} passed\n`,
    );
  }
  return outcomes.every(({ problems }) => problems.length === 0) ? OK : FAILED;
}

function explainCommand(names: readonly string[], flags: Flags, terminal: Terminal): number {
  if (names.length === 0) {
    terminal.print(flags.json ? `${JSON.stringify(ROWS, null, 2)}\n` : `${ROWS.map((row) => row.path).join("\n")}\n`);
    return OK;
  }
  const found = explain(names.join(" "));
  if (!found.ok) {
    terminal.complain(
      flags.json ? `${JSON.stringify({ error: found.reason, hint: "bcl explain lists all names" })}\n` : `${found.reason}\n`,
    );
    return BAD;
  }
  terminal.print(flags.json ? `${JSON.stringify(found.rows, null, 2)}\n` : explainText(found.rows));
  return OK;
}

function diffCommand(a: string, b: string, flags: Flags, terminal: Terminal): number {
  const [before, after] = [evaluateAt(a, flags, terminal), evaluateAt(b, flags, terminal)];
  if (complainAbout([...before.problems, ...after.problems], flags, terminal)) return BAD;
  const changes = difference(before, after);
  terminal.print(flags.json ? `${JSON.stringify(changes, null, 2)}\n` : differenceText(changes));
  return OK;
}

/** Whether there were any. */
export function complainAbout(problems: readonly Problem[], flags: Pick<Flags, "json">, terminal: Pick<Terminal, "complain">): boolean {
  if (problems.length === 0) return false;
  const { message, hint } = problems[0]!;
  terminal.complain(
    flags.json
      ? `${JSON.stringify({ error: message, hint: hint ?? "", problems: problems.map(problemJson) })}\n`
      : `${renderProblems(problems)}\n`,
  );
  return true;
}

function problemJson(problem: Problem): Readonly<Record<string, unknown>> {
  const places = new LineTable();
  const at = (span: Problem["span"]) => ({ file: span.source.path, ...places.positionOf(span) });
  const way = problem.way.map(({ what, span }) => ({ what, ...at(span) }));
  return { ...at(problem.span), message: problem.message, hint: problem.hint, way };
}

if (import.meta.main) {
  const terminal: Terminal = {
    cwd: process.cwd(),
    print: (text) => process.stdout.write(printable(text)),
    complain: (text) => process.stderr.write(printable(text)),
  };
  process.exitCode = await main(process.argv.slice(2), terminal);
}
