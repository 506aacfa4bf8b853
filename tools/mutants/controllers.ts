/** Bugs that would make the token of a controller good for more than was declared, or for longer. */
import type { Mutant } from "./mutant.ts";

const CELL = "src/cell/ops/controllers.ts";
const SUITE = "test/cell/controllers.test.ts";

export const CONTROLLER_BUGS: readonly Mutant[] = [
  {
    name: "token of a controller outlives its job",
    file: CELL,
    text: "instance === undefined || instance.stop !== undefined || !isPlaced(instance.task.state)",
    replacement: "instance === undefined",
    suite: SUITE,
  },
  {
    name: "jobs of a controller above it",
    file: CELL,
    text: "  if (spec.priority > highest) return",
    replacement: "  if (spec.priority > 450) return",
    suite: SUITE,
  },
  {
    name: "names of a controller's jobs not looked at",
    file: CELL,
    text: "jobs.some((pattern) => matches(pattern, name))",
    replacement: "jobs.length > 0",
    suite: SUITE,
  },
  {
    name: "name of a controller's job taken for how names begin",
    file: CELL,
    text: "name.startsWith(pattern.slice(0, -1)) : name === pattern;",
    replacement: "name.startsWith(pattern.slice(0, -1)) : name.startsWith(pattern);",
    suite: SUITE,
  },
  {
    name: "controller changes itself",
    file: CELL,
    text: "faces.some(({ wants }) => wants.task?.controller !== undefined)",
    replacement: "faces.length === 0",
    suite: SUITE,
  },
  {
    name: "controller makes controllers",
    file: CELL,
    text: "  if (spec.task?.controller !== undefined) return `${who} a token",
    replacement: "  if (spec.count === 0) return `${who} a token",
    suite: SUITE,
  },
  {
    name: "controller gives away secrets that it has not",
    file: CELL,
    text: "  if (secret !== undefined) return",
    replacement: '  if (secret?.name === "") return',
    suite: SUITE,
  },
  {
    name: "token of a controller good for every call",
    file: "src/borgmaster/api/controllers.ts",
    text: "  if (target === undefined) return notForControllers(controller, method);",
    replacement: "  if (target === undefined) return undefined;",
    suite: "test/borgmaster/controllers.test.ts",
  },
  {
    name: "token of a controller good for every instance",
    file: "src/borgmaster/vault.ts",
    text: '["borg-controller", cell, instance]',
    replacement: '["borg-controller", cell]',
    suite: "src/daemon/vault.test.ts",
  },
  {
    name: "op of a controller not said to be one",
    file: "src/borgmaster/api/changes.ts",
    text: ", call.controller]",
    replacement: ', ""]',
    suite: "test/borgmaster/controllers.test.ts",
  },
  {
    name: "token of a controller leads a framework",
    file: "src/rpc/mesos/edge.ts",
    text: "if (controller !== undefined)",
    replacement: "if (controller === '')",
    suite: "src/rpc/mesos/edge.test.ts",
  },
];
