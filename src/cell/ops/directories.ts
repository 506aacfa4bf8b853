/** Directories that outlive their allocs, for as long as the alloc set says: so that what a task left there can still be saved (Borg §4). [V6] */
import type { InstanceId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { ActorKind } from "../../wire/gen/borg/v1/op_pb.ts";
import type { JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { expiryAt } from "../expiry.ts";
import { specOf } from "../generation.ts";
import { everythingOn } from "../place.ts";
import type { CellState, Instance, Job, Machine } from "../state.ts";
import type { Turn } from "../turn.ts";
import { DIRECTORIES_IN_USE, VOLUMES } from "../version.ts";
import { keptMachine, ownerOf } from "../volume.ts";

/** Of one user on one machine; beyond it the one that has been kept longest goes, of those that no task has. */
export const KEPT_PER_USER_MAX = 16;
/** Of all users on one machine: beyond it the oldest of all goes. */
export const KEPT_MAX = 1000;

/** An alloc has left its machine. */
export function keepDirectory(turn: Turn, alloc: Instance): void {
  const spec = specOf(alloc);
  const keepMs = spec.kind === "alloc-set" ? spec.allocSet.keepDirectoryMs : 0;
  if (turn.state.version < VOLUMES || keepMs === 0) return;
  const { machine } = alloc.place;
  const kept = [...machine.directories, { alloc: alloc.id, untilMs: turn.timeMs + keepMs }];
  const own = kept.filter(({ alloc: id }) => ownerOf(id) === ownerOf(alloc.id));
  const tooMany = own.length > KEPT_PER_USER_MAX ? own : kept.length > KEPT_MAX ? kept : [];
  const isAnyOne = turn.state.version < DIRECTORIES_IN_USE;
  const oldest = tooMany.find((each) => isAnyOne || userOfDirectory(machine, each.alloc) === undefined);
  machine.directories = kept.filter((each) => each !== oldest);
  turn.touch.machine(machine);
  turn.emit({ kind: "machine.changed", subject: machine.id, detail: `keeps the directory of ${alloc.id}` });
}

/** By its owner at any time, by the master when its time is over; by nobody while a task has it. */
export function forgetDirectory(turn: Turn, id: string): Result<undefined> {
  const { state } = turn;
  const machine = keptMachine(state, id);
  const kept = machine?.directories.find(({ alloc }) => alloc === id);
  if (machine === undefined || kept === undefined) return refused(`No directory of alloc "${id}" is kept: borg directory ls shows what is`);
  if (turn.actor.kind === ActorKind.MASTER && expiryAt(state, state.timeMs) < kept.untilMs)
    return refused(
      `The directory of alloc "${id}" is kept until ${kept.untilMs}: before that only its owner lets it go (borg directory rm)`,
    );
  const user = userOfDirectory(machine, kept.alloc);
  if (user !== undefined) return refused(`Task "${user.task.id}" has the directory of alloc "${id}": kill it first`);
  machine.directories = machine.directories.filter((each) => each !== kept);
  turn.touch.machine(machine);
  turn.emit({ kind: "machine.changed", subject: machine.id, detail: `no longer keeps the directory of ${id}` });
  return ok(undefined);
}

/** An instance that was given the directory. */
export function userOfDirectory(machine: Machine, id: InstanceId): Instance | undefined {
  for (const instance of everythingOn(machine)) {
    const spec = specOf(instance);
    if (spec.kind === "job" && spec.job.keptDirectory === id) return instance;
  }
  return undefined;
}

/** Directories whose time is over and that nobody uses. */
export function dueDirectories(state: CellState, timeMs: number): readonly InstanceId[] {
  const due: InstanceId[] = [];
  for (const machine of state.machines.values())
    for (const { alloc, untilMs } of machine.directories)
      if (expiryAt(state, timeMs) >= untilMs && userOfDirectory(machine, alloc) === undefined) due.push(alloc);
  return due.sort();
}

/** What is wrong with a job that names one: it must be there, and the job's user's own. */
export function directoryProblem(state: CellState, spec: JobSpec): string | undefined {
  const { keptDirectory: id, user, count, allocSet, perMachine } = spec;
  if (id === "") return undefined;
  if (state.version < VOLUMES) return "Cannot use kept_directory yet: not all masters of the cell are upgraded";
  if (ownerOf(id) !== user) return `The directory of alloc "${id}" is not user "${user}"'s: only jobs of its owner can have it`;
  if (count !== 1 || perMachine || allocSet !== "")
    return "A job with a kept directory has one task, and is in no alloc set: set its count to 1, and leave per_machine and alloc_set out";
  return keptMachine(state, id) === undefined ? `No directory of alloc "${id}" is kept: borg directory ls shows what is` : undefined;
}

/** Its task belongs to the machine that has the directory. */
export function pinToDirectory(turn: Turn, job: Job): void {
  const id = job.wants.keptDirectory;
  const [task] = job.tasks;
  if (id === "" || task === undefined) return;
  task.pinned = keptMachine(turn.state, id)?.id;
  turn.touch.task(task);
}
