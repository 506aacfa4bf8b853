/**
 * The other copies of the cell in this process: what they are sent, how far behind they are, and when the follower makes a snapshot. Letters to a copy that is busy
 * stay in memory, so a leader that runs ahead of them fills it; while one of them is too far behind only what cannot wait goes into the journal.
 */
import type { Address, Env } from "../base/env.ts";
import type { FromMaster, ToFollower } from "./message.ts";

export interface CopiesOptions {
  readonly follower: Address;
  /** More that keep a copy of the state: they hear every entry, as the follower does. */
  readonly copies: readonly Address[];
  /** How far the follower may be behind, in the weight of entries (lanes.ts), and how far the others, from which users read. */
  readonly followerBehindMax: number;
  readonly copyBehindMax: number;
  /** A snapshot is due at every position that this divides, and after so many bytes of entries: as many as this, or as the last snapshot had. */
  readonly snapshotEvery: number;
  readonly snapshotBytes: number;
}

export class Copies {
  readonly #env: Env<FromMaster>;
  readonly #options: CopiesOptions;
  /** Weight of all entries that each has followed. */
  readonly #followed: Map<Address, number>;
  /** Weight of all entries up to each position, from `#first` on: of those that somebody has not followed yet. */
  #sums: number[] = [];
  #first = 1;
  #sent = 0;
  #bytes = 0;
  #snapshotSize = 0;
  #isSaving = false;

  constructor(env: Env<FromMaster>, options: CopiesOptions) {
    this.#env = env;
    this.#options = options;
    this.#followed = new Map([options.follower, ...options.copies].map((copy) => [copy, 0]));
  }

  restore(position: number, checkpoint: Uint8Array | undefined): void {
    this.#sums = [];
    this.#first = position + 1;
    this.#bytes = 0;
    this.#snapshotSize = checkpoint?.length ?? 0;
    for (const copy of this.#followed.keys()) this.#followed.set(copy, this.#sent);
    this.#tell({ type: "restore", position, checkpoint });
  }

  /** Before anyone is answered: who then asks a copy finds what was acknowledged. */
  entry(position: number, payload: Uint8Array, weight: number): void {
    this.#sent += weight;
    this.#sums.push(this.#sent);
    this.#bytes += payload.length;
    this.#tell({ type: "entry", position, payload });
  }

  followed(copy: Address, position: number): void {
    const sum = this.#sums[position - this.#first];
    if (sum === undefined || !this.#followed.has(copy)) return;
    this.#followed.set(copy, sum);
    const slowest = Math.min(...this.#followed.values());
    const known = this.#sums.findIndex((each) => each > slowest);
    const done = known === -1 ? this.#sums.length : known;
    this.#sums = this.#sums.slice(done);
    this.#first += done;
  }

  get isBehind(): boolean {
    const { follower, followerBehindMax, copyBehindMax } = this.#options;
    for (const [copy, followed] of this.#followed)
      if (this.#sent - followed > (copy === follower ? followerBehindMax : copyBehindMax)) return true;
    return false;
  }

  /**
   * Asks for a snapshot where one is due, if none is on its way. Where it is due the entries decide and nothing else, so that replicas make the same
   * ones: a journal that they share forgets what a majority has a snapshot of.
   */
  askForSnapshot(position: number): void {
    const { follower, snapshotEvery, snapshotBytes } = this.#options;
    if (position % snapshotEvery !== 0 && this.#bytes < Math.max(snapshotBytes, this.#snapshotSize)) return;
    this.#bytes = 0;
    if (this.#isSaving) return;
    this.#isSaving = true;
    this.#env.send(follower, { type: "snapshot", position });
  }

  snapshotMade(bytes: number): void {
    this.#snapshotSize = bytes;
  }

  /** It is in the journal, or could not be put there: the next one may come when it is due. */
  snapshotEnded(): void {
    this.#isSaving = false;
  }

  #tell(message: ToFollower): void {
    for (const copy of this.#followed.keys()) this.#env.send(copy, message);
  }
}
