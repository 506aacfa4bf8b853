/**
 * A link shard: polls its borglets, compares their full reports with what the feed says, and hands only the differences on. It keeps nothing
 * that it could not learn again: a new leader's shard starts from an image (Borg §3.3: stateless link shards). One that is alone has all machines while its master leads. Of
 * several replicas each has one, and the journal says which of them share the machines from which entry on: each orders only before the entry that takes a machine from it and after the one that gives
 * it, so whatever a machine was ordered by an earlier shard, a later one knows of. The master sets the pace:
 * a borglet speaks only when polled, one poll is outstanding for each machine, and a newer one replaces it.
 */
import type { Actor, Address, Env } from "../base/env.ts";
import { type InstanceId, type MachineId, machineId } from "../base/id.ts";
import type { FeedItem, Image } from "../cell/feed.ts";
import { encodeOp, masterOp, type Op } from "../cell/op.ts";
import { knownFacts } from "../cell/ops/machines.ts";
import { encode, make } from "../wire/codec.ts";
import { firstDifference } from "../wire/difference.ts";
import {
  type InstanceReport,
  type MachineFacts,
  MachineFactsSchema,
  type Order,
  OrderSchema,
  Phase,
  PollSchema,
  type Report,
  type Usage,
} from "../wire/gen/borg/v1/machine_pb.ts";
import type { LinkPartition } from "../wire/gen/borg/v1/op_pb.ts";
import type { Framed, FromBorglet, ToBorglet } from "../wire/link-message.ts";
import { firstSequence } from "../wire/poll-sequence.ts";
import type { SecretsAsk } from "./api/message.ts";
import type { LinkOptions } from "./defaults.ts";
import { differences, hasOrders, newsOf, ordersFor } from "./link/comparison.ts";
import { Desired, isStarting, isStopping } from "./link/desired.ts";
import { Leadership, type ShardPlace } from "./link/leadership.ts";
import { PackageRequests, type PieceAsk } from "./link/package-requests.ts";
import { Realm, type Reign } from "./link/realm.ts";
import { SecretRequests } from "./link/secret-requests.ts";
import type { FromLink, MachineUsage, ToLink } from "./message.ts";

/** Borglets that dialled; beyond it a hello is passed over, and the borglet says it again later. */
const LINKS_MAX = 200_000;
const TICK_MS = 200;
/** Instances of a machine whose last news is remembered; beyond it all of them may be told anew. */
const TOLD_MAX = 20_000;
/** A run younger than this may still turn out to be a failed start. */
const YOUNG_MS = 15_000;
/** A machine is not polled more often than this because something is on its way there. */
const QUICK_MS = 5;
/** What a machine says of itself is passed on so often in the long run, and so much ahead of that: 100 times at once. What is held back is told again with a later report. */
const FACTS_MS = 1000;
const FACTS_AHEAD_MS = 100_000;
/** Bytes of orders in one poll, clearly less than a frame; the rest goes with the next. */
const ORDERS_BYTES_MAX = 4 * 2 ** 20;
/** A poll with more in it is not replaced by a newer one before its machine had the time of a poll to take it. */
const HEAVY_BYTES = 256 * 1024;

export interface ShardOptions {
  /** Of this process. */
  readonly master: Address;
  readonly packages: Address;
  /** Who decrypts. */
  readonly secrets?: Address;
  readonly options: LinkOptions;
  readonly settleMs: number;
  /** Absent: it is the only one of its cell. */
  readonly place?: ShardPlace | undefined;
}

type LinkSays = FromLink | Framed<ToBorglet> | PieceAsk | SecretsAsk;

interface LinkedMachine {
  readonly machine: MachineId;
  address: Address;
  facts: MachineFacts;
  /** Since its last hello nobody said that the link was closed. */
  open: boolean;
  /** When the last answer came, and the last poll went; monotonic. */
  heardMs: number;
  polledMs: number;
  /** Sequence of the poll that is outstanding; 0: none. */
  outstanding: number;
  isHeavy: boolean;
  /** When what it says of itself may be passed on again; monotonic, and up to FACTS_AHEAD_MS ago. */
  factsDueMs: number;
  /** It would join, and said so too often. */
  joinsLater: boolean;
  report: Report | undefined;
  /** What each instance used when it was last told: a report leaves out what has not changed. */
  usage: ReadonlyMap<string, Usage>;
  /** Of its last answer. */
  term: number;
  /** There is something to order, or a difference to hear of again. */
  urgent: boolean;
  /** When each instance's runs, and its health, were last passed on. */
  readonly toldMs: Map<string, number>;
}

export class LinkShard implements Actor<ToLink | Framed<FromBorglet>> {
  readonly #env: Env<LinkSays>;
  readonly #master: Address;
  readonly #options: LinkOptions;
  /** Of the master of this process, while it leads; else 0. */
  #ledTerm = 0;
  readonly #leadership: Leadership;
  readonly #realm: Realm;
  #sequence = 0;
  #desired = new Desired();
  readonly #links = new Map<MachineId, LinkedMachine>();
  /** What was heard since the last tick. */
  readonly #usage = new Map<MachineId, MachineUsage>();
  /** Of machines from elsewhere whose link is open. */
  readonly #keys = new Map<MachineId, string>();
  readonly #settleMs: number;
  readonly #packages: PackageRequests;
  readonly #secrets: SecretRequests;
  /** What was seen of the feed. */
  #position = 0;

  constructor(env: Env<LinkSays>, { master, packages, secrets = "api", options, settleMs, place }: ShardOptions) {
    this.#env = env;
    this.#master = master;
    this.#options = options;
    this.#settleMs = settleMs;
    const life = place === undefined ? "" : env.id();
    this.#leadership = new Leadership(env, master, place, life);
    this.#realm = new Realm(life);
    this.#packages = new PackageRequests(env, packages);
    this.#secrets = new SecretRequests(env, secrets);
  }

  /** Who shares the machines; undefined: nobody does, and the leader's shard has them all. */
  get partition(): LinkPartition | undefined {
    return this.#desired.links;
  }

  /** The master that leads, as far as this shard knows. */
  get leader(): Address {
    return this.#leadership.master;
  }

  /** For how long no master has said that it leads. */
  get silentMs(): number {
    return this.#leadership.silentMs;
  }

  /** Whether this shard polls that machine now. */
  has(machine: string): boolean {
    return this.#realm.has(machine);
  }

  start(): void {
    this.#env.timer(TICK_MS, "tick");
  }

  onMessage(from: Address, message: ToLink | Framed<FromBorglet>): void {
    switch (message.type) {
      case "lead":
        this.#lead(message.term, message.image);
        break;
      case "cell":
        this.#fill(message.image);
        this.#reckon();
        break;
      case "items":
        for (const item of message.items) this.#follow(item);
        break;
      case "lease":
        this.#leadership.lease(message.untilMs);
        break;
      case "shard-told":
        this.#leadership.told(from, message);
        break;
      case "stand-down":
        this.#ledTerm = 0;
        this.#reckon();
        break;
      case "introduced":
        if (message.key === "") this.#keys.delete(machineId(message.machine));
        else this.#keys.set(machineId(message.machine), message.key);
        break;
      case "disconnected":
        this.#disconnected(message.machine);
        break;
      case "package-piece":
      case "package-missing":
        this.#packages.told(message);
        break;
      case "secrets":
      case "no-secrets":
        this.#secrets.told(message);
        break;
      case "frame":
        this.#onFrame(from, message.frame);
        break;
    }
  }

  onTimer(): void {
    this.#env.timer(TICK_MS, "tick");
    this.#leadership.ask();
    if (this.#realm.reign === undefined) return;
    const now = this.#env.now();
    const mayStart = this.#mayStart();
    for (const link of this.#links.values()) {
      if (link.joinsLater && link.open) this.#greet(link);
      else if ((link.urgent && mayStart) || now - link.polledMs >= this.#options.pollMs) this.#poll(link);
    }
    this.#packages.look();
    this.#markSilent(now);
    this.#tellUsage();
  }

  /** Nobody waits for it, and there is some of every machine: it goes once a tick, all of it together. */
  #tellUsage(): void {
    const { reign } = this.#realm;
    if (this.#usage.size === 0 || reign === undefined) return;
    this.#env.send(this.#leadership.master, { type: "usage", ...reign, machines: [...this.#usage.values()] });
    this.#usage.clear();
  }

  #lead(term: number, image: Image): void {
    this.#ledTerm = term;
    this.#leadership.leads(this.#master, term);
    this.#fill(image);
    this.#reckon();
  }

  #fill(image: Image): void {
    this.#desired = new Desired();
    this.#desired.fill(image.records);
    this.#position = image.position;
  }

  #mayStart(): boolean {
    return this.#leadership.mayStart(this.#position);
  }

  /** Which machines are this shard's, and under what: anew when its master begins or ends to lead, and when the journal shares them out anew. */
  #reckon(): void {
    const { links } = this.#desired;
    if (!this.#realm.reckon(links, this.#ledTerm, this.#desired.machines.keys(), this.#env.now())) return;
    const { reign } = this.#realm;
    this.#usage.clear();
    this.#sequence = firstSequence(reign?.epoch ?? 0);
    for (const [machine, link] of this.#links) {
      if (!link.open) this.#links.delete(machine);
      else this.#begin(link, reign);
    }
  }

  /** What it said to another shard, or in another term, is nothing to go by; what its tasks used is told once in a term. */
  #begin(link: LinkedMachine, reign: Reign | undefined): void {
    if (reign !== undefined && reign.term !== link.term) link.usage = NO_USAGE;
    link.outstanding = 0;
    link.report = undefined;
    link.urgent = true;
    this.#greet(link);
  }

  #onFrame(from: Address, frame: FromBorglet): void {
    if (frame.case === "hello" && frame.value.facts !== undefined) {
      this.#packages.greet(from, machineId(frame.value.machine), frame.value.facts, frame.value.peerPort);
      this.#hello(from, frame.value.machine, frame.value.facts);
    } else if (frame.case === "report") this.#heard(from, frame.value);
    else if (frame.case === "packageRequest") this.#packages.ask(from, frame.value, this.#desired);
    else if (frame.case === "secretRequest" && this.has(frame.value.machine))
      this.#secrets.ask(from, frame.value, this.#desired, this.#position);
    else if (frame.case === "packageGranted") this.#packages.granted(from, frame.value);
    // Whoever asked for a log takes its pieces at the link's door.
  }

  /** What is known of it stays for this term: it may only dial anew. */
  #disconnected(machine: string): void {
    const link = this.#links.get(machineId(machine));
    if (link !== undefined) link.open = false;
    this.#packages.gone(machineId(machine));
    this.#secrets.gone(machineId(machine));
    this.#keys.delete(machineId(machine));
  }

  /** Orders go out at once when there are some. */
  #follow(item: FeedItem): void {
    this.#position = item.position;
    const { links } = this.#desired;
    const touched = this.#desired.follow(item);
    // First of all: what this entry takes away is ordered nothing any more.
    if (links !== this.#desired.links) this.#reckon();
    for (const machine of touched) {
      const link = this.#links.get(machine);
      if (link !== undefined && this.has(machine) && hasOrders(this.#desired, machine, link.report)) this.#poll(link);
    }
  }

  #hello(from: Address, name: string, facts: MachineFacts): void {
    const machine = machineId(name);
    const known = this.#links.get(machine);
    if (known === undefined && this.#links.size >= LINKS_MAX) return;
    const now = this.#env.now();
    const link = known ?? {
      machine,
      address: from,
      facts,
      open: true,
      heardMs: now,
      polledMs: 0,
      outstanding: 0,
      isHeavy: false,
      factsDueMs: now - FACTS_AHEAD_MS,
      joinsLater: false,
      report: undefined,
      usage: NO_USAGE,
      term: 0,
      urgent: true,
      toldMs: new Map(),
    };
    link.address = from;
    link.facts = facts;
    link.open = true;
    link.outstanding = 0;
    this.#links.set(machine, link);
    this.#greet(link);
  }

  /** A machine that said hello joins the cell or is polled: at once, or when it becomes this shard's. */
  #greet(link: LinkedMachine): void {
    const { machine, facts } = link;
    if (!this.has(machine)) return;
    const key = this.#keys.get(machine) ?? "";
    const isKnown = this.#desired.machines.has(machine);
    link.joinsLater = !isKnown && !this.#mayTellFacts(link);
    if (link.joinsLater) return;
    this.#ops(isKnown ? this.#factsOps(link) : [masterOp({ case: "machineJoin", value: { machine, facts, key } })]);
    if (isKnown) this.#poll(link);
  }

  /** What a machine says of itself and the cell does not know; what its version does not keep it would be told for ever. */
  #factsOps(link: LinkedMachine): Op[] {
    const { machine, facts } = link;
    const known = this.#desired.machines.get(machine)?.facts;
    const kept = knownFacts(this.#desired, facts);
    if (known === undefined || firstDifference(MachineFactsSchema, known, kept) === undefined || !this.#mayTellFacts(link)) return [];
    return [masterOp({ case: "machineFacts", value: { machine, facts } })];
  }

  /** A machine whose facts flap must not fill the journal. */
  #mayTellFacts(link: LinkedMachine): boolean {
    const now = this.#env.now();
    if (link.factsDueMs >= now) return false;
    link.factsDueMs = Math.max(link.factsDueMs, now - FACTS_AHEAD_MS) + FACTS_MS;
    return true;
  }

  #poll(link: LinkedMachine): void {
    const { reign } = this.#realm;
    if (reign === undefined || !this.has(link.machine) || !this.#desired.machines.has(link.machine)) return;
    const now = this.#env.now();
    link.urgent = link.isHeavy && link.outstanding !== 0 && now - link.polledMs < this.#options.pollMs;
    if (link.urgent) return;
    this.#sequence += 1;
    link.outstanding = this.#sequence;
    link.polledMs = now;
    const mayStart = this.#mayStart();
    const { orders, bytes } = ordersWithin(this.#desired, link, this.#options.ordersMax, mayStart);
    // What was held back goes as soon as the lease is there again.
    link.urgent = !mayStart;
    link.isHeavy = bytes > HEAVY_BYTES;
    const poll = make(PollSchema, { term: reign.term, sequence: this.#sequence, holdMs: this.#options.holdMs, orders });
    this.#env.send(link.address, { type: "frame", frame: { case: "poll", value: poll } });
  }

  /** Only the answer to the outstanding poll counts: an older one may tell of a time before our last orders, but its machine answers. */
  #heard(from: Address, report: Report): void {
    const link = this.#links.get(machineId(report.machine));
    if (link === undefined || !this.has(report.machine) || report.term !== this.#realm.reign?.term) return;
    link.heardMs = this.#env.now();
    link.term = report.term;
    if (report.sequence !== link.outstanding) return;
    link.address = from;
    link.outstanding = 0;
    link.report = report;
    const machine = this.#desired.machines.get(link.machine);
    if (machine === undefined) return;
    const ops: Op[] = [];
    if (!machine.reachable) ops.push(masterOp({ case: "machineMark", value: { machine: link.machine, reachable: true } }));
    if (report.facts !== undefined) {
      link.facts = report.facts;
      this.#packages.has(link.machine, report.facts);
      ops.push(...this.#factsOps(link));
    }
    const news = differences(this.#desired.on(link.machine), report).filter((instance) => this.#mayTell(link, instance));
    if (news.length > 0) ops.push(masterOp({ case: "machineReport", value: { machine: link.machine, instances: news } }));
    this.#ops(ops);
    // A machine speaks for what the cell has there, and for nothing of another one: reservations follow from this.
    const own = report.instances.filter(({ instance }) => this.#desired.on(link.machine).has(instance as InstanceId));
    link.usage = mergedUsage(link.usage, own, report.usage);
    const waiting = own.filter((each) => each.backoffMs > 0 || each.waiting !== "" || each.starved);
    this.#usage.set(link.machine, { machine: link.machine, usage: [...link.usage.values()], waiting, strain: report.strain });
    const inMotion =
      [...this.#desired.on(link.machine).values()].some((wanted) => isStarting(wanted) || isStopping(wanted)) ||
      report.instances.some(isRestless);
    link.urgent = news.length > 0 || inMotion || hasOrders(this.#desired, link.machine, report);
    // Whatever is on its way is heard of as soon as it arrives: the borglet gets its next credit at once, and holds it until there is news.
    if (inMotion && news.length === 0 && this.#env.now() - link.polledMs >= QUICK_MS) this.#poll(link);
  }

  /** Flapping checks or a task that crashes again and again must not fill the journal: each is passed on once per instance in ten seconds. */
  #mayTell(link: LinkedMachine, told: InstanceReport): boolean {
    const wanted = this.#desired.on(link.machine).get(told.instance as never);
    const news = wanted === undefined ? "state" : newsOf(wanted, told);
    if (news === undefined || news === "state") return true;
    const [now, what] = [this.#env.now(), `${news} ${told.instance}`];
    if (now - (link.toldMs.get(what) ?? Number.NEGATIVE_INFINITY) < this.#options.calmMs) return false;
    if (link.toldMs.size > TOLD_MAX) link.toldMs.clear();
    link.toldMs.set(what, now);
    return true;
  }

  /** Several missed polls make a machine unreachable (§3.3). In their first half minute at a shard none is marked: they may not have dialled yet. */
  #markSilent(now: number): void {
    const patience = this.#options.missedMax * this.#options.pollMs;
    const ops: Op[] = [];
    for (const [machine, record] of this.#desired.machines) {
      const sinceMs = this.#realm.sinceMs(machine);
      if (sinceMs === undefined || now - sinceMs < this.#settleMs) continue;
      const heardMs = Math.max(this.#links.get(machine)?.heardMs ?? 0, sinceMs);
      if (record.reachable && now - heardMs > patience) ops.push(masterOp({ case: "machineMark", value: { machine, reachable: false } }));
    }
    this.#ops(ops);
  }

  #ops(ops: readonly Op[]): void {
    const { reign } = this.#realm;
    if (ops.length > 0 && reign !== undefined) this.#env.send(this.#leadership.master, { type: "ops", ...reign, ops: ops.map(encodeOp) });
  }
}

/** As many as fit into a poll, at least one if there is one. */
function ordersWithin(
  desired: Desired,
  { machine, report }: LinkedMachine,
  ordersMax: number,
  mayStart: boolean,
): { readonly orders: Order[]; readonly bytes: number } {
  const orders: Order[] = [];
  let bytes = 0;
  for (const order of ordersFor(desired, machine, report, ordersMax)) {
    if (order.body.case === "start" && !mayStart) continue;
    const more = encode(OrderSchema, order).length;
    if (orders.length > 0 && bytes + more > ORDERS_BYTES_MAX) break;
    orders.push(order);
    bytes += more;
  }
  return { orders, bytes };
}

/** Just begun, or about to: what becomes of it is heard of at once. */
const isRestless = ({ phase, upMs }: InstanceReport): boolean => phase === Phase.STARTING || (upMs > 0 && upMs < YOUNG_MS);

const NO_USAGE: ReadonlyMap<string, Usage> = new Map();

/** Of what runs there: as told now, else as told before. */
function mergedUsage(
  before: ReadonlyMap<string, Usage>,
  instances: readonly InstanceReport[],
  usage: readonly Usage[],
): ReadonlyMap<string, Usage> {
  const told = new Map(usage.map((each) => [each.instance, each]));
  const merged = new Map<string, Usage>();
  for (const { instance, phase } of instances) {
    const known = phase === Phase.RUNNING ? (told.get(instance) ?? before.get(instance)) : undefined;
    if (known !== undefined) merged.set(instance, known);
  }
  return merged;
}
