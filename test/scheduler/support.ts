/** What tests of the scheduler share: a cell with its feed, and a mirror's own view written down so that two can be compared. */
import assert from "node:assert/strict";
import type { Outcome } from "../../src/cell/cell.ts";
import { newState } from "../../src/cell/cell.ts";
import { records } from "../../src/cell/checkpoint/checkpoint.ts";
import { type FeedItem, feedItem, type Image, imageOf } from "../../src/cell/feed.ts";
import { type Op, schedulerOp } from "../../src/cell/op.ts";
import type { ClaimAnswer } from "../../src/cell/ops/claims.ts";
import { everythingOn } from "../../src/cell/place.ts";
import type { CellState, Job, Task } from "../../src/cell/state.ts";
import { Mirror } from "../../src/scheduler/mirror/mirror.ts";
import { type PassResult, runPass, type Transaction } from "../../src/scheduler/pass.ts";
import { Queue } from "../../src/scheduler/queue.ts";
import { everyJob, type Responsibility } from "../../src/scheduler/responsibility.ts";
import type { Policy } from "../../src/scheduler/search/policy.ts";
import { make } from "../../src/wire/codec.ts";
import { ClaimSchema } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { acceptable } from "../cell/model.ts";
import type { World } from "../cell/world.ts";

/** Applies one op to the cell and gives what the feed says of it. */
export function fed(world: World, op: Op): { readonly outcome: Outcome; readonly item: FeedItem } {
  const outcomes = world.entry(op);
  return { outcome: outcomes[0] as Outcome, item: feedItem(world.state, outcomes) };
}

export function mirrorOf(image: Image, name = "service"): Mirror {
  const mirror = new Mirror(name);
  assert.equal(mirror.load(image), undefined);
  return mirror;
}

type Known = Pick<CellState, "machines" | "jobs" | "schedulers">;

/** Records of machines, jobs, tasks and schedulers, and every sum over them, in an order of their own. */
export function written(known: Known, waiting?: Mirror["waiting"]): unknown {
  const state = { ...newState(), machines: known.machines, jobs: known.jobs, schedulers: known.schedulers };
  const [, ...all] = [...records(state)];
  // Specs of older generations are for those who run them: no scheduler keeps them.
  const own = all.map(({ body }) => (body.case === "job" ? { ...body, value: { ...body.value, kept: [] } } : body));
  const machines = [...known.machines.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const places = machines.flatMap((m) => [m.place, ...[...everythingOn(m)].flatMap((i) => (i.inside === undefined ? [] : [i.inside]))]);
  const sums = places.map((p) => [p.id, p.capacity, p.prodLimit, p.reserved, [...p.occupants.keys()].sort()]).sort();
  const attributes = machines.map((m) => [...m.attributes].sort());
  const schedulers = [...known.schedulers.values()].map((s) => [s.name, s.claimed, [...s.claimedJobs].sort()]).sort();
  const jobs = [...known.jobs.values()].map((job) => [job.id, job.limit, job.priority, job.tasks.length]).sort();
  const waits = waiting === undefined ? pendingOf(known) : [...waiting].map(([id, w]) => [id, [...w.indexes].sort((a, b) => a - b)]).sort();
  return { own, sums, attributes, schedulers, jobs, waits };
}

function pendingOf(known: Known): unknown {
  const pending = (job: Job): number[] => job.tasks.filter((task) => task.state === "pending").map((task) => task.index);
  return [...known.jobs.values()]
    .map((job) => [job.id, pending(job)] as const)
    .filter(([, indexes]) => indexes.length > 0)
    .sort();
}

/** Every place that would take a task, with no victims or with all that may be asked for: worked out by the slow model. */
export function takers(state: CellState, scheduler: string, task: Task): string[] {
  const out: string[] = [];
  for (const machine of state.machines.values()) {
    const allocs = [...everythingOn(machine)].flatMap((instance) => (instance.inside === undefined ? [] : [instance.inside]));
    for (const place of [machine.place, ...allocs]) {
      const claim = { task: task.id, incarnation: task.incarnation, place: place.id, seen: machine.sequence };
      const accepts = (victims: string[]) => acceptable(state, scheduler, make(ClaimSchema, { ...claim, victims }));
      const allowed = [...place.occupants.values()].filter((victim) => {
        const one = victim.stop === undefined && (victim.overRam || victim.priority < task.job.priority);
        return one && (victim.overRam || victim.priority < 120 || (victim.priority < 360 && task.job.priority >= 360));
      });
      if (accepts([])) out.push(`${place.id} as it is`);
      else if (accepts(allowed.map((victim) => victim.id))) out.push(`${place.id} with victims`);
    }
  }
  return out;
}

export const claimable = (state: CellState): Task[] =>
  [...state.jobs.values()].flatMap((job) =>
    job.held ? [] : job.tasks.filter((task) => task.state === "pending" && task.notBeforeMs <= state.timeMs),
  );

/** A scheduler without its loop: a mirror and a queue, and passes when the test says so. */
export class Bench {
  readonly world: World;
  readonly mirror: Mirror;
  readonly queue: Queue;
  /** What was planned so far, for tests that want to know whether they tried anything. */
  readonly seen = { claims: 0, victims: 0, gangs: 0, inAllocs: 0 };
  #ids = 0;

  constructor(world: World, name = "service", mine: Responsibility = everyJob(name)) {
    this.world = world;
    this.mirror = mirrorOf(imageOf(world.state), name);
    this.queue = new Queue({ mine, retryMs: 10_000 });
  }

  apply(op: Op): Outcome {
    const { outcome, item } = fed(this.world, op);
    assert.equal(this.mirror.follow(item), undefined);
    return outcome;
  }

  /** Begins with a fresh image. */
  look(): this {
    assert.equal(this.mirror.load(imageOf(this.world.state)), undefined);
    this.queue.forget();
    return this;
  }

  pass(looksMax?: number, policy: Policy = "hybrid"): PassResult {
    const id = () => `${this.mirror.name}-${++this.#ids}`;
    return runPass(this.mirror, this.queue, {
      nowMs: this.world.state.timeMs,
      id,
      policy,
      ...(looksMax === undefined ? {} : { looksMax }),
    });
  }

  /** The cell's word on a transaction; the mirror follows. A refused gang answers with its reason. */
  commit(transaction: Transaction): readonly ClaimAnswer[] | string {
    const claims = transaction.claims.map((claim) => ({ ...claim }));
    this.seen.claims += claims.length;
    this.seen.gangs += Number(transaction.allOrNothing);
    this.seen.inAllocs += claims.filter((claim) => claim.place?.includes(":")).length;
    this.seen.victims += claims.reduce((sum, claim) => sum + (claim.victims?.length ?? 0), 0);
    const value = { claims, allOrNothing: transaction.allOrNothing };
    const outcome = this.apply(schedulerOp(this.mirror.name, { case: "taskClaims", value }));
    if (!outcome.ok) {
      this.mirror.drop(transaction.id);
      return outcome.reason;
    }
    assert.ok(outcome.answer.type === "claims");
    this.mirror.drop(transaction.id);
    return outcome.answer.claims;
  }

  /** Passes and commits until nothing is planned; every claim must be accepted. Answers where each task went, in order. */
  settle(): string[] {
    const out: string[] = [];
    for (let passes = 0; passes < 50; passes++) {
      const result = this.pass();
      if (result.transactions.length === 0 && !result.more) return out;
      for (const transaction of result.transactions) {
        const answers = this.commit(transaction);
        assert.ok(typeof answers !== "string", String(answers));
        for (const [i, answer] of answers.entries()) {
          assert.ok(answer.ok, answer.ok ? "" : `${answer.task}: ${answer.reason}`);
          assert.deepEqual(answer.spared, [], "a victim was named that is not needed");
          out.push(`${answer.task} ${transaction.claims[i]?.place}`);
        }
      }
    }
    throw new Error("There is always more to plan");
  }
}
