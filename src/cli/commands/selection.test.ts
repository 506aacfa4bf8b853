/** Several jobs at once, by their labels: what is asked of the cell, what is shown before, and how each command ends. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Command } from "commander";
import { CallError } from "../../rpc/call-error.ts";
import type { Setting } from "../catalogue.ts";
import { borg, notFound, type Script } from "../fixture.test.ts";
import { programFor } from "../main.ts";

const label = (key: string, value: string) => ({ key, value });
const site = [label("service", "site")];
const JOBS = [
  { name: "ann/site-canary", state: "running", count: 1, running: 1, labels: [...site, label("track", "canary")] },
  { name: "ann/site-stable", state: "running", count: 3, running: 2, pending: 1, labels: [...site, label("track", "stable")] },
];
const TASKS = [0, 1, 3].map((i) => ({ name: `ann/site-stable/${i}`, state: "running", labels: site }));
const CELL: Script = {
  listJobs: () => ({ jobs: JOBS }),
  listTasks: () => ({ tasks: TASKS }),
  getJob: ({ job }) => ({ job: JOBS.find(({ name }) => name === job) ?? notFound(job), tasks: [] }),
  killJob: () => ({ position: 9 }),
  restartJob: () => ({ position: 9 }),
};
const NOBODY: Script = { ...CELL, listJobs: () => ({}), listTasks: () => ({}) };
const named = (ran: Awaited<ReturnType<typeof borg>>, method: string): unknown[] =>
  ran.asked.filter((one) => one.method === method).map(({ request }) => request["job"]);

test("kill -l shows what it would kill and kills nothing without being told so [L1] [L2]", async () => {
  const asked = await borg(["kill", "-l", "service=site"], CELL);
  assert.equal(asked.code, 2);
  assert.match(asked.out, /Would kill 2 jobs with 4 tasks:\n {2}ann\/site-canary: 1 task\n {2}ann\/site-stable: 3 tasks\n/);
  assert.match(asked.err, /Cannot kill 2 jobs with 4 tasks without being told so\n {2}look at them with --dry-run, then say --yes/);
  assert.deepEqual(named(asked, "killJob"), []);
  const dry = await borg(["kill", "--service", "site", "--dry-run"], CELL);
  assert.deepEqual([dry.code, named(dry, "killJob")], [0, []]);
  const no = await borg(["kill", "--service", "site"], CELL, { ask: async () => "n" });
  assert.deepEqual([no.code, named(no, "killJob"), no.err], [0, [], "Nothing was changed\n"]);
  const yes = await borg(["kill", "--service", "site"], CELL, { ask: async () => "Y" });
  assert.deepEqual([yes.code, named(yes, "killJob")], [0, ["ann/site-canary", "ann/site-stable"]]);
});

test("--dry-run with a name changes as little as with a selector, whatever the command [L1]", async () => {
  const web = { job: { name: "ann/web", state: "running", count: 2, running: 2 }, tasks: [] };
  const secrets = [{ user: "ann", name: "db" }];
  const packages = [{ user: "ann", name: "tools", digest: "a".repeat(64) }];
  const cell: Script = {
    getJob: ({ job }) => (job === "ann/web" ? web : notFound(job)),
    getTask: ({ task }) => ({ task: { name: task } }),
    listSecrets: () => ({ secrets }),
    listPackages: () => ({ packages }),
  };
  const reads = /^(get|list)/;
  for (const [words, shown] of [
    ["kill web", "Would kill 1 job with 2 tasks:\n  ann/web: 2 tasks\n"],
    ["restart web", "Would restart 1 job with 2 tasks:\n  ann/web: 2 tasks\n"],
    ["restart web/1", "Would restart 1 task:\n  ann/web/1\n"],
    ["scale web 5", "Would scale 1 job with 2 tasks to 5:\n  ann/web: 2 tasks\n"],
    ["unpin web/0", "Would unpin 1 task:\n  ann/web/0\n"],
    ["update undo web", "Would undo the update of 1 job with 2 tasks:\n  ann/web: 2 tasks\n"],
    ["update commit web", "Would commit the update of 1 job with 2 tasks:\n  ann/web: 2 tasks\n"],
    ["secret rm db", "Would remove 1 secret:\n  ann/db\n"],
    ["package rm tools", "Would remove 1 package:\n  ann/tools@aaaaaaaaaaaa\n"],
  ] as const) {
    const ran = await borg([...words.split(" "), "--dry-run"], cell);
    assert.deepEqual([ran.code, ran.out, ran.err], [0, shown, ""], words);
    assert.ok(
      ran.asked.every(({ method }) => reads.test(method)),
      words,
    );
  }
  assert.equal((await borg(["kill", "none", "--dry-run"], cell)).code, 3);
  assert.equal((await borg(["secret", "rm", "none", "--dry-run"], cell)).code, 3);
});

test("a name is not somebody else's because --user says so: that is refused, and says how it is written [L1]", async () => {
  for (const more of [["--user", "bob"], ["--all"]]) {
    const ran = await borg(["kill", "site-canary", ...more], CELL);
    assert.deepEqual([ran.code, named(ran, "killJob")], [2, []]);
    assert.match(ran.err, /^Cannot use --user or --all with the name "site-canary"\n {2}name whose it is, as in (bob|ann)\/site-canary$/m);
  }
});

test("the cell filters, by one selector, and only one's own unless told otherwise [L1]", async () => {
  const ran = await borg(["kill", "-l", "track!=canary", "--service", "site", "--yes"], CELL);
  const listed = ran.asked.find(({ method }) => method === "listJobs")?.request;
  assert.deepEqual([listed?.["selector"], listed?.["user"], listed?.["dead"]], ["service=site,track!=canary", "ann", false]);
  const all = await borg(["ls", "tasks", "-l", "app", "--all"], CELL);
  assert.deepEqual([all.asked[0]?.request["selector"], all.asked[0]?.request["user"]], ["app", ""]);
  const machines = await borg(["ls", "machines", "-l", "arch=x64"], { listMachines: () => ({}) });
  assert.equal(machines.asked[0]?.request["selector"], "arch=x64");
});

test("alloc sets are killed after the jobs, which may be in them [L1] [A5]", async () => {
  const sets = [{ name: "ann/aset", count: 2, allocSet: true }, ...JOBS];
  const ran = await borg(["kill", "-l", "app", "--yes", "--json"], { ...CELL, listJobs: () => ({ jobs: sets }) });
  assert.deepEqual(named(ran, "killJob"), ["ann/site-canary", "ann/site-stable", "ann/aset"]);
  const dry = await borg(["kill", "-l", "app", "--dry-run"], { ...CELL, listJobs: () => ({ jobs: sets }) });
  assert.match(dry.out, /^Would kill 2 jobs with 4 tasks, and 1 alloc set with 2 allocs:\n/);
  assert.deepEqual(
    (JSON.parse(ran.out) as { job: string }[]).map(({ job }) => job),
    ["ann/site-canary", "ann/site-stable", "ann/aset"],
  );
});

test("what was done is told also when the next one cannot be [L1]", async () => {
  const killJob: Script["killJob"] = ({ job }) => {
    if (job === "ann/site-stable") throw new CallError("refused", "No");
    return { position: 9 };
  };
  const ran = await borg(["kill", "-l", "app", "--yes"], { ...CELL, killJob });
  assert.deepEqual([ran.code, ran.out, ran.err], [1, "Killed job ann/site-canary\n", "No\n"]);
});

test("a name or a selector, never both and never neither; mistakes cost no call [L1]", async () => {
  for (const command of ["kill", "restart", "show", "wait", "logs"]) {
    for (const words of [[command], [command, "web", "-l", "app"], [command, "-l", "a b"], [command, "-l", " "]]) {
      const ran = await borg(words, CELL);
      assert.deepEqual([ran.code, ran.asked.length], [2, 0], words.join(" "));
    }
    const none = await borg([command, "-l", "app=none"], NOBODY);
    assert.equal(none.code, 3, command);
    assert.match(none.err, /There is no (living )?(job|task) of ann with app=none/);
  }
});

test("restart -l restarts the tasks that have such labels, of each job those [L1]", async () => {
  const ran = await borg(["restart", "-l", "track=canary", "--yes"], CELL);
  assert.deepEqual([ran.code, ran.out], [0, "Restarting 3 tasks of job ann/site-stable\n"]);
  assert.deepEqual(ran.asked.find(({ method }) => method === "restartJob")?.request["tasks"], [0, 1, 3]);
});

test("show --service shows the whole at a glance and each job; ls services lists them [L2]", async () => {
  const ran = await borg(["show", "--service", "site"], CELL);
  assert.match(ran.out, /^2 jobs with service=site: 3 of 4 tasks running\n\njob/);
  assert.match(ran.out, /ann\/site-canary[\s\S]*ann\/site-stable/);
  const listed = await borg(["ls", "services", "--json"], CELL);
  assert.deepEqual(JSON.parse(listed.out), [
    { user: "ann", service: "site", members: ["ann/site-canary", "ann/site-stable"], count: 4, running: 3, pending: 1, failures: 0 },
  ]);
  assert.equal(listed.asked.find(({ method }) => method === "listJobs")?.request["selector"], "service");
});

test("wait -l waits for every job with one timeout, and ends with the first bad code [L1] [L2]", async () => {
  const dead = (name: string, cause: string) => ({
    job: { name, state: "dead", count: 1 },
    tasks: [{ name: `${name}/0`, state: "dead", cause, exited: true, exitCode: cause === "failed" ? 7 : 0 }],
  });
  const getJob: Script["getJob"] = ({ job = "" }) => dead(job, job === "ann/site-canary" ? "finished" : "failed");
  assert.equal((await borg(["wait", "--service", "site"], { ...CELL, getJob })).code, 7);
  const late = await borg(["wait", "--service", "site", "--timeout", "2s"], CELL);
  assert.equal(late.code, 4);
});

test("logs -l reads the logs of all tasks that are meant, and follows only a few [L1]", async () => {
  const readLog: Script["readLog"] = ({ task = "", offset, fromEnd }) => {
    const data = new TextEncoder().encode(`${task}\n`);
    const at = fromEnd ? data.length : (offset ?? 0);
    return { instance: `${task}:1`, offset: at, data: data.subarray(at), nextOffset: data.length, ended: true };
  };
  const ran = await borg(["logs", "--service", "site", "--stdout"], { ...CELL, readLog });
  assert.equal(ran.out, "site-stable/0 | ann/site-stable/0\nsite-stable/1 | ann/site-stable/1\nsite-stable/3 | ann/site-stable/3\n");
  const many = Array.from({ length: 21 }, (_, i) => ({ name: `ann/web/${i}`, state: "running" }));
  const followed = await borg(["logs", "-l", "app", "-f"], { ...CELL, readLog, listTasks: () => ({ tasks: many }) });
  assert.deepEqual([followed.code, followed.err.split("\n")[0]], [2, "Cannot follow 21 tasks at once: at most 20"]);
});

test("events -l asks for what happened to one's own with such labels [L1]", async () => {
  const ran = await borg(["events", "-l", "service=site"], { readEvents: () => ({}) });
  const request = ran.asked.find(({ method }) => method === "readEvents")?.request;
  assert.deepEqual([request?.["selector"], request?.["about"]], ["service=site", "ann"]);
});

const ROOT = mkdtempSync(join(tmpdir(), "borg-selection-"));
after(() => rmSync(ROOT, { recursive: true }));
writeFileSync(join(ROOT, "site.bcl"), 'job site-stable = { command = ["x"], count = 4 }\n');

test("update -l changes the tasks that have such labels now [L1] [D2]", async () => {
  const script: Script = {
    ...CELL,
    getJob: () => ({ job: JOBS[1]!, spec: { user: "ann", name: "site-stable", count: 4 } }),
    checkUpdate: () => ({ restarts: 3 }),
    startUpdate: () => ({ position: 9 }),
  };
  const ran = await borg(["update", "site.bcl", "-l", "track=canary"], script, { cwd: ROOT });
  assert.equal(ran.code, 0, ran.err);
  const ranges = ran.asked.find(({ method }) => method === "startUpdate")?.request["tasks"] as { first: number; last: number }[];
  assert.deepEqual(
    ranges.map(({ first, last }) => [first, last]),
    [
      [0, 1],
      [3, 3],
    ],
  );
  const none = await borg(["update", "site.bcl", "-l", "track=none"], { ...script, listTasks: () => ({}) }, { cwd: ROOT });
  assert.deepEqual([none.code, none.asked.some(({ method }) => method === "startUpdate")], [3, false]);
  assert.equal((await borg(["update", "site.bcl", "-l", "a", "--tasks", "0"], script, { cwd: ROOT })).code, 2);
});

test("show ALLOC shows what runs in it, whoever's it is, and nothing that only runs beside it [A2] [A5]", async () => {
  const script: Script = {
    getTask: () => ({ task: { name: "ann/aset/0", state: "running", alloc: true, instance: "ann/aset/0:7", machine: "m1" } }),
    listTasks: () => ({
      tasks: [
        { name: "ann/web/0", state: "running", inAlloc: "ann/aset/0:7", machine: "m1" },
        { name: "bob/saver/0", state: "running", inAlloc: "ann/aset/0:7", machine: "m1" },
        { name: "ann/other/0", state: "running", machine: "m1" },
      ],
    }),
  };
  const text = await borg(["show", "ann/aset/0"], script);
  assert.match(text.out, /ann\/web\/0[\s\S]*bob\/saver\/0/);
  assert.ok(!text.out.includes("ann/other/0"));
  assert.equal(text.asked.find(({ method }) => method === "listTasks")?.request["machine"], "m1");
  const inside = (JSON.parse((await borg(["show", "ann/aset/0", "--json"], script)).out) as { inside: { name: string }[] }).inside;
  assert.deepEqual(
    inside.map(({ name }) => name),
    ["ann/web/0", "bob/saver/0"],
  );
});

const LABELS = [label("app", "shop")];

test("why, scale and update show, pause, undo take a selector; several are listed and asked about [L1] [L2]", async () => {
  const script: Script = {
    ...CELL,
    explain: ({ name }) => ({ task: `${name}/0`, state: "running" }),
    resizeJob: () => ({ position: 9 }),
    getUpdate: ({ job }) => ({ job, phase: job === "ann/site-stable" ? "rolling" : "" }),
    undoUpdate: () => ({ position: 9 }),
  };
  const why = await borg(["why", "--service", "site"], script);
  assert.match(why.out, /^Task ann\/site-canary\/0 is running[\s\S]*Task ann\/site-stable\/0 is running/);
  const scaled = await borg(["scale", "-l", "service=site", "5", "--yes"], script);
  assert.equal(scaled.out, "Job ann/site-canary has 5 tasks now\nJob ann/site-stable has 5 tasks now\n");
  const untold = await borg(["scale", "-l", "service=site", "5"], script);
  assert.deepEqual([untold.code, named(untold, "resizeJob")], [2, []]);
  for (const words of [["scale", "web"], ["scale", "-l", "app"], ["scale", "web", "-l", "app", "5"], ["update", "show"], ["why"]])
    assert.deepEqual([(await borg(words, script)).code, words], [2, words]);
  const shown = await borg(["update", "show", "-l", "service=site"], script);
  assert.match(shown.out, /^Job ann\/site-canary is not being updated\nUpdate of job ann\/site-stable is rolling/);
  const undone = await borg(["update", "undo", "-l", "service=site", "--yes"], script);
  assert.deepEqual([undone.out, named(undone, "undoUpdate")], ["Undoing the update of job ann/site-stable\n", ["ann/site-stable"]]);
  const none = await borg(["update", "undo", "-l", "service=site", "--yes"], { ...script, getUpdate: ({ job }) => ({ job }) });
  assert.deepEqual([none.code, none.err.split("\n")[0]], [3, "No job with service=site is being updated"]);
});

test("files and ssh take a selector that means one task, and say so when it means more [L1]", async () => {
  const one: Script = { ...CELL, listTasks: () => ({ tasks: TASKS.slice(0, 1) }), readFile: () => ({ kind: 2, entries: [] }) };
  const read = await borg(["files", "-l", "track=canary", "logs"], one);
  const request = read.asked.find(({ method }) => method === "readFile")?.request;
  assert.deepEqual([read.code, request?.["task"], request?.["path"]], [0, "ann/site-stable/0", "logs"]);
  const many = await borg(["files", "-l", "app"], { ...one, listTasks: () => ({ tasks: TASKS }) });
  assert.deepEqual([many.code, many.err.split("\n")[0]], [2, "There are 3 tasks with app, and one is needed"]);
});

test("packages, secrets and users are labelled, listed and removed by their labels [L1]", async () => {
  const script: Script = {
    listPackages: () => ({ packages: [{ user: "ann", name: "tool", digest: "ab".repeat(32), labels: LABELS }] }),
    listSecrets: () => ({ secrets: [{ user: "ann", name: "db", labels: LABELS }] }),
    listUsers: () => ({ users: [{ name: "ann", labels: LABELS }] }),
    listQuota: () => ({ quotas: [{ user: "ann", band: 2 }, { user: "bob", band: 2 }] }), // biome-ignore format: one line
    reportQuota: () => ({ rows: [{ user: "ann", band: 2 }, { user: "bob", band: 2 }] }), // biome-ignore format: one line
    removePackage: () => ({ position: 9 }),
    removeSecret: () => ({ position: 9 }),
    setSecret: () => ({ position: 9 }),
    grantUser: () => ({ position: 9 }),
  };
  const asked = async (words: string[], method: string, field: string): Promise<unknown> =>
    (await borg(words, script)).asked.find((one) => one.method === method)?.request[field];
  for (const [words, method] of [
    ["package ls -l app=shop", "listPackages"],
    ["ls packages -l app=shop", "listPackages"],
    ["secret ls -l app=shop", "listSecrets"],
    ["user ls -l app=shop", "listUsers"],
    ["ls users -l app=shop", "listUsers"],
  ] as const) {
    assert.equal(await asked(words.split(" "), method, "selector"), "app=shop", words);
    assert.match((await borg(words.split(" "), script)).out, /LABELS[\s\S]*app=shop/, words);
  }
  const quota = await borg(["quota", "ls", "-l", "app=shop", "--json"], script);
  assert.deepEqual((JSON.parse(quota.out) as { user: string }[]).map(({ user }) => user), ["ann"]); // biome-ignore format: one line
  const report = await borg(["quota", "report", "-l", "app=shop", "--json"], script);
  assert.deepEqual(
    (JSON.parse(report.out) as { rows: { user: string }[] }).rows.map(({ user }) => user),
    ["ann"],
  );
  assert.equal((await borg(["package", "rm", "-l", "app=shop", "--yes"], script)).out, `Removed package ann/tool@${"ab".repeat(6)}\n`);
  assert.equal((await borg(["secret", "rm", "-l", "app=shop", "--yes"], script)).out, "Removed secret ann/db\n");
  assert.equal((await borg(["secret", "rm", "-l", "app=shop"], script)).code, 2);
  const said = (found: unknown): unknown =>
    (found as { labels: { key: string; value: string }[] }).labels.map(({ key, value }) => [key, value]);
  assert.deepEqual(said(await asked(["secret", "set", "db", "--label", "app=shop"], "setSecret", "labels")), [["app", "shop"]]);
  assert.deepEqual(said(await asked(["secret", "set", "db", "--no-labels"], "setSecret", "labels")), []);
  assert.equal(await asked(["secret", "set", "db"], "setSecret", "labels"), undefined);
  const granted = await borg(["user", "grant", "ann", "--label", "team=search"], script);
  assert.equal(granted.out, "User ann has the labels team=search\n");
  assert.equal((await borg(["secret", "set", "db", "--label", "app"], script)).code, 2);
});

test("schedulers and frameworks are listed by the labels of their users; the cell's own schedulers are nobody's [L1]", async () => {
  const script: Script = {
    listUsers: ({ selector }) => ({ users: selector === "team=search" ? [{ name: "ann" }] : [] }),
    listSchedulers: () => ({
      schedulers: [{ name: "service" }, { name: "mine", limits: { user: "ann" } }, { name: "other", limits: { user: "bob" } }],
    }),
    listFrameworks: () => ({ frameworks: [{ name: "ann/spark" }, { name: "bob/mpi" }] }),
  };
  const names = async (words: string): Promise<string[]> =>
    (JSON.parse((await borg([...words.split(" "), "--json"], script)).out) as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(await names("ls schedulers"), ["service", "mine", "other"]);
  assert.deepEqual(await names("ls schedulers -l team=search"), ["mine"]);
  assert.deepEqual(await names("ls schedulers -l team=none"), []);
  assert.deepEqual(await names("ls schedulers --user bob"), ["other"]);
  assert.deepEqual(await names("ls frameworks -l team=search"), ["ann/spark"]);
});

test("drain and undrain take a selector of attributes [L1]", async () => {
  const script: Script = {
    listMachines: ({ selector }) => ({ machines: selector === "ssd=yes" ? [{ name: "m1" }, { name: "m2" }] : [] }),
    drainMachine: () => ({ position: 9 }),
  };
  const drained = await borg(["drain", "-l", "ssd=yes", "--json"], script);
  assert.deepEqual((JSON.parse(drained.out) as { machine: string }[]).map(({ machine }) => machine), ["m1", "m2"]); // biome-ignore format: one line
  assert.deepEqual([(await borg(["undrain", "-l", "ssd=no"], script)).code, (await borg(["drain"], script)).code], [3, 2]);
});

test("top takes a selector of tasks [L1]", async () => {
  const script: Script = { watchViews: () => ({ changes: [{ view: 0, cell: { name: "local" } }] }), listTasks: () => ({ tasks: TASKS }) };
  const { asked } = await borg(["top", "-n", "1", "-l", "app=web", "--service", "site"], script);
  assert.equal(asked.find(({ method }) => method === "listTasks")?.request["selector"], "service=site,app=web");
});

test("top asks the cell for its windows in the order of the column, one after the other, and finds a filter among all names [N9]", async () => {
  const names = Array.from({ length: 1200 }, (_, i) => `ann/web/${i}`);
  const told = ({ views }: { readonly views: readonly { readonly first: number; readonly limit: number; readonly query: string }[] }) => {
    const windows = views.map(({ first, limit, query }, view) => {
      const meant = names.filter((name) => name.includes(query.split(" ")[1] ?? ""));
      return { view, total: meant.length, tasks: meant.slice(first, first + limit).map((name) => ({ name, state: "running" })) };
    });
    return { changes: [{ view: 0, cell: { name: "local" } }, ...windows.slice(2)] };
  };
  const { asked, out } = await borg(["top", "--json", "--sort", "ram", "--filter", "1199"], { watchViews: told } as unknown as Script);
  const views = asked
    .filter(({ method }) => method === "watchViews")
    .map(({ request }) => request["views"] as readonly { readonly sort: string; readonly first: number }[]);
  assert.deepEqual(
    views.map(([, , tasks]) => [tasks?.sort, tasks?.first]),
    [
      ["ram", 0],
      ["ram", 500],
      ["ram", 1000],
    ],
  );
  const found = JSON.parse(out) as { readonly tasks: readonly unknown[]; readonly more: boolean };
  assert.deepEqual([found.tasks.length, found.more], [1200, false]);
});

/** Commands that name something and take no selector, and why. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  "what is made, by its name": ["run", "package push", "secret set"],
  "a file says what is meant": ["submit", "apply", "backup", "restore", "join", "login", "export trace"],
  "one thing for one user or machine: a selector would decide about strangers": [
    "quota set",
    "quota bounds",
    "user grant",
    "role set",
    "token revoke",
    "machine invite",
    "machine approve",
    "machine deny",
    "machine remove",
    "machine reset-term",
    "directory rm",
    "replica remove",
  ],
  "a name that is served, or --service": ["resolve", "lb"],
  "cells are this user's own list": ["cell use", "cell rm"],
  "no things of a cell": ["sql", "bcl", "bench", "experiment", "completion", "__complete", "help"],
};

test("every command that names things of a cell takes a selector, or has a reason not to [L1]", () => {
  const without: string[] = [];
  const walk = (command: Command, before: string): void => {
    for (const each of command.commands) {
      const name = `${before}${each.name()}`;
      walk(each, `${name} `);
      if (each.registeredArguments.length > 0 && !each.options.some(({ short }) => short === "-l")) without.push(name);
    }
  };
  walk(programFor({} as Setting), "");
  assert.deepEqual(without.sort(), Object.values(WITHOUT).flat().sort());
});
