/** The files a user names: evaluates BCL, and orders what a file asks for so that nothing is asked for before what it needs. */
import type { Result } from "../bcl/schema/convert.ts";
import type { AllocSetSpec, JobSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Context } from "./context.ts";
import { Failure } from "./exit.ts";
import { pairOf } from "./input.ts";

export type Wanted =
  | { readonly kind: "quota"; readonly name: string; readonly quota: Result["quotas"][number] }
  | { readonly kind: "alloc set"; readonly name: string; readonly spec: AllocSetSpec }
  | { readonly kind: "job"; readonly name: string; readonly spec: JobSpec };

/** Undefined: the file has problems, and they were told. */
export async function wantedIn(context: Context, file: string, set: readonly string[] = []): Promise<readonly Wanted[] | undefined> {
  const parameters = new Map(set.map((text) => pairOf("--set", text)));
  const user = await context.user();
  const { evaluateAt, complainAbout } = await import("./bcl.ts");
  const flags = { json: context.json, user, set: parameters, root: undefined };
  const { problems, result } = evaluateAt(file, flags, context.terminal);
  if (complainAbout(problems, flags, context.terminal)) return undefined;
  const wanted = inOrder(result!);
  if (wanted.length === 0) throw new Failure("usage", `File "${file}" declares nothing to submit`, "as in: job hello = { ... }");
  return wanted;
}

/** Quota first, then alloc sets, then jobs; a job after the one it waits for, for the cell refuses to wait for what it does not know. */
export function inOrder(result: Result): readonly Wanted[] {
  const quotas = result.quotas.map((quota) => ({ kind: "quota", name: quota.user, quota }) as const);
  const sets = result.allocSets.map((spec) => ({ kind: "alloc set", name: `${spec.user}/${spec.name}`, spec }) as const);
  const jobs = result.jobs.map((spec) => ({ kind: "job", name: `${spec.user}/${spec.name}`, spec }) as const);
  return [...quotas, ...sets, ...afterTheirPriors(jobs)];
}

type WantedJob = Extract<Wanted, { readonly kind: "job" }>;

/** A ring of jobs that wait for each other stays in the order of the file; the cell refuses its first. */
function afterTheirPriors(jobs: readonly WantedJob[]): readonly WantedJob[] {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const done = new Set<WantedJob>();
  const visit = (job: WantedJob, depth: number): void => {
    const prior = byName.get(job.spec.startAfter);
    if (prior !== undefined && !done.has(prior) && depth < jobs.length) visit(prior, depth + 1);
    done.add(job);
  };
  for (const job of jobs) visit(job, 0);
  return [...done];
}
