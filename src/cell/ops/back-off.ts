/** A task that failed waits before it may run again, longer each time, and keeps away from the machine (Borg §4). */
import { faceOf } from "../face.ts";
import { remember } from "../past.ts";
import type { Avoided, Instance } from "../state.ts";
import type { Turn } from "../turn.ts";

/** A task remembers at most this many machines where it failed; the oldest goes first. */
export const AVOIDED_MAX = 8;

/** The delay doubles from the first to the longest, and starts anew after a long life. */
export function backOff(turn: Turn, instance: Instance): void {
  const { task } = instance;
  turn.touch.task(task);
  const policy = faceOf(task).wants.restart;
  const first = policy?.backoffMinMs || turn.state.config.backoffMinMs;
  const longest = Math.max(policy?.backoffMaxMs || turn.state.config.backoffMaxMs, first);
  const livedLong = instance.startedMs > 0 && turn.timeMs - instance.startedMs >= longest;
  task.failures = livedLong ? 1 : task.failures + 1;
  task.notBeforeMs = turn.timeMs + Math.min(longest, first * 2 ** Math.min(task.failures - 1, 30));
  const added = { machine: instance.place.machine.id, untilMs: turn.timeMs + longest };
  remember(task, { avoid: avoiding(task.past.avoid, added, turn.timeMs) });
}

function avoiding(avoid: readonly Avoided[], added: Avoided, nowMs: number): readonly Avoided[] {
  const kept = avoid.filter((a) => a.machine !== added.machine && a.untilMs > nowMs);
  return [...kept, added].slice(-AVOIDED_MAX);
}
