/** From started processes to a cell one can use: it answers, its machines are up, its owner has quota, and it is the user's current cell. */

import { MEASURES } from "../base/dimension.ts";
import { VERSION_MAX } from "../cell/version.ts";
import type { CellFile, DataDirectory } from "../daemon/data.ts";
import { CallError } from "../rpc/call-error.ts";
import { type CellClient, connectCell } from "../rpc/client.ts";
import type { CellView } from "../wire/gen/borg/v1/api_pb.ts";
import { Band } from "../wire/gen/borg/v1/resource_pb.ts";
import { saveOwnCell } from "./config.ts";
import { Failure } from "./exit.ts";
import { BOUND, sizeOf } from "./text/resources.ts";

/** A master that joins waits for those that are there, which read their files anew. */
const READY_MS = 120_000;
/** A replica that does not come up holds nobody up for longer. */
const VERSION_MS = 20_000;

export interface Ready {
  readonly url: string;
  readonly machines: number;
  readonly cpuMilli: number;
  readonly ramBytes: number;
}

/** Waits until the cell answers and every machine is up; then the owner gets quota, and the cell becomes the current one. */
export async function makeReady(data: DataDirectory, cell: CellFile, say: (line: string) => void, signal: AbortSignal): Promise<Ready> {
  const url = `https://${cell.host}:${cell.port}`;
  const startedMs = performance.now();
  const since = (): string => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
  const client = connectCell({ at: { kind: "unix", path: data.socket("api") }, timeoutMs: 2000 });
  const awaited = { data, signal };
  try {
    const view = await until(
      awaited,
      () => client.getCell({}),
      (found) => found.name !== "",
    );
    say(`  master leads at ${url}: journal at position ${view.position} (${since()})`);
    saveOwnCell(cell.cell, data.path);
    const all = await until(
      awaited,
      () => client.getCell({}),
      (found) => found.machinesReachable >= cell.machines,
    );
    say(`  ${all.machinesReachable} of ${cell.spread === undefined ? cell.machines : all.machines} machines up (${since()})`);
    if (cell.spread === undefined) await awaitVersion(awaited, client, say);
    // Another master may begin to lead at any moment.
    await until(
      awaited,
      () => settle(client, cell, all),
      () => true,
    );
    return { url, machines: all.machinesReachable, cpuMilli: all.capacity?.cpuMilli ?? 0, ramBytes: all.capacity?.ramBytes ?? 0 };
  } finally {
    client.close();
  }
}

/** What the one who started the cell wants of it. Done twice it changes nothing more. */
async function settle(client: CellClient, { owner, keepMs }: CellFile, { capacity, config }: CellView): Promise<void> {
  await giveQuota(client, owner, capacity?.cpuMilli ?? 0);
  if (keepMs !== undefined && config !== undefined && config.deadJobKeepMs !== keepMs)
    await client.configureCell({ requestId: crypto.randomUUID(), config: { ...config, deadJobKeepMs: keepMs } });
}

/** All masters of one machine are of one build: the cell does everything that it can as soon as each has said so. Until then what is typed next may be refused. */
async function awaitVersion(awaited: Awaited, client: CellClient, say: (line: string) => void): Promise<void> {
  const { version } = await until(
    awaited,
    () => client.getCell({}),
    (found) => found.version >= VERSION_MAX,
    VERSION_MS,
  );
  if (version < VERSION_MAX) say(`  the cell has version ${version} of ${VERSION_MAX}: not every master has come yet (borg status)`);
}

/** `signal`: nobody will answer any more. */
interface Awaited {
  readonly data: DataDirectory;
  readonly signal: AbortSignal;
}

/** With a time of its own: what is not good by then is answered as it is. */
async function until<T>({ data, signal }: Awaited, ask: () => Promise<T>, isGood: (answer: T) => boolean, ownMs?: number): Promise<T> {
  const startedMs = performance.now();
  const deadline = startedMs + READY_MS;
  for (;;) {
    try {
      const answer = await ask();
      if (isGood(answer) || (ownMs !== undefined && performance.now() - startedMs > ownMs)) return answer;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.code !== "unreachable" && error.code !== "unavailable" && error.code !== "unknown") throw error;
    }
    if (signal.aborted) throw new Failure("fault", "The cell ended before it was ready", `see the logs in ${data.logs}`);
    if (performance.now() > deadline)
      throw new Failure("fault", `The cell is not ready after ${READY_MS / 1000} s`, `see the logs in ${data.logs}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** The owner may use the whole machine for production and has no limit for batch. A quota that was set before is left alone, but grows with the cell. */
async function giveQuota(client: CellClient, owner: string, cpuMilli: number): Promise<void> {
  const { quotas } = await client.listQuota({ user: owner });
  if (!quotas.some((each) => each.band === Band.BATCH))
    await client.setQuota({ requestId: crypto.randomUUID(), user: owner, band: Band.BATCH, quota: { unlimited: true } });
  const production = quotas.find((each) => each.band === Band.PRODUCTION)?.quota?.limit;
  if (production !== undefined && production.cpuMilli >= cpuMilli) return;
  const { capacity } = await client.getCell({});
  if (capacity === undefined) return;
  const sizes = Object.fromEntries(BOUND.map((dimension) => [MEASURES[dimension].field, sizeOf(capacity, dimension)]));
  const limit = { ...sizes, extras: capacity.extras.map(({ name, amount }) => ({ name, amount })) };
  await client.setQuota({ requestId: crypto.randomUUID(), user: owner, band: Band.PRODUCTION, quota: { limit } });
}
