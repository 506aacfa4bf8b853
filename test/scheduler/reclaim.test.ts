/** The experiment that asks what fits only by reclamation (Borg §5.5), on a small made-up cell that is asked for more than it has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellArgs } from "../../bench/cells/args.ts";
import { benchReclaim } from "../../bench/reclaim.ts";

const trial = (...more: string[]): Readonly<Record<string, number>> =>
  benchReclaim(cellArgs(["--synthetic", "20", ...more])) as Record<string, number>;

test("reclamation makes room for work beyond the machines, and prod loses nothing by it [X8] [R1] [R3] [S13]", () => {
  const found = trial();
  assert.ok(found["placed"]! > found["withoutPlaced"]!, "work is placed that has no room at limits");
  assert.ok(found["placedCpuPercent"]! > 100 && found["withoutPlacedCpuPercent"]! <= 100, "limits of more than the cell");
  assert.equal(found["pending"], found["pendingProd"], "only prod waits: nothing is lent to it");
  assert.equal(found["pendingProd"], found["withoutPendingProd"], "prod has what it has without reclamation");
  assert.ok(found["withoutPending"]! > found["withoutPendingProd"]!);
  assert.deepEqual([found["evictedProd"], found["machinesShortOfProdLimits"]], [0, 0]);
  assert.ok(found["usedCpuPercent"]! < found["reservedCpuPercent"]! && found["reservedCpuPercent"]! < found["placedCpuPercent"]!);
});

test("a task in reclaimed resources counts with its whole limit, so the figure is above the parts of limits [X8]", () => {
  const { reclaimedPercentOfWork, reclaimedCpuPercentOfWork, beyondCpuPercentOfWork, withoutReclaimedPercentOfWork } = trial();
  assert.ok(10 < reclaimedPercentOfWork! && reclaimedPercentOfWork! < 50, String(reclaimedPercentOfWork));
  assert.ok(beyondCpuPercentOfWork! < reclaimedCpuPercentOfWork!);
  assert.equal(withoutReclaimedPercentOfWork, 0);
});

test("the same seed gives the same figures, and a careful preset lends less [X8] [R5]", () => {
  const medium = trial();
  assert.deepEqual(trial(), medium);
  assert.notDeepEqual(trial("--seed", "7"), medium);
  assert.ok(trial("--reclamation", "baseline")["reservedCpuPercent"]! > trial("--reclamation", "aggressive")["reservedCpuPercent"]!);
});
