/** Which threads of a master go last where the processors cannot serve all that is asked of them: those whom nobody waits for. */
import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { basename } from "node:path";

/** As the kernel counts niceness: a third of what another thread gets, where both want all they can get. */
const STEP_BACK = 5;

/** The thread that calls it, and no other of its process. */
export function stepBack(): void {
  const thread = Number(basename(readlinkSync("/proc/thread-self")));
  setPriority(thread, Math.min(getPriority(thread) + STEP_BACK, constants.priority.PRIORITY_LOW));
}
