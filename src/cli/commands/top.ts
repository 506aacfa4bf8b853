/** `borg top`: tasks and machines as they are now, those that use most first. On a terminal it goes on; elsewhere it is a table. */
import type { MachineView, TaskView } from "../../wire/gen/borg/v1/api_pb.ts";
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
/** One page of each: more than a screen shows, and what a cell tells every two seconds without noticing. */
const ROWS_MAX = 10_000;
const TIMES_MAX = 1_000_000;
const SORTS = ["name", "cpu", "ram", "restarts"] as const;

/** Whose tasks, and which of them: of machines all are shown. */
interface Meant {
  readonly user: string;
  readonly selector: string;
}

interface Seen {
  readonly cell: string;
  readonly tasks: readonly TaskView[];
  readonly machines: readonly MachineView[];
  /** There are more tasks, or more machines, than were asked for. */
  readonly more: boolean;
  readonly atMs: number;
}

export async function top(context: Context, options: TopOptions, seat: Seat = processSeat()): Promise<number> {
  const sort = choiceOf("--sort", options.sort ?? "cpu", SORTS);
  const times = options.times === undefined ? undefined : countOf("-n", options.times, TIMES_MAX);
  const user = options.all === true ? "" : options.user === undefined ? await context.user() : plainName(options.user, "a user");
  const meant = { user, selector: selectorOf(options) };
  const filter = options.filter ?? "";
  if (context.json) {
    const { cell, tasks, machines, more, atMs } = await look(context, meant);
    context.printJson({ cell, at: new Date(atMs).toISOString(), more, tasks: tasks.map(taskPlain), machines: machines.map(machinePlain) });
    return EXIT.done;
  }
  const first: TopState = { table: options.machines === true ? 1 : 0, sorted: sortedBy(sort), row: 0, filter, typing: false };
  if (seat.isTerminal && context.terminal.live) await new Screen(context, seat, meant, first).run(times);
  else await tables(context, meant, first, times ?? 1);
  return EXIT.done;
}

async function look(context: Context, { user, selector }: Meant): Promise<Seen> {
  const [cell, tasks, machines] = await context.ask(async (client) =>
    Promise.all([
      client.getCell({}),
      client.listTasks({ user, job: "", machine: "", states: [], after: "", limit: ROWS_MAX, selector }),
      client.listMachines({ after: "", limit: ROWS_MAX, selector: "" }),
    ]),
  );
  return {
    cell: cell.name,
    tasks: tasks.tasks,
    machines: machines.machines,
    more: tasks.more || machines.more,
    atMs: context.terminal.now(),
  };
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

export function headOf({ cell, tasks, machines, more }: Omit<Seen, "atMs">, problem: string): string {
  const used = machines.reduce((sum, machine) => sum + cpu(machine.usage), 0);
  const all = machines.reduce((sum, machine) => sum + cpu(machine.capacity), 0);
  const [ramUsed, ramAll] = [machines.reduce((sum, m) => sum + ram(m.usage), 0), machines.reduce((sum, m) => sum + ram(m.capacity), 0)];
  const counts = `${plural(tasks.length, "task")} on ${plural(machines.length, "machine")}${more ? " and more" : ""}`;
  return `${cell}: ${counts}, cpu ${cpuText(used)}/${cpuText(all)}, ram ${bytesText(ramUsed)}/${bytesText(ramAll)}${problem === "" ? "" : ` -- ${safeLine(problem)}`}`;
}

async function tables(context: Context, meant: Meant, state: TopState, times: number): Promise<void> {
  const signal = context.terminal.interrupted();
  for (let done = 0; done < times && !signal.aborted; done++) {
    if (done > 0) await context.terminal.sleep(EVERY_MS, signal);
    if (signal.aborted) return;
    const seen = await look(context, meant);
    const table = tablesOf(seen)[state.table]!;
    context.terminal.print(`${done > 0 ? "\n" : ""}${headOf(seen, "")}\n${plainText(table, state.sorted[state.table]!, state.filter)}`);
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
    this.#seen = await look(this.#context, this.#meant);
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

  async #again(): Promise<void> {
    try {
      this.#seen = await Promise.race([look(this.#context, this.#meant), this.#ended()]);
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
    const lines = screenOf(tablesOf(seen), this.#state, this.#seat.size(), headOf(seen, this.#problem), this.#context.terminal.colour);
    this.#put(`\x1b[H${lines.map((line) => `${line}\x1b[K`).join("\r\n")}\x1b[J`);
  }

  #put(text: string): void {
    void this.#seat.write(Buffer.from(text, "utf8"), false);
  }
}
