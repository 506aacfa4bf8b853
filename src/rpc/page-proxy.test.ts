/** Pages of a cell elsewhere: the token goes to the cell and never to the browser; who is no page gets nothing; and a page asks for no more than at the cell itself. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, test } from "node:test";
import { PageProxy } from "./page-proxy.ts";
import { Sessions } from "./sessions.ts";
import { TOKEN, testCell } from "./test-cell.ts";

const sessions = new Sessions(() => performance.now());
const cell = await testCell(
  {},
  {},
  {
    pages: (path) =>
      path === "/"
        ? {
            status: 200,
            headers: { "content-type": "text/html", "content-security-policy": "default-src 'self'", "x-other": "1" },
            body: "page",
          }
        : undefined,
    sessions: { enter: (link) => sessions.enter(link), identify: () => undefined, methods: new Set(["/borg.v1.CellService/GetCell"]) },
  },
);
const proxy = await PageProxy.listen({ at: cell.at, token: TOKEN });
after(async () => {
  await proxy.close();
  await cell.server.close();
});

const OWN = proxy.url;
const GET_CELL = "/borg.v1.CellService/GetCell";

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

function ask(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = "{}"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: new URL(OWN).port, method, path, agent: false };
    const asked = request({ ...options, headers: { "content-type": "application/json", ...headers } }, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(await answer.toArray()).toString("utf8") }),
    );
    asked.on("error", reject);
    asked.end(method === "GET" ? undefined : body);
  });
}

const linkOf = (): string => proxy.newLink().url.slice(`${OWN}/#link=`.length);

async function newKey(): Promise<string> {
  const { status, body } = await ask("POST", "/session", { origin: OWN, "borg-link": linkOf() });
  assert.equal(status, 200, body);
  const { key, way } = JSON.parse(body);
  assert.deepEqual(way, cell.at.kind === "tls" ? { url: cell.at.url } : undefined);
  return key;
}

test("a page is the cell's own, with the headers that keep it harmless and no others [N5]", async () => {
  const { status, headers, body } = await ask("GET", "/");
  assert.deepEqual([status, body, headers["content-security-policy"], headers["x-other"]], [200, "page", "default-src 'self'", undefined]);
  assert.equal((await ask("GET", "/nothing")).status, 404);
});

test("a call goes to the cell as the token's user; the token is in no answer [N5] [KA2]", async () => {
  const key = await newKey();
  const { status, headers, body } = await ask("POST", GET_CELL, { origin: OWN, "borg-session": key });
  assert.deepEqual([status, cell.asked.at(-1)?.call.user], [200, "ann"]);
  assert.ok(!JSON.stringify([headers, body]).includes(TOKEN));
});

test("a page asks for no more than at the cell itself [KA2]", async () => {
  const before = cell.asked.length;
  const killed = await ask("POST", "/borg.v1.CellService/KillJob", { origin: OWN, "borg-session": await newKey() }, '{"job":"ann/web"}');
  assert.deepEqual([killed.status, cell.asked.length], [403, before]);
  assert.match(killed.body, /A page may not ask for this/);
});

test("who is no page of this server, has no key or a used link stays outside [KA2]", async () => {
  const key = await newKey();
  const before = cell.asked.length;
  const cases: readonly (readonly [what: string, path: string, headers: Readonly<Record<string, string>>, status: number])[] = [
    ["no origin", GET_CELL, { "borg-session": key }, 403],
    ["a page of another port", GET_CELL, { origin: "http://127.0.0.1:1", "borg-session": key }, 403],
    ["another site", GET_CELL, { origin: OWN, "sec-fetch-site": "cross-site", "borg-session": key }, 403],
    ["a name that was pointed here", GET_CELL, { host: "evil.example", origin: "http://evil.example", "borg-session": key }, 421],
    ["no key", GET_CELL, { origin: OWN }, 401],
    ["another key", GET_CELL, { origin: OWN, "borg-session": `${key}x` }, 401],
    ["no JSON", GET_CELL, { origin: OWN, "borg-session": key, "content-type": "application/proto" }, 415],
    ["no call", "/v1/scheduler", { origin: OWN, "borg-session": key }, 404],
    ["a path that climbs", "/borg.v1.CellService/../metrics", { origin: OWN, "borg-session": key }, 404],
    ["a link that is none", "/session", { origin: OWN, "borg-link": "guess" }, 401],
  ];
  for (const [what, path, headers, status] of cases) assert.equal((await ask("POST", path, headers)).status, status, what);
  assert.equal((await ask("PUT", GET_CELL, { origin: OWN, "borg-session": key })).status, 405);
  const link = linkOf();
  const enter = () => ask("POST", "/session", { origin: OWN, "borg-link": link });
  assert.deepEqual([(await enter()).status, (await enter()).status], [200, 401], "a link is good once");
  assert.equal(cell.asked.length, before, "the cell was not asked");
});
