/** What `make soak` runs: each part with the counts that it is told, and how they read in docs/TRACK-RECORD.md. */
import { firstSeed } from "./seed-range.ts";

export interface Part {
  readonly name: string;
  /** A part that waits (for real processes, for clocks) leaves a core to one that computes; two of these would disturb each other. */
  readonly waits: boolean;
  /** A target of the Makefile, with what it is told. */
  readonly target: string;
  readonly told: Readonly<Record<string, number | string>>;
  /** For the row. */
  readonly counts: string;
}

/** What takes hours is cut into parts: a soak that was stopped goes on with those that are left. */
const SIM_PARTS = 10;
const SEEDS_EACH = 300;
const MUTANT_PARTS = 8;
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, k) => k);

/** The counts of a whole soak; `scale` makes all of them smaller, to see that the command works. */
export function soakParts(commit: string, scale: number): readonly Part[] {
  const times = (count: number): number => Math.max(1, Math.round(count * scale));
  const runs = times(10);
  const [flips, crashes, mutated] = [times(100_000), times(10_000), times(50_000)];
  const [rounds, cuts, restarts, survival] = [times(100), times(20), times(1000), times(20)];
  const [bodies, failpoints] = [times(25_000), times(500)];
  const [each, seeds] = [times(SEEDS_EACH), SIM_PARTS * times(SEEDS_EACH)];
  const first = firstSeed(commit);
  const part = (name: string, waits: boolean, told: Part["told"], counts: string): Part => ({ name, waits, target: name, told, counts });
  return [
    part(
      "e2e",
      true,
      { ROUNDS: rounds, CUTS: cuts, ROLLING: times(20), HISTORY_ROUNDS: times(200), E2E: "all" },
      `${3 * rounds} kill rounds, ${cuts} cut cables, ${times(20)} rolling updates under load, ${times(200)} faults of three replicas with a recorded history`,
    ),
    ...upTo(SIM_PARTS).map((k) =>
      part(`sim-part-${k}`, false, { SEEDS: seeds, PARTS: SIM_PARTS }, `seeds ${first + k * each} to ${first + (k + 1) * each - 1}`),
    ),
    ...upTo(MUTANT_PARTS).map((k) =>
      part(`mutants-part-${k}`, false, { PARTS: MUTANT_PARTS }, `planted bugs, part ${k + 1} of ${MUTANT_PARTS}`),
    ),
    part(
      "durability",
      false,
      { FLIPS: flips, CRASHES: crashes, TRUNCATION_STEP: 1, ETCD_ROUNDS: times(200) },
      `2 x ${flips} bit flips, ${crashes} power cuts, ${times(200)} rounds of faults on an etcd of three`,
    ),
    part("cell", false, { RUNS: runs }, `properties of the cell x ${runs}`),
    part("sim-suite", false, { RUNS: runs, TRACE_PART: 1, SIM_SECONDS: times(45) }, `of the scheduler x ${runs}`),
    part("bcl-suite", false, { FUZZ: mutated }, `${mutated} mutated job files`),
    part("test-v2", false, {}, "the borglet on control groups of version 2"),
    part("same-on-node24", false, {}, "5 seeds on Node 24"),
    part(
      "borglet",
      true,
      { RESTARTS: restarts, ROUNDS: survival, FAILPOINTS: failpoints, E2E: "all" },
      `${restarts} restarts, ${survival} borglet kills, ${failpoints} at one of its own steps`,
    ),
    part(
      "attack",
      true,
      { E2E: "all", ATTACK_MODES: "all", CROWD: times(300), HOSTILE: Math.max(10, times(600)) },
      `attacks in three modes, ${times(300)} tasks killed at once, hostile users for ${Math.max(10, times(600))} s`,
    ),
    part(
      "infrastore",
      true,
      { INGEST_KILLS: rounds, E2E: "all" },
      `${rounds} kills of the process that keeps the history, and one at each of its steps`,
    ),
    part("fuzz", true, { FUZZ: bodies }, `${bodies} hostile bodies and frames`),
  ];
}
