import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { askHttp } from "./health-check.ts";

test("a health path that cannot be asked for is an answer in words, and nothing is thrown [borglet.H3] [KB2]", async () => {
  for (const path of ["/\u{1f980} x", "/\n", "\u0000"]) {
    const said = askHttp("127.0.0.1", 1, path, 1000);
    await assert.doesNotReject(said, JSON.stringify(path));
    assert.match(await said, /^Cannot be asked: /);
  }
});

test("an answer that redirects is good, and where it leads nobody is asked [borglet.H2] [N4] [KA2]", async () => {
  let asked = 0;
  const elsewhere = createServer((_, response) => {
    asked += 1;
    response.writeHead(500).end();
  });
  const task = createServer((_, response) => {
    const { port } = elsewhere.address() as AddressInfo;
    response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
  });
  const servers = [elsewhere, task];
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    assert.equal(await askHttp("127.0.0.1", (task.address() as AddressInfo).port, "/", 10_000), "");
    await sleep(200);
    assert.equal(asked, 0, "a task sent the borglet somewhere");
  } finally {
    for (const server of servers) server.close();
  }
});
