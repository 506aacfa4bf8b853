/**
 * Frameworks of random behaviour, in every master process: they subscribe at its desk as at the HTTP edge, hoard offers, decline them, never answer, die, register
 * twice and kill what they launched. What they remember outlives masters. Judged here: offers that are out at one desk do not overlap, and nothing comes
 * on a stream that has ended. What became of their tasks the cell's own invariants judge.
 */
import type { Actor, Address, Env } from "../../base/env.ts";
import { PRIORITY_LABEL } from "../../offers/framework-info.ts";
import { type Init, make } from "../../wire/codec.ts";
import type { CallAnswer, EventStream, FrameworkDesk } from "../../wire/framework-desk.ts";
import {
  FrameworkInfo_Capability_Type,
  type Offer,
  Offer_Operation_Type,
  type Resource,
  type TaskInfoSchema,
  type TaskStatus,
  Value_Type,
} from "../../wire/gen/mesos/v1/mesos_pb.ts";
import { Call_Type, CallSchema, type Event, Event_Type } from "../../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import type { Violation } from "./kernel.ts";

/** While there are faults every framework acts about so often, however long that is: like a call of a client, what it does costs more to simulate than a quiet second. */
const ACTS = 40;
/** Nor more often than this. */
const ACT_MS_MIN = 2_500;
const TASKS_MAX = 12;
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
  id: string | undefined;
  /** The number of its last task. */
  last: number;
  readonly running: Set<string>;
}

export const remembered = (users: readonly string[]): readonly Remembered[] =>
  KINDS.map((kind, i) => ({ user: users[i % users.length] ?? "", ...kind, id: undefined, last: 0, running: new Set() }));

export interface FrameworksPlace {
  readonly desk: FrameworkDesk;
  readonly memory: readonly Remembered[];
  /** How long there are faults. */
  readonly safetyMs: number;
  /** Whether anything new is begun; while a world heals, frameworks only listen. */
  readonly open: () => boolean;
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
    if (own.length === 0 || (this.#place.open() && chance(0.03))) {
      this.#schedulers.push(new Scheduler(this.#place, memory, () => this.#env.random()));
      return;
    }
    for (const scheduler of own) {
      if (this.#place.open() && chance(0.03)) scheduler.hangUp();
      else scheduler.act(this.#place.open());
    }
  }

  /** All offers that schedulers of this desk hold: none shares a port, and no machine is given out twice over. */
  #judge(): void {
    const cpus = new Map<string, number>();
    const ports = new Set<string>();
    for (const offer of this.#schedulers.flatMap(({ offers }) => [...offers.values()])) {
      const agent = offer.agentId?.value ?? "";
      // In thousandths: offers that use a machine up come to a little more than it has as fractions.
      cpus.set(agent, (cpus.get(agent) ?? 0) + Math.round(1000 * scalarIn(offer.resources, "cpus")));
      if ((cpus.get(agent) ?? 0) > CPU_MILLI_MAX) this.#place.violate({ id: "KF3", text: `Offers of "${agent}" come to more than it has` });
      for (const { begin = 0n, end = 0n } of offer.resources.find(({ name }) => name === "ports")?.ranges?.range ?? [])
        for (let port = begin; port <= end; port++) {
          if (ports.has(`${agent} ${port}`)) this.#place.violate({ id: "KF3", text: `Port ${port} of "${agent}" is in two offers` });
          ports.add(`${agent} ${port}`);
        }
    }
  }
}

/** Of the largest simulated machine. */
const CPU_MILLI_MAX = 8000;

type CallInit = Init<typeof CallSchema>;

/** One subscriber. */
class Scheduler implements EventStream {
  readonly memory: Remembered;
  readonly offers = new Map<string, Offer>();
  readonly #place: FrameworksPlace;
  readonly #random: () => number;
  readonly #answer: CallAnswer;
  #updates: TaskStatus[] = [];
  isOver = false;

  constructor(place: FrameworksPlace, memory: Remembered, random: () => number) {
    this.#place = place;
    this.memory = memory;
    this.#random = random;
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
    for (const offer of event.offers?.offers ?? []) this.offers.set(offer.id?.value ?? "", offer);
    if (event.type === Event_Type.RESCIND) this.offers.delete(event.rescind?.offerId?.value ?? "");
    if (event.update?.status !== undefined) this.#updates.push(event.update.status);
    // One that was torn down, or that the cell forgot, begins anew.
    if (event.type === Event_Type.ERROR && /torn down|does not exist|is another one/.test(event.error?.message ?? ""))
      this.memory.id = undefined;
    return this.#random() > 0.002;
  }

  #subscribed(id: string | undefined): void {
    if (this.memory.id !== id) this.memory.running.clear();
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
    if (!isOpen) return this.#each((offer) => this.#decline(offer));
    const draw = this.#random();
    if (draw < 0.3) return;
    if (draw < 0.35) return this.#call({ type: Call_Type.SUPPRESS, suppress: {} });
    if (draw < 0.45) return this.#call({ type: Call_Type.REVIVE, revive: {} });
    if (draw < 0.5) return this.#call({ type: Call_Type.RECONCILE, reconcile: {} });
    if (draw < 0.505) return this.#call({ type: Call_Type.TEARDOWN });
    const [task] = this.memory.running;
    if (draw < 0.55 && task !== undefined) return this.#call({ type: Call_Type.KILL, kill: { taskId: { value: task } } });
    this.#each((offer) => (this.#random() < 0.4 || this.memory.running.size >= TASKS_MAX ? this.#decline(offer) : this.#launch(offer)));
  }

  #each(work: (offer: Offer) => void): void {
    for (const [id, offer] of [...this.offers]) {
      this.offers.delete(id);
      work(offer);
    }
  }

  #hear(status: TaskStatus): void {
    const taskId = status.taskId?.value ?? "";
    if (OVER.has(status.state ?? -1)) this.memory.running.delete(taskId);
    if (status.uuid === undefined) return;
    const agentId = { value: status.agentId?.value ?? "m1" };
    this.#call({ type: Call_Type.ACKNOWLEDGE, acknowledge: { taskId: { value: taskId }, agentId, uuid: status.uuid } });
  }

  #decline({ id }: Offer): void {
    const refuseSeconds = this.#random() < 0.5 ? 0 : 20 * this.#random();
    this.#call({ type: Call_Type.DECLINE, decline: { offerIds: [{ value: id?.value ?? "" }], filters: { refuseSeconds } } });
  }

  #launch(offer: Offer): void {
    const taskInfos = Array.from({ length: 1 + Math.floor(3 * this.#random()) }, () => this.#task(offer));
    const operations = [{ type: Offer_Operation_Type.LAUNCH, launch: { taskInfos } }];
    this.#call({ type: Call_Type.ACCEPT, accept: { offerIds: [{ value: offer.id?.value ?? "" }], operations } });
  }

  #task({ agentId, resources }: Offer): Init<typeof TaskInfoSchema> {
    const { memory } = this;
    memory.last += 1;
    const taskId = `${memory.name}-${memory.last}`;
    memory.running.add(taskId);
    const program = ["work", "crash", "serve", "flaky"][Math.floor(4 * this.#random())] ?? "work";
    return {
      taskId: { value: taskId },
      agentId: { value: agentId?.value ?? "" },
      command: { shell: false, value: program, arguments: [program, String(Math.floor(40_000 * this.#random()))] },
      resources: [
        scalar("cpus", 0.1 + this.#random()),
        scalar("mem", Math.min(scalarIn(resources, "mem"), 64 + Math.floor(512 * this.#random()))),
      ],
    };
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

const scalarIn = (resources: readonly Resource[], name: string): number =>
  resources.find((resource) => resource.name === name)?.scalar?.value ?? 0;
