/** Requests for pieces of tasks' files: answered at once, from whatever the machine finds. */
import { make } from "../wire/codec.ts";
import { type FileChunk, FileChunkSchema, type FileRequest } from "../wire/gen/borg/v1/link_pb.ts";
import type { BorgletMachine } from "./machine.ts";

export const FILE_BYTES_MAX = 262_144;
const PARTS_MAX = 128;

export function fileChunk(machine: Pick<BorgletMachine, "readFile">, { id, instance, path, offset, bytesMax }: FileRequest): FileChunk {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..") || parts.length > PARTS_MAX)
    return make(FileChunkSchema, {
      id,
      problem: "A path goes from the task's directory down, without .., and not deeper than 128 directories",
    });
  return make(FileChunkSchema, {
    id,
    ...machine.readFile({ instance, parts, offset, bytesMax: Math.min(bytesMax || FILE_BYTES_MAX, FILE_BYTES_MAX) }),
  });
}
