/** What a scheduler would do with one job right now: planned on a mirror by the very passes that claim, and never sent. */
import type { InstanceId, JobId } from "../../base/id.ts";
import { type Image, imageOf } from "../../cell/feed.ts";
import { findInstance } from "../../cell/ops/reports.ts";
import { specRecord } from "../../cell/record/record.ts";
import type { CellState, Job } from "../../cell/state.ts";
import { Mirror } from "../../scheduler/mirror/mirror.ts";
import { runPass } from "../../scheduler/pass.ts";
import { Queue } from "../../scheduler/queue.ts";
import type { Init } from "../../wire/codec.ts";
import type { VictimSchema } from "../../wire/gen/borg/v1/api_pb.ts";

/** A job is placed in far fewer; the bound is against a loop. */
const PASSES_MAX = 1000;
const VICTIMS_MAX = 10_000;
/** A preview is for a person: when so many tasks have found a place, the rest is not looked for. */
const PLACED_MAX = 2_000;

export interface Preview {
  readonly placed: number;
  /** It ended before all were looked at. */
  readonly partial: boolean;
  readonly victims: readonly Init<typeof VictimSchema>[];
}

/** `instead`: what the job would ask for, in place of what it asks for. */
export function previewOf(state: CellState, job: JobId, scheduler: string, instead?: Job["spec"]): Preview {
  const mirror = new Mirror(scheduler);
  const image = imageOf(state);
  if (mirror.load(instead === undefined ? image : withSpec(image, job, instead)) !== undefined)
    return { placed: 0, partial: false, victims: [] };
  const queue = new Queue({ mine: (each) => each.id === job, retryMs: 0 });
  const victims: InstanceId[] = [];
  let placed = 0;
  for (let passes = 0; passes < PASSES_MAX; passes++) {
    const { transactions, more } = runPass(mirror, queue, { nowMs: mirror.timeMs, id: () => `preview-${passes}` });
    for (const { claims } of transactions) {
      placed += claims.length;
      for (const claim of claims) victims.push(...((claim.victims ?? []) as InstanceId[]));
    }
    if ((!more && transactions.length === 0) || placed >= PLACED_MAX) break;
  }
  return { placed, partial: placed >= PLACED_MAX, victims: victims.slice(0, VICTIMS_MAX).flatMap((id) => victimOf(state, id)) };
}

function withSpec(image: Image, id: JobId, instead: Job["spec"]): Image {
  const spec = specRecord(instead);
  const records = image.records.map((record) => {
    const { body } = record;
    const isIt = body.case === "job" && `${body.value.spec.value?.user}/${body.value.spec.value?.name}` === id;
    return isIt ? { ...record, body: { ...body, value: { ...body.value, spec } } } : record;
  });
  return { ...image, records };
}

function victimOf(state: CellState, id: InstanceId): Init<typeof VictimSchema>[] {
  const instance = findInstance(state, id);
  if (instance === undefined) return [];
  return [{ instance: id, priority: instance.priority, machine: instance.place.machine.id, noticeMs: instance.noticeMs }];
}
