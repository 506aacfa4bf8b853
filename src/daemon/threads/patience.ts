/**
 * How long a letter between threads may be held because nobody waits for it. It goes sooner with one that somebody waits for: to wake a thread costs more than
 * most letters, and an entry of the journal makes a dozen of them.
 */
import type { Address } from "../../base/env.ts";
import type { FeedItem } from "../../cell/feed.ts";
import type { FeedRecord } from "../../wire/gen/borg/v1/feed_pb.ts";
import { FOLLOWER, LINK } from "./addresses.ts";

/** The follower makes checkpoints and answers long questions; a question takes the entries before it along. */
export const ENTRY_MS = 500;
/** How far a copy is matters to a master that is megabytes ahead of it. */
export const FOLLOWED_MS = 20;
/** What tasks use is told five times a second anyway. */
export const USAGE_MS = 200;
/** What a link shard has to know before it orders something, but orders nothing by itself. */
export const NO_ORDER_MS = 50;

interface Message {
  readonly type?: unknown;
  readonly items?: readonly FeedItem[];
}

/** 0: somebody waits. `message` is as it was before it was packed. */
export function patienceMs(to: Address, { type, items = [] }: Message): number {
  if (type === "followed") return FOLLOWED_MS;
  if (type === "usage") return USAGE_MS;
  if (type === "entry" && to === FOLLOWER) return ENTRY_MS;
  return type === "items" && to === LINK && items.every(ordersNothing) ? NO_ORDER_MS : 0;
}

const ordersNothing = ({ removed, records }: FeedItem): boolean => removed.length === 0 && records.every(isOfNoMachine);

/** Tasks that wait for a scheduler, or have ended: a machine that had one has only to forget it. */
const isOfNoMachine = ({ body }: FeedRecord): boolean =>
  body.case !== "tasks" || body.value.tasks.every(({ instance }) => instance === undefined);
