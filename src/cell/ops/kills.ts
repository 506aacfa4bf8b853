/** A framework stops tasks of its own. */
import { ok, type Result } from "../../base/result.ts";
import type { FrameworkKill } from "../../wire/gen/borg/v1/op_pb.ts";
import { ALREADY, type Answer, DONE } from "../answer.ts";
import { isPlaced } from "../task.ts";
import type { Turn } from "../turn.ts";
import { leading } from "./leading.ts";
import { stopInstance } from "./lifecycle.ts";
import { stopOf } from "./tasks.ts";

/** Those that are over, or stop already, are passed over, and so are names that nobody knows: a framework that asks what became of them is told. */
export function killLaunched(turn: Turn, op: FrameworkKill): Result<Answer> {
  const found = leading(turn.state, op);
  if (!found.ok) return found;
  let stopped = 0;
  for (const taskId of op.taskIds) {
    const task = found.value.led.byId.get(taskId);
    if (task?.instance === undefined || !isPlaced(task.state)) continue;
    const stop = stopOf(turn, task.instance, "killed");
    stopInstance(turn, task.instance, "kill", { ...stop, noticeMs: op.noticeMs ?? stop.noticeMs });
    stopped += 1;
  }
  return ok(stopped === 0 ? ALREADY : DONE);
}
