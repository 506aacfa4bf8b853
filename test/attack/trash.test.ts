/** Attacks on what the borglet deletes: it is root, and what it deletes was a stranger's to arrange. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { is, Stage, stop } from "../borglet/stage.ts";
import { ATTACK_MODES } from "./modes.ts";
import { swapIn } from "./swapped.ts";

const FILES = 200;
const WAIT_MS = 60_000;

/** A directory that is root's alone, with something in it to lose. */
function makeVictim(stage: Stage): string {
  const victim = join(stage.directory, "victim");
  mkdirSync(victim);
  for (let i = 0; i < FILES; i++) writeFileSync(join(victim, String(i)), "precious");
  chmodSync(victim, 0o700);
  return victim;
}

/** The borglet tries again by itself what it could not empty at once. */
async function trashIsEmpty(stage: Stage): Promise<void> {
  const overMs = performance.now() + WAIT_MS;
  const trash = join(stage.directory, "area", "trash");
  for (let left = readdirSync(trash); left.length > 0; left = readdirSync(trash)) {
    assert.ok(performance.now() < overMs, `Left in the trash: ${left.slice(0, 10)}`);
    await sleep(100);
  }
}

for (const mode of ATTACK_MODES) {
  test(`Directories swapped under the deletion lead it to nothing of others (${mode.name}) [borglet.X1] [KB2]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const victim = makeVictim(stage);
      const [instance, key] = ["ann/swap/0:1", "ann_swap_0.1"];
      const fill = "for i in $(seq 100); do mkdir d$i; for j in $(seq 50); do : >d$i/$j; done; done; echo full; sleep 1000";
      await stage.run(instance, fill);
      await stage.said(instance, "full");
      const attacker = await swapIn(join(stage.directory, "area", "tasks", key, "work"), victim);
      stage.poll([stop(instance)]);
      await stage.instance(instance, "is gone", is(Phase.GONE));
      stage.poll([stop(instance)]);
      await attacker.ended;
      assert.equal(readdirSync(victim).length, FILES, "a directory of root's was emptied");
      assert.equal(statSync(victim).mode & 0o7777, 0o700);
      await trashIsEmpty(stage);
    } finally {
      await stage.close();
    }
  });

  test(`What a task closed, buried deep or linked elsewhere is deleted all the same, and the links' ends are not (${mode.name}) [borglet.X1]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const victim = makeVictim(stage);
      const instance = "ann/deep/0:1";
      const bury =
        "i=0; while [ $i -lt 180 ]; do mkdir deep-deep-deep-deep-deep && cd deep-deep-deep-deep-deep || exit 1; i=$((i+1)); done";
      const close = "mkdir -p shut/in; : >shut/in/x; chmod 000 shut/in shut; chmod 500 .; echo full; sleep 1000";
      await stage.run(instance, `(${bury}); ln -s ${victim} link; mkfifo pipe; ${close}`);
      await stage.said(instance, "full");
      stage.poll([stop(instance)]);
      await stage.instance(instance, "is gone", is(Phase.GONE));
      stage.poll([stop(instance)]);
      await trashIsEmpty(stage);
      assert.equal(readdirSync(victim).length, FILES);
    } finally {
      await stage.close();
    }
  });
}
