/** The scheduler of bench/pass.ts, in a thread of its own as in a master: it follows the feed and runs a pass when it is told to. */
import assert from "node:assert/strict";
import { parentPort, workerData } from "node:worker_threads";
import { unpack } from "../src/borgmaster/packing.ts";
import type { Image } from "../src/cell/feed.ts";
import type { ToScheduler } from "../src/scheduler/message.ts";
import { Mirror } from "../src/scheduler/mirror/mirror.ts";
import { runPass, type Transaction } from "../src/scheduler/pass.ts";
import { Queue } from "../src/scheduler/queue.ts";
import { everyJob } from "../src/scheduler/responsibility.ts";
import type { CellArgs } from "./cells/args.ts";
import { SCHEDULER } from "./cells/plan.ts";
import { optionsOf } from "./schedule.ts";

/** Packed letters of the feed, and: the claims that were under way are decided; now run a pass. */
export type ToPassWorker = Readonly<Record<string, unknown>> | { readonly type: "pass"; readonly nowMs: number };

export interface PassDone {
  readonly transactions: readonly Transaction[];
  readonly more: boolean;
  readonly looks: number;
  readonly waited: number;
  readonly milliseconds: number;
  /** The same without what others took of the machine meanwhile. */
  readonly cpuMilliseconds: number;
  /** What reading and filling in the feed took since the last pass. */
  readonly followMilliseconds: number;
  readonly followCpuMilliseconds: number;
  /** What filling in each image took, its decoding aside. */
  readonly loads: readonly number[];
}

const port = parentPort;
assert.ok(port !== null, "This file is the inside of a worker thread");
const args = workerData as CellArgs;
const mirror = new Mirror(SCHEDULER);
const queue = new Queue({ mine: everyJob(SCHEDULER), retryMs: 10_000 });
let underway: readonly Transaction[] = [];
let followed = { milliseconds: 0, cpuMilliseconds: 0 };
const loads: number[] = [];
let ids = 0;

function follow(letter: Readonly<Record<string, unknown>>): void {
  const spent = stopwatch();
  const told = unpack(letter) as ToScheduler;
  if (told.type === "image") load(told.image);
  if (told.type === "items") for (const item of told.items) assert.equal(mirror.follow(item), undefined);
  const { milliseconds, cpuMilliseconds } = spent();
  followed = { milliseconds: followed.milliseconds + milliseconds, cpuMilliseconds: followed.cpuMilliseconds + cpuMilliseconds };
}

/** The second without what others took of the machine meanwhile. */
function stopwatch(): () => { readonly milliseconds: number; readonly cpuMilliseconds: number } {
  const cpu = process.threadCpuUsage();
  const started = performance.now();
  return () => {
    const milliseconds = performance.now() - started;
    const { user, system } = process.threadCpuUsage(cpu);
    return { milliseconds, cpuMilliseconds: (user + system) / 1000 };
  };
}

/** Arrays of machines are made when they are first asked for: they are part of it. */
function load(image: Image): void {
  const started = performance.now();
  assert.equal(mirror.load(image), undefined);
  for (const prod of [false, true]) mirror.slots(args.policy, prod);
  loads.push(performance.now() - started);
}

function pass(nowMs: number): PassDone {
  for (const { id } of underway) mirror.drop(id);
  let waited = 0;
  for (const { indexes } of mirror.waiting.values()) waited += indexes.size;
  const spent = stopwatch();
  const { transactions, more, looks } = runPass(mirror, queue, { nowMs, id: () => `p${++ids}`, ...optionsOf(args) });
  const { milliseconds, cpuMilliseconds } = spent();
  underway = transactions;
  const { milliseconds: followMilliseconds, cpuMilliseconds: followCpuMilliseconds } = followed;
  followed = { milliseconds: 0, cpuMilliseconds: 0 };
  return { transactions, more, looks, waited, milliseconds, cpuMilliseconds, followMilliseconds, followCpuMilliseconds, loads };
}

port.on("message", (told: ToPassWorker) => {
  if (told["type"] === "pass") port.postMessage(pass(told["nowMs"] as number));
  else follow(told);
});
