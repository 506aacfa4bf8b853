import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "./exit.ts";
import { dnsOf, dnsText } from "./names-port.ts";

const CELL = { cell: "cc", id: "x", owner: "ann", host: "127.0.0.1", port: 7878, linkPort: 7879, machines: 1 };

test("names are told beside the API unless somebody says where, and stay where they were [N2]", () => {
  assert.deepEqual(dnsOf({}, undefined), { dnsPort: 8878 });
  assert.deepEqual(dnsOf({ port: "9000" }, undefined), { dnsPort: 10_000 });
  assert.deepEqual(dnsOf({ port: "65000" }, undefined), { dnsPort: 64_000 });
  assert.deepEqual(dnsOf({ dns: "5353", dnsDomain: "example.com" }, undefined), { dnsPort: 5353, dnsDomain: "example.com" });
  assert.deepEqual(dnsOf({}, { ...CELL, dnsPort: 5353, dnsDomain: "example.com" }), { dnsPort: 5353, dnsDomain: "example.com" });
  assert.deepEqual(dnsOf({ port: "9000" }, { ...CELL, dnsPort: 8878 }), { dnsPort: 10_000 }, "it goes along with the API");
  assert.deepEqual(dnsOf({}, { ...CELL, dnsPort: 0 }), { dnsPort: 0 }, "off stays off");
  assert.deepEqual(dnsOf({ dns: "off" }, { ...CELL, dnsPort: 5353 }), { dnsPort: 0 });
  assert.deepEqual(dnsOf({}, CELL), { dnsPort: 8878 }, "a cell from before there were names");
});

test("port 53 and what is no port or no domain is refused before anything is made [N2]", () => {
  for (const dns of ["53", "0", "65536", "x", "1.5", ""]) assert.throws(() => dnsOf({ dns }, undefined), Failure, dns);
  for (const dnsDomain of ["", ".", "a..b", "A.com", "-a.com", "a b", `${"a".repeat(64)}.com`, `${"a.".repeat(120)}com`])
    assert.throws(() => dnsOf({ dnsDomain }, undefined), Failure, dnsDomain);
});

test("what borg up says of names can be typed [N2]", () => {
  assert.equal(dnsText({ ...CELL, dnsPort: 8878 }), "dig @127.0.0.1 -p 8878 JOB.USER.cc.borg");
  assert.equal(dnsText({ ...CELL, dnsPort: 8878, dnsDomain: "example.com" }), "dig @127.0.0.1 -p 8878 JOB.USER.cc.borg.example.com");
  assert.match(dnsText(CELL), /DNS is off/);
});
