/**
 * Whose the other end of a TCP connection on this machine is, as the kernel tells: a loopback port has no owner that could be asked. Connections that come
 * together are looked up in one reading of the kernel's tables.
 */
import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** The only state in which a socket surely has its process still: one that was closed shows user 0 and no inode. */
const ESTABLISHED = "01";
/** Tables are not read more often than this, however many connect. */
const READ_MS = 20;

export interface Ends {
  /** The other end, and ours. */
  readonly peer: { readonly address: string; readonly port: number };
  readonly own: { readonly address: string; readonly port: number };
}

export class PeerUids {
  readonly #read: () => Promise<readonly string[]>;
  #next: Promise<readonly string[]> | undefined;

  constructor(read: () => Promise<readonly string[]> = readTables) {
    this.#read = read;
  }

  /** Undefined: the kernel does not know such a connection, or not any more. */
  async of(ends: Ends): Promise<number | undefined> {
    const tables = await this.#tables();
    for (const table of tables) {
      const uid = uidIn(table, ends);
      if (uid !== undefined) return uid;
    }
    return undefined;
  }

  /** Read after the connection was there: one reading serves all who came before it. */
  #tables(): Promise<readonly string[]> {
    this.#next ??= new Promise<void>((resolve) => setTimeout(resolve, READ_MS)).then(() => {
      this.#next = undefined;
      return this.#read();
    });
    return this.#next;
  }
}

const readTables = (): Promise<readonly string[]> =>
  // A kernel without IPv6 has only one of them.
  Promise.all(TABLES.map((path) => readFile(path, "latin1").catch(() => "")));

/** `0: 0100007F:9C40 0100007F:13BA 01 ...`: local end, other end, state, and further on user and inode. The peer's row has its own end first. */
export function uidIn(table: string, { peer, own }: Ends): number | undefined {
  const [locals, remotes] = [endsOf(peer), endsOf(own)];
  for (const line of table.split("\n")) {
    const [, local = "", remote = "", state, , , , uid = "", , inode] = line.trim().split(/\s+/);
    if (state !== ESTABLISHED || inode === "0" || !/^\d+$/.test(uid)) continue;
    if (locals.includes(local) && remotes.includes(remote)) return Number(uid);
  }
  return undefined;
}

/** As the kernel writes them, in the table of each family: a socket of IPv6 may speak IPv4. */
function endsOf({ address, port }: Ends["peer"]): readonly string[] {
  const plain = address.replace(/^::ffff:/i, "");
  if (!isIPv4(plain)) return [];
  const hex = (byte: number): string => byte.toString(16).padStart(2, "0").toUpperCase();
  const four = plain.split(".").reverse().map(Number).map(hex).join("");
  const end = port.toString(16).padStart(4, "0").toUpperCase();
  return [`${four}:${end}`, `0000000000000000FFFF0000${four}:${end}`];
}
