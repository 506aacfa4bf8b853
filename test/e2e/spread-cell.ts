/**
 * A real cell with three masters on three machines, each a network namespace with a home, a wall clock and a cable of its own, and a bad wire before its member of etcd: as
 * docs/operations/machines.md makes it. Its API is asked at each machine's own socket, which lies in a file and so is reached from outside. `close` ends everything.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { DataDirectory } from "../../src/daemon/data.ts";
import { etcdPorts } from "../../src/daemon/replicas.ts";
import { FAIR, type Weather } from "../etcd/proxy.ts";
import type { Order } from "../etcd/proxy-process.ts";
import { Networks } from "./networks.ts";
import { ReplicatedCell } from "./replicated-cell.ts";
import { newcomersEnv, type Ran, ran } from "./typist.ts";

const NAME = "cc";
const MACHINES = ["one", "two", "three"] as const;
type Machine = (typeof MACHINES)[number];
/** Behind the wire, in a network where nobody else listens. */
const BEHIND_PORT = 2379;

/** The machines, before there is a cell on them. */
class Site {
  readonly root = mkdtempSync(join(tmpdir(), "borg-spread-"));
  readonly networks = new Networks(MACHINES);
  readonly #wires = new Map<Machine, ChildProcess>();

  /** Masters and etcd are another user than root, and must get at the clocks and at what is started for etcd. */
  make(): void {
    assert.ok(this.networks.make(), "networks");
    chmodSync(this.root, 0o755);
    mkdirSync(join(this.root, "bin"));
    writeFileSync(join(this.root, "bin", "etcd"), memberBehindWire(), { mode: 0o755 });
    for (const machine of MACHINES) {
      mkdirSync(this.home(machine), { mode: 0o700 });
      this.setClock(machine, 0);
    }
  }

  home(machine: Machine): string {
    return join(this.root, machine);
  }

  env(machine: Machine): NodeJS.ProcessEnv {
    const env = newcomersEnv(this.home(machine));
    const clock = `--import=${new URL("wrong-clock.ts", import.meta.url).href}`;
    const [NODE_OPTIONS, PATH] = [`${clock} ${env["NODE_OPTIONS"] ?? ""}`, `${join(this.root, "bin")}:${env["PATH"]}`];
    return { ...env, NODE_OPTIONS, PATH, WRONG_CLOCK: this.#clock(machine) };
  }

  async borg(machine: Machine, ...args: readonly string[]): Promise<Ran> {
    const words = [...this.networks.on(machine), process.execPath, ...entryPoint(), ...args];
    return ran("ip", words, { env: this.env(machine), cwd: this.home(machine) });
  }

  async good(machine: Machine, ...args: readonly string[]): Promise<void> {
    const { code, out, err } = await this.borg(machine, ...args);
    assert.equal(code, 0, `${machine}: borg ${args.join(" ")}\n${out}\n${err}`);
  }

  data(machine: Machine): DataDirectory {
    return new DataDirectory(join(this.home(machine), ".local", "state", "borg", NAME));
  }

  /** All etcd's clients come through it: the masters, and the test. */
  wire(machine: Machine, port: number, seed: number): void {
    const program = new URL("../etcd/proxy-process.ts", import.meta.url).pathname;
    const args = [program, this.networks.address(machine), String(port), String(BEHIND_PORT), String(seed)];
    const words = [...this.networks.on(machine), process.execPath, ...args];
    this.#wires.set(machine, spawn("ip", words, { stdio: ["ignore", "inherit", "inherit", "ipc"] }));
  }

  tell(machine: Machine, order: Order): void {
    this.#wires.get(machine)?.send(order);
  }

  setClock(machine: Machine, aheadMs: number): void {
    const file = this.#clock(machine);
    writeFileSync(`${file}.new`, String(aheadMs));
    renameSync(`${file}.new`, file);
  }

  #clock(machine: Machine): string {
    return join(this.root, `${machine}.clock`);
  }

  remove(): void {
    for (const wire of this.#wires.values()) wire.kill("SIGKILL");
    this.networks.remove();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** What is started for "etcd": the real one, which hears its clients behind the wire. */
function memberBehindWire(): string {
  const etcd = execFileSync("sh", ["-c", "command -v etcd"], { encoding: "utf8" }).trim();
  return `#!/bin/sh
for word; do
  [ "$last" = --listen-client-urls ] && word=https://127.0.0.1:${BEHIND_PORT}
  last=$word
  set -- "$@" "$word"
  shift
done
exec ${etcd} "$@"
`;
}

const machineOf = (replica: number): Machine => MACHINES[replica - 1]!;

export class SpreadCell extends ReplicatedCell {
  readonly #site: Site;
  #asked = 0;

  static override async start(seed = 1): Promise<SpreadCell> {
    const site = new Site();
    try {
      site.make();
      for (const [i, machine] of MACHINES.entries()) {
        const address = ["--address", site.networks.address(machine)];
        if (i === 0) await site.good(machine, "init", "--cell", NAME, ...address);
        else {
          const ticket = join(site.root, `${machine}.ticket`);
          await site.good("one", "replica", "invite", "--out", ticket);
          await site.good(machine, "join", ticket, ...address);
        }
        site.wire(machine, etcdPorts(site.data(machine).readCell()!, i + 1).client, seed + i);
        await site.good(machine, "up", "--detach");
      }
      return new SpreadCell(site);
    } catch (error) {
      for (const machine of MACHINES) await site.borg(machine, "down", "--kill");
      site.remove();
      throw error;
    }
  }

  private constructor(site: Site) {
    // The last one to join knows all.
    super(site.root, site.data("three").path, site.env("three"));
    this.#site = site;
  }

  override dataOf(replica: number): DataDirectory {
    return this.#site.data(machineOf(replica));
  }

  override get machines(): number {
    return MACHINES.length;
  }

  /** One after the other, also those that are cut off. */
  protected override front(): DataDirectory {
    this.#asked += 1;
    return this.#site.data(MACHINES[this.#asked % MACHINES.length]!);
  }

  /** The machine of a replica is cut off from all others. */
  cutOff(replica: number, is: boolean): void {
    this.#site.networks.cable(machineOf(replica), is ? "down" : "up");
  }

  /** It hears the others, and nobody hears it. */
  mute(replica: number, is: boolean): void {
    this.#site.networks.mute(machineOf(replica), is);
  }

  /** The others hear it, and it hears nobody. */
  deafen(replica: number, is: boolean): void {
    this.#site.networks.deafen(machineOf(replica), is);
  }

  /** Two do not hear each other; the third hears both. */
  part(one: number, other: number, are: boolean): void {
    this.#site.networks.part(machineOf(one), machineOf(other), are);
  }

  /** Between all clients of etcd and its members; what is muted then stays so until its connection is cut. */
  weather(weather: Weather): void {
    for (const machine of MACHINES) {
      this.#site.tell(machine, { weather });
      if (weather === FAIR) this.#site.tell(machine, "cut");
    }
  }

  setClock(replica: number, aheadMs: number): void {
    this.#site.setClock(machineOf(replica), aheadMs);
  }

  override async close(): Promise<void> {
    this.wake();
    const downs = await Promise.all(MACHINES.map((machine) => this.#site.borg(machine, "down", "--kill")));
    this.#site.remove();
    for (const { code, err } of downs) assert.equal(code, 0, err);
  }
}
