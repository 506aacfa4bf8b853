/** Bytes to messages and back. Decoding never throws on bad input: it refuses in words. */
import { create, type DescMessage, equals, fromBinary, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { type Result, refused } from "../base/result.ts";
import { EntrySchema } from "./gen/borg/v1/op_pb.ts";

export function encode<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Uint8Array {
  return toBinary(schema, message);
}

/** `bytesMax` is looked at before anything is parsed. */
export function decode<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array, bytesMax: number): Result<MessageShape<Desc>> {
  if (bytes.length > bytesMax) return refused(`Expected at most ${bytesMax} bytes of ${schema.name}, found ${bytes.length}`);
  try {
    return { ok: true, value: fromBinary(schema, bytes) };
  } catch (error) {
    return refused(`Cannot decode ${schema.name}: ${error instanceof Error ? error.message : "malformed"}`);
  }
}

/** An entry of ops that are bytes already: as if they had been encoded with it. */
export function encodeEntryOf(timeMs: number, ops: readonly Uint8Array[]): Uint8Array {
  const writer = new BinaryWriter();
  if (timeMs !== 0) writer.tag(EntrySchema.field.timeMs.number, WireType.Bit64).double(timeMs);
  for (const bytes of ops) writer.tag(EntrySchema.field.ops.number, WireType.LengthDelimited).bytes(bytes);
  return writer.finish();
}

export function make<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): MessageShape<Desc> {
  return create(schema, init);
}

export function same<Desc extends DescMessage>(schema: Desc, a: MessageShape<Desc>, b: MessageShape<Desc>): boolean {
  return equals(schema, a, b);
}

/** What `make` takes: plain values, nested as deep as the message is. */
export type Init<Desc extends DescMessage> = Exclude<MessageInitShape<Desc>, MessageShape<Desc>>;
