/** What `make soak` runs: each part with the counts that it is told, and how they read in docs/TRACK-RECORD.md. */
import { firstSeed } from "./seed-range.ts";

export interface Part {
  readonly name: string;
  /** A part that waits (for real processes, for clocks) leaves the cores to those that compute. As root it has a network of its own, so that ports of two never meet. */
  readonly waits: boolean;
  /** It needs what the parts whose names begin so leave behind. */
  readonly after?: string;
  /** A target of the Makefile, with what it is told. */
  readonly target: string;
  readonly told: Readonly<Record<string, number | string>>;
  /** For the row. */
  readonly counts: string;
}

/** What takes hours is cut into parts: a soak that was stopped goes on with those that are left. Files of a suite that has parts of their own, and how many rounds each does. */
const LONG = {
  "e2e-kill": ["e2e", "kill"],
  "e2e-history": ["e2e", "spread-history"],
  "e2e-cut": ["e2e", "cut-off"],
  "e2e-rolling": ["e2e", "rolling"],
  "borglet-failpoints": ["borglet", "failpoints"],
  "attack-hostile": ["attack", "hostile"],
} as const;
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
  const race = times(10_000);
  const [each, seeds] = [times(SEEDS_EACH), SIM_PARTS * times(SEEDS_EACH)];
  const first = firstSeed(commit);
  const part = (name: string, waits: boolean, told: Part["told"], counts: string): Part => ({ name, waits, target: name, told, counts });
  const long = (name: keyof typeof LONG, told: Part["told"], counts: string): Part => {
    const [suite, file] = LONG[name];
    return { name, waits: true, target: suite, told: { ...told, E2E: "all", FILES: `test/${suite}/${file}.test.ts` }, counts };
  };
  const rest = (suite: "attack" | "borglet" | "e2e", told: Part["told"], counts: string): Part =>
    part(suite, true, { ...told, E2E: "all", BUT: ownFiles(suite).join(",") }, counts);
  return [
    long("e2e-kill", { ROUNDS: rounds }, `${3 * rounds} kill rounds`),
    long("e2e-history", { HISTORY_ROUNDS: times(200) }, `${times(200)} faults of three machines with a recorded history`),
    rest("e2e", { HISTORY_ROUNDS: times(20) }, `everything else with real processes, ${times(20)} faults of three replicas on one machine`),
    long("borglet-failpoints", { FAILPOINTS: failpoints }, `${failpoints} kills of a borglet at one of its own steps`),
    long("e2e-cut", { CUTS: cuts }, `${cuts} cut cables`),
    long("e2e-rolling", { ROLLING: times(20) }, `${times(20)} rolling updates under load`),
    long("attack-hostile", { HOSTILE: Math.max(10, times(600)) }, `hostile users for ${Math.max(10, times(600))} s`),
    ...upTo(SIM_PARTS).map((k) =>
      part(`sim-part-${k}`, false, { SEEDS: seeds, PARTS: SIM_PARTS }, `seeds ${first + k * each} to ${first + (k + 1) * each - 1}`),
    ),
    { ...part("sim-coverage", false, { SEEDS: seeds, PARTS: SIM_PARTS }, `what all ${seeds} seeds met`), after: "sim-part-" },
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
    rest("borglet", { RESTARTS: restarts, ROUNDS: survival, RACE_MS: race }, `${restarts} restarts, ${survival} borglet kills`),
    rest(
      "attack",
      { ATTACK_MODES: "all", CROWD: times(1000), RACE_MS: race },
      `attacks in three modes, races of ${race} ms, ${times(1000)} tasks killed at once`,
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

const ownFiles = (suite: string): readonly string[] =>
  Object.values(LONG).flatMap(([its, file]) => (its === suite ? [`test/${its}/${file}.test.ts`] : []));
