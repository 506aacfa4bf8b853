/** What pages may ask over clear HTTP: only those that this server sent, with a key, on loopback, and only reads. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, test } from "node:test";
import { Sessions } from "./sessions.ts";
import { TOKEN, testCell } from "./test-cell.ts";

const READS = new Set(["/borg.v1.CellService/GetCell"]);
const sessions = new Sessions(() => performance.now());
const cell = await testCell(
  {},
  {},
  {
    pages: () => undefined,
    sessions: {
      enter: (link) => sessions.enter(link),
      identify: (key) => {
        const user = sessions.user(key);
        return user === undefined ? undefined : { user };
      },
      methods: READS,
    },
  },
);
after(() => cell.server.close());

const OWN = `http://127.0.0.1:${cell.port}`;

function post(path: string, headers: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly body: string }> {
  const options = { host: "127.0.0.1", port: cell.port, method: "POST", path, agent: false };
  return new Promise((resolve, reject) => {
    const asked = request({ ...options, headers: { "content-type": "application/json", ...headers } }, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(await answer.toArray()).toString("utf8") }),
    );
    asked.on("error", reject);
    asked.end("{}");
  });
}

async function newKey(): Promise<string> {
  const { status, body } = await post("/session", { origin: OWN, "borg-link": sessions.open("ann").link });
  assert.equal(status, 200, body);
  return JSON.parse(body).key;
}

test("a page with a key is its user, and only looks [KA2]", async () => {
  const key = await newKey();
  assert.equal((await post("/borg.v1.CellService/GetCell", { origin: OWN, "borg-session": key })).status, 200);
  const { call } = cell.asked.at(-1)!;
  assert.equal(call.user, "ann");
  const killed = await post("/borg.v1.CellService/KillJob", { origin: OWN, "borg-session": key });
  assert.deepEqual([killed.status, cell.asked.at(-1)!.method], [403, "GetCell"]);
  assert.match(killed.body, /A page may not ask for this/);
});

test("who is no page of this server is refused, whatever it knows [KA2]", async () => {
  const key = await newKey();
  const asked = cell.asked.length;
  const cases: readonly [Readonly<Record<string, string>>, number][] = [
    [{ "borg-session": key }, 403],
    [{ "borg-session": key, origin: "http://127.0.0.1:20001" }, 403],
    [{ "borg-session": key, origin: "null" }, 403],
    [{ "borg-session": key, origin: OWN, "sec-fetch-site": "cross-site" }, 403],
    [{ "borg-session": key, origin: "http://evil.example", host: "evil.example" }, 421],
    [{ "borg-session": "guess", origin: OWN }, 401],
    [{ "borg-session": "", origin: OWN }, 401],
    [{ "borg-session": key, origin: OWN, authorization: `Bearer ${TOKEN}` }, 403],
    [{ origin: OWN }, 403],
  ];
  for (const [headers, status] of cases)
    assert.equal((await post("/borg.v1.CellService/GetCell", headers)).status, status, JSON.stringify(headers));
  assert.equal(cell.asked.length, asked, "nothing of it reached the cell");
  const { link } = sessions.open("ann");
  assert.equal((await post("/session", { "borg-link": link })).status, 403);
  assert.equal((await post("/session", { "borg-link": link, origin: "http://127.0.0.1:20001" })).status, 403);
  assert.deepEqual(
    [
      (await post("/session", { "borg-link": link, origin: OWN })).status,
      (await post("/session", { "borg-link": link, origin: OWN })).status,
    ],
    [200, 401],
  );
});
