/** Roles of frameworks (Mesos §3.3): what an admin gives them, and who may be in them. A role that nobody set is everybody's, with weight 1 and no guarantee. */
import { unitOf } from "../../base/dimension.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { amountIn, highest, plus, shortfall, ZERO } from "../../base/vector.ts";
import type { FrameworkRole, RoleSet } from "../../wire/gen/borg/v1/op_pb.ts";
import type { FrameworkSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { extrasProblem } from "../spec.ts";
import type { CellState } from "../state.ts";
import type { Turn } from "../turn.ts";
import { FRAMEWORKS } from "../version.ts";
import { guaranteeOf, soldTo } from "./quota.ts";

export const ROLES_MAX = 1000;

/** As Mesos has them: no blanks, and no part that a path would take for another. */
const FORM = /^(\*|(?![-.])[^\s/\\*]+(\/(?![-.])[^\s/\\*]+)*)$/;

export const roleNameProblem = (name: string): string | undefined =>
  FORM.test(name) ? undefined : `Cannot take "${name}" as a role: name one like "*", "analytics" or "eng/backend"`;

export function roleProblem({ roles }: CellState, { role, user }: FrameworkSpec): string | undefined {
  const users = roles.get(role)?.users ?? [];
  if (users.length > 0 && !users.includes(user))
    return `Role "${role}" is for ${users.join(", ")}, and not for user "${user}": take another role, or let an admin add it (borg role set)`;
  return roleNameProblem(role);
}

export function setRole(turn: Turn, { role }: RoleSet): Result<undefined> {
  const { state } = turn;
  if (state.version < FRAMEWORKS) return refused(`The cell has version ${state.version}: it has roles from version ${FRAMEWORKS} on`);
  if (role === undefined) return refused("A role needs a name and a weight: send both");
  const problem = roleNameProblem(role.name) ?? extrasProblem(role.guarantee) ?? guaranteeProblem(state, role);
  if (problem !== undefined) return refused(problem);
  if (!state.roles.has(role.name) && state.roles.size >= ROLES_MAX)
    return refused(`The cell has ${state.roles.size} roles, its most: give one of those another weight`);
  state.roles.set(role.name, role);
  turn.touch.role(role);
  turn.emit({ kind: "role.changed", subject: role.name.slice(0, SUBJECT_LENGTH) });
  return ok(undefined);
}

const SUBJECT_LENGTH = 160;

/** "Guarantees must be jointly satisfiable" (Mesos §3.3): beside prod quota, which is a promise too. They may always be lowered. */
function guaranteeProblem(state: CellState, role: FrameworkRole): string | undefined {
  const others = [...state.roles.values()]
    .filter(({ name }) => name !== role.name)
    .reduce((sum, each) => plus(sum, guaranteeOf(each)), ZERO);
  const sold = soldTo(state);
  const before = state.roles.get(role.name);
  const beside = plus(others, sold);
  const missing = shortfall(
    plus(beside, guaranteeOf(role)),
    highest(state.capacity, plus(beside, before === undefined ? ZERO : guaranteeOf(before))),
  );
  if (missing === undefined) return undefined;
  const { dimension, amount } = missing;
  const [asked, theirs, prod, has] = [guaranteeOf(role), others, sold, state.capacity].map((each) => amountIn(each, dimension));
  const numbers = `${asked} are asked for, other roles have ${theirs}, prod quota ${prod}, and its machines have ${has}`;
  return `The cell lacks ${amount} ${unitOf(dimension)} for such a guarantee; ${numbers}; lower it, or add machines`;
}
