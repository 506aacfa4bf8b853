/** `borg ui`: a one-time link to the cell's pages, for a browser of this machine. Of a cell that is elsewhere, this command serves them until it is ended. */
import { once } from "node:events";
import { isIP } from "node:net";
import { CallError } from "../../rpc/call-error.ts";
import type { CellAddress } from "../../rpc/client.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { durationText, plural } from "../text/units.ts";

export interface UiOptions {
  readonly end?: boolean;
  readonly here?: boolean;
}

export async function ui(context: Context, options: UiOptions): Promise<number> {
  if (options.end === true) return end(context);
  if (options.here === true || isElsewhere(context.cell().at)) return serve(context);
  const { url, ttlMs } = await opened(context);
  tell(context, url, ttlMs, "of the cell's machine ");
  return EXIT.done;
}

/** Where the cell's masters are on several machines this one's own serves its pages, also while another leads: a browser here reaches no other. */
async function opened(context: Context): Promise<{ readonly url: string; readonly ttlMs: number }> {
  const { sockets, isSpread } = await ownMasters(context);
  const [own] = sockets;
  if (!isSpread || own === undefined) return context.ask((client) => client.openUi({}));
  const client = await context.reach({ kind: "unix", path: own }, undefined);
  try {
    return await context.askOf(client, (own) => own.openUi({}));
  } finally {
    client.close?.();
  }
}

/** The owner's sockets of the masters of this machine, each of which has sessions of its own; none where one master is the cell's, or a token is shown. */
async function ownMasters(context: Context): Promise<{ readonly sockets: readonly string[]; readonly isSpread: boolean }> {
  const { at, data: path } = context.cell();
  if (at.kind !== "unix" || path === undefined) return { sockets: [], isSpread: false };
  const [{ DataDirectory }, { ownReplicasOf, replicaSocket }] = await Promise.all([
    import("../../daemon/data.ts"),
    import("../../daemon/replicas.ts"),
  ]);
  const data = new DataDirectory(path);
  const cell = data.readCell();
  if (cell?.replicas === undefined) return { sockets: [], isSpread: false };
  const sockets = ownReplicasOf(cell).map((replica) => replicaSocket(data.replicas, replica, "api"));
  return { sockets, isSpread: cell.spread !== undefined };
}

async function endedAt(context: Context, path: string): Promise<number> {
  const client = await context.reach({ kind: "unix", path }, undefined);
  try {
    return (await client.endUi({})).sessions;
  } catch (error) {
    // Sessions are in a process's memory: where none is, there are none.
    if (error instanceof CallError && error.code === "unreachable") return 0;
    throw error;
  } finally {
    client.close?.();
  }
}

async function end(context: Context): Promise<number> {
  const { sockets } = await ownMasters(context);
  const each = await Promise.all(sockets.map((path) => endedAt(context, path)));
  const sessions =
    sockets.length > 0 ? each.reduce((sum, count) => sum + count, 0) : (await context.ask((client) => client.endUi({}))).sessions;
  context.tell(`Ended ${plural(sessions, "session")} in browsers`, { ended: sessions });
  return EXIT.done;
}

function tell(context: Context, url: string, ttlMs: number, where: string): void {
  if (context.json) return context.printJson({ url, ttlMs });
  context.terminal.complain(`Open this in a browser ${where}within ${durationText(ttlMs)}; it is good once, and shows what you may see:\n`);
  context.terminal.print(`${url}\n`);
}

/** A browser of this machine cannot open the pages there: they are on loopback only. */
function isElsewhere(at: CellAddress): boolean {
  if (at.kind === "unix") return false;
  const host = (URL.parse(at.url)?.hostname ?? "").replace(/^\[|\]$/g, "");
  return host !== "localhost" && host !== "::1" && !(isIP(host) === 4 && host.startsWith("127."));
}

async function serve(context: Context): Promise<number> {
  const interrupted = context.terminal.interrupted();
  // Whether there is a cell, and whether it knows us, is told here and not in a browser.
  await context.user();
  const { at, token } = context.cell();
  const { PageProxy } = await import("../../rpc/page-proxy.ts");
  const proxy = await PageProxy.listen({ at, token });
  const { url, ttlMs } = proxy.newLink();
  tell(context, url, ttlMs, "of this machine ");
  if (!context.json) context.terminal.complain("The pages are there until Ctrl-C ends this command.\n");
  await Promise.race([interrupted.aborted ? undefined : once(interrupted, "abort"), once(process, "SIGTERM")]);
  await proxy.close();
  return EXIT.done;
}
