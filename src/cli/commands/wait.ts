/** `borg wait`: until a job has ended, with its program's exit code, or until it is up. */
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { durationMsOf } from "../input.ts";
import { jobName } from "../names.ts";
import { jobsSelected, nameOr, type SelectionOptions } from "../selection.ts";
import { waitFor } from "../wait.ts";
import { waitForEnd } from "../wait-end.ts";

export interface WaitCommandOptions extends SelectionOptions {
  readonly running?: boolean;
  readonly timeout?: string;
}

export async function wait(context: Context, name: string | undefined, options: WaitCommandOptions): Promise<number> {
  const timeoutMs = options.timeout === undefined ? undefined : durationMsOf("--timeout", options.timeout);
  const text = nameOr(name, options);
  if (text === undefined) return waitForMany(context, options, timeoutMs);
  const job = await jobName(context, text);
  if (options.running !== true) return waitForEnd(context, job, { timeoutMs, stream: false, remove: false, plain: { job } });
  const waited = await waitFor(context, [job], { timeoutMs });
  if (context.json) context.printJson({ job, ...waited.jobs[0] });
  if (waited.failure !== undefined) throw waited.failure;
  return waited.code;
}

/** One time for all of them. Of jobs that ended the code is the first one's that is not 0. */
async function waitForMany(context: Context, options: WaitCommandOptions, timeoutMs: number | undefined): Promise<number> {
  const jobs = (await jobsSelected(context, options, options.running !== true)).map(({ name }) => name);
  if (options.running === true) {
    const waited = await waitFor(context, jobs, { timeoutMs });
    if (context.json) context.printJson(waited.jobs);
    if (waited.failure !== undefined) throw waited.failure;
    return waited.code;
  }
  const begin = context.terminal.now();
  const codes: number[] = [];
  const ends: object[] = [];
  for (const job of jobs) {
    const leftMs = timeoutMs === undefined ? undefined : Math.max(0, begin + timeoutMs - context.terminal.now());
    const tell = (end: object): void => void ends.push(end);
    codes.push(await waitForEnd(context, job, { timeoutMs: leftMs, stream: false, remove: false, plain: { job }, tell }));
    if (codes.at(-1) === EXIT.interrupted) return EXIT.interrupted;
  }
  if (context.json) context.printJson(ends);
  return codes.find((code) => code !== 0) ?? EXIT.done;
}
