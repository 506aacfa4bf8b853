/** Secrets of a borglet: asked before each run, kept in memory alone, and nobody starts without. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Init, make } from "../wire/codec.ts";
import { SecretValuesSchema } from "../wire/gen/borg/v1/link_pb.ts";
import { type OrderSchema, PollSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../wire/gen/borg/v1/spec_pb.ts";
import { MemoryWorld } from "./fixture.test.ts";

const INSTANCE = "ann/web/0:1";
const START: Init<typeof OrderSchema> = {
  body: {
    case: "start",
    value: {
      instance: INSTANCE,
      task: { command: ["x"], secrets: [{ name: "db", path: "/borg/secrets/pw" }] },
      restart: { when: RestartWhen.ALWAYS, backoffMinMs: 100, backoffMaxMs: 100 },
    },
  },
};

class Hidden extends MemoryWorld {
  #sequence = 0;
  /** Everything that was saved, as text. */
  kept = "";

  poll(orders: Init<typeof OrderSchema>[] = []): void {
    this.#sequence += 1;
    this.say({ type: "frame", frame: { case: "poll", value: make(PollSchema, { term: 1, sequence: this.#sequence, orders }) } });
    this.run(10);
  }

  tell(run: number, value: string, problem = ""): void {
    const values = problem === "" ? [{ name: "db", data: new TextEncoder().encode(value) }] : [];
    this.say({
      type: "frame",
      frame: { case: "secretValues", value: make(SecretValuesSchema, { instance: INSTANCE, run, values, problem }) },
    });
    this.run(10);
  }

  asked(): number[] {
    return this.secretRequests.splice(0).map(({ run }) => run);
  }

  override save(records: Parameters<MemoryWorld["save"]>[0]): boolean {
    const text = (_: string, each: unknown): unknown => (each instanceof Uint8Array ? Buffer.from(each).toString("latin1") : each);
    this.kept += JSON.stringify(records, text);
    return super.save(records);
  }

  words(): string {
    this.poll();
    const [told] = this.reports.at(-1)!.instances;
    return told?.waiting || told?.message || "";
  }
}

test("a task of a controller waits for its token and finds it as a file, whether it has secrets or not [borglet.W6] [U15]", () => {
  const world = new Hidden();
  const task = { command: ["x"], controller: { jobs: ["a-*"] } };
  world.poll([{ body: { case: "start", value: { instance: INSTANCE, task } } }]);
  assert.deepEqual([world.asked(), world.secretsGiven], [[1], []]);
  const controller = new TextEncoder().encode("pass-canary");
  const value = make(SecretValuesSchema, { instance: INSTANCE, run: 1, controller });
  world.say({ type: "frame", frame: { case: "secretValues", value } });
  world.run(10);
  assert.deepEqual(world.secretsGiven, ["/borg/secrets/controller.json pass-canary"]);
  assert.ok(!world.kept.includes("pass-canary"), "it is kept nowhere");
});

test("a task starts when its secrets are there, and each run asks anew [borglet.W1] [G14] [U10]", () => {
  const world = new Hidden();
  world.poll([START]);
  assert.deepEqual([world.starts, world.asked()], [0, [1]]);
  assert.equal(world.words(), "waiting for its secrets");
  world.run(2500);
  assert.deepEqual(world.asked(), [1], "asked again");
  world.tell(2, "of another run");
  assert.equal(world.starts, 0);
  world.tell(1, "one");
  assert.deepEqual([world.starts, world.secretsGiven], [1, ["/borg/secrets/pw one"]]);
  world.end(INSTANCE, { code: 1, signal: 0 });
  world.run(200);
  assert.deepEqual([world.starts, world.asked()], [1, [2]]);
  world.tell(2, "two");
  assert.deepEqual([world.starts, world.secretsGiven.at(-1)], [2, "/borg/secrets/pw two"]);
});

test("what was given is nowhere in what a borglet keeps or reports, and a new borglet asks again [borglet.W2] [KA3]", () => {
  const world = new Hidden();
  world.poll([START]);
  world.tell(1, "hunter2");
  assert.equal(world.starts, 1);
  world.poll();
  const told = JSON.stringify(world.reports);
  assert.ok(world.kept.includes(INSTANCE) && !world.kept.includes("hunter2") && !told.includes("hunter2"));
  world.crash();
  world.end(INSTANCE, { code: 1, signal: 0 });
  world.poll();
  world.run(15_000);
  assert.equal(world.starts, 1, "it has nothing to start with");
  assert.ok(world.asked().includes(2));
  world.tell(2, "hunter3");
  assert.deepEqual([world.starts, world.secretsGiven.at(-1)], [2, "/borg/secrets/pw hunter3"]);
});

test("while no master answers a restart has what the run before had [borglet.W3]", () => {
  const world = new Hidden();
  world.poll([START]);
  world.tell(1, "one");
  world.end(INSTANCE, { code: 1, signal: 0 });
  world.run(9000);
  assert.equal(world.starts, 1, "a master may still answer");
  world.run(3000);
  assert.deepEqual([world.starts, world.secretsGiven.at(-1)], [2, "/borg/secrets/pw one"]);
});

test("secrets that cannot be had are a failed start, with the reason [borglet.W4]", () => {
  const world = new Hidden();
  world.poll([START]);
  world.tell(1, "", 'User "ann" has no secret "db"');
  assert.equal(world.starts, 0);
  assert.match(world.words(), /^Cannot start: User "ann" has no secret "db"$/);
  world.run(200);
  assert.ok(world.asked().includes(2));
});
