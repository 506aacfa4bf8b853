/** The feed as a caller may see it: what happened since it last asked, or the whole cell in pieces. Each answer is bounded, however large the cell is. */
import { type Piece, pieceOf } from "../../cell/feed-piece.ts";
import type { CellState } from "../../cell/state.ts";
import { make } from "../../wire/codec.ts";
import { type ReadFeedRequest, type ReadFeedResponse, ReadFeedResponseSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { type FeedRecords, FeedRecordsSchema } from "../../wire/gen/borg/v1/feed_pb.ts";
import { removedRecords } from "../packing.ts";
import type { Copy } from "./copy.ts";
import type { ReadItem } from "./feed-ring.ts";
import { Meter } from "./price.ts";
import { veiledRecords } from "./veil.ts";
import { wireEvent } from "./views.ts";

/** Records and tasks of one answer: of its items, and of its piece. */
const RECORDS_MAX = 5000;

export function readFeed(copy: Copy, { from, more }: ReadFeedRequest, user: string, meter = new Meter()): ReadFeedResponse {
  const { state, feed } = copy;
  const items = feed.read(state, from, RECORDS_MAX);
  const piece = items === undefined ? undefined : pieceAfter(copy, items.at(-1)?.position ?? from - 1, more);
  const anew = items === undefined || piece === undefined;
  const sent = anew ? [] : items;
  const { records, more: rest, weight } = (anew ? pieceOf(state, "", RECORDS_MAX, copy.jobNames) : piece) as Piece;
  meter.answered(weight + sent.reduce((sum, item) => sum + item.weight, 0));
  return make(ReadFeedResponseSchema, {
    items: sent.map((item) => itemOf(state, item, user)),
    next: anew ? state.position + 1 : (sent.at(-1)?.position ?? from - 1) + 1,
    anew,
    piece: veiledRecords(state, user, records),
    more: rest,
    timeMs: sent.at(-1)?.timeMs ?? state.timeMs,
  });
}

/** A piece is what the cell is now; it waits until the items before it have all been sent. */
function pieceAfter({ state, jobNames }: Copy, position: number, more: string): Piece | undefined {
  if (more === "" || position < state.position) return { records: [], more, weight: 0 };
  return pieceOf(state, more, RECORDS_MAX, jobNames);
}

const itemOf = (state: CellState, { position, timeMs, records, removed, logged }: ReadItem, user: string): FeedRecords =>
  make(FeedRecordsSchema, {
    position,
    timeMs,
    records: veiledRecords(state, user, records),
    removed: removedRecords(removed),
    events: logged.map(wireEvent),
  });
