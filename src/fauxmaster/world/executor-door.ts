/** Where the executors of a simulated machine come in, for one life of its borglet: linux/executor-door.ts without a network. What is said either way takes a while, and is heard in order. */
import type { ExecutorDoor } from "../../borglet/executor-machine.ts";
import type { Problem } from "../../borglet/executors.ts";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { type Call, Call_Type, type Event } from "../../wire/gen/mesos/v1/executor/executor_pb.ts";
import type { ExecutorProgram } from "./executor-program.ts";
import type { Kernel } from "./kernel.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";

/** What is on its way to the borglet's process. */
export type AtDoor =
  | { readonly type: "call"; readonly executor: string; readonly run: number; readonly call: Call }
  | { readonly type: "gone"; readonly executor: string };

/** What the borglet's process has for whoever comes in. */
export interface DoorHost {
  call(executor: string, call: Call): Problem | undefined;
  gone(executor: string): void;
}

const WAY_MS = 5;
const STRANGER: Problem = { status: 403, text: "Nobody here has that token" };

interface Stream {
  readonly program: ExecutorProgram;
  /** When the last event arrives. */
  atMs: number;
}

export class SimulatedDoor implements ExecutorDoor {
  readonly #kernel: Kernel;
  readonly #machine: SimulatedMachine;
  /** Hands something to the borglet's process: late while that is paused, never after its death. */
  readonly #enter: (asked: AtDoor) => void;
  /** The run of each executor that may come in. */
  readonly #known = new Map<string, number>();
  readonly #streams = new Map<string, Stream>();

  constructor(kernel: Kernel, machine: SimulatedMachine, enter: (asked: AtDoor) => void) {
    this.#kernel = kernel;
    this.#machine = machine;
    this.#enter = enter;
    machine.door = this;
    for (const { program } of machine.tasks()) program?.cut();
  }

  /** The borglet died: every stream ends. */
  close(): void {
    if (this.#machine.door !== this) return;
    this.#machine.door = undefined;
    for (const { program } of this.#streams.values()) program.cut();
    this.#streams.clear();
  }

  // For the borglet

  admit({ instance }: StartOrder, run: number): void {
    this.#known.set(instance, run);
  }

  remove(executor: string): void {
    this.#known.delete(executor);
    this.#streams.delete(executor);
  }

  isListening(executor: string): boolean {
    return this.#streams.has(executor);
  }

  send(executor: string, event: Event): void {
    const stream = this.#streams.get(executor);
    if (stream === undefined) return;
    stream.atMs = Math.max(stream.atMs, this.#kernel.nowMs + this.#wayMs());
    this.#kernel.at(stream.atMs, () => {
      if (this.#streams.get(executor) === stream && stream.program.task.state === "alive") stream.program.hear(event);
    });
  }

  /** In the borglet's process. Whoever asked may have ended meanwhile: what it said counts. */
  serve(asked: AtDoor, host: DoorHost): void {
    const { executor } = asked;
    if (asked.type === "gone") return host.gone(executor);
    const { run, call } = asked;
    const task = this.#machine.task(executor);
    const program = task?.run === run && task.state === "alive" ? task.program : undefined;
    const problem = this.#known.get(executor) === run ? this.#take(executor, program, call, host) : STRANGER;
    const { status } = call.update ?? {};
    if (status !== undefined && problem === undefined) this.#machine.ledger.taken(executor, status);
    program?.answered(this, call, problem);
  }

  #take(executor: string, program: ExecutorProgram | undefined, call: Call, host: DoorHost): Problem | undefined {
    if (call.type !== Call_Type.SUBSCRIBE) return host.call(executor, call);
    if (program === undefined) return STRANGER;
    this.#streams.set(executor, { program, atMs: 0 });
    const problem = host.call(executor, call);
    if (problem !== undefined) this.#streams.delete(executor);
    return problem;
  }

  // For executors

  ask({ task: { instance, run } }: ExecutorProgram, call: Call): void {
    this.#kernel.after(this.#wayMs(), () => {
      if (this.#machine.door === this) this.#enter({ type: "call", executor: instance, run, call });
    });
  }

  hungUp({ task: { instance } }: ExecutorProgram): void {
    if (this.#streams.delete(instance)) this.#enter({ type: "gone", executor: instance });
  }

  #wayMs(): number {
    return this.#kernel.streams.of(`executors/${this.#machine.name}`).int(1, WAY_MS);
  }
}
