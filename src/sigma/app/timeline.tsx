/** What happened to a task, on one time axis: its instances as bars, each with its machine and how it ended, and its events as marks. */
import { type Axis, percentAt } from "./axis.ts";
import { machinePath } from "./place.ts";
import type { Happened, Task } from "./shapes.ts";
import { age, clock, type Look } from "./words.ts";

export interface Bar {
  readonly instance: string;
  readonly machine: string;
  readonly fromMs: number;
  /** Undefined: it is still there. */
  readonly toMs: number | undefined;
  readonly ending: string;
  readonly look: Look;
}

/** From events, oldest first: an instance begins with the first event that names it, and ends where its task leaves it. */
export function barsOf(history: readonly Happened[], task: Task): readonly Bar[] {
  const bars = new Map<string, Bar>();
  for (const { event, text } of history) {
    const { instance = "", machine = "", timeMs = 0, to = "", kind = "" } = event;
    if (instance === "") continue;
    const known = bars.get(instance) ?? { instance, machine, fromMs: timeMs, toMs: undefined, ending: "", look: "runs" as Look };
    const isEnd = kind.endsWith("INSTANCE_GONE") || (kind.endsWith("TASK_STATE") && (to === "dead" || to === "pending"));
    if (!isEnd || known.toMs !== undefined) bars.set(instance, { ...known, machine: known.machine || machine });
    else bars.set(instance, { ...known, machine: known.machine || machine, toMs: timeMs, ending: text, look: endLook(event.cause ?? "") });
  }
  const { instance = "", machine = "", startedMs, sinceMs = 0 } = task;
  if (instance !== "" && !bars.has(instance))
    bars.set(instance, { instance, machine, fromMs: startedMs || sinceMs, toMs: undefined, ending: "", look: "runs" });
  return [...bars.values()].filter((bar) => bar.machine !== "");
}

const endLook = (cause: string): Look => (/FAIL|LOST|OOM|OVER/.test(cause) ? "failed" : "gone");

const BARS_MAX = 12;
const TICKS_MAX = 200;

interface TimelineProps {
  readonly bars: readonly Bar[];
  /** What is told beside the bars, each as a mark. */
  readonly history: readonly Happened[];
  readonly axis: Axis;
}

export function Timeline({ bars, history, axis }: TimelineProps) {
  if (bars.length === 0) return <p class="quiet">It has not been on a machine since this master began.</p>;
  const { fromMs, toMs } = axis;
  const within = bars.filter((bar) => (bar.toMs ?? toMs) >= fromMs);
  const seen = within.slice(-BARS_MAX);
  const ticks = history.filter(({ event: { timeMs = 0 } }) => timeMs >= fromMs).slice(-TICKS_MAX);
  return (
    <div class="timeline">
      {seen.length < bars.length && <p class="quiet">{`${seen.length} of ${bars.length} instances: the others were there before.`}</p>}
      <ol>
        {seen.map((bar) => (
          <Lane key={bar.instance} bar={bar} axis={axis} />
        ))}
        <li>
          <span class="quiet">events</span>
          <span class="track" role="img" aria-label={`${ticks.length} events, which are told below`}>
            {ticks.map(({ event: { timeMs = 0, position = 0, index = 0 }, text }) => (
              <i key={`${position}/${index}`} class="tick" style={{ left: `${percentAt(axis, timeMs).toFixed(2)}%` }} title={text} />
            ))}
          </span>
        </li>
      </ol>
      <p class="axis quiet">
        <span>{clock(fromMs, toMs, true)}</span>
        <span>now</span>
      </p>
    </div>
  );
}

function Lane({ bar: { instance, machine, fromMs, toMs, ending, look }, axis }: { readonly bar: Bar; readonly axis: Axis }) {
  const [from, to] = [percentAt(axis, fromMs), percentAt(axis, toMs ?? axis.toMs)];
  const nowMs = axis.toMs;
  return (
    <li>
      <a href={machinePath(machine)}>{machine}</a>
      <span class="track">
        <i
          class={`span ${toMs === undefined ? "runs" : look}`}
          style={{ left: `${Math.min(99.5, from).toFixed(2)}%`, width: `${Math.max(0.5, to - from).toFixed(2)}%` }}
          title={`${instance}, from ${clock(fromMs, nowMs, true)}`}
        />
      </span>
      <span class="ending">{toMs === undefined ? `since ${clock(fromMs, nowMs)}, for ${age(nowMs - fromMs)}` : ending}</span>
    </li>
  );
}
