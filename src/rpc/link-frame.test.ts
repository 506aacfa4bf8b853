/** Frames survive every way in which a stream can be cut, and a decoder takes nothing it should not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../base/random.ts";
import { decodeFrame, encodeFrame, FRAME_BYTES_MAX, FrameDecoder } from "./link-frame.ts";

const poll = (sequence: number) => encodeFrame({ case: "poll", value: { term: 1, sequence } })!;
const chunk = (bytes: number) => encodeFrame({ case: "logChunk", value: { id: 1, data: new Uint8Array(bytes).map((_, i) => i) } })!;

function decodeAll(decoder: FrameDecoder, pieces: readonly Uint8Array[]): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (const piece of pieces) {
    const cut = decoder.push(piece, (frame) => {
      frames.push(frame);
      return true;
    });
    assert.ok(cut.ok);
  }
  return frames;
}

const bodies = (frames: readonly Uint8Array[]) =>
  frames.map((frame) => {
    const decoded = decodeFrame(frame);
    assert.ok(decoded.ok, JSON.stringify(decoded));
    return decoded.value.body;
  });

test("a stream of frames cut at every two places gives the same frames [B2]", () => {
  const stream = Buffer.concat([poll(1), poll(2), chunk(20), poll(3)]);
  const whole = bodies(decodeAll(new FrameDecoder(), [stream]));
  assert.deepEqual(
    whole.map((body) => body.case),
    ["poll", "poll", "logChunk", "poll"],
  );
  for (let a = 0; a <= stream.length; a++) {
    for (let b = a; b <= stream.length; b++) {
      const pieces = [stream.subarray(0, a), stream.subarray(a, b), stream.subarray(b)];
      assert.deepEqual(bodies(decodeAll(new FrameDecoder(), pieces)), whole, `cut at ${a} and ${b}`);
    }
  }
  const bytes = Array.from(stream, (_, i) => stream.subarray(i, i + 1));
  assert.deepEqual(bodies(decodeAll(new FrameDecoder(), bytes)), whole);
});

test("what was handed out is not written over by what comes later", () => {
  const random = new Random(1, "frames");
  const sent = Array.from({ length: 50 }, (_, i) => chunk(i * 97));
  const stream = Buffer.concat(sent);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < stream.length; ) {
    const length = random.int(1, 300);
    pieces.push(Buffer.from(stream.subarray(at, at + length)));
    at += length;
  }
  const frames = decodeAll(new FrameDecoder(), pieces);
  assert.deepEqual(
    frames.map((frame) => Buffer.from(frame)),
    sent.map((frame) => Buffer.from(frame.subarray(4))),
  );
});

test("a frame beyond the bound is refused by its length alone, and costs no memory", () => {
  const decoder = new FrameDecoder(1000);
  const length = Buffer.alloc(5);
  length.writeUInt32BE(1001);
  const cut = decoder.push(length, () => assert.fail("no frame"));
  assert.deepEqual(cut, { ok: false, reason: "Expected a frame of at most 1000 bytes, found 1001" });
  assert.equal(encodeFrame({ case: "logChunk", value: { data: new Uint8Array(FRAME_BYTES_MAX) } }), undefined);
});

test("a large frame in tiny pieces takes linear time", () => {
  const frame = Buffer.alloc(4 + 4_000_000);
  frame.writeUInt32BE(4_000_000);
  const decoder = new FrameDecoder();
  let frames = 0;
  for (let at = 0; at < frame.length; at += 7)
    assert.ok(
      decoder.push(frame.subarray(at, at + 7), () => {
        frames++;
        return true;
      }).ok,
    );
  assert.equal(frames, 1);
});

test("frames out of bounds are refused in words", () => {
  assert.match((decodeFrame(new Uint8Array()) as { reason: string }).reason, /Expected one of open, opened/);
  assert.match((decodeFrame(Uint8Array.of(0xff)) as { reason: string }).reason, /Cannot decode LinkFrame/);
  const long = encodeFrame({ case: "open", value: { protocol: 1, machine: "M" } })!;
  assert.match((decodeFrame(long.subarray(4)) as { reason: string }).reason, /Cannot take LinkFrame\.body\.open\.machine: Expected a name/);
  // A million empty messages where orders should be.
  const flood = Buffer.concat([Uint8Array.of(0x22, 0xa0, 0x96, 0x80, 0x01), Buffer.alloc(2_100_000, Uint8Array.of(0x22, 0))]);
  assert.match((decodeFrame(flood) as { reason: string }).reason, /at most 1000000 fields/);
});
