/** Breaks bytes and JSON texts in the ways that parsers dislike. */
import type { Random } from "../../src/base/random.ts";

const EDGES = [0x00, 0x01, 0x7f, 0x80, 0xff];
const TOKENS = [
  '"__proto__":{"x":1},',
  '"constructor":{},',
  "[".repeat(70),
  "[".repeat(20_000),
  '{"a":'.repeat(5000),
  "1e400",
  "-1",
  "-0",
  "0.5",
  "9007199254740993",
  "1".repeat(400),
  "null",
  "NaN",
  '"\\ud800"',
  '"\\u0000"',
  "\u2028",
  ",",
  "}",
  "]",
  '"',
  "\\",
  '"requestId":"a","request_id":"b",',
];

/** One to three changes; `other` is something of the same kind to splice with. */
export function mutateBytes(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let out: Uint8Array = bytes;
  for (let i = random.int(1, 4); i > 0; i--) out = BYTE_CHANGES[random.int(0, BYTE_CHANGES.length)]!(out, other, random);
  return out;
}

export function mutateText(text: string, other: string, random: Random): string {
  if (random.chance(0.5)) {
    const at = random.int(0, text.length + 1);
    return text.slice(0, at) + random.pick(TOKENS) + text.slice(random.chance(0.5) ? at : Math.min(text.length, at + random.int(0, 8)));
  }
  if (random.chance(0.2)) return text.replace(/\d+/, random.pick(TOKENS));
  return Buffer.from(mutateBytes(Buffer.from(text), Buffer.from(other), random)).toString("latin1");
}

type Change = (bytes: Uint8Array, other: Uint8Array, random: Random) => Uint8Array;

const BYTE_CHANGES: readonly Change[] = [
  // A flipped bit.
  (bytes, _, random) => {
    const out = Uint8Array.from(bytes);
    if (out.length > 0) out[random.int(0, out.length)]! ^= 1 << random.int(0, 8);
    return out;
  },
  // A byte at its edge.
  (bytes, _, random) => {
    const out = Uint8Array.from(bytes);
    if (out.length > 0) out[random.int(0, out.length)] = random.pick(EDGES);
    return out;
  },
  // Cut off.
  (bytes, _, random) => bytes.slice(0, random.int(0, bytes.length + 1)),
  // Something put in.
  (bytes, _, random) => {
    const at = random.int(0, bytes.length + 1);
    const more = new Uint8Array(random.int(1, 20)).map(() => (random.chance(0.5) ? random.pick(EDGES) : random.int(0, 256)));
    return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
  },
  // Something taken out.
  (bytes, _, random) => {
    const at = random.int(0, bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.int(1, 9))]);
  },
  // A part again, a few or very many times.
  (bytes, _, random) => {
    const at = random.int(0, bytes.length + 1);
    const part = bytes.subarray(at, at + random.int(1, 30));
    const times = random.chance(0.05) ? 5000 : random.int(1, 4);
    return Buffer.concat([bytes.subarray(0, at), ...Array.from({ length: times }, () => part), bytes.subarray(at)]);
  },
  // Half of this and half of that.
  (bytes, other, random) =>
    Buffer.concat([bytes.subarray(0, random.int(0, bytes.length + 1)), other.subarray(random.int(0, other.length + 1))]),
];
