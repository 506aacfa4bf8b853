/**
 * The history of a cell, kept by a process of its own (Borg §2.6): it follows the feed, looks at what tasks use, writes Parquet files, and answers questions about
 * them. The cell does not wait for it and works without it.
 */
import type { ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CellClient } from "../rpc/client.ts";
import type { TaskView } from "../wire/gen/borg/v1/api_pb.ts";
import { type Asked, DOOR_NAME } from "./asked.ts";
import { Database } from "./database.ts";
import { Door } from "./door.ts";
import { History } from "./history.ts";
import { Ingest } from "./ingest.ts";
import { findJail, type JailTools } from "./jail.ts";
import { ask } from "./question.ts";
import type { Settings } from "./settings.ts";
import type { Placed } from "./tables.ts";
import { UsageSums } from "./usage.ts";

export interface InfrastoreOptions {
  readonly client: CellClient;
  /** Where files go. */
  readonly directory: string;
  /** The folder with the socket of questions, which the master can enter. */
  readonly door: string;
  /** Under root: the master's user. */
  readonly masterUid: number | undefined;
  /** Under root: who answers questions. */
  readonly questionUid: number | undefined;
  /** Read again whenever it is needed: it may be changed while the cell runs. */
  readonly settings: () => Settings;
  readonly log: (line: string) => void;
  readonly now?: () => number;
}

const AGAIN_MS = 500;
const LOOK_MS = 5_000;
/** With more tasks there is more time between two looks. */
const LOOK_MS_PER_TASK = 1;
const LOOK_MS_MAX = 60_000;
const TASKS_PAGE = 5000;
const CARE_MS = 30_000;
const DAY_MS = 86_400_000;
/** A question cuts usage windows at most so often. */
const CUT_MS = 20_000;
/** So long a question waits for the newest events. */
const FRESH_MS = 1_000;
const FRESH_STEP_MS = 10;
const NO_JAIL =
  "No jail can be made on the master's machine, so only the cell's owner and admins are answered: other questions would see the machine's files (Debian's bubblewrap adds one)";

export class Infrastore {
  readonly #options: InfrastoreOptions;
  readonly #now: () => number;
  readonly #usage = new UsageSums();
  readonly #history: History;
  readonly #ingest: Ingest;
  readonly #database: Database;
  #jail: JailTools | undefined | "unknown" = "unknown";
  #door: Door | undefined;
  #ended = false;
  #said = "";
  #cutMs = 0;

  private constructor(options: InfrastoreOptions, database: Database) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#database = database;
    this.#history = new History(options.directory, database, this.#now);
    const { client } = options;
    this.#ingest = new Ingest({
      history: this.#history,
      now: this.#now,
      source: { readFeed: (request) => client.readFeed(request), readEvents: (request) => client.readEvents(request) },
    });
  }

  static async open(options: InfrastoreOptions): Promise<Infrastore> {
    mkdirSync(options.directory, { recursive: true, mode: 0o755 });
    return new Infrastore(options, await Database.open());
  }

  /** Until it is stopped. */
  async run(): Promise<void> {
    const { door, masterUid, log } = this.#options;
    this.#door = await Door.listen({ path: join(door, DOOR_NAME), uid: masterUid, log, answer: (asked) => this.#answer(asked) });
    await Promise.all([
      this.#again("Cannot follow the cell", () => this.#ingest.step()),
      this.#again("Cannot look at usage", () => this.#look()),
      this.#again("Cannot keep the history tidy", () => this.#care()),
    ]);
  }

  /** What is known by now is written down. */
  async stop(): Promise<void> {
    this.#ended = true;
    this.#door?.close();
    this.#keepUsage(this.#usage.take());
    try {
      await this.#ingest.write();
    } finally {
      this.#database.close();
    }
  }

  #keepUsage(rows: readonly Placed[]): void {
    const leftOut = this.#ingest.add(rows);
    if (leftOut > 0) this.#options.log(`Left out ${leftOut} rows of usage: earlier rows cannot be written, make room where the history is`);
  }

  /** The same trouble is told once. */
  async #again(what: string, step: () => Promise<unknown>): Promise<void> {
    while (!this.#ended) {
      try {
        await step();
      } catch (error) {
        const text = `${what}: ${error instanceof Error ? error.message : String(error)}`;
        if (text !== this.#said && !this.#ended) this.#options.log(text);
        this.#said = text;
        await sleep(AGAIN_MS);
      }
    }
  }

  async #look(): Promise<void> {
    const tasks: TaskView[] = [];
    for (;;) {
      const page = await this.#options.client.listTasks({ states: ["running"], after: tasks.at(-1)?.name ?? "", limit: TASKS_PAGE });
      tasks.push(...page.tasks);
      if (!page.more) break;
    }
    const nowMs = this.#now();
    this.#keepUsage(this.#usage.take(nowMs));
    this.#usage.look(tasks, nowMs);
    await sleep(Math.min(LOOK_MS_MAX, LOOK_MS + tasks.length * LOOK_MS_PER_TASK));
  }

  async #care(): Promise<void> {
    await sleep(CARE_MS);
    await this.#history.forget(this.#options.settings().keepDays * DAY_MS);
    while (!this.#ended && (await this.#history.merge()));
    this.#history.clear();
  }

  /** With everything that has happened up to now. */
  async #answer(asked: Asked): Promise<ChildProcess | string> {
    const jail = this.#findJail();
    if (jail === undefined && !asked.trusted) return NO_JAIL;
    await this.#refresh();
    const { settings, questionUid } = this.#options;
    return ask(asked, { history: this.#history, jail, prices: settings().prices, uid: questionUid });
  }

  #findJail(): JailTools | undefined {
    if (this.#jail === "unknown") {
      this.#jail = findJail();
      if (this.#jail === undefined) this.#options.log(NO_JAIL);
    }
    return this.#jail;
  }

  /** What the feed has not told within a second, the answer does not have. */
  async #refresh(): Promise<void> {
    const nowMs = this.#now();
    if (nowMs - this.#cutMs >= CUT_MS) {
      this.#cutMs = nowMs;
      this.#keepUsage(this.#usage.take());
    }
    await Promise.race([this.#fresh(), sleep(FRESH_MS)]);
    await this.#ingest.write().catch((cause: Error) => {
      throw new Error(`Cannot write the newest events down, make room where the history is and ask again: ${cause.message}`, { cause });
    });
  }

  /** A stale read: whatever this master's copy shows by now. */
  async #fresh(): Promise<void> {
    const { position } = await this.#options.client.getMaster({});
    while (this.#ingest.position < position && !this.#ended) await sleep(FRESH_STEP_MS);
  }
}

const sleep = (ms: number): Promise<void> =>
  new Promise((over) => {
    setTimeout(over, ms).unref();
  });
