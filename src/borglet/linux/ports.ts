/** Who listens on this machine, as the kernel tells: a task is not started on a port that somebody else holds. */
import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** The state of a socket that listens, in these tables. */
const LISTENS = "0A";

/** The first of these ports that somebody listens on; undefined: none. */
export function heldPort(ports: readonly number[], read: (path: string) => string = readTable): number | undefined {
  if (ports.length === 0) return undefined;
  const held = heldPorts(read);
  return ports.find((port) => held.has(port));
}

/** All ports that somebody listens on. */
export const heldPorts = (read: (path: string) => string = readTable): ReadonlySet<number> => new Set(listeningSockets(read).keys());

/** A socket that listens: its address as the kernel writes it, and its inode. */
export interface Listening {
  readonly port: number;
  readonly address: string;
  readonly inode: string;
}

export function listeningSockets(read: (path: string) => string = readTable): ReadonlyMap<number, readonly Listening[]> {
  const found = new Map<number, Listening[]>();
  for (const each of TABLES.flatMap((path) => listening(read(path)))) found.set(each.port, [...(found.get(each.port) ?? []), each]);
  return found;
}

const ALL_V4 = "00000000";
const ALL_V6 = "0".repeat(32);

/**
 * Which of the sockets on a port would answer who calls this host: the one with its very address, else one that listens on all. Somebody who listens on another
 * address of the machine is not asked. The kernel writes four bytes at a time, the last one first.
 */
export function answering(host: string, sockets: readonly Listening[]): readonly Listening[] {
  if (!isIPv4(host)) return sockets;
  const own = host
    .split(".")
    .reverse()
    .map((byte) => Number(byte).toString(16).padStart(2, "0").toUpperCase())
    .join("");
  const byChoice = [[own, `0000000000000000FFFF0000${own}`], [ALL_V4], [ALL_V6]];
  return byChoice.map((addresses) => sockets.filter(({ address }) => addresses.includes(address))).find(({ length }) => length > 0) ?? [];
}

/** `0: 0100007F:1F90 00000000:0000 0A ...`: the second word is the address and the port in hex, the fourth the state, the tenth the inode. */
function listening(table: string): Listening[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
    const [address = "", port = ""] = local.split(":");
    return state === LISTENS ? [{ port: Number.parseInt(port, 16), address, inode }] : [];
  });
}

function readTable(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // A kernel without IPv6 has no such table.
    return "";
  }
}
