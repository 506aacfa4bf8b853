/**
 * Offers on a running cell (Mesos §6.5, §6.6): emulated borglets on real links, a real master with its journal on disk, and frameworks that speak the Mesos API over real streams, each of which
 * launches one task on every machine it is offered; two tasks fill a machine, and each sleeps for a time drawn around a mean. Once the cell is full, another framework runs one task of 10 s. At last every framework
 * ends two of its tasks and takes nothing for them, and the master is killed and started again: how long until all frameworks and machines are connected, and until each framework launched into the room it is owed. Borglets, master and frameworks share this machine's cores, so times are theirs together; `cpuMsPerLaunch` is the master's own.
 */
import type { ChildProcess } from "node:child_process";
import { connect, createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Framework, type Offer } from "../clients/framework/framework.ts";
import { Random } from "../src/base/random.ts";
import { Band } from "../src/wire/gen/borg/v1/resource_pb.ts";
import type { EmulationFigures } from "./emulated-borglets.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { type Rig, startRig } from "./rig.ts";

export interface OffersArgs {
  readonly machines: number;
  readonly frameworks: number;
  /** How long it is measured. */
  readonly seconds: number;
  /** The mean of what a task sleeps; a third of it is the deviation. */
  readonly lifeSeconds: number;
  readonly seed: number;
}

/** Half a machine of emulated-borglets.ts. */
const HALF = { cpus: 32, mem: 128 * 1024 };
const TEST_SECONDS = 10;
const TESTS = 5;
const FULL_MS = 600_000;
const AGAIN_MS = 300_000;
const PORTS = 10;
const HELD_BACK_SECONDS = 600;
const HELD_BACK_TASKS = 2;

export async function benchOffersLive(args: OffersArgs): Promise<Figures> {
  const rig = await startRig({ machines: args.machines, lifeSeconds: args.lifeSeconds, batchSchedulers: 0, ports: PORTS });
  await rig.client.setQuota({ requestId: "none", user: "bench", band: Band.BATCH, quota: { limit: {} } });
  const crowd = await Crowd.open(rig.socket, args);
  try {
    // Nobody is offered anything before all are there: the first would have the whole cell, and their shares would be equal only when all of its tasks have ended.
    await crowd.untilConnected();
    await rig.client.setQuota({ requestId: "all", user: "bench", band: Band.BATCH, quota: { unlimited: true } });
    const full = await untilFull(rig, crowd, args.machines);
    const steady = await measure(rig, crowd, args.seconds);
    const overheads: number[] = [];
    for (let i = 0; i < TESTS; i++) overheads.push(await crowd.single(`test-${i}`));
    const again = await afterDeath(rig, crowd, args.machines);
    return {
      ...{
        liveMachines: args.machines,
        liveFrameworks: args.frameworks,
        lifeSeconds: args.lifeSeconds,
        joinMs: rig.joinMs,
        ...full,
        ...steady,
      },
      tenSecondTaskExtraP50Ms: rounded(percentile(overheads, 0.5), 0),
      tenSecondTaskExtraMostMs: rounded(Math.max(...overheads), 0),
      ...again,
    };
  } finally {
    crowd.close();
    await rig.close();
  }
}

function take(borglets: ChildProcess): Promise<EmulationFigures> {
  return new Promise((resolve) => {
    borglets.once("message", (figures) => resolve(figures as EmulationFigures));
    borglets.send({});
  });
}

/** Nine tenths of what fits: some room is always on its way from one task to the next. */
async function untilFull(rig: Rig, crowd: Crowd, machines: number): Promise<Figures> {
  const begunMs = performance.now();
  let running = 0;
  for (const end = begunMs + FULL_MS; performance.now() < end; await sleep(200)) {
    const { starts, ends } = await take(rig.borglets);
    running += starts.length - ends.length;
    if (running >= 1.8 * machines) return { fullMs: Math.round(performance.now() - begunMs) };
  }
  throw new Error(`The cell did not fill within ${FULL_MS / 1000} s: ${running} tasks run on ${machines} machines; ${crowd.problem}`);
}

async function measure(rig: Rig, crowd: Crowd, seconds: number): Promise<Figures> {
  await take(rig.borglets);
  crowd.take();
  const [before, ownBefore] = [await rig.client.getMaster({}), process.cpuUsage()];
  await sleep(seconds * 1000);
  const [after, own] = [await rig.client.getMaster({}), process.cpuUsage(ownBefore)];
  const { starts, ends } = await take(rig.borglets);
  const { offered, launched } = crowd.take();
  const offerMs = afterEach(ends, offered);
  const startMs = afterEach(
    launched,
    starts.map(([instance, atMs]) => [taskIn(instance), atMs] as const),
  );
  const wallSeconds = (after.upMs - before.upMs) / 1000;
  return {
    launches: starts.length,
    launchesPerSecond: rounded(starts.length / wallSeconds, 1),
    offers: offered.length,
    ...{ offerP50Ms: rounded(percentile(offerMs, 0.5), 0), offerP99Ms: rounded(percentile(offerMs, 0.99), 0) },
    ...{ startP50Ms: rounded(percentile(startMs, 0.5), 0), startP99Ms: rounded(percentile(startMs, 0.99), 0) },
    cpuMsPerLaunch: rounded((after.cpuMs - before.cpuMs) / Math.max(1, starts.length), 2),
    masterCores: rounded((after.cpuMs - before.cpuMs) / 1000 / wallSeconds, 2),
    frameworksCores: rounded((own.user + own.system) / 1e6 / wallSeconds, 2),
    longestStepMs: rounded(after.longestStepMs),
    rssMiB: rounded(after.rssBytes / 2 ** 20, 0),
  };
}

type Moment = readonly [name: string, atMs: number];

/** From each moment of the first kind to the next of the second with the same name. */
function afterEach(from: readonly Moment[], to: readonly Moment[]): readonly number[] {
  const byName = new Map<string, number[]>();
  for (const [name, atMs] of to) byName.set(name, [...(byName.get(name) ?? []), atMs]);
  return from.flatMap(([name, atMs]) => {
    const next = byName.get(name)?.find((each) => each >= atMs);
    return next === undefined ? [] : [next - atMs];
  });
}

/** Machines of launches cannot be told from instances, so launches are counted by framework: bench/f12/3:7 is of f12. */
const taskIn = (instance: string): string => instance.split("/")[1] ?? "";

async function afterDeath(rig: Rig, crowd: Crowd, machines: number): Promise<Figures> {
  await crowd.holdBack();
  await take(rig.borglets);
  const diedMs = Date.now();
  rig.restartMaster();
  crowd.goOn();
  const again = new Map<string, number>();
  let linkedMs = 0;
  let connectedCpuMs: number | undefined;
  for (const end = diedMs + AGAIN_MS; Date.now() < end && (again.size < crowd.size || linkedMs === 0); await sleep(100)) {
    const { starts, linked, linkedMs: lastMs } = await take(rig.borglets);
    if (linked === machines && lastMs > diedMs) linkedMs = lastMs - diedMs;
    if (linkedMs > 0 && crowd.connected().length === crowd.size) connectedCpuMs ??= (await rig.client.getMaster({})).cpuMs;
    for (const [instance, atMs] of starts) {
      const name = taskIn(instance);
      if (atMs > diedMs && !again.has(name) && crowd.isOwn(name)) again.set(name, atMs - diedMs);
    }
  }
  if (again.size < crowd.size) process.stderr.write(`${again.size} of ${crowd.size} frameworks launched again: ${crowd.problem}\n`);
  const { cpuMs } = await rig.client.getMaster({});
  const times = [...again.values()];
  const connected = crowd.connected().map((atMs) => atMs - diedMs);
  return {
    connectAgainFrameworks: connected.length,
    connectAgainMasterCpuMs: Math.round(connectedCpuMs ?? 0),
    ...{ connectAgainFirstMs: Math.min(...connected), connectAgainAllMs: Math.max(...connected), linkAgainAllMs: linkedMs },
    launchAgainFrameworks: again.size,
    launchAgainMasterCpuMs: Math.round(cpuMs),
    ...{ launchAgainFirstMs: Math.min(...times), launchAgainP50Ms: percentile(times, 0.5), launchAgainAllMs: Math.max(...times) },
  };
}

/** Many frameworks in this process, through one port to the owner's socket. */
class Crowd {
  readonly #server: Server;
  readonly #frameworks = new Map<string, Framework>();
  readonly #random: Random;
  readonly #lifeSeconds: number;
  readonly #port: number;
  #offered: Moment[] = [];
  #launched: Moment[] = [];
  #tasks = 0;
  /** By framework: its tasks that run. */
  readonly #running = new Map<string, Set<string>>();
  /** They take nothing that they are offered. */
  #isHolding = false;
  /** By framework: when its stream began, of those since `goOn`. */
  #connected = new Map<string, number>();
  problem = "nobody said why";

  static async open(socket: string, args: OffersArgs): Promise<Crowd> {
    const server = createServer((client) => {
      const cell = connect(socket);
      for (const [from, to] of [
        [client, cell],
        [cell, client],
      ] as const) {
        from.on("error", () => to.destroy());
        from.on("close", () => to.destroy());
        from.pipe(to);
      }
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return new Crowd(server, args);
  }

  private constructor(server: Server, { frameworks, lifeSeconds, seed }: OffersArgs) {
    this.#server = server;
    this.#random = new Random(seed);
    this.#lifeSeconds = lifeSeconds;
    this.#port = (server.address() as { readonly port: number }).port;
    for (let i = 0; i < frameworks; i++) this.#begin(`f${i}`);
  }

  get size(): number {
    return this.#frameworks.size;
  }

  isOwn(name: string): boolean {
    return this.#frameworks.has(name);
  }

  #begin(name: string): void {
    const running = new Set<string>();
    this.#running.set(name, running);
    const framework = new Framework(
      { address: `http://127.0.0.1:${this.#port}`, name },
      {
        offers: (offers) => {
          for (const { machine } of offers) this.#offered.push([machine, Date.now()]);
          if (this.#isHolding) framework.decline(offers, HELD_BACK_SECONDS);
          else for (const offer of offers) this.#answer(name, framework, offer);
        },
        update: ({ task, isOver }) => {
          if (isOver) running.delete(task);
          else running.add(task);
        },
        connected: () => void this.#connected.set(name, this.#connected.get(name) ?? Date.now()),
        disconnected: (reason) => {
          this.problem = reason;
        },
      },
    );
    this.#frameworks.set(name, framework);
    framework.run().catch((error: unknown) => {
      this.problem = String(error);
    });
  }

  #answer(name: string, framework: Framework, offer: Offer): void {
    if (offer.cpus < HALF.cpus || offer.mem < HALF.mem) return framework.decline([offer]);
    this.#tasks += 1;
    this.#launched.push([name, Date.now()]);
    const seconds = Math.max(1, this.#lifeSeconds * (1 + this.#gauss() / 3));
    framework.launch(offer, [{ id: `t${this.#tasks}`, command: `sleep ${seconds.toFixed(3)}`, ...HALF }], 0);
  }

  #gauss(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#random.float())) * Math.cos(2 * Math.PI * this.#random.float());
  }

  /** Reads and resets. */
  take(): { readonly offered: readonly Moment[]; readonly launched: readonly Moment[] } {
    const figures = { offered: this.#offered, launched: this.#launched };
    this.#offered = [];
    this.#launched = [];
    return figures;
  }

  async untilConnected(): Promise<void> {
    for (const end = Date.now() + FULL_MS; this.#connected.size < this.size; await sleep(100))
      if (Date.now() > end) throw new Error(`${this.#connected.size} of ${this.size} frameworks are connected; ${this.problem}`);
  }

  /** Each framework ends some of its tasks, and nobody takes the room: whoever has a task more than others will have less than its share all the same. */
  async holdBack(): Promise<void> {
    this.#isHolding = true;
    const ending = [...this.#frameworks].flatMap(([name, framework]) => {
      const running = this.#running.get(name) ?? new Set();
      const tasks = [...running].slice(0, HELD_BACK_TASKS);
      for (const task of tasks) framework.kill(task);
      return tasks.map((task) => ({ running, task }));
    });
    for (const end = Date.now() + AGAIN_MS; Date.now() < end && ending.some(({ running, task }) => running.has(task)); ) await sleep(100);
  }

  goOn(): void {
    this.#isHolding = false;
    this.#connected.clear();
  }

  /** When each of those that were connected since then was. */
  connected(): readonly number[] {
    return [...this.#connected.values()];
  }

  /** A framework of one task: what it took beyond its 10 s, from the first word to the last. */
  async single(name: string): Promise<number> {
    const begunMs = performance.now();
    let isLaunched = false;
    await new Promise<void>((done) => {
      const framework = new Framework(
        { address: `http://127.0.0.1:${this.#port}`, name },
        {
          offers: (offers) => {
            const [first] = offers;
            framework.decline(isLaunched ? offers : offers.slice(1));
            if (first === undefined || isLaunched) return;
            isLaunched = true;
            framework.launch(first, [{ id: "one", command: `sleep ${TEST_SECONDS}`, ...HALF }]);
          },
          update: ({ isOver }) => {
            if (!isOver) return;
            done();
            void framework.teardown();
          },
        },
      );
      framework.run().catch((error: unknown) => {
        this.problem = String(error);
      });
    });
    return performance.now() - begunMs - 1000 * TEST_SECONDS;
  }

  close(): void {
    for (const framework of this.#frameworks.values()) framework.stop();
    this.#server.close();
  }
}
