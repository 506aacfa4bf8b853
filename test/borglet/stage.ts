/** A real borglet process and a master for it that polls as a link shard does; everything in one temporary directory, and gone afterwards. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findAbilities } from "../../src/borglet/linux/abilities.ts";
import { type LinkHandle, LinkServer } from "../../src/rpc/link-server.ts";
import { type Init, make } from "../../src/wire/codec.ts";
import {
  type LogChunk,
  LogRequestSchema,
  LogStream,
  PackageChunkSchema,
  type PackageRequest,
  type ShellChunk,
  ShellRequestSchema,
  type ShellUseSchema,
} from "../../src/wire/gen/borg/v1/link_pb.ts";
import {
  type InstanceReport,
  type OrderSchema,
  Phase,
  PollSchema,
  type Report,
  type StartOrderSchema,
  type Usage,
} from "../../src/wire/gen/borg/v1/machine_pb.ts";
import type { TaskSpecSchema } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { makeIdentities } from "../identities.ts";
import { asNobody, isRoot, NOBODY, unreachable } from "../nobody.ts";

/** Of RESTARTS or a CROWD: so much longer for each. */
const EACH_MS = 200;
/** Only a hang is a failure: nothing here asserts how long something takes. SLOW=10: on a machine that is so much slower (make test-v2). */
const WAIT_MS =
  30_000 * Number(process.env["SLOW"] ?? 1) + EACH_MS * (Number(process.env["RESTARTS"] ?? 0) + Number(process.env["CROWD"] ?? 0));
const HOLD_MS = 1000;
const IDENTITIES = await makeIdentities("test");
const MACHINE = await IDENTITIES.machine("m1");
const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));
/** A bug that is planted in the test is planted in its borglet too. */
const MUTANT = process.env["MUTANT"] ?? "";
const MUTATE = new URL("../../tools/mutate.ts", import.meta.url).href;

const FAILPOINTS = new URL("failpoints.ts", import.meta.url).href;

/** Where a borglet is killed: see failpoints.ts. */
export interface Failpoint {
  readonly FAILPOINT?: string;
  readonly FAILPOINT_LOG?: string;
}

export interface Mode {
  readonly name: string;
  readonly root: boolean;
  readonly without: readonly ("bubblewrap" | "cgroups")[];
  /** Why this host cannot show it. */
  readonly skip: string | false;
}

const host = findAbilities();
const lacks = (what: string): string =>
  host.missing.filter((each) => each.what === what).map(({ cure }) => `${what} is missing: ${cure}`)[0] ?? "";
const jail = lacks("bubblewrap");
const cgroups = lacks("cgroups");
const unread = unreachable(CHILD);
/** Why nothing here would hold a task that forks without end. */
export const unheld: string | false = (!isRoot ? "needs root" : cgroups) || false;

const mode = (name: string, root: boolean, without: Mode["without"], problem: string): Mode => ({
  name,
  root,
  without,
  skip: (root && !isRoot ? "needs root" : root ? problem : unread || problem) || false,
});

/** Every mode; one that this host cannot show is skipped aloud. As a plain user the test shows what a plain user has. */
export const MODES: readonly Mode[] = [
  mode("root, jail, cgroups", true, [], jail || cgroups),
  mode("root, plain processes", true, ["bubblewrap", "cgroups"], ""),
  mode("plain user, jail", false, [], jail),
  mode("plain user, plain processes", false, ["bubblewrap", "cgroups"], ""),
];

/** The best and the poorest that this host can show. */
export const BEST = MODES.find(({ skip }) => skip === false)!;
export const POOREST = MODES.findLast(({ skip }) => skip === false)!;
/** One with everything and one with nothing show both ways. Where one of them has to be skipped, the next best goes too. */
export const EXTREMES: readonly Mode[] = [...new Set([MODES[0]!, BEST, POOREST, MODES.at(-1)!])];

let stages = 0;

export class Stage {
  readonly mode: Mode;
  readonly directory: string;
  readonly parent: string;
  readonly lines: string[] = [];
  latest: Report | undefined;
  /** As it was told last: a report leaves out what did not change. */
  readonly usage = new Map<string, Usage>();
  hellos = 0;
  /** What the master has to give, by its hash. */
  readonly packages = new Map<string, Uint8Array>();
  readonly #options: Record<string, unknown>;
  readonly #foreign: boolean;
  #server: LinkServer | undefined;
  #link: LinkHandle | undefined;
  #child: ChildProcess | undefined;
  #term = 1;
  #sequence = 0;
  #polledMs = 0;
  #gapMs = 0;
  readonly #chunks = new Map<number, (chunk: LogChunk) => void>();
  readonly #shells = new Map<number, (chunk: ShellChunk) => void>();
  #logId = 0;
  #heard = Promise.withResolvers<void>();

  private constructor(mode: Mode, options: Record<string, unknown>, foreign: boolean) {
    this.mode = mode;
    this.#foreign = foreign;
    this.#options = options;
    this.directory = realpathSync(mkdtempSync(join(tmpdir(), "openborg-borglet-")));
    this.parent = `openborg-test-${process.pid}-${++stages}`;
    chmodSync(this.directory, 0o711);
    for (const name of ["state", "area"]) {
      mkdirSync(join(this.directory, name));
      if (isRoot && !mode.root) chownSync(join(this.directory, name), NOBODY, NOBODY);
    }
    chmodSync(join(this.directory, "state"), 0o700);
    chmodSync(join(this.directory, "area"), 0o711);
  }

  static async open(mode: Mode = BEST, options: Record<string, unknown> = {}, { foreign = false } = {}): Promise<Stage> {
    const stage = new Stage(mode, options, foreign);
    stage.#server = await LinkServer.listen({
      listeners: [{ endpoint: { kind: "unix", path: stage.#socket } }],
      authorities: [IDENTITIES.authority],
      cell: "test",
      onOpen: (link) => {
        stage.#link = link;
      },
      onFrame: (link, frame) => {
        if (frame.case === "hello") {
          stage.hellos += 1;
          stage.#link = link;
          stage.poll();
        } else if (frame.case === "report") stage.#onReport(frame.value);
        else if (frame.case === "logChunk") stage.#chunks.get(frame.value.id)?.(frame.value);
        else if (frame.case === "packageRequest") stage.#give(link, frame.value);
        else if (frame.case === "shellChunk") stage.#shells.get(frame.value.id)?.(frame.value);
      },
      onClose: () => {},
      log: () => {},
    });
    // A borglet of another user dials it too.
    chmodSync(stage.#socket, 0o666);
    await stage.start();
    return stage;
  }

  #give(link: LinkHandle, { digest, offset, bytesMax }: PackageRequest): void {
    const bytes = this.packages.get(digest);
    if (bytes === undefined || bytesMax === 0) return;
    const piece = { digest, offset, data: bytes.subarray(offset, offset + bytesMax), total: bytes.length };
    link.send({ case: "packageChunk", value: make(PackageChunkSchema, piece) });
  }

  /** One use of a shell, and what is said of it. */
  shell(shell: string, instance: string, use: Init<typeof ShellUseSchema>): Promise<ShellChunk> {
    const id = ++this.#logId;
    const answered = new Promise<ShellChunk>((resolve) => this.#shells.set(id, resolve));
    this.#link?.send({ case: "shellRequest", value: make(ShellRequestSchema, { id, shell, instance, use }) });
    return answered;
  }

  /** `failpoint`: the step at which it is to be killed (failpoints.ts), which may come before it is ready. */
  async start({ heard = true, failpoint }: { readonly heard?: boolean; readonly failpoint?: Failpoint } = {}): Promise<void> {
    const before = this.#sequence;
    const child = this.#spawn(failpoint);
    this.#child = child;
    child.stderr!.on("data", (data: Buffer) => this.lines.push(data.toString()));
    child.stdin!.on("error", () => {});
    await new Promise<void>((resolve, reject) => {
      child.stdout!.once("data", () => resolve());
      child.once("exit", (code, signal) =>
        failpoint === undefined ? reject(new Error(`The borglet ended with ${code ?? signal}: ${this.lines.join("")}`)) : resolve(),
      );
    });
    if (heard && failpoint === undefined) await this.until("Hello and a report", (report) => report.sequence > before);
  }

  get #socket(): string {
    return join(this.directory, "link.sock");
  }

  options(): Record<string, unknown> {
    return {
      machine: "m1",
      cell: "test",
      directory: join(this.directory, "state"),
      area: join(this.directory, "area"),
      master: { kind: "unix", path: this.#socket },
      identity: MACHINE,
      authorities: [IDENTITIES.authority],
      capacity: { cpuMilli: 2000, ramBytes: 4 * 2 ** 30, diskBytes: 2 ** 30 },
      ports: { first: 21_000, last: 21_099 },
      host: "127.0.0.1",
      cgroupParent: this.parent,
      abilities: { without: this.mode.without },
      ...this.#options,
    };
  }

  /** Whether it has ended. */
  get isOver(): boolean {
    const { exitCode, signalCode } = this.#child!;
    return exitCode !== null || signalCode !== null;
  }

  #spawn(failpoint?: Failpoint): ChildProcess {
    const drop = this.mode.root ? [] : asNobody;
    // A shell that leaves descriptors open, as careless supervisors do.
    const foreign = this.#foreign ? ["/bin/bash", "-c", 'exec 20</dev/null 40</dev/null "$@"', "sh"] : [];
    const imports = [...(MUTANT === "" ? [] : [MUTATE]), ...(failpoint === undefined ? [] : [FAILPOINTS])];
    const node = [process.execPath, ...imports.flatMap((url) => ["--import", url]), CHILD];
    const [program = "", ...words] = [...foreign, ...drop, ...node, JSON.stringify(this.options())];
    return spawn(program, words, { stdio: ["pipe", "pipe", "pipe"], env: { PATH: "/usr/bin:/bin", MUTANT, ...failpoint } });
  }

  /** Waits until the borglet has said so. */
  async line(words: string): Promise<void> {
    const overMs = performance.now() + WAIT_MS;
    while (!this.lines.join("").includes(words)) {
      assert.ok(performance.now() < overMs, `The borglet did not say "${words}"`);
      await sleep(20);
    }
  }

  /** Something goes wrong in the borglet that nobody waits for. */
  reject(): void {
    this.#child!.stdin!.write("reject\n");
  }

  /** Tries another borglet on the same directory. */
  async second(): Promise<never> {
    const child = this.#spawn();
    let said = "";
    child.stderr!.on("data", (data: Buffer) => {
      said += data.toString();
    });
    await new Promise((resolve) => child.once("exit", resolve));
    throw new Error(said);
  }

  /** Polls from now on under this term, after this sequence. */
  resume(term: number, sequence: number): void {
    this.#term = term;
    this.#sequence = sequence;
    this.poll();
  }

  async kill9(): Promise<void> {
    await this.#end(() => this.#child!.kill("SIGKILL"));
  }

  async stop(): Promise<void> {
    await this.#end(() => this.#child!.kill("SIGTERM"));
  }

  async #end(act: () => void): Promise<void> {
    const child = this.#child!;
    if (this.isOver) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    act();
    await ended;
  }

  /** Ends everything, and sees that nothing is left. */
  async close(): Promise<void> {
    if (this.isOver) await this.start();
    await this.#end(() => this.#child!.stdin!.write("kill\n"));
    await this.#server!.close();
    rmSync(this.directory, { recursive: true, force: true });
    assert.deepEqual(this.marked(), [], "processes are left");
    if (existsSync("/sys/fs/cgroup"))
      for (const name of readdirSync("/sys/fs/cgroup"))
        assert.ok(!existsSync(join("/sys/fs/cgroup", name, this.parent)), `cgroup ${name}/${this.parent} is left`);
  }

  /** Processes that mention our directory, the borglet itself aside: shims, log keepers and tasks. */
  marked(): string[] {
    const found: string[] = [];
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      if (Number(pid) === this.#child?.pid) continue;
      const command = readText(`/proc/${pid}/cmdline`);
      const cwd = readText(`/proc/${pid}/environ`);
      if (command.includes(this.directory) || cwd.includes(this.directory))
        found.push(`${pid} ${command.replaceAll("\0", " ").slice(-200)}`);
    }
    return found;
  }

  poll(orders: Init<typeof OrderSchema>[] = [], { term = this.#term, sequence = ++this.#sequence, holdMs = HOLD_MS } = {}): void {
    this.#polledMs = performance.now();
    this.#link?.send({ case: "poll", value: make(PollSchema, { term, sequence, holdMs, orders }) });
  }

  /** The longest that the borglet left a poll without its answer since this was asked last; it may hold one for a second. */
  takeLongestGap(): number {
    const gapMs = Math.max(this.#gapMs, performance.now() - this.#polledMs);
    this.#gapMs = 0;
    return Math.round(gapMs);
  }

  #onReport(report: Report): void {
    if (report.sequence !== this.#sequence) return;
    this.#gapMs = Math.max(this.#gapMs, performance.now() - this.#polledMs);
    this.latest = report;
    for (const each of report.usage) this.usage.set(each.instance, each);
    this.#heard.resolve();
    this.#heard = Promise.withResolvers<void>();
    this.poll();
  }

  async until(what: string, holds: (report: Report) => boolean, withinMs = WAIT_MS): Promise<Report> {
    const overMs = performance.now() + withinMs;
    for (;;) {
      if (this.latest !== undefined && holds(this.latest)) return this.latest;
      const leftMs = overMs - performance.now();
      assert.ok(leftMs > 0, `${what} did not happen: ${words(this.latest)}\n${this.lines.join("")}`);
      await Promise.race([this.#heard.promise, sleep(leftMs, undefined, { ref: false })]);
    }
  }

  async instance(name: string, what: string, holds: (report: InstanceReport) => boolean, withinMs = WAIT_MS): Promise<InstanceReport> {
    const isThere = ({ instances }: Report): boolean => instances.some((each) => each.instance === name && holds(each));
    const report = await this.until(`${name}: ${what}`, isThere, withinMs);
    return report.instances.find((each) => each.instance === name)!;
  }

  async run(name: string, script: string, more: Init<typeof StartOrderSchema> = {}, task: Init<typeof TaskSpecSchema> = {}): Promise<void> {
    this.poll([start(name, script, more, task)]);
    await this.instance(name, "has begun", ({ run }) => run > 0);
  }

  log(instance: string, more: Init<typeof LogRequestSchema> = {}): Promise<LogChunk> {
    const id = ++this.#logId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No log of "${instance}" came`)), WAIT_MS);
      this.#chunks.set(id, (chunk) => {
        clearTimeout(timer);
        resolve(chunk);
      });
      this.#link!.send({ case: "logRequest", value: make(LogRequestSchema, { id, instance, stream: LogStream.STDOUT, ...more }) });
    });
  }

  /** Everything that a task has said, once it has said `last`. */
  async said(instance: string, last: string, stream: LogStream = LogStream.STDOUT): Promise<string> {
    let text = "";
    let offset = 0;
    const overMs = performance.now() + WAIT_MS;
    while (!text.includes(last)) {
      assert.ok(performance.now() < overMs, `"${instance}" did not say "${last}", only: ${text}`);
      const chunk = await this.log(instance, { offset, stream, waitMs: 1000 });
      text += Buffer.from(chunk.data).toString("latin1");
      offset = chunk.offset + chunk.data.length;
      if (chunk.ended && chunk.data.length === 0) assert.ok(text.includes(last), `"${instance}" ended after: ${text}`);
    }
    return text;
  }
}

export const start = (
  instance: string,
  script: string,
  more: Init<typeof StartOrderSchema> = {},
  task: Init<typeof TaskSpecSchema> = {},
): Init<typeof OrderSchema> => ({
  body: { case: "start", value: { instance, priority: 120, task: { command: ["/bin/sh", "-c", script], ...task }, ...more } },
});

export const stop = (instance: string, noticeMs = 0): Init<typeof OrderSchema> => ({
  body: { case: "stop", value: { instance, noticeMs } },
});

export const isAlive = (pid: number): boolean =>
  !["", "Z", "X"].includes(/^\d+ \(.*\) (\S)/s.exec(readText(`/proc/${pid}/stat`))?.[1] ?? "");

export const is =
  (phase: Phase) =>
  (report: InstanceReport): boolean =>
    report.phase === phase;

const NAMES = new Map<number, string>(Object.entries(Phase).map(([name, number]) => [number, name]));

export const words = (report: Report | undefined): string =>
  report?.instances.map(({ instance, phase, run, message }) => `${instance} ${NAMES.get(phase)} ${run} ${message}`).join(", ") ??
  "no report";

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
