/**
 * Frameworks of random behaviour, in every master process: they subscribe at its desk as at the HTTP edge, hoard offers, decline them, never answer, die, register
 * twice (framework-habits.ts), kill what they launched, and put tasks into executors (framework-executors.ts). What they remember outlives masters. Judged here: offers that are out at one desk do not overlap and do
 * not stay (judge/offers.ts), and nothing comes on a stream that has ended. What became of their tasks the cell's own invariants judge.
 */
import type { Actor, Address, Env } from "../../base/env.ts";
import { Random } from "../../base/random.ts";
import { PRIORITY_LABEL } from "../../offers/framework-info.ts";
import { type Init, make } from "../../wire/codec.ts";
import type { CallAnswer, EventStream, FrameworkDesk } from "../../wire/framework-desk.ts";
import type { MachineFacts } from "../../wire/gen/borg/v1/machine_pb.ts";
import {
  FrameworkInfo_Capability_Type,
  type Offer,
  Offer_Operation_Type,
  type TaskInfoSchema,
  TaskState,
  type TaskStatus,
  Value_Type,
} from "../../wire/gen/mesos/v1/mesos_pb.ts";
import { Call_Type, CallSchema, type Event, Event_Type } from "../../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { type Held, offerProblems, scalarIn } from "../judge/offers.ts";
import { drawExecutors, inside, type Spoken, speak } from "./framework-executors.ts";
import { drawHabit, type Habit } from "./framework-habits.ts";
import type { Violation } from "./kernel.ts";

/** While there are faults every framework acts about so often, however long that is: like a call of a client, what it does costs more to simulate than a quiet second. */
const ACTS = 40;
/** Nor more often than this. */
const ACT_MS_MIN = 2_500;
const TASKS_MAX = 12;
/** An offer that is rescinded then was rescinded because nobody answered it. */
const LASTS_MS = 60_000;
/** One in batch, in the role that an admin gives a guarantee now and then; one in free; one in prod. */
const KINDS = [
  { name: "fw-a", priority: "100", role: "eng" },
  { name: "fw-b", priority: "50", role: "*" },
  { name: "fw-c", priority: "200", role: "*" },
] as const;

/** What a framework keeps when its scheduler or its master dies. */
export interface Remembered {
  readonly user: string;
  readonly name: string;
  readonly priority: string;
  readonly role: string;
  readonly habit: Habit;
  id: string | undefined;
  /** The number of its last task. */
  last: number;
  readonly running: Set<string>;
  /** Those of them that it was told to run. */
  readonly started: Set<string>;
  /** Whether it launches tasks inside executors, too; and the executor that it thought of last. */
  readonly executors: boolean;
  spoken: Spoken | undefined;
}

export const remembered = (users: readonly string[], seed: number): readonly Remembered[] =>
  KINDS.map((kind, i) => {
    const habit = drawHabit(new Random(seed, `habit/${kind.name}`));
    const executors = drawExecutors(new Random(seed, `executors/${kind.name}`));
    const own = { habit, executors, id: undefined, last: 0, running: new Set<string>(), started: new Set<string>(), spoken: undefined };
    return { user: users[i % users.length] ?? "", ...kind, ...own };
  });

export interface FrameworksPlace {
  readonly desk: FrameworkDesk;
  readonly memory: readonly Remembered[];
  /** How long there are faults. */
  readonly safetyMs: number;
  /** Whether anything new is begun; while a world heals, frameworks only listen. */
  readonly open: () => boolean;
  /** Every size that a machine has had. */
  readonly sizes: (agent: string) => readonly MachineFacts[];
  readonly violate: (violation: Violation) => void;
  readonly probe: (what: string) => void;
}

export class SimulatedFrameworks implements Actor<never> {
  readonly #env: Env<never>;
  readonly #place: FrameworksPlace;
  readonly #actMs: number;
  #schedulers: Scheduler[] = [];

  constructor(env: Env<never>, place: FrameworksPlace) {
    this.#env = env;
    this.#place = place;
    this.#actMs = Math.max(ACT_MS_MIN, place.safetyMs / ACTS);
  }

  start(): void {
    this.#env.timer(this.#actMs, "act");
  }

  onMessage(_from: Address): void {}

  onTimer(): void {
    this.#env.timer(this.#actMs * (0.5 + this.#env.random()), "act");
    this.#schedulers = this.#schedulers.filter(({ isOver }) => !isOver);
    for (const memory of this.#place.memory) this.#act(memory);
    this.#judge();
  }

  #act(memory: Remembered): void {
    const own = this.#schedulers.filter((each) => each.memory === memory);
    const chance = (probability: number): boolean => this.#env.random() < probability;
    const { hangsUp, subscribes } = memory.habit;
    if (own.length === 0 || (this.#place.open() && chance(subscribes))) {
      this.#schedulers.push(new Scheduler(this.#env, this.#place, memory));
      return;
    }
    for (const scheduler of own) {
      if (this.#place.open() && chance(hangsUp)) scheduler.hangUp();
      else scheduler.act(this.#place.open());
    }
  }

  /** All offers that schedulers of this desk hold. */
  #judge(): void {
    const { sizes, violate } = this.#place;
    const held = this.#schedulers.flatMap(({ offers }) => [...offers.values()]);
    for (const text of offerProblems(held, sizes, this.#env.now())) violate({ id: "KF3", text });
  }
}

type CallInit = Init<typeof CallSchema>;

/** One subscriber. */
class Scheduler implements EventStream {
  readonly memory: Remembered;
  readonly offers = new Map<string, Held>();
  readonly #env: Env<never>;
  readonly #place: FrameworksPlace;
  readonly #answer: CallAnswer;
  #updates: TaskStatus[] = [];
  isOver = false;

  constructor(env: Env<never>, place: FrameworksPlace, memory: Remembered) {
    this.#env = env;
    this.#place = place;
    this.memory = memory;
    const { id, name, priority, role } = memory;
    const own = id === undefined ? {} : { frameworkId: { value: id } };
    const info = {
      user: "root",
      name,
      failoverTimeout: 3_600,
      labels: { labels: [{ key: PRIORITY_LABEL, value: priority }] },
      roles: [role],
      capabilities: [{ type: FrameworkInfo_Capability_Type.MULTI_ROLE }],
      ...(id === undefined ? {} : { id: { value: id } }),
    };
    const call = make(CallSchema, { type: Call_Type.SUBSCRIBE, ...own, subscribe: { frameworkInfo: info } });
    this.#answer = place.desk.call({ user: memory.user, isAdmin: false }, undefined, call, this);
    if (this.#answer.kind !== "streaming") this.isOver = true;
  }

  send(event: Event): boolean {
    if (this.isOver) this.#place.violate({ id: "KF3", text: `An event came after the end of the stream of ${this.memory.name}` });
    if (event.type === Event_Type.SUBSCRIBED) this.#subscribed(event.subscribed?.frameworkId?.value);
    for (const offer of event.offers?.offers ?? [])
      this.offers.set(offer.id?.value ?? "", { offer, heardMs: this.#env.now(), isLate: false });
    if (event.type === Event_Type.RESCIND) this.#rescinded(event.rescind?.offerId?.value ?? "");
    if (event.update?.status !== undefined) this.#updates.push(event.update.status);
    if (event.message !== undefined) this.#answered(event.message.data ?? new Uint8Array());
    if (event.failure?.executorId !== undefined) this.#place.probe("a framework heard that an executor ended");
    // One that was torn down, or that the cell forgot, begins anew.
    if (event.type === Event_Type.ERROR && /torn down|does not exist|is another one/.test(event.error?.message ?? ""))
      this.memory.id = undefined;
    return this.#random() > 0.002;
  }

  /** Its executors say what it said. */
  #answered(data: Uint8Array): void {
    const from = Array.from(data, (byte) => String.fromCharCode(byte)).join("");
    const { name } = this.memory;
    if (from !== name) this.#place.violate({ id: "KF6", text: `"${name}" heard an executor of "${from}"` });
    this.#place.probe("an executor answered its framework");
  }

  #rescinded(id: string): void {
    const held = this.offers.get(id);
    if (held !== undefined && this.#env.now() - held.heardMs >= LASTS_MS) this.#place.probe("offer came back unanswered");
    this.offers.delete(id);
  }

  #subscribed(id: string | undefined): void {
    if (this.memory.id !== id) {
      this.memory.running.clear();
      this.memory.started.clear();
    }
    this.memory.id = id;
    this.#place.probe("framework subscribed");
  }

  end(): void {
    this.isOver = true;
    this.offers.clear();
  }

  hangUp(): void {
    this.end();
    if (this.#answer.kind === "streaming") this.#place.desk.gone(this.#answer.streamId);
  }

  /** While all heals it takes note of what it hears and begins nothing. */
  act(isOpen: boolean): void {
    for (const status of this.#updates.splice(0)) this.#hear(status);
    const { declines, keepsMs } = this.memory.habit;
    if (keepsMs === Number.POSITIVE_INFINITY) return;
    if (!isOpen) return this.#each(0, (offer) => this.#decline(offer));
    const draw = this.#random();
    if (draw < 0.3) return;
    if (draw < 0.35) return this.#call({ type: Call_Type.SUPPRESS, suppress: {} });
    if (draw < 0.45) return this.#call({ type: Call_Type.REVIVE, revive: {} });
    if (draw < 0.5) return this.#call({ type: Call_Type.RECONCILE, reconcile: {} });
    if (draw < 0.505) return this.#call({ type: Call_Type.TEARDOWN });
    const [task] = this.memory.running;
    if (draw < 0.55 && task !== undefined) return this.#call({ type: Call_Type.KILL, kill: { taskId: { value: task } } });
    const { spoken } = this.memory;
    if (spoken !== undefined && this.#random() < 0.3) return this.#call(speak(spoken, this.memory.name, () => this.#random()));
    this.#each(keepsMs, (offer) =>
      this.#random() < declines || this.memory.running.size >= TASKS_MAX ? this.#decline(offer) : this.#launch(offer),
    );
  }

  #random(): number {
    return this.#env.random();
  }

  /** Those that it has held for so long. */
  #each(keepsMs: number, work: (offer: Offer) => void): void {
    for (const [id, { offer, heardMs }] of [...this.offers]) {
      if (this.#env.now() - heardMs < keepsMs) continue;
      this.offers.delete(id);
      work(offer);
    }
  }

  #hear(status: TaskStatus): void {
    const taskId = status.taskId?.value ?? "";
    // A scheduler that another one replaced may look late at what it was told long ago.
    if (status.state === TaskState.TASK_RUNNING && this.memory.running.has(taskId)) this.memory.started.add(taskId);
    if (OVER.has(status.state ?? -1)) {
      this.memory.running.delete(taskId);
      this.memory.started.delete(taskId);
    }
    if (status.uuid === undefined) return;
    const agentId = { value: status.agentId?.value ?? "m1" };
    this.#call({ type: Call_Type.ACKNOWLEDGE, acknowledge: { taskId: { value: taskId }, agentId, uuid: status.uuid } });
  }

  #decline({ id }: Offer): void {
    const refuseSeconds = this.#random() < 0.5 ? 0 : 20 * this.#random();
    this.#call({ type: Call_Type.DECLINE, decline: { offerIds: [{ value: id?.value ?? "" }], filters: { refuseSeconds } } });
  }

  #launch(offer: Offer): void {
    const taskInfos = Array.from({ length: 1 + Math.floor(this.#most() * this.#random()) }, () => this.#task(offer));
    const operations = [{ type: Offer_Operation_Type.LAUNCH, launch: { taskInfos } }];
    this.#call({ type: Call_Type.ACCEPT, accept: { offerIds: [{ value: offer.id?.value ?? "" }], operations } });
  }

  /** Inside an executor there is room for many. */
  #most = (): number => (this.memory.executors ? 6 : 3);

  #task({ agentId, resources }: Offer): Init<typeof TaskInfoSchema> {
    const { memory } = this;
    memory.last += 1;
    const taskId = `${memory.name}-${memory.last}`;
    memory.running.add(taskId);
    const program = ["work", "crash", "serve", "flaky"][Math.floor(4 * this.#random())] ?? "work";
    const task = {
      taskId: { value: taskId },
      agentId: { value: agentId?.value ?? "" },
      command: { shell: false, value: program, arguments: [program, String(Math.floor(40_000 * this.#random()))] },
      resources: [
        scalar("cpus", 0.1 + this.#random()),
        scalar("mem", Math.min(scalarIn(resources, "mem"), 64 + Math.floor(512 * this.#random()))),
      ],
    };
    if (!memory.executors || this.#random() < 0.3) return task;
    const whole = inside(task, () => this.#random());
    memory.spoken = { agent: agentId?.value ?? "", executor: whole.executor?.executorId?.value ?? "" };
    return whole;
  }

  #call(init: CallInit): void {
    const { memory } = this;
    if (this.#answer.kind !== "streaming" || memory.id === undefined || this.isOver) return;
    const call = make(CallSchema, { ...init, frameworkId: { value: memory.id } });
    this.#place.desk.call({ user: memory.user, isAdmin: false }, this.#answer.streamId, call, undefined);
  }
}

/** TASK_FINISHED, FAILED, KILLED, LOST, ERROR. */
const OVER: ReadonlySet<number> = new Set([2, 3, 4, 5, 7]);

const scalar = (name: string, value: number): { name: string; type: Value_Type; scalar: { value: number } } => ({
  name,
  type: Value_Type.SCALAR,
  scalar: { value },
});
