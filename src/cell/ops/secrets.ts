/**
 * Secrets: set, removed, encrypted anew. What comes is encrypted already, for just this owner, name and version; whoever encrypted for a version that another
 * was first to take encrypts again (src/borgmaster/api/secrets.ts).
 */
import { compareIds, userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { SealedSecret, SecretRemove, SecretReseal, SecretSet } from "../../wire/gen/borg/v1/op_pb.ts";
import type { JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { launchedSpecs } from "../framework.ts";
import { relabelled, relabelProblem } from "../labels.ts";
import { NONCE_BYTES, secretBoundProblem, secretPathProblem, secretsOf, TAG_BYTES } from "../secret.ts";
import type { CellState, Job, Secret } from "../state.ts";
import type { Turn } from "../turn.ts";
import { SECRETS } from "../version.ts";

export function setSecret(turn: Turn, { user: owner, name, version, sealed, labels: said }: SecretSet): Result<undefined> {
  const { state } = turn;
  if (state.version < SECRETS) return refused("The cell's version has no secrets yet: upgrade all of its masters first");
  const user = state.users.get(userId(owner));
  if (user === undefined) return refused(`User "${owner}" is unknown: grant a role first`);
  const known = user.secrets.get(name);
  const problem =
    relabelProblem(state.version, said) ?? versionProblem(owner, name, version, (known?.version ?? 0) + 1) ?? sealedProblem(sealed);
  if (problem !== undefined || sealed === undefined) return refused(problem ?? "");
  const bound = secretBoundProblem(state, user, sealed.ciphertext.length, known);
  if (bound !== undefined) return refused(bound);
  user.secrets.set(name, {
    ...{ name, version, sealed: kept(sealed) },
    ...{ createdMs: known?.createdMs ?? state.timeMs, changedMs: state.timeMs },
    labels: relabelled(said, known?.labels),
  });
  turn.touch.user(user);
  // Its name is its owner's own: everybody reads events.
  turn.emit({ kind: "user.changed", subject: user.id, detail: "a secret was set" });
  return ok(undefined);
}

export function removeSecret(turn: Turn, { user: owner, name }: SecretRemove): Result<undefined> {
  const { state } = turn;
  const user = state.users.get(userId(owner));
  if (user === undefined || !user.secrets.has(name)) return refused(`User "${owner}" has no secret "${name}": borg secret ls shows them`);
  const [job] = jobsWithSecret(state, owner, name);
  if (job !== undefined) return refused(`Secret "${name}" is named by job "${job.id}": kill that first`);
  user.secrets.delete(name);
  turn.touch.user(user);
  turn.emit({ kind: "user.changed", subject: user.id, detail: "a secret was removed" });
  return ok(undefined);
}

/** Nothing about it changes but the key. */
export function resealSecret(turn: Turn, { user: owner, name, version, sealed }: SecretReseal): Result<undefined> {
  const user = turn.state.users.get(userId(owner));
  const known = user?.secrets.get(name);
  if (user === undefined || known === undefined) return refused(`User "${owner}" has no secret "${name}": borg secret ls shows them`);
  const problem = versionProblem(owner, name, version, known.version) ?? sealedProblem(sealed);
  if (problem !== undefined || sealed === undefined) return refused(problem ?? "");
  if (sealed.ciphertext.length !== known.sealed.ciphertext.length)
    return refused(
      `Secret "${name}" has another length, so it is not the same: encrypt what it is, or set another value (borg secret set)`,
    );
  user.secrets.set(name, { ...known, sealed: kept(sealed) });
  turn.touch.user(user);
  turn.emit({ kind: "user.changed", subject: user.id, detail: "a secret has another key" });
  return ok(undefined);
}

const kept = ({ keyId, nonce, ciphertext }: SealedSecret): Secret["sealed"] => ({ keyId, nonce, ciphertext });

const versionProblem = (owner: string, name: string, version: number, wanted: number): string | undefined =>
  version === wanted
    ? undefined
    : `Secret "${name}" of user "${owner}" was encrypted for version ${version}, and ${wanted} is next: ask again`;

function sealedProblem(sealed: SealedSecret | undefined): string | undefined {
  if (sealed?.nonce.length !== NONCE_BYTES) return `A secret needs a nonce of ${NONCE_BYTES} bytes, found ${sealed?.nonce.length ?? 0}`;
  return sealed.ciphertext.length <= TAG_BYTES ? "A secret cannot be empty: give it a value, or remove it (borg secret rm)" : undefined;
}

/** Living jobs, and those of which something still runs, in the order of their names. */
export function jobsWithSecret(state: CellState, owner: string, name: string): Job[] {
  const isNamed = (spec: JobSpec): boolean => spec.user === owner && secretsOf(spec).some((ref) => ref.name === name);
  const found: Job[] = [];
  for (const job of state.users.get(userId(owner))?.jobs ?? []) {
    const older = job.kept.some(({ spec }) => spec.kind === "job" && isNamed(spec.job)) || launchedSpecs(job).some(isNamed);
    const isWanted = isNamed(job.wants) || (job.update !== undefined && isNamed(job.update.wants));
    if (older || (job.state !== "dead" && isWanted)) found.push(job);
  }
  return found.sort((a, b) => compareIds(a.id, b.id));
}

/** Why a job cannot have the secrets that it names; undefined when it can. Only its own user's can be named. */
export function secretsProblem(state: CellState, spec: JobSpec): string | undefined {
  const refs = secretsOf(spec);
  const missing = refs.find(({ name }) => state.users.get(userId(spec.user))?.secrets.has(name) !== true);
  if (missing !== undefined)
    return `User "${spec.user}" has no secret "${missing.name}": borg secret set ${missing.name} sets it, from a file or from what is typed`;
  return secretPathProblem(refs);
}
