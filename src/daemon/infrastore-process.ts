/** The process that keeps the history of a cell (src/infrastore). Without DuckDB for this machine it says so once and ends for good: the cell goes on without. */

import { lchownSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { NoDatabaseError } from "../infrastore/database.ts";
import { readSettings } from "../infrastore/settings.ts";
import { type CellClient, connectCell } from "../rpc/client.ts";
import { newLog } from "../shell/log.ts";
import type { DataDirectory } from "./data.ts";
import { IDS_PER_CELL } from "./host-ids.ts";

const AGAIN_MS = 500;
/** Its work can wait, that of the master and of tasks cannot. */
const NICENESS = 5;

/** Until the cell answers: while it starts, nothing is taken from it. */
async function ready(client: CellClient): Promise<void> {
  for (;;) {
    try {
      await client.getCell({});
      return;
    } catch {
      await new Promise((again) => setTimeout(again, AGAIN_MS));
    }
  }
}

/** `uid`: under root the first of the cell's ids, its master's. Questions are answered as its last. */
export async function runInfrastore(data: DataDirectory, uid: number | undefined): Promise<number> {
  const log = newLog("infrastore");
  const client = connectCell({ at: { kind: "unix", path: data.socket("api") } });
  setPriority(NICENESS);
  const door = data.questions;
  if (uid !== undefined) lchownSync(door, uid, uid);
  try {
    await ready(client);
    const { Infrastore } = await import("../infrastore/infrastore.ts");
    const store = await Infrastore.open({
      client,
      directory: data.history,
      door,
      masterUid: uid,
      questionUid: uid === undefined ? undefined : uid + IDS_PER_CELL - 1,
      settings: () => readSettings(join(data.path, "infrastore.json"), log),
      log,
    });
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.once(
        signal,
        () =>
          void store.stop().then(
            () => process.exit(0),
            () => process.exit(1),
          ),
      );
    await store.run();
    return 0;
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return error instanceof NoDatabaseError ? 2 : 1;
  }
}
