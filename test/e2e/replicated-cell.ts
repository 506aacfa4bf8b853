/**
 * A real cell with three masters and three members of etcd, as `borg up --replicas 3` starts it, with faults, and a client that writes down what was acknowledged. The
 * cell's own supervisor starts again what dies. `close` ends everything.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { type CellFile, DataDirectory } from "../../src/daemon/data.ts";
import { headOf, type MemberStatus, memberStatus, type ReplicaStatus, replicaStatus } from "../../src/daemon/replica-status.ts";
import { replicaSocket, replicasOf } from "../../src/daemon/replicas.ts";
import { CallError } from "../../src/rpc/call-error.ts";
import { type CellClient, connectCell } from "../../src/rpc/client.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { instancePids } from "./real-cell.ts";
import { type Ran, ran } from "./typist.ts";

/** Nothing here takes so long unless it hangs. */
const HANG_MS = 60_000;
/** What one more task may take to start, on a machine that does other things. */
const TASK_MS = 1000;
const LOOK_MS = 25;
/** Until a replica answers a confirmed read. */
const READ_MS = 10_000;
/** Ports from the cell's own on: two for each replica, and for each member of etcd. */
const PORTS = 30;
/** A call that is not answered by then is asked again, on a connection of its own. */
const TRY_MS = 1000;

export class ReplicatedCell {
  readonly data: DataDirectory;
  readonly cell: CellFile;
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #home: string;
  readonly #acknowledged: string[] = [];
  #changes = 0;

  static async start(machines = 1): Promise<ReplicatedCell> {
    const home = mkdtempSync(join(tmpdir(), "borg-replicas-"));
    const port = await freePorts();
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: "", XDG_STATE_HOME: "", BORG_MASTER: "" };
    const path = join(home, "cell");
    const args = [
      "up",
      "--detach",
      "--replicas",
      "3",
      "--machines",
      String(machines),
      "--cell",
      `test-${port}`,
      "--port",
      String(port),
      "--data",
      path,
    ];
    const { code, out, err } = await ran(process.execPath, [...entryPoint(), ...args], { env });
    const logs = code === 0 ? "" : logsOf(join(path, "log"));
    assert.equal(code, 0, `${out}\n${err}\n${logs}`);
    return new ReplicatedCell(home, path, env);
  }

  protected constructor(home: string, path: string, env: NodeJS.ProcessEnv) {
    this.#home = home;
    this.data = new DataDirectory(path);
    this.cell = this.data.readCell()!;
    this.name = this.cell.cell;
    this.env = env;
  }

  /** Of the machine that has this replica: here all are on one. */
  dataOf(_replica: number): DataDirectory {
    return this.data;
  }

  /** Of the machine whose shared address is asked next; it passes on to whoever leads. */
  protected front(): DataDirectory {
    return this.data;
  }

  /** How many machines run tasks. */
  get machines(): number {
    return this.cell.machines;
  }

  borg(...args: readonly string[]): Promise<Ran> {
    return ran(process.execPath, [...entryPoint(), ...args], { env: this.env });
  }

  /** At the cell's own address; `replica`: at that one's. */
  client(replica?: number, timeoutMs = TRY_MS): CellClient {
    const path = replica === undefined ? this.front().socket("api") : replicaSocket(this.dataOf(replica).replicas, replica, "api");
    return connectCell({ at: { kind: "unix", path }, timeoutMs });
  }

  async call<T>(ask: (client: CellClient) => Promise<T>, replica?: number, timeoutMs = TRY_MS): Promise<T> {
    const client = this.client(replica, timeoutMs);
    try {
      return await ask(client);
    } finally {
      client.close();
    }
  }

  pid(name: string): number {
    const id = this.dataOf(Number(/[0-9]+$/.exec(name)?.[0])).readRun()?.processes[name];
    assert.ok(id !== undefined, `${name} does not run`);
    return id.pid;
  }

  signal(name: string, signal: NodeJS.Signals): number {
    const pid = this.pid(name);
    process.kill(pid, signal);
    return pid;
  }

  async leader(): Promise<number> {
    let found: number | undefined;
    await this.until("a leader", async () => {
      const all = await this.#replicas();
      found = all.find(({ view }) => view?.role === "leading")?.replica;
      return found !== undefined;
    });
    return found!;
  }

  async etcdLeader(): Promise<number> {
    let found: number | undefined;
    await this.until("a leader of etcd", async () => {
      const all = await this.#members();
      found = all.find(({ isLeader }) => isLeader)?.member;
      return found !== undefined;
    });
    return found!;
  }

  /** Everyone is there: one leads, two follow and are current, all members of etcd answer, and every machine is linked to the shard that has it. */
  async whole(): Promise<void> {
    await this.until("the cell to be whole", async () => {
      const [replicas, members, head] = await Promise.all([this.#replicas(), this.#members(), headOf(this.data, this.cell)]);
      const roles = replicas.map(({ view }) => view?.role ?? "").sort();
      const isCurrent = replicas.every(({ view }) => view !== undefined && head !== undefined && view.position + 5 >= head.position);
      const areThere = members.every(({ answers }) => answers) && roles.join() === "following,following,leading";
      const { machines } = this;
      const links = replicas.reduce((sum, { view }) => sum + (view?.links ?? 0), 0);
      return (
        isCurrent && areThere && links === machines && (await this.call((client) => client.getCell({}))).machinesReachable === machines
      );
    });
  }

  #replicas(): Promise<readonly ReplicaStatus[]> {
    return Promise.all(replicasOf(this.cell).map((replica) => replicaStatus(this.dataOf(replica), replica)));
  }

  #members(): Promise<readonly MemberStatus[]> {
    return Promise.all(replicasOf(this.cell).map((member) => memberStatus(this.data, this.cell, member)));
  }

  /** One try of a change that nobody asked for before; its answer in words when it is not done. */
  async tryChange(user: string, replica?: number): Promise<CallError | undefined> {
    try {
      await this.call((client) => grant(client, user), replica, 3 * TRY_MS);
      this.#acknowledged.push(user);
      return undefined;
    } catch (error) {
      if (error instanceof CallError) return error;
      throw error;
    }
  }

  async resize(job: string, count: number): Promise<void> {
    this.#changes += 1;
    const requestId = `resize-${this.#changes}`;
    await this.until(`${job} to be resized`, async () => {
      await this.call((client) => client.resizeJob({ requestId, job: `${this.cell.owner}/${job}`, count }));
      return true;
    });
  }

  freshUser(): string {
    this.#changes += 1;
    return `u${this.#changes}`;
  }

  /** The same change again and again until it is acknowledged: how long that took. */
  async changeMs(): Promise<number> {
    const begin = performance.now();
    const user = this.freshUser();
    await this.until("an acknowledged change", async () => {
      const problem = await this.call((client) => grant(client, user)).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (problem instanceof CallError && !AGAIN.has(problem.code)) assert.fail(problem.message);
      if (problem !== undefined) throw problem;
      return true;
    });
    this.#acknowledged.push(user);
    return performance.now() - begin;
  }

  /** Users of acknowledged changes that a replica does not show. One that has not heard of a new term yet is asked again, as any client does. */
  async lost(replica?: number): Promise<readonly string[]> {
    let shown = new Set<string>();
    await this.until(
      `a confirmed read of replica ${replica ?? "any"}`,
      async () => {
        const { users } = await this.call((client) => client.listUsers({}), replica, 5 * TRY_MS);
        shown = new Set(users.map(({ name }) => name));
        return true;
      },
      READ_MS,
    );
    return this.#acknowledged.filter((user) => !shown.has(user));
  }

  /** Users of acknowledged changes that this answer does not name. */
  unseen(answer: string): readonly string[] {
    return this.#acknowledged.filter((user) => !answer.includes(`"${user}"`));
  }

  /** Tasks that only sleep, and their first processes, by instance. */
  async sleepers(count: number): Promise<ReadonlyMap<string, number>> {
    const file = join(this.#home, "sleepers.bcl");
    writeFileSync(file, `job sleepers = { command = ["/bin/sleep", "100000"], count = ${count}, cpu = 1m, ram = 8Mi, disk = 1Mi }\n`);
    const { code, err } = await this.borg("submit", file);
    assert.equal(code, 0, err);
    await this.until(`${count} tasks to run`, () => instancePids(this.name).size === count, HANG_MS + count * TASK_MS);
    return instancePids(this.name);
  }

  async until(what: string, isTrue: () => Promise<boolean> | boolean, withinMs = HANG_MS): Promise<void> {
    let last = "";
    for (const end = performance.now() + withinMs; performance.now() < end; await sleep(LOOK_MS)) {
      try {
        if (await isTrue()) return;
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        last = error instanceof Error ? error.message : String(error);
      }
    }
    const logs = [...new Set(replicasOf(this.cell).map((replica) => this.dataOf(replica).logs))];
    assert.fail(`Waited in vain for ${what}; last: ${last}\n${logs.map(logsOf).join("\n")}`);
  }

  async close(): Promise<void> {
    this.wake();
    const { code, err } = await this.borg("down", "--kill", "--data", this.data.path);
    assert.equal(code, 0, err);
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** What is stopped goes on. */
  protected wake(): void {
    for (const data of new Set(replicasOf(this.cell).map((replica) => this.dataOf(replica)))) {
      for (const { pid } of Object.values(data.readRun()?.processes ?? {})) {
        try {
          process.kill(pid, "SIGCONT");
        } catch {}
      }
    }
  }
}

/** Codes of calls that may be asked again. */
const AGAIN: ReadonlySet<string> = new Set(["unavailable", "unreachable", "unknown"]);

const grant = (client: CellClient, user: string): Promise<unknown> =>
  client.grantUser({ requestId: `grant-${user}`, user, roles: [Role.VIEWER] });

function logsOf(directory: string): string {
  return readdirSync(directory)
    .map((name) => `--- ${name}\n${readFileSync(join(directory, name), "utf8").slice(-1500)}`)
    .join("\n");
}

async function freePorts(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const first = 9000 + PORTS * Math.floor(Math.random() * 300);
    const all = await Promise.all(Array.from({ length: PORTS }, (_, i) => isFree(first + i)));
    if (all.every((free) => free)) return first;
  }
  throw new Error("Cannot find free ports");
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => server.close(() => resolve(true)));
  });
