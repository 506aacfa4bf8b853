/**
 * The job state machine (Borg §2.3, Figure 2 "for both jobs and tasks"): a job runs while any of its tasks is placed,
 * and is dead when all of them are. The table is the whole machine; a pair that is not listed does nothing.
 */
import type { Job } from "./state.ts";

export type JobState = "pending" | "running" | "dead";
export const JOB_STATES: readonly JobState[] = ["pending", "running", "dead"];

/** `submit`: the name is used again. `run`: a task is placed. `idle`: none is, but some may be again. `end`: all are dead. */
export type JobEvent = "submit" | "run" | "idle" | "end";
export const JOB_EVENTS: readonly JobEvent[] = ["submit", "run", "idle", "end"];

const TABLE: Readonly<Record<JobState, Readonly<Partial<Record<JobEvent, JobState>>>>> = {
  pending: { run: "running", end: "dead" },
  running: { idle: "pending", end: "dead" },
  dead: { submit: "pending" },
};

export const jobStep = (state: JobState, event: JobEvent): JobState | undefined => TABLE[state][event];

/** What a job's counts say. A job with one task per machine ends only when it is killed: machines may still come. So does a framework: launches may. */
export function jobEvent(job: Job): JobEvent {
  const mayEnd = job.killed || !(isPerMachine(job) || job.led !== undefined);
  if (mayEnd && job.dead === job.tasks.length) return "end";
  return job.placed > 0 ? "run" : "idle";
}

export const isPerMachine = ({ wants }: Job): boolean => wants.perMachine;
