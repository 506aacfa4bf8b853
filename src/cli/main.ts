/** The borg command: takes the words apart, runs what they name, and answers with an exit code. Loads only what the command needs. */
import { type Command, CommanderError } from "commander";
import { newProgram, type Setting } from "./catalogue.ts";
import { addCellCommands } from "./catalogue-cell.ts";
import { addJobCommands } from "./catalogue-jobs.ts";
import { addToolCommands } from "./catalogue-tools.ts";
import { type Connect, connectReal, failureOf } from "./client.ts";
import { EXIT, Failure } from "./exit.ts";
import type { Terminal } from "./terminal.ts";
import { safeBlock } from "./text/safe.ts";

/** Processes that `borg up` starts are this command too, under names that people do not type. */
const INTERNAL = "internal-";

export async function main(argv: readonly string[], terminal: Terminal, connect: Connect = connectReal): Promise<number> {
  const first = argv[0] ?? "";
  if (first.startsWith(INTERNAL)) return (await import("./processes.ts")).runProcess(argv);
  const setting: Setting = { terminal, connect, code: EXIT.done };
  const wantsJson = argv.slice(0, endOfOptions(argv)).includes("--json");
  const program = programFor(setting);
  try {
    const words = first === "--version" || first === "-V" ? ["version", ...argv.slice(1)] : argv;
    await program.parseAsync([...words], { from: "user" });
    return setting.code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const failure = error instanceof CommanderError ? usageFailure(error, pathOf(program, argv)) : failureOf(error);
    terminal.complain(wantsJson ? jsonOf(failure) : textOf(failure));
    return EXIT[failure.exit];
  }
}

const endOfOptions = (argv: readonly string[]): number => (argv.includes("--") ? argv.indexOf("--") : argv.length);

export function programFor(setting: Setting): Command {
  const { terminal } = setting;
  const program = newProgram()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text),
      writeErr: (text) => terminal.complain(text),
      // Told at the end, in the form that was asked for.
      outputError: () => undefined,
      getOutHelpWidth: () => terminal.columns ?? 100,
      getErrHelpWidth: () => terminal.columns ?? 100,
      getOutHasColors: () => terminal.colour,
      getErrHasColors: () => terminal.colour,
    });
  addJobCommands(program, setting);
  addCellCommands(program, setting);
  addToolCommands(program, setting);
  return program;
}

/** The command that words begin with: `secret set` of `secret set NAME --valu x`. */
function pathOf(program: Command, words: readonly string[]): string {
  const command = program.commands.find((sub) => sub.name() === words[0]);
  return command === undefined ? "" : `${command.name()} ${pathOf(command, words.slice(1))}`;
}

/** `error: unknown option '--jsn'\n(Did you mean --json?)` in our words. */
function usageFailure(error: CommanderError, path: string): Failure {
  if (error.code === "commander.help") return new Failure("usage", "", undefined);
  const [said = "", meant] = error.message.replace(/^error: /, "").split("\n");
  const help = path === "" ? "borg help lists the commands, and each has --help" : `borg ${path}--help says what it takes`;
  const hint = meant === undefined ? help : meant.replace(/^\(Did (.*)\)$/, "did $1");
  return new Failure("usage", `Cannot understand the command: ${said}`, hint);
}

function textOf({ message, hint }: Failure): string {
  if (message === "") return "";
  return `${safeBlock(message)}\n${hint === undefined ? "" : `  ${safeBlock(hint)}\n`}`;
}

const jsonOf = ({ message, hint }: Failure): string => `${JSON.stringify({ error: message, hint: hint ?? "" })}\n`;
