/** What a shim wrote of one run, and how the borglet calls a run off that has not begun. */
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Exit } from "../machine.ts";
import { parseExit, parseProcess, type Written } from "./shim.ts";

const KINDS = ["shim", "pid", "exit", "err", "word"] as const;
const NAME = new RegExp(`^(.+)\\.(\\d+)\\.(?:${KINDS.join("|")})(?:\\.new)?$`);
const WORDS_MAX = 200;

export interface RunName {
  readonly key: string;
  readonly run: number;
}

export function parseRunName(name: string): RunName | undefined {
  const parts = NAME.exec(name);
  return parts === null ? undefined : { key: parts[1]!, run: Number(parts[2]) };
}

/** Which runs of which instances have files. The directory is read once: it may hold thousands, and one instance's are looked for with every start and end. */
export class RunFiles {
  readonly #directory: string;
  #runs: Map<string, Set<number>> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The newest run of every instance that has run files. */
  newest(): Map<string, number> {
    return new Map([...this.#all()].map(([key, runs]) => [key, Math.max(...runs)]));
  }

  /** From now on this run may have files. */
  begin(key: string, run: number): void {
    const runs = this.#all().get(key);
    if (runs === undefined) this.#all().set(key, new Set([run]));
    else runs.add(run);
  }

  /** All runs of one instance, or those before `before`. */
  remove(key: string, before = Number.POSITIVE_INFINITY): void {
    const runs = this.#all().get(key);
    if (runs === undefined) return;
    for (const run of [...runs].filter((each) => each < before)) {
      for (const kind of KINDS)
        for (const end of ["", ".new"]) rmSync(join(this.#directory, `${key}.${run}.${kind}${end}`), { force: true });
      runs.delete(run);
    }
    if (runs.size === 0) this.#all().delete(key);
  }

  #all(): Map<string, Set<number>> {
    if (this.#runs !== undefined) return this.#runs;
    this.#runs = new Map();
    for (const name of readdirSync(this.#directory)) {
      const found = parseRunName(name);
      if (found !== undefined) this.begin(found.key, found.run);
    }
    return this.#runs;
  }
}

export const readShim = (prefix: string): Written | undefined => parseProcess(read(`${prefix}.shim`));
export const readPid = (prefix: string): Written | undefined => parseProcess(read(`${prefix}.pid`));
export const readExit = (prefix: string): Exit | undefined => parseExit(read(`${prefix}.exit`));

/** What the shim itself complained of. */
export const readComplaint = (prefix: string): string => (read(`${prefix}.err`).trim().split("\n")[0] ?? "").slice(0, WORDS_MAX);

/** True: the run has not begun and never will. False: its shim was first. */
export function callOff(prefix: string): boolean {
  try {
    const fd = openSync(`${prefix}.shim`, "wx", 0o600);
    writeSync(fd, "called off\n");
    closeSync(fd);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw cause;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
