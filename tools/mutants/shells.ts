/** Bugs of shells in tasks. */
import type { Mutant } from "./mutant.ts";

export const SHELL_BUGS: readonly Mutant[] = [
  {
    name: "a shell without the filter of system calls",
    file: "src/borglet/linux/launcher.ts",
    text: 'const filtered = filter === "" ? [] : ["--seccomp", String(FILTER_DESCRIPTOR)];',
    replacement: "const filtered: string[] = [];",
    suite: "test/borglet/shells.test.ts",
  },
  {
    name: "a shell keeps the way in open",
    file: "src/borglet/linux/shim.ts",
    text: 'export const CLOSE_ENTERED = "exec 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-";',
    replacement: 'export const CLOSE_ENTERED = ":";',
    suite: "test/borglet/shells.test.ts",
  },
  {
    name: "a shell's output not kept until it was seen",
    file: "src/borglet/linux/shell.ts",
    text: "    this.#output.seen(use.outputSeen);",
    replacement: "    this.#output.seen(Number.POSITIVE_INFINITY);",
    suite: "test/borglet/shells.test.ts",
  },
  {
    name: "a shell takes what nobody reads",
    file: "src/borglet/linux/shell.ts",
    text: " || (this.#door?.unread ?? 0) >= KEPT_BYTES) return;",
    replacement: ") return;",
    suite: "test/borglet/shells.test.ts",
  },
  {
    name: "shells of others",
    file: "src/borgmaster/api/shells.ts",
    text: "const keyOf = (user: string, shell: string): string => `${user} ${shell}`;",
    replacement: "const keyOf = (_user: string, shell: string): string => shell;",
    suite: "test/attack/shells.test.ts",
  },
  {
    name: "a shell for who may not be there any more",
    file: "src/borgmaster/api/borglet-reads.ts",
    text: 'if (problem !== undefined) return fail(open, "not-permitted", problem);',
    replacement: "",
    suite: "test/attack/shells.test.ts",
  },
  {
    name: "a shell that nobody is told of",
    file: "src/cell/ops/shells.ts",
    text: '  turn.emit({ kind: "task.entered", subject: task.id, instance: instance.id, machine: place.machine.id });\n',
    replacement: "",
    suite: "test/cell/shells.test.ts",
  },
];
