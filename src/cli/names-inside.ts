/** Whether tasks of this machine find the cell's names as they find any other, or why not. Only root can bind port 53, and only a jail has a resolv.conf of its own. */
import type { Abilities } from "../borglet/linux/abilities.ts";
import type { CellFile, DataDirectory } from "../daemon/data.ts";
import { idsOf, namesAddressOf } from "../daemon/host-ids.ts";
import { bindNames, type NamesSockets } from "../daemon/names-sockets.ts";

export interface NamesInside extends NamesSockets {
  /** Where tasks ask; undefined: nowhere. */
  readonly address: string | undefined;
  /** For people. */
  readonly text: string;
}

export async function namesInside(data: DataDirectory, cell: CellFile, { user, jail }: Abilities): Promise<NamesInside> {
  if ((cell.dnsPort ?? 0) === 0) return none("DNS is off");
  if (user !== "root") return none("that needs root");
  if (jail === "none") return none("that needs bubblewrap");
  const address = namesAddressOf(idsOf(cell.id, data.path));
  try {
    return { ...(await bindNames(address)), address, text: `inside tasks: getent hosts JOB.USER.${cell.cell}.borg` };
  } catch (error) {
    return none(`somebody else has port 53 of ${address} (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`);
  }
}

const none = (why: string): NamesInside => ({
  bound: [],
  close: () => {},
  address: undefined,
  text: `inside tasks there are none: ${why}`,
});
