/** Bugs in updates of living jobs: who is changed when, what it may disturb, and how it ends. */
import type { Mutant } from "./mutant.ts";

const SUITE = "test/cell/updates.test.ts";

export const UPDATE_BUGS: readonly Mutant[] = [
  {
    name: "disruption budget exceeded",
    file: "src/cell/update-plan.ts",
    text: 'change: left < 0 ? "skip" : change',
    replacement: "change",
    suite: SUITE,
  },
  {
    name: "a task that no longer fits is moved beyond the budget",
    file: "src/cell/ops/successor.ts",
    text: "disruptionsLeft(job, job.update as Update) > 0",
    replacement: "disruptionsLeft(job, job.update as Update) >= 0",
    suite: SUITE,
  },
  {
    name: "undo forgets a task",
    file: "src/cell/update-plan.ts",
    text: "isTold(task) && task.index < update.countBefore",
    replacement: "isTold(task) && task.index > 0 && task.index < update.countBefore",
    suite: SUITE,
  },
  {
    name: "spec of the wrong generation started",
    file: "src/cell/face.ts",
    text: "(isTold(task) ? (task.job.update?.generation ?? 0) : task.job.generation)",
    replacement: "task.job.generation",
    suite: SUITE,
  },
  {
    name: "two updates at once",
    file: "src/cell/ops/updates.ts",
    text: '  if (update.phase !== "rolled")\n    return refused(`${called(job)}',
    replacement: '  if (update.phase === "paused")\n    return refused(`${called(job)}',
    suite: SUITE,
  },
  {
    name: "who is ready late has failed",
    file: "src/cell/gate.ts",
    text: 'if (version >= PATIENT_GATES && isReady(task)) return "waiting";',
    replacement: "",
    suite: "test/cell/updates.test.ts",
  },
  {
    name: "gate ignored",
    file: "src/cell/update-plan.ts",
    text: "  if (waiting > 0) return undefined;\n",
    replacement: "",
    suite: SUITE,
  },
  {
    name: "priority change restarts",
    file: "src/cell/update-plan.ts",
    text: '  if (runsAlike(instance, to, isLive)) return !isLive || hasRoom(instance, to) ? "in-place" : "move";\n',
    replacement: "",
    suite: SUITE,
  },
  {
    name: "quota leaked after undo",
    file: "src/cell/ops/update-steps.ts",
    text: "  recharge(turn.state, job, tasksCharged({ ...job, count: update.countBefore }));\n",
    replacement: "",
    suite: SUITE,
  },
  {
    name: "auto undo never",
    file: "src/cell/update-plan.ts",
    text: "failed.length > failuresMax",
    replacement: "failed.length > failuresMax + 1_000",
    suite: SUITE,
  },
  {
    name: "down limit ignored by an update",
    file: "src/cell/update-plan.ts",
    text: "batch < 0 || (instance !== undefined && !down.takes(instance))",
    replacement: "batch < 0",
    suite: SUITE,
  },
  {
    name: "a paused update goes on",
    file: "src/cell/update-plan.ts",
    text: 'if (update === undefined || update.phase === "paused") return undefined;',
    replacement: "if (update === undefined) return undefined;",
    suite: SUITE,
  },
  {
    name: "quota of one spec while two stand",
    file: "src/cell/ops/quota.ts",
    text: "times(highest(a.limit, b.limit), both - covered.size)",
    replacement: "times(b.limit, both - covered.size)",
    suite: SUITE,
  },
  {
    name: "an update's spec shown to everybody",
    file: "src/borgmaster/api/veil.ts",
    text: "{ ...update, spec: veiledJob(update.spec) }",
    replacement: "update",
    suite: "test/attack/matrix.test.ts",
  },
  {
    name: "preempted tasks are no disruptions of an update",
    file: "src/cell/update-plan.ts",
    text: ".length - job.update.preempted;",
    replacement: ".length;",
    suite: "test/cell/updates.test.ts",
  },
  {
    name: "preempted tasks of an update forgotten in the checkpoint",
    file: "src/cell/record/read.ts",
    text: "startedMs, sinceMs, reason, preempted };",
    replacement: "startedMs, sinceMs, reason, preempted: 0 * preempted };",
    suite: "test/cell/updates.test.ts",
  },
];
