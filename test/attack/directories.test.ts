/** Whose directories are kept where is their owner's to see, in lists and in the feed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { masterOp, schedulerOp, userOp } from "../../src/cell/op.ts";
import { make } from "../../src/wire/codec.ts";
import { CellService } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { AttackedCell } from "./desk.ts";

function withKept(): AttackedCell {
  const cell = new AttackedCell();
  const spec = { user: "ann", name: "hall", count: 1, limit: { cpuMilli: 10 }, keepDirectoryMs: 1e9 };
  cell.entry(userOp("ann", "", { case: "allocSetSubmit", value: { spec } }));
  const task = () => cell.state.jobs.get("ann/hall" as never)!.tasks[0]!;
  const claims = [{ task: "ann/hall/0", incarnation: task().incarnation, place: "m1" }];
  cell.entry(schedulerOp("service", { case: "taskClaims", value: { claims } }));
  const instance = task().instance!.id;
  cell.entry(userOp("ann", "", { case: "jobKill", value: { job: "ann/hall" } }));
  cell.entry(masterOp({ case: "machineReport", value: { machine: "m1", instances: [{ instance, phase: Phase.GONE }] } }));
  assert.equal(cell.state.machines.get("m1" as never)?.directories.length, 1);
  return cell;
}

test("where a directory is kept is seen by its owner, admins and who may see all jobs, and by nobody else [KA2] [V6]", () => {
  const cell = withKept();
  const shown = (by: string): string => {
    const answers = [
      cell.call("listMachines", by, make(CellService.method.listMachines.input, {})),
      cell.call("getMachine", by, make(CellService.method.getMachine.input, { machine: "m1" })),
      cell.call("readFeed", by, make(CellService.method.readFeed.input, { more: "cell " })),
    ];
    return answers.map((answer) => JSON.stringify(answer).split('"directories":[{').length - 1).join(" ");
  };
  for (const by of ["ann", "admin", "modifier", "reader"]) assert.equal(shown(by), "1 1 1", by);
  for (const by of ["ann1", "viewer", "sched", "quota"]) assert.equal(shown(by), "0 0 0", by);
});
