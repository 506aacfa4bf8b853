/** Refusals of frameworks' ops: whose they are, how each no reads, and when it is true. Counted from the state, not asked of the code that refuses. */
import type { Op } from "../../cell/op.ts";
import type { CellState, Job } from "../../cell/state.ts";
import type { Reason } from "./refusal-model.ts";

interface About {
  /** `user/name`. */
  readonly job: string;
  /** 0: of whoever leads it. */
  readonly session: number;
  /** The FrameworkID that it names; empty: it is new. */
  readonly id: string | undefined;
}

/** The framework that an op is about; undefined: it is about something else. */
export function frameworkAsked({ body }: Op): About | undefined {
  switch (body.case) {
    case "frameworkSubscribe":
      return { job: `${body.value.spec?.user}/${body.value.spec?.name}`, session: 0, id: body.value.id };
    case "frameworkLaunch":
    case "frameworkKill":
    case "frameworkAcknowledge":
    case "frameworkDisconnect":
    case "frameworkTeardown":
      return { job: body.value.framework, session: body.value.session, id: undefined };
    default:
      return undefined;
  }
}

const jobOf = ({ jobs }: CellState, op: Op): Job | undefined => jobs.get((frameworkAsked(op)?.job ?? "") as never);

const idOf = (job: Job): string => `${job.owner}.${job.id.slice(job.owner.length + 1)}.${job.led?.number}`;

export const FRAMEWORK_REASONS: readonly Reason[] = [
  { reads: /^Framework "[^"]*" does not exist/, isTrue: (state, op) => jobOf(state, op) === undefined },
  { reads: /^Framework "[^"]*" was torn down/, isTrue: (state, op) => jobOf(state, op)?.killed === true },
  { reads: /, and no framework$/, isTrue: (state, op) => jobOf(state, op)?.led === undefined },
  {
    reads: /^Another scheduler of framework/,
    isTrue: (state, op) => jobOf(state, op)?.led?.session !== frameworkAsked(op)?.session,
  },
  {
    reads: /is another one now: subscribe without an id/,
    isTrue: (state, op) => {
      const job = jobOf(state, op);
      return job !== undefined && idOf(job) !== frameworkAsked(op)?.id;
    },
  },
  {
    reads: /is there already: subscribe with its id|already: take another name/,
    isTrue: (state, op) => jobOf(state, op)?.state !== "dead",
  },
  {
    reads: /whose last tasks still stop/,
    isTrue: (state, op) => jobOf(state, op)?.tasks.some(({ instance }) => instance !== undefined) === true,
  },
  { reads: /has no batch quota|The batch quota of user/, isTrue: lacksBatch },
];

function lacksBatch({ users, timeMs }: CellState, op: Op): boolean {
  if (op.body.case !== "frameworkSubscribe") return false;
  const quota = users.get((op.body.value.spec?.user ?? "") as never)?.quotas.get("batch");
  return quota === undefined || (quota.untilMs !== 0 && quota.untilMs <= timeMs);
}
