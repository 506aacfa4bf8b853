/** What the tests of this room share: files from a tuple of texts, and short ways to a value or a message. */
import { ok, refused } from "../base/result.ts";
import { type Evaluation, evaluateFile, type Options } from "./evaluation.ts";
import type { Project } from "./modules.ts";
import { showText } from "./show.ts";

export function projectOf(files: Readonly<Record<string, string>>): Project {
  return { read: (path) => (Object.hasOwn(files, path) ? ok(files[path]!) : refused("there is no such file")) };
}

export function evaluateText(text: string, options: Partial<Options> = {}, files: Readonly<Record<string, string>> = {}): Evaluation {
  return evaluateFile("main.bcl", projectOf({ ...files, "main.bcl": text }), { user: "ubar", ...options });
}

/** The printed values, or the messages. */
export function outcome(text: string, files: Readonly<Record<string, string>> = {}): string {
  const evaluation = evaluateText(text, {}, files);
  return evaluation.problems.length > 0 ? evaluation.problems.map((p) => `! ${p.message}`).join("\n") : showText(evaluation).trimEnd();
}

export const messages = (text: string, files: Readonly<Record<string, string>> = {}): readonly string[] =>
  evaluateText(text, {}, files).problems.map((problem) => problem.message);
