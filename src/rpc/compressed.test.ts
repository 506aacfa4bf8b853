/** Which answers are compressed, for whom: pages only, and nothing that has a word of a user in it (decision 0047). */
import assert from "node:assert/strict";
import { request } from "node:http";
import { request as requestTls } from "node:https";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { PageProxy } from "./page-proxy.ts";
import { Sessions } from "./sessions.ts";
import { AUTHORITY, TOKEN, testCell } from "./test-cell.ts";

const NAMES = Array.from({ length: 2000 }, (_, i) => `m${i}`);
const MAP = { changes: [{ map: { names: NAMES } }] };
const [WATCH, USERS, JOBS] = ["WatchViews", "ListUsers", "ListJobs"].map((name) => `/borg.v1.CellService/${name}`) as [
  string,
  string,
  string,
];
const sessions = new Sessions(() => performance.now());
let users = 500;
const cell = await testCell(
  {
    watchViews: () => MAP,
    listUsers: () => ({ users: Array.from({ length: users }, (_, i) => ({ name: `user-${i}` })) }),
    listJobs: () => ({ jobs: NAMES.map((name) => ({ name: `ann/${name}` })) }),
  },
  {},
  {
    pages: () => undefined,
    sessions: {
      enter: (link) => sessions.enter(link),
      identify: (key) => {
        const user = sessions.user(key);
        return user === undefined ? undefined : { user };
      },
      methods: new Set([WATCH, USERS, JOBS]),
    },
  },
);
const proxy = await PageProxy.listen({ at: cell.at, token: TOKEN });
after(async () => {
  await proxy.close();
  await cell.server.close();
});

interface Answer {
  readonly status: number;
  readonly encoding: string | undefined;
  readonly said: { readonly changes?: readonly object[]; readonly users?: readonly object[] };
}

type Headers = Readonly<Record<string, string>>;

function post(url: string, headers: Headers, body: object): Promise<Answer> {
  const tls = url.startsWith("https") ? { ca: AUTHORITY.certificate } : {};
  const options = { method: "POST", agent: false as const, ...tls, headers: { "content-type": "application/json", ...headers } };
  return new Promise((resolve, reject) => {
    const asked = (url.startsWith("https") ? requestTls : request)(url, options, async (answer) => {
      const bytes = Buffer.concat(await answer.toArray());
      const encoding = answer.headers["content-encoding"];
      assert.equal(Number(answer.headers["content-length"] ?? bytes.length), bytes.length);
      resolve({
        status: answer.statusCode ?? 0,
        encoding,
        said: JSON.parse((encoding === "gzip" ? gunzipSync(bytes) : bytes).toString("utf8")),
      });
    });
    asked.on("error", reject);
    asked.end(JSON.stringify(body));
  });
}

const GZIP = { "accept-encoding": "gzip, deflate, br" };
const PLAIN = [`http://127.0.0.1:${cell.port}`, proxy.url] as const;
const map = { watch: "w", views: [{ kind: "VIEW_KIND_CELL" }, { kind: "VIEW_KIND_MAP" }] };

/** Of a page, at the cell itself and through the proxy. */
async function asPage(own: string): Promise<Headers> {
  const link = own === proxy.url ? proxy.newLink().url.split("=")[1]! : sessions.open("ann").link;
  const entered = await fetch(`${own}/session`, { method: "POST", headers: { origin: own, "borg-link": link } });
  const { key } = (await entered.json()) as { readonly key: string };
  return { origin: own, "borg-session": key };
}

test("a page gets the map and lists of users compressed, at the cell and from elsewhere, and reads what it would have read [N5]", async () => {
  for (const own of PLAIN) {
    const page = await asPage(own);
    for (const [path, body] of [
      [WATCH, map],
      [USERS, {}],
    ] as const) {
      const [as, small] = [await post(`${own}${path}`, page, body), await post(`${own}${path}`, { ...page, ...GZIP }, body)];
      assert.deepEqual([as.status, as.encoding, small.status, small.encoding], [200, undefined, 200, "gzip"], path);
      assert.deepEqual(small.said, as.said);
    }
  }
});

test("an answer with words that users choose is never compressed: its length would tell what stands in it twice [N5] [KA2]", async () => {
  const worded = ["EVENTS", "JOBS", "TASKS", "MACHINES"].map((kind) => ({
    watch: "w",
    views: [{ kind: "VIEW_KIND_MAP" }, { kind: `VIEW_KIND_${kind}` }],
  }));
  for (const own of PLAIN) {
    const page = { ...(await asPage(own)), ...GZIP };
    for (const body of worded) assert.equal((await post(`${own}${WATCH}`, page, body)).encoding, undefined, JSON.stringify(body));
    assert.equal((await post(`${own}${JOBS}`, page, {})).encoding, undefined);
  }
});

test("programs get nothing compressed, and nobody a short answer [N5]", async () => {
  const program = { authorization: `Bearer ${TOKEN}`, ...GZIP };
  assert.equal((await post(`${cell.url}${WATCH}`, program, map)).encoding, undefined);
  const page = { ...program, "borg-page": "1" };
  assert.equal((await post(`${cell.url}${WATCH}`, page, map)).encoding, "gzip");
  users = 3;
  assert.equal((await post(`${cell.url}${USERS}`, page, {})).encoding, undefined);
  assert.equal((await post(`${cell.url}${WATCH}`, { ...page, "accept-encoding": "br" }, map)).encoding, undefined);
});
