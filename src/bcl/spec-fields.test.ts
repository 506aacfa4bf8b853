import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { toJson } from "@bufbuild/protobuf";
import { ok, refused } from "../base/result.ts";
import { type AllocSetSpec, AllocSetSpecSchema, type JobSpec, JobSpecSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import { evaluateFile } from "./evaluation.ts";
import { plainText } from "./evaluator/plain.ts";
import { evaluateText } from "./fixture.test.ts";
import { utf8, utf8Text } from "./schema/utf8.ts";
import { setFields, specJson } from "./spec-fields.ts";

const plainJob = (spec: JobSpec) => toJson(JobSpecSchema, spec);
const plainSet = (spec: AllocSetSpec) => toJson(AllocSetSpecSchema, spec);

/** What the fields of a spec evaluate to. */
function again(spec: JobSpec | AllocSetSpec) {
  const role = spec.$typeName === "borg.v1.JobSpec" ? "job" : "alloc_set";
  const text = JSON.stringify({ [role]: { [spec.name]: specJson(spec) } });
  return evaluateFile("main.json", { read: () => ok(text) }, { user: "nobody" });
}

/** Every field of the tables, each with a value that is not its default. */
const EVERYTHING = `job all = {
  command = ["a", "b \${1}"], name = "all", user = "ann", priority = 130, count = 3
  cpu = 0.125, ram = 100Mi, disk = 3Gi, disk_bandwidth = 5Mi, extras = { gpu = 1 }
  ports = ["http", "admin"], env = { A = "1", "b.c" = 2 }, packages = ["x@1", "y", "bob/z@2", { name = "w", version = "3", path = "/w" }], image = "bob/os@4", directory = "/w"
  files = { "/a" = "ä\\n", "/b" = { content = "c", mode = "0600" } }, secrets = { "/s" = "name" }
  volumes = ["data", { name = "music", read_only = true }]
  health = { port = "http", path = "/h", interval = 3s, timeout = 1500ms, failures = 2 }
  restart = { when = "never", in_place_max = 0, failures_max = 3, fatal_exits = [64, 78], ok_exits = [3], backoff_min = 2s, backoff_max = 1min }
  update = { batch = 2, disruptions_max = 0, watch = 0s, failures_max = 1 }
  notice = 0s, victim_notice = 5s, deadline = 2h
  overrides = [{ tasks = 0, args = ["c"], ram = 1Gi }, { tasks = [1, 2], env = { B = "3" } }]
  constraints = [
    { attribute = "arch", is = "x64" }, { attribute = "r", none_of = ["a", "b"], prefer = 5 }, { attribute = "k", exists = false }
  ]
  spread = "hard", labels = { x = "y" }, app_class = "batch", start_after = "bob/first", mode = "gang", scheduler = "mine"
  reclaim = false, down_max = 0
}
job inside = { command = ["a"], alloc_set = room, start_after = all, spread = "rack", beside = [{ job = all, max = 0 }, { job = "bob/x", max = 3 }] }
job everywhere = { command = ["a"], per_machine = true }
alloc_set room = { count = 2, ports = 3, cpu = 2, spread = "power", labels = { a = "b" }, down_max = 1, constraints = [{ attribute = "k", exists = true }] }
`;

test("the fields of a spec evaluate to that spec, for every field there is [bcl.D10]", () => {
  const { result, problems } = evaluateText(EVERYTHING, { user: "ann" });
  assert.deepEqual(
    problems.map((problem) => problem.message),
    [],
  );
  for (const job of result!.jobs) assert.deepEqual(again(job).result!.jobs.map(plainJob), [plainJob(job)]);
  for (const set of result!.allocSets) assert.deepEqual(again(set).result!.allocSets.map(plainSet), [plainSet(set)]);
});

test("the fields of every example evaluate to what the example does [bcl.D10]", () => {
  const folder = new URL("../../examples/", import.meta.url);
  const read = (path: string) => {
    try {
      return ok(readFileSync(new URL(path, folder), "utf8"));
    } catch {
      return refused("there is no such file");
    }
  };
  const jobs = readdirSync(folder)
    .filter((name) => name.endsWith(".bcl"))
    .flatMap((name) => evaluateFile(name, { read }, { user: "ann" }).result!.jobs);
  assert.ok(jobs.length > 20);
  for (const job of jobs) assert.deepEqual(again(job).result!.jobs.map(plainJob), [plainJob(job)]);
});

test("what was set is what is not the default, in the words of the file [bcl.D10]", () => {
  const set = (text: string) => {
    const spec = evaluateText(text, { user: "ann" }).result!.jobs[0]!;
    return [...setFields(spec)].map(([name, value]) => `${name} = ${plainText(value)}`).slice(5);
  };
  assert.deepEqual(set('job a = { command = ["x"], ram = 256Mi }'), []);
  assert.deepEqual(set('job a = { command = ["x"], priority = production, ram = 64Mi, restart = { when = "never" } }'), [
    "ram = 64Mi",
    'restart = { when = "never" }',
  ]);
  assert.deepEqual(set('job a = { command = ["x"], priority = production }'), [], "a service is restarted always by default");
});

test("utf8Text() is the way back from utf8(), and never throws", () => {
  for (const text of ["", "abc", "äöü€😀\n", "\u0000"]) assert.equal(utf8Text(utf8(text)), text);
  assert.equal(utf8Text(Uint8Array.from([0x61, 0xff, 0xe2, 0x82, 0x62, 0xf0])), "a\ufffd\ufffd\ufffdb\ufffd");
});
