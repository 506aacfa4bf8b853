/** Asks tasks how they are, by HTTP, by TCP or by a command, and hands the answers on. It never believes a stranger who answers on a task's port. */

import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { About, HealthAnswer, Question } from "../machine.ts";
import { askCommand, type CommandCheck } from "./check-command.ts";
import { askHttp, askTcp } from "./health-check.ts";

/** Commands at a time; further ones wait for their turn. */
const COMMANDS_MAX = 16;

export interface ChecksOptions {
  /** Where tasks listen. */
  readonly host: string;
  /** The words that run a command beside a task, in a script of this name. */
  readonly beside: (order: StartOrder, command: readonly string[], script: string) => readonly string[];
  /** Why who listens on this port is not the task; empty: it is, or nobody can tell. */
  readonly strangerOn: (instance: string, port: number) => string;
  /** Whether this run of an instance lives. */
  readonly isAlive: (instance: string, run: number) => boolean;
  readonly deliver: (answer: HealthAnswer) => void;
}

export class Checks {
  readonly #options: ChecksOptions;
  /** Commands that run, by the instance they belong to. */
  readonly #running = new Map<CommandCheck, string>();
  readonly #waiting: (() => void)[] = [];
  /** What runs the commands of an instance: written once. */
  readonly #words = new Map<string, Map<About, readonly string[]>>();

  constructor(options: ChecksOptions) {
    this.#options = options;
  }

  ask(order: StartOrder, run: number, about: About, question: Question): void {
    const { instance } = order;
    const answer = (problem: string): void => this.#options.deliver({ instance, run, about, problem });
    if (question.kind === "command") {
      this.#waiting.push(() => this.#command(order, run, about, question, answer));
      this.#next();
      return;
    }
    const { host } = this.#options;
    const { port, timeoutMs } = question;
    const said = question.kind === "tcp" ? askTcp(host, port, timeoutMs) : askHttp(host, port, question.path, timeoutMs);
    void said.then((problem) => answer(problem || this.#options.strangerOn(instance, port)));
  }

  /** Its run is over: commands that still ask about it are ended. */
  forget(instance: string): void {
    this.#words.delete(instance);
    for (const [check, of] of this.#running) if (of === instance) check.end();
  }

  /** Nobody waits for answers any more. */
  close(): void {
    this.#waiting.length = 0;
    for (const check of this.#running.keys()) check.end();
  }

  #next(): void {
    if (this.#running.size < COMMANDS_MAX) this.#waiting.shift()?.();
  }

  #command(
    order: StartOrder,
    run: number,
    about: About,
    question: Question & { kind: "command" },
    answer: (problem: string) => void,
  ): void {
    const { instance } = order;
    const done = (problem: string): void => {
      answer(problem);
      this.#next();
    };
    if (!this.#options.isAlive(instance, run)) return done("It has ended");
    try {
      const check = askCommand(this.#wordsOf(order, about, question.command), question.timeoutMs);
      this.#running.set(check, instance);
      void check.answer.then((problem) => {
        this.#running.delete(check);
        done(problem);
      });
    } catch (error) {
      done(`Cannot run the command: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #wordsOf(order: StartOrder, about: About, command: readonly string[]): readonly string[] {
    const known = this.#words.get(order.instance) ?? new Map<About, readonly string[]>();
    this.#words.set(order.instance, known);
    const words = known.get(about) ?? this.#options.beside(order, command, `check-${about}`);
    known.set(about, words);
    return words;
  }
}
