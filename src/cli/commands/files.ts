/** `borg files`: what is in a task's own directory, printed or copied out. Links are not followed; what a task wrote is harmless on a terminal. */
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import type { ReadFileResponse } from "../../wire/gen/borg/v1/api_pb.ts";
import type { FileEntry } from "../../wire/gen/borg/v1/link_pb.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { jobOrTask } from "../names.ts";
import { type SelectionOptions, selectorOf, theTask } from "../selection.ts";
import { LogFilter } from "../text/log-filter.ts";
import { safeLine } from "../text/safe.ts";
import { type Column, tableText } from "../text/table.ts";
import { agoText, bytesText, iso } from "../text/units.ts";

export interface FilesOptions extends SelectionOptions {
  readonly output?: string;
}

const PIECE_BYTES = 262_144;
/** FileKind of the wire. */
const KINDS = ["", "file", "directory", "link", "other"] as const;
const [FILE, DIRECTORY] = [1, 2];

type Read = (offset: number, instance: string) => Promise<ReadFileResponse>;

/** `web/0 PATH`, or with a selector the path alone. */
export async function files(context: Context, words: readonly string[], options: FilesOptions): Promise<number> {
  const { output } = options;
  const selects = selectorOf(options) !== "";
  const [named, path = ""] = selects ? [undefined, ...words] : words;
  if (words.length > (selects ? 1 : 2)) throw new Failure("usage", `Cannot take "${words.at(-1)}": one task and one path are enough`);
  const text = selects ? await theTask(context, options) : named;
  if (text === undefined) throw new Failure("usage", "Expected the name of a task, or a selector", "as in web/0, or -l track=canary");
  const { job, index } = await jobOrTask(context, text);
  if (index === undefined) throw new Failure("usage", `Cannot tell whose files: "${text}" is a job`, `name a task, as in ${text}/0`);
  const read: Read = (offset, instance) =>
    context.ask((client) => client.readFile({ task: `${job}/${index}`, instance, path, offset, bytesMax: PIECE_BYTES }));
  const first = await read(0, "");
  if (first.kind === DIRECTORY) return list(context, first, output);
  if (output !== undefined) return copy(context, output, first, read);
  if (context.json) throw new Failure("usage", "Cannot print a file as JSON", "copy it out: -o FILE");
  const filter = context.terminal.live ? new LogFilter() : undefined;
  for await (const piece of pieces(first, read)) {
    if (filter === undefined) await context.terminal.write(piece);
    else context.terminal.print(filter.pass(piece));
  }
  if (filter !== undefined) context.terminal.print(filter.end());
  return EXIT.done;
}

/** Up to where the file ended when it was first looked at; one that grows is not followed. */
async function* pieces(first: ReadFileResponse, read: Read): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for (let piece = first; piece.data.length > 0; piece = await read(offset, first.instance)) {
    yield piece.data.subarray(0, first.bytes - offset);
    offset += piece.data.length;
    if (offset >= first.bytes) return;
  }
}

async function copy(context: Context, output: string, first: ReadFileResponse, read: Read): Promise<number> {
  const to = resolve(context.terminal.cwd, output);
  const file = await open(to, "wx", 0o600).catch((cause: NodeJS.ErrnoException) => {
    throw new Failure("usage", `Cannot make "${output}": ${cause.code === "EEXIST" ? "it is there already" : cause.message}`);
  });
  let bytes = 0;
  try {
    for await (const piece of pieces(first, read)) {
      await file.writeFile(piece);
      bytes += piece.length;
    }
  } finally {
    await file.close();
  }
  const { instance, machine } = first;
  context.tell(`Copied ${bytesText(bytes)} to ${output}`, { file: to, bytes, instance, machine });
  return EXIT.done;
}

function list(context: Context, { entries, more, instance, machine }: ReadFileResponse, output: string | undefined): number {
  if (output !== undefined) throw new Failure("usage", "Cannot copy a directory: name a file in it");
  const { terminal } = context;
  if (context.json) {
    const plain = entries.map(({ name, kind, bytes, modifiedMs }) => ({
      name,
      kind: KINDS[kind] ?? "other",
      bytes,
      modified: iso(modifiedMs),
    }));
    context.printJson({ instance, machine, entries: plain, more });
    return EXIT.done;
  }
  if (entries.length === 0) terminal.complain("The directory is empty\n");
  else terminal.print(tableText(columns(terminal.now()), entries, terminal));
  if (more) terminal.complain(`There are more than these ${entries.length} entries\n`);
  return EXIT.done;
}

const columns = (nowMs: number): readonly Column<FileEntry>[] => [
  { title: "NAME", value: ({ name, kind }) => `${safeLine(name)}${kind === DIRECTORY ? "/" : ""}`, whole: true },
  { title: "KIND", value: ({ kind }) => KINDS[kind] ?? "other" },
  { title: "SIZE", value: ({ kind, bytes }) => (kind === FILE ? bytesText(bytes) : ""), side: "right" },
  { title: "CHANGED", value: ({ modifiedMs }) => agoText(modifiedMs, nowMs), side: "right" },
];
