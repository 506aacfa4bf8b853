/**
 * A machine whose tasks may be inside executors: what concerns those goes to their executors (executors.ts), everything else to the machine as it is. Executors come in by a
 * door, which knows who they are: linux/executor-door.ts on a real machine, fauxmaster/world/executor-door.ts on a simulated one.
 */

import type { StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import type { Call, Event } from "../wire/gen/mesos/v1/executor/executor_pb.ts";
import { executorFor, heldOrder, isExecutor } from "./executor.ts";
import type { ExecutorWords } from "./executor-words.ts";
import { Executors, type Problem } from "./executors.ts";
import { isEnded, type Kept, type Memory } from "./kept.ts";
import type { BorgletMachine, Seen } from "./machine.ts";
import type { FromMachine } from "./message.ts";

export interface ExecutorDoor {
  /** From now on this run of an executor may come in. */
  admit(order: StartOrder, run: number): void;
  /** It has ended: nobody comes in as it any more. */
  remove(executor: string): void;
  isListening(executor: string): boolean;
  /** Nobody may listen. */
  send(executor: string, event: Event): void;
}

export interface ExecutorMachineOptions {
  readonly name: string;
  readonly memory: Memory;
  readonly words: ExecutorWords;
  readonly door: ExecutorDoor;
  readonly log: (line: string) => void;
  readonly deliver: (message: FromMachine) => void;
  readonly now: () => number;
  /** Does it after what is done just now, and before long. */
  readonly soon: (work: () => void) => void;
}

/** Of one executor; beyond it messages are refused. */
const MESSAGES_PER_SECOND = 50;
const MESSAGE_BYTES_PER_SECOND = 256 * 1024;

export class ExecutorMachine implements BorgletMachine {
  /** As the machine under it tells it, if that does. */
  strain?: NonNullable<BorgletMachine["strain"]>;
  readonly #options: ExecutorMachineOptions;
  readonly #executors: Executors;
  #machine!: BorgletMachine;
  #told: Seen[] = [];
  /** By executor, in the last second. */
  readonly #saidMs = new Map<string, { readonly sinceMs: number; messages: number; bytes: number }>();

  constructor(options: ExecutorMachineOptions) {
    const { door, words } = options;
    this.#options = options;
    this.#executors = new Executors({
      machine: options.name,
      memory: options.memory,
      now: options.now,
      send: (executor, event) => door.send(executor, event),
      isListening: (executor) => door.isListening(executor),
      save: (instance, run, said) => words.save(instance, run, said),
      saved: (instance, run) => words.saved(instance, run),
      drop: (instance) => words.drop(instance),
      tell: (seen) => this.#tell(seen),
      message: (instance, data) => this.#say(instance, data),
      end: (executor, reason) => {
        options.log(`${reason}: "${executor}" is ended`);
        this.#machine.kill(executor);
      },
      resized: (executor) => this.#resized(executor),
    });
  }

  /** The machine under it. */
  over(machine: BorgletMachine): void {
    this.#machine = machine;
    const strain = machine.strain?.bind(machine);
    if (strain !== undefined) this.strain = strain;
  }

  /** What an executor says. What is wrong with it; undefined: it is taken. */
  call(executor: string, call: Call): Problem | undefined {
    return this.#executors.call(executor, call);
  }

  /** Its stream is no more. */
  gone(executor: string): void {
    this.#executors.gone(executor);
  }

  /** Called every second or so. */
  tick(): void {
    this.#executors.tick();
  }

  /** What the machine under it tells, before anybody else hears it: what an executor had is over first. */
  heard(message: FromMachine): void {
    for (const seen of message.type === "seen" ? message.seen : []) {
      const kept = this.#options.memory.instances.get(seen.instance);
      if (kept === undefined || !isExecutor(kept.order) || (seen.what !== "ended" && seen.what !== "vanished")) continue;
      this.#options.door.remove(seen.instance);
      this.#saidMs.delete(seen.instance);
      this.#executors.ended(seen.instance);
    }
    this.#tellNow();
    this.#options.deliver(message);
  }

  get packages(): BorgletMachine["packages"] {
    return this.#machine.packages;
  }

  readonly save: BorgletMachine["save"] = (records) => this.#machine.save(records);
  readonly allocs: BorgletMachine["allocs"] = () => this.#machine.allocs();
  readonly dropAlloc: BorgletMachine["dropAlloc"] = (alloc) => this.#machine.dropAlloc(alloc);
  readonly check: BorgletMachine["check"] = (...asked) => this.#machine.check(...asked);

  adopt(kept: readonly Kept[]): readonly Seen[] {
    const { door, words } = this.#options;
    const own = kept.filter(({ order }) => executorFor(order) === "");
    const seen = this.#machine.adopt(own);
    const living = new Set(own.filter(({ phase }) => phase === "starting").map(({ order }) => order.instance));
    const vanished = new Set<string>();
    for (const { what, instance } of seen) {
      if (what === "alive" || what === "launching") living.add(instance);
      if (what === "vanished") vanished.add(instance);
    }
    for (const { order, run } of own) if (isExecutor(order) && living.has(order.instance)) door.admit(order, run);
    words.sweep(new Set(kept.map(({ order }) => order.instance)));
    const inside = this.#executors.adopt(
      kept.filter(({ order }) => executorFor(order) !== ""),
      living,
      vanished,
    );
    for (const { order } of own) if (isExecutor(order)) this.#resized(order.instance);
    return [...seen, ...inside];
  }

  start(order: StartOrder, run: number, secrets?: Parameters<BorgletMachine["start"]>[2]): void {
    if (executorFor(order) === "") this.#machine.start(order, run, secrets);
    else this.#executors.start(order, run);
  }

  adjust(order: StartOrder): void {
    if (executorFor(order) === "") this.#machine.adjust(heldOrder(order, this.#options.memory));
    else this.#resized(executorFor(order));
  }

  /** An executor that listens is asked; whoever does not has SIGTERM. */
  terminate(instance: string): void {
    if (this.#executors.has(instance)) this.#executors.terminate(instance);
    else if (!this.#executors.shutdown(instance)) this.#machine.terminate(instance);
  }

  kill(instance: string): void {
    if (this.#executors.has(instance)) this.#executors.kill(instance);
    else this.#machine.kill(instance);
  }

  forget(instance: string): void {
    if (this.#executors.has(instance)) this.#executors.forget(instance);
    else this.#machine.forget(instance);
  }

  /** What a task inside writes, its executor wrote. */
  readonly readLog: BorgletMachine["readLog"] = (range) => this.#machine.readLog({ ...range, instance: this.#processOf(range.instance) });
  readonly readFile: BorgletMachine["readFile"] = (range) =>
    this.#machine.readFile({ ...range, instance: this.#processOf(range.instance) });

  readonly shell: BorgletMachine["shell"] = (order, to, request) => {
    const executor = order === undefined ? undefined : this.#options.memory.instances.get(executorFor(order));
    this.#machine.shell(executor?.order ?? order, to, request);
  };

  #processOf(instance: string): string {
    const kept = this.#options.memory.instances.get(instance);
    return kept === undefined ? instance : executorFor(kept.order) || instance;
  }

  readonly message: NonNullable<BorgletMachine["message"]> = (executor, data) => this.#executors.deliver(executor, data);

  /** Masters hear them all: each executor has its share. */
  #say(instance: string, data: Uint8Array): boolean {
    const nowMs = this.#options.now();
    const said = this.#saidMs.get(instance);
    const sent = said === undefined || nowMs - said.sinceMs >= 1000 ? { sinceMs: nowMs, messages: 0, bytes: 0 } : said;
    this.#saidMs.set(instance, sent);
    if (sent.messages >= MESSAGES_PER_SECOND || sent.bytes >= MESSAGE_BYTES_PER_SECOND) return false;
    sent.messages += 1;
    sent.bytes += data.length;
    this.#options.deliver({ type: "executor", instance, data });
    return true;
  }

  #resized(executor: string): void {
    const kept = this.#options.memory.instances.get(executor);
    if (kept !== undefined && !isEnded(kept)) this.#machine.adjust(heldOrder(kept.order, this.#options.memory));
  }

  /** All of one moment together. */
  #tell(seen: Seen): void {
    this.#told.push(seen);
    if (this.#told.length === 1) this.#options.soon(() => this.#tellNow());
  }

  #tellNow(): void {
    const seen = this.#told;
    this.#told = [];
    if (seen.length > 0) this.#options.deliver({ type: "seen", seen });
  }
}
