/** Why the cell may say no to frameworks and their roles: as in refusal-model.ts, in words of their own. [KD3] */
import type { CellState, Job } from "../../cell/state.ts";
import type { Op } from "../../wire/gen/borg/v1/op_pb.ts";

interface Reason {
  readonly reads: RegExp;
  readonly isTrue: (state: CellState, op: Op) => boolean;
}

/** The framework that an op is about, as "user/name". */
export function frameworkIn({ body }: Op): string | undefined {
  if (body.case === "frameworkSubscribe") return `${body.value.spec?.user}/${body.value.spec?.name}`;
  const value = body.value as { readonly framework?: string } | undefined;
  return body.case?.startsWith("framework") === true ? value?.framework : undefined;
}

const jobIn = ({ jobs }: CellState, op: Op): Job | undefined => jobs.get(frameworkIn(op) as never);

const isNew = ({ body }: Op): boolean => body.case === "frameworkSubscribe" && body.value.id === "";

/** The number at the end of an id. */
const numberIn = ({ body }: Op): number => (body.case === "frameworkSubscribe" ? Number(body.value.id.split(".").at(-1)) : Number.NaN);

const sessionIn = ({ body }: Op): number => (body.value as { readonly session?: number } | undefined)?.session ?? 0;

const hasLeftovers = (job: Job | undefined): boolean => job?.tasks.some(({ instance }) => instance !== undefined) ?? false;

/** Prod quota and guarantees beside what is asked for. */
function isTooMuch(state: CellState, { body }: Op): boolean {
  if (body.case !== "roleSet") return false;
  const others = [...state.roles.values()].filter(({ name }) => name !== body.value.role?.name);
  let cpu = body.value.role?.guarantee?.cpuMilli ?? 0;
  for (const { guarantee } of others) cpu += guarantee?.cpuMilli ?? 0;
  for (const { quotas } of state.users.values())
    for (const band of ["production", "monitoring"] as const) cpu += quotas.get(band)?.limit?.cpuMilli ?? 0;
  return cpu > state.capacity.cpu;
}

export const FRAMEWORK_REASONS: readonly Reason[] = [
  {
    reads: /it does this from version 6 on/,
    isTrue: ({ version }, op) => version < 6 && (frameworkIn(op) !== undefined || op.body.case === "roleSet"),
  },
  { reads: /^Framework "[^"]*" does not exist/, isTrue: (state, op) => jobIn(state, op) === undefined },
  { reads: /^Framework "[^"]*" was torn down/, isTrue: (state, op) => jobIn(state, op)?.killed === true },
  {
    reads: /is another one now: subscribe without an id/,
    isTrue: (state, op) => jobIn(state, op)?.led !== undefined && jobIn(state, op)?.led?.number !== numberIn(op),
  },
  { reads: /is there already: subscribe with its id/, isTrue: (state, op) => isNew(op) && jobIn(state, op)?.state !== "dead" },
  { reads: /^Another scheduler of framework/, isTrue: (state, op) => jobIn(state, op)?.led?.session !== sessionIn(op) },
  {
    reads: /is a framework already: take another name/,
    isTrue: (state, op) => jobIn(state, op)?.killed === true && jobIn(state, op)?.state !== "dead",
  },
  { reads: /was a framework whose last tasks still stop/, isTrue: (state, op) => hasLeftovers(jobIn(state, op)) },
  {
    reads: /^Role "[^"]*" is for /,
    isTrue: ({ roles }, { body }) =>
      body.case === "frameworkSubscribe" && roles.get(body.value.spec?.role ?? "")?.users.includes(body.value.spec?.user ?? "") === false,
  },
  { reads: /for such a guarantee/, isTrue: isTooMuch },
  { reads: /, and no framework$/, isTrue: (state, op) => jobIn(state, op)?.led === undefined },
  { reads: /has no batch quota|quota of user .* has ended/, isTrue: lacksBatch },
];

function lacksBatch({ users, timeMs }: CellState, op: Op): boolean {
  const quota = users.get(frameworkIn(op)?.split("/")[0] as never)?.quotas.get("batch");
  return op.body.case === "frameworkSubscribe" && (quota === undefined || (quota.untilMs !== 0 && quota.untilMs <= timeMs));
}
