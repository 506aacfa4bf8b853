/**
 * JSON of the same shape: { "job": { "hello": { ... } }, "service": { "shop": { "job": { ... } } } } means what
 * `job hello = { ... }` and `service shop = { job ... }` mean. JSON has no words, so the role is the key one level up.
 */
import type { Cursor } from "./cursor.ts";
import { isRole, ROLES, type Role } from "./lexeme.ts";
import { bindingName, type Expression, type Field, type Item, type TupleNode } from "./node.ts";
import { makeTuple } from "./parse-items.ts";

type Report = Pick<Cursor, "report">;

export function jsonBody(cursor: Report, root: TupleNode): TupleNode {
  const items = root.items.flatMap((item): readonly Item[] => {
    if (item.kind !== "field" || typeof item.key !== "string") return [item];
    if (isRole(item.key)) return declarations(cursor, item, item.key);
    cursor.report(item.keySpan, `Cannot understand "${item.key.slice(0, 40)}" at the top of a JSON file`, `known are ${ROLES.join(", ")}`);
    return [];
  });
  return makeTuple(cursor, root.span, items);
}

function declarations(cursor: Report, group: Field, role: Role): readonly Item[] {
  if (group.value.kind !== "tuple") {
    cursor.report(group.value.span, `Expected an object with a name for each ${role.replace("_", " ")}`);
    return [];
  }
  return group.value.items.map((item) => {
    if (item.kind !== "field" || typeof item.key !== "string") return item;
    const value = role === "service" ? service(cursor, item.value) : item.value;
    return { ...item, key: bindingName(item.key), role, value };
  });
}

function service(cursor: Report, value: Expression): Expression {
  if (value.kind !== "tuple") return value;
  const items = value.items.flatMap((item): readonly Item[] => {
    const nested = item.kind === "field" && (item.key === "job" || item.key === "alloc_set") && item.value.kind === "tuple";
    return nested ? declarations(cursor, item, item.key as Role) : [item];
  });
  return makeTuple(cursor, value.span, items);
}
