/**
 * Tells the allocator what the cell has: machines, roles, frameworks' use, quota. Entries only mark what they touched; before a cycle what is marked is read from
 * the copy of the cell, once however often it changed.
 */
import { fnv1a } from "../base/fnv.ts";
import { type JobId, type MachineId, userId } from "../base/id.ts";
import type { Random } from "../base/random.ts";
import { dominantShare } from "../base/share.ts";
import { equal, plus, rest, type Vector, ZERO } from "../base/vector.ts";
import { quotaVector } from "../cell/amounts.ts";
import { expiryAt } from "../cell/expiry.ts";
import { chargedTo, guaranteeOf } from "../cell/ops/quota.ts";
import type { CellState, Job, Machine, Task } from "../cell/state.ts";
import type { Touched } from "../cell/touched.ts";
import { type BandName, bandOf } from "../wire/band.ts";
import { OfferModule, type OfferPolicy } from "../wire/gen/borg/v1/op_pb.ts";
import { SHORT_TASK_MS } from "../wire/spec-defaults.ts";
import type { Allocator, MachineView } from "./allocator.ts";
import { attributesOf } from "./events.ts";
import { HOSTNAME } from "./filters.ts";
import { type ModuleName, moduleOf } from "./module.ts";
import { roomOf } from "./room.ts";

/** Whose quota a framework's tasks take. */
export const purseOf = (job: Job): string => `${job.owner} ${bandOf(job.priority)}`;

const MODULES: ReadonlyMap<OfferModule, ModuleName> = new Map<OfferModule, ModuleName>([
  [OfferModule.PRIORITY, "priority"],
  [OfferModule.LOTTERY, "lottery"],
]);

/** A cell that was told nothing goes by drf. */
const moduleNameOf = (policy: OfferPolicy | undefined): ModuleName => MODULES.get(policy?.module ?? OfferModule.DRF) ?? "drf";

export class CellView {
  readonly #allocator: Allocator;
  readonly #random: Random;
  /** As the allocator was told last. */
  #policy: OfferPolicy | undefined;
  readonly #machines = new Set<MachineId>();
  readonly #frameworks = new Set<JobId>();
  readonly #roles = new Set<string>();
  readonly #purses = new Map<string, { readonly user: string; readonly band: BandName }>();
  #total: Vector = ZERO;

  constructor(allocator: Allocator, random: Random) {
    this.#allocator = allocator;
    this.#random = random;
  }

  /** Everything is to be read. */
  begin(state: CellState): void {
    for (const id of state.machines.keys()) this.#machines.add(id);
  }

  /** From now on its use and its quota are followed. */
  follow(job: Job, role: string): void {
    this.#frameworks.add(job.id);
    this.#roles.add(role);
    this.#purses.set(purseOf(job), { user: job.owner, band: bandOf(job.priority) });
  }

  unfollow(id: JobId): void {
    this.#frameworks.delete(id);
  }

  touched(state: CellState, touched: Touched): void {
    for (const id of touched.machines) this.#machines.add(id);
    for (const [job, indexes] of touched.tasks) {
      const tasks = state.jobs.get(job)?.tasks;
      for (const index of indexes) this.#touchPlaces(tasks?.[index]);
    }
  }

  /** Where it is, and where it was a moment ago. */
  #touchPlaces(task: Task | undefined): void {
    if (task?.instance !== undefined) this.#machines.add(task.instance.place.machine.id);
    if (task?.past.last !== undefined) this.#machines.add(task.past.last.machine);
  }

  /** Another part of the machines may be kept for short tasks from now on, so all are read again. */
  #tellPolicy(state: CellState): void {
    const { offers } = state.config;
    if (offers === this.#policy) return;
    this.#policy = offers;
    this.#allocator.setModule(moduleOf(moduleNameOf(offers), this.#random));
    this.begin(state);
  }

  /** Before a cycle. Frameworks, roles and quotas are few: all of those that matter are told. */
  tell(state: CellState): void {
    this.#tellPolicy(state);
    if (!equal(this.#total, state.capacity)) {
      this.#total = state.capacity;
      this.#allocator.setTotal(state.capacity);
    }
    for (const role of this.#roles) this.tellRole(state, role);
    for (const id of this.#frameworks) this.#allocator.setUsed(id, state.jobs.get(id)?.charge ?? ZERO);
    for (const [purse, { user, band }] of this.#purses) this.#allocator.setPurse(purse, quotaLeft(state, user, band));
    for (const id of this.#machines) this.#allocator.setMachine(id, this.#viewOf(state.machines.get(id)));
    this.#machines.clear();
  }

  tellRole(state: CellState, name: string): void {
    const role = state.roles.get(name);
    const guarantee = role === undefined ? 0 : dominantShare(guaranteeOf(role), state.capacity);
    this.#allocator.setRole({ name, weight: role?.weight ?? 1, guarantee: Math.min(1, guarantee) });
  }

  #viewOf(machine: Machine | undefined): MachineView | undefined {
    if (machine === undefined) return undefined;
    const attributes = new Map(attributesOf(machine)).set(HOSTNAME, machine.id);
    const { shortPermille = 0, shortMs = 0 } = this.#policy ?? {};
    const isShort = fnv1a(machine.id) % 1000 < shortPermille;
    return { room: roomOf(machine), attributes, lent: lentOf(machine), maxCompletionMs: isShort ? shortMs || SHORT_TASK_MS : undefined };
  }
}

function lentOf({ place }: Machine): Vector {
  let sum = ZERO;
  for (const { task, limit } of place.occupants.values()) if (task.launched !== undefined) sum = plus(sum, limit);
  return sum;
}

/** Undefined: there is no limit. */
function quotaLeft(state: CellState, name: string, band: BandName): Vector | undefined {
  const user = state.users.get(userId(name));
  if (user === undefined) return ZERO;
  if (band === "free") return undefined;
  const quota = user.quotas.get(band);
  if (quota === undefined || (quota.untilMs !== 0 && quota.untilMs <= expiryAt(state, state.timeMs))) return ZERO;
  if (quota.unlimited) return undefined;
  const charged = chargedTo(user, band);
  return rest(quotaVector(quota, plus(charged, state.capacity)), charged);
}
