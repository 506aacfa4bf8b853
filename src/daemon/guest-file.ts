/** What a machine from elsewhere knows of its cell, as a file of its directory. */
import type { DataDirectory } from "./data.ts";
import type { Described } from "./description.ts";

/** What `borg borglet --join` decided when the machine asked first. */
export interface GuestFile {
  readonly cell: string;
  readonly machine: string;
  /** Drawn then: what belongs to it on this host is known by it. */
  readonly id: string;
  /** Where the cell's masters take links, and the authorities (PEM) that prove them. */
  readonly host: string;
  readonly port: number;
  /** Where else; one after the other is dialled until a master answers. */
  readonly others?: readonly string[];
  readonly authorities: string[];
  /** What its owner says of it. */
  readonly described?: Described;
}

const FILE = "guest.json";

export const readGuest = (data: DataDirectory): GuestFile | undefined => data.readJson<GuestFile>(FILE);
export const writeGuest = (data: DataDirectory, guest: GuestFile): void => data.write(FILE, `${JSON.stringify(guest, null, 2)}\n`);

export const atOf = ({ host, others = [], port, cell, authorities }: GuestFile) =>
  ({ kind: "tls", host, others, port, cell, authorities }) as const;
