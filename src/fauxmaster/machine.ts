/**
 * A simulated machine: its processes, which live on without their borglet, and its disk, where the borglet keeps what it must not
 * forget. A reboot ends the processes and keeps the disk; a new machine under an old name has neither.
 */
import { assert } from "../base/assert.ts";
import type { Random } from "../base/random.ts";
import { make } from "../wire/codec.ts";
import type { MachineFacts, StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import { type Resources, ResourcesSchema } from "../wire/gen/borg/v1/resource_pb.ts";
import type { Event, Kernel } from "./kernel.ts";
import { type Plan, planOf } from "./program.ts";

export interface Exit {
  readonly code: number;
  readonly signal: number;
}

/** One task's process. */
export interface SimulatedTask {
  readonly instance: string;
  readonly run: number;
  readonly sinceMs: number;
  readonly plan: Plan;
  readonly limit: Resources;
  /** Undefined while it lives; afterwards what its shim wrote down. */
  exit: Exit | undefined;
  end: Event | undefined;
  peakCpu: number;
  peakRam: number;
}

export type KeptPhase = "starting" | "running" | "stopping" | "finished" | "failed" | "gone";

/** What the borglet wrote down of one instance. */
export interface Kept {
  readonly order: StartOrder;
  phase: KeptPhase;
  run: number;
  /** Failures in a row, for back-off and for giving up. */
  failures: number;
  exit: Exit | undefined;
  message: string;
  noticeMs: number;
  /** Times in a row that it was seen above its memory limit. */
  overRam: number;
}

export interface BorgletMemory {
  term: number;
  sequence: number;
  readonly instances: Map<string, Kept>;
}

export const SIGTERM = 15;
export const SIGKILL = 9;
/** A kill takes this long at most; now and then a process hangs in the kernel much longer. */
const KILL_MS = 300;
const HANG_MS = 8000;

export interface Used {
  readonly last: Resources;
  readonly average: Resources;
  readonly peak: Resources;
}

export class Machine {
  readonly name: string;
  readonly facts: MachineFacts;
  /** What is on its disk. */
  memory: BorgletMemory = { term: 0, sequence: 0, instances: new Map() };
  /** How often it was set up from nothing. */
  wipes = 0;
  /** Usage is this many times the usual until the spike ends. */
  spike = 1;
  /** Told of every process that ended. */
  listener: ((instance: string) => void) | undefined;
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #tasks = new Map<string, SimulatedTask>();

  constructor(kernel: Kernel, name: string, facts: MachineFacts) {
    this.name = name;
    this.facts = facts;
    this.#kernel = kernel;
    this.#random = kernel.streams.of(`usage/${name}`);
  }

  task(instance: string): SimulatedTask | undefined {
    return this.#tasks.get(instance);
  }

  /** Instances whose process lives. */
  live(): string[] {
    return [...this.#tasks.values()].filter((task) => task.exit === undefined).map((task) => task.instance);
  }

  spawn(order: StartOrder, run: number): void {
    const { instance } = order;
    const old = this.#tasks.get(instance);
    assert(old === undefined || old.exit !== undefined, `Instance "${instance}" runs already`);
    const plan = planOf(order.task?.command ?? [], this.#random);
    const limit = order.task?.limit ?? make(ResourcesSchema, {});
    const task: SimulatedTask = {
      instance,
      run,
      plan,
      limit,
      exit: undefined,
      end: undefined,
      sinceMs: this.#kernel.nowMs,
      peakCpu: 0,
      peakRam: 0,
    };
    this.#tasks.set(instance, task);
    this.#kernel.note("spawn", this.name, instance, `run ${run}`);
    if (plan.lifeMs < Number.POSITIVE_INFINITY) this.#endAfter(task, plan.lifeMs, { code: plan.exitCode, signal: 0 });
  }

  terminate(instance: string): void {
    const task = this.#tasks.get(instance);
    if (task !== undefined && task.plan.termMs < Number.POSITIVE_INFINITY)
      this.#endAfter(task, task.plan.termMs, { code: 0, signal: SIGTERM });
  }

  kill(instance: string): void {
    const task = this.#tasks.get(instance);
    const delayMs = this.#random.chance(0.02) ? this.#random.int(0, HANG_MS) : this.#random.int(1, KILL_MS);
    if (task !== undefined) this.#endAfter(task, delayMs, { code: 0, signal: SIGKILL });
  }

  /** Takes away what is left of a process that ended. */
  reap(instance: string): void {
    assert(this.#tasks.get(instance)?.exit !== undefined, `Instance "${instance}" has not ended`);
    this.#tasks.delete(instance);
  }

  /** Every process is gone, without a word. */
  reboot(): void {
    this.#kernel.note("reboot", this.name, "", undefined);
    for (const task of this.#tasks.values()) task.end?.cancel();
    this.#tasks.clear();
  }

  /** Another machine under the same name: nothing of the old one is left. */
  wipe(): void {
    this.reboot();
    this.wipes += 1;
    this.memory = { term: 0, sequence: 0, instances: new Map() };
  }

  /** What a process uses just now. */
  use(task: SimulatedTask): Used {
    const cpu = Math.floor((task.limit.cpuMilli * task.plan.cpuPermille * this.#sway()) / 1000);
    const ram = Math.floor((task.limit.ramBytes * task.plan.ramPermille * this.#sway()) / 1000);
    task.peakCpu = Math.max(cpu, Math.floor(task.peakCpu * 0.99));
    task.peakRam = Math.max(ram, Math.floor(task.peakRam * 0.99));
    const average = { cpuMilli: Math.floor((cpu + task.peakCpu) / 2), ramBytes: Math.floor((ram + task.peakRam) / 2) };
    return {
      last: make(ResourcesSchema, { cpuMilli: cpu, ramBytes: ram }),
      average: make(ResourcesSchema, average),
      peak: make(ResourcesSchema, { cpuMilli: task.peakCpu, ramBytes: task.peakRam }),
    };
  }

  #sway(): number {
    return (0.9 + 0.2 * this.#random.float()) * this.spike;
  }

  /** The earliest end counts. */
  #endAfter(task: SimulatedTask, delayMs: number, exit: Exit): void {
    const atMs = this.#kernel.nowMs + delayMs;
    if (task.exit !== undefined || (task.end !== undefined && task.end.timeMs <= atMs)) return;
    task.end?.cancel();
    task.end = this.#kernel.at(atMs, () => {
      task.exit = exit;
      this.#kernel.note("ended", this.name, task.instance, exit.signal > 0 ? `signal ${exit.signal}` : `exit ${exit.code}`);
      this.listener?.(task.instance);
    });
  }
}
