/** What a file evaluates to, for people (BCL) and programs (JSON of the same shape, which can be read back). */
import type { Evaluation } from "./evaluation.ts";
import { keyText, type Plain, type PlainTuple, plainJson, plainOf, plainText } from "./evaluator/plain.ts";
import { isFunction } from "./evaluator/value.ts";
import { Fault, Problems } from "./problem.ts";
import type { Declaration } from "./schema/collect.ts";
import { TABLES } from "./schema/declare.ts";
import { Reader } from "./schema/reader.ts";
import { showCells } from "./schema/type.ts";
import { isPlainKey, ROLES, type Role } from "./syntax/lexeme.ts";
import { quoted } from "./syntax/string.ts";

export interface Shown {
  readonly role: Role;
  readonly name: string;
  readonly service: string | undefined;
  readonly fields: PlainTuple;
}

/** Every declaration with all its fields, those of the table first and in its order. Only for an evaluation without problems. */
export function shownOf(evaluation: Evaluation): readonly Shown[] {
  const reader = new Reader(evaluation.evaluator, new Problems());
  return evaluation.declarations.flatMap((declaration) => {
    const fields = reader.attempt(() => showFields(reader, declaration));
    return fields === undefined ? [] : [{ role: declaration.role, name: declaration.name, service: declaration.service, fields }];
  });
}

function showFields(reader: Reader, { role, tuple }: Declaration): PlainTuple {
  const fields = Object.entries(TABLES[role]).filter(([name]) => name !== "each");
  return showCells(
    reader,
    fields.map(([name, spec]) => [name, tuple!.cell(name), spec.type]),
  );
}

export function showText(evaluation: Evaluation): string {
  const all = shownOf(evaluation);
  const values = valuesOf(evaluation).map(([name, value]) =>
    value instanceof Fault ? `# ${keyText(name)}: ${value.problem.message}` : `${keyText(name)} = ${plainText(value)}`,
  );
  const declared = all.filter((one) => one.service === undefined).map((one) => declarationText(one, all));
  const parts = [...(values.length === 0 ? [] : [values.join("\n")]), ...declared];
  return parts.length === 0 ? "" : `${parts.join("\n\n")}\n`;
}

const nameText = (name: string): string => (isPlainKey(name.replaceAll("-", "_")) ? name : quoted(name));

function declarationText(one: Shown, all: readonly Shown[]): string {
  const head = `${one.role} ${nameText(one.name)} = `;
  if (one.role !== "service") return head + fieldsText(one.fields, "");
  const inside = all
    .filter((other) => other.service === one.name)
    .map((other) => `  ${other.role} ${nameText(other.name)} = ${fieldsText(other.fields, "  ")}`);
  return `${head}{\n${[...one.fields].map(([name, value]) => `  ${keyText(name)} = ${plainText(value, "  ")}\n`).join("")}${inside.join("\n\n")}${inside.length > 0 ? "\n" : ""}}`;
}

/** One line for each field, also where they would fit into one. */
function fieldsText(fields: PlainTuple, indent: string): string {
  const inner = `${indent}  `;
  return `{\n${[...fields].map(([name, value]) => `${inner}${keyText(name)} = ${plainText(value, inner)}\n`).join("")}${indent}}`;
}

/** Fields of the file that declare nothing: what others may import. Functions are left out; a field that fails is shown with its message. */
function valuesOf(evaluation: Evaluation): readonly (readonly [string, Plain | Fault])[] {
  const { main, evaluator } = evaluation;
  const node = main?.layers[0]?.kind === "written" ? main.layers[0].node : undefined;
  if (main === undefined || node === undefined) return [];
  return main.keys
    .filter((name) => node.fields.get(name)?.role === undefined)
    .flatMap((name): readonly (readonly [string, Plain | Fault])[] => {
      const mark = evaluator.mark();
      try {
        const cell = main.cell(name)!;
        return isFunction(cell.force(evaluator)) ? [] : [[name, plainOf(evaluator, cell, "omit")]];
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        evaluator.reset(mark);
        return [[name, error]];
      }
    });
}

/** { "job": { "hello": { ... } }, ... }: what a JSON file says instead of declarations. */
export function showJson(evaluation: Evaluation): Readonly<Record<string, unknown>> {
  const all = shownOf(evaluation);
  return Object.fromEntries(
    ROLES.map((role) => [role, groupJson(all, role, undefined)] as const).filter(([, group]) => Object.keys(group).length > 0),
  );
}

function groupJson(all: readonly Shown[], role: Role, service: string | undefined): Readonly<Record<string, unknown>> {
  const group = all.filter((one) => one.role === role && one.service === service);
  return Object.fromEntries(
    group.map((one) => {
      const fields = plainJson(one.fields) as Record<string, unknown>;
      if (role !== "service") return [one.name, fields];
      return [one.name, { ...fields, job: groupJson(all, "job", one.name), alloc_set: groupJson(all, "alloc_set", one.name) }];
    }),
  );
}
