/** Bugs that let a stranger on the cell's host in: other people's processes, and ports between two masters. */
import type { Mutant } from "./mutant.ts";

export const STRANGER_BUGS: readonly Mutant[] = [
  {
    name: "a pid of before the machine was started again taken for the cell's",
    file: "src/daemon/data.ts",
    text: " && (boot === undefined || boot === bootId())",
    replacement: "",
    suite: "src/daemon/data.test.ts",
  },
  {
    name: "whoever has the pid of an orphan is ended",
    file: "src/daemon/supervisor.ts",
    text: "    if (!isAlive(id)) continue;\n",
    replacement: "",
    suite: "test/attack/pids.test.ts",
  },
];
