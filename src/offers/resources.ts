/** Resources in Mesos' words (cpus as a fraction of cores, mem and disk in MB, ports as ranges) and in the cell's amounts, both ways. */
import { ok, type Result, refused } from "../base/result.ts";
import { type Extra, fits, type Vector, vectorOf, ZERO } from "../base/vector.ts";
import { make } from "../wire/codec.ts";
import { type Resource, ResourceSchema, Value_Type } from "../wire/gen/mesos/v1/mesos_pb.ts";
import type { Part } from "./ledger.ts";
import { countOf, joined, NO_RANGES, normalised, overlaps, type Ranges } from "./ranges.ts";

const MILLI = 1000;
const KIB_IN_MB = 1024;
const PORT_MAX = 65_535;

/** The role that Mesos says for what is reserved for nobody. */
const EVERYBODY = "*";

/** Rounded down to what can be asked for exactly: whole MB, thousandths of a core. */
export function resourcesOf({ amount, ports }: Part): Resource[] {
  const { cpu, ram, disk, extras } = amount;
  const out = [scalar("cpus", cpu / MILLI), scalar("mem", Math.floor(ram / KIB_IN_MB)), scalar("disk", Math.floor(disk / KIB_IN_MB))];
  if (ports.length > 0) {
    const range = ports.map(({ begin, end }) => ({ begin: BigInt(begin), end: BigInt(end) }));
    out.push(make(ResourceSchema, { name: "ports", type: Value_Type.RANGES, ranges: { range }, role: EVERYBODY }));
  }
  for (const extra of extras) out.push(scalar(extra.name, extra.amount));
  return out;
}

const scalar = (name: string, value: number): Resource =>
  make(ResourceSchema, { name, type: Value_Type.SCALAR, scalar: { value }, role: EVERYBODY });

/** What a framework asks for. */
export function partOf(resources: readonly Resource[]): Result<Part> {
  const sums = new Map<string, number>();
  let ports: Ranges = NO_RANGES;
  for (const resource of resources) {
    const problem = kindProblem(resource);
    if (problem !== undefined) return refused(problem);
    const name = resource.name ?? "";
    if (name === "ports") {
      const more = rangesIn(resource);
      if (!more.ok) return more;
      if (overlaps(ports, more.value)) return refused("A port is asked for twice: name each once");
      ports = joined(ports, more.value);
    } else sums.set(name, (sums.get(name) ?? 0) + (resource.scalar?.value ?? 0));
  }
  const amount = amountOf(sums, countOf(ports));
  return fits(amount, ZERO) ? refused("A task needs some cpus and mem: say how much in its resources") : ok({ amount, ports });
}

/** Reservations and volumes are Mesos' ways to keep something for later; here quota and alloc sets do that. */
function kindProblem({ name, type, scalar: found, disk, reservation, reservations, revocable, shared }: Resource): string | undefined {
  if (disk !== undefined || reservation !== undefined || reservations.length > 0 || revocable !== undefined || shared !== undefined)
    return `Resource "${name}" is reserved, revocable, shared or a volume: ask for plain resources, as they were offered`;
  if (name === "ports") return type === Value_Type.RANGES ? undefined : `Resource "ports" must be of type RANGES`;
  if (type !== Value_Type.SCALAR) return `Resource "${name}" must be of type SCALAR`;
  const value = found?.value ?? 0;
  return Number.isFinite(value) && value >= 0 ? undefined : `Resource "${name}" must be a number and not negative, found ${value}`;
}

function rangesIn({ ranges }: Resource): Result<Ranges> {
  const found: { begin: number; end: number }[] = [];
  for (const range of ranges?.range ?? []) {
    const [begin, end] = [Number(range.begin ?? -1), Number(range.end ?? -1)];
    if (!(begin >= 1 && begin <= end && end <= PORT_MAX))
      return refused(`Cannot take ports ${begin} to ${end}: they go from 1 to ${PORT_MAX}`);
    found.push({ begin, end });
  }
  const all = normalised(found);
  return countOf(all) === countOf(found) ? ok(all) : refused("A port is asked for twice: name each once");
}

/** Rounded up, so that nothing is counted as less than it was asked for. */
function amountOf(sums: ReadonlyMap<string, number>, ports: number): Vector {
  const extras: Extra[] = [];
  for (const [name, value] of sums) {
    const amount = Math.ceil(value);
    if (!KNOWN.has(name) && amount > 0) extras.push({ name, amount });
  }
  extras.sort((a, b) => (a.name < b.name ? -1 : 1));
  // Fractions are not exact: 0.1 + 0.2 cores are 300 thousandths.
  const milli = Math.ceil((sums.get("cpus") ?? 0) * MILLI - 1e-6);
  const kib = (name: string): number => Math.ceil((sums.get(name) ?? 0) * KIB_IN_MB - 1e-6);
  const amounts = { cpu: milli, ram: kib("mem"), disk: kib("disk"), bandwidth: 0, ports };
  return vectorOf((dimension) => amounts[dimension], extras);
}

const KNOWN: ReadonlySet<string> = new Set(["cpus", "mem", "disk", "ports"]);

/** Of a quantity by name, as filters say it. */
export const quantities = (entries: Iterable<readonly [string, number]>): Vector => amountOf(new Map(entries), 0);
