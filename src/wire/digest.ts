/** Sixteen bytes that stand for a message, so that two of them can be told apart when one is no longer there. */
import { type NewHash, newSha256 } from "../base/sha256.ts";
import { encode } from "./codec.ts";
import { type JobSpec, JobSpecSchema } from "./gen/borg/v1/spec_pb.ts";

const DIGEST_BYTES = 16;

/** `name` says what the bytes are: the same bytes of another kind have another digest. */
export function digestOf(name: string, bytes: Uint8Array, newHash: NewHash = newSha256): Uint8Array {
  const hex = newHash()
    .update(Uint8Array.from(`${name}\0`, (letter) => letter.charCodeAt(0)))
    .update(bytes)
    .hex();
  return Uint8Array.from({ length: DIGEST_BYTES }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** Of what a job was asked to be. Its count is left out: that may change while the job lives, and the cell keeps it beside the spec. */
export const specDigest = (spec: JobSpec): Uint8Array => digestOf("JobSpec", encode(JobSpecSchema, { ...spec, count: 0 }));

export const sameDigest = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);
