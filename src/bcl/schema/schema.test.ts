import assert from "node:assert/strict";
import { test } from "node:test";
import { getOption } from "@bufbuild/protobuf";
import { checker } from "../../wire/check.ts";
import { bound } from "../../wire/gen/borg/v1/bound_pb.ts";
import { Band } from "../../wire/gen/borg/v1/resource_pb.ts";
import {
  AppClass,
  HealthCheckSchema,
  JobSpecSchema,
  Operator,
  RestartWhen,
  SchedulingMode,
  Spread,
  TaskSpecSchema,
} from "../../wire/gen/borg/v1/spec_pb.ts";
import { evaluateFile } from "../evaluation.ts";
import { ROWS } from "../explain.ts";
import { evaluateText, messages, projectOf } from "../fixture.test.ts";
import { showJson, showText } from "../show.ts";
import { epochMs } from "./date.ts";
import { utf8 } from "./utf8.ts";

const jobOf = (fields: string) => {
  const { result, problems } = evaluateText(`job a = { command = ["x"]\n${fields}\n}`);
  assert.deepEqual(
    problems.map((p) => p.message),
    [],
  );
  return result!.jobs[0]!;
};

test("a job needs nothing but a command, and the defaults fit what it is [bcl.D1] [L4] [U10]", () => {
  const batch = jobOf("");
  assert.equal(batch.user, "ubar");
  assert.equal(batch.name, "a");
  assert.deepEqual([batch.count, batch.priority, batch.appClass, batch.restart!.when], [1, 100, AppClass.BATCH, RestartWhen.ON_FAILURE]);
  assert.deepEqual([batch.task!.limit!.cpuMilli, batch.task!.limit!.ramBytes], [250, 256 * 2 ** 20]);
  const service = jobOf("priority = production");
  assert.deepEqual([service.priority, service.appClass, service.restart!.when], [120, AppClass.LATENCY_SENSITIVE, RestartWhen.ALWAYS]);
});

test("every field arrives where the cell looks for it [bcl.D3] [U10]", () => {
  const job = jobOf(`
    cpu = 0.1 + 0.2, ram = 1Gi, disk = 2Gi, disk_bandwidth = 10Mi, extras = { gpu = 2 }
    ports = ["http"], env = { A = 1, B = true }, packages = ["p@1", "q"], notice = 30s, deadline = 2h
    health = { port = "http", interval = 1s }, files = { "/f" = "é", "/g" = { content = "x", mode = "0600" } }
    secrets = { "/s" = "pw" }, volumes = ["music", { name = "data", read_only = true }]
    constraints = [{ attribute = "arch", is = "x64" }, { attribute = "k", one_of = ["a", "b"], prefer = 7 }, { attribute = "ssd", exists = false }]
    spread = "hard", mode = "gang", scheduler = "b", reclaim = false, down_max = 1, victim_notice = 5s
    update = { batch = 3, watch = 1min, failures_max = 2, disruptions_max = 9 }
    restart = { when = "never", in_place_max = 1, failures_max = 2, fatal_exits = [64], ok_exits = [3, 4], backoff_min = 1s, backoff_max = 1min }
    labels = { tier = "web" }, start_after = "other", alloc_set = "ufoo/room", app_class = "batch"`);
  const task = job.task!;
  assert.deepEqual([task.limit!.cpuMilli, task.limit!.diskBandwidth, task.limit!.extras[0]!.name], [300, 10 * 2 ** 20, "gpu"]);
  assert.deepEqual(
    task.environment.map((v) => [v.key, v.value]),
    [
      ["A", "1"],
      ["B", "true"],
    ],
  );
  assert.deepEqual(
    task.packages.map((p) => [p.name, p.version]),
    [
      ["p", "1"],
      ["q", ""],
    ],
  );
  assert.deepEqual([task.noticeMs, job.deadlineMs, job.victimNoticeMs, job.downMax], [30_000, 7_200_000, 5_000, 1]);
  assert.deepEqual([task.health!.intervalMs, task.health!.timeoutMs, task.health!.path], [1000, 2000, "/"]);
  assert.deepEqual([[...task.files[0]!.content], task.files[1]!.mode], [[0xc3, 0xa9], 0o600]);
  assert.deepEqual(
    [task.secrets[0]!.name, task.volumes.map((v) => [v.name, v.readOnly])],
    [
      "pw",
      [
        ["music", false],
        ["data", true],
      ],
    ],
  );
  assert.deepEqual(
    job.constraints.map((c) => [c.operator, c.values, c.soft, c.weight]),
    [
      [Operator.EQUAL, ["x64"], false, 0],
      [Operator.IN, ["a", "b"], true, 7],
      [Operator.NOT_EXISTS, [], false, 0],
    ],
  );
  assert.deepEqual([job.spread, job.mode, job.scheduler, job.disableReclamation], [Spread.HARD, SchedulingMode.GANG, "b", true]);
  assert.deepEqual([job.update!.batch, job.update!.watchMs, job.update!.disruptionsMax], [3, 60_000, 9]);
  assert.deepEqual([job.restart!.when, job.restart!.inPlaceMax, job.restart!.backoffMaxMs], [RestartWhen.NEVER, 1, 60_000]);
  assert.deepEqual([job.restart!.fatalExits, job.restart!.okExits], [[64], [3, 4]]);
  assert.deepEqual([job.startAfter, job.allocSet, job.labels[0]!.value], ["ubar/other", "ufoo/room", "web"]);
  assert.equal(checker(JobSpecSchema)(job), undefined);
});

test("overrides take the rest from the job, and equal neighbours become one range [bcl.D5] [U2]", () => {
  const job = jobOf(
    'count = 6, ram = 1Gi, cpu = 2\noverrides = per_index(3, (i) => { args = ["--x"] }) + [{ tasks = [3, 5], ram = 4Gi, env = { ROLE = "b" } }]',
  );
  assert.deepEqual(
    job.overrides.map((o) => [o.first, o.last, o.arguments, o.limit?.ramBytes, o.limit?.cpuMilli]),
    [
      [0, 2, ["--x"], undefined, undefined],
      [3, 5, [], 4 * 2 ** 30, 2000],
    ],
  );
});

test("a service shares fields and labels what belongs to it [bcl.D4] [L1]", () => {
  const { result } = evaluateText(`service shop = {
    name = "the-shop"
    each = { priority = production, labels = { team = "t" } }
    job web = { command = ["x"], labels = { tier = "front" } }
    for i in [1, 2] { job "w-\${i}" = { command = ["x"], priority = batch } }
    alloc_set room = {}
  }`);
  assert.deepEqual(result!.services, [{ name: "the-shop", jobs: ["ubar/web", "ubar/w-1", "ubar/w-2"], allocSets: ["ubar/room"] }]);
  assert.deepEqual(
    result!.jobs.map((j) => [j.priority, j.labels.map((l) => `${l.key}=${l.value}`).join(" ")]),
    [
      [120, "service=the-shop team=t tier=front"],
      [100, "service=the-shop team=t"],
      [100, "service=the-shop team=t"],
    ],
  );
  assert.deepEqual(
    result!.allocSets[0]!.labels.map((l) => l.value),
    ["the-shop"],
  );
});

test("quotas name a user, a band and amounts", () => {
  const { result } = evaluateText(
    'quota ubar = { band = production, cpu = 2, ram = 1Gi, ports = 5, until = "2030-01-01" }\nquota x = { user = "ufoo", band = batch, unlimited = true }',
  );
  const [first, second] = result!.quotas;
  assert.deepEqual(
    [first!.user, first!.band, first!.quota.limit!.cpuMilli, first!.quota.ports, first!.quota.untilMs],
    ["ubar", Band.PRODUCTION, 2000, 5, Date.UTC(2030, 0, 1)],
  );
  assert.deepEqual([second!.user, second!.band, second!.quota.unlimited], ["ufoo", Band.BATCH, true]);
});

test("all problems of a file come at once, each where it is written [bcl.D2]", () => {
  const { problems } = evaluateText('job a = { comand = ["x"], ram = 5 }\njob b = { command = ["x"], cpu = "y", ports = ["A", "b", "b"] }');
  assert.deepEqual(
    problems.map((p) => [p.span.source.text.slice(p.span.start, p.span.end), p.message.slice(0, 24)]),
    [
      ["a", 'Job "a" needs the field '],
      ["comand", 'Job "a" has no field "co'],
      ["5", "Expected bytes, such as "],
      ['"y"', "Expected a number of cor"],
      ['"A"', "Expected a name of at mo"],
    ],
  );
});

test("JSON of the same shape means the same, and what is printed evaluates to itself [bcl.D6]", () => {
  const text =
    'job hello-web = { command = ["n"], ram = 64Mi, priority = production, notice = 5s }\nservice s = { each = { cpu = 2 }, job a = { command = ["x"] } }\nalloc_set r = {}\nquota q = { band = batch, ram = 1Gi }';
  const first = evaluateText(text);
  const json = JSON.stringify(showJson(first));
  const again = evaluateFile("main.json", projectOf({ "main.json": json }), { user: "other" });
  assert.deepEqual(
    again.problems.map((p) => p.message),
    [],
  );
  assert.deepEqual(again.result, first.result);
  assert.equal(JSON.stringify(showJson(again)), json);
  assert.deepEqual(evaluateText(showText(first), { user: "other" }).result, first.result);
});

test("the ranges of the table are those of the wire [bcl.D3]", () => {
  const most = (schema: typeof JobSpecSchema | typeof TaskSpecSchema | typeof HealthCheckSchema, name: string): number =>
    getOption(schema.fields.find((f) => f.localName === name)!, bound).max;
  const refusedAbove = (field: string, max: number, unit: string): void => {
    assert.deepEqual(messages(`job a = { command = ["x"], ports = ["p"], ${field.replace("?", `${max}${unit}`)} }`), []);
    assert.equal(messages(`job a = { command = ["x"], ports = ["p"], ${field.replace("?", `${max + 1}${unit}`)} }`).length, 1, field);
  };
  refusedAbove("count = ?", most(JobSpecSchema, "count"), "");
  refusedAbove("priority = ?", most(JobSpecSchema, "priority"), "");
  refusedAbove("down_max = ?", most(JobSpecSchema, "downMax"), "");
  refusedAbove("notice = ?", most(TaskSpecSchema, "noticeMs"), "ms");
  refusedAbove("victim_notice = ?", most(JobSpecSchema, "victimNoticeMs"), "ms");
  refusedAbove('health = { port = "p", interval = ? }', most(HealthCheckSchema, "intervalMs"), "ms");
  refusedAbove('health = { port = "p", failures = ? }', most(HealthCheckSchema, "failures"), "");
});

/** How a nested tuple stands in a job, and what it needs besides the field that is tried. */
const INSIDE: Readonly<
  Record<string, { readonly needs: Readonly<Record<string, string>>; readonly test: readonly string[]; write(inner: string): string }>
> = {
  packages: { needs: { name: 'name = "p"' }, test: [], write: (inner) => `packages = [{ ${inner} }]` },
  image: { needs: { name: 'name = "p"' }, test: [], write: (inner) => `image = { ${inner} }` },
  files: { needs: { content: 'content = "x"' }, test: [], write: (inner) => `files = { "/f" = { ${inner} } }` },
  controller: { needs: { jobs: 'jobs = ["a"]' }, test: [], write: (inner) => `controller = { ${inner} }` },
  volumes: { needs: { name: 'name = "v"' }, test: [], write: (inner) => `volumes = [{ ${inner} }]` },
  health: { needs: {}, test: ['port = "http"'], write: (inner) => `health = { ${inner} }` },
  ready: { needs: {}, test: ['port = "http"'], write: (inner) => `ready = { ${inner} }` },
  restart: { needs: {}, test: [], write: (inner) => `restart = { ${inner} }` },
  update: { needs: {}, test: [], write: (inner) => `update = { ${inner} }` },
  overrides: { needs: { tasks: "tasks = 0" }, test: [], write: (inner) => `overrides = [{ ${inner} }]` },
  beside: { needs: { job: 'job = "mill"', max: "max = 0" }, test: [], write: (inner) => `beside = [{ ${inner} }]` },
  constraints: { needs: { attribute: 'attribute = "a"' }, test: ['is = "x"'], write: (inner) => `constraints = [{ ${inner} }]` },
};

test("every example of the field table is good where it belongs [bcl.O2]", () => {
  const around: Readonly<Record<string, (example: string) => string>> = {
    job: (e) =>
      `${e.includes("web_alloc") ? "alloc_set web_alloc = {}\n" : ""}${e.includes("setup") ? 'job setup = { command = ["x"] }\n' : ""}job a = { ${e.startsWith("command") ? "" : 'command = ["x"], '}${e.startsWith("ports") ? "" : 'ports = ["http", "db"], '}${/count|per_machine/.test(e) ? "" : "count = 5, "}${e} }`,
    alloc_set: (e) => `alloc_set a = { ${e} }`,
    quota: (e) => `quota a = { ${e.startsWith("band") ? "" : "band = batch, "}${e} }`,
    service: (e) => `service a = { ${e}, job b = { command = ["x"] } }`,
  };
  for (const { path, example } of ROWS) {
    const parts = path.split(".");
    if (parts.length === 3 && parts[0] === "job") {
      const inside = INSIDE[parts[1]!]!;
      const rest = Object.entries(inside.needs)
        .filter(([name]) => !example.startsWith(`${name} `))
        .map(([, text]) => text);
      const isTest = parts[1] === "constraints" ? !/^(attribute|prefer)/.test(example) : /^(port|tcp|command)/.test(example);
      const test = isTest ? [] : inside.test;
      assert.deepEqual(messages(around["job"]!(inside.write([...rest, ...test, example].join(", ")))), [], path);
    }
    if (parts.length === 2) assert.deepEqual(messages(around[parts[0]!]!(example)), [], path);
  }
});

test("dates are UTC and days that do not exist are refused", () => {
  for (const text of ["1970-01-01", "2024-02-29", "2030-12-31", "2100-03-01"]) assert.equal(epochMs(text), Date.parse(text));
  assert.equal(epochMs("2030-06-01T12:30:15Z"), Date.parse("2030-06-01T12:30:15Z"));
  for (const text of ["2023-02-29", "2030-13-01", "2030-00-01", "1969-12-31", "2030-1-1", "2030-01-01T24:00:00Z"])
    assert.equal(epochMs(text), undefined);
});

test("utf8() is what TextEncoder says", () => {
  for (const text of ["", "abc", "é", "€", "😀", "a\u0000b"]) assert.deepEqual(utf8(text), new TextEncoder().encode(text));
});

test("jobs that wait for each other are refused with the circle, once [bcl.D7]", () => {
  const job = (name: string, after: string) => `job ${name} = { command = ["x"], start_after = "${after}" }\n`;
  assert.deepEqual(messages(job("a", "b") + job("b", "a") + job("c", "a") + job("d", "elsewhere")), [
    "Jobs wait for each other in a circle: ubar/a -> ubar/b -> ubar/a",
  ]);
  assert.deepEqual(messages(job("a", "b") + job("b", "c") + job("c", "bob/a")), []);
});

test("a declaration without a name is refused; a field of that name is one [bcl.D8]", () => {
  assert.deepEqual(messages('job = { command = ["x"] }'), ["Cannot declare a job without a name"]);
  assert.deepEqual(messages("local base = { a = 1 }\nservice = base { b = 2 }"), ["Cannot declare a service without a name"]);
  assert.deepEqual(messages("quota = 5\nx = { job = { a = 1 } }"), []);
});

test("words of other systems are answered with ours, and only where we have them [bcl.D9]", () => {
  const said = (word: string) => evaluateText(`job a = { command = ["x"], ${word} = 1 }`).problems[0]!;
  for (const [word, ours] of [
    ["memory", "ram"],
    ["replicas", "count"],
    ["environment", "env"],
    ["entrypoint", "command"],
    ["livenessProbe", "health"],
    ["nodeSelector", "constraints"],
    ["terminationGracePeriodSeconds", "notice"],
  ] as const)
    assert.equal(said(word).message, `Job "a" has no field "${word}"; did you mean "${ours}"?`);
  assert.match(said("docker").hint!, /image = "name@hash" \(borg package push --oci\)/);
  assert.match(said("resources").hint!, /cpu, ram and disk stand in the job itself/);
  assert.equal(messages("alloc_set a = { image = 1 }")[0], 'Alloc set "a" has no field "image"');
});

test("a variable of the task in a text is explained; it can be handed on [bcl.N6]", () => {
  const [problem] = evaluateText(`x = "\${HOME}/a"`).problems;
  assert.equal(problem!.message, 'Cannot find "HOME"');
  assert.match(problem!.hint!, /a variable of the task is written \\\$\{HOME\}/);
  assert.deepEqual(messages(`HOME = "/root"\nx = "\${HOME}/a"`), []);
  assert.equal(evaluateText("x = HOME").problems[0]!.hint, "text stands in quotes");
  assert.equal(evaluateText(`job a = { command = ["\\\${HOME}", "$HOME"] }`).result!.jobs[0]!.task!.command.join(), `\${HOME},$HOME`);
});
