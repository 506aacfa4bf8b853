/** Who is let into a task's jail. The cell changes nothing for it: that it was asked, by whom and when, stands in the journal. */
import { taskOf } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { ShellOpen } from "../../wire/gen/borg/v1/op_pb.ts";
import { isAllocSet } from "../spec.ts";
import type { Turn } from "../turn.ts";
import { findInstance } from "./reports.ts";

export function openShell(turn: Turn, { instance: id }: ShellOpen): Result<undefined> {
  const instance = findInstance(turn.state, id);
  if (instance === undefined) return refused(`Instance "${id}" does not run: borg show ${taskOf(id)} says what does`);
  const { task, place } = instance;
  if (isAllocSet(task.job)) return refused(`"${task.id}" is an alloc: the tasks inside it have shells`);
  if (task.state !== "running") return refused(`Task "${task.id}" is ${task.state}: a shell is opened in one that runs`);
  turn.emit({ kind: "task.entered", subject: task.id, instance: instance.id, machine: place.machine.id });
  return ok(undefined);
}
