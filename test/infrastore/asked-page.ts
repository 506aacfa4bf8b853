/** The questions of docs/sql.md, with the sentence before each. */
import { readFileSync } from "node:fs";

export interface PageQuestion {
  readonly title: string;
  readonly sql: string;
}

export function pageQuestions(): readonly PageQuestion[] {
  const page = readFileSync(new URL("../../docs/sql.md", import.meta.url), "utf8");
  return [...page.matchAll(/^([^\n]+)\n```sql\n([\s\S]*?)\n```/gm)].map(([, title = "", sql = ""]) => ({ title, sql }));
}
