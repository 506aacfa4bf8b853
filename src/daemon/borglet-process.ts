/**
 * One borglet process of `borg up`: a share of this machine with a directory, a control group, ports and user ids of its own. SIGTERM ends it and leaves
 * its tasks running; SIGUSR2 ends the tasks too.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { type BorgletProcessOptions, endTasks, runBorglet } from "../borglet/linux/machine.ts";
import { newLog } from "../shell/log.ts";
import { keepCompiled } from "../shell/thread-side.ts";
import type { DataDirectory } from "./data.ts";
import { describedNow, watchDescription } from "./description-watch.ts";
import { type IdRange, idsOf, namesAddressOf } from "./host-ids.ts";
import { Keys } from "./keys.ts";
import { abilityOptions, type MachineShare, machineBase, machineIndex } from "./machine-share.ts";
import { resolverFile } from "./names-sockets.ts";
import { replicasOf } from "./replicas.ts";
import { nameOn } from "./site.ts";

const KILL_NOTICE_MS = 5_000;

/** `onlyEnd`: it starts nothing, ends the tasks that are there, says how many on standard output, and ends. */
export async function runBorgletProcess(data: DataDirectory, share: MachineShare, onlyEnd = false): Promise<number> {
  const cell = data.readCell();
  const log = newLog(share.machine);
  if (cell === undefined) {
    log(`There is no cell in "${data.path}": borg up makes one`);
    return 2;
  }
  const { machine, cpuMilli, ramBytes, diskBytes, portFirst, portLast } = share;
  const described = cell.described ?? {};
  const name = nameOn(data);
  const place = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const ended = Promise.withResolvers<number>();
  const keys = new Keys(data, cell.cell, cell.spread?.self);
  const options: BorgletProcessOptions = {
    machine,
    cell: cell.cell,
    directory: data.machine(machine),
    name: join(name, "machines", machine),
    master: { kind: "unix", path: data.socket("link") },
    hasOtherMasters: replicasOf(cell).length > 1,
    identity: keys.machine(machine),
    authorities: keys.authorities(),
    capacity: { cpuMilli, ramBytes, diskBytes },
    ports: { first: portFirst, last: portLast },
    host: cell.host,
    cgroupParent: `borg-${place}-${machine}`,
    ...(process.getuid?.() === 0 ? idOptions(idsOf(cell.id, data.path), machineIndex(machine, machineBase(cell)), cell.machines) : {}),
    ...(cell.keepMs === undefined ? {} : { logLimits: { keepMs: cell.keepMs } }),
    abilities: abilityOptions(process.env),
    description: describedNow(described, machine, log),
    ...(cell.trustAllUsers === true ? {} : { onlyUser: cell.owner }),
    log,
    crash: (error) => {
      log(`The borglet failed: ${error instanceof Error ? error.stack : String(error)}`, { level: "error" });
      ended.resolve(70);
    },
  };
  if (onlyEnd) {
    process.stdout.write(`${await endTasks(options, KILL_NOTICE_MS)}\n`);
    return 0;
  }
  const borglet = await runBorglet(options);
  keepCompiled();
  watchDescription(described, machine, (description) => borglet.describe(description), log);
  process.once("SIGUSR2", () => {
    void borglet.killAll(KILL_NOTICE_MS).then((tasks) => {
      log(`${tasks} tasks have ended`);
      ended.resolve(0);
    });
  });
  process.once("SIGTERM", () => void borglet.stop().then(() => ended.resolve(0)));
  process.on("SIGINT", () => undefined);
  return ended.promise;
}

/** What only root gives its tasks. */
const idOptions = (ids: IdRange, index: number, machines: number): Pick<BorgletProcessOptions, "uids" | "resolver"> => ({
  uids: uidsOf(ids, index, machines),
  resolver: () => resolverFile(namesAddressOf(ids)),
});

/** Borglets of one host never share user ids: of those after the master's, m3 of three takes the third part. */
function uidsOf(ids: IdRange, index: number, machines: number): IdRange {
  const each = Math.floor((ids.last - ids.first) / machines);
  const first = ids.first + 1 + index * each;
  return { first, last: first + each - 1 };
}
