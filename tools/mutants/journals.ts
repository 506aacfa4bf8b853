/** Fencing and confirm, on every journal: the contract suite notices these. */
import type { Mutant } from "./mutant.ts";

export const JOURNAL_BUGS: readonly Mutant[] = [
  {
    name: "old term appends to the memory store",
    file: "src/store/memory-store.ts",
    text: "if (term !== this.#term || term === 0) return `Term",
    replacement: "if (term > this.#term || term === 0) return `Term",
    suite: "src/store/contract.test.ts",
  },
  {
    name: "old term appends to the log",
    file: "src/store/log.ts",
    text: "const problem = this.#termProblem(term);\n    if (problem !== undefined) return problem;",
    replacement: "if (this.term === 0 || term > this.term) return this.#termProblem(term);",
    suite: "src/store/contract.test.ts",
  },
  {
    name: "old term appends to the files",
    file: "src/store/files-journal.ts",
    text: 'this.#post({ type: "append", term, position, payload: own }, own.buffer);',
    replacement: 'this.#post({ type: "append", term: this.#term || term, position, payload: own }, own.buffer);',
    suite: "src/store/contract.test.ts",
  },
  {
    name: "old term confirmed by the memory store",
    file: "src/store/memory-store.ts",
    text: "return term === this.#term && term > 0 ? undefined : `Term",
    replacement: "return term > 0 ? undefined : `Term",
    suite: "src/store/contract.test.ts",
  },
  {
    name: "old term confirmed by the log",
    file: "src/store/log.ts",
    text: "return this.#dead ?? this.#termProblem(term);",
    replacement: "return this.#dead ?? (this.term === 0 ? this.#termProblem(term) : undefined);",
    suite: "src/store/contract.test.ts",
  },
  {
    name: "old term confirmed by the files",
    file: "src/store/files-journal.ts",
    text: "if (this.#dead === undefined && term === this.#term && term > 0) this.#later",
    replacement: "if (this.#dead === undefined && term > 0) this.#later",
    suite: "src/store/contract.test.ts",
  },
];
