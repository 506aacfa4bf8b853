/**
 * What executors said of their tasks against what the cell made of it: an end that was acknowledged is the task's end, with all that was sent along, unless the cell had ended
 * the task itself; a task ends well only if its executor said so, and fails only if that said so or is gone. What a framework was told to run it is told the end of. [KF6]
 */
import { splitTask, taskOf } from "../../base/id.ts";
import type { Cause } from "../../cell/cause.ts";
import type { CellEvent } from "../../cell/event.ts";
import { instanceNamed } from "../../cell/invariants-words.ts";
import type { CellState, Task } from "../../cell/state.ts";
import { TaskState } from "../../wire/gen/mesos/v1/mesos_pb.ts";
import type { Remembered } from "../world/frameworks.ts";
import type { Violation } from "../world/kernel.ts";
import type { SimulatedMachine } from "../world/simulated-machine.ts";
import type { End, ExecutorLedger } from "./executor-ledger.ts";

const PROBLEMS_MAX = 3;

/** How the cell ended a task inside an executor. */
interface Ended {
  readonly cause: Cause | undefined;
  readonly data: Uint8Array;
  /** Its executor went before it, or with it. */
  readonly isOrphan: boolean;
}

/** The executor that a task was given to; empty: it is a process of its own. */
export const executorIn = ({ launched }: Pick<Task, "launched">): string => launched?.spec.wants.task?.executor?.instance ?? "";

export class ExecutorJudge {
  /** By executor and task. */
  readonly #ended = new Map<string, Ended>();

  /** Events of one entry, and the state after it. */
  add(state: CellState, events: readonly CellEvent[]): void {
    for (const { kind, instance, cause } of events) {
      if (kind !== "instance.gone" || instance === undefined) continue;
      const { job, index } = splitTask(taskOf(instance));
      const task = state.jobs.get(job)?.tasks[index];
      const executor = task === undefined ? "" : executorIn(task);
      if (task?.launched === undefined || executor === "") continue;
      const data = task.launched.updates.at(-1)?.data ?? new Uint8Array();
      const isOrphan = instanceNamed(state, executor) === undefined;
      this.#ended.set(`${executor} ${task.launched.taskId}`, { cause, data, isOrphan });
    }
  }

  violations(machines: readonly Pick<SimulatedMachine, "ledger">[]): readonly Violation[] {
    const said = machines.flatMap(({ ledger }) => [...ledger.ends()]);
    const taken = said.flatMap((end) => (end.isTaken ? this.#problem(end) : []));
    return [...taken, ...this.#unsaid(machines.map(({ ledger }) => ledger))].slice(0, PROBLEMS_MAX).map((text) => ({ id: "KF6", text }));
  }

  #problem({ executor, taskId, state, data }: End): readonly string[] {
    const ended = this.#ended.get(`${executor} ${taskId}`);
    const name = `The end of task "${taskId}" of "${executor}", which was acknowledged,`;
    if (ended === undefined) return [`${name} was never counted`];
    const { cause } = ended;
    if (cause === "finished" && state !== TaskState.TASK_FINISHED) return [`${name} was ${state}, and counts as finished`];
    if (cause === "failed" && state === TaskState.TASK_FINISHED) return [`${name} was good, and counts as failed`];
    const isItsOwn = cause === "finished" || cause === "failed";
    return isItsOwn && !isSame(data, ended.data) ? [`${name} lost what its executor sent along`] : [];
  }

  /** Ends that nobody said. */
  #unsaid(ledgers: readonly ExecutorLedger[]): readonly string[] {
    const problems: string[] = [];
    for (const [key, { cause, isOrphan }] of this.#ended) {
      const [executor = "", taskId = ""] = key.split(" ");
      const end = ledgers.map((ledger) => ledger.end(executor, taskId)).find((each) => each !== undefined);
      if (cause === "finished" && end?.state !== TaskState.TASK_FINISHED)
        problems.push(`Task "${taskId}" counts as finished, and "${executor}" never said so`);
      if (cause === "failed" && end === undefined && !isOrphan)
        problems.push(`Task "${taskId}" counts as failed, and "${executor}" lives on with it`);
    }
    return problems;
  }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** A framework that was told that a task runs has been told its end, or the cell has something for it yet. [KF2] */
export function unheardEnds(state: CellState, frameworks: readonly Remembered[]): readonly Violation[] {
  return frameworks.flatMap(({ name, id, started }) => {
    // Its id ends with the number that no other framework ever has.
    const number = Number(id?.slice(id.lastIndexOf(".") + 1));
    const job = [...state.jobs.values()].find((each) => each.led?.number === number && each.state !== "dead");
    const { led } = job ?? {};
    if (led === undefined) return [];
    const lost = [...started].filter((taskId) => !led.byId.has(taskId));
    return lost.slice(0, PROBLEMS_MAX).map((taskId) => ({
      id: "KF2",
      text: `Framework "${name}" was told that "${taskId}" runs, and never that it ended`,
    }));
  });
}
