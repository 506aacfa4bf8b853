/** Looking around as Mesos' clients do it. */
import assert from "node:assert/strict";
import { request } from "node:https";
import { test } from "node:test";
import { type Init, make } from "../../wire/codec.ts";
import { LaunchedViewSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { MesosState } from "../../wire/gen/borg/v1/record_pb.ts";
import { CallError } from "../call-error.ts";
import type { CellHandlers } from "../service.ts";
import { AUTHORITY, type TestCell, TOKEN, testCell } from "../test-cell.ts";
import { type Answer, inTime, TestDesk } from "./test-desk.ts";

const RESOURCES = { cpuMilli: 2500, ramBytes: 2 ** 30, diskBytes: 2 ** 31 };
const spec = { user: "ann", name: "mine", title: "My first", role: "*", failoverMs: 60_000 };

const UUID = new Uint8Array(16).fill(1);
const UPDATE = { number: 1, state: MesosState.RUNNING, timeMs: 1500, healthy: true };
const EXECUTOR = { machine: "m1", executor: "e", isExecutor: true };
const FIRST: readonly Init<typeof LaunchedViewSchema>[] = [
  { taskId: "t0", title: "n", machine: "m1", state: MesosState.RUNNING, limit: RESOURCES, ports: [20_000], sinceMs: 1000 },
  { ...EXECUTOR, taskId: "executor e on m1", title: "x", state: MesosState.RUNNING, limit: RESOURCES },
];
const SECOND: readonly Init<typeof LaunchedViewSchema>[] = [
  { taskId: "t7", machine: "m1", state: MesosState.FINISHED, executor: "e", uuid: UUID, update: UPDATE, sinceMs: 2000 },
  { ...EXECUTOR, taskId: "executor e on m1", over: true },
];
const SECOND_OVER = { taskId: "t8", machine: "m1", state: MesosState.FAILED, sinceMs: 2000 };

const HANDLERS: Partial<CellHandlers> = {
  listMachines: () => ({
    machines: [
      {
        name: "m1",
        state: "up",
        host: "h1",
        capacity: RESOURCES,
        portFirst: 20_000,
        portLast: 20_099,
        attributes: [{ key: "rack", value: "r1" }],
      },
    ],
  }),
  listFrameworks: () => ({
    frameworks: [
      { name: "ann/mine", id: "ann.mine.1", state: "connected", spec, submittedMs: 1000, used: RESOURCES },
      { name: "ann/old", id: "ann.old.1", state: "dead", spec, submittedMs: 500 },
    ],
  }),
  // Two portions.
  getFramework: ({ from, over }) => ({
    tasks: (from === 0 ? FIRST : [...SECOND, { ...SECOND_OVER, over }]).map((view) => make(LaunchedViewSchema, view)),
    next: from === 0 ? 7 : 0,
  }),
};

function look(cell: TestCell, body: string, token = TOKEN): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const options = {
      host: "127.0.0.1",
      port: cell.port,
      path: "/api/v1",
      method: "POST",
      ca: AUTHORITY.certificate,
      agent: false as const,
      headers,
    };
    const asked = request(options, async (response) => {
      let text = "";
      for await (const chunk of response) text += String(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

async function withCell(own: Partial<CellHandlers>, work: (cell: TestCell) => Promise<void>): Promise<void> {
  const cell = await testCell(own, {}, { frameworks: new TestDesk() });
  try {
    await inTime(work(cell));
  } finally {
    await cell.server.close();
  }
}

const AGENT = {
  agent_info: {
    hostname: "h1",
    resources: [
      { name: "cpus", type: "SCALAR", scalar: { value: 2.5 }, role: "*" },
      { name: "mem", type: "SCALAR", scalar: { value: 1024 }, role: "*" },
      { name: "disk", type: "SCALAR", scalar: { value: 2048 }, role: "*" },
      { name: "ports", type: "RANGES", ranges: { range: [{ begin: 20_000, end: 20_099 }] }, role: "*" },
    ],
    attributes: [{ name: "rack", type: "TEXT", text: { value: "r1" } }],
    id: { value: "m1" },
  },
  active: true,
};

const of = (id: string) => ({ framework_id: { value: "ann.mine.1" }, agent_id: { value: "m1" }, task_id: { value: id }, user: "ann" });
const status = (id: string, state: string, timestamp: number) => ({
  ...{ task_id: { value: id }, agent_id: { value: "m1" }, state, timestamp },
});

const RUNNING = {
  ...of("t0"),
  name: "n",
  state: "TASK_RUNNING",
  resources: [
    ...AGENT.agent_info.resources.slice(0, 3),
    { name: "ports", type: "RANGES", ranges: { range: [{ begin: 20_000, end: 20_000 }] }, role: "*" },
  ],
  statuses: [status("t0", "TASK_RUNNING", 1)],
};

/** Its framework has heard that it runs, and not said so: it stands among those that are there, though it is over. */
const INSIDE = {
  ...of("t7"),
  name: "",
  executor_id: { value: "e" },
  state: "TASK_FINISHED",
  resources: ["cpus", "mem", "disk"].map((name) => ({ name, type: "SCALAR", scalar: { value: 0 }, role: "*" })),
  statuses: [
    { ...status("t7", "TASK_RUNNING", 1.5), message: "", healthy: true, uuid: Buffer.from(UUID).toString("base64") },
    status("t7", "TASK_FINISHED", 2),
  ],
  status_update_state: "TASK_RUNNING",
  status_update_uuid: Buffer.from(UUID).toString("base64"),
};

test("machines, frameworks, their tasks and executors are told in Mesos' words [Z3] [Z11]", () =>
  withCell(HANDLERS, async (cell) => {
    const told = async (type: string): Promise<unknown> => {
      const { status, text } = await look(cell, JSON.stringify({ type }));
      assert.equal(status, 200, text);
      return (JSON.parse(text) as Record<string, unknown>)[type.toLowerCase()];
    };
    assert.deepEqual(await told("GET_HEALTH"), { healthy: true });
    assert.deepEqual(await told("GET_VERSION"), { version_info: { version: "1.11.0" } });
    const { agents } = (await told("GET_AGENTS")) as { agents: readonly (typeof AGENT)[] };
    assert.deepEqual({ agent_info: agents[0]?.agent_info, active: agents[0]?.active }, AGENT);
    const { tasks, completed_tasks } = (await told("GET_TASKS")) as Record<string, readonly unknown[]>;
    assert.deepEqual(tasks, [RUNNING, INSIDE]);
    assert.deepEqual(
      completed_tasks?.map((each) => (each as typeof RUNNING).task_id.value),
      ["t8"],
    );
    const executors = {
      executors: [
        {
          executor_info: {
            executor_id: { value: "e" },
            framework_id: { value: "ann.mine.1" },
            name: "x",
            resources: AGENT.agent_info.resources.slice(0, 3),
            type: "CUSTOM",
          },
          agent_id: { value: "m1" },
        },
      ],
    };
    assert.deepEqual(await told("GET_EXECUTORS"), executors, "and none that is over");
    const state = (await told("GET_STATE")) as Record<string, Record<string, readonly unknown[]>>;
    assert.deepEqual([state["get_agents"]?.["agents"]?.length, state["get_tasks"]?.["tasks"]?.length], [1, 2]);
    assert.deepEqual(state["get_executors"], executors);
    const { frameworks, completed_frameworks: completed } = state["get_frameworks"] as unknown as Record<
      string,
      readonly { connected: boolean; framework_info: unknown }[]
    >;
    assert.deepEqual([frameworks?.length, frameworks?.[0]?.connected, completed?.length], [1, true, 1]);
    assert.deepEqual(frameworks?.[0]?.framework_info, {
      user: "ann",
      name: "My first",
      id: { value: "ann.mine.1" },
      failover_timeout: 60,
      role: "*",
    });
  }));

test("whoever may not see it in the cell does not see it here, and changes are not taken [Z3]", () => {
  const own: Partial<CellHandlers> = {
    listMachines: (_, { user }) => {
      throw new CallError("not-permitted", `User "${user}" has no role`);
    },
  };
  return withCell(own, async (cell) => {
    const refused = await look(cell, '{"type":"GET_AGENTS"}');
    assert.deepEqual([refused.status, refused.text], [403, 'User "ann" has no role\n']);
    assert.equal((await look(cell, '{"type":"GET_AGENTS"}', "nobody")).status, 401);
    for (const body of ['{"type":"TEARDOWN"}', "{}", '{"type":"GET_FLAGS"}']) {
      const answer = await look(cell, body);
      assert.equal(answer.status, 400);
      assert.match(answer.text, /Expected one of GET_HEALTH/);
    }
    assert.equal((await look(cell, "[")).status, 400);
  });
});
