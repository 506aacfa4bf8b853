/**
 * What a new master is given by one that is there: which replica it is, who the others are, and, sealed for its key alone, the files without which it is no master: both
 * authorities with their keys, and the key of secrets. It is sent once, inside a proven TLS connection, and written down nowhere on the way.
 */
import { join } from "node:path";
import { ok, type Result, refused } from "../../base/result.ts";
import { CHANGE_FILES } from "../authority-change.ts";
import type { CellFile, MasterSeat } from "../data.ts";
import { KEY_FILE } from "../key-ring.ts";
import { openSealed, type Sealed, sealTo } from "./seal.ts";

/** What the masters of a cell share. */
export const SHARED_FILES: readonly string[] = [
  join("master", "authority.key"),
  join("master", "authority.pem"),
  join("etcd", "authority.key"),
  join("etcd", "authority.pem"),
  join("secrets", KEY_FILE),
];

export interface Bundle {
  readonly replica: number;
  readonly masters: readonly MasterSeat[];
  /** As etcd's flag --initial-cluster takes it. */
  readonly cluster: string;
  /** What all machines of the cell have in common. */
  readonly common: Common;
  readonly sealed: Sealed;
}

export type Common = Pick<CellFile, "cell" | "owner" | "port" | "linkPort" | "batchSchedulers" | "trustAllUsers" | "keepMs">;

export const commonOf = ({ cell, owner, port, linkPort, batchSchedulers, trustAllUsers, keepMs }: CellFile): Common => ({
  ...{ cell, owner, port, linkPort },
  ...(batchSchedulers === undefined ? {} : { batchSchedulers }),
  ...(trustAllUsers === undefined ? {} : { trustAllUsers }),
  ...(keepMs === undefined ? {} : { keepMs }),
});

const purposeOf = (cell: string, replica: number): string => `borg: keys of cell ${cell} for its master ${replica}`;

export type SharedFiles = Readonly<Record<string, string>>;

export const sealFiles = (cell: string, replica: number, to: Uint8Array, files: SharedFiles): Sealed =>
  sealTo(to, Buffer.from(JSON.stringify(files)), purposeOf(cell, replica));

/** Only files that masters share, each of them once; beside them those of an exchange of authorities that goes on. */
export function openFiles(bundle: Bundle, key: string): Result<SharedFiles> {
  const plain = openSealed(key, bundle.sealed, purposeOf(bundle.common.cell, bundle.replica));
  if (plain === undefined) return refused("The keys in the answer are not for this machine");
  const files = JSON.parse(Buffer.from(plain).toString("utf8")) as Record<string, unknown>;
  const strange = Object.entries(files).find(
    ([name, text]) => !(SHARED_FILES.includes(name) || CHANGE_FILES.includes(name)) || typeof text !== "string",
  );
  const missing = SHARED_FILES.find((name) => !(name in files));
  if (strange !== undefined || missing !== undefined) return refused(`The answer lacks "${missing ?? ""}", or holds more than keys`);
  return ok(files as SharedFiles);
}
