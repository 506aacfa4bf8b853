/** Starts the attacker that swaps a task's directories (swapper.ts), as the task's user and with the task's directory as its working directory. */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isRoot } from "../nobody.ts";
import { RACE_MS } from "../race.ts";

const SWAPPER = fileURLToPath(new URL("swapper.ts", import.meta.url));

export async function swapIn(directory: string, victim: string, forMs = RACE_MS): Promise<{ readonly ended: Promise<void> }> {
  const { uid } = statSync(directory);
  const drop = isRoot ? ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"] : [];
  const [program = "", ...words] = [...drop, process.execPath, SWAPPER, victim, String(forMs)];
  const child = spawn(program, words, { cwd: directory, stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout!.once("data", resolve));
  return { ended: new Promise((resolve) => child.once("exit", () => resolve())) };
}
