import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../wire/codec.ts";
import { type MachineView, MachineViewSchema, type TaskView, TaskViewSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { keysOf, plainText, pressed, screenOf, type TopState, type TopTable } from "../text/top-screen.ts";
import { widthOf } from "../text/width.ts";
import { headOf, machineTable, restartsOf, taskTable } from "./top.ts";

const NOW = 1_000_000;
const START: TopState = { table: 0, sorted: [2, 2], row: 0, filter: "", typing: false };
const SIZE = { rows: 9, columns: 80 };

const task = (
  name: string,
  cpuMilli: number,
  ramMiB: number,
  more: Partial<Pick<TaskView, "machine" | "state" | "run" | "starts">> = {},
): TaskView =>
  make(TaskViewSchema, {
    ...{ name, state: "running", cause: "started", machine: "m1", sinceMs: NOW - 5000, runMs: NOW - 5000, run: 1, starts: 1 },
    usage: { cpuMilli, ramBytes: ramMiB * 2 ** 20 },
    limit: { cpuMilli: 1000, ramBytes: 256 * 2 ** 20 },
    ...more,
  });

const machine = (name: string, cpuMilli: number): MachineView =>
  make(MachineViewSchema, {
    ...{ name, state: "up", tasks: 2, heardMs: NOW - 1000 },
    usage: { cpuMilli, ramBytes: 2 ** 30 },
    capacity: { cpuMilli: 4000, ramBytes: 2 ** 33 },
  });

const TASKS = [
  task("ann/web/0", 100, 64),
  task("ann/web/1", 900, 32, { run: 3, starts: 2 }),
  task("bob/db/0", 400, 200, { machine: "m2" }),
];
const MACHINES = [machine("m1", 1000), machine("m2", 3000)];
const tables = (tasks: readonly TaskView[] = TASKS): readonly TopTable<never>[] =>
  [taskTable(tasks, NOW), machineTable(MACHINES, NOW)] as unknown as readonly TopTable<never>[];
const WHOLE = {
  ...{ cell: "cc", tasks: 3, machines: 2 },
  used: { cpuMilli: 4000, ramBytes: 2 ** 31 },
  capacity: { cpuMilli: 8000, ramBytes: 2 ** 34 },
};
const head = headOf(WHOLE, 3, "");
const shown = (state: TopState, tasks = TASKS): string => screenOf(tables(tasks), state, SIZE, head, false).join("\n");
const after = (keys: string, state: TopState = START): TopState => {
  let now = state;
  for (const key of keysOf(keys)) now = pressed(now, key, tables(), SIZE) ?? assert.fail(`${JSON.stringify(key)} ended it`);
  return now;
};

test("the screen has as many lines as there is room for, with those that use most first [N9]", () => {
  assert.equal(
    shown(START),
    `cc: 3 tasks on 2 machines, cpu 4/8, ram 2 GiB/16 GiB
  TASK       STATE    CPU*  CPU%      RAM  RAM%  RESTARTS  MACHINE  SINCE
> ann/web/1  running  900m    90   32 MiB    13         3  m1          5s
  bob/db/0   running  400m    40  200 MiB    78         0  m2          5s
  ann/web/0  running  100m    10   64 MiB    25         0  m1          5s



arrows: column and row   tab: tasks, machines   /: filter   q: end`,
  );
});

test("right and left choose the column, down and up the row, tab the machines; the row that is marked stays on the screen [N9]", () => {
  assert.match(shown(after("\x1b[C\x1b[C")), /RAM\*[\s\S]*> bob\/db\/0/);
  assert.match(shown(after("\x1b[D\x1b[D")), /TASK\*[\s\S]*> ann\/web\/0[\s\S]*ann\/web\/1[\s\S]*bob/);
  assert.equal(after("\x1b[D\x1b[D\x1b[D").sorted[0], 8, "round to the last");
  assert.match(shown(after("\x1b[B\x1b[B\x1b[B\x1b[B")), /^> ann\/web\/0/m);
  assert.match(shown(after("\x1b[B\x1b[B\x1b[A")), /^> bob\/db\/0/m);
  assert.match(shown(after("\t")), /MACHINE +STATE +CPU\*[\s\S]*> m2 +up +3\/4 +75[\s\S]*m1/);
  const many = Array.from({ length: 100 }, (_, i) => task(`ann/many/${i}`, 1000 - i, 1));
  const low = screenOf(tables(many), { ...START, row: 80 }, SIZE, head, false).join("\n");
  assert.match(low, /^> ann\/many\/80/m);
  assert.equal(low.split("\n").length, SIZE.rows);
});

test("/ filters by name, machine or state while it is typed; Enter keeps it, Escape ends it, and q is a letter then [N9]", () => {
  const typing = after("/Web");
  assert.match(shown(typing), /\/Web_ {2}2 of 3/);
  assert.doesNotMatch(shown(typing), /bob/);
  assert.match(shown(after("q", typing)), /\/Webq_ {2}0 of 3/);
  assert.match(shown(after("\x7f\x7f\r", typing)), /\/W {2}2 of 3/);
  assert.match(shown(after("/m2\r")), /> bob\/db\/0/);
  assert.equal(after("\x1b", after("/m2\r")).filter, "");
  assert.equal(after(`/${"x".repeat(200)}`).filter.length, 100);
});

test("q and Ctrl-C end it; what no key is changes nothing [N9]", () => {
  assert.equal(pressed(START, "q", tables(), SIZE), undefined);
  assert.equal(pressed({ ...START, typing: true }, "interrupt", tables(), SIZE), undefined);
  assert.deepEqual(after("\x1b[<0;10;10M\x1b[200~x\x1b[15~"), START);
  assert.deepEqual(keysOf("\x1b[A\x1bOBé\x00"), ["up", "down", "é"]);
});

test("no line is wider than the terminal, whatever names and words others chose, and none of them moves the cursor [N9]", () => {
  const evil = task(`ann/${"x".repeat(130)}/0`, 5, 1, { machine: "m\x1b[2J\r\u202e", state: "run\nning\x9b31m" });
  for (const columns of [40, 80, 200])
    for (const colour of [false, true]) {
      const lines = screenOf(
        tables([...TASKS, evil]),
        START,
        { rows: 12, columns },
        `${head} -- \x1b[2J`.replaceAll("\x1b", "\\x1b"),
        colour,
      );
      assert.equal(lines.length, 12);
      for (const line of lines) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours are allowed
        const plain = line.replace(/\x1b\[[0-9]+m/g, "");
        assert.ok(widthOf(plain) <= columns, line);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing of these may be left
        assert.doesNotMatch(plain, /[\x00-\x1f\x7f-\x9f\u202e]/);
      }
    }
  assert.match(headOf({ ...WHOLE, tasks: 144_339 }, 500, "gone\x1b[2J"), /144,?339 tasks on 2 machines, the first 500.*gone\\x1b\[2J$/);
});

test("restarts are starts beyond the first, on the task's machine and on others; a table has all rows [N9]", () => {
  assert.deepEqual([restartsOf({ run: 0, starts: 0 }), restartsOf({ run: 1, starts: 1 }), restartsOf({ run: 3, starts: 2 })], [0, 0, 3]);
  const text = plainText(taskTable(TASKS, NOW), 6, "");
  assert.deepEqual(
    text
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[0]),
    ["TASK", "ann/web/1", "ann/web/0", "bob/db/0"],
  );
});
