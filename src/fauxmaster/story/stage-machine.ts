/** A simulated machine whose tasks use what the story says, and end when it says so. */

import { taskOf } from "../../base/id.ts";
import type { Amounts } from "../../borglet/notice.ts";
import { SimulatedMachine, type SimulatedTask } from "../world/simulated-machine.ts";

export class StageMachine extends SimulatedMachine {
  readonly #told = new Map<string, Amounts>();

  /** The instance of a task whose process lives here. */
  instanceOf(task: string): string | undefined {
    return this.live().find((instance) => taskOf(instance) === task);
  }

  /** From now on this task uses so much, whichever instance it is. */
  tell(task: string, usage: Amounts): void {
    this.#told.set(task, usage);
  }

  override use(task: SimulatedTask): Amounts {
    return this.#told.get(taskOf(task.instance)) ?? super.use(task);
  }
}
