/**
 * Secrets at the API: what is set is encrypted before it goes anywhere, for the version that comes next as far as this copy knows; a machine that is to run a
 * task gets what the task names. No call reads one back.
 */
import { compareIds, userId } from "../../base/id.ts";
import { labelMap, selects } from "../../cell/labels.ts";
import { type Op, userOp } from "../../cell/op.ts";
import { jobsWithSecret } from "../../cell/ops/secrets.ts";
import { plainBytes } from "../../cell/secret.ts";
import type { CellState, Secret, User } from "../../cell/state.ts";
import { encode, make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import type { SecretPlace, Vault } from "../vault.ts";
import type { OpBody } from "./asks.ts";
import { controllerPass, type Door, NO_DOOR } from "./controllers.ts";
import type { Copy } from "./copy.ts";
import type { ApiCall, SecretsAnswer, SecretsAsk } from "./message.ts";
import { Meter } from "./price.ts";
import { labelViews, selectorIn } from "./selected.ts";

/** Encrypted anew in one call of a rotation. */
const RESEALED_MAX = 8;

export const placeOf = (state: CellState, owner: string, { name, version }: Pick<Secret, "name" | "version">): SecretPlace => ({
  ...{ cell: state.name, owner, name, version },
});

/** The version that a new value would have. */
export const nextVersion = (state: CellState, owner: string, name: string): number =>
  (state.users.get(userId(owner))?.secrets.get(name)?.version ?? 0) + 1;

/** The op that a call asks for, with everything in it encrypted. The same call again makes another op, which is known again by its digest. */
export function secretOp(state: CellState, vault: Vault, call: ApiCall, requestId: string): Op {
  const request = call.request as api.SetSecretRequest;
  const { user, name, value, labels } = request;
  const version = nextVersion(state, user, name);
  const sealed = vault.seal(value, placeOf(state, user, { name, version }));
  const body: OpBody = {
    case: "secretSet",
    value: { user, name, version, sealed: { ...sealed }, ...(labels === undefined ? {} : { labels }) },
  };
  return userOp(call.user, requestId, body, digestOf(state, vault, call.user, requestId, request));
}

/** A retry that comes when the key is another by now is known by the key before. */
function digestOf(state: CellState, vault: Vault, caller: string, requestId: string, request: api.SetSecretRequest): Uint8Array {
  const digests = vault.digests(encode(api.SetSecretRequestSchema, { ...request, requestId: "" }));
  const before = state.users.get(userId(caller))?.requests.get(requestId)?.digest;
  return digests.find((each) => before !== undefined && isSame(each, before)) ?? (digests[0] as Uint8Array);
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** What the link asks for a machine; the link knows which secrets the machine's task names. */
export function openSecrets(
  state: CellState,
  vault: Vault,
  { id, user, names, instance }: SecretsAsk,
  door: Door = NO_DOOR,
): SecretsAnswer {
  const secrets = state.users.get(userId(user))?.secrets;
  const values: { name: string; data: Uint8Array }[] = [];
  for (const name of names) {
    const secret = secrets?.get(name);
    if (secret === undefined) return { type: "no-secrets", id, reason: `User "${user}" has no secret "${name}"` };
    const data = vault.open(secret.sealed, placeOf(state, user, secret));
    if (data === undefined)
      return { type: "no-secrets", id, reason: `Secret "${name}" cannot be decrypted: its key is lost; set it again (borg secret set)` };
    values.push({ name, data });
  }
  return { type: "secrets", id, values, controller: controllerPass(state, vault, instance, door) };
}

/** The caller's own, or those of the user that an admin names. */
export function listSecrets(
  { state }: Copy,
  request: api.ListSecretsRequest,
  vault: Vault,
  caller: string,
  meter = new Meter(),
): api.ListSecretsResponse {
  const owners = [...state.users.values()].filter(({ id }) => id === (request.user === "" ? caller : request.user));
  const selector = selectorIn(request);
  meter.lookedAt(owners.reduce((sum, { jobs, secrets }) => sum + jobs.size * secrets.size, 0));
  const secrets = owners.flatMap((owner) =>
    [...owner.secrets.values()]
      .filter(({ labels }) => selects(selector, labelMap(labels)))
      .map((each) => viewOf(state, owner, each, vault)),
  );
  meter.answered(secrets.length);
  return make(api.ListSecretsResponseSchema, { secrets: secrets.sort((a, b) => compareIds(a.user, b.user) || compareIds(a.name, b.name)) });
}

function viewOf(state: CellState, { id: user }: User, secret: Secret, vault: Vault): Omit<api.SecretView, "$typeName"> {
  const { name, version, sealed, createdMs, changedMs, labels } = secret;
  const { keyId } = sealed;
  const jobs = jobsWithSecret(state, user, name).map(({ id }) => id);
  return {
    user,
    name,
    version,
    bytes: plainBytes(sealed),
    createdMs,
    changedMs,
    keyId,
    lost: !vault.has(keyId),
    jobs,
    labels: labelViews(labels),
  };
}

/** Secrets that are encrypted with an older key: some of them encrypted anew, and how many there are. */
export interface Rotation {
  readonly ops: readonly Op[];
  readonly left: number;
  readonly lost: number;
}

export function rotation(state: CellState, vault: Vault, admin: string): Rotation {
  const ops: Op[] = [];
  let [left, lost] = [0, 0];
  for (const owner of [...state.users.values()].sort((a, b) => compareIds(a.id, b.id)))
    for (const secret of [...owner.secrets.values()].sort((a, b) => compareIds(a.name, b.name))) {
      if (secret.sealed.keyId === vault.keyId) continue;
      const { name, version } = secret;
      const place = placeOf(state, owner.id, secret);
      const plain = ops.length < RESEALED_MAX ? vault.open(secret.sealed, place) : undefined;
      if (plain === undefined && (ops.length < RESEALED_MAX || !vault.has(secret.sealed.keyId))) lost += 1;
      else left += 1;
      if (plain === undefined) continue;
      const value = { user: owner.id, name, version, sealed: { ...vault.seal(plain, place) } };
      ops.push(userOp(admin, "", { case: "secretReseal", value }));
    }
  return { ops, left, lost };
}

/** Keys that something is still encrypted with. */
export function keysNamed(state: CellState): ReadonlySet<string> {
  const named = new Set<string>();
  for (const { secrets } of state.users.values()) for (const { sealed } of secrets.values()) named.add(sealed.keyId);
  return named;
}
