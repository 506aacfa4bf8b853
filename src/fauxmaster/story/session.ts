/** One telling of a story: the stage it plays on, what was sent and not answered yet, and what each scheduler saw when it looked. */
import type { ApiAnswer } from "../../borgmaster/api/message.ts";
import type { Changed } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Stage } from "./stage.ts";
import { Misspoken, type Words } from "./words.ts";

/** What a scheduler saw: incarnations of tasks and sequences of machines. */
export interface Seen {
  readonly incarnations: ReadonlyMap<string, number>;
  readonly sequences: ReadonlyMap<string, number>;
}

export class Session {
  readonly seen = new Map<string, Seen>();
  /** Requests that were sent without waiting, oldest first. */
  readonly open: { readonly id: string; readonly what: string }[] = [];
  #stage: Stage | undefined;

  get stage(): Stage {
    if (this.#stage === undefined) throw new Misspoken('There is no cell yet: begin with "cell"');
    return this.#stage;
  }

  begin(stage: Stage): void {
    this.#stage = stage;
  }

  /** What is broken, if anything: an actor that threw, an invariant that does not hold. */
  broken(): readonly string[] {
    if (this.#stage === undefined) return [];
    this.#stage.look();
    const { violation } = this.#stage.kernel;
    return [...(violation === undefined ? [] : [`${violation.id}: ${violation.text}`]), ...this.#stage.narrator.broken];
  }
}

/** One line of a script. `later`: it was told to send without waiting for the answer. */
export interface Line {
  readonly session: Session;
  readonly stage: Stage;
  readonly words: Words;
  readonly later: boolean;
}

export interface Command {
  readonly usage: string;
  readonly run: (line: Line) => readonly string[];
}

/** What a change came to: done, or a kind of no, or silence. */
export function answerWords(answer: ApiAnswer | undefined): string {
  if (answer === undefined) return "no answer";
  if (answer.type === "failed") return `${answer.code}: ${answer.reason}`;
  const { repeated, already } = answer.response as Changed;
  return repeated ? "done before" : already ? "done already" : "done";
}

/** Columns, each as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd((widths[i] ?? 0) + 2))
      .join("")
      .trimEnd(),
  );
}
