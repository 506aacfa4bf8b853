/**
 * Which ports of this host the tasks of a cell are given: one slot of them. A cell that is up holds its slot by a socket bound to a port that stands for it, so the kernel
 * keeps two cells apart whoever their owners are, and a slot is free when its cell is down. A cell whose tasks were given ports stays with its slot.
 * Anybody can hold such a port; a cell then starts without its slot, and no task is started on a port that somebody has.
 */
import { createServer, type Server } from "node:net";
import { heldPorts } from "../borglet/linux/ports.ts";
import type { CellFile } from "./data.ts";
import { descriptorOf } from "./descriptors.ts";

/** Below the range from which the kernel takes ports for outgoing connections. */
const PORT_FIRST = 20_000;
export const SLOTS = 12;
export const SLOT_PORTS = 1000;
/** Below the slots: one port that stands for each. */
const CLAIM_FIRST = PORT_FIRST - SLOTS;
const HOST = "127.0.0.1";

export interface HeldSlot {
  readonly slot: number;
  /** Held by whoever inherits it. */
  readonly fd: number;
  /** Lets go of it in this process. */
  readonly close: () => void;
}

/** Before a cell wrote its slot down, its port said which one it has. */
export const slotOf = ({ port, portSlot }: Pick<CellFile, "port" | "portSlot">): number => portSlot ?? port % SLOTS;

export const firstPortOf = (cell: Pick<CellFile, "port" | "portSlot">): number => PORT_FIRST + slotOf(cell) * SLOT_PORTS;

/** The port whose holder has the slot. */
export const claimPortOf = (cell: Pick<CellFile, "port" | "portSlot">): number => CLAIM_FIRST + slotOf(cell);

/** Undefined: others hold every slot that it could have. `isBound`: tasks of it may have ports, so it cannot have another slot. */
export async function holdSlot(
  cell: Pick<CellFile, "port" | "portSlot">,
  isBound: boolean,
  held: ReadonlySet<number> = heldPorts(),
): Promise<HeldSlot | undefined> {
  for (const slot of isBound ? [slotOf(cell)] : inOrder(slotOf(cell), held)) {
    const server = createServer((socket) => socket.destroy());
    if (!(await isListening(server, CLAIM_FIRST + slot))) continue;
    return { slot, fd: descriptorOf(server), close: () => void server.close() };
  }
  return undefined;
}

/** Slots of which nobody uses a port come first: a cell that is down may have left tasks running. */
function inOrder(first: number, held: ReadonlySet<number>): readonly number[] {
  const all = Array.from({ length: SLOTS }, (_, i) => (first + i) % SLOTS);
  const used = new Set([...held].map((port) => Math.floor((port - PORT_FIRST) / SLOT_PORTS)));
  return [...all.filter((slot) => !used.has(slot)), ...all.filter((slot) => used.has(slot))];
}

/** False: somebody else has that port. */
function isListening(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error)));
    server.listen({ host: HOST, port }, () => resolve(true));
  });
}
