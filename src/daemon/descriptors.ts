/**
 * The sockets of a cell, bound once and handed on: `borg up` binds them, its supervisor keeps them open without listening, and every master gets them as inherited
 * descriptors (the LISTEN_FDS convention: from 3 on). So nobody can take a port between two masters, and who dials meanwhile waits in the kernel.
 */
import { renameSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname } from "node:path";
import { type Endpoint, listen } from "../rpc/endpoint.ts";
import type { CellFile, DataDirectory } from "./data.ts";
import { ownReplicasOf, peerPort, replicaPorts, replicaSocket } from "./replicas.ts";

/** What each is for: users and borglets, on the owner's Unix sockets and on TCP. */
export type CellSocket = "api-owner" | "api" | "link-owner" | "link";
/** Where tasks of this machine ask for names. */
export type ResolverSocket = "names-udp" | "names-tcp";
/** The cell's, those that one replica has for itself, those of the resolver, and the port of masters of several machines. */
export type SocketName = CellSocket | `own-${CellSocket}` | ResolverSocket | "peer";

export const isResolvers = ({ name }: NamedSocket): boolean => name === "names-udp" || name === "names-tcp";

export interface NamedSocket {
  readonly name: SocketName;
  /** Whose it is; absent: all masters of the cell share it. */
  readonly replica?: number;
}

export interface BoundSocket extends NamedSocket {
  readonly endpoint: Endpoint;
  readonly fd: number;
}

/** The first descriptor that is handed on. */
export const FIRST_DESCRIPTOR = 3;
const BACKLOG = 4096;

/** A port that is taken, or a directory that cannot be written: said with the endpoint. */
export class BindError extends Error {
  readonly endpoint: Endpoint;

  constructor(endpoint: Endpoint, cause: unknown) {
    super((cause as Error).message, { cause });
    this.endpoint = endpoint;
  }
}

/** Where a cell is served: on its owner's Unix sockets, and on loopback under both of its addresses. */
export function endpointsOf(data: DataDirectory, cell: CellFile): readonly { readonly name: SocketName; readonly endpoint: Endpoint }[] {
  const ports = { api: cell.port, link: cell.linkPort } as const;
  return (["api", "link"] as const).flatMap((name) => [
    { name: `${name}-owner` as const, endpoint: { kind: "unix" as const, path: data.socket(name) } },
    { name, endpoint: { kind: "tcp" as const, host: cell.host, port: ports[name] } },
    // Pages are for browsers of this machine.
    ...(cell.spread === undefined ? [] : [{ name, endpoint: { kind: "tcp" as const, host: "127.0.0.1", port: ports[name] } }]),
    { name, endpoint: { kind: "tcp" as const, host: "::1", port: ports[name], optional: true } },
  ]);
}

/** Where one replica alone is served. `directory`: of all replicas. */
export function ownEndpointsOf(
  directory: string,
  cell: CellFile,
  replica: number,
): readonly { readonly name: SocketName; readonly endpoint: Endpoint; readonly replica: number }[] {
  const ports = replicaPorts(cell, replica);
  return (["api", "link"] as const).flatMap((name) => [
    {
      name: `own-${name}-owner` as const,
      endpoint: { kind: "unix" as const, path: replicaSocket(directory, replica, name) },
      replica,
    },
    { name: `own-${name}` as const, endpoint: { kind: "tcp" as const, host: cell.host, port: ports[name] }, replica },
    // Pages are for browsers of this machine.
    ...(cell.spread === undefined || name === "link"
      ? []
      : [{ name: "own-api" as const, endpoint: { kind: "tcp" as const, host: "127.0.0.1", port: ports.api }, replica }]),
  ]);
}

/** Binds all of them. `close` lets go of them in this process; whoever inherited them keeps them. */
export async function bindSockets(
  data: DataDirectory,
  cell: CellFile,
): Promise<{ readonly bound: readonly BoundSocket[]; readonly close: () => void }> {
  const bound: BoundSocket[] = [];
  const servers: Server[] = [];
  const close = (): void => {
    for (const server of servers) server.close();
  };
  const own = ownReplicasOf(cell).flatMap((replica) => ownEndpointsOf(dirname(data.replica(replica)), cell, replica));
  const peer = { name: "peer", endpoint: { kind: "tcp", host: cell.host, port: peerPort(cell) } } as const;
  for (const { endpoint, ...named } of [...endpointsOf(data, cell), ...own, ...(cell.spread === undefined ? [] : [peer])]) {
    // Who dials before the first master is there is not kept waiting by a process that never answers.
    const server = createServer((socket) => socket.destroy());
    try {
      await bind(server, endpoint);
    } catch (error) {
      close();
      throw new BindError(endpoint, error);
    }
    if (!server.listening) continue;
    servers.push(server);
    bound.push({ ...named, endpoint, fd: descriptorOf(server) });
  }
  return { bound, close };
}

/** A Unix socket is bound beside its place and renamed: closing it in this process would take its name away. */
async function bind(server: Server, endpoint: Endpoint): Promise<void> {
  if (endpoint.kind !== "unix") return listen(server, endpoint, BACKLOG);
  const beside = `${endpoint.path}.new`;
  await listen(server, { kind: "unix", path: beside }, BACKLOG);
  renameSync(beside, endpoint.path);
}

export function descriptorOf(server: Server): number {
  const { fd } = (server as unknown as { readonly _handle: { readonly fd: number } })._handle;
  if (!Number.isInteger(fd) || fd < 0) throw new Error("Cannot tell the descriptor of a bound socket");
  return fd;
}

/** For the environment of who inherits them. */
export const listenEnvironment = (sockets: readonly NamedSocket[]): Record<string, string> => ({
  LISTEN_FDS: String(sockets.length),
  LISTEN_FDNAMES: sockets.map(({ name, replica }) => (replica === undefined ? name : `${name}@${replica}`)).join(":"),
});

/** What this process inherited; empty when it must bind by itself. */
export function inherited(env: Readonly<Record<string, string | undefined>>): readonly (NamedSocket & { readonly fd: number })[] {
  const count = Number(env["LISTEN_FDS"] ?? "0");
  const names = (env["LISTEN_FDNAMES"] ?? "").split(":");
  if (!Number.isInteger(count) || count <= 0 || names.length !== count) return [];
  return names.map((text, i) => {
    const [name, replica] = text.split("@") as [SocketName, string | undefined];
    return { name, ...(replica === undefined ? {} : { replica: Number(replica) }), fd: FIRST_DESCRIPTOR + i };
  });
}

/** When the cell goes down for good. */
export function removeSockets(data: DataDirectory): void {
  for (const name of ["api", "link"] as const) rmSync(data.socket(name), { force: true });
}
