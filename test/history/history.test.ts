/** Journals and checkpoints that earlier builds wrote mean the same to this one, for ever. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { newState } from "../../src/cell/cell.ts";
import { stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import { HASH_EVERY, readCheckpoint, readEntries, readRecording, replay } from "./recording.ts";

const names = globSync(new URL("./*.journal.gz", import.meta.url).pathname)
  .map((path) => basename(path, ".journal.gz"))
  .sort();

test("there is a recording of every cell version up to this build's [KD4]", () => {
  const versions = new Set(names.map((name) => readRecording(name).version));
  for (let version = 1; version <= VERSION_MAX; version++)
    assert.ok(versions.has(version), `Record version ${version}: node tools/record.ts --name v${version}`);
});

for (const name of names) {
  const { entries: count, checkpointAt, hashes, version } = readRecording(name);
  const expected = (position: number): string | undefined => hashes[Math.ceil(position / HASH_EVERY) - 1];

  test(`${name}: ${count} entries of cell version ${version} give the recorded hashes [KD4]`, () => {
    const entries = readEntries(name);
    assert.equal(entries.length, count);
    const state = newState();
    replay(state, entries, (position) => assert.equal(stateHash(state), expected(position), `After entry ${position}`));
    assert.equal(state.version, version);
  });

  test(`${name}: the recorded checkpoint at ${checkpointAt} goes on to the same hashes [KD4]`, () => {
    const decoded = decodeCheckpoint(readCheckpoint(name));
    assert.ok(decoded.ok, decoded.ok ? "" : decoded.reason);
    const state = decoded.value;
    assert.equal(state.position, checkpointAt);
    replay(state, readEntries(name), (position) => assert.equal(stateHash(state), expected(position), `After entry ${position}`));
  });
}
