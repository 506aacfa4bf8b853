/**
 * Hands command lines to tasks, over TCP, in lines that bash can speak. A task says "NODE key name" and waits; mpirun's remote shell says "RUN key name command" and is answered "OK" once that task has the command.
 * Who does not know the key is hung up on: a command runs as the task.
 */
import { timingSafeEqual } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";

const LINE_MAX = 64 * 1024;

export class Switchboard {
  readonly #key: Buffer;
  readonly #server: Server;
  /** Tasks that wait for their command. */
  readonly #nodes = new Map<string, Socket>();
  readonly #ready: (count: number) => void;

  /** `ready`: one more task waits. */
  constructor(key: string, ready: (count: number) => void) {
    this.#key = Buffer.from(key);
    this.#ready = ready;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async listen(host: string): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, host, resolve));
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#nodes.values()) socket.destroy();
  }

  #serve(socket: Socket): void {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", () => socket.destroy());
    const onData = (chunk: string): void => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end < 0 && text.length <= LINE_MAX) return;
      socket.off("data", onData);
      this.#hear(socket, text.slice(0, Math.max(0, end)));
    };
    socket.on("data", onData);
  }

  #hear(socket: Socket, line: string): void {
    const [, what, key = "", name = "", command = ""] = /^(NODE|RUN) (\S+) (\S+) ?(.*)$/.exec(line) ?? [];
    if (what === undefined || !this.#isKey(key)) return void socket.destroy();
    if (what === "NODE") return this.#wait(socket, name);
    const node = this.#nodes.get(name);
    if (node === undefined) return void socket.end(`No task ${name} waits\n`);
    this.#nodes.delete(name);
    node.end(`${command}\n`, () => socket.end("OK\n"));
  }

  #wait(socket: Socket, name: string): void {
    this.#nodes.set(name, socket);
    socket.on("close", () => {
      if (this.#nodes.get(name) === socket) this.#nodes.delete(name);
    });
    // To hear when it hangs up.
    socket.resume();
    this.#ready(this.#nodes.size);
  }

  #isKey(said: string): boolean {
    const bytes = Buffer.from(said);
    return bytes.length === this.#key.length && timingSafeEqual(bytes, this.#key);
  }
}
