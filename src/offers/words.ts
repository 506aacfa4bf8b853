/** Texts of frameworks as the cell takes them, and names of numbers for people. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is left out
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** What is for people only: whatever would break a line of theirs is left out. */
export const lineOf = (text: string, length = 255): string => text.replace(CONTROL, " ").slice(0, length).toWellFormed();

/** The name of an enum's value. */
export const nameIn = (names: Readonly<Record<string, unknown>>, value: number | undefined): string =>
  Object.keys(names).find((name) => names[name] === value) ?? String(value);
