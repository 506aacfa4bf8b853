/** What can be written at a place: fields of what is being declared, names in scope, the library, the words of the language. */

import { GLOBALS } from "../evaluator/standard.ts";
import { ROWS } from "../explain.ts";
import type { Module } from "../modules.ts";
import { TABLES } from "../schema/declare.ts";
import type { Fields } from "../schema/field.ts";
import { KEYWORDS, ROLES } from "../syntax/lexeme.ts";
import { type Located, locate } from "../syntax/locate.ts";
import { visibleAt } from "../syntax/resolve.ts";
import type { Json } from "./protocol.ts";

const KIND = { function: 3, field: 5, variable: 6, module: 9, keyword: 14 } as const;

export function completions(module: Module, offset: number): readonly Json[] {
  const imported = importedBefore(module, offset);
  if (imported !== undefined) return [...imported.file.body.fields.keys()].map((label) => ({ label, kind: KIND.field }));
  const found = locate(module.file, offset);
  const seen = new Set<string>();
  const items = [...fieldItems(found), ...nameItems(module, offset), ...libraryItems(), ...wordItems()];
  return items.filter((item) => {
    const label = String(item["label"]);
    if (seen.has(label)) return false;
    seen.add(label);
    return true;
  });
}

/** The file behind `name.` when `name` is an import. */
function importedBefore(module: Module, offset: number): Module | undefined {
  const before = /([A-Za-z_][A-Za-z0-9_]*)\.[A-Za-z0-9_]*$/.exec(module.file.source.text.slice(Math.max(0, offset - 200), offset));
  return before === null ? undefined : module.imports.get(before[1]!);
}

function fieldItems(found: Located): readonly Json[] {
  if (found.role === undefined) return [];
  const keys = found.onKey ? found.keys.slice(0, -1) : found.keys;
  let fields: Fields | undefined = TABLES[found.role];
  for (const key of keys) fields = fields?.[key]?.type.fields;
  return Object.entries(fields ?? {}).map(([label, spec]) => ({
    label,
    kind: KIND.field,
    detail: spec.type.expected,
    documentation: spec.what,
    insertText: `${label} = `,
  }));
}

function nameItems(module: Module, offset: number): readonly Json[] {
  return visibleAt(module.file, offset).map((d) => ({
    label: d.name,
    kind: d.kind === "import" ? KIND.module : KIND.variable,
    detail: d.kind,
  }));
}

function libraryItems(): readonly Json[] {
  return ROWS.filter((entry) => GLOBALS.has(entry.path)).map((entry) => ({
    label: entry.path,
    kind: KIND.function,
    detail: entry.type,
    documentation: entry.what,
  }));
}

const wordItems = (): readonly Json[] => [...KEYWORDS, ...ROLES, "import", "test"].map((label) => ({ label, kind: KIND.keyword }));
