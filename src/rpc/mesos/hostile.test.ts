/** Calls that are malformed, too large or lies: each gets a status and words, the desk never hears of it, and the server goes on. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { dial, raw, type TestCell, TOKEN, testCell } from "../test-cell.ts";
import { post, SUBSCRIBE, subscribe, TestDesk } from "./test-desk.ts";

let cell: TestCell;
let desk: TestDesk;

before(async () => {
  desk = new TestDesk();
  // The table below asks more in a second than a user may.
  cell = await testCell({}, { receiveMs: 400, workBurst: 1e6, workBurstOfAll: 1e6 }, { frameworks: desk });
});
after(() => cell.server.close());

type Json = Readonly<Record<string, unknown>>;

const launch = (task: Json): Json => ({
  type: "ACCEPT",
  accept: { offer_ids: [{ value: "o" }], operations: [{ type: "LAUNCH", launch: { task_infos: [task] } }] },
});
const task = (more: Json): Json => launch({ name: "n", task_id: { value: "t" }, agent_id: { value: "m1" }, ...more });
const scalar = (value: unknown): Json => task({ resources: [{ name: "cpus", type: "SCALAR", scalar: { value } }] });
const subscribed = (info: Json, more: Json = {}): Json => ({ type: "SUBSCRIBE", subscribe: { framework_info: info, ...more } });
const constraint = (more: Json): Json =>
  subscribed({ name: "n" }, { offer_constraints: { role_constraints: { "*": { groups: [{ attribute_constraints: [more] }] } } } });
const nested = (depth: number): string => `${'{"type":'.repeat(depth)}1${"}".repeat(depth)}`;
const many = <T>(count: number, item: T): readonly T[] => Array.from({ length: count }, () => item);
const MILLION = `{"type":"ACCEPT","accept":{"operations":[{"type":"LAUNCH","launch":{"task_infos":[${"{},".repeat(999_999)}{}]}}]}}`;

interface Row {
  readonly what: string;
  readonly body: Json | string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly status: number;
  readonly words: RegExp;
}

const PROTOBUF = { "content-type": "application/x-protobuf" };
const bad = (what: string, body: Row["body"], words: RegExp, headers: Row["headers"] = {}): Row => ({
  what,
  body,
  words,
  status: 400,
  headers,
});

const ROWS: readonly Row[] = [
  // Text that is no call
  bad("nothing", "", /Cannot read JSON/),
  bad("half an object", "{", /Cannot read JSON/),
  bad("two objects", '{"type":"REVIVE"}{"type":"REVIVE"}', /Cannot read JSON/),
  bad("a number", "7", /Expected an object \(Call\), found 7/),
  bad("null", "null", /Expected an object/),
  bad("a list of calls", '[{"type":"REVIVE"}]', /found a list/),
  bad("no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), /Expected JSON in UTF-8/),
  bad("UTF-16", Buffer.from("\ufeff{}", "utf16le"), /Expected JSON in UTF-8|Cannot read JSON/),
  bad("too deep", nested(65), /nested at most 64 deep/),
  bad("a hundred thousand lists", "[".repeat(100_000), /nested at most 64 deep/),
  bad("NaN", '{"type":"DECLINE","decline":{"filters":{"refuse_seconds":NaN}}}', /Cannot read JSON/),
  bad("more values than anybody needs", `{"a":[${"1,".repeat(200_000)}1]}`, /at most 100000 keys and values/),
  // Calls of no known kind
  bad("no kind", {}, /Expected a call of a known type/),
  bad("a kind of a later Mesos", { type: "FLY" }, /Expected a call of a known type/),
  bad("a kind and what belongs to another", { type: "KILL", decline: {} }, /Expected "kill" in a call of type KILL/),
  bad("a kind that is an object", { type: { a: 1 } }, /\.type: Expected a Type/),
  bad("a kind by a number that nobody has", { type: 99 }, /\.type: Expected a known Type, found 99/),
  bad("a kind by half a number", { type: 0.5 }, /\.type: Expected a known Type/),
  bad("a kind below zero", { type: -1 }, /\.type: Expected a known Type/),
  // Frameworks
  bad("no framework", { type: "SUBSCRIBE" }, /Expected "subscribe" in a call of type SUBSCRIBE/),
  bad("an empty subscription", { type: "SUBSCRIBE", subscribe: {} }, /frameworkInfo: Expected a value, found none/),
  bad("a name that is a list", subscribed({ name: ["a"] }), /framework_info\.name: Expected text, found a list/),
  bad("a name that is too long", subscribed({ name: "x".repeat(256) }), /at most 255 characters, found 256/),
  bad("a name with a zero in it", subscribed({ name: "a\u0000b" }), /without NUL/),
  bad("a role of two lines", subscribed({ name: "n", role: "a\nb" }), /one line without control characters/),
  bad("half a character", subscribed({ name: "\ud800" }), /well-formed Unicode/),
  bad("a time below zero", subscribed({ name: "n", failover_timeout: -1 }), /failoverTimeout: Expected 0 to/),
  bad("a time beyond measure", subscribed({ name: "n", failover_timeout: 1e300 }), /failoverTimeout: Expected 0 to/),
  bad("a time in words", subscribed({ name: "n", failover_timeout: "1 week" }), /Expected a number, found "1 week"/),
  bad("seventeen roles", subscribed({ name: "n", roles: many(17, "r") }), /at most 16 items, found 17/),
  bad("many capabilities", subscribed({ name: "n", capabilities: many(65, { type: "UNKNOWN" }) }), /at most 64 items/),
  bad("labels without keys", subscribed({ name: "n", labels: { labels: [{ value: "v" }] } }), /key: Expected a value/),
  bad("an id that is text", { ...subscribed({ name: "n" }), framework_id: "f" }, /framework_id: Expected an object/),
  bad("an empty id", { ...subscribed({ name: "n" }), framework_id: { value: "" } }, /Expected text, found none/),
  bad("filters that are a list", subscribed({ name: "n", offer_filters: [] }), /offer_filters: Expected an object, found a list/),
  bad("seventeen filters", subscribed({ name: "n", offer_filters: Object.fromEntries(many(17, 0).map((_, i) => [i, {}])) }), /at most 16/),
  bad("constraints without a question", constraint({}), /selector: Expected a value/),
  bad("a question about nothing", constraint({ selector: {}, predicate: { exists: {} } }), /Expected one of/),
  bad(
    "an endless expression",
    constraint({ selector: { attribute_name: "a" }, predicate: { text_matches: { regex: "a".repeat(1025) } } }),
    /1024/,
  ),
  bad("SUBSCRIBE on a stream", SUBSCRIBE, /send no Mesos-Stream-Id/, { "mesos-stream-id": "stream-1" }),
  // Launches
  bad("a million tasks", MILLION, /at most 100000 keys and values/),
  bad(
    "1001 tasks",
    { type: "ACCEPT", accept: { operations: [{ launch: { task_infos: many(1001, {}) } }] } },
    /at most 1000 items, found 1001/,
  ),
  bad("1001 operations", { type: "ACCEPT", accept: { operations: many(1001, {}) } }, /at most 1000 items/),
  bad("10001 offers", { type: "DECLINE", decline: { offer_ids: many(10_001, { value: "o" }) } }, /at most 10000 items/),
  bad("a task without an id", launch({ name: "n", agent_id: { value: "m1" } }), /taskId: Expected a value/),
  bad("a task without a machine", launch({ name: "n", task_id: { value: "t" } }), /agentId: Expected a value/),
  bad("a task id beyond 255", task({ task_id: { value: "t".repeat(256) } }), /at most 255 characters/),
  bad("less than no processor", scalar(-1), /value: Expected 0 to 1000000000000000, found -1/),
  bad("endless processors", scalar(1e308), /value: Expected 0 to/),
  bad("processors in words", scalar("2"), /Expected a number, found "2"/),
  bad(
    "processors beyond numbers",
    '{"type":"REQUEST","request":{"requests":[{"resources":[{"name":"cpus","type":"SCALAR","scalar":{"value":1e999}}]}]}}',
    /found Infinity/,
  ),
  bad(
    "half a port",
    task({ resources: [{ name: "ports", type: "RANGES", ranges: { range: [{ begin: 1.5, end: 2 }] } }] }),
    /whole number, found 1\.5/,
  ),
  bad(
    "a port below zero",
    task({ resources: [{ name: "ports", type: "RANGES", ranges: { range: [{ begin: -1, end: 2 }] } }] }),
    /begin: Expected 0/,
  ),
  bad(
    "4097 ranges",
    task({ resources: [{ name: "p", type: "RANGES", ranges: { range: many(4097, { begin: 1, end: 1 }) } }] }),
    /at most 4096/,
  ),
  bad("65 kinds of resources", task({ resources: many(65, { name: "a", type: "SCALAR" }) }), /at most 64 items/),
  bad("a resource without a kind", task({ resources: [{ name: "cpus" }] }), /type: Expected a value/),
  bad("a resource of no known kind", task({ resources: [{ name: "cpus", type: "CUBE" }] }), /Expected a known Type, found "CUBE"/),
  bad("a resource without a name", task({ resources: [{ type: "SCALAR" }] }), /name: Expected a value/),
  bad("a command of 65,537 characters", task({ command: { value: "x".repeat(65_537) } }), /at most 65536 characters/),
  bad("1025 arguments", task({ command: { arguments: many(1025, "x") } }), /at most 1024 items/),
  bad("257 variables", task({ command: { environment: { variables: many(257, { name: "a" }) } } }), /at most 256 items/),
  bad("a shell that is a word", task({ command: { shell: "yes" } }), /Expected true or false, found "yes"/),
  bad("bytes that are no base64", task({ data: "***" }), /Expected bytes as base64/),
  bad("more bytes than one may have", task({ data: Buffer.alloc(65_537).toString("base64") }), /at most 65536 bytes/),
  bad("a container of no kind", task({ container: {} }), /container\.type: Expected a value/),
  bad("a container of the kind that is none", task({ container: { type: 0 } }), /Expected a known Type/),
  bad(
    "a group of 101",
    {
      type: "ACCEPT",
      accept: { operations: [{ launch_group: { executor: { executor_id: { value: "e" } }, task_group: { tasks: many(101, {}) } } }] },
    },
    /at most 100 items/,
  ),
  bad(
    "a group without an executor",
    { type: "ACCEPT", accept: { operations: [{ launch_group: { task_group: {} } }] } },
    /executor: Expected a value/,
  ),
  bad("an end that is never", task({ max_completion_time: { nanoseconds: -1 } }), /nanoseconds: Expected 0 to/),
  bad("an end beyond numbers", task({ max_completion_time: { nanoseconds: "99999999999999999999" } }), /Expected a whole number/),
  // Other calls
  bad("a kill of nothing", { type: "KILL", kill: {} }, /taskId: Expected a value/),
  bad("an acknowledgement of nothing", { type: "ACKNOWLEDGE", acknowledge: {} }, /agentId: Expected a value/),
  bad(
    "an acknowledgement with 65 bytes",
    { type: "ACKNOWLEDGE", acknowledge: { agent_id: { value: "m" }, task_id: { value: "t" }, uuid: Buffer.alloc(65).toString("base64") } },
    /at most 64 bytes/,
  ),
  bad("10001 tasks to reconcile", { type: "RECONCILE", reconcile: { tasks: many(10_001, {}) } }, /at most 10000 items/),
  bad("a message to nobody", { type: "MESSAGE", message: { data: "" } }, /agentId: Expected a value/),
  bad("a refusal beyond time", { type: "DECLINE", decline: { filters: { refuse_seconds: 1e13 } } }, /refuseSeconds: Expected/),
  bad("names of the language itself", '{"__proto__":{"type":"TEARDOWN"},"constructor":1}', /Expected a call of a known type/),
  // Streams
  bad("no stream", { type: "TEARDOWN" }, /Expected the header Mesos-Stream-Id/),
  bad("an empty stream", { type: "TEARDOWN" }, /Expected the header Mesos-Stream-Id/, { "mesos-stream-id": " " }),
  bad("a stream of 129 characters", { type: "TEARDOWN" }, /Expected the header Mesos-Stream-Id/, { "mesos-stream-id": "s".repeat(129) }),
  // Protobuf
  bad("a field that is cut off", new Uint8Array([0x12, 9, 1]), /Cannot decode Call/, PROTOBUF),
  bad("text where a number is", new Uint8Array([0x12, 1, 1]), /field number 2 has wire type 2/, PROTOBUF),
  bad("a group", new Uint8Array([0x9b, 6, 0x9c, 6]), /there is no field number 99/, PROTOBUF),
  bad(
    "a million empty messages",
    new Uint8Array(2_000_000).map((_, i) => (i % 2 === 0 ? 0x2a : 0)),
    /at most 100000 fields/,
    PROTOBUF,
  ),
  bad("JSON that says it is protobuf", SUBSCRIBE, /Cannot decode Call/, PROTOBUF),
  bad(
    "NaN as protobuf",
    new Uint8Array([0x2a, 11, 0x12, 9, 9, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f]),
    /refuseSeconds: Expected .* found NaN/,
    PROTOBUF,
  ),
  // What is around a call
  { what: "a look", body: "", method: "GET", status: 405, words: /use POST/ },
  { what: "a change by PUT", body: SUBSCRIBE, method: "PUT", status: 405, words: /use POST/ },
  { what: "text", body: SUBSCRIBE, headers: { "content-type": "text/plain" }, status: 415, words: /send Content-Type/ },
  { what: "no content type", body: SUBSCRIBE, headers: { "content-type": "" }, status: 415, words: /send Content-Type/ },
  { what: "packed bytes", body: SUBSCRIBE, headers: { "content-encoding": "gzip" }, status: 415, words: /send it as it is/ },
  { what: "a picture wanted", body: SUBSCRIBE, headers: { accept: "image/png" }, status: 406, words: /Cannot answer as Accept wants/ },
  { what: "no token", body: SUBSCRIBE, headers: { authorization: "" }, status: 401, words: /Expected a token/ },
  {
    what: "nobody's token",
    body: SUBSCRIBE,
    headers: { authorization: "Bearer x" },
    status: 401,
    words: /Cannot find the user of this token/,
  },
  { what: "a password", body: SUBSCRIBE, headers: { authorization: "Basic eDp5" }, status: 401, words: /Expected a token/ },
  { what: "another host", body: SUBSCRIBE, headers: { host: "evil.example" }, status: 421, words: /Cannot serve host/ },
  { what: "a page of elsewhere", body: SUBSCRIBE, headers: { origin: "https://evil.example" }, status: 403, words: /Cannot serve a page/ },
  { what: "five megabytes", body: new Uint8Array(5 * 2 ** 20), status: 413, words: /at most 4194304 bytes/ },
];

test(`${ROWS.length} malformed or lying calls get their status and words, and the desk hears of none [Z3] [KB2]`, async () => {
  assert.ok(ROWS.length >= 60);
  assert.equal(new Set(ROWS.map(({ what }) => what)).size, ROWS.length);
  for (const { what, body, headers = {}, method = "POST", status, words } of ROWS) {
    const sent = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    const answer = await post(cell, sent, headers, method);
    assert.deepEqual([what, answer.status], [what, status], answer.text);
    assert.match(answer.text, words, what);
    assert.ok(answer.text.length < 2000, what);
  }
  assert.deepEqual([desk.seen.length, cell.lines], [0, []]);
});

const HEAD = `POST /api/v1/scheduler HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer ${TOKEN}\r\n`;

const BYTES: readonly (readonly [string, readonly (string | Uint8Array)[], RegExp])[] = [
  ["a flood of headers", [HEAD, "x: y\r\n".repeat(5000), "\r\n"], /^HTTP\/1\.1 431|^$/],
  ["one header of 20 KB", [HEAD, `x: ${"y".repeat(20_000)}\r\n\r\n`], /^HTTP\/1\.1 431|^$/],
  ["a chunk that is no chunk", [HEAD, "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}"], /^HTTP\/1\.1 400|^$/],
  ["two lengths", [HEAD, "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"], /^HTTP\/1\.1 400/],
  ["a length and chunks", [HEAD, "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"], /^HTTP\/1\.1 400/],
  [
    "two stream ids",
    [HEAD, 'Mesos-Stream-Id: a\r\nMesos-Stream-Id: b\r\nConnection: close\r\nContent-Length: 17\r\n\r\n{"type":"REVIVE"}'],
    /^HTTP\/1\.1 400[\s\S]*Expected the header/,
  ],
  ["a body that never comes", [HEAD, "Content-Length: 100\r\n\r\n{"], /^HTTP\/1\.1 400[\s\S]*Expected the whole body within 400 ms/],
  ["bytes that are no HTTP", ["\u0016\u0003nonsense"], /^HTTP\/1\.1 400/],
];

test("bytes that are no proper request are refused or hung up on [KB2]", async () => {
  for (const [what, pieces, expected] of BYTES) assert.match(await raw(cell, ...pieces), expected, what);
  assert.deepEqual([desk.seen.length, cell.lines], [0, []]);
});

test("a body that comes a byte at a time holds nothing for long [KB2]", async () => {
  const socket = dial(cell);
  const beganMs = performance.now();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.resume();
  socket.write(`${HEAD}Content-Length: 1000\r\n\r\n`);
  const timer = setInterval(() => socket.write(" "), 20);
  await closed;
  clearInterval(timer);
  assert.ok(performance.now() - beganMs < 10_000);
  assert.equal(desk.seen.length, 0);
});

test("after all of them a decent client is served [Z3]", async () => {
  const stream = await subscribe(cell);
  await stream.next();
  stream.response.destroy();
  for (let i = 0; i < 1000 && desk.ended.length === 0; i++) await sleep(10);
  assert.deepEqual(desk.ended, ["stream-1"]);
});
