/**
 * Reclamation on a recorded cell (Borg §5.5, Figure 10): do all tasks that ran fit, though their limits are more than the machines? Real cell, scheduler passes and
 * estimator; time and usage (cells/drawn-usage.ts) are made up. The procedure is fixed:
 * 1. Prod comes first, as in a cell that has been there for a while, and runs for an hour.
 * 2. Then the rest comes. Whoever finds no room is tried again every ten minutes, for two hours.
 * Both with the preset and with reclamation switched off, where time changes nothing and nobody is tried again. The estimator looks every two minutes. On each
 * machine tasks line up (src/cell/reclaimed.ts); one that has no room there at limits, in whatever dimension, runs in reclaimed resources, and counts with its whole limit: half a task does not run. `beyond` is the
 * part of limits above the machines' capacity alone. Both are also taken of the placement that the trace recorded (`recorded`): the first says there what the paper says (about 20 %), the second cannot.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Env } from "../src/base/env.ts";
import { Random } from "../src/base/random.ts";
import { fits, plus, type Vector, ZERO } from "../src/base/vector.ts";
import { DEFAULT_MASTER } from "../src/borgmaster/defaults.ts";
import { Estimator } from "../src/borgmaster/estimator.ts";
import { applyEntry } from "../src/cell/cell.ts";
import { stateViolations } from "../src/cell/invariants.ts";
import { makeEntry, masterOp, type Op, userOp } from "../src/cell/op.ts";
import { isSome, partInReclaimed, sharesOf } from "../src/cell/reclaimed.ts";
import { limitOf } from "../src/cell/spec.ts";
import type { CellState, Instance, Machine } from "../src/cell/state.ts";
import { VERSION_MAX } from "../src/cell/version.ts";
import { Queue } from "../src/scheduler/queue.ts";
import { everyJob } from "../src/scheduler/responsibility.ts";
import { isProd } from "../src/wire/band.ts";
import { make } from "../src/wire/codec.ts";
import { Phase, type Usage, UsageSchema } from "../src/wire/gen/borg/v1/machine_pb.ts";
import { Reclamation } from "../src/wire/gen/borg/v1/op_pb.ts";
import { type BenchCell, type CellArgs, cellOf } from "./cells/args.ts";
import { type DrawnUsage, drawUsage } from "./cells/drawn-usage.ts";
import { build, type CellPlan, onlyRunning, SCHEDULER } from "./cells/plan.ts";
import { recordedShares } from "./cells/recorded-shares.ts";
import { type Figures, rounded } from "./figures.ts";
import { commit, mirrorOf, optionsOf, schedule } from "./schedule.ts";
import { UsageError } from "./usage.ts";

const MINUTE_MS = 60_000;
const LOOK_MINUTES = 2;
const PROD_MINUTES = 60;
const RETRY_MINUTES = 10;
const RETRIES = 12;
const OPS_PER_ENTRY = 1000;
const PRESETS = { baseline: Reclamation.BASELINE, medium: Reclamation.MEDIUM, aggressive: Reclamation.AGGRESSIVE } as const;

export function benchReclaim(args: CellArgs): Figures {
  const preset = PRESETS[args.reclamation as keyof typeof PRESETS];
  if (preset === undefined) throw new UsageError(`Cannot find preset "${args.reclamation}": there are ${Object.keys(PRESETS).join(", ")}`);
  const { before, ...plan } = cellOf(traced(args));
  const cell = { ...onlyRunning(plan), before };
  const [on, off] = [new Trial(args, cell, preset).run(), new Trial(args, cell, Reclamation.OFF).run()];
  return { machines: cell.machines.length, ...on, ...recorded(cell), ...withoutNames(off) };
}

/** The same measure of the placement that the trace has, where it has one. */
function recorded(cell: CellPlan): Figures {
  const { tasks, tasksInReclaimed, limit, parts, whole } = recordedShares(cell);
  if (tasks === 0) return {};
  const capacity = cell.machines.reduce(
    (sum, { facts }) => ({ cpu: sum.cpu + (facts.capacity?.cpuMilli ?? 0), ram: sum.ram + (facts.capacity?.ramBytes ?? 0) }),
    { cpu: 0, ram: 0 },
  );
  return {
    recordedReclaimedPercentOfWork: rounded(100 * partInReclaimed(whole, limit, capacity)),
    recordedReclaimedCpuPercentOfWork: percent(whole.cpu, limit.cpu),
    recordedReclaimedRamPercentOfWork: percent(whole.ram, limit.ram),
    recordedReclaimedTasksPercent: percent(tasksInReclaimed, tasks),
    recordedBeyondCpuPercentOfWork: percent(parts.cpu, limit.cpu),
    recordedBeyondRamPercentOfWork: percent(parts.ram, limit.ram),
  };
}

/** `pending` of the trial without reclamation is `withoutPending`. */
const withoutNames = (figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`without${name.charAt(0).toUpperCase()}${name.slice(1)}`, value]));

/** Without a word about the cell it is the recorded one, if it is known where that is. */
function traced(args: CellArgs): CellArgs {
  const directory = process.env["BORG_TRACE_DIR"] ?? "";
  if (directory === "" || args.synthetic > 0 || args.workload !== "" || args.machines !== "") return args;
  return { ...args, machines: join(directory, "machines.csv.gz"), tasks: join(directory, "tasks.csv.gz") };
}

class Trial {
  readonly #args: CellArgs;
  readonly #state: CellState;
  readonly #estimator: Estimator;
  #nowMs = 1;
  /** Of every task, whether it runs or not: the same in both trials. */
  readonly #drawn = new Map<string, DrawnUsage>();
  readonly #usage = new Map<string, Usage>();

  constructor(args: CellArgs, cell: BenchCell, reclamation: Reclamation) {
    this.#args = args;
    this.#state = build(cell);
    for (let version = 2; version <= VERSION_MAX; version++) this.#apply([masterOp({ case: "cellVersion", value: { version } })]);
    this.#apply([userOp("admin", "reclamation", { case: "reclamationSet", value: { reclamation } })]);
    const env = { now: () => this.#nowMs } as Env<never>;
    this.#estimator = new Estimator(env, { ...DEFAULT_MASTER.estimator, everyMs: LOOK_MINUTES * MINUTE_MS });
    this.#estimator.reset();
    const random = new Random(args.seed, "usage");
    for (const { spec } of cell.jobs)
      for (let index = 0; index < spec.count; index++)
        this.#drawn.set(`${spec.user}/${spec.name}/${index}`, drawUsage(random, spec.priority));
  }

  run(): Figures {
    const isOff = this.#state.config.reclamation === Reclamation.OFF;
    this.#place(({ priority }) => isProd(priority));
    if (!isOff) this.#live(PROD_MINUTES);
    this.#place(() => true);
    let rounds = 0;
    for (; !isOff && rounds < RETRIES && this.#pending().length > 0; rounds++) {
      process.stderr.write(`${this.#pending().length} tasks wait after ${rounds * RETRY_MINUTES} minutes\n`);
      this.#live(RETRY_MINUTES);
      this.#place(() => true);
    }
    assert.deepEqual(stateViolations(this.#state), []);
    return this.#figures(rounds * RETRY_MINUTES);
  }

  #apply(ops: readonly Op[], timeMs = this.#state.timeMs): void {
    for (let at = 0; at < ops.length; at += OPS_PER_ENTRY) {
      const entry = makeEntry(timeMs, ops.slice(at, at + OPS_PER_ENTRY));
      for (const outcome of applyEntry(this.#state, this.#state.position + 1, entry))
        assert.ok(outcome.ok, outcome.ok ? "" : outcome.reason);
    }
  }

  #place(may: (job: { readonly priority: number }) => boolean): void {
    const mirror = mirrorOf(this.#state);
    const mine = everyJob(SCHEDULER);
    const queue = new Queue({ mine: (job) => mine(job) && may(job), retryMs: 10_000 });
    schedule(mirror, queue, (transaction) => void commit(this.#state, transaction), optionsOf(this.#args));
    this.#apply([...this.#state.machines.values()].flatMap((machine) => this.#reported(machine)));
  }

  /** Every victim goes and everybody else runs, as its machine would say. */
  #reported(machine: Machine): Op[] {
    const occupants = [...machine.place.occupants.values()];
    const gone = occupants.filter(({ stop }) => stop !== undefined);
    const started = occupants.filter(({ stop, task }) => stop === undefined && task.state === "starting");
    for (const { id } of gone) this.#usage.delete(id);
    for (const instance of started) this.#usage.set(instance.id, this.#used(instance));
    const instances = [
      ...gone.map(({ id }) => ({ instance: id, phase: Phase.GONE })),
      ...started.map(({ id }) => ({ instance: id, phase: Phase.RUNNING, run: 1 })),
    ];
    return instances.length === 0 ? [] : [masterOp({ case: "machineReport", value: { machine: machine.id, instances } })];
  }

  #used({ id, task, limit }: Instance): Usage {
    const { peak } = this.#drawn.get(task.id) as DrawnUsage;
    return make(UsageSchema, {
      instance: id,
      peak: { cpuMilli: Math.ceil(limit.cpu * peak.cpu), ramBytes: Math.ceil(limit.ram * peak.ram) * 1024 },
    });
  }

  #live(minutes: number): void {
    for (let minute = 0; minute < minutes; minute += LOOK_MINUTES) {
      this.#nowMs += LOOK_MINUTES * MINUTE_MS;
      this.#apply([masterOp({ case: "barrier", value: { master: "bench" } })], this.#state.timeMs + LOOK_MINUTES * MINUTE_MS);
      this.#estimator.learn([...this.#usage.values()]);
      this.#apply(this.#estimator.tick(this.#state, this.#state.timeMs));
    }
  }

  #pending(): { readonly priority: number; readonly limit: Vector }[] {
    return [...this.#state.jobs.values()].flatMap((job) =>
      job.tasks.filter(({ state }) => state === "pending").map(({ index }) => ({ priority: job.priority, limit: limitOf(job, index) })),
    );
  }

  /** Over everything that is on machines. */
  #sums() {
    const nothing = { limit: ZERO, prod: ZERO, reserved: ZERO, beyond: ZERO, reclaimed: ZERO };
    const sums = { tasks: 0, inReclaimed: 0, ...nothing, used: { cpu: 0, ram: 0 } };
    for (const machine of this.#state.machines.values())
      for (const { instance, reclaimed } of sharesOf(machine)) {
        const { average } = this.#drawn.get(instance.task.id) as DrawnUsage;
        sums.tasks += 1;
        sums.inReclaimed += Number(isSome(reclaimed));
        sums.limit = plus(sums.limit, instance.limit);
        if (isProd(instance.priority)) sums.prod = plus(sums.prod, instance.limit);
        sums.reserved = plus(sums.reserved, instance.reservation);
        sums.beyond = plus(sums.beyond, reclaimed);
        if (isSome(reclaimed)) sums.reclaimed = plus(sums.reclaimed, instance.limit);
        sums.used.cpu += instance.limit.cpu * average.cpu;
        sums.used.ram += instance.limit.ram * average.ram;
      }
    return sums;
  }

  #figures(minutes: number): Figures {
    const { capacity, machines, evictionDays } = this.#state;
    const pending = this.#pending();
    const sums = this.#sums();
    const missing = pending.reduce((sum, { limit }) => plus(sum, limit), ZERO);
    const evicted = (side: "prod" | "nonProd"): number =>
      evictionDays.reduce((sum, day) => sum + Object.values({ ...day[side], runMs: 0 }).reduce((a, b) => a + b, 0), 0);
    const ofCell = (name: string, amount: { readonly cpu: number; readonly ram: number }): Figures => ({
      [`${name}CpuPercent`]: percent(amount.cpu, capacity.cpu),
      [`${name}RamPercent`]: percent(amount.ram, capacity.ram),
    });
    return {
      placed: sums.tasks,
      pending: pending.length,
      pendingProd: pending.filter(({ priority }) => isProd(priority)).length,
      retriedForMinutes: minutes,
      ...ofCell("limit", plus(sums.limit, missing)),
      ...ofCell("placed", sums.limit),
      ...ofCell("prod", sums.prod),
      ...ofCell("reserved", sums.reserved),
      ...ofCell("used", sums.used),
      reclaimedPercentOfWork: rounded(100 * partInReclaimed(sums.reclaimed, sums.limit, capacity)),
      reclaimedCpuPercentOfWork: percent(sums.reclaimed.cpu, sums.limit.cpu),
      reclaimedRamPercentOfWork: percent(sums.reclaimed.ram, sums.limit.ram),
      beyondCpuPercentOfWork: percent(sums.beyond.cpu, sums.limit.cpu),
      beyondRamPercentOfWork: percent(sums.beyond.ram, sums.limit.ram),
      reclaimedTasksPercent: percent(sums.inReclaimed, sums.tasks),
      evicted: evicted("nonProd"),
      evictedProd: evicted("prod"),
      machinesShortOfProdLimits: [...machines.values()].filter(({ place }) => !fits(place.prodLimit, place.capacity)).length,
    };
  }
}

const percent = (part: number, whole: number): number => rounded((100 * part) / Math.max(1, whole));
