/** How Mesos' clients write their calls and want their events: JSON, or protobuf. Everything is bounded before it is parsed. */
import { isUtf8 } from "node:buffer";
import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import { type Result, refused } from "../../base/result.ts";
import { checker, type MessageCheck } from "../../wire/check.ts";
import { decode, encode } from "../../wire/codec.ts";
import { type HttpRequest, type Page, textPage } from "../api/http.ts";
import { type BinaryScan, binaryScan } from "../api/scan-binary.ts";
import { scanJson } from "../api/scan-json.ts";
import type { Bounds } from "../bounds.ts";
import { fromMesosJson, toMesosJson } from "./json.ts";

export type Media = "json" | "protobuf";

export interface MediaPair {
  /** Of the body. */
  readonly sent: Media;
  /** Of the answer. */
  readonly wanted: Media;
}

const TYPES: ReadonlyMap<string, Media> = new Map([
  ["application/json", "json"],
  ["application/x-protobuf", "protobuf"],
]);
const BOTH = "application/json or application/x-protobuf";
const WORDS_LENGTH_MAX = 300;

export const contentType = (media: Media): string => (media === "json" ? "application/json" : "application/x-protobuf");

/** What is sent and what is wanted, or why this is no call. */
export function mediaOf(request: HttpRequest): MediaPair | Page {
  if (request.method !== "POST") return { ...textPage(405, `Cannot call with ${request.method}: use POST\n`), headers: { allow: "POST" } };
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    return textPage(415, "Cannot read a body with content-encoding: send it as it is\n");
  const sent = TYPES.get(plainType(request.headers["content-type"] ?? ""));
  if (sent === undefined) return textPage(415, `Cannot read this content type: send Content-Type ${BOTH}\n`);
  const wanted = wantedOf(request.headers.accept);
  return wanted === undefined ? textPage(406, `Cannot answer as Accept wants it: accept ${BOTH}\n`) : { sent, wanted };
}

const plainType = (text: string): string => text.split(";", 1)[0]!.trim().toLowerCase();

/** Nothing said means JSON. */
function wantedOf(accept: string | undefined): Media | undefined {
  if (accept === undefined || accept === "") return "json";
  const types = accept.split(",").map(plainType);
  const named = types.map((type) => TYPES.get(type)).find((media) => media !== undefined);
  return named ?? (types.some((type) => type === "*/*" || type === "application/*") ? "json" : undefined);
}

/** Reads and writes one message type. Make it once, when the program starts. */
export class MesosReader<Desc extends DescMessage> {
  readonly #schema: Desc;
  readonly #check: MessageCheck<Desc>;
  readonly #scan: BinaryScan;

  constructor(schema: Desc) {
    this.#schema = schema;
    this.#check = checker(schema);
    this.#scan = binaryScan(schema, true);
  }

  /** A message within its bounds, or what is wrong with it. */
  read(body: Uint8Array, media: Media, bounds: Pick<Bounds, "depth" | "tokens" | "bodyBytes">): Result<MessageShape<Desc>> {
    const message = media === "json" ? this.#json(body, bounds) : this.#binary(body, bounds);
    if (!message.ok) return message;
    const problem = this.#check(message.value);
    return problem === undefined ? message : refused(`Cannot take ${this.#schema.name}${problem}`);
  }

  #json(body: Uint8Array, { depth, tokens }: Pick<Bounds, "depth" | "tokens">): Result<MessageShape<Desc>> {
    if (!isUtf8(body)) return refused("Expected JSON in UTF-8");
    const problem = scanJson(body, depth, tokens);
    if (problem !== undefined) return refused(problem);
    let parsed: unknown;
    try {
      parsed = JSON.parse(new TextDecoder().decode(body));
    } catch (error) {
      const words = (error instanceof Error ? error.message : "malformed").toWellFormed().slice(0, WORDS_LENGTH_MAX);
      return refused(`Cannot read JSON: ${words}`);
    }
    const read = fromMesosJson(this.#schema, parsed);
    return read.ok ? read : refused(`Cannot read ${this.#schema.name}${read.reason}`);
  }

  #binary(body: Uint8Array, { tokens, bodyBytes }: Pick<Bounds, "tokens" | "bodyBytes">): Result<MessageShape<Desc>> {
    const problem = this.#scan(body, tokens);
    if (problem !== undefined) return refused(problem);
    const decoded = decode(this.#schema, body, bodyBytes);
    if (decoded.ok) dropUnknown(this.#schema, decoded.value as never);
    return decoded;
  }
}

/** As bytes on the wire, without a frame. */
export function writeMessage<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>, media: Media): Uint8Array {
  return media === "json" ? Buffer.from(toMesosJson(schema, message), "latin1") : encode(schema, message);
}

type Plain = Message & Record<string, unknown>;

/** Fields and enum values that a later Mesos may have: the message is as if they had not been sent. */
function dropUnknown(schema: DescMessage, message: Plain): void {
  delete message["$unknown"];
  for (const field of schema.fields) {
    const holder = field.oneof === undefined ? message : (message[field.oneof.localName] as Plain);
    if (field.oneof !== undefined && holder["case"] !== field.localName) continue;
    const name = field.oneof === undefined ? field.localName : "value";
    const value = holder[name];
    if (value === undefined) continue;
    if (field.message !== undefined)
      for (const each of field.fieldKind === "list" ? (value as Plain[]) : [value as Plain]) dropUnknown(field.message, each);
    else if (field.fieldKind === "enum" && field.enum.value[value as number] === undefined && field.enum.value[0]?.name === "UNKNOWN")
      holder[name] = 0;
  }
}
