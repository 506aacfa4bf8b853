/** Questions that somebody saved in this browser. They stay in it: the cell knows nothing of them. */
import type { Question } from "./questions.ts";

const KEY = "borg-sql";
/** One more is refused. */
export const SAVED_MAX = 100;
export const SQL_MAX = 65_536;
const NAME_MAX = 80;

/** What cannot be read is none; another program may have written it. */
export function savedIn(text: string | null): readonly Question[] {
  try {
    const found: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(found)) return [];
    return found
      .filter((each): each is Question => typeof each?.name === "string" && typeof each?.sql === "string")
      .map(({ name, sql }) => ({ name: name.slice(0, NAME_MAX), sql: sql.slice(0, SQL_MAX) }))
      .slice(0, SAVED_MAX);
  } catch {
    return [];
  }
}

/** The same name again is the same question with other words. Undefined: there are too many. */
export function withSaved(all: readonly Question[], name: string, sql: string): readonly Question[] | undefined {
  const others = all.filter((each) => each.name !== name.slice(0, NAME_MAX));
  if (others.length >= SAVED_MAX) return undefined;
  return [...others, { name: name.slice(0, NAME_MAX), sql: sql.slice(0, SQL_MAX) }].sort((a, b) => a.name.localeCompare(b.name));
}

export const readSaved = (): readonly Question[] => savedIn(localStorage.getItem(KEY));

/** False: the browser has no room, or keeps nothing. */
export function writeSaved(all: readonly Question[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}
