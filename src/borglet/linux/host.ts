/**
 * The machine as its borglet sees it: real files, shims and processes. It starts and signals what it is told to, looks at run files and /proc,
 * and tells what it sees; it decides nothing. A task is told as ended only when nothing of it is left. [B1]
 */

import type { ChildProcess } from "node:child_process";
import { type FSWatcher, watch } from "node:fs";
import type { KeptRecord } from "../../wire/gen/borg/v1/borglet_pb.ts";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { instanceOf, keyOf } from "../instance-key.ts";
import { isEnded, type Kept } from "../kept.ts";
import type { BorgletMachine, FilePiece, FileRange, LogPiece, LogRange, Sample, SecretFile, Seen } from "../machine.ts";
import { SampleFilter } from "../notice.ts";
import { type Shortage, shortages } from "../out-of-resources.ts";
import { dropRights } from "./abilities.ts";
import type { GroupPlace } from "./cgroup.ts";
import { Checks } from "./checks.ts";
import { DISK_FULL, DiskRoom, isFullError } from "./disk-room.ts";
import { DiskWatch } from "./disk-watch.ts";
import { limitsOf, placeOf } from "./group-limits.ts";
import { Holdings } from "./holdings.ts";
import type { HostOptions } from "./host-options.ts";
import { Launcher } from "./launcher.ts";
import { Listeners } from "./listeners.ts";
import { memoryWords } from "./memory-end.ts";
import { LinuxPackages, UNPACKER } from "./packages.ts";
import { bootId, isAlive } from "./proc.ts";
import { Processes } from "./processes.ts";
import { newRun, type Run, STATUS_LOST } from "./run.ts";
import { callOff, parseRunName, RunFiles, readComplaint, readExit, readPid, readShim } from "./run-files.ts";
import { SecretFiles } from "./secret-files.ts";
import { Shells } from "./shells.ts";
import { Squeeze } from "./squeeze.ts";
import { readStrain } from "./strain.ts";
import { readTaskFile } from "./task-files.ts";
import { TaskLogs } from "./task-logs.ts";
import { Trash } from "./trash.ts";
import type { OfferedVolume } from "./volumes.ts";

/** Use is measured, and what no event told is found, this often. */
const TICK_MS = 1000;
/** Every so many ticks also those that would be heard of anyway. */
const LOOK_TICKS = 10;
const SWEEP_MS = 60_000;
/** After a task's first process ended, the rest is looked at this often until nothing is left. */
const ENDING_MS = 20;
/** A shim that has not said who its task is by then, or that has not ended so long after its task, is ended. */
const SHIM_MS_MAX = 10_000;
/** As the shim says it when it could not start the task's program. */
const CANNOT_START = 125;

export class LinuxMachine implements BorgletMachine {
  readonly #options: HostOptions;
  readonly #launcher: Launcher;
  readonly #processes: Processes;
  readonly #trash: Trash;
  readonly packages: LinuxPackages;
  readonly #runs = new Map<string, Run>();
  readonly #holdings: Holdings;
  readonly #files: RunFiles;
  readonly #secrets: SecretFiles;
  readonly #filter = new SampleFilter();
  readonly #logs: TaskLogs;
  readonly #squeeze: Squeeze | undefined;
  readonly #disk: DiskRoom;
  readonly #diskWatch = new DiskWatch();
  readonly #listeners = new Listeners();
  readonly #checks: Checks;
  readonly #shells: Shells;
  readonly #bootId = bootId();
  readonly #signals = new Map<string, "SIGTERM" | "SIGKILL">();
  #ending: NodeJS.Timeout | undefined;
  #told: Seen[] = [];
  #watcher: FSWatcher | undefined;
  #tick: NodeJS.Timeout | undefined;
  #ticks = 0;
  #sweptMs = 0;
  #complained = "";
  #closed = false;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#logs = new TaskLogs(options.layout, options.logLimits);
    const { cgroups, capacity } = options;
    this.#squeeze = cgroups && new Squeeze({ cgroups, capacity, short: (shortage) => this.#short(shortage) });
    this.#disk = new DiskRoom([options.layout.directory, options.layout.area]);
    this.#files = new RunFiles(options.layout.runs);
    this.#secrets = new SecretFiles(options.layout.mark);
    this.#holdings = new Holdings(options);
    this.packages = new LinuxPackages({
      ...options,
      parts: options.layout.packageParts,
      trees: options.layout.packageTrees,
      unpacker: () => this.#holdings.idOf(UNPACKER),
      discard: (path, key) => this.#trash.take(path, key),
      deliver: (unpacked) => options.deliver({ type: "package", unpacked }),
    });
    const treeOf = (digest: string): string => this.packages.tree(digest);
    this.#launcher = new Launcher({ ...options, runFiles: this.#files, holdings: this.#holdings, secrets: this.#secrets, treeOf });
    this.#processes = new Processes(options.layout.mark, options.cgroups);
    this.#checks = new Checks({
      host: options.healthHost,
      beside: (order, command, script) => this.#launcher.beside(order, command, script),
      strangerOn: (instance, port) => this.#strangerOn(instance, port),
      isAlive: (instance, run) => this.#runs.get(instance)?.run === run && this.#runs.get(instance)?.state === "alive",
      deliver: (answer) => options.deliver({ type: "health", answer }),
    });
    this.#shells = new Shells({
      enter: (order, ...rest) => this.#launcher.inside(order, this.#runs.get(order.instance)?.main, ...rest),
      deliver: (to, chunk) => options.deliver({ type: "shell", to, chunk }),
    });
    const asUser = (uid: number | undefined, group?: number): string[] =>
      dropRights(options.abilities, uid, group === undefined ? [] : [group]);
    this.#trash = new Trash({ directory: options.layout.trash, asUser, log: options.log });
  }

  /** From now on things are told as they happen. */
  begin(): void {
    try {
      this.#watcher = watch(this.#options.layout.runs, (_event, name) => this.#noticed(name));
      this.#watcher.on("error", () => {
        this.#watcher?.close();
        this.#watcher = undefined;
      });
    } catch {
      // Without it things are found at the next tick.
    }
    this.#tick = setInterval(() => this.#onTick(), TICK_MS);
    this.#squeeze?.begin();
    this.#trash.begin();
  }

  /** Tasks go on. */
  close(): void {
    this.#closed = true;
    this.#trash.close();
    this.packages.close();
    this.#diskWatch.close();
    this.#squeeze?.close();
    this.#checks.close();
    this.#shells.close();
    this.#watcher?.close();
    clearInterval(this.#tick);
    clearTimeout(this.#ending);
    this.#options.cgroups?.close();
  }

  save(records: readonly KeptRecord[]): boolean {
    try {
      this.#options.kept.append(records);
      this.#complained = "";
      return true;
    } catch (error) {
      this.#complain(error);
      return false;
    }
  }

  /** Once for each kind of trouble. */
  #complain(error: unknown): void {
    const words = error instanceof Error ? `${error.message}: ${String((error.cause as Error | undefined)?.message ?? "")}` : String(error);
    if (words !== this.#complained) this.#options.log(`${words}; nothing new is begun until it can`);
    this.#complained = words;
  }

  adopt(kept: readonly Kept[]): readonly Seen[] {
    const seen: Seen[] = [];
    const known = new Set<string>();
    for (const each of kept) {
      if (each.phase !== "running" && each.phase !== "stopping") continue;
      const key = keyOf(each.order.instance);
      known.add(key);
      seen.push(
        each.run === 0
          ? { what: "vanished", instance: each.order.instance, run: 0, rebooted: false }
          : this.#adoptRun(key, each.run, each.order),
      );
    }
    const keptKeys = new Set(kept.filter((each) => !isEnded(each)).map((each) => keyOf(each.order.instance)));
    for (const [key, run] of this.#files.newest()) if (!known.has(key)) seen.push(...this.#adoptStranger(key, run, keptKeys.has(key)));
    this.#processes.adopt(this.#runs);
    this.#secrets.keepOnly((key) => this.#runs.has(instanceOf(key) ?? ""));
    this.#squeeze?.share([...this.#runs.values()]);
    for (const run of this.#runs.values()) setImmediate(() => this.#look(run));
    return seen;
  }

  /** By pid and start time, in this boot. Whatever its end was, the next look finds it. */
  #adoptRun(key: string, run: number, order: StartOrder | undefined): Seen {
    const instance = instanceOf(key)!;
    const prefix = this.#options.layout.run(key, run);
    this.#files.begin(key, run);
    if (callOff(prefix)) return { what: "vanished", instance, run, rebooted: false };
    const shim = readShim(prefix);
    const rebooted = shim !== undefined && shim.bootId !== this.#bootId;
    const exit = readExit(prefix);
    // A machine that goes down ends its tasks, and nobody was there to settle how: only a good end is the task's own.
    const isGood = exit !== undefined && exit.code === 0 && exit.signal === 0;
    if (rebooted && isGood) return { what: "ended", instance, run, exit, message: "" };
    if (rebooted) return { what: "vanished", instance, run, rebooted };
    const main = readPid(prefix);
    const state = main === undefined ? "launching" : "alive";
    const adopted: Run = { ...this.#newRun(key, run, order, undefined), shim, main, state };
    this.#runs.set(instance, adopted);
    if (order !== undefined) this.#squeeze?.adjustSoon(adopted);
    return { what: state, instance, run };
  }

  /** A run that no record expects: alive it is told, dead its files go. */
  #adoptStranger(key: string, run: number, isKept: boolean): Seen[] {
    const prefix = this.#options.layout.run(key, run);
    const [shim, main] = [readShim(prefix), readPid(prefix)];
    const lives = [shim, main].some((each) => each !== undefined && each.bootId === this.#bootId && isAlive(each));
    if (instanceOf(key) !== undefined && lives && !isKept) return [this.#adoptRun(key, run, undefined)];
    if (!lives) this.#files.remove(key);
    return [];
  }

  #newRun(key: string, run: number, order: StartOrder | undefined, child: ChildProcess | undefined): Run {
    const place = order === undefined ? this.#placeOfStranger(key) : placeOf(order);
    return newRun({
      ...place,
      instance: instanceOf(key)!,
      run,
      child,
      limits: limitsOf(order, this.#options.capacity),
      inside: order?.alloc ?? "",
    });
  }

  /** Of a stranger only its group says where it belonged. */
  #placeOfStranger(key: string): GroupPlace {
    return this.#options.cgroups?.list().find((each) => each.key === key) ?? { key, band: "free", alloc: "" };
  }

  adjust(order: StartOrder): void {
    const run = this.#runs.get(order.instance);
    if (run === undefined) return;
    run.limits = limitsOf(order, this.#options.capacity);
    const { band, alloc } = placeOf(order);
    const isMoved = band !== run.band && alloc === run.alloc;
    if (isMoved) run.band = band;
    if (isMoved) this.#processes.score(run, [...this.#runs.values()]);
    this.#squeeze?.adjust(run);
    this.#squeeze?.share([...this.#runs.values()]);
  }

  start(order: StartOrder, run: number, secrets: readonly SecretFile[] = []): void {
    const { instance } = order;
    try {
      this.#logs.note(keyOf(instance), false);
      const child = this.#launcher.launch(order, run, secrets);
      const started = this.#newRun(keyOf(instance), run, order, child);
      this.#runs.set(instance, started);
      this.#squeeze?.share([...this.#runs.values()]);
      child.on("error", (error) => this.#cannotStart(instance, run, error.message));
      child.on("exit", () => {
        started.childGone = true;
        this.#look(started);
      });
    } catch (error) {
      this.#cannotStart(instance, run, isFullError(error) ? DISK_FULL : error instanceof Error ? error.message : String(error));
    }
  }

  #cannotStart(instance: string, run: number, words: string): void {
    this.#runs.delete(instance);
    this.#secrets.remove(keyOf(instance));
    this.#logs.forget(keyOf(instance));
    this.#tell({ what: "ended", instance, run, exit: { code: CANNOT_START, signal: 0 }, message: `Cannot start: ${words}` });
  }

  readonly terminate = (instance: string): void => this.#signalSoon("SIGTERM", instance);
  readonly kill = (instance: string): void => this.#signalSoon("SIGKILL", instance);

  /** All that is signalled in one moment is looked for together. */
  #signalSoon(name: "SIGTERM" | "SIGKILL", instance: string): void {
    if (this.#signals.size === 0) setImmediate(() => this.#signalNow());
    // A kill is not taken back by a later SIGTERM.
    if (name === "SIGKILL" || !this.#signals.has(instance)) this.#signals.set(instance, name);
  }

  #signalNow(): void {
    const all = [...this.#runs.values()];
    const [toTerminate, toKill] = (["SIGTERM", "SIGKILL"] as const).map((name) =>
      all.filter((run) => this.#signals.get(run.instance) === name),
    );
    this.#signals.clear();
    if (this.#closed) return;
    if (toTerminate!.length > 0) this.#processes.terminate(toTerminate!, all);
    if (toKill!.length > 0) this.#processes.kill(toKill!, all);
    for (const run of toKill!) this.#look(run);
  }

  forget(instance: string): void {
    const key = keyOf(instance);
    this.#files.remove(key);
    this.#secrets.remove(key);
    this.#trash.take(this.#options.layout.task(key), key);
  }

  /** From now on; answers those that tasks can be given. */
  readonly offer = (volumes: readonly OfferedVolume[]): readonly OfferedVolume[] => this.#holdings.volumes.offer(volumes);
  readonly allocs = (): readonly string[] => this.#holdings.allocs.list();

  dropAlloc(alloc: string): void {
    const key = keyOf(alloc);
    this.#diskWatch.forget(alloc);
    this.#trash.take(this.#options.layout.alloc(key), key);
  }

  readLog(range: LogRange): LogPiece | undefined {
    return this.#logs.read(range, !this.#runs.has(range.instance));
  }

  readFile({ instance, parts, offset, bytesMax }: FileRange): FilePiece {
    const [work] = this.#options.layout.parts(keyOf(instance));
    return readTaskFile(work!, parts, offset, bytesMax);
  }

  readonly strain = readStrain;
  readonly check: BorgletMachine["check"] = (...asked) => this.#checks.ask(...asked);
  readonly shell: BorgletMachine["shell"] = (...asked) => this.#shells.use(...asked);

  /** Before a good answer is believed. */
  #strangerOn(instance: string, port: number): string {
    const run = this.#runs.get(instance);
    if (run === undefined) return "";
    return this.#listeners.problem(instance, this.#options.healthHost, port, () => this.#processes.of(run, [...this.#runs.values()]));
  }

  /** Ends every task, with a notice; resolves when nothing is left. What a master wants of them is not changed by it. */
  async endAll(noticeMs: number): Promise<number> {
    const count = this.#runs.size;
    for (const instance of this.#runs.keys()) this.terminate(instance);
    const killAtMs = performance.now() + noticeMs;
    while (this.#runs.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, ENDING_MS));
      for (const [instance, run] of [...this.#runs]) {
        if (performance.now() >= killAtMs) this.kill(instance);
        this.#look(run);
      }
    }
    // Without run files the next borglet takes the runs for vanished, not for failed.
    for (const key of this.#files.newest().keys()) this.#files.remove(key);
    // A shell that was on its way into a task may have come after its end.
    this.#processes.adopt(this.#runs);
    return count;
  }

  #noticed(name: string | null): void {
    const found = name === null ? undefined : parseRunName(name);
    const run = found === undefined ? undefined : this.#runs.get(instanceOf(found.key) ?? "");
    if (run !== undefined && run.run === found?.run) this.#look(run);
  }

  #onTick(): void {
    this.#ticks += 1;
    const all = this.#watcher === undefined || this.#ticks % LOOK_TICKS === 0;
    // A run whose shim is a child of ours is heard of when something happens to it.
    const isHeard = ({ child, childGone, state }: Run): boolean => child !== undefined && !childGone && state === "alive";
    for (const run of [...this.#runs.values()]) if (all || !isHeard(run)) this.#look(run);
    for (const { key } of this.#runs.values()) this.#logs.note(key, false);
    this.#squeeze?.tick();
    const { capacity, cgroups } = this.#options;
    for (const shortage of shortages(this.#measure(this.#alive()), capacity, cgroups !== undefined)) this.#short(shortage);
    const full = this.#disk.look();
    if (full !== undefined) this.#options.deliver({ type: "disk", full });
    const now = performance.now();
    if (now - this.#sweptMs < SWEEP_MS) return;
    this.#sweptMs = now;
    const kept = new Set([...this.#options.kept.memory.instances.keys()].map(keyOf));
    this.#logs.sweep((key) => kept.has(key));
  }

  #alive(): readonly Run[] {
    return [...this.#runs.values()].filter(({ state }) => state === "alive");
  }

  /** `isTold`: all of it, whether it changed or not. */
  #measure(alive: readonly Run[], isTold = false): readonly Sample[] {
    const { layout, deliver } = this.#options;
    const watched = alive.map(({ instance, key, limits }) => ({ instance, parts: layout.parts(key), limitBytes: limits.diskBytes }));
    const inAllocs = new Map(alive.filter(({ inside }) => inside !== "").map((run) => [run.inside, run.limits.sharedBytes ?? 0]));
    const shared = [...inAllocs].map(([alloc, limitBytes]) => ({
      instance: alloc,
      parts: [this.#holdings.allocs.sharedOf(alloc)],
      limitBytes,
    }));
    this.#diskWatch.watch([...watched, ...shared]);
    const measured = this.#processes.measure(alive).map((sample) => {
      const run = this.#runs.get(sample.instance)!;
      const isHungry = this.#squeeze?.isHungry(run, sample.cpuMilli) === true;
      const sharedBytes = this.#diskWatch.use(run.inside).diskBytes;
      return { ...sample, ...this.#diskWatch.use(sample.instance), sharedBytes, ...(isHungry ? { isHungry } : {}) };
    });
    const changed = this.#filter.pick(measured, (instance) => this.#runs.get(instance)?.limits);
    const samples = isTold ? measured : changed;
    if (samples.length > 0) deliver({ type: "usage", samples });
    return measured;
  }

  /** Whoever chooses has to know what each of them uses now. */
  #short(shortage: Shortage): void {
    if (this.#closed) return;
    this.#measure(this.#alive(), true);
    this.#options.deliver({ type: "short", shortage });
  }

  #look(run: Run): void {
    if (this.#closed || this.#runs.get(run.instance) !== run) return;
    const prefix = this.#options.layout.run(run.key, run.run);
    run.shim ??= readShim(prefix);
    if (run.state === "launching") this.#lookForStart(run, prefix);
    if (run.state !== "ending") this.#lookForEnd(run, prefix);
    if (run.state === "ending") this.#endSoon(0);
  }

  #lookForStart(run: Run, prefix: string): void {
    run.main = readPid(prefix);
    if (run.main !== undefined) {
      run.state = "alive";
      this.#tell({ what: "alive", instance: run.instance, run: run.run });
    } else if (performance.now() - run.sinceMs > SHIM_MS_MAX && run.shim !== undefined) {
      this.#processes.killShim(run.shim);
    }
  }

  #lookForEnd(run: Run, prefix: string): void {
    const shimGone = this.#isShimGone(run);
    // Read after that: a shim's last act is to write how its task ended.
    const exit = readExit(prefix);
    if (exit === undefined && (!shimGone || (run.main !== undefined && isAlive(run.main)))) return;
    run.state = "ending";
    this.#checks.forget(run.instance);
    this.#shells.forget(run.instance);
    run.endingMs = performance.now();
    run.exit = exit ?? (run.main === undefined ? { code: CANNOT_START, signal: 0 } : STATUS_LOST);
    // A program may end with the same code; only the shim leaves a complaint.
    const complaint = run.exit.code === CANNOT_START ? readComplaint(prefix) : "";
    if (complaint !== "" || (exit === undefined && run.main === undefined))
      run.message = `Cannot start: ${complaint || (this.#disk.isFull ? DISK_FULL : "its shim was ended")}`;
    else if (exit === undefined) run.message = "How it ended is not known: its shim was killed";
  }

  #isShimGone(run: Run): boolean {
    if (run.child !== undefined) return run.childGone;
    return run.shim === undefined ? performance.now() - run.sinceMs > SHIM_MS_MAX : !isAlive(run.shim);
  }

  #endSoon(afterMs: number): void {
    this.#ending ??= setTimeout(() => this.#finishAll(), afterMs);
  }

  /** One look for all that end: a crowd that ends at once would cost its square. */
  #finishAll(): void {
    this.#ending = undefined;
    if (this.#closed) return;
    const sinceMs = performance.now();
    const all = [...this.#runs.values()];
    const ending = all.filter(({ state }) => state === "ending");
    const left = this.#processes.killRest(ending, all);
    for (const run of ending) this.#finish(run, left.has(run.instance));
    // Where looking takes long, most of the time is still the borglet's.
    const tookMs = performance.now() - sinceMs;
    if ([...this.#runs.values()].some(({ state }) => state === "ending")) this.#endSoon(Math.max(ENDING_MS, tookMs * 2));
  }

  /** Only when its whole tree is gone, and its shim with the last of its logs. */
  #finish(run: Run, isLeft: boolean): void {
    const shimLeft = !this.#isShimGone(run);
    if (shimLeft && run.shim !== undefined && performance.now() - run.endingMs > SHIM_MS_MAX) this.#processes.killShim(run.shim);
    if (isLeft || shimLeft) return;
    this.#filter.forget(run.instance);
    this.#diskWatch.forget(run.instance);
    this.#listeners.forget(run.instance);
    this.#secrets.remove(run.key);
    this.#logs.note(run.key, true);
    const end = this.#processes.release(run);
    const message = run.message || (end === undefined ? "" : memoryWords(end, run.limits.ramBytes, this.#options.capacity.ramBytes));
    this.#runs.delete(run.instance);
    this.#squeeze?.forget(run.instance);
    this.#squeeze?.share([...this.#runs.values()]);
    this.#tell({ what: "ended", instance: run.instance, run: run.run, exit: run.exit, message });
  }

  /** All that happens in one moment is told together, so that it is saved together. */
  #tell(seen: Seen): void {
    this.#told.push(seen);
    if (this.#told.length > 1) return;
    setImmediate(() => {
      const told = this.#told;
      this.#told = [];
      this.#options.deliver({ type: "seen", seen: told });
    });
  }
}
