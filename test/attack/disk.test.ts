/** Attacks on the disk of a machine, and on the borglet while it counts what a task has there: it is root, and the directories are a stranger's to arrange. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { is, Stage, start } from "../borglet/stage.ts";
import { RACE_MS } from "../race.ts";
import { ATTACK_MODES } from "./modes.ts";
import { swapIn } from "./swapped.ts";

const NEVER = { restart: { when: RestartWhen.NEVER } };
const MIB = 2 ** 20;
/** In so long what a task has on the disk is looked at once at least. */
const LOOKED_MS = 2500;
const LIMIT_BYTES = 64 * MIB;

for (const mode of ATTACK_MODES) {
  test(`A limit of the disk holds for all files of a task together, also one that was not given (${mode.name}) [borglet.U6] [borglet.X3] [I9] [KB1]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const grow = (each: string): string => `for i in 1 2 3; do fallocate -l ${each} f$i; done; echo full; sleep 1000`;
      stage.poll([
        // Each file is within the limit.
        start("ann/given/0:1", grow("30M"), NEVER, { limit: { diskBytes: LIMIT_BYTES } }),
        // On a machine of 1 GiB.
        start("ann/open/0:1", `cd $TMPDIR; ${grow("100M")}`, NEVER),
        start("bob/calm/0:1", "fallocate -l 10M f; sleep 1000", NEVER, { limit: { diskBytes: LIMIT_BYTES } }),
      ]);
      const given = await stage.instance("ann/given/0:1", "fails", is(Phase.FAILED));
      assert.equal(given.message, "Killed: used 90 MiB of disk, more than its limit of 64 MiB");
      const open = await stage.instance("ann/open/0:1", "fails", is(Phase.FAILED));
      assert.equal(open.message, "Killed: used 300 MiB of disk, more than its limit of 256 MiB");
      await stage.until("What the neighbour uses", () => (stage.usage.get("bob/calm/0:1")?.last?.diskBytes ?? 0) === 10 * MIB);
      assert.equal((await stage.instance("bob/calm/0:1", "runs", is(Phase.RUNNING))).run, 1);
    } finally {
      await stage.close();
    }
  });

  test(`Directories swapped under the counting lead it to nothing of others (${mode.name}) [borglet.U6] [borglet.X1] [KB2]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const victim = join(stage.directory, "victim");
      mkdirSync(victim);
      execFileSync("fallocate", ["-l", String(2 * LIMIT_BYTES), join(victim, "big")]);
      chmodSync(victim, 0o755);
      const instance = "ann/swap/0:1";
      const fill = "mkdir $(seq -f d%g 100); for i in $(seq 100); do for j in $(seq 20); do : >d$i/$j; done; done; echo full; sleep 1000";
      await stage.run(instance, `ln -s ${victim} direct; ${fill}`, NEVER, { limit: { diskBytes: LIMIT_BYTES } });
      await stage.said(instance, "full");
      const attacker = await swapIn(join(stage.directory, "area", "tasks", "ann_swap_0.1", "work"), victim, Math.max(RACE_MS, LOOKED_MS));
      await attacker.ended;
      await stage.until("It is measured", () => (stage.usage.get(instance)?.last?.diskBytes ?? 0) > 2 * MIB);
      assert.ok(stage.usage.get(instance)!.peak!.diskBytes < LIMIT_BYTES, "files of others were counted");
      assert.equal((await stage.instance(instance, "runs", is(Phase.RUNNING))).run, 1);
    } finally {
      await stage.close();
    }
  });

  test(`Directories too deep to be counted end their task (${mode.name}) [borglet.U6]`, { skip: mode.skip }, async () => {
    const stage = await Stage.open(mode);
    try {
      const bury = 'require("fs").mkdirSync("d/".repeat(400), { recursive: true }); setInterval(() => {}, 1000)';
      stage.poll([start("ann/deep/0:1", "", NEVER, { command: ["node", "-e", bury] })]);
      const { message } = await stage.instance("ann/deep/0:1", "fails", is(Phase.FAILED));
      assert.equal(message, "Killed: its directories are more than 200 deep, so what it uses of the disk cannot be told");
    } finally {
      await stage.close();
    }
  });
}
