import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonPhrase } from "./reason-phrase.ts";

test("what is said of one machine is said of several, too [N7]", () => {
  const said = (reason: string): readonly string[] => [reasonPhrase(reason, 1), reasonPhrase(reason, 8)];
  assert.deepEqual(said("lacks 1 GiB of ram"), ["machine lacks 1 GiB of ram", "machines lack 1 GiB of ram"]);
  assert.deepEqual(said("names no rack"), ["machine names no rack", "machines name no rack"]);
  assert.deepEqual(said("draining"), ["machine is draining", "machines are draining"]);
  assert.deepEqual(said("over its capacity"), ["machine is over its capacity", "machines are over their capacity"]);
  assert.deepEqual(said("kernel is old"), ["machine: kernel is old", "machines: kernel is old"]);
});
