/**
 * The page: takes the one-time link out of its address, exchanges it for a session's key, and shows the cell as the API tells it. Whatever the cell says
 * is text, never markup.
 */
const KEY = "borg-session";
const LOOK_MS = 2000;
const PAGE_MAX = 500;
const GIB = 2 ** 30;
const ENDED = 401;

const at = (id) => document.getElementById(id);

/** Since when the cell does not answer; undefined: it does. */
let lostSince;

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function post(path, headers, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, told.message ?? `The cell answered ${answer.status}`);
  return told;
}

const ask = (method, request = {}) => post(`/borg.v1.CellService/${method}`, { [KEY]: sessionStorage.getItem(KEY) ?? "" }, request);

/** The link is good once, and stands in the part of the address that is never sent; it leaves the address before anything else happens. */
async function enter() {
  const link = new URLSearchParams(location.hash.slice(1)).get("link");
  history.replaceState(null, "", location.pathname);
  if (link === null) return;
  try {
    const { key } = await post("/session", { "borg-link": link }, {});
    sessionStorage.setItem(KEY, key);
  } catch (error) {
    // A link that was followed before, in a tab that has a session: it goes on.
    if (sessionStorage.getItem(KEY) === null) throw error;
  }
}

/** All of a listing, page by page, up to a bound that is said. */
async function all(method, field, request) {
  const found = [];
  for (let after = ""; ; ) {
    const page = await ask(method, { ...request, after, limit: PAGE_MAX });
    found.push(...(page[field] ?? []));
    if (!page.more || found.length >= 4 * PAGE_MAX) return { found, isCut: page.more === true };
    after = found.at(-1).name;
  }
}

const SHAPES = {
  running: "runs",
  up: "runs",
  pending: "waits",
  draining: "waits",
  drained: "gone",
  dead: "gone",
  unreachable: "failed",
};

const cores = ({ cpuMilli = 0 } = {}) => (cpuMilli / 1000).toFixed(2).replace(/\.?0+$/, "");
const gib = (bytes = 0) => (bytes / GIB).toFixed(bytes < 10 * GIB ? 2 : 1);

function age(sinceMs, nowMs) {
  const s = Math.max(0, Math.floor((nowMs - sinceMs) / 1000));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  return s < 86_400 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86_400)} d`;
}

const text = (value) => ({ value: String(value) });
const number = (value) => ({ value: String(value), kind: "number" });
const state = (value) => ({ value, kind: `state ${SHAPES[value] ?? "waits"}` });

const jobCells = (job, nowMs) => [
  text(job.name),
  state(job.state),
  number(`${job.running ?? 0} of ${job.count ?? 0}`),
  number(job.pending ?? 0),
  number(job.priority ?? 0),
  number(cores(job.limit)),
  number(gib(job.limit?.ramBytes)),
  number(age(job.submittedMs ?? 0, nowMs)),
];

const machineCells = (machine) => [
  text(machine.name),
  state(machine.state),
  number(machine.tasks ?? 0),
  number(`${cores(machine.limit)} of ${cores(machine.capacity)}`),
  number(`${gib(machine.limit?.ramBytes)} of ${gib(machine.capacity?.ramBytes)}`),
  number(`${gib(machine.limit?.diskBytes)} of ${gib(machine.capacity?.diskBytes)}`),
  text(machine.host ?? ""),
];

/** Rows keep their elements, so that nothing jumps under a pointer; only cells that changed are written. */
function fill(id, things, cellsOf) {
  const body = at(id).tBodies[0];
  while (body.rows.length > things.length) body.deleteRow(-1);
  for (const [i, thing] of things.entries()) {
    const row = body.rows[i] ?? body.insertRow();
    for (const [j, { value, kind = "" }] of cellsOf(thing).entries()) {
      const cell = row.cells[j] ?? row.insertCell();
      if (cell.textContent !== value) cell.textContent = value;
      if (cell.className !== kind) cell.className = kind;
    }
  }
  at(id).hidden = things.length === 0;
  at(`${id}-empty`).hidden = things.length > 0;
}

function sentence(cell, jobs, machines) {
  const away = machines.filter((machine) => machine.state === "unreachable").length;
  const pending = jobs.reduce((sum, job) => sum + (job.pending ?? 0), 0);
  const running = jobs.reduce((sum, job) => sum + (job.running ?? 0), 0);
  const parts = [`${running} ${running === 1 ? "task runs" : "tasks run"}`];
  if (pending > 0) parts.push(`${pending} ${pending === 1 ? "waits" : "wait"} for a machine`);
  parts.push(`${cell.machinesReachable ?? 0} of ${cell.machines ?? 0} machines answer`);
  return { words: parts.join(", "), shape: away > 0 ? "failed" : pending > 0 ? "waits" : "runs" };
}

function notice(words) {
  at("notice").hidden = words === "";
  document.body.classList.toggle("stale", lostSince !== undefined);
  if (at("notice").textContent !== words) at("notice").textContent = words;
}

async function look() {
  const [cell, jobs, machines] = await Promise.all([ask("GetCell"), all("ListJobs", "jobs", {}), all("ListMachines", "machines", {})]);
  const { words, shape } = sentence(cell, jobs.found, machines.found);
  at("cell").textContent = cell.name;
  document.title = `${cell.name} – borg`;
  at("health").textContent = words;
  at("health").className = `state ${shape}`;
  at("who").textContent = `You are ${cell.user}, and look only`;
  fill("jobs", jobs.found, (job) => jobCells(job, cell.timeMs ?? Date.now()));
  fill("machines", machines.found, machineCells);
  at("data").hidden = false;
  lostSince = undefined;
  notice(jobs.isCut || machines.isCut ? "Only the first 2,000 of each are shown here: borg ls shows all." : "");
}

/** What was shown is nobody's to see any more. */
function blank(words) {
  sessionStorage.removeItem(KEY);
  at("data").hidden = true;
  for (const id of ["health", "who"]) at(id).textContent = "";
  at("health").className = "";
  for (const id of ["jobs", "machines"]) at(id).tBodies[0].replaceChildren();
  notice(words);
}

async function follow() {
  try {
    await look();
  } catch (error) {
    if (error instanceof Refused && error.status === ENDED)
      return blank("This page has no session, or it has ended. Type borg ui in a terminal for a new link.");
    lostSince ??= new Date();
    notice(`The cell does not answer since ${lostSince.toLocaleTimeString()} (${error.message}). Trying again.`);
  }
  setTimeout(follow, LOOK_MS);
}

try {
  await enter();
  await follow();
} catch (error) {
  blank(`${error.message}. Type borg ui in a terminal for a new link.`);
}
