/** Finds what a file declares: its jobs, alloc sets, quotas and services, those of its loops, and those inside services. */
import { fieldName, iterate, tuple as makeTuple } from "../evaluator/evaluate.ts";
import { cellName, type Evaluator } from "../evaluator/evaluator.ts";
import { NodeThunk, type Thunk, ValueThunk } from "../evaluator/thunk.ts";
import { Tuple, type WrittenLayer } from "../evaluator/tuple.ts";
import type { Span } from "../source.ts";
import type { Role } from "../syntax/lexeme.ts";
import type { Field } from "../syntax/node.ts";
import { roleText } from "./declare.ts";
import type { Reader } from "./reader.ts";

export interface Declaration {
  readonly role: Role;
  /** As the cell will call it, unless the field `name` says otherwise. */
  readonly name: string;
  readonly span: Span;
  /** The tuple with its defaults; undefined when it could not be evaluated. */
  readonly tuple: Tuple | undefined;
  /** The service it is part of. */
  readonly service: string | undefined;
}

/** Everything declared in a tuple, which is a file, the body of a loop, or a service. */
export function collect(reader: Reader, tuple: Tuple, service: string | undefined): Declaration[] {
  const found: Declaration[] = [];
  const seen = new Set<string>();
  tuple.layers.forEach((layer, index) => {
    if (layer.kind !== "written") return;
    for (const item of layer.node.items) {
      if (item.kind === "loop") found.push(...(reader.attempt(() => collectLoop(reader, tuple, index, item, service)) ?? []));
      if (item.kind !== "field" || item.role === undefined) continue;
      const one =
        typeof item.key === "string"
          ? written(tuple, item.key, seen)
          : reader.attempt(() => computed(reader.evaluator, tuple, index, item));
      if (one !== undefined) found.push(...declare(reader, item, item.role, one, service));
    }
  });
  return found;
}

interface Found {
  readonly name: string;
  readonly value: Thunk;
}

/** A service that extends another has the declarations of both, and those of one name once. */
function written(tuple: Tuple, name: string, seen: Set<string>): Found | undefined {
  if (seen.has(name)) return undefined;
  seen.add(name);
  return { name, value: tuple.cell(name)! };
}

function computed(evaluator: Evaluator, tuple: Tuple, layer: number, item: Field): Found {
  const scope = tuple.scopeAt(layer);
  const name = fieldName(evaluator, item.key as Exclude<Field["key"], string>, scope);
  evaluator.way.push({ what: "field", name, span: item.keySpan, role: item.role });
  const value = new NodeThunk(item.value, scope).force(evaluator);
  const declared = evaluator.declare(evaluator, item.role!, name, value, tuple, item.span);
  evaluator.way.pop();
  return { name, value: new ValueThunk(declared, item.value.span) };
}

function collectLoop(
  reader: Reader,
  tuple: Tuple,
  layer: number,
  item: WrittenLayer["node"]["loops"][number],
  service: string | undefined,
): Declaration[] {
  const found: Declaration[] = [];
  for (const scope of iterate(reader.evaluator, item.clause, tuple.scopeAt(layer))) {
    reader.evaluator.chargeElements(1, item.span);
    const body = new Tuple(makeTuple(reader.evaluator, item.body, scope, undefined).layers, tuple.service);
    found.push(...collect(reader, body, service));
  }
  return found;
}

function declare(reader: Reader, item: Field, role: Role, found: Found, service: string | undefined): Declaration[] {
  const name = cellName(found.name);
  const span = item.keySpan;
  const value = reader.attempt(() => reader.force(found.value));
  const tuple = value?.kind === "tuple" ? value : undefined;
  if (service !== undefined && role !== "job" && role !== "alloc_set") {
    reader.report(span, `Cannot declare a ${roleText(role)} inside a service`, "a service holds jobs and alloc sets");
    return [{ role, name, span, tuple: undefined, service }];
  }
  const inner = role === "service" && tuple !== undefined ? collect(reader, tuple, name) : [];
  return [{ role, name, span, tuple, service }, ...inner];
}
