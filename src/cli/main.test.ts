import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { evaluateText } from "../bcl/fixture.test.ts";
import type { JobViewSchema, TaskViewSchema } from "../wire/gen/borg/v1/api_pb.ts";
import { EventKind } from "../wire/gen/borg/v1/event_pb.ts";
import { Cause } from "../wire/gen/borg/v1/op_pb.ts";
import { connectReal } from "./client.ts";
import { EXIT, EXIT_MEANINGS, exitCodesText } from "./exit.ts";
import { borg, fakeTerminal, notFound } from "./fixture.test.ts";
import { programFor } from "./main.ts";
import { ticketOf } from "./ticket.ts";

const RESOURCES = { cpuMilli: 500, ramBytes: 128 * 2 ** 20, diskBytes: 2 ** 30 };
const TASK: MessageInitShape<typeof TaskViewSchema> = {
  name: "ann/web/0",
  state: "running",
  cause: "started",
  sinceMs: 1_699_999_940_000,
  machine: "m1",
  host: "127.0.0.1",
  ports: [{ name: "http", number: 20_001 }],
  instance: "ann/web/0:7",
  run: 2,
  starts: 1,
  limit: RESOURCES,
  usage: { cpuMilli: 20, ramBytes: 2 ** 20 },
};
const JOB: MessageInitShape<typeof JobViewSchema> = {
  name: "ann/web",
  state: "running",
  count: 3,
  running: 2,
  pending: 1,
  priority: 120,
  band: 3,
  limit: RESOURCES,
  submittedMs: 1000,
};

test("words that are not understood are exit 2 and say what was meant", async () => {
  for (const [args, said] of [
    [["lss"], /unknown command 'lss'\n {2}did you mean ls\?/],
    [["ls", "--jsn"], /unknown option '--jsn'\n {2}did you mean --json\?/],
    [["ls", "taks"], /did you mean "tasks"/],
    [["token", "crate"], /unknown command 'crate'\n {2}did you mean create\?/],
    [["kill"], /Expected the name of a job, or a selector/],
    [["kill", "a", "b"], /too many arguments[^\n]*\n {2}borg kill --help says what it takes/],
    [["secret", "set", "db", "--valu", "x"], /unknown option '--valu'\n {2}borg secret set --help says what it takes/],
    [["ls", "schedulers", "web"], /Cannot list schedulers by the name "web"\n {2}borg ls schedulers lists them all/],
    [["ls", "tasks", "web", "--job", "db"], /Expected one job/],
    [["kill", "Web"], /Cannot understand "Web" as a name/],
    [["kill", "web/0"], /jobs are killed whole/],
    [["help", "nothing"], /Cannot find help/],
    [["ls", "--deadline", "soon"], /--deadline "soon"/],
  ] as const) {
    const { code, err, out } = await borg(args, {});
    assert.equal(code, EXIT.usage, args.join(" "));
    assert.match(err, said);
    assert.equal(out, "");
  }
  const json = JSON.parse((await borg(["lss", "--json"], {})).err);
  assert.deepEqual(json, { error: "Cannot understand the command: unknown command 'lss'", hint: "did you mean ls?" });
  assert.equal((await borg([], {})).code, EXIT.usage);
});

test("every command has help with examples, and every example parses", async () => {
  const program = programFor({ terminal: fakeTerminal(), connect: connectReal, code: 0 });
  for (const path of pathsOf(program, [])) {
    const { code, out } = await borg([...path, "--help"], {});
    assert.equal(code, 0, path.join(" "));
    if (path[0] === "bcl") continue;
    const shown = [...out.matchAll(/^ {2}\$ borg ([^\n]*)$/gm)].map((match) => match[1]!);
    assert.match(out, /\nExamples:\n {2}\$ \S/, path.join(" "));
    for (const words of shown) checkExample(program, words);
  }
});

function pathsOf(command: Command, path: readonly string[]): readonly (readonly string[])[] {
  const below = command.commands.flatMap((sub) => pathsOf(sub, [...path, sub.name()]));
  return path.length === 0 || path[0] === "__complete" ? below : [path, ...below];
}

/** Its commands exist, and so do its options. */
function checkExample(program: Command, words: string): void {
  const [first, second] = words.split(" ");
  const found = program.commands.find((one) => one.name() === first);
  assert.ok(found !== undefined, words);
  assert.ok(
    found.commands.length === 0 || found.registeredArguments.length > 0 || found.commands.some((one) => one.name() === second),
    words,
  );
  const known = new Set([found, ...found.commands, program].flatMap((one) => one.options.map((option) => option.long)));
  for (const match of words.split(" -- ")[0]!.matchAll(/(?<= )--[a-z-]+/g))
    assert.ok(first === "bench" || first === "experiment" || known.has(match[0]), `${words}: ${match[0]}`);
}

test("exit codes are documented as they are", async () => {
  const { out } = await borg(["help", "exit-codes"], {});
  assert.ok(out.endsWith(exitCodesText()));
  const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
  for (const [name, meaning] of EXIT_MEANINGS) assert.ok(page.includes(`| ${EXIT[name]} | ${meaning} |`), name);
  assert.equal(EXIT_MEANINGS.length, Object.keys(EXIT).length);
});

test("ls jobs: mine by default, everyone's with --all, as a table that fits or as objects", async () => {
  const listJobs = ({ after }: { after: string }) => (after === "" ? { jobs: [JOB], more: true } : { jobs: [{ ...JOB, name: "ann/x" }] });
  const { out, asked } = await borg(["ls"], { listJobs });
  assert.equal(out.split("\n")[1], "ann/web  running    2/3        1       120  500m  128 MiB      -");
  assert.deepEqual(
    asked.filter(({ method }) => method === "listJobs").map(({ request }) => [request["user"], request["after"]]),
    [
      ["ann", ""],
      ["ann", "ann/web"],
    ],
  );
  const all = await borg(["ls", "jobs", "--all", "--dead", "--json"], { listJobs });
  assert.deepEqual(all.asked.map(({ request }) => [request["user"], request["dead"]])[0], ["", true]);
  const [first] = JSON.parse(all.out);
  assert.deepEqual(
    [first.name, first.state, first.band, first.limit.ramBytes, first.submitted, first.since],
    ["ann/web", "running", "production", 128 * 2 ** 20, "1970-01-01T00:00:01.000Z", null],
  );
  const none = await borg(["ls"], { listJobs: () => ({}) });
  assert.deepEqual([none.code, none.out], [0, ""]);
  assert.match(none.err, /No jobs of ann/);
});

test("ls tasks: what a task was killed for counts more than its signal [U12] [I9]", async () => {
  const killed = "Killed: used 90 MiB of disk, more than its limit of 64 MiB";
  const task = { name: "ann/hog/0", state: "dead", cause: "failed", exited: true, signal: 9 };
  for (const message of [killed, `Failed 4 times on this machine; last: ${killed}`]) {
    const { out } = await borg(["ls", "tasks"], { listTasks: () => ({ tasks: [{ ...task, message }] }) });
    assert.match(out, /^ann\/hog\/0 +failed +killed: used 90 MiB of disk, more than its limit of 64 MiB /m);
  }
});

test("ls tasks: addresses, usage against limit, causes with exits; filters reach the cell [U12]", async () => {
  const dead = { name: "ann/web/1", state: "dead", cause: "failed", exited: true, signal: 9 };
  const backsOff = {
    name: "ann/web/2",
    state: "backing-off",
    cause: "started",
    exited: true,
    exitCode: 127,
    notBeforeMs: 1_700_000_003_500,
  };
  const { out, asked } = await borg(["ls", "tasks", "--job", "web", "--state", "running", "--state", "dead"], {
    listTasks: () => ({ tasks: [TASK, dead, backsOff, { ...TASK, alloc: true }] }),
  });
  assert.deepEqual(out.split("\n").slice(1, -1), [
    "ann/web/0  running      started                                      m1       127.0.0.1:20001   1:2  20m/500m  1 MiB/128 MiB     1m",
    "ann/web/1  failed       exit 137: killed by SIGKILL                                                         0            0 B      -",
    "ann/web/2  backing-off  exit 127: command not found, next try in 4s                                         0            0 B      -",
  ]);
  const { request } = asked.find(({ method }) => method === "listTasks")!;
  assert.deepEqual([request["job"], request["user"], request["states"]], ["ann/web", "", ["running", "dead"]]);
  const [plain] = JSON.parse((await borg(["ls", "tasks", "--json"], { listTasks: () => ({ tasks: [TASK] }) })).out);
  assert.deepEqual([plain.ports, plain.addresses, plain.exit], [{ http: 20_001 }, { http: "127.0.0.1:20001" }, null]);
});

test("show tells a job, a task or a machine by its name, and says what is harmless only", async () => {
  const script = {
    getJob: ({ job }: { job: string }) => (job === "ann/web" ? { job: JOB, tasks: [TASK] } : notFound(`job "${job}"`)),
    getTask: () => ({
      task: { ...TASK, state: "dead", cause: "failed", exited: true, signal: 9, message: "out of\x1b[2J memory\nsecond line" },
      spec: { command: ["sh", "-c", "echo 'x'"] },
      history: [{ event: { timeMs: 1000 }, text: "Task ann/web/0 failed\x07" }],
    }),
    getMachine: ({ machine }: { machine: string }) =>
      machine === "m1" ? { machine: { name: "m1", state: "up", portFirst: 1, portLast: 9 } } : notFound(`machine "${machine}"`),
  };
  assert.match((await borg(["show", "web"], script)).out, /^job +ann\/web\nstate +running for -\ntasks +3 \(2 running, 1 pending\)\n/);
  const task = (await borg(["show", "web/0"], script)).out;
  assert.match(task, /^state +failed for 1m$/m);
  assert.match(task, /^last exit +exit 137: killed by SIGKILL$/m);
  assert.match(task, /^message +out of\\x1b\[2J memory\n +second line$/m);
  assert.match(task, /^ports +http 127\.0\.0\.1:20001$/m);
  assert.match(task, /^ram +1 MiB of 128 MiB$/m);
  assert.match(task, /^command +sh -c 'echo '\\''x'\\'''$/m);
  assert.match(task, /^history\n {2}19(70|69)-.* Task ann\/web\/0 failed\\x07$/m);
  assert.match((await borg(["show", "m1"], script)).out, /^machine +m1\nstate +up/);
  const none = await borg(["show", "nothing"], script);
  assert.deepEqual([none.code, none.err], [EXIT.notFound, 'There is no job "ann/nothing"\n']);
});

test("show JOB shows everything that was set, in the words of the file, and nothing that was not [N9]", async () => {
  const text = `job web = {
    command = ["node", "a.js"], count = 3, ram = 64Mi, ports = ["http"], env = { LOG = "debug" }, priority = production
    health = { port = "http" }, restart = { when = "always", failures_max = 2 }, spread = "hard", deadline = 2h, notice = 5s
    labels = { tier = "web" }, files = { "/etc/a" = "x" }, down_max = 1, constraints = [{ attribute = "arch", is = "x64" }]
  }`;
  const spec = evaluateText(text, { user: "ann" }).result!.jobs[0]!;
  const script = { getJob: () => ({ job: { ...JOB, name: "ann/web" }, spec }) };
  const { out } = await borg(["show", "web"], script);
  assert.equal(
    out.slice(out.indexOf("\nset (")),
    `
set (the rest is as borg bcl explain job says)
  ports = ["http"]
  env = { LOG = "debug" }
  files = { "/etc/a" = "x" }
  health = { port = "http", path = "/", interval = 10s, timeout = 2s, failures = 3 }
  notice = 5s
  restart = { when = "always", failures_max = 2 }
  deadline = 2h
  constraints = [{ attribute = "arch", is = "x64" }]
  spread = "hard"
  labels = { tier = "web" }
  down_max = 1
`,
  );
  const json = JSON.parse((await borg(["show", "web", "--json"], script)).out);
  assert.deepEqual([json.spec.ram, json.spec.count, json.spec.env, json.spec.deadline], ["64Mi", 3, { LOG: "debug" }, "2h"]);
  const plain = evaluateText('job web = { command = ["x"] }', { user: "ann" }).result!.jobs[0]!;
  assert.ok(!(await borg(["show", "web"], { getJob: () => ({ job: JOB, spec: plain }) })).out.includes("set ("));
});

test("why reads like a sentence: the problem, the reasons grouped, what would help [N7]", async () => {
  const explain = () => ({
    task: "ann/web/2",
    state: "pending",
    problem: "backs off for 500 ms more",
    reasons: [
      { reason: "lacks ram by limits", machines: 10 },
      { reason: "draining", machines: 1 },
    ],
    changes: [{ change: "ask for 512 MiB instead of 4 GiB", machines: 3 }],
  });
  assert.equal(
    (await borg(["why", "web"], { explain })).out,
    `Task ann/web/2 is pending: it backs off for 500 ms more.
None of 11 machines can take it:
  10 machines lack ram by limits
   1 machine is draining
This would help:
  - ask for 512 MiB instead of 4 GiB (then 3 machines would do)
`,
  );
  const running = { task: "ann/web/0", state: "running", score: [{ part: "packing", value: "0.8" }] };
  assert.equal(
    (await borg(["why", "web"], { explain: () => running })).out,
    "Task ann/web/0 is running.\nIts machine was chosen for:\n  packing  0.8\n",
  );
});

test("events prints sentences and follows with a cursor until Ctrl-C [L6]", async () => {
  const event = (position: number, text: string) => ({ event: { timeMs: 1000 * position, position }, text });
  const interrupt = new AbortController();
  const asked: unknown[] = [];
  const { code, out } = await borg(
    ["events", "m1", "-f", "--json"],
    {
      getJob: () => notFound("job"),
      readEvents: ({ about, afterPosition, afterIndex, waitMs }) => {
        asked.push([about, afterPosition, afterIndex, waitMs > 0]);
        if (asked.length === 3) interrupt.abort();
        return { events: [event(asked.length, `number ${asked.length}`)], nextPosition: asked.length, nextIndex: 4 };
      },
    },
    { interrupted: () => interrupt.signal },
  );
  assert.equal(code, 0);
  assert.deepEqual(
    out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).text),
    ["number 1", "number 2", "number 3"],
  );
  assert.deepEqual(asked, [
    ["m1", 0, 0, false],
    ["m1", 1, 4, true],
    ["m1", 2, 4, true],
  ]);
  const failed = {
    timeMs: 1000,
    position: 1,
    kind: EventKind.TASK_STATE,
    subject: "ann/web/0",
    to: "dead",
    cause: Cause.FAILED,
    detail: "Exit code 3",
  };
  const plain = JSON.parse((await borg(["events", "--json"], { readEvents: () => ({ events: [{ event: failed, text: "x" }] }) })).out)[0];
  assert.deepEqual([plain.kind, plain.to, plain.cause, plain.detail], ["task-state", "dead", "failed", "Exit code 3"]);
  const once = await borg(["events"], { readEvents: () => ({ events: [event(1, "Job ann/web was\nsubmitted")], missed: true }) });
  assert.match(once.out, /^19(70|69)-.* {2}Job ann\/web was\\nsubmitted\n$/);
  assert.match(once.err, /no longer kept/);
});

test("a token is made here: only its hash goes to the cell, and it is shown once", async () => {
  const { code, out, err, asked } = await borg(["token", "create", "--user", "bob", "--ttl", "30d"], {
    createToken: () => ({ position: 3 }),
  });
  assert.equal(code, 0);
  const ticket = ticketOf(out);
  assert.match(ticket.token, /^borg_[\w-]{43}$/);
  assert.deepEqual([ticket.cell, ticket.url, ticket.authorities], ["test", "https://127.0.0.1:1", ["PEM"]]);
  assert.match(err, /Made token [0-9a-f]{12} for user bob, for 30d/);
  const { request } = asked.find(({ method }) => method === "createToken")!;
  assert.match(String(request["hash"]), /^[0-9a-f]{64}$/);
  assert.ok(!JSON.stringify(request).includes(ticket.token));
  assert.equal(request["ttlMs"], 30 * 86_400_000);
  const again = await borg(["token", "create", "--user", "bob", "--request-id", "r1"], {
    createToken: () => ({ position: 3, repeated: true }),
  });
  assert.deepEqual([again.code, again.out], [EXIT.refused, ""]);
});

test("admin changes say what they did in one sentence", async () => {
  const answer = () => ({ position: 9 });
  const script = {
    setQuota: answer,
    setRole: answer,
    grantUser: answer,
    drainMachine: answer,
    unpinTask: answer,
    forgetDirectory: answer,
    removeMachine: answer,
    revokeToken: answer,
    restartJob: answer,
    resizeJob: answer,
  };
  for (const [args, said] of [
    [
      ["quota", "set", "bob", "production", "--cpu", "2", "--ram", "4GiB", "--disk", "10GiB"],
      "User bob has 2 cores, 4 GiB ram, 10 GiB disk in band production\n",
    ],
    [["role", "set", "eng", "--weight", "3", "--cpu", "2", "--user", "ann"], "Role eng has weight 3 and 2 cores guaranteed, for ann\n"],
    [["role", "set", "eng"], "Role eng has weight 1 and no guarantee, for everybody\n"],
    [["quota", "set", "bob", "batch", "--cpu", "1", "--ports", "2"], "User bob has 1 core, 0 B ram, 0 B disk, 2 ports in band batch\n"],
    [["quota", "set", "bob", "batch", "--unlimited"], "User bob has no limit in band batch\n"],
    [["user", "grant", "bob", "--role", "user", "--capability", "slack-memory"], "User bob is now also: user, slack-memory\n"],
    [["drain", "m1"], "Draining machine m1: its tasks move elsewhere\n"],
    [["undrain", "m1"], "Machine m1 takes tasks again\n"],
    [["machine", "remove", "m1"], "Machine m1 is no longer in the cell\n"],
    [["token", "revoke", "abc", "--user", "bob"], "Revoked token abc of user bob\n"],
    [["restart", "web/3"], "Restarting task ann/web/3\n"],
    [["scale", "bob/web", "1"], "Job bob/web has 1 task now\n"],
    [["directory", "rm", "bob/room/0:9"], "The directory of bob/room/0:9 goes\n"],
    [["unpin", "bob/web/0"], "Task bob/web/0 may go to any machine now; what it wrote stays where it was\n"],
  ] as const) {
    const { code, out, err } = await borg(args, script);
    assert.deepEqual([code, out, err], [0, said, ""], args.join(" "));
    const json = await borg([...args, "--json"], script);
    assert.equal(JSON.parse(json.out).position, 9);
  }
  assert.equal((await borg(["quota", "set", "bob", "prod", "--cpu", "2"], script)).code, EXIT.usage);
  assert.equal((await borg(["user", "grant", "bob", "--role", "king"], script)).code, EXIT.usage);
  const unused = await borg(["user", "grant", "bob", "--capability", "host-mount"], script);
  assert.deepEqual([unused.code, unused.out], [EXIT.usage, ""]);
  assert.match(unused.err, /Capability host-mount allows nothing\n.*an operator names the user of a volume/s);
});

test("a fault of ours is exit 70 and asks to be reported", async () => {
  const { code, err } = await borg(["ls"], { listJobs: () => Promise.reject(new TypeError("oops")) });
  assert.equal(code, EXIT.fault);
  assert.match(err, /A fault in borg itself: TypeError: oops/);
});

test("show of a job says whether it is being updated, and what was forgotten when it ended [D1] [N7]", async () => {
  const shown = async (more: object): Promise<string> =>
    (await borg(["show", "web"], { getJob: ({ job }) => ({ job: { name: job, state: "running", count: 1 }, ...more }) })).out;
  assert.match(await shown({ update: "paused" }), /^update +paused: borg update show ann\/web$/m);
  assert.match(await shown({ specDigest: new Uint8Array(16) }), /^forgotten +its arguments, environment and files, when it ended$/m);
  assert.doesNotMatch(await shown({}), /^(update|forgotten) /m);
});
