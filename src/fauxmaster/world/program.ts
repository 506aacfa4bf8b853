/** What simulated tasks do, by their command: the workload writes these commands, and simulated machines act on them. */
import type { Random } from "../../base/random.ts";
import type { Manner } from "./executor-program.ts";

export interface Behaviour {
  /** When it ends by itself; Infinity: never. */
  readonly lifeMs: number;
  readonly exitCode: number;
  /** That it ends itself with; 0: it exits. */
  readonly signal: number;
  /** How long it takes to go after SIGTERM; Infinity: it does not listen. */
  readonly termMs: number;
  /** What it uses of its limits, in permille, when nothing special happens. */
  readonly cpuPermille: number;
  readonly ramPermille: number;
  /** It takes tasks of its framework, in this manner (executor-program.ts). */
  readonly executor?: Manner;
}

/**
 * - `serve`: for ever. `stubborn`: so too, and deaf to SIGTERM. `hog`: so too, above its memory limit.
 * - `work MS`: ends well after about so long. `crash MS [CODE]`: ends badly. `flaky MS`: one or the other. `die MS SIGNAL`: ends by a signal.
 * - `executor`: takes tasks, and ends when it is told to. `executor-crash MS`: ends badly, with what it has. `executor-hang`: hears nothing after a while. `executor-deaf`: does nothing that it is told.
 */
export function behaviourOf(command: readonly string[], random: Random): Behaviour {
  const [program = "serve", ms = "0", how = "1"] = command;
  const lifeMs = Math.max(1, Math.floor(Number(ms) * (0.8 + 0.4 * random.float())));
  const plan: Behaviour = {
    lifeMs: Number.POSITIVE_INFINITY,
    exitCode: 0,
    signal: 0,
    termMs: random.int(1, 2000),
    cpuPermille: random.int(50, 900),
    ramPermille: random.int(200, 800),
  };
  switch (program) {
    case "work":
      return { ...plan, lifeMs };
    case "crash":
      return { ...plan, lifeMs, exitCode: Number(how) };
    case "die":
      return { ...plan, lifeMs, signal: Number(how) };
    case "flaky":
      return { ...plan, lifeMs, exitCode: random.chance(0.5) ? 1 : 0 };
    case "stubborn":
      return { ...plan, termMs: Number.POSITIVE_INFINITY };
    case "hog":
      return { ...plan, ramPermille: random.int(1010, 1300) };
    case "executor":
      return { ...plan, executor: program };
    case "executor-crash":
      return { ...plan, lifeMs, exitCode: 1, executor: program };
    case "executor-hang":
      return { ...plan, executor: program };
    case "executor-deaf":
      return { ...plan, termMs: Number.POSITIVE_INFINITY, executor: program };
    default:
      return plan;
  }
}

/** Whether a job of this program may end by itself. */
export const mayEnd = (command: readonly string[]): boolean => ["work", "crash", "flaky", "die"].includes(command[0] ?? "");
