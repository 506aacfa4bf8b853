/** What a simulated borglet tells of its machine: every instance that it has not been told to forget, and what each uses. */
import { make } from "../wire/codec.ts";
import { Health, type InstanceReport, InstanceReportSchema, Phase, type Usage, UsageSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import type { Kept, KeptPhase, Machine } from "./machine.ts";

/** One that stops is there until it is gone. */
const PHASES: Readonly<Record<KeptPhase, Phase>> = {
  starting: Phase.STARTING,
  running: Phase.RUNNING,
  stopping: Phase.RUNNING,
  finished: Phase.FINISHED,
  failed: Phase.FAILED,
  gone: Phase.GONE,
};

/** Seen so often in a row above its memory limit, an instance is flagged. */
const OVER_RAM_TIMES = 2;

export const isEnded = ({ phase }: Kept): boolean => phase === "finished" || phase === "failed" || phase === "gone";

export const instanceReports = (machine: Machine): InstanceReport[] =>
  [...machine.memory.instances].map(([instance, kept]) =>
    make(InstanceReportSchema, {
      instance,
      phase: PHASES[kept.phase],
      run: kept.run,
      exitCode: kept.exit?.code ?? 0,
      signal: kept.exit?.signal ?? 0,
      health: healthOf(machine, kept),
      overRam: kept.overRam >= OVER_RAM_TIMES,
      message: kept.message,
    }),
  );

/** A machine under a spike answers its health checks late. */
function healthOf(machine: Machine, kept: Kept): Health {
  if (kept.phase !== "running" || kept.order.task?.health === undefined) return Health.UNSPECIFIED;
  return machine.spike > 1 ? Health.BAD : Health.GOOD;
}

/** Measures everything that lives, and notes what is above its memory limit. */
export function usages(machine: Machine): Usage[] {
  const out: Usage[] = [];
  for (const instance of machine.live()) {
    const task = machine.task(instance)!;
    const used = machine.use(task);
    const kept = machine.memory.instances.get(instance);
    if (kept !== undefined) kept.overRam = used.last.ramBytes > task.limit.ramBytes && task.limit.ramBytes > 0 ? kept.overRam + 1 : 0;
    out.push(make(UsageSchema, { instance, ...used }));
  }
  return out;
}
