/**
 * One master's handle on a MemoryStore. Requests take effect in call order and appends are answered in call order,
 * however long the simulation lets each step take.
 */
import type { AppendFault, Journal, JournalAnswer, JournalListener, Snapshot } from "../wire/journal.ts";
import type { Defer, DelayClass, JournalCall, JournalFault, MemoryStore } from "./memory-store.ts";

interface WaitingAppend {
  readonly position: number;
  answer: JournalAnswer | undefined;
}

export class MemoryJournal implements Journal {
  readonly #store: MemoryStore;
  readonly #defer: Defer;
  readonly #detach: () => void;
  #listener: JournalListener | undefined;
  /** Requests take effect in call order, however long each takes. */
  readonly #requests: (() => void)[] = [];
  /** Answers to appends go out in call order; each waits until it is ready and everything before it is gone. */
  readonly #appends: WaitingAppend[] = [];
  #follow: number | undefined;

  constructor(store: MemoryStore, defer: Defer, listener: JournalListener, detach: () => void) {
    this.#store = store;
    this.#defer = defer;
    this.#listener = listener;
    this.#detach = detach;
  }

  /** The master is gone: it hears nothing any more. What it asked for may still happen. */
  close(): void {
    this.#listener = undefined;
    this.#detach();
  }

  lead(): void {
    this.#call("lead", (fault) => {
      if (fault === "unavailable") return { type: "not-leading", reason: "The store is unavailable" };
      return { type: "leading", term: this.#store.fence(), last: this.#store.last };
    });
  }

  append(term: number, position: number, payload: Uint8Array): void {
    const fault = this.#store.fault?.("append", this);
    const waiting: WaitingAppend = { position, answer: undefined };
    this.#appends.push(waiting);
    this.#request(() => this.#append(waiting, () => this.#store.append(term, position, payload), fault));
  }

  confirm(term: number): void {
    this.#call("confirm", (fault) => {
      const reason = fault === "unavailable" ? "The store is unavailable" : this.#store.confirmProblem(term);
      return reason === undefined ? { type: "confirmed", term, position: this.#store.last } : { type: "not-confirmed", term, reason };
    });
  }

  read(from: number, bytesMax: number): void {
    this.#call("read", (fault) => {
      const entries = fault === "unavailable" ? undefined : this.#store.read(from, bytesMax);
      if (entries !== undefined) return { type: "entries", from, entries, last: this.#store.last };
      const reason = fault === "unavailable" ? "The store is unavailable" : `History begins at ${this.#store.first}`;
      return { type: "not-read", from, reason };
    });
  }

  follow(from: number): void {
    this.#request(() => {
      this.#follow = from;
      this.wake();
    });
  }

  unfollow(): void {
    this.#request(() => {
      this.#follow = undefined;
    });
  }

  saveSnapshot(snapshot: Snapshot): void {
    const { position } = snapshot;
    this.#call("save-snapshot", (fault) => {
      const reason = fault === "unavailable" ? "The store is unavailable" : this.#store.save(snapshot);
      return reason === undefined ? { type: "snapshot-saved", position } : { type: "snapshot-not-saved", position, reason };
    });
  }

  loadSnapshot(atMost: number): void {
    this.#call("load-snapshot", (fault) => {
      if (fault === "unavailable") return { type: "snapshot-not-loaded", reason: "The store is unavailable" };
      const snapshot = this.#store.load(atMost);
      if (snapshot !== undefined || this.#store.first === 1) return { type: "snapshot", snapshot };
      return {
        type: "snapshot-not-loaded",
        reason: `History begins at ${this.#store.first}, and there is no snapshot at or before ${atMost}`,
      };
    });
  }

  /** There may be entries for the follower. */
  wake(): void {
    if (this.#follow !== undefined) this.#defer("answer", () => this.#pump());
  }

  #append(waiting: WaitingAppend, land: () => string | undefined, fault: JournalFault | undefined): void {
    const refuse = (kind: AppendFault, reason: string): JournalAnswer => ({
      type: "not-appended",
      position: waiting.position,
      fault: kind,
      reason,
    });
    if (fault === "unavailable") {
      this.#answerAppend("answer", waiting, refuse("unavailable", "The store is unavailable"));
    } else if (fault === "unknown-done" || fault === "unknown-lost" || fault === "unknown-late") {
      if (fault === "unknown-done") land();
      if (fault === "unknown-late") this.#defer("slow", land);
      this.#answerAppend("deadline", waiting, refuse("unknown", "No answer before the deadline"));
    } else {
      const reason = land();
      const answer: JournalAnswer = reason === undefined ? { type: "appended", position: waiting.position } : refuse("fenced", reason);
      this.#answerAppend(fault ?? "answer", waiting, answer);
    }
  }

  #answerAppend(delay: DelayClass, waiting: WaitingAppend, answer: JournalAnswer): void {
    this.#defer(delay, () => {
      waiting.answer = answer;
      for (let next = this.#appends[0]?.answer; next !== undefined; next = this.#appends[0]?.answer) {
        this.#appends.shift();
        this.#listener?.(next);
      }
    });
  }

  /** Everything but an append: the request travels, takes effect, and its answer travels back. */
  #call(call: JournalCall, act: (fault: JournalFault | undefined) => JournalAnswer): void {
    const fault = this.#store.fault?.(call, this);
    this.#request(() => {
      const answer = act(fault);
      this.#defer(fault === "slow" ? "slow" : "answer", () => this.#listener?.(answer));
    });
  }

  #request(act: () => void): void {
    this.#requests.push(act);
    this.#defer("request", () => this.#requests.shift()!());
  }

  #pump(): void {
    if (this.#follow === undefined || this.#listener === undefined) return;
    const from = this.#follow;
    const entries = this.#store.read(from, Number.POSITIVE_INFINITY);
    if (entries === undefined) {
      this.#follow = undefined;
      this.#listener({ type: "not-read", from, reason: `History begins at ${this.#store.first}` });
      return;
    }
    for (const entry of entries) {
      if (this.#follow !== entry.position) break;
      this.#follow = entry.position + 1;
      this.#listener?.({ type: "followed", entry });
    }
  }
}
