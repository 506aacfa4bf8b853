/** What the search finds beside jobs, tasks, machines and users: pages, and what is asked of them most. Pure: it knows no page. */
import { QUESTIONS } from "./sql/questions.ts";

/** By the words that a person types, and where they lead. Nothing here changes the cell: that is done where one sees to what. */
const COMMANDS: readonly (readonly [words: string, path: string])[] = [
  ["Show jobs that need a look", "/jobs?state=wrong"],
  ["Show pending jobs", "/jobs?state=pending"],
  ["Show running jobs", "/jobs?state=running"],
  ["Show ended jobs", "/jobs?state=dead"],
  ["Show my pending jobs", "/jobs?user=me&state=pending"],
  ["Show pending tasks", "/tasks?state=pending"],
  ["Show failing tasks", "/tasks?state=backing-off"],
  ["Show my tasks", "/tasks?user=me"],
  ["Show unreachable machines", "/machines?state=unreachable"],
  ["Show draining machines", "/machines?state=draining"],
  ["Show drained machines", "/machines?state=drained"],
];

export interface PaletteEntry {
  readonly kind: "command" | "question";
  readonly name: string;
  readonly path: string;
}

const ENTRIES: readonly PaletteEntry[] = [
  ...COMMANDS.map(([name, path]) => ({ kind: "command", name, path }) as const),
  ...QUESTIONS.map(({ name, sql }) => ({ kind: "question", name, path: `/sql?q=${encodeURIComponent(sql)}` }) as const),
];

/** Those with all of its words, in any order; none for no word, where they would bury the pages. */
export function paletteOf(text: string, most: number): readonly PaletteEntry[] {
  const words = text
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  return ENTRIES.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word))).slice(0, most);
}

/** Users with this in their names. */
export const usersOf = (names: readonly string[], text: string, most: number): readonly string[] => {
  const part = text.trim().toLowerCase();
  return part === "" ? [] : names.filter((name) => name.toLowerCase().includes(part)).slice(0, most);
};
