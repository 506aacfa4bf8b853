/** A master that should never have led leaves a machine that obeys nobody; whoever owns that machine gets it back. */
import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { test } from "node:test";
import { problemsOf, schemaOf } from "../../src/cli/json-schema.test.ts";
import { Keys } from "../../src/daemon/keys.ts";
import { LinkServer } from "../../src/rpc/link-server.ts";
import { instancePids, isAlive, RealCell } from "../e2e/real-cell.ts";

const ABSURD = 1e12;

/** With the keys and the socket of the real one, as one that came back from a wrong disk has them. */
async function rogueMaster(cell: RealCell): Promise<void> {
  const obeyed = Promise.withResolvers<void>();
  const server = await LinkServer.listen({
    listeners: [{ endpoint: { kind: "unix", path: cell.data.socket("link") } }],
    authorities: new Keys(cell.data, cell.name).authorities(),
    cell: cell.name,
    onOpen: () => {},
    onFrame: (link, { case: what }) => {
      if (what === "hello") link.send({ case: "poll", value: { term: ABSURD, sequence: 1 } });
      else if (what === "report") obeyed.resolve();
    },
    onClose: () => {},
    log: () => {},
  });
  await obeyed.promise;
  await server.close();
}

test("A machine that kept an absurd term obeys nobody, until its owner resets it where it is [borglet.K10] [KL2]", async () => {
  const cell = await RealCell.start();
  try {
    await cell.borg("run", "before", "--cpu", "10m", "--ram", "32MiB", "--disk", "10MiB", "--", "sleep", "600");
    await cell.running("tester/before", 1);
    await cell.until("its process", () => instancePids(cell.name).size > 0);
    const [before = 0] = instancePids(cell.name).values();
    await cell.kill("master");
    await rogueMaster(cell);
    cell.startMaster();
    await cell.until("a refusal", () => /Stale poll refused: term \d, sequence \d+ after 1000000000000/.test(cell.logs()));
    const reset = ["machine", "reset-term", "m1", "--data", cell.data.path] as const;

    const running = await cell.borg(...reset);
    assert.deepEqual([running.code, running.out], [1, ""]);
    assert.match(
      running.err,
      /The borglet of machine "m1" runs, and would write its term again\n {2}stop it first, its tasks go on: borg down --data /,
    );

    await cell.kill("m1");
    chmodSync(cell.data.path, 0o755);
    const open = await cell.borg(...reset);
    assert.match(open.err, /is open to others\n {2}run: chmod 700/);
    chmodSync(cell.data.path, 0o700);
    const strange = await cell.borg("machine", "reset-term", "m7", "--data", cell.data.path);
    assert.deepEqual([strange.code, strange.err.split("\n")[0]], [3, `No borglet of machine "m7" ever ran in "${cell.data.path}"`]);

    const done = await cell.borg(...reset, "--json");
    assert.deepEqual(problemsOf(schemaOf("machine-reset-term"), JSON.parse(done.out)), []);
    assert.equal(JSON.parse(done.out).term, ABSURD);
    assert.ok(isAlive(before), "what runs there is not touched");
    cell.startBorglet("m1");
    const ran = await cell.borg("run", "after", "--cpu", "10m", "--ram", "32MiB", "--disk", "10MiB", "--wait", "--", "echo", "obeyed");
    assert.deepEqual([ran.code, ran.out], [0, "obeyed\n"], ran.err);
  } finally {
    await cell.close();
  }
});
