/** `borg machine remove` and `borg machine reset-term`: what becomes of a machine that is gone, or that obeys nobody. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { KEPT_NAME } from "../../borglet/kept-file.ts";
import { resetTerm } from "../../borglet/linux/reset-term.ts";
import { DataDirectory } from "../../daemon/data.ts";
import { change } from "../change.ts";
import { ownCell } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { plainName } from "../names.ts";

export async function machineRemove(context: Context, text: string): Promise<number> {
  const machine = plainName(text, "a machine");
  const { position } = await change(context, `remove machine ${machine}`, (client, requestId) =>
    client.removeMachine({ requestId, machine }),
  );
  context.tell(`Machine ${machine} is no longer in the cell`, { machine, removed: true, position });
  return EXIT.done;
}

export interface ResetTermOptions {
  readonly data?: string;
  readonly cell?: string;
}

/** On the machine itself, by who owns its directory: whatever comes over a link may come from the very master that must not be obeyed. */
export async function machineResetTerm(context: Context, text: string, options: ResetTermOptions): Promise<number> {
  const { terminal } = context;
  const machine = plainName(text, "a machine");
  const path = resolve(terminal.cwd, options.data ?? ownCell(options.cell, terminal.env).data);
  if (!existsSync(join(path, "machines", machine, KEPT_NAME)))
    throw new Failure("notFound", `No borglet of machine "${machine}" ever ran in "${path}"`, "name the directory it keeps with --data");
  const term = forgotten(new DataDirectory(path).machine(machine));
  if (term === undefined)
    throw new Failure(
      "refused",
      `The borglet of machine "${machine}" runs, and would write its term again`,
      `stop it first, its tasks go on: ${existsSync(join(path, "guest.json")) ? "end its borg borglet" : `borg down --data ${path}`}`,
    );
  context.tell(`Machine ${machine} has forgotten term ${term}, and obeys the next master of its cell that proves itself`, {
    machine,
    data: path,
    term,
  });
  return EXIT.done;
}

function forgotten(directory: string): number | undefined {
  try {
    return resetTerm(directory);
  } catch (cause) {
    throw new Failure("refused", (cause as Error).message, undefined, { cause });
  }
}
