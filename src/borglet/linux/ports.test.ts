import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { answering, heldPort } from "./ports.ts";

const V4 = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1
   1: 0100007F:1F91 0100007F:D2F0 01 00000000:00000000 00:00000000 00000000     0        0 2 1
`;
const V6 = `  sl  local_address                         remote_address                        st
   0: 00000000000000000000000001000000:1F92 00000000000000000000000000000000:0000 0A 00000000:00000000
`;

test("a port is held when somebody listens on it, in either table; a connection from it does not count [borglet.T11]", () => {
  const read = (path: string): string => (path.endsWith("6") ? V6 : V4);
  assert.equal(heldPort([8079, 8080], read), 8080);
  assert.equal(heldPort([8082], read), 8082);
  assert.equal(heldPort([8081, 8083], read), undefined);
  assert.equal(
    heldPort([], () => assert.fail("nothing to look for")),
    undefined,
  );
});

test("the kernel's own tables are read [borglet.T11]", async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  assert.equal(heldPort([port]), port);
  await new Promise((done) => server.close(done));
  assert.equal(heldPort([port]), undefined);
});

test("who answers a host is the socket with its address, else one that listens on all [borglet.H4]", () => {
  const socket = (address: string, inode: string) => ({ port: 80, address, inode });
  const all = [socket("0".repeat(32), "v6"), socket("00000000", "v4"), socket("0200007F", "other"), socket("0100007F", "own")];
  const ask = (count: number): string[] => answering("127.0.0.1", all.slice(0, count)).map(({ inode }) => inode);
  assert.deepEqual([ask(4), ask(3), ask(2), ask(1), ask(0)], [["own"], ["v4"], ["v4"], ["v6"], []]);
});
