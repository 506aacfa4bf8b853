/**
 * A scheduler (Borg §3.4, Omega §3.4): watches the cell, keeps a mirror of it, goes over its pending work in passes, and proposes claims
 * to the master. It holds nothing that cannot be had again: after a restart it begins with a fresh image.
 *
 * Messages may be lost, late or come twice. Items are taken in their order and once; a gap, an answer that does not come, or a claim
 * that the feed never shows lead to a fresh image. When nothing is heard for a while the scheduler asks for what it may have missed.
 */

import { assert, unreachable } from "../base/assert.ts";
import type { Actor, Address, Env, TimerHandle } from "../base/env.ts";
import { splitTask } from "../base/id.ts";
import type { FeedItem, Image } from "../cell/feed.ts";
import type { ClaimAnswer } from "../cell/ops/claims.ts";
import type { FromScheduler, ToScheduler } from "./message.ts";
import { claimOp } from "./message.ts";
import { Mirror } from "./mirror/mirror.ts";
import { runPass, type Transaction } from "./pass.ts";
import { Queue } from "./queue.ts";
import type { Responsibility } from "./responsibility.ts";
import type { Policy } from "./search/policy.ts";
import { ALL_SHORTCUTS } from "./search/search.ts";

/** Claims under way at a time; no pass begins while there are more. */
export const UNDERWAY_MAX = 20_000;

export interface SchedulerOptions {
  readonly name: string;
  /** The master, or every replica that may be elected: only the one that leads answers. */
  readonly master: Address | readonly Address[];
  /** Which jobs are this scheduler's (responsibility.ts). */
  readonly mine: Responsibility;
  /** Passes are at least this far apart. */
  readonly passMs?: number;
  /** How long a claim may stay undecided. */
  readonly answerMs?: number;
  /** How long the master may be silent. */
  readonly silenceMs?: number;
  /** How long an image may take: to ask again while it comes would make another one. Of a full cell it takes seconds. */
  readonly imageMs?: number;
  /** What could not be placed is tried on the whole cell again after this, even if nothing seems to have changed. */
  readonly retryMs?: number;
  /** How it packs (policy.ts). */
  readonly policy?: Policy;
  /** Places with room that are enough to choose from; 0: all of them, which is exact and fast enough for any cell that was measured. */
  readonly enoughPlaces?: number;
  /** Where it begins among machines that are alike, as a part of them all. */
  readonly start?: number;
}

const DEFAULTS = {
  passMs: 100,
  answerMs: 10_000,
  silenceMs: 5_000,
  imageMs: 5_000,
  retryMs: 10_000,
  policy: "hybrid",
  enoughPlaces: 0,
  start: 0,
} as const;

/** A transaction that was sent. */
interface Sent {
  readonly transaction: Transaction;
  readonly deadline: number;
  /** The feed must show what became of it at this position; undefined: no answer yet. */
  position: number | undefined;
}

export class SchedulerActor implements Actor<ToScheduler> {
  readonly #env: Env<FromScheduler>;
  readonly #options: Required<SchedulerOptions>;
  readonly #mirror: Mirror;
  readonly #queue: Queue;
  readonly #masters: readonly Address[];
  /** Who spoke last: claims go there. */
  #leader: Address;
  readonly #sent = new Map<string, Sent>();
  /** Without an image nothing is planned. */
  #hasImage = false;
  #heardAt = 0;
  /** When the feed was last asked for, until it comes. */
  #askedAt: number | undefined;
  /** When the last item or image came, to guess the cell's time. */
  #fedAt = 0;
  #passedAt = Number.NEGATIVE_INFINITY;
  #answersTimer = false;
  #passTimer: { readonly handle: TimerHandle; readonly at: number } | undefined;

  constructor(env: Env<FromScheduler>, options: SchedulerOptions) {
    this.#env = env;
    this.#options = { ...DEFAULTS, ...options };
    this.#masters = typeof options.master === "string" ? [options.master] : options.master;
    assert(this.#masters.length > 0, "A scheduler needs a master");
    this.#leader = this.#masters[0] as Address;
    this.#mirror = new Mirror(options.name, this.#options.start);
    this.#queue = new Queue({ mine: options.mine, retryMs: this.#options.retryMs });
  }

  /** For reading only: `explain` and tests. */
  get mirror(): Mirror {
    return this.#mirror;
  }

  /** The cell's time as well as it is known: never ahead of the master's, which has the last word on back-off. */
  get cellMs(): number {
    return this.#mirror.timeMs + Math.max(0, Math.floor(this.#env.now() - this.#fedAt));
  }

  start(): void {
    this.#heardAt = this.#env.now();
    this.#watchAnew();
    this.#env.timer(this.#options.silenceMs, "silence");
  }

  onMessage(from: Address, message: ToScheduler): void {
    this.#heardAt = this.#env.now();
    this.#leader = from;
    switch (message.type) {
      case "image":
        return this.#onImage(message.image);
      case "items":
        return this.#onItems(message.items);
      case "claimed":
        return this.#onClaimed(message.id, message.position, message.answers);
      case "not-claimed":
        return this.#onNotClaimed(message.id, message.reason);
      default:
        return unreachable(message);
    }
  }

  onTimer(tag: string): void {
    if (tag === "pass") this.#onPass();
    else if (tag === "silence") this.#onSilence();
    else if (tag === "answers") this.#onAnswersDue();
  }

  /** Void until the image comes: planning on a copy that is known to be wrong only makes refusals. */
  #watchAnew(): void {
    this.#hasImage = false;
    this.#watch(0);
  }

  #watch(from: number): void {
    this.#askedAt = this.#env.now();
    for (const master of this.#masters) this.#env.send(master, { type: "watch", scheduler: this.#options.name, from });
  }

  /** An older one that nobody asked for is a late one; it would only take time back. */
  #onImage(image: Image): void {
    if (this.#askedAt === undefined && image.position <= this.#mirror.position) return;
    this.#askedAt = undefined;
    this.#sent.clear();
    this.#queue.forget();
    this.#fedAt = this.#env.now();
    const problem = this.#mirror.load(image);
    this.#hasImage = problem === undefined;
    if (problem === undefined) this.#wake(0);
    else this.#env.log(`Scheduler "${this.#options.name}" cannot read the image at ${image.position}: ${problem}`);
  }

  #onItems(items: readonly FeedItem[]): void {
    if (!this.#hasImage) return;
    this.#askedAt = undefined;
    for (const item of items) {
      if (item.position <= this.#mirror.position) continue;
      const problem = this.#mirror.follow(item);
      if (problem !== undefined) {
        this.#env.log(`Scheduler "${this.#options.name}" asks for a fresh image: ${problem}`);
        this.#watchAnew();
        return;
      }
      this.#fedAt = this.#env.now();
    }
    for (const sent of [...this.#sent.values()]) this.#settle(sent);
    this.#wake(0);
  }

  #onClaimed(id: string, position: number, answers: readonly ClaimAnswer[]): void {
    const sent = this.#sent.get(id);
    if (sent === undefined) return;
    sent.position = position;
    for (const answer of answers) {
      if (answer.ok) this.#queue.accepted(answer.instance);
      else this.#takeBack(sent.transaction, answer.task, position);
    }
    this.#settle(sent);
    this.#wake(0);
  }

  #onNotClaimed(id: string, reason: string): void {
    const sent = this.#sent.get(id);
    if (sent === undefined) return;
    this.#env.log(`Scheduler "${this.#options.name}" was refused ${sent.transaction.claims.length} claims: ${reason}`);
    for (const claim of sent.transaction.claims) this.#takeBack(sent.transaction, claim.task ?? "", 0);
    this.#sent.delete(id);
    this.#wake(0);
  }

  #takeBack(transaction: Transaction, id: string, position: number): void {
    this.#mirror.takeBack(id, transaction.id);
    const { job, index } = splitTask(id);
    const task = this.#mirror.jobs.get(job)?.tasks[index];
    if (task !== undefined) this.#queue.refused(task, task.incarnation, position, this.cellMs);
  }

  /** An answered transaction ends when the feed has come to its position; what the feed has not shown by then was not done. */
  #settle({ transaction, position }: Sent): void {
    if (position === undefined || position > this.#mirror.position) return;
    this.#mirror.drop(transaction.id);
    this.#sent.delete(transaction.id);
  }

  #onSilence(): void {
    this.#env.timer(this.#options.silenceMs, "silence");
    const { silenceMs, imageMs } = this.#options;
    const [since, patienceMs] = this.#hasImage ? [this.#heardAt, silenceMs] : [this.#askedAt ?? 0, imageMs];
    if (this.#env.now() - since < patienceMs) return;
    if (this.#hasImage) this.#watch(this.#mirror.position + 1);
    else this.#watchAnew();
  }

  #onAnswersDue(): void {
    this.#answersTimer = false;
    const [first] = this.#sent.values();
    if (first === undefined) return;
    if (this.#env.now() < first.deadline) {
      this.#awaitAnswers(first.deadline);
      return;
    }
    this.#env.log(`Scheduler "${this.#options.name}" does not know what became of ${this.#mirror.open()} claims: asks for a fresh image`);
    for (const id of this.#sent.keys()) this.#mirror.drop(id);
    this.#sent.clear();
    this.#watchAnew();
  }

  /** One timer at a time, for the oldest transaction. */
  #awaitAnswers(deadline: number): void {
    if (this.#answersTimer) return;
    this.#answersTimer = true;
    this.#env.timer(Math.max(0, deadline - this.#env.now()), "answers");
  }

  /** A pass no sooner than after `afterMs`, and never closer to the last one than allowed. */
  #wake(afterMs: number): void {
    const now = this.#env.now();
    const at = Math.max(now + afterMs, this.#passedAt + this.#options.passMs);
    if (this.#passTimer !== undefined) {
      if (this.#passTimer.at <= at) return;
      this.#env.cancel(this.#passTimer.handle);
    }
    this.#passTimer = { handle: this.#env.timer(Math.max(0, at - now), "pass"), at };
  }

  #onPass(): void {
    this.#passTimer = undefined;
    this.#passedAt = this.#env.now();
    if (!this.#hasImage || this.#mirror.open() >= UNDERWAY_MAX) return;
    const { cellMs } = this;
    const { policy, enoughPlaces } = this.#options;
    const sampling = enoughPlaces === 0 ? undefined : { enough: enoughPlaces, random: () => this.#env.random() };
    const shortcuts = { ...ALL_SHORTCUTS, sampling };
    const result = runPass(this.#mirror, this.#queue, { nowMs: cellMs, id: () => this.#env.id(), policy, shortcuts });
    for (const transaction of result.transactions) this.#send(transaction);
    if (result.more) this.#wake(0);
    else if (result.wakeMs < Number.POSITIVE_INFINITY) this.#wake(Math.max(1, result.wakeMs - cellMs));
  }

  #send(transaction: Transaction): void {
    const deadline = this.#env.now() + this.#options.answerMs;
    this.#awaitAnswers(deadline);
    this.#sent.set(transaction.id, { transaction, deadline, position: undefined });
    const { id, claims, allOrNothing } = transaction;
    this.#env.send(this.#leader, { type: "claim", id, op: claimOp(this.#options.name, claims, allOrNothing) });
  }
}
