/** Draws messages of any type from its descriptor: mostly within the bounds, at times at their edge or beyond. */
import { create, type DescField, type DescMessage, getOption, type Message, ScalarType } from "@bufbuild/protobuf";
import type { Random } from "../../src/base/random.ts";
import { type Bound, bound as boundOption, Form } from "../../src/wire/gen/borg/v1/bound_pb.ts";

const WORDS: ReadonlyMap<Form, readonly string[]> = new Map([
  [Form.NAME, ["ann", "m1", "web", "a-b-0"]],
  [Form.JOB, ["ann/web", "a/b"]],
  [Form.TASK, ["ann/web/0", "ann/web/99999"]],
  [Form.INSTANCE, ["ann/web/0:1", "a/b/12:9007199254740991"]],
  [Form.PLACE, ["m1", "ann/set/0:1"]],
  [Form.PATH, ["/a", "/etc/passwd"]],
  [Form.KEY, ["os", "gpu.kind", "A_b/c"]],
  [Form.LINE, ["a line", "ü – 漢字 🙂", "x".repeat(60)]],
]);
const PLAIN = ["text", "", "two\nlines", "'; drop table", "../../x", "\u0001", "\ud800", "x".repeat(2000)];
const ITEMS_MAX = 4;
const ABSENT = 0.4;
const BEYOND = 0.01;

export function draw(schema: DescMessage, random: Random): Message {
  const init: Record<string, unknown> = {};
  for (const member of schema.members) {
    if (member.kind === "oneof") {
      const field = random.pick(member.fields);
      init[member.localName] = { case: field.localName, value: value(field, random) };
      continue;
    }
    const { required } = getOption(member, boundOption);
    if (!required && random.chance(ABSENT)) continue;
    init[member.localName] = value(member, random);
  }
  return create(schema, init);
}

function value(field: DescField, random: Random): unknown {
  const bound = getOption(field, boundOption);
  switch (field.fieldKind) {
    case "message":
      return draw(field.message, random);
    case "enum":
      return random.pick(field.enum.values).number;
    case "scalar":
      return scalar(field.scalar, bound, random);
    case "list":
      return Array.from({ length: random.int(bound.required ? 1 : 0, Math.min(ITEMS_MAX, bound.items) + 1) }, () =>
        item(field, bound, random),
      );
    case "map":
      throw new Error(`There are no maps in this vocabulary: ${field}`);
  }
}

function item(field: DescField & { fieldKind: "list" }, bound: Bound, random: Random): unknown {
  if (field.listKind === "message") return draw(field.message, random);
  return field.listKind === "enum" ? random.pick(field.enum.values).number : scalar(field.scalar, bound, random);
}

function scalar(type: ScalarType, bound: Bound, random: Random): unknown {
  switch (type) {
    case ScalarType.BOOL:
      return random.chance(0.5);
    case ScalarType.STRING:
      if (random.chance(BEYOND)) return random.pick(PLAIN).toWellFormed();
      return random.pick(WORDS.get(bound.form) ?? ["text", "more text"]).slice(0, bound.length);
    case ScalarType.BYTES:
      return new Uint8Array(random.int(0, 64)).map(() => random.int(0, 256));
    case ScalarType.UINT32:
      return number(bound, 2 ** 32 - 1, random);
    default:
      return number(bound, Number.MAX_SAFE_INTEGER, random);
  }
}

function number(bound: Bound, most: number, random: Random): number {
  const max = bound.max || most;
  if (random.chance(BEYOND)) return Math.min(max + 1, most);
  return random.pick([bound.min, max, random.int(bound.min, Math.min(max, bound.min + 1000) + 1)]);
}
