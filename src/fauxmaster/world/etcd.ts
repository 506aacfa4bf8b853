/**
 * Several masters on one etcd: the production code of the journal and of the lock, over a model of etcd that is slow, cut off, without a leader, or compacted.
 * A question that is late is answered `unknown` at its deadline, and lands all the same; a watch may lose events without a word. The model's clock ends leases.
 */
import type { Actor, Address, Env } from "../../base/env.ts";
import type { Random } from "../../base/random.ts";
import type { LockAnswer, LockRequest } from "../../borgmaster/lock-message.ts";
import { EtcdJournal } from "../../store/etcd/journal.ts";
import { decodeTermed, encodeHead, encodeTermed, Keys } from "../../store/etcd/keys.ts";
import { EtcdLock } from "../../store/etcd/lock.ts";
import type { Answer, Etcd, KeyRange, Question, WatchEvent } from "../../store/etcd/port.ts";
import { DiskShelf, type Shelf } from "../../store/etcd/shelf.ts";
import { MemoryDisk } from "../../store/memory-disk.ts";
import { MemoryEtcd } from "../../store/memory-etcd.ts";
import type { Journal, JournalEntry, JournalListener } from "../../wire/journal.ts";
import type { SharedStore } from "./journals.ts";
import type { Kernel } from "./kernel.ts";
import type { Birth } from "./process.ts";

const DEADLINE_MS = 1000;
const SECOND_MS = 1000;
const LOCK_TICK_MS = 250;
/** How late a question may land that its asker gave up. */
const LATE_MS: readonly [from: number, below: number] = [100, 6000];

export const lockOf = (master: Address): Address => `${master}/lock`;

export class EtcdJournals implements SharedStore {
  /** Chances per question. */
  slow = 0;
  unknown = 0;
  #unavailable = 0;
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #etcd: MemoryEtcd;
  readonly #keys: Keys;
  readonly #cell: string;
  readonly #masters: number;
  readonly #cutOff = new Set<string>();
  readonly #shelves = new Map<string, DiskShelf>();
  /** Every entry that ever landed, also those that were trimmed since: what the judge reads. */
  readonly #landed: JournalEntry[] = [];

  constructor(kernel: Kernel, cell: string, masters: number) {
    this.#kernel = kernel;
    this.#random = kernel.streams.of("store");
    this.#cell = cell;
    this.#masters = masters;
    this.#etcd = new MemoryEtcd(() => kernel.nowMs);
    this.#keys = new Keys(cell);
    this.#etcd.watch(this.#keys.entriesFrom(0), 1, (event) => {
      if (event.type === "put") this.#land(decodeTermed(event.entry));
    });
  }

  /** What the journal holds before the world begins. */
  begin(payloads: readonly Uint8Array[]): void {
    const put = (key: string, value: Uint8Array): void =>
      void this.#etcd.ask({ type: "txn", guards: [], ops: [{ type: "put", key, value }], otherwise: [] });
    for (const [i, payload] of payloads.entries()) put(this.#keys.entry(i + 1), encodeTermed(1, payload));
    if (payloads.length > 0) put(this.#keys.head, encodeHead({ term: 1, position: payloads.length }));
  }

  entries(): readonly JournalEntry[] {
    return this.#landed;
  }

  /** For one incarnation: its journal, and the actor that answers for the lock. */
  open(birth: Birth): { readonly journal: (listener: JournalListener) => Journal; readonly lock: Actor<LockRequest> } {
    const etcd = this.#port(birth);
    const lock = new EtcdLock(etcd, this.#keys);
    const journal = (listener: JournalListener): Journal => {
      const { process: name } = birth;
      const shelf = this.#shelf(name);
      const parts = { etcd, cell: this.#cell, name, replicas: this.#masters, shelf, lockRevision: () => lock.revision };
      const made = new EtcdJournal({ ...parts, listener });
      this.#beat(birth, () => made.second(this.#kernel.nowMs));
      return made;
    };
    return { journal, lock: new LockActor(birth.envFor(lockOf(birth.process)) as Env<LockAnswer>, lock) };
  }

  get unavailable(): number {
    return this.#unavailable;
  }

  /** etcd's leader goes: leases count anew, watches break, and somebody compacts. */
  set unavailable(chance: number) {
    if (chance > 0) {
      this.#kernel.faults.add("etcd.leader-changed");
      this.#etcd.changeLeader();
      this.#etcd.breakWatches();
      this.#etcd.ask({ type: "compact", revision: this.#etcd.revision });
      this.#watchAll();
    }
    this.#unavailable = chance;
  }

  cutOff(master: string): void {
    this.#kernel.faults.add("store.cut-off");
    this.#cutOff.add(master);
  }

  reconnect(master: string): void {
    this.#cutOff.delete(master);
  }

  heal(): void {
    this.slow = 0;
    this.unknown = 0;
    this.unavailable = 0;
    this.#cutOff.clear();
  }

  #land(entry: JournalEntry): void {
    const last = this.#landed.length;
    this.#kernel.expect(
      entry.position === last + 1,
      "KL1",
      () => `Entry ${entry.position} of term ${entry.term} landed after entry ${last}`,
    );
    this.#landed.push(entry);
  }

  /** The judge's own watch: nothing ends it. */
  #watchAll(): void {
    this.#etcd.watch(this.#keys.entriesFrom(0), this.#etcd.revision + 1, (event) => {
      if (event.type === "put") this.#land(decodeTermed(event.entry));
    });
  }

  /** A replica's own snapshots, which survive it; what it has not got it fetches from a peer. */
  #shelf(name: string): Shelf {
    const own = this.#shelves.get(name) ?? new DiskShelf(new MemoryDisk(), this.#cell);
    this.#shelves.set(name, own);
    const peers = (): DiskShelf[] => [own, ...[...this.#shelves.values()].filter((each) => each !== own)];
    const load: Shelf["load"] = (atMost, first, then) => {
      const answers = peers().map((shelf) => {
        let answer: Parameters<typeof then>[0] = { ok: false, reason: "no answer" };
        shelf.load(atMost, first, (loaded) => {
          answer = loaded;
        });
        return answer;
      });
      then(answers.find(({ ok }) => ok) ?? (answers[0] as (typeof answers)[number]));
    };
    return { save: (snapshot, then) => own.save(snapshot, then), load, marks: () => own.marks() };
  }

  #beat(birth: Birth, act: () => void): void {
    const tick = birth.callback("second", () => {
      act();
      this.#kernel.after(SECOND_MS, tick);
    });
    this.#kernel.after(SECOND_MS, tick);
  }

  #port(birth: Birth): Etcd {
    return {
      ask: (question, then) => this.#ask(birth, question, birth.callback("etcd", then)),
      watch: (range, revision, listener) => this.#watch(birth, range, revision, listener),
    };
  }

  #ask(birth: Birth, question: Question, then: (answer: Answer) => void): void {
    const landsMs = this.#landing(birth.process, question);
    const backMs = this.#random.int(0, 4);
    if (landsMs === undefined || landsMs + backMs > DEADLINE_MS) {
      const answer: Answer = { type: "failed", outcome: "unknown", reason: "No answer before the deadline" };
      this.#kernel.after(DEADLINE_MS, () => then(answer));
      if (landsMs !== undefined) this.#kernel.after(landsMs, () => void this.#etcd.ask(question));
      return;
    }
    this.#kernel.after(landsMs, () => {
      const answer = this.#etcd.ask(question);
      if (question.type === "compact" && answer.type === "compacted") this.#kernel.probes.add("etcd was trimmed");
      this.#kernel.after(backMs, () => then(answer));
    });
  }

  /** After how long the question reaches etcd; undefined: never. */
  #landing(owner: string, question: Question): number | undefined {
    const random = this.#random;
    const fault = (name: string): void => void this.#kernel.faults.add(`store.${name}`);
    if (this.#cutOff.has(owner)) return undefined;
    if (this.#unavailable > 0 && random.chance(this.#unavailable)) {
      fault("unavailable");
      return undefined;
    }
    const isChange = question.type === "txn" && question.guards.length > 0;
    if (isChange && this.unknown > 0 && random.chance(this.unknown)) {
      const what = random.pick(["unknown-lost", "unknown-late"] as const);
      fault(what);
      return what === "unknown-lost" ? undefined : random.int(DEADLINE_MS - 50, LATE_MS[1]);
    }
    if (this.slow > 0 && random.chance(this.slow)) {
      fault("slow");
      return random.int(...LATE_MS);
    }
    return random.int(0, 4);
  }

  /** Events keep their order; while the master is cut off they are lost. */
  #watch(birth: Birth, range: KeyRange, revision: number, listener: (event: WatchEvent) => void): () => void {
    let atMs = 0;
    let isOver = false;
    const tell = birth.callback("watch", (event: WatchEvent) => {
      if (!isOver) listener(event);
    });
    const end = this.#etcd.watch(range, revision, (event) => {
      if (this.#cutOff.has(birth.process)) return;
      atMs = Math.max(atMs, this.#kernel.nowMs + this.#random.int(0, 8));
      this.#kernel.at(atMs, () => tell(event));
    });
    return () => {
      isOver = true;
      end();
    };
  }
}

/** The lock as the master asks for it. It lives in the master's process, as the thread does that talks to etcd. */
class LockActor implements Actor<LockRequest> {
  readonly #env: Env<LockAnswer>;
  readonly #lock: EtcdLock;

  constructor(env: Env<LockAnswer>, lock: EtcdLock) {
    this.#env = env;
    this.#lock = lock;
  }

  start(): void {
    this.#env.timer(LOCK_TICK_MS, "tick");
  }

  onTimer(): void {
    this.#env.timer(LOCK_TICK_MS, "tick");
    this.#lock.tick(this.#env.now());
  }

  onMessage(from: Address, message: LockRequest): void {
    if (message.type === "release") return this.#lock.release();
    const echo = message.sequence === undefined ? {} : { sequence: message.sequence };
    this.#lock.acquire(message, this.#env.now(), (verdict) => {
      if (verdict.type === "granted") this.#env.send(from, { ...verdict, ...echo });
      else this.#env.send(from, { ...verdict, leftMs: 0, ...echo });
    });
  }
}
