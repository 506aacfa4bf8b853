import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { TaskViewSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { EXIT } from "../exit.ts";
import { borg, type Script } from "../fixture.test.ts";

type TaskInit = MessageInitShape<typeof TaskViewSchema>;

const MIB = 2 ** 20;
const RUNNING: TaskInit = {
  name: "ann/hello-web-service/10",
  state: "running",
  cause: "started",
  machine: "machine-17",
  host: "192.168.100.117",
  ports: [{ name: "http", number: 26_001 }],
  run: 3,
  starts: 2,
  limit: { cpuMilli: 500, ramBytes: 128 * MIB },
  usage: { cpuMilli: 20, ramBytes: 10 * MIB },
};
const dead = (name: string, cause: string, exitCode = 0): TaskInit => ({ name, state: "dead", cause, exited: true, exitCode });
const TASKS = [
  RUNNING,
  dead("ann/a/0", "finished"),
  dead("ann/a/1", "failed", 3),
  dead("ann/a/2", "killed"),
  dead("ann/b/0", "failed", 127),
];

/** Answers as the cell does: states are matched there, causes are not. */
const script: Script = {
  listTasks: ({ states, machine, job }) => ({
    tasks: TASKS.filter(
      (task) =>
        (states.length === 0 ? task.state !== "dead" : states.includes(task.state!)) &&
        (machine === "" || task.machine === machine) &&
        (job === "" || task.name!.startsWith(`${job}/`)),
    ),
  }),
  listJobs: ({ user, dead: also }) => ({
    jobs: [
      { name: "ann/a", state: "dead" },
      { name: "ann/hello-web-service", state: "running" },
      { name: "ann/waits", state: "pending" },
      { name: "bob/x", state: "running" },
    ].filter((job) => (user === "" || job.name.startsWith(`${user}/`)) && (also || job.state !== "dead")),
  }),
  listMachines: () => ({
    machines: [
      { name: "m1", state: "up" },
      { name: "m2", state: "draining" },
      { name: "machine-17", state: "up" },
    ],
  }),
  listUsers: () => ({ users: [{ name: "ann" }, { name: "bob" }] }),
  listQuota: ({ user }) => ({ quotas: [{ user: user || "everyone" }] }),
  listTokens: ({ user }) => ({ tokens: [{ user: user || "everyone" }] }),
  listSchedulers: () => ({ schedulers: [{ name: "service" }] }),
};

const names = async (...args: readonly string[]): Promise<readonly string[]> => {
  const { code, out, err } = await borg(["ls", ...args, "--json"], script);
  assert.equal(code, 0, err);
  return JSON.parse(out).map((one: { name?: string; user?: string }) => one.name ?? one.user);
};

test("ls tasks keeps TASK and PORTS whole at 80 columns and leaves others out; wider terminals see more [U12]", async () => {
  const at = async (columns: number) => (await borg(["ls", "tasks"], script, { live: true, columns })).out.trimEnd().split("\n");
  const narrow = await at(80);
  assert.deepEqual(narrow, [
    "TASK                      STATE    CAUSE    MACHINE     PORTS",
    "ann/hello-web-service/10  running  started  machine-17  192.168.100.117:26001",
  ]);
  assert.match((await at(100))[0]!, /^TASK +STATE +CAUSE +MACHINE +PORTS +RUNS +SINCE$/);
  assert.match((await at(140))[0]!, /PORTS +RUNS +CPU +RAM +SINCE$/);
  for (const columns of [40, 50, 60])
    for (const whole of ["ann/hello-web-service/10", "192.168.100.117:26001"]) assert.ok((await at(columns))[1]!.includes(whole));
});

test("--state takes the states of what is listed, and for tasks also how they ended [U11]", async () => {
  assert.deepEqual(await names("tasks", "--state", "failed"), ["ann/a/1", "ann/b/0"]);
  assert.deepEqual(await names("tasks", "--state", "finished"), ["ann/a/0"]);
  assert.deepEqual(await names("tasks", "--state", "failed", "--state", "running"), ["ann/hello-web-service/10", "ann/a/1", "ann/b/0"]);
  assert.deepEqual(await names("tasks", "--state", "dead", "--state", "failed"), ["ann/a/0", "ann/a/1", "ann/a/2", "ann/b/0"]);
  assert.deepEqual(await names("jobs", "--state", "pending"), ["ann/waits"]);
  assert.deepEqual(await names("jobs", "--state", "dead"), ["ann/a"]);
  assert.deepEqual(await names("machines", "--state", "draining"), ["m2"]);
  const wrong = await borg(["ls", "machines", "--state", "failed"], script);
  assert.deepEqual([wrong.code, wrong.out], [EXIT.usage, ""]);
  assert.match(wrong.err, /one of up, draining, drained, unreachable/);
});

test("every filter works on every listing, or is refused by it [N9]", async () => {
  assert.deepEqual(await names("jobs", "--job", "waits"), ["ann/waits"]);
  assert.deepEqual(await names("jobs", "--job", "bob/x"), ["bob/x"]);
  assert.deepEqual(await names("jobs", "waits"), ["ann/waits"]);
  assert.deepEqual(await names("jobs", "--machine", "machine-17"), ["ann/hello-web-service"]);
  assert.deepEqual(await names("jobs", "--user", "bob"), ["bob/x"]);
  assert.deepEqual(await names("machines", "--machine", "m1"), ["m1"]);
  assert.deepEqual(await names("machines", "--job", "hello-web-service"), ["machine-17"]);
  assert.deepEqual(await names("machines", "--user", "ann"), ["machine-17"]);
  assert.deepEqual(await names("users", "--user", "bob"), ["bob"]);
  assert.deepEqual(await names("tokens", "--all"), ["everyone"]);
  assert.deepEqual(await names("quota", "--user", "bob"), ["bob"]);
  for (const [kind, option] of [
    ["users", "--job=web"],
    ["quota", "--machine=m1"],
    ["tokens", "--state=dead"],
    ["schedulers", "--state=dead"],
    ["machines", "--dead"],
  ] as const) {
    const { code, err } = await borg(["ls", kind, option], script);
    assert.equal(code, EXIT.usage, kind);
    assert.match(err, new RegExp(`Cannot use ${option.split("=")[0]} with ls ${kind}`));
  }
});
