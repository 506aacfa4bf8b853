/**
 * The memory file as borglets wrote it before its batches had numbers: records one after the other, each with its length, a checksum of the length
 * and one of the record. It is only read, once, so that a borglet that is upgraded takes up the tasks of the old one.
 */
import { crc32c } from "../base/crc32c.ts";
import { decode } from "../wire/codec.ts";
import { type KeptRecord, KeptRecordSchema } from "../wire/gen/borg/v1/borglet_pb.ts";
import { damaged } from "./kept.ts";

const HEAD_BYTES = 12;

export function readUnnumbered(
  bytes: Uint8Array,
  name: string,
  bytesMax: number,
): { readonly records: KeptRecord[]; readonly cut: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: KeptRecord[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= bytes.length) {
    const end = at + HEAD_BYTES + view.getUint32(at, true);
    const known = crc32c(bytes, at, at + 4) === view.getUint32(at + 4, true);
    // Cut short: the file ends inside it, or was made longer before its bytes came.
    if (known ? end > bytes.length : bytes.subarray(at).every((byte) => byte === 0)) return { records, cut: true };
    const isWhole = known && crc32c(bytes, at + HEAD_BYTES, end) === view.getUint32(at + 8, true);
    const record = isWhole ? decode(KeptRecordSchema, bytes.subarray(at + HEAD_BYTES, end), bytesMax) : undefined;
    if (record?.ok === true) records.push(record.value);
    else if (known && end === bytes.length) return { records, cut: true };
    else throw damaged(name, at);
    at = end;
  }
  return { records, cut: at < bytes.length };
}
