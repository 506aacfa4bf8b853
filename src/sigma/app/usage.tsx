/** What a task uses against what is reserved for it and its limit, as in Figure 12 of the paper: the last day from the cell's history, the last minutes from its machine, then live. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Axis } from "./axis.ts";
import { useLive, useRead } from "./hooks.ts";
import { Section } from "./parts.tsx";
import { Plot, type Series } from "./plot.tsx";
import type { Task } from "./shapes.ts";
import type { Value } from "./sql/answer.ts";
import { after, historyPoints, historyQuestion, joined, type Moment, momentPoints, NO_POINTS, type Points } from "./usage-history.ts";
import { trafficWords } from "./words.ts";

const GIB = 2 ** 30;
const POINTS_MAX = 900;

const SERIES: readonly Series[] = [
  { label: "used", colour: "--runs", isFilled: true },
  { label: "reserved", colour: "--text", isDashed: true },
  { label: "limit", colour: "--failed" },
];

const added = (points: Points, values: readonly (number | null)[]): Points =>
  points.map((row, i) => [...row, values[i] ?? null].slice(-POINTS_MAX));

/** Undefined: there is no history here, or nothing in it of this task. */
function useHistory(task: string): { readonly cpu: Points; readonly ram: Points } | undefined {
  const { answer } = useRead<{ readonly rows?: readonly string[] }>("RunQuery", { sql: historyQuestion(task) }, 0);
  const rows = answer?.rows;
  return useMemo(
    () => (rows === undefined || rows.length === 0 ? undefined : historyPoints({ rows: rows.map((row) => JSON.parse(row) as Value[]) })),
    [rows],
  );
}

/** Asked again while the page is open, so that what was between two looks of the page is there too. */
const MEASURED_EVERY_MS = 5000;

interface Measured {
  readonly timeMs?: number;
  readonly moments?: readonly Moment[];
}

export function UsagePlots({ task, axis }: { readonly task: Task; readonly axis: Axis }) {
  const live = useLive();
  const [seen, setSeen] = useState<{ readonly cpu: Points; readonly ram: Points }>({ cpu: NO_POINTS, ram: NO_POINTS });
  const { usage, reservation, limit } = task;
  const before = useHistory(task.name);
  const { answer } = useRead<Measured>("ReadUsage", task.state === "running" ? { task: task.name } : undefined, MEASURED_EVERY_MS);
  useEffect(() => {
    if (usage === undefined) return;
    const at = live.nowMs / 1000;
    const cpu = [at, ...[usage, reservation, limit].map((amount) => (amount?.cpuMilli ?? 0) / 1000)];
    const ram = [at, ...[usage, reservation, limit].map((amount) => (amount?.ramBytes ?? 0) / GIB)];
    setSeen((known) => ({ cpu: added(known.cpu, cpu), ram: added(known.ram, ram) }));
  }, [usage, reservation, limit, live]);
  const { cpu, ram } = useMemo(() => {
    const measured = momentPoints(answer ?? {}, seen);
    const whole = (which: "cpu" | "ram"): Points =>
      joined(before?.[which] ?? NO_POINTS, after(joined(seen[which], measured[which]), seen[which]));
    return { cpu: whole("cpu"), ram: whole("ram") };
  }, [before, seen, answer]);
  if (cpu[0]!.length === 0) return null;
  const traffic = trafficWords(task);
  const words =
    before === undefined
      ? "the last five minutes by the second, then live"
      : "the last day, the last five minutes by the second, then live";
  return (
    <Section title="What it uses" more={<span class="quiet">{words}</span>}>
      <Plot title="cpu, cores" unit="cores" series={SERIES} data={cpu} axis={axis} />
      <Plot title="ram, GiB" unit="GiB" series={SERIES} data={ram} axis={axis} />
      {traffic === "" ? null : <p class="quiet">{traffic}</p>}
    </Section>
  );
}
