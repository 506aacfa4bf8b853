/** Words that people are shown of a task. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../wire/codec.ts";
import { TaskSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { slackWords } from "./show.ts";

test("beside a limit it is said what a task may use beyond it: idle processors unless it is held, memory only where its spec says so [I8]", () => {
  const said = (spec: Parameters<typeof make<typeof TaskSpecSchema>>[1]): string[] =>
    (["cpu", "ram"] as const).map((dimension) => slackWords(dimension, make(TaskSpecSchema, spec)));
  assert.deepEqual(said({}), [", more when idle", ""]);
  assert.deepEqual(said({ holdCpu: true }), [", never more", ""]);
  assert.deepEqual(said({ slackRam: true }), [", more when idle", ", more while nobody else needs it"]);
  assert.deepEqual(said({ wholeCores: true }), [", processors of its own", ""]);
});
