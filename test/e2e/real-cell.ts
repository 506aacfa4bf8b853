/**
 * A real cell for a test: the processes that `borg up` starts, in a directory of its own, with ports of its own, and a configuration that is nobody else's.
 * The test is the supervisor, so that it decides when what dies comes back, and can read the journal in between. `close` ends everything.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { applyEntry, newState } from "../../src/cell/cell.ts";
import { stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { stateViolations } from "../../src/cell/invariants.ts";
import { decodeEntry, type Op } from "../../src/cell/op.ts";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { DataDirectory, newCellId } from "../../src/daemon/data.ts";
import { Keys } from "../../src/daemon/keys.ts";
import { machineShares } from "../../src/daemon/machine-share.ts";
import { MASTER_ENVIRONMENT } from "../../src/daemon/master-environment.ts";
import { firstPortOf } from "../../src/daemon/port-slots.ts";
import { type CellClient, connectCell } from "../../src/rpc/client.ts";
import { FilesDisk } from "../../src/store/files.ts";
import { Log } from "../../src/store/log.ts";
import type { TaskView } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { PLANTED, type Ran, ran } from "./typist.ts";

/** Nothing here takes so long unless it hangs. */
export const HANG_MS = 60_000;
const LOOK_MS = 30;

export class RealCell {
  /** No other cell of this machine has it, so its tasks can be told from theirs. */
  readonly name: string;
  readonly data: DataDirectory;
  readonly url: string;
  readonly client: CellClient;
  readonly env: NodeJS.ProcessEnv;
  readonly #home: string;
  readonly #machines: number;
  readonly #processes = new Map<string, ChildProcess>();
  #replayed = newState();

  /** `host`: the address that it listens at. */
  static async start(machines = 1, host = "127.0.0.1"): Promise<RealCell> {
    const cell = new RealCell(machines, await freePort(), host);
    await new Keys(cell.data, cell.name).prepare([host], ["m1", ...cell.machines], Date.now());
    cell.startMaster();
    for (const machine of cell.machines) cell.startBorglet(machine);
    try {
      await cell.ready();
    } catch (error) {
      await cell.close();
      throw error;
    }
    return cell;
  }

  private constructor(machines: number, port: number, host: string) {
    this.#home = mkdtempSync(join(tmpdir(), "borg-e2e-"));
    this.#machines = machines;
    this.data = new DataDirectory(join(this.#home, "cell"));
    this.name = `test-${port}`;
    this.data.writeCell({ cell: this.name, id: newCellId(), owner: "tester", host, port, linkPort: port + 1, machines });
    this.url = `unix:${this.data.socket("api")}`;
    this.client = connectCell({ at: { kind: "unix", path: this.data.socket("api") }, timeoutMs: 5000 });
    this.env = {
      ...process.env,
      ...PLANTED,
      HOME: this.#home,
      XDG_CONFIG_HOME: "",
      XDG_STATE_HOME: "",
      BORG_MASTER: this.url,
    };
  }

  get machines(): readonly string[] {
    return machineShares(this.#machines, this.data.path, 20_000).map(({ machine }) => machine);
  }

  startMaster(): void {
    this.#start("master", ["internal-master", "--data", this.data.path]);
  }

  /** Who keeps its history, and answers questions about it. */
  startHistory(): void {
    this.#start("infrastore", ["internal-infrastore", "--data", this.data.path]);
  }

  startBorglet(machine: string): void {
    const share = machineShares(this.#machines, this.data.path, firstPortOf(this.data.readCell()!)).find(
      (each) => each.machine === machine,
    );
    this.#start(machine, ["internal-borglet", "--data", this.data.path, "--share", JSON.stringify(share)]);
  }

  pid(name: string): number {
    const pid = this.#processes.get(name)?.pid;
    assert.ok(pid !== undefined, `${name} does not run`);
    return pid;
  }

  signal(name: string, signal: NodeJS.Signals): void {
    process.kill(this.pid(name), signal);
  }

  /** kill -9, and waits until it is gone. */
  async kill(name: string): Promise<void> {
    const child = this.#processes.get(name);
    assert.ok(child !== undefined, `${name} does not run`);
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    this.#processes.delete(name);
  }

  /** Until every machine answers and the owner has quota for whatever tests want. */
  async ready(): Promise<void> {
    await this.until("the cell to be ready", async () => (await this.client.getCell({})).machinesReachable >= this.#machines);
    await this.client.setQuota({ requestId: "batch", user: "tester", band: Band.BATCH, quota: { unlimited: true } });
  }

  /** Asks again and again; a call that fails asks again too. */
  async until(what: string, isTrue: () => Promise<boolean> | boolean, withinMs = HANG_MS): Promise<void> {
    let last = "";
    for (const end = Date.now() + withinMs; Date.now() < end; await sleep(LOOK_MS)) {
      try {
        if (await isTrue()) return;
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
      }
    }
    assert.fail(`Waited in vain for ${what}${last === "" ? "" : `; last: ${last}`}\n${this.logs()}`);
  }

  async tasks(job: string): Promise<readonly TaskView[]> {
    return (await this.client.getJob({ job })).tasks;
  }

  async running(job: string, count: number): Promise<readonly TaskView[]> {
    let found: readonly TaskView[] = [];
    await this.until(`${count} running tasks of ${job}`, async () => {
      found = (await this.tasks(job)).filter((task) => task.state === "running");
      return found.length === count;
    });
    return found;
  }

  /** The borg command, as a person would type it. */
  borg(...args: readonly string[]): Promise<Ran> {
    return ran(process.execPath, [...entryPoint(), ...args], { env: this.env });
  }

  /** Replays a copy of the journal up to a position: from its first entry, or on from where the replay before ended. Nobody may be writing to it. */
  replay(position: number, from: "start" | "before" = "start"): string {
    const copy = join(this.#home, `copy-${position}-${Date.now()}`);
    cpSync(join(this.data.path, "journal"), copy, { recursive: true });
    const disk = new FilesDisk(copy);
    const log = Log.open(disk, { cell: this.name, wall: () => Date.now() });
    if (from === "start") this.#replayed = newState();
    const state = this.#replayed;
    while (state.position < position) {
      const read = log.read(state.position + 1, 2 ** 24);
      assert.ok(read.ok && read.value.length > 0, `The journal ends at ${state.position}, before ${position}`);
      for (const each of read.value) {
        const entry = decodeEntry(each.payload);
        assert.ok(entry.ok, entry.ok ? "" : entry.reason);
        if (state.position < position) applyEntry(state, each.position, entry.value);
      }
    }
    assert.deepEqual(stateViolations(state), []);
    disk.close();
    rmSync(copy, { recursive: true, force: true });
    return stateHash(state);
  }

  /** Every op of the journal, from its first entry on. Nobody may be writing to it. */
  ops(): readonly Op[] {
    const copy = join(this.#home, `copy-ops-${Date.now()}`);
    cpSync(join(this.data.path, "journal"), copy, { recursive: true });
    const disk = new FilesDisk(copy);
    const log = Log.open(disk, { cell: this.name, wall: () => Date.now() });
    assert.equal(log.first, 1, "what came first is not there any more");
    const ops: Op[] = [];
    for (let position = 1; position <= log.last; ) {
      const read = log.read(position, 2 ** 24);
      assert.ok(read.ok && read.value.length > 0, `The journal ends before ${position}`);
      for (const each of read.value) {
        const entry = decodeEntry(each.payload);
        assert.ok(entry.ok, entry.ok ? "" : entry.reason);
        ops.push(...entry.value.ops);
        position = each.position + 1;
      }
    }
    disk.close();
    rmSync(copy, { recursive: true, force: true });
    return ops;
  }

  logs(): string {
    return readdirSync(this.data.logs)
      .map((name) => `--- ${name}\n${readFileSync(join(this.data.logs, name), "utf8").slice(-3000)}`)
      .join("\n");
  }

  async close(): Promise<void> {
    this.client.close();
    for (const machine of this.machines) {
      if (!this.#processes.has(machine)) this.startBorglet(machine);
      this.#processes.get(machine)?.kill("SIGCONT");
    }
    await sleep(300);
    const borglets = [...this.#processes].filter(([name]) => name !== "master").map(([, child]) => child);
    await Promise.all(borglets.map((child) => ended(child, "SIGUSR2")));
    const master = this.#processes.get("master");
    if (master !== undefined) await ended(master, "SIGKILL");
    for (const pid of instancePids(this.name).values()) process.kill(pid, "SIGKILL");
    rmSync(this.#home, { recursive: true, force: true });
  }

  #start(name: string, args: readonly string[]): void {
    const log = openSync(join(this.data.logs, `${name}.log`), "a");
    const env = name === "master" ? { ...MASTER_ENVIRONMENT, ...this.env } : this.env;
    const child = spawn(process.execPath, [...entryPoint(), ...args], { env, stdio: ["ignore", log, log] });
    this.#processes.set(name, child);
  }
}

/** Tells it to end, and waits; a process that does not is killed. */
async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await gone;
  clearTimeout(timer);
}

/** The first process of every instance of a cell that runs on this machine, by the names in its environment. */
export function instancePids(cell: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const pid of readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)) {
    const environment = read(`/proc/${pid}/environ`);
    const instance = /(?:^|\0)BORG_INSTANCE=([^\0]*)/.exec(environment)?.[1];
    if (instance === undefined || found.has(instance) || !environment.includes(`BORG_CELL=${cell}\0`)) continue;
    found.set(instance, pid);
  }
  return found;
}

/** A zombie is dead. */
export const isAlive = (pid: number): boolean => /^\d+ \(.*\) [^ZX]/s.test(read(`/proc/${pid}/stat`));

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Two in a row that nobody has. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = 9000 + 2 * Math.floor(Math.random() * 5000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error("Cannot find two free ports");
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => server.close(() => resolve(true)));
  });
