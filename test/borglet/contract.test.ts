/** The Linux machine under the suite that the simulated one passes too: real processes, with and without a jail and control groups. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type MachineSubject, machineContract, type Program } from "../../src/borglet/contract.ts";
import { KeptFile } from "../../src/borglet/kept-file.ts";
import { type Abilities, findAbilities } from "../../src/borglet/linux/abilities.ts";
import { nodeDirectory } from "../../src/borglet/linux/area.ts";
import { Cgroups, signal } from "../../src/borglet/linux/cgroup.ts";
import { LinuxMachine } from "../../src/borglet/linux/host.ts";
import { Layout } from "../../src/borglet/linux/layout.ts";
import { LOG_LIMITS } from "../../src/borglet/linux/log-files.ts";
import { UID_RANGE, Uids } from "../../src/borglet/linux/uids.ts";
import { FilesDisk } from "../../src/store/files.ts";
import { make } from "../../src/wire/codec.ts";
import { LogStream } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { StartOrderSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { asNobody, isRoot, unreachable } from "../nobody.ts";
import { isAlive } from "./stage.ts";

const shell = (script: string): readonly string[] => ["/bin/sh", "-c", script];
const COMMANDS: Readonly<Record<Program, readonly string[]>> = {
  serve: shell("echo up; exec sleep 1000"),
  // A tree that forks, leaves its session and its parents, and listens to nothing but SIGKILL.
  deaf: shell("trap '' TERM; echo up; (setsid sh -c 'trap \"\" TERM; sleep 1000' &) ; while :; do sleep 1000; done"),
  fail: shell("echo up; sleep 0.1; exit 1"),
  exit137: shell("echo up; sleep 0.1; exit 137"),
  die9: shell("echo up; sleep 0.1; kill -9 $$"),
};
const PLAIN_MS_MAX = 240_000;
let subjects = 0;

class LinuxSubject implements MachineSubject {
  readonly #abilities: Abilities;
  readonly #directory = realpathSync(mkdtempSync(join(tmpdir(), "openborg-contract-")));
  readonly #layout: Layout;
  readonly #cgroups: Cgroups | undefined;
  #machine: LinuxMachine | undefined;
  #disk: FilesDisk | undefined;

  constructor(abilities: Abilities) {
    this.#abilities = abilities;
    chmodSync(this.#directory, 0o711);
    const area = join(this.#directory, "area");
    mkdirSync(area);
    chmodSync(area, 0o711);
    this.#layout = new Layout(join(this.#directory, "state"), area);
    this.#cgroups = abilities.cgroups && new Cgroups(abilities.cgroups, `openborg-contract-${process.pid}-${++subjects}`, area);
    this.#cgroups?.prepare({ cpuMilli: 2000, ramBytes: 4 * 2 ** 30 });
  }

  open(deliver: ConstructorParameters<typeof LinuxMachine>[0]["deliver"]): LinuxMachine {
    const layout = this.#layout;
    this.#disk = new FilesDisk(layout.directory);
    this.#machine = new LinuxMachine({
      layout,
      kept: new KeptFile(this.#disk, { salt: 1 }),
      abilities: this.#abilities,
      cgroups: this.#cgroups,
      cell: "test",
      uids: new Uids(layout.uids, UID_RANGE),
      logLimits: LOG_LIMITS,
      capacity: { cpuMilli: 2000, ramBytes: 2 ** 32, diskBytes: 2 ** 30 },
      onlyUser: undefined,
      nodeDirectory: nodeDirectory(layout.area, this.#abilities.user === "root"),
      healthHost: "127.0.0.1",
      deliver,
      log: () => {},
    });
    this.#machine.begin();
    return this.#machine;
  }

  close(): void {
    this.#machine?.close();
    this.#disk?.close();
    this.#machine = undefined;
  }

  get limitsDisk(): boolean {
    return this.#cgroups?.limitsDisk ?? false;
  }

  get mark(): string {
    return this.#layout.mark;
  }

  step(): Promise<void> {
    return sleep(20);
  }

  /** Ends everything, shims too, and makes their words those of another boot. */
  async reboot(): Promise<void> {
    // Again and again: a jail that is still being made forks once more.
    for (let left = this.#pids(""); left.length > 0; left = this.#pids("")) {
      for (const pid of left) signal(pid, "SIGKILL");
      await sleep(20);
    }
    for (const name of readdirSync(this.#layout.runs).filter((each) => /\.(shim|pid)$/.test(each))) {
      const path = join(this.#layout.runs, name);
      writeFileSync(path, readFileSync(path, "latin1").replace(/ \S+\n$/, " another-boot\n"));
    }
  }

  async discard(): Promise<void> {
    await this.reboot();
    const machine = this.open(() => {});
    machine.adopt([]);
    this.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  command(program: Program): readonly string[] {
    return COMMANDS[program];
  }

  lives(instance: string): boolean {
    return this.#pids(instance).some((pid) => isAlive(pid));
  }

  /** Processes with an instance's mark; of none in particular: all of our tasks, and their shims. */
  #pids(instance: string): number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map(Number)
      .filter((pid) => isAlive(pid) && this.#isOurs(pid, instance));
  }

  #isOurs(pid: number, instance: string): boolean {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
      const words = readFileSync(`/proc/${pid}/cmdline`, "latin1");
      const isMarked = environment.includes(this.#layout.area) || words.includes(this.#directory);
      if (instance === "") return isMarked || this.#isMain(pid);
      return `\0${environment}`.includes(`\0BORG_MARK=${this.#layout.mark} ${instance}\0`) && !words.includes("borg-shim");
    } catch {
      return false;
    }
  }

  /** In a jail a task's environment names no directory of ours; its first process is in a run file. */
  #isMain(pid: number): boolean {
    return readdirSync(this.#layout.runs).some(
      (name) => name.endsWith(".pid") && readFileSync(join(this.#layout.runs, name), "latin1").startsWith(`${pid} `),
    );
  }
}

const best = findAbilities();
const plain = findAbilities({ without: ["bubblewrap", "cgroups"] });
machineContract(`Linux machine, ${plain.user}, plain processes`, () => new LinuxSubject(plain));
if (best.jail !== plain.jail || best.cgroup !== plain.cgroup)
  machineContract(`Linux machine, ${best.user}, jail ${best.jail}, cgroup ${best.cgroup}`, () => new LinuxSubject(best));

/** A plain user's machine is another one. This file is run once more by one, for the rules alone. */
const OWN = fileURLToPath(import.meta.url);
test("Linux machine, plain user: the rules hold with a jail and as plain processes, when root runs this file too [borglet.M1] [Z10]", {
  skip: (isRoot ? unreachable(OWN) : "needs root") || false,
}, (t) => {
  const [program = "", ...words] = [
    ...asNobody,
    process.execPath,
    "--test",
    "--test-reporter=tap",
    "--test-name-pattern=^Linux machine, plain,",
    OWN,
  ];
  const env = { PATH: "/usr/bin:/bin", MUTANT: process.env["MUTANT"] ?? "" };
  const { status, stdout } = spawnSync(program, words, { env, encoding: "utf8", timeout: PLAIN_MS_MAX });
  const rules = [...stdout.matchAll(/^ *(?:not )?ok \d+ - Linux machine, plain, (.*?): .*$/gm)];
  t.diagnostic(`${rules.length} rules as a plain user`);
  assert.equal(status, 0, stdout.slice(-4000));
  const kinds = new Set(rules.map(([, kind]) => kind));
  assert.deepEqual(
    [...kinds].some((kind) => kind!.includes("jail bubblewrap")),
    best.jail === "bubblewrap",
    [...kinds].join("; "),
  );
  assert.ok(kinds.has("plain processes"), [...kinds].join("; "));
});

test("limits of a task that runs change in its control group, also of the disk that it had none of, and its process goes on; a memory limit under its use waits [I2] [I8] [borglet.G3]", {
  skip: best.cgroups === undefined && "no cgroups that can be written",
}, async () => {
  const subject = new LinuxSubject(best);
  const seen: string[] = [];
  try {
    const machine = subject.open((message) => {
      if (message.type === "seen") seen.push(...message.seen.map(({ what }) => what));
    });
    const order = (cpuMilli: number, ramBytes: number, diskBandwidth = 0) =>
      make(StartOrderSchema, {
        instance: "ann/web/0:1",
        priority: 120,
        task: { command: [...COMMANDS.serve], limit: { cpuMilli, ramBytes, diskBandwidth } },
      });
    machine.start(order(1000, 2 ** 28), 1);
    while (!seen.includes("alive")) await sleep(20);
    const is2 = best.cgroup === "v2";
    const read = (controller: string, file: string): number => {
      const path = join(best.cgroups!.rootOf(controller), `openborg-contract-${process.pid}-${subjects}`, "prod", "ann_web_0.1", file);
      return Number(readFileSync(path, "latin1"));
    };
    const held = (): number[] => [
      read("cpu", is2 ? "cpu.weight" : "cpu.shares"),
      read("memory", is2 ? "memory.max" : "memory.limit_in_bytes"),
    ];
    /** Whether its process is held, and to how much it may write a second; undefined: the kernel holds nobody to anything. */
    const diskLimit = (): unknown => {
      const io = best.cgroups!.also("io");
      if (io === undefined || !subject.limitsDisk) return undefined;
      const group = join(io, `openborg-contract-${process.pid}-${subjects}`, "prod", "ann_web_0.1");
      const text = readFileSync(join(group, is2 ? "io.max" : "blkio.throttle.write_bps_device"), "latin1");
      return [readFileSync(join(group, "cgroup.procs"), "latin1") !== "", /(?: |wbps=)(\d+)\s*(?:riops|$)/.exec(text)?.[1]];
    };
    assert.deepEqual(held(), [is2 ? 1000 : 26_214, 2 ** 28]);
    machine.adjust(order(500, 2 ** 29));
    assert.deepEqual(held(), [is2 ? 500 : 13_107, 2 ** 29]);
    machine.adjust(order(500, 2 ** 29, 2 ** 20));
    assert.deepEqual(diskLimit(), subject.limitsDisk ? [true, String(2 ** 20)] : undefined);
    machine.adjust(order(500, 2 ** 10));
    assert.ok(held()[1]! >= 2 ** 20, "not under what it uses, nor under what any program needs");
    await sleep(1500);
    assert.deepEqual(seen, ["alive"]);
    assert.ok(subject.lives("ann/web/0:1"));
  } finally {
    subject.close();
    await subject.discard();
  }
});

test("a task that is held to its processor time spins and gets no more than that, until it is held no longer [I8] [borglet.G1] [borglet.G3]", {
  skip: best.cgroups === undefined && "no cgroups that can be written",
}, async () => {
  const subject = new LinuxSubject(best);
  const samples: number[] = [];
  const seen: string[] = [];
  try {
    const machine = subject.open((message) => {
      if (message.type === "seen") seen.push(...message.seen.map(({ what }) => what));
      if (message.type === "usage") samples.push(...message.samples.map(({ cpuMilli }) => cpuMilli));
    });
    const order = (holdCpu: boolean) =>
      make(StartOrderSchema, {
        instance: "ann/web/0:1",
        priority: 120,
        task: { command: [...shell("while :; do :; done")], limit: { cpuMilli: 200, ramBytes: 2 ** 28 }, holdCpu },
      });
    machine.start(order(true), 1);
    while (!seen.includes("alive")) await sleep(20);
    const is2 = best.cgroup === "v2";
    const group = join(best.cgroups!.rootOf("cpu"), `openborg-contract-${process.pid}-${subjects}`, "prod", "ann_web_0.1");
    const quota = (): string => readFileSync(join(group, is2 ? "cpu.max" : "cpu.cfs_quota_us"), "latin1").trim();
    assert.equal(quota(), is2 ? "20000 100000" : "20000");
    await sleep(4000);
    // A slice of a period may run over.
    assert.ok(samples.some((each) => each > 0) && Math.max(...samples) <= 300, `${samples} of 200`);
    machine.adjust(order(false));
    assert.equal(quota(), is2 ? "max 100000" : "-1");
  } finally {
    subject.close();
    await subject.discard();
  }
});

for (const abilities of best.cgroup === plain.cgroup ? [plain] : [plain, best])
  test(`the end of a task harms none of the same name on a borglet beside it (${abilities.jail}, ${abilities.cgroup}) [borglet.T10] [KT3] [Z10]`, async () => {
    const [one, other] = [new LinuxSubject(abilities), new LinuxSubject(abilities)];
    const ended: string[] = [];
    const instance = "ann/web/0:1";
    const order = make(StartOrderSchema, {
      instance,
      priority: 120,
      task: { command: [...COMMANDS.serve], limit: { cpuMilli: 100, ramBytes: 2 ** 28 } },
    });
    try {
      const machines = [one, other].map((subject, i) =>
        subject.open((message) => {
          if (message.type === "seen") ended.push(...message.seen.map(({ what }) => `${i} ${what}`));
        }),
      );
      for (const machine of machines) machine.start(order, 1);
      while (ended.length < 2) await sleep(20);
      machines[0]!.kill(instance);
      while (ended.length < 3) await sleep(20);
      await sleep(500);
      assert.deepEqual(ended.slice(2), ["0 ended"]);
      assert.ok(other.lives(instance));
    } finally {
      for (const subject of [one, other]) {
        subject.close();
        await subject.discard();
      }
    }
  });

const SHM = "/dev/shm";
const isMemory = existsSync(SHM) && statfsSync(SHM).type === 0x01021994;

for (const abilities of best.jail === plain.jail ? [plain] : [plain, best])
  test(`a task finds its secret in memory while it runs, with and without a jail, and nothing is left of it (${abilities.jail}) [borglet.W5] [G14]`, {
    skip: !isMemory && `${SHM} is no tmpfs here`,
  }, async () => {
    const subject = new LinuxSubject(abilities);
    const seen: string[] = [];
    const instance = "ann/web/0:1";
    const script = "cat $BORG_SECRETS/db; echo; stat -c '%a' $BORG_SECRETS/db; stat -f -c '%T' $BORG_SECRETS/db; exec sleep 1000";
    const order = make(StartOrderSchema, {
      instance,
      task: { command: ["/bin/sh", "-c", script], secrets: [{ name: "db", path: "/borg/secrets/db" }], limit: { ramBytes: 2 ** 28 } },
    });
    const left = (): string[] =>
      readdirSync(SHM, { recursive: true, encoding: "utf8" }).filter((path) => path.startsWith(`openborg-${subject.mark}`));
    try {
      const machine = subject.open((message) => {
        if (message.type === "seen") seen.push(...message.seen.map(({ what }) => what));
      });
      machine.start(order, 1, [{ path: "/borg/secrets/db", data: new TextEncoder().encode("hunter2") }]);
      const range = { instance, stream: LogStream.STDOUT, offset: 0, fromEnd: false, bytesMax: 1000 };
      const log = (): string => new TextDecoder().decode(machine.readLog(range)?.data);
      while (!log().includes("tmpfs") && !seen.includes("ended")) await sleep(20);
      assert.equal(log(), "hunter2\n400\ntmpfs\n");
      assert.equal(left().filter((path) => path.endsWith("/db")).length, 1);
      machine.kill(instance);
      while (!seen.includes("ended")) await sleep(20);
      assert.deepEqual(left(), []);
    } finally {
      subject.close();
      await subject.discard();
    }
  });
