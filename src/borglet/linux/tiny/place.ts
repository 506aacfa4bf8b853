/** Where the tiny programs are on this machine: as files of their own in the borglet's area, because those that wait beside tasks outlive the borglet and the files that it came with. */
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { arch } from "node:os";
import { join } from "node:path";
import { makeDirectory } from "../layout.ts";
import { type Arch, logCopier, witness } from "./programs.ts";

export interface TinyPrograms {
  readonly logCopier: string;
  /** A task's user runs this one. */
  readonly witness: string;
}

/** Undefined: there are none for this processor. */
export function placeTinyPrograms(area: string, processor: string = arch()): TinyPrograms | undefined {
  if (!isKnown(processor)) return undefined;
  const directory = join(area, "programs");
  makeDirectory(directory, 0o711);
  return {
    logCopier: placed(join(directory, "log-copier"), logCopier(processor)),
    witness: placed(join(directory, "witness"), witness(processor)),
  };
}

const isKnown = (processor: string): processor is Arch => processor === "x64" || processor === "arm64";

/** One that is as it should be stays the same file: nobody writes to a file that is being run. */
function placed(path: string, bytes: Uint8Array): string {
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) {
    rmSync(`${path}.new`, { force: true });
    writeFileSync(`${path}.new`, bytes, { mode: 0o755, flag: "wx" });
    chmodSync(`${path}.new`, 0o755);
    renameSync(`${path}.new`, path);
  }
  return path;
}
