/**
 * A client that never gives up: it submits jobs and kills some, one call at a time, and keeps what was acknowledged. Brief jobs end by themselves with an
 * exit code that must be told. Endless jobs run until they are killed: only a kill that is carried out ends them.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../src/base/random.ts";
import { CallError } from "../../src/rpc/call-error.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { HANG_MS, type RealCell } from "./real-cell.ts";

export const SIZES = { cpuMilli: 10, ramBytes: 8 * 2 ** 20 };
/** So many endless jobs of a client run at most: then it kills. */
const ENDLESS_MAX = 3;
/** What does not end at SIGTERM is killed after this. */
const NOTICE_MS = 200;

/** A tree: a child that left its session and its environment, one that ignores SIGTERM, and the program. Half of the programs ignore it too. */
const endlessScript = (isStubborn: boolean): string =>
  [
    isStubborn ? "trap '' TERM" : ":",
    "env -i setsid sleep 100000 &",
    "(trap '' TERM; while :; do sleep 100000; done) &",
    "while :; do sleep 100000; done",
  ].join("\n");

export class RestlessClient {
  /** With the exit code that each ends with. */
  readonly brief = new Map<string, number>();
  readonly endless = new Set<string>();
  readonly killed = new Set<string>();
  submits = 0;
  retries = 0;
  unknown = 0;
  readonly #cell: RealCell;
  readonly #name: string;
  readonly #random: Random;
  #next = 0;
  #paused = true;
  #stopped = false;
  #idle = true;

  constructor(cell: RealCell, name: string, random: Random) {
    this.#cell = cell;
    this.#name = name;
    this.#random = random;
  }

  async run(): Promise<void> {
    while (!this.#stopped) {
      this.#idle = this.#paused;
      if (this.#paused) await sleep(5);
      else await this.#step();
    }
  }

  go(): void {
    this.#paused = false;
  }

  /** Resolves when nothing of it is on its way any more. */
  async pause(): Promise<void> {
    this.#paused = true;
    while (!this.#idle) await sleep(5);
  }

  stop(): void {
    this.#stopped = true;
  }

  async #step(): Promise<void> {
    if (this.endless.size >= ENDLESS_MAX || (this.endless.size > 0 && this.#random.chance(0.35))) await this.#kill();
    else if (this.submits === 0 || this.#random.chance(0.5)) await this.#submitEndless();
    else await this.#submitBrief();
  }

  /** The last of its endless jobs; it must be paused. */
  async killAll(): Promise<void> {
    while (this.endless.size > 0) await this.#kill();
  }

  async #kill(): Promise<void> {
    const job = this.#random.pick([...this.endless]);
    await this.#sure((requestId) => this.#cell.client.killJob({ requestId, job }));
    this.endless.delete(job);
    this.killed.add(job);
  }

  async #submitEndless(): Promise<void> {
    const script = endlessScript(this.#random.chance(0.5));
    this.endless.add(await this.#submit(script, { noticeMs: NOTICE_MS }, RestartWhen.ALWAYS));
  }

  async #submitBrief(): Promise<void> {
    // Above 128 an exit code says, by custom, that a signal ended the program.
    const exit = this.#random.int(0, 120);
    this.brief.set(await this.#submit(`sleep ${this.#random.float().toFixed(2)}; exit ${exit}`, {}, RestartWhen.NEVER), exit);
  }

  async #submit(script: string, more: object, when: RestartWhen): Promise<string> {
    const name = `${this.#name}-${this.#next++}`;
    const task = { command: ["/bin/sh", "-c", script], limit: SIZES, ...more };
    const spec = { user: "tester", name, count: 1, priority: 100, task, restart: { when } };
    await this.#sure((requestId) => this.#cell.client.submitJob({ requestId, spec }));
    this.submits += 1;
    return `tester/${name}`;
  }

  /** The same id until there is an answer that is final. */
  async #sure(call: (requestId: string) => Promise<unknown>): Promise<void> {
    const requestId = `${this.#name}-${this.#next++}-${this.#random.int(0, 1e9)}`;
    for (const end = Date.now() + HANG_MS; Date.now() < end; await sleep(20)) {
      try {
        await call(requestId);
        return;
      } catch (error) {
        assert.ok(error instanceof CallError, String(error));
        assert.ok(["unavailable", "unknown", "unreachable"].includes(error.code), `${error.code}: ${error.message}`);
        this.retries += 1;
        if (error.code === "unknown") this.unknown += 1;
      }
    }
    assert.fail(`Request ${requestId} was not answered\n${this.#cell.logs()}`);
  }
}
