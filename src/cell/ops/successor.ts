/** An instance that an update stopped has gone: the next one takes its place on the same machine, in the same op, before anybody else can. */
import { make } from "../../wire/codec.ts";
import { ClaimSchema } from "../../wire/gen/borg/v1/op_pb.ts";
import { toldBy } from "../face.ts";
import type { Instance, Job, Task, ToldKind, Update } from "../state.ts";
import type { Turn } from "../turn.ts";
import { disruptionsLeft } from "../update-plan.ts";
import { Arbiter } from "./arbiter.ts";
import { carryOut } from "./claims.ts";

/**
 * Where it does not fit with its new spec it is a disruption, which a scheduler places like any pending task. If that is one too many, it goes on with
 * the spec that it had: for that one there was room. [cell.J18]
 */
export function succeed(turn: Turn, gone: Instance): void {
  const { task } = gone;
  const told = toldBy(task);
  if (task.state !== "pending" || told === undefined) return;
  if (isPlacedAgain(turn, gone) || told.kind !== "restart") return;
  const { job } = task;
  if (disruptionsLeft(job, job.update as Update) > 0) {
    tell(turn, task, "move");
    return;
  }
  tell(turn, task, "skip");
  isPlacedAgain(turn, gone);
}

function isPlacedAgain(turn: Turn, { task, place, scheduler: name }: Instance): boolean {
  const scheduler = turn.state.schedulers.get(name);
  if (scheduler === undefined) return false;
  const claim = make(ClaimSchema, { task: task.id, incarnation: task.incarnation, place: place.id, seen: place.machine.sequence });
  const verdict = new Arbiter(turn.state, scheduler).decide(claim);
  if (typeof verdict !== "string") carryOut(turn, verdict, name);
  return typeof verdict !== "string";
}

/** From now on the task goes by what it was told. */
export function tell(turn: Turn, task: Task, kind: ToldKind): void {
  const { update }: Job = task.job;
  task.told = { generation: update?.generation ?? 0, kind, timeMs: turn.timeMs };
  turn.touch.task(task);
  if (kind === "skip")
    turn.emit({ kind: "task.changed", subject: task.id, detail: "is skipped by the update: it would be one disruption too many" });
  if (kind === "in-place") turn.emit({ kind: "task.changed", subject: task.id, detail: "is updated in place" });
}
