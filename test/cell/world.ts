/** A cell to try things on: small helpers that read like the stories the tests tell. Every entry is kept, so that a test can replay it. */
import assert from "node:assert/strict";
import type { Answer } from "../../src/cell/answer.ts";
import { applyEntry, newState, type Outcome } from "../../src/cell/cell.ts";
import { encodeCheckpoint, stateHash, WHOLE } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { stateViolations } from "../../src/cell/invariants.ts";
import { outcomeViolations } from "../../src/cell/invariants-outcome.ts";
import { decodeEntry, encodeEntry, makeEntry, masterOp, type Op, opFault, schedulerOp, userOp } from "../../src/cell/op.ts";
import type { CellState, Task } from "../../src/cell/state.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import { newNativeSha256 } from "../../src/shell/native-sha256.ts";
import type { Init } from "../../src/wire/codec.ts";
import type { InstanceReportSchema, MachineFactsSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { type OpSchema, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import type { AllocSetSpecSchema, JobSpecSchema, TaskSpecSchema } from "../../src/wire/gen/borg/v1/spec_pb.ts";

export const GI = 1024 ** 3;
export const MI = 1024 ** 2;

export type OpBody = NonNullable<Init<typeof OpSchema>["body"]>;

export const limit = (cpuMilli: number, ramBytes: number): { cpuMilli: number; ramBytes: number } => ({ cpuMilli, ramBytes });

/** What a test says of a job; the rest is a small server. */
export type JobWish = Omit<Init<typeof JobSpecSchema>, "task"> & { task?: Omit<Init<typeof TaskSpecSchema>, "$typeName"> };

export const jobSpec = (name: string, more: JobWish = {}): Init<typeof JobSpecSchema> => ({
  user: "ubar",
  name,
  count: more.perMachine ? 0 : 1,
  ...more,
  task: { command: ["node", "server.js"], limit: limit(1000, GI), ...more.task },
});

/** As the machine computes it: it is asked for at every op. */
const hashOf = (state: CellState): string => stateHash(state, WHOLE, newNativeSha256);

/** What a refusal says before it says what helps. */
export const clause = (said: string): string => said.split("; ")[0]!;

export class World {
  state: CellState = newState();
  readonly journal: Uint8Array[] = [];
  timeMs = 1_000_000;
  #requests = 0;

  /** Applies ops as one entry, the way a replica does: from bytes. Every invariant is checked after every op. */
  entry(...ops: Op[]): Outcome[] {
    for (const op of ops) assert.equal(opFault(op), undefined);
    const bytes = encodeEntry(makeEntry(this.timeMs, ops));
    this.journal.push(bytes);
    const outcomes = replayOne(this.state, bytes);
    for (const [i, outcome] of outcomes.entries()) assert.deepEqual(outcomeViolations(this.state, ops[i] as Op, outcome), []);
    assert.deepEqual(stateViolations(this.state), []);
    return outcomes;
  }

  /** An entry as it stands in a journal. */
  bytes(bytes: Uint8Array): Outcome[] {
    this.journal.push(bytes);
    return replayOne(this.state, bytes);
  }

  /** One op; a refusal changes nothing. */
  try(op: Op): Outcome {
    const before = hashOf(this.state);
    const [outcome] = this.entry(op);
    if (outcome?.ok === false) assert.equal(hashOf(this.state), before, `Refused (${outcome.reason}), and yet the state changed`);
    return outcome as Outcome;
  }

  /** What came of one op in words: "ok", or the reason it was refused. */
  say(op: Op): string {
    const outcome = this.try(op);
    return outcome.ok ? "ok" : outcome.reason;
  }

  user = (user: string, body: OpBody, requestId = `r${++this.#requests}`): Op => userOp(user, requestId, body);
  master = (body: OpBody): Op => masterOp(body);

  /** A cell with owner `admin`, user `ubar` with much batch quota, and scheduler `service`. */
  init(): this {
    this.must(this.master({ case: "cellInit", value: { cell: "cc", owner: "admin" } }));
    this.must(this.user("admin", { case: "userGrant", value: { user: "ubar", roles: [Role.USER] } }));
    this.must(this.user("admin", { case: "schedulerSet", value: { name: "service", limits: { priorityMax: 450 } } }));
    this.must(this.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.BATCH, quota: { unlimited: true } } }));
    return this;
  }

  /** Every version up to this one, switched on. */
  upgraded(version = VERSION_MAX): this {
    for (let next = this.state.version + 1; next <= version; next++)
      this.must(this.master({ case: "cellVersion", value: { version: next } }));
    return this;
  }

  machine(name: string, cpuMilli = 4000, ramBytes = 8 * GI, more: Init<typeof MachineFactsSchema> = {}): this {
    const capacity = { cpuMilli, ramBytes, diskBytes: 100 * GI, ...more.capacity };
    this.must(
      this.master({ case: "machineJoin", value: { machine: name, facts: { portFirst: 20000, portLast: 20009, ...more, capacity } } }),
    );
    return this;
  }

  /** Production quota for the whole cell. */
  prodQuota(user = "ubar"): this {
    const { cpu, ram, disk } = this.state.capacity;
    const quota = { limit: { cpuMilli: cpu, ramBytes: ram * 1024, diskBytes: disk * 1024 } };
    this.must(this.user("admin", { case: "quotaSet", value: { user, band: Band.PRODUCTION, quota } }));
    return this;
  }

  must(op: Op): Answer {
    const outcome = this.try(op);
    assert.ok(outcome.ok, outcome.ok ? "" : outcome.reason);
    return outcome.answer;
  }

  submit(name: string, more: JobWish = {}): string {
    return this.say(this.user("ubar", { case: "jobSubmit", value: { spec: jobSpec(name, more) } }));
  }

  submitAllocs(name: string, more: Partial<Init<typeof AllocSetSpecSchema>> = {}): string {
    const spec = { user: "ubar", name, count: 1, limit: limit(2000, 4 * GI), ...more };
    return this.say(this.user("ubar", { case: "allocSetSubmit", value: { spec } }));
  }

  task(id: string): Task {
    const [user, job, index] = id.split("/");
    const task = this.state.jobs.get(`${user}/${job}` as never)?.tasks[Number(index)];
    assert.ok(task, `No task ${id}`);
    return task;
  }

  claimOf(
    id: string,
    place: string,
    victims: readonly string[] = [],
  ): { task: string; incarnation: number; place: string; victims: string[]; seen: number } {
    const machine = this.state.machines.get(place as never);
    return { task: id, incarnation: this.task(id).incarnation, place, victims: [...victims], seen: machine?.sequence ?? 0 };
  }

  /** Claims one task; "ok" or why not. */
  claim(id: string, place: string, victims: readonly string[] = [], scheduler = "service"): string {
    const answer = this.must(schedulerOp(scheduler, { case: "taskClaims", value: { claims: [this.claimOf(id, place, victims)] } }));
    assert.ok(answer.type === "claims");
    const [claim] = answer.claims;
    return claim?.ok ? "ok" : (claim?.reason ?? "no answer");
  }

  /** The id of the instance a task has. */
  instance(id: string): string {
    return this.task(id).instance?.id ?? assert.fail(`Task ${id} has no instance`);
  }

  report(machine: string, ...instances: Init<typeof InstanceReportSchema>[]): string {
    return this.say(this.master({ case: "machineReport", value: { machine, instances } }));
  }

  /** The whole journal again, into a fresh cell. */
  replay(upTo = this.journal.length): CellState {
    const state = newState();
    for (const bytes of this.journal.slice(0, upTo)) replayOne(state, bytes);
    return state;
  }

  /** Goes on from a checkpoint of itself, as a restarted replica would. */
  restart(): void {
    const decoded = decodeCheckpoint(encodeCheckpoint(this.state).bytes);
    assert.ok(decoded.ok, decoded.ok ? "" : decoded.reason);
    this.state = decoded.value;
  }
}

/** Three machines, three users with quota in every band, three schedulers. */
export function busyWorld(): World {
  const world = new World().init();
  for (const name of ["m0", "m1", "m2"])
    world.machine(name, 4000, 8 * GI, {
      capacity: { extras: [{ name: "gpu", amount: 2 }] },
      attributes: [{ key: "os", value: "a" }],
      ...(name === "m0"
        ? {}
        : {
            volumes: [
              { user: "ubar", name: "data" },
              { user: "ann", name: "data" },
            ],
          }),
    });
  for (const name of ["batch-0", "tiny"])
    world.must(world.user("admin", { case: "schedulerSet", value: { name, limits: { priorityMax: 450 } } }));
  for (const user of ["ubar", "ann", "ann-x"]) {
    world.must(world.user("admin", { case: "userGrant", value: { user, roles: [Role.USER] } }));
    world.must(world.user("admin", { case: "quotaSet", value: { user, band: Band.BATCH, quota: { unlimited: true } } }));
    for (const band of [Band.PRODUCTION, Band.MONITORING]) {
      const quota = { limit: { cpuMilli: 2000, ramBytes: 4 * GI, extras: [{ name: "gpu", amount: 1 }] } };
      world.must(world.user("admin", { case: "quotaSet", value: { user, band, quota } }));
    }
  }
  return world;
}

export function replayOne(state: CellState, bytes: Uint8Array): Outcome[] {
  const entry = decodeEntry(bytes);
  assert.ok(entry.ok, entry.ok ? "" : entry.reason);
  return applyEntry(state, state.position + 1, entry.value);
}
