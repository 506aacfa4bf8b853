/** The cell at a glance: one true sentence, what is used of what there is, every machine, and what happened last. */
import { useCell, useNow, usePlace, useView } from "../hooks.ts";
import { MachineMapView } from "../map.tsx";
import { awaited, Changing, Empty, Events, Section, State, Terminal } from "../parts.tsx";
import { goWith } from "../place.ts";
import type { Cell, Resources, Sums } from "../shapes.ts";
import { ShapesThatFit } from "../shapes-fit.tsx";
import { Spark } from "../spark.tsx";
import { cellSentence, figure, grouped, plural, tasksOf } from "../words.ts";

const GIB = 2 ** 30;
const EVENTS = 12;

const RESOURCES = [
  ["cpu", "cores", (amount: Resources | undefined) => (amount?.cpuMilli ?? 0) / 1000],
  ["ram", "GiB", (amount: Resources | undefined) => (amount?.ramBytes ?? 0) / GIB],
  ["disk", "GiB", (amount: Resources | undefined) => (amount?.diskBytes ?? 0) / GIB],
] as const;

export function Overview() {
  const cell = useCell();
  const nowMs = useNow(5000);
  const { query } = usePlace();
  const happened = useView({ kind: "EVENTS", limit: EVENTS });
  if (cell === undefined) return awaited("its state");
  const { look, words } = cellSentence(cell, nowMs);
  return (
    <>
      <h1 class="sentence" aria-live="polite">
        <State look={look}>{words}</State>
      </h1>
      <Wrong cell={cell} />
      <Places cell={cell} />
      {(cell.machines ?? 0) === 0 ? (
        <Empty words="A machine joins with a ticket that this makes:" command="borg machine invite NAME" />
      ) : (
        <>
          <Bars cell={cell} />
          <MachineMapView
            {...{ by: query.get("by") ?? "", onBy: (by) => goWith("by", by) }}
            {...{ group: groupWord(query.get("group") ?? ""), onGroup: (group) => goWith("group", group) }}
          />
        </>
      )}
      <Section title="Last events" more={<a href="/events">all events</a>}>
        {happened === undefined ? (
          awaited("events")
        ) : (
          <Events events={happened.events.slice(0, EVENTS)} nowMs={nowMs} empty="Nothing has happened since this master began." />
        )}
      </Section>
      {(cell.machines ?? 0) > 0 && <ShapesThatFit />}
      <Terminal command="borg cell show" method="GetCell" />
    </>
  );
}

/** What the sentence counts, one click away. */
function Wrong({ cell: { production = {}, rest = {}, unreachable = 0 } }: { readonly cell: Cell }) {
  const failing = (production.jobsFailing ?? 0) + (rest.jobsFailing ?? 0);
  const pending = (production.jobsPending ?? 0) + (rest.jobsPending ?? 0);
  if (failing + pending + unreachable === 0) return null;
  return (
    <p class="wrong">
      {failing > 0 && (
        <a href="/jobs?state=wrong">
          <State look="failed">{`${plural(failing, "job")} ${failing === 1 ? "has" : "have"} a task that fails`}</State>
        </a>
      )}
      {pending > 0 && (
        <a href="/jobs?state=wrong">
          <State look="waits">{`${plural(pending, "job")} ${pending === 1 ? "waits" : "wait"} for a machine`}</State>
        </a>
      )}
      {unreachable > 0 && (
        <a href="/machines?state=unreachable">
          <State look="away">{`${plural(unreachable, "machine")} ${unreachable === 1 ? "does" : "do"} not answer`}</State>
        </a>
      )}
    </p>
  );
}

const Places = ({ cell }: { readonly cell: Cell }) => {
  const tasks = tasksOf(cell.production ?? {}) + tasksOf(cell.rest ?? {});
  return (
    <nav class="places" aria-label="Pages">
      <a href="/jobs?user=me">My jobs</a>
      <a href="/jobs">
        Jobs <Changing value={grouped(cell.jobs ?? 0)} />
      </a>
      <a href="/tasks">
        Tasks <Changing value={grouped(tasks)} />
      </a>
      <a href="/machines">
        Machines <Changing value={grouped(cell.machines ?? 0)} />
      </a>
      <a href="/jobs?kind=alloc">Allocs</a>
      <a href="/quota">Quota and users</a>
      <a href="/schedulers">Schedulers</a>
      <a href="/frameworks">Frameworks</a>
      <a href="/sql">SQL</a>
    </nav>
  );
};

/** Of a query, which a space would end. */
const groupWord = (group: string): string => (/^[^\s:]{1,63}$/.test(group) ? group : "");

const LEVELS = [
  ["used", (sums: Sums) => sums.usage],
  ["reserved", (sums: Sums) => sums.reservation],
  ["limits", (sums: Sums) => sums.limit],
] as const;

function Bars({ cell }: { readonly cell: Cell }) {
  return (
    <section class="resources" aria-label="Resources">
      {RESOURCES.filter(([, , of]) => of(cell.capacity) > 0).map(([name, unit, of]) => (
        <div key={name} class="resource">
          <h2>
            {name} <span class="quiet">{`of ${figure(of(cell.capacity))} ${unit}`}</span>
          </h2>
          {LEVELS.map(([level, sums]) => (
            <Bar
              key={level}
              {...{
                level,
                unit,
                capacity: of(cell.capacity),
                production: of(sums(cell.production ?? {})),
                rest: of(sums(cell.rest ?? {})),
              }}
            />
          ))}
          <Spark
            label={`${name} used, the last hour`}
            points={(cell.samples ?? []).map(
              (sample) => [sample.timeMs ?? 0, of(sample.capacity) === 0 ? 0 : of(sample.usage) / of(sample.capacity)] as const,
            )}
          />
        </div>
      ))}
      <p class="legend quiet">
        <i class="swatch production" /> production <i class="swatch rest" /> everything else
      </p>
    </section>
  );
}

interface BarProps {
  readonly level: string;
  readonly unit: string;
  readonly capacity: number;
  readonly production: number;
  readonly rest: number;
}

function Bar({ level, unit, capacity, production, rest }: BarProps) {
  const all = production + rest;
  const part = (value: number): string => `${capacity === 0 ? 0 : Math.min(100, (100 * value) / Math.max(capacity, all)).toFixed(2)}%`;
  const words = `${level}: ${figure(all)} of ${figure(capacity)} ${unit}, of that ${figure(production)} for production`;
  return (
    <div class="bar" title={words}>
      <span class="level quiet">{level}</span>
      <span class="track" role="img" aria-label={words}>
        <i class="production" style={{ width: part(production) }} />
        <i class="rest" style={{ width: part(rest) }} />
        {all > capacity && <i class="capacity" style={{ left: part(capacity) }} />}
      </span>
      <span class="value">
        <Changing value={figure(all)} />
        <span class="quiet percent">{capacity === 0 ? "" : `${Math.round((100 * all) / capacity)} %`}</span>
      </span>
    </div>
  );
}
