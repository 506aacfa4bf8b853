/** A figure over time against its reservation and its limit, as in Figure 12 of the paper. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { useScheme } from "./hooks.ts";

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
  readonly series: readonly Series[];
  /** Times in seconds first, then a row of values for each of the series. */
  readonly data: readonly (readonly (number | null)[])[];
}

function optionsOf({ unit, series }: PlotProps, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour("--quiet"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
    size: 44,
  };
  return {
    ...{ width, height: HEIGHT },
    cursor: { sync: { key: "page" }, y: false },
    legend: { live: true },
    scales: {
      x: { time: true, range: (_, from, to) => [from, Math.max(to, from + SPAN_MIN_S)] },
      y: { range: (_, __, most) => [0, Math.max(most * 1.1, 0.001)] },
    },
    axes: [{ ...axis, size: 26, values: (_, times) => times.map(timeWord) }, axis],
    series: [
      { value: "{HH}:{mm}:{ss}" },
      ...series.map(({ label, colour: name, isDashed = false, isFilled = false }) => ({
        label,
        stroke: colour(name),
        width: 1.5,
        points: { show: false },
        ...(isDashed ? { dash: [5, 4] } : {}),
        ...(isFilled ? { fill: `${colour(name)}22` } : {}),
        value: (_: uPlot, value: number | null) => (value === null ? "–" : `${value.toFixed(2)} ${unit}`),
      })),
    ],
  };
}

const timeWord = (s: number): string =>
  new Date(1000 * s).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const csvOf = ({ series, data }: PlotProps): string =>
  [
    ["time", ...series.map(({ label }) => label)].join(","),
    ...(data[0] ?? []).map((_, i) => data.map((row) => row[i] ?? "").join(",")),
  ].join("\n");

export function Plot(props: PlotProps) {
  const at = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const { title, data } = props;
  const isDark = useScheme();
  useEffect(() => {
    const own = at.current;
    if (own === null) return undefined;
    plot.current = new uPlot(optionsOf(props, own.clientWidth), data as unknown as uPlot.AlignedData, own);
    const seen = new ResizeObserver(() => plot.current?.setSize({ width: own.clientWidth, height: HEIGHT }));
    seen.observe(own);
    return () => {
      seen.disconnect();
      plot.current?.destroy();
    };
  }, [isDark]);
  useEffect(() => plot.current?.setData(data as unknown as uPlot.AlignedData), [data]);
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
