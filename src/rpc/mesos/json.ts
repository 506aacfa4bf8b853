/**
 * JSON as Mesos' clients speak it: snake_case names, enums by name, 64-bit numbers as numbers, bytes as base64, null for "not there", and unknown
 * fields ignored. What is read still has to be checked (wire/check.ts); what is written is ASCII, because a client counts characters where the length
 * before a record counts bytes. Reading never throws: it refuses in words that begin with the path to the problem.
 */
import { type DescEnum, type DescField, type DescMessage, getOption, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { type Result, refused } from "../../base/result.ts";
import { make } from "../../wire/codec.ts";
import { bound } from "../../wire/gen/borg/v1/bound_pb.ts";

/** A problem on its way up; it never leaves this file. */
class Unreadable extends Error {}

type Json = unknown;

/** A message of parsed JSON. */
export function fromMesosJson<Desc extends DescMessage>(schema: Desc, json: Json): Result<MessageShape<Desc>> {
  try {
    return { ok: true, value: make(schema, readMessage(schema, json, "") as never) };
  } catch (error) {
    if (error instanceof Unreadable) return refused(error.message);
    throw error;
  }
}

function readMessage(schema: DescMessage, json: Json, path: string): Record<string, unknown> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw unreadable(path, `an object (${schema.name})`, json);
  const init: Record<string, unknown> = {};
  for (const field of schema.fields) {
    // Only what is the object's own: a name may be one that every object has.
    const value = Object.hasOwn(json, field.name) ? (json as Record<string, Json>)[field.name] : undefined;
    if (value === undefined || value === null) continue;
    const read = readField(field, value, `${path}.${field.name}`);
    if (field.oneof === undefined) init[field.localName] = read;
    else init[field.oneof.localName] = { case: field.localName, value: read };
  }
  return init;
}

function readField(field: DescField, json: Json, path: string): unknown {
  if (field.fieldKind === "message") return readMessage(field.message, json, path);
  if (field.fieldKind === "enum") return readEnum(field.enum, json, path);
  if (field.fieldKind === "scalar") return readScalar(field.scalar, json, path);
  if (field.fieldKind === "map") throw new Error(`Field "${field}" is a map`);
  if (field.listKind === "message" && getOption(field, bound).keyed) return readEntries(field.message, json, path);
  if (!Array.isArray(json)) throw unreadable(path, "a list", json);
  return json.map((item: Json, i) => {
    const at = `${path}[${i}]`;
    if (field.listKind === "message") return readMessage(field.message, item, at);
    return field.listKind === "enum" ? readEnum(field.enum, item, at) : readScalar(field.scalar, item, at);
  });
}

function readEntries(entry: DescMessage, json: Json, path: string): readonly object[] {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw unreadable(path, "an object", json);
  const value = entry.field["value"] as DescField;
  return Object.entries(json).map(([key, item]) => ({ key, value: readField(value, item, `${path}.${shown(key)}`) }));
}

/** A name from a later Mesos stands for UNKNOWN, where there is such a value. */
function readEnum(desc: DescEnum, json: Json, path: string): number {
  if (typeof json === "number") return json;
  if (typeof json !== "string") throw unreadable(path, `a ${desc.name}`, json);
  const found = desc.values.find(({ name }) => name === json) ?? desc.values.find(({ name, number }) => number === 0 && name === "UNKNOWN");
  if (found === undefined) throw unreadable(path, `a known ${desc.name}`, json);
  return found.number;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const WHOLE = /^-?[0-9]{1,19}$/;

function readScalar(type: ScalarType, json: Json, path: string): unknown {
  switch (type) {
    case ScalarType.STRING:
      if (typeof json !== "string") throw unreadable(path, "text", json);
      return json;
    case ScalarType.BYTES:
      if (typeof json !== "string" || !BASE64.test(json)) throw unreadable(path, "bytes as base64", json);
      return new Uint8Array(Buffer.from(json, "base64"));
    case ScalarType.BOOL:
      if (typeof json !== "boolean") throw unreadable(path, "true or false", json);
      return json;
    case ScalarType.INT64:
    case ScalarType.UINT64:
      if (typeof json === "number" && Number.isSafeInteger(json)) return BigInt(json);
      if (typeof json === "string" && WHOLE.test(json)) return BigInt(json);
      throw unreadable(path, "a whole number", json);
    case ScalarType.DOUBLE:
      if (typeof json !== "number") throw unreadable(path, "a number", json);
      return json;
    default:
      if (typeof json !== "number" || !Number.isInteger(json)) throw unreadable(path, "a whole number", json);
      return json;
  }
}

const unreadable = (path: string, expected: string, found: Json): Unreadable =>
  new Unreadable(`${path}: Expected ${expected}, found ${describe(found)}`);

const SHOWN_MAX = 64;
const shown = (text: string): string => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text);

function describe(value: Json): string {
  if (typeof value === "string") return JSON.stringify(shown(value));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** ASCII text of a message: only what is there, and no empty list. */
export function toMesosJson<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string {
  return writeMessage(schema, message as never).replace(/[\u007f-\uffff]/g, escaped);
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

function writeMessage(schema: DescMessage, message: Readonly<Record<string, unknown>>): string {
  const parts: string[] = [];
  for (const field of schema.fields) {
    const value = presentIn(field, message);
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    parts.push(`"${field.name}":${writeField(field, value)}`);
  }
  return `{${parts.join(",")}}`;
}

function presentIn(field: DescField, message: Readonly<Record<string, unknown>>): unknown {
  if (field.oneof === undefined) return message[field.localName];
  const chosen = message[field.oneof.localName] as { readonly case?: string; readonly value?: unknown } | undefined;
  return chosen?.case === field.localName ? chosen.value : undefined;
}

function writeField(field: DescField, value: unknown): string {
  if (field.fieldKind !== "list") return writeOne(field, value);
  const items = value as readonly Record<string, unknown>[];
  if (field.listKind === "message" && getOption(field, bound).keyed) return writeEntries(field.message, items);
  return `[${items.map((item) => writeOne(field, item)).join(",")}]`;
}

function writeEntries(entry: DescMessage, items: readonly Readonly<Record<string, unknown>>[]): string {
  const value = entry.field["value"] as DescField;
  return `{${items.map((item) => `${JSON.stringify(item["key"] ?? "")}:${writeOne(value, item["value"])}`).join(",")}}`;
}

function writeOne(field: DescField, value: unknown): string {
  if (field.message !== undefined) return writeMessage(field.message, value as never);
  if (field.enum !== undefined) return JSON.stringify(field.enum.value[value as number]?.name ?? value);
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString("base64")}"`;
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
