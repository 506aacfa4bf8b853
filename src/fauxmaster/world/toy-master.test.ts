/**
 * The smallest master that a world can be tried with: it elects itself with the lock, appends one entry at a time, places tasks anywhere
 * they fit, and exits whenever something is odd. It holds no test itself; the real one is in borgmaster.
 */
import assert from "node:assert/strict";
import type { Actor, Address, Env } from "../../base/env.ts";
import { Api } from "../../borgmaster/api.ts";
import type { LockAnswer } from "../../borgmaster/lock-message.ts";
import type { ClientRequest, ConfirmRequest, Disconnected } from "../../borgmaster/message.ts";
import { applyEntry, newState, type Outcome } from "../../cell/cell.ts";
import { decodeEntry, encodeEntry, makeEntry, masterOp, type Op, schedulerOp, unseal } from "../../cell/op.ts";
import { everythingOn } from "../../cell/place.ts";
import type { CellState, Instance, Machine, Place, Task } from "../../cell/state.ts";
import { make } from "../../wire/codec.ts";
import {
  type InstanceReport,
  InstanceReportSchema,
  type Order,
  OrderSchema,
  Phase,
  PollSchema,
  type Report,
} from "../../wire/gen/borg/v1/machine_pb.ts";
import type { Journal, JournalAnswer } from "../../wire/journal.ts";
import type { Framed, FromBorglet } from "../../wire/link-message.ts";
import type { MasterPlace, Parts } from "../world.ts";
import { newCell } from "../world.ts";
import { SHELL } from "./process.ts";
import { ToyVault } from "./toy-vault.ts";

/** Bugs that a test may plant, to see whether the world finds them. */
export type Planted = "ack-early" | "dirty-read" | "orphans";

interface Waiting {
  readonly op: Op;
  readonly then: (outcome: Outcome, position: number) => void;
}

interface Peer {
  address: Address;
  heardMs: number;
  sequence: number;
  report: Report | undefined;
}

type In = LockAnswer | ClientRequest | ConfirmRequest | Framed<FromBorglet> | Disconnected;

const apiOf = (master: Address): Address => `${master}/api`;

/** Its API is the real one: users speak to nothing else. */
const toyApi = (env: Env<unknown>, master: Address): Api =>
  new Api(env, { master, follower: "", link: "", packages: "", vault: new ToyVault(() => env.random()), counters: "", threads: [] });

export const toyParts = (planted?: Planted): Parts => ({
  master: (birth, place) =>
    new Map<Address, Actor<never>>([
      [place.address, new ToyMaster(birth.envFor(place.address), place, planted)],
      [apiOf(place.address), toyApi(birth.envFor(apiOf(place.address)), place.address)],
    ]),
  linkOf: (master) => master,
  apiOf,
  schedulers: ["service"],
  plainWork: true,
  journal: [newCell()],
});

class ToyMaster implements Actor<In> {
  readonly #env: Env<unknown>;
  readonly #place: MasterPlace;
  readonly #planted: Planted | undefined;
  readonly #state: CellState = newState();
  readonly #links = new Map<string, Peer>();
  #journal: Journal;
  #role: "following" | "electing" | "leading" = "following";
  #term = 0;
  #last = 0;
  #sequence = 0;
  #ledMs = 0;
  #queue: Waiting[] = [];
  readonly #toCopy: { readonly position: number; readonly payload: Uint8Array }[] = [];
  #flight: { readonly batch: readonly Waiting[]; readonly payload: Uint8Array } | undefined;

  constructor(env: Env<unknown>, place: MasterPlace, planted: Planted | undefined) {
    this.#env = env;
    this.#place = place;
    this.#planted = planted;
    this.#journal = place.openJournal((answer) => this.#onJournal(answer));
  }

  start(): void {
    this.#env.timer(500, "lock");
    this.#env.timer(1000, "tick");
  }

  onTimer(tag: string): void {
    if (tag === "lock") {
      this.#env.timer(500, "lock");
      if (this.#place.lock !== undefined)
        this.#env.send(this.#place.lock, { type: "acquire", who: this.#place.address, ttlMs: 2000, versionMax: 1 });
      else if (this.#role === "following") this.#elect();
    } else {
      this.#env.timer(1000, "tick");
      this.#tellCopy();
      if (this.#role === "leading") this.#tick();
    }
  }

  onMessage(from: Address, message: In): void {
    switch (message.type) {
      case "granted":
        if (this.#role === "following") this.#elect();
        break;
      case "denied":
        if (this.#role !== "following") this.#exit("lost the lock");
        break;
      case "request":
        this.#request(from, message.id, opened(message.op));
        break;
      case "confirm":
        this.#confirm(from, message.id);
        break;
      case "frame":
        this.#frame(from, message.frame);
        break;
    }
  }

  #frame(from: Address, frame: FromBorglet): void {
    if (frame.case === "hello") this.#hello(from, frame.value.machine, frame.value.facts);
    else if (frame.case === "report") this.#report(frame.value);
  }

  #elect(): void {
    this.#role = "electing";
    this.#journal.lead();
  }

  #exit(reason: string): void {
    this.#role = "following";
    this.#env.send(SHELL, { type: "exit", reason });
  }

  #onJournal(answer: JournalAnswer): void {
    if (answer.type === "leading") {
      this.#term = answer.term;
      this.#last = answer.last;
      this.#readOn();
    } else if (answer.type === "entries") {
      for (const entry of answer.entries) this.#apply(entry.position, entry.payload);
      this.#last = Math.max(this.#last, answer.last);
      this.#readOn();
    } else if (answer.type === "appended") {
      this.#appended(answer.position);
    } else if (answer.type === "not-appended" && answer.fault === "unavailable") {
      this.#unavailable();
    } else {
      this.#exit(JSON.stringify(answer));
    }
  }

  #readOn(): void {
    if (this.#state.position < this.#last) {
      this.#journal.read(this.#state.position + 1, 1 << 20);
      return;
    }
    this.#role = "leading";
    this.#ledMs = this.#env.now();
    this.#push(masterOp({ case: "barrier", value: { master: this.#place.address } }));
    for (const machine of this.#state.machines.keys())
      this.#links.set(machine, { address: `borglet/${machine}`, heardMs: this.#ledMs, sequence: 0, report: undefined });
  }

  #push(op: Op, then: Waiting["then"] = () => {}): void {
    this.#queue.push({ op, then });
    this.#appendNext();
  }

  #appendNext(): void {
    if (this.#role !== "leading" || this.#flight !== undefined || this.#queue.length === 0) return;
    const batch = this.#queue.splice(0, 50);
    const payload = encodeEntry(
      makeEntry(
        Math.max(0, this.#env.wall()),
        batch.map(({ op }) => op),
      ),
    );
    this.#flight = { batch, payload };
    this.#journal.append(this.#term, this.#last + 1, payload);
    if (this.#planted === "ack-early") this.#appended(this.#last + 1);
  }

  #appended(position: number): void {
    const flight = this.#flight;
    if (flight === undefined || position !== this.#last + 1) return;
    this.#flight = undefined;
    this.#last = position;
    const outcomes = this.#apply(position, flight.payload);
    for (const [i, waiting] of flight.batch.entries()) waiting.then(outcomes[i] as Outcome, position);
    this.#appendNext();
  }

  #unavailable(): void {
    this.#queue = [...(this.#flight?.batch ?? []), ...this.#queue];
    this.#flight = undefined;
    this.#env.log("~append unavailable");
  }

  #apply(position: number, payload: Uint8Array): Outcome[] {
    const entry = decodeEntry(payload);
    if (!entry.ok) throw new Error(entry.reason);
    const outcomes = applyEntry(this.#state, position, entry.value);
    this.#toCopy.push({ position, payload });
    if (this.#planted !== "dirty-read") this.#tellCopy();
    return outcomes;
  }

  /** The planted bug is a copy that lags behind, and a master that confirms whatever it has. */
  #tellCopy(): void {
    for (const entry of this.#toCopy.splice(0)) this.#env.send(apiOf(this.#place.address), { type: "entry", ...entry });
  }

  #request(from: Address, id: string, op: Op): void {
    if (this.#role !== "leading") {
      this.#env.send(from, { type: "answer", id, result: "unavailable", reason: "Not the leader", retryAfterMs: 300 });
      return;
    }
    this.#push(op, (outcome, position) => {
      if (!outcome.ok) this.#env.send(from, { type: "answer", id, result: "refused", position, reason: outcome.reason });
      else {
        const { answer } = outcome;
        const at = answer.type === "repeated" ? answer.position : position;
        this.#env.send(from, { type: "answer", id, result: "done", position: at, answer });
      }
    });
  }

  /** A barrier tells whether it still leads, as `confirm` of the journal would. */
  #confirm(from: Address, id: string): void {
    const answer = () =>
      this.#env.send(from, { type: "confirmed", id, position: this.#planted === "dirty-read" ? 0 : this.#state.position });
    if (this.#planted === "dirty-read") answer();
    else if (this.#role !== "leading") this.#env.send(from, { type: "not-confirmed", id, reason: "Not the leader" });
    else this.#push(masterOp({ case: "barrier", value: { master: "read" } }), answer);
  }

  #hello(from: Address, machine: string, facts: Report["facts"]): void {
    if (this.#role !== "leading" || facts === undefined) return;
    const known = this.#links.get(machine);
    this.#links.set(machine, { address: from, heardMs: this.#env.now(), sequence: known?.sequence ?? 0, report: known?.report });
    if (!this.#state.machines.has(machine as never)) this.#push(masterOp({ case: "machineJoin", value: { machine, facts } }));
  }

  #tick(): void {
    if (this.#queue.length > 0) {
      this.#appendNext();
      return;
    }
    for (const machine of this.#state.machines.values()) {
      const link = this.#links.get(machine.id);
      if (link !== undefined) this.#poll(machine, link);
    }
    this.#schedule();
  }

  #poll(machine: Machine, link: Peer): void {
    const silent = this.#env.now() - Math.max(link.heardMs, this.#ledMs) > 15_000;
    if (machine.reachable && silent) this.#push(masterOp({ case: "machineMark", value: { machine: machine.id, reachable: false } }));
    const instances = [...everythingOn(machine)];
    if (!machine.reachable && instances.length > 0) {
      this.#push(masterOp({ case: "taskLost", value: { machine: machine.id, instances: instances.map(({ id }) => id) } }));
    }
    this.#sequence += 1;
    link.sequence = this.#sequence;
    const poll = make(PollSchema, {
      term: this.#term,
      sequence: this.#sequence,
      holdMs: 900,
      orders: this.#orders(instances, link.report),
    });
    this.#env.send(link.address, { type: "frame", frame: { case: "poll", value: poll } });
  }

  #orders(instances: readonly Instance[], report: Report | undefined): Order[] {
    const told = new Set(report?.instances.map(({ instance }) => instance));
    const wanted = new Set<string>(instances.map(({ id }) => id));
    const orders: Order[] = [];
    for (const id of told) if (!wanted.has(id) && this.#planted !== "orphans") orders.push(stop(id, 0));
    for (const instance of instances) {
      if (instance.stop !== undefined) orders.push(stop(instance.id, instance.stop.noticeMs));
      else if (!told.has(instance.id)) orders.push(start(instance));
    }
    return orders;
  }

  #report(report: Report): void {
    const link = this.#links.get(report.machine);
    const machine = this.#state.machines.get(report.machine as never);
    if (link === undefined || machine === undefined || this.#role !== "leading") return;
    if (report.term !== this.#term || report.sequence !== link.sequence) return;
    link.heardMs = this.#env.now();
    link.report = report;
    if (!machine.reachable) this.#push(masterOp({ case: "machineMark", value: { machine: machine.id, reachable: true } }));
    const told = new Map(report.instances.map((each) => [each.instance, each]));
    const news: InstanceReport[] = [];
    for (const instance of everythingOn(machine)) {
      const said = told.get(instance.id);
      const gone = said === undefined && instance.task.state !== "starting";
      if (gone) news.push(make(InstanceReportSchema, { instance: instance.id, phase: Phase.GONE }));
      else if (said !== undefined && isNews(instance, said)) news.push(said);
    }
    if (news.length > 0) this.#push(masterOp({ case: "machineReport", value: { machine: machine.id, instances: news } }));
  }

  /** Any machine, at random; the cell refuses what does not fit. */
  #schedule(): void {
    const pending: Task[] = [...this.#state.jobs.values()]
      .flatMap((job) => job.tasks)
      .filter((task) => task.state === "pending" && !task.job.held);
    const machines = [...this.#state.machines.values()].filter(({ reachable, draining }) => reachable && !draining);
    if (machines.length === 0 || pending.length === 0) return;
    const claims = pending.slice(0, 20).map((task) => ({
      task: task.id,
      incarnation: task.incarnation,
      place: machines[Math.floor(this.#env.random() * machines.length)]!.id,
    }));
    this.#push(schedulerOp("service", { case: "taskClaims", value: { claims } }));
  }
}

function opened(bytes: Uint8Array): Op {
  const found = unseal(bytes);
  assert.ok(found.ok);
  return found.value.op;
}

/** Whose room it may use: they have to go first. */
const victimsBeside = ({ machine, occupants }: Place): string[] =>
  [...machine.place.occupants.values(), ...occupants.values()].filter(({ stop }) => stop?.preemptor !== undefined).map(({ id }) => id);

const stop = (instance: string, noticeMs: number): Order => make(OrderSchema, { body: { case: "stop", value: { instance, noticeMs } } });

function start({ id, task, priority, ports, place }: Instance): Order {
  const spec = task.job.spec.kind === "job" ? task.job.spec.job : undefined;
  return make(OrderSchema, {
    body: {
      case: "start",
      value: {
        instance: id,
        task: spec?.task ?? { command: ["serve"] },
        priority,
        ports: [...ports],
        after: victimsBeside(place),
        ...(spec?.restart === undefined ? {} : { restart: spec.restart }),
      },
    },
  });
}

const isNews = (instance: Instance, said: InstanceReport): boolean =>
  said.phase > Phase.RUNNING ||
  (said.phase === Phase.RUNNING && instance.task.state === "starting") ||
  said.run > instance.run ||
  said.overRam !== instance.overRam;
