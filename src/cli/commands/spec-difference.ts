/** Where two specs of one kind differ, field by field, with values as people write them. */
import { type DescMessage, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type AllocSetSpec, AllocSetSpecSchema, type JobSpec, JobSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { bytesText, cpuText, durationText } from "../text/units.ts";

export interface FieldDifference {
  /** `task.limit.ramBytes`, `task.environment.LOG`, `task.command[1]`. */
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

const ABSENT = "(none)";
const VALUE_LENGTH_MAX = 120;

export function specDifferences(before: JobSpec | AllocSetSpec, after: JobSpec | AllocSetSpec): readonly FieldDifference[] {
  const schema: DescMessage = before.$typeName === "borg.v1.JobSpec" ? JobSpecSchema : AllocSetSpecSchema;
  const json = (spec: JobSpec | AllocSetSpec): JsonValue => toJson(schema, spec as never);
  return differences("", json(before), json(after));
}

function differences(field: string, before: JsonValue | undefined, after: JsonValue | undefined): readonly FieldDifference[] {
  const [a, b] = [keyed(before), keyed(after)];
  if (a !== undefined || b !== undefined) {
    const keys = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])];
    return keys.flatMap((key) => differences(field === "" ? key : joined(field, key), a?.get(key), b?.get(key)));
  }
  const [x, y] = [JSON.stringify(before), JSON.stringify(after)];
  return x === y ? [] : [{ field, before: valueText(field, before), after: valueText(field, after) }];
}

const joined = (field: string, key: string): string => (key.startsWith("[") ? field + key : `${field}.${key}`);

/** What has fields of its own. Lists of named things are compared by name, so that a new first item does not change all others. */
function keyed(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const names = value.map((item) => nameIn(item));
  const named = names.every((name) => name !== undefined) && new Set(names).size === names.length;
  if (named) return new Map(value.map((item, i) => [names[i]!, withoutName(item)]));
  return new Map(value.map((item, i) => [`[${i}]`, item]));
}

/** Environment, labels and extras: what names the item, and the one value beside it. */
function nameIn(item: JsonValue): string | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return undefined;
  const name = item["key"] ?? item["path"] ?? item["name"];
  return typeof name === "string" ? name : undefined;
}

function withoutName(item: JsonValue): JsonValue {
  const { key: _, value, amount, ...rest } = item as Record<string, JsonValue>;
  const only = value ?? amount;
  return only === undefined ? (Object.keys(rest).length === 0 ? "" : rest) : only;
}

function valueText(field: string, value: JsonValue | undefined): string {
  if (value === undefined) return ABSENT;
  if (typeof value === "number" && /(Bytes|Bandwidth)$/.test(field)) return bytesText(value);
  if (typeof value === "number" && field.endsWith("cpuMilli")) return cpuText(value);
  if (typeof value === "number" && field.endsWith("Ms")) return durationText(value);
  const text = typeof value === "string" && /^[A-Z]+(_[A-Z]+)+$/.test(value) ? value.toLowerCase() : JSON.stringify(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
