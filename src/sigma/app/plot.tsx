/** A figure over time against its reservation and its limit, as in Figure 12 of the paper. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Axis } from "./axis.ts";
import { useScheme } from "./hooks.ts";
import { figure } from "./words.ts";

const HEIGHT = 150;
/** An axis is never shorter than this. */
const SPAN_MIN_S = 120;

export interface Series {
  readonly label: string;
  /** A colour of the style. */
  readonly colour: string;
  readonly isDashed?: boolean;
  readonly isFilled?: boolean;
}

export interface PlotProps {
  readonly title: string;
  readonly unit: string;
  /** Along the axis there are times. */
  readonly isTime?: boolean;
  readonly series: readonly Series[];
  /** Times in seconds first, then a row of values for each of the series. */
  readonly data: readonly (readonly (number | null)[])[];
  /** That of the page; absent: as long as there are data. */
  readonly axis?: Axis;
}

/** Where the plot begins inside its box, so that it stands below whatever else is drawn over the same axis. */
const GUTTER = "--gutter";

function optionsOf({ unit, series, isTime = true }: PlotProps, own: HTMLElement, axisNow: () => Axis | undefined): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour("--quiet"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
    // Asked again at each drawing: a narrower page has a narrower one.
    size: () => Number.parseFloat(getComputedStyle(own).getPropertyValue(GUTTER)) || 44,
  };
  const rangeOf = (from: number, to: number): [number, number] => {
    const axis = axisNow();
    return axis === undefined ? [from, Math.max(to, from + (isTime ? SPAN_MIN_S : 1))] : [axis.fromMs / 1000, axis.toMs / 1000];
  };
  return {
    ...{ width: own.clientWidth, height: HEIGHT, ...(axisNow() === undefined ? {} : { padding: [8, 0, 0, 0] }) },
    cursor: { sync: { key: "page" }, y: false },
    legend: { live: true },
    scales: {
      x: { time: isTime, range: (_, from, to) => rangeOf(from, to) },
      y: { range: (_, least, most) => [Math.min(0, least * 1.1), Math.max(most * 1.1, 0.001)] },
    },
    axes: [
      { ...axis, size: 26, space: MARK_SPACE_PX, ...(isTime ? { values: timeWords } : {}) },
      { ...axis, values: amountWords },
    ],
    series: [
      isTime ? { value: "{HH}:{mm}:{ss}" } : { label: "row" },
      ...series.map(({ label, colour: name, isDashed = false, isFilled = false }) => ({
        label,
        stroke: colour(name),
        width: 1.5,
        points: { show: false },
        ...(isDashed ? { dash: [5, 4] } : {}),
        ...(isFilled ? { fill: `${colour(name)}22` } : {}),
        value: (_: uPlot, value: number | null) => (value === null ? "–" : `${figure(value)} ${unit}`),
      })),
    ],
  };
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

const amountWords = (_: uPlot, amounts: readonly number[]): string[] => amounts.map((amount) => COMPACT.format(amount));

const DAY_S = 86_400;
const MARK_PX = 28;
/** From one time on the axis to the next. */
const MARK_SPACE_PX = 80;

/** No more of a time than tells two marks apart. */
function timeWords(plot: uPlot, times: readonly number[]): string[] {
  const step = (times[1] ?? 0) - (times[0] ?? 0);
  // Where the plot ends with its box, a mark at its very end has no room for its time.
  const isCut = (s: number): boolean =>
    plot.width - plot.over.clientWidth - plot.over.offsetLeft < 2 && plot.valToPos(s, "x") > plot.over.clientWidth - MARK_PX;
  const word = (s: number): string => {
    if (isCut(s)) return "";
    const at = new Date(1000 * s);
    if (step >= DAY_S) return at.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
    return at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...(step < 60 ? { second: "2-digit" } : {}) });
  };
  return times.map(word);
}

const csvOf = ({ series, data }: PlotProps): string =>
  [
    ["time", ...series.map(({ label }) => label)].join(","),
    ...(data[0] ?? []).map((_, i) => data.map((row) => row[i] ?? "").join(",")),
  ].join("\n");

export function Plot(props: PlotProps) {
  const at = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const { title, data, axis } = props;
  const latest = useRef(axis);
  latest.current = axis;
  const isDark = useScheme();
  useEffect(() => {
    const own = at.current;
    if (own === null) return undefined;
    plot.current = new uPlot(
      optionsOf(props, own, () => latest.current),
      data as unknown as uPlot.AlignedData,
      own,
    );
    const seen = new ResizeObserver(() => plot.current?.setSize({ width: own.clientWidth, height: HEIGHT }));
    seen.observe(own);
    return () => {
      seen.disconnect();
      plot.current?.destroy();
    };
  }, [isDark]);
  useEffect(() => plot.current?.setData(data as unknown as uPlot.AlignedData), [data, axis?.fromMs, axis?.toMs]);
  const save = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csvOf(props)], { type: "text/csv" }));
    link.download = `${title}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <figure class="plot">
      <figcaption>
        {title}{" "}
        <button type="button" class="plain" onClick={save}>
          CSV
        </button>
      </figcaption>
      <div ref={at} role="img" aria-label={title} />
    </figure>
  );
}
