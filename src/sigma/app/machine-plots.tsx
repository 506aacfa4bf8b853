/** How a machine does over time: how long its tasks wait for its cores, and what is used of them and of its memory. Its last five minutes, then live. */
import { useEffect, useState } from "preact/hooks";
import { useRead } from "./hooks.ts";
import { grown, type MachineMoment, NO_MOMENTS } from "./machine-moments.ts";
import { awaited, cpuOf, ramOf, Section } from "./parts.tsx";
import { Plot, type Series } from "./plot.tsx";
import type { Machine } from "./shapes.ts";

const GIB = 2 ** 30;
/** As often as machines report. */
const EVERY_MS = 5000;

const WAITING: readonly Series[] = [{ label: "waits for a core", colour: "--waits", isFilled: true }];
const CPU: readonly Series[] = [
  { label: "used by tasks", colour: "--runs", isFilled: true },
  { label: "capacity", colour: "--failed" },
];
const RAM: readonly Series[] = [
  { label: "used by tasks", colour: "--runs", isFilled: true },
  { label: "used on the host", colour: "--text", isDashed: true },
  { label: "capacity", colour: "--failed" },
];

interface Detail {
  readonly moments?: readonly MachineMoment[];
}

export function MachinePlots({ machine: { name, capacity } }: { readonly machine: Machine }) {
  const { answer, problem } = useRead<Detail>("GetMachine", { machine: name }, EVERY_MS);
  const [seen, setSeen] = useState(NO_MOMENTS);
  useEffect(() => setSeen((known) => grown(known, answer?.moments ?? [])), [answer]);
  if (answer === undefined) return problem === undefined ? awaited("its last minutes") : <p class="quiet">{problem}</p>;
  if (seen.length === 0) return <p class="quiet">It has not told yet how it does.</p>;
  const times = seen.map(({ timeMs = 0 }) => timeMs / 1000);
  const isToldWaiting = seen.some(({ strain }) => strain?.cpuWaitingPermille !== undefined);
  const waiting = seen.map(({ strain }) => (strain?.cpuWaitingPermille === undefined ? null : strain.cpuWaitingPermille / 10));
  const cpu = [seen.map(({ cpuMilli = 0 }) => cpuMilli / 1000), seen.map(() => cpuOf(capacity) / 1000)];
  const ram = [
    seen.map(({ ramBytes = 0 }) => ramBytes / GIB),
    seen.map(({ strain }) => (strain === undefined ? null : (strain.ramUsedBytes ?? 0) / GIB)),
    seen.map(() => ramOf(capacity) / GIB),
  ];
  return (
    <Section title="Over time" more={<span class="quiet">the last five minutes, then live</span>}>
      <div class="plots">
        {isToldWaiting ? (
          <Plot title="cpu pressure: time in which something waited for a core, %" unit="%" series={WAITING} data={[times, waiting]} />
        ) : (
          <p class="quiet">Its kernel does not say how long tasks wait for a core (there is no /proc/pressure).</p>
        )}
        <Plot title="cpu, cores" unit="cores" series={CPU} data={[times, ...cpu]} />
        <Plot title="ram, GiB" unit="GiB" series={RAM} data={[times, ...ram]} />
      </div>
    </Section>
  );
}
