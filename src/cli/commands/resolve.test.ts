import assert from "node:assert/strict";
import { test } from "node:test";
import { CallError } from "../../rpc/call-error.ts";
import { EXIT } from "../exit.ts";
import { borg, type Script } from "../fixture.test.ts";

const task = (index: number, more: object = {}) => ({
  name: `ann/web/${index}`,
  state: "running",
  host: "10.0.0.1",
  ports: [
    { name: "http", number: 20_000 + index },
    { name: "debug", number: 21_000 + index },
  ],
  machine: "m1",
  instance: `ann/web/${index}:${index + 5}`,
  ready: true,
  readyMs: 1000,
  ...more,
});
const found = (...tasks: object[]): never => ({ kind: "job", size: 3, ready: tasks.length, version: "v", tasks }) as never;

test("borg resolve prints who serves and where, or only the addresses of a port [N1]", async () => {
  const script: Script = { resolve: () => found(task(0), task(1)) };
  const { out, asked } = await borg(["resolve", "web"], script);
  assert.equal(
    out,
    `ann/web: 2 of 3 tasks ready
TASK       ADDRESS                                   MACHINE
ann/web/0  http=10.0.0.1:20000 debug=10.0.0.1:21000  m1
ann/web/1  http=10.0.0.1:20001 debug=10.0.0.1:21001  m1
`,
  );
  assert.deepEqual(asked.at(-1)?.request["name"], "ann/web");
  assert.equal((await borg(["resolve", "web", "--port", "http"], script)).out, "10.0.0.1:20000\n10.0.0.1:20001\n");
  const { code, err } = await borg(["resolve", "web", "--port", "https"], script);
  assert.deepEqual([code, err.includes("they have http, debug")], [EXIT.notFound, true]);
});

test("borg resolve takes names as people type them and as DNS knows them; those of another cell are not found [N1] [N2]", async () => {
  const script: Script = { resolve: () => found() };
  const nameOf = async (...args: string[]) => (await borg(["resolve", ...args], script)).asked.at(-1)?.request;
  assert.equal((await nameOf("web/0"))?.["name"], "ann/web/0");
  assert.equal((await nameOf("bob/web"))?.["name"], "bob/web");
  assert.equal((await nameOf("7.web.bob.test.borg"))?.["name"], "bob/web/7");
  assert.equal((await nameOf("web.bob.test.borg.example.com"))?.["name"], "bob/web");
  const service = await nameOf("--service", "site");
  assert.deepEqual([service?.["name"], service?.["user"], service?.["service"]], ["", "ann", "site"]);
  const other = await borg(["resolve", "web.bob.other.borg"], script);
  assert.deepEqual([other.code, other.err.includes('this is cell "test"')], [EXIT.notFound, true]);
  assert.equal((await borg(["resolve"], script)).code, EXIT.usage);
  assert.equal((await borg(["resolve", "web", "--service", "site"], script)).code, EXIT.usage);
  assert.equal((await borg(["resolve", "x.borg"], script)).code, EXIT.usage);
});

test("A name that nothing has is not found; one under which nobody serves is said so [N1]", async () => {
  const gone = await borg(["resolve", "web"], { resolve: () => ({}) });
  assert.deepEqual([gone.code, gone.out], [EXIT.notFound, ""]);
  const idle = await borg(["resolve", "web"], { resolve: () => found() });
  assert.deepEqual([idle.code, idle.out], [EXIT.done, ""]);
  assert.match(idle.err, /No task of ann\/web is ready \(of 3\)/);
});

test("borg resolve --watch tells what comes and what leaves, also over a master that dies [N1] [N3]", async () => {
  const stop = new AbortController();
  const steps: (() => never)[] = [
    () => found(task(0)),
    () => ({ unchanged: true, version: "v" }) as never,
    () => {
      throw new CallError("unreachable", "Nobody answers");
    },
    () => found(task(0), task(1)),
    () => found(task(1, { instance: "ann/web/1:9" }), task(2)),
    () => {
      stop.abort();
      return { unchanged: true } as never;
    },
  ];
  const { out, err, code } = await borg(
    ["resolve", "web", "--watch", "--port", "http"],
    { resolve: () => steps.shift()!() },
    {
      interrupted: () => stop.signal,
    },
  );
  assert.equal(code, EXIT.done);
  assert.deepEqual(out.trimEnd().split("\n"), [
    "+ ann/web/0 10.0.0.1:20000",
    "+ ann/web/1 10.0.0.1:20001",
    "- ann/web/0 10.0.0.1:20000",
    "- ann/web/1 10.0.0.1:20001",
    "+ ann/web/1 10.0.0.1:20001",
    "+ ann/web/2 10.0.0.1:20002",
  ]);
  assert.match(err, /Nobody answers; waiting for it[\s\S]*it answers again/);
});
