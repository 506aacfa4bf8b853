import { openSecrets } from "../../../src/borgmaster/api/secrets.ts";
import { CELL_SECRET_BOUNDS, SECRET_BOUNDS } from "../../../src/cell/secret.ts";
import { ToyVault } from "../../../src/fauxmaster/world/toy-vault.ts";
import { make } from "../../../src/wire/codec.ts";
import { RotateSecretKeyRequestSchema } from "../../../src/wire/gen/borg/v1/api_pb.ts";
import { AttackedCell } from "../../attack/desk.ts";
import type { OpBody, World } from "../world.ts";
import { asks, cell, crowded, type Group, row, submits } from "./row.ts";

const sealedOf = (more: object = {}) => ({ keyId: "k1", nonce: new Uint8Array(12), ciphertext: new Uint8Array(20), ...more });
const body = (name: "secretSet" | "secretReseal", more: object = {}): OpBody =>
  ({ case: name, value: { user: "ubar", name: "db", version: 1, sealed: sealedOf(), ...more } }) as OpBody;
const isSet = (world: World): unknown => world.must(world.user("ubar", body("secretSet")));
const removes = (prepare: (world: World) => unknown = () => {}) =>
  asks("ubar", () => ({ case: "secretRemove", value: { user: "ubar", name: "db" } }), prepare);
const sets = (more: object = {}, version?: number) =>
  asks(
    "ubar",
    () => body("secretSet", more),
    () => {},
    version,
  );
const reseals = (more: object = {}, prepare: (world: World) => unknown = isSet) => asks("admin", () => body("secretReseal", more), prepare);
const REF = { name: "db", path: "/borg/secrets/db" };
const submitsWith = (...secrets: readonly object[]) => submits("web", { task: { secrets: [...secrets] } }, isSet);

/** A secret more, of a user that has `count` of so many bytes each; ann has as many as the rest. */
function full(count: number, bytes: number, rest = 0): string {
  const world = cell();
  for (const [user, many] of [["ubar", count], ["ann", rest]] as const) // biome-ignore format: one line
    for (let i = 0; i < many; i++) {
      const secret = {
        name: `s${i}`,
        version: 1,
        sealed: sealedOf({ ciphertext: new Uint8Array(bytes) }),
        createdMs: 1,
        changedMs: 1,
        labels: [],
      };
      world.state.users.get(user as never)!.secrets.set(secret.name, secret);
    }
  return crowded(world, world.user("ubar", body("secretSet")));
}

const rotates = (by: string, message?: string) => (): string => {
  const attacked = new AttackedCell();
  if (message !== undefined)
    attacked.vault.rotate = () => {
      throw new Error(message);
    };
  const answer = attacked.call("rotateSecretKey", by, make(RotateSecretKeyRequestSchema, {}));
  return answer.type === "failed" ? answer.reason : "ok";
};

/** What the link hears for a machine whose task names it. */
const opens = (prepare: (world: World) => unknown) => (): string => {
  const world = cell();
  prepare(world);
  const vault = new ToyVault(() => 0.5);
  const answer = openSecrets(world.state, vault, {
    type: "secrets-ask",
    id: "1",
    position: 0,
    user: "ubar",
    names: ["db"],
    instance: "ubar/none/0:1",
  });
  return answer.type === "no-secrets" ? answer.reason : "ok";
};

const SECRETS: Group = {
  title: "Secrets",
  rows: [
    row("secret.early", "to set a secret, in a cell of version 4", sets({}, 4)),
    row("label.early", "labels of a secret, in a cell of version 6", sets({ labels: { labels: [{ key: "app", value: "shop" }] } }, 6)),
    row(
      "secret.early-job",
      "a job with a secret, in a cell of version 4",
      submits("web", { task: { secrets: [REF] } }, () => {}, 4),
    ),
    row("secret.version", "a secret that was encrypted for another version than the next", sets({ version: 2 })),
    row("secret.nonce", "a secret with a short nonce", sets({ sealed: sealedOf({ nonce: new Uint8Array(8) }) })),
    row("secret.empty", "a secret of no bytes", sets({ sealed: sealedOf({ ciphertext: new Uint8Array(16) }) })),
    row("secret.most", "a secret more than a user may have", () => full(SECRET_BOUNDS.secrets, 20)),
    row("secret.bytes", "more bytes of secrets than a user may have", () => full(1, SECRET_BOUNDS.secretBytes)),
    row("secret.cell", "a secret more than a cell keeps", () => full(0, 20, CELL_SECRET_BOUNDS.secrets)),
    row("secret.none", "to remove a secret that is not there", removes()),
    row(
      "secret.named",
      "to remove a secret that a job names",
      removes((world) => {
        isSet(world);
        world.submit("web", { task: { secrets: [REF] } });
      }),
    ),
    row(
      "secret.reseal-none",
      "another key for a secret that is not there",
      reseals({}, () => {}),
    ),
    row(
      "secret.reseal-length",
      "another key for a secret, and another length",
      reseals({ sealed: sealedOf({ ciphertext: new Uint8Array(40) }) }),
    ),
    row("secret.place", "a secret at /etc/passwd", submitsWith({ ...REF, path: "/etc/passwd" })),
    row("secret.twice", "two secrets at one path", submitsWith(REF, REF)),
    row("secret.key-access", "to exchange the key of secrets, as no admin", rotates("ann")),
    row("secret.key", "to exchange the key, and the disk is full", rotates("admin", "no space left on device")),
    row("secret.lost", "a machine, for a secret whose key is lost", opens(isSet)),
  ],
};

export const SECRET_GROUPS: readonly Group[] = [SECRETS];
