/** Packages, secrets and users by their labels, at the API. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { userOp } from "../../src/cell/op.ts";
import { make } from "../../src/wire/codec.ts";
import * as wire from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { AttackedCell } from "../attack/desk.ts";

const sealed = { keyId: "k1", nonce: new Uint8Array(12), ciphertext: new Uint8Array(40) };

/** Of each kind one with `app=shop` and one with `app=bank`. */
function labelled(): AttackedCell {
  const cell = new AttackedCell();
  for (const app of ["shop", "bank"]) {
    const labels = { labels: [{ key: "app", value: app }] };
    const digest = (app === "shop" ? "a" : "b").repeat(64);
    cell.entry(userOp("ann", "", { case: "packageAdd", value: { user: "ann", name: app, digest, bytes: 5, shared: true, labels } }));
    cell.entry(userOp("ann", "", { case: "secretSet", value: { user: "ann", name: app, version: 1, sealed, labels } }));
    cell.entry(userOp("admin", "", { case: "userGrant", value: { user: app, roles: [Role.USER], labels } }));
  }
  return cell;
}

function listed(cell: AttackedCell, user: string, selector: string): string[][] {
  const ask = (method: "listPackages" | "listSecrets" | "listUsers", request: object): unknown => {
    const answer = cell.call(method, user, request as never);
    assert.equal(answer.type, "answered", JSON.stringify(answer));
    return answer.type === "answered" ? answer.response : undefined;
  };
  const { packages } = ask("listPackages", make(wire.ListPackagesRequestSchema, { selector })) as wire.ListPackagesResponse;
  const { secrets } = ask("listSecrets", make(wire.ListSecretsRequestSchema, { selector })) as wire.ListSecretsResponse;
  const { users } = ask("listUsers", make(wire.ListUsersRequestSchema, { selector })) as wire.ListUsersResponse;
  return [packages, secrets, users].map((all) => all.map(({ name, labels }) => `${name} ${labels.map(({ value }) => value).join()}`));
}

test("a selector means packages, secrets and users with such labels, and they are shown with them [L1]", () => {
  const cell = labelled();
  assert.deepEqual(listed(cell, "ann", "app=shop"), [["shop shop"], ["shop shop"], ["shop shop"]]);
  assert.deepEqual(listed(cell, "ann", "app in (bank, none)"), [["bank bank"], ["bank bank"], ["bank bank"]]);
  assert.deepEqual(
    listed(cell, "ann", "app").map((all) => all.length),
    [2, 2, 2],
  );
});

test("a selector shows nobody what is not theirs: secrets of others stay unseen [L1] [KA3]", () => {
  const cell = labelled();
  assert.deepEqual(listed(cell, "bank", "app=shop"), [["shop shop"], [], ["shop shop"]]);
});

test("a selector that cannot be read is a bad request, of these listings too [L1]", () => {
  const cell = labelled();
  for (const method of ["listPackages", "listSecrets", "listUsers"] as const) {
    const answer = cell.call(method, "ann", make(wire.ListUsersRequestSchema, { selector: "a b" }) as never);
    assert.ok(answer.type === "failed" && /selector/.test(answer.reason), JSON.stringify(answer));
  }
});
