/**
 * Claims (Omega): a scheduler planned on its own copy of the cell; here each claim meets the truth. Claims of one
 * transaction are judged in their order, each against the state and the claims accepted before it; then the accepted
 * ones are carried out. Incremental: each stands alone. All-or-nothing: one refusal refuses the op and nothing changes. [KS1]
 */

import { assert } from "../../base/assert.ts";
import { type InstanceId, instanceId, userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { Role, type TaskClaims } from "../../wire/gen/borg/v1/op_pb.ts";
import { faceOf, generationOf, toldBy } from "../face.ts";
import { newInstance } from "../instance.ts";
import { takePorts } from "../place.ts";
import { isAllocSet } from "../spec.ts";
import type { Instance, Place, Scheduler, Task } from "../state.ts";
import { LAME_DUCK_MS_MAX, NOTICE_MS_MAX, stopTimes } from "../stop-times.ts";
import type { Turn } from "../turn.ts";
import { CHECKS, PREEMPTIONS_COUNT, STRANGERS } from "../version.ts";
import { type Accepted, Arbiter } from "./arbiter.ts";
import { move, settleIn, stopInstance } from "./lifecycle.ts";
import { pinToVolumes } from "./volumes.ts";

export type ClaimAnswer =
  | {
      readonly ok: true;
      readonly task: string;
      readonly instance: InstanceId;
      readonly victims: readonly InstanceId[];
      readonly spared: readonly InstanceId[];
    }
  | { readonly ok: false; readonly task: string; readonly reason: string };

export function applyClaims(turn: Turn, op: TaskClaims): Result<readonly ClaimAnswer[]> {
  const scheduler = turn.state.schedulers.get(turn.actor.name);
  if (scheduler === undefined) return refused(`Scheduler "${turn.actor.name}" is unknown: set its limits first`);
  const problem = strangerProblem(turn, scheduler);
  if (problem !== undefined) return refused(problem);
  const arbiter = new Arbiter(turn.state, scheduler);
  const verdicts = op.claims.map((claim) => arbiter.decide(claim));
  const first = verdicts.findIndex((verdict) => typeof verdict === "string");
  if (op.allOrNothing && first >= 0) return refused(`Claim for "${op.claims[first]?.task}": ${verdicts[first]}`);
  const answers = verdicts.map((verdict, i): ClaimAnswer => {
    const task = op.claims[i]?.task ?? "";
    return typeof verdict === "string" ? { ok: false, task, reason: verdict } : carryOut(turn, verdict, scheduler.name);
  });
  return ok(answers);
}

/** A scheduler's name is its user's. Threads of the master claim in nobody's name but their own. */
function strangerProblem({ state, actor }: Turn, { name, limits }: Scheduler): string | undefined {
  if (state.version < STRANGERS || actor.user === "" || actor.user === limits.user) return undefined;
  if (state.users.get(userId(actor.user))?.roles.has(Role.CELL_ADMIN)) return undefined;
  return `Scheduler "${name}" is not user "${actor.user}"'s`;
}

/** Victims are told to stop before anything starts; the start waits for them. */
export function carryOut(turn: Turn, plan: Accepted, scheduler: string): ClaimAnswer {
  const { task } = plan;
  const id = instanceId(task.id, task.incarnation);
  for (const victim of plan.victims) {
    const times = stopTimes(victim, victimNotice(task));
    const stop = { cause: "preemption", timeMs: turn.timeMs, ...times, preemptor: id } as const;
    stopInstance(turn, victim, "evict", stop, `"${id}" at priority ${faceOf(task).priority} needs the room, notice ${times.noticeMs} ms`);
  }
  countPreempted(turn, plan);
  const instance = placed(turn, plan, scheduler);
  pinToVolumes(turn, task, instance.place.machine);
  assert(instance.ports.length === plan.limit.ports, "A claim was accepted without enough free ports");
  settleIn(turn.state, instance);
  turn.touch.instance(instance);
  turn.raise(instance.place.machine);
  move(turn, task, "claim", "placed");
  if (instance.inside !== undefined) move(turn, task, "start", "started");
  return { ok: true, task: task.id, instance: id, victims: plan.victims.map((v) => v.id), spared: plan.spared.map((v) => v.id) };
}

/** "Task disruptions (reschedules or preemptions) an update causes" (Borg §2.3): whom a task that it moved or restarted sends away. */
function countPreempted(turn: Turn, { task, victims }: Accepted): void {
  const kind = toldBy(task)?.kind;
  const { update } = task.job;
  if (turn.state.version < PREEMPTIONS_COUNT || update === undefined || victims.length === 0) return;
  if (kind !== "move" && kind !== "restart") return;
  update.preempted += victims.length;
  turn.touch.job(task.job);
}

/** Where the search for ports goes on is part of the machine's record, or of the alloc's. */
function touchPlace(turn: Turn, { id, machine }: Place): void {
  const alloc = machine.place.occupants.get(id as InstanceId);
  if (alloc === undefined) turn.touch.machine(machine);
  else turn.touch.instance(alloc);
}

/** The time to stop may be less than a victim asked for if the preemptor sets a bound (Borg §2.3). */
const victimNotice = (task: Task): number => faceOf(task).wants.victimNoticeMs ?? Infinity;

function placed(turn: Turn, { task, place, limit, ports: named, devices }: Accepted, scheduler: string): Instance {
  const { wants, priority } = faceOf(task);
  const isAlloc = isAllocSet(task.job);
  const ports = named ?? takePorts(place, limit.ports);
  if (ports.length > 0 && named === undefined) touchPlace(turn, place);
  // An alloc's resources remain assigned whether or not they are used (§2.4), and so do those inside it.
  const reclaimable = !wants.disableReclamation && place === place.machine.place;
  // An alloc has no process to warn: what is inside gets the time it asked for.
  const noticeMs = isAlloc ? NOTICE_MS_MAX : (wants.task?.noticeMs ?? turn.state.config.noticeMs);
  const lameDuckMs = turn.state.version < CHECKS ? 0 : isAlloc ? LAME_DUCK_MS_MAX : (wants.task?.lameDuckMs ?? 0);
  const { incarnation } = task;
  const stamp = { scheduler, placedMs: turn.timeMs };
  return newInstance(
    {
      task,
      generation: generationOf(task),
      incarnation,
      place,
      priority,
      limit,
      reclaimable,
      noticeMs,
      lameDuckMs,
      ports,
      devices,
      ...stamp,
    },
    isAlloc,
  );
}
