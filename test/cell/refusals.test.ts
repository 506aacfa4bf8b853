/**
 * Every refusal of the cell, of its API and of the HTTP edge: docs/refusals.md says what was asked and what that says, and here it is asked again. A sentence in the code that
 * could be a refusal and that no row reaches fails. REFUSALS=write writes the page; read the difference before you commit it.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { API_GROUPS } from "./refusals/api.ts";
import { WIDE_GROUPS } from "./refusals/cell-wide.ts";
import { CLAIM_GROUPS } from "./refusals/claims.ts";
import { CONTROLLER_GROUPS } from "./refusals/controllers.ts";
import { EDGE_GROUPS } from "./refusals/edge.ts";
import { FORM_GROUPS } from "./refusals/forms.ts";
import { FRAMEWORK_GROUPS } from "./refusals/frameworks.ts";
import { IMAGE_GROUPS } from "./refusals/images.ts";
import { JOB_GROUPS } from "./refusals/jobs.ts";
import { LIMIT_GROUPS } from "./refusals/limits.ts";
import type { Group } from "./refusals/row.ts";
import { SECRET_GROUPS } from "./refusals/secrets.ts";
import { NO_REFUSALS, sentences } from "./refusals/sentences.ts";
import { UPDATE_GROUPS } from "./refusals/updates.ts";
import { VOLUME_GROUPS } from "./refusals/volumes.ts";

const PAGE = new URL("../../docs/refusals.md", import.meta.url);
const GROUPS: readonly Group[] = [
  ...JOB_GROUPS,
  ...UPDATE_GROUPS,
  ...SECRET_GROUPS,
  ...CONTROLLER_GROUPS,
  ...VOLUME_GROUPS,
  ...IMAGE_GROUPS,
  ...FRAMEWORK_GROUPS,
  ...LIMIT_GROUPS,
  ...WIDE_GROUPS,
  ...API_GROUPS,
  ...FORM_GROUPS,
  ...CLAIM_GROUPS,
  ...EDGE_GROUPS,
];
const SAID = new Map<string, string>();
for (const { rows } of GROUPS) for (const { id, say } of rows) SAID.set(id, await say());

/** What is there stands before the mark, what to do after it. */
const saysWhatToDo = (words: string): boolean => /: |; |\(borg |, found /.test(words);

const cellOf = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

const tableOf = ({ title, next, rows }: Group): string =>
  [
    `## ${title}`,
    ...(next === undefined ? [] : [next]),
    "",
    "| id | what was asked | what it says |",
    "|---|---|---|",
    ...rows.map(({ id, asked }) => `| ${id} | ${cellOf(asked)} | ${cellOf(SAID.get(id) as string)} |`),
  ].join("\n");

const HEAD = `# Refusals
What the cell, its API and the HTTP edge before it say no to, and in which words: what was asked, what is there, and after the colon or semicolon what to do. A refusal changes nothing. Each row is asked again by
test/cell/refusals.test.ts, which also fails when the code can say something that stands in no row. What a command adds on its way to you (exit codes, hints) stands in [cli.md](cli.md); how a program tells
kinds of refusals apart (\`not-permitted\`, \`not-found\`, \`refused\`, \`unavailable\`, \`unknown\`) in [json.md](json.md). Words may become better from one release to the next: programs go by the kind.
Not in a table are connections that are closed without a word (src/rpc/bounds.ts): one more than the cell takes while all are busy, one whose request does not come, one that is idle, or that sends more requests than it waits for.
`;

const page = (): string => `${[HEAD, ...GROUPS.map(tableOf)].join("\n").replaceAll("\n## ", "\n\n## ").replaceAll("\n\n\n", "\n\n")}\n`;

test("every refusal is reached by a call, in the words that docs/refusals.md shows", () => {
  for (const [id, words] of SAID) assert.notEqual(words, "ok", `${id} was not refused`);
  if (process.env["REFUSALS"] === "write") writeFileSync(PAGE, page());
  assert.equal(page(), readFileSync(PAGE, "utf8"), "REFUSALS=write writes the page anew");
});

test("ids and words are unique: each row is a refusal of its own", () => {
  const ids = GROUPS.flatMap(({ rows }) => rows.map(({ id }) => id));
  assert.deepEqual(
    ids.filter((id, i) => ids.indexOf(id) < i),
    [],
  );
});

test("a refusal says what to do: in its words, or its group does", () => {
  const silent = GROUPS.filter(({ next }) => next === undefined).flatMap(({ rows }) =>
    rows.map(({ id }) => `${id}: ${SAID.get(id)}`).filter((line) => !saysWhatToDo(line.slice(line.indexOf(": ") + 2))),
  );
  assert.deepEqual(silent, []);
});

test("no sentence in the code can be a refusal that no row reaches", () => {
  const all = sentences();
  const said = [...SAID.values()];
  const unreached = all.filter(({ pattern, text }) => !NO_REFUSALS.has(text) && !said.some((words) => pattern.test(words)));
  assert.deepEqual(
    unreached.map(({ file, text }) => `${file}: ${text}`),
    [],
  );
  const texts = new Set(all.map(({ text }) => text));
  assert.deepEqual(
    [...NO_REFUSALS].filter((text) => !texts.has(text)),
    [],
    "these stand in the code no longer",
  );
});
