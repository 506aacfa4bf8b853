/** Tasks have at most the life that their job gives them after their first start: then they are ended, and count as failed. */
import { splitTask } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { TaskExpire } from "../../wire/gen/borg/v1/op_pb.ts";
import { faceOf } from "../face.ts";
import { remember } from "../past.ts";
import type { CellState, Task } from "../state.ts";
import { isDead } from "../task.ts";
import type { Turn } from "../turn.ts";
import { RUNS } from "../version.ts";
import { move, stopInstance } from "./lifecycle.ts";
import { stopOf } from "./tasks.ts";

const SIGTERM = 15;

/** When a task's life is over; infinity: never. */
export function deadlineOf(task: Task): number {
  const { firstStartMs } = task;
  const { deadlineMs } = faceOf(task).wants;
  return deadlineMs === 0 || firstStartMs === 0 ? Number.POSITIVE_INFINITY : firstStartMs + deadlineMs;
}

/** Whoever has gone meanwhile, or has time left, is passed over. */
export function expire(turn: Turn, op: TaskExpire): Result<undefined> {
  if (turn.state.version < RUNS) return refused(`The cell has version ${turn.state.version}: deadlines are kept from version ${RUNS} on`);
  for (const name of op.tasks) {
    const task = taskNamed(turn.state, name);
    if (task !== undefined && !isDead(task.state) && deadlineOf(task) <= turn.timeMs) end(turn, task);
  }
  return ok(undefined);
}

function taskNamed(state: CellState, name: string): Task | undefined {
  const { job, index } = splitTask(name);
  return state.jobs.get(job)?.tasks[index];
}

function end(turn: Turn, task: Task): void {
  const words = `Its deadline of ${seconds(task)} s after its first start is over`;
  const { instance } = task;
  turn.touch.task(task);
  remember(task, { lastExit: { code: 0, signal: instance === undefined ? 0 : SIGTERM, message: words } });
  if (instance === undefined) move(turn, task, "kill", "failed", words);
  else stopInstance(turn, instance, "kill", stopOf(turn, instance, "failed"), words);
}

const seconds = (task: Task): number => faceOf(task).wants.deadlineMs / 1000;
