/**
 * Lets a new master in: proves that it holds its key, takes its token away, gives it a number, adds its member to etcd as a learner, and seals the cell's keys for it. Whatever
 * fails after the token was taken is undone but for the token: who joins asks for another.
 */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ok, type Result, refused } from "../../base/result.ts";
import { publicKeyOfRequest } from "../../rpc/certificates.ts";
import type { ClusterMember, EtcdCluster } from "../../store/etcd-cluster.ts";
import type { CellFile } from "../data.ts";
import { memberName } from "../etcd-member.ts";
import { etcdPeerUrl } from "../replicas.ts";
import type { Roster } from "../roster.ts";
import { type Bundle, commonOf, type SharedFiles, sealFiles } from "./bundle.ts";
import type { JoinRequest } from "./server.ts";

export interface AdmissionParts {
  readonly cell: CellFile;
  readonly roster: Pick<Roster, "admit" | "read" | "remove">;
  readonly cluster: Pick<EtcdCluster, "list" | "addLearner">;
  /** What masters share, as it is now; undefined: something of it is missing here. */
  readonly files: () => SharedFiles | undefined;
  readonly now: () => number;
}

export async function admitMaster(parts: AdmissionParts, { token, request, host }: JoinRequest): Promise<Result<Bundle>> {
  const { cell, roster, cluster, now } = parts;
  if (isIP(host) === 0 || isUnspecified(host))
    return refused(`"${host.slice(0, 64)}" is no address of a machine: --address takes one, as in 10.0.0.2`);
  const publicKey = await publicKeyOfRequest(request);
  if (publicKey === undefined) return refused("Its certificate request is not signed with its own key");
  const files = parts.files();
  if (files === undefined) return refused("This master has no key of secrets itself now: ask another one, or again in some seconds");
  const unfinished = (await cluster.list()).find((member) => member.isLearner || member.name === "");
  if (unfinished !== undefined)
    return refused(
      `${nameOf(unfinished)} joins just now, and one at a time does: ask again, or take it out if it never came (borg replica remove)`,
    );
  const key = createHash("sha256").update(publicKey).digest("hex");
  const admitted = await roster.admit(createHash("sha256").update(token).digest("hex"), { host, key }, now());
  if (!admitted.ok) return admitted;
  const replica = admitted.value;
  try {
    const members = await added(cluster, etcdPeerUrl(cell, replica, host));
    const { masters } = await roster.read();
    const sealed = sealFiles(cell.cell, replica, publicKey, files);
    return ok({ replica, masters, cluster: clusterOf(members, replica), common: commonOf(cell), sealed });
  } catch (error) {
    await roster.remove(replica);
    return refused(
      `Its member cannot be added to etcd: ${(error as Error).message}. The ticket is used up: borg replica invite makes another`,
    );
  }
}

/** etcd takes no member while it does not know for sure that all others are well: for some seconds after the last one joined. It has changed nothing then. */
const NOT_YET = /unhealthy cluster|not enough started members/;
/** Together less than who joins waits for an answer. */
const TRIES_MAX = 16;
const TRY_EVERY_MS = 500;

async function added(cluster: AdmissionParts["cluster"], peerUrl: string): Promise<readonly ClusterMember[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await cluster.addLearner(peerUrl);
    } catch (error) {
      if (tries === TRIES_MAX || !NOT_YET.test((error as Error).message)) throw error;
      await sleep(TRY_EVERY_MS);
    }
  }
}

const isUnspecified = (host: string): boolean => host === "0.0.0.0" || host === "::" || host.startsWith("127.") || host === "::1";

/** The new one has no name yet. */
const clusterOf = (members: readonly ClusterMember[], replica: number): string =>
  members.flatMap(({ name, peerUrls }) => peerUrls.map((url) => `${name || memberName(replica)}=${url}`)).join(",");

const nameOf = ({ name, peerUrls }: ClusterMember): string => `The member of etcd at ${peerUrls.join(", ") || name}`;
