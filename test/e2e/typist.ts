/** Somebody new at this clone: a home directory of their own, nobody's configuration, and `./borg` as the README has it typed. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");
/** Only what hangs takes so long: a command may wait for a whole cell. */
export const TYPED_HANG_MS = 120_000;

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How a program ended that may write much. */
export function ran(
  program: string,
  args: readonly string[],
  told: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, [...args], { ...told, timeout: TYPED_HANG_MS, maxBuffer: 2 ** 26 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 255, out, err }),
    );
  });
}

/** A bug that is planted in the test is planted in every process of its cell too. */
export const PLANTED: NodeJS.ProcessEnv =
  (process.env["MUTANT"] ?? "") === "" ? {} : { NODE_OPTIONS: `--import=${new URL("../../tools/mutate.ts", import.meta.url).href}` };

/** Where nothing of the tester's own cells can be found. */
export const newcomersEnv = (home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ...PLANTED,
  HOME: home,
  XDG_CONFIG_HOME: "",
  XDG_STATE_HOME: "",
  BORG_MASTER: "",
  BORG_TICKET: "",
  BORG_TICKET_FILE: "",
});

export class Typist {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where they are when they type. */
  cwd = ROOT;

  constructor(name: string) {
    this.home = mkdtempSync(join(tmpdir(), `borg-${name}-`));
    this.env = newcomersEnv(this.home);
  }

  readonly borg = (...args: readonly string[]): Promise<Ran> => ran(join(ROOT, "borg"), args, { env: this.env, cwd: this.cwd });

  /** What it printed; it must have gone well. */
  readonly good = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await this.borg(...args);
    assert.equal(code, 0, `borg ${args.join(" ")}: exit ${code}\n${out}\n${err}`);
    return out;
  };

  readonly json = async <T>(...args: readonly string[]): Promise<T> => JSON.parse(await this.good(...args, "--json")) as T;

  leave(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}
