/** Bugs in what keeps the journal: files, segments, snapshots, history. */
import type { Mutant } from "./mutant.ts";

export const STORE_BUGS: readonly Mutant[] = [
  {
    name: "a restored journal begins with an old term",
    file: "src/store/log.ts",
    text: "{ ...START, position: snapshot.position, term }",
    replacement: "{ ...START, position: snapshot.position }",
    suite: "src/store/log.test.ts",
  },
  {
    name: "directory never fsynced",
    file: "src/store/files.ts",
    text: "          fs.fsyncSync(descriptor);\n",
    replacement: "          fs.fstatSync(descriptor);\n",
    suite: "src/store/files.test.ts",
  },
  {
    name: "file never fsynced",
    file: "src/store/files.ts",
    text: "fs.fdatasyncSync(this.#descriptor(name))",
    replacement: "fs.fstatSync(this.#descriptor(name))",
    suite: "src/store/files.test.ts",
  },
  {
    name: "new segment's name not synced",
    file: "src/store/log/segment.ts",
    text: "disk.syncNames();",
    replacement: "",
    suite: "test/durability/crash.test.ts",
  },
  {
    name: "snapshot renamed before it is synced",
    file: "src/store/log/snapshot.ts",
    text: "    this.#disk.sync(temporary);\n",
    replacement: "",
    suite: "test/durability/crash.test.ts",
  },
  {
    name: "snapshot not read back",
    file: "src/store/log/snapshot.ts",
    text: "if (!back.ok || crc32c(back.value.payload) !== crc32c(snapshot.payload)) {",
    replacement: "if (back.ok && back.value.position < 0) {",
    suite: "src/store/log/snapshot.test.ts",
  },
  {
    name: "one snapshot too few kept",
    file: "src/store/log/snapshot.ts",
    text: "this.positions().slice(SNAPSHOTS_KEPT)",
    replacement: "this.positions().slice(SNAPSHOTS_KEPT - 1)",
    suite: "src/store/log/snapshot.test.ts",
  },
  {
    name: "history trimmed that a snapshot needs",
    file: "src/store/log/retention.ts",
    text: "if (next.first - 1 > oldest) break;",
    replacement: "",
    suite: "src/store/log/history.test.ts",
  },
  {
    name: "damage taken for a torn tail",
    file: "src/store/log/recovery.ts",
    text: "if (position <= proof.acknowledged || walk.tip.sequence + 1 <= proof.synced) {",
    replacement: "if (position <= 0) {",
    caughtBy: ["KD5", "KD1", "KD3"],
  },
  {
    name: "idle log gets no mark",
    file: "src/store/log.ts",
    text: 'if (this.#writer.lastKind !== "entry" && this.#writer.lastKind !== "lead") return ok(undefined);',
    replacement: "if (this.#dead === undefined) return ok(undefined);",
    suite: "src/store/log.test.ts",
  },
  {
    name: "log goes on after a failed sync",
    file: "src/store/log.ts",
    text: "this.#dead = `The disk failed and this journal can no longer be trusted: ${cause.message}`;\n      return refused(this.#dead);",
    replacement: "return refused(cause.message);",
    suite: "src/store/log.test.ts",
  },
  {
    name: "queue without a bound",
    file: "src/store/log-journal.ts",
    text: "if (this.#queue.length >= QUEUE_ENTRIES_MAX ||",
    replacement: "if (this.#queue.length < 0 ||",
    suite: "src/store/log-journal.test.ts",
  },
];
