/**
 * Tuples and inheritance. A tuple is a list of layers, lowest first; `base { ... }` puts one more on top. A field is the value in the
 * topmost layer that has it, except that tuples there are laid over the tuples of the layers below (unless written `:=`).
 * `self` is always the whole, so a field of the base sees what the layers above changed. Putting layers together is associative.
 */
import type { Span } from "../source.ts";
import type { Field, TupleNode } from "../syntax/node.ts";
import { evaluate } from "./evaluate.ts";
import type { Evaluator, Stage } from "./evaluator.ts";
import { type Scope, TupleScope } from "./scope.ts";
import { Thunk } from "./thunk.ts";
import type { Value } from "./value.ts";

export type Layer = WrittenLayer | EntriesLayer;

/** A tuple as it stands in a file. */
export interface WrittenLayer {
  readonly kind: "written";
  readonly node: TupleNode;
  readonly scope: Scope | undefined;
  readonly imports: ReadonlyMap<string, Thunk>;
  /** Fields whose names were computed; their values see the tuple like the others. */
  readonly computed: ReadonlyMap<string, Field>;
  /** The extension that put it on top of something. */
  readonly via: Span | undefined;
  /** Default values, which are put below everything and never inherited. */
  readonly defaults: boolean;
}

/** What a comprehension or a function made. */
export interface EntriesLayer {
  readonly kind: "entries";
  readonly entries: ReadonlyMap<string, Thunk>;
  readonly via: Span | undefined;
  readonly defaults: boolean;
}

/** Fields that begin with `_` can be read and overridden, and are no part of what the tuple says. */
export const isKnob = (name: string): boolean => name.startsWith("_");

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

export function writtenLayer(node: TupleNode, scope: Scope | undefined, more: Partial<WrittenLayer> = {}): WrittenLayer {
  return { kind: "written", node, scope, imports: NONE, computed: NONE, via: undefined, defaults: false, ...more };
}

export class Tuple {
  readonly kind = "tuple";
  readonly layers: readonly Layer[];
  /** The service that it is, or, for the body of a loop, is part of: declarations inside share what its field `each` says. */
  readonly service: Tuple | undefined;
  readonly #cells = new Map<string, Thunk>();
  readonly #inherited = new Map<string, Thunk>();
  readonly #scopes: TupleScope[] = [];
  #keys: readonly string[] | undefined;

  constructor(layers: readonly Layer[], service?: Tuple | "itself") {
    this.layers = layers;
    this.service = service === "itself" ? this : service;
  }

  static of(entries: ReadonlyMap<string, Thunk>): Tuple {
    return new Tuple([{ kind: "entries", entries, via: undefined, defaults: false }]);
  }

  /** Every field, lowest layer first. */
  get allKeys(): readonly string[] {
    this.#keys ??= [...new Set(this.layers.flatMap((layer) => [...layerKeys(layer)]))];
    return this.#keys;
  }

  get keys(): readonly string[] {
    return this.allKeys.filter((name) => !isKnob(name));
  }

  has(name: string): boolean {
    return this.layers.some((layer) => layerHas(layer, name));
  }

  /** The field as the whole tuple has it; undefined when no layer has it. */
  cell(name: string): Thunk | undefined {
    return this.#find(this.#cells, name, name, this.layers.length);
  }

  /** The field as the layers below `layer` have it. */
  below(name: string, layer: number): Thunk | undefined {
    return this.#find(this.#inherited, `${layer}/${name}`, name, layer);
  }

  #find(cells: Map<string, Thunk>, key: string, name: string, below: number): Thunk | undefined {
    let cell = cells.get(key);
    if (cell !== undefined) return cell;
    const top = topLayer(this.layers, name, below);
    if (top === -1) return undefined;
    cell = new FieldThunk(this, name, top);
    cells.set(key, cell);
    return cell;
  }

  scopeAt(index: number): TupleScope {
    let scope = this.#scopes[index];
    if (scope === undefined) {
      const layer = this.layers[index] as WrittenLayer;
      scope = new TupleScope(layer.scope, this, index, layer.node, layer.imports);
      this.#scopes[index] = scope;
    }
    return scope;
  }
}

function* layerKeys(layer: Layer): Iterable<string> {
  if (layer.kind === "entries") yield* layer.entries.keys();
  else {
    yield* layer.node.fields.keys();
    yield* layer.computed.keys();
  }
}

const FIELDS_PER_STEP = 16;

const layerSize = (layer: Layer): number => (layer.kind === "entries" ? layer.entries.size : layer.node.fields.size + layer.computed.size);

function layerHas(layer: Layer, name: string): boolean {
  return layer.kind === "entries" ? layer.entries.has(name) : layer.node.fields.has(name) || layer.computed.has(name);
}

function topLayer(layers: readonly Layer[], name: string, below: number): number {
  for (let i = below - 1; i >= 0; i--) if (layerHas(layers[i]!, name)) return i;
  return -1;
}

export const layerField = (layer: WrittenLayer, name: string): Field | undefined => layer.node.fields.get(name) ?? layer.computed.get(name);

/** One field of a tuple, at or below a layer. */
export class FieldThunk extends Thunk {
  readonly #tuple: Tuple;
  readonly #name: string;
  readonly #top: number;

  constructor(tuple: Tuple, name: string, top: number) {
    super();
    this.#tuple = tuple;
    this.#name = name;
    this.#top = top;
  }

  /** Where the value that counts is written. */
  get span(): Span {
    const layer = this.#tuple.layers[this.#top]!;
    return layer.kind === "entries" ? layer.entries.get(this.#name)!.span : layerField(layer, this.#name)!.value.span;
  }

  stage(): Stage {
    const layer = this.#tuple.layers[this.#top]!;
    const field = layer.kind === "entries" ? undefined : layerField(layer, this.#name)!;
    const span = field?.keySpan ?? (layer as EntriesLayer).entries.get(this.#name)!.span;
    return { what: "field", name: this.#name, span, role: field?.role, tuple: this.#tuple, layer: this.#top };
  }

  protected compute(evaluator: Evaluator): Value {
    const value = this.#merged(evaluator);
    const layer = this.#tuple.layers[this.#top]!;
    const field = layer.kind === "written" ? layerField(layer, this.#name)! : undefined;
    return field?.role === undefined ? value : evaluator.declare(evaluator, field.role, this.#name, value, this.#tuple, field.span);
  }

  #merged(evaluator: Evaluator): Value {
    const found: Tuple[] = [];
    for (let i = this.#top; i >= 0; i--) {
      const layer = this.#tuple.layers[i]!;
      if (!layerHas(layer, this.#name)) continue;
      const value = this.#valueAt(evaluator, layer, i);
      if (value.kind !== "tuple") {
        if (found.length === 0) return value;
        break;
      }
      found.push(value);
      if (layer.kind === "written" && layerField(layer, this.#name)!.replace) break;
    }
    return found.length === 1 ? found[0]! : stack(evaluator, found.reverse(), this.span);
  }

  #valueAt(evaluator: Evaluator, layer: Layer, index: number): Value {
    if (layer.kind === "entries") return layer.entries.get(this.#name)!.force(evaluator);
    return evaluate(evaluator, layerField(layer, this.#name)!.value, this.#tuple.scopeAt(index));
  }
}

/** Lays tuples over each other, the first lowest. */
export function stack(evaluator: Evaluator, tuples: readonly Tuple[], span: Span): Tuple {
  const layers = tuples.flatMap((tuple) => tuple.layers).filter((layer, i) => !layer.defaults || i === 0);
  evaluator.chargeElements(layers.length, span);
  // Whoever asks for the names of the whole goes through those of every layer.
  evaluator.charge(layers.reduce((sum, layer) => sum + layerSize(layer), 0) / FIELDS_PER_STEP, span);
  if (layers.length > evaluator.bounds.layers) {
    throw evaluator.fault(span, `Tuple inherits from more than ${evaluator.bounds.layers} others`, "put what they have in common into one");
  }
  return new Tuple(layers);
}
