/**
 * What each page costs the API's thread on a cell of full size, in CPU: its first answer, and each look that merges what changed in a tenth of a second. The actor is
 * the real one, the clock is turned by hand, and an answer counts with its JSON. With BORG_TRACE_DIR the cell is the recorded one.
 */
import { toJsonString } from "@bufbuild/protobuf";
import type { CellMethod } from "../src/borgmaster/api/access.ts";
import type { FromApi, ToApi } from "../src/borgmaster/api/message.ts";
import { Api } from "../src/borgmaster/api.ts";
import { encodeCheckpoint } from "../src/cell/checkpoint/checkpoint.ts";
import { encodeEntry, makeEntry } from "../src/cell/op.ts";
import type { CellState } from "../src/cell/state.ts";
import { ToyVault } from "../src/fauxmaster/world/toy-vault.ts";
import { make } from "../src/wire/codec.ts";
import { CellService, ViewKind, type WatchViewsResponse } from "../src/wire/gen/borg/v1/api_pb.ts";
import { TestEnv } from "../test/borgmaster/test-env.ts";
import { type Figures, rounded } from "./figures.ts";
import { Happenings, uiState } from "./ui-state.ts";

export interface ViewsArgs {
  readonly machines: number;
  readonly tasks: number;
  readonly seed: number;
  /** Of following, in the cell's time. */
  readonly seconds: number;
}

const LOOK_MS = 100;
const CHANGES_PER_LOOK = 100;
/** All machines tell what they use in so many looks. */
const USAGE_LOOKS = 50;
const FIRST_ANSWERS = 10;
const WINDOW = 160;
const USER = "admin";

interface ViewSpec {
  readonly kind: ViewKind;
  readonly query?: string;
  readonly sort?: string;
  readonly limit?: number;
}

const CELL: ViewSpec = { kind: ViewKind.CELL };
const list = (kind: ViewKind, query: string, sort = "wrong"): ViewSpec => ({ kind, query, sort, limit: WINDOW });
const one = (kind: ViewKind, query: string): ViewSpec => ({ kind, query, limit: 1 });

/** What the pages of src/sigma/app/pages watch. */
function pagesOf(state: CellState): Readonly<Record<string, readonly ViewSpec[]>> {
  const jobs = [...state.jobs.values()];
  const job = jobs.reduce((most, each) => (each.tasks.length > most.tasks.length ? each : most)).id;
  const machine = [...state.machines.values()].find(({ place }) => place.occupants.size > 10)?.id ?? "";
  return {
    overview: [CELL, { kind: ViewKind.MAP }, { kind: ViewKind.EVENTS, limit: 12 }],
    jobs: [CELL, list(ViewKind.JOBS, "")],
    jobsByCpu: [CELL, list(ViewKind.JOBS, "", "cpu")],
    job: [
      CELL,
      one(ViewKind.JOBS, `job:${job} state:any`),
      { kind: ViewKind.EVENTS, query: job, limit: 50 },
      list(ViewKind.TASKS, `job:${job}`),
    ],
    tasks: [CELL, list(ViewKind.TASKS, "")],
    task: [CELL, one(ViewKind.TASKS, `task:${job}/0`)],
    machines: [CELL, list(ViewKind.MACHINES, "")],
    machinesByCpu: [CELL, list(ViewKind.MACHINES, "", "cpu")],
    machine: [
      ...[CELL, one(ViewKind.MACHINES, `machine:${machine}`)],
      { kind: ViewKind.TASKS, query: `machine:${machine}`, sort: "name", limit: 500 },
      list(ViewKind.TASKS, `machine:${machine}`),
    ],
    events: [CELL, { kind: ViewKind.EVENTS, limit: 200 }],
  };
}

const READS: readonly CellMethod[] = ["listQuota", "listUsers"];

export async function benchViews({ machines, tasks, seed, seconds }: ViewsArgs): Promise<Figures> {
  const state = uiState(machines, tasks, seed);
  const figures: Record<string, number> = { machines: state.machines.size, tasks: state.taskCount };
  const cell = new Cell(state);
  figures["changesCpuMsPerSecond"] = rounded(cell.changesMs(seconds), 1);
  figures["coldCpuMs"] = rounded(cell.first("cold", [CELL]), 1);
  for (const [name, views] of Object.entries(pagesOf(state))) {
    let firstMs = 0;
    for (let i = 0; i < FIRST_ANSWERS; i++) {
      cell.happen();
      firstMs += cell.first(`${name} ${i}`, views);
    }
    figures[`${name}FirstCpuMs`] = rounded(firstMs / FIRST_ANSWERS, 1);
    const { cpuMs, answers, bytes } = cell.follow(name, views, seconds);
    figures[`${name}FollowedCpuMsPerSecond`] = rounded(cpuMs / seconds, 1);
    figures[`${name}DifferencesPerSecond`] = rounded(answers / seconds, 1);
    figures[`${name}KibPerSecond`] = rounded(bytes / 1024 / seconds, 1);
    cell.rest();
  }
  for (const method of READS) figures[`${method}CpuMs`] = rounded(cell.read(method), 1);
  return figures;
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

class Cell {
  readonly #env = new TestEnv<FromApi>();
  readonly #api: Api;
  readonly #happenings: Happenings;
  #position: number;
  #looks = 0;
  #calls = 0;
  #jsonBytes = 0;

  constructor(state: CellState) {
    const addresses = { master: "master", follower: "follower", link: "link", packages: "packages", counters: "counters" };
    this.#api = new Api(this.#env, { ...addresses, vault: new ToyVault(() => 0.5), threads: [] });
    this.#happenings = new Happenings(state);
    this.#position = state.position;
    this.#env.wallMs = state.timeMs;
    this.#hear({ type: "restore", position: state.position, checkpoint: encodeCheckpoint(state).bytes });
    for (let i = 0; i < USAGE_LOOKS; i++) this.happen();
  }

  /** A tenth of a second of the cell's life. */
  happen(): void {
    this.#looks += 1;
    this.#position += 1;
    this.#env.wallMs += LOOK_MS;
    this.#env.nowMs += LOOK_MS;
    this.#hear({ type: "usage", machines: this.#happenings.usage(this.#looks % USAGE_LOOKS, USAGE_LOOKS) });
    const payload = encodeEntry(makeEntry(this.#env.wallMs, this.#happenings.runs(CHANGES_PER_LOOK)));
    this.#hear({ type: "entry", position: this.#position, payload });
  }

  /** A second of the cell's life while nobody looks. */
  changesMs(seconds: number): number {
    return cpuMs(() => this.#happenFor(seconds)) / seconds;
  }

  #happenFor(seconds: number): void {
    for (let i = 0; i < (1000 * seconds) / LOOK_MS; i++) this.happen();
  }

  first(watch: string, views: readonly ViewSpec[]): number {
    return cpuMs(() => {
      this.#watch(watch, 0, views);
      this.#answers();
    });
  }

  /** Without what the changes cost anyway. */
  follow(
    watch: string,
    views: readonly ViewSpec[],
    seconds: number,
  ): { readonly cpuMs: number; readonly answers: number; readonly bytes: number } {
    let seen = 0;
    let answers = 0;
    let spentMs = 0;
    let isWaiting = false;
    this.#jsonBytes = 0;
    for (let i = 0; i < (1000 * seconds) / LOOK_MS; i++) {
      this.happen();
      spentMs += cpuMs(() => {
        if (!isWaiting) this.#watch(watch, seen, views);
        const [answer] = this.#answers() as WatchViewsResponse[];
        isWaiting = answer === undefined;
        if (answer === undefined) return;
        seen = answer.seen;
        answers += 1;
      });
    }
    return { cpuMs: spentMs, answers, bytes: this.#jsonBytes };
  }

  /** So long that watches nobody asks about are forgotten. */
  rest(): void {
    this.#env.nowMs += 61_000;
    this.#watch("rest", 0, [CELL]);
    this.#answers();
  }

  read(method: CellMethod): number {
    return cpuMs(() => {
      this.#call(method, {});
      this.#answers();
    });
  }

  #watch(watch: string, seen: number, views: readonly ViewSpec[]): void {
    this.#call("watchViews", { watch, seen, views, waitMs: seen === 0 ? 0 : 10_000 });
  }

  #call(method: CellMethod, request: object): void {
    this.#calls += 1;
    const made = make(CellService.method[method].input, request as never);
    this.#hear({
      type: "call",
      id: `${method} ${this.#calls}`,
      method,
      user: USER,
      request: made,
      requestId: "",
      deadlineMs: 60_000,
      stale: true,
    });
  }

  /** What is due now, and what becomes due of it. */
  #turn(): void {
    for (;;) {
      const all = this.#env.timers.splice(0);
      const due = all.filter(({ atMs }) => atMs <= this.#env.nowMs);
      this.#env.timers.push(...all.filter(({ atMs }) => atMs > this.#env.nowMs));
      if (due.length === 0) return;
      for (const { tag } of due) this.#api.onTimer(tag);
    }
  }

  #hear(message: ToApi): void {
    this.#api.onMessage("bench", message);
  }

  #answers(): object[] {
    this.#turn();
    return this.#env.take().flatMap(({ message }) => {
      if (message.type !== "answered") return [];
      const method = message.id.split(" ")[0] as CellMethod;
      this.#jsonBytes += toJsonString(CellService.method[method].output, message.response as never).length;
      return [message.response];
    });
  }
}
