/** What happened to a task, on one time axis: its instances as bars, each with its machine and how it ended. */
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

export function Timeline({ bars, nowMs }: { readonly bars: readonly Bar[]; readonly nowMs: number }) {
  if (bars.length === 0) return <p class="quiet">It has not been on a machine since this master began.</p>;
  const seen = bars.slice(-BARS_MAX);
  const from = Math.min(...seen.map(({ fromMs }) => fromMs));
  const span = Math.max(1000, nowMs - from);
  const part = (ms: number): string => `${((100 * (ms - from)) / span).toFixed(2)}%`;
  return (
    <div class="timeline">
      {bars.length > BARS_MAX && <p class="quiet">{`The last ${BARS_MAX} of ${bars.length} instances.`}</p>}
      <ol>
        {seen.map(({ instance, machine, fromMs, toMs, ending, look }) => (
          <li key={instance}>
            <a href={machinePath(machine)}>{machine}</a>
            <span class="track">
              <i
                class={`span ${toMs === undefined ? "runs" : look}`}
                style={{ left: part(fromMs), width: `${Math.max(0.5, (100 * ((toMs ?? nowMs) - fromMs)) / span).toFixed(2)}%` }}
                title={`${instance}, from ${clock(fromMs, nowMs, true)}`}
              />
            </span>
            <span class="ending">{toMs === undefined ? `since ${clock(fromMs, nowMs)}, for ${age(nowMs - fromMs)}` : ending}</span>
          </li>
        ))}
      </ol>
      <p class="axis quiet">
        <span>{clock(from, nowMs, true)}</span>
        <span>now</span>
      </p>
    </div>
  );
}
