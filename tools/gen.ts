/**
 * Generates src/wire/gen from proto/ (`make gen`), or says which generated files are stale (`--check`).
 * It always generates into a temporary directory first, so a schema that does not compile never leaves src/wire/gen half written.
 * It never touches the network: buf.gen.yaml names only the plugin that package.json pins.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { codecText } from "./gen-codec.ts";

/** Where buf.gen.yaml puts the files. */
const OUT = join("src", "wire", "gen");
/** What tools/gen-codec.ts makes, beside what the plugin makes. */
const CODEC = "codec.ts";

export type Tree = ReadonlyMap<string, string>;

/** One line per file of `have` that differs from `want`: a checkout in this state would run old code. */
export function staleFiles(want: Tree, have: Tree): readonly string[] {
  const lines: string[] = [];
  for (const [path, text] of want) {
    if (!have.has(path)) lines.push(`${join(OUT, path)}: missing`);
    else if (have.get(path) !== text) lines.push(`${join(OUT, path)}: stale`);
  }
  for (const path of have.keys()) if (!want.has(path)) lines.push(`${join(OUT, path)}: no proto file makes it any more`);
  return lines.sort();
}

/** What buf makes of `root`/proto now. */
export function generate(root: string): Tree {
  const scratch = mkdtempSync(join(tmpdir(), "openborg-gen-"));
  try {
    // buf and the plugin are scripts that look for `node` on the PATH: give them the one that runs us.
    const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}` };
    const buf = join("node_modules", ".bin", "buf");
    const image = join(scratch, "image.binpb");
    for (const args of [
      ["generate", "--output", scratch],
      ["build", "--output", image],
    ]) {
      const run = spawnSync(buf, args, { cwd: root, env, encoding: "utf8" });
      if (run.error !== undefined) throw new Error(`Cannot run "${buf}"; run make install`, { cause: run.error });
      if (run.status !== 0) throw new Error(`Cannot generate code from proto/\n${run.stdout}${run.stderr}`.trimEnd());
    }
    const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(image)));
    return new Map([...readTree(join(scratch, OUT)), [CODEC, codecText(registry)]]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export function readTree(directory: string): Tree {
  const tree = new Map<string, string>();
  for (const path of listFiles(directory)) tree.set(path, readFileSync(join(directory, path), "utf8"));
  return tree;
}

function listFiles(directory: string): readonly string[] {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return entries.map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1)).sort();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw cause;
  }
}

/** Makes `directory` hold exactly `want`; files that are right already keep their time of change. */
export function writeTree(directory: string, want: Tree): number {
  const have = readTree(directory);
  let changed = 0;
  for (const [path, text] of want) {
    if (have.get(path) === text) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
    changed++;
  }
  for (const path of have.keys()) {
    if (want.has(path)) continue;
    rmSync(join(directory, path));
    changed++;
  }
  return changed;
}

/** The exit code; `print` gets what a person should read. */
export function main(root: string, args: readonly string[], print: (line: string) => void): number {
  try {
    const want = generate(root);
    const directory = join(root, OUT);
    if (!args.includes("--check")) {
      print(`gen: ${want.size} files, ${writeTree(directory, want)} changed`);
      return 0;
    }
    const stale = staleFiles(want, readTree(directory));
    for (const line of stale) print(`${line}; run make gen`);
    print(`gen: ${want.size} files, ${stale.length} stale`);
    return stale.length === 0 ? 0 : 1;
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

if (import.meta.main) {
  process.exitCode = main(dirname(dirname(fileURLToPath(import.meta.url))), process.argv.slice(2), (line) =>
    process.stdout.write(`${line}\n`),
  );
}
