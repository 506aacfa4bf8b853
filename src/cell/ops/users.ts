/** Who may ask for what. Grants are state, so every check is decided by the journal and can be audited. */
import { type UserId, userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { ActorKind, Capability, type Principal, Role, type UserGrant } from "../../wire/gen/borg/v1/op_pb.ts";
import { CAPABILITY_WORDS, ROLE_WORDS, UNUSED_CAPABILITY, UNUSED_HINT } from "../../wire/grants.ts";
import { relabelled, relabelProblem } from "../labels.ts";
import type { CellState, User } from "../state.ts";
import type { Turn } from "../turn.ts";
import { HOST_MOUNT_UNUSED, STRANGERS } from "../version.ts";
import { welcome } from "./quota.ts";

/** `admin`: cell-admin. `owner`: whoever may change that user's jobs; the op itself says whose they are. */
export type Who = "admin" | "quota-admin" | "owner" | "master" | "scheduler";

/** Why an actor that is none of these may not ask for an op; undefined when it is one. Exact names, never prefixes. [KA2] */
export function notOneOf(
  state: CellState,
  actor: Principal,
  those: readonly Who[],
  op: string,
  owner: string | undefined,
): string | undefined {
  if (those.some((who) => isThat(state, actor, who, owner))) return undefined;
  const whom = owner === undefined ? "" : ` for user "${owner}"`;
  return `${describe(actor)} may not ask for ${op}${whom}: only ${those.map((who) => WHO[who]).join(" and ")} may`;
}

/** Admins may whatever an owner or a quota admin may. */
const WHO: Readonly<Record<Who, string>> = {
  admin: "admins of the cell",
  "quota-admin": "quota admins",
  owner: "that user (with the role user) and admins of the cell",
  master: "the master itself",
  scheduler: "schedulers",
};

function isThat(state: CellState, actor: Principal, who: Who, owner: string | undefined): boolean {
  if (who === "master") return actor.kind === ActorKind.MASTER;
  if (who === "scheduler") return actor.kind === ActorKind.SCHEDULER && actor.name !== "";
  const user = actor.kind === ActorKind.USER ? state.users.get(userId(actor.name)) : undefined;
  if (user === undefined) return false;
  if (user.roles.has(Role.CELL_ADMIN)) return true;
  if (who === "quota-admin") return user.roles.has(Role.QUOTA_ADMIN);
  if (who === "admin") return false;
  return (user.id === owner && user.roles.has(Role.USER)) || user.capabilities.has(Capability.MODIFY_ANY_JOB);
}

const KINDS: ReadonlyMap<number, string> = new Map<number, string>([
  [ActorKind.USER, "User"],
  [ActorKind.MASTER, "The master"],
  [ActorKind.SCHEDULER, "Scheduler"],
]);

const describe = (actor: Principal): string => `${KINDS.get(actor.kind) ?? "Somebody"}${actor.name === "" ? "" : ` "${actor.name}"`}`;

export function newUser(id: UserId): User {
  return {
    id,
    roles: new Set(),
    capabilities: new Set(),
    quotas: new Map(),
    tokens: new Map(),
    requests: new Map(),
    packages: new Map(),
    secrets: new Map(),
    bounds: undefined,
    labels: [],
    charged: new Map(),
    jobs: new Set(),
    used: { jobs: 0, tasks: 0, tasksKept: 0, specBytes: 0 },
  };
}

/** Sets what a user is and may do, or adds to it. The last cell-admin cannot be taken away: nobody could give it back. */
export function grant(turn: Turn, op: UserGrant): Result<undefined> {
  const { users } = turn.state;
  const id = userId(op.user);
  const wasAdmin = users.get(id)?.roles.has(Role.CELL_ADMIN) ?? false;
  const others = [...users.values()].some((user) => user.id !== id && user.roles.has(Role.CELL_ADMIN));
  const adds = turn.state.version >= STRANGERS && op.add;
  if (wasAdmin && !others && !adds && !op.roles.includes(Role.CELL_ADMIN))
    return refused(`User "${id}" is the last cell-admin: name another one first`);
  const wrong = relabelProblem(turn.state.version, op.labels);
  if (wrong !== undefined) return refused(wrong);
  if (turn.state.version >= HOST_MOUNT_UNUSED && op.capabilities.includes(Capability.HOST_MOUNT))
    return refused(`Capability ${UNUSED_CAPABILITY} allows nothing: ${UNUSED_HINT}`);
  const user = users.get(id) ?? newUser(id);
  const before = grantedTo(user);
  users.set(id, user);
  if (!adds) {
    user.roles.clear();
    user.capabilities.clear();
  }
  for (const role of op.roles) user.roles.add(role);
  for (const capability of op.capabilities) user.capabilities.add(capability);
  user.labels = relabelled(op.labels, user.labels);
  welcome(turn.state, user);
  turn.touch.user(user);
  turn.emit({ kind: "user.changed", subject: id, detail: grantText(before, grantedTo(user), op.labels !== undefined) });
  return ok(undefined);
}

const grantedTo = ({ roles, capabilities }: User): readonly string[] => [
  ...[...roles].sort((a, b) => a - b).map((role) => ROLE_WORDS[role] ?? `role ${role}`),
  ...[...capabilities].sort((a, b) => a - b).map((capability) => CAPABILITY_WORDS[capability] ?? `capability ${capability}`),
];

/** What was given and what was taken, for who audits: "+cell-admin +slack-memory -user". */
function grantText(before: readonly string[], after: readonly string[], isLabelled: boolean): string {
  const given = after.filter((word) => !before.includes(word)).map((word) => `+${word}`);
  const taken = before.filter((word) => !after.includes(word)).map((word) => `-${word}`);
  const changes = [...given, ...taken, ...(isLabelled ? ["labels set"] : [])];
  return changes.length === 0 ? "nothing new" : changes.join(" ");
}

/** Whether the actor has a capability, for itself. */
export function hasCapability(state: CellState, actor: Principal, capability: Capability): boolean {
  const user = actor.kind === ActorKind.USER ? state.users.get(userId(actor.name)) : undefined;
  return user !== undefined && (user.capabilities.has(capability) || user.roles.has(Role.CELL_ADMIN));
}
