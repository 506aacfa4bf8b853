/**
 * Letters between the threads of a master process: messages whose protobuf parts are bytes. An item of the feed goes to several readers
 * but is packed once. Only our own threads exchange these, so unpacking trusts what it gets; users and borglets never reach it.
 */

import { assert } from "../base/assert.ts";
import type { FeedItem, Image, Removed } from "../cell/feed.ts";
import { feedItemOf } from "../cell/feed-reader.ts";
import { decode, encode, encodeRecordsOf, make } from "../wire/codec.ts";
import { EventSchema } from "../wire/gen/borg/v1/event_pb.ts";
import {
  type FeedRecord,
  FeedRecordSchema,
  type FeedRecords,
  FeedRecordsSchema,
  RemovedKind,
  type RemovedRecord,
  RemovedRecordSchema,
} from "../wire/gen/borg/v1/feed_pb.ts";
import { type InstanceReport, ReportSchema, type Reports, ReportsSchema, type Usage } from "../wire/gen/borg/v1/machine_pb.ts";
import type { MachineUsage } from "./message.ts";

/** A message as it leaves a thread: plain values and bytes that are nobody else's view. */
export interface Packed {
  readonly body: Readonly<Record<string, unknown>>;
  readonly bytes: number;
}

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

const KINDS: Readonly<Record<Removed["kind"], RemovedKind>> = {
  job: RemovedKind.JOB,
  machine: RemovedKind.MACHINE,
  task: RemovedKind.TASK,
};

/**
 * An image as it goes: its records, so many bytes of them together. Neither who packs nor who reads has all of them as objects at a time. The whole state is as large as
 * admission lets it become (cell/bounds.ts), and how far a reader is behind is counted without it, or a full cell could not start.
 */
interface PackedImage {
  readonly position: number;
  readonly timeMs: number;
  readonly pieces: readonly Uint8Array[];
}

/** Bytes of records after which a piece ends. */
const PIECE_BYTES = 256 * 1024;

/** Packs for one thread that sends; it remembers the last item and the last image, because the next reader gets the same. */
export class Packer {
  #item: FeedItem | undefined;
  #itemBytes = new Uint8Array();
  #image: { readonly of: Image; readonly packed: PackedImage } | undefined;

  pack(message: object): Packed {
    const told = message as Message;
    switch (told.type) {
      case "image":
      case "cell":
      case "lead":
        return { body: { ...told, image: this.#packImage(told["image"] as Image) }, bytes: 0 };
      case "items":
        return this.#items(told, told["items"] as readonly FeedItem[]);
      case "ops": {
        const ops = (told["ops"] as readonly Uint8Array[]).map(own);
        return { body: { ...told, ops }, bytes: ops.reduce((sum, { length }) => sum + length, 0) };
      }
      case "usage":
        return withBytes(told, "machines", usageBytes(told["machines"] as readonly MachineUsage[]));
      case "request":
      case "claim":
        return withBytes(told, "op", own(told["op"] as Uint8Array));
      case "entry":
      case "checkpoint":
        return withBytes(told, "payload", own(told["payload"] as Uint8Array));
      case "restore":
        return told["checkpoint"] === undefined
          ? { body: told, bytes: 0 }
          : uncounted(withBytes(told, "checkpoint", own(told["checkpoint"] as Uint8Array)));
      default:
        return { body: told, bytes: 0 };
    }
  }

  #packImage(image: Image): PackedImage {
    if (this.#image?.of === image) return this.#image.packed;
    const packed = { position: image.position, timeMs: image.timeMs, pieces: [...piecesOf(image.records)] };
    this.#image = { of: image, packed };
    return packed;
  }

  /** Where an item is, the image is old. */
  #items(told: Message, items: readonly FeedItem[]): Packed {
    this.#image = undefined;
    const packed = items.map((item) => this.#packItem(item));
    return { body: { ...told, items: packed }, bytes: packed.reduce((sum, { length }) => sum + length, 0) };
  }

  #packItem(item: FeedItem): Uint8Array {
    if (this.#item !== item) {
      this.#item = item;
      this.#itemBytes = feedBytes(item) as Uint8Array<ArrayBuffer>;
    }
    return this.#itemBytes;
  }
}

function* piecesOf(records: Iterable<FeedRecord>): Generator<Uint8Array> {
  let encoded: Uint8Array[] = [];
  let bytes = 0;
  for (const record of records) {
    const next = encode(FeedRecordSchema, record);
    encoded.push(next);
    bytes += next.length;
    if (bytes < PIECE_BYTES) continue;
    yield encodeRecordsOf(encoded);
    encoded = [];
    bytes = 0;
  }
  if (bytes > 0) yield encodeRecordsOf(encoded);
}

/** A checkpoint goes whole, and is no measure of who is behind either. */
const uncounted = ({ body }: Packed): Packed => ({ body, bytes: 0 });

export function unpack(body: Readonly<Record<string, unknown>>): object {
  switch (body["type"]) {
    case "image":
    case "cell":
    case "lead":
      return { ...body, image: imageOf(body["image"] as PackedImage) };
    case "items":
      return { ...body, items: (body["items"] as readonly Uint8Array[]).map(itemOf) };
    case "usage":
      return { ...body, machines: usageOf(body["machines"] as Uint8Array) };
    default:
      return body;
  }
}

/** More than any cell is; what is larger cannot have been packed by us. */
const BYTES_MAX = 2 ** 31;

const withBytes = (told: Message, field: string, bytes: Uint8Array): Packed => ({ body: { ...told, [field]: bytes }, bytes: bytes.length });

/** Both lists of a machine as one report. */
export function reportsOf(machines: readonly MachineUsage[]): Reports {
  const reports = machines.map(({ machine, usage, waiting, strain }) => {
    const told = { machine, usage: usage as Usage[], instances: waiting as InstanceReport[] };
    return make(ReportSchema, strain === undefined ? told : { ...told, strain });
  });
  return make(ReportsSchema, { reports });
}

const usageBytes = (machines: readonly MachineUsage[]): Uint8Array => encode(ReportsSchema, reportsOf(machines));

const usageOf = (bytes: Uint8Array): MachineUsage[] => machinesOf(must(decode(ReportsSchema, bytes, BYTES_MAX)));

export function machinesOf({ reports }: Reports): MachineUsage[] {
  return reports.map(({ machine, usage, instances, strain }) => ({ machine, usage, waiting: instances, strain }));
}

/** A view into something larger would drag all of it along. */
const own = (bytes: Uint8Array): Uint8Array => (bytes.buffer.byteLength === bytes.length ? bytes : bytes.slice());

export const removedRecords = (removed: readonly Removed[]): RemovedRecord[] =>
  removed.map(({ kind, id }) => make(RemovedRecordSchema, { kind: KINDS[kind], id }));

/** Of its events only what says which request a job goes back to. */
function feedMessage({ position, timeMs, records, removed, traces = [] }: FeedItem): FeedRecords {
  return make(FeedRecordsSchema, {
    position,
    timeMs,
    records: [...records],
    removed: removedRecords(removed),
    events: traces.map(({ job, trace }) => make(EventSchema, { subject: job, trace })),
  });
}

const feedBytes = (told: FeedItem): Uint8Array => encode(FeedRecordsSchema, feedMessage(told));

const feedRecords = (bytes: Uint8Array): FeedRecords => must(decode(FeedRecordsSchema, bytes, BYTES_MAX));

function imageOf({ position, timeMs, pieces }: PackedImage): Image {
  function* records(): Generator<FeedRecord> {
    for (const piece of pieces) yield* feedRecords(piece).records;
  }
  return { position, timeMs, records: { [Symbol.iterator]: records } };
}

const itemOf = (bytes: Uint8Array): FeedItem => feedItemOf(feedRecords(bytes));

function must<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }): T {
  assert(result.ok, `A letter from a thread of ours: ${result.ok ? "" : result.reason}`);
  return result.value;
}
