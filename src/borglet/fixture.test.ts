/** A borglet in a world of memory: processes, a disk, a master's ear and a clock that the test turns. */
import type { Address, Env, TimerHandle } from "../base/env.ts";
import { make } from "../wire/codec.ts";
import type { KeptRecord } from "../wire/gen/borg/v1/borglet_pb.ts";
import {
  type LogChunk,
  type PackageRequest,
  type SecretRequest,
  ShellChunkSchema,
  type ShellRequest,
  type UsageChunk,
} from "../wire/gen/borg/v1/link_pb.ts";
import { type MachineFacts, MachineFactsSchema, type Report, type StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import type { BetweenBorglets, Framed, FromBorglet } from "../wire/link-message.ts";
import { Borglet } from "./borglet.ts";
import { type Kept, newMemory, recall } from "./kept.ts";
import type { About, BorgletMachine, Exit, FilePiece, LogPiece, LogRange, PackageFiles, Question, SecretFile, Seen } from "./machine.ts";
import type { BorgletHears } from "./message.ts";

interface Event {
  readonly atMs: number;
  readonly happen: () => void;
}

/** Timers of a dead borglet never fire: each has an Env of its own. */
class MemoryEnv implements Env<Framed<FromBorglet | BetweenBorglets>> {
  readonly #world: MemoryWorld;
  readonly #timers = new Map<TimerHandle, Event>();
  borglet: Borglet | undefined;

  constructor(world: MemoryWorld) {
    this.#world = world;
  }

  now = (): number => this.#world.nowMs;
  wall = (): number => this.#world.nowMs;
  random = (): number => 0.5;
  id = (): string => "id";
  log = (): void => {};
  send = (to: Address, message: Framed<FromBorglet | BetweenBorglets>): void => this.#world.hear(to, message);

  timer(afterMs: number, tag: string): TimerHandle {
    const handle = { tag };
    this.#timers.set(
      handle,
      this.#world.at(this.#world.nowMs + afterMs, () => {
        this.#timers.delete(handle);
        this.borglet?.onTimer(tag);
      }),
    );
    return handle;
  }

  cancel(timer: TimerHandle): void {
    const event = this.#timers.get(timer);
    if (event !== undefined) this.#world.events.delete(event);
    this.#timers.delete(timer);
  }
}

interface Ended {
  readonly run: number;
  readonly exit: Exit;
  readonly message: string;
}

export class MemoryWorld implements BorgletMachine {
  nowMs = 0;
  hellos = 0;
  /** As the last hello told them. */
  helloFacts: MachineFacts | undefined;
  starts = 0;
  /** Starts whose record was not on the disk. */
  unsavedStarts = 0;
  output = "";
  /** What the health URL answers. */
  problem = "";
  diskFull = false;
  readonly reports: Report[] = [];
  readonly chunks: LogChunk[] = [];
  readonly usageChunks: UsageChunk[] = [];
  /** What the readiness check answers. */
  notReady = "";
  readonly checked: Question[] = [];
  /** When each got its SIGTERM. */
  readonly terminatedMs = new Map<string, number>();
  readonly packageRequests: PackageRequest[] = [];
  readonly grants: boolean[] = [];
  readonly secretRequests: SecretRequest[] = [];
  /** What each start was given, as text. */
  readonly secretsGiven: string[] = [];
  /** What was done to packages, in words, and what is there of them. */
  readonly packageSteps: string[] = [];
  readonly packagesThere = new Map<string, { readonly names: readonly string[]; readonly bytes: number; readonly packedBytes: number }>();
  /** What was said to other machines. */
  readonly toPeers: (readonly [Address, BetweenBorglets])[] = [];
  readonly packageParts = new Map<string, number>();
  readonly packages: PackageFiles = {
    list: () => [...this.packagesThere].map(([digest, there]) => ({ digest, ...there })),
    part: (digest) => this.packageParts.get(digest) ?? 0,
    write: (digest, offset, data) => {
      this.packageParts.set(digest, offset + data.length);
      return this.diskFull ? "The disk is full" : "";
    },
    unpack: (digest) => {
      this.packageParts.delete(digest);
      this.packageSteps.push(`unpack ${digest[0]}`);
    },
    read: (digest, offset, bytesMax) => {
      const { packedBytes } = this.packagesThere.get(digest) ?? { packedBytes: 0 };
      const data = new Uint8Array(Math.min(bytesMax, packedBytes - offset));
      return packedBytes === 0 ? undefined : { total: packedBytes, data };
    },
    dropPacked: (digest) => {
      this.packageSteps.push(`drop bytes of ${digest[0]}`);
    },
    drop: (digest) => {
      this.packagesThere.delete(digest);
      this.packageSteps.push(`drop ${digest[0]}`);
    },
  };
  readonly forgotten: string[] = [];
  /** Limits of what runs that were changed, in words. */
  readonly adjusted: string[] = [];
  readonly allocsThere = new Set<string>();
  readonly allocs = (): readonly string[] => [...this.allocsThere];
  readonly dropAlloc = (alloc: string): void => void this.allocsThere.delete(alloc);
  readonly processes = new Map<string, { readonly run: number; alive: boolean }>();
  /** Deaf to SIGTERM. */
  readonly stubborn = new Set<string>();
  readonly events = new Set<Event>();
  readonly #ended = new Map<string, Ended>();
  readonly #disk: KeptRecord[] = [];
  readonly #ramEnforced: boolean;
  #env = new MemoryEnv(this);

  constructor({ ramEnforced = true } = {}) {
    this.#ramEnforced = ramEnforced;
    this.#boot();
  }

  /** Ends the borglet, and starts another after `meanwhile`. */
  crash(meanwhile: () => void = () => {}): void {
    this.#env.borglet = undefined;
    meanwhile();
    this.#boot();
  }

  #boot(): void {
    const memory = newMemory();
    for (const record of this.#disk) recall(memory, record);
    const facts = make(MachineFactsSchema, { capacity: { cpuMilli: 4000 } });
    const env = new MemoryEnv(this);
    const options = { name: "m1", facts, masters: ["master"], machine: this, memory, ramEnforced: this.#ramEnforced, peerPort: 7 };
    env.borglet = new Borglet(env, options);
    this.#env = env;
    env.borglet.start();
  }

  say(message: BorgletHears, from: Address = "master"): void {
    this.#env.borglet?.onMessage(from, message);
  }

  hear(to: Address, { frame }: Framed<FromBorglet | BetweenBorglets>): void {
    if (frame.case === "peerRequest" || frame.case === "packageChunk") this.toPeers.push([to, frame]);
    else if (frame.case === "packageGranted") this.grants.push(frame.value.has);
    else if (frame.case === "hello") {
      this.hellos += 1;
      this.helloFacts = frame.value.facts;
    } else if (frame.case === "report") this.reports.push(frame.value);
    else if (frame.case === "packageRequest") this.packageRequests.push(frame.value);
    else if (frame.case === "secretRequest") this.secretRequests.push(frame.value);
    else if (frame.case === "logChunk") this.chunks.push(frame.value);
    else if (frame.case === "usageChunk") this.usageChunks.push(frame.value);
  }

  at(atMs: number, happen: () => void): Event {
    const event = { atMs, happen };
    this.events.add(event);
    return event;
  }

  run(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (;;) {
      let next: Event | undefined;
      for (const event of this.events) if (event.atMs <= untilMs && (next === undefined || event.atMs < next.atMs)) next = event;
      if (next === undefined) break;
      this.events.delete(next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.happen();
    }
    this.nowMs = untilMs;
  }

  end(instance: string, exit: Exit, message = ""): void {
    const process = this.processes.get(instance);
    if (process === undefined) return;
    this.processes.delete(instance);
    const ended = { run: process.run, exit, message };
    this.#ended.set(instance, ended);
    this.say({ type: "seen", seen: [{ what: "ended", instance, ...ended }] });
  }

  save(records: readonly KeptRecord[]): boolean {
    if (!this.diskFull) this.#disk.push(...records);
    return !this.diskFull;
  }

  adopt(kept: readonly Kept[]): readonly Seen[] {
    const seen: Seen[] = [];
    for (const [instance, { run, alive }] of this.processes) seen.push({ what: alive ? "alive" : "launching", instance, run });
    for (const { order } of kept) {
      const ended = this.#ended.get(order.instance);
      if (ended !== undefined) seen.push({ what: "ended", instance: order.instance, ...ended });
    }
    for (const { order, run, phase } of kept) {
      const isThere = seen.some(({ instance }) => instance === order.instance);
      if (!isThere && phase === "running") seen.push({ what: "vanished", instance: order.instance, run, rebooted: true });
    }
    return seen;
  }

  start({ instance, alloc }: StartOrder, run: number, secrets: readonly SecretFile[] = []): void {
    for (const { path, data } of secrets) this.secretsGiven.push(`${path} ${new TextDecoder().decode(data)}`);
    if (alloc !== "") this.allocsThere.add(alloc);
    if (this.processes.has(instance)) throw new Error(`Instance "${instance}" runs already`);
    const isSaved = ({ body }: KeptRecord): boolean =>
      body.case === "instance" && body.value.order?.instance === instance && body.value.run === run;
    if (!this.#disk.some(isSaved)) this.unsavedStarts += 1;
    this.starts += 1;
    this.#ended.delete(instance);
    const process = { run, alive: false };
    this.processes.set(instance, process);
    this.at(this.nowMs + 5, () => {
      if (this.processes.get(instance) !== process) return;
      process.alive = true;
      this.say({ type: "seen", seen: [{ what: "alive", instance, run }] });
    });
  }

  adjust({ instance, task }: StartOrder): void {
    this.adjusted.push(`${instance} ${task?.limit?.cpuMilli} ${task?.limit?.ramBytes}`);
  }

  terminate(instance: string): void {
    this.terminatedMs.set(instance, this.nowMs);
    if (!this.stubborn.has(instance)) this.at(this.nowMs + 1, () => this.end(instance, { code: 0, signal: 15 }));
  }

  kill(instance: string): void {
    this.at(this.nowMs + 1, () => this.end(instance, { code: 0, signal: 9 }));
  }

  forget(instance: string): void {
    this.forgotten.push(instance);
  }

  readLog({ instance, offset, fromEnd, bytesMax }: LogRange): LogPiece | undefined {
    if (!this.processes.has(instance)) return undefined;
    const bytes = new TextEncoder().encode(this.output);
    const at = fromEnd ? Math.max(0, bytes.length - offset) : Math.min(offset, bytes.length);
    return { offset: at, data: bytes.slice(at, at + bytesMax), ended: false };
  }

  readFile(): FilePiece {
    return { missing: true, problem: "There is no such file" };
  }

  shell(_: StartOrder | undefined, to: Address, { id }: ShellRequest): void {
    const chunk = make(ShellChunkSchema, { id, missing: true, problem: "There are no shells here" });
    this.say({ type: "shell", to, chunk });
  }

  check({ instance }: StartOrder, run: number, about: About, question: Question): void {
    this.checked.push(question);
    const problem = (): string => (about === "health" ? this.problem : this.notReady);
    this.at(this.nowMs + 1, () => this.say({ type: "health", answer: { instance, run, about, problem: problem() } }));
  }
}
