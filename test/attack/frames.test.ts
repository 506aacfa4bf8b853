/**
 * What a link may say, against the reviewed table frames.txt: every frame there is, by the machine that it is about, by another machine that says it is that one, by another
 * machine in its own name, by one that is not approved, and by somebody who did not say who they are. An unlisted frame fails. MATRIX=write writes what is found.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import type { FrameBody } from "../../src/rpc/link-frame.ts";
import { LINK_PROTOCOL } from "../../src/rpc/link-frame.ts";
import { type LinkFrame, LinkFrameSchema } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { AttackedCell } from "./desk.ts";
import { hashOf } from "./furniture.ts";
import { LinkDesk } from "./link-desk.ts";

const FILE = new URL("frames.txt", import.meta.url);
type Case = NonNullable<LinkFrame["body"]["case"]>;

const cell = new AttackedCell();
const desk = await LinkDesk.open(cell);
after(() => desk.close());

const idOf = (job: string, index: number): string => cell.state.jobs.get(job as never)!.tasks[index]!.instance!.id;
/** All of them on machine m1. */
const [WEB, OLDER, EXECUTOR] = [idOf("ann/web", 1), idOf("ann/older", 0), idOf("ann/fw", 1)];
const FACTS = { capacity: { cpuMilli: 900_000 }, host: "127.0.0.1", portFirst: 1, portLast: 2 };
/** Of a package that only tasks on m1 name. */
const digest = hashOf("own");
const used = { cpuMilli: 1, ramBytes: 1 };

/** Each says something of what is on machine m1, as the machine `machine`. */
const SAYS: Readonly<Record<Case, (machine: string) => unknown>> = {
  open: (machine) => ({ protocol: LINK_PROTOCOL, machine, certificate: new Uint8Array([1]), signature: new Uint8Array([1]) }),
  opened: () => ({ cell: "cc" }),
  hello: (machine) => ({ machine, facts: FACTS, peerPort: 4 }),
  poll: () => ({ term: 9, sequence: 9 }),
  report: (machine) => ({
    ...{ machine, term: 1, sequence: desk.pollOf(machine) },
    instances: [{ instance: OLDER, phase: Phase.RUNNING, run: 7, upMs: 5 }],
    usage: [{ instance: OLDER, last: used, peak: used }],
  }),
  logRequest: () => ({ id: 1, instance: WEB }),
  logChunk: () => ({ id: question(), data: new Uint8Array([1]) }),
  closed: () => ({ reason: "x" }),
  challenge: () => ({ nonce: new Uint8Array(32) }),
  join: (machine) => ({ protocol: LINK_PROTOCOL, machine, request: new Uint8Array([1]), token: "x", capacity: used }),
  joined: () => ({ certificate: new Uint8Array([1]) }),
  waiting: () => ({ key: "x" }),
  packageRequest: (machine) => ({ machine, digest, bytesMax: 10 }),
  packageChunk: () => ({ digest }),
  fileRequest: () => ({ id: 1, instance: WEB }),
  fileChunk: () => ({ id: question(), data: new Uint8Array([1]) }),
  packageSource: () => ({ digest, machine: "m1", host: "h", port: 1, voucher: "v" }),
  packageGrant: () => ({ digest, voucher: "v" }),
  packageGranted: (machine) => ({ machine, voucher: "v", has: true }),
  peerRequest: () => ({ voucher: "v", digest }),
  secretRequest: (machine) => ({ machine, instance: WEB, run: 1 }),
  secretValues: () => ({ instance: WEB }),
  shellRequest: () => ({ id: 1, shell: "s", instance: WEB, use: {} }),
  shellChunk: () => ({ id: question(), said: { output: new Uint8Array([1]) } }),
  executorMessage: (machine) => ({ machine, instance: EXECUTOR, data: new Uint8Array([1]) }),
  usageRequest: () => ({ id: 1, instance: WEB }),
  usageChunk: () => ({ id: question() }),
};

let questions = 0;
/** The number of one that m1 was asked. */
function question(): number {
  questions += 1;
  desk.askForLog(questions);
  return questions;
}

test("A link says what its own machine may, and nothing of another one: every frame is for those whom the reviewed table names [KA2] [KA3]", async () => {
  const frames = LinkFrameSchema.oneofs[0]!.fields.map(({ localName }) => localName as Case);
  assert.deepEqual([...frames].sort(), Object.keys(SAYS).sort(), "every frame is said");
  for (const machine of ["m1", "far"]) await desk.says(machine, { case: "hello", value: { machine, facts: FACTS, peerPort: 0 } });
  const lines = ["# What comes of a frame about what is on machine m1"];
  for (const each of frames) {
    const body = (machine: string): FrameBody => ({ case: each, value: SAYS[each](machine) }) as FrameBody;
    lines.push(
      each,
      `  by m1: ${await desk.says("m1", body("m1"))}`,
      `  by far, as m1: ${await desk.says("far", body("m1"))}`,
      `  by far, as itself: ${await desk.says("far", body("far"))}`,
      `  by near, which is not approved: ${await desk.says("near", body("near"))}`,
      `  by nobody: ${await desk.says("m1", body("m1"), false)}`,
    );
  }
  const text = `${lines.join("\n")}\n`;
  if (process.env["MATRIX"] === "write") writeFileSync(FILE, text);
  assert.deepEqual(text.split("\n"), readFileSync(FILE, "utf8").split("\n"));
});
