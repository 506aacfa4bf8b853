/** One member of a cell's own etcd, as the supervisor starts it: at its machine's address, with TLS on both of its ports under an authority that is only for it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { CellFile } from "./data.ts";
import { MEMBER_FILES } from "./etcd-keys.ts";
import { etcdPeerUrl, etcdUrl, hostOf, replicasOf } from "./replicas.ts";

export const ETCD = "etcd";
/** At it etcd takes no more; the cell takes no jobs at 80 % of it. */
const QUOTA_BYTES = 2 * 2 ** 30;

export const memberName = (member: number): string => `etcd-${member}`;

/** What this machine's etcd is; undefined when there is none. */
export function etcdVersion(): string | undefined {
  const { status, stdout } = spawnSync(ETCD, ["--version"], { encoding: "utf8" });
  return status === 0 ? /etcd Version: ([0-9.]+)/.exec(stdout)?.[1] : undefined;
}

/** `directory`: of this member, as that process reaches it. */
export function memberArgs(cell: CellFile, member: number, directory: string): readonly string[] {
  const peerUrl = (each: number): string => etcdPeerUrl(cell, each, hostOf(cell, each));
  const all = replicasOf(cell).map((each) => `${memberName(each)}=${peerUrl(each)}`);
  const file = (name: keyof typeof MEMBER_FILES): string => join(directory, MEMBER_FILES[name]);
  const flags: Readonly<Record<string, string>> = {
    name: memberName(member),
    "data-dir": join(directory, "data"),
    "listen-client-urls": etcdUrl(cell, member),
    "advertise-client-urls": etcdUrl(cell, member),
    "listen-peer-urls": peerUrl(member),
    "initial-advertise-peer-urls": peerUrl(member),
    // What a member was told first counts; one that has data looks there.
    "initial-cluster": cell.spread?.cluster ?? all.join(","),
    "initial-cluster-state": cell.spread?.cluster === undefined ? "new" : "existing",
    "initial-cluster-token": cell.id,
    "cert-file": file("certificate"),
    "key-file": file("key"),
    "trusted-ca-file": file("authority"),
    "peer-cert-file": file("certificate"),
    "peer-key-file": file("key"),
    "peer-trusted-ca-file": file("authority"),
    "quota-backend-bytes": String(QUOTA_BYTES),
    // Replicas find their place by position, so nobody needs old revisions.
    "auto-compaction-mode": "periodic",
    "auto-compaction-retention": "1h",
    "log-level": "warn",
  };
  const named = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  // A member that was cut off does not force an election on the others when it is back: without it, service returned 2 to 4 s after the majority, and 0 to 1.3 s with it.
  return [...named, "--client-cert-auth", "--peer-client-cert-auth", "--pre-vote"];
}
