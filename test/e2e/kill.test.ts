/**
 * kill -9 of the master, of the borglet, and of both, again and again, while tasks run and clients submit and kill without pause. What was acknowledged is
 * there, what was killed has no process any more and gets none, what runs is not touched, an unknown answer is told by its id, and the journal replays to
 * what the master last said. ROUNDS says how often.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../src/base/random.ts";
import { instancePids, RealCell } from "./real-cell.ts";
import { RestlessClient, SIZES } from "./restless-client.ts";
import { jobOf, Witness } from "./witness.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 1);
const SEED = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1e9));
const CLIENTS = 4;
const STEADY = 50;
/** After a kill was acknowledged and the machine answers: its notice is 0.2 s, and the machine that runs the tests may be busy. */
const GONE_MS = 20_000;

/** So often the master is killed once more and the whole journal replayed, and in the last round; in the others what came since. */
const WHOLE_ROUNDS = 10;

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
  const witness = new Witness(cell.name);
  const random = new Random(SEED, what);
  const clients = Array.from({ length: CLIENTS }, (_, i) => new RestlessClient(cell, `c${i}`, new Random(SEED, `${what}-${i}`)));
  const loops = [...clients, witness].map((each) => each.run());
  try {
    const steady = await startSteady(cell);
    for (let round = 0; round < ROUNDS; round++) {
      await oneRound(cell, clients, random, victims);
      await checkRound(cell, clients, witness, steady);
      await checkJournal(cell, round % WHOLE_ROUNDS === 0 || round === ROUNDS - 1);
      assert.deepEqual(leftOf(clients, witness), [], "The restart of the master brought killed jobs back");
    }
    // What runs now has its processes: whatever the rounds met, these kills are seen to be carried out.
    for (const client of clients) await client.killAll();
    await checkKilled(cell, clients, witness);
    t.diagnostic(`${what}: ${counted(clients, witness)}`);
  } finally {
    for (const each of [...clients, witness]) each.stop();
    await Promise.allSettled(loops);
    await cell.close();
  }
}

function counted(clients: readonly RestlessClient[], witness: Witness): string {
  const sum = (pick: (client: RestlessClient) => number) => clients.reduce((total, client) => total + pick(client), 0);
  const killed = clients.flatMap((client) => [...client.killed]);
  const ended = killed.reduce((total, job) => total + witness.count(job), 0);
  assert.ok(ended > 0, `Only ${ended} processes of ${killed.length} killed jobs were ever seen`);
  return `${sum((c) => c.submits)} submits and ${killed.length} kills acknowledged, ${ended} processes of killed jobs gone, ${sum((c) => c.retries)} retries, ${sum((c) => c.unknown)} unknown answers`;
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
  const spec = { user: "tester", name: "steady", count: STEADY, priority: 100, task: { command, limit: SIZES } };
  await cell.client.submitJob({ requestId: "steady", spec });
  await cell.running("tester/steady", STEADY);
  // A task counts as running when its shim does; its program follows within moments.
  await cell.until("all programs to be there", () => steadyPids(cell).size === STEADY);
  await sleep(500);
  return steadyPids(cell);
}

const steadyPids = (cell: RealCell): ReadonlyMap<string, number> =>
  new Map([...instancePids(cell.name)].filter(([instance]) => instance.startsWith("tester/steady/")));

async function checkRound(
  cell: RealCell,
  clients: readonly RestlessClient[],
  witness: Witness,
  steady: ReadonlyMap<string, number>,
): Promise<void> {
  const now = steadyPids(cell);
  const [changed] = [...steady].find(([instance, pid]) => now.get(instance) !== pid) ?? [];
  if (changed !== undefined) assert.fail(`${changed} was restarted, or is gone: ${await story(cell, jobOf(changed))}`);
  assert.equal(now.size, steady.size, "A task has a second process");
  await cell.until("the machine to answer", async () => (await cell.client.getCell({})).machinesReachable === 1);
  for (const task of await cell.running("tester/steady", STEADY)) assert.equal(task.run, 1, `${task.name} has run ${task.run}`);
  await checkKilled(cell, clients, witness);
  for (const client of clients) {
    for (const job of client.endless) await cell.running(job, 1);
    for (const [job, exit] of client.brief) {
      await cell.until(`${job} to be over`, async () => (await cell.client.getJob({ job })).job?.state === "dead");
      const [task] = await cell.tasks(job);
      if (task?.exitCode !== exit) assert.fail(`${job} ended otherwise than with ${exit}: ${await story(cell, job)}`);
    }
    // What was seen to the end need not be looked at in every round.
    client.brief.clear();
  }
  const running = new Set([...witness.look().keys()].map(jobOf));
  for (const job of clients.flatMap((client) => [...client.endless]))
    assert.ok(running.has(job), `${job} is told as running and has no process`);
}

/** Dead in the cell's books, and gone from the machine: every process of its tree, by pid and start time. */
async function checkKilled(cell: RealCell, clients: readonly RestlessClient[], witness: Witness): Promise<void> {
  let left: readonly string[] = [];
  for (const end = Date.now() + GONE_MS; Date.now() < end; await sleep(100)) {
    left = leftOf(clients, witness);
    if (left.length === 0) break;
  }
  assert.deepEqual(left, [], `Killed jobs have processes ${GONE_MS} ms later\n${cell.logs()}`);
  const { jobs } = await cell.client.listJobs({ limit: 1000 });
  const undead = jobs.filter(({ name, state }) => state !== "dead" && clients.some((client) => client.killed.has(name)));
  assert.deepEqual(
    undead.map(({ name, state }) => `${name} ${state}`),
    [],
    "Killed jobs are not dead",
  );
}

/** Instances of killed jobs that live, with their processes. */
function leftOf(clients: readonly RestlessClient[], witness: Witness): string[] {
  const killed = new Set(clients.flatMap((client) => [...client.killed]));
  return [...witness.look()].filter(([instance]) => killed.has(jobOf(instance))).map(([instance, ids]) => `${instance}: ${ids.join(" ")}`);
}

async function story(cell: RealCell, job: string): Promise<string> {
  const { task, history } = await cell.client.getTask({ task: `${job}/0` });
  return `exit ${task?.exitCode}, signal ${task?.signal}, "${task?.message}"\n${history.map(({ text }) => text).join("\n")}\n${cell.logs()}`;
}

/** The journal on the disk says what the master last said: every so often that of a killed master, from its first entry on. */
async function checkJournal(cell: RealCell, isWhole: boolean): Promise<void> {
  let said = await cell.client.getCell({ hash: true });
  await cell.until("a quiet moment", async () => {
    const again = await cell.client.getCell({ hash: true });
    const isQuiet = again.position === said.position && again.hash === said.hash;
    said = again;
    return isQuiet;
  });
  if (isWhole) await cell.kill("master");
  assert.equal(cell.replay(said.position, isWhole ? "start" : "before"), said.hash, "The journal replays to another state");
  if (!isWhole) return;
  cell.startMaster();
  await cell.until("the master to lead again", async () => (await cell.client.getCell({})).name === cell.name);
}
