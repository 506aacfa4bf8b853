/**
 * Probes mark rare paths: an actor says `env.log("~stale poll refused")`, the simulated Env counts it, and a set of
 * seeds that never reached a probe has not tested that path. A probe is a log line with a mark in front, so it needs no
 * module state and no new method; the shell's log drops such lines after one look at the first character.
 */
import type { Tally } from "./tally.ts";

export const PROBE_MARK = "~";

/** The name of the probe that a log line marks, if it marks one. */
export const probeName = (line: string): string | undefined => (line.startsWith(PROBE_MARK) ? line.slice(PROBE_MARK.length) : undefined);

/** Probes that ought to have been hit by now and were not. */
export const missedProbes = (probes: Tally, expected: readonly string[]): readonly string[] =>
  expected.filter((name) => probes.of(name) === 0);
