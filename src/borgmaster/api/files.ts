/** Files of tasks: which instance's, on which machine, and what its borglet sent of them. */
import { decode, encode, make } from "../../wire/codec.ts";
import { type ReadFileRequest, type ReadFileResponse, ReadFileResponseSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { FileChunkSchema, FileRequestSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import type { LogSource } from "./logs.ts";
import type { BorgletAnswer, FailureCode } from "./message.ts";

const BYTES_DEFAULT = 65_536;
const CHUNK_BYTES_MAX = 16 * 1024 * 1024;

/** What the borglet is asked, encoded. */
export function fileRequest({ instance }: LogSource, { path, offset, bytesMax }: ReadFileRequest): Uint8Array {
  return encode(FileRequestSchema, make(FileRequestSchema, { instance, path, offset, bytesMax: bytesMax || BYTES_DEFAULT }));
}

export type FileRead =
  | { readonly ok: true; readonly value: ReadFileResponse }
  | { readonly ok: false; readonly code: FailureCode; readonly reason: string };

const no = (code: FailureCode, reason: string): FileRead => ({ ok: false, code, reason });

export function fileAnswer({ instance, machine }: LogSource, told: BorgletAnswer): FileRead {
  if (told.type === "borglet-silent") return no("unavailable", told.reason);
  const chunk = decode(FileChunkSchema, told.chunk, CHUNK_BYTES_MAX);
  if (!chunk.ok) return no("unavailable", chunk.reason);
  const { problem, missing, kind, bytes, data, entries, more } = chunk.value;
  if (problem !== "") return no(missing ? "not-found" : "refused", problem);
  return { ok: true, value: make(ReadFileResponseSchema, { instance, machine, kind, bytes, data, entries, more }) };
}
