/** What a kernel tells of its host, and what one tells that knows less. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseStrain } from "./strain.ts";

const PRESSURE = "some avg10=12.34 avg60=98.23 avg300=95.83 total=7367662394\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
const MEMORY = "MemTotal:        8000 kB\nMemFree:          100 kB\nMemAvailable:    2000 kB\n";

test("a machine's strain is what its kernel says, and without pressure files nothing is said of it [N5]", () => {
  const ram = { ramBytes: 8000 * 1024, ramUsedBytes: 6000 * 1024 };
  assert.deepEqual(parseStrain(PRESSURE, MEMORY), { cpuWaitingPermille: 123, ...ram });
  assert.deepEqual(parseStrain("", MEMORY), ram);
  assert.deepEqual(parseStrain("some avg10=nan", ""), { ramBytes: 0, ramUsedBytes: 0 });
});
