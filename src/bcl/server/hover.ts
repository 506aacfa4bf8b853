/** What is under the pointer: a field with its page of the manual, a function of the library, or a name with its definition. */
import { explainText, ROWS } from "../explain.ts";
import type { Module } from "../modules.ts";
import { lineAt } from "../source.ts";
import { locate } from "../syntax/locate.ts";
import type { Json } from "./protocol.ts";

export function hoverAt(module: Module, offset: number): Json | undefined {
  const found = locate(module.file, offset);
  if (found.onKey && found.role !== undefined) {
    const path = [found.role, ...found.keys].join(".");
    const entry = ROWS.find((e) => e.path === path);
    if (entry !== undefined) return hover(explainText([entry]));
  }
  if (found.name === undefined) return undefined;
  const { name } = found.name;
  const definition = module.resolution.definitions.get(found.name);
  if (definition !== undefined)
    return hover(`${definition.kind} ${name}\n  ${lineAt(definition.span.source.text, definition.span.start).trim()}`);
  const entry = ROWS.find((e) => e.path === name);
  return entry === undefined ? undefined : hover(explainText([entry]));
}

const hover = (text: string): Json => ({ contents: { kind: "plaintext", value: text.trimEnd() } });
