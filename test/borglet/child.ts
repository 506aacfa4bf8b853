/** A borglet process for the tests. Its options come as JSON in the first argument; "kill" on stdin ends all tasks, SIGTERM only the borglet; "reject" rejects a promise for which nobody waits. */
import { createInterface } from "node:readline";
import { type BorgletProcessOptions, runBorglet } from "../../src/borglet/linux/machine.ts";

// The strictest that people use: what tasks must reach, they must reach all the same.
process.umask(0o077);
const options = JSON.parse(process.argv[2] ?? "{}") as Omit<BorgletProcessOptions, "log" | "crash">;
const handle = await runBorglet({
  ...options,
  log: (line) => void process.stderr.write(`${line}\n`),
  crash: (error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(70);
  },
});
process.stdout.write("ready\n");
process.on("SIGTERM", () => void handle.stop().then(() => process.exit(0)));
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "kill") void handle.killAll(0).then(() => process.exit(0));
  if (line === "reject") void Promise.reject(new Error("Nobody waits for this"));
});
