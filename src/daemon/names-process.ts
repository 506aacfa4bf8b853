/**
 * The process that tells names to the tasks of this machine, at the cell's own address of loopback. It starts with its sockets bound and gives up root before it
 * hears anybody. It outlives masters, borglets and its supervisor: tasks that go on have nobody else to ask. When they have ended too, so does it.
 */

import { constants, lchownSync, openSync, readdirSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { resolverReply } from "../bns/resolver.ts";
import { DnsServer } from "../bns/server.ts";
import { askDoors, Upstream } from "../bns/upstream.ts";
import { newLog } from "../shell/log.ts";
import type { DataDirectory } from "./data.ts";
import { inherited } from "./descriptors.ts";
import { IDS_PER_CELL, type IdRange, namesAddressOf } from "./host-ids.ts";

const LOOK_MS = 5_000;
/** A task that is being started may not be there at one look. */
const EMPTY_LOOKS_MAX = 3;
/** All tasks of a machine ask from one address. */
const LIMITS = { perSource: 2000, all: 2000 } as const;

export async function runNames(data: DataDirectory, uid: number | undefined): Promise<number> {
  const log = newLog("names");
  const cell = data.readCell();
  const sockets = new Map(inherited(process.env).map(({ name, fd }) => [name, fd]));
  const [udp, tcp] = [sockets.get("names-udp"), sockets.get("names-tcp")];
  if (cell === undefined || uid === undefined || udp === undefined || tcp === undefined) {
    log("This is started by borg up, as root");
    return 2;
  }
  const supervisor = process.ppid;
  const ids = { first: uid, last: uid + IDS_PER_CELL - 1 };
  const doors = become(uid, data.names);
  const upstream = new Upstream(namesAddressOf(ids));
  const reply = resolverReply({
    cell: cell.cell,
    domain: cell.dnsDomain ?? "",
    askCell: (bytes) => askDoors(bytes, doors),
    askOthers: (bytes, isDatagram) => upstream.ask(bytes, isDatagram),
  });
  const server = await DnsServer.listen({ at: { kind: "handed", udp, tcp }, reply, log, limits: LIMITS });
  log(`Tasks of this machine ask ${namesAddressOf(ids)} for names`);
  const stopped = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopped.abort());
  for (let empty = 0; !stopped.signal.aborted && empty < EMPTY_LOOKS_MAX; ) {
    await sleep(LOOK_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    empty = process.ppid === supervisor || hasTasks(ids) ? 0 : empty + 1;
  }
  await server.close();
  return 0;
}

/** Gives up root for good. The directory is reached through a descriptor then: its new owner may not pass through those above it. */
function become(uid: number, directory: string): string {
  lchownSync(directory, uid, uid);
  const opened = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
  return `/proc/self/fd/${opened}`;
}

/** Whether any process has an id of the cell's tasks; where others' processes cannot be seen, there may be. */
function hasTasks({ first, last }: IdRange): boolean {
  if (ownerOf("1") === undefined) return true;
  return readdirSync("/proc").some((name) => {
    const owner = /^[0-9]+$/.test(name) ? ownerOf(name) : undefined;
    return owner !== undefined && owner > first && owner <= last;
  });
}

const ownerOf = (pid: string): number | undefined => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
