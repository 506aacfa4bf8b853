/** Bytes to etcd's messages and back, for the etcd journal. They are another vocabulary than ours, so the library's general code does it. */
import { create, type DescMessage, fromBinary, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";

export function encodeEtcd<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): Uint8Array {
  return toBinary(schema, create(schema, init));
}

/** Throws where the bytes are no such message. */
export function decodeEtcd<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array): MessageShape<Desc> {
  return fromBinary(schema, bytes);
}
