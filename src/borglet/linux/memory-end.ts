/** Whose memory ran out when the kernel killed a task, and the words for it. */
import { bytesWords, OVER_LIMIT } from "../usage.ts";

/** The task was above its own limit; the tasks of its alloc were together above the alloc's; all tasks of the machine together were above what it has for them; or the whole host had no memory left. */
export type MemoryEnd = "task" | "alloc" | "tasks" | "machine";

export function memoryWords(end: MemoryEnd, limitBytes: number, capacityBytes: number): string {
  const own = bytesWords(limitBytes);
  if (end === "task") return `${OVER_LIMIT} more memory than its limit of ${own}`;
  const who = {
    alloc: "the tasks of its alloc together used more memory than the alloc has",
    tasks: `all tasks of its machine together used more than ${bytesWords(capacityBytes)} of memory`,
    machine: "its machine had no memory left",
  }[end];
  return `Killed: ${who}; it was within its own limit of ${own}`;
}
