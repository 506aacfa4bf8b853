/**
 * When something is revoked, and for whom (Mesos §3.3): a role that is below its guarantee, also with all that is free where it could run, and that wanted more
 * for a while and did not get it. It is looked at now and then, and at most one op is made for each role; revocation.ts says who goes, and the cell decides.
 * A revocation that did not bring the role more makes the next one come later, twice as long each time: a framework that takes nothing, or whose room
 * others are faster to take, costs the others little.
 */
import { dominantShare } from "../base/share.ts";
import { plus, ZERO } from "../base/vector.ts";
import { mayEvict } from "../cell/band.ts";
import { guaranteedShare, roleOf, underRevocation, usedByRoles } from "../cell/shares.ts";
import type { CellState, Instance } from "../cell/state.ts";
import { REVOCATION } from "../cell/version.ts";
import { isProd } from "../wire/band.ts";
import type { Allocator } from "./allocator.ts";
import type { OpBody } from "./asking.ts";
import { type Candidate, REVOCATION_GRACE_MS, type RoleNeed, revocations } from "./revocation.ts";

/** So long a role below its guarantee gets no more before something is revoked for it. */
export const STARVING_MS = 10_000;
export const STARVING_MOST_MS = 3_600_000;
/** In one op; the rest goes with the next. */
const INSTANCES_MAX = 1_000;

interface Patience {
  /** Since when it has no more than now. */
  sinceMs: number;
  waitMs: number;
  readonly share: number;
}

export class Revoking {
  readonly #allocator: Allocator;
  readonly #patience = new Map<string, Patience>();

  constructor(allocator: Allocator) {
    this.#allocator = allocator;
  }

  /** What is to be asked of the cell now. */
  due(state: CellState, nowMs: number): readonly OpBody[] {
    if (state.version < REVOCATION) return [];
    const roles = this.#needs(state, nowMs);
    if (!roles.some(({ isStarving }) => isStarving)) return [];
    const gone = revocations(state.capacity, roles, candidates(state), underRevocation(state));
    const bodies: OpBody[] = [];
    for (const [role, own] of Map.groupBy(gone, (each) => each.role)) {
      const instances = own.slice(0, INSTANCES_MAX).map(({ instance }) => instance);
      bodies.push({ case: "frameworkRevoke", value: { role, instances, graceMs: REVOCATION_GRACE_MS } });
      this.#asked(role, nowMs);
    }
    return bodies;
  }

  #needs(state: CellState, nowMs: number): readonly RoleNeed[] {
    const used = usedByRoles(state);
    const wanting = new Map([...this.#allocator.roles].filter((role) => role.wanting.size > 0).map((role) => [role.name, role]));
    return [...new Set([...used.keys(), ...wanting.keys()])].map((name) => {
      const guarantee = guaranteedShare(state, name);
      const role = wanting.get(name);
      const has = used.get(name) ?? ZERO;
      const share = dominantShare(has, state.capacity);
      // What is free it has, or will be offered: nobody has to go for that.
      const isBelow = role !== undefined && share < guarantee;
      const free = isBelow ? this.#allocator.freeFor(name) : ZERO;
      const isNeedy = isBelow && dominantShare(plus(has, free), state.capacity) < guarantee;
      const isLate = this.#isLate(name, isBelow, share, nowMs);
      return {
        terms: { name, weight: 1, guarantee },
        priority: role?.priority ?? 0,
        used: isNeedy ? plus(has, free) : has,
        isStarving: isNeedy && isLate,
        suits: (machine) => this.#allocator.couldUse(name, machine),
      };
    });
  }

  #isLate(name: string, isBelow: boolean, share: number, nowMs: number): boolean {
    const known = this.#patience.get(name);
    if (!isBelow) this.#patience.delete(name);
    // What it was given last time it used: it is not punished for wanting more.
    else if (known === undefined || share > known.share) this.#patience.set(name, { sinceMs: nowMs, waitMs: STARVING_MS, share });
    return isBelow && known !== undefined && share <= known.share && nowMs - known.sinceMs >= known.waitMs;
  }

  #asked(name: string, nowMs: number): void {
    const known = this.#patience.get(name);
    if (known === undefined) return;
    known.sinceMs = nowMs;
    known.waitMs = Math.min(STARVING_MOST_MS, known.waitMs * 2);
  }
}

/** All that could end for somebody, whoever it is. What is inside an alloc goes with it. */
function candidates({ machines }: CellState): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const { place, reachable, draining } of machines.values()) {
    if (!reachable || draining) continue;
    for (const instance of place.occupants.values()) if (instance.stop === undefined) found.push(...candidateOf(instance));
  }
  return found;
}

function candidateOf(instance: Instance): readonly Candidate[] {
  const { id, place, limit, priority, placedMs, task } = instance;
  const role = roleOf(task.job);
  if (role !== undefined && isProd(priority)) return [];
  const yieldsTo = (asking: number): boolean => mayEvict(asking, instance);
  return [{ instance: id, machine: place.machine.id, limit, priority, placedMs, role, yieldsTo }];
}
