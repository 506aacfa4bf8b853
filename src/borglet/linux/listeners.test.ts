/** Whose process listens on a task's port. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { test } from "node:test";
import { Listeners } from "./listeners.ts";

const A = "ann/web/0:1";

/** Somebody else who listens on the same port of an address. */
async function stranger(port: number, host: string): Promise<ChildProcess> {
  const script = `require("net").createServer().listen(${port}, "${host}", () => console.log("up"))`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout!.once("data", resolve));
  return child;
}

test("Only a socket of the task's own processes is believed; anybody else on its port is told [borglet.H4] [KB2]", async (context) => {
  let nowMs = 0;
  const listeners = new Listeners(undefined, () => (nowMs += 10_000));
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  // Also when something here fails: a test that leaves them open never ends.
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  let looks = 0;
  const ask = (...pids: number[]): string => {
    const look = (): number[] => {
      looks += 1;
      return pids;
    };
    return listeners.problem(A, "127.0.0.1", port, look);
  };
  assert.equal(ask(1 << 22), `Port ${port} is held by another process`);
  assert.equal(ask(process.pid), "");
  assert.deepEqual([ask(process.pid), looks], ["", 2], "what was found is not looked for again");
  const beside = await stranger(port, "127.0.0.2");
  context.after(() => beside.kill("SIGKILL"));
  assert.equal(ask(process.pid), "", "who listens on another address harms nobody");
  await new Promise((done) => server.close(done));
  assert.equal(ask(process.pid), `Nobody listens on port ${port} any more`);
  const child = await stranger(port, "127.0.0.1");
  context.after(() => child.kill("SIGKILL"));
  assert.equal(ask(process.pid), `Port ${port} is held by another process`);
  assert.equal(ask(process.pid, child.pid!), "");
});

test("Who listens is read once a second, and afresh before something is called wrong [borglet.H4]", () => {
  let [nowMs, reads] = [0, 0];
  let table = new Map([[80, [{ port: 80, address: "00000000", inode: "1" }]]]);
  const read = (): typeof table => {
    reads += 1;
    return table;
  };
  const listeners = new Listeners(read, () => nowMs);
  for (let i = 0; i < 50; i++)
    assert.match(
      listeners.problem(A, "127.0.0.1", 80, () => []),
      /another process/,
    );
  assert.equal(reads, 1);
  table = new Map();
  nowMs = 150;
  assert.match(
    listeners.problem(A, "127.0.0.1", 80, () => []),
    /Nobody listens/,
  );
  assert.equal(reads, 2);
});
