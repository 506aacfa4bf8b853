/** What a borglet tells of its machine: every instance that it has not been told to forget, and what each uses. */
import { make } from "../wire/codec.ts";
import { type InstanceReport, InstanceReportSchema, Phase, type Usage } from "../wire/gen/borg/v1/machine_pb.ts";
import type { Kept, Phase as KeptPhase } from "./kept.ts";
import { healthOf, type Live } from "./live.ts";

/** One that stops is there until it is gone. */
const PHASES: Readonly<Record<KeptPhase, Phase>> = {
  starting: Phase.STARTING,
  running: Phase.RUNNING,
  stopping: Phase.RUNNING,
  finished: Phase.FINISHED,
  failed: Phase.FAILED,
  gone: Phase.GONE,
};

/** A start that was tried counts when it is seen alive. */
export function instanceReport(kept: Kept, live: Live): InstanceReport {
  const launching = live.process === "launching";
  return make(InstanceReportSchema, {
    instance: kept.order.instance,
    phase: launching ? Phase.STARTING : PHASES[kept.phase],
    run: launching ? kept.run - 1 : kept.run,
    exitCode: kept.exit?.code ?? 0,
    signal: kept.exit?.signal ?? 0,
    health: healthOf(kept, live),
    overRam: live.process === "alive" && live.usage.isOver,
    message: kept.message,
  });
}

export function usages(lives: ReadonlyMap<string, Live>): Usage[] {
  const out: Usage[] = [];
  for (const [instance, live] of lives) {
    const usage = live.process === "alive" ? live.usage.usage(instance) : undefined;
    if (usage !== undefined) out.push(usage);
  }
  return out;
}
