/** `borg bench`: runs a bench of the repository in a process of its own, with its arguments as they are. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { home } from "../home.ts";

export async function bench(context: Context, args: readonly string[]): Promise<number> {
  const found = home();
  const file = found === undefined ? "" : join(found.directory, "bench", "main.ts");
  if (found === undefined || !existsSync(file))
    throw new Failure("usage", "Cannot find the benches", "they come with the repository, not with the bundle alone");
  const more = context.json ? ["--json"] : [];
  const child = spawn(process.execPath, ["--expose-gc", "--max-old-space-size=8192", file, ...args, ...more], {
    stdio: "inherit",
    env: context.terminal.env,
  });
  // Ctrl-C reaches the child by itself; we stay to tell how it ended.
  context.terminal.interrupted();
  return new Promise((done, failed) => {
    child.on("error", (cause) => failed(new Failure("fault", `Cannot start "${file}"`, undefined, { cause })));
    child.on("exit", (code, signal) => done(signal === "SIGINT" ? EXIT.interrupted : (code ?? EXIT.fault)));
  });
}
