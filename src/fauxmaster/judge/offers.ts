/**
 * Offers that are out at one desk, as those who hold them know them: what all of them on a machine come to is no more than it has, no port is in two, and none
 * is out for longer than an offer lasts. In sums of its own, from what Mesos' words say. [KF3]
 */
import type { MachineFacts } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { Offer, Resource } from "../../wire/gen/mesos/v1/mesos_pb.ts";

/** An offer that nobody answers is rescinded then. */
const LASTS_MS = 60_000;
const MILLI = 1000;
const MIB = 1024 ** 2;

/** One that a scheduler holds. */
export interface Held {
  readonly offer: Offer;
  readonly heardMs: number;
  /** It was overdue when somebody looked. Its end may have been due in the same moment, so only who is overdue twice is. */
  isLate: boolean;
}

interface Amount {
  cpuMilli: number;
  ramMib: number;
  diskMib: number;
  readonly ports: Set<number>;
}

export const scalarIn = (resources: readonly Resource[], name: string): number =>
  resources.find((resource) => resource.name === name)?.scalar?.value ?? 0;

/** What is wrong with them. `sizes`: all that a machine was while offers of it may be out. */
export function offerProblems(held: Iterable<Held>, sizes: (agent: string) => readonly MachineFacts[], nowMs: number): readonly string[] {
  const problems: string[] = [];
  const sums = new Map<string, Amount>();
  for (const each of held) {
    const agent = each.offer.agentId?.value ?? "";
    if (nowMs - each.heardMs >= LASTS_MS) {
      if (each.isLate) problems.push(`An offer of "${agent}" is out for ${nowMs - each.heardMs} ms`);
      each.isLate = true;
    }
    const sum = sums.get(agent) ?? { cpuMilli: 0, ramMib: 0, diskMib: 0, ports: new Set() };
    sums.set(agent, sum);
    for (const port of addTo(sum, each.offer.resources)) problems.push(`Port ${port} of "${agent}" is in two offers`);
  }
  for (const [agent, sum] of sums)
    for (const [what, has, most] of excess(sum, sizes(agent)))
      problems.push(`Offers of "${agent}" come to ${has} ${what}, and it has ${most}`);
  return problems;
}

/** The ports that somebody had already. */
function addTo(sum: Amount, resources: readonly Resource[]): readonly number[] {
  sum.cpuMilli += Math.round(scalarIn(resources, "cpus") * MILLI);
  sum.ramMib += scalarIn(resources, "mem");
  sum.diskMib += scalarIn(resources, "disk");
  const twice: number[] = [];
  for (const { begin = 0n, end = -1n } of resources.find(({ name }) => name === "ports")?.ranges?.range ?? [])
    for (let port = Number(begin); port <= Number(end); port++) {
      if (sum.ports.has(port)) twice.push(port);
      sum.ports.add(port);
    }
  return twice;
}

type Excess = readonly (readonly [what: string, has: number, most: number])[];

/** Of a machine that was replaced by one of another size, the most that it was of each. */
function excess({ cpuMilli, ramMib, diskMib, ports }: Amount, sizes: readonly MachineFacts[]): Excess {
  const most = (of: (facts: MachineFacts) => number): number => Math.max(0, ...sizes.map(of));
  const isForeign = (port: number): boolean => !sizes.some(({ portFirst, portLast }) => port >= portFirst && port <= portLast);
  const all: Excess = [
    ["milli of cpu", cpuMilli, most(({ capacity }) => capacity?.cpuMilli ?? 0)],
    ["MiB of memory", ramMib, most(({ capacity }) => (capacity?.ramBytes ?? 0) / MIB)],
    ["MiB of disk", diskMib, most(({ capacity }) => (capacity?.diskBytes ?? 0) / MIB)],
    ["ports that it never had", [...ports].filter(isForeign).length, 0],
  ];
  return all.filter(([, has, limit]) => has > limit);
}
