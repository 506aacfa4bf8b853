/** Secrets of users: how many a cell keeps, how they are named, and where a task finds them. The cell has only what is encrypted, and decrypts nothing. */
import type { JobSpec, SecretRef } from "../wire/gen/borg/v1/spec_pb.ts";
import { SECRETS_PLACE } from "../wire/spec-defaults.ts";
import type { CellState, Secret, User } from "./state.ts";

const KIB = 1024;

/** Of one user, admins too, and of all together; bytes as they are kept, encrypted. The last two keep a checkpoint's record, and the answer to a machine, within a frame. */
export const SECRET_BOUNDS = { secrets: 100, secretBytes: 1024 * KIB } as const;
export const CELL_SECRET_BOUNDS = { secrets: 2_000, secretBytes: 20 * 1024 * KIB } as const;

/** Of AES-256-GCM: what is encrypted is as long as what it was, and this. */
export const TAG_BYTES = 16;
export const NONCE_BYTES = 12;

/** What a secret has of bytes, as its owner counts them. */
export const plainBytes = ({ ciphertext }: Secret["sealed"]): number => ciphertext.length - TAG_BYTES;

/** Why so much more cannot be kept; undefined when it can. `instead`: the secret that it takes the place of. */
export function secretBoundProblem(state: CellState, user: User, bytes: number, instead: Secret | undefined): string | undefined {
  const [less, fewer] = [instead?.sealed.ciphertext.length ?? 0, instead === undefined ? 0 : 1];
  const has = sumOf([user]);
  const [count, total] = [has.secrets + 1 - fewer, has.secretBytes + bytes - less];
  if (count > SECRET_BOUNDS.secrets)
    return `User "${user.id}" has ${has.secrets} secrets, the most that one can have: remove one that is not needed (borg secret rm)`;
  if (total > SECRET_BOUNDS.secretBytes)
    return `The secrets of user "${user.id}" would take ${total} bytes, and ${SECRET_BOUNDS.secretBytes} is the most: remove one that is not needed (borg secret rm)`;
  const all = sumOf(state.users.values());
  const isFull = all.secrets + 1 - fewer > CELL_SECRET_BOUNDS.secrets || all.secretBytes + bytes - less > CELL_SECRET_BOUNDS.secretBytes;
  return isFull
    ? `The cell keeps ${all.secrets} secrets of ${all.secretBytes} bytes, of ${CELL_SECRET_BOUNDS.secrets} and ${CELL_SECRET_BOUNDS.secretBytes} at most: its users have to remove some (borg secret rm)`
    : undefined;
}

function sumOf(users: Iterable<User>): { readonly secrets: number; readonly secretBytes: number } {
  let [secrets, secretBytes] = [0, 0];
  for (const user of users)
    for (const { sealed } of user.secrets.values()) {
      secrets += 1;
      secretBytes += sealed.ciphertext.length;
    }
  return { secrets, secretBytes };
}

export const secretsOf = ({ task }: Pick<JobSpec, "task">): readonly SecretRef[] => task?.secrets ?? [];

const FILE = /^[A-Za-z0-9_][-A-Za-z0-9_.]*$/;

/** What is wrong with where secrets go in a task, whether they exist or not. */
export function secretPathProblem(refs: readonly SecretRef[]): string | undefined {
  const paths = new Set<string>();
  for (const { name, path } of refs) {
    const file = path.startsWith(`${SECRETS_PLACE}/`) ? path.slice(SECRETS_PLACE.length + 1) : "";
    if (!FILE.test(file))
      return `Cannot put secret "${name}" at "${path}": secrets are files of "${SECRETS_PLACE}", as in "${SECRETS_PLACE}/${name}"`;
    if (paths.has(path)) return `Two secrets would be at "${path}": give each a path of its own`;
    paths.add(path);
  }
  return undefined;
}
