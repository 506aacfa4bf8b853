/** A simulated machine whose tasks use what the story says, and end when it says so. */

import { taskOf } from "../base/id.ts";
import { make } from "../wire/codec.ts";
import type { MachineFacts } from "../wire/gen/borg/v1/machine_pb.ts";
import { ResourcesSchema } from "../wire/gen/borg/v1/resource_pb.ts";
import type { Kernel } from "./kernel.ts";
import { type Exit, Machine, type SimulatedTask, type Used } from "./machine.ts";

/** Peaks are those of the last five minutes. */
const PEAK_MS = 300_000;

export interface ToldUsage {
  readonly cpuMilli: number;
  readonly ramBytes: number;
}

interface Sample extends ToldUsage {
  readonly timeMs: number;
}

export class StageMachine extends Machine {
  readonly #clock: Kernel;
  readonly #told = new Map<string, ToldUsage>();
  readonly #samples = new Map<string, Sample[]>();

  constructor(kernel: Kernel, name: string, facts: MachineFacts) {
    super(kernel, name, facts);
    this.#clock = kernel;
  }

  /** The instance of a task whose process lives here. */
  instanceOf(task: string): string | undefined {
    return this.live().find((instance) => taskOf(instance) === task);
  }

  /** From now on this task uses so much, whichever instance it is. */
  tell(task: string, usage: ToldUsage): void {
    this.#told.set(task, usage);
  }

  /** Its process ends by itself. */
  end(instance: string, exit: Exit): void {
    const task = this.task(instance);
    if (task === undefined || task.exit !== undefined) return;
    task.end?.cancel();
    task.exit = exit;
    this.listener?.(instance);
  }

  override use(task: SimulatedTask): Used {
    const told = this.#told.get(taskOf(task.instance)) ?? {
      cpuMilli: Math.floor((task.limit.cpuMilli * task.plan.cpuPermille) / 1000),
      ramBytes: Math.floor((task.limit.ramBytes * task.plan.ramPermille) / 1000),
    };
    const timeMs = this.#clock.nowMs;
    const known = this.#samples.get(task.instance) ?? [];
    const samples = [...known.filter((sample) => timeMs - sample.timeMs <= PEAK_MS), { ...told, timeMs }];
    this.#samples.set(task.instance, samples);
    const peak = {
      cpuMilli: samples.reduce((most, sample) => Math.max(most, sample.cpuMilli), 0),
      ramBytes: samples.reduce((most, sample) => Math.max(most, sample.ramBytes), 0),
    };
    const last = make(ResourcesSchema, { cpuMilli: told.cpuMilli, ramBytes: told.ramBytes });
    return { last, average: last, peak: make(ResourcesSchema, peak) };
  }
}
