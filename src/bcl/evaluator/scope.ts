/** What names mean while evaluating: variables, and the fields and locals that an enclosing tuple writes down. */
import type { TupleNode } from "../syntax/node.ts";
import { NodeThunk, type Thunk } from "./thunk.ts";
import type { Tuple } from "./tuple.ts";

export type Scope = VariableScope | TupleScope;

export class VariableScope {
  readonly kind = "variables";
  readonly parent: Scope | undefined;
  readonly names: ReadonlyMap<string, Thunk>;

  constructor(parent: Scope | undefined, names: ReadonlyMap<string, Thunk>) {
    this.parent = parent;
    this.names = names;
  }

  find(name: string): Thunk | undefined {
    return this.names.get(name);
  }
}

/** The inside of one layer of one tuple. */
export class TupleScope {
  readonly kind = "tuple";
  readonly parent: Scope | undefined;
  readonly tuple: Tuple;
  readonly layer: number;
  readonly #node: TupleNode;
  readonly #imports: ReadonlyMap<string, Thunk>;
  readonly #locals = new Map<string, Thunk>();

  constructor(parent: Scope | undefined, tuple: Tuple, layer: number, node: TupleNode, imports: ReadonlyMap<string, Thunk>) {
    this.parent = parent;
    this.tuple = tuple;
    this.layer = layer;
    this.#node = node;
    this.#imports = imports;
  }

  find(name: string): Thunk | undefined {
    const local = this.#node.locals.get(name);
    if (local === undefined) return this.#node.fields.has(name) ? this.tuple.cell(name) : undefined;
    if (local.kind === "import") return this.#imports.get(name);
    let thunk = this.#locals.get(name);
    if (thunk === undefined) {
      thunk = new NodeThunk(local.value, this, { what: "local", name, span: local.keySpan });
      this.#locals.set(name, thunk);
    }
    return thunk;
  }
}

/** Passes by `skip` definitions, from the inside out. */
export function lookup(scope: Scope, name: string, skip: number): Thunk | undefined {
  let left = skip;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const found = at.find(name);
    if (found !== undefined && left-- === 0) return found;
  }
  return undefined;
}

/** The innermost tuple around a place: what `self` and `super` speak of. */
export function enclosing(scope: Scope): TupleScope | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) if (at.kind === "tuple") return at;
  return undefined;
}
