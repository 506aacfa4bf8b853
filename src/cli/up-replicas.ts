/** What `borg up --replicas` decides and makes before anything is started: how many, whether etcd is there, keys, and who owns which directory. */
import { lchownSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type CellFile, type DataDirectory, isAlive } from "../daemon/data.ts";
import { EtcdKeys } from "../daemon/etcd-keys.ts";
import { etcdVersion } from "../daemon/etcd-member.ts";
import { idsOf } from "../daemon/host-ids.ts";
import { etcdPorts, ownReplicasOf, REPLICAS, replicaSocket, replicasOf } from "../daemon/replicas.ts";
import { FileVault } from "../daemon/vault.ts";
import { CERTIFICATE_MS, SHORT_MS } from "../rpc/certificates.ts";
import { Failure } from "./exit.ts";

/** Older ones lack what the journal asks for. */
const VERSION_MIN = [3, 4] as const;

export function replicasWished(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const wished = Number(text);
  if (wished === 1 || REPLICAS.includes(wished)) return wished;
  throw new Failure(
    "usage",
    `Cannot use "${text}" for --replicas`,
    "1, 3 or 5: with three the cell bears the loss of one, with five of two",
  );
}

/** What a cell was made with stays: its journal is in files, or in etcd. */
export function replicasFor(data: DataDirectory, known: CellFile | undefined, wished: number | undefined): number | undefined {
  if (known?.spread !== undefined && wished !== undefined)
    throw new Failure(
      "usage",
      `Cell "${known.cell}" is on several machines`,
      "leave --replicas out: borg replica invite and borg join add a master, borg replica remove takes one out",
    );
  if (known?.spread !== undefined) return known.spread.masters.length;
  const wanted = wished ?? known?.replicas ?? 1;
  const is = known?.replicas ?? 1;
  if (known !== undefined && wanted !== is && (is > 1 || data.hasJournal))
    throw new Failure(
      "usage",
      `Cell "${known.cell}" has ${is === 1 ? "one master, with its journal in files" : `${is} replicas, with their journal in etcd`}`,
      "leave --replicas out; a cell with another number is made anew, in another directory (--data)",
    );
  return wanted === 1 ? undefined : wanted;
}

/** Said before anything is started: a member that cannot have its port would only say it in its log. */
export async function refuseWithoutEtcd(data: DataDirectory, cell: CellFile): Promise<void> {
  const version = etcdVersion();
  if (version === undefined)
    throw new Failure(
      "usage",
      "Cannot find etcd, in which several masters keep their journal",
      "install it (Debian: apt install etcd-server), or start the cell with one master: leave --replicas out",
    );
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1]))
    throw new Failure("usage", `Cannot use etcd ${version}`, `install ${VERSION_MIN.join(".")} or newer`);
  // What a supervisor that was killed left behind has these ports, and goes when the next one starts.
  if (Object.values(data.readRun()?.processes ?? {}).some(isAlive)) return;
  for (const member of ownReplicasOf(cell)) {
    for (const port of Object.values(etcdPorts(cell, member))) {
      if (await isFree(cell.host, port)) continue;
      throw new Failure("usage", `Cannot use port ${port} for etcd member ${member}: somebody else does`, "choose another one with --port");
    }
  }
}

/**
 * The replicas of one machine share keys, packages and the key of secrets; the key must be there before they look for it. Where other machines have masters too it is
 * only handed over: a new one would open nothing.
 */
export async function prepareReplicas(data: DataDirectory, cell: CellFile): Promise<boolean> {
  const replicas = ownReplicasOf(cell);
  const lifeMs = cell.spread === undefined ? CERTIFICATE_MS : SHORT_MS;
  const isNew = await new EtcdKeys(data).prepare({ cell: cell.cell, host: cell.host, lifeMs }, replicas, Date.now());
  if (replicas.length === replicasOf(cell).length) new FileVault(data.secrets);
  for (const replica of replicas) data.replica(replica);
  if (process.getuid?.() !== 0) return isNew;
  const { first: uid } = idsOf(cell.id, data.path);
  const own = (path: string): void => lchownSync(path, uid, uid);
  own(data.replicas);
  for (const replica of replicas) {
    for (const directory of [data.replica(replica), data.etcdMember(replica)]) {
      own(directory);
      for (const name of readdirSync(directory)) own(join(directory, name));
    }
    for (const name of ["api", "link"] as const) own(replicaSocket(data.replicas, replica, name));
  }
  return isNew;
}

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
