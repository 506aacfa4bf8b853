/** Bugs in what is counted and promised: evictions, reclamation, quota. */
import type { Mutant } from "./mutant.ts";

const EVICTIONS = "test/cell/evictions.test.ts";
const ESTIMATOR = "test/borgmaster/estimator.test.ts";
const API = "test/borgmaster/api.test.ts";

export const REPORT_BUGS: readonly Mutant[] = [
  {
    name: "an eviction counted again when its instance has gone",
    file: "src/cell/ops/lifecycle.ts",
    text: "if (instance !== undefined && isPlaced(from) && !isPlaced(to)) countEviction",
    replacement: "if (instance !== undefined && !isPlaced(to)) countEviction",
    caughtBy: ["V7"],
  },
  {
    name: "tasks given up are not counted as evicted",
    file: "src/cell/eviction-days.ts",
    text: '  lost: "machine-failure",\n',
    replacement: "",
    suite: EVICTIONS,
  },
  {
    name: "an alloc counted as evicted",
    file: "src/cell/eviction-days.ts",
    text: "counted === undefined || inside !== undefined) return;",
    replacement: "counted === undefined) return;",
    suite: EVICTIONS,
  },
  {
    name: "evictions of prod and non-prod mixed up",
    file: "src/cell/eviction-days.ts",
    text: "return prod ? found.prod : found.nonProd;",
    replacement: "return prod ? found.nonProd : found.prod;",
    suite: EVICTIONS,
  },
  {
    name: "running time of days counted on the last one",
    file: "src/cell/eviction-days.ts",
    text: "Math.max(dayOf(startedMs), today - EVICTION_DAYS_MAX + 1)",
    replacement: "today",
    suite: EVICTIONS,
  },
  {
    name: "evictions counted before the cell has the version",
    file: "src/cell/eviction-days.ts",
    text: "if (version < EVICTION_DAYS || counted",
    replacement: "if (counted",
    suite: EVICTIONS,
  },
  {
    name: "the preset of the cell ignored",
    file: "src/borgmaster/estimator.ts",
    text: "PRESET_OF[state.config.reclamation];",
    replacement: "PRESET_OF[Reclamation.MEDIUM];",
    suite: ESTIMATOR,
  },
  {
    name: "reclamation that is off keeps old reservations",
    file: "src/borgmaster/estimator.ts",
    text: "if (preset === undefined) return this.#wholeLimit(instance, seen);",
    replacement: "if (preset === undefined) return [];",
    suite: ESTIMATOR,
  },
  {
    name: "another configuration undoes the choice of reclamation",
    file: "src/cell/ops/cell-wide.ts",
    text: "const { reclamation, offers } = config;",
    replacement: "const { reclamation, offers } = op.config ?? config;",
    suite: "test/cell/users.test.ts",
  },
  {
    name: "prod said to run in reclaimed resources",
    file: "src/cell/reclaimed.ts",
    text: "b.priority - a.priority || a.placedMs",
    replacement: "a.placedMs",
    suite: API,
  },
  {
    name: "half a task runs in reclaimed resources",
    file: "src/borgmaster/api/reports.ts",
    text: "plus(row.limitInReclaimed, instance.limit)",
    replacement: "plus(row.limitInReclaimed, reclaimed)",
    suite: "test/borgmaster/api.test.ts",
  },
  {
    name: "the experiment counts half tasks in reclaimed resources",
    file: "bench/reclaim.ts",
    text: "sums.reclaimed = plus(sums.reclaimed, instance.limit);",
    replacement: "sums.reclaimed = plus(sums.reclaimed, reclaimed);",
    suite: "test/scheduler/reclaim.test.ts",
  },
  {
    name: "prod quota oversold though nobody said so",
    file: "src/cell/ops/quota.ts",
    text: "if (oversell && state.version >= OVERSELL) return undefined;",
    replacement: "if (state.version >= OVERSELL) return undefined;",
    suite: "test/cell/users.test.ts",
  },
  {
    name: "production quota as cheap as batch",
    file: "src/cell/prices.ts",
    text: "production: 3",
    replacement: "production: 1",
    suite: API,
  },
  {
    name: "what nobody measures is lent",
    file: "src/base/dimension.ts",
    text: '    written: "rate",\n    lent: false,',
    replacement: '    written: "rate",\n    lent: true,',
    suite: "test/borgmaster/estimator.test.ts",
  },
];
