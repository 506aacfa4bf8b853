/** Frameworks that speak Mesos, on a real cell. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobId } from "../../src/base/id.ts";
import type { Copy } from "../../src/borgmaster/api/copy.ts";
import { getFramework } from "../../src/borgmaster/api/frameworks.ts";
import { MAX_COMPLETION } from "../../src/offers/events.ts";
import { make } from "../../src/wire/codec.ts";
import { GetFrameworkRequestSchema } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { OfferModule } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { TaskStatus_Reason as Reason, TaskStatus_Source as Source } from "../../src/wire/gen/mesos/v1/mesos_pb.ts";
import { Event_Type, Call_Type as Type } from "../../src/wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { GI } from "../cell/world.ts";
import { amountIn, DeskWorld } from "./desk-world.ts";

const cell = (): DeskWorld => new DeskWorld().init().machine("m1", 4000, 8 * GI);

test("a framework subscribes, is offered a machine, launches, hears RUNNING and FINISHED, and acknowledges [offers.C1][Z1][Z3]", () => {
  const world = cell();
  const ann = world.scheduler("Ann's Web Shop");
  assert.equal(ann.subscribe().kind, "streaming");
  assert.match(ann.id ?? "", /^ubar\.ann-s-web-shop\.[0-9]+$/);
  const { offer } = ann;
  assert.equal(offer.agentId?.value, "m1");
  assert.equal(amountIn(offer.resources, "cpus"), 4);
  assert.equal(amountIn(offer.resources, "mem"), 8192);
  assert.deepEqual(
    offer.resources.find(({ name }) => name === "ports")?.ranges?.range.map(({ begin, end }) => [begin, end]),
    [[20000n, 20009n]],
  );
  assert.equal(ann.launch(offer, [ann.task("t1", offer)]).kind, "accepted");
  world.run();
  assert.equal(world.task("ubar/ann-s-web-shop/0").instance?.limit.cpu, 1000);
  world.runs("ubar/ann-s-web-shop/0");
  assert.deepEqual(ann.told, ["t1 TASK_RUNNING"]);
  assert.equal(ann.updates[0]?.agentId?.value, "m1");
  ann.acknowledge(ann.updates[0]!);
  world.run();
  world.says("ubar/ann-s-web-shop/0", Phase.FINISHED);
  assert.deepEqual(ann.told, ["t1 TASK_RUNNING", "t1 TASK_FINISHED"]);
  ann.acknowledge(ann.updates[1]!);
  world.run();
  assert.equal(world.task("ubar/ann-s-web-shop/0").launched?.updates.length, 0);
  assert.deepEqual(ann.errors, []);
});

test("who looks around is told what a framework has been offered and has not answered [Z2] [N5]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  const seen = (): readonly [count: number, cpu: number, ram: number] => {
    const found = getFramework(copy, make(GetFrameworkRequestSchema, { framework: "ubar/ann" }));
    const framework = found.ok ? found.value.framework : undefined;
    return [framework?.offers ?? 0, framework?.offered?.cpuMilli ?? 0, framework?.offered?.ramBytes ?? 0];
  };
  const copy = { state: world.state, offersTo: (id: JobId) => world.frameworks.offersTo(id) } as unknown as Copy;
  ann.subscribe();
  assert.deepEqual(seen(), [1, 4000, 8 * GI]);
  ann.launch(ann.offer, [ann.task("t1", ann.offer)]);
  assert.deepEqual(seen(), [0, 0, 0], "it was answered, whatever comes of it");
  world.run(10_000);
  assert.deepEqual(seen(), [1, 3000, 7.5 * GI]);
  ann.hangUp();
  world.run();
  assert.deepEqual(seen(), [0, 0, 0]);
});

test("an update is sent again until it is acknowledged, also to a scheduler that subscribes later [offers.C4][Z12]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  ann.launch(ann.offer, [ann.task("t1", ann.offer)]);
  world.run();
  world.runs("ubar/ann/0");
  world.says("ubar/ann/0", Phase.FINISHED);
  assert.deepEqual(ann.told, ["t1 TASK_RUNNING"], "One is in flight at a time");
  world.run(16_000);
  assert.deepEqual(ann.told, ["t1 TASK_RUNNING", "t1 TASK_RUNNING"]);
  ann.hangUp();
  world.run();
  const next = world.scheduler("ann");
  next.id = ann.id;
  next.subscribe();
  assert.deepEqual(next.told, ["t1 TASK_RUNNING"]);
  next.acknowledge(next.updates[0]!);
  world.run();
  assert.deepEqual(next.told, ["t1 TASK_RUNNING", "t1 TASK_FINISHED"]);
});

test("a launch on an offer that is not there is TASK_LOST, and changes nothing [offers.C2]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const { offer } = ann;
  ann.decline(offer, 0);
  ann.launch(offer, [ann.task("t1", offer)]);
  world.run();
  assert.deepEqual(ann.told, ["t1 TASK_LOST"]);
  assert.deepEqual([ann.updates[0]?.source, ann.updates[0]?.reason], [Source.MASTER, Reason.INVALID_OFFERS]);
  assert.equal(world.state.jobs.get("ubar/ann" as never)?.tasks.length, 0);
});

test("what asks for more than was offered is TASK_ERROR; the others of the call are launched [offers.C3]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const { offer } = ann;
  const tasks = [
    ann.task("large", offer, [
      ["cpus", 3.5],
      ["mem", 100],
    ]),
    ann.task("more", offer, [
      ["cpus", 0.6],
      ["mem", 100],
    ]),
    ann.task("rest", offer, [
      ["cpus", 0.5],
      ["mem", 100],
    ]),
  ];
  const few: Parameters<typeof ann.task>[2] = [
    ["cpus", 0.01],
    ["mem", 32],
  ];
  const container = { type: 2, mesos: { image: { type: 2, docker: { name: "alpine" } } } } as const;
  ann.launch(offer, [
    ...tasks,
    ann.task("negative", offer, [
      ["cpus", -1],
      ["mem", 100],
    ]),
    ann.task("image", offer, few, { container }),
  ]);
  world.run();
  assert.deepEqual(ann.told, ["more TASK_ERROR", "negative TASK_ERROR", "image TASK_ERROR"]);
  assert.match(ann.updates[2]?.message ?? "", /^Images and volumes are for jobs of the cell/);
  assert.deepEqual([...(world.state.jobs.get("ubar/ann" as never)?.led?.byId.keys() ?? [])], ["large", "rest"]);
});

test("a launch that the cell refuses is TASK_LOST: nobody locked its room [offers.C2]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const { offer } = ann;
  assert.equal(world.submit("jfoo", { task: { limit: { cpuMilli: 3500, ramBytes: GI } } }), "ok");
  assert.equal(world.claim("ubar/jfoo/0", "m1"), "ok");
  ann.launch(offer, [ann.task("t1", offer)]);
  world.run();
  assert.deepEqual(ann.told, ["t1 TASK_LOST"]);
  world.run(6_000);
  assert.equal(amountIn(ann.offer.resources, "cpus"), 0.5, "What is left is offered");
});

test("an offer is rescinded when something else takes its room [offers.L4]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  assert.equal(ann.offers.size, 1);
  assert.equal(world.submit("jfoo", { task: { limit: { cpuMilli: 3500, ramBytes: GI } } }), "ok");
  assert.equal(world.claim("ubar/jfoo/0", "m1"), "ok");
  world.run();
  assert.deepEqual(
    [...ann.offers.values()].map(({ resources }) => amountIn(resources, "cpus")),
    [0.5],
  );
  world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  world.run();
  assert.equal(ann.offers.size, 0);
});

test("the newest scheduler leads; the older one is told so and its calls are not done [offers.C5][Z12]", () => {
  const world = cell();
  const first = world.scheduler("ann");
  first.subscribe();
  const second = world.scheduler("ann");
  second.id = first.id;
  second.subscribe();
  assert.match(first.errors[0] ?? "", /newest one leads/);
  assert.notEqual(first.ended, undefined);
  assert.equal(first.call({ type: Type.SUPPRESS, suppress: {} }).kind, "refused");
  assert.equal(second.offers.size, 1);
});

test("KILL ends a task; one that nobody knows is TASK_LOST; RECONCILE tells both [offers.C6]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  ann.launch(ann.offer, [ann.task("t1", ann.offer)]);
  world.run();
  world.runs("ubar/ann/0");
  ann.acknowledge(ann.updates[0]!);
  ann.call({ type: Type.RECONCILE, reconcile: { tasks: [{ taskId: { value: "t1" } }, { taskId: { value: "t2" } }] } });
  ann.call({ type: Type.RECONCILE, reconcile: {} });
  world.run();
  assert.deepEqual(ann.told.slice(1), ["t1 TASK_RUNNING", "t2 TASK_LOST", "t1 TASK_RUNNING"]);
  ann.call({ type: Type.KILL, kill: { taskId: { value: "t1" } } });
  ann.call({ type: Type.KILL, kill: { taskId: { value: "t9" } } });
  world.run();
  assert.deepEqual(ann.told.slice(4), ["t9 TASK_LOST"]);
  world.says("ubar/ann/0", Phase.GONE);
  assert.deepEqual(ann.told.slice(5), ["t1 TASK_KILLED"]);
});

test("TEARDOWN ends the framework and its stream [offers.C7]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  ann.launch(ann.offer, [ann.task("t1", ann.offer)]);
  ann.call({ type: Type.TEARDOWN });
  world.run();
  assert.notEqual(ann.ended, undefined);
  assert.deepEqual(ann.errors, [], "It was its own wish");
  assert.equal(world.state.jobs.get("ubar/ann" as never)?.killed, true);
  const next = world.scheduler("ann");
  next.subscribe();
  assert.match(next.id ?? "", /^ubar\.ann-2\./, "its last task still stops: whoever comes anew has another name");
  next.hangUp();
  const eve = world.scheduler("eve");
  eve.subscribe();
  eve.launch(eve.offer, [eve.task("t1", eve.offer)]);
  eve.call({ type: Type.TEARDOWN });
  eve.hangUp();
  world.run();
  assert.equal(world.state.jobs.get("ubar/eve" as never)?.killed, true, "also when it hangs up before its turn");
  const ben = world.scheduler("ben");
  ben.subscribe();
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/ben" } }));
  world.run();
  assert.deepEqual(ben.errors, ["The framework was torn down"]);
});

test("calls of strangers, without a stream, or of another framework change nothing [offers.C8]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const eve = world.scheduler("eve", {}, "eve");
  const suppress = { type: Type.SUPPRESS, suppress: {} } as const;
  assert.deepEqual(eve.call(suppress, ann.streamId), {
    kind: "refused",
    status: 403,
    text: "This stream is not subscribed: send SUBSCRIBE first",
  });
  assert.equal(ann.call(suppress, "none").kind, "refused");
  assert.equal(ann.call({ ...suppress, frameworkId: { value: "ubar.other.1" } }).kind, "refused");
  assert.equal(ann.call({ type: Type.ACCEPT, accept: {} }).kind, "refused");
  assert.equal(ann.call({ type: Type.UPDATE_FRAMEWORK }).kind, "refused");
  assert.equal(world.frameworks.call({ user: "ubar", isAdmin: false }, undefined, { ...suppress } as never, undefined).kind, "refused");
});

test("a scheduler that does not read is cut off, and its offers go to others [offers.C9]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.room = 1;
  ann.subscribe();
  assert.match(ann.ended ?? "", /does not read/);
  const ben = world.scheduler("ben");
  ben.subscribe();
  assert.equal(ben.offers.size, 1);
  assert.notEqual(world.state.jobs.get("ubar/ann" as never)?.led?.disconnectedMs, 0, "The cell knows that nobody leads it");
});

test("what a scheduler that hung up was offered goes to those who are there [offers.C9]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const ben = world.scheduler("ben");
  ben.subscribe();
  assert.deepEqual([ann.offers.size, ben.offers.size], [1, 0]);
  ann.hangUp();
  world.run();
  assert.equal(ben.offers.size, 1);
});

test("when the master leads no more every stream ends, and a scheduler may subscribe again [offers.C10][Z11]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  world.masterIs = "following";
  world.run(6_000);
  assert.match(ann.ended ?? "", /subscribe again/);
  assert.deepEqual(ann.errors, []);
  world.masterIs = "leading";
  ann.subscribe();
  assert.equal(ann.offers.size, 1);
  world.masterIs = "silent";
  world.run(30_000);
  assert.match(ann.ended ?? "", /subscribe again/);
});

test("a group is launched as a whole or not at all [offers.C3]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const { offer } = ann;
  const executor = { executorId: { value: "e" }, type: 1 } as const;
  const group = (tasks: object[]) => ({ type: 6, launchGroup: { executor, taskGroup: { tasks } } }) as const;
  ann.call({
    type: Type.ACCEPT,
    accept: {
      offerIds: [{ value: offer.id?.value ?? "" }],
      operations: [
        group([
          ann.task("a1", offer),
          ann.task("a2", offer, [
            ["cpus", 9],
            ["mem", 1],
          ]),
        ]),
        group([ann.task("b1", offer), ann.task("b2", offer)]),
      ] as never,
    },
  });
  world.run();
  assert.deepEqual(ann.told, ["a1 TASK_ERROR", "a2 TASK_ERROR"]);
  assert.equal(ann.updates[0]?.reason, Reason.TASK_GROUP_INVALID);
  assert.deepEqual([...(world.state.jobs.get("ubar/ann" as never)?.led?.byId.keys() ?? [])], ["b1", "b2"]);
});

test("a framework that may have little quota is offered no more [offers.L2]", () => {
  const world = cell();
  world.must(
    world.user("admin", {
      case: "quotaSet",
      value: { user: "ubar", band: 2, quota: { limit: { cpuMilli: 1500, ramBytes: GI, diskBytes: GI } } },
    }),
  );
  const ann = world.scheduler("ann");
  ann.subscribe();
  assert.equal(amountIn(ann.offer.resources, "cpus"), 1.5);
  ann.launch(ann.offer, [ann.task("t1", ann.offer)], 0);
  world.run();
  assert.deepEqual(
    [...ann.offers.values()].map(({ resources }) => amountIn(resources, "cpus")),
    [0.5],
  );
});

test("a framework that does not come to a new master counts as left after a minute, and not sooner [offers.C11][Z12]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  const ben = world.scheduler("ben");
  ann.subscribe();
  ben.subscribe();
  world.frameworks.restored();
  ben.subscribe();
  world.run(50_000);
  assert.equal(world.state.jobs.get("ubar/ann" as never)?.led?.disconnectedMs, 0);
  world.run(15_000);
  assert.notEqual(world.state.jobs.get("ubar/ann" as never)?.led?.disconnectedMs, 0);
  assert.equal(world.state.jobs.get("ubar/ben" as never)?.led?.disconnectedMs, 0);
});

test("calls that wait are bounded in number and in size; one more is told to come again [offers.C12]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const { offer } = ann;
  world.masterIs = "silent";
  assert.equal(ann.launch(offer, [ann.task("t0", offer)]).kind, "accepted");
  const large = (i: number) => ann.task(`t${i}`, offer, undefined, { command: { value: "x".repeat(60_000) } });
  const answers = Array.from({ length: 200 }, (_, i) => ann.launch(offer, [large(i)]));
  const refused = answers.filter(({ kind }) => kind === "refused");
  assert.deepEqual(refused[0], {
    kind: "refused",
    status: 503,
    text: "Too many calls of the framework wait: send no more before some are done",
  });
  assert.ok(answers.length - refused.length > 100);
});

const EXECUTOR = {
  executorId: { value: "e" },
  type: 2,
  command: { value: "serve" },
  resources: [
    { name: "cpus", type: 0, scalar: { value: 0.5 } },
    { name: "mem", type: 0, scalar: { value: 64 } },
  ],
} as const;

test("a task with an executor brings it along where it is not there, out of the same offer; another ExecutorInfo is an error [offers.C14][Z2]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const { offer } = ann;
  const inside = (id: string, more: object = {}) =>
    ann.task(id, offer, undefined, { command: undefined, executor: { ...EXECUTOR, ...more } } as never);
  ann.launch(offer, [inside("t1"), inside("t2"), inside("t3", { name: "other" })], 0);
  world.run();
  assert.deepEqual(ann.told, ["t3 TASK_ERROR"]);
  assert.match(ann.updates[0]?.message ?? "", /^Executor "e" on "m1" was launched with another ExecutorInfo/);
  const byId = world.state.jobs.get("ubar/ann" as never)?.led?.byId;
  assert.deepEqual([...(byId?.keys() ?? [])], ["executor e on m1", "t1", "t2"]);
  const [host, task] = [byId?.get("executor e on m1")?.launched?.spec.wants.task, byId?.get("t1")?.launched?.spec.wants.task];
  assert.deepEqual([host?.limit?.cpuMilli, host?.command, host?.executor?.instance], [500, ["/bin/sh", "-c", "serve"], ""]);
  assert.match(task?.executor?.instance ?? "", /^ubar\/ann\/0:/);
  const agentId = offer.agentId ?? { value: "" };
  const executorId = { value: "e" };
  for (const id of ["e", "nobody"])
    ann.call({ type: Type.MESSAGE, message: { agentId, executorId: { value: id }, data: new Uint8Array(3) } });
  world.run();
  const instance = byId?.get("executor e on m1")?.instance?.id ?? "";
  assert.deepEqual(world.messages, [`m1 ${instance} 3`]);
  for (const said of [
    { machine: "m1", instance },
    { machine: "m2", instance },
    { machine: "m1", instance: byId?.get("t1")?.instance?.id ?? "" },
  ])
    world.frameworks.executorSaid({ ...said, data: new Uint8Array([9]) });
  const heard = ann.events.flatMap(({ message }) => (message === undefined ? [] : [`${message.executorId?.value} ${message.data}`]));
  assert.deepEqual(heard, ["e 9"], "only of an executor that is there");
  assert.equal(ann.call({ type: Type.SHUTDOWN, shutdown: { agentId, executorId } }).kind, "accepted");
  world.run();
  assert.equal(byId?.get("executor e on m1")?.state, "ending");
});

test("a health check becomes the cell's own, and what the cell cannot ask is refused in words [offers.C15]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const { offer } = ann;
  const port = Number(offer.resources.find(({ name }) => name === "ports")?.ranges?.range[0]?.begin ?? 0);
  const ports = { name: "ports", type: 1, ranges: { range: [{ begin: BigInt(port), end: BigInt(port) }] } } as const;
  const checked = (id: string, healthCheck: object) => {
    const task = ann.task(id, offer, undefined, { healthCheck });
    return id === "http" ? { ...task, resources: [...(task.resources ?? []), ports] } : task;
  };
  const tasks = [
    checked("http", { type: 2, http: { port, path: "/ok" }, intervalSeconds: 2, consecutiveFailures: 5 }),
    checked("command", { type: 1, command: { value: "test -e ok" }, delaySeconds: 0 }),
    checked("foreign", { type: 3, tcp: { port } }),
    checked("https", { type: 2, http: { port, scheme: "https" } }),
    checked("statuses", { type: 2, http: { port, statuses: [200] } }),
    checked("nothing", { type: 3 }),
    checked("variables", { type: 1, command: { value: "x", environment: { variables: [{ name: "A", value: "1" }] } } }),
  ];
  ann.launch(offer, tasks as never, 0);
  world.run();
  assert.deepEqual(
    ann.told,
    ["foreign", "https", "statuses", "nothing", "variables"].map((id) => `${id} TASK_ERROR`),
  );
  assert.match(ann.updates[0]?.message ?? "", /^A health check asks port \d+, which is not one of the task's/);
  const healthOf = (id: string) => world.state.jobs.get("ubar/ann" as never)?.led?.byId.get(id)?.launched?.spec.wants.task?.health;
  const { port: name, path, intervalMs, timeoutMs, failures, graceMs } = healthOf("http")!;
  assert.deepEqual([name, path, intervalMs, timeoutMs, failures, graceMs], ["port0", "/ok", 2000, 20_000, 5, 25_000]);
  assert.deepEqual([healthOf("command")?.command, healthOf("command")?.graceMs], [["/bin/sh", "-c", "test -e ok"], 10_000]);
});

test("a REQUEST is taken and changes nothing [offers.C13][Z3]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  assert.equal(ann.call({ type: Type.REQUEST, request: { requests: [] } }).kind, "accepted");
});

test("another order of offers is gone by from the next offer on, and nobody has to subscribe again [offers.S8][Z7]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const bob = world.scheduler("bob", { labels: { labels: [{ key: "borg/priority", value: "110" }] } });
  bob.subscribe();
  const nextOf = (): string => {
    const [who] = [ann, bob].filter(({ offers }) => offers.size > 0);
    who?.decline(who.offer, 0);
    world.run();
    return ann.offers.size > 0 ? "ann" : "bob";
  };
  assert.equal(nextOf(), "ann", "the first of equals");
  world.must(world.user("admin", { case: "offersSet", value: { module: OfferModule.PRIORITY } }));
  assert.equal(nextOf(), "bob");
  assert.equal(nextOf(), "bob", "whatever its share");
  world.must(world.user("admin", { case: "offersSet", value: { module: OfferModule.DRF } }));
  assert.equal(nextOf(), "ann");
});

test("machines that are kept for short tasks from now on are offered anew, with the longest duration; longer tasks and executors are errors there [offers.D1][offers.D2][Z9]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  ann.subscribe();
  const before = ann.offer.id?.value;
  const durationOf = (): string | undefined => ann.offer.attributes.find(({ name }) => name === MAX_COMPLETION)?.text?.value;
  assert.equal(durationOf(), undefined);
  world.must(world.user("admin", { case: "offersSet", value: { shortPermille: 1000, shortMs: 60_000 } }));
  world.run();
  assert.equal(ann.offers.size, 1);
  assert.notEqual(ann.offer.id?.value, before);
  assert.equal(durationOf(), "60");
  const { offer } = ann;
  const lasting = (id: string, seconds: number, more: object = {}) =>
    ann.task(id, offer, undefined, { maxCompletionTime: { nanoseconds: BigInt(seconds * 1e9) }, ...more } as never);
  ann.launch(offer, [
    ann.task("any", offer),
    lasting("long", 61),
    lasting("inside", 60, { command: undefined, executor: EXECUTOR }),
    lasting("short", 60),
  ]);
  world.run();
  assert.deepEqual(ann.told, ["any TASK_ERROR", "long TASK_ERROR", "inside TASK_ERROR"]);
  assert.match(ann.updates[0]?.message ?? "", /kept for tasks that end within 60 s: set max_completion_time/);
  assert.equal(world.task("ubar/ann/0").launched?.taskId, "short");
  world.must(world.user("admin", { case: "offersSet", value: { shortPermille: 0 } }));
  world.run(6_000);
  assert.equal(durationOf(), undefined);
});

test("who subscribes while the master does not answer hears no ERROR: the stream ends, and it may come again [offers.C16][Z11]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  world.masterIs = "silent";
  ann.subscribe();
  world.run(10_000);
  assert.deepEqual([ann.ended, ann.errors], ["The master does not answer", []]);
  world.masterIs = "leading";
  ann.subscribe();
  assert.equal(ann.events[0]?.type, Event_Type.SUBSCRIBED);
});

test("after a master's death nothing is offered before all frameworks are back, or 3 s passed: who comes first does not get everything [offers.S9][Z11]", () => {
  const world = cell();
  for (const name of ["m2", "m3", "m4"]) world.machine(name, 4000, 8 * GI);
  const ann = world.scheduler("ann");
  const ben = world.scheduler("ben");
  const eve = world.scheduler("eve");
  for (const each of [ann, ben, eve]) each.subscribe();
  eve.hangUp();
  world.run();
  world.frameworks.restored();
  ann.subscribe();
  assert.equal(ann.offers.size, 0);
  ben.subscribe();
  assert.deepEqual([ann.offers.size, ben.offers.size], [2, 2], "nobody waits for one that had left before");
  world.frameworks.restored();
  ann.subscribe();
  world.run(2_000);
  assert.equal(ann.offers.size, 0);
  world.run(1_000);
  assert.equal(ann.offers.size, 4);
  ben.subscribe();
  assert.deepEqual([...ben.errors, ben.ended], [undefined]);
});

test("FAILURE of a machine is heard once, when what was on it is given up, and not while it only does not answer [offers.C17][Z12]", () => {
  const world = cell();
  const ann = world.scheduler("ann");
  const ben = world.scheduler("ben");
  ann.subscribe();
  ann.launch(ann.offer, [ann.task("t1", ann.offer), ann.task("t2", ann.offer)]);
  ben.subscribe();
  world.run();
  const lost = (): string[][] =>
    [ann, ben].map(({ events }) => events.flatMap(({ failure }) => (failure === undefined ? [] : [failure.agentId?.value ?? ""])));
  const giveUp = (index: number): void => {
    const instances = [world.task(`ubar/ann/${index}`).instance?.id ?? ""];
    world.must(world.master({ case: "taskLost", value: { machine: "m1", instances } }));
  };
  world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  world.run(60_000);
  assert.deepEqual(lost(), [[], []]);
  giveUp(0);
  giveUp(1);
  world.run();
  assert.deepEqual(lost(), [["m1"], ["m1"]]);
  assert.deepEqual(ann.told, ["t1 TASK_LOST", "t2 TASK_LOST"]);
  for (const update of ann.updates) ann.acknowledge(update);
  world.must(world.user("admin", { case: "machineLeave", value: { machine: "m1" } }));
  world.run();
  assert.deepEqual(lost(), [["m1"], ["m1"]], "that it leaves is nothing new");
  world.machine("m1", 4000, 8 * GI);
  world.must(world.user("admin", { case: "machineLeave", value: { machine: "m1" } }));
  world.run();
  assert.deepEqual(
    lost(),
    [
      ["m1", "m1"],
      ["m1", "m1"],
    ],
    "one that leaves was not told before",
  );
});
