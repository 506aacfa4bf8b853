/** A priority that changes while the task runs, from one band to another: the task goes where its band is, and stays one task. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findAbilities } from "../../src/borglet/linux/abilities.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { BEST, is, Stage, stop, unheld } from "./stage.ts";

/** What the task has in memory before it moves. */
const HELD_BYTES = 30 * 2 ** 20;
const NEVER = { restart: { when: RestartWhen.NEVER } };

/** The pid and start time that the shim wrote. */
const pidOf = (stage: Stage, key: string): string => readFileSync(join(stage.directory, "state", "runs", `${key}.pid`), "latin1");

/** Where a task's first process is, and how soon the kernel kills it. */
function standing(stage: Stage, key: string): readonly unknown[] {
  const pid = Number.parseInt(pidOf(stage, `${key}.1`), 10);
  const band = new RegExp(`:(?:\\S*,)?(?:cpu)?(?:,\\S*)?:/${stage.parent}/(\\w+)/`).exec(
    readFileSync(`/proc/${pid}/cgroup`, "latin1"),
  )?.[1];
  return [band, readFileSync(`/proc/${pid}/oom_score_adj`, "latin1").trim()];
}

for (const hasDied of [false, true])
  test(`A task whose priority changes its band while it runs moves there, is measured and ends with all it has, ${hasDied ? "also after kill -9 of its borglet" : "by the same borglet"} [borglet.G3] [borglet.G7] [I2] [KT3]`, {
    skip: unheld,
  }, async () => {
    const stage = await Stage.open(BEST);
    try {
      const name = "ann/up/0:1";
      const limit = { cpuMilli: 100, ramBytes: 2 ** 28 };
      const script = `trap '' TERM; (setsid sh -c 'sleep 1000' &); x=$(head -c ${HELD_BYTES} /dev/zero | tr '\\0' x); i=0; while :; do echo line $i; i=$((i+1)); sleep 0.02; done`;
      await stage.run(name, script, { ...NEVER, priority: 100 }, { limit });
      await stage.said(name, "line 5\n");
      assert.deepEqual(standing(stage, "ann_up_0.1"), ["batch", "600"]);
      const before = pidOf(stage, "ann_up_0.1.1");
      const adjust = (generation: number, priority: number): void =>
        stage.poll([{ body: { case: "adjust", value: { instance: name, generation, priority, limit } } }]);
      adjust(2, 200);
      await stage.instance(name, "is held to it", ({ generation }) => generation === 2);
      await until(() => assert.deepEqual(standing(stage, "ann_up_0.1"), ["prod", "200"]));
      if (hasDied) await stage.kill9();
      if (hasDied) await stage.start();
      stage.usage.clear();
      // In version 2 what it had before the move is the old band's.
      const leastBytes = findAbilities().cgroup === "v1" ? HELD_BYTES : 1;
      await stage.until("use is told", () => {
        const { cpuMilli = 0, ramBytes = 0 } = stage.usage.get(name)?.last ?? {};
        return cpuMilli > 0 && ramBytes >= leastBytes;
      });
      adjust(3, 10);
      await until(() => assert.deepEqual(standing(stage, "ann_up_0.1"), ["free", "900"]));
      assert.equal(pidOf(stage, "ann_up_0.1.1"), before);
      stage.poll([stop(name, 300)]);
      await stage.instance(name, "is gone", is(Phase.GONE));
      assert.deepEqual(stage.marked(), []);
    } finally {
      await stage.close();
    }
  });

/** Tried again and again: a move is done when a tick has come. */
async function until(holds: () => void): Promise<void> {
  for (const endMs = performance.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    try {
      return holds();
    } catch (error) {
      if (performance.now() > endMs) throw error;
    }
  }
}
