/**
 * Packages on this host: bytes as they come, and trees that many tasks share. Bytes are private until their hash was found right. A tree is made in a process
 * without rights, in a jail where there is one, under a name of its own; it gets its real name when it is whole and on the disk. So a borglet that is killed
 * in any step leaves what the next one goes on with, or throws away.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { PackageFiles, PackageThere, Unpacked } from "../machine.ts";
import { type Abilities, dropRights } from "./abilities.ts";
import { JAIL, jailArguments } from "./jail.ts";
import { makeDirectory, replaceFile, syncDirectory } from "./layout.ts";
import { SHIM_ENVIRONMENT } from "./shim.ts";

/** Whose the trees are under a root borglet: no job can have this name, so no task is this user. */
export const UNPACKER = " unpack";
const DIGEST = /^[0-9a-f]{64}$/;
const TREE = "tree";
const PACKED = ".packed";
const INFO = "package.json";
const UNPACK_MS_MAX = 900_000;
const HEAP_MIB = 256;
const SAID_LENGTH_MAX = 4096;
const SOURCES = join(import.meta.dirname, "../../archive");
const PROGRAM = "unpack-program.ts";

export interface PackagesOptions {
  /** Of bytes that are not verified yet: only the borglet's. */
  readonly parts: string;
  /** Of trees: other users may pass through. */
  readonly trees: string;
  readonly abilities: Abilities;
  readonly nodeDirectory: string;
  /** Undefined: the borglet's own user. */
  readonly unpacker: () => number | undefined;
  /** Takes a directory away in the background. */
  readonly discard: (path: string, key: string) => void;
  readonly deliver: (unpacked: Unpacked) => void;
}

export class LinuxPackages implements PackageFiles {
  readonly #options: PackagesOptions;
  readonly #children = new Set<ChildProcess>();
  #count = 0;
  #closed = false;

  constructor(options: PackagesOptions) {
    this.#options = options;
    makeDirectory(options.parts, 0o700);
    makeDirectory(options.trees, 0o711);
  }

  /** What an earlier borglet did not finish goes. */
  list(): readonly PackageThere[] {
    const { trees } = this.#options;
    const found: (PackageThere & { readonly usedMs: number })[] = [];
    for (const name of readdirSync(trees)) {
      const info = DIGEST.test(name) ? readInfo(join(trees, name, INFO)) : undefined;
      if (info !== undefined)
        found.push({ digest: name, ...info, packedBytes: sizeOf(this.#packed(name)), usedMs: lstatSync(join(trees, name)).mtimeMs });
      else if (name !== "program") this.#options.discard(join(trees, name), name);
    }
    this.#sweepParts(new Set(found.map(({ digest }) => digest)));
    return found.sort((a, b) => a.usedMs - b.usedMs);
  }

  /** Bytes that were about to be kept beside a tree, and those whose tree is gone. */
  #sweepParts(trees: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#options.parts)) {
      const digest = name.endsWith(PACKED) ? name.slice(0, -PACKED.length) : name;
      if (trees.has(digest) !== name.endsWith(PACKED)) rmSync(join(this.#options.parts, name), { force: true });
    }
  }

  part(digest: string): number {
    return sizeOf(this.#part(digest));
  }

  write(digest: string, offset: number, data: Uint8Array): string {
    try {
      const fd = openSync(this.#part(digest), constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
      try {
        for (let at = 0; at < data.length; ) at += writeSync(fd, data, at, data.length - at, offset + at);
      } finally {
        closeSync(fd);
      }
      return "";
    } catch (error) {
      return wordsOf(error);
    }
  }

  unpack(digest: string, name: string): void {
    this.#unpack(digest, name).then(
      (bytes) => this.#told({ digest, bytes, packedBytes: sizeOf(this.#packed(digest)), problem: "" }),
      (error: unknown) => this.#told({ digest, bytes: 0, packedBytes: 0, problem: wordsOf(error), isWrong: error instanceof WrongBytes }),
    );
  }

  read(digest: string, offset: number, bytesMax: number): { readonly total: number; readonly data: Uint8Array } | undefined {
    if (!DIGEST.test(digest)) return undefined;
    try {
      const fd = openSync(this.#packed(digest), constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const total = fstatSync(fd).size;
        const data = new Uint8Array(Math.max(0, Math.min(bytesMax, total - offset)));
        return { total, data: data.subarray(0, readSync(fd, data, 0, data.length, offset)) };
      } finally {
        closeSync(fd);
      }
    } catch {
      return undefined;
    }
  }

  dropPacked(digest: string): void {
    rmSync(this.#packed(digest), { force: true });
  }

  drop(digest: string): void {
    this.dropPacked(digest);
    this.#options.discard(join(this.#options.trees, digest), digest);
  }

  /** Where a package's files are; throws when it is not there. */
  tree(digest: string): string {
    const path = join(this.#options.trees, digest, TREE);
    if (!DIGEST.test(digest) || lstatSync(path, { throwIfNoEntry: false }) === undefined)
      throw new Error(`Package ${digest.slice(0, 12)} is not on this machine`);
    return path;
  }

  close(): void {
    this.#closed = true;
    for (const child of this.#children) child.kill("SIGKILL");
  }

  #told(unpacked: Unpacked): void {
    if (!this.#closed) this.#options.deliver(unpacked);
  }

  async #unpack(digest: string, name: string): Promise<number> {
    const { trees } = this.#options;
    const part = this.#part(digest);
    const found = await hashOf(part);
    // Nothing that others made is looked into before it is known to be what was asked for.
    if (found !== digest) {
      rmSync(part, { force: true });
      throw new WrongBytes(`Its bytes have the hash ${found.slice(0, 12)}: they are fetched again`);
    }
    this.#count += 1;
    const made = join(trees, `new-${digest}-${process.pid}-${this.#count}`);
    try {
      const { bytes, entries } = await this.#makeTree(part, made);
      const info = { names: [name], bytes: bytes + entries * ENTRY_BYTES };
      writeFileSync(join(made, INFO), JSON.stringify(info), { mode: 0o600 });
      await synced(made);
      renameSync(made, join(trees, digest));
      syncDirectory(trees);
      renameSync(part, this.#packed(digest));
      return info.bytes;
    } catch (error) {
      this.#options.discard(made, digest);
      rmSync(part, { force: true });
      throw error;
    }
  }

  async #makeTree(part: string, made: string): Promise<{ readonly bytes: number; readonly entries: number }> {
    const owner = this.#options.unpacker();
    const [tree, temporary] = [join(made, TREE), join(made, "tmp")];
    makeDirectory(made, 0o711);
    for (const each of [tree, temporary]) {
      makeDirectory(each, 0o700);
      if (owner !== undefined) chownSync(each, owner, owner);
    }
    const said = JSON.parse(await this.#run(part, this.#command(tree, temporary, owner))) as {
      readonly reason?: string;
      readonly bytes: number;
      readonly entries: number;
    };
    if (said.reason !== undefined) throw new Error(said.reason);
    chmodSync(tree, 0o555);
    return said;
  }

  #command(tree: string, temporary: string, owner: number | undefined): string[] {
    const { abilities, nodeDirectory } = this.#options;
    const program = this.#program();
    const heap = `--max-old-space-size=${HEAP_MIB}`;
    if (abilities.jail === "none")
      return [...dropRights(abilities, owner), join(nodeDirectory, "node"), heap, join(program, PROGRAM), tree];
    const { bubblewrap, closed } = abilities;
    const jail = jailArguments({
      bubblewrap,
      home: tree,
      temporary,
      nodeDirectory,
      launch: program,
      files: [],
      packages: [],
      closed,
      filtered: false,
    });
    const [first = "", ...rest] = jail;
    const inside = [`${JAIL.node}/node`, heap, `${JAIL.launch}/${PROGRAM}`, JAIL.home];
    return [...dropRights(abilities, owner), first, "--die-with-parent", ...rest, ...inside];
  }

  /** A copy that every user can read: our own may be in a private directory. */
  #program(): string {
    const directory = join(this.#options.trees, "program");
    makeDirectory(directory, 0o755);
    const files = readdirSync(SOURCES).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    const copies = [
      ...files.map((name) => ({ name, text: readFileSync(join(SOURCES, name)) })),
      { name: INFO, text: Buffer.from('{"type":"module"}') },
    ];
    for (const { name, text } of copies) {
      const path = join(directory, name);
      if (lstatSync(path, { throwIfNoEntry: false })?.size === text.length && readFileSync(path).equals(text)) continue;
      replaceFile(path, text, 0o644);
      chmodSync(path, 0o644);
    }
    return directory;
  }

  /** What it said, when it ended as it should. */
  #run(part: string, [program = "", ...words]: readonly string[]): Promise<string> {
    const input = openSync(part, "r");
    const child = spawn(program, words, { cwd: "/", env: SHIM_ENVIRONMENT, stdio: [input, "pipe", "pipe"] });
    closeSync(input);
    this.#children.add(child);
    const timer = setTimeout(() => child.kill("SIGKILL"), UNPACK_MS_MAX);
    let [out, complaint] = ["", ""];
    child.stdout?.on("data", (chunk: Buffer) => {
      out = (out + chunk.toString("utf8")).slice(0, SAID_LENGTH_MAX);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString("utf8")).slice(-SAID_LENGTH_MAX);
    });
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        this.#children.delete(child);
        if (out.endsWith("\n")) resolve(out);
        else
          reject(
            new Error(`The program that unpacks ended with ${signal ?? `code ${code}`}: ${complaint.trim().split("\n").at(-1) ?? ""}`),
          );
      });
    });
  }

  #part(digest: string): string {
    if (!DIGEST.test(digest)) throw new Error("A package without a hash cannot be had");
    return join(this.#options.parts, digest);
  }

  /** The bytes of a package whose tree is there. */
  #packed(digest: string): string {
    return `${this.#part(digest)}${PACKED}`;
  }
}

class WrongBytes extends Error {}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** What a file, a directory or a link counts beside its contents. */
const ENTRY_BYTES = 4096;

function readInfo(path: string): { readonly names: readonly string[]; readonly bytes: number } | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { readonly names: readonly string[]; readonly bytes: number };
  } catch {
    return undefined;
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest("hex");
}

/** Everything of its file system: thousands of files one by one would take minutes. */
const synced = (directory: string): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile("sync", ["-f", directory], { env: SHIM_ENVIRONMENT }, (error) => (error === null ? resolve() : reject(error)));
  });

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split("\n")[0]!.slice(0, 400);
