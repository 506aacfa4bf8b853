/** How a suite that runs as root starts something as a plain user, and whether it can: a clone below /root is nobody else's to read. */
import { spawnSync } from "node:child_process";

export const NOBODY = 65_534;
export const isRoot = process.getuid?.() === 0;

/** Words before a command that make it a plain user's. */
export const asNobody: readonly string[] = isRoot ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];

/** Why a plain user cannot run this file of the project; empty when one can. */
export function unreachable(file: string): string {
  const [program = "", ...words] = [...asNobody, "test", "-r", file];
  return spawnSync(program, words).status === 0 ? "" : "the project's directory cannot be read by other users";
}
