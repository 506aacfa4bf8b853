/** Names as people type them: `web` is a job of mine, `web/3` a task of it, `ann/web/3` somebody's. Never asks the cell more than who I am. */
import type { Context } from "./context.ts";
import { Failure } from "./exit.ts";

const PART = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const INDEX = /^(0|[1-9][0-9]{0,4})$/;
const PARTS_HINT = "small letters, digits and dashes, as in web, web/0 or ann/web/0";

export type Named =
  | { readonly kind: "job"; readonly name: string }
  | { readonly kind: "task"; readonly name: string }
  | { readonly kind: "machine"; readonly name: string };

/** What a name may mean, the likeliest first. */
export async function meanings(context: Context, text: string): Promise<readonly Named[]> {
  const parts = partsOf(text);
  const [first, second] = parts;
  if (parts.length === 1) return [job(`${await context.user()}/${first}`), { kind: "machine", name: first! }];
  if (parts.length === 2) return INDEX.test(second!) ? [task(`${await context.user()}/${text}`), job(text)] : [job(text)];
  return [task(text)];
}

const job = (name: string): Named => ({ kind: "job", name });
const task = (name: string): Named => ({ kind: "task", name });

/** `web` or `ann/web`. */
export async function jobName(context: Context, text: string): Promise<string> {
  const parts = partsOf(text);
  if (parts.length === 1) return `${await context.user()}/${text}`;
  if (parts.length === 2) return text;
  throw new Failure("usage", `Cannot take "${text}" for a job: it names a task`, `the job is ${parts.slice(0, 2).join("/")}`);
}

export interface JobOrTask {
  readonly job: string;
  /** Undefined: the job as a whole. */
  readonly index: number | undefined;
}

/** `web`, `ann/web`, `web/3` or `ann/web/3`. */
export async function jobOrTask(context: Context, text: string): Promise<JobOrTask> {
  const named = (await meanings(context, text))[0]!;
  if (named.kind !== "task") return { job: named.name, index: undefined };
  const slash = named.name.lastIndexOf("/");
  return { job: named.name.slice(0, slash), index: Number(named.name.slice(slash + 1)) };
}

function partsOf(text: string): readonly string[] {
  const parts = text.split("/");
  const good = parts.length <= 3 && parts.slice(0, 2).every((part) => PART.test(part)) && (parts.length < 3 || INDEX.test(parts[2]!));
  if (good) return parts;
  throw new Failure("usage", `Cannot understand "${text}" as a name`, PARTS_HINT);
}

export function plainName(text: string, what: string): string {
  if (PART.test(text)) return text;
  throw new Failure("usage", `Cannot use "${text}" as the name of ${what}`, "small letters, digits and dashes, as in web-1");
}
