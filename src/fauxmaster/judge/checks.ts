/** What must be true of the machines themselves: processes against the cell's word. For the end of a run, and for tests. */
import { taskOf } from "../../base/id.ts";
import { hasPlace, instancesOn } from "../../cell/invariants-words.ts";
import type { CellState, Instance, Machine } from "../../cell/state.ts";
import type { SimulatedMachine } from "../world/simulated-machine.ts";
import { executorIn } from "./executors.ts";

/**
 * Where processes and the state differ: an instance that should run and does not, or runs and should not. Anything may differ for
 * a moment; what still differs after several polls is an orphan or a loss. [KT3]
 */
export function mismatches(state: CellState, machines: readonly SimulatedMachine[]): Set<string> {
  const found = new Set<string>();
  for (const machine of machines) {
    const live = new Set(machine.live());
    const record = state.machines.get(machine.name as never);
    for (const instance of record === undefined ? [] : instancesOn(record)) {
      if (instance.inside !== undefined || !hasPlace(instance.task.state)) continue;
      const executor = executorIn(instance.task);
      if (executor !== "") {
        if (!isInside(machine, executor, instance)) found.add(`${instance.id} should run inside ${executor}`);
        continue;
      }
      // A process that waits for its next start in place is not lost.
      const restarts = isStarting(machine, instance.id);
      if (!live.delete(instance.id) && !restarts) found.add(`${instance.id} should run on ${machine.name}`);
    }
    for (const alloc of machine.allocs)
      if (record?.place.occupants.has(alloc as never) !== true && !record?.directories.some((each) => each.alloc === alloc))
        found.add(`the directory of ${alloc} is on ${machine.name}, and the alloc is no more`);
    for (const { instance: executor, program } of machine.tasks()) {
      for (const taskId of program?.running() ?? [])
        if (!knows(record, executor, taskId)) found.add(`${taskId} runs inside ${executor} and should not`);
      for (const taskId of program?.waiting() ?? []) found.add(`${executor} said something of ${taskId} that nobody acknowledged`);
    }
    for (const orphan of live) found.add(`${orphan} runs on ${machine.name} and should not`);
  }
  return found;
}

/** Its executor has it; or is not there itself, and then is what is missing. */
function isInside(machine: SimulatedMachine, executor: string, { task }: Instance): boolean {
  const program = machine.task(executor)?.program;
  return program === undefined || program.hangs || program.has(task.launched?.taskId ?? "");
}

const knows = (record: Machine | undefined, executor: string, taskId: string): boolean =>
  [...(record === undefined ? [] : instancesOn(record))].some(
    ({ task }) => executorIn(task) === executor && task.launched?.taskId === taskId,
  );

/** Its borglet waits for its back-off, or its process is on its way. */
const isStarting = (machine: SimulatedMachine, instance: string): boolean =>
  machine.memory?.instances.get(instance)?.phase === "starting" || machine.task(instance)?.state === "launching";

/** Tasks with more than one live process, and where. [KT2] */
export function copies(machines: readonly SimulatedMachine[]): ReadonlyMap<string, readonly string[]> {
  // Asked twice a second, and mostly there are none: only tasks that were met before are written out.
  const met = new Set<string>();
  const twice = new Set<string>();
  for (const machine of machines)
    for (const { instance, state } of machine.tasks()) {
      if (state !== "alive") continue;
      const task = taskOf(instance);
      if (met.has(task)) twice.add(task);
      met.add(task);
    }
  return new Map([...met].filter((task) => twice.has(task)).map((task) => [task, placesOf(task, machines)]));
}

function placesOf(task: string, machines: readonly SimulatedMachine[]): readonly string[] {
  return machines.flatMap((machine) =>
    machine
      .live()
      .filter((instance) => taskOf(instance) === task)
      .map((instance) => `${instance} on ${machine.name}`),
  );
}
