/** Cells from files, as the benches read them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { cellArgs } from "../../bench/cells/args.ts";
import { readCell } from "../../bench/cells/csv.ts";
import { build } from "../../bench/cells/plan.ts";
import { isUsage } from "../../bench/usage.ts";
import { Operator, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";

const MACHINES = "machine_id,platform,cpu,mem,rack,power,attr_os,res_gpu\n1,x,0.5,0.25,r1,p1,linux,4\n2,x,1,1,r2,p1,bsd,0\n";
const TASKS = `job,index,user,sched_class,priority,cpu,mem,disk,diff_machines,running_on,res_gpu
7,0,ann,0,9,0.1,0.1,0,1,1,2
7,1,ann,0,9,0.2,0.1,0,1,,2
8,0,bob,0,11,0.1,0.1,0,0,2,0
`;

/** In a directory of its own, and gone afterwards. */
function read(machines: string | Uint8Array, tasks: string | Uint8Array): ReturnType<typeof readCell> {
  const directory = mkdtempSync(join(tmpdir(), "borg-csv-"));
  try {
    const [machinesFile, tasksFile] = [join(directory, "machines"), join(directory, "tasks")];
    writeFileSync(machinesFile, machines);
    writeFileSync(tasksFile, tasks);
    return readCell(machinesFile, tasksFile);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test("a cell from files: sizes, racks, attributes, extra resources, priorities, spread, overrides; gzip or not [U13] [S12]", () => {
  const cell = read(MACHINES, gzipSync(TASKS));
  const [first, second] = cell.machines;
  assert.deepEqual(first?.facts.capacity, { cpuMilli: 32_000, ramBytes: 64 * 2 ** 30, extras: [{ name: "gpu", amount: 4 }] });
  assert.deepEqual([first?.facts.rack, first?.facts.powerDomain, second?.facts.capacity?.extras], ["r1", "p1", []]);
  assert.deepEqual(second?.facts.attributes, [
    { key: "os", value: "bsd" },
    { key: "platform", value: "x" },
  ]);
  const [web, watch] = cell.jobs;
  assert.deepEqual([web?.spec.user, web?.spec.priority, web?.spec.count, web?.spec.spread], ["ann", 120, 2, Spread.HARD]);
  assert.deepEqual(web?.spec.overrides?.[0]?.limit?.cpuMilli, 12_800);
  assert.deepEqual(web?.ranOn, [first?.name, undefined]);
  assert.deepEqual([watch?.spec.priority, watch?.spec.spread], [360, Spread.SOFT]);
});

test("tasks say by a column how they spread, over machines, racks or power domains [V2] [S12]", () => {
  const tasks = TASKS.replace("diff_machines", "spread").replaceAll(",0,1,", ",0,rack,").replace(",0,0,2,0", ",0,,2,0");
  const cell = read(MACHINES, tasks);
  assert.deepEqual(
    cell.jobs.map(({ spec }) => spec.spread),
    [Spread.RACK, Spread.SOFT],
  );
  assert.equal(build(cell).jobs.size, 2, "a cell of the first version would not know it");
  assert.throws(
    () => read(MACHINES, tasks.replaceAll("rack", "wide")),
    /column "spread": "wide" where soft, hard, rack, power is expected/,
  );
});

test("tasks say by a column who may be beside them [V2] [S12]", () => {
  const tasks = TASKS.replace("diff_machines", "beside").replaceAll(",0,1,", ",0,8-11:2 9-1:0,").replace(",0,0,2,0", ",0,,2,0");
  const cell = read(MACHINES, tasks);
  const limits = [
    { job: "ann/8-11", max: 2 },
    { job: "ann/9-1", max: 0 },
  ];
  assert.deepEqual(
    cell.jobs.map(({ spec }) => spec.beside),
    [limits, []],
  );
  assert.equal(build(cell).jobs.size, 2);
  assert.throws(
    () => read(MACHINES, tasks.replaceAll("9-1:0", "9-1")),
    /column "beside": .* where JOB-PRIORITY:MAX, as in 7-9:1, is expected/,
  );
});

test("machines have devices by a column, and tasks whole ones or a part of one [U3] [S12]", () => {
  const cell = read(
    MACHINES.replace("res_gpu", "dev_gpu").replace("linux,4", "linux,8x250"),
    TASKS.replace("res_gpu", "dev_gpu").replace("9,0.1,0.1,0,1,1,2", "9,0.1,0.1,0,1,1,0.2"),
  );
  assert.deepEqual(cell.machines[0]?.facts.capacity?.extras, [{ name: "gpu-milli", amount: 2000 }]);
  assert.deepEqual(
    cell.machines.map(({ facts }) => facts.devices),
    [[{ name: "gpu-milli", unit: 250 }], undefined],
  );
  const [web] = cell.jobs;
  assert.deepEqual(web?.spec.task?.limit?.extras, [{ name: "gpu-milli", amount: 200 }]);
  assert.deepEqual(web?.spec.overrides?.[0]?.limit?.extras, [{ name: "gpu-milli", amount: 2000 }]);
  const machine = [...build(cell).machines.values()].find(({ place }) => place.units !== undefined);
  assert.equal(machine?.place.units?.get("gpu-milli")?.length, 8);
});

test("tasks need attributes of machines by columns, all tasks of a job the same [U4] [S12]", () => {
  const tasks = TASKS.replace("res_gpu", "need_os").replaceAll(",2\n", ",linux\n").replace("2,0\n", "2,!bsd\n");
  const [web, watch] = read(MACHINES, tasks).jobs;
  assert.deepEqual(web?.spec.constraints, [{ attribute: "os", operator: Operator.EQUAL, values: ["linux"] }]);
  assert.deepEqual(watch?.spec.constraints, [{ attribute: "os", operator: Operator.NOT_EQUAL, values: ["bsd"] }]);
  const any = read(MACHINES, tasks.replace("!bsd", "*")).jobs[1];
  assert.deepEqual(any?.spec.constraints, [{ attribute: "os", operator: Operator.EXISTS, values: [] }]);
  assert.throws(() => read(MACHINES, tasks.replace("1,,linux", "1,,bsd")), /row 3, column "need_os": "bsd" where "linux", as in row 2/);
});

test("ten tasks of a tenth each fit on a machine, also in memory [S12]", () => {
  const rows = Array.from({ length: 10 }, (_, i) => `7,${i},ann,0,9,0.1,0.1`);
  const cell = read("machine_id,cpu,mem\n1,1,1\n", `job,index,user,sched_class,priority,cpu,mem\n${rows.join("\n")}\n`);
  const each = cell.jobs[0]?.spec.task?.limit?.ramBytes ?? 0;
  assert.ok(10 * each <= (cell.machines[0]?.facts.capacity?.ramBytes ?? 0), String(each));
});

test("a file that is not a cell is refused in a line that says what is wrong with it [S12]", () => {
  assert.throws(() => readCell("/nowhere/machines.csv", "/nowhere/tasks.csv"), /Cannot read "\/nowhere\/machines.csv": ENOENT/);
  assert.throws(() => read("name,cores\na,4\n", TASKS), /has no column "machine_id": its first line must name machine_id, cpu, mem/);
  assert.throws(() => read(MACHINES, gzipSync(TASKS).subarray(0, 20)), /Cannot read .*unexpected end of file/);
});

/** What is written instead of what, in which file, and what is said of it. */
const BAD_ROWS: readonly (readonly ["machines" | "tasks", string, string, RegExp])[] = [
  ["machines", "0.25", "much", /machines", row 2, column "mem": "much" where a number from 0 to 1000000 is expected/],
  ["machines", "0.25", "Infinity", /row 2, column "mem": "Infinity" where/],
  ["machines", "0.25", "1e99", /row 2, column "mem": "1e99" where/],
  ["machines", "0.25", "-1", /row 2, column "mem": "-1" where/],
  ["machines", "0.25", "", /row 2, column "mem": "" where something is expected/],
  ["machines", "\n2,x", "\n1,x", /row 3, column "machine_id": "1" where something other than in row 2 is expected/],
  ["machines", ",bsd,0", "", /row 3: 6 fields where 8 are expected/],
  ["machines", "\n2,x", "\n\n2,x", /row 3: 1 fields where 8 are expected/],
  ["machines", "linux,4", "linux,4.5", /row 2, column "res_gpu": "4.5" where a whole number from 0 to 1000000 is expected/],
  [
    "machines",
    "res_gpu\n1,x,0.5,0.25,r1,p1,linux,4",
    "dev_gpu\n1,x,0.5,0.25,r1,p1,linux,4x2000",
    /row 2, column "dev_gpu": "4x2000" where how many/,
  ],
  ["tasks", "res_gpu\n7,0,ann,0,9,0.1,0.1,0,1,1,2", "dev_gpu\n7,0,ann,0,9,0.1,0.1,0,1,1,0.0001", /row 2, column "dev_gpu": "0.0001" where/],
  ["machines", "attr_os", "rack", /row 1: column "rack" is named twice/],
  ["machines", MACHINES.slice(MACHINES.indexOf("\n")), "", /has no rows below its first line/],
  ["machines", "linux", '"linux', /row 2: unclosed fields where 8 are expected/],
  ["tasks", "7,1,ann", "7,0,ann", /tasks", row 3, column "index": "0" where something other than in row 2 is expected/],
  ["tasks", "7,1,ann", "7,1,bob", /row 3, column "user": "bob" where "ann", as in row 2 of the same job, is expected/],
  ["tasks", "0,9,0.1", "0,12,0.1", /row 2, column "priority": "12" where a number from 0 to 11 is expected/],
  ["tasks", "0,9,0.1", "0,9.5,0.1", /row 2, column "priority": "9.5" where a whole number/],
  ["tasks", TASKS.slice(TASKS.indexOf("\n")), "", /has no rows below its first line/],
  ["machines", "\n2,x", "\n01,x", /row 3, column "machine_id": "01" where something other than in row 2 is expected/],
  ["machines", "attr_os", "colour", /row 1: nobody reads column "colour": there are machine_id, cpu, mem, .*, attr_NAME/],
  ["tasks", "sched_class", "class", /row 1: nobody reads column "class": there are job, user, .*, need_NAME/],
  ["tasks", "8,0,bob,0,11", "7,2,bob,0,11", /row 4, column "user": "bob" where "ann", as in row 2 of the same job,/],
  [
    "tasks",
    "7,1,ann,0,9,0.2,0.1,0,1",
    "7,1,ann,0,9,0.2,0.1,0,0",
    /row 3, column "diff_machines": "0" where "1", as in row 2 of the same job,/,
  ],
  [
    "tasks",
    "diff_machines,running_on,res_gpu\n7,0,ann,0,9,0.1,0.1,0,1,1,2",
    "spread,running_on,res_gpu\n7,0,ann,0,9,0.1,0.1,0,rack,1,2",
    /row 3, column "spread": "1" where "rack", as in row 2 of the same job,/,
  ],
];

for (const [file, before, after, said] of BAD_ROWS)
  test(`of ${file}, ${JSON.stringify(after.slice(0, 20))} instead of ${JSON.stringify(before.slice(0, 20))} is refused with file, row and column [S12]`, () => {
    const [machines, tasks] = file === "machines" ? [MACHINES.replace(before, after), TASKS] : [MACHINES, TASKS.replace(before, after)];
    assert.throws(() => read(machines, tasks), said);
  });

test("tasks of a job at one priority are one job, however the priority is written [S12]", () => {
  assert.deepEqual(
    read(MACHINES, TASKS.replace("7,1,ann,0,9", "7,1,ann,0,09")).jobs.map(({ spec }) => [spec.name, spec.count]),
    [
      ["7-9", 2],
      ["8-11", 1],
    ],
  );
});

test("a task asks for sixteen named resources at most, and the seventeenth is named [S12]", () => {
  const names = Array.from({ length: 17 }, (_, i) => `res_r${i}`);
  const tasks = (asked: string[]) => `job,user,priority,cpu,mem,${names.join(",")}\n7,ann,9,0.1,0.1,${asked.join(",")}\n`;
  const machines = "machine_id,cpu,mem\n1,1,1\n";
  assert.equal(read(machines, tasks(names.map((_, i) => (i < 16 ? "1" : "0")))).jobs[0]?.spec.task?.limit?.extras?.length, 16);
  assert.throws(() => read(machines, tasks(names.map(() => "1"))), /row 2, column "res_r16": "1" where no more than 16 named resources/);
});

test("what the cell itself refuses is said in one line with the job [S12]", () => {
  const plan = read(MACHINES, TASKS.replace("9,0.2,0.1", "9,20000,0.1"));
  assert.throws(
    () => build(plan),
    (error: Error) => isUsage(error) && !error.message.includes("\n") && error.message.startsWith('The cell takes no job "ann/7-9": '),
  );
});

test("a field in quotes may hold commas and quotes [S12]", () => {
  const [first] = read(MACHINES.replace("linux", '"lin,""ux"""'), TASKS).machines;
  assert.equal(first?.facts.attributes?.find(({ key }) => key === "os")?.value, 'lin,"ux"');
});

/** What an option is given, and what is said of it. */
const BAD_OPTIONS: readonly (readonly [string, string])[] = [
  ["seeds", "0"],
  ["seeds", "three"],
  ["only", "foo"],
  ["clone", "1.5"],
  ["clone", "0"],
  ["synthetic", "-1"],
  ["scale-ram", "Infinity"],
  ["scale-cpu", "0"],
  ["sample", "2"],
  ["sample", "0"],
  ["vary", "x"],
  ["passes", "1e99"],
];

for (const [option, value] of BAD_OPTIONS)
  test(`--${option} ${value} is refused in a line that names it [S12]`, () => {
    assert.throws(
      () => cellArgs([`--${option}=${value}`]),
      (error: Error) => isUsage(error) && error.message.includes(`--${option}`) && error.message.includes(`"${value}"`),
    );
  });
