/** The door of a master: strangers wait in memory, so many and no longer than they ask; what the cell says decides. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import type { MachineVerdict } from "../../borgmaster/api/identify.ts";
import { unseal } from "../../cell/op.ts";
import { derOf, keyOf, makeAuthority, makeRequest, pemOf } from "../../rpc/certificates.ts";
import { make } from "../../wire/codec.ts";
import { type LinkJoin, LinkJoinSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import { ResourcesSchema } from "../../wire/gen/borg/v1/resource_pb.ts";
import { Joins, WAITING_MAX } from "./joins.ts";

const AUTHORITY = await makeAuthority("test", Date.now());
const CAPACITY = make(ResourcesSchema, { cpuMilli: 4000 });

type Said = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string };
type Verdict = MachineVerdict extends infer V ? (V extends MachineVerdict ? Omit<V, "type" | "id"> : never) : never;

/** A cell that always says the same. */
class Door {
  nowMs = 1000;
  readonly asked: Said[] = [];
  readonly signed: string[] = [];
  verdict: Verdict = { verdict: "unknown" };
  enrolled: object = { result: "done" };
  readonly joins: Joins = new Joins({
    cell: "test",
    authority: AUTHORITY,
    authorities: [AUTHORITY.certificate],
    onSigned: (machine) => void this.signed.push(machine),
    now: () => this.nowMs,
    send: (_to, message) => {
      const said = message as Said;
      this.asked.push(said);
      const answer = said.type === "may-join" ? { type: "verdict", ...this.verdict } : { type: "answer", ...this.enrolled };
      queueMicrotask(() => this.joins.hear({ ...answer, id: said.id }));
    },
  });
}

const ask = async (machine: string, token = ""): Promise<LinkJoin> => {
  const { request } = await makeRequest(machine);
  return make(LinkJoinSchema, { machine, request: derOf(request), token, capacity: CAPACITY });
};

test("strangers wait in memory alone, so many and no more, and no longer than they ask [KB1] [cell.M8]", async () => {
  const door = new Door();
  const asks = await Promise.all(Array.from({ length: WAITING_MAX + 1 }, (_, i) => ask(`n${i}`)));
  for (const each of asks.slice(0, WAITING_MAX)) assert.equal((await door.joins.join(each, "127.0.0.1")).type, "waiting");
  const last = asks[WAITING_MAX]!;
  assert.deepEqual(await door.joins.join(last, "127.0.0.1"), {
    type: "refused",
    reason: `${WAITING_MAX} machines wait for an approval: ask again later`,
  });
  assert.ok(
    door.asked.every(({ type }) => type === "may-join"),
    "nothing of them goes to the journal",
  );
  assert.equal((await door.joins.join(asks[0]!, "127.0.0.1")).type, "waiting", "who waits already may ask again");
  door.nowMs += 60_001;
  assert.equal((await door.joins.join(last, "127.0.0.1")).type, "waiting");
  const told = door.joins.list("1");
  assert.deepEqual(told.type === "joins" && told.waiting.map(({ machine, address }) => [machine, address]), [["n100", "127.0.0.1"]]);
});

test("who was denied is not heard for a while [cell.M8]", async () => {
  const door = new Door();
  const far = await ask("far");
  await door.joins.join(far, "");
  assert.deepEqual(door.joins.deny("1", "far", "0".repeat(64)), { type: "denied", id: "1", denied: 0 });
  assert.deepEqual(door.joins.deny("2", "far", ""), { type: "denied", id: "2", denied: 1 });
  assert.deepEqual(await door.joins.join(far, ""), { type: "refused", reason: 'Machine "far" was denied' });
  door.nowMs += 600_001;
  assert.equal((await door.joins.join(far, "")).type, "waiting");
});

test("a token goes into the journal as a hash before anything is signed; the certificate is for the key that asked [cell.M9]", async () => {
  const door = new Door();
  door.verdict = { verdict: "invited" };
  const far = await ask("far", "secret");
  const joined = await door.joins.join(far, "");
  assert.ok(joined.type === "joined");
  const certificate = new X509Certificate(pemOf(joined.certificate, "CERTIFICATE"));
  assert.match(certificate.subjectAltName ?? "", /spiffe:\/\/test\/borglet\/far/);
  assert.deepEqual([door.signed, joined.authorities], [["far"], [derOf(AUTHORITY.certificate)]], "and whose certificates count");
  const [, request] = door.asked;
  const op = unseal(request!["op"] as Uint8Array);
  assert.ok(op.ok && op.value.op.body.case === "machineEnroll");
  assert.equal(op.value.op.body.value.key, keyOf(certificate));
  assert.ok(!JSON.stringify(door.asked).includes("secret"));
  door.enrolled = { result: "refused", reason: "used", position: 1 };
  assert.deepEqual(await door.joins.join(far, ""), { type: "refused", reason: "used" });
  door.enrolled = { result: "unavailable", reason: "no leader", retryAfterMs: 1 };
  assert.deepEqual(await door.joins.join(far, ""), { type: "refused", reason: "The cell cannot say now: ask again" });
});

test("a request that is not signed with its own key is refused, and so is a link that nobody approved [KA2]", async () => {
  const door = new Door();
  const far = await ask("far");
  const bent = Uint8Array.from(far.request);
  bent[bent.length - 1]! ^= 1;
  for (const request of [bent, Uint8Array.of(1, 2, 3)]) assert.equal((await door.joins.join({ ...far, request }, "")).type, "refused");
  assert.deepEqual(await door.joins.admit("far", "k"), { ok: false, reason: 'Machine "far" is not approved with this key (any more)' });
  door.verdict = { verdict: "approved", capacity: CAPACITY };
  assert.deepEqual(await door.joins.admit("far", "k"), { ok: true, approved: CAPACITY });
});
