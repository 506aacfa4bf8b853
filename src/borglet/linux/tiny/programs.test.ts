/** The tiny programs as this machine's processor runs them. */
import assert from "node:assert/strict";
import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { placeTinyPrograms } from "./place.ts";
import { BLOCK_BYTES, BLOCKS, COPIED, logCopier, WORD_DESCRIPTOR, witness } from "./programs.ts";

const directory = mkdtempSync(join(tmpdir(), "openborg-tiny-"));
after(() => rmSync(directory, { recursive: true, force: true }));
const programs = placeTinyPrograms(directory);
const skip = programs === undefined && `no tiny programs for ${arch()}`;

interface Ended {
  readonly code: number | null;
  readonly word: string;
  readonly output: string;
}

/** Under the witness, as a shim starts it. */
function witnessed(words: readonly string[], options: SpawnSyncOptions = {}): Ended {
  const path = join(directory, "word");
  const word = openSync(path, "w");
  const stdio: ("ignore" | "pipe" | number)[] = [
    "ignore",
    "pipe",
    "pipe",
    ...new Array<"ignore">(WORD_DESCRIPTOR - 3).fill("ignore"),
    word,
  ];
  try {
    const { status, stdout } = spawnSync(programs!.witness, words, { ...options, stdio });
    return { code: status, word: readFileSync(path, "latin1"), output: String(stdout) };
  } finally {
    closeSync(word);
  }
}
const shell = (script: string, options: SpawnSyncOptions = {}): Ended => witnessed(["/bin/sh", "-c", script], options);

for (const [script, code, word] of [
  ["exit 0", 0, "exit 000\n"],
  ["exit 137", 137, "exit 137\n"],
  ["exit 255", 255, "exit 255\n"],
  ["kill -KILL $$", 137, "signal 009\n"],
  ["kill -INT $$", 130, "signal 002\n"],
  ["ulimit -c unlimited; kill -SEGV $$", 139, "signal 011\n"],
] as const)
  test(`The witness of "${script}" says "${word.trim()}" and ends as a shell would say it [borglet.T1]`, { skip }, () => {
    assert.deepEqual(shell(script, { cwd: directory }), { code, word, output: "" });
  });

test("The witness's program leads a session, has the environment and its own words, and no descriptor of the witness [borglet.T1] [borglet.T2]", {
  skip,
}, () => {
  const { output, word } = witnessed(
    ["/bin/sh", "-c", 'read -r _ _ _ _ _ session _ </proc/$$/stat; echo "$ONE|$0|$1|$((session == $$))"; ls /proc/$$/fd', "a b", "c"],
    { env: { ONE: "1 2", PATH: "/usr/bin:/bin" } },
  );
  const [line, ...descriptors] = output.trim().split("\n");
  assert.equal(line, "1 2|a b|c|1");
  assert.ok(!descriptors.includes(String(WORD_DESCRIPTOR)), descriptors.join(" "));
  assert.equal(word, "exit 000\n");
});

test("A program that is not there ends the witness with 127 [borglet.T1]", { skip }, () => {
  assert.deepEqual(witnessed([join(directory, "none")]), { code: 127, word: "exit 127\n", output: "" });
});

function copied(
  input: Buffer,
  to: string,
  [program, ...words]: readonly string[] = [programs!.logCopier],
): { readonly code: number | null; readonly said: string; readonly bytes: Buffer } {
  const from = join(directory, "from");
  writeFileSync(from, input);
  const [reading, writing] = [openSync(from, "r"), openSync(to, "w")];
  try {
    const { status, stderr } = spawnSync(program!, words, { stdio: [reading, writing, "pipe"] });
    return { code: status, said: String(stderr), bytes: statSync(to).isFile() ? readFileSync(to) : Buffer.alloc(0) };
  } finally {
    closeSync(reading);
    closeSync(writing);
  }
}

test("The log copier takes every byte, at most its blocks, and says how many it wrote and why it ended [borglet.L2]", { skip }, () => {
  const most = BLOCKS * BLOCK_BYTES;
  const bytes = Buffer.alloc(most + 12_345);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 31 + (i >> 9)) & 255;
  const to = join(directory, "to");
  for (const [length, said, code] of [
    [0, "0000000", COPIED.ended],
    [1, "0000001", COPIED.ended],
    [1_234_567, "1234567", COPIED.ended],
    [bytes.length, String(most), COPIED.full],
  ] as const) {
    const done = copied(bytes.subarray(0, length), to);
    assert.deepEqual([done.code, done.said], [code, said]);
    assert.ok(done.bytes.equals(bytes.subarray(0, Math.min(length, most))), `${length} bytes`);
  }
  assert.deepEqual(copied(bytes.subarray(0, 100), "/dev/full"), { code: COPIED.failed, said: "0000000", bytes: Buffer.alloc(0) });
  // A write that ends halfway goes on with the rest, which fails here.
  const halfway = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 10; exec \"$0\"", programs!.logCopier];
  const part = copied(bytes.subarray(0, 10_000), to, halfway);
  assert.deepEqual(part, { code: COPIED.failed, said: "0005120", bytes: bytes.subarray(0, 5120) });
});

test("A placed program is whole, stays the same file while it is right, and is replaced when it is not [borglet.A6]", { skip }, () => {
  const { witness: path } = programs!;
  const before = statSync(path);
  assert.equal(before.mode & 0o777, 0o755);
  placeTinyPrograms(directory);
  assert.equal(statSync(path).ino, before.ino);
  writeFileSync(path, "half");
  placeTinyPrograms(directory);
  assert.ok(readFileSync(path).equals(witness(arch() === "arm64" ? "arm64" : "x64")));
  assert.equal(placeTinyPrograms(directory, "riscv64"), undefined);
});

test("The tiny programs are tiny: together less than 4 KiB on either processor [borglet.T14]", () => {
  for (const each of ["x64", "arm64"] as const) assert.ok(witness(each).length + logCopier(each).length < 4096);
});
