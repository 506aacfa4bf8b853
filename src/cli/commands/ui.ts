/** `borg ui`: a one-time link to the cell's pages, for a browser of this machine. */
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { durationText, plural } from "../text/units.ts";

export async function ui(context: Context, options: { readonly end?: boolean }): Promise<number> {
  if (options.end === true) {
    const { sessions } = await context.ask((client) => client.endUi({}));
    context.tell(`Ended ${plural(sessions, "session")} in browsers`, { ended: sessions });
    return EXIT.done;
  }
  const { url, ttlMs } = await context.ask((client) => client.openUi({}));
  if (context.json) context.printJson({ url, ttlMs });
  else {
    context.terminal.complain(
      `Open this in a browser of the cell's machine within ${durationText(ttlMs)}; it is good once, and shows what you may see:\n`,
    );
    context.terminal.print(`${url}\n`);
  }
  return EXIT.done;
}
