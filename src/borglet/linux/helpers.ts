/**
 * The programs of this host that stand around a task inside its jail: a shell that begins it, and env. Where "/" is an image that has none of them, or
 * others, they are bound at a place of their own with the libraries that they need, and started by their own loader: nothing of the image is asked for.
 */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { basename } from "node:path";

/** Where they are inside. */
const PLACE = "/borg/helpers";
const TRY_MS = 10_000;
const NAMES = ["sh", "env"] as const;
type Name = (typeof NAMES)[number];

export interface Helpers {
  /** What is bound, read-only. */
  readonly files: readonly { readonly source: string; readonly path: string }[];
  /** The words that start each of them inside. */
  readonly words: Readonly<Record<Name, readonly string[]>>;
}

/** As they are called where "/" is the host's. */
export const HOST_WORDS: Helpers["words"] = { sh: ["/bin/sh"], env: ["env"] };

/** Undefined: this host's programs cannot be used elsewhere. */
export function findHelpers(find: (name: string) => string): Helpers | undefined {
  const files = new Map<string, string>();
  const words: Partial<Record<Name, readonly string[]>> = {};
  try {
    for (const name of NAMES) {
      const source = realpathSync(find(name));
      const loader = loaderOf(source);
      files.set(`${PLACE}/${name}`, source);
      words[name] = loader === "" ? [`${PLACE}/${name}`] : [`${PLACE}/loader`, "--library-path", `${PLACE}/lib`, `${PLACE}/${name}`];
      if (loader === "") continue;
      files.set(`${PLACE}/loader`, realpathSync(loader));
      for (const library of librariesOf(loader, source)) files.set(`${PLACE}/lib/${basename(library)}`, realpathSync(library));
    }
  } catch {
    return undefined;
  }
  return { files: [...files].map(([path, source]) => ({ source, path })), words: words as Helpers["words"] };
}

const MAGIC = "\x7fELF";
const LITTLE_64 = "\x02\x01";
const INTERPRETER = 3;
const HEADERS_BYTES = 4096;

/** The loader that a program names; empty: it needs none. Throws for what is no program for 64 bits. */
function loaderOf(program: string): string {
  const head = Buffer.alloc(HEADERS_BYTES);
  const fd = openSync(program, "r");
  try {
    readSync(fd, head, 0, head.length, 0);
    if (head.toString("latin1", 0, 6) !== MAGIC + LITTLE_64) throw new Error(`"${program}" is no program that can be looked into`);
    const [at, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
    for (let i = 0; i < count; i++) {
      const header = head.subarray(at + i * size, at + (i + 1) * size);
      if (header.readUInt32LE(0) !== INTERPRETER) continue;
      const name = Buffer.alloc(Number(header.readBigUInt64LE(32)));
      readSync(fd, name, 0, name.length, Number(header.readBigUInt64LE(8)));
      return name.toString("utf8").replace(/\0.*$/s, "");
    }
    return "";
  } finally {
    closeSync(fd);
  }
}

/** As the loader itself finds them: `libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x...)`. */
function librariesOf(loader: string, program: string): string[] {
  const { status, stdout } = spawnSync(loader, ["--list", program], { encoding: "utf8", timeout: TRY_MS, env: { LC_ALL: "C" } });
  if (status !== 0) throw new Error(`Cannot list the libraries of "${program}"`);
  return [...stdout.matchAll(/=> (\/\S+)/g)].map(([, path]) => path!);
}
