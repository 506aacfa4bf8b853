/** A model of etcd between which and its askers a test stands: it lets questions through, keeps them, or loses their answers. */
import assert from "node:assert/strict";
import { EtcdJournal } from "../../src/store/etcd/journal.ts";
import type { Answer, Etcd, Question } from "../../src/store/etcd/port.ts";
import { DiskShelf } from "../../src/store/etcd/shelf.ts";
import { MemoryDisk } from "../../src/store/memory-disk.ts";
import { MemoryEtcd } from "../../src/store/memory-etcd.ts";
import type { JournalAnswer } from "../../src/wire/journal.ts";

export const CELL = "cc";

/** A question that somebody holds back. */
export interface Held {
  readonly question: Question;
  /** It reaches etcd now, and its asker hears the answer. */
  answer(): void;
  /** Its asker hears nothing before its deadline. */
  giveUp(): void;
  /** It reaches etcd now; whether its asker has given up or not, nobody hears of it. */
  land(): void;
}

interface Told {
  readonly replicas?: number;
  readonly lockRevision?: () => number | undefined;
  readonly quotaBytes?: number;
}

export class Stage {
  nowMs = 0;
  readonly model = new MemoryEtcd(() => this.nowMs);
  readonly asked: Question[] = [];

  /** One connection. `hold` chooses what does not pass by itself. */
  port(hold: (question: Question) => boolean = () => false): Etcd & { readonly held: Held[]; deaf: boolean } {
    const held: Held[] = [];
    const ask = (question: Question, then: (answer: Answer) => void): void => {
      this.asked.push(question);
      if (!hold(question)) return then(this.model.ask(question));
      held.push({
        question,
        answer: () => then(this.model.ask(question)),
        giveUp: () => then({ type: "failed", outcome: "unknown", reason: "No answer before the deadline" }),
        land: () => void this.model.ask(question),
      });
    };
    const port = {
      held,
      /** Events are lost. */
      deaf: false,
      ask,
      watch: ((range, revision, listener) =>
        this.model.watch(range, revision, (event) => {
          if (!port.deaf) listener(event);
        })) as Etcd["watch"],
    };
    return port;
  }

  replica(name: string, etcd: Etcd, told: Told = {}): Replica {
    return new Replica(name, etcd, told);
  }
}

export class Replica {
  readonly answers: JournalAnswer[] = [];
  readonly journal: EtcdJournal;

  constructor(name: string, etcd: Etcd, told: Told) {
    const shelf = new DiskShelf(new MemoryDisk(), CELL);
    const listener = (answer: JournalAnswer): void => void this.answers.push(answer);
    this.journal = new EtcdJournal({ etcd, cell: CELL, name, replicas: 3, shelf, listener, ...told });
  }

  /** The one answer that has come since. */
  answer<T extends JournalAnswer["type"]>(type: T): Extract<JournalAnswer, { type: T }> {
    assert.deepEqual(
      this.answers.map((each) => each.type),
      [type],
      JSON.stringify(this.answers),
    );
    return this.answers.splice(0)[0] as Extract<JournalAnswer, { type: T }>;
  }

  lead(): number {
    this.journal.lead();
    return this.answer("leading").term;
  }

  append(term: number, ...positions: number[]): void {
    for (const position of positions) {
      this.journal.append(term, position, payloadOf(position));
      this.answer("appended");
    }
  }

  read(from: number): readonly number[] {
    this.journal.read(from, 1_000_000);
    return this.answer("entries").entries.map(({ position }) => position);
  }
}

export const payloadOf = (position: number): Uint8Array => Uint8Array.of(position, position >> 8);

/** Questions that change the journal. */
export const isGuarded = (question: Question): boolean => question.type === "txn" && question.guards.length > 0;
/** Questions that only look at the head. */
export const isHeadRead = (question: Question): boolean =>
  question.type === "txn" && question.guards.length === 0 && question.ops.length === 1 && question.ops[0]?.type === "get";
