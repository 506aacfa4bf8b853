/** Where two messages of one type differ first, as a path people can read: "task.limit.ramBytes". */
import { type DescMessage, equals, type MessageShape } from "@bufbuild/protobuf";

export function firstDifference<Desc extends DescMessage>(schema: Desc, a: MessageShape<Desc>, b: MessageShape<Desc>): string | undefined {
  if (isAlike(a, b) || equals(schema, a, b)) return undefined;
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

/**
 * Whether two values have the same of everything: then they are equal, whatever messages they are. The library's comparison walks the description of a message, which
 * takes ten times as long, and mostly what is compared is alike.
 */
function isAlike(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && sameValue(a, b, undefined);
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) if (!isAlike((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name])) return false;
  return true;
}

function sameValue(x: unknown, y: unknown, item: DescMessage | undefined): boolean {
  if (x instanceof Uint8Array && y instanceof Uint8Array) return x.length === y.length && x.every((byte, i) => byte === y[i]);
  if (!Array.isArray(x) || !Array.isArray(y)) return x === y;
  if (x.length !== y.length) return false;
  return x.every((value, i) => (item === undefined ? value === y[i] : equals(item, value, y[i])));
}
