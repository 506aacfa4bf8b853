/**
 * A simulated borglet: it speaks the real messages and keeps simulated processes. The master sets the pace: a poll is a credit for one
 * report, which may be held back until there is something to tell. Everything it must not forget is in the machine's memory, written
 * before it acts. It obeys no order with a lower (term, sequence) than the highest it obeyed. [KL2]
 */
import type { Actor, Address, Env, TimerHandle } from "../base/env.ts";
import type { FromBorglet, ToBorglet } from "../borgmaster/message.ts";
import { make } from "../wire/codec.ts";
import { type Order, type Poll, ReportSchema, type StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import { instanceReports, isEnded, usages } from "./borglet-report.ts";
import { afterExit, startsAfterMs } from "./borglet-restart.ts";
import type { Kept, Machine } from "./machine.ts";

/** From its own machine: a process ended. */
export interface Ended {
  readonly type: "ended";
  readonly instance: string;
}

/** Hello is said every so often, until a poll comes, and again when none came for SILENCE_MS. */
const HELLO_MS = 2000;
const SILENCE_MS = 12_000;
/** Installing packages and starting, at most; most starts are much quicker. */
const START_MS_MAX = 3000;

/** A poll that was not answered yet. */
interface Credit {
  readonly from: Address;
  readonly poll: Poll;
  readonly timer: TimerHandle;
}

export interface BorgletOptions {
  readonly machine: Machine;
  /** Whoever may poll. */
  readonly masters: readonly Address[];
  /** Told before an order is obeyed. */
  readonly onObey?: (machine: Machine, poll: Poll) => void;
}

export class SimulatedBorglet implements Actor<ToBorglet | Ended> {
  readonly #env: Env<FromBorglet>;
  readonly #machine: Machine;
  readonly #options: BorgletOptions;
  #credit: Credit | undefined;
  #polledMs = Number.NEGATIVE_INFINITY;
  /** The term of the master that has seen a full report of this life. */
  #toldTerm = 0;
  #answered = { term: 0, sequence: 0 };
  /** Something happened that the master does not know yet. */
  #news = true;

  constructor(env: Env<FromBorglet>, options: BorgletOptions) {
    this.#env = env;
    this.#machine = options.machine;
    this.#options = options;
  }

  /** Takes up what was there before: processes live on, or ended, or went with a reboot. */
  start(): void {
    for (const [instance, kept] of this.#memory.instances) {
      const task = this.#machine.task(instance);
      if (task?.exit !== undefined) this.#ended(kept);
      else if (task === undefined) this.#vanished(kept);
      else if (kept.phase === "stopping") this.#stopNow(kept);
    }
    this.#hello();
  }

  onMessage(from: Address, message: ToBorglet | Ended): void {
    if (message.type === "poll") this.#onPoll(from, message.poll);
    else {
      const kept = this.#memory.instances.get(message.instance);
      if (kept !== undefined && this.#machine.task(message.instance)?.exit !== undefined) this.#ended(kept);
    }
    this.#answerEarly();
  }

  onTimer(tag: string): void {
    const colon = tag.indexOf(":");
    const what = colon < 0 ? tag : tag.slice(0, colon);
    const kept = this.#memory.instances.get(tag.slice(colon + 1));
    if (what === "hello") this.#hello();
    else if (what === "hold") this.#report();
    else if (what === "start" && kept !== undefined) this.#tryStart(kept);
    else if (what === "kill" && kept?.phase === "stopping") this.#machine.kill(kept.order.instance);
    this.#answerEarly();
  }

  get #memory() {
    return this.#machine.memory;
  }

  #hello(): void {
    this.#env.timer(HELLO_MS + this.#env.random() * HELLO_MS, "hello");
    if (this.#env.now() - this.#polledMs < SILENCE_MS) return;
    const { name, facts } = this.#machine;
    for (const master of this.#options.masters) this.#env.send(master, { type: "hello", machine: name, facts });
  }

  #onPoll(from: Address, poll: Poll): void {
    const memory = this.#memory;
    const isOld = poll.term < memory.term || (poll.term === memory.term && poll.sequence < memory.sequence);
    if (isOld) {
      this.#env.log("~stale poll refused");
      return;
    }
    memory.term = poll.term;
    memory.sequence = poll.sequence;
    this.#polledMs = this.#env.now();
    this.#options.onObey?.(this.#machine, poll);
    for (const order of poll.orders) this.#obey(order);
    const repeated = poll.term === this.#answered.term && poll.sequence === this.#answered.sequence;
    if (!repeated) this.#hold(from, poll);
  }

  /** A newer poll replaces one that was not answered. */
  #hold(from: Address, poll: Poll): void {
    if (this.#credit !== undefined) this.#env.cancel(this.#credit.timer);
    const timer = this.#env.timer(poll.holdMs, "hold");
    this.#credit = { from, poll, timer };
    if (this.#toldTerm !== poll.term) this.#news = true;
  }

  #obey({ body }: Order): void {
    if (body.case === "start") this.#onStart(body.value);
    else if (body.case === "stop") this.#onStop(body.value.instance, body.value.noticeMs);
  }

  /** The same order again is no order. */
  #onStart(order: StartOrder): void {
    if (this.#memory.instances.has(order.instance)) return;
    const kept: Kept = { order, phase: "starting", run: 0, failures: 0, exit: undefined, message: "", noticeMs: 0, overRam: 0 };
    this.#memory.instances.set(order.instance, kept);
    this.#startAfter(kept, this.#env.random() ** 4 * START_MS_MAX);
  }

  /** For an instance that has ended this means: the master knows, forget it. */
  #onStop(instance: string, noticeMs: number): void {
    const kept = this.#memory.instances.get(instance);
    if (kept === undefined) return;
    if (isEnded(kept)) {
      this.#memory.instances.delete(instance);
    } else if (this.#machine.task(instance) === undefined) {
      this.#end(kept, "gone");
    } else if (kept.phase !== "stopping" || noticeMs < kept.noticeMs) {
      kept.phase = "stopping";
      kept.noticeMs = noticeMs;
      this.#stopNow(kept);
    }
  }

  #stopNow(kept: Kept): void {
    this.#machine.terminate(kept.order.instance);
    this.#env.timer(kept.noticeMs, `kill:${kept.order.instance}`);
  }

  #startAfter(kept: Kept, ms: number): void {
    this.#env.timer(ms, `start:${kept.order.instance}`);
  }

  /** A start waits until everything that it names is gone from the machine. */
  #tryStart(kept: Kept): void {
    const { instance, after } = kept.order;
    if (kept.phase !== "starting" || this.#machine.task(instance) !== undefined) return;
    const waits = after.some((other) => this.#machine.task(other) !== undefined && this.#machine.task(other)?.exit === undefined);
    if (waits) {
      this.#env.log("~start waits for a victim");
      this.#startAfter(kept, 100);
      return;
    }
    kept.run += 1;
    kept.phase = "running";
    this.#machine.spawn(kept.order, kept.run);
    this.#news = true;
  }

  #ended(kept: Kept): void {
    const { instance } = kept.order;
    kept.exit = this.#machine.task(instance)?.exit;
    this.#machine.reap(instance);
    if (kept.exit === undefined) return;
    const next = afterExit(kept, kept.exit);
    if (next === "starting") this.#restart(kept, startsAfterMs(kept));
    else this.#end(kept, next);
  }

  /** Nothing is left of it, and nobody saw it end: the machine was rebooted. That is not its fault, so it does not count as a failure. */
  #vanished(kept: Kept): void {
    if (isEnded(kept)) return;
    if (kept.phase === "stopping") this.#end(kept, "gone");
    else this.#restart(kept, 0);
  }

  #restart(kept: Kept, ms: number): void {
    kept.phase = "starting";
    if (kept.run > 0) this.#env.log("~restarted in place");
    this.#startAfter(kept, ms);
    this.#news = true;
  }

  #end(kept: Kept, phase: "finished" | "failed" | "gone"): void {
    kept.phase = phase;
    this.#news = true;
  }

  #answerEarly(): void {
    if (this.#credit !== undefined && this.#news) this.#report();
  }

  #report(): void {
    const credit = this.#credit;
    if (credit === undefined) return;
    this.#env.cancel(credit.timer);
    this.#credit = undefined;
    this.#news = false;
    const { term, sequence } = credit.poll;
    this.#answered = { term, sequence };
    this.#toldTerm = term;
    const usage = usages(this.#machine);
    const instances = instanceReports(this.#machine);
    const { name, facts } = this.#machine;
    const report = make(ReportSchema, { machine: name, term, sequence, facts, instances, usage });
    this.#env.send(credit.from, { type: "report", report });
  }
}
