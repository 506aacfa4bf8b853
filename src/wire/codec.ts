/** Bytes to messages and back. Decoding never throws on bad input: it refuses in words. */
import { create, type DescMessage, equals, fromBinary, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type Result, refused } from "../base/result.ts";

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

export function make<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): MessageShape<Desc> {
  return create(schema, init);
}

export function same<Desc extends DescMessage>(schema: Desc, a: MessageShape<Desc>, b: MessageShape<Desc>): boolean {
  return equals(schema, a, b);
}

/** What `make` takes: plain values, nested as deep as the message is. */
export type Init<Desc extends DescMessage> = Exclude<MessageInitShape<Desc>, MessageShape<Desc>>;
