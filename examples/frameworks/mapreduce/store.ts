/**
 * Blocks and results, over TCP, in lines that a shell can speak: "GET name" is answered with the bytes, "PUT name" takes all that follows. It stands for the file
 * system of a real cell; it keeps all in memory, and gives names that nobody put nothing.
 */
import { createServer, type Server, type Socket } from "node:net";

const BYTES_MAX = 64 * 2 ** 20;

export class Store {
  readonly #kept: Map<string, string>;
  readonly #server: Server;

  constructor(kept: ReadonlyMap<string, string>) {
    this.#kept = new Map(kept);
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket));
  }

  async listen(host: string): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, host, resolve));
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  close(): void {
    this.#server.close();
  }

  get(name: string): string {
    return this.#kept.get(name) ?? "";
  }

  #serve(socket: Socket): void {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.length > BYTES_MAX) return void socket.destroy();
      const asked = /^GET ([a-z0-9-]+)\n/.exec(text);
      if (asked !== null) socket.end(this.get(asked[1] ?? ""));
    });
    socket.on("end", () => {
      const put = /^PUT ([a-z0-9-]+)\n/.exec(text);
      if (put !== null) this.#kept.set(put[1] ?? "", text.slice(put[0].length));
      socket.end("ok\n");
    });
  }
}
