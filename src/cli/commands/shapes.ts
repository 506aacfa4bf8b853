/** `borg report shapes`: which tasks fit now (Borg §2.6). */
import type { ShapeFit, ShapeRow } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { sizeText } from "../text/resources.ts";
import { type Column, tableText } from "../text/table.ts";
import { plural } from "../text/units.ts";

type Of = (row: ShapeRow) => ShapeFit | undefined;

const KINDS: readonly (readonly [title: string, of: Of])[] = [
  ["NON-PROD", ({ nonProd }) => nonProd],
  ["PROD", ({ prod }) => prod],
  ["PROD, PREEMPTING", ({ prodMakingWay }) => prodMakingWay],
];

const COLUMNS: readonly Column<ShapeRow>[] = [
  { title: "CPU", value: ({ cpuMilli }) => sizeText("cpu", cpuMilli), side: "right" },
  { title: "RAM", value: ({ ramBytes }) => sizeText("ram", ramBytes), side: "right" },
  ...KINDS.flatMap(([title, of]): Column<ShapeRow>[] => [
    { title, value: (row) => String(of(row)?.tasks ?? 0), side: "right" },
    { title: "MOST RAM", value: (row) => mostText(of(row)), side: "right" },
  ]),
];

const mostText = (fit: ShapeFit | undefined): string => ((fit?.ramBytesMost ?? 0) > 0 ? sizeText("ram", fit?.ramBytesMost ?? 0) : "-");

const fitPlain = (fit: ShapeFit | undefined): object => ({
  taskCount: fit?.tasks ?? 0,
  machineCount: fit?.machines ?? 0,
  ramBytesMost: fit?.ramBytesMost ?? 0,
});

export async function reportShapes(context: Context): Promise<number> {
  const { machines, rows } = await context.ask((client) => client.reportShapes({}));
  if (context.json)
    context.printJson({
      machineCount: machines,
      shapes: rows.map(({ cpuMilli, ramBytes, nonProd, prod, prodMakingWay }) => ({
        ...{ cpuMilli, ramBytes },
        ...{ nonProd: fitPlain(nonProd), prod: fitPlain(prod), prodPreempting: fitPlain(prodMakingWay) },
      })),
    });
  else if (rows.length === 0) context.terminal.complain("Nothing fits now: no machine that takes tasks has room\n");
  else {
    context.terminal.print(
      `So many tasks fit now on ${plural(machines, "machine")}, if all have this cpu and ram. MOST RAM: the largest with this cpu. Of a job: borg why JOB\n\n`,
    );
    context.terminal.print(tableText(COLUMNS, rows, context.terminal));
  }
  return EXIT.done;
}
