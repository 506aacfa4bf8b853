/**
 * A recorded journal: entries as a replica got them, the state hash after every HASH_EVERY of them, and a checkpoint from the middle.
 * Recordings are made once per cell version (tools/record.ts) and never change: they must replay for ever.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { newState } from "../../src/cell/cell.ts";
import { encodeCheckpoint, stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import type { CellState } from "../../src/cell/state.ts";
import { replayOne } from "../cell/world.ts";

export const HASH_EVERY = 100;

/** What stands beside the bytes, as JSON. */
export interface Recording {
  /** The highest cell version that its ops switch on. */
  readonly version: number;
  readonly commit: string;
  readonly source: string;
  readonly entries: number;
  readonly checkpointAt: number;
  /** After entry 100, 200, ..., and after the last. */
  readonly hashes: readonly string[];
}

const file = (name: string, what: string): URL => new URL(`./${name}.${what}`, import.meta.url);

export const readRecording = (name: string): Recording => JSON.parse(readFileSync(file(name, "json"), "utf8")) as Recording;

export function readEntries(name: string): Uint8Array[] {
  const bytes = gunzipSync(readFileSync(file(name, "journal.gz")));
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    entries.push(new Uint8Array(bytes.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return entries;
}

export const readCheckpoint = (name: string): Uint8Array => new Uint8Array(gunzipSync(readFileSync(file(name, "checkpoint.gz"))));

/** Called after every entry whose hash a recording holds. */
export function replay(state: CellState, entries: readonly Uint8Array[], hashed: (position: number) => void): void {
  for (const bytes of entries.slice(state.position)) {
    replayOne(state, bytes);
    if (state.position % HASH_EVERY === 0 || state.position === entries.length) hashed(state.position);
  }
}

export function record(name: string, entries: readonly Uint8Array[], about: Pick<Recording, "commit" | "source">): Recording {
  const state = newState();
  const checkpointAt = Math.floor(entries.length / 2);
  const hashes: string[] = [];
  replay(state, entries.slice(0, checkpointAt), () => {});
  writeFileSync(file(name, "checkpoint.gz"), gzipSync(encodeCheckpoint(state).bytes, { level: 9 }));
  const whole = newState();
  replay(whole, entries, () => hashes.push(stateHash(whole)));
  const frames = entries.flatMap((entry) => [lengthOf(entry), entry]);
  writeFileSync(file(name, "journal.gz"), gzipSync(Buffer.concat(frames), { level: 9 }));
  const recording: Recording = { version: whole.version, ...about, entries: entries.length, checkpointAt, hashes };
  writeFileSync(file(name, "json"), `${JSON.stringify(recording, undefined, 2)}\n`);
  return recording;
}

function lengthOf(entry: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(entry.length);
  return bytes;
}
