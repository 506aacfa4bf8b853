/** Calls that only a task's borglet can answer: logs, files, shells, and what a task used lately. Which borglet, and whether its answer is one, is decided here; the link carries them. */
import type { Address } from "../../base/env.ts";
import { type InstanceId, taskOf } from "../../base/id.ts";
import type * as wire from "../../wire/gen/borg/v1/api_pb.ts";
import { accessProblem } from "./access.ts";
import { fileAnswer, fileRequest } from "./files.ts";
import { findLog, logAnswer, logRequest } from "./logs.ts";
import type { BorgletAnswer, BorgletAsk, FailureCode } from "./message.ts";
import type { Desk, OpenCall } from "./open-calls.ts";
import { findTask, noTask } from "./reads.ts";
import { Shells, shellAnswer, shellRequest } from "./shells.ts";
import { usageAnswer, usageRequest } from "./usage-read.ts";

export interface BorgletReadsOptions extends Desk {
  readonly link: Address;
  /** Cell time. */
  readonly timeMs: () => number;
}

type Found = { readonly ok: true; readonly value: object } | { readonly ok: false; readonly code: FailureCode; readonly reason: string };

export class BorgletReads {
  readonly #options: BorgletReadsOptions;
  readonly #shells = new Shells();

  constructor(options: BorgletReadsOptions) {
    this.#options = options;
  }

  readLog(open: OpenCall, request: wire.ReadLogRequest): void {
    const { copy, calls, fail } = this.#options;
    const source = findLog(copy, request);
    if (!source.ok) return fail(open, "not-found", source.reason);
    const bytes = logRequest(source.value, request, calls.leftMs(open));
    this.#ask(open, "log", source.value.machine, bytes, (told) => logAnswer(copy, request, source.value, told));
  }

  /** Where its logs are, there its files are, as long as its machine keeps them. */
  readFile(open: OpenCall, request: wire.ReadFileRequest): void {
    const source = findLog(this.#options.copy, request);
    if (!source.ok) return this.#options.fail(open, "not-found", source.reason);
    this.#ask(open, "file", source.value.machine, fileRequest(source.value, request), (told) => fileAnswer(source.value, told));
  }

  /** Only of a task that is on a machine: what ended has its use in the history. */
  readUsage(open: OpenCall, { task }: wire.ReadUsageRequest): void {
    const { copy, fail, timeMs } = this.#options;
    const found = findTask(copy.state, task);
    if (found === undefined) return fail(open, "not-found", noTask(task).reason);
    const { instance } = found;
    if (instance === undefined) return fail(open, "not-found", `Task "${task}" is on no machine now: borg sql has what it used before`);
    const source = { instance: instance.id, machine: instance.place.machine.id };
    this.#ask(open, "usage", source.machine, usageRequest(source), (told) => usageAnswer(source, timeMs(), told));
  }

  /** That it was opened stands in the journal by now. */
  shellOpened(user: string, { requestId, instance }: wire.OpenShellRequest): void {
    this.#shells.opened(user, requestId, instance);
  }

  /** Whoever opened it may have lost the right to be there since. */
  useShell(open: OpenCall, request: wire.UseShellRequest): void {
    const { copy, calls, fail } = this.#options;
    const { user } = open.call;
    const id = this.#shells.instanceOf(user, request.shell);
    const problem = id === undefined ? undefined : accessProblem(copy.state, "readFile", user, id.slice(0, id.indexOf("/")));
    if (problem !== undefined) return fail(open, "not-permitted", problem);
    const instance = id === undefined ? undefined : findTask(copy.state, taskOf(id as InstanceId))?.instance;
    if (instance === undefined || instance.id !== id)
      return fail(open, "not-found", "This shell is not open, or its task has ended: borg ssh opens another");
    const source = { instance: instance.id, machine: instance.place.machine.id };
    const bytes = shellRequest(user, source, request, calls.leftMs(open));
    this.#ask(open, "shell", source.machine, bytes, (told) => shellAnswer(source, told));
  }

  #ask(open: OpenCall, about: BorgletAsk["about"], machine: string, request: Uint8Array, read: (told: BorgletAnswer) => Found): void {
    const { calls, link, answer, fail } = this.#options;
    calls.ask<BorgletAnswer>(
      open,
      link,
      (id) => ({ type: "ask-borglet", about, id, machine, request }),
      (told) => {
        const found = read(told);
        if (found.ok) answer(open, found.value);
        else fail(open, found.code, found.reason);
      },
    );
  }
}
