/** Frameworks on a real cell: the desk over a cell's own state, and schedulers that speak Mesos to it. Time stands still unless a test lets it go on. */
import assert from "node:assert/strict";
import { Heap, type Timed } from "../../src/base/heap.ts";
import { Random } from "../../src/base/random.ts";
import type { Outcome } from "../../src/cell/cell.ts";
import { uuidOf } from "../../src/cell/framework.ts";
import { type Op, unseal } from "../../src/cell/op.ts";
import type { Touched } from "../../src/cell/touched.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import { Frameworks, type FrameworksHost } from "../../src/offers/frameworks.ts";
import { type Init, make } from "../../src/wire/codec.ts";
import type { CallAnswer, EventStream } from "../../src/wire/framework-desk.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import type { FrameworkInfoSchema, Offer, TaskInfoSchema } from "../../src/wire/gen/mesos/v1/mesos_pb.ts";
import { type Resource, TaskState, type TaskStatus, Value_Type } from "../../src/wire/gen/mesos/v1/mesos_pb.ts";
import { CallSchema, type Event, Event_Type, Call_Type as Type } from "../../src/wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { World } from "../cell/world.ts";

interface Timer extends Timed {
  readonly tag: string;
}

export class DeskWorld extends World {
  readonly frameworks: Frameworks;
  nowMs = 0;
  /** For executors. */
  readonly messages: string[] = [];
  /** What the master says to everything, if it is not there. */
  masterIs: "leading" | "silent" | "following" = "leading";
  readonly #timers = new Heap<Timer>();
  readonly #random = new Random(1);
  #asked: { readonly id: string; readonly bytes: Uint8Array }[] = [];
  #sequence = 0;
  #ids = 0;

  constructor() {
    super();
    const world = this;
    const host: FrameworksHost = {
      now: () => this.nowMs,
      id: () => `id${++this.#ids}`,
      random: () => this.#random.float(),
      position: () => this.state.position,
      get state() {
        return world.state;
      },
      request: (id, bytes) => void this.#asked.push({ id, bytes }),
      tellExecutor: (machine, instance, data) => void this.messages.push(`${machine} ${instance} ${data.length}`),
      confirm: () => {
        if (this.masterIs !== "silent") this.frameworks.confirmed(this.masterIs === "leading");
      },
      timer: (afterMs, tag) => this.#timers.push({ timeMs: this.nowMs + afterMs, sequence: ++this.#sequence, tag }),
    };
    this.frameworks = new Frameworks(host);
  }

  override init(): this {
    super.init();
    for (let version = this.state.version + 1; version <= VERSION_MAX; version++)
      this.must(this.master({ case: "cellVersion", value: { version } }));
    return this;
  }

  override entry(...ops: Op[]): Outcome[] {
    const outcomes = super.entry(...ops);
    const touched = new Set<Touched>();
    for (const outcome of outcomes) if (outcome.ok) touched.add(outcome.touched);
    this.frameworks.changed(touched);
    return outcomes;
  }

  /** The master decides about everything that was asked, and timers go off, until so much time is over. */
  run(forMs = 200): this {
    const untilMs = this.nowMs + forMs;
    for (;;) {
      this.#decide();
      const timer = this.#timers.peek();
      if (timer === undefined || timer.timeMs > untilMs) break;
      this.#timers.pop();
      this.nowMs = Math.max(this.nowMs, timer.timeMs);
      this.frameworks.onTimer(timer.tag);
    }
    this.nowMs = untilMs;
    this.timeMs += forMs;
    return this;
  }

  #decide(): void {
    while (this.#asked.length > 0) {
      const asked = this.#asked;
      this.#asked = [];
      for (const { id, bytes } of asked) this.#answer(id, bytes);
    }
  }

  #answer(id: string, bytes: Uint8Array): void {
    if (this.masterIs === "silent") return;
    if (this.masterIs === "following")
      return this.frameworks.told({ id, result: "unavailable", reason: "This master does not lead", retryAfterMs: 500 });
    const op = unseal(bytes);
    assert.ok(op.ok, op.ok ? "" : op.reason);
    const outcome = this.try(op.value.op);
    const { position } = this.state;
    this.frameworks.told(
      outcome.ok ? { id, result: "done", position, answer: outcome.answer } : { id, result: "refused", position, reason: outcome.reason },
    );
  }

  scheduler(name: string, info: Init<typeof FrameworkInfoSchema> = {}, user = "ubar"): Scheduler {
    return new Scheduler(this, name, info, user);
  }

  /** What a borglet says of a framework's task. */
  says(id: string, phase: Phase, exitCode = 0): void {
    const instance = this.task(id).instance;
    assert.ok(instance !== undefined, `Task ${id} is nowhere`);
    assert.equal(this.report(instance.place.machine.id, { instance: instance.id, phase, run: 1, exitCode }), "ok");
  }

  runs(id: string): void {
    this.says(id, Phase.RUNNING);
  }

  uuid(id: string, number: number): Uint8Array {
    return uuidOf(this.task(id), number);
  }
}

export const scalar = (name: string, value: number): Init<typeof import("../../src/wire/gen/mesos/v1/mesos_pb.ts").ResourceSchema> => ({
  name,
  type: Value_Type.SCALAR,
  scalar: { value },
});

type TaskInit = Init<typeof TaskInfoSchema>;

/** A scheduler with a memory: what it heard, and what it has. */
export class Scheduler implements EventStream {
  readonly world: DeskWorld;
  readonly user: string;
  readonly events: Event[] = [];
  readonly offers = new Map<string, Offer>();
  readonly info: Init<typeof FrameworkInfoSchema>;
  streamId = "";
  id: string | undefined;
  ended: string | undefined;
  /** So many events before it says that it is full. */
  room = Number.POSITIVE_INFINITY;

  constructor(world: DeskWorld, name: string, info: Init<typeof FrameworkInfoSchema>, user: string) {
    this.world = world;
    this.user = user;
    this.info = { user: "root", name, failoverTimeout: 3600, ...info };
  }

  send(event: Event): boolean {
    assert.equal(this.ended, undefined, "Nothing comes after the end");
    if (this.events.length >= this.room) return false;
    this.events.push(event);
    if (event.type === Event_Type.SUBSCRIBED) this.id = event.subscribed?.frameworkId?.value;
    for (const offer of event.offers?.offers ?? []) this.offers.set(offer.id?.value ?? "", offer);
    if (event.type === Event_Type.RESCIND) this.offers.delete(event.rescind?.offerId?.value ?? "");
    return true;
  }

  end(reason: string): void {
    this.ended = reason;
  }

  subscribe(more: Init<typeof import("../../src/wire/gen/mesos/v1/scheduler/scheduler_pb.ts").Call_SubscribeSchema> = {}): CallAnswer {
    const own = this.id === undefined ? {} : { frameworkId: { value: this.id } };
    const info = this.id === undefined ? this.info : { ...this.info, id: { value: this.id } };
    this.ended = undefined;
    this.offers.clear();
    const call = make(CallSchema, { type: Type.SUBSCRIBE, ...own, subscribe: { frameworkInfo: info, ...more } });
    const answer = this.world.frameworks.call({ user: this.user, isAdmin: false }, undefined, call, this);
    if (answer.kind === "streaming") this.streamId = answer.streamId;
    this.world.run();
    return answer;
  }

  call(init: Init<typeof CallSchema>, streamId = this.streamId): CallAnswer {
    const call = make(CallSchema, { ...(this.id === undefined ? {} : { frameworkId: { value: this.id } }), ...init });
    return this.world.frameworks.call({ user: this.user, isAdmin: false }, streamId, call, undefined);
  }

  hangUp(): void {
    this.world.frameworks.gone(this.streamId);
  }

  get offer(): Offer {
    const [first] = this.offers.values();
    assert.ok(first !== undefined, "There is an offer");
    return first;
  }

  task(
    taskId: string,
    offer: Offer,
    resources: Parameters<typeof scalar>[] = [
      ["cpus", 1],
      ["mem", 512],
    ],
    more: TaskInit = {},
  ): TaskInit {
    return {
      name: taskId,
      taskId: { value: taskId },
      agentId: { value: offer.agentId?.value ?? "" },
      resources: resources.map(([name, value]) => scalar(name, value)),
      command: { value: "sleep 100" },
      ...more,
    };
  }

  launch(offer: Offer, tasks: readonly TaskInit[], refuseSeconds = 5): CallAnswer {
    const id = offer.id?.value ?? "";
    this.offers.delete(id);
    return this.call({
      type: Type.ACCEPT,
      accept: { offerIds: [{ value: id }], operations: [{ type: 1, launch: { taskInfos: [...tasks] } }], filters: { refuseSeconds } },
    });
  }

  decline(offer: Offer, refuseSeconds = 5): CallAnswer {
    const id = offer.id?.value ?? "";
    this.offers.delete(id);
    return this.call({ type: Type.DECLINE, decline: { offerIds: [{ value: id }], filters: { refuseSeconds } } });
  }

  acknowledge(status: TaskStatus): CallAnswer {
    const { taskId, agentId, uuid } = status;
    return this.call({
      type: Type.ACKNOWLEDGE,
      acknowledge: { taskId: { value: taskId?.value ?? "" }, agentId: { value: agentId?.value ?? "m1" }, uuid: uuid ?? new Uint8Array() },
    });
  }

  get updates(): readonly TaskStatus[] {
    return this.events.flatMap(({ update }) => (update?.status === undefined ? [] : [update.status]));
  }

  /** "t1 TASK_RUNNING", in the order in which it was told. */
  get told(): readonly string[] {
    return this.updates.map(({ taskId, state }) => `${taskId?.value} ${STATES.get(state ?? -1)}`);
  }

  get errors(): readonly string[] {
    return this.events.flatMap(({ error }) => (error?.message === undefined ? [] : [error.message]));
  }
}

const STATES = new Map(Object.entries(TaskState).map(([name, number]) => [number as number, name]));

export const amountIn = (resources: readonly Resource[], name: string): number =>
  resources.find((resource) => resource.name === name)?.scalar?.value ?? 0;
