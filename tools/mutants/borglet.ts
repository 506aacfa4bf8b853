/** Bugs in the borglet and in what it keeps. */
import type { Mutant } from "./mutant.ts";

export const BORGLET_BUGS: readonly Mutant[] = [
  {
    name: "a full disk not told",
    file: "src/borglet/borglet.ts",
    text: "this.#facts = message.full ? withFullDisk(this.#options.facts) : this.#options.facts;",
    replacement: "this.#facts = this.#options.facts;",
    suite: "src/borglet/borglet.test.ts",
  },
  {
    name: "task directories of a moved cell swept away",
    file: "src/borglet/linux/area.ts",
    text: "  if (tied !== undefined) return tied.nlink < 2;\n",
    replacement: "",
    suite: "src/borglet/linux/files.test.ts",
  },
  {
    name: "a copied cell taken for the one it was",
    file: "src/daemon/place.ts",
    text: 'return there !== undefined && there.inode === was.inode && there.device === was.device ? "copied" : "elsewhere";',
    replacement: 'return there === undefined ? "elsewhere" : "moved";',
    suite: "src/daemon/place.test.ts",
  },
  {
    name: "since begins too late in a log",
    file: "src/borglet/linux/log-times.ts",
    text: "return marks[(first === -1 ? marks.length : first) - 1]?.offset ?? 0;",
    replacement: "return marks[first === -1 ? marks.length - 1 : first]?.offset ?? 0;",
    suite: "src/borglet/linux/log-times.test.ts",
  },
  {
    name: "joined notes of a log's times claim more",
    file: "src/borglet/linux/log-times.ts",
    text: "fromMs: Math.min(mark.fromMs, old[i - 1]!.fromMs), ",
    replacement: "",
    suite: "src/borglet/linux/log-times.test.ts",
  },
  {
    name: "kept file not synced",
    file: "src/borglet/kept-file.ts",
    text: "      this.#disk.sync(KEPT_NAME);\n",
    replacement: "",
    // Several batches on their way at once leave a hole, which refuses to open.
    caughtBy: ["KL2", "KT5", "throw"],
  },
  {
    name: "kept batch without checksum",
    file: "src/borglet/kept-file.ts",
    text: " && crc32c(this.#bytes, at + HEAD_BYTES, end) === this.#word(at + 12);",
    replacement: ";",
    suite: "src/borglet/kept-file.test.ts",
  },
  {
    name: "name of the new kept file not synced",
    file: "src/borglet/kept-file.ts",
    text: "    disk.syncNames();\n",
    replacement: "",
    caughtBy: ["KL2", "KT5"],
  },
  {
    name: "kept file written anew without instances",
    file: "src/borglet/kept.ts",
    text: "[termRecord(memory), ...[...memory.instances.values()].map(keptRecord)]",
    replacement: "[termRecord(memory)]",
    caughtBy: ["KT5"],
  },
  {
    name: "borglet forgets its instances at restart",
    file: "src/borglet/borglet.ts",
    text: "  start(): void {\n",
    replacement: "  start(): void {\n    this.#memory.instances.clear();\n",
    caughtBy: ["KT5"],
  },
  {
    name: "acts before it saved",
    file: "src/borglet/borglet.ts",
    text: "    if (!this.#saved()) return;\n    const effects = this.#effects;\n    this.#effects = [];\n    for (const act of effects) act();\n",
    replacement:
      "    const effects = this.#effects;\n    this.#effects = [];\n    for (const act of effects) act();\n    if (!this.#saved()) return;\n",
    caughtBy: ["KT5"],
  },
  {
    name: "reports though it could not save",
    file: "src/borglet/borglet.ts",
    text: "    if (!this.#saved()) return;\n",
    replacement: "    if (!this.#saved()) return this.#answer();\n",
    caughtBy: ["KT5", "KL2"],
  },
  {
    name: "tasks of another cell taken for our own",
    file: "src/borglet/linux/layout.ts",
    text: '.digest("hex").slice(0, 16)',
    replacement: '.digest("hex").slice(0, 0)',
    suite: "test/borglet/contract.test.ts",
  },
  {
    name: "no memory limit where none was given",
    file: "src/borglet/bounds.ts",
    text: ": quarter(machineBytes, RAM_LEAST, RAM_MOST);",
    replacement: ": 0;",
    suite: "src/borglet/bounds.test.ts",
  },
  {
    name: "a removal enters directories of others",
    file: "src/borglet/linux/remove.ts",
    text: " && fstatSync(fd).uid === process.getuid?.()",
    replacement: "",
    suite: "src/borglet/linux/remove.test.ts",
  },
  {
    name: "a removal follows links",
    file: "src/borglet/linux/remove.ts",
    text: " | constants.O_NOFOLLOW;",
    replacement: ";",
    suite: "src/borglet/linux/remove.test.ts",
  },
];
