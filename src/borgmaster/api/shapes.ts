/**
 * Which shapes of tasks fit now (Borg §2.6: guidelines for resource shapes that are likely to schedule easily). What is free on a machine is counted as a scheduler
 * counts it: by limits among prod tasks, by reservations among all. Ports, devices, spread and constraints are left aside: they are a job's own (borg why).
 */
import { minus, type Vector } from "../../base/vector.ts";
import { isOver } from "../../cell/place.ts";
import type { Machine } from "../../cell/state.ts";
import { type Init, make } from "../../wire/codec.ts";
import {
  type ReportShapesRequest,
  type ReportShapesResponse,
  ReportShapesResponseSchema,
  type ShapeFitSchema,
} from "../../wire/gen/borg/v1/api_pb.ts";
import type { Copy } from "./copy.ts";
import { Meter } from "./price.ts";

const SMALLEST_MILLI = 250;
const KIB = 1024;

const takesTasks = ({ reachable, draining, place }: Machine): boolean => reachable && !draining && !isOver(place);

/** Free cpu and memory (KiB). */
interface Room {
  readonly cpu: number;
  readonly ram: number;
}

const KINDS = ["nonProd", "prod", "prodMakingWay"] as const;
type Rooms = Readonly<Record<(typeof KINDS)[number], Room>>;

const least = (a: Vector, b: Vector): Room => ({ cpu: Math.min(a.cpu, b.cpu), ram: Math.min(a.ram, b.ram) });

function roomsOf({ place: { capacity, reserved, prodLimit } }: Machine): Rooms {
  const byReservations = minus(capacity, reserved);
  const byLimits = minus(capacity, prodLimit);
  return { nonProd: byReservations, prod: least(byReservations, byLimits), prodMakingWay: byLimits };
}

export function reportShapes({ state }: Copy, _: ReportShapesRequest, _user = "", meter = new Meter()): ReportShapesResponse {
  const machines = [...state.machines.values()].filter(takesTasks);
  const rooms = machines.map(roomsOf);
  const cpu = machines.reduce((sum, { place }) => sum + place.capacity.cpu, 0);
  const ram = machines.reduce((sum, { place }) => sum + place.capacity.ram, 0);
  const ladder = ladderOf(rooms);
  meter.lookedAt(state.machines.size + (rooms.length * ladder.length) / 2);
  const rows = ladder.map((cpuMilli) => {
    const evenKib = cpu === 0 ? 0 : Math.floor((cpuMilli * ram) / cpu);
    const fits = KINDS.map((kind) => [kind, fitOf(cpuMilli, evenKib, rooms, kind)] as const);
    return { cpuMilli, ramBytes: evenKib * KIB, ...Object.fromEntries(fits) };
  });
  return make(ReportShapesResponseSchema, { machines: machines.length, rows });
}

/** Doubled from a quarter of a core on, and the largest that fits for each kind. */
function ladderOf(rooms: readonly Rooms[]): readonly number[] {
  const largest = KINDS.map((kind) => rooms.reduce((most, room) => (room[kind].ram > 0 ? Math.max(most, room[kind].cpu) : most), 0));
  const steps = new Set(largest.filter((cpu) => cpu > 0));
  for (let cpu = SMALLEST_MILLI; cpu <= Math.max(...largest); cpu *= 2) steps.add(cpu);
  return [...steps].sort((a, b) => a - b);
}

function fitOf(cpu: number, ram: number, rooms: readonly Rooms[], kind: keyof Rooms): Init<typeof ShapeFitSchema> {
  let [tasks, machines, ramMost] = [0, 0, 0];
  for (const { [kind]: room } of rooms) {
    if (room.cpu < cpu) continue;
    ramMost = Math.max(ramMost, room.ram);
    const here = Math.floor(Math.min(room.cpu / cpu, ram === 0 ? Number.POSITIVE_INFINITY : room.ram / ram));
    tasks += Math.max(0, here);
    if (here > 0) machines += 1;
  }
  return { tasks, machines, ramBytesMost: ramMost * KIB };
}
