/** Lists come in pages; these are whole. Never holds more than a bound, and says when there was more. */
import type { JobView, MachineView, TaskView } from "../wire/gen/borg/v1/api_pb.ts";
import type { Context } from "./context.ts";

const PAGE = 1000;
/** Half a million of anything is more than a person reads. */
const PAGES_MAX = 500;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
}

async function whole<Item extends { readonly name: string }>(
  context: Context,
  page: (after: string) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const { items, more } = await page(all.at(-1)?.name ?? "");
    all.push(...items);
    if (!more || items.length === 0) return all;
  }
  context.terminal.complain(`There are more than ${all.length}; the rest is not shown\n`);
  return all;
}

export interface JobFilter {
  /** Empty: everyone's. */
  readonly user: string;
  readonly dead: boolean;
  /** Empty: whatever their labels are. */
  readonly selector?: string;
}

export const allJobs = (context: Context, { user, dead, selector = "" }: JobFilter): Promise<readonly JobView[]> =>
  whole(context, async (after) => {
    const { jobs, more } = await context.ask((client) => client.listJobs({ user, dead, selector, after, limit: PAGE }));
    return { items: jobs, more };
  });

export interface TaskFilter {
  readonly user: string;
  readonly job: string;
  readonly machine: string;
  readonly states: readonly string[];
  readonly selector?: string;
}

export const allTasks = (context: Context, filter: TaskFilter): Promise<readonly TaskView[]> =>
  whole(context, async (after) => {
    const { tasks, more } = await context.ask((client) => client.listTasks({ ...filter, states: [...filter.states], after, limit: PAGE }));
    return { items: tasks, more };
  });

export const allMachines = (context: Context, selector = ""): Promise<readonly MachineView[]> =>
  whole(context, async (after) => {
    const { machines, more } = await context.ask((client) => client.listMachines({ selector, after, limit: PAGE }));
    return { items: machines, more };
  });
