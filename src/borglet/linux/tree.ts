/**
 * Which processes belong to a task, where no cgroup says so: its first process and everything that came from it, the sessions they made,
 * and whoever carries the task's mark in its environment, wherever it was moved to. Its shim and log keepers never belong to it.
 */
import { type ProcessId, type ProcessStat, readEnvironment, readTable } from "./proc.ts";

export interface Root {
  readonly instance: string;
  readonly main: ProcessId | undefined;
  /** The shim's pid is the session of its log keepers. */
  readonly shim: ProcessId | undefined;
}

/** A task's processes carry their mark from their first moments on; who has none after so many looks is somebody else's. */
const LOOKS_MAX = 3;

/** Reading environments is what costs here, so each process is asked a few times in its life. */
export class Marks {
  readonly #known = new Map<number, { readonly start: string; readonly instance: string; readonly looks: number }>();
  readonly #mark: string;

  /** As Layout has it: another borglet's tasks may have the names of ours. */
  constructor(mark: string) {
    this.#mark = `\0BORG_MARK=${mark} `;
  }

  /** The instance that a process says it belongs to; empty for none. */
  of({ pid, start }: ProcessStat): string {
    const known = this.#known.get(pid);
    const looks = known?.start === start ? known.looks : 0;
    if (known !== undefined && looks > 0 && (known.instance !== "" || looks >= LOOKS_MAX)) return known.instance;
    const environment = `\0${readEnvironment(pid) ?? ""}`;
    const at = environment.indexOf(this.#mark);
    const instance = at < 0 ? "" : environment.slice(at + this.#mark.length, environment.indexOf("\0", at + 1));
    this.#known.set(pid, { start, instance, looks: looks + 1 });
    return instance;
  }

  /** Forgets those that are gone. */
  keepOnly(table: ReadonlyMap<number, ProcessStat>): void {
    for (const pid of this.#known.keys()) if (!table.has(pid)) this.#known.delete(pid);
  }
}

/** For many tasks at once, from one look at the machine. Who was seen as a task's stays its own, also when it has hidden every trace. */
export class TaskTrees {
  readonly #marks: Marks;
  /** Processes seen before: pid to start time, for each instance. */
  readonly #seen = new Map<string, Map<number, string>>();

  constructor(mark: string) {
    this.#marks = new Marks(mark);
  }

  find(roots: readonly Root[]): Map<string, ProcessStat[]> {
    const table = readTable();
    this.#marks.keepOnly(table);
    const owner = this.#owners(roots, table);
    const found = new Map<string, ProcessStat[]>(roots.map(({ instance }) => [instance, []]));
    for (const [pid, instance] of owner) found.get(instance)?.push(table.get(pid)!);
    for (const [instance, stats] of found) this.#seen.set(instance, new Map(stats.map(({ pid, start }) => [pid, start])));
    return found;
  }

  forget(instance: string): void {
    this.#seen.delete(instance);
  }

  #owners(roots: readonly Root[], table: ReadonlyMap<number, ProcessStat>): Map<number, string> {
    const owner = new Map<number, string>();
    const keepers = new Set(roots.flatMap(({ shim }) => (shim === undefined ? [] : [shim.pid])));
    const instances = new Set(roots.map(({ instance }) => instance));
    for (const { instance, main } of roots) {
      if (main !== undefined && table.get(main.pid)?.start === main.start) owner.set(main.pid, instance);
      for (const [pid, start] of this.#seen.get(instance) ?? []) if (table.get(pid)?.start === start) owner.set(pid, instance);
    }
    for (const stat of table.values()) {
      if (owner.has(stat.pid) || keepers.has(stat.session)) continue;
      const mark = this.#marks.of(stat);
      if (instances.has(mark)) owner.set(stat.pid, mark);
    }
    spread(owner, table, keepers);
    return owner;
  }
}

/** Children of a task's processes and members of their sessions are the task's too, however deep. */
function spread(owner: Map<number, string>, table: ReadonlyMap<number, ProcessStat>, keepers: ReadonlySet<number>): void {
  const sessions = new Map<number, string>();
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid, instance] of owner) {
      const { session } = table.get(pid)!;
      if (!keepers.has(session) && session !== 0) sessions.set(session, instance);
    }
    for (const { pid, ppid, session } of table.values()) {
      if (owner.has(pid) || keepers.has(pid) || keepers.has(session)) continue;
      const instance = owner.get(ppid) ?? sessions.get(session);
      if (instance === undefined) continue;
      owner.set(pid, instance);
      grew = true;
    }
  }
}
