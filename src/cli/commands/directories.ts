/** `borg directory ls` and `rm`: what the tasks of an alloc shared, kept on its machine after the alloc is gone. */
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { allMachines } from "../listing.ts";
import { safeLine } from "../text/safe.ts";
import { tableText } from "../text/table.ts";
import { clockText, iso } from "../text/units.ts";

interface Kept {
  readonly alloc: string;
  readonly machine: string;
  readonly untilMs: number;
}

export async function directoryLs(context: Context): Promise<number> {
  const machines = await allMachines(context);
  const kept = machines.flatMap(({ name, directories }) =>
    directories.map(({ alloc, untilMs }): Kept => ({ alloc, machine: name, untilMs })),
  );
  if (context.json) context.printJson(kept.map(({ untilMs, ...each }) => ({ ...each, until: iso(untilMs) })));
  else if (kept.length === 0) context.terminal.print("No directory of yours is kept: an alloc set with keep_directory leaves one\n");
  else context.terminal.print(tableText(COLUMNS, kept, context.terminal));
  return EXIT.done;
}

const COLUMNS = [
  { title: "ALLOC", value: ({ alloc }: Kept) => safeLine(alloc) },
  { title: "MACHINE", value: ({ machine }: Kept) => safeLine(machine) },
  { title: "UNTIL", value: ({ untilMs }: Kept) => (untilMs === 0 ? "" : clockText(untilMs)) },
];

const ALLOC = /^[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9]*\/[0-9]+:[0-9]+$/;

export async function directoryRm(context: Context, alloc: string): Promise<number> {
  if (!ALLOC.test(alloc))
    throw new Failure("usage", `"${alloc}" is no alloc that is gone, such as ann/aset/0:9`, "borg directory ls shows what is kept");
  const { position } = await change(context, `forget the directory of ${alloc}`, (client, requestId) =>
    client.forgetDirectory({ requestId, alloc }),
  );
  context.tell(`The directory of ${alloc} goes`, { alloc, position });
  return EXIT.done;
}
