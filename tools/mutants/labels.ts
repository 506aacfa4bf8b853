/** Bugs of labels: forgotten, or not asked for by a selector. */
import type { Mutant } from "./mutant.ts";

export const LABEL_BUGS: readonly Mutant[] = [
  {
    name: "labels gone where none are said",
    file: "src/cell/labels.ts",
    text: "said === undefined ? (before ?? []) :",
    replacement: "said === undefined ? [] :",
    suite: "test/cell/labels.test.ts",
  },
  {
    name: "labels of secrets lost in the checkpoint",
    file: "src/cell/checkpoint/decode.ts",
    text: "createdMs, changedMs, labels: plainLabels(labels) });",
    replacement: "createdMs, changedMs, labels: [] });",
    suite: "test/cell/labels.test.ts",
  },
  {
    name: "selector of packages passed over",
    file: "src/borgmaster/api/packages.ts",
    text: "(all || shared || owner.id === caller) && selects(selector, labelMap(labels));",
    replacement: "(all || shared || owner.id === caller) && (selects(selector, labelMap(labels)) || true);",
    suite: "test/borgmaster/labels.test.ts",
  },
  {
    name: "--dry-run counts with a selector only",
    file: "src/cli/commands/job-changes.ts",
    text: 'if (options.dryRun === true) return onlyShown(context, "kill", job, options);',
    replacement: "",
    suite: "src/cli/commands/selection.test.ts",
  },
  {
    name: "a name is one's own whatever --user says",
    file: "src/cli/selection.ts",
    text: "if (name !== undefined && (options.user !== undefined || options.all === true))",
    replacement: "if (name === undefined && options.user !== undefined && options.all === true)",
    suite: "src/cli/commands/selection.test.ts",
  },
];
