/** The door of the pages: who has no link, a used one, another origin, another host, another key, or wants to change something stays outside. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { RealCell } from "../e2e/real-cell.ts";

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

type Sent = Readonly<Record<string, string>>;

function ask(port: number, method: string, path: string, headers: Sent = {}, body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString("utf8");
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** What a page on another port, which any task may serve, makes a browser send; and what the task sends by itself. */
const TASK = (port: number) => `
const own = "http://127.0.0.1:${port}";
const tries = {
  page: [own + "/", {}],
  link: [own + "/session", { method: "POST", headers: { "borg-link": "guess", origin: own } }],
  key: [own + "/borg.v1.CellService/GetCell", { method: "POST", body: "{}", headers: { "content-type": "application/json", "borg-session": "guess", origin: own } }],
  bare: [own + "/borg.v1.CellService/GetCell", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }],
};
for (const [name, [url, options]] of Object.entries(tries)) console.log(name, (await fetch(url, options)).status);
`;

test("Only who followed a fresh link, on this cell's own page, looks; and what a page may change is little [N5] [KA2]", async () => {
  const cell = await RealCell.start();
  try {
    const { port } = cell.data.readCell()!;
    const own = `http://127.0.0.1:${port}`;
    const linkOf = async (): Promise<string> => {
      const { code, out, err } = await cell.borg("ui", "--json");
      assert.equal(code, 0, err);
      const { url } = JSON.parse(out);
      assert.ok(url.startsWith(`${own}/#link=`), url);
      return url.slice(`${own}/#link=`.length);
    };
    const enter = (link: string, headers: Sent = {}): Promise<Answer> =>
      ask(port, "POST", "/session", { origin: own, "borg-link": link, ...headers });
    const call = (method: string, key: string, headers: Sent = {}, body = "{}"): Promise<Answer> =>
      ask(
        port,
        "POST",
        `/borg.v1.CellService/${method}`,
        { "content-type": "application/json", origin: own, "borg-session": key, ...headers },
        body,
      );

    const page = await ask(port, "GET", "/");
    assert.equal(page.status, 200);
    assert.match(String(page.headers["content-security-policy"]), /^default-src 'self'; .*frame-ancestors 'none'/);
    assert.deepEqual(
      ["x-frame-options", "x-content-type-options", "referrer-policy", "set-cookie"].map((name) => page.headers[name]),
      ["DENY", "nosniff", "no-referrer", undefined],
    );
    assert.ok(!/<script(?![^>]* src=)|<style|\son[a-z]+=|style=/.test(page.body), "no script or style inside the page");
    assert.equal((await ask(port, "GET", "/", { host: "evil.example" })).status, 421, "a name that was pointed at this machine");

    const link = await linkOf();
    assert.equal((await enter(link, { origin: "http://127.0.0.1:20001" })).status, 403, "a page that a task serves on another port");
    assert.equal((await enter(link, { origin: "null" })).status, 403);
    assert.equal((await enter(link, { host: `evil.example:${port}`, origin: `http://evil.example:${port}` })).status, 421);
    assert.equal((await enter(link, { "sec-fetch-site": "same-site" })).status, 403);
    assert.equal((await ask(port, "POST", "/session", { "borg-link": link })).status, 403, "who is no page");
    assert.equal((await ask(port, "GET", "/session", { origin: own, "borg-link": link })).status, 405);
    assert.equal((await enter("guess")).status, 401);
    const entered = await enter(link);
    assert.equal(entered.status, 200, entered.body);
    const { key, user, way } = JSON.parse(entered.body);
    assert.equal(user, "tester");
    assert.match(way.socket, /\/api\.sock$/, "how its owner's programs reach this cell");
    assert.deepEqual([(await enter(link)).status, (await enter(key)).status], [401, 401], "a link is good once, and a key is none");

    const seen = await call("GetCell", key);
    assert.deepEqual([seen.status, JSON.parse(seen.body).user], [200, "tester"]);
    assert.equal((await call("ListMachines", key)).status, 200);
    const foreign = await call("GetCell", key, { origin: "http://127.0.0.1:20001" });
    assert.match(foreign.body, /only this cell's own pages may ask/);
    const preflight = await ask(port, "OPTIONS", "/borg.v1.CellService/GetCell", {
      origin: "http://127.0.0.1:20001",
      "access-control-request-method": "POST",
      "access-control-request-headers": "borg-session",
    });
    assert.deepEqual([preflight.status, preflight.headers["access-control-allow-origin"]], [403, undefined]);
    assert.equal((await call("GetCell", key, { host: "evil.example" })).status, 421);
    for (const guess of ["", "guess", `${key}x`, link]) assert.equal((await call("GetCell", guess)).status, 401, guess);
    const both = await call("GetCell", key, { authorization: "Bearer borg_x" });
    assert.match(both.body, /not taken over a clear connection; the token that you sent was readable/);
    for (const [method, body] of [
      ["SubmitJob", '{"spec":{"user":"tester","name":"x","count":1,"task":{"command":["x"]}}}'],
      ["GrantUser", '{"user":"tester","roles":[1]}'],
      ["SetQuota", '{"user":"tester","band":2,"quota":{"unlimited":true}}'],
      ["LaunchTasks", '{"framework":"tester/f"}'],
      ["CreateToken", `{"user":"tester","hash":"${"a".repeat(64)}"}`],
      ["OpenUi", "{}"],
      ["DenyMachine", '{"machine":"m1"}'],
    ] as const)
      assert.match((await call(method, key, {}, body)).body, /A page may not ask for this/, method);

    const task = [
      "--cpu",
      "100m",
      "--ram",
      "128MiB",
      "--disk",
      "10MiB",
      "--wait",
      "--",
      "node",
      "--input-type=module",
      "-e",
      TASK(port),
    ] as const;
    const ran = await cell.borg("run", "inside", ...task);
    assert.equal(ran.out, "page 200\nlink 401\nkey 401\nbare 403\n", ran.err);

    const other = JSON.parse((await enter(await linkOf())).body).key;
    assert.match((await cell.borg("ui", "--end")).out, /^Ended 2 sessions in browsers/);
    assert.deepEqual([(await call("GetCell", key)).status, (await call("GetCell", other)).status], [401, 401]);
    const last = JSON.parse((await enter(await linkOf())).body).key;
    await cell.kill("master");
    cell.startMaster();
    await cell.until("the next master to answer", async () => (await call("GetCell", last)).status === 401);
  } finally {
    await cell.close();
  }
});
