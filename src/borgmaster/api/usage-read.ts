/** What a task used in the last five minutes, as its borglet measured it: machines keep it for so long and tell it only when they are asked. */
import { decode, encode, make } from "../../wire/codec.ts";
import { type ReadUsageResponse, ReadUsageResponseSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { UsageChunkSchema, UsageRequestSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import type { BorgletAnswer, FailureCode } from "./message.ts";

const CHUNK_BYTES_MAX = 65_536;

interface Source {
  readonly instance: string;
  readonly machine: string;
}

/** What the borglet is asked, encoded. */
export const usageRequest = ({ instance }: Source): Uint8Array => encode(UsageRequestSchema, make(UsageRequestSchema, { instance }));

export type UsageRead =
  | { readonly ok: true; readonly value: ReadUsageResponse }
  | { readonly ok: false; readonly code: FailureCode; readonly reason: string };

/** A machine says how long ago; the cell's clock makes times of it. */
export function usageAnswer({ instance, machine }: Source, timeMs: number, told: BorgletAnswer): UsageRead {
  if (told.type === "borglet-silent") return { ok: false, code: "unavailable", reason: told.reason };
  const chunk = decode(UsageChunkSchema, told.chunk, CHUNK_BYTES_MAX);
  if (!chunk.ok) return { ok: false, code: "unavailable", reason: chunk.reason };
  const moments = chunk.value.changes.map(({ agoMs, cpuMilli, ramBytes, diskBytes }) => ({
    timeMs: timeMs - Math.max(0, agoMs),
    ...{ cpuMilli, ramBytes, diskBytes },
  }));
  return { ok: true, value: make(ReadUsageResponseSchema, { instance, machine, timeMs, moments }) };
}
