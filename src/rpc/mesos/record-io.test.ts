import assert from "node:assert/strict";
import { test } from "node:test";
import { framed, RecordReader } from "./record-io.ts";

const text = (records: readonly Buffer[]): readonly string[] => records.map(String);

test("records come out as they went in, however the bytes are cut [Z3]", () => {
  const bytes = Buffer.concat(["a", "", "bb\n7", "x".repeat(300)].map((record) => framed(Buffer.from(record))));
  assert.equal(framed(Buffer.from("bb\n7")).toString(), "4\nbb\n7");
  for (const size of [1, 2, 3, 7, 1000]) {
    const reader = new RecordReader(300);
    const found: string[] = [];
    for (let i = 0; i < bytes.length; i += size) found.push(...text(reader.push(bytes.subarray(i, i + size))));
    assert.deepEqual(found, ["a", "", "bb\n7", "x".repeat(300)]);
  }
});

test("what is no record, or too long a one, is an error before its bytes are kept [KB2]", () => {
  for (const bytes of ["301\n", "x", "\n", "-1\n", "1 \n", "0000000001\n"])
    assert.throws(() => new RecordReader(300).push(Buffer.from(bytes)), /Expected a record/, JSON.stringify(bytes));
});
