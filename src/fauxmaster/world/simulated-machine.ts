/**
 * A simulated machine: its processes, which live on without their borglet, and its disk, where the borglet keeps what it must not
 * forget. A reboot ends the processes and cuts the disk's power; a new machine under an old name has neither.
 */
import { assert } from "../../base/assert.ts";
import type { Random } from "../../base/random.ts";
import type { Memory } from "../../borglet/kept.ts";
import type { About, Exit } from "../../borglet/machine.ts";
import type { Amounts } from "../../borglet/notice.ts";
import { make } from "../../wire/codec.ts";
import type { MachineFacts, StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { type Resources, ResourcesSchema } from "../../wire/gen/borg/v1/resource_pb.ts";
import { ExecutorLedger } from "../judge/executor-ledger.ts";
import { SimulatedDisk } from "./disk.ts";
import type { SimulatedDoor } from "./executor-door.ts";
import { ExecutorProgram } from "./executor-program.ts";
import type { Event, Kernel } from "./kernel.ts";
import { type Behaviour, behaviourOf } from "./program.ts";
import { PackageDisk } from "./simulated-packages.ts";

/** One run of a task. */
export interface SimulatedTask {
  readonly instance: string;
  readonly run: number;
  readonly plan: Behaviour;
  limit: Resources;
  /** Until then its shim has not begun, and it can be called off. */
  readonly beginsMs: number;
  /** `ended`: how is written down, until somebody forgets it or starts the next run. */
  state: "launching" | "alive" | "ended";
  /** Since when it lives. */
  sinceMs: number;
  exit: Exit;
  message: string;
  /** What happens to it next: it comes to life, or it ends. */
  next: Event | undefined;
  killed: boolean;
  /** What it uses just now against its plan. */
  sway: { readonly cpu: number; readonly ram: number };
  /** What it answers to its checks just now; empty: that it is well. */
  says: Readonly<Record<About, string>>;
  /** While it lives, and takes tasks of its framework. */
  program: ExecutorProgram | undefined;
}

/** Whoever is told of what happens to tasks: the present borglet's host. */
export interface TaskListener {
  alive(task: SimulatedTask): void;
  ended(task: SimulatedTask): void;
}

export const SIGTERM = 15;
export const SIGKILL = 9;
/** A kill takes this long at most; now and then a process hangs in the kernel much longer. */
const KILL_MS = 300;
const HANG_MS = 8000;
/** Installing packages and starting, at most; most starts are much quicker. */
const START_MS_MAX = 3000;
/** Between the order to start and the first sign of a shim, at most. */
const BEGIN_MS_MAX = 20;
/** As the shim says it when it could not start the task's program. */
const CANNOT_START: Exit = { code: 125, signal: 0 };
/** Of each instance so much output is kept, and of so many instances. */
const LOG_LENGTH_MAX = 4096;
const LOGS_MAX = 100;

const WELL: SimulatedTask["says"] = { health: "", ready: "" };

export class SimulatedMachine {
  readonly name: string;
  /** All that it ever was. */
  readonly sizes: MachineFacts[] = [];
  readonly disk: SimulatedDisk;
  readonly packages = new PackageDisk();
  /** Allocs that have a directory on its disk. */
  readonly allocs = new Set<string>();
  /** What the present borglet, or the last one, has in its memory. */
  memory: Memory | undefined;
  /** How often it was set up from nothing. */
  wipes = 0;
  /** Usage is this many times the usual until the spike ends. */
  spike = 1;
  listener: TaskListener | undefined;
  /** Where executors find the present borglet; undefined: there is none. */
  door: SimulatedDoor | undefined;
  /** What executors said here. */
  readonly ledger = new ExecutorLedger();
  readonly #kernel: Kernel;
  readonly #usage: Random;
  readonly #starts: Random;
  readonly #moods: Random;
  readonly #gone = new Set<string>();
  /** How many processes began here. */
  births = 0;
  readonly #tasks = new Map<string, SimulatedTask>();
  readonly #logs = new Map<string, string>();

  constructor(kernel: Kernel, name: string, facts: MachineFacts) {
    this.name = name;
    this.sizes.push(facts);
    this.disk = new SimulatedDisk(kernel, kernel.streams.of(`disk/${name}`), "borglet-disk");
    this.#kernel = kernel;
    this.#usage = kernel.streams.of(`usage/${name}`);
    this.#starts = kernel.streams.of(`starts/${name}`);
    this.#moods = kernel.streams.of(`moods/${name}`);
  }

  /** What its borglet finds when it starts, and says of it. */
  get facts(): MachineFacts {
    return this.sizes.at(-1) as MachineFacts;
  }

  set facts(facts: MachineFacts) {
    this.sizes.push(facts);
  }

  task(instance: string): SimulatedTask | undefined {
    return this.#tasks.get(instance);
  }

  tasks(): Iterable<SimulatedTask> {
    return this.#tasks.values();
  }

  /** Instances whose process lives. */
  live(): string[] {
    return [...this.#tasks.values()].filter(({ state }) => state === "alive").map(({ instance }) => instance);
  }

  log(instance: string): string | undefined {
    return this.#logs.get(instance);
  }

  /** From now on it goes its way, with or without a borglet. */
  launch(order: StartOrder, run: number): void {
    const { instance } = order;
    if (order.alloc !== "") this.allocs.add(order.alloc);
    assert((this.#tasks.get(instance)?.state ?? "ended") === "ended", `Instance "${instance}" runs already`);
    const random = this.#starts;
    const { nowMs } = this.#kernel;
    const task: SimulatedTask = {
      instance,
      run,
      plan: behaviourOf(order.task?.command ?? [], this.#usage),
      limit: order.task?.limit ?? make(ResourcesSchema, {}),
      beginsMs: nowMs + random.int(0, BEGIN_MS_MAX),
      state: "launching",
      sinceMs: nowMs,
      exit: CANNOT_START,
      message: "",
      next: undefined,
      killed: false,
      sway: { cpu: 1, ram: 1 },
      says: WELL,
      program: undefined,
    };
    this.#tasks.set(instance, task);
    const startMs = Math.floor(random.float() ** 4 * START_MS_MAX);
    const fails = random.chance(0.003);
    task.next = this.#kernel.at(Math.max(task.beginsMs, nowMs + startMs), () => (fails ? this.#cannotStart(task) : this.#spawned(task)));
  }

  /** Of a run whose shim has not begun nothing is left, and it never begins. */
  callOff(task: SimulatedTask): boolean {
    if (this.#kernel.nowMs >= task.beginsMs || task.state !== "launching") return false;
    task.next?.cancel();
    this.#tasks.delete(task.instance);
    return true;
  }

  /** It goes on, held to other limits. */
  adjust({ instance, task }: StartOrder): void {
    const found = this.#tasks.get(instance);
    if (found !== undefined) found.limit = task?.limit ?? make(ResourcesSchema, {});
  }

  terminate(instance: string): void {
    const task = this.#tasks.get(instance);
    task?.program?.signalled(this.#phaseOf(instance));
    if (task?.state === "alive" && task.plan.termMs < Number.POSITIVE_INFINITY)
      this.#endAfter(task, task.plan.termMs, { code: 0, signal: SIGTERM });
  }

  #phaseOf = (instance: string): string | undefined => this.memory?.instances.get(instance)?.phase;

  /** A process that hangs does not go sooner because it is killed again. */
  kill(instance: string): void {
    const task = this.#tasks.get(instance);
    if (task === undefined || task.state === "ended" || task.killed) return;
    task.program?.signalled(this.#phaseOf(instance));
    task.killed = true;
    const delayMs = this.#usage.chance(0.02) ? this.#usage.int(0, HANG_MS) : this.#usage.int(1, KILL_MS);
    this.#endAfter(task, delayMs, { code: 0, signal: SIGKILL });
  }

  /** Takes away what is left of a run that ended. */
  forget(instance: string): void {
    if (this.#tasks.get(instance)?.state === "ended") this.#tasks.delete(instance);
  }

  /** Every process is gone, without a word; how some ended may have been written down before. */
  reboot(): void {
    this.#kernel.note("reboot", this.name, "", undefined);
    this.#gone.clear();
    for (const task of this.#tasks.values()) {
      task.next?.cancel();
      task.program = undefined;
      if (task.state !== "ended") this.#gone.add(`${task.instance} ${task.run}`);
      if (task.state !== "ended" || this.#starts.chance(0.5)) this.#tasks.delete(task.instance);
    }
    this.disk.powerCut();
  }

  /** Whether this run went with the last reboot. */
  wentWithReboot(instance: string, run: number): boolean {
    return this.#gone.has(`${instance} ${run}`);
  }

  /** Another machine under the same name: nothing of the old one is left. */
  wipe(): void {
    this.reboot();
    this.#tasks.clear();
    this.#logs.clear();
    this.allocs.clear();
    this.ledger.forgive();
    this.wipes += 1;
    const { disk } = this.disk;
    for (const name of disk.list()) disk.remove(name);
    disk.syncNames();
  }

  /** A process ends by itself, or is ended. */
  end(task: SimulatedTask, exit: Exit): void {
    task.next?.cancel();
    task.next = undefined;
    task.state = "ended";
    task.program = undefined;
    task.exit = exit;
    this.#kernel.note("ended", this.name, task.instance, exit.signal > 0 ? `signal ${exit.signal}` : `exit ${exit.code}`);
    this.listener?.ended(task);
  }

  /** What a process uses just now. */
  use({ limit, plan, sway }: SimulatedTask): Amounts {
    return {
      cpuMilli: Math.floor((limit.cpuMilli * plan.cpuPermille * sway.cpu * this.spike) / 1000),
      ramBytes: Math.floor((limit.ramBytes * plan.ramPermille * sway.ram * this.spike) / 1000),
      // Simulated processes write no files.
      diskBytes: 0,
    };
  }

  /** Now and then use changes by itself; and a task falls ill, or has too much to do, or is well again. */
  breathe(): void {
    const random = this.#usage;
    for (const task of this.#tasks.values()) {
      if (task.state !== "alive") continue;
      if (random.chance(0.05)) task.sway = { cpu: 0.9 + 0.2 * random.float(), ram: 0.9 + 0.2 * random.float() };
      const { health, ready } = task.says;
      const isIll = this.#moods.chance(health === "" ? 0.01 : 0.7);
      const isBusy = this.#moods.chance(ready === "" ? 0.1 : 0.6);
      task.says = isIll || isBusy ? { health: isIll ? "Answered 500" : "", ready: isBusy ? "Answered 503" : "" } : WELL;
    }
  }

  /** What is wrong with a task, as it answers itself; empty: nothing. */
  problemOf(instance: string, about: About): string {
    const task = this.#tasks.get(instance);
    return task?.state === "alive" ? task.says[about] : "Connection refused";
  }

  #spawned(task: SimulatedTask): void {
    const { plan, instance, run } = task;
    task.next = undefined;
    task.state = "alive";
    this.births += 1;
    task.sinceMs = this.#kernel.nowMs;
    this.#kernel.note("spawn", this.name, instance, `run ${run}`);
    this.#say(instance, `run ${run}\n`);
    if (plan.executor !== undefined) task.program = new ExecutorProgram(this.#kernel, this, task, plan.executor);
    this.listener?.alive(task);
    if (plan.lifeMs < Number.POSITIVE_INFINITY) this.#endAfter(task, plan.lifeMs, { code: plan.exitCode, signal: plan.signal });
  }

  #cannotStart(task: SimulatedTask): void {
    this.#kernel.probes.add("a start failed");
    task.message = "Cannot start: the simulated shim was ended";
    this.end(task, CANNOT_START);
  }

  #say(instance: string, text: string): void {
    const oldest = this.#logs.keys().next().value;
    if (this.#logs.size >= LOGS_MAX && !this.#logs.has(instance) && oldest !== undefined) this.#logs.delete(oldest);
    this.#logs.set(instance, `${this.#logs.get(instance) ?? ""}${text}`.slice(-LOG_LENGTH_MAX));
  }

  /** The earliest end counts; one that is killed while it starts never lives. */
  #endAfter(task: SimulatedTask, delayMs: number, exit: Exit): void {
    const atMs = this.#kernel.nowMs + delayMs;
    if (task.state === "alive" && task.next !== undefined && task.next.timeMs <= atMs) return;
    task.next?.cancel();
    task.next = this.#kernel.at(atMs, () => this.end(task, exit));
  }
}
