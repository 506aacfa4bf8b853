/** A recorded cell as it was: every task where the trace says that it ran. Nothing is scheduled. */
import { applyEntry } from "../../src/cell/cell.ts";
import { makeEntry, masterOp, type Op, schedulerOp } from "../../src/cell/op.ts";
import type { CellState, Machine } from "../../src/cell/state.ts";
import { isProd } from "../../src/wire/band.ts";
import { type CellPlan, SCHEDULER } from "./plan.ts";

const CPU_RESERVED = 0.6;
const RAM_RESERVED = 0.7;
const CLAIMS_PER_OP = 1000;

/** Tasks that ran where the trace says, as far as the judge agrees. */
export function placeAsTraced(state: CellState, { jobs }: CellPlan): void {
  const claims: { task: string; incarnation: number; place: string }[] = [];
  for (const { spec, ranOn } of jobs) {
    const tasks = state.jobs.get(`${spec.user}/${spec.name}` as never)?.tasks ?? [];
    for (const [index, place] of ranOn.entries()) {
      const task = tasks[index];
      if (task !== undefined && place !== undefined) claims.push({ task: task.id, incarnation: task.incarnation, place });
    }
  }
  for (let at = 0; at < claims.length; at += CLAIMS_PER_OP) {
    const value = { claims: claims.slice(at, at + CLAIMS_PER_OP) };
    step(state, schedulerOp(SCHEDULER, { case: "taskClaims", value }));
    for (const name of new Set(value.claims.map(({ place }) => place))) {
      const machine = state.machines.get(name as never);
      if (machine !== undefined) reclaim(state, machine);
    }
  }
}

/** The same in a few rounds over all machines, prod first: much faster, and a few tasks more or less find room. */
export function placeInRounds(state: CellState, { jobs }: CellPlan): void {
  for (const isRest of [false, true, true]) {
    const claims = jobs.flatMap(({ spec, ranOn }) => {
      if (!isRest && !isProd(spec.priority)) return [];
      const tasks = state.jobs.get(`${spec.user}/${spec.name}` as never)?.tasks ?? [];
      return tasks.flatMap(({ id, incarnation, instance, index }) => {
        const place = ranOn[index];
        return place === undefined || instance !== undefined ? [] : [{ task: id, incarnation, place }];
      });
    });
    for (let at = 0; at < claims.length; at += CLAIMS_PER_OP)
      step(state, schedulerOp(SCHEDULER, { case: "taskClaims", value: { claims: claims.slice(at, at + CLAIMS_PER_OP) } }));
    for (const machine of state.machines.values()) if (machine.place.occupants.size > 0) reclaim(state, machine);
  }
}

export function reclaim(state: CellState, machine: Machine): ReturnType<typeof applyEntry> {
  const reservations = [...machine.place.occupants.values()].map(({ id, limit }) => ({
    instance: id,
    amount: {
      cpuMilli: Math.ceil(limit.cpu * CPU_RESERVED),
      ramBytes: Math.ceil(limit.ram * RAM_RESERVED) * 1024,
      diskBytes: limit.disk * 1024,
    },
  }));
  return step(state, masterOp({ case: "reservations", value: { machine: machine.id, reservations } }));
}

export function step(state: CellState, op: Op): ReturnType<typeof applyEntry> {
  return applyEntry(state, state.position + 1, makeEntry(state.timeMs + 1, [op]));
}
