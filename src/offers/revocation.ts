/**
 * Revocation (Mesos §3.3): a role that is below its guaranteed share, wants more and gets nothing is helped by ending tasks of others, with grace. Borg tasks
 * of lower priority go first, lowest first; then tasks of the role that is farthest above its own guarantee. No role is brought below its guarantee:
 * guarantees fit into the cell together, so nobody has to be. Here it is only said who should go; the cell decides and does it.
 */
import { compareIds, type InstanceId, type MachineId } from "../base/id.ts";
import { dominantShare } from "../base/share.ts";
import { minus, plus, type Vector, ZERO } from "../base/vector.ts";
import type { RoleTerms } from "./account.ts";

export interface RoleNeed {
  readonly terms: RoleTerms;
  /** Of its frameworks that want more. */
  readonly priority: number;
  readonly used: Vector;
  /** It wants offers and has been offered nothing for a while. */
  readonly isStarving: boolean;
  /** Whether one of its frameworks could use room there. */
  readonly suits: (machine: MachineId) => boolean;
}

/** A task that could be ended for somebody. */
export interface Candidate {
  readonly instance: InstanceId;
  readonly machine: MachineId;
  readonly limit: Vector;
  readonly priority: number;
  readonly placedMs: number;
  /** Of the framework whose task it is; undefined: it is a Borg task. */
  readonly role: string | undefined;
  /** Whether a task of that priority may take its place at all (cell/band.ts). */
  readonly yieldsTo: (priority: number) => boolean;
}

export interface Revocation {
  readonly instance: InstanceId;
  /** The role that it is for. */
  readonly role: string;
  readonly graceMs: number;
}

export const REVOCATION_GRACE_MS = 10_000;

/** `freed`: of what was revoked before, that which has not gone yet. It counts for whoever is helped. */
export function revocations(
  total: Vector,
  roles: readonly RoleNeed[],
  tasks: readonly Candidate[],
  freed: Vector = ZERO,
): readonly Revocation[] {
  const plan = new Plan(total, roles, tasks, freed);
  const needy = roles.filter((role) => role.isStarving && plan.margin(role.terms.name) < 0);
  needy.sort((a, b) => plan.margin(a.terms.name) - plan.margin(b.terms.name) || compareIds(a.terms.name, b.terms.name));
  for (const role of needy) plan.help(role);
  return plan.revoked;
}

class Plan {
  readonly #total: Vector;
  readonly #terms = new Map<string, RoleTerms>();
  /** As it would be after what is planned so far. */
  readonly #used = new Map<string, Vector>();
  readonly #borg: Candidate[];
  readonly #byRole = new Map<string, Candidate[]>();
  readonly revoked: Revocation[] = [];
  readonly #freed: Vector;

  constructor(total: Vector, roles: readonly RoleNeed[], tasks: readonly Candidate[], freed: Vector) {
    this.#total = total;
    this.#freed = freed;
    for (const { terms, used } of roles) {
      this.#terms.set(terms.name, terms);
      this.#used.set(terms.name, used);
    }
    this.#borg = tasks.filter(({ role }) => role === undefined).sort(lowestFirst);
    for (const task of tasks) if (task.role !== undefined) this.#byRole.set(task.role, [...(this.#byRole.get(task.role) ?? []), task]);
    for (const list of this.#byRole.values()) list.sort(youngestFirst);
  }

  /** How far a role is above its guarantee; less than nothing: below. */
  margin(role: string): number {
    return this.#share(role, ZERO) - (this.#terms.get(role)?.guarantee ?? 0);
  }

  #share(role: string, without: Vector): number {
    return dominantShare(minus(this.#used.get(role) ?? ZERO, without), this.#total);
  }

  /** Until what is freed would bring it to its guarantee, or nobody is left who has to go. */
  help(needy: RoleNeed): void {
    const { name, guarantee } = needy.terms;
    let has = plus(this.#used.get(name) ?? ZERO, this.#freed);
    for (let task = this.#next(needy); task !== undefined; task = this.#next(needy)) {
      if (dominantShare(has, this.#total) >= guarantee) return;
      has = plus(has, task.limit);
      this.#revoke(task, name);
    }
  }

  #next(needy: RoleNeed): Candidate | undefined {
    return this.#borg.find((task) => task.yieldsTo(needy.priority) && needy.suits(task.machine)) ?? this.#ofRichest(needy);
  }

  /** Its youngest task that it can lose without falling below its guarantee. */
  #ofRichest({ terms: { name }, suits }: RoleNeed): Candidate | undefined {
    const rich = [...this.#byRole.keys()].filter((role) => role !== name && this.margin(role) > 0);
    rich.sort((a, b) => this.margin(b) - this.margin(a) || compareIds(a, b));
    for (const role of rich) {
      const guarantee = this.#terms.get(role)?.guarantee ?? 0;
      const found = this.#byRole.get(role)?.find(({ limit, machine }) => suits(machine) && this.#share(role, limit) >= guarantee);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #revoke(task: Candidate, role: string): void {
    this.revoked.push({ instance: task.instance, role, graceMs: REVOCATION_GRACE_MS });
    if (task.role === undefined) this.#borg.splice(this.#borg.indexOf(task), 1);
    else {
      const list = this.#byRole.get(task.role) as Candidate[];
      list.splice(list.indexOf(task), 1);
      this.#used.set(task.role, minus(this.#used.get(task.role) ?? ZERO, task.limit));
    }
  }
}

const youngestFirst = (a: Candidate, b: Candidate): number => b.placedMs - a.placedMs || compareIds(a.instance, b.instance);

const lowestFirst = (a: Candidate, b: Candidate): number => a.priority - b.priority || youngestFirst(a, b);
