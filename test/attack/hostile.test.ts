/**
 * A crowd that attacks in every way at once: a short slice of `borg bench hostile` on a small cell. What depends on the host (how long the owner waits, how much memory
 * the master takes, when all is back) is told, not asserted: docs/BENCHMARKS.md has what is wanted and what was measured.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { benchHostile } from "../../bench/hostile.ts";

/** HOSTILE makes it longer, as the soak does. */
const SECONDS = Number(process.env["HOSTILE"] ?? "20");

test("hostile users touch nobody's tasks, also across kill -9 of everything, and nobody's token is taken for revoked then [KB1] [KB2] [P11]", async (t) => {
  const figures = await benchHostile({ users: 22, seconds: SECONDS, fill: 0.01 });
  t.diagnostic(JSON.stringify(figures));
  assert.equal(figures["othersTouched"], 0, "tasks of others that are not what they were");
  assert.equal(figures["hostileTold_unauthenticated"], undefined, "a copy that is not current does not say that a token is nobody's");
  assert.ok(figures["hostileRefused"]! > 0, "they were held");
});
