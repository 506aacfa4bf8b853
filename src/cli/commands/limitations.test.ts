/** What is said of machines that lack something. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../wire/codec.ts";
import { type MachineView, MachineViewSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { limitationsText } from "./limitations.ts";

const machine = (name: string, attributes: Readonly<Record<string, string>>): MachineView =>
  make(MachineViewSchema, { name, attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })) });

test("without a jail it is said whose files tasks see: each other's where they run as one user, and no other job's where each has its own [I1] [borglet.X4]", () => {
  const text = limitationsText([machine("m1", { jail: "none", user: "plain" }), machine("m2", { jail: "none", user: "root" })]);
  assert.match(text, /^m1: no jail: tasks see each other's files and processes, and the machine's;/);
  assert.match(text, /\nm2: no jail: tasks see each other's processes and the machine's files, but no files of other jobs;/);
  assert.equal(limitationsText([machine("m1", { jail: "bubblewrap", user: "plain" })]), "");
});
