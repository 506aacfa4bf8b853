/** Names in the order of a figure, the largest first and the same figure by name. It is kept as rows change: only those whose figure changed are sorted. */
import { compareIds } from "../../base/id.ts";
import type { Meter } from "./price.ts";

export interface Order<Row> {
  readonly figure: (row: Row) => number;
  /** -1: names from the other end. */
  readonly nameSign: 1 | -1;
}

const SAME = (): number => 0;

/** `-cpu`: from the other end, but the same figure by name all the same. A sort that is no figure is by name. */
export function orderOf<Row>(sort: string, figures: Readonly<Record<string, (row: Row) => number>>): Order<Row> {
  const isBack = sort.startsWith("-");
  const figure = figures[sort.replace(/^-/, "") || "wrong"];
  if (figure === undefined) return { figure: SAME, nameSign: isBack ? -1 : 1 };
  return { figure: isBack ? (row) => -figure(row) : figure, nameSign: 1 };
}

interface Ranked {
  readonly name: string;
  readonly figure: number;
}

export class Ranking<Row> {
  readonly #order: Order<Row>;
  readonly #rows: ReadonlyMap<string, Row>;
  #ranked: readonly Ranked[] = [];
  #names: readonly string[] = [];
  readonly #figures = new Map<string, number>();
  #marked: Set<string>;

  constructor(order: Order<Row>, rows: ReadonlyMap<string, Row>) {
    this.#order = order;
    this.#rows = rows;
    this.#marked = new Set(rows.keys());
  }

  /** It may have another figure, be new, or be gone. */
  mark(name: string): void {
    this.#marked.add(name);
  }

  names(meter: Meter): readonly string[] {
    if (this.#marked.size === 0) return this.#names;
    meter.lookedAt(this.#marked.size);
    const moved = this.#moved();
    if (moved.size > 0) this.#move(moved, meter);
    return this.#names;
  }

  #moved(): Set<string> {
    const moved = new Set<string>();
    for (const name of this.#marked) {
      const row = this.#rows.get(name);
      const figure = row === undefined ? undefined : this.#order.figure(row);
      if (figure === this.#figures.get(name)) continue;
      moved.add(name);
      if (figure === undefined) this.#figures.delete(name);
      else this.#figures.set(name, figure);
    }
    this.#marked = new Set();
    return moved;
  }

  #move(moved: ReadonlySet<string>, meter: Meter): void {
    const compare = (a: Ranked, b: Ranked): number => b.figure - a.figure || this.#order.nameSign * compareIds(a.name, b.name);
    const coming = [...moved].flatMap((name) => {
      const figure = this.#figures.get(name);
      return figure === undefined ? [] : [{ name, figure }];
    });
    coming.sort(compare);
    const stayed = this.#ranked.filter(({ name }) => !moved.has(name));
    meter.lookedAt(4 * coming.length + stayed.length / 4);
    this.#ranked = merged(stayed, coming, compare);
    this.#names = this.#ranked.map(({ name }) => name);
  }
}

/** Both are in order. */
function merged(stayed: readonly Ranked[], coming: readonly Ranked[], compare: (a: Ranked, b: Ranked) => number): readonly Ranked[] {
  const all: Ranked[] = [];
  let next = 0;
  for (const one of stayed) {
    while (next < coming.length && compare(coming[next] as Ranked, one) < 0) all.push(coming[next++] as Ranked);
    all.push(one);
  }
  return next === 0 && stayed.length === 0 ? coming : [...all, ...coming.slice(next)];
}
