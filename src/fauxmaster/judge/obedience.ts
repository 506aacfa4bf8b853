/**
 * Watches borglets from outside: what reaches them, what they say, what they ask of their machine, and what stands on their disk when they begin
 * again. It believes no word of theirs about themselves. All of it is counted by disk: a new machine under an old name may have forgotten everything.
 */
import type { Address } from "../../base/env.ts";
import type { Memory } from "../../borglet/kept.ts";
import type { SecretFile } from "../../borglet/machine.ts";
import { encode } from "../../wire/codec.ts";
import { type KeptRecord, KeptRecordSchema } from "../../wire/gen/borg/v1/borglet_pb.ts";
import type { PackageChunk, PackageGrant, PeerRequest } from "../../wire/gen/borg/v1/link_pb.ts";
import type { Poll, Report, StartOrder, StopOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { CONTROLLER_FILE, SECRETS_PLACE } from "../../wire/spec-defaults.ts";
import { RATE_MAX } from "../world/clock.ts";
import type { Kernel } from "../world/kernel.ts";
import type { SimulatedMachine } from "../world/simulated-machine.ts";
import { hushOf, isOverheard, textOf } from "../world/workload-secrets.ts";

interface Rank {
  readonly term: number;
  readonly sequence: number;
}

const NEVER: Rank = { term: 0, sequence: 0 };
const isBelow = (a: Rank, b: Rank): boolean => a.term < b.term || (a.term === b.term && a.sequence < b.sequence);
const words = ({ term, sequence }: Rank): string => `(${term}, ${sequence})`;
/** Clocks show whole milliseconds. */
const ROUNDED_MS = 2;
/** Polls that were not answered yet; the oldest is forgotten beyond this. */
const POLLS_MAX = 200;
const TOKENS_KEPT = 12;

/** What one disk stands for. */
interface Record {
  /** The highest that came in this life of the borglet. */
  heard: Rank;
  /** The highest that was answered in this life of the borglet, which must not fall while it lives. */
  answered: Rank;
  /** The highest with orders that was answered: this must outlive it. Of a poll without orders only the term must. */
  obeyed: Rank;
  term: number;
  /** Polls that came, and whether they had orders. */
  readonly polls: Map<string, boolean>;
  /** Instances that a poll ordered when it was not stale. */
  readonly ordered: Set<string>;
  /** The last run of every instance that was told of or started, until it is forgotten on the machine too. */
  readonly told: Map<string, number>;
  /** Instances that it was to forget when a save failed: after a power cut they may be there or not. */
  readonly leaving: Set<string>;
  /** The last run of every instance that was saved. */
  readonly saved: Map<string, number>;
  /** A save failed and none succeeded since. */
  blocked: boolean;
  /** Instances that were told to stop, and before when they get no SIGTERM. */
  readonly lameUntilMs: Map<string, number>;
  /** Which package a master granted for each voucher, and which vouchers each other borglet showed. */
  readonly granted: Map<string, string>;
  readonly shown: Map<string, Set<string>>;
}

export class Obedience {
  readonly #kernel: Kernel;
  readonly #records = new Map<string, Record>();
  /** Instances of controllers that were started with a token, the newest last. */
  tokens: readonly string[] = [];

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** With what it read from its disk. */
  born(machine: SimulatedMachine, memory: Memory): void {
    const record = this.#of(machine);
    const { obeyed, term } = record;
    this.#expect(memory.term >= term, "KL2", () => `${machine.name} forgot term ${term}`);
    this.#expect(!isBelow(memory, obeyed), "KL2", () => `${machine.name} obeyed ${words(obeyed)} and remembers ${words(memory)}`);
    for (const [instance, run] of record.told) {
      const kept = memory.instances.get(instance);
      if (kept === undefined && record.leaving.has(instance)) {
        record.told.delete(instance);
        continue;
      }
      this.#expect(kept !== undefined && kept.run >= run, "KT5", () => `${machine.name} forgot run ${run} of "${instance}"`);
    }
    record.heard = obeyed;
    record.answered = obeyed;
    record.blocked = false;
    record.polls.clear();
    record.leaving.clear();
    record.saved.clear();
    for (const [instance, { run }] of memory.instances) record.saved.set(instance, run);
  }

  heard(machine: SimulatedMachine, poll: Poll): void {
    const record = this.#of(machine);
    if (isBelow(poll, record.heard)) return;
    record.heard = { term: poll.term, sequence: poll.sequence };
    record.polls.set(words(poll), poll.orders.length > 0);
    if (record.polls.size > POLLS_MAX) record.polls.delete(record.polls.keys().next().value!);
    for (const { body } of poll.orders) {
      if (body.case === "start") record.ordered.add(body.value.instance);
      else if (body.case === "stop") this.#lame(record, body.value);
    }
  }

  /** What was decided while the disk was blocked is done later: the SIGTERM of a run that was ended for its bad health may still be on its way. */
  #lame(record: Record, { instance, lameDuckMs }: StopOrder): void {
    const untilMs = record.blocked ? 0 : this.#kernel.nowMs + Math.floor(lameDuckMs / RATE_MAX) - ROUNDED_MS;
    record.lameUntilMs.set(instance, Math.min(untilMs, record.lameUntilMs.get(instance) ?? Number.POSITIVE_INFINITY));
  }

  /** What is told to stop stays a while without a SIGTERM, so that whoever knows its name can go elsewhere. [KT6] */
  terminated(machine: SimulatedMachine, instance: string): void {
    this.signalled(machine, instance);
    const { nowMs } = this.#kernel;
    const untilMs = this.#of(machine).lameUntilMs.get(instance) ?? 0;
    if (untilMs > 0) this.#kernel.probes.add("a lame duck was waited for");
    this.#expect(nowMs >= untilMs, "KT6", () => `${machine.name} ended "${instance}" at ${nowMs} ms, ${untilMs - nowMs} ms too soon`);
  }

  said(machine: SimulatedMachine, report: Report): void {
    const record = this.#of(machine);
    this.#acts(machine, record, "reported");
    const { answered } = record;
    this.#expect(!isBelow(report, answered), "KL2", () => `${machine.name} obeyed ${words(report)} after ${words(answered)}`);
    record.answered = { term: report.term, sequence: report.sequence };
    record.term = Math.max(record.term, report.term);
    if (record.polls.get(words(report)) === true) record.obeyed = record.answered;
    const now = new Set(report.instances.map(({ instance }) => instance));
    for (const instance of record.told.keys())
      this.#expect(now.has(instance), "KT5", () => `${machine.name} no longer tells of "${instance}"`);
    for (const { instance, run } of report.instances) record.told.set(instance, Math.max(run, record.told.get(instance) ?? 0));
  }

  saved(machine: SimulatedMachine, records: readonly KeptRecord[], done: boolean): void {
    const record = this.#of(machine);
    for (const each of records)
      this.#expect(!isOverheard(encode(KeptRecordSchema, each)), "KA3", () => `${machine.name} keeps a secret on its disk`);
    record.blocked = !done;
    if (!done) {
      for (const { body } of records) if (body.case === "forgotten") record.leaving.add(body.value.instance);
      return;
    }
    record.leaving.clear();
    for (const { body } of records) {
      if (body.case === "instance") record.saved.set(body.value.order?.instance ?? "", body.value.run);
      else if (body.case === "forgotten") record.saved.delete(body.value.instance);
    }
  }

  started(machine: SimulatedMachine, order: StartOrder, run: number, secrets: readonly SecretFile[]): void {
    const { instance } = order;
    this.#hushed(machine, order, secrets);
    if (order.task?.controller !== undefined) this.#controls(machine, instance, secrets);
    const record = this.#of(machine);
    for (const { name, version } of order.task?.packages ?? [])
      this.#expect(machine.packages.trees.has(version), "KG2", () => `${machine.name} started "${instance}" without package "${name}"`);
    if ((order.task?.volumes.length ?? 0) > 0) this.#writesAlone(machine, instance);
    this.#acts(machine, record, `started "${instance}"`);
    this.#expect(record.ordered.has(instance), "KL2", () => `${machine.name} started "${instance}", which only a stale poll ordered`);
    this.#expect(
      record.saved.get(instance) === run,
      "KT5",
      () => `${machine.name} started run ${run} of "${instance}" before it was saved`,
    );
    this.#expect(run > (record.told.get(instance) ?? 0), "KT5", () => `${machine.name} started run ${run} of "${instance}" again`);
    record.told.set(instance, run);
  }

  /** What it was given is what its own user keeps under the names that it has. */
  #hushed({ name: machine }: SimulatedMachine, { instance, task }: StartOrder, given: readonly SecretFile[]): void {
    const [user = ""] = instance.split("/");
    for (const { name, path } of task?.secrets ?? []) {
      const found = given.find((each) => each.path === path);
      const isRight = found !== undefined && textOf(found.data).startsWith(hushOf(user, name));
      this.#expect(isRight, "KA3", () => `${machine} started "${instance}" with another secret than "${name}", or without`);
      this.#kernel.probes.add("a task started with a secret");
    }
  }

  /** It has a token of its own, and of nobody else; none only when it is not meant to run any more. */
  #controls({ name: machine }: SimulatedMachine, instance: string, given: readonly SecretFile[]): void {
    const found = given.find(({ path }) => path === `${SECRETS_PLACE}/${CONTROLLER_FILE}`);
    const text = found === undefined ? "?" : textOf(found.data);
    const isOwn = text === "" || text.includes(`borg-controller_${instance}_`);
    this.#expect(isOwn, "KA3", () => `${machine} started "${instance}" with another token than its own`);
    this.#kernel.probes.add("a controller started");
    if (text !== "") this.tokens = [...this.tokens, instance].slice(-TOKENS_KEPT);
  }

  /** Nothing of an earlier instance of a task with volumes is left when the next one starts. [KT3] */
  #writesAlone(machine: SimulatedMachine, instance: string): void {
    this.#kernel.probes.add("a task with a volume started");
    const task = instance.slice(0, instance.lastIndexOf(":") + 1);
    const others = [...machine.tasks()].filter((other) => other.instance !== instance && other.instance.startsWith(task));
    const alive = others.filter(({ state }) => state === "alive" || state === "launching");
    this.#expect(
      alive.length === 0,
      "KT3",
      () => `${machine.name} started "${instance}" beside "${alive[0]?.instance}", which has its volumes`,
    );
  }

  granted(machine: SimulatedMachine, { voucher, digest }: PackageGrant): void {
    this.#of(machine).granted.set(voucher, digest);
  }

  /** Another borglet wants a piece. */
  asked(machine: SimulatedMachine, from: Address, { voucher }: PeerRequest): void {
    const { shown } = this.#of(machine);
    shown.set(from, (shown.get(from) ?? new Set()).add(voucher));
  }

  /** Another borglet is given a piece. */
  gave(machine: SimulatedMachine, to: Address, { digest, problem }: PackageChunk): void {
    const { granted, shown } = this.#of(machine);
    if (problem === "") this.#kernel.probes.add("a machine gave another a piece of a package");
    const isGranted = problem !== "" || [...(shown.get(to) ?? [])].some((voucher) => granted.get(voucher) === digest);
    this.#expect(isGranted, "KG3", () => `${machine.name} gave ${to} a piece of a package that no master told it to give`);
  }

  /** Limits of what runs change only by what was saved: a new borglet holds it to the same. */
  adjusted(machine: SimulatedMachine, { instance }: StartOrder): void {
    this.#kernel.probes.add("limits of a running instance changed");
    this.#acts(machine, this.#of(machine), `adjusted "${instance}"`);
  }

  /** The tree of a package goes. */
  dropped(machine: SimulatedMachine, digest: string): void {
    for (const { order, phase } of machine.memory?.instances.values() ?? []) {
      const isUsed = ["starting", "running", "stopping"].includes(phase) && order.task?.packages.some(({ version }) => version === digest);
      this.#expect(isUsed !== true, "KG2", () => `${machine.name} dropped a package that "${order.instance}" uses`);
    }
  }

  /** The directory of an alloc goes: not while anything of a task in it is kept. */
  allocDropped(machine: SimulatedMachine, alloc: string): void {
    this.#acts(machine, this.#of(machine), `dropped the directory of "${alloc}"`);
    for (const { order } of machine.memory?.instances.values() ?? [])
      this.#expect(
        order.alloc !== alloc && order.directory !== alloc,
        "KR7",
        () => `${machine.name} dropped the directory of "${alloc}", which "${order.instance}" is in`,
      );
  }

  signalled(machine: SimulatedMachine, instance: string): void {
    this.#acts(machine, this.#of(machine), `signalled "${instance}"`);
  }

  forgot(machine: SimulatedMachine, instance: string): void {
    const record = this.#of(machine);
    this.#acts(machine, record, `forgot "${instance}"`);
    this.#expect(!record.saved.has(instance), "KT5", () => `${machine.name} forgot "${instance}" before that was saved`);
    record.told.delete(instance);
    record.ordered.delete(instance);
    record.lameUntilMs.delete(instance);
  }

  #acts(machine: SimulatedMachine, { blocked }: Record, what: string): void {
    this.#expect(!blocked, "KT5", () => `${machine.name} ${what} while its disk could not be written`);
  }

  #of(machine: SimulatedMachine): Record {
    const key = `${machine.name} ${machine.wipes}`;
    const known = this.#records.get(key);
    if (known !== undefined) return known;
    const empty = {
      polls: new Map(),
      ordered: new Set<string>(),
      leaving: new Set<string>(),
      told: new Map(),
      saved: new Map(),
      lameUntilMs: new Map<string, number>(),
      granted: new Map<string, string>(),
      shown: new Map<string, Set<string>>(),
    };
    const record: Record = { heard: NEVER, answered: NEVER, obeyed: NEVER, term: 0, blocked: false, ...empty };
    this.#records.set(key, record);
    return record;
  }

  #expect(condition: boolean, id: string, text: () => string): void {
    this.#kernel.expect(condition, id, text);
  }
}
