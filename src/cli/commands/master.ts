/** `borg master`: one replica of a cell, in the foreground, at its own address. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DataDirectory, isAlive } from "../../daemon/data.ts";
import { idsOf } from "../../daemon/host-ids.ts";
import { runMaster } from "../../daemon/master-process.ts";
import { ownReplicasOf } from "../../daemon/replicas.ts";
import { ownCell } from "../config.ts";
import type { Context } from "../context.ts";
import { Failure } from "../exit.ts";

export interface MasterCommandOptions {
  readonly replica: string;
  readonly etcd?: string;
  readonly data?: string;
}

const URLS_MAX = 9;

export async function master(context: Context, options: MasterCommandOptions): Promise<number> {
  const { terminal } = context;
  const path = resolve(terminal.cwd, options.data ?? ownCell(context.flags.cell, terminal.env).data);
  const data = existsSync(path) ? new DataDirectory(path) : undefined;
  const cell = data?.readCell();
  if (data === undefined || cell === undefined)
    throw new Failure("notFound", `There is no cell in "${path}"`, "name its directory with --data");
  const replicas = ownReplicasOf(cell);
  if (replicas.length === 0)
    throw new Failure(
      "usage",
      `Cell "${cell.cell}" has one master and no replicas`,
      "borg up runs it; a replicated cell is made with borg up --replicas 3",
    );
  const replica = Number(options.replica);
  if (!replicas.includes(replica))
    throw new Failure("usage", `Cell "${cell.cell}" has no replica "${options.replica}"`, `one of ${replicas.join(", ")}`);
  const running = data.readRun()?.processes[`master-${replica}`];
  if (running !== undefined && isAlive(running))
    throw new Failure("refused", `Replica ${replica} runs already (pid ${running.pid})`, "borg status shows it, borg down stops the cell");
  const uid = process.getuid?.() === 0 ? idsOf(cell.id, data.path).first : undefined;
  return runMaster(data, uid, replica, options.etcd === undefined ? undefined : urlsOf(options.etcd));
}

function urlsOf(text: string): readonly string[] {
  const urls = text.split(",").map((url) => url.trim());
  if (urls.length > URLS_MAX) throw new Failure("usage", `Cannot use ${urls.length} addresses for --etcd`, `at most ${URLS_MAX}`);
  for (const url of urls)
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new Failure("usage", `Cannot use "${url}" as an address of etcd`, "as in https://127.0.0.1:7900");
  return urls;
}
