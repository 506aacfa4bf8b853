/** A task that was placed with a volume stays with that machine: what it wrote is there, and nowhere else. */
import { splitTask } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { faceOf } from "../face.ts";
import type { Machine, Task } from "../state.ts";
import { isPlaced } from "../task.ts";
import type { Turn } from "../turn.ts";
import { machineOf, namesVolumes } from "../volume.ts";

/** From its placement on, not from its first report: a machine that is lost in between may have started it. */
export function pinToVolumes(turn: Turn, task: Task, machine: Machine): void {
  const { wants } = faceOf(task);
  const pinned = wants.perMachine || wants.keptDirectory !== "" ? task.pinned : namesVolumes({ wants }) ? machine.id : undefined;
  if (pinned === task.pinned) return;
  task.pinned = pinned;
  turn.touch.task(task);
}

export function unpin(turn: Turn, id: string): Result<undefined> {
  const { job, index } = splitTask(id);
  const task = turn.state.jobs.get(job)?.tasks[index];
  if (task === undefined) return refused(`Task "${id}" does not exist: borg ls tasks shows those that do`);
  const { wants } = faceOf(task);
  if (wants.perMachine) return refused(`Job "${job}" has one task for each machine: a constraint says which machines those are`);
  if (wants.keptDirectory !== "")
    return refused(
      `Task "${id}" is where the directory of ${wants.keptDirectory} is, and that is nowhere else: submit a job without kept_directory to run on other machines`,
    );
  const machine = machineOf(task);
  if (machine === undefined) return refused(`Task "${id}" is pinned to no machine: it goes wherever it fits (borg why)`);
  if (isPlaced(task.state) || task.instance !== undefined)
    return refused(`Task "${id}" is on machine "${machine}": only one that waits is unpinned (borg drain, or borg kill, first)`);
  task.pinned = undefined;
  turn.touch.task(task);
  turn.emit({ kind: "task.changed", subject: task.id, detail: `is no longer tied to ${machine}` });
  return ok(undefined);
}
