/**
 * Where the replicas of a cell are, and the members of their etcd: names, ports and directories. Beside its shared address, at which whoever lives answers, each replica
 * has one of its own (port + 2n), for the other replicas and for whoever means this one.
 *
 *   replicas/N/          of replica N: snapshots/, its sockets api.sock and link.sock, pulse.sock
 *   etcd/                authority and client certificate of the cell's own etcd
 *   etcd/N/              of member N: its certificate, and its data
 */
import { join } from "node:path";
import type { Endpoint } from "../rpc/endpoint.ts";
import type { Leader } from "../rpc/front-door.ts";
import type { CellFile } from "./data.ts";

/** A majority must be there: two bear the loss of none, four of no more than three. */
export const REPLICAS: readonly number[] = [3, 5];
/** From the cell's port on: replicas have the first twenty, etcd the next. */
const ETCD_PORTS = 20;

export const replicaName = (replica: number): string => `replica-${replica}`;

/** Undefined for what is no replica's name. */
export function replicaOf(name: string): number | undefined {
  const found = /^replica-([1-9])$/.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}

export const replicasOf = (cell: CellFile): readonly number[] => Array.from({ length: cell.replicas ?? 0 }, (_, i) => i + 1);

export const replicaPorts = (cell: CellFile, replica: number): { readonly api: number; readonly link: number } => ({
  api: cell.port + 2 * replica,
  link: cell.linkPort + 2 * replica,
});

export const etcdPorts = (cell: CellFile, member: number): { readonly client: number; readonly peer: number } => ({
  client: cell.port + ETCD_PORTS + 2 * member,
  peer: cell.port + ETCD_PORTS + 2 * member + 1,
});

export const etcdUrl = (cell: CellFile, member: number): string => `https://${cell.host}:${etcdPorts(cell, member).client}`;

export const etcdUrls = (cell: CellFile): readonly string[] => replicasOf(cell).map((member) => etcdUrl(cell, member));

/** `directory`: of all replicas. */
export const replicaSocket = (directory: string, replica: number, name: "api" | "link" | "pulse"): string =>
  join(directory, String(replica), `${name}.sock`);

export const snapshotsOf = (directory: string, replica: number): string => join(directory, String(replica), "snapshots");

/** Where another replica is reached, whichever of the cell's addresses was dialled. */
export function leaderAt(directory: string, cell: CellFile, replica: number, name: "api" | "link"): Exclude<Leader, "self" | undefined> {
  const tls: Endpoint = { kind: "tcp", host: cell.host, port: replicaPorts(cell, replica)[name] };
  return { owner: { kind: "unix", path: replicaSocket(directory, replica, name) }, tls };
}
