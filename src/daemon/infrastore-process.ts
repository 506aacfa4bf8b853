/** The process that keeps the history of a cell (src/infrastore). Without DuckDB for this machine it says so once and ends for good: the cell goes on without. */
import { lchownSync } from "node:fs";
import { join } from "node:path";
import { NoDatabaseError } from "../infrastore/database.ts";
import { Infrastore } from "../infrastore/infrastore.ts";
import { readSettings } from "../infrastore/settings.ts";
import { connectCell } from "../rpc/client.ts";
import type { DataDirectory } from "./data.ts";
import { IDS_PER_CELL } from "./host-ids.ts";

/** `uid`: under root the first of the cell's ids, its master's. Questions are answered as its last. */
export async function runInfrastore(data: DataDirectory, uid: number | undefined): Promise<number> {
  const log = (line: string): void => void process.stderr.write(`${new Date().toISOString()} ${line}\n`);
  const client = connectCell({ at: { kind: "unix", path: data.socket("api") } });
  const door = data.questions;
  if (uid !== undefined) lchownSync(door, uid, uid);
  try {
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
