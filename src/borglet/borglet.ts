/**
 * The borglet: obeys a master's orders, keeps its machine as it should be also without a master, and tells its full state when polled.
 * Everything it must not forget is saved before it is acted on or reported, once per step. It obeys no order with a lower
 * (term, sequence) than the highest it obeyed [KL2]. It touches no process or file itself: that is its BorgletMachine's.
 */
import type { Actor, Address, Env } from "../base/env.ts";
import { make } from "../wire/codec.ts";
import { HelloSchema } from "../wire/gen/borg/v1/link_pb.ts";
import {
  type AdjustOrder,
  type Order,
  type Poll,
  ReportSchema,
  type StartOrder,
  type StopOrder,
  type Usage,
} from "../wire/gen/borg/v1/machine_pb.ts";
import type { BetweenBorglets, Framed, FromBorglet, ToBorglet } from "../wire/link-message.ts";
import { NOTICE_MS_DEFAULT } from "../wire/spec-defaults.ts";
import { adjusted, isHeldTo } from "./adjust.ts";
import { AllocList } from "./alloc-list.ts";
import { CheckRounds } from "./check-rounds.ts";
import { Credit } from "./credit.ts";
import { heldOrder, messageFrame } from "./executor.ts";
import { fileChunk } from "./files.ts";
import { INSTANCES_MAX, isEnded, isOfLaterReign, isStale, type Kept, type Memory, newKept } from "./kept.ts";
import { actualOf, afterItself, clear, desiredOf, isAtRest, type Live, newLive, stopsFrom } from "./live.ts";
import { LogDesk } from "./log-desk.ts";
import type { BorgletMachine, HealthAnswer, Sample, Seen } from "./machine.ts";
import { measured } from "./measured.ts";
import type { BorgletHears } from "./message.ts";
import { Needs } from "./needs.ts";
import type { BorgletOptions } from "./options.ts";
import { evictions, type Shortage } from "./out-of-resources.ts";
import { OwnFacts } from "./own-facts.ts";
import { type Failure, packagesOf } from "./packages.ts";
import { type Action, type Actual, type Desired, reconcile } from "./reconcile.ts";
import { instanceReports, strainOf, usageChunk, usages } from "./report.ts";
import { again, goes, notBegun, settle, startsAfterMs } from "./restart.ts";
import type { NoSecrets } from "./secrets.ts";
import { useShell } from "./shells.ts";
import { Unsaved } from "./unsaved.ts";

/** Hello is said every so often, until a poll comes, and again when none came for SILENCE_MS. */
const HELLO_MS = 2000;
const SILENCE_MS = 12_000;
/** A disk that could not be written is tried again after this. */
const SAVE_AGAIN_MS = 1000;
/** Reports may be lost, so all use is told again after this. */
const FULL_USAGE_MS = 30_000;
/** What stops or vanished may make room for a start, and nothing after that: more rounds would change nothing. */
const ROUNDS_MAX = 3;

export class Borglet implements Actor<BorgletHears> {
  readonly #env: Env<Framed<FromBorglet | BetweenBorglets>>;
  readonly #options: BorgletOptions;
  readonly #machine: BorgletMachine;
  readonly #memory: Memory;
  readonly #credit: Credit;
  readonly #logs: LogDesk;
  readonly #checks: CheckRounds;
  /** Of every instance kept, and of those that only the machine knows. */
  readonly #lives = new Map<string, Live>();
  /** Of which something may have to be done. The others run as they should, or have ended, and cost nothing. */
  readonly #restless = new Set<string>();
  readonly #unsaved = new Unsaved();
  readonly #allocs: AllocList;
  readonly #needs: Needs;
  readonly #facts: OwnFacts;
  /** Done as soon as everything is saved. */
  #effects: (() => void)[] = [];
  #wakeMs = Number.POSITIVE_INFINITY;
  #polledMs = Number.NEGATIVE_INFINITY;
  /** Who polled last. */
  #poller: Address = "";
  #fullUsageMs = 0;
  #saving = false;

  constructor(env: Env<Framed<FromBorglet | BetweenBorglets>>, options: BorgletOptions) {
    this.#env = env;
    this.#options = options;
    this.#facts = new OwnFacts(options.facts);
    this.#machine = options.machine;
    this.#memory = options.memory;
    this.#allocs = new AllocList(options.machine);
    this.#credit = new Credit(env);
    this.#checks = new CheckRounds(env, options.machine, options.memory, this.#lives);
    this.#needs = new Needs({
      ...{ name: options.name, machine: options.machine, memory: options.memory, diskBytes: options.facts.capacity?.diskBytes ?? 0 },
      now: () => env.now(),
      master: () => this.#poller,
      say: (to, frame) => this.#say(to, frame),
    });
    this.#logs = new LogDesk(env, options.machine, options.memory, (to, value) => this.#say(to, { case: "logChunk", value }));
  }

  /** Takes up what was there before: processes live on, or ended, or went with a reboot. [B5] */
  start(): void {
    const now = this.#env.now();
    for (const [instance, kept] of this.#memory.instances) {
      const live = newLive();
      if (kept.phase === "stopping") stopsFrom(live, now, kept);
      if (kept.phase === "starting" && kept.failures > 0) live.notBeforeMs = now + startsAfterMs(kept);
      this.#lives.set(instance, live);
      this.#restless.add(instance);
    }
    this.#needs.packages.start();
    this.#allocs.start();
    for (const seen of this.#machine.adopt([...this.#memory.instances.values()])) this.#onSeen(seen);
    this.#hello();
    this.#finish();
  }

  onMessage(from: Address, message: BorgletHears): void {
    if (message.type === "shell") return this.#say(message.to, { case: "shellChunk", value: message.chunk });
    if (message.type === "executor") return this.#say(this.#poller, messageFrame(this.#options.name, message));
    switch (message.type) {
      case "connected":
        this.#connected(from);
        break;
      case "frame":
        if (this.#onFrame(from, message.frame)) break;
        return;
      case "seen":
        for (const seen of message.seen) this.#onSeen(seen);
        break;
      case "usage":
        for (const sample of message.samples) this.#onSample(sample);
        break;
      case "health":
        this.#onHealth(message.answer);
        break;
      case "short":
        this.#onShort(message.shortage);
        break;
      case "disk":
        this.#facts.isFull = message.full;
        break;
      case "described":
        this.#facts.described = message.facts;
        break;
      case "package":
        this.#withoutPackage(this.#needs.packages.unpacked(message.unpacked));
        break;
    }
    this.#credit.news ||= message.type === "disk" || message.type === "described" || message.type === "package";
    this.#finish();
    // Nothing may be reported that is not saved, but that its disk is full rests on nothing.
    if (message.type === "disk" && this.#saving) this.#sayHello();
  }

  onTimer(tag: string): void {
    const [what = "", run, instance] = tag.split(" ");
    if (what === "hello") return this.#hello();
    if (what === "logs") return this.#logs.look();
    if (what === "save") this.#saving = false;
    else if (what === "hold") this.#credit.due(Number(run));
    else if (what === "wake") this.#wakeMs = Number.POSITIVE_INFINITY;
    else if (what === "health" || what === "ready") this.#checks.ask(what, instance ?? "", Number(run));
    this.#finish();
  }

  #hello(): void {
    this.#env.timer(HELLO_MS + this.#env.random() * HELLO_MS, "hello");
    if (this.#env.now() - this.#polledMs >= SILENCE_MS) this.#sayHello();
  }

  #sayHello(masters: readonly Address[] = this.#options.masters): void {
    const { name: machine, peerPort } = this.#options;
    const hello = make(HelloSchema, { machine, facts: this.#facts.now(this.#needs.packages.names), peerPort });
    for (const master of masters) this.#say(master, { case: "hello", value: hello });
  }

  #say(to: Address, frame: FromBorglet | BetweenBorglets): void {
    this.#env.send(to, { type: "frame", frame });
  }

  /** Whether there may be something to do now. */
  #onFrame(from: Address, frame: ToBorglet | BetweenBorglets): boolean {
    if (frame.case === "poll") this.#onPoll(from, frame.value);
    else if (frame.case === "logRequest") this.#logs.ask(from, frame.value);
    else if (frame.case === "fileRequest") this.#say(from, { case: "fileChunk", value: fileChunk(this.#machine, frame.value) });
    else if (frame.case === "executorMessage") this.#machine.message?.(frame.value.instance, frame.value.data);
    else if (frame.case === "usageRequest")
      this.#say(from, { case: "usageChunk", value: usageChunk(this.#lives, frame.value, this.#env.now()) });
    else if (frame.case === "shellRequest") useShell(this.#machine, this.#memory, from, frame.value);
    else if (frame.case === "secretValues") this.#withoutSecrets(this.#needs.secrets.hear(frame.value));
    else this.#withoutPackage(this.#needs.packages.hear(from, frame));
    return ["poll", "packageChunk", "packageSource", "secretValues"].includes(frame.case);
  }

  /** A new link: the master at its other end may know nothing of us. */
  #connected(master: Address): void {
    this.#credit.drop(master);
    this.#logs.clear(master);
    this.#needs.again();
    if (master === this.#poller) this.#polledMs = Number.NEGATIVE_INFINITY;
    this.#sayHello([master]);
  }

  /** The credit is good also for a poll that was obeyed before; only one that was answered before gets no second answer. */
  #onPoll(from: Address, poll: Poll): void {
    const memory = this.#memory;
    if (isStale(memory, poll)) {
      this.#env.log("~stale poll refused");
      return this.#env.log(`Stale poll refused: term ${poll.term}, sequence ${poll.sequence} after ${memory.term}, ${memory.sequence}`);
    }
    // A poll without orders is nothing to be obeyed; only its term, and the epoch in it, must outlive us.
    if (poll.orders.length > 0 || isOfLaterReign(memory, poll)) this.#unsaved.addTerm();
    Object.assign(memory, { term: poll.term, sequence: poll.sequence });
    this.#polledMs = this.#env.now();
    // Another one knows nothing of what the one before was told.
    if (this.#poller !== from) {
      this.#needs.again();
      this.#credit.forgetTold();
    }
    this.#poller = from;
    for (const order of poll.orders) this.#obey(order);
    this.#credit.give(from, poll);
  }

  #obey({ body }: Order): void {
    if (body.case === "start") this.#onStart(body.value);
    else if (body.case === "stop") this.#onStop(body.value);
    else if (body.case === "adjust") this.#onAdjust(body.value);
    else if (body.case === "drop") this.#effects.push(...this.#allocs.drop(body.value.alloc, this.#memory));
  }

  /** The same order again is no order. */
  #onStart(ordered: StartOrder): void {
    const { instances } = this.#memory;
    const order = afterItself(ordered, this.#lives.keys());
    // One that nobody ordered may be there under the same name: first it must be gone, and the master says it again.
    if (instances.has(order.instance) || this.#lives.has(order.instance)) return;
    if (instances.size >= INSTANCES_MAX) {
      this.#env.log(`Start of "${order.instance}" passed over: ${INSTANCES_MAX} instances are kept already`);
      return;
    }
    if (order.after.some((other) => (this.#lives.get(other)?.process ?? "none") !== "none")) this.#env.log("~start waits for a victim");
    instances.set(order.instance, newKept(order));
    this.#lives.set(order.instance, newLive());
    this.#touched(order.instance);
  }

  /** For an instance that has ended this means: the master knows, forget it. A shorter time counts, a longer one does not. */
  #onStop({ instance, noticeMs, lameDuckMs }: StopOrder): void {
    const kept = this.#memory.instances.get(instance);
    const live = this.#lives.get(instance);
    if (kept === undefined || live === undefined) return;
    if (isEnded(kept)) {
      this.#forget(instance);
      return;
    }
    const ordered = kept.phase === "stopping" && kept.condemned === "";
    if (ordered && noticeMs + lameDuckMs >= kept.noticeMs + kept.lameDuckMs) return;
    kept.phase = "stopping";
    Object.assign(kept, { condemned: "", evicted: false, noticeMs, lameDuckMs });
    stopsFrom(live, this.#env.now(), kept);
    this.#touched(instance);
  }

  /** Of what has ended nothing is left to be held to limits. */
  #onAdjust(order: AdjustOrder): void {
    const kept = this.#memory.instances.get(order.instance);
    if (kept === undefined || isEnded(kept) || isHeldTo(kept.order, order)) return;
    const next = adjusted(kept.order, order);
    kept.order = next;
    this.#changed(order.instance);
    if (kept.phase !== "starting") this.#effects.push(() => this.#machine.adjust(next));
  }

  #forget(instance: string): void {
    this.#memory.instances.delete(instance);
    this.#needs.secrets.forget(instance);
    if (this.#lives.get(instance)?.process === "none") this.#lives.delete(instance);
    this.#unsaved.add(instance);
    this.#effects.push(() => this.#machine.forget(instance));
  }

  #onSeen(seen: Seen): void {
    const { instance, run } = seen;
    const kept = this.#memory.instances.get(instance);
    if (kept === undefined) {
      this.#onStranger(seen);
      return;
    }
    const live = this.#lives.get(instance);
    // What is told of an earlier run, or of one whose end is settled, is no news.
    if (live === undefined || run !== kept.run || (kept.phase !== "running" && kept.phase !== "stopping")) return;
    if (seen.what === "launching") live.process = "launching";
    else if (seen.what === "alive") this.#alive(kept, live);
    else if (seen.what === "vanished") {
      clear(live);
      live.rebooted = seen.rebooted;
      this.#restless.add(instance);
    } else {
      const livedMs = live.process === "alive" ? this.#env.now() - live.sinceMs : 0;
      settle(kept, seen.exit, seen.message, livedMs);
      kept.data = seen.data ?? kept.data;
      clear(live);
      live.notBeforeMs = this.#env.now() + startsAfterMs(kept);
      this.#changed(instance);
    }
  }

  /** Something runs here that nobody ordered: its record was lost. It is ended, and then forgotten. */
  #onStranger({ what, instance }: Seen): void {
    if (what === "launching" || what === "alive") {
      const live = this.#lives.get(instance) ?? newLive();
      live.process = what;
      this.#lives.set(instance, live);
      this.#restless.add(instance);
      this.#env.log(`Instance "${instance}" is on this machine, but nobody ordered it: it is ended`);
    } else if (this.#lives.delete(instance)) {
      this.#effects.push(() => this.#machine.forget(instance));
    }
  }

  #alive(kept: Kept, live: Live): void {
    if (live.process === "alive") return;
    const isAdopted = live.process === "none";
    live.process = "alive";
    live.sinceMs = this.#env.now();
    this.#credit.news = true;
    this.#checks.begin(kept, live, isAdopted);
  }

  /** Bad answers end the run; the restart policy decides what follows (§2.6). Who is not ready is only told. [N4] */
  #onHealth({ instance, run, about, problem }: HealthAnswer): void {
    const kept = this.#memory.instances.get(instance);
    const live = this.#lives.get(instance);
    const watch = live?.[about];
    if (kept?.run !== run || kept.phase !== "running" || live === undefined || watch === undefined) return;
    if (watch.heard(problem, this.#env.now())) this.#credit.news = true;
    if (watch.verdict !== undefined) this.#condemn(kept, live, watch.verdict, kept.order.task?.noticeMs ?? NOTICE_MS_DEFAULT);
    else this.#checks.askLater(about, kept, live);
  }

  #onSample(sample: Sample): void {
    const kept = this.#memory.instances.get(sample.instance);
    const live = this.#lives.get(sample.instance);
    if (kept === undefined || live?.process !== "alive") return;
    const { isNews, words } = measured(sample, heldOrder(kept.order, this.#memory), live, this.#options, this.#env.now());
    if (isNews) this.#credit.news = true;
    if (words !== undefined) this.#condemn(kept, live, words, 0);
  }

  /** At once, and without a notice: the kernel would not wait either. [I5] */
  #onShort(shortage: Shortage): void {
    const { capacity } = this.#options.facts;
    for (const [kept, words] of evictions(this.#memory, this.#lives, shortage, capacity?.ramBytes ?? 0, this.#env.now())) {
      this.#env.log("~evicted for lack of resources");
      this.#condemn(kept, this.#lives.get(kept.order.instance)!, words, 0);
      kept.evicted = true;
    }
  }

  #condemn(kept: Kept, live: Live, words: string, noticeMs: number): void {
    if (kept.phase !== "running") return;
    Object.assign(kept, { phase: "stopping", condemned: words, noticeMs, lameDuckMs: 0 });
    stopsFrom(live, this.#env.now(), kept);
    this.#touched(kept.order.instance);
  }

  #touched(instance: string): void {
    this.#unsaved.add(instance);
    this.#restless.add(instance);
  }

  #changed(instance: string): void {
    this.#touched(instance);
    this.#credit.news = true;
  }

  /** The end of every step: decide, save, act, and only then speak. */
  #finish(): void {
    for (let round = 0; round < ROUNDS_MAX && this.#plan(); round++);
    if (!this.#saved()) return;
    const effects = this.#effects;
    this.#effects = [];
    for (const act of effects) act();
    this.#answer();
  }

  /** True when what it did may allow more. */
  #plan(): boolean {
    const desired = new Map<string, Desired>();
    const actual = new Map<string, Actual>();
    for (const instance of this.#restless) {
      this.#put(instance, desired, actual);
      for (const other of this.#memory.instances.get(instance)?.order.after ?? []) this.#put(other, desired, actual);
    }
    const { actions, wakeMs: nextMs } = reconcile(desired, actual, this.#env.now());
    const wakeMs = Math.min(nextMs, this.#needs.go());
    if (wakeMs < this.#wakeMs) {
      this.#wakeMs = wakeMs;
      this.#env.timer(Math.max(0, wakeMs - this.#env.now()), "wake");
    }
    for (const action of actions) this.#apply(action);
    for (const instance of this.#restless) {
      const [kept, live] = [this.#memory.instances.get(instance), this.#lives.get(instance)];
      if (live === undefined || (kept !== undefined && isAtRest(kept, live))) this.#restless.delete(instance);
    }
    return actions.some(({ type }) => type === "gone" || type === "vanished");
  }

  #put(instance: string, desired: Map<string, Desired>, actual: Map<string, Actual>): void {
    const live = this.#lives.get(instance);
    const kept = this.#memory.instances.get(instance);
    const seen = live === undefined ? undefined : actualOf(live, kept?.order);
    if (live !== undefined && kept !== undefined) desired.set(instance, this.#withWhatItNeeds(kept, live, desiredOf(kept, live)));
    if (seen !== undefined) actual.set(instance, seen);
  }

  /** No task starts before its packages and its secrets are there. While it waits it takes nobody's place. */
  #withWhatItNeeds(kept: Kept, live: Live, desired: Desired): Desired {
    if (desired.want !== "start" || live.notBeforeMs > this.#env.now() || this.#needs.areMet(kept.order, kept.run + 1)) return desired;
    return { ...desired, notBeforeMs: Number.POSITIVE_INFINITY };
  }

  /** Starts that wait for it have failed: the restart policy says when they are tried again, and when the master is told to look elsewhere. */
  #withoutPackage(failure: Failure | undefined): void {
    if (failure === undefined) return;
    this.#env.log("~a package could not be had");
    for (const [instance, kept] of this.#memory.instances) {
      const live = this.#lives.get(instance);
      if (kept.phase !== "starting" || live === undefined || live.notBeforeMs > this.#env.now()) continue;
      if (packagesOf(kept.order).some(({ digest }) => digest === failure.digest)) this.#cannotStart(kept, live, failure.reason);
    }
  }

  #withoutSecrets(failure: NoSecrets | undefined): void {
    const kept = this.#memory.instances.get(failure?.instance ?? "");
    const live = this.#lives.get(failure?.instance ?? "");
    if (failure === undefined || kept?.phase !== "starting" || kept.run + 1 !== failure.run || live === undefined) return;
    this.#env.log("~secrets could not be had");
    this.#cannotStart(kept, live, failure.reason);
  }

  #cannotStart(kept: Kept, live: Live, reason: string): void {
    notBegun(kept, live, reason, this.#env.now());
    this.#changed(kept.order.instance);
  }

  #apply({ type, instance }: Action): void {
    const live = this.#lives.get(instance)!;
    const kept = this.#memory.instances.get(instance);
    if (type === "kill") {
      live.killedMs = this.#env.now();
      this.#effects.push(() => this.#machine.kill(instance));
    } else if (type === "terminate") {
      live.terminated = true;
      this.#effects.push(() => this.#machine.terminate(instance));
    } else if (kept !== undefined) {
      if (type === "start") this.#launch(kept, live);
      else if (type === "gone" && (kept.condemned === "" || kept.evicted)) goes(kept);
      else again(kept, live, this.#env.now());
      this.#changed(instance);
    }
  }

  /** Saved as tried before it is tried: a run number is never used twice. [KT5] */
  #launch(kept: Kept, live: Live): void {
    kept.run += 1;
    if (kept.run > 1) this.#env.log("~restarted in place");
    kept.phase = "running";
    live.process = "launching";
    const { order, run } = kept;
    this.#env.log(`Starts "${order.instance}", run ${run}${order.trace === "" ? "" : `, trace ${order.trace}`}`);
    this.#allocs.add(order.alloc);
    const secrets = this.#needs.secrets.take(order);
    this.#effects.push(() => this.#machine.start(order, run, secrets));
  }

  #saved(): boolean {
    if (this.#saving) return false;
    if (this.#unsaved.save(this.#memory, (records) => this.#machine.save(records))) return true;
    this.#saving = true;
    this.#env.log("~nothing is done before the disk can be written");
    this.#env.timer(SAVE_AGAIN_MS, "save");
    return false;
  }

  #answer(): void {
    const taken = this.#credit.take();
    if (taken === undefined) return;
    const facts = this.#facts.now(this.#needs.packages.names);
    const instances = instanceReports(this.#memory, this.#lives, this.#env.now(), (order) => this.#needs.words(order));
    const { term, sequence } = taken.poll;
    const told = { facts, instances, usage: this.#usages(taken.first), allocs: this.#allocs.names, ...strainOf(this.#machine) };
    const value = make(ReportSchema, { machine: this.#options.name, term, sequence, ...told });
    this.#say(taken.from, { case: "report", value });
  }

  #usages(first: boolean): Usage[] {
    const full = first || this.#env.now() - this.#fullUsageMs >= FULL_USAGE_MS;
    if (full) this.#fullUsageMs = this.#env.now();
    return usages(this.#lives, this.#env.now(), full);
  }
}
