/** The history of a cell: events lost or doubled, and questions that see or do too much. */
import type { Mutant } from "./mutant.ts";

const INGEST = "test/infrastore/ingest.test.ts";
const LIVING = "test/infrastore/living.test.ts";
const SCOPE = "test/infrastore/scope.test.ts";

export const INFRASTORE_BUGS: readonly Mutant[] = [
  {
    name: "the history's position is written before its files",
    file: "src/infrastore/history.ts",
    text: "    const files: DataFile[] = [];\n    let { next } = this.#manifest;",
    replacement:
      "    const files: DataFile[] = [];\n    this.#commit({ ...this.#manifest, position });\n    let { next } = this.#manifest;",
    suite: INGEST,
  },
  {
    name: "files that were merged still count",
    file: "src/infrastore/history.ts",
    text: "files: [...files.filter((file) => !gone.has(file)), merged]",
    replacement: "files: [...files, merged]",
    suite: INGEST,
  },
  {
    name: "the history's files are written and their position is not",
    file: "src/infrastore/history.ts",
    text: "this.#commit({ format: 1, position, next, files: [...this.#manifest.files, ...files] });",
    replacement: "this.#commit({ format: 1, position: this.#manifest.position, next, files: [...this.#manifest.files, ...files] });",
    suite: INGEST,
  },
  {
    name: "events before a new master are passed over",
    file: "src/infrastore/ingest.ts",
    text: "page.anew ? await this.#between(this.#position, page.next - 1) : []",
    replacement: "[]",
    suite: INGEST,
  },
  {
    name: "a gap of the history is not told",
    file: "src/infrastore/ingest.ts",
    text: "if (page.missed && last > 0)",
    replacement: "if (page.missed && last < 0)",
    suite: INGEST,
  },
  {
    name: "merged files go while questions read them",
    file: "src/infrastore/history.ts",
    text: "const atMs = this.#now() + GRACE_MS;",
    replacement: "const atMs = this.#now();",
    suite: INGEST,
  },
  {
    name: "after a write that failed nothing is written any more",
    file: "src/infrastore/ingest.ts",
    text: "this.#writing = written.catch(() => {});",
    replacement: "this.#writing = written;\n    written.catch(() => {});",
    suite: INGEST,
  },
  {
    name: "rows that could not be written are forgotten",
    file: "src/infrastore/ingest.ts",
    text: "this.#waiting = [...rows, ...this.#waiting];",
    replacement: "this.#waiting = [...this.#waiting];",
    suite: INGEST,
  },
  {
    name: "more is asked of the feed than can be written",
    file: "src/infrastore/ingest.ts",
    text: "    await this.#writeIfDue();\n    const from",
    replacement: "    const from",
    suite: INGEST,
  },
  {
    name: "a batch and a merge change the history at once",
    file: "src/infrastore/history.ts",
    text: "const changed = this.#changing.then(change);",
    replacement: "const changed = change();",
    suite: INGEST,
  },
  {
    name: "a manifest that is in its place is taken for refused",
    file: "src/infrastore/history.ts",
    text: "if (JSON.stringify(readManifest(this.directory)) !== JSON.stringify(manifest)) throw error;",
    replacement: "if (readManifest(this.directory).format === 1) throw error;",
    suite: INGEST,
  },
  {
    name: "what lives is forgotten with its day",
    file: "src/infrastore/history.ts",
    text: "if (sql === undefined) return undefined;",
    replacement: 'if (sql !== "") return undefined;',
    suite: LIVING,
  },
  {
    name: "what ended is carried on for ever",
    file: "src/infrastore/living.ts",
    text: "where kind <> 'task.removed' and to_state is distinct from 'dead'",
    replacement: "where kind <> 'task.removed'",
    suite: LIVING,
  },
  {
    name: "a job's end is forgotten before the job",
    file: "src/infrastore/living.ts",
    text: ' or job in (select job from ${rowsOf("jobs", kept("jobs"))})',
    replacement: "",
    suite: LIVING,
  },
  {
    name: "the machines that left are carried on",
    file: "src/infrastore/living.ts",
    text: "e.kind = 'machine.left'",
    replacement: "e.kind = 'machine.gone'",
    suite: LIVING,
  },
  {
    name: "a killed job of the trace finishes",
    file: "src/cli/commands/trace-export.ts",
    text: "when k.job is not null then 5 ",
    replacement: "",
    suite: "test/infrastore/trace.test.ts",
  },
  {
    name: "a job of the trace ends as an earlier one of its name",
    file: "src/cli/commands/trace-export.ts",
    text: " and k.life is not distinct from e.life",
    replacement: "",
    suite: "test/infrastore/trace.test.ts",
  },
  {
    name: "a question has everybody's files",
    file: "src/infrastore/question.ts",
    text: "return history.files.filter(({ owner }) => seen.has(owner));",
    replacement: "return history.files.filter(({ owner }) => seen.has(owner) || owner.length > 0);",
    suite: SCOPE,
  },
  {
    name: "a question's files can be written",
    file: "src/infrastore/jail.ts",
    text: 'folders.flatMap(({ source, path }) => ["--ro-bind", source,',
    replacement: 'folders.flatMap(({ source, path }) => ["--bind", source,',
    suite: SCOPE,
  },
  {
    name: "a question reaches the network",
    file: "src/infrastore/jail.ts",
    text: ' "--unshare-net",',
    replacement: "",
    suite: SCOPE,
  },
  {
    name: "everybody may ask for everybody's history",
    file: "src/borgmaster/api/veil.ts",
    text: 'owners: all ? "all" : [name]',
    replacement: 'owners: all || name.length > 0 ? "all" : [name]',
    suite: SCOPE,
  },
];
