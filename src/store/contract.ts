/**
 * What every journal must do, as numbered rules (SPEC.md) that run against each implementation. A new engine passes
 * this suite, whatever it is made of.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Journal, JournalAnswer, JournalEntry, JournalListener } from "../wire/journal.ts";

/** One empty journal store; `open` may be called again after `close`, as a restarted master would. */
export interface ContractSubject {
  open(listener: JournalListener): Journal | Promise<Journal>;
  close(): void | Promise<void>;
  /** Lets what is under way get on. */
  step(): void | Promise<void>;
  /** Removes whatever the subject used. */
  discard(): void | Promise<void>;
}

const STEPS_MAX = 20_000;

type AnswerOf<T extends JournalAnswer["type"]> = Extract<JournalAnswer, { type: T }>;

/** A master's side of the conversation. */
class Talk {
  readonly answers: JournalAnswer[] = [];
  readonly #subject: ContractSubject;
  journal!: Journal;

  constructor(subject: ContractSubject) {
    this.#subject = subject;
  }

  async open(): Promise<this> {
    this.journal = await this.#subject.open((answer) => this.answers.push(answer));
    return this;
  }

  /** Takes the first answer of one of these types out of what arrives. */
  async expect<T extends JournalAnswer["type"]>(...types: T[]): Promise<AnswerOf<T>> {
    for (let step = 0; step < STEPS_MAX; step++) {
      const index = this.answers.findIndex(({ type }) => (types as string[]).includes(type));
      if (index >= 0) return this.answers.splice(index, 1)[0] as AnswerOf<T>;
      await this.#subject.step();
    }
    throw new Error(`No answer of type ${types.join(", ")}; there is ${JSON.stringify(this.answers)}`);
  }

  async lead(): Promise<AnswerOf<"leading">> {
    this.journal.lead();
    return this.expect("leading");
  }

  async append(term: number, position: number, payload: Uint8Array): Promise<AnswerOf<"appended" | "not-appended">> {
    this.journal.append(term, position, payload);
    return this.expect("appended", "not-appended");
  }

  async confirm(term: number): Promise<AnswerOf<"confirmed" | "not-confirmed">> {
    this.journal.confirm(term);
    return this.expect("confirmed", "not-confirmed");
  }

  async readAll(from: number, bytesMax: number): Promise<JournalEntry[]> {
    const all: JournalEntry[] = [];
    for (let last = from; from + all.length <= last; ) {
      this.journal.read(from + all.length, bytesMax);
      const answer = await this.expect("entries");
      last = answer.last;
      if (answer.entries.length === 0) break;
      all.push(...answer.entries);
    }
    return all;
  }

  async follow(count: number): Promise<JournalEntry[]> {
    const entries: JournalEntry[] = [];
    while (entries.length < count) entries.push((await this.expect("followed")).entry);
    return entries;
  }
}

export const payloadOf = (position: number): Uint8Array =>
  Uint8Array.from({ length: (position * 37) % 300 }, (_, i) => (position * 31 + i) & 0xff);

const entriesOf = (term: number, from: number, to: number): JournalEntry[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ position: from + i, term, payload: payloadOf(from + i) }));

const plain = (entries: readonly JournalEntry[]) => entries.map(({ position, term, payload }) => [position, term, [...payload]]);
const same = (actual: readonly JournalEntry[], wanted: readonly JournalEntry[]) => assert.deepEqual(plain(actual), plain(wanted));

type Rule = (talk: Talk, subject: ContractSubject) => Promise<void>;

async function fill(talk: Talk, term: number, from: number, to: number): Promise<void> {
  for (let position = from; position <= to; position++) talk.journal.append(term, position, payloadOf(position));
  for (let position = from; position <= to; position++) {
    assert.deepEqual(await talk.expect("appended", "not-appended"), { type: "appended", position });
  }
}

const RULES: Readonly<Record<string, Rule>> = {
  "appends are answered in call order and read back as they were [store.A6] [store.H1]": async (talk) => {
    assert.deepEqual(await talk.lead(), { type: "leading", term: 1, last: 0 });
    await fill(talk, 1, 1, 100);
    same(await talk.readAll(1, 500), entriesOf(1, 1, 100));
    same(await talk.readAll(57, 1), entriesOf(1, 57, 100));
  },
  "a restarted master finds every entry and leads under a higher term [store.A1] [store.F1] [KD1] [KL1]": async (talk, subject) => {
    await talk.lead();
    await fill(talk, 1, 1, 50);
    await subject.close();
    await talk.open();
    assert.deepEqual(await talk.lead(), { type: "leading", term: 2, last: 50 });
    same(await talk.readAll(1, 1000), entriesOf(1, 1, 50));
  },
  "what an old leader appends after a new lead is fenced and never appears, also after a restart [store.F2] [KL1]": async (
    talk,
    subject,
  ) => {
    const { term } = await talk.lead();
    await talk.append(term, 1, payloadOf(1));
    const { term: next } = await talk.lead();
    assert.ok(next > term, "terms rise");
    for (const old of [term, 0, next + 1]) {
      const answer = await talk.append(old, 2, payloadOf(9));
      assert.equal(answer.type === "not-appended" && answer.fault, "fenced", `term ${old}`);
    }
    assert.equal((await talk.append(next, 2, payloadOf(2))).type, "appended");
    const wanted = [...entriesOf(term, 1, 1), ...entriesOf(next, 2, 2)];
    same(await talk.readAll(1, 1000), wanted);
    await subject.close();
    await talk.open();
    const third = await talk.lead();
    assert.ok(third.term > next, "terms rise over a restart");
    assert.equal(third.last, 2);
    same(await talk.readAll(1, 1000), wanted);
  },
  "what is on its way while another one begins to lead is done before it, or fenced, and never comes after it [store.F2] [KL1]": async (
    talk,
  ) => {
    const { term } = await talk.lead();
    for (const position of [1, 2, 3]) talk.journal.append(term, position, payloadOf(position));
    talk.journal.lead();
    for (const position of [4, 5]) talk.journal.append(term, position, payloadOf(position));
    const { term: next, last } = await talk.expect("leading");
    let done = 0;
    for (let position = 1; position <= 5; position++) {
      const answer = await talk.expect("appended", "not-appended");
      if (answer.type === "appended") done += 1;
      else assert.equal(answer.fault, "fenced");
    }
    assert.equal(done, last);
    assert.equal((await talk.append(next, last + 1, payloadOf(last + 1))).type, "appended");
    same(await talk.readAll(1, 1000), [...entriesOf(term, 1, last), ...entriesOf(next, last + 1, last + 1)]);
  },
  "confirm answers a position at or after everything acknowledged, and only to the newest term [store.C1] [store.C2] [KD3]": async (
    talk,
  ) => {
    assert.equal((await talk.confirm(0)).type, "not-confirmed");
    const { term } = await talk.lead();
    assert.deepEqual(await talk.confirm(term), { type: "confirmed", term, position: 0 });
    for (let position = 1; position <= 5; position++) {
      await talk.append(term, position, payloadOf(position));
      const answer = await talk.confirm(term);
      assert.ok(answer.type === "confirmed" && answer.position >= position, JSON.stringify(answer));
    }
    const { term: next } = await talk.lead();
    const old = await talk.confirm(term);
    assert.deepEqual([old.type, old.term], ["not-confirmed", term]);
    assert.equal((await talk.confirm(next + 1)).type, "not-confirmed");
    assert.deepEqual(await talk.confirm(next), { type: "confirmed", term: next, position: 5 });
  },
  "after a restart nobody is confirmed before leading again [store.C2]": async (talk, subject) => {
    const { term } = await talk.lead();
    await fill(talk, term, 1, 3);
    await subject.close();
    await talk.open();
    const { term: next } = await talk.lead();
    assert.equal((await talk.confirm(term)).type, "not-confirmed");
    assert.deepEqual(await talk.confirm(next), { type: "confirmed", term: next, position: 3 });
  },
  "a position that is taken, or leaves a gap, is fenced [store.F3]": async (talk) => {
    const { term } = await talk.lead();
    await fill(talk, term, 1, 3);
    for (const position of [3, 5]) {
      const answer = await talk.append(term, position, payloadOf(9));
      assert.equal(answer.type === "not-appended" && answer.fault, "fenced");
    }
    same(await talk.readAll(1, 1000), entriesOf(term, 1, 3));
  },
  "nobody appends before leading [store.F4]": async (talk) => {
    const answer = await talk.append(0, 1, payloadOf(1));
    assert.equal(answer.type === "not-appended" && answer.fault, "fenced");
  },
  "reading past the end answers no entries and the last position [store.H1]": async (talk) => {
    const { term } = await talk.lead();
    await fill(talk, term, 1, 4);
    talk.journal.read(5, 1000);
    assert.deepEqual(await talk.expect("entries"), { type: "entries", from: 5, entries: [], last: 4 });
  },
  "a follower gets history and then every new entry, in order, without gap, until unfollow [store.H5] [KD6]": async (talk) => {
    const { term } = await talk.lead();
    await fill(talk, term, 1, 60);
    talk.journal.follow(20);
    same(await talk.follow(41), entriesOf(term, 20, 60));
    await fill(talk, term, 61, 70);
    same(await talk.follow(10), entriesOf(term, 61, 70));
    talk.journal.unfollow();
    await fill(talk, term, 71, 72);
    talk.journal.read(72, 1);
    await talk.expect("entries");
    assert.equal(talk.answers.filter(({ type }) => type === "followed").length, 0);
  },
  "without a snapshot the answer is undefined; a saved one is loaded again [store.S1]": async (talk, subject) => {
    talk.journal.loadSnapshot(Number.MAX_SAFE_INTEGER);
    assert.deepEqual(await talk.expect("snapshot"), { type: "snapshot", snapshot: undefined });
    const { term } = await talk.lead();
    await fill(talk, term, 1, 30);
    for (const position of [10, 20, 30]) {
      talk.journal.saveSnapshot({ position, payload: payloadOf(position) });
      assert.deepEqual(await talk.expect("snapshot-saved", "snapshot-not-saved"), { type: "snapshot-saved", position });
    }
    await subject.close();
    await talk.open();
    for (const [atMost, position] of [
      [Number.MAX_SAFE_INTEGER, 30],
      [29, 20],
    ] as const) {
      talk.journal.loadSnapshot(atMost);
      const { snapshot } = await talk.expect("snapshot");
      assert.equal(snapshot?.position, position);
      assert.deepEqual([...snapshot!.payload], [...payloadOf(position)]);
    }
  },
  "a snapshot of what is not durable yet is refused [store.S6]": async (talk) => {
    const { term } = await talk.lead();
    await fill(talk, term, 1, 3);
    talk.journal.saveSnapshot({ position: 4, payload: payloadOf(4) });
    assert.equal((await talk.expect("snapshot-saved", "snapshot-not-saved")).type, "snapshot-not-saved");
  },
};

export function journalContract(name: string, make: () => ContractSubject): void {
  for (const [rule, check] of Object.entries(RULES)) {
    test(`${name}: ${rule}`, async () => {
      const subject = make();
      try {
        await check(await new Talk(subject).open(), subject);
      } finally {
        await subject.close();
        await subject.discard();
      }
    });
  }
}
