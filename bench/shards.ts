/**
 * What reaches the process of the master that leads: reports of machines, and what shards of other replicas hand on, with machines shared out and with the leader's shard alone. Counted in the same
 * simulated world without faults, so the figures are the same on every machine; no time is taken.
 */
import type { Master } from "../src/borgmaster/master.ts";
import type { FromLink } from "../src/borgmaster/message.ts";
import { reportsOf } from "../src/borgmaster/packing.ts";
import { LINK_SHARDS } from "../src/cell/version.ts";
import { cellParts, linkOf } from "../src/fauxmaster/cell.ts";
import { drawOptions, type FaultKind } from "../src/fauxmaster/options.ts";
import { type Parts, World } from "../src/fauxmaster/world.ts";
import { newNativeSha256 } from "../src/shell/native-sha256.ts";
import { encode } from "../src/wire/codec.ts";
import { ReportSchema, ReportsSchema } from "../src/wire/gen/borg/v1/machine_pb.ts";
import type { Framed, FromBorglet } from "../src/wire/link-message.ts";
import type { Figures } from "./figures.ts";

const MASTERS = 3;
/** By then machines have joined and are shared out. */
const BEGIN_MS = 60_000;

interface Counted {
  reports: number;
  reportBytes: number;
  handedOn: number;
  handedOnBytes: number;
  /** At all replicas. */
  allReports: number;
}

export async function benchShards(machines: number, seconds: number, seed: number): Promise<Figures> {
  const [shared, alone] = [count(machines, seconds, seed, true), count(machines, seconds, seed, false)];
  return { replicas: MASTERS, ...named("Shared", shared), ...named("Alone", alone) };
}

const named = (suffix: string, counted: Counted): Figures =>
  Object.fromEntries(Object.entries(counted).map(([name, value]) => [`${name}${suffix}`, value]));

function count(machines: number, seconds: number, seed: number, isShared: boolean): Counted {
  const safetyMs = BEGIN_MS + 1000 * seconds;
  const told = {
    cell: "replicated",
    store: "memory",
    masters: MASTERS,
    machines,
    clients: 2,
    frameworks: 0,
    faults: new Set<FaultKind>(),
    upgradesMs: [],
  } as const;
  const options = drawOptions(seed, { ...told, safetyMs, healingMs: 1 });
  const parts = cellParts(options, newNativeSha256);
  const masters = new Map<string, Master>();
  const watched: Parts = {
    ...parts,
    master: (birth, place) => {
      // Below that version machines are not shared out.
      const actors = parts.master(birth, isShared ? place : { ...place, versionMax: LINK_SHARDS - 1 });
      masters.set(place.address, actors.get(place.address) as unknown as Master);
      return actors;
    },
  };
  const world = new World(options, watched);
  const counted: Counted = { reports: 0, reportBytes: 0, handedOn: 0, handedOnBytes: 0, allReports: 0 };
  const leader = (): string | undefined => [...masters].find(([, { role }]) => role === "leading")?.[0];
  watch(world, leader, counted);
  world.run();
  return counted;
}

/** Everything that goes from one process to another, as the network is given it. */
function watch(world: World, leader: () => string | undefined, counted: Counted): void {
  const send = world.network.send.bind(world.network);
  world.network.send = (sender, from, to, message) => {
    if (world.kernel.nowMs >= BEGIN_MS) look(leader(), to, message as Framed<FromBorglet> | FromLink, counted);
    send(sender, from, to, message);
  };
}

function look(leader: string | undefined, to: string, message: Framed<FromBorglet> | FromLink, counted: Counted): void {
  if (message.type === "frame" && message.frame.case === "report") {
    counted.allReports += 1;
    if (leader === undefined || to !== linkOf(leader)) return;
    counted.reports += 1;
    counted.reportBytes += encode(ReportSchema, message.frame.value).length;
  }
  if (to !== leader || (message.type !== "ops" && message.type !== "usage")) return;
  counted.handedOn += 1;
  counted.handedOnBytes +=
    message.type === "ops"
      ? message.ops.reduce((sum, op) => sum + op.length, 0)
      : encode(ReportsSchema, reportsOf(message.machines)).length;
}
