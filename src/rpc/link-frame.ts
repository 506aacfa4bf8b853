/**
 * Frames of a link: a length (4 bytes, big-endian) and one LinkFrame. The decoder copies a byte at most twice however the
 * stream is cut, takes memory only for bytes that came, and hands out only frames that are within their bounds.
 */
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { type Result, refused } from "../base/result.ts";
import { checker } from "../wire/check.ts";
import { encode, make, mustDecode } from "../wire/codec.ts";
import { type LinkFrame, LinkFrameSchema } from "../wire/gen/borg/v1/link_pb.ts";
import type { BetweenBorglets, FromBorglet, ToBorglet } from "../wire/link-message.ts";
import { binaryScan } from "./api/scan-binary.ts";

/** The largest frame; a longer one ends the link. */
export const FRAME_BYTES_MAX = 16 * 2 ** 20;
/** The largest first frame, of someone we do not know yet. */
export const OPEN_BYTES_MAX = 64 * 1024;

const LENGTH_BYTES = 4;
/** Larger frames are scanned before they are decoded: small ones cannot hold enough to hurt. */
const SCAN_BYTES_MIN = 256 * 1024;
/** Ten thousand instances of a report, each with its usage, stay below this. */
const FIELDS_MAX = 1_000_000;
const FIRST_PENDING_BYTES = 4096;

type Init = Exclude<NonNullable<MessageInitShape<typeof LinkFrameSchema>["body"]>, { readonly case?: undefined }>;

/** A body to be sent: plain values will do. */
export type FrameBody = Init;
export type Plain<Frame extends FromBorglet | ToBorglet | BetweenBorglets> = Extract<Init, { readonly case: Frame["case"] }>;

/** The version of the conversation; a master refuses any other. */
export const LINK_PROTOCOL = 2;

/** Why a link is closed with which nothing is wrong: its borglet may dial again at once. Told by these words, because a borglet of an older build takes no other field. */
export const MOVED = "Another replica polls this machine now: dial again";

/** How frames of one kind are made and read. */
export interface FrameCodec<Frame, Body> {
  /** With its length before it, ready to be sent. Undefined when it is longer than any receiver takes. */
  readonly encode: (body: Body) => Uint8Array | undefined;
  readonly decode: (bytes: Uint8Array) => Result<Frame>;
}

/** `frameOf` puts a body into a frame. */
export function frameCodec<Desc extends DescMessage, Body>(
  schema: Desc,
  frameOf: (body: Body) => MessageShape<Desc>,
): FrameCodec<MessageShape<Desc>, Body> {
  const check = checker(schema);
  const scan = binaryScan(schema);
  return {
    encode: (body) => withLength(encode(schema, frameOf(body))),
    decode: (bytes) => {
      if (bytes.length >= SCAN_BYTES_MIN) {
        const problem = scan(bytes, FIELDS_MAX);
        if (problem !== undefined) return refused(problem);
      }
      let frame: MessageShape<Desc>;
      try {
        frame = mustDecode(schema, bytes);
      } catch (error) {
        return refused(`Cannot decode ${schema.name}: ${error instanceof Error ? error.message : "malformed"}`);
      }
      const problem = check(frame);
      return problem === undefined ? { ok: true, value: frame } : refused(`Cannot take ${schema.name}${problem}`);
    },
  };
}

function withLength(message: Uint8Array): Uint8Array | undefined {
  if (message.length > FRAME_BYTES_MAX) return undefined;
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + message.length);
  bytes.writeUInt32BE(message.length, 0);
  bytes.set(message, LENGTH_BYTES);
  return bytes;
}

export const LINK_FRAMES: FrameCodec<LinkFrame, FrameBody> = frameCodec(LinkFrameSchema, (body: FrameBody) =>
  make(LinkFrameSchema, { body }),
);

export const encodeFrame = LINK_FRAMES.encode;

export const decodeFrame = LINK_FRAMES.decode;

/** Cuts a stream of bytes into frames. After a refusal it must not be used again. */
export class FrameDecoder {
  /** Of the next frame; may be changed between frames. */
  bytesMax: number;
  /** The beginning of a frame, in a buffer that grows with what came. */
  #pending: Buffer = Buffer.alloc(0);
  #length = 0;

  constructor(bytesMax: number = FRAME_BYTES_MAX) {
    this.bytesMax = bytesMax;
  }

  /** Hands each whole frame's bytes to `take`, which says whether to go on. The bytes are never written again. */
  push(chunk: Uint8Array, take: (frame: Uint8Array) => boolean): Result<void> {
    let at = 0;
    while (at < chunk.length) {
      const size = this.#size(chunk, at);
      if (size !== undefined && size > this.bytesMax) return refused(`Expected a frame of at most ${this.bytesMax} bytes, found ${size}`);
      const whole = size === undefined ? LENGTH_BYTES : LENGTH_BYTES + size;
      const missing = whole - this.#length;
      const there = Math.min(missing, chunk.length - at);
      if (size !== undefined && this.#length === 0 && there === missing) {
        at += there;
        if (!take(chunk.subarray(at - size, at))) return DONE;
        continue;
      }
      this.#keep(chunk, at, there, whole);
      at += there;
      if (size === undefined || this.#length < whole) continue;
      if (!take(this.#taken(whole))) return DONE;
    }
    return DONE;
  }

  /** The length of the current frame, once four bytes of it are there. */
  #size(chunk: Uint8Array, at: number): number | undefined {
    if (this.#length >= LENGTH_BYTES) return this.#pending.readUInt32BE(0);
    if (this.#length > 0 || chunk.length - at < LENGTH_BYTES) return undefined;
    return ((chunk[at]! << 24) | (chunk[at + 1]! << 16) | (chunk[at + 2]! << 8) | chunk[at + 3]!) >>> 0;
  }

  #keep(chunk: Uint8Array, at: number, bytes: number, whole: number): void {
    const needed = this.#length + bytes;
    if (needed > this.#pending.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * needed, FIRST_PENDING_BYTES), Math.max(whole, needed)));
      larger.set(this.#pending.subarray(0, this.#length));
      this.#pending = larger;
    }
    this.#pending.set(chunk.subarray(at, at + bytes), this.#length);
    this.#length = needed;
  }

  #taken(whole: number): Uint8Array {
    const frame = this.#pending.subarray(LENGTH_BYTES, whole);
    this.#pending = Buffer.alloc(0);
    this.#length = 0;
    return frame;
  }
}

const DONE: Result<void> = { ok: true, value: undefined };
