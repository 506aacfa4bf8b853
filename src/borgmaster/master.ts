/**
 * The Borgmaster: one of several replicas that share a journal, or alone on its own. As a standby it follows the journal and keeps the state in
 * memory; elected, it raises the term, reads to the end, appends a barrier, and only then answers anyone. This file decides what happens in
 * which role; the parts do it: pipeline (into the journal), feed (to readers), confirmations (that it still leads), shards (who polls which machines), upkeep (by itself).
 */
import { assert } from "../base/assert.ts";
import type { Actor, Address, Env } from "../base/env.ts";
import { applyEntry, newState, type Outcome } from "../cell/cell.ts";
import { decodeCheckpoint } from "../cell/checkpoint/decode.ts";
import { feedItem, tracesOf } from "../cell/feed.ts";
import { itemWeight } from "../cell/feed-weight.ts";
import { decodeEntry, type Entry, makeEntry, masterOp, type SealedOp, seal, unseal } from "../cell/op.ts";
import { versionProblem } from "../cell/ops/table.ts";
import type { CellState } from "../cell/state.ts";
import { DIGESTS_AND_CLOCK, versionAfter } from "../cell/version.ts";
import type { FromScheduler } from "../scheduler/message.ts";
import { ActorKind } from "../wire/gen/borg/v1/op_pb.ts";
import type { Journal, JournalAnswer, JournalEntry, Space } from "../wire/journal.ts";
import { CellClock } from "./cell-clock.ts";
import { comparisonOf } from "./comparison.ts";
import { Confirmations } from "./confirmations.ts";
import { Copies } from "./copies.ts";
import type { MasterOptions } from "./defaults.ts";
import { Feed } from "./feed.ts";
import { setUpOps } from "./housekeeping.ts";
import { isSubmit, type Reply, type WaitingOp, waitingOp, weightOf } from "./lanes.ts";
import { Lease } from "./lease.ts";
import type { LockAnswer } from "./lock-message.ts";
import type { ClientRequest, FromLink, FromMaster, ShardAsk, ToMaster } from "./message.ts";
import { type DurableEntry, Pipeline, type PipelineHost } from "./pipeline.ts";
import { Replies } from "./replies.ts";
import { DIVERGED, NOT_LEADING, type Role, SUSPENDED, tooNew } from "./role.ts";
import { isOf, Shards } from "./shards.ts";
import { Upkeep } from "./upkeep.ts";

const READ_BYTES = 1 << 20;
/** For what found no room on its way to the journal. */
const RETRY_FULL_MS = 1000;
/** Tries to read on, one a tick. */
const READS_MAX = 5;
export class Master implements Actor<ToMaster>, PipelineHost {
  readonly #env: Env<FromMaster>;
  readonly #replies: Replies;
  readonly #journal: Journal;
  readonly #options: MasterOptions;
  readonly #clock: CellClock;
  readonly #copies: Copies;
  readonly #pipeline: Pipeline;
  readonly #confirmations: Confirmations;
  readonly #feed: Feed;
  readonly #upkeep: Upkeep;
  readonly #shards: Shards;
  readonly #lease: Lease;
  #state: CellState = newState();
  #role: Role = "starting";
  #term = 0;
  /** As a standby: of the newest entry that it followed. While a newer leader has not appended, nobody confirms it. */
  #followedTerm = 0;
  /** Where the journal ended when this master took the lead. */
  #target = 0;
  #wantsRead = false;
  #space: Space = { level: "fine", reason: "" };
  /** Reads in a row that failed while catching up. */
  #failedReads = 0;

  constructor(env: Env<FromMaster>, journal: Journal, options: MasterOptions) {
    this.#env = env;
    this.#replies = new Replies((to, answer) => env.send(to, answer));
    this.#journal = journal;
    this.#options = options;
    this.#lease = new Lease(env, options);
    this.#clock = new CellClock(env);
    this.#copies = new Copies(env, options);
    this.#pipeline = new Pipeline(env as Env<never>, this.#clock, journal, this, options);
    this.#confirmations = new Confirmations(env, journal);
    this.#feed = new Feed(env, options.feedItemsMax, options.feedWeightMax, options.imageOf);
    this.#upkeep = new Upkeep(env as Env<never>, options);
    this.#shards = new Shards(env as Env<never>, options.name, options.replicas);
  }

  get state(): CellState {
    return this.#state;
  }

  get role(): Role {
    return this.#role;
  }

  /** Ops that wait for their entry. */
  get waiting(): number {
    return this.#pipeline.lanes.size;
  }

  /** For how long callers wait for the entry in flight. */
  get heldMs(): number {
    return this.#pipeline.heldMs;
  }

  get term(): number {
    return this.#term;
  }

  /** Its own, or of the leader whose entries it follows. */
  get knownTerm(): number {
    return Math.max(this.#term, this.#followedTerm);
  }

  start(): void {
    this.#journal.loadSnapshot(Number.MAX_SAFE_INTEGER);
    this.#env.timer(this.#options.tickMs, "tick");
    if (this.#options.lock !== undefined) this.#env.timer(this.#options.lockRenewMs, "lock");
  }

  onMessage(from: Address, message: ToMaster): void {
    if (this.#role === "stopped") return;
    switch (message.type) {
      case "journal":
        return this.#onJournal(message.answer);
      case "granted":
      case "denied":
        return this.#onLock(message);
      case "outled":
        if (this.#role === "suspended" && message.term > this.#term) this.#standDown("Another master leads");
        return;
      case "request":
        return this.#onClient(from, message);
      case "confirm":
        return this.#confirmations.ask(from, message.id, this.#confirmedTerm, this.#role === "suspended" ? SUSPENDED : NOT_LEADING);
      case "watch":
      case "claim":
        return this.#onScheduler(from, message);
      case "ops":
      case "usage":
        return this.#onLink(message);
      case "shard-ask":
        return this.#onShard(from, message);
      case "checkpoint":
        this.#copies.snapshotMade(message.payload.length);
        return this.#journal.saveSnapshot({ position: message.position, payload: message.payload });
      case "followed":
        return this.#onCopyFollowed(from, message.position);
      case "diverged":
        return this.#exit(`${DIVERGED}: ${message.reason}`);
    }
  }

  onTimer(tag: string): void {
    if (this.#role === "stopped") return;
    if (tag === "lock") this.#askForLock();
    if (tag === "tick") this.#tick();
    if (tag === "news") this.#pipeline.pump(true);
    if (tag === "flight") this.#pipeline.again();
  }

  // Journal

  #onJournal(answer: JournalAnswer): void {
    switch (answer.type) {
      case "snapshot":
        return this.#restore(answer.snapshot?.payload);
      case "snapshot-not-loaded":
        return this.#exit(answer.reason);
      case "leading":
        return this.#won(answer.term, answer.last);
      case "not-leading":
        return this.#follow();
      case "followed":
        return this.#onFollowed(answer.entry);
      case "entries":
        if (this.#role === "catching-up") return this.#onEntries(answer.entries);
        return this.#pipeline.onAnswer(answer);
      case "not-read":
        return this.#onNotRead(answer);
      case "appended":
      case "not-appended":
        return this.#pipeline.onAnswer(answer);
      case "confirmed":
      case "not-confirmed":
        return this.#confirmations.onAnswer(answer);
      case "snapshot-saved":
        this.#copies.snapshotEnded();
        return this.#env.log("~snapshot-saved");
      case "snapshot-not-saved":
        this.#copies.snapshotEnded();
        return this.#env.log(`Snapshot at ${answer.position} was not saved: ${answer.reason}`);
      case "space":
        this.#space = answer;
        return this.#env.log(answer.reason);
    }
  }

  #restore(checkpoint: Uint8Array | undefined): void {
    if (this.#role !== "starting") return;
    const decoded = checkpoint === undefined ? undefined : decodeCheckpoint(checkpoint, this.#options.newHash);
    if (decoded?.ok === false) return this.#exit(decoded.reason);
    if (decoded?.ok && decoded.value.version > this.#options.versionMax)
      return this.#exit(tooNew(decoded.value.version, this.#options.versionMax));
    this.#state = decoded?.ok ? decoded.value : newState();
    this.#clock.heard(this.#state.timeMs);
    this.#copies.restore(this.#state.position, checkpoint);
    const { link, imageOf, sharesLinks } = this.#options;
    if (sharesLinks) this.#env.send(link, { type: "cell", image: imageOf(this.#state, { placedOnly: true }) });
    if (this.#options.lock === undefined) this.#elect();
    else this.#follow();
  }

  /** A standby applies every durable entry, so that it can take over in seconds. */
  #follow(): void {
    if (this.#options.lock === undefined) return this.#exit("The journal has another leader");
    this.#role = "following";
    this.#journal.follow(this.#state.position + 1);
  }

  #onFollowed(entry: JournalEntry): void {
    if (this.#role !== "following" || entry.position !== this.#state.position + 1) return;
    this.#followedTerm = entry.term;
    this.#applyRead(entry.position, entry.payload);
  }

  /** A standby's copy is as good as the leader's, once the journal says how far it must be (M7). 0: nobody confirms here now. */
  get #confirmedTerm(): number {
    return this.#role === "leading" ? this.#term : this.#role === "following" ? this.#followedTerm : 0;
  }

  /** History no longer reaches back to where this replica is: it starts from the newest snapshot again. */
  #onNotRead(answer: JournalAnswer): void {
    if (this.#role === "catching-up") this.#readFailed();
    else if (this.#role === "following") {
      this.#env.log("The journal no longer reaches back to here: starting from its newest snapshot");
      this.#role = "starting";
      this.#journal.loadSnapshot(Number.MAX_SAFE_INTEGER);
    } else this.#pipeline.onAnswer(answer);
  }

  /** A journal that cannot be read will not get better by asking for ever: somebody else may lead, or a new process may open it. */
  #readFailed(): void {
    this.#failedReads += 1;
    this.#wantsRead = this.#failedReads < READS_MAX;
    if (this.#wantsRead) return;
    this.#failedReads = 0;
    if (this.#options.lock === undefined) this.#exit("The journal cannot be read");
    else this.#standDown("The journal cannot be read");
  }

  #elect(): void {
    this.#journal.unfollow();
    this.#role = "electing";
    this.#journal.lead();
  }

  #won(term: number, last: number): void {
    if (this.#role !== "electing") return;
    this.#term = term;
    this.#target = last;
    this.#role = "catching-up";
    this.#readOn();
  }

  #onEntries(entries: readonly JournalEntry[]): void {
    this.#failedReads = 0;
    for (const entry of entries)
      if (entry.position === this.#state.position + 1 && entry.position <= this.#target) this.#applyRead(entry.position, entry.payload);
    this.#readOn();
  }

  /** What waited for the copies goes on. */
  #onCopyFollowed(copy: Address, position: number): void {
    const wasBehind = this.#copies.isBehind;
    this.#copies.followed(copy, position);
    if (!wasBehind || this.#copies.isBehind) return;
    if (this.#role === "catching-up") this.#readOn();
    else this.#pipeline.pump();
  }

  /** Reads to the end, no faster than the copies; then the barrier: what stands before it is final, and this master may speak. */
  #readOn(): void {
    if (this.#copies.isBehind) return;
    if (this.#state.position < this.#target) return this.#journal.read(this.#state.position + 1, READ_BYTES);
    this.#role = "settling";
    this.#pipeline.open(this.#term, this.#target);
    this.#barrier();
    this.#pipeline.pump();
  }

  #barrier(): void {
    this.#push(seal(masterOp({ case: "barrier", value: { master: this.#options.name } })), { kind: "none" });
  }

  #applyRead(position: number, payload: Uint8Array): void {
    const entry = decodeEntry(payload);
    if (!entry.ok) return this.#exit(`The journal holds what was never appended: ${entry.reason}`);
    const { link, lock, sharesLinks } = this.#options;
    const outcomes = this.#apply(position, payload, entry.value);
    // The shard of a standby polls too: it hears of every entry, as the leader's does by the feed.
    if (sharesLinks && this.#state.position === position) this.#env.send(link, { type: "items", items: [feedItem(this.#state, outcomes)] });
    // Standbys make snapshots where the leader does; one that is alone has those that it made when it appended.
    if (lock !== undefined && this.#state.position === position) this.#copies.askForSnapshot(position);
  }

  #apply(position: number, payload: Uint8Array, entry: Entry, weight = payload.length): Outcome[] {
    const version = versionAfter(this.#state, entry);
    if (version > this.#options.versionMax) {
      this.#exit(tooNew(version, this.#options.versionMax));
      return [];
    }
    const outcomes = applyEntry(this.#state, position, entry);
    this.#clock.heard(this.#state.timeMs);
    this.#copies.entry(position, payload, weight);
    return outcomes;
  }

  // Pipeline

  get keepsUp(): boolean {
    return !this.#copies.isBehind;
  }

  /** Durable: now it is applied, published, acted on and answered, in this order. */
  committed({ position, timeMs, payload, ops }: DurableEntry): void {
    const entry = makeEntry(
      timeMs,
      ops.map(({ op }) => op),
    );
    const outcomes = this.#apply(position, payload, entry, weightOf(ops));
    const { lanes } = this.#pipeline;
    if (lanes.waits("taskLost") && this.#upkeep.freezes(this.#state)) lanes.drop("taskLost");
    if (this.#role === "settling") this.#lead();
    if (this.#role === "suspended" && !this.#lease.isOver) this.#resume();
    const item = { ...feedItem(this.#state, outcomes), traces: tracesOf(entry.ops, outcomes) };
    const { compareEvery, follower, link, sharesLinks } = this.#options;
    if (this.#role !== "leading" && this.#role !== "suspended") {
      if (sharesLinks) this.#env.send(link, { type: "items", items: [item] });
      return;
    }
    this.#feed.publish(item, itemWeight(this.#state, item));
    for (const [i, waiting] of ops.entries()) this.#replies.applied(waiting.reply, this.#state.position, outcomes[i] as Outcome);
    if (position % compareEvery === 0) this.#env.send(follower, comparisonOf(this.#state, position / compareEvery, this.#options));
    this.#copies.askForSnapshot(position);
  }

  refusedAppend(ops: readonly WaitingOp[], reason: string): void {
    if (this.#role === "settling") this.#barrier();
    for (const { reply } of ops) this.#replies.unavailable(reply, reason);
  }

  deposed(reason: string, exit: boolean): void {
    this.#env.log("~deposed");
    if (exit) this.#exit(reason);
    else this.#standDown(reason);
  }

  /** The journal does not say what became of an append, or the lease was not renewed: nobody waits longer for a master that cannot know. */
  stalled(): void {
    if (this.#role !== "leading" || this.#options.lock === undefined) return;
    this.#env.log("~suspended");
    this.#role = "suspended";
    const { unknown, never } = this.#pipeline.release();
    for (const { reply } of unknown) this.#replies.unknown(reply, SUSPENDED);
    for (const { reply } of never) this.#replies.unavailable(reply, SUSPENDED);
    this.#confirmations.drop(SUSPENDED);
  }

  /** An append under its term was taken while the lock was its own: nobody else led meanwhile. */
  #resume(): void {
    this.#env.log("~resumed");
    this.#role = "leading";
  }

  #lead(): void {
    this.#env.log("~elected");
    this.#role = "leading";
    this.#feed.reset();
    this.#upkeep.reset();
    this.#shards.reset();
    if (this.#options.lock !== undefined) this.#env.send(this.#options.link, { type: "lease", untilMs: this.#lease.untilMs });
    this.#env.send(this.#options.link, { type: "lead", term: this.#term, image: this.#options.imageOf(this.#state, { placedOnly: true }) });
    this.#feed.watch(this.#options.link, this.#state.position + 1, this.#state);
    for (const { address } of this.#options.schedulers) this.#feed.watch(address, 0, this.#state);
    this.#setUp();
  }

  #setUp(): void {
    const { create, schedulers } = this.#options;
    for (const op of setUpOps(this.#state, create, this.#lease.versionForAll, schedulers)) this.#push(seal(op), { kind: "none" });
  }

  #standDown(reason: string): void {
    const { unknown, never } = this.#pipeline.close();
    for (const { reply } of unknown) this.#replies.unknown(reply, reason);
    for (const { reply } of never) this.#replies.unavailable(reply, reason);
    this.#confirmations.drop(reason);
    this.#env.send(this.#options.link, { type: "stand-down" });
    this.#feed.reset();
    this.#lease.drop();
    this.#follow();
  }

  // Election

  #askForLock(): void {
    const { lock, lockRenewMs } = this.#options;
    this.#env.timer(lockRenewMs, "lock");
    if (lock === undefined || this.#role === "starting") return;
    if (this.#role !== "following" && this.#role !== "suspended" && this.#lease.isOver) {
      this.#env.log("~lease-expired");
      if (this.#role === "leading") this.stalled();
      else this.#standDown("The lease ran out");
    }
    this.#lease.ask();
  }

  #onLock(answer: LockAnswer): void {
    const verdict = this.#lease.onAnswer(answer);
    if (verdict === "denied" && this.#role !== "following" && this.#role !== "starting") this.#standDown("Another master holds the lock");
    if (verdict !== "granted" || this.#lease.isOver) return;
    if (this.#role === "following") return this.#elect();
    this.#env.send(this.#options.link, { type: "lease", untilMs: this.#lease.untilMs });
    // What is in flight decides by itself; else a barrier does.
    if (this.#role === "suspended" && this.#pipeline.isIdle) this.#barrier();
  }

  // Who asks

  #onClient(from: Address, message: ClientRequest): void {
    const found = unseal(message.op);
    const reason = found.ok ? versionProblem(this.#state, found.value.op) : found.reason;
    const reply = { kind: "client", to: from, id: message.id } as const;
    const isFull = this.#space.level === "full" && found.ok && isSubmit(found.value);
    if (isFull) return this.#replies.unavailable(reply, this.#space.reason, RETRY_FULL_MS);
    if (found.ok && reason === undefined) return this.#push(found.value, reply);
    this.#env.send(from, { type: "answer", id: message.id, result: "refused", position: 0, reason: reason ?? "" });
  }

  #onScheduler(from: Address, message: FromScheduler): void {
    if (this.#role !== "leading" && this.#role !== "suspended") return;
    if (message.type === "watch") return this.#feed.watch(from, message.from, this.#state);
    const found = unseal(message.op);
    if (!found.ok) return this.#env.send(from, { type: "not-claimed", id: message.id, reason: found.reason });
    assert(found.value.op.actor?.kind === ActorKind.SCHEDULER, "A scheduler speaks as itself");
    this.#push(found.value, { kind: "scheduler", to: from, id: message.id });
  }

  /** Also one that is suspended says that it is there, so that shards poll on. Shards of a newer build may say what this one cannot read: they have no part yet. */
  #onShard(from: Address, ask: ShardAsk): void {
    if ((this.#role !== "leading" && this.#role !== "suspended") || ask.versionMax > this.#options.versionMax) return;
    const leftMs = this.#role === "leading" ? this.#lease.untilMs - this.#env.now() : 0;
    this.#env.send(from, this.#shards.answer(ask, { term: this.#term, leftMs, position: this.#state.position }));
    const op = this.#role === "leading" ? this.#shards.tick(this.#term, this.#state) : undefined;
    if (op !== undefined) this.#push(seal(op), { kind: "none" });
  }

  #onLink(message: Exclude<FromLink, ShardAsk>): void {
    const links = this.#options.sharesLinks ? this.#state.links : undefined;
    if (this.#role !== "leading" || !isOf(message, links ?? { term: this.#term, epoch: 0 })) return;
    if (message.type === "usage") return this.#upkeep.learn(message.machines);
    for (const bytes of message.ops) {
      const found = unseal(bytes);
      assert(found.ok, `A link made an op that cannot be: ${found.ok ? "" : found.reason}`);
      assert(found.value.op.actor?.kind === ActorKind.MASTER, "A link speaks for the master");
      if (!this.#upkeep.isEarly(found.value.op)) this.#push(found.value, { kind: "none" });
    }
  }

  #push(sealed: SealedOp, reply: Reply): void {
    const open = this.#role === "leading" || ((this.#role === "settling" || this.#role === "suspended") && reply.kind === "none");
    if (!open) return this.#replies.unavailable(reply, this.#role === "suspended" ? SUSPENDED : NOT_LEADING);
    const full = this.#pipeline.lanes.push(waitingOp(this.#state, sealed, reply));
    if (full !== undefined) return this.#replies.unavailable(reply, `${full}: try again in ${RETRY_FULL_MS / 1000} s`, RETRY_FULL_MS);
    this.#pipeline.pump();
  }

  // By itself

  #tick(): void {
    this.#env.timer(this.#options.tickMs, "tick");
    if (this.#wantsRead && this.#role === "catching-up") this.#readOn();
    this.#wantsRead = false;
    this.#pipeline.tick();
    if (this.#role !== "leading") return;
    this.#setUp();
    this.#believe();
    for (const op of this.#upkeep.tick(this.#state, this.#clock.read())) this.#push(seal(op), { kind: "none" });
  }

  /** A wall clock that is far ahead and stays so: the cell is told, and its time goes there with that entry. Below version 2 time goes there unsaid. */
  #believe(): void {
    this.#clock.read();
    const toMs = this.#clock.takeBelieved();
    if (toMs === undefined) return;
    this.#env.log("~clock-believed");
    if (this.#state.version < DIGESTS_AND_CLOCK) this.#clock.heard(toMs);
    else this.#push(seal(masterOp({ case: "cellClock", value: { toMs } })), { kind: "none" });
  }

  #exit(reason: string): void {
    this.#role = "stopped";
    this.#pipeline.close();
    this.#env.send("shell", { type: "exit", reason });
  }
}
