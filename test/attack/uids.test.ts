/** Two cells of root on one host, each with its own users: no process of one has a user id of the other's, and none of one may touch what is the other's. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { DataDirectory } from "../../src/daemon/data.ts";
import { type IdRange, idsOf } from "../../src/daemon/host-ids.ts";
import { freePort, instancePids } from "../e2e/real-cell.ts";
import { Typist } from "../e2e/typist.ts";
import { isRoot } from "../nobody.ts";

const JOB = ["--cpu", "10m", "--ram", "32MiB", "--disk", "10MiB", "--restart", "always", "--wait"] as const;

const typists = ["one", "two"].map((name) => new Typist(`uids-${name}`));
const pathOf = ({ home }: Typist): string => join(home, "cell");
after(async () => {
  await Promise.all(typists.map((typist) => typist.borg("down", "--kill", "--data", pathOf(typist))));
  for (const typist of typists) typist.leave();
});

interface Found {
  readonly ids: IdRange;
  /** Of its master, its resolver and its tasks. */
  readonly uids: readonly number[];
}

async function found(typist: Typist, port: number): Promise<Found> {
  const [path, cell] = [pathOf(typist), `uids-${port}`];
  await typist.good("up", "--detach", "--cell", cell, "--data", path, "--port", String(port));
  await typist.good("run", "a", "--count", "2", ...JOB, "--", "sleep", "600");
  await typist.good("run", "b", ...JOB, "--", "sleep", "600");
  const data = new DataDirectory(path);
  const { master, names } = data.readRun()!.processes;
  const pids = [master!.pid, ...(names === undefined ? [] : [names.pid]), ...instancePids(cell).values()];
  return { ids: idsOf(data.readCell()!.id, data.path), uids: pids.map((pid) => statSync(`/proc/${pid}`).uid) };
}

test("no process of one cell has a user of another cell of the host [I1] [KA2]", { skip: !isRoot && "needs root" }, async () => {
  const first = await freePort();
  let second = first;
  while (second === first) second = await freePort();
  const ports = [first, second];
  const cells = await Promise.all(typists.map((typist, i) => found(typist, ports[i]!)));
  const [one, two] = cells as [Found, Found];
  assert.ok(one.ids.last < two.ids.first || two.ids.last < one.ids.first, JSON.stringify(cells));
  for (const { ids, uids } of cells) {
    for (const uid of uids) assert.ok(uid >= ids.first && uid <= ids.last, JSON.stringify(cells));
    assert.ok(new Set(uids).size >= 3, "its master and each of its jobs are users of their own");
  }
});
