/**
 * Where a server listens and a client dials: a Unix socket inside a private directory, an inherited descriptor that is bound already, or TCP.
 * Paths longer than the kernel takes go through the directory's descriptor, which has a short name of its own in /proc.
 */
import { chmodSync, closeSync, constants, openSync, rmSync } from "node:fs";
import type { NetConnectOpts, Server } from "node:net";
import { basename, dirname } from "node:path";

export type Endpoint =
  | { readonly kind: "unix"; readonly path: string }
  /** Bound and listening: it was made before this process, and outlives it. */
  | { readonly kind: "descriptor"; readonly fd: number }
  /** `optional`: a machine without this address does without it. */
  | { readonly kind: "tcp"; readonly host: string; readonly port: number; readonly optional?: boolean };

/** One that no other machine can reach. Of an inherited descriptor only who made it can tell. */
export type LocalEndpoint = Exclude<Endpoint, { readonly kind: "tcp" }>;

/** The kernel's bound on the path of a Unix socket, without its final zero. */
export const UNIX_PATH_BYTES_MAX = 107;

export function describe(endpoint: Endpoint): string {
  if (endpoint.kind === "unix") return endpoint.path;
  return endpoint.kind === "descriptor" ? `descriptor ${endpoint.fd}` : `${endpoint.host}:${endpoint.port}`;
}

/** Resolves when it listens. A socket that an earlier server left at the path is replaced: only its owner can have put it there. */
export function listen(server: Server, endpoint: Endpoint, backlog: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException) => {
      const isMissing = cause.code === "EADDRNOTAVAIL" || cause.code === "EAFNOSUPPORT";
      if (isMissing && endpoint.kind === "tcp" && endpoint.optional === true) resolve();
      else reject(new Error(`Cannot listen at ${describe(endpoint)}: ${cause.code ?? cause.message}`, { cause }));
    };
    server.once("error", failed);
    const listening = (): void => {
      server.off("error", failed);
      resolve();
    };
    if (endpoint.kind === "descriptor") server.listen({ fd: endpoint.fd }, listening);
    else if (endpoint.kind === "tcp") server.listen({ host: endpoint.host, port: endpoint.port, backlog }, listening);
    else listenAtPath(server, endpoint.path, backlog, listening);
  });
}

function listenAtPath(server: Server, path: string, backlog: number, listening: () => void): void {
  rmSync(path, { force: true });
  const short = shortPath(path);
  server.once("close", short.close);
  server.listen({ path: short.path, backlog }, () => {
    chmodSync(path, 0o600);
    listening();
  });
}

/** How node:net and node:http dial it. `close` when the dial is over. */
export function dialOptions(endpoint: Endpoint): { readonly options: NetConnectOpts; readonly close: () => void } {
  if (endpoint.kind === "tcp") return { options: { host: endpoint.host, port: endpoint.port }, close: () => {} };
  if (endpoint.kind === "descriptor") throw new Error(`Cannot dial ${describe(endpoint)}`);
  const { path, close } = shortPath(endpoint.path);
  return { options: { path }, close };
}

/** The path itself where it is short enough. */
export function shortPath(path: string): { readonly path: string; readonly close: () => void } {
  if (Buffer.byteLength(path) <= UNIX_PATH_BYTES_MAX) return { path, close: () => {} };
  const directory = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  let open = true;
  const close = (): void => {
    if (open) closeSync(directory);
    open = false;
  };
  return { path: `/proc/self/fd/${directory}/${basename(path)}`, close };
}
