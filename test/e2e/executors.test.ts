/** Executors on a real cell, through the gateway: one program on a machine takes many tasks, outlives its borglet, and takes only its own tasks along when it dies. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Framework, type Offer, type Task, type Update } from "../../clients/framework/framework.ts";
import { Gateway } from "../../src/rpc/mesos/gateway.ts";
import { RealCell } from "./real-cell.ts";

let cell: RealCell;
let gateway: Gateway;

before(async () => {
  cell = await RealCell.start(1);
  const at = { kind: "unix", path: cell.data.socket("api") } as const;
  gateway = await Gateway.listen({ port: 0, credentials: () => ({ at, token: undefined }), log: () => {}, uid: process.getuid!() });
});

after(async () => {
  for (const each of all) each.client.stop();
  await gateway?.close();
  await cell?.close();
});

/** Says how many tasks it was given before; what a task is to do stands in its data. */
const PROGRAM = `
import { Executor } from "./executor.ts";
let count = 0;
const executor = new Executor({
  launch: ({ id, data }) => {
    count += 1;
    executor.update(id, "TASK_RUNNING");
    if (data.toString() === "count") executor.update(id, "TASK_FINISHED", { message: "counted", data: Buffer.from(String(process.pid) + " " + count) });
    if (data.toString() === "crash") process.exit(3);
  },
  kill: (id) => executor.update(id, "TASK_KILLED"),
  message: (data) => executor.send(Buffer.from("heard " + data)),
});
console.log("executor begins");
await executor.run();
`;
const LIBRARY = readFileSync(join(import.meta.dirname, "../../clients/framework/executor.ts"), "utf8");
const EXECUTOR = {
  id: "cache",
  command: 'printf %s "$LIBRARY" > executor.ts; printf %s "$PROGRAM" > main.ts; exec node main.ts',
  cpus: 0.2,
  mem: 128,
  environment: { LIBRARY, PROGRAM },
} as const;

const all: Given[] = [];

/** A framework that launches what it is told to on the first offer that comes. */
class Given {
  readonly updates: Update[] = [];
  readonly failures: string[] = [];
  readonly messages: string[] = [];
  readonly #wanted: Task[] = [];
  readonly #framework: Framework;
  readonly #run: Promise<void>;

  constructor(name: string) {
    this.#framework = new Framework(
      { address: `http://127.0.0.1:${gateway.port}`, name },
      {
        offers: (offers) => this.#offered(offers),
        update: (update) => this.updates.push(update),
        failed: (machine, executor) => this.failures.push(`${executor} on ${machine}`),
        message: (executor, _machine, data) => this.messages.push(`${executor}: ${data}`),
      },
    );
    this.#run = this.#framework.run();
    all.push(this);
  }

  #offered(offers: readonly Offer[]): void {
    for (const offer of offers) {
      const tasks = offer.cpus >= 0.5 ? this.#wanted.splice(0) : [];
      if (tasks.length > 0) this.#framework.launch(offer, tasks, 0.1);
      else this.#framework.decline([offer], 0.2);
    }
  }

  launch(...ids: readonly string[]): void {
    for (const id of ids) {
      const [what = ""] = id.split("-");
      this.#wanted.push({ id, executor: EXECUTOR, data: Buffer.from(what), cpus: 0.05, mem: 16 });
    }
    this.#framework.revive();
  }

  get client(): Framework {
    return this.#framework;
  }

  async heard(task: string, state: string): Promise<Update> {
    let found: Update | undefined;
    await cell.until(`${task} to be ${state}`, () => {
      found = this.updates.find((each) => each.task === task && each.state === state);
      return found !== undefined;
    });
    return found as Update;
  }

  async end(): Promise<void> {
    await this.#framework.teardown();
    await this.#run;
  }
}

interface SeenTask {
  readonly task_id: { readonly value: string };
  readonly executor_id: { readonly value: string };
  readonly state: string;
  readonly resources: readonly { readonly scalar: { readonly value: number } }[];
}

interface SeenState {
  readonly get_tasks: { readonly tasks: readonly SeenTask[]; readonly completed_tasks: readonly SeenTask[] };
  readonly get_executors: {
    readonly executors: readonly {
      readonly executor_info: Omit<SeenTask, "task_id" | "state">;
      readonly agent_id: { readonly value: string };
    }[];
  };
}

/** What clients of Mesos see. */
async function lookAround(): Promise<SeenState> {
  const headers = { "content-type": "application/json" };
  const asked = { method: "POST", headers, body: '{"type":"GET_STATE"}' };
  const response = await fetch(`http://127.0.0.1:${gateway.port}/api/v1`, asked);
  return ((await response.json()) as { readonly get_state: SeenState }).get_state;
}

test("one executor takes task after task in one process, and what it says comes to the framework [Z2] [Z3]", async () => {
  const given = new Given("cached");
  given.launch("count-1", "count-2");
  const [pid] = (await given.heard("count-1", "TASK_FINISHED")).data.toString().split(" ");
  given.launch("count-3");
  const last = await given.heard("count-3", "TASK_FINISHED");
  assert.deepEqual([last.data.toString(), last.message], [`${pid} 3`, "counted"]);
  given.launch("stay-1");
  await given.heard("stay-1", "TASK_RUNNING");
  const tasks = await cell.tasks("tester/cached");
  assert.deepEqual(
    tasks
      .filter(({ state }) => state === "running")
      .map(({ taskId }) => taskId)
      .sort(),
    [`executor cache on ${cell.machines[0]}`, "stay-1"],
  );
  const { get_tasks: seen, get_executors: there } = await lookAround();
  assert.deepEqual(
    there.executors.map(({ executor_info: info, agent_id: { value } }) => [info.executor_id.value, info.resources[0]?.scalar.value, value]),
    [["cache", 0.2, cell.machines[0]]],
  );
  const words = ({ task_id: { value }, executor_id: by, state, resources }: SeenTask) =>
    `${value} ${by.value} ${state} ${resources[0]?.scalar.value}`;
  assert.deepEqual(seen.tasks.map(words), ["stay-1 cache TASK_RUNNING 0.05"]);
  const [completed] = seen.completed_tasks.map(words);
  assert.match(completed ?? "", /^count-[123] cache TASK_FINISHED 0.05$/, "indexes are used again");
  given.client.send("cache", cell.machines[0] ?? "", Buffer.from("hello"));
  await cell.until("an answer of the executor", () => given.messages.includes("cache: heard hello"));
  given.client.kill("stay-1");
  assert.equal((await given.heard("stay-1", "TASK_KILLED")).isOver, true);
  await given.end();
  await cell.until("all to end", async () => (await cell.tasks("tester/cached")).every(({ state }) => state === "dead"));
});

test("an executor outlives its borglet: what it said meanwhile is heard, and what it has goes on [Z2] [B5]", async () => {
  const [machine = ""] = cell.machines;
  const given = new Given("outlives");
  given.launch("stay-1");
  await given.heard("stay-1", "TASK_RUNNING");
  await cell.kill(machine);
  cell.startBorglet(machine);
  given.launch("count-2");
  assert.match((await given.heard("count-2", "TASK_FINISHED")).data.toString(), / 2$/);
  assert.equal(given.updates.filter(({ task, isOver }) => task === "stay-1" && isOver).length, 0);
  given.client.shutdown("cache", machine);
  assert.equal((await given.heard("stay-1", "TASK_KILLED")).isOver, true);
  await cell.until("a word of it", () => given.failures.includes(`cache on ${machine}`));
  await given.end();
});

test("an executor that crashes takes its own tasks along and nobody else's [Z12]", async () => {
  const [machine = ""] = cell.machines;
  const [one, other] = [new Given("one"), new Given("other")];
  for (const each of [one, other]) each.launch("stay-1");
  for (const each of [one, other]) await each.heard("stay-1", "TASK_RUNNING");
  one.launch("crash-1");
  const lost = await one.heard("stay-1", "TASK_FAILED");
  assert.deepEqual([lost.reason, lost.message], ["REASON_EXECUTOR_TERMINATED", 'Its executor "cache" ended']);
  await one.heard("crash-1", "TASK_FAILED");
  await cell.until("a word of it", () => one.failures.includes(`cache on ${machine}`));
  other.launch("count-2");
  assert.match((await other.heard("count-2", "TASK_FINISHED")).data.toString(), / 2$/);
  assert.deepEqual(other.failures, []);
  one.launch("count-3");
  assert.match((await one.heard("count-3", "TASK_FINISHED")).data.toString(), / 1$/);
  await Promise.all([one.end(), other.end()]);
});
