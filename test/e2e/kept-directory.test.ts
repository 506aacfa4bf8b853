/** The logsaver of the paper with real processes: what a task wrote outlives its alloc, and a job that fails at first is tried again on that machine until it has saved it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { RealCell } from "./real-cell.ts";

const SMALL = "cpu = 20m, ram = 32Mi, disk = 10Mi";
const ROOM = `
alloc_set room = { cpu = 100m, ram = 128Mi, disk = 64Mi, keep_directory = 1h }
job web = { command = ["sh", "-c", "echo precious >$BORG_ALLOC_DIR/log; exec sleep 600"], alloc_set = room, ${SMALL} }
`;
/** No machine may try twice in a row what failed there, were the data elsewhere: so each try is the scheduler's. */
const saver = (alloc: string): string => `
job save = {
  command = ["sh", "-c", "echo try >>$BORG_ALLOC_DIR/tries; [ $(wc -l <$BORG_ALLOC_DIR/tries) -gt 1 ] || exit 1; cat $BORG_ALLOC_DIR/log; exit 24"]
  kept_directory = "${alloc}", restart = { when = "on_failure", in_place_max = 0, ok_exits = [24] }, ${SMALL}
}
`;

test("a directory outlives its alloc as an object of its own; a saver that fails there is tried there again, and reads what was written [V6] [A4] [U11]", {
  timeout: 240_000,
}, async () => {
  const cell = await RealCell.start(2);
  const desk = mkdtempSync(join(tmpdir(), "borg-kept-e2e-"));
  const good = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await cell.borg(...args);
    assert.equal(code, 0, `borg ${args.join(" ")}: ${out}${err}`);
    return out;
  };
  const one = async (task: string) => (await cell.client.getTask({ task })).task!;
  const kept = async () => JSON.parse(await good("directory", "ls", "--json")) as readonly { alloc: string; machine: string }[];
  try {
    writeFileSync(join(desk, "room.bcl"), ROOM);
    await good("submit", join(desk, "room.bcl"), "--wait");
    const { instance, machine } = await one("tester/room/0");
    assert.deepEqual(await kept(), [], "the alloc is there");
    await good("kill", "room");
    await cell.until("the directory to be kept", async () => (await kept()).length === 1);
    assert.deepEqual(
      (await kept()).map((each) => [each.alloc, each.machine]),
      [[instance, machine]],
    );
    assert.match(await good("directory", "ls"), /ALLOC +MACHINE +UNTIL\n.*tester\/room\/0:\d+ /);

    writeFileSync(join(desk, "save.bcl"), saver(instance));
    await good("submit", join(desk, "save.bcl"));
    await cell.until("the saver's end", async () => (await one("tester/save/0")).state === "dead");
    const task = await one("tester/save/0");
    assert.deepEqual([task.cause, task.exitCode], ["finished", 24], "as good as 0");
    assert.equal(await good("logs", "save"), "precious\n");
    const claims = (await good("events", "save/0")).split("\n").filter((line) => line.includes(machine));
    assert.ok(claims.length >= 2 && /failed|exit 1/.test(await good("events", "save/0")), "it was there twice");

    await good("directory", "rm", instance);
    await cell.until("the directory to go", async () => (await kept()).length === 0);
  } finally {
    await cell.close();
    rmSync(desk, { recursive: true });
  }
});
