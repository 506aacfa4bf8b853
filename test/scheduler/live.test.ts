/**
 * Placement through the live path is placement as benches measure it: the same cell goes into a real master with simulated borglets, where a
 * scheduler's actor watches the feed, claims and is judged; and into a mirror, where passes run until nothing is planned any more. The real
 * cell of BORG_TRACE_DIR is cut to one part in TRACE_PART (1: all of it).
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readCell } from "../../bench/cells/csv.ts";
import { build, type CellPlan, type JobPlan } from "../../bench/cells/plan.ts";
import { syntheticCell } from "../../bench/cells/synthetic.ts";
import { commit, mirrorOf, schedule } from "../../bench/schedule.ts";
import type { CellMethod } from "../../src/borgmaster/api/access.ts";
import type { CellState } from "../../src/cell/state.ts";
import { ADMIN, Stage } from "../../src/fauxmaster/story/stage.ts";
import { Queue } from "../../src/scheduler/queue.ts";
import { serviceJobs } from "../../src/scheduler/responsibility.ts";
import { bandOf, wireBand } from "../../src/wire/band.ts";
import { make } from "../../src/wire/codec.ts";
import * as api from "../../src/wire/gen/borg/v1/api_pb.ts";
import { MachineFactsSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { AppClass } from "../../src/wire/gen/borg/v1/spec_pb.ts";

const MACHINES = 200;
const SEED = Number(process.env["SEED"] ?? 7);
const TRACE_PART = Number(process.env["TRACE_PART"] ?? 4);
const TRACE = process.env["BORG_TRACE_DIR"] ?? "";
const GATE = "ops/gate";
/** Prod asks for this part of a cell's machines, at most. */
const PROD_PART = 0.95;

/** One scheduler places all of it on both ways. */
function forService({ machines, jobs }: CellPlan): CellPlan {
  const specs = jobs.map(({ spec, ranOn }) => ({ ranOn, spec: { ...spec, appClass: AppClass.LATENCY_SENSITIVE } }));
  return { machines, jobs: affordable(machines, specs) };
}

/** Amounts by resource. */
type Amounts = Map<string, number>;
type Limit = NonNullable<NonNullable<JobPlan["spec"]["task"]>["limit"]>;

function amountsOf(limit: Limit | undefined): Amounts {
  const { cpuMilli = 0, ramBytes = 0, diskBytes = 0, extras = [] } = limit ?? {};
  const all: Amounts = new Map(Object.entries({ cpuMilli, ramBytes, diskBytes }));
  for (const { name = "", amount = 0 } of extras) all.set(name, amount);
  return all;
}

function addTo(sums: Amounts, amounts: Amounts, times: number): void {
  for (const [name, amount] of amounts) sums.set(name, (sums.get(name) ?? 0) + times * amount);
}

/** At most: every task as large as the largest. */
function askedBy({ spec }: JobPlan): Amounts {
  const most: Amounts = new Map();
  for (const limit of [spec.task?.limit, ...(spec.overrides ?? []).map((each) => each.limit)])
    for (const [name, amount] of amountsOf(limit)) most.set(name, Math.max(most.get(name) ?? 0, spec.count * amount));
  return most;
}

/** Without those prod jobs for which no quota is left: it is promised no more than there is. */
function affordable(machines: CellPlan["machines"], jobs: readonly JobPlan[]): readonly JobPlan[] {
  const left: Amounts = new Map();
  for (const { facts } of machines) addTo(left, amountsOf(facts.capacity), PROD_PART);
  return jobs.filter((job) => {
    if (job.spec.priority < 120) return true;
    const asked = askedBy(job);
    for (const [name, amount] of asked) if (name !== "diskBytes" && amount > (left.get(name) ?? 0)) return false;
    addTo(left, asked, -1);
    return true;
  });
}

function tracePlan(): CellPlan {
  const { machines, jobs } = readCell(join(TRACE, "machines.csv.gz"), join(TRACE, "tasks.csv.gz"));
  const part = <Item>(items: readonly Item[]): readonly Item[] => items.filter((_, i) => i % TRACE_PART === 0);
  return { machines: part(machines), jobs: part(jobs) };
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
  const must = (user: string, method: CellMethod, schema: unknown, init: object): void => {
    const requestId = stage.requestId();
    const request = make(schema as typeof api.KillJobRequestSchema, { ...init, requestId } as never);
    const answer = stage.ask({ user, method, request, requestId });
    assert.equal(answer?.type, "answered", answer?.type === "failed" ? answer.reason : "no answer");
  };
  for (const { name, facts } of machines) stage.addMachine(name, make(MachineFactsSchema, facts));
  assert.ok(
    stage.runUntil(() => stage.look().machines.size === machines.length, 60_000),
    "Not all machines joined",
  );
  for (const user of new Set(["ops", ...jobs.map(({ spec }) => spec.user)])) {
    must(ADMIN, "grantUser", api.GrantUserRequestSchema, { user, roles: [Role.USER] });
    must(ADMIN, "setQuota", api.SetQuotaRequestSchema, { user, band: Band.BATCH, quota: { unlimited: true } });
  }
  for (const value of quotas(jobs)) must(ADMIN, "setQuota", api.SetQuotaRequestSchema, value);
  const gate = { user: "ops", name: "gate", count: 1, task: { command: ["x"], limit: { cpuMilli: 1e9 } } };
  must("ops", "submitJob", api.SubmitJobRequestSchema, { spec: gate });
  for (const { spec } of jobs) must(spec.user, "submitJob", api.SubmitJobRequestSchema, { spec: { ...spec, startAfter: GATE } });
  stage.run(1000);
  must("ops", "killJob", api.KillJobRequestSchema, { job: GATE });
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

/** What each user's prod jobs ask for. */
function quotas(
  jobs: readonly JobPlan[],
): readonly { readonly user: string; readonly band: Band; readonly quota: { readonly limit: Limit } }[] {
  const sums = new Map<string, Amounts>();
  for (const job of jobs) {
    const { user, priority } = job.spec;
    if (priority < 120) continue;
    const key = `${user} ${wireBand(bandOf(priority))}`;
    const sum = sums.get(key) ?? new Map<string, number>();
    addTo(sum, askedBy(job), 1);
    sums.set(key, sum);
  }
  return [...sums].map(([key, sum]) => {
    const [user = "", band = ""] = key.split(" ");
    const { cpuMilli = 0, ramBytes = 0, diskBytes = 0, ...extras } = Object.fromEntries(sum);
    const more = Object.entries(extras).map(([name, amount]) => ({ name, amount }));
    return { user, band: Number(band) as Band, quota: { limit: { cpuMilli, ramBytes, diskBytes, extras: more } } };
  });
}

function compare(t: TestContext, cell: CellPlan): void {
  const [bench, live] = [benched(cell), lived(cell)];
  const tasks = cell.jobs.reduce((sum, { spec }) => sum + spec.count, 0);
  const same = [...live].filter(([task, machine]) => bench.get(task) === machine).length;
  t.diagnostic(
    `${tasks} tasks on ${cell.machines.length} machines: bench placed ${bench.size}, live ${live.size}, ${same} on the same machine`,
  );
  assert.ok(bench.size > 100, "The cell is too small to say anything");
  assert.equal(live.size, bench.size);
  assert.deepEqual(new Map([...live].sort()), new Map([...bench].sort()));
}

test("the live path places what the bench places, where the bench places it [S7] [S12]", (t) => {
  t.diagnostic(`SEED=${SEED}`);
  compare(t, forService(syntheticCell(MACHINES, SEED)));
});

test("the live path places a real cell as the bench does [S7] [S12]", (t) => {
  if (!existsSync(join(TRACE, "tasks.csv.gz"))) return t.skip("no trace: say where it is with BORG_TRACE_DIR");
  t.diagnostic(`TRACE_PART=${TRACE_PART}`);
  compare(t, forService(tracePlan()));
});
