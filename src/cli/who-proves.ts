/** What tickets are made of: where a cell is for others, and whose certificates it shows. Its owner finds both in its directory. */
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Context } from "./context.ts";
import { Failure } from "./exit.ts";
import { codeOf } from "./private-file.ts";
import type { Ticket } from "./ticket.ts";

/** `others`: the addresses of the other masters of a cell on several machines. */
export async function whoProves(context: Context): Promise<Omit<Ticket, "token"> & { readonly others?: readonly string[] }> {
  const { at } = context.cell();
  if (at.kind === "tls") return { cell: at.cell, url: at.url, authorities: at.authorities };
  const [{ DataDirectory }, { Keys }, { inUrl }] = await Promise.all([
    import("../daemon/data.ts"),
    import("../daemon/keys.ts"),
    import("../daemon/replicas.ts"),
  ]);
  const data = new DataDirectory(dirname(at.path));
  const cell = data.readCell();
  if (cell === undefined)
    throw new Failure("notFound", `There is no cell in "${data.path}"`, "only the cell's own directory says how it proves itself");
  const others = (cell.spread?.masters ?? []).map(({ host }) => host).filter((host) => host !== cell.host);
  return {
    ...(others.length === 0 ? {} : { others }),
    cell: cell.cell,
    url: `https://${inUrl(cell.host)}:${cell.port}`,
    authorities: new Keys(data, cell.cell).authorities(),
  };
}

/** Never over a file that is there: it may be somebody's only token. */
export function writeTicket(file: string, ticket: string): void {
  try {
    writeFileSync(file, `${ticket}\n`, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    throw new Failure("usage", `Cannot write the ticket to "${file}": ${codeOf(cause)}`, "choose another file; no token was made", {
      cause,
    });
  }
}
