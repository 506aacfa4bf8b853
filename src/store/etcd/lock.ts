/**
 * Who should lead: a key under a lease of two seconds. The thread that talks to etcd renews it, but only while the master itself has asked within the last
 * second: one that hangs loses its lock to a standby. Whether it still has the lock or not, the journal's term decides whose writes count.
 */
import { bytesOf, type Keys, textOf } from "./keys.ts";
import type { Answer, AnswerOf, Etcd, KeyValue, Op, Question } from "./port.ts";

/** A master that asked for nothing for so long is taken to hang, and its lease is not renewed. */
export const SILENT_MS = 1000;

/** Between two leases of others that this replica ends. */
export const DEPOSE_EVERY_MS = 30_000;

export interface LockQuestion {
  readonly who: string;
  readonly ttlMs: number;
  readonly versionMax: number;
  /** False: it only wants to know who has it, and gives it back if it is its own. */
  readonly stands?: boolean;
}

export type LockVerdict =
  /** `ttlMs`: for how long from now on. `masters`, `lowest`: how many ever asked, and the lowest of the versions that they can do. */
  | { readonly type: "granted"; readonly ttlMs: number; readonly known: { readonly masters: number; readonly lowest: number } }
  | { readonly type: "denied"; readonly holder: string };

type Then = (verdict: LockVerdict) => void;

interface Asked extends LockQuestion {
  readonly tell: Then;
}

export class EtcdLock {
  readonly #etcd: Etcd;
  readonly #keys: Keys;
  #lease: string | undefined;
  /** By our own clock, counted from when the renewal was sent: etcd counts from when it came. */
  #untilMs = 0;
  #revision: number | undefined;
  #asked: Asked | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  /** Of whoever had the lock when this replica was last denied it. */
  #holderLease: string | undefined;
  #deposedMs = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  #nowMs = 0;

  constructor(etcd: Etcd, keys: Keys) {
    this.#etcd = etcd;
    this.#keys = keys;
  }

  /** Of the lock while this replica has it, as far as it knows. */
  get revision(): number | undefined {
    return this.#revision;
  }

  /** Of several questions that wait only the newest is answered; one that etcd does not answer gets no answer either. */
  acquire(question: LockQuestion, nowMs: number, then: Then): void {
    this.#nowMs = nowMs;
    this.#askedMs = nowMs;
    if (question.stands === false && this.#lease !== undefined) this.release();
    this.#askedMs = nowMs;
    this.#asked = { ...question, tell: then };
    this.#go();
  }

  /** Gives the lock back. */
  release(): void {
    this.#asked = undefined;
    this.#askedMs = Number.NEGATIVE_INFINITY;
    if (this.#lease !== undefined) this.#etcd.ask({ type: "revoke", lease: this.#lease }, () => {});
    this.#forget();
  }

  /**
   * Ends the lease of the one that has the lock, which the caller knows to be gone: its connection was reset and cannot be dialled again. Nobody is harmed if that
   * is wrong, because the term decides whose writes count; so that two who cannot reach each other do not depose each other all the time, it is seldom. False: not now.
   */
  depose(nowMs: number): boolean {
    if (this.#holderLease === undefined || nowMs - this.#deposedMs < DEPOSE_EVERY_MS) return false;
    this.#deposedMs = nowMs;
    this.#etcd.ask({ type: "revoke", lease: this.#holderLease }, () => {});
    this.#holderLease = undefined;
    return true;
  }

  /** To be called several times a second. */
  tick(nowMs: number): void {
    this.#nowMs = nowMs;
    if (this.#revision === undefined || this.#isBusy || nowMs - this.#askedMs > SILENT_MS) return;
    this.#renew();
  }

  #go(): void {
    const asked = this.#asked;
    if (this.#isBusy || asked === undefined) return;
    if (this.#lease === undefined) this.#peek(asked);
    else if (this.#revision === undefined) this.#take(asked, this.#lease);
    else this.#renew();
  }

  /** Nobody makes a lease for a lock that somebody else has. */
  #peek(asked: Asked): void {
    this.#ask({ type: "txn", guards: [], ops: this.#looks(asked), otherwise: [] }, (answer) => {
      if (answer.type !== "txn") return;
      if (answer.found[1]?.[0] === undefined && asked.stands !== false) this.#grant(asked);
      else this.#found(answer);
    });
  }

  #grant({ ttlMs }: Asked): void {
    const sentMs = this.#nowMs;
    this.#ask({ type: "grant", ttlS: Math.ceil(ttlMs / 1000) }, (answer) => {
      if (answer.type !== "granted") return;
      this.#lease = answer.lease;
      this.#untilMs = sentMs + answer.ttlS * 1000;
      this.#go();
    });
  }

  /** Puts the key if nobody has it. A try without an answer may have put it: the next one finds it there under the same lease. */
  #take(asked: Asked, lease: string): void {
    const looks = this.#looks(asked);
    const put = { type: "put", key: this.#keys.lock, value: bytesOf(asked.who), lease } as const;
    const guards = [{ key: this.#keys.lock, created: 0 }];
    this.#ask({ type: "txn", guards, ops: [put, ...looks], otherwise: looks }, (answer) => {
      if (answer.type === "txn") this.#found(answer);
      else if (this.#nowMs >= this.#untilMs) this.#forget();
    });
  }

  #renew(): void {
    const sentMs = this.#nowMs;
    const lease = this.#lease as string;
    this.#ask({ type: "keep-alive", lease }, (answer) => {
      if (answer.type !== "kept") return;
      if (answer.ttlS === 0) {
        this.#forget();
        return this.#go();
      }
      this.#untilMs = Math.max(this.#untilMs, sentMs + answer.ttlS * 1000);
      this.#look();
    });
  }

  /** For who asked meanwhile. */
  #look(): void {
    if (this.#asked === undefined) return;
    this.#ask({ type: "txn", guards: [], ops: this.#looks(this.#asked), otherwise: [] }, (answer) => {
      if (answer.type === "txn") this.#found(answer);
    });
  }

  #looks({ who, versionMax }: Asked): readonly Op[] {
    return [
      { type: "put", key: this.#keys.replica(who), value: bytesOf(String(versionMax)) },
      { type: "get", key: this.#keys.lock },
      { type: "get", ...this.#keys.replicas },
    ];
  }

  #found({ found }: AnswerOf<"txn">): void {
    const [lock, replicas] = [found.at(-2)?.[0], found.at(-1) ?? []];
    const isMine = lock !== undefined && lock.lease === this.#lease;
    this.#revision = isMine ? lock.created : undefined;
    this.#holderLease = isMine ? undefined : lock?.lease;
    if (!isMine) this.#forget();
    const asked = this.#asked;
    this.#asked = undefined;
    if (isMine) asked?.tell({ type: "granted", ttlMs: Math.max(0, this.#untilMs - this.#askedMs), known: knownOf(replicas) });
    else asked?.tell({ type: "denied", holder: lock === undefined ? "" : textOf(lock.value) });
  }

  #forget(): void {
    this.#lease = undefined;
    this.#revision = undefined;
  }

  #ask(question: Question, then: (answer: Answer) => void): void {
    this.#isBusy = true;
    const lease = this.#lease;
    this.#etcd.ask(question, (answer) => {
      this.#isBusy = false;
      if (lease === this.#lease) then(answer);
    });
  }
}

function knownOf(replicas: readonly KeyValue[]): { readonly masters: number; readonly lowest: number } {
  const versions = replicas.map(({ value }) => Number(textOf(value)));
  return { masters: versions.length, lowest: Math.min(...versions) };
}
