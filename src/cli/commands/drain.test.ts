import assert from "node:assert/strict";
import { test } from "node:test";
import { EXIT } from "../exit.ts";
import { borg, type Script } from "../fixture.test.ts";

const MACHINES = [
  { name: "m1", state: "up", rack: "r1", powerDomain: "p1", attributes: [{ key: "ssd", value: "yes" }] },
  { name: "m2", state: "up", rack: "r7", powerDomain: "p1" },
  { name: "m3", state: "drained", rack: "r7", powerDomain: "p2" },
];

/** Each look finds one task less on the machines together, down to `stays`; all tasks of the job run, as far as its record says. */
function cell(tasks = 0, stays = 0, down: object = { down: 1, downMax: 1 }, task: object = {}): Script {
  let left = tasks;
  return {
    listMachines: () => ({ machines: MACHINES }),
    drainMachine: () => ({ position: 7 }),
    listTasks: () => {
      const found = Array.from({ length: left }, (_, i) => ({ name: `ann/web/${i}`, state: "running", machine: "m1", ...task }));
      left = Math.max(stays, left - 1);
      return { tasks: found };
    },
    getJob: () => ({ job: { name: "ann/web", count: 3, running: 3 }, spec: { downMax: 3 }, down }),
  };
}

test("a condition chooses machines by rack, power domain, state or attribute, for ls and for drain [V3] [U13]", async () => {
  const listed = async (...wheres: string[]): Promise<string[]> => {
    const { out } = await borg(["ls", "machines", ...wheres.flatMap((where) => ["--where", where]), "--json"], cell());
    return (JSON.parse(out) as { name: string }[]).map(({ name }) => name);
  };
  assert.deepEqual(await listed("rack=r7"), ["m2", "m3"]);
  assert.deepEqual(await listed("rack=r7", "state!=drained"), ["m2"]);
  assert.deepEqual(await listed("ssd=yes"), ["m1"]);
  assert.deepEqual(await listed("ssd!=yes"), ["m2", "m3"]);
  assert.deepEqual(await listed("power_domain=p9"), []);
  const { out, asked } = await borg(["drain", "rack=r7"], cell());
  assert.equal(out, "Draining machine m2: its tasks move elsewhere\nDraining machine m3: its tasks move elsewhere\n");
  assert.deepEqual(
    asked.filter(({ method }) => method === "drainMachine").map(({ request }) => request["machine"]),
    ["m2", "m3"],
  );
});

test("a condition that nothing fits, or that is none, changes nothing and says what to do [V3]", async () => {
  const nothing = await borg(["drain", "rack=r9"], cell());
  assert.equal(nothing.code, EXIT.notFound);
  assert.match(nothing.err, /There is no machine with rack=r9/);
  assert.ok(!nothing.asked.some(({ method }) => method === "drainMachine"));
  const wrong = await borg(["ls", "machines", "--where", "rack"], cell());
  assert.equal(wrong.code, EXIT.usage);
  assert.match(wrong.err, /Cannot understand "rack" as a condition[\s\S]*rack=r7/);
  assert.equal((await borg(["ls", "jobs", "--where", "rack=r7"], cell())).code, EXIT.usage);
});

test("drain --wait tells how many tasks are left, and how long it may take, until the machine is empty [V3]", async () => {
  const { code, out } = await borg(["drain", "m1", "--wait"], cell(3));
  assert.equal(code, EXIT.done);
  assert.deepEqual(out.split("\n").slice(1, -1), [
    "3 of 3 tasks left",
    "2 of 3 tasks left, about 2s more",
    "1 of 3 tasks left, about 1s more",
    "Empty: 3 tasks went in 3s",
  ]);
});

test("drain --wait says which job keeps the machine from being empty, and ends when it has waited long enough [V3]", async () => {
  const { code, out, err } = await borg(["drain", "m1", "--wait", "--timeout", "20s"], cell(3, 2));
  assert.equal(code, EXIT.waited);
  const blame = "Job ann/web allows 1 down at a time, and 1 is down or not ready (borg why ann/web)";
  assert.equal(out.split(blame).length, 2, "said once");
  assert.match(out, /about 10s more\n2 of 3 tasks left\nJob [^\n]+\n$/, "no estimate while nothing goes");
  assert.match(err, /2 tasks are still there after 20s: Job ann\/web allows 1 down at a time, and 1 is down or not ready/);
  assert.match(err, /the drain goes on/);
});

test("drain --wait says what else keeps a machine from being empty: a pace, a job that lets nobody go, silence, and time to stop [V3]", async () => {
  const said = async (down: object, task: object = {}): Promise<string> =>
    (await borg(["drain", "m1", "--wait", "--timeout", "20s"], cell(3, 2, down, task))).err.split("\n")[0]!;
  assert.match(
    await said({ drainEveryMs: 300_000, nextDrainMs: Date.parse("2026-01-02T03:04:05") }),
    /2 tasks are still there after 20s: Job ann\/web lets drains take one task every 5m, the next from 2026-01-02 03:04:05 on$/,
  );
  assert.match(
    await said({ down: 0, downMax: 0 }),
    /allows none of its tasks to be taken down \(down_max = 0\): raise that with borg update/,
  );
  assert.match(await said({}, { unreachable: true }), /after 20s: Machine m1 does not answer \(borg show m1\)$/);
  assert.match(await said({}, { state: "stopping" }), /after 20s: 2 tasks still use their time to stop$/);
  assert.match(await said({ down: 1, downMax: 2 }), /2 tasks are still there after 20s$/, "nobody is named who is not in the way");
});
