/** `borg etcd defragment`: room that the cell's etcd no longer needs is given back. Typed on the machine of a master, by the cell's owner. */
import { EtcdKeys } from "../../daemon/etcd-keys.ts";
import { etcdUrls } from "../../daemon/replicas.ts";
import { type CareResult, giveBackRoom } from "../../store/etcd-care.ts";
import { cellHere } from "../cell-here.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { tableText } from "../text/table.ts";
import { bytesText } from "../text/units.ts";

export interface EtcdOptions {
  readonly data?: string;
}

export async function etcdDefragment(context: Context, options: EtcdOptions): Promise<number> {
  const { terminal } = context;
  const { data, cell } = cellHere(context, options.data);
  if (cell.replicas === undefined)
    throw new Failure("refused", `Cell "${cell.cell}" has no etcd: it has one master, whose journal is in files`, "there is nothing to do");
  const result = await giveBackRoom(etcdUrls(cell), new EtcdKeys(data).client(), (url) => {
    if (!context.json) terminal.complain(`  ${url} writes its data anew\n`);
  }).catch((cause: Error) => {
    throw new Failure(
      "unreachable",
      `The room of etcd was not given back everywhere: ${cause.message}`,
      "borg status shows which member is away; bring it back and type this again",
    );
  });
  if (context.json) context.printJson({ cell: cell.cell, etcd: result.members, alarms: result.alarms });
  else terminal.print(textOf(result, context));
  return EXIT.done;
}

function textOf({ members, alarms }: CareResult, context: Context): string {
  const table = tableText(
    [
      { title: "ETCD", value: ({ url }) => url },
      { title: "BEFORE", value: ({ bytesBefore }) => bytesText(bytesBefore), side: "right" },
      { title: "NOW", value: ({ bytesAfter }) => bytesText(bytesAfter), side: "right" },
    ],
    members,
    context.terminal,
  );
  const ended = alarms === 0 ? "" : "\nThe alarm for lack of room is ended: changes are taken again";
  return `${table}${ended}`;
}
