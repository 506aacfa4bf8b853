/** How a master behaves unless told otherwise. All times in milliseconds; every bound says what happens at it. */
import { type NewHash, newSha256 } from "../base/sha256.ts";
import { type ImageOf, imageOf } from "../cell/feed.ts";
import { VERSION_MAX } from "../cell/version.ts";
import type { CopiesOptions } from "./copies.ts";
import type { WaitingBounds } from "./lanes.ts";

export interface MasterOptions extends WaitingBounds, CopiesOptions {
  /** Its own address, and its name at the lock service. */
  readonly name: string;
  /** What a journal without any entry becomes. */
  readonly create: { readonly cell: string; readonly owner: string };
  /** Addresses of the actors that share this process. */
  readonly link: string;
  /** Whether the link shards of all replicas share the machines, or the leader's has them all. */
  readonly sharesLinks: boolean;
  /** Its own schedulers: a leader makes them known to the cell if they are not. */
  readonly schedulers: readonly { readonly name: string; readonly address: string }[];
  /** The lock service that elects, or none: then this master is alone and leads as soon as it has read its journal. */
  readonly lock: string | undefined;
  readonly lockTtlMs: number;
  readonly lockRenewMs: number;
  /** How many masters share the lock service. New behaviour is switched on only when each of them has told that it can do it. */
  readonly replicas: number;
  /** The highest cell version that this master does; at an entry that goes beyond it, it stops. */
  readonly versionMax: number;
  /** An entry is closed at either bound; a task that it changes counts for some bytes too (lanes.ts). What cannot wait for its entry is `unavailable`, with a time to try again. */
  readonly entryOpsMax: number;
  readonly entryBytesMax: number;
  /** How long reports of machines wait for an entry that goes anyway; then they go by themselves. */
  readonly newsMs: number;
  /** Feed items kept for readers that come back; one that is further behind gets an image. */
  readonly feedItemsMax: number;
  readonly feedWeightMax: number;
  /** A new leader marks no machine unreachable and gives none up so long: links need time to come. */
  readonly settleMs: number;
  readonly tickMs: number;
  readonly reach: ReachOptions;
  readonly estimator: EstimatorOptions;
  /** With which a snapshot is found right, and copies of the cell are compared. */
  readonly newHash: NewHash;
  /** How an image is made. One whose records are made while they are read serves only where every message is packed as it is sent. */
  readonly imageOf: ImageOf;
  /** Entries between two comparisons of the follower's hash with the master's. */
  readonly compareEvery: number;
}

export interface LinkOptions {
  readonly pollMs: number;
  /** How long a borglet without news may hold its answer: clearly less than a poll, or the answer meets the next one on its way. */
  readonly holdMs: number;
  /** Polls without an answer that make a machine unreachable. */
  readonly missedMax: number;
  /** Orders in one poll; the rest goes with the next. */
  readonly ordersMax: number;
  /** Restarts of one instance, and changes of its health, go on at most once in this time. */
  readonly calmMs: number;
}

/** Giving up instances on machines that do not answer (Borg §4: rate-limited, because a partition looks like mass failure). */
export interface ReachOptions {
  /** Machines a minute, as a share of the cell; at least one. */
  readonly giveUpShare: number;
  /** More than this share of the cell, a rack or a power domain, and at least that many: nobody is given up. */
  readonly freezeShare: number;
  readonly freezeMin: number;
  /** After a freeze nobody is given up for so long: those that are about to answer should be heard. */
  readonly thawMs: number;
}

/** How far reservations fall below limits (Borg §5.5). */
export interface ReclamationPreset {
  /** On top of what was used at most lately. */
  readonly margin: number;
  /** A task younger than this keeps its limit. */
  readonly youngMs: number;
  /** In so long an estimate falls from where it is to where it should be. */
  readonly decayMs: number;
}

export type PresetName = "baseline" | "medium" | "aggressive";

export interface EstimatorOptions {
  readonly presets: Readonly<Record<PresetName, ReclamationPreset>>;
  readonly everyMs: number;
  readonly peakMs: number;
  readonly decayEveryMs: number;
  /** Reservations are rounded up to this part of the limit. */
  readonly steps: number;
  readonly opsPerSecond: number;
}

export const DEFAULT_LINK: LinkOptions = { pollMs: 5_000, holdMs: 4_000, missedMax: 3, ordersMax: 1_000, calmMs: 10_000 };

export const DEFAULT_MASTER: Omit<MasterOptions, "name" | "create" | "link" | "follower" | "schedulers" | "lock" | "replicas"> = {
  copies: [],
  sharesLinks: false,
  lockTtlMs: 2_000,
  lockRenewMs: 500,
  versionMax: VERSION_MAX,
  entryOpsMax: 1_000,
  entryBytesMax: 1_048_576,
  newsMs: 40,
  waitingMax: 10_000,
  waitingBytesMax: 32 * 2 ** 20,
  userBytesMax: 4 * 2 ** 20,
  feedItemsMax: 4_096,
  feedWeightMax: 8_192,
  settleMs: 30_000,
  tickMs: 1_000,
  reach: { giveUpShare: 0.01, freezeShare: 0.3, freezeMin: 10, thawMs: 30_000 },
  estimator: {
    presets: {
      baseline: { margin: 0.5, youngMs: 300_000, decayMs: 600_000 },
      // What the paper ended with, and what a cell does until it is told otherwise.
      medium: { margin: 0.35, youngMs: 300_000, decayMs: 600_000 },
      aggressive: { margin: 0.2, youngMs: 300_000, decayMs: 600_000 },
    },
    everyMs: 5_000,
    peakMs: 300_000,
    decayEveryMs: 60_000,
    steps: 16,
    opsPerSecond: 500,
  },
  followerBehindMax: 32 * 2 ** 20,
  copyBehindMax: 4 * 2 ** 20,
  snapshotEvery: 1_000,
  snapshotBytes: 64 * 2 ** 20,
  newHash: newSha256,
  imageOf,
  compareEvery: 100,
};
