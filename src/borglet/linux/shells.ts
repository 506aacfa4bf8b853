/** Shells in the tasks of a machine: begun by their first use, ended with their task, with this borglet, or when nobody has used them for a while. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Address } from "../../base/env.ts";
import { make } from "../../wire/codec.ts";
import { type ShellChunk, ShellChunkSchema, type ShellRequest, type ShellUse, ShellUseSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { NoWayIn, type Variables } from "./launcher.ts";
import { Shell } from "./shell.ts";

/** At a time; one more is refused. */
const SHELLS_MAX = 64;
const PER_TASK_MAX = 8;
const IDLE_MS = 60_000;
const LOOK_MS = 10_000;
/** A task that has only just begun makes its jail within moments. */
const TRIES = 25;
const TRY_MS = 200;

export interface ShellsOptions {
  /** The words that run a command inside a task's jail, without one a shell; throws, in words, when there is no way in. */
  readonly enter: (order: StartOrder, command: readonly string[], script: string, more: Variables) => readonly string[];
  readonly deliver: (to: Address, chunk: ShellChunk) => void;
}

export class Shells {
  readonly #options: ShellsOptions;
  readonly #open = new Map<string, Shell>();
  readonly #beginning = new Map<string, Promise<Shell>>();
  #looks: NodeJS.Timeout | undefined;
  #scripts = 0;

  constructor(options: ShellsOptions) {
    this.#options = options;
  }

  use(order: StartOrder | undefined, to: Address, { id, shell: name, use }: ShellRequest): void {
    const no = (missing: boolean, problem: string): void => this.#options.deliver(to, make(ShellChunkSchema, { id, missing, problem }));
    if (order === undefined) return no(true, "The task does not run here now");
    const asked = use ?? make(ShellUseSchema, {});
    void this.#shell(name, order, asked).then(
      (shell) => {
        if (shell === undefined) no(true, "This shell has ended");
        else shell.use(asked, (said) => this.#options.deliver(to, make(ShellChunkSchema, { id, said })));
      },
      (error: unknown) => no(false, `Cannot open a shell: ${error instanceof Error ? error.message : String(error)}`.slice(0, 1000)),
    );
  }

  /** Its task has ended. */
  forget(instance: string): void {
    for (const shell of this.#open.values()) if (shell.instance === instance) shell.end();
  }

  close(): void {
    clearInterval(this.#looks);
    for (const shell of this.#open.values()) shell.end();
  }

  /** What has typed something before is not begun again: it has ended, here or with the borglet before this one. */
  async #shell(name: string, order: StartOrder, use: ShellUse): Promise<Shell | undefined> {
    const known = this.#open.get(name) ?? (await this.#beginning.get(name));
    if (known !== undefined || use.inputAt > 0 || use.outputSeen + use.errorsSeen > 0 || use.close) return known;
    this.#refuseMore(order.instance);
    const beginning = this.#begin(order, use);
    this.#beginning.set(name, beginning);
    try {
      const shell = await beginning;
      this.#open.set(name, shell);
      this.#looks ??= setInterval(() => this.#look(), LOOK_MS);
      return shell;
    } finally {
      this.#beginning.delete(name);
    }
  }

  async #begin(order: StartOrder, use: ShellUse): Promise<Shell> {
    const more: Variables = use.terminal ? [["TERM", use.kind || "dumb"]] : [];
    this.#scripts += 1;
    const script = `shell-${this.#scripts}`;
    for (let left = TRIES; ; left--) {
      try {
        return await Shell.begin(order.instance, this.#options.enter(order, use.command, script, more), use);
      } catch (error) {
        if (!(error instanceof NoWayIn) || left === 0) throw error;
        await sleep(TRY_MS);
      }
    }
  }

  #refuseMore(instance: string): void {
    const own = [...this.#open.values()].filter((shell) => shell.instance === instance).length;
    if (own >= PER_TASK_MAX) throw new Error(`the task has ${own} already: end one of them`);
    if (this.#open.size + this.#beginning.size >= SHELLS_MAX) throw new Error(`the machine has ${SHELLS_MAX} already: end one of them`);
  }

  #look(): void {
    for (const [name, shell] of this.#open) {
      if (shell.idleMs < IDLE_MS) continue;
      shell.end();
      this.#open.delete(name);
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#looks);
    this.#looks = undefined;
  }
}
