/**
 * A crowd that attacks in every way at once: a short slice of `borg bench hostile` on a small cell. Times depend on the host and are told, not asserted; that nobody
 * else is touched, that the owner is always answered and that the master stays within its memory are.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { benchHostile } from "../../bench/hostile.ts";

/** HOSTILE makes it longer, as the soak does. */
const SECONDS = Number(process.env["HOSTILE"] ?? "20");

test("hostile users touch nobody's tasks, keep the owner from nothing and take no more memory than stated, also across kill -9 of everything [KB1] [KB2] [P11]", async (t) => {
  const figures = await benchHostile({ users: 22, seconds: SECONDS, fill: 0.01 });
  t.diagnostic(JSON.stringify(figures));
  const { othersTouched, ownerFailed, ownerCalls, masterRssMaxMiB, masterRssBoundMiB, hostileRefused } = figures as Record<string, number>;
  assert.equal(othersTouched, 0, "tasks of others that are not what they were");
  assert.equal(ownerFailed, 0, `of ${ownerCalls} calls of the owner`);
  assert.ok(masterRssMaxMiB! < masterRssBoundMiB!, `the master took ${masterRssMaxMiB} MiB`);
  assert.ok(hostileRefused! > 0, "they were held");
});
