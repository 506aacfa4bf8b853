/** Bytes to messages and back. Decoding never throws on bad input: it refuses in words. */
import { type DescMessage, equals, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { assert } from "../base/assert.ts";
import { type Result, refused } from "../base/result.ts";
import { FeedRecordsSchema } from "./gen/borg/v1/feed_pb.ts";
import { EntrySchema } from "./gen/borg/v1/op_pb.ts";
import { CODECS, type MessageCodec } from "./gen/codec.ts";
import { Reader } from "./reader.ts";

function codecOf({ typeName }: DescMessage): MessageCodec {
  const codec = CODECS[typeName];
  assert(codec !== undefined, `Message "${typeName}" is not one of proto/`);
  return codec;
}

/** A larger buffer is not kept. */
const KEPT_BYTES_MAX = 2 ** 16;

/** What was written is copied out of the buffer, so one serves every message: to make one for each cost as much as the writing. */
class Scratch {
  #writer: BinaryWriter | undefined;

  bytesOf(write: (writer: BinaryWriter) => void): Uint8Array {
    const writer = this.#writer ?? new BinaryWriter();
    // One that is given up half-written is not used again.
    this.#writer = undefined;
    write(writer);
    const bytes = writer.finish();
    if (bytes.length <= KEPT_BYTES_MAX) this.#writer = writer;
    return bytes;
  }
}

const scratch = new Scratch();

export function encode<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Uint8Array {
  const { write } = codecOf(schema);
  return scratch.bytesOf((writer) => write(writer, message));
}

/** For bytes of our own, where a fault is an error. */
export function mustDecode<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array): MessageShape<Desc> {
  const codec = codecOf(schema);
  return codec.read(codec.zero(), new Reader(bytes), bytes.length) as MessageShape<Desc>;
}

/** `bytesMax` is looked at before anything is parsed. */
export function decode<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array, bytesMax: number): Result<MessageShape<Desc>> {
  if (bytes.length > bytesMax) return refused(`Expected at most ${bytesMax} bytes of ${schema.name}, found ${bytes.length}`);
  try {
    return { ok: true, value: mustDecode(schema, bytes) };
  } catch (error) {
    return refused(`Cannot decode ${schema.name}: ${error instanceof Error ? error.message : "malformed"}`);
  }
}

/** An entry of ops that are bytes already: as if they had been encoded with it. */
export function encodeEntryOf(timeMs: number, ops: readonly Uint8Array[]): Uint8Array {
  return scratch.bytesOf((writer) => {
    if (timeMs !== 0) writer.tag(EntrySchema.field.timeMs.number, WireType.Bit64).double(timeMs);
    for (const bytes of ops) writer.tag(EntrySchema.field.ops.number, WireType.LengthDelimited).bytes(bytes);
  });
}

/** A message of records that are bytes already: as if they had been encoded with it. */
export function encodeRecordsOf(records: readonly Uint8Array[]): Uint8Array {
  return scratch.bytesOf((writer) => {
    for (const bytes of records) writer.tag(FeedRecordsSchema.field.records.number, WireType.LengthDelimited).bytes(bytes);
  });
}

export function make<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): MessageShape<Desc> {
  return codecOf(schema).make(init) as MessageShape<Desc>;
}

export function same<Desc extends DescMessage>(schema: Desc, a: MessageShape<Desc>, b: MessageShape<Desc>): boolean {
  return equals(schema, a, b);
}

/** What `make` takes: plain values, nested as deep as the message is. */
export type Init<Desc extends DescMessage> = Exclude<MessageInitShape<Desc>, MessageShape<Desc>>;
