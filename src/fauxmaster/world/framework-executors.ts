/** What simulated frameworks launch inside executors, and what they say to those. What an executor of a name is like is always the same, as the cell wants it. */
import type { Random } from "../../base/random.ts";
import type { Init } from "../../wire/codec.ts";
import { ExecutorInfo_Type, type TaskInfoSchema, Value_Type } from "../../wire/gen/mesos/v1/mesos_pb.ts";
import { Call_Type, type CallSchema } from "../../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";

/** By their names. Most behave; the others are there to be survived. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  calm: ["executor"],
  brittle: ["executor-crash", "30000"],
  mute: ["executor-hang"],
  deaf: ["executor-deaf"],
};
const NAMES = ["calm", "calm", "calm", "brittle", "brittle", "mute", "deaf"] as const;
/** As executor-program.ts reads them. */
const TASKS = ["work", "work", "crash", "serve"] as const;
const TASK_MS_MAX = 40_000;

/** What it spoke to last. */
export interface Spoken {
  readonly agent: string;
  readonly executor: string;
}

/** The same task as it would be inside an executor of its machine. */
export function inside(task: Init<typeof TaskInfoSchema>, random: () => number): Init<typeof TaskInfoSchema> {
  const { command: _, ...rest } = task;
  const name = pick(NAMES, random);
  const [program = "", ...more] = COMMANDS[name] ?? [];
  return {
    ...rest,
    // Some are given up before an executor that is away just then could come back.
    killPolicy: { gracePeriod: { nanoseconds: random() < 0.5 ? 300_000_000n : 5_000_000_000n } },
    name: `${pick(TASKS, random)} ${Math.floor(TASK_MS_MAX * random())}`,
    executor: {
      type: ExecutorInfo_Type.CUSTOM,
      executorId: { value: name },
      command: { shell: false, value: program, arguments: [program, ...more] },
      resources: [
        { name: "cpus", type: Value_Type.SCALAR, scalar: { value: 0.1 } },
        { name: "mem", type: Value_Type.SCALAR, scalar: { value: 64 } },
      ],
    },
  };
}

/** A word to an executor, or its end. `from` comes back with every answer. */
export function speak({ agent, executor }: Spoken, from: string, random: () => number): Init<typeof CallSchema> {
  const to = { agentId: { value: agent }, executorId: { value: executor } };
  if (random() < 0.2) return { type: Call_Type.SHUTDOWN, shutdown: to };
  return { type: Call_Type.MESSAGE, message: { ...to, data: Uint8Array.from(from, (letter) => letter.charCodeAt(0)) } };
}

/** Whether this framework uses executors at all. */
export const drawExecutors = (random: Random): boolean => random.chance(0.7);

const pick = <T>(all: readonly T[], random: () => number): T => all[Math.floor(all.length * random())] as T;
