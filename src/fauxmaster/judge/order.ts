/** Positions against the clock on the wall of the world: what was asked after an answer was heard must not stand before it. [KD3] */
import type { Violation } from "../world/kernel.ts";
import type { Call, History } from "./history.ts";

/** Milliseconds in the world between a stamp and its use: timers round, and messages inside a process take a moment. */
const AGE_SLACK_MS = 50;

/** A read may not show less than what anyone had been told before it was asked; a change stands after all of that. */
export function outOfOrder(history: History): Violation[] {
  const placed = history.calls.filter((call) => positionOf(call) !== undefined);
  const byReturn = [...placed].sort((a, b) => a.returnedMs - b.returnedMs);
  const byInvocation = [...placed].filter(isOrdered).sort((a, b) => a.invokedMs - b.invokedMs);
  let heard = 0;
  let highest: Call | undefined;
  for (const call of byInvocation) {
    for (; heard < byReturn.length && byReturn[heard]!.returnedMs < call.invokedMs; heard++) {
      const earlier = byReturn[heard]!;
      if (highest === undefined || positionOf(earlier)! > positionOf(highest)!) highest = earlier;
    }
    if (highest === undefined || isAfter(call, highest)) continue;
    const text = `Call ${call.id}, invoked at ${call.invokedMs}, has position ${positionOf(call)}; call ${highest.id} had ${positionOf(highest)} at ${highest.returnedMs}`;
    return [{ id: "KD3", text }];
  }
  return [];
}

/** A stale read shows everything that was acknowledged before the moment its age names. */
export function tooOld(history: History): Violation[] {
  const byReturn = history.calls.filter((call) => positionOf(call) !== undefined).sort((a, b) => a.returnedMs - b.returnedMs);
  const highest: number[] = [];
  for (const call of byReturn) highest.push(Math.max(highest.at(-1) ?? 0, positionOf(call)!));
  for (const { asked, heard, invokedMs, id } of history.calls) {
    if (!asked.stale || heard.type !== "read" || heard.ageMs === undefined) continue;
    const beforeMs = invokedMs - heard.ageMs - AGE_SLACK_MS;
    const known = byReturn.findLastIndex((call) => call.returnedMs < beforeMs);
    if (known < 0 || heard.position >= highest[known]!) continue;
    const text = `Call ${id} was told that what it read, position ${heard.position}, is ${heard.ageMs} ms old; ${highest[known]} had been told before that`;
    return [{ id: "KD3", text }];
  }
  return [];
}

/** A mutation needs a position of its own; a read or a refusal may share the one it saw. */
const isAfter = (call: Call, earlier: Call): boolean =>
  positionOf(call)! > positionOf(earlier)! || (call.heard.type !== "done" && positionOf(call) === positionOf(earlier));

/** What is repeated tells where it was done first, and a stale read promises no more than its age. */
const isOrdered = ({ asked, heard }: Call): boolean => !asked.stale && !(heard.type === "done" && heard.changed.repeated);

/** Position 0: refused before anything was looked at. */
function positionOf({ heard }: Call): number | undefined {
  return heard.type === "open" || heard.type === "gone" || heard.position === 0 ? undefined : heard.position;
}
