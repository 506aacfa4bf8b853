/**
 * Where the replicas of a cell are, and the members of their etcd: names, ports and directories. Beside its shared address, at which whoever lives answers, each replica
 * has one of its own (port + 2n), for the other replicas and for whoever means this one. On several machines the ports are the same, and each replica has its machine's address.
 *
 *   replicas/N/          of replica N: snapshots/, its sockets api.sock and link.sock, pulse.sock, shard.sock
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
const PEER_PORT = 40;

export const replicaName = (replica: number): string => `replica-${replica}`;

/** Undefined for what is no replica's name. */
export function replicaOf(name: string): number | undefined {
  const found = /^replica-([1-9])$/.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** All of the cell, wherever they are. */
export const replicasOf = (cell: CellFile): readonly number[] =>
  cell.spread?.masters.map(({ replica }) => replica) ?? Array.from({ length: cell.replicas ?? 0 }, (_, i) => i + 1);

/** Those that this machine runs. */
export const ownReplicasOf = (cell: CellFile): readonly number[] => (cell.spread === undefined ? replicasOf(cell) : [cell.spread.self]);

/** The machine that a replica is on. */
export const hostOf = (cell: CellFile, replica: number): string =>
  cell.spread?.masters.find((each) => each.replica === replica)?.host ?? cell.host;

/** Under which names and addresses the cell's masters are reached, from this machine or from another. */
export const hostsOf = (cell: CellFile): readonly string[] => [
  ...new Set([
    cell.host,
    "localhost",
    "::1",
    ...(cell.spread === undefined ? [] : ["127.0.0.1"]),
    ...replicasOf(cell).map((each) => hostOf(cell, each)),
  ]),
];

/** Where masters of several machines speak to each other, and new ones ask to join: behind the last port of etcd. */
export const peerPort = (cell: Pick<CellFile, "port">): number => cell.port + PEER_PORT;

/** In an address of the web an IPv6 address stands in brackets. */
export const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

export const replicaPorts = (cell: CellFile, replica: number): { readonly api: number; readonly link: number } => ({
  api: cell.port + 2 * replica,
  link: cell.linkPort + 2 * replica,
});

export const etcdPorts = (cell: Pick<CellFile, "port">, member: number): { readonly client: number; readonly peer: number } => ({
  client: cell.port + ETCD_PORTS + 2 * member,
  peer: cell.port + ETCD_PORTS + 2 * member + 1,
});

export const etcdUrl = (cell: CellFile, member: number): string =>
  `https://${inUrl(hostOf(cell, member))}:${etcdPorts(cell, member).client}`;

/** Where the other members reach it. */
export const etcdPeerUrl = (cell: Pick<CellFile, "port">, member: number, host: string): string =>
  `https://${inUrl(host)}:${etcdPorts(cell, member).peer}`;

export const etcdUrls = (cell: CellFile): readonly string[] => replicasOf(cell).map((member) => etcdUrl(cell, member));

/** `directory`: of all replicas. */
export const replicaSocket = (directory: string, replica: number, name: "api" | "link" | "pulse" | "shard"): string =>
  join(directory, String(replica), `${name}.sock`);

export const snapshotsOf = (directory: string, replica: number): string => join(directory, String(replica), "snapshots");

/** Where another replica is reached, whichever of the cell's addresses was dialled. */
export function leaderAt(directory: string, cell: CellFile, replica: number, name: "api" | "link"): Exclude<Leader, "self" | undefined> {
  const tls: Endpoint = { kind: "tcp", host: hostOf(cell, replica), port: replicaPorts(cell, replica)[name] };
  return { owner: { kind: "unix", path: replicaSocket(directory, replica, name) }, tls };
}
