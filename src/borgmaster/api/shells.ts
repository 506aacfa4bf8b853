/** Shells that users opened in tasks: who opened which, and what its borglet said of it. They are forgotten with the master; what is open then is opened again. */
import type { MachineId } from "../../base/id.ts";
import { decode, encode, make } from "../../wire/codec.ts";
import { type UseShellRequest, type UseShellResponse, UseShellResponseSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { ShellChunkSchema, ShellRequestSchema, ShellUseSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import type { BorgletAnswer, FailureCode } from "./message.ts";

/** Of one user, and of all; one more and the oldest is forgotten. */
const OPEN_MAX = 32;
const ALL_MAX = 1000;
const CHUNK_BYTES_MAX = 300_000;
/** Before the caller's deadline an answer without news is on its way. */
const MARGIN_MS = 200;

export interface ShellSource {
  readonly instance: string;
  readonly machine: MachineId;
}

export class Shells {
  /** By user and the id of the request that opened it, the oldest first; the instance that it is in. */
  readonly #open = new Map<string, string>();

  opened(user: string, shell: string, instance: string): void {
    this.#open.set(keyOf(user, shell), instance);
    const own = [...this.#open.keys()].filter((key) => key.startsWith(`${user} `));
    if (own.length > OPEN_MAX) this.#open.delete(own[0] as string);
    const [oldest] = this.#open.keys();
    if (this.#open.size > ALL_MAX) this.#open.delete(oldest as string);
  }

  instanceOf(user: string, shell: string): string | undefined {
    return this.#open.get(keyOf(user, shell));
  }
}

/** A user's name has no space. */
const keyOf = (user: string, shell: string): string => `${user} ${shell}`;

/** What the borglet is asked, encoded. */
export function shellRequest(user: string, { instance }: ShellSource, { shell, use: asked }: UseShellRequest, leftMs: number): Uint8Array {
  const use = asked ?? make(ShellUseSchema, {});
  const waitMs = Math.floor(Math.min(use.waitMs, Math.max(leftMs - MARGIN_MS, 0)));
  return encode(ShellRequestSchema, make(ShellRequestSchema, { shell: keyOf(user, shell), instance, use: { ...use, waitMs } }));
}

export type ShellRead =
  | { readonly ok: true; readonly value: UseShellResponse }
  | { readonly ok: false; readonly code: FailureCode; readonly reason: string };

const no = (code: FailureCode, reason: string): ShellRead => ({ ok: false, code, reason });

export function shellAnswer({ instance, machine }: ShellSource, told: BorgletAnswer): ShellRead {
  if (told.type === "borglet-silent") return no("unavailable", told.reason);
  const chunk = decode(ShellChunkSchema, told.chunk, CHUNK_BYTES_MAX);
  if (!chunk.ok) return no("unavailable", chunk.reason);
  const { problem, missing, said } = chunk.value;
  if (problem !== "") return no(missing ? "not-found" : "refused", problem);
  return { ok: true, value: make(UseShellResponseSchema, { instance, machine, said }) };
}
