/** Every machine as one small square, in groups of racks, of power domains or of an attribute, coloured by a figure: on a canvas, because there may be 12,000. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Pick } from "./filter.tsx";
import { useScheme, useView } from "./hooks.ts";
import { awaited, Section } from "./parts.tsx";
import { go, machinePath } from "./place.ts";
import type { MachineMap } from "./shapes.ts";
import { grouped, plural } from "./words.ts";

const FIGURES = [
  ["", "cpu used", "cpuUsed"],
  ["cpu-reserved", "cpu reserved", "cpuReserved"],
  ["cpu-limits", "cpu limits", "cpuLimit"],
  ["ram-used", "ram used", "ramUsed"],
  ["ram-reserved", "ram reserved", "ramReserved"],
  ["ram-limits", "ram limits", "ramLimit"],
] as const;

const STATES = ["up", "draining", "drained", "unreachable"] as const;
const UNKNOWN = 255;
/** Few machines are large squares, many are small ones. */
const SIDES: readonly (readonly [machines: number, px: number])[] = [
  [40, 88],
  [300, 16],
  [2000, 10],
  [Number.POSITIVE_INFINITY, 6],
];

interface Square {
  readonly x: number;
  readonly y: number;
}

interface Layout {
  readonly side: number;
  readonly squares: readonly Square[];
  readonly racks: readonly { readonly name: string; readonly x: number; readonly y: number }[];
  readonly height: number;
}

const bytesOf = (text: string | undefined): Uint8Array => Uint8Array.from(atob(text ?? ""), (letter) => letter.charCodeAt(0));

/** Racks one after the other in lines, as words in a text; with names over them where there are few. */
function layoutOf({ names = [], racks = [], rack = [] }: MachineMap, width: number, isGrouped: boolean): Layout {
  const side = SIDES.find(([machines]) => names.length <= machines)![1];
  const isNamed = (racks.length > 1 || isGrouped) && racks.length <= 60;
  const gap = side <= 6 ? 6 : 14;
  const top = isNamed ? 14 : 0;
  const sizes = racks.map((_, i) => rack.filter((each) => each === i).length);
  const rows = side > 60 ? 1 : Math.max(1, Math.min(12, Math.ceil(Math.sqrt(Math.max(1, ...sizes) / 2))));
  const squares: Square[] = [];
  const labels: { name: string; x: number; y: number }[] = [];
  let x = 0;
  let y = 0;
  for (const [i, size] of sizes.entries()) {
    const columns = Math.ceil(size / rows);
    const wide =
      racks.length === 1 ? Math.min(width, size * side) : Math.max(columns * side, isNamed ? 7 * (racks[i] || "none").length : 0);
    if (x > 0 && x + wide > width) {
      x = 0;
      y += rows * side + top + gap;
    }
    if (isNamed) labels.push({ name: racks[i] || "none", x, y: y + 9 });
    const across = racks.length === 1 ? Math.max(1, Math.floor(width / side)) : columns;
    for (let n = 0; n < size; n++) squares.push({ x: x + (n % across) * side, y: y + top + Math.floor(n / across) * side });
    x += wide + gap;
  }
  const last = squares.reduce((most, square) => Math.max(most, square.y), 0);
  return { side, squares, racks: labels, height: last + side };
}

function paint(
  canvas: HTMLCanvasElement,
  layout: Layout,
  states: Uint8Array,
  figure: Uint8Array,
  width: number,
  at: number,
  names: readonly string[],
): void {
  const ratio = devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = layout.height * ratio;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const brush = canvas.getContext("2d")!;
  brush.scale(ratio, ratio);
  const inner = layout.side - (layout.side > 8 ? 2 : 1);
  const [ground, ink, waits, away, text] = ["--map-0", "--map-1", "--waits", "--away", "--quiet"].map(colour) as [
    string,
    string,
    string,
    string,
    string,
  ];
  for (const [i, { x, y }] of layout.squares.entries()) {
    const value = figure[i] ?? UNKNOWN;
    brush.globalAlpha = 1;
    brush.fillStyle = ground;
    brush.fillRect(x, y, inner, inner);
    if (value !== UNKNOWN) {
      brush.globalAlpha = Math.min(1, value / 100);
      brush.fillStyle = ink;
      brush.fillRect(x, y, inner, inner);
    }
    brush.globalAlpha = 1;
    if (states[i] === 3) hatch(brush, x, y, inner, away);
    if (states[i] === 1 || states[i] === 2) frame(brush, x, y, inner, waits, states[i] === 1);
    if (layout.side > 60)
      tileText(
        brush,
        x,
        y,
        names[i] ?? "",
        value === UNKNOWN ? "?" : `${value} %`,
        colour(value > 55 && value !== UNKNOWN ? "--ground" : "--text"),
      );
    if (i === at) frame(brush, x - 1, y - 1, inner + 2, colour("--text"), true);
  }
  brush.fillStyle = text;
  brush.font = "10px system-ui, sans-serif";
  for (const { name, x, y } of layout.racks) brush.fillText(name, x, y);
}

function tileText(brush: CanvasRenderingContext2D, x: number, y: number, name: string, figure: string, colour: string): void {
  brush.fillStyle = colour;
  brush.font = "12px system-ui, sans-serif";
  brush.fillText(name.length > 11 ? `${name.slice(0, 10)}…` : name, x + 8, y + 20);
  brush.font = "15px system-ui, sans-serif";
  brush.fillText(figure, x + 8, y + 42);
}

function hatch(brush: CanvasRenderingContext2D, x: number, y: number, side: number, colour: string): void {
  brush.strokeStyle = colour;
  brush.lineWidth = 1;
  brush.beginPath();
  for (let at = 2; at < 2 * side; at += 4) {
    brush.moveTo(x + Math.max(0, at - side), y + Math.min(at, side));
    brush.lineTo(x + Math.min(at, side), y + Math.max(0, at - side));
  }
  brush.stroke();
  brush.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
}

function frame(brush: CanvasRenderingContext2D, x: number, y: number, side: number, colour: string, isWhole: boolean): void {
  brush.strokeStyle = colour;
  brush.lineWidth = isWhole ? 2 : 1;
  brush.strokeRect(x + 1, y + 1, side - 2, side - 2);
}

function useWidth(): [{ current: HTMLDivElement | null }, number] {
  const at = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (at.current === null) return undefined;
    const seen = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    seen.observe(at.current);
    return () => seen.disconnect();
  }, []);
  return [at, width];
}

interface MapProps {
  readonly by: string;
  readonly onBy: (by: string) => void;
  /** What machines are grouped by: power, the key of an attribute, or empty for racks. */
  readonly group: string;
  readonly onGroup: (group: string) => void;
}

export function MachineMapView({ by, onBy, group, onGroup }: MapProps) {
  const map = useView({ kind: "MAP", ...(group === "" ? {} : { query: `group:${group}` }) })?.map;
  const [at, width] = useWidth();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [over, setOver] = useState(-1);
  const isDark = useScheme();
  const { names, racks, rack } = map ?? {};
  const layout = useMemo(
    () => layoutOf({ ...(names && racks && rack ? { names, racks, rack } : {}) }, width, group !== ""),
    [names, racks, rack, width, group],
  );
  const [, word, field] = FIGURES.find(([name]) => name === by) ?? FIGURES[0];
  const states = useMemo(() => bytesOf(map?.states), [map]);
  const figure = useMemo(() => bytesOf(map?.[field]), [map, field]);
  useEffect(() => {
    if (canvas.current !== null && width > 0) paint(canvas.current, layout, states, figure, width, over, names ?? []);
  }, [layout, states, figure, width, over, isDark, names]);
  const find = (event: MouseEvent): number => {
    const { x, y, side } = { x: event.offsetX, y: event.offsetY, side: layout.side };
    return layout.squares.findIndex((square) => x >= square.x && x < square.x + side && y >= square.y && y < square.y + side);
  };
  const all = names?.length ?? 0;
  const words =
    over < 0 || names === undefined
      ? `${plural(all, "machine")}, one square each`
      : squareWords(over, names, states, figure, word, bytesOf(map?.tasks));
  const groups = [
    ["", "rack"],
    ...groupsKnown(map?.groups ?? [], group).map((key) => [key, key === "power" ? "power domain" : key] as const),
  ] as const;
  const more = (
    <span class="picks">
      <Pick label="by" value={by} choices={FIGURES.map(([value, each]) => [value, each] as const)} onPick={onBy} />
      <Pick label="in groups of" value={group} choices={groups} onPick={onGroup} />
    </span>
  );
  return (
    <Section title="Machines" more={more}>
      <div ref={at} class="map">
        {map === undefined && awaited("its machines")}
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${grouped(all)} machines by ${word}; the list of machines says the same in words`}
          style={{ width: `${width}px`, height: `${layout.height}px` }}
          onMouseMove={(event) => setOver(find(event))}
          onMouseLeave={() => setOver(-1)}
          onClick={(event) => {
            const found = names?.[find(event)];
            if (found !== undefined) go(machinePath(found));
          }}
        />
      </div>
      <p class="legend quiet">
        <span class="over">{words}</span>
        <span class="scale" aria-hidden="true">
          0 <i /> 100 %
        </span>
      </p>
    </Section>
  );
}

/** That of the address is among them, also while it is not known whether a machine has it. */
const groupsKnown = (groups: readonly string[], group: string): readonly string[] =>
  group === "" || groups.includes(group) ? groups : [...groups, group];

function squareWords(
  at: number,
  names: readonly string[],
  states: Uint8Array,
  figure: Uint8Array,
  word: string,
  tasks: Uint8Array,
): string {
  const value = figure[at] ?? UNKNOWN;
  const known = value === UNKNOWN ? "nobody knows what is used" : `${value} % ${word}`;
  return `${names[at]}: ${STATES[states[at] ?? 0]}, ${known}, ${plural(tasks[at] ?? 0, "task")}`;
}
