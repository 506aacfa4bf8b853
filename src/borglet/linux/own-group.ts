/**
 * Where the borglet itself is on the processor, with the shims, jails and helpers that it starts: beside the bands, a tenth of prod and a thousand times batch. Else what a bad neighbour makes
 * the borglet do (kill what it forked, start it again, count its files) would run as an equal of all tasks together. In version 1 only: there a process can be in
 * one group for the processor and in another for its memory.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeGroup, removeGroup, write } from "./cgroup-files.ts";
import type { CgroupHost } from "./cgroup-host.ts";
import { Knobs } from "./cgroup-knobs.ts";

const NAME = "borglet";
const WEIGHT = 1000;
/** Two seconds: then the group stays, and the next borglet of this machine finds it. */
const EMPTY_TRIES = 100;
const EMPTY_EVERY_MS = 20;

export class OwnGroup {
  readonly #top: string;
  readonly #directory: string;

  /** `parent`: the group that the bands are in. */
  constructor(host: CgroupHost, parent: string) {
    this.#top = host.rootOf("cpu");
    this.#directory = join(this.#top, parent, NAME);
    makeGroup(this.#directory);
    new Knobs(host.version).weigh(this.#directory, WEIGHT);
    write(this.#directory, "cgroup.procs", String(process.pid));
  }

  /** Shims of tasks that live stay. Where all were ended, the last of what kept them may be on its way out: it is waited for. */
  async leave(allEnded: boolean): Promise<void> {
    write(this.#top, "cgroup.procs", String(process.pid));
    for (let tries = allEnded ? EMPTY_TRIES : 1; tries > 0 && !removeGroup(this.#directory); tries--) await sleep(EMPTY_EVERY_MS);
  }
}

/** Where tasks have only a part of the host's processors, the borglet would be held to that part with them. */
export const canJoin = (host: CgroupHost, cpuMilli: number): boolean =>
  host.version === 1 && host.rootOf("cpu") !== host.rootOf("memory") && cpuMilli >= availableParallelism() * 1000;
