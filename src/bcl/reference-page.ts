/** The reference part of docs/bcl.md, made from the tables, so that it cannot fall behind. */

import { KERNEL } from "./evaluator/kernel.ts";
import { ENTRIES, type Entry } from "./explain.ts";
import { ROLES } from "./syntax/token.ts";

const HEADS = {
  job: "Fields of a job",
  alloc_set: "Fields of an alloc set",
  quota: "Fields of a quota",
  service: "Fields of a service",
} as const;

export function referencePage(): string {
  const fields = ROLES.map((role) => `### ${HEADS[role]}\n\n${table(ENTRIES.filter((entry) => entry.path.startsWith(`${role}.`)))}`);
  const kernel = new Set(KERNEL.map((native) => native.name));
  const functions = ENTRIES.filter((entry) => !entry.path.includes("."));
  return [
    ...fields,
    `### Standard library\n\nWritten in BCL. Every example is true.\n\n${functionTable(functions.filter((entry) => !kernel.has(entry.path)))}`,
    `### Kernel\n\nThe functions that the library is built on.\n\n${functionTable(functions.filter((entry) => kernel.has(entry.path)))}`,
  ].join("\n\n");
}

function table(entries: readonly Entry[]): string {
  const rows = entries.map((entry) => {
    const name = entry.path.slice(entry.path.indexOf(".") + 1);
    return `| \`${name}\` | ${cell(entry.what)} | ${cell(entry.type)} | ${entry.required ? "required" : code(entry.default)} | ${code(entry.example)} |`;
  });
  return ["| field | what it does | type | default | example |", "|---|---|---|---|---|", ...rows].join("\n");
}

function functionTable(entries: readonly Entry[]): string {
  const rows = entries.map((entry) => `| ${code(entry.type)} | ${cell(entry.what)} | ${code(entry.example)} |`);
  return ["| use | what it is | example |", "|---|---|---|", ...rows].join("\n");
}

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string | undefined): string => (text === undefined ? "-" : `\`${text.replaceAll("|", "\\|")}\``);
