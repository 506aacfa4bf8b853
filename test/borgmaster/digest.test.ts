import assert from "node:assert/strict";
import { test } from "node:test";
import { requestDigest } from "../../src/borgmaster/api/digest.ts";
import { newNativeSha256 } from "../../src/shell/native-sha256.ts";
import { decode, encode, make } from "../../src/wire/codec.ts";
import {
  CreateTokenRequestSchema,
  DrainMachineRequestSchema,
  KillJobRequestSchema,
  ResizeJobRequestSchema,
  RestartJobRequestSchema,
} from "../../src/wire/gen/borg/v1/api_pb.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const resize = (requestId: string, count: number) =>
  hex(requestDigest("resizeJob", make(ResizeJobRequestSchema, { requestId, job: "ann/web", count })));

test("a digest has 16 bytes, knows nothing of the id, and tells values, fields and methods apart [cell.I5] [KD3]", () => {
  assert.equal(resize("a", 5).length, 32);
  assert.equal(resize("a", 5), resize("b", 5));
  assert.notEqual(resize("a", 5), resize("a", 9));
  const drain = (draining: boolean) => hex(requestDigest("drainMachine", make(DrainMachineRequestSchema, { machine: "m1", draining })));
  assert.notEqual(drain(true), drain(false));
  const kill = requestDigest("killJob", make(KillJobRequestSchema, { job: "ann/web" }));
  const restart = requestDigest("restartJob", make(RestartJobRequestSchema, { job: "ann/web" }));
  assert.notEqual(hex(kill), hex(restart), "two messages with the same bytes");
});

test("the same request has the same digest after a journey over the wire, and a token's does not depend on the time [cell.I5]", () => {
  const request = make(CreateTokenRequestSchema, { requestId: "r", user: "ann", hash: "a".repeat(64), label: "x", ttlMs: 1000 });
  const again = decode(CreateTokenRequestSchema, encode(CreateTokenRequestSchema, request), 1000);
  assert.ok(again.ok);
  assert.equal(hex(requestDigest("createToken", request)), hex(requestDigest("createToken", again.value)));
});

test("a request's digest is the same by the machine's own sum: a master of another build knows it again [KD4]", () => {
  const request = make(KillJobRequestSchema, { requestId: "r", job: "ann/web" });
  assert.equal(hex(requestDigest("killJob", request, newNativeSha256)), hex(requestDigest("killJob", request)));
});
