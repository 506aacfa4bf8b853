/** What the token of a controller is good for, as a reader of the documentation would put it: for the judges, and of no use to who decides. [KA2] */
import type { Op } from "../../cell/op.ts";
import type { CellState, Instance } from "../../cell/state.ts";
import type { JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";

/** The instance whose token was shown, where it is meant to run. */
function holder({ jobs }: CellState, id: string): Instance | undefined {
  for (const { tasks, killed } of jobs.values())
    for (const { instance, state } of tasks)
      if (instance?.id === id && !killed && instance.stop === undefined && (state === "starting" || state === "running")) return instance;
  return undefined;
}

export const hasEnded = (state: CellState, { actor }: Op): boolean => holder(state, actor?.controller ?? "") === undefined;

const specsOf = (state: CellState, id: string): JobSpec[] => {
  const job = holder(state, id)?.task.job;
  return job?.spec.kind === "job" ? [job.spec.job] : [];
};

function targetOf({ body }: Op): { readonly job: string; readonly spec: JobSpec | undefined } | undefined {
  if (body.case === "jobSubmit" || body.case === "updateStart") {
    const { spec } = body.value;
    return spec === undefined ? undefined : { job: `${spec.user}/${spec.name}`, spec };
  }
  const isOne = body.case === "jobKill" || body.case === "jobRestart" || body.case === "jobResize" || body.case === "jobForget";
  return isOne ? { job: body.value.job, spec: undefined } : undefined;
}

/** Whether the job is another user's, of another name, a controller, or not below. */
export function isOutOfReach(state: CellState, op: Op): boolean {
  const id = op.actor?.controller ?? "";
  const target = targetOf(op);
  if (target === undefined) return true;
  const [user = "", name = ""] = target.job.split("/");
  const known = state.jobs.get(target.job as never);
  return !specsOf(state, id).some((own) => {
    const isNamed = own.task?.controller?.jobs.some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : each === name));
    if (own.user !== user || isNamed !== true) return false;
    if (known === undefined) return true;
    const isPlain = known.spec.kind === "job" && known.spec.job.task?.controller === undefined;
    return isPlain && (known.state === "dead" || known.priority < own.priority);
  });
}

/** Whether the job would be as high as its controller, or a controller itself. */
export function isTooMuch(state: CellState, op: Op): boolean {
  const spec = targetOf(op)?.spec;
  if (spec === undefined) return false;
  return (
    spec.task?.controller !== undefined || !specsOf(state, op.actor?.controller ?? "").some(({ priority }) => spec.priority < priority)
  );
}

export const mayControl = (state: CellState, op: Op): boolean => !hasEnded(state, op) && !isOutOfReach(state, op) && !isTooMuch(state, op);
