/**
 * The attacker of ports.test.ts, run as a task and as a plain user of the cell's host: it tries without end to bind ports that are not its own, at every address that
 * could stand for this machine, keeps what it gets, and writes down what became of each try and every byte that it hears. TAKE names the ports.
 */
import { createServer } from "node:net";

const HOSTS = ["127.0.0.1", "::1", "0.0.0.0", "::"];
const PAUSE_MS = 5;
const TELL_MS = 100;
const LIFE_MS = 120_000;

const outcomes: Record<string, number> = {};
const taken: string[] = [];
let heard = "";

/** What the kernel says, or "bound". */
function outcomeOf(host: string, port: number, reusePort: boolean): Promise<string> {
  const server = createServer((socket) => {
    heard += `<${port}>`;
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      heard += bytes.toString("latin1");
    });
  });
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, reusePort, exclusive: true }, () => resolve("bound"));
  });
}

const tries = (process.env["TAKE"] ?? "")
  .split(",")
  .map(Number)
  .flatMap((port) => HOSTS.flatMap((host) => [false, true].map((reusePort) => ({ port, host, reusePort }))));

const endMs = performance.now() + LIFE_MS;
for (let toldMs = 0; performance.now() < endMs; await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))) {
  for (const { port, host, reusePort } of tries) {
    const at = `${host} ${port}`;
    if (taken.includes(at)) continue;
    const outcome = await outcomeOf(host, port, reusePort);
    if (outcome === "bound") taken.push(at);
    outcomes[`${host} ${outcome}`] = (outcomes[`${host} ${outcome}`] ?? 0) + 1;
  }
  if (performance.now() < toldMs) continue;
  toldMs = performance.now() + TELL_MS;
  process.stdout.write(`${JSON.stringify({ outcomes, taken, heard })}\n`);
}
