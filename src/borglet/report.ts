/** What a borglet tells of its machine: every instance that it has not been told to forget, and what each uses. */
import { make } from "../wire/codec.ts";
import { type UsageChunk, UsageChunkSchema, type UsageRequest } from "../wire/gen/borg/v1/link_pb.ts";
import {
  type InstanceReport,
  InstanceReportSchema,
  Phase,
  type StartOrder,
  type Usage,
  UsageSchema,
} from "../wire/gen/borg/v1/machine_pb.ts";
import type { Kept, Phase as KeptPhase, Memory } from "./kept.ts";
import { type Live, saidOf } from "./live.ts";
import type { BorgletMachine, Strain } from "./machine.ts";
import { isNewTraffic, isNoticeable } from "./notice.ts";
import type { Use } from "./usage.ts";

/** One that stops is there until it is gone. */
const PHASES: Readonly<Record<KeptPhase, Phase>> = {
  starting: Phase.STARTING,
  running: Phase.RUNNING,
  stopping: Phase.RUNNING,
  finished: Phase.FINISHED,
  failed: Phase.FAILED,
  gone: Phase.GONE,
};

/** A start that was tried counts when it is seen alive. A run that ended and will be followed by another is told as starting, with its back-off. */
function instanceReport(kept: Kept, live: Live, nowMs: number, waiting = ""): InstanceReport {
  const launching = live.process === "launching";
  const waits = kept.phase === "starting" && kept.run > 0 && live.process === "none";
  return make(InstanceReportSchema, {
    instance: kept.order.instance,
    phase: launching ? Phase.STARTING : PHASES[kept.phase],
    run: launching ? kept.run - 1 : kept.run,
    exitCode: kept.exit?.code ?? 0,
    signal: kept.exit?.signal ?? 0,
    ...saidOf(kept, live),
    generation: kept.order.generation,
    ...(kept.order.alloc === "" ? {} : { allocGeneration: kept.order.allocGeneration }),
    outOfResources: kept.phase === "gone" && kept.evicted,
    starved: live.process === "alive" && live.starvation.isStarved(nowMs),
    overRam: live.process === "alive" && live.usage.isOver,
    message: kept.message,
    data: kept.data,
    failures: kept.failures,
    rebooted: kept.rebooted,
    backoffMs: waits ? Math.max(0, Math.ceil(live.notBeforeMs - nowMs)) : 0,
    waiting,
    upMs: live.process === "alive" ? Math.max(1, Math.floor(nowMs - live.sinceMs)) : 0,
  });
}

/** Of all that are kept. `words`: what a start that is due waits for. */
export const instanceReports = (
  { instances }: Memory,
  lives: ReadonlyMap<string, Live>,
  nowMs: number,
  words: (order: StartOrder) => string,
): InstanceReport[] =>
  [...instances].map(([instance, kept]) => {
    const live = lives.get(instance)!;
    const waits = kept.phase === "starting" && live.notBeforeMs <= nowMs;
    return instanceReport(kept, live, nowMs, waits ? words(kept.order) : "");
  });

/** Use that changed noticeably since it was told last; all of it when `full`. Of what is left out the master knows: as before. */
export function usages(lives: ReadonlyMap<string, Live>, nowMs: number, full: boolean): Usage[] {
  const out: Usage[] = [];
  for (const [instance, live] of lives) {
    const use = live.process === "alive" ? live.usage.use(nowMs) : undefined;
    if (use === undefined || (!full && live.told !== undefined && !isNews(live.told, use))) continue;
    live.told = use;
    const more = {
      ...(use.cpi === undefined ? {} : { cpi: use.cpi }),
      ...(use.diskTraffic === undefined ? {} : { diskTraffic: { ...use.diskTraffic } }),
    };
    out.push(make(UsageSchema, { instance, last: { ...use.last }, average: { ...use.average }, peak: { ...use.peak }, ...more }));
  }
  return out;
}

/** Of a machine that can tell. */
export function strainOf(machine: BorgletMachine): { readonly strain?: Strain } {
  const strain = machine.strain?.();
  return strain === undefined ? {} : { strain };
}

/** Second by second, as far as it was another; of an instance that is not here, nothing. */
export function usageChunk(lives: ReadonlyMap<string, Live>, { id, instance }: UsageRequest, nowMs: number): UsageChunk {
  const live = lives.get(instance);
  return make(UsageChunkSchema, { id, changes: live?.process === "alive" ? live.usage.changes(nowMs).map((each) => ({ ...each })) : [] });
}

const isNews = (told: Use, use: Use): boolean =>
  isNoticeable(told.last, use.last) ||
  isNoticeable(told.average, use.average) ||
  isNoticeable(told.peak, use.peak) ||
  told.cpi !== use.cpi ||
  isNewTraffic(told.diskTraffic, use.diskTraffic);
