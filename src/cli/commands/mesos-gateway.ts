/** `borg mesos-gateway`: lets programs written for Mesos speak to a cell as this user, until it is ended. */
import { once } from "node:events";
import { CallError } from "../../rpc/call-error.ts";
import { Gateway } from "../../rpc/mesos/gateway.ts";
import { currentCell } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { countOf } from "../input.ts";
import { safeLine } from "../text/safe.ts";

export interface GatewayCommandOptions {
  readonly port: string;
}

const PORT_MAX = 65_535;

export async function mesosGateway(context: Context, options: GatewayCommandOptions): Promise<number> {
  const { terminal, flags } = context;
  const port = countOf("--port", options.port, PORT_MAX);
  const interrupted = terminal.interrupted();
  const user = await userName(context);
  const gateway = await listen(context, port, () => currentCell(flags, terminal.env));
  const url = `http://127.0.0.1:${gateway.port}`;
  if (context.json) context.printJson({ url, user: user ?? null });
  else {
    const as = user === undefined ? "you; the cell cannot be reached yet, SUBSCRIBE waits for it" : `user ${user}`;
    terminal.print(`Frameworks of Mesos reach the cell at ${url} and act as ${as}. Ctrl-C ends it.\n`);
  }
  await Promise.race([interrupted.aborted ? undefined : once(interrupted, "abort"), once(process, "SIGTERM")]);
  await gateway.close();
  return EXIT.done;
}

/** It may be started before its cell, so a cell that is away is no mistake. A token that nobody has is one. */
async function userName(context: Context): Promise<string | undefined> {
  context.cell();
  try {
    return (await (await context.client()).getCell({})).user;
  } catch (error) {
    if (error instanceof CallError && ["unreachable", "unavailable", "unknown"].includes(error.code)) return undefined;
    throw error;
  }
}

async function listen(context: Context, port: number, credentials: () => ReturnType<typeof currentCell>): Promise<Gateway> {
  const uid = process.getuid?.();
  if (uid === undefined) throw new Failure("usage", "A gateway needs a system that tells whose a socket is", "run it on Linux");
  try {
    return await Gateway.listen({ port, credentials, uid, log: (line) => context.terminal.complain(`${safeLine(line)}\n`) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new Failure("refused", `Somebody listens on port ${port} already`, "choose another one with --port", { cause: error });
    if (code === "EACCES") throw new Failure("notPermitted", `You may not listen on port ${port}`, "choose one above 1023 with --port");
    throw error;
  }
}
