/** Random claims of schedulers: on machines or in allocs, most of them sensible. */
import { mayEvict } from "../../src/cell/band.ts";
import { type Op, schedulerOp } from "../../src/cell/op.ts";
import { everythingOn } from "../../src/cell/place.ts";
import type { CellState, Instance, Machine, Task } from "../../src/cell/state.ts";
import { jobsOf, pick } from "./random-job.ts";

export const SCHEDULERS = ["service", "batch-0", "tiny"];

/** What a draw of fast-check says of them. */
interface Draw {
  readonly kind: string;
  readonly n: readonly number[];
}

/** All instances of a cell, in the order of their names. */
export const instancesOf = (state: CellState): Instance[] =>
  [...state.machines.values()].flatMap((machine) => [...everythingOn(machine)]).sort((a, b) => (a.id < b.id ? -1 : 1));

export const machinesOf = (state: CellState): Machine[] => [...state.machines.values()].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Claims of a few tasks, most of them pending, on machines or allocs. */
export function randomClaims(state: CellState, draw: Draw): Op {
  const waiting = jobsOf(state).flatMap((job) => job.tasks.filter((task) => task.state === "pending" || task.state === "stopping"));
  const claimable = waiting.filter((task) => task.state === "pending" && !task.job.held && task.notBeforeMs <= state.timeMs);
  const amount = draw.kind === "gang" ? 3 : 1 + ((draw.n[0] ?? 0) % 3);
  const claims = Array.from({ length: amount }, (_, i) => {
    const n = draw.n.map((number) => number + i * 7);
    return randomClaim(state, pick((n[5] ?? 0) % 9 === 0 ? waiting : claimable, n[0]), n);
  });
  const scheduler = pick(SCHEDULERS, (draw.n[6] ?? 0) % 5 === 0 ? draw.n[6] : 0) as string;
  return schedulerOp(scheduler, { case: "taskClaims", value: { claims, allOrNothing: draw.kind === "gang" } });
}

/** Where the task may run, most of the time; its victims are anyone, or those it may evict. */
function randomClaim(state: CellState, task: Task | undefined, n: readonly number[]) {
  const [, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = n;
  const machines = machinesOf(state).map((m) => m.place);
  const allocs = instancesOf(state).flatMap((i) => (i.inside ? [i.inside] : []));
  const inAlloc = task?.job.spec.kind === "job" && task.job.spec.job.allocSet !== "";
  const place = pick(f % 7 === 0 ? [...machines, ...allocs] : inAlloc ? allocs : machines, b);
  const others = [...(place?.occupants.values() ?? [])].sort((x, y) => (x.id < y.id ? -1 : 1));
  const evictable = others.filter((other) => other.stop === undefined && mayEvict(task?.job.priority ?? 0, other));
  const victims = g % 3 === 0 ? [] : (g % 11 === 0 ? others : evictable).filter((_, i) => ((c >> i) & 1) === 1 || g % 3 === 1);
  return {
    task: task?.id ?? "ubar/none/0",
    incarnation: d % 23 === 0 ? 1 : (task?.incarnation ?? 1),
    place: place?.id ?? "m0",
    victims: victims.slice(0, 4).map((v) => v.id),
    seen: Math.max(0, (place?.machine.sequence ?? 0) - (e % 13 === 0 ? 1 : 0)),
  };
}
