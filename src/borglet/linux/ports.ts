/** Who listens on this machine, as the kernel tells: a task is not started on a port that somebody else holds. */
import { readFileSync } from "node:fs";

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

/** By port, the inodes of the sockets that listen on it. */
export function listeningSockets(read: (path: string) => string = readTable): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const { port, inode } of TABLES.flatMap((path) => listening(read(path)))) found.set(port, [...(found.get(port) ?? []), inode]);
  return found;
}

/** `0: 0100007F:1F90 00000000:0000 0A ...`: the second word is the address and the port in hex, the fourth the state, the tenth the inode. */
function listening(table: string): { readonly port: number; readonly inode: string }[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
    return state === LISTENS ? [{ port: Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16), inode }] : [];
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
