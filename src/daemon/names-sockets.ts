/**
 * The sockets at which the tasks of this machine ask for names: port 53 of an address of loopback that is the cell's own. `borg up` binds them while it is root; its
 * supervisor keeps them, so that no task takes the address while the resolver is started again.
 */
import { createSocket, type Socket } from "node:dgram";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { resolverWords } from "../bns/upstream.ts";
import { descriptorOf, type NamedSocket } from "./descriptors.ts";

export interface NamesSockets {
  readonly bound: readonly (NamedSocket & { readonly fd: number })[];
  /** Lets go of them in this process; whoever inherited them keeps them. */
  readonly close: () => void;
}

const PORT = 53;
const PORT_HEX = "0035";
const BACKLOG = 64;

/**
 * Throws when somebody else has the address. The resolver that an earlier supervisor left still has it and is only ended by the next one, so the port may be bound
 * once more, by the same user and nobody else.
 */
export async function bindNames(address: string): Promise<NamesSockets> {
  const udp = createSocket({ type: "udp4", reusePort: true });
  const tcp = createServer((socket) => socket.destroy());
  const close = (): void => {
    udp.close();
    tcp.close();
  };
  try {
    await new Promise<void>((resolve, reject) => udp.once("error", reject).bind({ address, port: PORT }, resolve));
    await new Promise<void>((resolve, reject) =>
      tcp.once("error", reject).listen({ host: address, port: PORT, backlog: BACKLOG, reusePort: true }, resolve),
    );
  } catch (error) {
    close();
    throw error;
  }
  const bound = [
    { name: "names-udp" as const, fd: datagramDescriptor(udp) },
    { name: "names-tcp" as const, fd: descriptorOf(tcp) },
  ];
  return { bound, close };
}

/** Node tells the descriptor of a datagram socket to nobody, but keeps it where it can be found. */
function datagramDescriptor(socket: Socket): number {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "state symbol");
  const state = key === undefined ? undefined : (socket as unknown as Readonly<Record<symbol, DatagramState>>)[key];
  const fd = state?.handle?.fd;
  if (fd === undefined || !Number.isInteger(fd) || fd < 0) throw new Error("Cannot tell the descriptor of a bound socket");
  return fd;
}

interface DatagramState {
  readonly handle?: { readonly fd?: number };
}

/** What tasks find as /etc/resolv.conf; undefined while nobody tells names at the address. */
export function resolverFile(address: string): string | undefined {
  if (!isHeld(address)) return undefined;
  return `${["# Names of the cell, and for all others the resolvers of this machine.", `nameserver ${address}`, ...machineWords()].join("\n")}\n`;
}

function machineWords(): readonly string[] {
  try {
    return resolverWords(readFileSync("/etc/resolv.conf", "utf8"));
  } catch {
    return [];
  }
}

/** Whether root holds the address for names: what another user may have bound there answers nobody that is started now. */
export function isHeld(address: string, table: string = readFileSync("/proc/net/udp", "utf8")): boolean {
  const hex = address
    .split(".")
    .reverse()
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
  return table.split("\n").some((line) => {
    const [, local, , , , , , uid] = line.trim().split(/\s+/);
    return local === `${hex}:${PORT_HEX}` && uid === "0";
  });
}
