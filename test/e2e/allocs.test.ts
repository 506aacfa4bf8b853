/** An alloc with real processes: tasks of two jobs and two users in it share what they write, which outlives them, moves with nobody and goes with the alloc. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { RealCell } from "./real-cell.ts";

const SMALL = "cpu = 20m, ram = 32Mi, disk = 10Mi";
const FILE = `
alloc_set room = { cpu = 200m, ram = 256Mi, disk = 64Mi, tenants = ["ann"], labels = { app = "shop" } }
job web = {
  command = ["sh", "-c", "while :; do echo web >>$BORG_ALLOC_DIR/log; sleep 0.2; done"]
  alloc_set = room, labels = { app = "shop" }, ${SMALL}
}
`;
/** Says what it finds, and writes into the file of the other. */
const READER = [
  "sh",
  "-c",
  "until [ -s $BORG_ALLOC_DIR/log ]; do sleep 0.1; done; head -n 1 $BORG_ALLOC_DIR/log; echo reader >>$BORG_ALLOC_DIR/log && echo wrote; exec sleep 600",
];

/** Directories of allocs of this cell, wherever its machines keep them. */
function directories(cell: RealCell, alloc: string): string[] {
  const [user, set, rest = ""] = alloc.split("/");
  const key = `${user}_${set}_${rest.replace(":", ".")}`;
  const roots = [cell.data.path, "/var/lib/openborg"];
  const found = execFileSync("find", [...roots, "-maxdepth", "6", "-path", `*/allocs/${key}`], { stdio: ["ignore", "pipe", "ignore"] });
  return found.toString().split("\n").filter(Boolean);
}

const quiet = (cell: RealCell, alloc: string): string[] => {
  try {
    return directories(cell, alloc);
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout ?? "")
      .split("\n")
      .filter(Boolean);
  }
};

test("tasks of two users in one alloc share a directory, which outlives them, is resized around them, and goes with it [A1] [A2] [A3] [A4] [A5] [D5] [L1]", {
  timeout: 240_000,
}, async () => {
  const cell = await RealCell.start(2);
  const desk = mkdtempSync(join(tmpdir(), "borg-allocs-e2e-"));
  const borg = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await cell.borg(...args);
    assert.equal(code, 0, `borg ${args.join(" ")}: ${out}${err}`);
    return out;
  };
  const one = async (task: string) => (await cell.client.getTask({ task })).task!;
  try {
    const path = join(desk, "room.bcl");
    writeFileSync(path, FILE);
    await borg("submit", path, "--wait");
    const alloc = await one("tester/room/0");
    assert.deepEqual([(await one("tester/web/0")).inAlloc, (await one("tester/web/0")).machine], [alloc.instance, alloc.machine]);
    assert.match(await borg("ls", "allocs", "-l", "app=shop"), /tester\/room\/0/);
    assert.match(await borg("show", "room/0"), /alloc +tester\/room\/0/);

    await cell.client.grantUser({ user: "ann", roles: [Role.USER] });
    await cell.client.setQuota({ requestId: "ann", user: "ann", band: Band.BATCH, quota: { unlimited: true } });
    const limit = { cpuMilli: 20, ramBytes: 2 ** 25, diskBytes: 10 * 2 ** 20 };
    const reader = { user: "ann", name: "reader", priority: 100, count: 1, allocSet: "tester/room", task: { command: READER, limit } };
    await cell.client.submitJob({ requestId: "reader", spec: reader });
    const said = async (task: string): Promise<string> =>
      new TextDecoder().decode((await cell.client.readLog({ task, bytesMax: 1000 })).data);
    await cell.until("the tenant to read and write", async () => (await said("ann/reader/0")) === "web\nwrote\n");
    assert.equal((await one("ann/reader/0")).inAlloc, alloc.instance);

    const inside = (await one("tester/web/0")).instance;
    writeFileSync(path, FILE.replace("cpu = 200m, ram = 256Mi", "cpu = 300m, ram = 320Mi"));
    assert.match(await borg("update", path, "--dry-run"), /^alloc set tester\/room: 1 in place\n {2}tester\/room\/0: in place$/m);
    await borg("update", path, "--wait", "--commit");
    assert.deepEqual([(await one("tester/room/0")).instance, (await one("tester/web/0")).instance], [alloc.instance, inside], "both go on");
    assert.equal((await one("tester/room/0")).limit?.cpuMilli, 300);

    await borg("kill", "web");
    await cell.until("web to be gone", async () => (await one("tester/web/0")).instance === "");
    assert.equal((await one("tester/room/0")).instance, alloc.instance, "the alloc stays, whoever comes and goes");
    writeFileSync(
      join(desk, "later.bcl"),
      `job later = { command = ["sh", "-c", "tail -n 1 $BORG_ALLOC_DIR/log; exec sleep 600"], alloc_set = "room", ${SMALL} }\n`,
    );
    await borg("submit", join(desk, "later.bcl"), "--wait");
    await cell.until("a later job to find what was written", async () => ["web\n", "reader\n"].includes(await said("tester/later/0")));
    assert.equal(quiet(cell, alloc.instance).length, 1);

    await borg("drain", alloc.machine);
    await cell.until("all of it on the other machine", async () => {
      const moved = await Promise.all(["tester/room/0", "ann/reader/0", "tester/later/0"].map(one));
      return moved.every(({ machine, state }) => machine !== "" && machine !== alloc.machine && state === "running");
    });
    const moved = await one("tester/room/0");
    assert.deepEqual(
      [(await one("ann/reader/0")).inAlloc, (await one("tester/later/0")).inAlloc],
      [moved.instance, moved.instance],
      "together",
    );
    await cell.until("the old directory to be gone", async () => quiet(cell, alloc.instance).length === 0);

    const dry = await borg("kill", "-l", "app=shop", "--dry-run");
    assert.match(dry, /tester\/room: 1 alloc and what is in them/);
    await borg("kill", "-l", "app=shop", "--yes");
    await cell.until("the new directory to be gone, too", async () => quiet(cell, moved.instance).length === 0);
    assert.equal((await one("ann/reader/0")).state, "pending");
  } finally {
    await cell.close();
    rmSync(desk, { recursive: true });
  }
});
