/** Where the thing under the pointer is written. */
import type { Module } from "../modules.ts";
import type { Span } from "../source.ts";
import { locate } from "../syntax/locate.ts";
import { type Json, rangeOf, uriOf } from "./protocol.ts";

export function definitionAt(module: Module, offset: number, root: string): Json | undefined {
  const found = locate(module.file, offset);
  const span =
    imported(module, found.importPath?.as.name) ??
    selected(module, found.select) ??
    (found.name === undefined ? undefined : module.resolution.definitions.get(found.name)?.span);
  return span === undefined ? undefined : { uri: uriOf(root, span.source.path), range: rangeOf(span.source.text, span.start, span.end) };
}

/** The beginning of an imported file. */
function imported(module: Module, name: string | undefined): Span | undefined {
  const target = name === undefined ? undefined : module.imports.get(name);
  return target === undefined ? undefined : { source: target.file.source, start: 0, end: 0 };
}

/** `web.server`, where `web` is an import. */
function selected(module: Module, select: ReturnType<typeof locate>["select"]): Span | undefined {
  if (select?.of.kind !== "name") return undefined;
  return module.imports.get(select.of.name)?.file.body.fields.get(select.name)?.keySpan;
}
