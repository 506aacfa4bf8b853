/** Words that people are shown of a task. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../wire/codec.ts";
import { TaskViewSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { TaskSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { slackWords, trafficWords } from "./show.ts";

test("beside a limit it is said what a task may use beyond it: idle processors unless it is held, memory only where its spec says so [I8]", () => {
  const said = (spec: Parameters<typeof make<typeof TaskSpecSchema>>[1]): string[] =>
    (["cpu", "ram"] as const).map((dimension) => slackWords(dimension, make(TaskSpecSchema, spec)));
  assert.deepEqual(said({}), [", more when idle", ""]);
  assert.deepEqual(said({ holdCpu: true }), [", never more", ""]);
  assert.deepEqual(said({ slackRam: true }), [", more when idle", ", more while nobody else needs it"]);
  assert.deepEqual(said({ wholeCores: true }), [", processors of its own", ""]);
});

test("what a task moved between memory and disks is said where its machine knows it, also that it was nothing [B1] [borglet.U9]", () => {
  const said = (view: Parameters<typeof make<typeof TaskViewSchema>>[1]): string => trafficWords(make(TaskViewSchema, view));
  assert.equal(said({}), "");
  assert.equal(said({ diskTraffic: {} }), "0 B read, 0 B written");
  assert.equal(said({ diskTraffic: { readBytes: 2 ** 31, writtenBytes: 3 * 2 ** 20 } }), "2 GiB read, 3 MiB written");
});
