/** Bugs in what becomes of packages: archives, their bytes at the master, their trees on machines, their records in the cell. */
import type { Mutant } from "./mutant.ts";

export const PACKAGE_BUGS: readonly Mutant[] = [
  {
    name: "package kept under a hash that its bytes do not have",
    file: "src/daemon/package-store.ts",
    text: "if (found !== digest) {",
    replacement: 'if (found === "") {',
    suite: "src/daemon/package-store.test.ts",
  },
  {
    name: "knowing the hash of a package taken for having it",
    file: "src/daemon/package-store.ts",
    text: "if (size !== total || !(owned ||",
    replacement: "if (size !== total || !(size === total ||",
    suite: "src/daemon/package-store.test.ts",
  },
  {
    name: "unfinished upload acknowledged",
    file: "src/borgmaster/api.ts",
    text: "if (kept) then();",
    replacement: 'if (kept || digest !== "") then();',
    suite: "test/borgmaster/api-actor.test.ts",
  },
  {
    name: "package removed while a living job names it",
    file: "src/cell/ops/packages.ts",
    text: "const [job] = jobsNaming(state, name, found);",
    replacement: 'const [job] = jobsNaming(state, "", found);',
    suite: "test/cell/packages.test.ts",
  },
  {
    name: "package of another user named",
    file: "src/cell/ops/packages.ts",
    text: "const hidden = found !== undefined && !found.shared && owner !== spec.user;",
    replacement: 'const hidden = found !== undefined && !found.shared && owner === spec.user && ref.user !== "";',
    suite: "test/cell/packages.test.ts",
  },
  {
    name: "any borglet gets any package",
    file: "src/borgmaster/link/package-requests.ts",
    text: "if (!isNamed(desired, machine, digest))",
    replacement: 'if (digest === "")',
    suite: "test/borgmaster/link.test.ts",
  },
  {
    name: "package evicted while in use",
    file: "src/borglet/packages.ts",
    text: "digest !== newest && !inUse.has(digest)",
    replacement: "digest !== newest && inUse.size >= 0",
    suite: "src/borglet/packages.test.ts",
  },
  {
    name: "task started without its package",
    file: "src/borglet/borglet.ts",
    text: "|| this.#packages.isReady(kept.order)) return desired;",
    replacement: "|| !this.#packages.isReady(kept.order)) return desired;",
    suite: "src/borglet/packages.test.ts",
  },
  {
    name: "package unpacked before its hash was found right",
    file: "src/borglet/linux/packages.ts",
    text: "if (found !== digest) {",
    replacement: 'if (found === "") {',
    suite: "src/borglet/linux/packages.test.ts",
  },
  {
    name: "link out of a package followed",
    file: "src/archive/paths.ts",
    text: '  if (climbs > directory.length) return "leads out of the tree";\n',
    replacement: "",
    suite: "src/archive/evil.test.ts",
  },
  {
    name: "file of a package behind a link",
    file: "src/archive/paths.ts",
    text: 'if (found !== undefined && found !== "directory")',
    replacement: 'if (found !== undefined && found === "file")',
    suite: "src/archive/evil.test.ts",
  },
  {
    name: "links in a task's directory followed for its owner",
    file: "src/borglet/linux/task-files.ts",
    text: "constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK",
    replacement: "constants.O_RDONLY | constants.O_NONBLOCK",
    suite: "src/borglet/linux/task-files.test.ts",
  },
];
