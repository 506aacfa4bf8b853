import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { CallError } from "../../rpc/call-error.ts";
import { EXIT } from "../exit.ts";
import { borg } from "../fixture.test.ts";
import { problemsOf, schemaOf } from "../json-schema.test.ts";

/** A free port, most likely still free when it is used. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ host: "127.0.0.1", port: 0 }, () => resolve()));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const ended = { interrupted: () => AbortSignal.timeout(300) };
const cell = { getCell: () => ({ name: "test", user: "ann" }) };

test("borg mesos-gateway says where it listens and as whom frameworks act, and ends with Ctrl-C [Z3]", async () => {
  const port = await freePort();
  const { code, out } = await borg(["mesos-gateway", "--port", String(port)], cell, ended);
  assert.equal(code, EXIT.done);
  assert.equal(out, `Frameworks of Mesos reach the cell at http://127.0.0.1:${port} and act as user ann. Ctrl-C ends it.\n`);
});

test("borg mesos-gateway --json prints what docs/json/mesos-gateway.schema.json says, also while the cell is away [U9]", async () => {
  const port = await freePort();
  const away = {
    getCell: () => {
      throw new CallError("unreachable", "nobody");
    },
  };
  const { code, out } = await borg(["mesos-gateway", "--port", String(port), "--json"], away, ended);
  assert.equal(code, EXIT.done);
  assert.deepEqual(JSON.parse(out), { url: `http://127.0.0.1:${port}`, user: null });
  assert.deepEqual(problemsOf(schemaOf("mesos-gateway"), JSON.parse(out)), []);
});

test("a port that is taken or none is a mistake in words [U9]", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ host: "127.0.0.1", port: 0 }, () => resolve()));
  const { port } = server.address() as { port: number };
  const taken = await borg(["mesos-gateway", "--port", String(port)], cell, ended);
  assert.equal(taken.code, EXIT.refused);
  assert.match(taken.err, new RegExp(`Somebody listens on port ${port} already`));
  server.close();
  assert.equal((await borg(["mesos-gateway", "--port", "70000"], cell, ended)).code, EXIT.usage);
});
