/**
 * A process of emulated borglets: each has a real link to the master and speaks the real messages; only the tasks are made up. A task runs as soon as
 * it is ordered and ends by itself after `lifeMs`, or after what it says itself (`sleep 12.5`). What is measured here is how often polls come, and when starts were ordered.
 */
import { LinkClient } from "../src/rpc/link-client.ts";
import { make } from "../src/wire/codec.ts";
import {
  type InstanceReport,
  InstanceReportSchema,
  type MachineFacts,
  MachineFactsSchema,
  Phase,
  type Poll,
} from "../src/wire/gen/borg/v1/machine_pb.ts";
import { emulatedName, type MachineIdentities } from "./identities.ts";

export interface EmulationOptions {
  /** The master's Unix socket for borglets. */
  readonly link: string;
  readonly identities: MachineIdentities;
  readonly machines: number;
  readonly lifeMs: number;
  /** Ports of a machine; 10,000 unless said. */
  readonly ports?: number;
}

/** What the process says when asked. */
export interface EmulationFigures {
  readonly linked: number;
  /** The wall time at which the last link opened. */
  readonly linkedMs: number;
  readonly polls: number;
  readonly pollGapsMs: readonly number[];
  /** Instance and wall time of each start. */
  readonly starts: readonly (readonly [string, number])[];
  /** Machine and wall time of each end that was told. */
  readonly ends: readonly (readonly [string, number])[];
}

const GIB = 2 ** 30;
const GAPS_MAX = 200_000;

class EmulatedBorglet {
  readonly #machine: string;
  readonly #link: LinkClient;
  readonly #facts: MachineFacts;
  readonly #instances = new Map<string, InstanceReport>();
  readonly #rig: Rig;
  #poll: Poll | undefined;
  #hold: NodeJS.Timeout | undefined;
  #polledMs = 0;

  constructor(rig: Rig, machine: string, options: EmulationOptions) {
    this.#rig = rig;
    this.#machine = machine;
    this.#facts = make(MachineFactsSchema, {
      capacity: { cpuMilli: 64_000, ramBytes: 256 * GIB, diskBytes: 1000 * GIB },
      portFirst: 20_000,
      portLast: 20_000 + (options.ports ?? 10_000) - 1,
      host: "127.0.0.1",
    });
    this.#link = new LinkClient({
      at: { kind: "unix", path: options.link },
      machine,
      identity: options.identities[machine]!,
      onOpen: () => {
        rig.opened();
        this.#poll = undefined;
        this.#answered = -1;
        this.#link.send({ case: "hello", value: { machine, facts: this.#facts } });
      },
      onFrame: (frame) => frame.case === "poll" && this.#onPoll(frame.value),
      onClose: () => undefined,
      log: () => undefined,
    });
  }

  get linked(): boolean {
    return this.#link.open;
  }

  #onPoll(poll: Poll): void {
    const nowMs = performance.now();
    if (this.#polledMs > 0) this.#rig.gap(nowMs - this.#polledMs);
    this.#polledMs = nowMs;
    let news = this.#poll === undefined || this.#hasUntold;
    for (const { body } of poll.orders) {
      if (body.case === "start") news = this.#start(body.value.instance, lifeIn(body.value.task?.command ?? [])) || news;
      if (body.case === "stop") news = this.#instances.delete(body.value.instance) || news;
    }
    this.#poll = poll;
    clearTimeout(this.#hold);
    if (news) this.#report();
    else this.#hold = setTimeout(() => this.#report(), poll.holdMs);
  }

  #start(instance: string, ownLifeMs: number | undefined): boolean {
    if (this.#instances.has(instance)) return false;
    this.#rig.started(instance);
    this.#instances.set(instance, make(InstanceReportSchema, { instance, phase: Phase.RUNNING, run: 1 }));
    setTimeout(() => this.#finish(instance), ownLifeMs ?? this.#rig.lifeMs);
    return true;
  }

  #finish(instance: string): void {
    if (!this.#instances.has(instance)) return;
    this.#instances.set(instance, make(InstanceReportSchema, { instance, phase: Phase.FINISHED, run: 1 }));
    this.#rig.ended(this.#machine);
    this.#report();
  }

  #report(): void {
    const poll = this.#poll;
    if (poll === undefined) return;
    clearTimeout(this.#hold);
    const { term, sequence } = poll;
    // What came between a report and the next poll is told with that one, at once.
    this.#hasUntold = sequence === this.#answered;
    if (this.#hasUntold) return;
    this.#answered = sequence;
    const instances = [...this.#instances.values()];
    this.#link.send({ case: "report", value: { machine: this.#machine, term, sequence, facts: this.#facts, instances } });
  }

  #answered = -1;
  #hasUntold = false;
}

/** What a task says of itself, by its last word. */
function lifeIn(command: readonly string[]): number | undefined {
  const [, seconds] = /^sleep (\d{1,6}(?:\.\d{1,6})?)$/.exec(command.at(-1) ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

class Rig {
  readonly lifeMs: number;
  readonly #borglets: readonly EmulatedBorglet[];
  #linkedMs = 0;
  #polls = 0;
  #gaps: number[] = [];
  #starts: [string, number][] = [];
  #ends: [string, number][] = [];

  constructor(options: EmulationOptions) {
    this.lifeMs = options.lifeMs;
    this.#borglets = Array.from({ length: options.machines }, (_, i) => new EmulatedBorglet(this, emulatedName(i), options));
  }

  gap(ms: number): void {
    this.#polls += 1;
    if (this.#gaps.length < GAPS_MAX) this.#gaps.push(ms);
  }

  opened(): void {
    this.#linkedMs = Date.now();
  }

  started(instance: string): void {
    this.#starts.push([instance, Date.now()]);
  }

  ended(machine: string): void {
    this.#ends.push([machine, Date.now()]);
  }

  /** Reads and resets. */
  take(): EmulationFigures {
    const figures = {
      linked: this.#borglets.filter(({ linked }) => linked).length,
      linkedMs: this.#linkedMs,
      polls: this.#polls,
      pollGapsMs: this.#gaps,
      starts: this.#starts,
      ends: this.#ends,
    };
    this.#polls = 0;
    this.#gaps = [];
    this.#starts = [];
    this.#ends = [];
    return figures;
  }
}

if (process.send !== undefined) {
  let rig: Rig | undefined;
  process.on("message", (message: { readonly start?: EmulationOptions }) => {
    if (message.start !== undefined) rig = new Rig(message.start);
    else process.send?.(rig?.take());
  });
}
