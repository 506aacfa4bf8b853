/**
 * A scheduler of your own in a hundred lines, with nothing but node:http: first fit, for jobs that say `scheduler = "first-fit"`. It reads the change feed,
 * keeps what it needs of it, and claims. Whatever it gets wrong the cell refuses; then it looks again. Run it beside a cell of yours:
 *   node examples/scheduler/first-fit.mjs
 */
import { request } from "node:http";
import { homedir } from "node:os";

const NAME = process.env["SCHEDULER"] ?? "first-fit";
/** The owner's socket: who can reach it needs no token. */
const SOCKET = process.env["BORG_SOCKET"] ?? `${homedir()}/.local/state/borg/local/api.sock`;
const KIB = 1024;
const DIMENSIONS = ["cpu", "ram", "disk"];

/** By name: {told, capacity, isUp}: what it says it has, and what of it counts. */
const machines = new Map();
/** Of our jobs, by name: what each task asks for. */
const limits = new Map();
/** Everybody's, by name: {isPending, incarnation, machine, held}. */
const tasks = new Map();

function call(method, body) {
  const options = {
    socketPath: SOCKET,
    method: "POST",
    path: `/borg.v1.CellService/${method}`,
    headers: { "content-type": "application/json" },
  };
  return new Promise((resolve, reject) => {
    const asked = request(options, async (answer) => {
      const chunks = await answer.toArray();
      const told = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      if (answer.statusCode === 200) resolve(told);
      else reject(new Error(`${method}: ${told.message}`));
    });
    asked.on("error", reject);
    asked.end(JSON.stringify(body));
  });
}

/** Specs and facts count in bytes, the records of tasks in KiB. Fields that are zero are left out of JSON. */
const inKib = (limit = {}) => ({
  cpu: limit.cpuMilli ?? 0,
  ram: Math.ceil((limit.ramBytes ?? 0) / KIB),
  disk: Math.ceil((limit.diskBytes ?? 0) / KIB),
});

/** Of a machine from elsewhere no more counts than was approved. */
function approvedOf(told, approval) {
  if (approval === undefined) return told;
  const most = inKib(approval.capacity);
  return Object.fromEntries(DIMENSIONS.map((what) => [what, Math.min(told[what], most[what])]));
}

function learn({ machine, job, tasks: run }) {
  if (machine !== undefined) {
    // Facts are told when they changed.
    const told = machine.facts === undefined ? machines.get(machine.name)?.told : inKib(machine.facts.capacity);
    const capacity = told === undefined ? undefined : approvedOf(told, machine.approval);
    if (told !== undefined) machines.set(machine.name, { told, capacity, isUp: machine.reachable === true && machine.draining !== true });
  }
  if (job?.job?.scheduler === NAME) limits.set(`${job.job.user}/${job.job.name}`, inKib(job.job.task.limit));
  for (const [i, { state, incarnation = 0, instance }] of (run?.tasks ?? []).entries())
    tasks.set(`${run.job}/${(run.first ?? 0) + i}`, {
      isPending: state === "TASK_STATE_PENDING",
      incarnation,
      machine: instance?.place ?? "",
      // A reservation is what others may not have; it is told only where it differs from the limit.
      held: instance?.reservation ?? instance?.limit ?? {},
    });
}

function forget({ kind, id }) {
  if (kind === "REMOVED_KIND_MACHINE") machines.delete(id);
  if (kind === "REMOVED_KIND_TASK") tasks.delete(id);
  if (kind !== "REMOVED_KIND_JOB") return;
  limits.delete(id);
  for (const name of tasks.keys()) if (name.startsWith(`${id}/`)) tasks.delete(name);
}

/** What is left on every machine that is up. */
function freeRoom() {
  const free = new Map();
  for (const [name, { capacity, isUp }] of machines) if (isUp) free.set(name, { ...capacity });
  for (const { machine, held } of tasks.values()) {
    const left = free.get(machine);
    if (left !== undefined) for (const what of DIMENSIONS) left[what] -= held[what] ?? 0;
  }
  return free;
}

function plan() {
  const free = freeRoom();
  const claims = [];
  for (const [task, { isPending, incarnation }] of tasks) {
    const need = limits.get(task.slice(0, task.lastIndexOf("/")));
    if (!isPending || need === undefined || claims.length === 1000) continue;
    const place = [...free].find(([, left]) => DIMENSIONS.every((what) => left[what] >= need[what]));
    if (place === undefined) continue;
    for (const what of DIMENSIONS) place[1][what] -= need[what];
    claims.push({ task, incarnation, place: place[0] });
  }
  return claims;
}

/** One look at the feed, and one transaction once the whole cell is known. Answers where to look next. */
async function look(at) {
  const { items = [], piece = [], next, anew, more = "" } = await call("ReadFeed", { ...at, waitMs: 10_000 });
  if (anew) for (const map of [machines, limits, tasks]) map.clear();
  for (const { records = [], removed = [] } of items) {
    for (const record of records) learn(record);
    for (const each of removed) forget(each);
  }
  for (const record of piece) learn(record);
  const claims = more === "" ? plan() : [];
  if (claims.length > 0) {
    const { verdicts = [] } = await call("ClaimTasks", { scheduler: NAME, claims });
    for (const { task, refusal = "stands" } of verdicts) console.log(`${task}: ${refusal}`);
  }
  return { from: next, more };
}

await call("SetScheduler", { name: NAME, limits: { priorityMax: 450 } });
const NOWHERE = { from: 0, more: "" };
for (let at = NOWHERE; ; ) {
  try {
    at = await look(at);
  } catch (error) {
    // The cell is away, or said no: begin again with a fresh picture.
    console.error(error.message);
    at = NOWHERE;
    await new Promise((again) => setTimeout(again, 1000));
  }
}
