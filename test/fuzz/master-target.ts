/** A real master as a target: its processes and threads, its journal on disk, an admin's token. It has no machines: a link that opens is the fuzzer's. */
import { RealCell } from "../e2e/real-cell.ts";
import type { Target } from "./target.ts";

export async function startMaster(): Promise<Target> {
  const cell = await RealCell.start(0);
  const { port, linkPort } = cell.data.readCell()!;
  const pid = cell.pid("master");
  // What the master says of its turns begins anew whenever it is asked.
  let longestMs = 0;
  const ask = async () => {
    const view = await cell.client.getMaster({});
    longestMs = Math.max(longestMs, view.longestTurnMs, view.loopDelayMaxMs);
    return view;
  };
  return {
    port,
    linkPort,
    token: cell.data.ownerToken(),
    linkToken: cell.data.linkToken(),
    stateHash: async () => (await cell.client.getCell({ hash: true })).hash,
    problems: async () => {
      const master = await ask();
      const failed = /^.* (?:failed|ended|Thread).*$/m.exec(cell.logs())?.[0];
      return [...(master.pid === pid ? [] : ["The master was started again"]), ...(failed === undefined ? [] : [failed])];
    },
    delayMaxMs: async () => {
      await ask();
      return longestMs;
    },
    close: () => cell.close(),
  };
}
