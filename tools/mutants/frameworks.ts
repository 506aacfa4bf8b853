/** Bugs in frameworks: names and indexes, groups, what they hear, who leads, how they end. */
import type { Mutant } from "./mutant.ts";

const SUITE = "test/cell/frameworks.test.ts";

export const FRAMEWORK_BUGS: readonly Mutant[] = [
  {
    name: "an update is acknowledged by any uuid",
    file: "src/cell/ops/statuses.ts",
    text: "|| first === undefined || !isSame(uuid, uuidOf(task, first.number))) continue;",
    replacement: "|| first === undefined || (uuid.length === 0 && !isSame(uuid, uuidOf(task, first.number)))) continue;",
    suite: SUITE,
  },
  {
    name: "an index is used again before its last update is acknowledged",
    file: "src/cell/framework.ts",
    text: 'state === "dead" && (launched === undefined || launched.updates.length === 0);',
    replacement: 'state === "dead" && (launched === undefined || launched.updates.length >= 0);',
    caughtBy: ["KF1", "KF2"],
  },
  {
    name: "a group is launched in part",
    file: "src/cell/ops/launches.ts",
    text: "const known = each.group === 0 ? undefined : groups.get(each.group);",
    replacement: "const known = each.group >= 0 ? undefined : groups.get(each.group);",
    caughtBy: ["KF1"],
  },
  {
    name: "a framework that is torn down leaves its tasks",
    file: "src/cell/ops/jobs.ts",
    text: "for (const task of [...job.tasks]) killTask(turn, task);",
    replacement: "if (job.led === undefined) for (const task of [...job.tasks]) killTask(turn, task);",
    caughtBy: ["KF1", "KF2", "KT4"],
  },
  {
    name: "launches are not charged",
    file: "src/cell/ops/launches.ts",
    text: "charge(turn.state, job, plus(job.charge, shared.limit));",
    replacement: "charge(turn.state, job, plus(job.charge, job.limit));",
    caughtBy: ["KR3", "throw"],
  },
  {
    name: "a newer update takes the place of the one in flight",
    file: "src/cell/ops/statuses.ts",
    text: "launched.updates = [...launched.updates.slice(0, UPDATES_MAX - 1), status];",
    replacement: "launched.updates = [...launched.updates.slice(1 - UPDATES_MAX), status];",
    suite: SUITE,
  },
  {
    name: "updates are forgotten when another scheduler leads",
    file: "src/cell/ops/frameworks.ts",
    text: "  const { job, led } = found.value;\n  const isSame",
    replacement:
      "  const { job, led } = found.value;\n  for (const task of job.tasks) if (task.launched !== undefined) task.launched.updates = [];\n  const isSame",
    caughtBy: ["KF1", "KF2"],
  },
  {
    name: "a scheduler that leads no longer still launches",
    file: "src/cell/ops/leading.ts",
    text: "if (!found.ok || found.value.led.session === op.session) return found;",
    replacement: "if (!found.ok || found.value.led.session >= op.session) return found;",
    suite: SUITE,
  },
  {
    name: "an evicted task of a framework is started again",
    file: "src/cell/task.ts",
    text: '  evict: "kill",\n  restart: "kill",\n  lost: "lostForGood",',
    replacement: '  restart: "kill",\n  lost: "lostForGood",',
    caughtBy: ["KF1"],
  },
  {
    name: "a port that another task holds is given again",
    file: "src/cell/ops/arbiter.ts",
    text: "const taken = ports.find((port) => held.has(port));",
    replacement: "const taken = ports.find((port) => held.has(-port));",
    suite: SUITE,
  },
  {
    name: "a role is for everybody",
    file: "src/cell/ops/roles.ts",
    text: "if (users.length > 0 && !users.includes(user))",
    replacement: "if (users.length > 1 && !users.includes(user))",
    caughtBy: ["KF1"],
  },
];
