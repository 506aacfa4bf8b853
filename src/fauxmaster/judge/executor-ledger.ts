/** What executors of one simulated machine said of their tasks, and what their borglet took: written down outside of both, for judge/executors.ts. Another machine under the same name owes nothing. */
import type { TaskState, TaskStatus } from "../../wire/gen/mesos/v1/mesos_pb.ts";

export interface End {
  readonly executor: string;
  readonly taskId: string;
  readonly state: TaskState;
  readonly data: Uint8Array;
  /** It was acknowledged: from then on the borglet answers for it. */
  isTaken: boolean;
}

const RUNNING = 1;

export class ExecutorLedger {
  /** By executor and task. */
  readonly #ends = new Map<string, End>();

  said(executor: string, { taskId, state = RUNNING, data }: TaskStatus): void {
    const id = taskId?.value ?? "";
    if (state !== RUNNING)
      this.#ends.set(`${executor} ${id}`, { executor, taskId: id, state, data: data ?? new Uint8Array(), isTaken: false });
  }

  taken(executor: string, { taskId, state }: TaskStatus): void {
    const end = this.end(executor, taskId?.value ?? "");
    if (end !== undefined && end.state === state) end.isTaken = true;
  }

  end(executor: string, taskId: string): End | undefined {
    return this.#ends.get(`${executor} ${taskId}`);
  }

  ends(): Iterable<End> {
    return this.#ends.values();
  }

  /** The machine is another one: what the old one took is lost rightly. */
  forgive(): void {
    for (const end of this.#ends.values()) end.isTaken = false;
  }
}
