import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { evaluateText } from "../../bcl/fixture.test.ts";
import { make } from "../../wire/codec.ts";
import { specDigest } from "../../wire/digest.ts";
import { type JobSpec, JobSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { EXIT } from "../exit.ts";
import { borg, notFound, type Script } from "../fixture.test.ts";
import { RUN_DEFAULTS } from "../run-defaults.ts";
import { runSpec } from "./run.ts";
import { specDifferences } from "./spec-difference.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-apply-"));
after(() => rmSync(ROOT, { recursive: true }));
const put = (name: string, text: string): void => writeFileSync(join(ROOT, name), text);
const here = { cwd: ROOT };

const specOf = (text: string) => evaluateText(text, { user: "ann" }).result!.jobs[0]!;
const WEB = 'job web = { command = ["node", "a.js"], count = 3, ram = 128Mi, env = { LOG = "info" } }\n';

const holding = (text: string, more: Script = {}): Script => ({
  getJob: ({ job }) =>
    job === "ann/web" ? { job: { name: job, state: "running", count: specOf(text).count }, spec: specOf(text) } : notFound(`job "${job}"`),
  submitJob: () => ({ position: 5 }),
  resizeJob: () => ({ position: 6 }),
  ...more,
});

const changes = (asked: readonly { readonly method: string }[]) =>
  asked.map(({ method }) => method).filter((method) => /^(submit|resize|set|start|commit)/.test(method));

test("apply submits what is not there, changes the count, and leaves alone what is the same", async () => {
  put("web.bcl", WEB);
  const fresh = await borg(["apply", "web.bcl"], { ...holding(WEB), getJob: () => notFound("job") }, here);
  assert.deepEqual([fresh.code, fresh.out, changes(fresh.asked)], [EXIT.done, "Submitted job ann/web with 3 tasks\n", ["submitJob"]]);
  const same = await borg(["apply", "web.bcl"], holding(WEB), here);
  assert.deepEqual([same.out, changes(same.asked)], ["Job ann/web is as the file says\n", []]);
  const more = await borg(["apply", "web.bcl", "--json"], holding(WEB.replace("3", "1")), here);
  assert.deepEqual(JSON.parse(more.out), { job: "ann/web", kind: "job", change: "count", from: 1, to: 3, position: 6 });
  assert.equal(more.asked.find(({ method }) => method === "resizeJob")?.request["count"], 3);
  const dry = await borg(["apply", "web.bcl", "--dry-run"], holding(WEB.replace("3", "1")), here);
  assert.deepEqual([dry.out, changes(dry.asked)], ["job ann/web: would change the count from 1 to 3\n", []]);
});

test("any other difference is told field by field, updated and committed [D1] [D5]", async () => {
  put("two.bcl", `job new = { command = ["x"] }\n${WEB}`);
  const held = WEB.replace("128Mi", "64Mi").replace('"info"', '"debug"').replace("a.js", "b.js").replace("3", "1");
  const script = holding(held, {
    checkUpdate: () => ({ restarts: 1, added: 2, tasks: [{ task: "ann/web/0", change: "restart", state: "running" }] }),
    checkJob: () => ({}),
    startUpdate: () => ({ position: 7 }),
    getUpdate: () => ({ job: "ann/web", phase: "rolled", passed: 3 }),
    commitUpdate: () => ({ position: 8 }),
  });
  const { code, out, asked } = await borg(["apply", "two.bcl"], script, here);
  assert.equal(code, EXIT.done);
  assert.deepEqual(changes(asked), ["submitJob", "startUpdate", "commitUpdate"]);
  assert.deepEqual(out.split("\n"), [
    "Submitted job ann/new with 1 task",
    '~ job ann/web: command[1] = "b.js" -> "a.js"',
    "~ job ann/web: count = 1 -> 3",
    '~ job ann/web: env.LOG = "debug" -> "info"',
    "~ job ann/web: ram = 64Mi -> 128Mi",
    "job ann/web: 1 restart, 2 added",
    "  ann/web/0: restart on its machine",
    "Updating job ann/web",
    "ann/web  rolled: 3 of 3 well  0s",
    "Committed the update of job ann/web",
    "Job ann/web is as the file says now",
    "",
  ]);
  const dry = await borg(["apply", "two.bcl", "--dry-run"], script, here);
  assert.match(dry.out, /^Would take job ann\/new with 1 task$/m);
  assert.match(
    dry.out,
    /^~ job ann\/web: ram = 64Mi -> 128Mi\njob ann\/web: 1 restart, 2 added\n {2}ann\/web\/0: restart on its machine$/m,
  );
  assert.deepEqual([dry.code, changes(dry.asked)], [EXIT.done, []]);
});

test("what the cell would refuse of a file is told before anything is done, and a dry run ends as the real one would [D1] [P4]", async () => {
  put("two.bcl", `job new = { command = ["x"] }\n${WEB}`);
  const script = holding(WEB.replace("a.js", "b.js"), {
    checkUpdate: () => ({ refusal: 'User "ann" lacks batch quota' }),
    checkJob: () => ({ refusal: 'User "ann" may have 1 job' }),
    startUpdate: () => ({ position: 7 }),
  });
  for (const flags of [[], ["--dry-run"]]) {
    const { code, err, asked } = await borg(["apply", "two.bcl", ...flags], script, here);
    assert.deepEqual([code, changes(asked)], [EXIT.refused, []]);
    assert.match(err, /^User "ann" lacks batch quota$/m);
  }
  put("new.bcl", 'job new = { command = ["x"] }\n');
  const dry = await borg(["apply", "new.bcl", "--dry-run"], script, here);
  assert.deepEqual([dry.code, changes(dry.asked)], [EXIT.refused, []]);
  assert.match(dry.out, /^Would refuse job ann\/new: User "ann" may have 1 job$/m);
  const plain = JSON.parse((await borg(["apply", "new.bcl", "--dry-run", "--json"], script, here)).out);
  assert.deepEqual(plain, { job: "ann/new", kind: "job", change: "refused", refusal: 'User "ann" may have 1 job' });
});

test("an update that is undone is told with its reason, and apply ends with it [D1]", async () => {
  put("web.bcl", WEB);
  let asks = 0;
  const script = holding(WEB.replace("a.js", "b.js"), {
    checkUpdate: () => ({ restarts: 3 }),
    startUpdate: () => ({ position: 7 }),
    getUpdate: () =>
      ++asks < 2 ? { job: "ann/web", phase: "undoing", reason: "1 of its tasks failed, and 0 may: ann/web/0" } : { job: "ann/web" },
  });
  const { code, err, asked } = await borg(["apply", "web.bcl"], script, here);
  assert.deepEqual([code, changes(asked)], [EXIT.refused, ["startUpdate"]]);
  assert.match(err, /^The update of job ann\/web was undone: 1 of its tasks failed, and 0 may: ann\/web\/0$/m);
});

test("what differs in an alloc set is updated, alloc by alloc [A5] [D1]", async () => {
  put("set.bcl", `alloc_set web = { ram = 1Gi }\n`);
  const held = evaluateText("alloc_set web = { ram = 2Gi }\n", { user: "ann" }).result!.allocSets[0]!;
  const script = holding(WEB, {
    getJob: ({ job }) => ({ job: { name: job, state: "running", count: 1 }, allocSetSpec: held }),
    checkUpdate: ({ allocSet }) => ({ moves: 1, tasks: [{ task: `${allocSet?.user}/web/0`, change: "move", state: "running" }] }),
    startUpdate: ({ allocSet }) => ({ position: allocSet?.limit?.ramBytes === 2 ** 30 ? 9 : 0 }),
    getUpdate: () => ({ job: "ann/web", phase: "rolled" }),
    commitUpdate: () => ({ position: 10 }),
  });
  const { code, out, asked } = await borg(["apply", "set.bcl"], script, here);
  assert.deepEqual([code, changes(asked)], [EXIT.done, ["startUpdate", "commitUpdate"]]);
  assert.match(out, /^~ alloc_set ann\/web: ram = 2Gi -> 1Gi$/m);
  assert.match(out, /^alloc set ann\/web: 1 move\n {2}ann\/web\/0: stop with its tasks, and start where there is room$/m);
  assert.match(out, /^Committed the update of alloc set ann\/web\nAlloc set ann\/web is as the file says now$/m);
});

test("an alloc set that is the same, or gets another count, is called what it is [A5]", async () => {
  put("set.bcl", "alloc_set web = { ram = 1Gi, count = 2 }\n");
  const held = evaluateText("alloc_set web = { ram = 1Gi, count = 2 }\n", { user: "ann" }).result!.allocSets[0]!;
  const script = (count: number): Script =>
    holding(WEB, { getJob: ({ job }) => ({ job: { name: job, state: "running", allocSet: true, count }, allocSetSpec: held }) });
  assert.equal((await borg(["apply", "set.bcl"], script(2), here)).out, "Alloc set ann/web is as the file says\n");
  assert.equal((await borg(["apply", "set.bcl"], script(1), here)).out, "Alloc set ann/web has 2 allocs now, 1 before\n");
});

test("who waits for an alloc set hears of its allocs [A5] [A1]", async () => {
  put("set.bcl", "alloc_set web = { ram = 1Gi }\n");
  const room = (running: number): Script => ({
    submitAllocSet: () => ({ position: 1 }),
    getJob: ({ job }) => ({ job: { name: job, state: "running", allocSet: true, count: 2, running, pending: 2 - running }, tasks: [] }),
    explain: () => ({}),
  });
  const well = await borg(["submit", "set.bcl", "--wait"], room(2), here);
  assert.match(well.out, /^Alloc set ann\/web stands: 2 of 2 allocs$/m);
  const late = await borg(["submit", "set.bcl", "--wait", "--timeout", "5s"], room(1), here);
  assert.match(late.err, /^Waited 5s and not all allocs of alloc set ann\/web run$/m);
});

test("what is a job in the file and an alloc set in the cell is refused, and nothing of the file is done", async () => {
  put("set.bcl", `job new = { command = ["x"] }\njob web = { command = ["x"] }\n`);
  const held = evaluateText("alloc_set web = { ram = 2Gi }\n", { user: "ann" }).result!.allocSets[0]!;
  const script = holding(WEB, {
    getJob: ({ job }) => (job === "ann/web" ? { job: { name: job, state: "running", count: 1 }, allocSetSpec: held } : notFound("job")),
  });
  const { code, err, asked } = await borg(["apply", "set.bcl"], script, here);
  assert.deepEqual([code, changes(asked)], [EXIT.refused, []]);
  assert.match(err, /^Cannot change what kind of thing a name is: ann\/web is an alloc set in the cell, and a job in the file$/m);
  assert.match(err, /take another name, or end what is there first: borg kill ann\/web/);
  put("set.bcl", "alloc_set web = { ram = 1Gi }\n");
  const other = await borg(["apply", "set.bcl"], holding(WEB), here);
  assert.match(other.err, /: ann\/web is a job in the cell, and an alloc set in the file$/m);
  const led = { ...holding(WEB), getJob: () => ({ job: { name: "ann/web", state: "running" }, framework: { name: "ann/web" } }) };
  assert.match((await borg(["apply", "web.bcl"], led, here)).err, /: ann\/web is a framework in the cell, and a job in the file$/m);
});

test("a job that is being updated is as no file says, and nothing of the file is done [D1]", async () => {
  put("web.bcl", `job new = { command = ["x"] }\n${WEB}`);
  const updated = (phase: string): Script => ({
    ...holding(WEB),
    getJob: ({ job }) =>
      job === "ann/web" ? { job: { name: job, state: "running", count: 3 }, spec: specOf(WEB), update: phase } : notFound(job),
  });
  for (const more of [[], ["--dry-run"]]) {
    const { code, out, err, asked } = await borg(["apply", "web.bcl", ...more], updated("paused"), here);
    assert.deepEqual([code, out, changes(asked)], [EXIT.refused, "", []]);
    assert.match(
      err,
      /^Cannot apply ann\/web while it is being updated \(paused\): nothing of the file was done\n {2}borg update commit ann\/web or undo it/,
    );
  }
  assert.match((await borg(["apply", "web.bcl"], updated("undoing"), here)).err, /wait for its end: borg update show ann\/web -f/);
});

test("differences are in the words and units of the file, whatever the cell calls them [U10]", () => {
  const a = specOf('job x = { command = ["a"], ports = ["http"], notice = 5s, cpu = 0.5 }');
  const b = specOf(
    'job x = { command = ["a", "b"], spread = "hard", notice = 90s, cpu = 250m, files = { "/a" = "x" }, health = { port = "p" }, ports = ["p"] }',
  );
  assert.deepEqual(
    specDifferences(a, b).map(({ line }) => line),
    [
      '+ job ann/x: command[1] = "b"',
      "~ job ann/x: cpu = 0.5 -> 0.25",
      '+ job ann/x: files = { "/a" = "x" }',
      '+ job ann/x: health = { port = "p", path = "/", interval = 10s, timeout = 2s, failures = 3 }',
      "~ job ann/x: notice = 5s -> 90s",
      '~ job ann/x: ports[0] = "http" -> "p"',
      '~ job ann/x: spread = "soft" -> "hard"',
    ],
  );
  const [long] = specDifferences(a, specOf(`job x = { command = ["${"y".repeat(500)}"], ports = ["http"], notice = 5s, cpu = 0.5 }`));
  assert.equal(long!.line.length, '~ job ann/x: command[0] = "a" -> '.length + 121);
});

test("apply compares with the count the job has now, not the one it was submitted with [D7]", async () => {
  put("web.bcl", WEB);
  const scaled = { ...holding(WEB), getJob: () => ({ job: { name: "ann/web", state: "running", count: 5 }, spec: specOf(WEB) }) };
  const { out, asked } = await borg(["apply", "web.bcl"], scaled, here);
  assert.deepEqual([out, changes(asked)], ["Job ann/web has 3 tasks now, 5 before\n", ["resizeJob"]]);
});

const shrunk = ({ task, ...rest }: JobSpec): JobSpec => ({ ...rest, task: { ...task!, command: ["node"], environment: [] } });

/** As the cell shows a job that has ended: its spec has shrunk, and a digest stands for it. */
const ended = (text: string, ends: Readonly<Record<string, number>>, count = specOf(text).count): Script =>
  holding(text, {
    getJob: () => ({
      job: { name: "ann/web", state: "dead", count, dead: count, ...ends },
      spec: shrunk(specOf(text)),
      specDigest: specDigest(specOf(text)),
    }),
  });

test("a job that has ended by itself runs again only when the file has changed, or when that is asked for [D7]", async () => {
  put("web.bcl", WEB);
  const done = ended(WEB, { finished: 3 });
  const same = await borg(["apply", "web.bcl"], done, here);
  assert.deepEqual(
    [same.code, same.out, changes(same.asked)],
    [EXIT.done, "Job ann/web has finished, and the file is as it was: --rerun runs it again\n", []],
  );
  const json = await borg(["apply", "web.bcl", "--json"], done, here);
  assert.deepEqual(JSON.parse(json.out), { job: "ann/web", kind: "job", change: "none", position: null });
  const failed = await borg(["apply", "web.bcl"], ended(WEB, { finished: 1, failed: 2 }), here);
  assert.match(failed.out, /^Job ann\/web has ended \(1 finished, 2 failed\), and the file is as it was/);
  const again = await borg(["apply", "web.bcl", "--rerun"], done, here);
  assert.deepEqual(changes(again.asked), ["submitJob"]);
  const dry = await borg(["apply", "web.bcl", "--dry-run"], done, here);
  assert.deepEqual([dry.out, changes(dry.asked)], ["job ann/web: would change nothing: it has ended, and the file is as it was\n", []]);
  for (const before of [WEB.replace("info", "debug"), WEB.replace("a.js", "b.js")]) {
    const other = await borg(["apply", "web.bcl"], ended(before, { finished: 3 }), here);
    assert.deepEqual(changes(other.asked), ["submitJob"], before);
  }
  const scaled = await borg(["apply", "web.bcl"], ended(WEB, { finished: 5 }, 5), here);
  assert.deepEqual(changes(scaled.asked), ["submitJob"], "it ran with another count");
  const grown = await borg(["apply", "web.bcl"], ended(WEB.replace("3", "1"), { finished: 3 }, 3), here);
  assert.deepEqual(changes(grown.asked), [], "it was scaled to what the file says now");
  const killed = await borg(["apply", "web.bcl"], ended(WEB, { finished: 2, killed: 1 }), here);
  assert.deepEqual(changes(killed.asked), ["submitJob"], "the file overrules a kill");
});

test("submit asks in an order that the cell can take, stops at the first refusal, and says what it did not reach [U9]", async () => {
  put(
    "many.bcl",
    'job late = { command = ["x"], start_after = "early" }\njob early = { command = ["x"] }\nquota bob = { band = batch, unlimited = true }\n',
  );
  const script = { submitJob: () => ({ position: 5 }), setQuota: () => ({ position: 4 }) };
  const good = await borg(["submit", "many.bcl", "--json"], script, here);
  assert.deepEqual(
    JSON.parse(good.out).map((one: { job?: string; user?: string }) => one.job ?? one.user),
    ["bob", "ann/early", "ann/late"],
  );
  const bad = await borg(["submit", "many.bcl"], { ...script, submitJob: () => notFound("quota") }, here);
  assert.equal(bad.code, EXIT.notFound);
  assert.equal(bad.out, "Set the batch quota of user bob\n");
  assert.match(bad.err, /^Not reached: job ann\/late\nThere is no quota/);
});

test("a file with problems is exit 2 with their places; --dry-run changes nothing [U10]", async () => {
  put("bad.bcl", "job a = { command = 5 }\n");
  const bad = await borg(["submit", "bad.bcl"], {}, here);
  assert.equal(bad.code, EXIT.usage);
  assert.match(bad.err, /bad\.bcl:1:21/);
  assert.equal((await borg(["submit", "none.bcl"], {}, here)).code, EXIT.usage);
  put("web.bcl", WEB);
  const dry = await borg(["submit", "web.bcl", "--dry-run"], { checkJob: () => ({ explanation: { feasible: 2 } }) }, here);
  assert.equal(dry.out, "Would take job ann/web with 3 tasks; 2 machines could take its first task now\n");
  const refused = await borg(["submit", "web.bcl", "--dry-run", "--json"], { checkJob: () => ({ refusal: "Quota" }) }, here);
  assert.deepEqual([refused.code, JSON.parse(refused.out).wouldBe], [EXIT.refused, "refused"]);
});

test("run asks for exactly what BCL asks for when nothing is said", () => {
  const options = { ...RUN_DEFAULTS, port: ["http"], env: ["A=1"] };
  for (const priority of ["batch", "production"]) {
    const ours = make(JobSpecSchema, { user: "ann", ...runSpec("x", ["a", "b"], { ...options, priority }) });
    const theirs = specOf(`job x = { command = ["a", "b"], ports = ["http"], env = { A = "1" }, priority = ${priority} }`);
    assert.deepEqual(specDifferences(theirs, ours), []);
  }
});
