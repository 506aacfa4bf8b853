/**
 * What the API asks of a borglet through its link: pieces of logs and files, shells, and what a task used lately. Each question has a number on the link; its answer goes back to who asked,
 * or the reason why there is none.
 */
import type { BorgletAnswer, BorgletAsk } from "../../borgmaster/api/message.ts";
import type { LinkHandle } from "../../rpc/link-server.ts";
import { decode, encode } from "../../wire/codec.ts";
import {
  FileChunkSchema,
  FileRequestSchema,
  LogChunkSchema,
  LogRequestSchema,
  ShellChunkSchema,
  ShellRequestSchema,
  UsageChunkSchema,
  UsageRequestSchema,
} from "../../wire/gen/borg/v1/link_pb.ts";
import type { FromBorglet, ToBorglet } from "../../wire/link-message.ts";

/** Questions that no borglet has answered; beyond it the oldest is answered with a failure. */
const ASKED_MAX = 10_000;
const REQUEST_BYTES_MAX = 300_000;

type Said = Extract<FromBorglet, { readonly case: "logChunk" | "fileChunk" | "shellChunk" | "usageChunk" }>;

const SAID: ReadonlySet<string> = new Set<Said["case"]>(["logChunk", "fileChunk", "shellChunk", "usageChunk"]);

export const isSaid = (frame: FromBorglet): frame is Said => SAID.has(frame.case);

interface Asked {
  readonly id: string;
  readonly machine: string;
}

export class Relay {
  readonly #linkOf: (machine: string) => LinkHandle | undefined;
  readonly #tell: (answer: BorgletAnswer, bytes: number) => void;
  readonly #asked = new Map<number, Asked>();
  #last = 0;

  constructor(linkOf: (machine: string) => LinkHandle | undefined, tell: (answer: BorgletAnswer, bytes: number) => void) {
    this.#linkOf = linkOf;
    this.#tell = tell;
  }

  ask(asked: BorgletAsk): void {
    const { id, machine } = asked;
    const link = this.#linkOf(machine);
    const frame = frameOf(asked, this.#last + 1);
    if (link === undefined || frame === undefined)
      return this.#none(id, `Machine "${machine}" is not linked now: try again when it answers`);
    const oldest = this.#asked.size >= ASKED_MAX ? this.#asked.keys().next().value : undefined;
    if (oldest !== undefined) this.#drop(oldest, "Too much is being read of tasks");
    this.#last += 1;
    this.#asked.set(this.#last, { id, machine });
    link.send(frame);
  }

  /** Only the machine that was asked answers. */
  hear(machine: string, frame: Said): void {
    const asked = this.#asked.get(frame.value.id);
    if (asked === undefined || asked.machine !== machine) return;
    this.#asked.delete(frame.value.id);
    const chunk = bytesOf(frame);
    this.#tell({ type: "borglet-said", id: asked.id, chunk }, chunk.length);
  }

  closed(machine: string): void {
    for (const [number, asked] of this.#asked) if (asked.machine === machine) this.#drop(number, `Machine "${machine}" went away`);
  }

  #drop(number: number, reason: string): void {
    const asked = this.#asked.get(number);
    this.#asked.delete(number);
    if (asked !== undefined) this.#none(asked.id, reason);
  }

  #none(id: string, reason: string): void {
    this.#tell({ type: "borglet-silent", id, reason }, 0);
  }
}

function frameOf({ about, request }: BorgletAsk, id: number): ToBorglet | undefined {
  if (about === "log") {
    const read = decode(LogRequestSchema, request, REQUEST_BYTES_MAX);
    return read.ok ? { case: "logRequest", value: { ...read.value, id } } : undefined;
  }
  if (about === "file") {
    const read = decode(FileRequestSchema, request, REQUEST_BYTES_MAX);
    return read.ok ? { case: "fileRequest", value: { ...read.value, id } } : undefined;
  }
  if (about === "usage") {
    const read = decode(UsageRequestSchema, request, REQUEST_BYTES_MAX);
    return read.ok ? { case: "usageRequest", value: { ...read.value, id } } : undefined;
  }
  const read = decode(ShellRequestSchema, request, REQUEST_BYTES_MAX);
  return read.ok ? { case: "shellRequest", value: { ...read.value, id } } : undefined;
}

function bytesOf(frame: Said): Uint8Array {
  if (frame.case === "logChunk") return encode(LogChunkSchema, frame.value);
  if (frame.case === "usageChunk") return encode(UsageChunkSchema, frame.value);
  return frame.case === "fileChunk" ? encode(FileChunkSchema, frame.value) : encode(ShellChunkSchema, frame.value);
}
