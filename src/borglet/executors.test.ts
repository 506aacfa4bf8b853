/** What executors are sent, and what they may say: with a machine of memory, and whatever a hostile one says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encode, type Init, make } from "../wire/codec.ts";
import { type StartOrder, StartOrderSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import { Call_Type, CallSchema, type Event, Event_Type } from "../wire/gen/mesos/v1/executor/executor_pb.ts";
import { ExecutorInfoSchema, TaskInfoSchema, TaskState } from "../wire/gen/mesos/v1/mesos_pb.ts";
import { heldOrder } from "./executor.ts";
import { Executors, type Said, SUBSCRIBE_MS } from "./executors.ts";
import { newKept, newMemory } from "./kept.ts";
import type { Seen } from "./machine.ts";

const [HOST, OTHER] = ["ann/fw/0:1", "ann/fw/1:2"] as const;
const UUID = new Uint8Array(16);
const limit = { cpuMilli: 100, ramBytes: 2 ** 20 };

const hostOrder = (instance: string): StartOrder => {
  const info = encode(ExecutorInfoSchema, make(ExecutorInfoSchema, { executorId: { value: "e" } }));
  return make(StartOrderSchema, { instance, task: { command: ["serve"], limit, executor: { id: "e", info, framework: "ann.fw.1" } } });
};

const insideOrder = (index: number, executor: string): StartOrder => {
  const info = encode(TaskInfoSchema, make(TaskInfoSchema, { taskId: { value: `t${index}` }, agentId: { value: "m1" } }));
  return make(StartOrderSchema, {
    instance: `ann/fw/${index}:${index + 1}`,
    task: { command: ["e"], limit, executor: { id: "e", instance: executor, info } },
  });
};

const nameOf = (type: Event_Type | undefined): string => Object.entries(Event_Type).find(([, number]) => number === type)?.[0] ?? "";

/** What outlives a borglet is `memory` and `disk`. */
class Machine {
  readonly memory = newMemory();
  readonly disk = new Map<string, Said>();
  readonly listening = new Set<string>();
  readonly sent: [string, Event][] = [];
  seen: Seen[] = [];
  ended: string[] = [];
  nowMs = 0;
  isFull = false;
  executors = this.#open();

  #open(): Executors {
    return new Executors({
      machine: "m1",
      memory: this.memory,
      now: () => this.nowMs,
      send: (executor, event) => void this.sent.push([executor, event]),
      isListening: (executor) => this.listening.has(executor),
      save: (instance, run, said) => !this.isFull && this.disk.set(`${instance} ${run}`, said) !== undefined,
      saved: (instance, run) => this.disk.get(`${instance} ${run}`),
      drop: (instance) => void this.disk.delete(`${instance} 1`),
      tell: (seen) => void this.seen.push(seen),
      message: () => true,
      end: (executor) => void this.ended.push(executor),
      resized: () => {},
    });
  }

  keep(order: StartOrder): StartOrder {
    this.memory.instances.set(order.instance, { ...newKept(order), phase: "running", run: 1 });
    return order;
  }

  start(index: number, executor: string = HOST): void {
    this.executors.start(this.keep(insideOrder(index, executor)), 1);
  }

  subscribe(executor: string, more: Init<typeof CallSchema>["subscribe"] = {}): void {
    this.listening.add(executor);
    assert.equal(this.executors.call(executor, make(CallSchema, { type: Call_Type.SUBSCRIBE, subscribe: more })), undefined);
  }

  say(executor: string, task: string, state: TaskState, data = new Uint8Array()): string {
    const status = { taskId: { value: task }, state, uuid: UUID, data };
    return this.executors.call(executor, make(CallSchema, { type: Call_Type.UPDATE, update: { status } }))?.text ?? "ok";
  }

  /** The borglet dies, and another one begins. */
  restart(vanished: ReadonlySet<string> = new Set()): void {
    this.listening.clear();
    this.executors = this.#open();
    const inside = [...this.memory.instances.values()].filter(({ order }) => order.task?.executor?.instance !== "");
    this.seen = [...this.executors.adopt(inside, new Set(vanished.has(HOST) ? [] : [HOST]), vanished)];
  }

  heard(executor: string = HOST): string[] {
    const mine = this.sent.splice(0).filter(([to]) => to === executor);
    return mine.map(([, { type, launch, kill, acknowledged }]) =>
      `${nameOf(type)} ${(launch?.task ?? kill ?? acknowledged)?.taskId?.value ?? ""}`.trim(),
    );
  }

  told(): string[] {
    return this.seen
      .splice(0)
      .map((seen) => `${seen.what} ${seen.instance}${seen.what === "ended" ? ` ${seen.exit.code}/${seen.exit.signal}` : ""}`);
  }
}

function machine(): Machine {
  const made = new Machine();
  for (const each of [HOST, OTHER]) made.keep(hostOrder(each));
  return made;
}

test("a task waits for its executor, is given to it once, and lives and ends as it says [borglet.Y1] [Z2]", () => {
  const it = machine();
  it.start(3);
  assert.deepEqual(it.heard(), []);
  it.subscribe(HOST);
  it.start(4);
  assert.deepEqual(it.heard(), ["SUBSCRIBED", "LAUNCH t3", "LAUNCH t4"]);
  assert.equal(it.say(HOST, "t3", TaskState.TASK_STARTING), "ok");
  assert.deepEqual(it.told(), []);
  assert.equal(it.say(HOST, "t3", TaskState.TASK_RUNNING), "ok");
  assert.equal(it.say(HOST, "t3", TaskState.TASK_FINISHED, new Uint8Array([7])), "ok");
  assert.deepEqual(
    [it.seen[1]?.what === "ended" ? it.seen[1].data : [], it.told()],
    [new Uint8Array([7]), ["alive ann/fw/3:4", "ended ann/fw/3:4 0/0"]],
  );
  assert.deepEqual(it.heard(), ["ACKNOWLEDGED t3", "ACKNOWLEDGED t3", "ACKNOWLEDGED t3"]);
  it.executors.terminate("ann/fw/4:5");
  assert.deepEqual(it.heard(), ["KILL t4"]);
  it.say(HOST, "t4", TaskState.TASK_KILLED);
  assert.deepEqual(it.told(), ["ended ann/fw/4:5 0/15"]);
});

test("what was said is saved before it is acknowledged, and outlives the borglet; what was not is said again [borglet.Y1] [KT5]", () => {
  const it = machine();
  it.subscribe(HOST);
  for (const index of [3, 4, 5]) it.start(index);
  it.heard();
  it.isFull = true;
  assert.match(it.say(HOST, "t3", TaskState.TASK_FINISHED), /cannot be written/);
  assert.deepEqual([it.heard(), it.told()], [[], []]);
  it.isFull = false;
  it.say(HOST, "t3", TaskState.TASK_FINISHED);
  it.say(HOST, "t4", TaskState.TASK_RUNNING);
  it.restart();
  assert.deepEqual(it.told(), ["ended ann/fw/3:4 0/0", "alive ann/fw/4:5", "launching ann/fw/5:6"]);
  it.heard();
  const status = { taskId: { value: "t4" }, state: TaskState.TASK_FAILED, uuid: UUID };
  it.subscribe(HOST, { unacknowledgedUpdates: [{ status }, { status: { ...status, taskId: { value: "long gone" } } }] });
  assert.deepEqual(it.heard(), ["SUBSCRIBED", "ACKNOWLEDGED t4", "ACKNOWLEDGED long gone", "LAUNCH t5"]);
  assert.deepEqual(it.told(), ["ended ann/fw/4:5 1/0"]);
});

test("what ended before the machine lost power has ended, and does not run again [borglet.Y1] [Z12]", () => {
  const it = machine();
  it.subscribe(HOST);
  for (const index of [3, 4, 5]) it.start(index);
  it.say(HOST, "t3", TaskState.TASK_FINISHED);
  it.say(HOST, "t4", TaskState.TASK_RUNNING);
  it.restart(new Set([HOST]));
  assert.deepEqual(it.told(), ["ended ann/fw/3:4 0/0", "vanished ann/fw/4:5", "vanished ann/fw/5:6"]);
});

test("who loses a task without a notice is told, too [borglet.Y1]", () => {
  const it = machine();
  it.subscribe(HOST);
  it.start(3);
  it.heard();
  it.executors.kill("ann/fw/3:4");
  assert.deepEqual([it.heard(), it.told()], [["KILL t3"], ["ended ann/fw/3:4 0/9"]]);
});

test("who was away while its task was given up is told to end it when it comes back, until it has [borglet.Y1] [Z2]", () => {
  const it = machine();
  it.subscribe(HOST);
  it.start(3);
  it.say(HOST, "t3", TaskState.TASK_RUNNING);
  it.listening.clear();
  it.executors.terminate("ann/fw/3:4");
  it.executors.kill("ann/fw/3:4");
  it.executors.forget("ann/fw/3:4");
  it.heard();
  for (let times = 0; times < 2; times++) {
    it.subscribe(HOST);
    assert.deepEqual(it.heard(), ["SUBSCRIBED", "KILL t3"]);
  }
  assert.equal(it.say(OTHER, "t3", TaskState.TASK_KILLED), 'Task "t3" is not one of this executor\'s');
  assert.equal(it.say(HOST, "t3", TaskState.TASK_KILLED), "ok");
  assert.deepEqual(it.heard(), ["ACKNOWLEDGED t3"]);
  it.subscribe(HOST);
  assert.deepEqual([it.heard(), it.told()], [["SUBSCRIBED"], ["alive ann/fw/3:4", "ended ann/fw/3:4 0/9"]]);
});

test("an executor says nothing of tasks that it does not have, and ends nobody twice [borglet.Y2]", () => {
  const it = machine();
  for (const each of [HOST, OTHER]) it.subscribe(each);
  it.start(3);
  it.heard();
  assert.equal(it.say(OTHER, "t3", TaskState.TASK_FINISHED), 'Task "t3" is not one of this executor\'s');
  assert.match(it.say(HOST, "t3", TaskState.TASK_UNREACHABLE), /^An executor says TASK_STARTING/);
  assert.deepEqual(it.told(), []);
  it.say(HOST, "t3", TaskState.TASK_FAILED);
  it.say(HOST, "t3", TaskState.TASK_FINISHED);
  assert.deepEqual(it.told(), ["ended ann/fw/3:4 1/0"]);
  assert.equal(it.executors.call("ann/web/0:1", make(CallSchema, { type: Call_Type.SUBSCRIBE }))?.status, 403);
});

test("what an executor has ends with it; one that has tasks and never listens is ended [borglet.Y2] [borglet.Y3] [Z12]", () => {
  const it = machine();
  it.subscribe(HOST);
  it.start(3);
  it.start(4, OTHER);
  it.executors.ended(HOST);
  assert.deepEqual(it.told(), ["ended ann/fw/3:4 0/9"]);
  it.nowMs = SUBSCRIBE_MS - 1;
  it.executors.tick();
  assert.deepEqual(it.ended, []);
  it.nowMs = SUBSCRIBE_MS;
  it.executors.tick();
  assert.deepEqual(it.ended, [OTHER]);
  it.executors.kill("ann/fw/4:5");
  assert.deepEqual(it.told(), ["ended ann/fw/4:5 0/9"]);
});

test("an executor is held to its own limits and those of what it has [borglet.Y4]", () => {
  const it = machine();
  for (const index of [3, 4]) it.start(index);
  assert.equal(heldOrder(hostOrder(HOST), it.memory).task?.limit?.cpuMilli, 300);
  it.memory.instances.get("ann/fw/3:4")!.phase = "finished";
  assert.equal(heldOrder(hostOrder(HOST), it.memory).task?.limit?.ramBytes, 2 * 2 ** 20);
  assert.equal(heldOrder(hostOrder(OTHER), it.memory).task?.limit?.cpuMilli, 100);
});
