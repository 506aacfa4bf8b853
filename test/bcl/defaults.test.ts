/** What the manual says of a field that nobody gave is what the cell and a borglet do with a spec that is silent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ROWS } from "../../src/bcl/explain.ts";
import { evaluateText } from "../../src/bcl/fixture.test.ts";
import { readQuantity } from "../../src/bcl/quantity.ts";
import { HealthWatch } from "../../src/borglet/health.ts";
import { type Kept, newKept } from "../../src/borglet/kept.ts";
import { settle, startsAfterMs } from "../../src/borglet/restart.ts";
import { DEFAULT_CONFIG } from "../../src/cell/defaults.ts";
import { make } from "../../src/wire/codec.ts";
import { Health, StartOrderSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { HealthCheckSchema } from "../../src/wire/gen/borg/v1/spec_pb.ts";

/** The default that `borg bcl explain` and docs/bcl.md tell, as a number. */
function documented(field: string): number {
  const text = ROWS.find(({ path }) => path === `job.${field}`)?.default;
  assert.ok(text !== undefined, `${field} tells no default`);
  const read = readQuantity(text);
  assert.ok(read.ok, `${field}: ${text}`);
  return read.value.amount;
}

const HOUR_MS = 3_600_000;

test("a silent health check is done as the manual says [N4]", () => {
  const watch = new HealthWatch(make(HealthCheckSchema, { port: "http" }), 0);
  const asked = watch.question(() => 80);
  assert.ok(asked?.kind === "http");
  assert.equal(asked.timeoutMs, documented("health.timeout"));
  assert.equal(JSON.stringify(asked.path), ROWS.find(({ path }) => path === "job.health.path")?.default);
  const graceMs = documented("health.grace");
  assert.deepEqual(
    [graceMs - 1, graceMs].map((nowMs) => watch.heard("refused", nowMs)),
    [false, true],
  );
  watch.heard("", HOUR_MS);
  assert.equal(watch.intervalMs(HOUR_MS), documented("health.interval"));
  for (let failures = 1; watch.verdict === undefined; failures++) {
    assert.ok(failures <= documented("health.failures"));
    watch.heard("Answered 500", HOUR_MS);
    assert.equal(watch.health, Health.BAD);
    assert.equal(watch.verdict === undefined, failures < documented("health.failures"));
  }
});

test("a file that is silent asks for the health check that silence means", () => {
  const { result } = evaluateText('job x = { command = ["a"], ports = ["http"], health = { port = "http" } }');
  const said = new HealthWatch(result!.jobs[0]!.task!.health!, 0);
  const silent = new HealthWatch(make(HealthCheckSchema, { port: "http" }), 0);
  for (const watch of [said, silent]) watch.heard("", 1);
  assert.deepEqual([said.question(() => 80), said.intervalMs(HOUR_MS)], [silent.question(() => 80), silent.intervalMs(HOUR_MS)]);
});

const failed = (kept: Kept): void => settle(kept, { code: 1, signal: 0 }, "", 10);

test("a silent restart policy is done as the manual says, by the borglet and by the cell", () => {
  const kept = newKept(make(StartOrderSchema, { instance: "ann/web/0:1" }));
  const waits: number[] = [];
  for (failed(kept); kept.phase === "starting"; failed(kept)) waits.push(startsAfterMs(kept));
  assert.equal(waits.length, documented("restart.in_place_max"));
  assert.equal(waits[0], documented("restart.backoff_min"));
  kept.failures = 1000;
  assert.equal(startsAfterMs(kept), documented("restart.backoff_max"));
  assert.equal(DEFAULT_CONFIG.backoffMinMs, documented("restart.backoff_min"));
  assert.equal(DEFAULT_CONFIG.backoffMaxMs, documented("restart.backoff_max"));
  assert.equal(DEFAULT_CONFIG.noticeMs, documented("notice"));
});
