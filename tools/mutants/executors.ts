/** Bugs in executors of frameworks, and in groups: what ends with what, what is kept until it counts, and who may say it. */
import type { Mutant } from "./mutant.ts";

const CELL = "test/cell/executors.test.ts";
const BORGLET = "src/borglet/executors.test.ts";
const DOOR = "src/borglet/linux/executor-door.test.ts";

export const EXECUTOR_BUGS: readonly Mutant[] = [
  {
    name: "an executor's tasks outlive it",
    file: "src/cell/ops/lifecycle.ts",
    text: "if (isExecutor(instance.task)) endInside(turn, instance, cause);",
    replacement: 'if (isExecutor(instance.task) && cause === "lost") endInside(turn, instance, cause);',
    suite: CELL,
  },
  {
    name: "an executor's end counts before what it said of its tasks",
    file: "src/cell/ops/reports.ts",
    text: "[...op.instances.filter((each) => !last.includes(each)), ...last]) {",
    replacement: "[...last, ...op.instances.filter((each) => !last.includes(each))]) {",
    suite: CELL,
  },
  {
    name: "a task is launched inside an executor that ends",
    file: "src/cell/executor.ts",
    text: "task.job === job && stop === undefined && isExecutor(task)",
    replacement: "task.job === job && (stop === undefined || stop !== undefined) && isExecutor(task)",
    suite: CELL,
  },
  {
    name: "a group ends in part",
    file: "src/cell/ops/lifecycle.ts",
    text: "if (group === 0 || turn.state.version < EXECUTORS) return;",
    replacement: "if (group >= 0 || turn.state.version < EXECUTORS) return;",
    suite: CELL,
  },
  {
    name: "an executor's update is acknowledged before it is saved",
    file: "src/borglet/executors.ts",
    text: '{ what: "ended", exit, message: words, data })) return false;',
    replacement: '{ what: "ended", exit, message: words, data }) && words === "never") return false;',
    suite: BORGLET,
  },
  {
    name: "what an executor said is forgotten with its borglet",
    file: "src/borglet/executors.ts",
    text: "const said = this.#host.saved(instance, run);",
    replacement: "const said = run === 0 ? this.#host.saved(instance, run) : undefined;",
    suite: BORGLET,
  },
  {
    name: "an executor speaks of another one's tasks",
    file: "src/borglet/executors.ts",
    text: "each.taskId === taskId && executorFor(each.order) === executor);",
    replacement: 'each.taskId === taskId && executorFor(each.order) !== "");',
    suite: BORGLET,
  },
  {
    name: "an executor is held to its own limits alone",
    file: "src/borglet/executor.ts",
    text: "executorFor(kept.order) === order.instance && !isEnded(kept)",
    replacement: 'executorFor(kept.order) === "" && !isEnded(kept)',
    suite: BORGLET,
  },
  {
    name: "one executor's token is good for another's calls",
    file: "src/borglet/linux/executor-door.ts",
    text: "if (call.executorId?.value !== known.id || call.frameworkId?.value !== known.framework)",
    replacement: "if (call.executorId?.value === undefined || call.frameworkId?.value === undefined)",
    suite: DOOR,
  },
  {
    name: "bad answers count during a health check's delay",
    file: "src/offers/health.ts",
    text: "graceMs: ms(delaySeconds + gracePeriodSeconds),",
    replacement: "graceMs: ms(delaySeconds === 0 ? gracePeriodSeconds : delaySeconds),",
    suite: "test/offers/desk.test.ts",
  },
  {
    name: "the token of an executor that ended is still good",
    file: "src/borglet/linux/executor-door.ts",
    text: "if (known.instance === instance) this.#known.delete(hash);",
    replacement: "if (known.instance === `${instance}?`) this.#known.delete(hash);",
    suite: DOOR,
  },
  {
    name: "who shows no token holds the door of executors",
    file: "src/borglet/linux/door-guests.ts",
    text: "endOldest(this.#strangers, STRANGERS_MAX);",
    replacement: "if (this.#strangers.size > STRANGERS_MAX) socket.destroy();",
    suite: DOOR,
  },
  {
    name: "one executor holds as many connections as it likes",
    file: "src/borglet/linux/door-guests.ts",
    text: "endOldest(own, OF_ONE_MAX);",
    replacement: "",
    suite: DOOR,
  },
];
