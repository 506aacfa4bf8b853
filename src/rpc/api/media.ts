/** Which bodies a call may have, and what is looked at in one before Connect parses it. */
import { isUtf8 } from "node:buffer";
import { type DescMessage, fromJsonString } from "@bufbuild/protobuf";
import type { Bounds } from "../bounds.ts";
import { CallError } from "../call-error.ts";
import { type HttpRequest, type Page, refusalPage } from "./http.ts";
import type { BinaryScan } from "./scan-binary.ts";
import { scanJson } from "./scan-json.ts";

export interface Media {
  readonly json: boolean;
  /** gRPC and gRPC-web put a flag and a length before the message. */
  readonly framed: boolean;
}

const MEDIA: ReadonlyMap<string, Media> = new Map([
  ["application/json", { json: true, framed: false }],
  ["application/proto", { json: false, framed: false }],
  ...["application/grpc", "application/grpc-web"].flatMap((grpc): [string, Media][] => [
    [grpc, { json: false, framed: true }],
    [`${grpc}+proto`, { json: false, framed: true }],
    [`${grpc}+json`, { json: true, framed: true }],
  ]),
]);
const FRAME_BYTES = 5;
/** Of what a parser says. */
const WORDS_LENGTH_MAX = 300;
const ACCEPTED = "application/json, application/proto, application/grpc or application/grpc-web";

/** What a call's body is, or why it is not read. */
export function mediaOf(request: HttpRequest): Media | Page {
  if (request.method !== "POST")
    return refusalPage(405, "unimplemented", `Cannot call a method with ${request.method}: use POST`, { allow: "POST" });
  for (const header of ["content-encoding", "grpc-encoding", "connect-content-encoding"]) {
    const encoding = request.headers[header];
    if (encoding !== undefined && encoding !== "identity")
      return refusalPage(415, "unimplemented", `Cannot read a body with ${header}: send it as it is`, { "accept-encoding": "identity" });
  }
  const type = (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  return MEDIA.get(type) ?? refusalPage(415, "unimplemented", `Cannot read this content type: send content-type ${ACCEPTED}`);
}

/** Throws a CallError when the body is no message of this type, or not worth parsing. */
export function assertReadable(body: Uint8Array, media: Media, schema: DescMessage, scan: BinaryScan, bounds: Bounds): void {
  const message = media.framed ? unframe(body) : body;
  const problem = media.json ? jsonProblem(message, schema, bounds) : scan(message, bounds.tokens);
  if (problem !== undefined) throw new CallError("bad-request", problem);
}

/**
 * The text is parsed here and once more by Connect, whose words for a failure would repeat all of a hostile text. JSON comes from people
 * and is small; programs send binary.
 */
function jsonProblem(message: Uint8Array, schema: DescMessage, bounds: Bounds): string | undefined {
  if (!isUtf8(message)) return "Expected JSON in UTF-8, found bytes that are none: send it as UTF-8";
  const problem = scanJson(message, bounds.depth, bounds.tokens);
  if (problem !== undefined) return problem;
  try {
    fromJsonString(schema, new TextDecoder().decode(message));
    return undefined;
  } catch (error) {
    const words = (error instanceof Error ? error.message : "malformed").toWellFormed().slice(0, WORDS_LENGTH_MAX);
    return `Cannot read ${schema.name}: ${words}`;
  }
}

function unframe(body: Uint8Array): Uint8Array {
  if (body.length < FRAME_BYTES) throw new CallError("bad-request", "Expected a framed message, found fewer than 5 bytes");
  if (body[0] !== 0) throw new CallError("bad-request", "Expected one message that is not compressed: send it as it is");
  const length = new DataView(body.buffer, body.byteOffset, body.length).getUint32(1);
  if (length !== body.length - FRAME_BYTES)
    throw new CallError("bad-request", `Expected exactly one message of ${length} bytes, found ${body.length - FRAME_BYTES}`);
  return body.subarray(FRAME_BYTES);
}
