/** A list of any length: the cell sends the window that is seen, and rows keep their place while a pointer is over them. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useView } from "./hooks.ts";
import type { Row } from "./live.ts";
import { goWith } from "./place.ts";
import type { ViewSpec } from "./shapes.ts";

export const ROW_PX = 30;
/** Rows before and after what is seen, and the step in which the window moves. */
const STEP = 40;

export interface Column<Shown> {
  readonly head: string;
  /** What it is sorted by. */
  readonly sort?: string;
  readonly kind?: "number" | "wide" | "wide number" | "grow";
  readonly show: (row: Shown) => ComponentChildren;
}

interface Window {
  readonly first: number;
  readonly limit: number;
}

function seenWindow(body: HTMLElement | null): Window {
  const top = body === null ? 0 : Math.max(0, -body.getBoundingClientRect().top);
  const first = Math.max(0, Math.floor(top / ROW_PX / STEP) * STEP - STEP);
  const rows = Math.ceil(innerHeight / ROW_PX / STEP) * STEP;
  return { first, limit: Math.min(500, rows + 3 * STEP) };
}

/** The window of the list that is on the screen, or near it. */
function useWindow(body: { readonly current: HTMLElement | null }): Window {
  const [seen, setSeen] = useState<Window>({ first: 0, limit: seenWindow(null).limit });
  useEffect(() => {
    const look = (): void => {
      const next = seenWindow(body.current);
      setSeen((before) => (before.first === next.first && before.limit === next.limit ? before : next));
    };
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [body]);
  return seen;
}

/** The order that is shown: while it is held, new rows wait; those that went stay in their place until it is let go. */
function useHeldOrder(order: readonly string[], isHeld: boolean): readonly string[] {
  const shown = useRef(order);
  if (!isHeld || shown.current.length === 0) shown.current = order;
  return shown.current;
}

export interface ListProps<Shown> {
  readonly label: string;
  readonly view: ViewSpec;
  readonly columns: readonly Column<Shown>[];
  readonly empty: ComponentChildren;
  readonly sort: string;
  readonly onTotal?: (total: number) => void;
}

export function List<Shown extends Row>({ label, view, columns, empty, sort, onTotal }: ListProps<Shown>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { first, limit } = useWindow(body);
  const [isHeld, setHeld] = useState(false);
  const found = useView({ ...view, sort, first, limit });
  const known = useRef(found);
  if (found !== undefined) known.current = found;
  const data = found ?? known.current;
  const order = useHeldOrder(data?.order ?? [], isHeld && found !== undefined);
  const total = data?.total ?? 0;
  useEffect(() => onTotal?.(total), [total, onTotal]);
  if (data === undefined) return <p class="quiet awaited">Asking the cell for {label} …</p>;
  if (total === 0) return <>{empty}</>;
  const rows = order.flatMap((name) => {
    const row = data.rows.get(name);
    return row === undefined ? [] : [[name, row as Shown] as const];
  });
  return (
    <table
      class="list"
      aria-label={label}
      aria-rowcount={total + 1}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.head} column={column as Column<never>} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {first > 0 && <Gap rows={first} columns={columns.length} />}
        {rows.map(([name, row], i) => (
          <tr key={name} aria-rowindex={first + i + 2}>
            {columns.map(({ head, kind, show }) => (
              <td key={head} class={kind}>
                {show(row)}
              </td>
            ))}
          </tr>
        ))}
        {first + rows.length < total && <Gap rows={total - first - rows.length} columns={columns.length} />}
      </tbody>
    </table>
  );
}

/** The place of rows that are not there yet. */
const Gap = ({ rows, columns }: { readonly rows: number; readonly columns: number }) => (
  <tr class="gap">
    <td colSpan={columns} style={{ height: `${rows * ROW_PX}px` }} />
  </tr>
);

function Head({ column: { head, sort: by, kind }, sort }: { readonly column: Column<never>; readonly sort: string }) {
  if (by === undefined) return <th class={kind}>{head}</th>;
  const isDown = sort === by;
  const isUp = sort === `-${by}`;
  return (
    <th class={kind} aria-sort={isDown ? "descending" : isUp ? "ascending" : "none"}>
      <button type="button" class="sort" onClick={() => goWith("sort", isDown ? `-${by}` : by)}>
        {head}
        <span aria-hidden="true">{isDown ? " ↓" : isUp ? " ↑" : ""}</span>
      </button>
    </th>
  );
}
