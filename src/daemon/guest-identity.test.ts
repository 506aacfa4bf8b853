/** A machine from elsewhere and its certificate as time goes by: asked for in time, with the key that was approved, and again where nobody answered. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { derOf, makeAuthority, makeMaster, pemOf, SHORT_MS, signMachine } from "../rpc/certificates.ts";
import { type LinkDoor, LinkServer } from "../rpc/link-server.ts";
import { DataDirectory } from "./data.ts";
import { GuestIdentity, JoinError, RENEW_MS } from "./guest-identity.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-guest-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

const NOW = Date.now();
const HOUR_MS = 3_600_000;
const AUTHORITY = await makeAuthority("cc", NOW);
const MASTER = await makeMaster(AUTHORITY, { cell: "cc", replica: 0, hosts: ["127.0.0.1"] }, NOW);

/** A master's door of links, which can be shut, and a machine. Both have one clock. */
async function rig() {
  const rig = { nowMs: NOW, joins: 0, says: [] as string[], answer: "joined" as "joined" | "waiting" | "refused" };
  const door: LinkDoor = {
    admit: async () => ({ ok: false, reason: "nobody links here" }),
    join: async ({ machine, request }) => {
      rig.joins += 1;
      if (rig.answer === "waiting") return { type: "waiting", key: "0".repeat(64) };
      if (rig.answer === "refused") return { type: "refused", reason: "taken out" };
      const pem = await signMachine(AUTHORITY, pemOf(request, "CERTIFICATE REQUEST"), { cell: "cc", machine }, rig.nowMs, SHORT_MS);
      return { type: "joined", certificate: derOf(pem!), authorities: [derOf(AUTHORITY.certificate)] };
    },
  };
  const listen = (port: number): Promise<LinkServer> =>
    LinkServer.listen({
      listeners: [{ endpoint: { kind: "tcp", host: "127.0.0.1", port }, tls: MASTER }],
      ...{ authorities: [AUTHORITY.certificate], cell: "cc", door, log: () => {} },
      ...{ onOpen: () => {}, onFrame: () => {}, onClose: () => {} },
    });
  const server = await listen(0);
  const { port } = server.addresses[0]!;
  const data = new DataDirectory(mkdtempSync(join(ROOT, "m")));
  const identity = new GuestIdentity({
    data,
    guest: { cell: "cc", machine: "far", id: "id", host: "127.0.0.1", port, authorities: [AUTHORITY.certificate] },
    share: { machine: "far", cpuMilli: 1000, ramBytes: 2 ** 30, diskBytes: 2 ** 30, portFirst: 1, portLast: 2 },
    token: "",
    signal: new AbortController().signal,
    nowMs: () => rig.nowMs,
    say: (line) => rig.says.push(line),
    log: (line) => rig.says.push(line),
  });
  const kept = (): string | undefined => data.read(join("machines", "far", "identity.pem"));
  return { rig, identity, server, again: () => listen(port), kept };
}

const keyIn = (certificate: string): string =>
  new X509Certificate(certificate).publicKey.export({ type: "spki", format: "pem" }).toString();

test("a start asks for a certificate when half of the old one's time is over, with the key that was approved, and not sooner [U13] [KA2]", async (t) => {
  const { rig: world, identity, server, kept } = await rig();
  t.after(() => server.close());
  const first = (await identity.take())!;
  assert.deepEqual([world.joins, kept()], [1, first.certificate]);
  world.nowMs = NOW + SHORT_MS / 2 - HOUR_MS;
  assert.equal((await identity.take())!.certificate, first.certificate);
  assert.equal(world.joins, 1, "it is not time yet");
  world.nowMs = NOW + SHORT_MS / 2 + HOUR_MS;
  const second = (await identity.take())!;
  assert.deepEqual([world.joins, kept()], [2, second.certificate]);
  assert.notEqual(second.certificate, first.certificate);
  assert.equal(keyIn(second.certificate), keyIn(first.certificate));
  world.nowMs = NOW + 3 * SHORT_MS;
  assert.ok(
    Date.parse(new X509Certificate((await identity.take())!.certificate).validTo) > world.nowMs,
    "one that was off for long asks anew",
  );
  world.nowMs = NOW + 6 * SHORT_MS;
  world.answer = "refused";
  await assert.rejects(() => identity.take(), JoinError);
});

test("one that serves asks every six hours; where nobody answers, or it is not approved, it says so, keeps the old one, and asks again [U13] [KA2]", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { rig: world, identity, server, again, kept } = await rig();
  const own = (await identity.take())!;
  const first = own.certificate;
  identity.keepNew(own, false);
  t.after(() => identity.stop());
  const sixHoursLater = async (): Promise<void> => {
    world.nowMs += RENEW_MS;
    const [before, said] = [own.certificate, world.says.length];
    t.mock.timers.tick(RENEW_MS);
    for (const end = performance.now() + 10_000; performance.now() < end; await new Promise((resolve) => setTimeout(resolve, 5)))
      if (own.certificate !== before || world.says.length > said) return;
    assert.fail("Nothing was asked");
  };
  await server.close();
  await sixHoursLater();
  assert.match(world.says.at(-1)!, /^Its certificate could not be renewed: .*ECONNREFUSED.*; asked again in 6 hours$/);
  assert.deepEqual([own.certificate, kept()], [first, first]);
  const back = await again();
  t.after(() => back.close());
  world.answer = "waiting";
  await sixHoursLater();
  assert.match(world.says.at(-1)!, /it is no longer approved; asked again in 6 hours/);
  world.answer = "joined";
  await sixHoursLater();
  assert.notEqual(own.certificate, first, "the next dial shows the new one");
  assert.deepEqual([kept(), keyIn(own.certificate)], [own.certificate, keyIn(first)]);
});
