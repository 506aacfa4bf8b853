import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Action, type Actual, type Desired, KILL_AGAIN_MS, reconcile, type Want } from "./reconcile.ts";

const NAMES = ["a", "b", "c", "d", "e"] as const;
/** More rounds than any world below needs. */
const ROUNDS_MAX = 60;

interface Process {
  state: "launching" | "alive";
  terminated: boolean;
  killedMs: number;
  readonly diesOnTerm: boolean;
  /** SIGKILLs it takes: a tree that forks while it is killed. */
  lives: number;
}

interface Wish {
  want: Want;
  readonly after: readonly string[];
  readonly notBeforeMs: number;
  readonly terminateAtMs: number;
  readonly killAtMs: number;
}

/** A machine that does what it is told, a little late. */
class Model {
  nowMs = 0;
  readonly wishes: Map<string, Wish>;
  readonly processes: Map<string, Process>;
  readonly done: string[] = [];

  constructor(wishes: Map<string, Wish>, processes: Map<string, Process>) {
    this.wishes = wishes;
    this.processes = processes;
  }

  plan() {
    const actual = new Map<string, Actual>();
    for (const [name, { state, terminated, killedMs }] of this.processes) actual.set(name, { process: state, terminated, killedMs });
    return reconcile(this.wishes as ReadonlyMap<string, Desired>, actual, this.nowMs);
  }

  do({ type, instance }: Action): void {
    this.done.push(`${type} ${instance}`);
    const wish = this.wishes.get(instance);
    const process = this.processes.get(instance);
    if (type === "start") {
      assert.equal(process, undefined, "starts what is there");
      for (const other of wish!.after) if (other !== instance) assert.ok(!this.processes.has(other), "starts before others are gone");
      assert.ok(this.nowMs >= wish!.notBeforeMs, "starts in its back-off");
      wish!.want = "run";
      this.processes.set(instance, { state: "launching", terminated: false, killedMs: -1e9, diesOnTerm: true, lives: 1 });
    } else if (type === "terminate") {
      assert.equal(wish?.want, "stop", "stops what is wanted");
      assert.ok(!process!.terminated, "SIGTERM twice");
      assert.ok(this.nowMs >= wish!.terminateAtMs, "ends a lame duck");
      process!.terminated = true;
      if (process!.diesOnTerm) this.processes.delete(instance);
    } else if (type === "kill") {
      assert.ok(
        wish === undefined || wish.want === "nothing" || (wish.want === "stop" && this.nowMs >= wish.killAtMs),
        "kills before its notice is over",
      );
      process!.killedMs = this.nowMs;
      process!.lives -= 1;
      if (process!.lives <= 0) this.processes.delete(instance);
    } else if (type === "gone") wish!.want = "nothing";
    else wish!.want = "start";
  }

  step(): boolean {
    const { actions, wakeMs } = this.plan();
    for (const action of actions) this.do(action);
    for (const process of this.processes.values()) process.state = "alive";
    if (actions.length > 0) return true;
    if (wakeMs === Number.POSITIVE_INFINITY) return false;
    assert.ok(wakeMs > this.nowMs, "asks to be woken in the past");
    this.nowMs = wakeMs;
    return true;
  }
}

const wish = fc.record({
  want: fc.constantFrom<Want>("start", "run", "stop", "nothing"),
  after: fc.subarray([...NAMES]),
  notBeforeMs: fc.nat(3000),
  terminateAtMs: fc.nat(3000),
  killAtMs: fc.nat(3000),
});
const process = fc.record({
  state: fc.constantFrom<"launching" | "alive">("launching", "alive"),
  terminated: fc.boolean(),
  killedMs: fc.constant(Number.NEGATIVE_INFINITY),
  diesOnTerm: fc.boolean(),
  lives: fc.integer({ min: 1, max: 4 }),
});
const some = <T>(values: fc.Arbitrary<T>) =>
  fc
    .tuple(...NAMES.map((name) => fc.option(values.map((value) => [name, value] as const))))
    .map((all) => new Map(all.filter((each) => each !== null)));
/** Copies, because a model changes them. */
const worlds = fc.tuple(some(wish), some(process)).map(
  ([wishes, processes]) =>
    () =>
      new Model(
        new Map([...wishes].map(([name, each]) => [name, { ...each }])),
        new Map([...processes].map(([name, each]) => [name, { ...each }])),
      ),
);

const cyclic = (model: Model): boolean => [...model.wishes].some(([, { want }]) => want === "start");

test("From any state, doing what reconcile says ends where everything wanted runs and nothing else is left [borglet.R1] [B1] [KT3]", () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const model = world();
      let rounds = 0;
      while (model.step()) assert.ok(++rounds < ROUNDS_MAX, `does not come to rest: ${model.done.join(", ")}`);
      for (const [name, { want }] of model.wishes) {
        if (want === "run") assert.ok(model.processes.has(name), `"${name}" should run`);
        assert.notEqual(want, "stop");
      }
      for (const name of model.processes.keys()) {
        const want = model.wishes.get(name)?.want;
        assert.ok(want === "run" || want === "start", `"${name}" should not be here`);
      }
      // What still waits to start waits for one that runs and is wanted.
      for (const [name, { want, after }] of model.wishes)
        if (want === "start" && !model.processes.has(name)) assert.ok(after.some((other) => other !== name && model.processes.has(other)));
      assert.ok(cyclic(model) || [...model.wishes.values()].every(({ want }) => want !== "start"));
    }),
    { numRuns: 2000 },
  );
});

test("The same plan made twice, without anything done between, is the same, and once done it asks for nothing again at once [borglet.R2]", () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const model = world();
      assert.deepEqual(model.plan(), model.plan());
      const starts = new Set<string>();
      for (let round = 0; round < 5; round++) {
        const { actions } = model.plan();
        for (const action of actions) {
          if (action.type === "start") {
            assert.ok(!starts.has(action.instance), "started twice");
            starts.add(action.instance);
          }
          model.do(action);
        }
      }
      const kills = model.done.filter((each) => each.startsWith("kill"));
      assert.equal(new Set(kills).size, kills.length, "killed twice in one moment");
    }),
    { numRuns: 1000 },
  );
});

test("A stop is SIGTERM, the notice, then SIGKILL again and again until nothing is left [borglet.R3] [D6]", () => {
  const stubborn = { state: "alive" as const, terminated: false, killedMs: -1e9, diesOnTerm: false, lives: 3 };
  const model = new Model(
    new Map([["a", { want: "stop", after: [], notBeforeMs: 0, terminateAtMs: 0, killAtMs: 1000 }]]),
    new Map([["a", stubborn]]),
  );
  const times: string[] = [];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = model.done.length;
    const at = model.nowMs;
    if (!model.step()) break;
    for (const each of model.done.slice(before)) times.push(`${at} ${each}`);
  }
  assert.deepEqual(times, [
    "0 terminate a",
    "1000 kill a",
    `${1000 + KILL_AGAIN_MS} kill a`,
    `${1000 + 2 * KILL_AGAIN_MS} kill a`,
    `${1000 + 2 * KILL_AGAIN_MS} gone a`,
  ]);
});

test("A lame duck is let be until its time has come, and is looked at again then [borglet.R3]", () => {
  const alive: Actual = { process: "alive", terminated: false, killedMs: Number.NEGATIVE_INFINITY };
  const stop: Desired = { want: "stop", after: [], notBeforeMs: 0, terminateAtMs: 300, killAtMs: 1300 };
  const at = (nowMs: number) => reconcile(new Map([["a", stop]]), new Map([["a", alive]]), nowMs);
  assert.deepEqual(at(299), { actions: [], wakeMs: 300 });
  assert.deepEqual(at(300), { actions: [{ type: "terminate", instance: "a" }], wakeMs: 1300 });
});

test("What nobody ordered is killed, what is wanted is left alone [borglet.R4] [KT3]", () => {
  const alive: Actual = { process: "alive", terminated: false, killedMs: Number.NEGATIVE_INFINITY };
  const wanted: Desired = { want: "run", after: [], notBeforeMs: 0, terminateAtMs: 0, killAtMs: Number.POSITIVE_INFINITY };
  const { actions } = reconcile(
    new Map([["mine", wanted]]),
    new Map([
      ["mine", alive],
      ["stranger", alive],
    ]),
    0,
  );
  assert.deepEqual(actions, [{ type: "kill", instance: "stranger" }]);
});
