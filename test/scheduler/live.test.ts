/**
 * Placement through the live path is placement as benches measure it: the same cell goes into a real master with simulated borglets, where a scheduler's actor watches the
 * feed, claims and is judged; and into a mirror, where passes run until nothing is planned any more.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { build, type CellPlan } from "../../bench/cells/plan.ts";
import { syntheticCell } from "../../bench/cells/synthetic.ts";
import { commit, mirrorOf, schedule } from "../../bench/schedule.ts";
import { userOp } from "../../src/cell/op.ts";
import type { CellState } from "../../src/cell/state.ts";
import { Stage } from "../../src/fauxmaster/stage.ts";
import { Queue } from "../../src/scheduler/queue.ts";
import { serviceJobs } from "../../src/scheduler/responsibility.ts";
import { make } from "../../src/wire/codec.ts";
import { MachineFactsSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { AppClass } from "../../src/wire/gen/borg/v1/spec_pb.ts";

const MACHINES = 200;
const SEED = Number(process.env["SEED"] ?? 7);
const GATE = "ops/gate";
/** The highest that needs no quota of machines; prod keeps its order among itself. */
const BATCH_TOP = 119;

/** Everything is the service scheduler's and at a priority that needs no promise of machines, so that one scheduler places all of it on both ways. */
function plan(): CellPlan {
  const { machines, jobs } = syntheticCell(MACHINES, SEED);
  return {
    machines,
    jobs: jobs.map(({ spec, ranOn }) => ({
      ranOn,
      spec: { ...spec, priority: Math.min(spec.priority, BATCH_TOP), appClass: AppClass.LATENCY_SENSITIVE },
    })),
  };
}

const placedIn = (state: CellState): Map<string, string> =>
  new Map(
    [...state.jobs.values()].flatMap((job) =>
      job.tasks.flatMap((task) => (task.instance === undefined ? [] : [[task.id, task.instance.place.machine.id] as const])),
    ),
  );

function benched(cell: CellPlan): Map<string, string> {
  const state = build(cell);
  schedule(mirrorOf(state), new Queue({ mine: serviceJobs("service"), retryMs: 10_000 }), (transaction) => void commit(state, transaction));
  return placedIn(state);
}

/** All jobs wait behind one that never runs; its end lets them loose at once, in a cell whose machines are all there. */
function lived({ machines, jobs }: CellPlan): Map<string, string> {
  const stage = new Stage({ kind: "embedded", masters: 1, schedulers: true });
  stage.open();
  const must = (op: Parameters<Stage["ask"]>[0]): void => {
    const answer = stage.ask(op) as { readonly result?: string; readonly reason?: string } | undefined;
    assert.equal(answer?.result, "done", answer?.reason ?? "");
  };
  const users = new Set(["ops", ...jobs.map(({ spec }) => spec.user)]);
  for (const user of users) {
    must(stage.adminOp({ case: "userGrant", value: { user, roles: [Role.USER] } }));
    must(stage.adminOp({ case: "quotaSet", value: { user, band: Band.BATCH, quota: { unlimited: true } } }));
  }
  const gate = { user: "ops", name: "gate", count: 1, task: { command: ["x"], limit: { cpuMilli: 1e9 } } };
  must(userOp("ops", stage.requestId(), { case: "jobSubmit", value: { spec: gate } }));
  for (const { spec } of jobs)
    must(userOp(spec.user, stage.requestId(), { case: "jobSubmit", value: { spec: { ...spec, startAfter: GATE } } }));
  for (const { name, facts } of machines) stage.addMachine(name, make(MachineFactsSchema, facts));
  assert.ok(
    stage.runUntil(() => stage.look().machines.size === machines.length, 60_000),
    "Not all machines joined",
  );
  stage.run(1000);
  must(userOp("ops", stage.requestId(), { case: "jobKill", value: { job: GATE } }));
  let before = -1;
  stage.runUntil(() => {
    stage.run(2000);
    const now = placedIn(stage.look()).size;
    const isStill = now === before;
    before = now;
    return isStill;
  }, 120_000);
  return placedIn(stage.look());
}

test("the live path places what the bench places, where the bench places it [S7] [S12]", (t) => {
  t.diagnostic(`SEED=${SEED}`);
  const cell = plan();
  const [bench, live] = [benched(cell), lived(cell)];
  const tasks = cell.jobs.reduce((sum, { spec }) => sum + spec.count, 0);
  const same = [...live].filter(([task, machine]) => bench.get(task) === machine).length;
  t.diagnostic(`${tasks} tasks on ${MACHINES} machines: bench placed ${bench.size}, live ${live.size}, ${same} on the same machine`);
  assert.ok(bench.size > 100, "The cell is too small to say anything");
  assert.equal(live.size, bench.size);
  assert.deepEqual(new Map([...live].sort()), new Map([...bench].sort()));
});
