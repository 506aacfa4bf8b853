/** The fields of a service: several jobs and alloc sets as one. */
import type { Tuple } from "../evaluator/tuple.ts";
import { identity } from "./common.ts";
import { field, type Read, readFields } from "./field.ts";
import type { Reader } from "./reader.ts";
import type { Type } from "./type.ts";

/** Only looked at: the jobs of the service read what is in it. */
const eachType: Type<Tuple> = {
  expected: "a tuple with fields of a job",
  read: (reader, thunk, name) => {
    const value = reader.force(thunk);
    if (value.kind === "tuple") return value;
    throw reader.mismatch(thunk, "a tuple with fields of a job", name, value);
  },
};

export const SERVICE = {
  name: field(identity.name.type, "What it is called. Taken from the declaration.", 'name = "shop"', {
    default: "declared_name",
    shown: "the name of the declaration",
  }),
  each: field(
    eachType,
    "Fields for every job of the service; what a job says itself is laid over it.",
    'each = { priority = production, labels = { team = "shop" } }',
  ),
};

export function readService(
  reader: Reader,
  tuple: Tuple,
  what: string,
  span: Parameters<typeof readFields>[4],
  declared: readonly string[],
): Read<typeof SERVICE> {
  return readFields(reader, tuple, SERVICE, what, span, declared);
}
