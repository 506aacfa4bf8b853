/** What a sample of a task's use means: whether the master should hear of it now, and why the task has to go, if it has. */
import type { MachineFacts, StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import { ramBound } from "./bounds.ts";
import type { Live } from "./live.ts";
import type { Sample } from "./machine.ts";
import { fullWords, overRamWords } from "./usage.ts";

export interface Measured {
  readonly isNews: boolean;
  readonly words: string | undefined;
}

export function measured(
  sample: Sample,
  order: StartOrder,
  live: Live,
  { facts, ramEnforced }: { readonly facts: MachineFacts; readonly ramEnforced: boolean },
  nowMs: number,
): Measured {
  const { isHungry = false } = sample;
  const ramLimit = ramBound(order.task?.limit?.ramBytes ?? 0, facts.capacity?.ramBytes ?? 0);
  const wasOver = live.usage.isOver;
  live.usage.add(nowMs, sample, ramLimit);
  live.starvation.add(nowMs, isHungry);
  const isHeld = ramEnforced || order.task?.slackRam === true;
  const overRam = !isHeld && live.usage.isClearlyOver ? overRamWords(live.usage.ramBytes, ramLimit) : undefined;
  return { isNews: live.usage.isOver !== wasOver, words: overRam ?? fullWords(order, sample, facts.capacity?.diskBytes ?? 0) };
}
