/**
 * Revocation (Mesos §3.3): tasks of others end, with notice, for a role that is below its guaranteed share. Who should go is worked out beside the cell
 * (offers/revocation.ts); here it is judged against the truth, one after the other, and nobody who must stay goes. All or none.
 */
import type { InstanceId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { dominantShare } from "../../base/share.ts";
import { minus, plus, type Vector, ZERO } from "../../base/vector.ts";
import { isProd } from "../../wire/band.ts";
import type { FrameworkRevoke } from "../../wire/gen/borg/v1/op_pb.ts";
import { ALREADY, type Answer, DONE } from "../answer.ts";
import { mayEvict } from "../band.ts";
import { guaranteedShare, priorityOfRole, roleOf, underRevocation, usedByRoles } from "../shares.ts";
import type { CellState, Instance } from "../state.ts";
import { isPlaced } from "../task.ts";
import type { Turn } from "../turn.ts";
import { stopInstance } from "./lifecycle.ts";
import { findInstance } from "./reports.ts";
import { stopOf } from "./tasks.ts";

const ROLE_LENGTH = 100;

export function revoke(turn: Turn, { role, instances, graceMs }: FrameworkRevoke): Result<Answer> {
  const { state } = turn;
  const priority = priorityOfRole(state, role);
  if (priority === undefined) return refused(`Role "${role}" has no framework: nothing is revoked for it`);
  const victims = there(state, instances);
  const judge = new Judge(state, role, priority);
  for (const victim of victims) {
    const problem = judge.problem(victim);
    if (problem !== undefined) return refused(problem);
  }
  for (const victim of victims) stop(turn, victim, role, graceMs);
  return ok(victims.length === 0 ? ALREADY : DONE);
}

/** Those that are gone meanwhile, or stop already, are passed over, and so are those inside an alloc: it would keep their room. */
const there = (state: CellState, ids: readonly string[]): readonly Instance[] =>
  [...new Set(ids)]
    .map((id) => findInstance(state, id as InstanceId))
    .filter((found): found is Instance => found !== undefined && isPlaced(found.task.state) && found.stop === undefined)
    .filter(({ place }) => place === place.machine.place);

/** Each victim is judged with those before it gone. */
class Judge {
  readonly #state: CellState;
  readonly #role: string;
  readonly #priority: number;
  readonly #used: Map<string, Vector>;
  #freed: Vector;

  constructor(state: CellState, role: string, priority: number) {
    this.#state = state;
    this.#role = role;
    this.#priority = priority;
    this.#used = usedByRoles(state);
    this.#freed = underRevocation(state);
  }

  problem(victim: Instance): string | undefined {
    const { limit, task } = victim;
    if (this.#isEnough()) return `Role "${this.#role}" has its guarantee, or will have it: nothing more is revoked for it`;
    const role = roleOf(task.job);
    const problem = role === undefined ? this.#borgProblem(victim) : this.#frameworkProblem(victim, role);
    if (problem !== undefined) return problem;
    this.#freed = plus(this.#freed, limit);
    if (role !== undefined) this.#used.set(role, minus(this.#used.get(role) ?? ZERO, limit));
    return undefined;
  }

  #isEnough(): boolean {
    const { capacity } = this.#state;
    const has = plus(this.#used.get(this.#role) ?? ZERO, this.#freed);
    return dominantShare(has, capacity) >= guaranteedShare(this.#state, this.#role);
  }

  #borgProblem(victim: Instance): string | undefined {
    return mayEvict(this.#priority, victim)
      ? undefined
      : `Instance "${victim.id}" has priority ${victim.priority}: it is not revoked for frameworks of priority ${this.#priority}`;
  }

  #frameworkProblem({ id, limit, priority }: Instance, role: string): string | undefined {
    if (role === this.#role) return `Instance "${id}" is of role "${role}" itself: it is not revoked for it`;
    if (isProd(priority)) return `Instance "${id}" is prod: its quota is sold beside all guarantees, and it is not revoked`;
    const left = minus(this.#used.get(role) ?? ZERO, limit);
    return dominantShare(left, this.#state.capacity) >= guaranteedShare(this.#state, role)
      ? undefined
      : `Instance "${id}" is of role "${role}", which would fall below its own guarantee: it is not revoked`;
  }
}

function stop(turn: Turn, victim: Instance, role: string, graceMs: number): void {
  const times = stopOf(turn, victim, "revocation");
  const noticeMs = Math.max(times.noticeMs, graceMs);
  turn.raise(victim.place.machine);
  stopInstance(turn, victim, "evict", { ...times, noticeMs }, `for role ${role.slice(0, ROLE_LENGTH)}`);
}
