/**
 * A simulated machine as its borglet sees it, for one life of the borglet. It starts and signals what it is told to, and tells what it sees;
 * it decides nothing. borglet/linux/host.ts does the same with real processes, and one suite holds both to it (borglet/contract.ts).
 */
import { type Address, DiskError } from "../../base/env.ts";
import type { Random } from "../../base/random.ts";
import type { Kept } from "../../borglet/kept.ts";
import type { KeptFile } from "../../borglet/kept-file.ts";
import type { About, BorgletMachine, FilePiece, LogPiece, LogRange, Question, Seen } from "../../borglet/machine.ts";
import type { FromMachine } from "../../borglet/message.ts";
import { SampleFilter } from "../../borglet/notice.ts";
import { shortages } from "../../borglet/out-of-resources.ts";
import { make } from "../../wire/codec.ts";
import type { KeptRecord } from "../../wire/gen/borg/v1/borglet_pb.ts";
import { LogStream, ShellChunkSchema, type ShellRequest } from "../../wire/gen/borg/v1/link_pb.ts";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { Kernel } from "./kernel.ts";
import type { SimulatedMachine, SimulatedTask, TaskListener } from "./simulated-machine.ts";
import { SimulatedPackages } from "./simulated-packages.ts";

/** Use is measured this often. Linux does it every second; here it sways more slowly. */
const TICK_MS = 2000;
/** An answer to a health check takes this long; under a spike it comes too late. */
const HEALTH_MS = 50;

export interface HostOptions {
  readonly kernel: Kernel;
  readonly machine: SimulatedMachine;
  readonly kept: KeptFile;
  readonly deliver: (message: FromMachine) => void;
  /** Told of every start before it is one. */
  readonly begins?: (order: StartOrder, run: number) => void;
  /** Whether what is read from its disk for others may be damaged. */
  readonly isBad?: () => boolean;
}

export class SimulatedHost implements BorgletMachine, TaskListener {
  readonly #options: HostOptions;
  readonly #machine: SimulatedMachine;
  readonly #random: Random;
  readonly #filter = new SampleFilter();
  readonly packages: SimulatedPackages;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#machine = options.machine;
    this.#random = options.kernel.streams.of(`host/${options.machine.name}`);
    this.packages = new SimulatedPackages(
      options.kernel,
      options.machine.name,
      options.machine.packages,
      options.isBad ?? (() => false),
      (unpacked) => {
        if (this.#machine.listener === this) options.deliver({ type: "package", unpacked });
      },
    );
    this.#machine.listener = this;
    this.#machine.memory = options.kept.memory;
    options.kernel.after(this.#random.int(1, TICK_MS), () => this.#tick());
  }

  /** Its borglet died: processes go on, and nobody is told. */
  close(): void {
    if (this.#machine.listener === this) this.#machine.listener = undefined;
  }

  save(records: readonly KeptRecord[]): boolean {
    try {
      this.#options.kept.append(records);
      return true;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      return false;
    }
  }

  adopt(kept: readonly Kept[]): readonly Seen[] {
    const expected = kept.filter(({ phase }) => phase === "running" || phase === "stopping");
    const known = new Set(kept.map(({ order }) => order.instance));
    const strangers = [...this.#machine.tasks()].filter(({ instance, state }) => state !== "ended" && !known.has(instance));
    return [...expected.map(({ order, run }) => this.#found(order.instance, run)), ...strangers.map(seenOf)];
  }

  #found(instance: string, run: number): Seen {
    const task = this.#machine.task(instance);
    const isThere = task !== undefined && task.run === run && !this.#machine.callOff(task);
    return isThere ? seenOf(task) : { what: "vanished", instance, run, rebooted: this.#machine.wentWithReboot(instance, run) };
  }

  alive(task: SimulatedTask): void {
    this.#options.deliver({ type: "seen", seen: [seenOf(task)] });
  }

  ended(task: SimulatedTask): void {
    this.#filter.forget(task.instance);
    this.#options.deliver({ type: "seen", seen: [seenOf(task)] });
  }

  start(order: StartOrder, run: number): void {
    this.#options.begins?.(order, run);
    this.#machine.launch(order, run);
  }

  adjust(order: StartOrder): void {
    this.#machine.adjust(order);
  }

  terminate(instance: string): void {
    this.#machine.terminate(instance);
  }

  kill(instance: string): void {
    this.#machine.kill(instance);
  }

  forget(instance: string): void {
    this.#machine.forget(instance);
  }

  allocs(): readonly string[] {
    return [...this.#machine.allocs];
  }

  dropAlloc(alloc: string): void {
    this.#machine.allocs.delete(alloc);
  }

  readLog({ instance, stream, offset, fromEnd, bytesMax }: LogRange): LogPiece | undefined {
    const text = this.#machine.log(instance);
    if (text === undefined) return undefined;
    const bytes = stream === LogStream.STDOUT ? Uint8Array.from(text, (letter) => letter.charCodeAt(0)) : new Uint8Array();
    const at = fromEnd ? Math.max(0, bytes.length - offset) : Math.min(offset, bytes.length);
    const data = bytes.slice(at, at + bytesMax);
    const isRunning = (this.#machine.task(instance)?.state ?? "ended") !== "ended";
    return { offset: at, data, ended: !isRunning && at + data.length === bytes.length };
  }

  /** Simulated programs write none. */
  readFile(): FilePiece {
    return { missing: true, problem: "There is no such file" };
  }

  shell(_: StartOrder | undefined, to: Address, { id }: ShellRequest): void {
    const chunk = make(ShellChunkSchema, { id, missing: true, problem: "There are no shells here" });
    this.#options.deliver({ type: "shell", to, chunk });
  }

  /** As the task's program says; late on a machine that is overloaded, and never well while its process is not there. */
  check({ instance }: StartOrder, run: number, about: About, { timeoutMs }: Question): void {
    const isLate = this.#machine.spike > 1;
    const answerMs = isLate ? timeoutMs : Math.min(timeoutMs, this.#random.int(1, HEALTH_MS));
    this.#options.kernel.after(answerMs, () => {
      const problem = isLate ? `No answer within ${timeoutMs} ms` : this.#machine.problemOf(instance, about);
      if (this.#machine.listener === this) this.#options.deliver({ type: "health", answer: { instance, run, about, problem } });
    });
  }

  #tick(): void {
    if (this.#machine.listener !== this) return;
    this.#options.kernel.after(TICK_MS, () => this.#tick());
    this.#machine.breathe();
    const alive = [...this.#machine.tasks()].filter(({ state }) => state === "alive");
    const measured = alive.map((task) => ({ instance: task.instance, ...this.#machine.use(task) }));
    const samples = this.#filter.pick(measured, (instance) => this.#machine.task(instance)?.limit);
    if (samples.length > 0) this.#options.deliver({ type: "usage", samples });
    const { capacity } = this.#machine.facts;
    for (const shortage of shortages(measured, { ramBytes: capacity?.ramBytes ?? 0, diskBytes: 0 }, false)) {
      this.#options.deliver({ type: "usage", samples: measured });
      this.#options.deliver({ type: "short", shortage });
    }
  }
}

function seenOf({ instance, run, state, exit, message }: SimulatedTask): Seen {
  return state === "ended" ? { what: "ended", instance, run, exit, message } : { what: state, instance, run };
}
