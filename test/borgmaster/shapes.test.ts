/** Shapes that fit: what is told agrees with what claims are accepted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fits, plus, ZERO } from "../../src/base/vector.ts";
import type { Copy } from "../../src/borgmaster/api/copy.ts";
import { reportShapes } from "../../src/borgmaster/api/shapes.ts";
import { isOver } from "../../src/cell/place.ts";
import type { CellState, Machine } from "../../src/cell/state.ts";
import { make } from "../../src/wire/codec.ts";
import { ReportShapesRequestSchema, type ReportShapesResponse, type ShapeFit } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { type Draw, draws, toOp } from "../cell/random-op.ts";
import { settings } from "../cell/settings.ts";
import { busyWorld } from "../cell/world.ts";

const shapesOf = (state: CellState): ReportShapesResponse => reportShapes({ state } as Copy, make(ReportShapesRequestSchema, {}));

/** One after the other, as long as there is room by the rules of claims. */
function stuffed({ place }: Machine, cpu: number, ram: number, prod: boolean, preempting: boolean): number {
  const one = { ...ZERO, cpu, ram };
  for (let [tasks, all] = [0, one]; ; tasks++, all = plus(all, one)) {
    if (prod && !fits(plus(place.prodLimit, all), place.capacity)) return tasks;
    if (!preempting && !fits(plus(place.reserved, all), place.capacity)) return tasks;
  }
}

function judge(state: CellState): void {
  const { machines, rows } = shapesOf(state);
  const open = [...state.machines.values()].filter((machine) => machine.reachable && !machine.draining && !isOver(machine.place));
  assert.equal(machines, open.length);
  for (const { cpuMilli, ramBytes, nonProd, prod, prodMakingWay } of rows) {
    const check = (fit: ShapeFit | undefined, isProd: boolean, preempting: boolean): void => {
      const each = open.map((machine) => stuffed(machine, cpuMilli, ramBytes / 1024, isProd, preempting));
      assert.deepEqual([fit?.tasks, fit?.machines], [each.reduce((a, b) => a + b, 0), each.filter((tasks) => tasks > 0).length]);
      const most = (fit?.ramBytesMost ?? 0) / 1024;
      const fitsOne = (ram: number) => open.some((machine) => stuffed(machine, cpuMilli, ram, isProd, preempting) > 0);
      assert.deepEqual([most === 0 || fitsOne(most), fitsOne(most + 1)], [true, false], `${cpuMilli} with ${most}`);
    };
    check(nonProd, false, false);
    check(prod, true, false);
    check(prodMakingWay, true, true);
  }
}

function play(drawn: readonly Draw[]): void {
  const world = busyWorld();
  for (const draw of drawn) {
    const op = toOp(world.state, draw, []);
    if (op === undefined) continue;
    world.timeMs += 50;
    world.entry(op);
  }
  judge(world.state);
}

test("So many tasks of each shape fit as claims would be accepted, and nothing larger than the largest [N7]", () => {
  fc.assert(fc.property(draws(80), play), settings(60));
});

test("A cell without machines has no shapes [N7]", () => {
  const { machines, rows } = shapesOf({ machines: new Map() } as CellState);
  assert.deepEqual([machines, rows], [0, []]);
});
