/**
 * The sockets of replicas on other machines, on this one: whoever of the cell's directory dials `replicas/N/api.sock`, link.sock or shard.sock is led to that replica, wherever it is, through the port
 * of masters. So an owner's connection, a machine of this host, and `borg status` need not know where a replica lives.
 */
import { mkdirSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { type Endpoint, listen } from "../../rpc/endpoint.ts";
import { replicaSocket } from "../replicas.ts";
import { type PeerAddress, tunnel } from "./client.ts";

const NAMES = ["api", "link", "shard"] as const;
const BACKLOG = 511;
/** Connections that are led on at once, links of machines among them; one more is not kept. */
const OPEN_MAX = 10_000;

export class Doors {
  readonly #directory: string;
  readonly #servers: Server[] = [];
  #open = 0;

  /** `directory`: of all replicas. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  async open(replica: number, at: PeerAddress): Promise<void> {
    for (const name of NAMES) {
      const path = replicaSocket(this.#directory, replica, name);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const server = createServer({ allowHalfOpen: false }, (socket) => void this.#lead(socket, at, `/${name}`));
      const endpoint: Endpoint = { kind: "unix", path };
      await listen(server, endpoint, BACKLOG);
      this.#servers.push(server);
    }
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }

  async #lead(socket: Socket, at: PeerAddress, path: string): Promise<void> {
    socket.on("error", () => socket.destroy());
    if (this.#open >= OPEN_MAX) return void socket.destroy();
    this.#open += 1;
    socket.once("close", () => {
      this.#open -= 1;
    });
    try {
      const other = await tunnel(at, path);
      other.on("error", () => socket.destroy());
      other.once("close", () => socket.destroy());
      socket.once("close", () => other.destroy());
      if (socket.destroyed) return void other.destroy();
      socket.pipe(other).pipe(socket);
    } catch {
      socket.destroy();
    }
  }
}

/** Of a replica that is no longer on another machine, or no longer there. */
export function forgetDoors(directory: string, replica: number): void {
  for (const name of NAMES) rmSync(replicaSocket(directory, replica, name), { force: true });
}
