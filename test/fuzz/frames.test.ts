/** Whatever comes on a link: it is taken, or the link ends with a reason; no listener sees a frame out of bounds, and other links go on [KB2]. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { toBinary } from "@bufbuild/protobuf";
import { Random } from "../../src/base/random.ts";
import { decodeFrame, encodeFrame, FrameDecoder } from "../../src/rpc/link-frame.ts";
import { type LinkFrame, LinkFrameSchema } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { draw } from "./draw.ts";
import { mutateBytes } from "./mutation.ts";
import { COUNT, DELAY_MS_MAX, SEED } from "./settings.ts";
import { startStub, type Target } from "./target.ts";

const NORMAL_EVERY = 100;
const WHOLE = 0.1;
const BORGLETS: readonly string[] = ["hello", "report", "logChunk"];
const HANG_MS = 10_000;

interface Talk {
  /** It was let in. */
  readonly opened: boolean;
  /** Why it was hung up on; empty when it was not. */
  readonly reason: string;
}

/** Opens a link, says something, hangs up, and tells what came back. */
function talk(target: Target, pieces: readonly Uint8Array[]): Promise<Talk> {
  return new Promise((resolve, reject) => {
    const socket = connect(target.linkPort, "127.0.0.1");
    const decoder = new FrameDecoder();
    let opened = false;
    let reason = "";
    socket.setTimeout(HANG_MS, () => reject(new Error("The link neither went on nor ended")));
    socket.on("error", () => {});
    socket.on("data", (chunk: Uint8Array) => {
      const cut = decoder.push(chunk, (bytes) => {
        const frame = decodeFrame(bytes);
        if (!frame.ok) reject(new Error(frame.reason));
        else if (frame.value.body.case === "opened") opened = true;
        else if (frame.value.body.case === "closed") reason = frame.value.body.value.reason;
        return true;
      });
      if (!cut.ok) reject(new Error(cut.reason));
    });
    socket.on("close", () => resolve({ opened, reason }));
    for (const piece of pieces) socket.write(piece);
    socket.end();
  });
}

function framed(message: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(message.length);
  return Buffer.concat([head, message]);
}

test(`${COUNT} mutated link frames [KB2]`, async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const target = await startStub();
  t.after(() => target.close());
  const random = new Random(SEED, "fuzz-frames");
  const open = encodeFrame({ case: "open", value: { protocol: 1, machine: "m1", token: target.linkToken } })!;
  const frame = () => {
    let drawn = draw(LinkFrameSchema, random) as LinkFrame;
    // Mostly what a borglet may say; and not of another machine, for it would be refused for that alone.
    while (!BORGLETS.includes(drawn.body.case ?? "") && random.chance(0.9)) drawn = draw(LinkFrameSchema, random) as LinkFrame;
    if (drawn.body.case === "report" || drawn.body.case === "hello") drawn.body.value.machine = "m1";
    return toBinary(LinkFrameSchema, drawn);
  };
  let refused = 0;
  let taken = 0;
  let before = await target.stateHash();
  for (let i = 0; i < COUNT; i++) {
    const whole = random.chance(WHOLE);
    // Mostly what is inside a frame is broken; at times its length, or the frame that opens the link.
    const inside = framed(whole ? frame() : mutateBytes(frame(), frame(), random));
    const bytes = whole || random.chance(0.8) ? inside : mutateBytes(inside, open, random);
    const first = random.chance(0.1) ? mutateBytes(open, inside, random) : open;
    const about = `frame ${i}: ${Buffer.from(first).toString("hex")} ${Buffer.from(bytes.subarray(0, 400)).toString("hex")}`;
    const { opened, reason } = await talk(target, [first, bytes]).catch((error: unknown) => {
      throw new Error(about, { cause: error });
    });
    const now = await target.stateHash();
    if (now === before) refused++;
    else taken++;
    // Several frames may have become one's tail: what came before the broken one may have counted.
    if (!opened) assert.equal(now, before, about);
    if (reason !== "" && bytes === inside) assert.equal(now, before, `${about}: ${reason}`);
    before = now;
    if (i % NORMAL_EVERY === 0) {
      const normal = await talk(target, [open, encodeFrame({ case: "report", value: { machine: "m1", sequence: i } })!]);
      assert.deepEqual(normal, { opened: true, reason: "" });
      before = await target.stateHash();
    }
  }
  assert.deepEqual(await target.problems(), []);
  assert.ok(taken > 0 && refused > 0, `taken ${taken}, refused ${refused}`);
  const delayMs = await target.delayMaxMs();
  t.diagnostic(`taken ${taken}, refused ${refused}; longest delay of the event loop ${Math.round(delayMs)} ms`);
  assert.ok(delayMs < DELAY_MS_MAX);
});
