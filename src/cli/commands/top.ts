/** `borg top`: tasks and machines as they are now, those that use most first. On a terminal it goes on; elsewhere it is a table. */
import { type MachineView, type TaskView, type ViewCell, ViewKind } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { choiceOf, countOf } from "../input.ts";
import { plainName } from "../names.ts";
import { processSeat, type Seat } from "../seat.ts";
import { type SelectionOptions, selectorOf } from "../selection.ts";
import { safeLine } from "../text/safe.ts";
import { taskWord } from "../text/states.ts";
import { statePaint } from "../text/style.ts";
import { keysOf, plainText, pressed, screenOf, type TopColumn, type TopState, type TopTable } from "../text/top-screen.ts";
import { agoText, bytesText, cpuText, plural } from "../text/units.ts";
import { machinePlain, taskPlain } from "../text/views.ts";

export interface TopOptions extends SelectionOptions {
  readonly machines?: boolean;
  readonly sort?: string;
  readonly filter?: string;
  readonly times?: string;
}

/** How often a screen is made anew. */
const EVERY_MS = 2000;
/** One window of each, sorted by the cell: more than a screen shows, and what a cell tells every two seconds without noticing. */
const WINDOW = 500;
/** Without a screen window after window, as far as a cell sorts. */
const ROWS_MAX = 10_000;
const TIMES_MAX = 1_000_000;
const SORTS = ["name", "cpu", "ram", "restarts"] as const;

/** Whose tasks, and which of them: of machines all are shown. */
interface Meant {
  readonly user: string;
  readonly selector: string;
}

/** All that there is, of which the first are told. */
interface Whole {
  readonly cell: string;
  readonly tasks: number;
  readonly machines: number;
  readonly used: Pick<Resources, "cpuMilli" | "ramBytes">;
  readonly capacity: Pick<Resources, "cpuMilli" | "ramBytes">;
}

interface Seen {
  readonly whole: Whole;
  readonly tasks: readonly TaskView[];
  readonly machines: readonly MachineView[];
  readonly atMs: number;
}

const isMore = ({ whole, tasks, machines }: Seen): boolean => whole.tasks > tasks.length || whole.machines > machines.length;

export async function top(context: Context, options: TopOptions, seat: Seat = processSeat()): Promise<number> {
  const sort = choiceOf("--sort", options.sort ?? "cpu", SORTS);
  const times = options.times === undefined ? undefined : countOf("-n", options.times, TIMES_MAX);
  const user = options.all === true ? "" : options.user === undefined ? await context.user() : plainName(options.user, "a user");
  const meant = { user, selector: selectorOf(options) };
  const filter = options.filter ?? "";
  const first: TopState = { table: options.machines === true ? 1 : 0, sorted: sortedBy(sort), row: 0, filter, typing: false };
  if (context.json) {
    const seen = await look(context, meant, first, ROWS_MAX);
    const { whole, tasks, machines, atMs } = seen;
    const told = { tasks: tasks.map(taskPlain), machines: machines.map(machinePlain) };
    context.printJson({ cell: whole.cell, at: new Date(atMs).toISOString(), more: isMore(seen), ...told });
    return EXIT.done;
  }
  if (seat.isTerminal && context.terminal.live) await new Screen(context, seat, meant, first).run(times);
  else await tables(context, meant, first, times ?? 1);
  return EXIT.done;
}

/** The columns of each table, as a cell calls their orders. */
const TASK_SORTS = ["name", "state", "cpu", "cpu-share", "ram", "ram-share", "restarts", "machine", "-age"];
const MACHINE_SORTS = ["name", "wrong", "cpu-used", "cpu", "ram-used", "ram", "tasks", "name"];

/** The cell sorts, and tells the first of each. Labels are no part of its views: who selects by them is told a list, sorted here. */
async function look(context: Context, { user, selector }: Meant, { sorted, filter }: TopState, rowsMax: number): Promise<Seen> {
  const watch = `top-${process.pid}`;
  const owner = user === "" ? [] : [`user:${user}`];
  const [tasks, machines] = [new Map<string, TaskView>(), new Map<string, MachineView>()];
  let whole: Whole | undefined;
  for (let first = 0; first < rowsMax; first += WINDOW) {
    const window = { first, limit: WINDOW };
    const byTask = { kind: ViewKind.TASKS, sort: TASK_SORTS[sorted[0] ?? 0]!, ...window };
    const views = [
      { kind: ViewKind.CELL },
      { kind: ViewKind.MACHINES, query: "", sort: MACHINE_SORTS[sorted[1] ?? 0]!, ...window },
      { ...byTask, query: owner.join(" ") },
      // Names are looked for among all of them; machines and states among those that are told.
      ...(isNamePart(filter) ? [{ ...byTask, query: [...owner, filter].join(" ") }] : []),
    ];
    const { changes } = await context.ask((client) => client.watchViews({ watch, seen: 0, views, waitMs: 0 }));
    const of = (view: number) => changes.find((change) => change.view === view);
    for (const { tasks: told } of changes) for (const task of told) tasks.set(task.name, task);
    for (const machine of of(1)?.machines ?? []) machines.set(machine.name, machine);
    whole = wholeOf(of(0)?.cell, of(2)?.total ?? 0, of(1)?.total ?? 0);
    if (first + WINDOW >= Math.max(whole.tasks, whole.machines)) break;
  }
  const atMs = context.terminal.now();
  const seen: Seen = { whole: whole!, tasks: [...tasks.values()], machines: [...machines.values()], atMs };
  if (selector === "") return seen;
  const list = await context.ask((client) =>
    client.listTasks({ user, job: "", machine: "", states: [], after: "", limit: ROWS_MAX, selector }),
  );
  return { ...seen, tasks: list.tasks, whole: { ...whole!, tasks: list.tasks.length + (list.more ? 1 : 0) } };
}

/** What may be a part of a name: anything else would be read as something else. */
const isNamePart = (text: string): boolean => /^[-a-z0-9/]{1,100}$/i.test(text);

function wholeOf(cell: ViewCell | undefined, tasks: number, machines: number): Whole {
  const sum = (field: "cpuMilli" | "ramBytes"): number => (cell?.production?.usage?.[field] ?? 0) + (cell?.rest?.usage?.[field] ?? 0);
  const capacity = { cpuMilli: cell?.capacity?.cpuMilli ?? 0, ramBytes: cell?.capacity?.ramBytes ?? 0 };
  return { cell: cell?.name ?? "", tasks, machines, used: { cpuMilli: sum("cpuMilli"), ramBytes: sum("ramBytes") }, capacity };
}

const sortedBy = (sort: (typeof SORTS)[number]): readonly number[] =>
  [TASK_ORDER, MACHINE_ORDER].map((titles) => Math.max(0, titles.indexOf(sort.toUpperCase())));

const TASK_ORDER = ["NAME", "STATE", "CPU", "CPU%", "RAM", "RAM%", "RESTARTS", "MACHINE", "SINCE"];
const MACHINE_ORDER = ["NAME", "STATE", "CPU", "CPU%", "RAM", "RAM%", "TASKS", "HEARD"];

const cpu = (resources: Resources | undefined): number => resources?.cpuMilli ?? 0;
const ram = (resources: Resources | undefined): number => resources?.ramBytes ?? 0;
const share = (used: number, of: number): number => (of === 0 ? 0 : (100 * used) / of);
const percent = (used: number, of: number): string => (of === 0 ? "" : `${Math.round(share(used, of))}`);
/** Beyond the first start: on its machine, and on others. */
export const restartsOf = ({ run, starts }: Pick<TaskView, "run" | "starts">): number => Math.max(0, run - 1) + Math.max(0, starts - 1);

export function taskTable(rows: readonly TaskView[], nowMs: number): TopTable<TaskView> {
  const columns: readonly TopColumn<TaskView>[] = [
    { title: "TASK", value: ({ name }) => name, order: ({ name }) => name, shrinks: 16 },
    { title: "STATE", value: taskWord, order: taskWord, paint: (task) => statePaint(task.unreachable ? "unreachable" : taskWord(task)) },
    { title: "CPU", value: ({ usage }) => cpuText(cpu(usage)), order: ({ usage }) => cpu(usage), side: "right" },
    {
      title: "CPU%",
      value: ({ usage, limit }) => percent(cpu(usage), cpu(limit)),
      order: (t) => share(cpu(t.usage), cpu(t.limit)),
      side: "right",
      drops: 4,
    },
    { title: "RAM", value: ({ usage }) => bytesText(ram(usage)), order: ({ usage }) => ram(usage), side: "right" },
    {
      title: "RAM%",
      value: ({ usage, limit }) => percent(ram(usage), ram(limit)),
      order: (t) => share(ram(t.usage), ram(t.limit)),
      side: "right",
      drops: 3,
    },
    { title: "RESTARTS", value: (task) => String(restartsOf(task)), order: restartsOf, side: "right" },
    { title: "MACHINE", value: ({ machine }) => machine, order: ({ machine }) => machine, drops: 1, shrinks: true },
    {
      title: "SINCE",
      value: (task) => agoText(task.runMs || task.sinceMs, nowMs),
      order: (task) => task.runMs || task.sinceMs,
      side: "right",
      drops: 2,
    },
  ];
  return { columns, rows, text: ({ name, machine, state }) => `${name} ${machine} ${state}` };
}

export function machineTable(rows: readonly MachineView[], nowMs: number): TopTable<MachineView> {
  const columns: readonly TopColumn<MachineView>[] = [
    { title: "MACHINE", value: ({ name }) => name, order: ({ name }) => name, shrinks: 16 },
    { title: "STATE", value: ({ state }) => state, order: ({ state }) => state, paint: ({ state }) => statePaint(state) },
    { title: "CPU", value: (m) => `${cpuText(cpu(m.usage))}/${cpuText(cpu(m.capacity))}`, order: ({ usage }) => cpu(usage), side: "right" },
    {
      title: "CPU%",
      value: (m) => percent(cpu(m.usage), cpu(m.capacity)),
      order: (m) => share(cpu(m.usage), cpu(m.capacity)),
      side: "right",
    },
    {
      title: "RAM",
      value: (m) => `${bytesText(ram(m.usage))}/${bytesText(ram(m.capacity))}`,
      order: ({ usage }) => ram(usage),
      side: "right",
      drops: 2,
    },
    {
      title: "RAM%",
      value: (m) => percent(ram(m.usage), ram(m.capacity)),
      order: (m) => share(ram(m.usage), ram(m.capacity)),
      side: "right",
    },
    { title: "TASKS", value: ({ tasks }) => String(tasks), order: ({ tasks }) => tasks, side: "right" },
    { title: "HEARD", value: (m) => (m.heardMs === 0 ? "-" : agoText(m.heardMs, nowMs)), order: (m) => m.heardMs, side: "right", drops: 1 },
  ];
  return { columns, rows, text: ({ name, state }) => `${name} ${state}` };
}

const tablesOf = ({ tasks, machines, atMs }: Seen): readonly TopTable<never>[] => [
  taskTable(tasks, atMs) as unknown as TopTable<never>,
  machineTable(machines, atMs) as unknown as TopTable<never>,
];

export function headOf({ cell, tasks, machines, used, capacity }: Whole, shown: number, problem: string): string {
  const counts = `${plural(tasks, "task")} on ${plural(machines, "machine")}${shown < tasks ? `, the first ${shown}` : ""}`;
  const cpuWords = `cpu ${cpuText(used.cpuMilli)}/${cpuText(capacity.cpuMilli)}`;
  const ramWords = `ram ${bytesText(used.ramBytes)}/${bytesText(capacity.ramBytes)}`;
  return `${cell}: ${counts}, ${cpuWords}, ${ramWords}${problem === "" ? "" : ` -- ${safeLine(problem)}`}`;
}

async function tables(context: Context, meant: Meant, state: TopState, times: number): Promise<void> {
  const signal = context.terminal.interrupted();
  for (let done = 0; done < times && !signal.aborted; done++) {
    if (done > 0) await context.terminal.sleep(EVERY_MS, signal);
    if (signal.aborted) return;
    const seen = await look(context, meant, state, ROWS_MAX);
    const table = tablesOf(seen)[state.table]!;
    context.terminal.print(
      `${done > 0 ? "\n" : ""}${headOf(seen.whole, seen.tasks.length, "")}\n${plainText(table, state.sorted[state.table]!, state.filter)}`,
    );
  }
}

const ENTER = "\x1b[?1049h\x1b[?25l";
const LEAVE = "\x1b[?25h\x1b[?1049l";

/** Another screen than the one that was there, which comes back at the end. */
class Screen {
  readonly #context: Context;
  readonly #seat: Seat;
  readonly #meant: Meant;
  readonly #over = new AbortController();
  #state: TopState;
  #seen: Seen | undefined;
  #problem = "";

  constructor(context: Context, seat: Seat, meant: Meant, state: TopState) {
    this.#context = context;
    this.#seat = seat;
    this.#meant = meant;
    this.#state = state;
  }

  /** A cell that is away is said so, and asked again. */
  async run(times: number | undefined): Promise<void> {
    this.#seen = await this.#look();
    this.#put(ENTER);
    try {
      this.#seat.listen(
        (bytes) => this.#hear(bytes),
        () => this.#draw(),
      );
      const { signal } = this.#over;
      for (let done = 1; !signal.aborted; done++) {
        this.#draw();
        if (done === times) return;
        await this.#context.terminal.sleep(EVERY_MS, signal);
        if (!signal.aborted) await this.#again();
      }
    } finally {
      this.#seat.leave();
      this.#put(LEAVE);
    }
  }

  #look(): Promise<Seen> {
    return look(this.#context, this.#meant, this.#state, WINDOW);
  }

  async #again(): Promise<void> {
    try {
      this.#seen = await Promise.race([this.#look(), this.#ended()]);
      this.#problem = "";
    } catch (error) {
      if (this.#over.signal.aborted) return;
      this.#problem = error instanceof Failure || error instanceof Error ? error.message : String(error);
    }
  }

  /** Whoever wants to end does not wait for an answer. */
  #ended(): Promise<never> {
    return new Promise((_, reject) => this.#over.signal.addEventListener("abort", () => reject(new Error("ended")), { once: true }));
  }

  #hear(bytes: Uint8Array | undefined): void {
    if (bytes === undefined) return this.#over.abort();
    for (const key of keysOf(Buffer.from(bytes).toString("utf8"))) {
      const next = pressed(this.#state, key, tablesOf(this.#seen!), this.#seat.size());
      if (next === undefined) return this.#over.abort();
      this.#state = next;
    }
    this.#draw();
  }

  #draw(): void {
    const seen = this.#seen!;
    const lines = screenOf(
      tablesOf(seen),
      this.#state,
      this.#seat.size(),
      headOf(seen.whole, seen.tasks.length, this.#problem),
      this.#context.terminal.colour,
    );
    this.#put(`\x1b[H${lines.map((line) => `${line}\x1b[K`).join("\r\n")}\x1b[J`);
  }

  #put(text: string): void {
    void this.#seat.write(Buffer.from(text, "utf8"), false);
  }
}
