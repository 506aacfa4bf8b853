/**
 * Malformed, oversized and hostile ops: each is refused with a reason, quickly, and changes nothing [KB2]. A case is what somebody could
 * send: an op as plain values (as JSON or a broken client would make it), or raw bytes.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, applyEntry, type Outcome } from "../../src/cell/cell.ts";
import { stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { stateViolations } from "../../src/cell/invariants.ts";
import { makeEntry, OP_BYTES_MAX, type Op, opFault, unseal, userOp } from "../../src/cell/op.ts";
import { encode, make } from "../../src/wire/codec.ts";
import { OpSchema, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { ResourcesSchema } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { jobSpec, type OpBody, World } from "./world.ts";

const world = new World().init().machine("m1").prodQuota();
world.submit("web", { count: 2 });
world.must(world.user("admin", { case: "userGrant", value: { user: "root", roles: [Role.USER, Role.CELL_ADMIN] } }));

/** An op of a cell-admin, so that nothing is refused for lack of rights alone. */
const op = (body: OpBody): Op => userOp("root", "hostile", body);
const submit = (more: object): Op => withSpec((spec) => Object.assign(spec, more));

/** A submit whose decoded spec is then tampered with, as no schema would allow. */
function withSpec(tamper: (spec: Record<string, unknown>) => void): Op {
  const hostile = op({ case: "jobSubmit", value: { spec: { ...jobSpec("evil"), user: "root" } } });
  tamper((hostile.body.value as { spec: Record<string, unknown> }).spec);
  return hostile;
}

const tampered = (body: OpBody, tamper: (value: Record<string, unknown>) => void): Op => {
  const hostile = op(body);
  tamper(hostile.body.value as unknown as Record<string, unknown>);
  return hostile;
};

const limitOf = (limit: object): Op =>
  withSpec((spec) => Object.assign((spec["task"] as Record<string, unknown>)["limit"] as object, limit));
const task = (more: object): Op => withSpec((spec) => Object.assign(spec["task"] as object, more));
const message = (fields: object): object => ({ $typeName: "x", ...fields });
const check = (fields: object): object =>
  message({ port: "", path: "", intervalMs: 1, timeoutMs: 1, failures: 1, kind: 0, command: [], ...fields });

const SECRET: OpBody = {
  case: "secretSet",
  value: { user: "root", name: "db", version: 1, sealed: { keyId: "k", nonce: new Uint8Array(12), ciphertext: new Uint8Array(20) } },
};
const secret = (tamper: (value: Record<string, unknown>) => void): Op => tampered(SECRET, tamper);
const sealed = (more: object): Op => secret((value) => Object.assign(value["sealed"] as object, more));
const MACHINE: OpBody = { case: "machineJoin", value: { machine: "m9", facts: { capacity: { cpuMilli: 1 } } } };
const CLAIM: OpBody = { case: "taskClaims", value: { claims: [{ task: "ubar/web/0", incarnation: 1, place: "m1" }] } };

/** What is sent, and the words that must come back. */
const CASES: readonly [string, () => Op | Uint8Array, RegExp][] = [
  ["a secret under a path", () => secret((value) => Object.assign(value, { name: "../db" })), /name: Expected a name/],
  ["a secret of version 0", () => secret((value) => Object.assign(value, { version: 0 })), /version: Expected .* 1/],
  ["a secret that is too large", () => sealed({ ciphertext: new Uint8Array(65_553) }), /at most 65552 bytes, found 65553/],
  ["a secret with a long nonce", () => sealed({ nonce: new Uint8Array(13) }), /at most 12 bytes, found 13/],
  ["no name", () => submit({ name: "" }), /spec\.name: Expected text, found none/],
  ["name with ../", () => submit({ name: "../etc" }), /spec\.name: Expected a name/],
  ["name with a slash", () => submit({ name: "a/b" }), /spec\.name: Expected a name/],
  ["name with a dot", () => submit({ name: "a.b" }), /Expected a name/],
  ["name in capitals", () => submit({ name: "Web" }), /Expected a name/],
  ["name that ends in -", () => submit({ name: "web-" }), /Expected a name/],
  ["name of 64 characters", () => submit({ name: "a".repeat(64) }), /at most 63 characters, found 64/],
  ["name of a million characters", () => submit({ name: "a".repeat(1e6) }), /at most 63 characters, found 1000000/],
  ["name with NUL", () => submit({ name: "we\u0000b" }), /without NUL/],
  ["name with a newline", () => submit({ name: "web\n" }), /control characters/],
  ["name with a lone surrogate", () => submit({ name: "web\ud800" }), /well-formed Unicode/],
  ["name that looks like another letter", () => submit({ name: "w\u0435b" }), /Expected a name/],
  ["name __proto__", () => submit({ name: "__proto__" }), /Expected a name/],
  ["name that is a number", () => submit({ name: 7 }), /spec\.name: Expected text, found 7/],
  ["name that is a list", () => submit({ name: ["a"] }), /Expected text, found a list/],
  ["user ..", () => submit({ user: ".." }), /spec\.user: Expected a name/],
  ["user of somebody unknown", () => submit({ user: "ghost" }), /User "ghost" is unknown/],
  ["a million tasks", () => submit({ count: 1e6 }), /spec\.count: Expected 0 to 100000, found 1000000/],
  ["minus one task", () => submit({ count: -1 }), /Expected 0 to 100000, found -1/],
  ["half a task", () => submit({ count: 0.5 }), /Expected a whole number/],
  ["NaN tasks", () => submit({ count: Number.NaN }), /Expected a whole number up to 100000, found NaN/],
  ["infinitely many tasks", () => submit({ count: Number.POSITIVE_INFINITY }), /found Infinity/],
  ["tasks as text", () => submit({ count: "3" }), /Expected a number, found "3"/],
  ["tasks as bigint", () => submit({ count: 3n }), /Expected a number, found a bigint/],
  ["no tasks", () => submit({ count: 0 }), /needs at least one task/],
  ["priority 451", () => submit({ priority: 451 }), /spec\.priority: Expected 0 to 450/],
  ["priority 2^32", () => submit({ priority: 2 ** 32 }), /Expected 0 to 450/],
  ["2^53 + 1 bytes", () => limitOf({ ramBytes: 2 ** 53 + 1 }), /limit\.ramBytes: Expected a whole number/],
  ["-0 millicores", () => limitOf({ cpuMilli: -0 }), /found -0/],
  ["negative ram", () => limitOf({ ramBytes: -1 }), /Expected 0 to 1125899906842624, found -1/],
  ["1e400 ram", () => limitOf({ ramBytes: Number("1e400") }), /found Infinity/],
  ["more ram than can be counted", () => submit({ count: 100000, task: { ...bigTask() } }), /[Mm]ore .*than can be counted/],
  ["no task", () => submit({ task: undefined }), /spec\.task: Expected a value, found none/],
  ["task that is text", () => submit({ task: "rm -rf /" }), /Expected TaskSpec, found "rm -rf \/"/],
  ["task null", () => submit({ task: null }), /Expected TaskSpec, found null/],
  ["no command", () => task({ command: [] }), /A task needs a command: a program and its arguments, or an image that names one/],
  ["command with NUL", () => task({ command: ["a\u0000b"] }), /command\[0\]: Expected text without NUL/],
  ["command of 2,000 words", () => task({ command: new Array(2000).fill("a") }), /at most 1024 items, found 2000/],
  ["command of holes", () => task({ command: new Array(3) }), /command\[0\]: Expected text, found undefined/],
  ["port named twice", () => task({ ports: ["a", "a"] }), /Port "a" is named twice/],
  ["65 ports", () => task({ ports: Array.from({ length: 65 }, (_, i) => `p${i}`) }), /at most 64 items/],
  [
    "health check of a port it has not",
    () => task({ health: message({ port: "http", path: "/", intervalMs: 1, timeoutMs: 1, failures: 1, kind: 0, command: [] }) }),
    /wants port "http"/,
  ],
  ["readiness check by TCP of a port it has not", () => task({ ready: check({ kind: 1, port: "http" }) }), /Readiness check wants port/],
  ["check by TCP with a path", () => task({ ports: ["p"], ready: check({ kind: 1, port: "p", path: "/" }) }), /by TCP has no path/],
  ["check by no command", () => task({ health: check({ kind: 2 }) }), /has no command to run/],
  ["command and port", () => task({ ports: ["p"], health: check({ kind: 2, port: "p", command: ["a"] }) }), /neither port nor path/],
  ["port and command", () => task({ ports: ["p"], health: check({ port: "p", command: ["a"] }) }), /of a port has no command/],
  ["readiness with a grace", () => task({ ready: check({ kind: 2, command: ["a"], graceMs: 1 }) }), /Readiness check has no grace/],
  ["check of a kind that is none", () => task({ health: check({ kind: 9 }) }), /Expected a known CheckKind, found 9/],
  ["lame duck of a day", () => task({ lameDuckMs: 86_400_000 }), /lameDuckMs: Expected 0 to 3600000/],
  [
    "file outside",
    () => task({ files: [message({ path: "/../../etc/passwd", content: new Uint8Array(), mode: 0 })] }),
    /Expected an absolute path/,
  ],
  [
    "file with a relative path",
    () => task({ files: [message({ path: "etc/passwd", content: new Uint8Array(), mode: 0 })] }),
    /Expected an absolute path/,
  ],
  [
    "file of a megabyte",
    () => task({ files: [message({ path: "/a", content: new Uint8Array(2 ** 20), mode: 0 })] }),
    /at most 262144 bytes/,
  ],
  ["file whose content is text", () => task({ files: [message({ path: "/a", content: "x", mode: 0 })] }), /Expected bytes, found "x"/],
  ["setuid file", () => task({ files: [message({ path: "/a", content: new Uint8Array(), mode: 0o4755 })] }), /mode: Expected 0 to 511/],
  ["variable __proto__", () => task({ environment: [message({ key: "__proto__", value: "x" })] }), /reserved word/],
  ["variable with =", () => task({ environment: [message({ key: "A=B", value: "x" })] }), /Expected a key/],
  ["label constructor", () => submit({ labels: [message({ key: "constructor", value: "x" })] }), /reserved word/],
  ["label with a newline", () => submit({ labels: [message({ key: "a", value: "x\ny" })] }), /control characters/],
  [
    "label twice",
    () => submit({ labels: [message({ key: "a", value: "1" }), message({ key: "a", value: "2" })] }),
    /Label "a" is given twice/,
  ],
  [
    "unknown operator",
    () => submit({ constraints: [message({ attribute: "os", operator: 99, values: ["a"], soft: false, weight: 0 })] }),
    /operator: Expected a known Operator, found 99/,
  ],
  [
    "no operator",
    () => submit({ constraints: [message({ attribute: "os", operator: 0, values: ["a"], soft: false, weight: 0 })] }),
    /Expected a known Operator, found none/,
  ],
  [
    "constraint without value",
    () => submit({ constraints: [message({ attribute: "os", operator: 1, values: [], soft: false, weight: 0 })] }),
    /wants one value, found 0/,
  ],
  ["1,000 constraints", () => submit({ constraints: new Array(1000).fill({}) }), /at most 64 items/],
  [
    "resource named twice",
    () => limitOf({ extras: [message({ name: "gpu", amount: 1 }), message({ name: "gpu", amount: 1 })] }),
    /Resource "gpu" is given twice/,
  ],
  [
    "override beyond the job",
    () => submit({ overrides: [message({ first: 0, last: 9, arguments: [], environment: [], labels: [] })] }),
    /does not fit a job of 1 tasks/,
  ],
  [
    "override backwards",
    () => submit({ count: 5, overrides: [message({ first: 3, last: 1, arguments: [], environment: [], labels: [] })] }),
    /Override for tasks 3 to 1/,
  ],
  ["waits for itself", () => submit({ startAfter: "root/evil" }), /cannot wait for its own end/],
  ["waits for ../x", () => submit({ startAfter: "../x" }), /Expected user\/job/],
  ["field nobody knows", () => submit({ sudo: true }), /Cannot understand field "sudo" of JobSpec/],
  [
    "field __proto__ of its own",
    () => withSpec((spec) => Object.defineProperty(spec, "__proto__", { value: 1, enumerable: true })),
    /Cannot understand field "__proto__"/,
  ],
  ["one per machine with a count", () => submit({ perMachine: true, count: 3 }), /has no count/],
  ["truth as text", () => submit({ perMachine: "yes" }), /Expected true or false, found "yes"/],
  ["spread 17", () => submit({ spread: 17 }), /Expected a known Spread, found 17/],
  ["no actor", () => Object.assign(submit({}), { actor: undefined }), /\.actor: Expected a value, found none/],
  [
    "actor of kind 0",
    () => Object.assign(submit({}), { actor: message({ kind: 0, name: "x" }) }),
    /Expected a known ActorKind, found none/,
  ],
  [
    "actor of kind 42",
    () => Object.assign(submit({}), { actor: message({ kind: 42, name: "x" }) }),
    /Expected a known ActorKind, found 42/,
  ],
  ["request id of 65 characters", () => Object.assign(submit({}), { requestId: "x".repeat(65) }), /requestId: Expected at most 64/],
  ["no body", () => Object.assign(submit({}), { body: { case: undefined } }), /\.body: Expected one of cellInit/],
  ["body nobody knows", () => Object.assign(submit({}), { body: { case: "rootShell", value: {} } }), /Cannot understand "rootShell"/],
  ["body null", () => Object.assign(submit({}), { body: null }), /Expected one of/],
  ["op that is no object", () => 7 as unknown as Op, /Expected Op, found 7/],
  [
    "kill of nothing",
    () => tampered({ case: "jobKill", value: { job: "a/b" } }, (v) => Object.assign(v, { job: "" })),
    /job: Expected text, found none/,
  ],
  ["kill of a job that is not there", () => op({ case: "jobKill", value: { job: "ubar/none" } }), /does not exist/],
  ["resize to 100,001", () => op({ case: "jobResize", value: { job: "ubar/web", count: 100_001 } }), /Expected 0 to 100000/],
  ["machine ../m", () => tampered(MACHINE, (v) => Object.assign(v, { machine: "../m" })), /machine: Expected a name/],
  ["machine by a user", () => op(MACHINE), /may not ask for machineJoin/],
  ["claim by a user", () => op(CLAIM), /may not ask for taskClaims/],
  [
    "claim of no task",
    () => tampered(CLAIM, (v) => Object.assign((v["claims"] as object[])[0] as object, { task: "ubar/web" })),
    /Expected user\/job\/index/,
  ],
  [
    "claim of task 007",
    () => tampered(CLAIM, (v) => Object.assign((v["claims"] as object[])[0] as object, { task: "ubar/web/007" })),
    /Expected user\/job\/index/,
  ],
  [
    "claim of task -1",
    () => tampered(CLAIM, (v) => Object.assign((v["claims"] as object[])[0] as object, { task: "ubar/web/-1" })),
    /Expected user\/job\/index/,
  ],
  ["no claims", () => op({ case: "taskClaims", value: { claims: [] } }), /Expected at least one item/],
  [
    "1,001 claims",
    () => op({ case: "taskClaims", value: { claims: new Array(1001).fill({ task: "ubar/web/0", place: "m1" }) } }),
    /at most 1000 items/,
  ],
  ["quota in band 0", () => op({ case: "quotaSet", value: { user: "ubar", band: 0, quota: {} } }), /Expected a known Band, found none/],
  ["quota for nobody", () => op({ case: "quotaSet", value: { user: "ghost", band: 2, quota: {} } }), /User "ghost" is unknown/],
  ["a token in clear", () => op({ case: "tokenSet", value: { user: "ubar", hash: "hunter2" } }), /64 lower-case hex digits/],
  ["a token for everyone", () => op({ case: "tokenSet", value: { user: "*", hash: "0".repeat(64) } }), /user: Expected a name/],
  ["revoking nobody's token", () => op({ case: "tokenRevoke", value: { user: "ghost", id: "0" } }), /has no token/],
  [
    "a role of 77",
    () => tampered({ case: "userGrant", value: { user: "x" } }, (v) => Object.assign(v, { roles: [77] })),
    /roles\[0\]: Expected a known Role, found 77/,
  ],
  [
    "scheduler with priorities backwards",
    () => op({ case: "schedulerSet", value: { name: "s", limits: { priorityMin: 9, priorityMax: 3 } } }),
    /are no range/,
  ],
  ["empty bytes", () => new Uint8Array(), /Op\.actor: Expected a value, found none/],
  ["bytes at random", () => Uint8Array.from({ length: 100 }, (_, i) => (i * 37 + 11) & 255), /Cannot decode Op|Cannot understand field/],
  ["half an op", () => encode(OpSchema, submit({})).subarray(0, 40), /Cannot decode Op/],
  ["a length that lies", () => Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f), /Cannot decode Op/],
  ["groups nested 100,000 deep", () => new Uint8Array(100_000).fill(0x53), /Cannot decode Op/],
  [
    "an unknown field number",
    () => Uint8Array.of(...encode(OpSchema, submit({})), 0xa0, 0x1f, 0x01),
    /Cannot understand field number 500 of Op/,
  ],
  ["two megabytes", () => new Uint8Array(2 * OP_BYTES_MAX), /at most 1048576 bytes/],
];

function bigTask(): object {
  return {
    ...(submit({}).body.value as { spec: { task: object } }).spec.task,
    limit: make(ResourcesSchema, { cpuMilli: 1, ramBytes: 2 ** 50 }),
  };
}

/** The way of an op from outside: decode, check, apply. */
function send(sent: Op | Uint8Array): Outcome {
  if (sent instanceof Uint8Array) {
    const decoded = unseal(sent);
    return decoded.ok ? apply(world.state, decoded.value.op) : decoded;
  }
  const fault = opFault(sent);
  if (fault !== undefined) return { ok: false, reason: `Op${fault}` };
  return applyEntry(world.state, world.state.position + 1, makeEntry(world.timeMs, [sent]))[0] as Outcome;
}

for (const [name, make, expected] of CASES) {
  test(`hostile: ${name} [KB2] [KA2]`, () => {
    const before = stateHash(world.state);
    const started = performance.now();
    const outcome = send(make());
    const tookMs = performance.now() - started;
    assert.ok(!outcome.ok, "It was accepted");
    assert.match(outcome.reason, expected);
    assert.ok(outcome.reason.length < 400, "A reason repeats a hostile value at length");
    assert.equal(stateHash(world.state), before);
    assert.deepEqual(stateViolations(world.state), []);
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    assert.ok(tookMs < 2000, `Took ${tookMs} ms`);
  });
}

test("the table has at least 60 cases [KB2]", () => assert.ok(CASES.length >= 60, String(CASES.length)));
