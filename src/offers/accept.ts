/** What an ACCEPT comes to: which of its tasks are asked of the cell, and which are told at once that they cannot be. */
import { fits, plus, rest, type Vector, ZERO } from "../base/vector.ts";
import type { Launch } from "../wire/gen/borg/v1/op_pb.ts";
import { ExecutorInfo_Type, Offer_Operation_Type as Kind, type Offer_Operation, type TaskInfo } from "../wire/gen/mesos/v1/mesos_pb.ts";
import type { Offer, Part } from "./ledger.ts";
import { contains, joined, NO_RANGES, type Ranges, without } from "./ranges.ts";
import { type LaunchContext, type Wanted, wantedOf } from "./task-info.ts";
import { nameIn } from "./words.ts";

export interface Refusal {
  readonly taskId: string;
  readonly reason: string;
  /** The whole group of it. */
  readonly ofGroup: boolean;
}

export interface Plan {
  readonly launches: readonly Launch[];
  readonly refusals: readonly Refusal[];
  /** By task: what each launch takes. */
  readonly amounts: ReadonlyMap<string, Vector>;
}

/** Every task that the operations of an ACCEPT name. */
export const tasksOf = (operations: readonly Offer_Operation[]): readonly TaskInfo[] =>
  operations.flatMap(({ launch, launchGroup }) => [...(launch?.taskInfos ?? []), ...(launchGroup?.taskGroup?.tasks ?? [])]);

const TASK_BYTES = 1024;

/** What they take in memory, about: their texts, and something for each task. */
export function weightOf(operations: readonly Offer_Operation[]): number {
  let bytes = 0;
  for (const { command, data, resources } of tasksOf(operations)) {
    bytes += TASK_BYTES + resources.length * 100 + (data?.length ?? 0) + (command?.value?.length ?? 0);
    for (const each of command?.arguments ?? []) bytes += each.length;
    for (const { value = "" } of command?.environment?.variables ?? []) bytes += 100 + value.length;
  }
  return bytes;
}

/** What is wrong with the operations as such. */
export function operationsProblem(operations: readonly Offer_Operation[]): string | undefined {
  for (const { type, launch, launchGroup } of operations) {
    if (type === Kind.LAUNCH && launch !== undefined) continue;
    if (type === Kind.LAUNCH_GROUP && launchGroup !== undefined) continue;
    return `Operation ${nameIn(Kind, type)} is not there: offers here are for LAUNCH and LAUNCH_GROUP`;
  }
  return undefined;
}

/** In the order of the operations: what does not fit into what is left of the offers is refused, the rest goes on. */
export function planOf(
  offers: readonly Offer[],
  operations: readonly Offer_Operation[],
  frameworkId: string,
  executorThere: LaunchContext["executorThere"],
): Plan {
  const plan = new Planning(offers, frameworkId, executorThere);
  let group = 0;
  for (const { launch, launchGroup } of operations) {
    for (const info of launch?.taskInfos ?? []) plan.together([info], 0, undefined);
    const tasks = launchGroup?.taskGroup?.tasks ?? [];
    if (tasks.length === 0) continue;
    group += 1;
    const isOwn = launchGroup?.executor?.type === ExecutorInfo_Type.CUSTOM;
    plan.together(
      tasks,
      group,
      isOwn ? "A group runs without an executor of the framework's own here: let its type be DEFAULT" : undefined,
    );
  }
  return plan;
}

class Planning implements Plan {
  readonly launches: Launch[] = [];
  readonly refusals: Refusal[] = [];
  readonly amounts = new Map<string, Vector>();
  readonly #context: Omit<LaunchContext, "group" | "left">;
  #left: Vector;
  #ports: Ranges;
  /** Executors that are launched with this call, by their ids. */
  readonly #executors = new Map<string, Uint8Array>();

  constructor(offers: readonly Offer[], frameworkId: string, executorThere: LaunchContext["executorThere"]) {
    const [first] = offers;
    this.#context = {
      frameworkId,
      machine: first?.machine ?? "",
      maxCompletionMs: first?.maxCompletionMs,
      executorThere: (id) => this.#executors.get(id) ?? executorThere(id),
    };
    this.#left = offers.reduce((sum, { amount }) => plus(sum, amount), ZERO);
    this.#ports = offers.reduce((sum, { ports }) => joined(sum, ports), NO_RANGES);
  }

  /** All of them, or none. */
  together(infos: readonly TaskInfo[], group: number, problem: string | undefined): void {
    let [left, ports] = [this.#left, this.#ports];
    const wanted: Wanted[] = [];
    for (const info of infos) {
      const found = problem === undefined ? wantedOf(info, { ...this.#context, group, left }) : { ok: false as const, reason: problem };
      const parts = found.ok ? [...(found.value.executor === undefined ? [] : [found.value.executor.part]), found.value.part] : [];
      const whole = parts.reduce(sumOf, NOTHING);
      const reason = found.ok ? beyond(whole, left, ports) : found.reason;
      if (!found.ok || reason !== undefined) return this.#refuse(infos, group, info, reason ?? "");
      wanted.push(found.value);
      left = rest(left, whole.amount);
      ports = without(ports, whole.ports);
    }
    this.#left = left;
    this.#ports = ports;
    for (const { taskId, launch, part, executor } of wanted) {
      if (executor !== undefined) this.#launchExecutor(executor.launch, executor.part);
      this.launches.push(launch);
      this.amounts.set(taskId, part.amount);
    }
  }

  #launchExecutor(launch: Launch, { amount }: Part): void {
    const { id, info } = launch.task!.executor!;
    this.#executors.set(id, info);
    this.launches.push(launch);
    this.amounts.set(launch.taskId, amount);
  }

  #refuse(infos: readonly TaskInfo[], group: number, of: TaskInfo, reason: string): void {
    for (const info of infos) {
      const words = info === of ? reason : `Task "${of.taskId?.value ?? ""}" of its group cannot be launched: ${reason}`;
      this.refusals.push({ taskId: info.taskId?.value ?? "", reason: words, ofGroup: group !== 0 });
    }
  }
}

const NOTHING: Part = { amount: ZERO, ports: NO_RANGES };
const sumOf = (a: Part, b: Part): Part => ({ amount: plus(a.amount, b.amount), ports: joined(a.ports, b.ports) });

function beyond({ amount, ports }: Part, left: Vector, free: Ranges): string | undefined {
  if (!fits({ ...amount, ports: 0 }, left)) return "It asks for more than is left of what was offered";
  return contains(free, ports) ? undefined : "It asks for ports that were not offered, or that another task of this call has";
}
