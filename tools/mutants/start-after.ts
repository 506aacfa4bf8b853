/** Bugs of jobs that start after others. */
import type { Mutant } from "./mutant.ts";

export const START_AFTER_BUGS: readonly Mutant[] = [
  {
    name: "one finished task is a job that ended well",
    file: "src/cell/start-after.ts",
    text: 'ended(state, job).every(({ cause }) => cause === "finished")',
    replacement: 'ended(state, job).some(({ cause }) => cause === "finished")',
    suite: "test/cell/jobs.test.ts",
  },
  {
    name: "the surplus of a smaller job says how it ended",
    file: "src/cell/start-after.ts",
    text: "version >= WANTED_ENDS ? job.tasks.slice(0, job.count) : job.tasks",
    replacement: "version >= WANTED_ENDS + 1 ? job.tasks.slice(0, job.count) : job.tasks",
    suite: "test/cell/jobs.test.ts",
  },
  {
    name: "who waited in vain below version 8 waits on",
    file: "src/cell/ops/cell-wide.ts",
    text: "if (op.version === WANTED_ENDS) releaseAll(turn);",
    replacement: "",
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
  {
    name: "slack memory for everybody",
    file: "src/cell/ops/admission.ts",
    text: "spec.task?.slackRam === true && !hasCapability",
    replacement: "spec.task?.slackRam === true && state.timeMs < 0 && !hasCapability",
    suite: "test/cell/users.test.ts",
  },
  {
    name: "a controller's jobs have slack memory that it has not",
    file: "src/cell/ops/controllers.ts",
    text: "spec.task?.slackRam === true && own.task?.slackRam !== true",
    replacement: "spec.task?.slackRam === true && own.task === undefined",
    suite: "test/cell/refusals.test.ts",
  },
  {
    name: "nobody says that an alloc set is gone",
    file: "src/borgmaster/api/why-state.ts",
    text: 'if (set === undefined || set.state === "dead")',
    replacement: "if (set === undefined)",
    suite: "test/borgmaster/why.test.ts",
  },
];
