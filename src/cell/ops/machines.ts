/** Ops on machines: join, leave, facts, whether they answer, drain. */
import { type MachineId, machineId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { lowest, minus, plus, type Vector } from "../../base/vector.ts";
import { firstDifference } from "../../wire/difference.ts";
import { type MachineFacts, MachineFactsSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { Approval } from "../../wire/gen/borg/v1/op_pb.ts";
import { amounts } from "../amounts.ts";
import { devicesAt, heldUnitsProblem, unitsOf, unitsProblem } from "../device.ts";
import { newPlace } from "../place.ts";
import { extrasProblem } from "../spec.ts";
import type { CellState, Machine } from "../state.ts";
import type { Turn } from "../turn.ts";
import { factsAt, volumeAttribute } from "../volume.ts";
import { approvalFor, withdraw } from "./invitations.ts";
import { lose } from "./lifecycle.ts";
import { machineChanged } from "./per-machine.ts";
import { reportReach } from "./statuses.ts";

export const MACHINES_MAX = 200_000;

export function findMachine(state: CellState, name: string): Result<Machine> {
  const machine = state.machines.get(machineId(name));
  return machine === undefined ? refused(`Machine "${name}" is not in this cell: borg ls machines shows those that are`) : ok(machine);
}

/** What a cell of a version keeps of what a machine says of itself. */
export const knownFacts = ({ version }: Pick<CellState, "version">, told: MachineFacts): MachineFacts =>
  devicesAt(version, factsAt(version, told));

/** A machine that is there already tells its facts again. `key`: of a machine from elsewhere; empty: it is of the cell's own directory. */
export function joinMachine(turn: Turn, name: string, told: MachineFacts, key: string): Result<undefined> {
  const { state } = turn;
  const facts = knownFacts(state, told);
  const id = machineId(name);
  const approval = approvalFor(state, id, key);
  if (!approval.ok) return approval;
  if (state.machines.has(id)) return changeFacts(turn, name, facts);
  const problem = factsProblem(facts);
  if (problem !== undefined) return refused(problem);
  if (state.machines.size >= MACHINES_MAX) return refused(`A cell holds at most ${MACHINES_MAX} machines: remove one first`);
  const machine = newMachine(id, facts, state.timeMs, approval.value);
  state.machines.set(id, machine);
  if (state.invitations.delete(id)) turn.touch.cell();
  state.capacity = plus(state.capacity, machine.place.capacity);
  turn.touch.factsOf(machine);
  turn.emit({ kind: "machine.joined", subject: id });
  machineChanged(turn, machine, true);
  return ok(undefined);
}

export function newMachine(id: MachineId, facts: MachineFacts, timeMs: number, approval?: Approval): Machine {
  const state = { reachable: true, draining: false, sequence: 1, sinceMs: timeMs, directories: [] };
  const machine = { id, facts, approval, attributes: new Map(), ...state } as Omit<Machine, "place">;
  const whole = machine as Machine & { place: Machine["place"] };
  const capacity = capacityOf(facts, approval);
  whole.place = newPlace(id, whole, capacity, { portNumbers: undefined, units: unitsOf(facts, capacity) });
  fillAttributes(whole);
  return whole;
}

/** Rack and power domain can be named in constraints like any attribute; volumes only by the jobs that use them. */
function fillAttributes(machine: Machine): void {
  machine.attributes.clear();
  if (machine.facts.rack !== "") machine.attributes.set("rack", machine.facts.rack);
  if (machine.facts.powerDomain !== "") machine.attributes.set("power", machine.facts.powerDomain);
  for (const attribute of machine.facts.attributes) machine.attributes.set(attribute.key, attribute.value);
  for (const { user, name } of machine.facts.volumes) machine.attributes.set(volumeAttribute(user, name), "");
}

/** Cpu in normalised cores (Borg §5.4): what a machine counts, times its speed. Of one from elsewhere no more than was approved; ports are its own. [cell.M10] */
export function capacityOf(facts: MachineFacts, approval: Approval | undefined): Vector {
  const raw = amounts(facts.capacity, facts.portLast === 0 ? 0 : facts.portLast - facts.portFirst + 1, "down");
  const told = { ...raw, cpu: Math.floor((raw.cpu * (facts.coreSpeedPermille || 1000)) / 1000) };
  if (approval === undefined) return told;
  const { extras, ...sizes } = lowest(told, amounts(approval.capacity, told.ports, "down"));
  return { ...sizes, extras: extras.filter(({ amount }) => amount > 0) };
}

function factsProblem(facts: MachineFacts): string | undefined {
  if (facts.portFirst > facts.portLast) return `Ports ${facts.portFirst} to ${facts.portLast} are no range: name the lower one first`;
  if (facts.portLast > 0 && facts.portFirst === 0) return "Port 0 cannot be given out: begin the range at 1 or above";
  return extrasProblem(facts.capacity) ?? unitsProblem(facts);
}

export function changeFacts(turn: Turn, name: string, told: MachineFacts): Result<undefined> {
  const { state } = turn;
  const facts = knownFacts(state, told);
  const found = findMachine(state, name);
  if (!found.ok) return found;
  const machine = found.value;
  const problem = factsProblem(facts) ?? portsProblem(machine, facts) ?? heldUnitsProblem(machine.place, facts);
  if (problem !== undefined) return refused(problem);
  if (firstDifference(MachineFactsSchema, machine.facts, facts) === undefined) return ok(undefined);
  machine.facts = facts;
  machine.place.portNext = 0;
  countCapacity(state, machine);
  fillAttributes(machine);
  turn.touch.factsOf(machine);
  changed(turn, machine, "facts");
  machineChanged(turn, machine, true);
  return ok(undefined);
}

/** After its facts, or what was approved of them, have changed. */
export function countCapacity(state: CellState, machine: Machine): void {
  state.capacity = minus(state.capacity, machine.place.capacity);
  machine.place.capacity = capacityOf(machine.facts, machine.approval);
  machine.place.units = unitsOf(machine.facts, machine.place.capacity);
  state.capacity = plus(state.capacity, machine.place.capacity);
}

/** Ports that are held cannot leave the range: who holds them was told their numbers. */
function portsProblem(machine: Machine, facts: MachineFacts): string | undefined {
  for (const occupant of machine.place.occupants.values()) {
    const outside = occupant.ports.find((port) => port < facts.portFirst || port > facts.portLast);
    if (outside !== undefined) return `Port ${outside} is held by "${occupant.id}": keep it in the range of machine "${machine.id}"`;
  }
  return undefined;
}

/** Missed polls make a machine unreachable; its tasks stay as they are until they are given up one by one. */
export function markMachine(turn: Turn, name: string, reachable: boolean): Result<undefined> {
  const found = findMachine(turn.state, name);
  if (!found.ok) return found;
  const machine = found.value;
  if (machine.reachable === reachable) return ok(undefined);
  machine.reachable = reachable;
  machine.sinceMs = turn.timeMs;
  changed(turn, machine, reachable ? "reachable" : "unreachable");
  reportReach(turn, machine);
  return ok(undefined);
}

export function drainMachine(turn: Turn, name: string, draining: boolean): Result<undefined> {
  const found = findMachine(turn.state, name);
  if (!found.ok) return found;
  const machine = found.value;
  if (machine.draining === draining) return ok(undefined);
  machine.draining = draining;
  changed(turn, machine, draining ? "draining" : "not draining");
  return ok(undefined);
}

/** A machine that answers must be empty first; what was on an unreachable one is given up. One that was only invited may no longer join. */
export function leaveMachine(turn: Turn, name: string): Result<undefined> {
  const { state } = turn;
  if (withdraw(turn, machineId(name))) return ok(undefined);
  const found = findMachine(state, name);
  if (!found.ok) return found;
  const machine = found.value;
  const occupants = machine.place.occupants;
  if (machine.reachable && occupants.size > 0)
    return refused(`Machine "${name}" still has ${occupants.size} tasks or allocs: drain it first`);
  for (const instance of [...occupants.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) lose(turn, instance, "machine-shutdown");
  state.machines.delete(machine.id);
  state.capacity = minus(state.capacity, machine.place.capacity);
  turn.touch.machine(machine);
  turn.emit({ kind: "machine.left", subject: machine.id });
  machineChanged(turn, machine, false);
  return ok(undefined);
}

export function changed(turn: Turn, machine: Machine, detail: string): void {
  turn.raise(machine);
  turn.emit({ kind: "machine.changed", subject: machine.id, detail });
}
