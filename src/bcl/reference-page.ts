/** The reference part of docs/bcl.md, made from the tables, so that it cannot fall behind. */

import { KERNEL } from "./evaluator/kernel.ts";
import { ROWS, type Row } from "./explain.ts";
import { ROLES } from "./syntax/lexeme.ts";

const HEADS = {
  job: "Fields of a job",
  alloc_set: "Fields of an alloc set",
  quota: "Fields of a quota",
  service: "Fields of a service",
} as const;

export function referencePage(): string {
  const fields = ROLES.map((role) => `### ${HEADS[role]}\n\n${table(ROWS.filter((row) => row.path.startsWith(`${role}.`)))}`);
  const kernel = new Set(KERNEL.map((native) => native.name));
  const functions = ROWS.filter((row) => !row.path.includes("."));
  return [
    ...fields,
    `### Standard library\n\nWritten in BCL. Every example is true.\n\n${functionTable(functions.filter((row) => !kernel.has(row.path)))}`,
    `### Kernel\n\nThe functions that the library is built on.\n\n${functionTable(functions.filter((row) => kernel.has(row.path)))}`,
  ].join("\n\n");
}

function table(entries: readonly Row[]): string {
  const rows = entries.map((row) => {
    const name = row.path.slice(row.path.indexOf(".") + 1);
    return `| \`${name}\` | ${cell(row.what)} | ${cell(row.type)} | ${row.required ? "required" : code(row.default)} | ${code(row.example)} |`;
  });
  return ["| field | what it does | type | default | example |", "|---|---|---|---|---|", ...rows].join("\n");
}

function functionTable(entries: readonly Row[]): string {
  const rows = entries.map((row) => `| ${code(row.type)} | ${cell(row.what)} | ${code(row.example)} |`);
  return ["| use | what it is | example |", "|---|---|---|", ...rows].join("\n");
}

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string | undefined): string => (text === undefined ? "-" : `\`${text.replaceAll("|", "\\|")}\``);
