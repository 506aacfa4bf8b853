/** One machine, drawn to scale: each task as wide as its limit, filled to what is reserved for it and what it uses. */
import { commandLine } from "../commands.ts";
import { EventsOf } from "../events-of.tsx";
import { useNow, usePlace, useView } from "../hooks.ts";
import { MachinePlots } from "../machine-plots.tsx";
import { awaited, cpuOf, Empty, type Fact, Facts, ramOf, Section, State, Terminal } from "../parts.tsx";
import { taskPath } from "../place.ts";
import type { Machine, Resources, Task } from "../shapes.ts";
import { ChangeButton } from "../sheet.tsx";
import { List } from "../table.tsx";
import { age, figure, lookOf, plural } from "../words.ts";
import { showCores, showGib } from "./jobs.tsx";
import { taskColumns } from "./tasks.tsx";

const PRODUCTION = 120;
const DRAWN_MAX = 500;
const EVENTS = 30;

export function MachinePage({ name }: { readonly name: string }) {
  const nowMs = useNow(2000);
  const { query } = usePlace();
  const found = useView({ kind: "MACHINES", query: `machine:${name}`, limit: 1 });
  const on = useView({ kind: "TASKS", query: `machine:${name}`, sort: "name", limit: DRAWN_MAX });
  const machine = found?.rows.get(name) as Machine | undefined;
  if (found === undefined) return awaited(name);
  if (machine === undefined) return <Empty words={`There is no machine ${name}.`} command="borg ls machines" />;
  const tasks = [...(on?.rows.values() ?? [])] as readonly Task[];
  return (
    <>
      <MachineHead machine={machine} nowMs={nowMs} />
      <Section title="Drawn to scale" more={<Legend />}>
        <Scale name="cpu" unit="cores" capacity={cpuOf(machine.capacity)} of={cpuOf} tasks={tasks} show={showCores} />
        <Scale name="ram" unit="GiB" capacity={ramOf(machine.capacity)} of={ramOf} tasks={tasks} show={showGib} />
      </Section>
      <MachinePlots key={name} machine={machine} />
      <Section title="Tasks">
        <List<Task>
          label="tasks"
          view={{ kind: "TASKS", query: `machine:${name}` }}
          columns={taskColumns(nowMs, false).filter(({ head }) => head !== "machine")}
          sort={query.get("sort") ?? "wrong"}
          empty={<p class="quiet">Nothing is on it.</p>}
        />
      </Section>
      <EventsOf name={name} limit={EVENTS} nowMs={nowMs} />
      <Terminal command={commandLine("borg show", name)} method="GetMachine" request={{ machine: name }} />
    </>
  );
}

function MachineHead({ machine, nowMs }: { readonly machine: Machine; readonly nowMs: number }) {
  const { name, state, sinceMs = nowMs, tasks = 0, rack = "", host = "", attributes = [], heardMs = 0 } = machine;
  const isDraining = state === "draining" || state === "drained";
  const facts: readonly Fact[] = [
    ["tasks", String(tasks)],
    ...(rack === "" ? [] : [["rack", rack] as const]),
    ...(host === "" ? [] : [["host", host] as const]),
    ...(heardMs === 0 ? [] : [["last heard", `${age(Date.now() - heardMs)} ago`] as const]),
    ...attributes
      .filter(({ value = "" }) => value !== "")
      .slice(0, 8)
      .map(({ key, value = "" }) => [key, value] as const),
  ];
  return (
    <>
      <div class="title">
        <h1>{name}</h1>
        <State look={lookOf(state)}>{`${state} for ${age(nowMs - sinceMs)}`}</State>
        <span class="actions">
          <ChangeButton
            change={
              isDraining
                ? {
                    verb: "Undrain",
                    words: `${name} gets tasks again.`,
                    command: commandLine("borg undrain", name),
                    method: "DrainMachine",
                    request: { machine: name, draining: false },
                  }
                : {
                    verb: "Drain",
                    words: `${plural(tasks, "task")} on ${name} would be moved away, each with its notice and no more of a job at a time than it allows, and it would get no more.`,
                    command: commandLine("borg drain", name),
                    method: "DrainMachine",
                    request: { machine: name, draining: true },
                    isGrave: true,
                  }
            }
          />
        </span>
      </div>
      <Facts facts={facts} />
    </>
  );
}

const Legend = () => (
  <span class="legend quiet">
    <i class="swatch used" /> used <i class="swatch reserved" /> reserved <i class="swatch limit" /> limit
  </span>
);

interface ScaleProps {
  readonly name: string;
  readonly unit: string;
  readonly capacity: number;
  readonly of: (amount: Resources | undefined) => number;
  readonly tasks: readonly Task[];
  readonly show: (value: number) => string;
}

/** More may be promised than there is: then the machine's end stands as a line inside. */
function Scale({ name, unit, capacity, of, tasks, show }: ScaleProps) {
  const drawn = tasks.filter((task) => (task.inAlloc ?? "") === "" && of(task.limit) > 0);
  const limits = drawn.reduce((sum, task) => sum + of(task.limit), 0);
  const used = drawn.reduce((sum, task) => sum + of(task.usage), 0);
  const whole = Math.max(capacity, limits, 1);
  const percent = (value: number): string => `${((100 * value) / whole).toFixed(3)}%`;
  const inside = (value: number, task: Task): string => `${Math.min(100, (100 * value) / of(task.limit)).toFixed(1)}%`;
  const sorted = [...drawn].sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0) || of(b.limit) - of(a.limit));
  return (
    <div class="scale-row">
      <span class="level">
        {name}{" "}
        <span class="quiet">
          {`${show(used)} used, ${show(limits)} limits of ${show(capacity)} ${unit}${limits > capacity ? `; ${figure((100 * limits) / Math.max(1, capacity) - 100)} % more is promised than there is` : ""}`}
        </span>
      </span>
      <div class="machine">
        {sorted.map((task) => (
          <a
            key={task.name}
            href={taskPath(task.name)}
            class={(task.priority ?? 0) >= PRODUCTION ? "box production" : "box"}
            style={{ width: percent(of(task.limit)) }}
            title={`${task.name}: ${show(of(task.usage))} used, ${show(of(task.reservation))} reserved, ${show(of(task.limit))} ${unit} limit`}
          >
            <i class="reserved" style={{ width: inside(of(task.reservation), task) }} />
            <i class="used" style={{ width: inside(of(task.usage), task) }} />
            <span>{task.name}</span>
          </a>
        ))}
        <i class="end" style={{ left: percent(capacity) }} title={`${show(capacity)} ${unit}: all that the machine has`} />
      </div>
    </div>
  );
}
