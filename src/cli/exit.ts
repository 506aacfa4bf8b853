/** Exit codes of the borg command, and the one exception its parts throw. Never prints and never ends the process: main.ts does. */

export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  notFound: 3,
  waited: 4,
  unreachable: 5,
  notPermitted: 6,
  fault: 70,
  damaged: 78,
  interrupted: 130,
} as const;
export type ExitName = keyof typeof EXIT;

/** What `borg help exit-codes` and docs/cli.md say; a test holds them together. */
export const EXIT_MEANINGS: readonly (readonly [ExitName, string])[] = [
  ["done", "done"],
  ["refused", "refused by the cell; or the job that was waited for died or does not stay up"],
  ["usage", "a mistake in the command line, in a BCL file or in a setting"],
  ["notFound", "there is no such job, task, machine, user or cell"],
  ["waited", "waited too long (--wait with --timeout); the job stays as it is"],
  ["unreachable", "the cell cannot be reached, or did not say what became of a change"],
  ["notPermitted", "not permitted, or the token is missing, wrong or readable by others"],
  ["fault", "a fault in borg itself"],
  ["damaged", "the journal is damaged (borg up)"],
  ["interrupted", "waiting was ended by Ctrl-C"],
];

export function exitCodesText(): string {
  return EXIT_MEANINGS.map(([name, meaning]) => `${String(EXIT[name]).padStart(4)}  ${meaning}\n`).join("");
}

/** Something went wrong that the user is told in one sentence, with the next step beside it. */
export class Failure extends Error {
  readonly exit: ExitName;
  readonly hint: string | undefined;

  constructor(exit: ExitName, message: string, hint?: string | undefined, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
    this.hint = hint;
  }
}
