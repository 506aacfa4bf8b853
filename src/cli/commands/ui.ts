/** `borg ui`: a one-time link to the cell's pages, for a browser of this machine. Of a cell that is elsewhere, this command serves them until it is ended. */
import { once } from "node:events";
import { isIP } from "node:net";
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
  const { url, ttlMs } = await context.ask((client) => client.openUi({}));
  tell(context, url, ttlMs, "of the cell's machine ");
  return EXIT.done;
}

async function end(context: Context): Promise<number> {
  const { sessions } = await context.ask((client) => client.endUi({}));
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
