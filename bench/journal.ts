/** A journal on real files for a bench: each entry is synced before its position is answered, one after the other, as one master does it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FilesJournal } from "../src/store/files-journal.ts";
import type { JournalAnswer } from "../src/wire/journal.ts";

export class BenchJournal {
  readonly #directory: string;
  #journal: FilesJournal | undefined;
  #term = 0;
  #next = 1;
  #hear: (answer: JournalAnswer) => void = () => {};

  static async open(parent: string): Promise<BenchJournal> {
    const made = new BenchJournal(mkdtempSync(join(parent, "bench-journal-")));
    made.#journal = await FilesJournal.open({ directory: made.#directory, cell: "bench" }, (answer) => made.#hear(answer));
    const leading = made.#answer();
    made.#journal.lead();
    const lead = await leading;
    assert.ok(lead.type === "leading", JSON.stringify(lead));
    made.#term = lead.term;
    return made;
  }

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when the bytes are on the disk. The journal keeps them. */
  async append(bytes: Uint8Array): Promise<void> {
    const appended = this.#answer();
    this.#journal!.append(this.#term, this.#next++, bytes);
    const answer = await appended;
    assert.ok(answer.type === "appended", JSON.stringify(answer));
  }

  async close(): Promise<void> {
    await this.#journal?.close();
    rmSync(this.#directory, { recursive: true });
  }

  #answer(): Promise<JournalAnswer> {
    return new Promise((resolve) => {
      this.#hear = resolve;
    });
  }
}
