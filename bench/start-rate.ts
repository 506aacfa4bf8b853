/**
 * What starting tasks costs a machine, without a cell above it: many tasks that only sleep. CPU is that of the borglet's machine, of shims and of jails until
 * every task lives, counted by a control group around this process. Then the borglet begins anew and adopts them all. Memory is what shim, log keepers
 * and jail have for themselves, beside the task; use is measured for ten seconds.
 */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Kept, newKept } from "../src/borglet/kept.ts";
import { KeptFile } from "../src/borglet/kept-file.ts";
import { findAbilities } from "../src/borglet/linux/abilities.ts";
import { nodeDirectory } from "../src/borglet/linux/area.ts";
import { Cgroups } from "../src/borglet/linux/cgroup.ts";
import type { CgroupHost } from "../src/borglet/linux/cgroup-host.ts";
import { LinuxMachine } from "../src/borglet/linux/host.ts";
import { Layout } from "../src/borglet/linux/layout.ts";
import { LOG_LIMITS } from "../src/borglet/linux/log-files.ts";
import { readTable } from "../src/borglet/linux/proc.ts";
import { readShim } from "../src/borglet/linux/run-files.ts";
import { UID_RANGE, Uids } from "../src/borglet/linux/uids.ts";
import type { FromMachine } from "../src/borglet/message.ts";
import { LAUNCHING_MAX } from "../src/borglet/reconcile.ts";
import { FilesDisk } from "../src/store/files.ts";
import { make } from "../src/wire/codec.ts";
import { StartOrderSchema } from "../src/wire/gen/borg/v1/machine_pb.ts";
import { type Figures, rounded } from "./figures.ts";

const WAIT_MS = 600_000;
/** Tasks whose memory is looked at. */
const LOOKED_AT = 50;
const USE_MS = 10_000;

export async function benchStartRate(count: number): Promise<Figures> {
  const stage = new Machine();
  const meter = new CpuMeter(stage.abilities.cgroups);
  try {
    const sinceMs = performance.now();
    const before = meter.ms() + stage.taskCpuMs();
    const kept = await stage.startAll(count);
    const seconds = (performance.now() - sinceMs) / 1000;
    const cpuMs = meter.ms() + stage.taskCpuMs() - before;
    await sleep(2000);
    const mib = stage.besideMib();
    const useMs = await stage.measuredMs(USE_MS);
    const adoptMs = await stage.adoptAll(kept);
    return {
      tasks: count,
      startsPerSecond: rounded(count / seconds, 1),
      cpuMsPerStart: rounded(cpuMs / count, 2),
      adoptMs: rounded(adoptMs, 1),
      mibPerTask: rounded(mib, 3),
      useCorePercent: rounded((useMs / USE_MS) * 100, 2),
      useCorePercentPer100Tasks: rounded((useMs / USE_MS) * 100 * (100 / count), 3),
    };
  } finally {
    await stage.close();
    meter.close();
  }
}

const instance = (i: number): string => `bench/sleep/${i}:${i + 1}`;

class Machine {
  readonly abilities = findAbilities();
  readonly #directory = realpathSync(mkdtempSync(join(tmpdir(), "borg-bench-rate-")));
  readonly #layout: Layout;
  readonly #cgroups: Cgroups | undefined;
  readonly #alive = new Set<string>();
  #disk: FilesDisk | undefined;
  #machine: LinuxMachine | undefined;

  constructor() {
    chmodSync(this.#directory, 0o711);
    const area = join(this.#directory, "area");
    mkdirSync(area);
    chmodSync(area, 0o711);
    this.#layout = new Layout(join(this.#directory, "state"), area);
    this.#cgroups = this.abilities.cgroups && new Cgroups(this.abilities.cgroups, `openborg-rate-${process.pid}`);
    this.#cgroups?.prepare({ cpuMilli: 0, ramBytes: 0 });
    this.#open();
  }

  #open(): LinuxMachine {
    const layout = this.#layout;
    this.#disk = new FilesDisk(layout.directory);
    const isRoot = this.abilities.user === "root";
    const machine = new LinuxMachine({
      layout,
      kept: new KeptFile(this.#disk, { salt: 1 }),
      abilities: this.abilities,
      cgroups: this.#cgroups,
      cell: "bench",
      uids: new Uids(layout.uids, UID_RANGE),
      logLimits: LOG_LIMITS,
      capacity: { cpuMilli: 0, ramBytes: 0, diskBytes: 0 },
      onlyUser: undefined,
      nodeDirectory: nodeDirectory(layout.area, isRoot),
      healthHost: "127.0.0.1",
      deliver: (message) => this.#hear(message),
      log: () => {},
    });
    this.#machine = machine;
    machine.begin();
    return machine;
  }

  #hear(message: FromMachine): void {
    if (message.type !== "seen") return;
    for (const seen of message.seen) if (seen.what === "alive") this.#alive.add(seen.instance);
  }

  /** As many on their way at a time as a borglet has. */
  async startAll(count: number): Promise<Kept[]> {
    const kept: Kept[] = [];
    for (const end = performance.now() + WAIT_MS; this.#alive.size < count; await sleep(2)) {
      if (performance.now() > end) throw new Error(`${this.#alive.size} of ${count} tasks live after ${WAIT_MS / 1000} s`);
      while (kept.length < count && kept.length - this.#alive.size < LAUNCHING_MAX) {
        const limit = { cpuMilli: 10, ramBytes: 2 ** 24 };
        const order = make(StartOrderSchema, {
          instance: instance(kept.length),
          priority: 100,
          task: { command: ["/bin/sleep", "100000"], limit },
        });
        this.#machine!.start(order, 1);
        kept.push({ ...newKept(order), phase: "running", run: 1 });
      }
    }
    return kept;
  }

  taskCpuMs(): number {
    return (this.#cgroups?.useOfAll()?.cpuNs ?? 0) / 1e6;
  }

  /** CPU of this process while use is measured. */
  async measuredMs(forMs: number): Promise<number> {
    const before = process.cpuUsage();
    await sleep(forMs);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  /** From the start of a new borglet until it knows of every task that it lives. */
  async adoptAll(kept: readonly Kept[]): Promise<number> {
    this.#machine!.close();
    this.#disk!.close();
    this.#alive.clear();
    const sinceMs = performance.now();
    const seen = this.#open().adopt(kept);
    await new Promise((done) => setImmediate(done));
    const tookMs = performance.now() - sinceMs;
    const alive = seen.filter(({ what }) => what === "alive").length;
    if (alive !== kept.length) throw new Error(`${alive} of ${kept.length} tasks were adopted`);
    return tookMs;
  }

  /** Of a shim with all that is around a task: what is nobody else's. */
  besideMib(): number {
    const names = readdirSync(this.#layout.runs).filter((name) => name.endsWith(".shim"));
    const table = readTable();
    const looked = names.slice(0, LOOKED_AT).map((name) => {
      const shim = readShim(join(this.#layout.runs, name.slice(0, -".shim".length)));
      const tree = [...table.values()].filter((stat) => isUnder(stat.pid, shim?.pid ?? -1, table));
      return tree.reduce((sum, { pid }) => sum + ownKib(pid), 0) / 1024;
    });
    return looked.reduce((sum, mib) => sum + mib, 0) / Math.max(1, looked.length);
  }

  async close(): Promise<void> {
    await this.#machine?.endAll(0);
    this.#machine?.close();
    this.#disk?.close();
    this.#cgroups?.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function isUnder(pid: number, shim: number, table: ReturnType<typeof readTable>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = table.get(at)?.ppid) if (at === shim) return true;
  return false;
}

/** The task itself is not counted. */
function ownKib(pid: number): number {
  try {
    if (readFileSync(`/proc/${pid}/comm`, "latin1") === "sleep\n") return 0;
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    return [...text.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].reduce((sum, [, kib]) => sum + Number(kib), 0);
  } catch {
    return 0;
  }
}

/** Of this process and of all that it starts and that joins no group of its own. Without control groups: of this process alone. */
class CpuMeter {
  readonly #host: CgroupHost | undefined;
  readonly #directory: string;

  constructor(host: CgroupHost | undefined) {
    this.#host = host;
    this.#directory = host === undefined ? "" : join(host.rootOf("cpuacct"), `openborg-meter-${process.pid}`);
    if (host === undefined) return;
    mkdirSync(this.#directory);
    writeFileSync(join(this.#directory, "cgroup.procs"), String(process.pid));
  }

  ms(): number {
    if (this.#host === undefined) {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    }
    const text = (file: string): string => readFileSync(join(this.#directory, file), "latin1");
    if (this.#host.version === 1) return Number(text("cpuacct.usage")) / 1e6;
    return Number(/^usage_usec (\d+)$/m.exec(text("cpu.stat"))?.[1] ?? 0) / 1000;
  }

  close(): void {
    if (this.#host === undefined) return;
    writeFileSync(join(this.#host.rootOf("cpuacct"), "cgroup.procs"), String(process.pid));
    rmdirSync(this.#directory);
  }
}
