/** The index that pages share: kept as the cell changes, it says of every view what one says that is made anew. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareIds } from "../../src/base/id.ts";
import { Random } from "../../src/base/random.ts";
import type { Copy } from "../../src/borgmaster/api/copy.ts";
import { JobNames } from "../../src/borgmaster/api/job-names.ts";
import { Meter } from "../../src/borgmaster/api/price.ts";
import { shownState } from "../../src/borgmaster/api/shown.ts";
import { UsageTable } from "../../src/borgmaster/api/usage-table.ts";
import { CellSamples } from "../../src/borgmaster/api/view-cell.ts";
import { ViewIndex } from "../../src/borgmaster/api/view-index.ts";
import { WatchedView } from "../../src/borgmaster/api/view-watch.ts";
import { taskView } from "../../src/borgmaster/api/views.ts";
import type { Task } from "../../src/cell/state.ts";
import type { Touched } from "../../src/cell/touched.ts";
import { restartsOf } from "../../src/cli/commands/top.ts";
import { make } from "../../src/wire/codec.ts";
import { type TaskView, type ViewChange, ViewChangeSchema, ViewKind, ViewSchema } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { UsageSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { type Draw, draws, toOp } from "../cell/random-op.ts";
import { settings } from "../cell/settings.ts";
import { busyWorld, type World } from "../cell/world.ts";

const SORTS = ["", "wrong", "name", "-name", "age", "priority", "cpu", "-cpu", "ram", "tasks", "-tasks", "nothing"];
const QUERIES: Readonly<Partial<Record<ViewKind, readonly string[]>>> = {
  [ViewKind.JOBS]: ["", "state:any", "state:wrong", "state:dead", "user:ubar", "user:me state:any", "band:batch", "kind:alloc", "j"],
  [ViewKind.TASKS]: [
    "",
    "state:any",
    "state:pending",
    "state:running",
    "user:ubar",
    "machine:m1",
    "job:ubar/a",
    "task:ubar/a/0",
    "/1",
    "a/",
    "B",
  ],
  [ViewKind.MACHINES]: ["", "state:up", "state:unreachable", "rack:r1", "machine:m1", "m"],
  [ViewKind.CELL]: [""],
  [ViewKind.MAP]: ["", "group:power", "group:os", "group:nothing"],
};
const KINDS = Object.keys(QUERIES).map(Number) as ViewKind[];
const BY_USE = make(ViewSchema, { kind: ViewKind.TASKS, query: "state:any", sort: "cpu", limit: 20 });
/** Sums of jobs are worked out so often at most. */
const LOOK_MS = 5000;

const TASK_QUERIES: readonly (readonly [query: string, isMeant: (name: string, shown: string) => boolean])[] = [
  ["", (_, shown) => shown !== "dead"],
  ["state:any", () => true],
  ["state:pending", (_, shown) => shown === "pending"],
  ["state:any /1", (name) => name.includes("/1")],
  ["state:any A/ 2", (name) => name.includes("a/") && name.includes("2")],
  ["state:any user:ubar b", (name) => name.startsWith("ubar/") && name.includes("b")],
];
/** As one reads them off what is told of a task. */
const TASK_SORTS: readonly (readonly [sort: string, figure: (view: TaskView) => number])[] = [
  ["cpu", ({ usage }) => usage?.cpuMilli ?? 0],
  ["ram", ({ usage }) => usage?.ramBytes ?? 0],
  ["cpu-share", ({ usage, limit }) => (limit?.cpuMilli ? (usage?.cpuMilli ?? 0) / limit.cpuMilli : 0)],
  ["restarts", restartsOf],
  ["age", ({ sinceMs }) => -sinceMs],
];
const RANKS = [0, 1, 2, 3, 4, 5];
const rankOf = (task: Task): number => {
  const shown = shownState(task);
  if (task.failures > 0 && shown !== "dead") return 0;
  return { "backing-off": 0, pending: 1, starting: 2, stopping: 3, ending: 3, running: 4, dead: 5 }[shown];
};

/** A copy as the API has it: which jobs there are is kept, too. */
class Follower {
  readonly #world: World;
  readonly #jobNames = new JobNames();
  readonly #usage = new UsageTable();
  readonly #index: ViewIndex;
  readonly #map = new WatchedView(make(ViewSchema, { kind: ViewKind.MAP }));
  readonly #byUse = new WatchedView(BY_USE);
  #byUseOrder: readonly string[] = [];
  #known: Record<string, unknown> = {};
  #nowMs = 0;

  constructor(world: World) {
    this.#world = world;
    this.#jobNames.reset(world.state);
    this.#index = new ViewIndex(this.#copy, () => this.#nowMs);
  }

  get #copy(): Copy {
    return { state: this.#world.state, usage: this.#usage, jobNames: this.#jobNames } as unknown as Copy;
  }

  follow(touched: Touched): void {
    for (const id of touched.jobs) this.#jobNames.touched(this.#world.state, id);
    this.#index.touched(touched);
    this.#map.touched(touched);
    this.#byUse.touched(touched);
  }

  /** Who follows tasks by their use knows the order of one that asks anew, also when nothing happened but that they use something else. */
  #compareUse(): void {
    this.#nowMs += LOOK_MS;
    const change = this.#byUse.look(this.#sight(this.#index));
    if (change?.ordered) this.#byUseOrder = change.order ?? [];
    assert.deepEqual(this.#byUseOrder, new WatchedView(BY_USE).look(this.#sight(this.#index))?.order);
  }

  measure(random: Random): void {
    this.#compareUse();
    for (const { id, place } of this.#world.state.machines.values()) {
      if (random.chance(0.7)) continue;
      const usage = [...place.occupants.keys()].map((instance) =>
        make(UsageSchema, { instance, last: { cpuMilli: random.int(0, 900), ramBytes: random.int(0, 1e9) } }),
      );
      this.#usage.learn([{ machine: id, usage, waiting: [] }], { wallMs: 1, cellMs: 1 });
      this.#index.measured([id]);
    }
    this.#compareUse();
  }

  /** Windows of every kind, as the index says them and as one says them that knows nothing yet. */
  compare(random: Random): void {
    this.#nowMs += LOOK_MS;
    const [kept, anew] = [this.#index, new ViewIndex(this.#copy, () => this.#nowMs)];
    for (const kind of KINDS) {
      const query = random.pick(QUERIES[kind]!);
      const view = make(ViewSchema, { kind, query, sort: random.pick(SORTS), first: random.int(0, 4), limit: random.int(1, 30) });
      const seen = (index: ViewIndex) => withoutCounts(make(ViewChangeSchema, new WatchedView(view).look(this.#sight(index)) ?? {}));
      assert.deepEqual(seen(kept), seen(anew), JSON.stringify(view));
    }
    // Who follows the map knows what one knows that asks anew.
    this.#known = { ...this.#known, ...told(this.#map.look(this.#sight(kept))?.map) };
    assert.deepEqual(this.#known, told(anew.map(new Meter(), "").since(0)));
  }

  /** The list of tasks in pieces is the list that one makes who looks at every task. */
  compareTasks(random: Random): void {
    this.#nowMs += LOOK_MS;
    const [query, isMeant] = random.pick(TASK_QUERIES);
    const meant = [...this.#world.state.jobs.keys()]
      .sort(compareIds)
      .flatMap((id) => this.#world.state.jobs.get(id)!.tasks)
      .filter((task) => isMeant(task.id, shownState(task)));
    const expected = RANKS.flatMap((rank) => meant.filter((task) => rankOf(task) === rank).map(({ id }) => id));
    const limit = random.int(1, 6);
    const found: string[] = [];
    for (let first = 0; first <= expected.length; first += limit) {
      const view = new WatchedView(make(ViewSchema, { kind: ViewKind.TASKS, query, first, limit }));
      const change = view.look(this.#sight(this.#index));
      assert.equal(change?.total, expected.length, query);
      found.push(...(change?.order ?? []));
    }
    assert.deepEqual(found, expected, query);
  }

  /** By a figure the list in pieces is the list of one who sorts every task, among equals by name. */
  compareFigures(random: Random): void {
    this.#nowMs += LOOK_MS;
    const { state } = this.#world;
    const [query, isMeant] = random.pick(TASK_QUERIES);
    const [sort, figure] = random.pick(TASK_SORTS);
    const sign = random.chance(0.5) ? 1 : -1;
    const all = [...state.jobs.keys()].sort(compareIds).flatMap((id) => state.jobs.get(id)!.tasks);
    const meant = all.filter((task) => isMeant(task.id, shownState(task))).map((task) => taskView(task, this.#usage));
    const expected = meant.toSorted((a, b) => sign * (figure(b) - figure(a))).map(({ name }) => name);
    const found: string[] = [];
    for (let first = 0; first <= expected.length; first += 7) {
      const named = make(ViewSchema, { kind: ViewKind.TASKS, query, sort: `${sign < 0 ? "-" : ""}${sort}`, first, limit: 7 });
      const change = new WatchedView(named).look(this.#sight(this.#index));
      assert.equal(change?.total, expected.length, query);
      found.push(...(change?.order ?? []));
    }
    assert.deepEqual(found, expected, `${query} by ${sort}`);
  }

  #sight(index: ViewIndex) {
    return { copy: this.#copy, index, samples: new CellSamples(), user: "ubar", nowMs: this.#nowMs, meter: new Meter() };
  }
}

/** What has happened is known only to who was there. */
function withoutCounts(change: ViewChange): ViewChange {
  for (const job of change.jobs) job.restartsHour = 0;
  if (change.cell !== undefined) change.cell.countedSinceMs = 0;
  return change;
}

/** What is empty is not sent. */
const told = (map: object | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(map ?? {}).filter(([, value]) => (value as ArrayLike<unknown>).length > 0));

function play(drawn: readonly Draw[], seed: number): void {
  const world = busyWorld();
  const random = new Random(seed, "views");
  const follower = new Follower(world);
  for (const draw of drawn) {
    const op = toOp(world.state, draw, []);
    if (op === undefined) continue;
    world.timeMs += 50;
    for (const outcome of world.entry(op)) if (outcome.ok) follower.follow(outcome.touched);
    if (random.chance(0.2)) follower.measure(random);
    if (random.chance(0.3)) follower.compare(random);
    if (random.chance(0.1)) follower.compareTasks(random);
    if (random.chance(0.1)) follower.compareFigures(random);
  }
  follower.compare(random);
}

test("An index that is kept as the cell changes shows in every view what one shows that is made anew [N5]", () => {
  fc.assert(fc.property(draws(120), fc.nat(), play), settings(40));
});
