/** Packages at the API: who may upload what, whether its bytes are there, and what is shown of them. The bytes are kept by the shell (src/daemon/package-store.ts). */
import { compareIds, userId } from "../../base/id.ts";
import { packageBoundProblem } from "../../cell/bounds.ts";
import { labelMap, selects } from "../../cell/labels.ts";
import { type Op, userOp } from "../../cell/op.ts";
import { isKnown, permissionProblem } from "../../cell/ops/table.ts";
import { isDigest, packageKey, packageOwner } from "../../cell/package.ts";
import type { CellState, Package, User } from "../../cell/state.ts";
import { make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { Role } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Copy } from "./copy.ts";
import type { FailureCode } from "./message.ts";
import { Meter } from "./price.ts";
import { labelViews, selectorIn } from "./selected.ts";

export interface UploadProblem {
  readonly code: FailureCode;
  readonly reason: string;
}

/** Why no piece of it is taken; undefined when it is. A package of the user's own with these bytes takes no more room. */
export function uploadProblem(state: CellState, caller: string, { digest, bytes }: api.UploadPackageRequest): UploadProblem | undefined {
  const permission = addProblem(state, caller, caller);
  if (permission !== undefined) return { code: "not-permitted", reason: permission };
  if (!isDigest(digest)) return { code: "refused", reason: "A package is given by the SHA-256 of its bytes: 64 lower-case hex digits" };
  const user = state.users.get(userId(caller));
  if (user === undefined || isOwned(state, caller, digest)) return undefined;
  const bound = packageBoundProblem(state, user, bytes);
  return bound === undefined ? undefined : { code: "refused", reason: bound };
}

/** Why the caller may not add packages of that user; undefined when it may. */
export function addProblem(state: CellState, caller: string, user: string): string | undefined {
  const op: Op = userOp(caller, "", { case: "packageAdd", value: { user } });
  return op.actor !== undefined && isKnown(op.body) ? permissionProblem(state, op.actor, op.body) : undefined;
}

/** The user has a package of these bytes: whoever knows only the hash of another's has not. */
export const isOwned = (state: CellState, user: string, digest: string): boolean =>
  [...(state.users.get(userId(user))?.packages.values() ?? [])].some((each) => each.digest === digest);

/** Hashes of everything that the cell has a record of. */
export function digestsOf(state: CellState): Set<string> {
  const found = new Set<string>();
  for (const { packages } of state.users.values()) for (const { digest } of packages.values()) found.add(digest);
  return found;
}

/** Of others only what is shared; of its own, and to admins, everything. */
export function listPackages(
  { state }: Copy,
  request: api.ListPackagesRequest,
  caller = "",
  meter = new Meter(),
): api.ListPackagesResponse {
  const all = state.users.get(userId(caller))?.roles.has(Role.CELL_ADMIN) === true;
  const [wanted, selector] = [request.user, selectorIn(request)];
  const isMeant = (owner: User, { shared, labels }: Package): boolean =>
    (all || shared || owner.id === caller) && selects(selector, labelMap(labels));
  const [machines, jobs] = [machinesWith(state), jobsWith(state)];
  meter.lookedAt(state.machines.size + state.jobs.size);
  const packages = [...state.users.values()]
    .filter(({ id }) => wanted === "" || id === wanted)
    .flatMap((owner) =>
      [...owner.packages.values()].filter((each) => isMeant(owner, each)).map((each) => viewOf(owner, each, machines, jobs)),
    )
    .sort(
      (a, b) => compareIds(a.user, b.user) || compareIds(a.name, b.name) || b.createdMs - a.createdMs || compareIds(a.digest, b.digest),
    );
  meter.answered(packages.length);
  return make(api.ListPackagesResponseSchema, { packages });
}

function viewOf(
  { id: user }: User,
  { name, digest, bytes, shared, createdMs, labels }: Package,
  machines: Count,
  jobs: Count,
): Omit<api.PackageView, "$typeName"> {
  const key = `${user}/${packageKey(name, digest)}`;
  const counts = { machines: machines.get(key) ?? 0, jobs: jobs.get(key) ?? 0 };
  return { user, name, digest, bytes, shared, createdMs, ...counts, labels: labelViews(labels) };
}

type Count = ReadonlyMap<string, number>;

function counted(keys: Iterable<string>): Count {
  const count = new Map<string, number>();
  for (const key of keys) count.set(key, (count.get(key) ?? 0) + 1);
  return count;
}

const machinesWith = ({ machines }: CellState): Count => counted([...machines.values()].flatMap(({ facts }) => facts.packages));

const jobsWith = ({ jobs }: CellState): Count =>
  counted(
    [...jobs.values()]
      .filter(({ state }) => state !== "dead")
      .flatMap(({ wants }) =>
        (wants.task?.packages ?? []).map((ref) => `${packageOwner(ref, wants)}/${packageKey(ref.name, ref.version)}`),
      ),
  );
