/** `borg resolve`: who serves under a name, and where; with --watch, as that changes. */
import type { NamedTask, ResolveResponse } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { type Asked, answers, askedOf, type NamedOptions, portOf, resolveOnce } from "../named.ts";
import { safeLine } from "../text/safe.ts";
import { type Column, tableText } from "../text/table.ts";
import { iso, plural } from "../text/units.ts";
import { addressOf } from "../text/views.ts";
import { HEALTH_WORDS, wordOf } from "../text/words.ts";

export interface ResolveOptions extends NamedOptions {
  readonly watch?: boolean;
  readonly port?: string;
}

export async function resolve(context: Context, text: string | undefined, options: ResolveOptions): Promise<number> {
  const asked = await askedOf(context, text, options);
  if (options.watch === true) return watch(context, asked, options.port);
  const found = await resolveOnce(context, asked);
  if (found.kind === "")
    throw new Failure("notFound", `Nothing that lives is called "${asked.text}"`, "borg ls shows jobs, borg ls services services");
  if (context.json) context.printJson(resolvedPlain(asked, found));
  else if (options.port !== undefined) context.terminal.print(addressLines(found, options.port));
  else context.terminal.print(resolvedText(context, asked, found));
  if (found.tasks.length === 0) context.terminal.complain(`${none(asked, found)}\n`);
  return EXIT.done;
}

const none = (asked: Asked, { size }: ResolveResponse): string =>
  asked.all ? `${asked.text} has no task` : `No task of ${asked.text} is ready (of ${size}): --all shows those that are not`;

function resolvedText(context: Context, asked: Asked, found: ResolveResponse): string {
  if (found.tasks.length === 0) return "";
  const { columns, colour } = context.terminal;
  const more = found.more ? `and more: ${plural(found.tasks.length, "task")} are shown\n` : "";
  const head = found.kind === "task" ? "" : `${safeLine(asked.text)}: ${found.ready} of ${plural(found.size, "task")} ready\n`;
  return `${head}${tableText(asked.all ? ALL_COLUMNS : COLUMNS, found.tasks, { columns, colour })}${more}`;
}

const addressesOf = ({ host, ports }: NamedTask): string =>
  ports.map(({ name, number }) => `${name}=${addressOf(host, number)}`).join(" ") || host;

const COLUMNS: readonly Column<NamedTask>[] = [
  { title: "TASK", value: ({ name }) => name, whole: true },
  { title: "ADDRESS", value: addressesOf, whole: true },
  { title: "MACHINE", value: ({ machine }) => machine, drops: 1 },
];

const ALL_COLUMNS: readonly Column<NamedTask>[] = [
  ...COLUMNS,
  { title: "STATE", value: ({ state }) => state },
  { title: "READY", value: ({ ready }) => (ready ? "yes" : "no") },
  { title: "HEALTH", value: ({ health }) => wordOf(HEALTH_WORDS, health), drops: 2 },
];

/** For scripts: an address a line. */
function addressLines({ tasks }: ResolveResponse, port: string): string {
  const lines = tasks.flatMap((task) => {
    const number = portOf(task, port);
    return number === undefined ? [] : [`${safeLine(addressOf(task.host, number))}\n`];
  });
  if (lines.length === 0 && tasks.length > 0)
    throw new Failure(
      "notFound",
      `No task has a port "${port}"`,
      `they have ${[...new Set(tasks.flatMap(({ ports }) => ports.map(({ name }) => name)))].join(", ") || "none"}`,
    );
  return lines.join("");
}

export function resolvedPlain(asked: Asked, found: ResolveResponse): Readonly<Record<string, unknown>> {
  return {
    name: asked.text,
    kind: found.kind || null,
    size: found.size,
    readyCount: found.ready,
    more: found.more,
    endpoints: found.tasks.map((task) => ({
      name: task.name,
      state: task.state,
      ready: task.ready,
      readySince: iso(task.readyMs),
      health: wordOf(HEALTH_WORDS, task.health) || null,
      readiness: wordOf(HEALTH_WORDS, task.readiness) || null,
      host: task.host || null,
      ports: Object.fromEntries(task.ports.map(({ name, number }) => [name, number])),
      addresses: Object.fromEntries(task.ports.map(({ name, number }) => [name, addressOf(task.host, number)])),
      machine: task.machine || null,
      instance: task.instance || null,
    })),
  };
}

/** A line for each that came under the name and each that left it; as JSON the whole answer, one a line. */
async function watch(context: Context, asked: Asked, port: string | undefined): Promise<number> {
  let known = new Map<string, string>();
  for await (const found of answers(context, asked, context.terminal.interrupted())) {
    if (context.json) {
      context.terminal.print(`${JSON.stringify(resolvedPlain(asked, found))}\n`);
      continue;
    }
    const now = new Map(found.tasks.map((task) => [task.instance || task.name, lineOf(task, asked, port)]));
    const left = [...known].filter(([id, line]) => now.get(id) !== line).map(([, line]) => `- ${line}\n`);
    const came = [...now].filter(([id, line]) => known.get(id) !== line).map(([, line]) => `+ ${line}\n`);
    context.terminal.print([...left, ...came].join(""));
    known = now;
  }
  return EXIT.done;
}

function lineOf(task: NamedTask, { all }: Asked, port: string | undefined): string {
  const number = port === undefined ? undefined : portOf(task, port);
  const where = number === undefined ? addressesOf(task) : addressOf(task.host, number);
  return safeLine(`${task.name} ${where}${all ? ` ${task.state} ${task.ready ? "ready" : "not ready"}` : ""}`.trimEnd());
}
