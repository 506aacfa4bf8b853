/**
 * Secrets of the tasks of a machine, and tokens of controllers among them: asked of the master before each run, kept in memory alone, and given to the machine with the start. What a run had before stays
 * in memory while its instance is there, for a restart while no master answers; a borglet that began anew has to ask. Nothing of it is ever saved or told.
 */
import type { Address } from "../base/env.ts";
import { make } from "../wire/codec.ts";
import { SecretRequestSchema, type SecretValues } from "../wire/gen/borg/v1/link_pb.ts";
import type { StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import type { TaskSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import type { FromBorglet } from "../wire/link-message.ts";
import { CONTROLLER_FILE, SECRETS_PLACE } from "../wire/spec-defaults.ts";
import type { SecretFile } from "./machine.ts";

/** Asked again after this. */
const AGAIN_MS = 2000;
/** A restart whose master has not answered by then begins with what the run before had. */
const PATIENCE_MS = 10_000;

interface Coming {
  readonly run: number;
  readonly sinceMs: number;
  askedMs: number;
}

/** By the name of each; a controller's token under the name of its file, which no secret can have. */
type Values = ReadonlyMap<string, Uint8Array>;

/** Whether a task has files in memory: what it names, or a controller's token. */
export const hasSecrets = (task: TaskSpec | undefined): task is TaskSpec =>
  task !== undefined && (task.secrets.length > 0 || task.controller !== undefined);

export interface SecretsOptions {
  readonly machine: string;
  readonly now: () => number;
  /** Who polled last; empty: nobody yet. */
  readonly master: () => Address;
  readonly say: (to: Address, frame: FromBorglet) => void;
}

/** Of an instance whose secrets cannot be had: which, and why. */
export interface NoSecrets {
  readonly instance: string;
  readonly run: number;
  readonly reason: string;
}

export class Secrets {
  readonly #options: SecretsOptions;
  /** What the next run of an instance has; taken by its start. */
  readonly #ready = new Map<string, { readonly run: number; readonly values: Values }>();
  /** What the last run had. */
  readonly #had = new Map<string, Values>();
  readonly #coming = new Map<string, Coming>();

  constructor(options: SecretsOptions) {
    this.#options = options;
  }

  /** True: all that this run needs is there. Else it is asked for from now on. */
  isReady({ instance, task }: StartOrder, run: number): boolean {
    if (!hasSecrets(task) || this.#ready.get(instance)?.run === run) return true;
    const now = this.#options.now();
    if (this.#coming.get(instance)?.run !== run) this.#coming.set(instance, { run, sinceMs: now, askedMs: Number.NEGATIVE_INFINITY });
    const had = this.#had.get(instance);
    if (had === undefined || now - (this.#coming.get(instance)?.sinceMs ?? now) < PATIENCE_MS) return false;
    this.#coming.delete(instance);
    this.#ready.set(instance, { run, values: had });
    return true;
  }

  /** What an order waits for, in words; empty when it waits for nothing. */
  words({ instance }: StartOrder): string {
    return this.#coming.has(instance) ? "waiting for its secrets" : "";
  }

  /** Asks for what is due. Answers when to be asked again; infinity: nothing is on its way. */
  go(): number {
    const { now, master, machine, say } = this.#options;
    let wakeMs = Number.POSITIVE_INFINITY;
    for (const [instance, coming] of this.#coming) {
      if (now() - coming.askedMs >= AGAIN_MS && master() !== "") {
        coming.askedMs = now();
        say(master(), { case: "secretRequest", value: make(SecretRequestSchema, { machine, instance, run: coming.run }) });
      }
      wakeMs = Math.min(wakeMs, Math.max(coming.askedMs, coming.sinceMs) + AGAIN_MS);
    }
    return wakeMs;
  }

  /** A new link: what was asked over the old one does not come. */
  again(): void {
    for (const coming of this.#coming.values()) coming.askedMs = Number.NEGATIVE_INFINITY;
  }

  hear({ instance, run, values, controller, problem }: SecretValues): NoSecrets | undefined {
    if (this.#coming.get(instance)?.run !== run) return undefined;
    this.#coming.delete(instance);
    if (problem !== "") return { instance, run, reason: problem };
    this.#ready.set(instance, {
      run,
      values: new Map([...values.map(({ name, data }) => [name, data] as const), [CONTROLLER_FILE, controller]]),
    });
    return undefined;
  }

  /** As files, for the run that begins now. */
  take({ instance, task }: StartOrder): readonly SecretFile[] {
    if (!hasSecrets(task)) return [];
    const values = this.#ready.get(instance)?.values;
    this.#ready.delete(instance);
    if (values === undefined) return [];
    this.#had.set(instance, values);
    const own = task.controller === undefined ? [] : [{ name: CONTROLLER_FILE, path: `${SECRETS_PLACE}/${CONTROLLER_FILE}` }];
    return [...task.secrets, ...own].map(({ name, path }) => ({ path, data: values.get(name) ?? new Uint8Array() }));
  }

  /** Nothing of it will run again. */
  forget(instance: string): void {
    for (const map of [this.#ready, this.#had, this.#coming]) map.delete(instance);
  }
}
