/** Where two messages of one type differ first, as a path people can read: "task.limit.ramBytes". */
import { type DescMessage, equals, type MessageShape } from "@bufbuild/protobuf";

export function firstDifference<Desc extends DescMessage>(schema: Desc, a: MessageShape<Desc>, b: MessageShape<Desc>): string | undefined {
  if (equals(schema, a, b)) return undefined;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const field of schema.fields) {
    const [x, y] = [left[field.localName], right[field.localName]];
    if (field.fieldKind === "message" && x !== undefined && y !== undefined) {
      const inner = firstDifference(field.message, x as never, y as never);
      if (inner !== undefined) return `${field.localName}.${inner}`;
    } else if (!sameValue(x, y, field.fieldKind === "list" && field.listKind === "message" ? field.message : undefined)) {
      return field.localName;
    }
  }
  return schema.name;
}

function sameValue(x: unknown, y: unknown, item: DescMessage | undefined): boolean {
  if (x instanceof Uint8Array && y instanceof Uint8Array) return x.length === y.length && x.every((byte, i) => byte === y[i]);
  if (!Array.isArray(x) || !Array.isArray(y)) return x === y;
  if (x.length !== y.length) return false;
  return x.every((value, i) => (item === undefined ? value === y[i] : equals(item, value, y[i])));
}
