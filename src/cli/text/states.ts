/** States and how many tasks are in each, as people read them: what has ended is told by how it ended. */
import type { JobView, TaskView } from "../../wire/gen/borg/v1/api_pb.ts";

/** Health of the wire. */
const [UNSPECIFIED, BAD] = [0, 3] as const;

/** How a dead task came to its end: dead tasks are told apart by their cause. */
export const ENDS = ["finished", "failed", "killed", "lost"] as const;
export type End = (typeof ENDS)[number];

export const isEnd = (word: string): word is End => (ENDS as readonly string[]).includes(word);

/** `finished` instead of dead. */
export const taskWord = ({ state, cause }: TaskView): string => (state === "dead" && isEnd(cause) ? cause : state);

/** It runs, and a check of it says that it should be sent no work. A cell that knows no readiness says nothing of it. */
export const isUnready = ({ state, ready, health, readiness }: TaskView): boolean =>
  state === "running" && !ready && (health === BAD || readiness !== UNSPECIFIED);

/** The worst end of its tasks is the job's. */
export function jobWord(job: JobView): string {
  if (job.state !== "dead") return job.state;
  return (["failed", "lost", "killed", "finished"] as const).find((end) => job[end] > 0) ?? "dead";
}

/** `3 running, 1 backing off, 192 finished, 8 failed`. */
export function countWords(job: JobView): string {
  const { running, starting, backingOff, pending, stopping, finished, failed, killed, lost, dead } = job;
  const counts: readonly (readonly [number, string])[] = [
    [running, "running"],
    [starting, "starting"],
    [backingOff, "backing off"],
    [pending, "pending"],
    [stopping, "stopping"],
    [finished, "finished"],
    [failed, "failed"],
    [killed, "killed"],
    [lost, "lost"],
    [dead - finished - failed - killed - lost, "dead"],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(", ");
}
