/**
 * Sees which processes of a cell's tasks live on this machine, with nothing of the borglet's own code. A process is an instance's by the mark in its
 * environment, by its parent or by its control group. Once seen it is remembered by pid and start time, so one that hides its traces later is still known.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

interface Process {
  readonly pid: number;
  readonly ppid: number;
  /** Pid and start time: a pid alone is given to somebody else one day. */
  readonly id: string;
}

const LOOK_MS = 500;
/** A task's program carries its mark and is in its group from its first moments on; later looks would tell nothing new. */
const LOOKS_MAX = 3;

/** What a process says of itself; reading that is what costs, so it is asked a few times in its life. */
interface Trace {
  readonly instance: string | undefined;
  readonly group: string;
  readonly looks: number;
}

export class Witness {
  readonly #cell: string;
  /** Every process ever seen, by instance. */
  readonly #seen = new Map<string, Set<string>>();
  #traces = new Map<string, Trace>();
  #stopped = false;

  constructor(cell: string) {
    this.#cell = cell;
  }

  /** Looks again and again until it is stopped. */
  async run(): Promise<void> {
    for (; !this.#stopped; await sleep(LOOK_MS)) this.look();
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Ids of all living processes, by instance; those without a trace are known from an earlier look. */
  look(): Map<string, string[]> {
    const table = readTable();
    this.#traces = new Map([...table.values()].map(({ pid, id }) => [id, trace(this.#cell, pid, this.#traces.get(id))]));
    const owner = ownersOf(table, this.#traces);
    for (const [pid, instance] of owner) seenOf(this.#seen, instance).add(table.get(pid)!.id);
    const alive = new Set([...table.values()].map(({ id }) => id));
    const living = new Map<string, string[]>();
    for (const [instance, ids] of this.#seen) {
      const left = [...ids].filter((id) => alive.has(id));
      if (left.length > 0) living.set(instance, left);
    }
    return living;
  }

  /** How many processes of a job were seen until now. */
  count(job: string): number {
    let sum = 0;
    for (const [instance, ids] of this.#seen) if (jobOf(instance) === job) sum += ids.size;
    return sum;
  }
}

/** The job of instance "user/job/0:1". */
export const jobOf = (instance: string): string => instance.slice(0, instance.lastIndexOf("/"));

function seenOf(seen: Map<string, Set<string>>, instance: string): Set<string> {
  const found = seen.get(instance) ?? new Set();
  seen.set(instance, found);
  return found;
}

function trace(cell: string, pid: number, known: Trace | undefined): Trace {
  if (known !== undefined && known.looks >= LOOKS_MAX) return known;
  const environment = `\0${read(`/proc/${pid}/environ`)}`;
  const isOurs = environment.includes(`\0BORG_CELL=${cell}\0`);
  const instance = isOurs ? /\0BORG_INSTANCE=([^\0]*)/.exec(environment)?.[1] : undefined;
  return { instance, group: read(`/proc/${pid}/cgroup`), looks: (known?.looks ?? 0) + 1 };
}

function ownersOf(table: ReadonlyMap<number, Process>, traces: ReadonlyMap<string, Trace>): Map<number, string> {
  const owner = new Map<number, string>();
  const groups = new Map<string, string>();
  // A task is born, and dies, in a group that is not its own: that of the machine's first process, or ours.
  const shared = new Set([read("/proc/self/cgroup"), read("/proc/1/cgroup"), ""]);
  for (const { pid, id } of table.values()) {
    const { instance, group } = traces.get(id)!;
    if (instance === undefined) continue;
    owner.set(pid, instance);
    if (!shared.has(group)) groups.set(group, instance);
  }
  for (const { pid, id } of table.values()) {
    const instance = owner.has(pid) ? undefined : groups.get(traces.get(id)!.group);
    if (instance !== undefined) owner.set(pid, instance);
  }
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, ppid } of table.values()) {
      const instance = owner.has(pid) ? undefined : owner.get(ppid);
      if (instance === undefined) continue;
      owner.set(pid, instance);
      grew = true;
    }
  }
  return owner;
}

/** Everything that lives, without zombies. The name in the second field of stat may hold anything, also parentheses. */
function readTable(): Map<number, Process> {
  const table = new Map<number, Process>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = read(`/proc/${name}/stat`);
    const [state = "X", ppid = "0", ...rest] = text.slice(text.lastIndexOf(") ") + 2).split(" ");
    if (text === "" || state === "Z" || state === "X") continue;
    table.set(Number(name), { pid: Number(name), ppid: Number(ppid), id: `${name}@${rest[17]}` });
  }
  return table;
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
