/**
 * Records of packages: that the master has the bytes of one, whose it is and who may name it. The bytes themselves are the master's files; whoever asks for
 * a record has had them verified and kept before (src/borgmaster/api/packages.ts).
 */
import { compareIds, userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { PackageAdd, PackageRemove } from "../../wire/gen/borg/v1/op_pb.ts";
import type { JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { ALREADY, type Answer, DONE } from "../answer.ts";
import { packageBoundProblem } from "../bounds.ts";
import { launchedSpecs } from "../framework.ts";
import { isLabelledSo, relabelled, relabelProblem } from "../labels.ts";
import { imageProblem, isDigest, packageKey, packageOwner, packagePathProblem } from "../package.ts";
import type { CellState, Job, Package } from "../state.ts";
import type { Turn } from "../turn.ts";
import { PACKAGES } from "../version.ts";

const ID_DIGITS = 12;

/** The same again changes nothing, but for who may name it and its labels. */
export function addPackage(turn: Turn, { user: name, name: called, digest, bytes, shared, labels: said }: PackageAdd): Result<Answer> {
  const { state } = turn;
  if (state.version < PACKAGES) return refused("The cell's version has no packages yet: upgrade every master of the cell");
  if (!isDigest(digest)) return refused("A package is given by the SHA-256 of its bytes: 64 lower-case hex digits");
  const wrong = relabelProblem(state.version, said);
  if (wrong !== undefined) return refused(wrong);
  const user = state.users.get(userId(name));
  if (user === undefined) return refused(`User "${name}" is unknown: grant a role first`);
  const key = packageKey(called, digest);
  const known = user.packages.get(key);
  if (known !== undefined && known.bytes !== bytes)
    return refused(`Package "${name}/${key}" has ${known.bytes} bytes, not ${bytes}: push what the digest is of`);
  const labels = relabelled(said, known?.labels);
  if (known !== undefined && known.shared === shared && isLabelledSo(known.labels, labels)) return ok(ALREADY);
  const problem = known === undefined ? packageBoundProblem(state, user, bytes) : unsharedProblem(state, known, name, shared);
  if (problem !== undefined) return refused(problem);
  user.packages.set(key, { name: called, digest, bytes, shared, createdMs: known?.createdMs ?? state.timeMs, labels });
  turn.touch.user(user);
  turn.emit({ kind: "user.changed", subject: user.id, detail: `package ${called}@${digest.slice(0, ID_DIGITS)} of ${bytes} bytes` });
  return ok(DONE);
}

export function removePackage(turn: Turn, { user: name, name: called, digest }: PackageRemove): Result<undefined> {
  const { state } = turn;
  const user = state.users.get(userId(name));
  const found = user?.packages.get(packageKey(called, digest));
  if (user === undefined || found === undefined)
    return refused(`User "${name}" has no package "${called}@${digest.slice(0, ID_DIGITS)}": borg package ls shows them`);
  const [job] = jobsNaming(state, name, found);
  if (job !== undefined)
    return refused(`Package "${name}/${called}@${digest.slice(0, ID_DIGITS)}" is named by job "${job.id}": kill that first`);
  user.packages.delete(packageKey(called, digest));
  turn.touch.user(user);
  turn.emit({ kind: "user.changed", subject: user.id, detail: `package ${called}@${digest.slice(0, ID_DIGITS)} removed` });
  return ok(undefined);
}

/** Living jobs, and those of which something still runs, in the order of their names. */
export function jobsNaming(state: CellState, owner: string, { name, digest }: Pick<Package, "name" | "digest">): Job[] {
  const isNamed = (spec: JobSpec): boolean =>
    spec.task?.packages.some((ref) => ref.name === name && ref.version === digest && packageOwner(ref, spec) === owner) ?? false;
  const found: Job[] = [];
  for (const job of state.jobs.values()) {
    const older = job.kept.some(({ spec }) => spec.kind === "job" && isNamed(spec.job)) || launchedSpecs(job).some(isNamed);
    const isWanted = isNamed(job.wants) || (job.update !== undefined && isNamed(job.update.wants));
    if (older || (job.state !== "dead" && isWanted)) found.push(job);
  }
  return found.sort((a, b) => compareIds(a.id, b.id));
}

/** Who is taken the right to name a package must not be using it. */
function unsharedProblem(state: CellState, known: Package, owner: string, shared: boolean): string | undefined {
  if (shared) return undefined;
  const job = jobsNaming(state, owner, known).find((each) => each.owner !== owner);
  return job === undefined
    ? undefined
    : `Package "${owner}/${known.name}" is named by job "${job.id}" of another user: it stays shared until that has ended`;
}

/** Why a job cannot have the packages that it names; undefined when it can. */
export function packagesProblem(state: CellState, spec: JobSpec): string | undefined {
  const refs = spec.task?.packages ?? [];
  for (const ref of refs) {
    const owner = packageOwner(ref, spec);
    const called = `${owner}/${ref.name}`;
    const of = state.users.get(userId(owner))?.packages;
    if (!isDigest(ref.version))
      return `Package "${called}" needs its hash, as in "${called}@${newest(of, ref.name) ?? "<sha256>"}": borg package ls shows it`;
    const found = of?.get(packageKey(ref.name, ref.version));
    const hidden = found !== undefined && !found.shared && owner !== spec.user;
    if (found === undefined || hidden)
      return `There is no package "${called}@${ref.version.slice(0, ID_DIGITS)}" that jobs of user "${spec.user}" may name: borg package push puts it there, with --shared for all`;
  }
  return spec.task === undefined ? undefined : (imageProblem(spec) ?? packagePathProblem(spec.task));
}

function newest(packages: ReadonlyMap<string, Package> | undefined, name: string): string | undefined {
  const named = [...(packages?.values() ?? [])].filter((each) => each.name === name);
  return named.sort((a, b) => b.createdMs - a.createdMs || compareIds(a.digest, b.digest))[0]?.digest;
}
