/**
 * Omega's MapReduce scheduler (§6.1) over the public feed, with nothing but node:http: it places workers of jobs that say `scheduler = "mapreduce"`, gives such a job more of them than it asked for while
 * the cell has idle room and that ends it sooner (policy.ts), and takes them back when somebody else's tasks wait. See README.md for what a job says.
 *   node examples/scheduler/mapreduce/scheduler.ts [--policy max-parallelism|global-cap|relative-job-size]
 */
import { request } from "node:http";
import { homedir } from "node:os";
import { parseArgs } from "node:util";
import { type Answer, Copy, type KnownJob, type Record } from "./copy.ts";
import { CAP, chosenWorkers, History, POLICIES, type Policy, RELATIVE_MOST } from "./policy.ts";

const NAME = process.env["SCHEDULER"] ?? "mapreduce";
/** The owner's socket: who can reach it needs no token. */
const SOCKET = process.env["BORG_SOCKET"] ?? `${homedir()}/.local/state/borg/local/api.sock`;
const WAIT_MS = 2_000;
/** A job whose size the cell would not change is left alone for so long: its user's quota may be used up. */
const REFUSED_MS = 60_000;
const CLAIMS_MAX = 1_000;
/** While nothing is known of any job. */
const UNKNOWN = { mapMs: 30_000, reduceMs: 60_000 };

function call(method: string, body: object): Promise<Answer> {
  const options = {
    socketPath: SOCKET,
    method: "POST",
    path: `/borg.v1.CellService/${method}`,
    headers: { "content-type": "application/json" },
  };
  return new Promise((resolve, reject) => {
    const asked = request(options, async (answer) => {
      try {
        const told = JSON.parse(Buffer.concat(await answer.toArray()).toString("utf8"));
        if (answer.statusCode === 200) resolve(told as Answer);
        else reject(new Error(`${method}: ${told.message}`));
      } catch (cause) {
        reject(new Error(`Cannot read the answer to ${method}`, { cause }));
      }
    });
    asked.on("error", reject);
    asked.end(JSON.stringify(body));
  });
}

/** What is known of a job beside what the feed tells. */
interface Progress {
  /** Worker-milliseconds so far. */
  worked: number;
  refusedMs: number;
}

class Scheduler {
  readonly #copy = new Copy(NAME);
  readonly #history = new History(UNKNOWN);
  readonly #progress = new Map<string, Progress>();
  readonly #policy: Policy;
  #lookedMs = Date.now();
  #requests = 0;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** One look at the feed, and what follows from it once the whole cell is known. Answers where to look next. */
  async look(at: { readonly from: number; readonly more: string }): Promise<{ readonly from: number; readonly more: string }> {
    const { items = [], piece = [], next = 0, anew = false, more = "" } = await call("ReadFeed", { ...at, waitMs: WAIT_MS });
    if (anew) this.#copy.clear();
    for (const { records = [], removed = [] } of items) {
      for (const record of records) this.#copy.learn(record);
      for (const each of removed) this.#copy.forget(each);
    }
    for (const record of piece as readonly Record[]) this.#copy.learn(record);
    if (more === "") await this.#act();
    return { from: next, more };
  }

  async #act(): Promise<void> {
    this.#count();
    for (const job of this.#copy.jobs()) await this.#fit(job);
    const claims = this.#copy.claims(CLAIMS_MAX);
    if (claims.length === 0) return;
    const { verdicts = [] } = await call("ClaimTasks", { scheduler: NAME, claims });
    for (const { task, refusal } of verdicts) if (refusal !== undefined) console.log(`${task}: ${refusal}`);
  }

  /** How long workers worked since the last look; a job that is over has taught how long its activities are. */
  #count(): void {
    const nowMs = Date.now();
    const tookMs = nowMs - this.#lookedMs;
    this.#lookedMs = nowMs;
    const jobs = new Map(this.#copy.jobs().map((job) => [job.id, job]));
    for (const { id, running } of jobs.values()) {
      const known = this.#progress.get(id) ?? { worked: 0, refusedMs: 0 };
      known.worked += running * tookMs;
      this.#progress.set(id, known);
    }
    for (const [id, { worked }] of this.#progress) {
      const job = jobs.get(id);
      if (job !== undefined && !job.isOver) continue;
      this.#progress.delete(id);
      if (job === undefined || worked === 0) continue;
      const ms = worked / (job.maps + job.reduces);
      this.#history.add(job.family, { mapMs: ms, reduceMs: ms });
      console.log(`${id} is over: its activities took ${Math.round(ms)} ms each`);
    }
  }

  async #fit(job: KnownJob): Promise<void> {
    const known = this.#progress.get(job.id);
    if (job.isOver || known === undefined || Date.now() - known.refusedMs < REFUSED_MS) return;
    const wanted = this.#wanted(job, known.worked);
    if (wanted === job.count) return;
    try {
      this.#requests += 1;
      await call("ResizeJob", { requestId: `${NAME}-${process.pid}-${this.#lookedMs}-${this.#requests}`, job: job.id, count: wanted });
      console.log(`${job.id}: ${job.count} to ${wanted} workers, ${job.asked} asked for`);
    } catch (error) {
      known.refusedMs = Date.now();
      console.log(`${job.id} stays at ${job.count} workers: ${(error as Error).message}`);
    }
  }

  /** Who waits comes first: then the job has what it asked for. It never shrinks for any other reason, since a worker that goes loses its activity. */
  #wanted(job: KnownJob, worked: number): number {
    if (this.#copy.othersWait) return job.asked;
    const lengths = this.#history.lengthsOf(job.family);
    const mapWork = job.maps * lengths.mapMs;
    const maps = Math.max(0, Math.ceil((mapWork - worked) / lengths.mapMs));
    const reduces = Math.min(job.reduces, Math.max(0, Math.ceil(job.reduces - (worked - mapWork) / lengths.reduceMs)));
    const idle = this.#copy.idleFor(job, CAP);
    const chosen = chosenWorkers(this.#policy, { asked: job.asked, workers: job.count, maps, reduces }, lengths, idle);
    return Math.max(job.count, chosen);
  }
}

function policyOf(said: string): Policy {
  const found = POLICIES.find((policy) => policy === said);
  if (found !== undefined) return found;
  console.error(
    `There is no policy "${said}": say one of ${POLICIES.join(", ")} (relative: at most ${RELATIVE_MOST} times what was asked for)`,
  );
  process.exit(2);
}

const { values } = parseArgs({ options: { policy: { type: "string", default: "global-cap" } } });
const scheduler = new Scheduler(policyOf(values.policy));
const NOWHERE = { from: 0, more: "" };
for (let at = NOWHERE, isKnown = false; ; ) {
  try {
    if (!isKnown) await call("SetScheduler", { name: NAME, limits: { priorityMax: 119 } });
    isKnown = true;
    at = await scheduler.look(at);
  } catch (error) {
    // The cell is away, or said no: begin again with a fresh picture.
    console.error((error as Error).message);
    at = NOWHERE;
    await new Promise((again) => setTimeout(again, 1000));
  }
}
