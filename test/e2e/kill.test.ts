/**
 * kill -9 of the master, of the borglet, and of both, again and again, while tasks run and clients submit without pause. What was acknowledged is there,
 * what runs is not touched, an unknown answer is told by its id, and the journal replays to what the master last said. ROUNDS says how often.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../src/base/random.ts";
import { CallError } from "../../src/rpc/call-error.ts";
import type { TaskView } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { HANG_MS, instancePids, RealCell } from "./real-cell.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 8);
const SEED = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1e9));
const CLIENTS = 4;
const STEADY = 50;

const sizes = { cpuMilli: 10, ramBytes: 8 * 2 ** 20 };

/** A client that never gives up: it submits jobs and kills some, one call at a time, and keeps what was acknowledged. */
class RestlessClient {
  readonly submitted = new Map<string, number>();
  readonly killed = new Set<string>();
  acknowledged = { submits: 0, kills: 0 };
  retries = 0;
  unknown = 0;
  readonly #cell: RealCell;
  readonly #name: string;
  readonly #random: Random;
  #next = 0;
  #paused = true;
  #stopped = false;
  #idle = true;

  constructor(cell: RealCell, name: string, random: Random) {
    this.#cell = cell;
    this.#name = name;
    this.#random = random;
  }

  async run(): Promise<void> {
    while (!this.#stopped) {
      this.#idle = this.#paused;
      if (this.#paused) await sleep(5);
      else await this.#step();
    }
  }

  go(): void {
    this.#paused = false;
  }

  /** Resolves when nothing of it is on its way any more. */
  async pause(): Promise<void> {
    this.#paused = true;
    while (!this.#idle) await sleep(5);
  }

  stop(): void {
    this.#stopped = true;
  }

  async #step(): Promise<void> {
    const alive = [...this.submitted.keys()].filter((job) => !this.killed.has(job));
    if (alive.length > 5 && this.#random.chance(0.45)) {
      const job = alive[this.#random.int(0, alive.length - 1)] as string;
      await this.#sure((requestId) => this.#cell.client.killJob({ requestId, job }));
      this.killed.add(job);
      this.acknowledged.kills += 1;
      return;
    }
    const name = `${this.#name}-${this.#next++}`;
    // Above 128 an exit code says, by custom, that a signal ended the program.
    const exit = this.#random.int(0, 120);
    const command = ["/bin/sh", "-c", `sleep ${this.#random.float().toFixed(2)}; exit ${exit}`];
    const spec = { user: "tester", name, count: 1, priority: 100, task: { command, limit: sizes }, restart: { when: RestartWhen.NEVER } };
    await this.#sure((requestId) => this.#cell.client.submitJob({ requestId, spec }));
    this.submitted.set(`tester/${name}`, exit);
    this.acknowledged.submits += 1;
  }

  /** The same id until there is an answer that is final. */
  async #sure(call: (requestId: string) => Promise<unknown>): Promise<void> {
    const requestId = `${this.#name}-${this.#next++}-${this.#random.int(0, 1e9)}`;
    for (const end = Date.now() + HANG_MS; Date.now() < end; await sleep(20)) {
      try {
        await call(requestId);
        return;
      } catch (error) {
        assert.ok(error instanceof CallError, String(error));
        assert.ok(["unavailable", "unknown", "unreachable"].includes(error.code), `${error.code}: ${error.message}`);
        this.retries += 1;
        if (error.code === "unknown") this.unknown += 1;
      }
    }
    assert.fail(`Request ${requestId} was not answered\n${this.#cell.logs()}`);
  }
}

const VICTIMS = { master: ["master"], borglet: ["m1"], both: ["master", "m1"] } as const;

const TIMEOUT_MS = 40_000 * (ROUNDS + 10);

// Three cells at once: most of a round is waiting.
test(`kill -9 while ${STEADY} tasks run and ${CLIENTS} clients submit`, { concurrency: 3, timeout: TIMEOUT_MS }, async (t) => {
  const kinds = Object.entries(VICTIMS).map(([what, victims]) =>
    t.test(`kill -9 of ${what}: nothing acknowledged is lost, no task notices [KT5] [KD1] [KD2] [B5] [D7] [KT3]`, (each) =>
      rounds(each, what, victims),
    ),
  );
  await Promise.all(kinds);
});

async function rounds(t: TestContext, what: string, victims: readonly string[]): Promise<void> {
  t.diagnostic(`SEED=${SEED} ROUNDS=${ROUNDS}`);
  const cell = await RealCell.start(1);
  const random = new Random(SEED, what);
  const clients = Array.from({ length: CLIENTS }, (_, i) => new RestlessClient(cell, `c${i}`, new Random(SEED, `${what}-${i}`)));
  const loops = clients.map((client) => client.run());
  try {
    const steady = await startSteady(cell);
    for (let round = 0; round < ROUNDS; round++) {
      await oneRound(cell, clients, random, victims);
      await checkRound(cell, clients, steady);
      await checkJournal(cell);
    }
    const sum = (pick: (client: RestlessClient) => number) => clients.reduce((total, client) => total + pick(client), 0);
    t.diagnostic(
      `${what}: ${sum((c) => c.acknowledged.submits)} submits and ${sum((c) => c.acknowledged.kills)} kills acknowledged, ${sum((c) => c.retries)} retries, ${sum((c) => c.unknown)} unknown answers`,
    );
  } finally {
    for (const client of clients) client.stop();
    await Promise.allSettled(loops);
    await cell.close();
  }
}

async function oneRound(cell: RealCell, clients: readonly RestlessClient[], random: Random, victims: readonly string[]): Promise<void> {
  for (const client of clients) client.go();
  await sleep(300 + random.float() * 1200);
  for (const name of victims) await cell.kill(name);
  if (random.chance(0.5)) await sleep(random.float() * 1000);
  for (const name of victims) name === "master" ? cell.startMaster() : cell.startBorglet(name);
  await sleep(300 + random.float() * 700);
  for (const client of clients) await client.pause();
}

/** Tasks that should never notice anything. */
async function startSteady(cell: RealCell): Promise<ReadonlyMap<string, number>> {
  const command = ["/bin/sh", "-c", "exec sleep 100000"];
  const spec = { user: "tester", name: "steady", count: STEADY, priority: 100, task: { command, limit: sizes } };
  await cell.client.submitJob({ requestId: "steady", spec });
  await cell.running("tester/steady", STEADY);
  // A task counts as running when its shim does; its program follows within moments.
  await cell.until("all programs to be there", () => steadyPids(cell).size === STEADY);
  await sleep(500);
  return steadyPids(cell);
}

const steadyPids = (cell: RealCell): ReadonlyMap<string, number> =>
  new Map([...instancePids(cell.name)].filter(([instance]) => instance.startsWith("tester/steady/")));

async function checkRound(cell: RealCell, clients: readonly RestlessClient[], steady: ReadonlyMap<string, number>): Promise<void> {
  assert.deepEqual(steadyPids(cell), steady, "A task was restarted, or is gone");
  await cell.until("the machine to answer", async () => (await cell.client.getCell({})).machinesReachable === 1);
  for (const task of await cell.running("tester/steady", STEADY)) assert.equal(task.run, 1, `${task.name} has run ${task.run}`);
  for (const client of clients) {
    for (const [job, exit] of client.submitted) {
      const isKilled = client.killed.has(job);
      let state = "";
      let task: TaskView | undefined;
      await cell.until(`${job} to be over`, async () => {
        const { job: view, tasks } = await cell.client.getJob({ job });
        state = view?.state ?? "";
        task = tasks[0];
        return state === "dead";
      });
      if (!isKilled && task?.exitCode !== exit) assert.fail(`${job} ended otherwise than with ${exit}: ${await story(cell, job)}`);
    }
    // What was seen to the end need not be looked at in every round.
    client.submitted.clear();
    client.killed.clear();
  }
}

async function story(cell: RealCell, job: string): Promise<string> {
  const { task, history } = await cell.client.getTask({ task: `${job}/0` });
  return `exit ${task?.exitCode}, signal ${task?.signal}, "${task?.message}"\n${history.map(({ text }) => text).join("\n")}\n${cell.logs()}`;
}

/** The journal on the disk of a killed master says what the master last said. */
async function checkJournal(cell: RealCell): Promise<void> {
  let said = await cell.client.getCell({ hash: true });
  await cell.until("a quiet moment", async () => {
    const again = await cell.client.getCell({ hash: true });
    const isQuiet = again.position === said.position && again.hash === said.hash;
    said = again;
    return isQuiet;
  });
  await cell.kill("master");
  assert.equal(cell.replay(said.position), said.hash, "The journal replays to another state");
  cell.startMaster();
  await cell.until("the master to lead again", async () => (await cell.client.getCell({})).name === cell.name);
}
