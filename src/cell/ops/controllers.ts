/**
 * Controller jobs (Borg §2.1, §2.5: "a MapReduce job might have a master job that runs at a slightly higher priority than the workers it controls"): what the token of
 * one of their tasks is good for. A token is an instance's, and good for as long as the cell wants that instance to run: nothing of it is kept anywhere, so nothing
 * of it can be left. Everything it may do is decided here, in apply.
 */
import { type JobId, jobId, splitTask, taskOf } from "../../base/id.ts";
import type { Op, Principal } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Controller, JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { CONTROLLER_FILE, SECRETS_PLACE } from "../../wire/spec-defaults.ts";
import { facesOf } from "../face.ts";
import { specOf } from "../generation.ts";
import { isAllocSet } from "../spec.ts";
import type { CellState, Instance, Job } from "../state.ts";
import { isPlaced } from "../task.ts";
import { CONTROLLERS } from "../version.ts";
import { findInstance } from "./reports.ts";

const PATTERN = /^(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?|(?:[a-z0-9][-a-z0-9]{0,61})?\*)$/;

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** What is wrong with a job that would be a controller; undefined when nothing is. */
export function controllerSpecProblem({ version }: CellState, { name, priority, task }: JobSpec): string | undefined {
  const controller = task?.controller;
  if (controller === undefined) return undefined;
  if (version < CONTROLLERS) return "Cannot run controllers yet: not all masters of the cell are upgraded";
  if (controller.jobs.length === 0) return `Controller "${name}" names no jobs: say which, as in jobs = ["${name}-*"]`;
  const wrong = controller.jobs.find((pattern) => !PATTERN.test(pattern));
  if (wrong !== undefined) return `Cannot understand "${wrong}" as jobs of a controller: give a name, or how names begin and a *`;
  if (priority === 0) return `Controller "${name}" has priority 0, and nothing is below that: give it a higher one than its jobs have`;
  if (highestFor(priority, controller) >= priority)
    return `Controller "${name}" has priority ${priority}, and its jobs may have up to ${controller.priorityMax}: its own must be higher`;
  const path = `${SECRETS_PLACE}/${CONTROLLER_FILE}`;
  return task?.secrets.some((each) => each.path === path)
    ? `Cannot put a secret at "${path}": a controller's token is there; give the secret another path`
    : undefined;
}

const highestFor = (priority: number, { priorityMax }: Controller): number => priorityMax ?? priority - 1;

/** What a token of an instance is good for. */
interface Powers {
  readonly instance: Instance;
  readonly own: JobSpec;
  readonly controller: Controller;
  readonly highest: number;
}

/** Undefined: nobody wants it to run any more, or it never was a controller. */
function powersOf(state: CellState, id: string): Powers | undefined {
  const instance = findInstance(state, id);
  if (instance === undefined || instance.stop !== undefined || !isPlaced(instance.task.state)) return undefined;
  const spec = specOf(instance);
  const controller = spec.kind === "job" ? spec.job.task?.controller : undefined;
  if (spec.kind !== "job" || controller === undefined) return undefined;
  const highest = Math.min(highestFor(spec.job.priority, controller), instance.priority - 1);
  return { instance, own: spec.job, controller, highest };
}

/** Whose token it is, if it is still good for anything. */
export const userOfController = (state: CellState, id: string): string | undefined => powersOf(state, id)?.instance.task.job.owner;

export const isController = (state: CellState, id: string): boolean => powersOf(state, id) !== undefined;

/** Why the token of an instance is not good for a job of this name, whether it is there or not. */
export function notControlled(state: CellState, id: string, target: string): string | undefined {
  const powers = powersOf(state, id);
  if (powers === undefined) return `The token of "${id}" has ended: its task was stopped, or moved and has another one`;
  const [user = "", name = ""] = target.split("/");
  const { jobs } = powers.controller;
  if (user === powers.instance.task.job.owner && jobs.some((pattern) => matches(pattern, name))) return undefined;
  const words = jobs.map((each) => `"${each}"`).join(", ");
  return `Controller "${id}" may not touch job "${target}": it was given ${words} of user "${powers.instance.task.job.owner}"; submit it with others`;
}

/** The job that an op is about, and the spec that it would get; undefined: no controller may ask for it. */
function aim(body: Op["body"]): { readonly job: string; readonly spec?: JobSpec } | undefined {
  switch (body.case) {
    case "jobSubmit":
    case "updateStart": {
      const { spec } = body.value;
      return spec === undefined ? undefined : { job: jobId(spec.user, spec.name), spec };
    }
    case "jobKill":
    case "jobRestart":
    case "jobResize":
    case "jobForget":
    case "updatePause":
    case "updateUndo":
    case "updateCommit":
      return { job: body.value.job };
    default:
      return undefined;
  }
}

/** Why who shows the token of an instance may not ask for this; undefined when it may, or when it is no such token. [KA2] */
export function controllerProblem(state: CellState, { controller: id }: Principal, body: Op["body"]): string | undefined {
  if (id === "") return undefined;
  const aimed = aim(body);
  if (aimed === undefined)
    return `Controller "${id}" may not ask for ${body.case}: its token is for submitting, changing and ending its jobs`;
  const problem = notControlled(state, id, aimed.job);
  const powers = powersOf(state, id);
  if (problem !== undefined || powers === undefined) return problem;
  const known = state.jobs.get(aimed.job as JobId);
  return (
    (known === undefined ? undefined : touchProblem(powers, known)) ??
    (aimed.spec === undefined ? undefined : gainProblem(powers, aimed.spec))
  );
}

/** A job that is there: it could be the controller itself, or count for more. */
function touchProblem({ instance, highest }: Powers, job: Job): string | undefined {
  if (isAllocSet(job)) return `Controller "${instance.id}" may not touch alloc set "${job.id}": its token is for jobs`;
  const faces = facesOf(job);
  if (faces.some(({ wants }) => wants.task?.controller !== undefined))
    return `Controller "${instance.id}" may not touch job "${job.id}": that is a controller too, and its user's own to change`;
  const priority = Math.max(...faces.map((face) => face.priority));
  if (priority <= highest || job.state === "dead") return undefined;
  return `Controller "${instance.id}" may not touch job "${job.id}": its priority is ${priority}, and the controller's are up to ${highest}`;
}

/** A job that would be there: through it nobody comes to what the controller has not. */
function gainProblem({ instance, own, highest }: Powers, spec: JobSpec): string | undefined {
  const who = `Controller "${instance.id}" may not give job "${spec.name}"`;
  if (spec.priority > highest) return `${who} priority ${spec.priority}: the highest for its jobs is ${highest}`;
  if (spec.task?.controller !== undefined) return `${who} a token: only users make controllers`;
  const secret = spec.task?.secrets.find(({ name }) => own.task?.secrets.every((each) => each.name !== name));
  if (secret !== undefined) return `${who} secret "${secret.name}", which it has not itself: name it in the controller's job`;
  const volume = spec.task?.volumes.find(({ name, readOnly }) => !hasVolume(own, name, readOnly));
  if (volume !== undefined) return `${who} volume "${volume.name}", which it has not itself: name it in the controller's job`;
  if (spec.allocSet !== "" && spec.allocSet !== own.allocSet)
    return `${who} alloc set "${spec.allocSet}": it can give only the one it runs in`;
  if (spec.keptDirectory !== "") return `${who} the kept directory of "${spec.keptDirectory}": its user can`;
  if (spec.disableReclamation && !own.disableReclamation) return `${who} its limits as reservations: it has not asked for that itself`;
  if (spec.task?.slackRam === true && own.task?.slackRam !== true)
    return `${who} memory beyond its limit: it has not asked for that itself`;
  return undefined;
}

const hasVolume = ({ task }: JobSpec, name: string, readOnly: boolean): boolean =>
  task?.volumes.some((each) => each.name === name && (readOnly || !each.readOnly)) ?? false;

/** The job of a task or of one of its instances. */
export const jobOfTask = (task: string): string => splitTask(taskOf(task)).job;
