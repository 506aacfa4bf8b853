/** Certificates that grow old: made anew when half of their time is over and not sooner, with what signed them; a try that fails is said, and followed by another. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { CERTIFICATE_MS, SHORT_MS } from "../rpc/certificates.ts";
import { DataDirectory } from "./data.ts";
import { EtcdKeys } from "./etcd-keys.ts";
import { KeyPairs } from "./key-pairs.ts";
import { Keys } from "./keys.ts";
import { RENEW_MS, Renewal } from "./renewal.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-renewal-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

const NOW = Date.now();
const HOUR_MS = 3_600_000;
/** As decided in daemon/keys.ts and etcd-keys.ts: of a cell on this machine alone, and of one on several. */
const LIVES = [
  { name: "of a year", replica: undefined, lifeMs: CERTIFICATE_MS },
  { name: "of seven days", replica: 1, lifeMs: SHORT_MS },
] as const;
const OWN = ["master/master", "machines/m1/identity"];
const ETCDS = ["etcd/client", "etcd/1/member"];

for (const { name, replica, lifeMs } of LIVES) {
  test(`certificates ${name} are made anew when half of it is over, and not before; their authorities stay [M2] [KA2]`, async () => {
    const data = new DataDirectory(join(ROOT, name.replaceAll(" ", "-")));
    const [keys, etcd, pairs] = [new Keys(data, "cc", replica), new EtcdKeys(data), new KeyPairs(data)];
    const prepare = async (nowMs: number): Promise<readonly boolean[]> => [
      await keys.prepare(["localhost"], ["m1"], nowMs),
      await etcd.prepare({ cell: "cc", host: "localhost", lifeMs }, [1], nowMs),
    ];
    const read = (names: readonly string[]): readonly string[] => names.map((each) => pairs.read(each)!.certificate);
    assert.deepEqual(await prepare(NOW), [true, true]);
    const [first, authorities] = [read([...OWN, ...ETCDS]), read(["master/authority", "etcd/authority"])];

    assert.deepEqual(await prepare(NOW + lifeMs / 2 - HOUR_MS), [false, false], "it is not time yet");
    assert.deepEqual(read([...OWN, ...ETCDS]), first);

    const late = NOW + lifeMs / 2 + HOUR_MS;
    for (const each of first) assert.ok(Date.parse(new X509Certificate(each).validTo) > late, "half of it is left when they are renewed");
    assert.deepEqual(await prepare(late), [true, true]);
    for (const [i, each] of read([...OWN, ...ETCDS]).entries()) {
      assert.notEqual(each, first[i]);
      const endsMs = Date.parse(new X509Certificate(each).validTo);
      assert.ok(Math.abs(endsMs - (late + lifeMs)) < HOUR_MS, "good for as long again");
    }
    assert.deepEqual(read(["master/authority", "etcd/authority"]), authorities);
    assert.deepEqual(await prepare(late), [false, false]);
  });
}

test("who runs a cell looks every hour: it renews in time, says a failure, tries again, and tells who read the old ones once [M2] [KA2]", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const data = new DataDirectory(join(ROOT, "running"));
  const keys = new Keys(data, "cc", 1);
  let nowMs = NOW;
  let isFull = false;
  const said: string[] = [];
  await keys.prepare(["localhost"], [], nowMs);
  let renewed: Promise<boolean> = Promise.resolve(false);
  const renew = async (): Promise<boolean> => {
    if (isFull) throw new Error("no space left");
    return keys.prepare(["localhost"], [], nowMs);
  };
  const renewal = new Renewal({
    renew: () => (renewed = renew()),
    onRenewed: (why) => said.push(why),
    log: (line) => said.push(line),
  });
  renewal.start();
  t.after(() => renewal.stop());
  const hourAt = async (atMs: number): Promise<readonly string[]> => {
    nowMs = atMs;
    t.mock.timers.tick(RENEW_MS);
    await renewed.catch(() => {});
    await turn();
    return said.splice(0);
  };
  assert.deepEqual(await hourAt(NOW + SHORT_MS / 2 - HOUR_MS), []);
  isFull = true;
  assert.deepEqual(await hourAt(NOW + SHORT_MS / 2 + HOUR_MS), [
    "Certificates could not be renewed: no space left; tried again in an hour",
  ]);
  isFull = false;
  assert.deepEqual(await hourAt(NOW + SHORT_MS / 2 + 2 * HOUR_MS), ["Certificates were renewed"]);
  assert.deepEqual(await hourAt(NOW + SHORT_MS / 2 + 3 * HOUR_MS), []);
});
