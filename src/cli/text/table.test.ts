import assert from "node:assert/strict";
import { test } from "node:test";
import { tableText } from "./table.ts";
import { bytesText, clockText, cpuText, durationText, iso } from "./units.ts";
import { cut, widthOf } from "./width.ts";

const COLUMNS = [
  { title: "NAME", value: (row: readonly [string, number, string]) => row[0], shrinks: true },
  { title: "COUNT", value: (row: readonly [string, number, string]) => String(row[1]), side: "right" as const },
  { title: "EMPTY", value: () => "" },
  { title: "NOTE", value: (row: readonly [string, number, string]) => row[2] },
];

test("numbers stand to the right, empty columns are left out, nothing trails", () => {
  const text = tableText(
    COLUMNS,
    [
      ["web", 3, "x"],
      ["a-long-name", 12, ""],
    ],
    { columns: undefined, colour: false },
  );
  assert.equal(text, "NAME         COUNT  NOTE\nweb              3  x\na-long-name     12\n");
});

test("a narrow terminal cuts the columns that may shrink first, and every line fits", () => {
  const rows = [["ann/".padEnd(60, "x"), 3, "note"]] as const;
  for (const columns of [40, 30, 24]) {
    const lines = tableText(COLUMNS, rows, { columns, colour: false }).trimEnd().split("\n");
    for (const line of lines) assert.ok(widthOf(line) <= columns, `${columns}: ${line}`);
    assert.match(lines[1]!, /^ann\/x+… +3 {2}note$/);
  }
  const tiny = tableText(COLUMNS, [["x".repeat(50), 1, "y".repeat(50)]], { columns: 40, colour: false });
  for (const line of tiny.trimEnd().split("\n")) assert.ok(widthOf(line) <= 40, line);
});

test("columns that matter less are left out before anything whole is cut; what is whole is never cut [N9]", () => {
  type Row = readonly [string, string, string, string];
  const columns = [
    { title: "NAME", value: (row: Row) => row[0], whole: true },
    { title: "CAUSE", value: (row: Row) => row[1], shrinks: 10, drops: 3 },
    { title: "ADDRESS", value: (row: Row) => row[2], whole: true },
    { title: "RAM", value: (row: Row) => row[3], drops: 1 },
    { title: "CPU", value: () => "1", drops: 2 },
  ];
  const rows: readonly Row[] = [["ann/web/0", "failed for a long reason", "127.0.0.1:20001", "1 MiB/2 MiB"]];
  const at = (width: number) => tableText(columns, rows, { columns: width, colour: false }).trimEnd().split("\n");
  assert.equal(at(80)[0], "NAME       CAUSE                     ADDRESS          RAM          CPU");
  assert.deepEqual(at(60), [
    "NAME       CAUSE           ADDRESS          RAM          CPU",
    "ann/web/0  failed for a …  127.0.0.1:20001  1 MiB/2 MiB  1",
  ]);
  assert.deepEqual(at(45), ["NAME       CAUSE         ADDRESS          CPU", "ann/web/0  failed for …  127.0.0.1:20001  1"]);
  assert.deepEqual(at(40), ["NAME       CAUSE         ADDRESS", "ann/web/0  failed for …  127.0.0.1:20001"]);
  assert.deepEqual(at(20), ["NAME       ADDRESS", "ann/web/0  127.0.0.1:20001"]);
});

test("wide characters count for two columns, marks for none, and are not cut in half", () => {
  assert.equal(widthOf("abc"), 3);
  assert.equal(widthOf("日本"), 4);
  assert.equal(widthOf("e\u0301"), 1);
  assert.equal(widthOf("👩‍👩‍👧"), 2);
  assert.equal(cut("日本語", 5), "日本…");
  assert.equal(cut("日本語", 4), "日…");
  assert.equal(cut("abcdef", 4), "abc…");
  assert.equal(cut("abcdef", 6), "abcdef");
  assert.equal(cut("abc", 0), "");
});

test("colours do not change how wide a line is, and what others wrote cannot colour", () => {
  const painted = [{ title: "STATE", value: () => "\x1b[31mup", paint: () => "good" as const }];
  const text = tableText(painted, [1], { columns: 40, colour: true });
  assert.equal(text, "\x1b[2mSTATE\x1b[0m\n\x1b[32m\\x1b[31mup\x1b[0m\n");
  assert.equal(tableText(painted, [1], { columns: 40, colour: false }), "STATE\n\\x1b[31mup\n");
});

test("amounts as people read them", () => {
  assert.deepEqual([0, 1023, 1024, 2.5 * 2 ** 30, 128 * 2 ** 20, 2 ** 50].map(bytesText), [
    "0 B",
    "1023 B",
    "1 KiB",
    "2.5 GiB",
    "128 MiB",
    "1 PiB",
  ]);
  assert.deepEqual([0, 500, 1000, 2500, 12_340].map(cpuText), ["0", "500m", "1", "2.5", "12.3"]);
  const times = [0, 250, 45_000, 192_000, 3_600_000, 187_200_000].map(durationText);
  assert.deepEqual(times, ["0s", "250ms", "45s", "3m12s", "1h", "2d4h"]);
  assert.deepEqual([iso(0), iso(1000), iso(Number.MAX_VALUE)], [null, "1970-01-01T00:00:01.000Z", null]);
  assert.match(clockText(0), /^19(70|69)-\d\d-\d\d \d\d:\d\d:\d\d$/);
});
