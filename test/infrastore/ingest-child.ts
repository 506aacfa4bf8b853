/** Follows the made-up cell to its end, in a process that can be killed. Usage: node ingest-child.ts DIRECTORY LAST RING_FROM */
import { Database } from "../../src/infrastore/database.ts";
import { History } from "../../src/infrastore/history.ts";
import { Ingest } from "../../src/infrastore/ingest.ts";
import { growing, madeCell } from "./made-cell.ts";

const [directory = "", last = "0", ringFrom = "0"] = process.argv.slice(2);
const history = new History(directory, await Database.open(), () => 0);
const source = madeCell({ last: growing(Number(ringFrom), Number(last)), ringFrom: Number(ringFrom) });
const ingest = new Ingest({ source, history, now: () => 0, waitMs: 0, rowsMax: 10 });
while (ingest.position < Number(last)) {
  await ingest.step();
  await history.merge();
}
await ingest.write();
