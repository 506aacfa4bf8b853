/**
 * Which answers to pages are compressed, and how (decision 0047). The length of a compressed answer tells whoever sees it pass how much of it stands there twice: a user
 * who may put words beside what he may not read would guess that letter by letter. So only answers without a word that users choose are: figures, and names that admins gave.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Message } from "@bufbuild/protobuf";
import { ViewKind, type WatchViewsRequest } from "../../wire/gen/borg/v1/api_pb.ts";

/** Less is not worth a turn of a thread; more than the largest map (100,000 machines) is sent as it is. */
const BYTES_MIN = 4 * 2 ** 10;
const BYTES_MAX = 16 * 2 ** 20;
/** At once, of all pages; one more answer is sent as it is. */
const AT_ONCE = 2;
/** The quickest: a map is figures, which the best level makes little smaller. */
const LEVEL = 1;

const PLAIN_VIEWS: ReadonlySet<ViewKind> = new Set([ViewKind.CELL, ViewKind.MAP]);
const PLAIN_METHODS: ReadonlySet<string> = new Set(["listQuota", "listUsers"]);

/** Its answer has no text that a user chose. */
export const isPlain = (method: string, request: Message): boolean =>
  PLAIN_METHODS.has(method) || (method === "watchViews" && (request as WatchViewsRequest).views.every(({ kind }) => PLAIN_VIEWS.has(kind)));

export const takesGzip = (accepted: string | string[] | undefined): boolean =>
  typeof accepted === "string" && accepted.split(",").some((each) => /^\s*gzip\s*$/i.test(each));

let compressing = 0;

/** Undefined: it is to be sent as it is. */
export async function compressed(pieces: readonly Uint8Array[]): Promise<Uint8Array | undefined> {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  if (bytes < BYTES_MIN || bytes > BYTES_MAX || compressing >= AT_ONCE) return undefined;
  compressing += 1;
  try {
    return await promisify(gzip)(Buffer.concat(pieces), { level: LEVEL });
  } finally {
    compressing -= 1;
  }
}
