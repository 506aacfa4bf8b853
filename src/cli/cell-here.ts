/** The cell whose directory is on this machine, for commands that are typed on the machine of a master. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type CellFile, DataDirectory } from "../daemon/data.ts";
import { ownCell } from "./config.ts";
import type { Context } from "./context.ts";
import { Failure } from "./exit.ts";

/** `directory`: as it was typed; without, that of the cell that is meant. */
export function cellHere(
  { terminal, flags }: Context,
  directory: string | undefined,
): { readonly data: DataDirectory; readonly cell: CellFile } {
  const path = resolve(terminal.cwd, directory ?? ownCell(flags.cell, terminal.env).data);
  const data = existsSync(path) ? new DataDirectory(path) : undefined;
  const cell = data?.readCell();
  if (data === undefined || cell === undefined)
    throw new Failure("notFound", `There is no cell in "${path}"`, "this is for the machine of a master; name its directory with --data");
  return { data, cell };
}
