/** The process of a simulated borglet, with executors: the code that runs on real machines (borglet/executor-machine.ts) between the actor and its machine. */
import type { Actor, Address, Env } from "../../base/env.ts";
import { isExecutor } from "../../borglet/executor.ts";
import { ExecutorMachine } from "../../borglet/executor-machine.ts";
import { ExecutorWords } from "../../borglet/executor-words.ts";
import type { KeptFile } from "../../borglet/kept-file.ts";
import type { BorgletMachine } from "../../borglet/machine.ts";
import type { BorgletHears, FromMachine } from "../../borglet/message.ts";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { type AtDoor, SimulatedDoor } from "./executor-door.ts";
import type { Kernel } from "./kernel.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";

export interface DeskOptions {
  readonly kernel: Kernel;
  readonly machine: SimulatedMachine;
  readonly kept: KeptFile;
  readonly env: Pick<Env<unknown>, "now" | "log" | "timer">;
  /** The machine under it. */
  readonly host: BorgletMachine;
  /** Hands the process what is at its door. */
  readonly enter: (from: Address, message: AtDoor) => void;
}

const DOOR: Address = "executors";
const SOON = "executors-soon";

export class ExecutorDesk implements Actor<BorgletHears | AtDoor> {
  /** As the borglet sees it. */
  readonly machine: ExecutorMachine;
  readonly #door: SimulatedDoor;
  #borglet!: Actor<BorgletHears>;
  #soon: (() => void)[] = [];

  constructor({ kernel, machine, kept, env, host, enter }: DeskOptions) {
    this.#door = new SimulatedDoor(kernel, machine, (asked) => enter(DOOR, asked));
    const log = (line: string): void => env.log(line);
    this.machine = new ExecutorMachine({
      name: machine.name,
      memory: kept.memory,
      words: new ExecutorWords(machine.disk.disk, log),
      door: this.#door,
      log,
      deliver: (message) => this.#borglet.onMessage("machine", message),
      now: () => env.now(),
      soon: (work) => {
        this.#soon.push(work);
        env.timer(0, SOON);
      },
    });
    this.machine.over(host);
  }

  /** The borglet that all of this is for. */
  over(borglet: Actor<BorgletHears>): this {
    this.#borglet = borglet;
    return this;
  }

  /** What the machine starts finds its way in. */
  admit(order: StartOrder, run: number): void {
    if (isExecutor(order)) this.#door.admit(order, run);
  }

  close(): void {
    this.#door.close();
  }

  start(): void {
    this.#borglet.start();
  }

  onMessage(from: Address, message: BorgletHears | AtDoor): void {
    if (from === DOOR) this.#door.serve(message as AtDoor, this.machine);
    else if (from === "machine") this.machine.heard(message as FromMachine);
    else this.#borglet.onMessage(from, message as BorgletHears);
  }

  /** A borglet's own timers ring every few seconds; executors need no more. */
  onTimer(tag: string): void {
    if (tag !== SOON) {
      this.machine.tick();
      this.#borglet.onTimer(tag);
      return;
    }
    const soon = this.#soon;
    this.#soon = [];
    for (const work of soon) work();
  }
}
