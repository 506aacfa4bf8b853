/** `borg wait`: until a job has ended, with its program's exit code, or until it is up. */
import type { Context } from "../context.ts";
import { durationMsOf } from "../input.ts";
import { jobName } from "../names.ts";
import { waitFor } from "../wait.ts";
import { waitForEnd } from "../wait-end.ts";

export interface WaitCommandOptions {
  readonly running?: boolean;
  readonly timeout?: string;
}

export async function wait(context: Context, text: string, options: WaitCommandOptions): Promise<number> {
  const timeoutMs = options.timeout === undefined ? undefined : durationMsOf("--timeout", options.timeout);
  const job = await jobName(context, text);
  if (options.running !== true) return waitForEnd(context, job, { timeoutMs, stream: false, remove: false, plain: { job } });
  const waited = await waitFor(context, [job], { timeoutMs });
  if (context.json) context.printJson({ job, ...waited.jobs[0] });
  if (waited.failure !== undefined) throw waited.failure;
  return waited.code;
}
