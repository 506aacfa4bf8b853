/** The setting all commands stand in: options they share, how an action gets its context, help and its examples. Loads no command. */
import { Command } from "commander";
import type { Connect } from "./client.ts";
import { Context } from "./context.ts";
import { durationMsOf } from "./input.ts";
import type { Terminal } from "./terminal.ts";

export interface Setting {
  readonly terminal: Terminal;
  readonly connect: Connect;
  /** The exit code of the command that ran. */
  code: number;
}

interface Globals {
  readonly json?: boolean;
  readonly cell?: string;
  readonly master?: string;
  readonly deadline: string;
  readonly requestId?: string;
}

const DEADLINE = "10s";

export function newProgram(): Command {
  return new Command("borg")
    .description("Runs jobs on a cell of machines, from one laptop to ten thousand.")
    .usage("COMMAND [options]")
    .option("--json", "print objects for programs; errors are {error, hint} on standard error")
    .option("--cell <name>", "the cell to talk to, one of borg cell ls (default: the current one)")
    .option(
      "--master <url>",
      "the cell to talk to: unix:PATH, or the address of one you have a ticket for (or BORG_MASTER; a ticket in BORG_TICKET or BORG_TICKET_FILE)",
    )
    .option("--deadline <time>", "how long to try when the cell is away or busy", DEADLINE)
    .option("--request-id <id>", "repeat an earlier change that had an unknown end: it takes effect once")
    .helpCommand(false)
    .helpOption("-h, --help", "help for any command")
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 });
}

export type Act<Options> = (context: Context, args: readonly string[], options: Options) => Promise<number>;

/** What a command does. Its file is loaded only when it runs. */
export function does<Options>(setting: Setting, command: Command, kind: "reads" | "changes", act: Act<Options>): Command {
  return command.action(async () => {
    const options = command.optsWithGlobals<Globals>();
    const { json = false, cell, master, deadline, requestId } = options;
    const flags = { json, cell, master, requestId, deadlineMs: durationMsOf("--deadline", deadline), changes: kind === "changes" };
    const context = new Context(setting.terminal, flags, setting.connect);
    try {
      setting.code = await act(
        context,
        command.processedArgs.flat().filter((arg) => arg !== undefined) as string[],
        options as unknown as Options,
      );
    } finally {
      await context.close();
    }
  });
}

/** Lines that can be typed as they stand. */
export function examples(command: Command, lines: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}\n`).join("")}`);
}

/** Several jobs at once, by their labels. */
export const selecting = (command: Command): Command =>
  command
    .option("-l, --selector <selector>", "those with such labels: app=web,tier!=db; key, !key and region in (eu, us) too")
    .option("--service <name>", "those of this service: the same as -l service=NAME")
    .option("-u, --user <name>", "with a selector: of this user (default: yours)")
    .option("-a, --all", "with a selector: of all users");

/** What changes several at once shows them and asks, unless it is told not to. */
export const changingMany = (command: Command): Command =>
  selecting(command).option("--dry-run", "only show which, and change nothing").option("--yes", "with a selector: do not ask");

/** What a package, a secret or a user is labelled with. */
export const labelling = (command: Command): Command =>
  command
    .option("--label <k=v>", "a label, by which -l finds it (again for more); those it has are replaced", several)
    .option("--no-labels", "take all its labels away");

/** For options that may be given again and again. */
export const several = (text: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), text];
