/** Bugs of jobs that start after others. */
import type { Mutant } from "./mutant.ts";

export const START_AFTER_BUGS: readonly Mutant[] = [
  {
    name: "one finished task is a job that ended well",
    file: "src/cell/start-after.ts",
    text: 'job?.tasks.every(({ cause }) => cause === "finished")',
    replacement: 'job?.tasks.some(({ cause }) => cause === "finished")',
    suite: "test/cell/jobs.test.ts",
  },
  {
    name: "who waits over a failure is forgotten",
    file: "src/cell/ops/lifecycle.ts",
    text: 'if (next === "wait") continue;',
    replacement: 'if (next === "wait") { turn.state.waiters.delete(ended); continue; }',
    suite: "test/cell/jobs.test.ts",
  },
  {
    name: "chain of failures stops at its first job",
    file: "src/cell/ops/lifecycle.ts",
    text: "for (const id of turn.ended) releaseFrom(turn, id);",
    replacement: "releaseFrom(turn, ended);",
    suite: "test/cell/jobs.test.ts",
  },
];
