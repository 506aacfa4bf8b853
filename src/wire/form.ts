/** The forms a string may be asked to have (proto/borg/v1/bound.proto). Every pattern is anchored and linear. */
import { Form } from "./gen/borg/v1/bound_pb.ts";

const NAME = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
const INDEX = "(?:0|[1-9][0-9]{0,4})";
const INSTANCE = `${NAME}/${NAME}/${INDEX}:[1-9][0-9]{0,15}`;

interface Rule {
  readonly pattern: RegExp;
  readonly expected: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what these patterns look for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const RULES: ReadonlyMap<number, Rule> = new Map([
  [Form.NAME, { pattern: new RegExp(`^${NAME}$`), expected: "Expected a name of at most 63 characters from a-z, 0-9 and - inside" }],
  [Form.JOB, { pattern: new RegExp(`^${NAME}/${NAME}$`), expected: "Expected user/job" }],
  [Form.TASK, { pattern: new RegExp(`^${NAME}/${NAME}/${INDEX}$`), expected: "Expected user/job/index" }],
  [Form.INSTANCE, { pattern: new RegExp(`^${INSTANCE}$`), expected: "Expected user/job/index:incarnation" }],
  [Form.PLACE, { pattern: new RegExp(`^(?:${NAME}|${INSTANCE})$`), expected: "Expected a machine or user/alloc-set/index:incarnation" }],
  [
    Form.KEY,
    {
      pattern: /^[A-Za-z_][-A-Za-z0-9_./]*$/,
      expected: "Expected a key that begins with a letter and has letters, digits and _ . / - in it",
    },
  ],
]);

/** Keys that mean something to the language itself. */
const RESERVED = new Set(["__proto__", "constructor", "prototype"]);

/** What is wrong with a non-empty string under a form, if anything. */
export function formProblem(form: number, text: string): string | undefined {
  const rule = RULES.get(form);
  // A name has none of what is looked for below, and most texts are names.
  if (rule?.pattern.test(text) && !RESERVED.has(text)) return undefined;
  if (!text.isWellFormed()) return "Expected well-formed Unicode";
  if (text.includes("\u0000")) return "Expected text without NUL";
  if (form === Form.UNSPECIFIED) return undefined;
  if (CONTROL.test(text)) return "Expected one line without control characters";
  if (form === Form.LINE) return undefined;
  if (form === Form.PATH) return isPlainPath(text) ? undefined : 'Expected an absolute path without empty parts, "." or ".."';
  if (form === Form.KEY && RESERVED.has(text)) return "Expected a key that is not a reserved word";
  return rule === undefined || rule.pattern.test(text) ? undefined : rule.expected;
}

function isPlainPath(text: string): boolean {
  if (!text.startsWith("/") || text.length < 2) return false;
  return text
    .slice(1)
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== "..");
}
