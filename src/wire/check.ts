/**
 * Walks any message by its descriptor and says in words what is wrong with it: finite safe non-negative whole numbers (fractions where others have them),
 * known enums, well-formed text of bounded length, lists of bounded length, nothing unknown. Bounds stand beside the
 * fields in proto/ (`bound`). The walk is worked out once per message type, and types are not recursive, so depth is bounded.
 */
import { type DescEnum, type DescField, type DescMessage, getOption, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { formProblem } from "./form.ts";
import { type Bound, bound as boundOption } from "./gen/borg/v1/bound_pb.ts";

/** The problem with a value, in words that begin with the path to it; undefined when there is none. */
type Check = (value: unknown) => string | undefined;

/** Message types nest at most this deep; a schema beyond it does not load. */
const DEPTH_MAX = 16;

const SAFE_MAX = Number.MAX_SAFE_INTEGER;
const UINT32_MAX = 2 ** 32 - 1;
const INT32_MAX = 2 ** 31 - 1;

export type MessageCheck<Desc extends DescMessage> = (message: MessageShape<Desc>) => string | undefined;

/** Makes the check of one message type. Do this once, when the program starts. */
export function checker<Desc extends DescMessage>(schema: Desc, made: Checks = new Map()): MessageCheck<Desc> {
  return messageCheck(schema, { made, depth: 0 });
}

/** Checks that were made before: many messages hold the same ones. */
export type Checks = Map<DescMessage, Check>;

interface Making {
  readonly made: Checks;
  readonly depth: number;
}

function messageCheck(schema: DescMessage, { made, depth }: Making): Check {
  if (depth > DEPTH_MAX) throw new Error(`Message "${schema.typeName}" nests deeper than ${DEPTH_MAX}`);
  const known = made.get(schema) ?? newMessageCheck(schema, { made, depth: depth + 1 });
  made.set(schema, known);
  return known;
}

function newMessageCheck(schema: DescMessage, making: Making): Check {
  const members = schema.members.map((member) => {
    if (member.kind === "oneof") {
      const cases = new Map(member.fields.map((field) => [field.localName, presentCheck(field, making)]));
      return { name: member.localName, check: oneofCheck(cases) };
    }
    return { name: member.localName, check: fieldCheck(member, making) };
  });
  const known = new Set([...members.map((m) => m.name), "$typeName", "$unknown"]);
  const first = ["$typeName", ...schema.members.filter(isAlwaysThere).map(({ localName }) => localName)];
  return (value) => {
    if (typeof value !== "object" || value === null) return `: Expected ${schema.name}, found ${describe(value)}`;
    const record = value as Record<string, unknown>;
    const unknown = record["$unknown"];
    if (Array.isArray(unknown) && unknown.length > 0) return `: Cannot understand field number ${unknownNumber(unknown)} of ${schema.name}`;
    const stranger = strangerAmong(Object.keys(record), first, known);
    if (stranger !== undefined) return `: Cannot understand field "${stranger.slice(0, 64)}" of ${schema.name}`;
    for (const member of members) {
      const problem = member.check(record[member.name]);
      if (problem !== undefined) return `.${member.name}${problem}`;
    }
    return undefined;
  };
}

const isAlwaysThere = (member: DescMessage["members"][number]): boolean =>
  member.kind === "oneof" || member.presence !== FeatureSet_FieldPresence.EXPLICIT;

/** A message that was decoded begins with the members that every one of its type has, in their order: most are known without a search. */
function strangerAmong(keys: readonly string[], first: readonly string[], known: ReadonlySet<string>): string | undefined {
  let at = 0;
  while (at < first.length && keys[at] === first[at]) at += 1;
  for (; at < keys.length; at++) if (!known.has(keys[at] as string)) return keys[at];
  return undefined;
}

const unknownNumber = (unknown: readonly unknown[]): string => String((unknown[0] as { no?: unknown } | undefined)?.no ?? "?");

/** A refusal stays short, however large the vocabulary grows. */
const NAMED_MAX = 20;

const named = (names: readonly string[]): string =>
  names.length <= NAMED_MAX ? names.join(", ") : `${names.slice(0, NAMED_MAX).join(", ")} and ${names.length - NAMED_MAX} more`;

function oneofCheck(cases: ReadonlyMap<string, Check>): Check {
  return (value) => {
    const chosen = value as { case?: unknown; value?: unknown } | undefined;
    if (typeof chosen !== "object" || chosen === null || chosen.case === undefined) return `: Expected one of ${named([...cases.keys()])}`;
    const check = cases.get(String(chosen.case));
    if (check === undefined) return `: Cannot understand "${String(chosen.case).slice(0, 64)}"`;
    const problem = check(chosen.value);
    return problem === undefined ? undefined : `.${String(chosen.case)}${problem}`;
  };
}

/** A field that may be absent where its kind allows it. */
function fieldCheck(field: DescField, making: Making): Check {
  const bound = getOption(field, boundOption);
  if (field.presence !== FeatureSet_FieldPresence.EXPLICIT) return presentCheck(field, making);
  const { required } = bound;
  // Where absence says "unspecified", the value 0 says something of its own.
  const check = field.fieldKind === "enum" ? enumCheck(field.enum, { ...bound, required: false }) : presentCheck(field, making);
  return (value) => {
    if (value !== undefined) return check(value);
    return required ? ": Expected a value, found none" : undefined;
  };
}

function presentCheck(field: DescField, making: Making): Check {
  const bound = getOption(field, boundOption);
  switch (field.fieldKind) {
    case "scalar":
      return scalarCheck(field, field.scalar, bound);
    case "enum":
      return enumCheck(field.enum, bound);
    case "message":
      return messageCheck(field.message, making);
    case "list":
      return listCheck(field, itemCheck(field, bound, making), bound);
    case "map":
      throw new Error(`Field "${field}" is a map: the canonical encoding has no place for maps`);
  }
}

function itemCheck(field: DescField & { fieldKind: "list" }, bound: Bound, making: Making): Check {
  switch (field.listKind) {
    case "scalar":
      return scalarCheck(field, field.scalar, bound);
    case "enum":
      return enumCheck(field.enum, { ...bound, required: true });
    case "message":
      return messageCheck(field.message, making);
  }
}

function listCheck(field: DescField, item: Check, bound: Bound): Check {
  if (bound.items === 0) throw new Error(`Field "${field}" is a list without (bound).items`);
  return (value) => {
    if (!Array.isArray(value)) return `: Expected a list, found ${describe(value)}`;
    if (value.length > bound.items) return `: Expected at most ${bound.items} items, found ${value.length}`;
    if (bound.required && value.length === 0) return ": Expected at least one item, found none";
    for (let i = 0; i < value.length; i++) {
      const problem = item(value[i]);
      if (problem !== undefined) return `[${i}]${problem}`;
    }
    return undefined;
  };
}

function scalarCheck(field: DescField, scalar: ScalarType, bound: Bound): Check {
  switch (scalar) {
    case ScalarType.DOUBLE:
      return bound.real ? realCheck(bound, bound.max || SAFE_MAX) : numberCheck(bound, bound.max || SAFE_MAX);
    case ScalarType.INT32:
      return realCheck(bound, bound.max || INT32_MAX);
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return bigCheck(bound, bound.max || SAFE_MAX);
    case ScalarType.UINT32:
      return numberCheck(bound, bound.max || UINT32_MAX);
    case ScalarType.BOOL:
      return (value) => (typeof value === "boolean" ? undefined : `: Expected true or false, found ${describe(value)}`);
    case ScalarType.STRING:
      if (bound.length === 0) throw new Error(`Field "${field}" is text without (bound).length`);
      return textCheck(bound);
    case ScalarType.BYTES:
      if (bound.length === 0) throw new Error(`Field "${field}" is bytes without (bound).length`);
      return bytesCheck(bound);
    default:
      throw new Error(`Field "${field}" has a type that this vocabulary does not use: take double, uint32, bool, string or bytes`);
  }
}

function numberCheck(bound: Bound, max: number): Check {
  return (value) => {
    if (typeof value !== "number") return `: Expected a number, found ${describe(value)}`;
    if (!Number.isSafeInteger(value)) return `: Expected a whole number up to ${max}, found ${value}`;
    if (value < 0 || value < bound.min || value > max || Object.is(value, -0))
      return `: Expected ${bound.min} to ${max}, found ${describe(value)}`;
    return undefined;
  };
}

/** A finite number, whole or not. */
function realCheck(bound: Bound, max: number): Check {
  return (value) => {
    if (typeof value !== "number") return `: Expected a number, found ${describe(value)}`;
    return value >= bound.min && value <= max ? undefined : `: Expected ${bound.min} to ${max}, found ${describe(value)}`;
  };
}

/** 64-bit numbers occur only in words of others, and are bigints as the library reads them. */
function bigCheck(bound: Bound, max: number): Check {
  return (value) => {
    if (typeof value !== "bigint") return `: Expected a whole number, found ${describe(value)}`;
    return value >= bound.min && value <= max ? undefined : `: Expected ${bound.min} to ${max}, found ${value}`;
  };
}

function textCheck(bound: Bound): Check {
  return (value) => {
    if (typeof value !== "string") return `: Expected text, found ${describe(value)}`;
    if (value.length > bound.length) return `: Expected at most ${bound.length} characters, found ${value.length}`;
    if (value.length === 0) return bound.required ? ": Expected text, found none" : undefined;
    const problem = formProblem(bound.form, value);
    return problem === undefined ? undefined : `: ${problem}, found ${describe(value)}`;
  };
}

function bytesCheck(bound: Bound): Check {
  return (value) => {
    if (!(value instanceof Uint8Array)) return `: Expected bytes, found ${describe(value)}`;
    return value.length > bound.length ? `: Expected at most ${bound.length} bytes, found ${value.length}` : undefined;
  };
}

function enumCheck(desc: DescEnum, bound: Bound): Check {
  const known = new Map(desc.values.map((v) => [v.number, v]));
  return (value) => {
    if (typeof value !== "number" || !known.has(value)) return `: Expected a known ${desc.name}, found ${describe(value)}`;
    if (value < bound.min) return `: Expected a known ${desc.name}, found none`;
    return bound.required && value === 0 ? `: Expected a known ${desc.name}, found none` : undefined;
  };
}

/** A short, harmless rendering of a hostile value. */
function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}...` : value);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value === null || value === undefined || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
