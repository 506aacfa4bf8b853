/**
 * Why the cell may say no: a small model of its own, that shares no code with what decides. A refusal in words is looked up here, and must be true of
 * the state that refused; one for a reason that stands nowhere is a violation, however plausible it reads. [KD3]
 */
import { METHODS } from "../../borgmaster/api/methods.ts";
import { type Op, userOp } from "../../cell/op.ts";
import type { CellState, Job, Task } from "../../cell/state.ts";
import { encode } from "../../wire/codec.ts";
import type { SetSecretRequest } from "../../wire/gen/borg/v1/api_pb.ts";
import { ActorKind, Capability, Role } from "../../wire/gen/borg/v1/op_pb.ts";
import {
  type AllocSetSpec,
  AllocSetSpecSchema,
  FrameworkSpecSchema,
  type JobSpec,
  JobSpecSchema,
  type RestartPolicy,
  SchedulingMode,
  Spread,
} from "../../wire/gen/borg/v1/spec_pb.ts";
import { hasEnded, isTooMuch as isAboveController, isOutOfReach, mayControl } from "./controller-model.ts";
import type { Asked } from "./history.ts";
import { FRAMEWORK_REASONS, frameworkIn } from "./refusal-frameworks.ts";
import { isOversold, lacksQuota } from "./refusal-quota.ts";

/** Whether a user may ask for an op: the roles of Borg §2.5 as a reader of the documentation would put them. [KA2] */
export function mayAsk(state: CellState, op: Op): boolean {
  const { actor, body } = op;
  if (actor?.kind !== ActorKind.USER) return true;
  const user = state.users.get(actor.name as never);
  if (user === undefined) return false;
  if (actor.controller !== "" && !mayControl(state, op)) return false;
  if (user.roles.has(Role.CELL_ADMIN)) return true;
  if (body.case === "quotaSet") return user.roles.has(Role.QUOTA_ADMIN);
  const owner = ownerOf(op);
  if (owner === undefined) return false;
  return user.capabilities.has(Capability.MODIFY_ANY_JOB) || (owner === user.id && user.roles.has(Role.USER));
}

/** Whether a user may read at all. */
export const mayRead = (state: CellState, user: string): boolean => (state.users.get(user as never)?.roles.size ?? 0) > 0;

function ownerOf(op: Op): string | undefined {
  const { body } = op;
  if (body.case === "updateStart") return (body.value.spec ?? body.value.allocSet)?.user;
  if (body.case === "jobSubmit" || body.case === "allocSetSubmit") return body.value.spec?.user;
  if (body.case === "packageAdd" || body.case === "packageRemove") return body.value.user;
  if (body.case === "secretSet" || body.case === "secretRemove") return body.value.user;
  if (isAboutJob(body)) return body.value.job.split("/")[0];
  if (body.case === "taskUnpin") return body.value.task.split("/")[0];
  return frameworkIn(op)?.split("/")[0];
}

const ABOUT_JOBS = ["jobKill", "jobRestart", "jobResize", "updatePause", "updateUndo", "updateCommit"] as const;

const isAboutJob = (body: Op["body"]): body is Extract<Op["body"], { readonly case: (typeof ABOUT_JOBS)[number] }> =>
  ABOUT_JOBS.some((name) => name === body.case);

/** A no that was said from a copy, before any entry: is it true of the state that it was said from? */
export function foreseenProblem(state: CellState, { user, controller, method, request }: Asked, reason: string): string | undefined {
  if (/has no role in this cell/.test(reason)) return mayRead(state, user) ? "they have one" : undefined;
  const change = METHODS[method];
  if (method === "setSecret") {
    const { user: owner, name } = request as SetSecretRequest;
    return refusalProblem(state, userOp(user, "", { case: "secretSet", value: { user: owner, name } }), reason, false);
  }
  if (change.kind !== "change") return "it is no change";
  return refusalProblem(state, userOp(user, "", change.ask(request as never, 0), undefined, controller), reason, false);
}

/** Counted anew, from the jobs themselves: bounds of the documentation (src/cell/SPEC.md B1). */
function isTooMuch(state: CellState, { body }: Op): boolean {
  const [spec, resized] = [body.case === "jobSubmit" ? body.value.spec : undefined, body.case === "jobResize" ? body.value : undefined];
  const owner = spec?.user ?? resized?.job.split("/")[0];
  const own = [...state.jobs.values()].filter((job) => job.owner === owner);
  const alive = own.filter((job) => job.state !== "dead");
  const tasksOf = (jobs: readonly Job[]): number => jobs.reduce((sum, job) => sum + job.tasks.length, 0);
  const bytes = own.reduce((sum, job) => sum + specSize(job), spec === undefined ? 0 : encode(JobSpecSchema, spec).length);
  const more = spec?.count ?? resized?.count ?? 0;
  const [jobs, tasks, kept, specBytes] = state.version < 3 ? [10_000, 100_000, 300_000, 8 * 2 ** 20] : [2000, 10_000, 15_000, 3 * 2 ** 20];
  const tooMany = alive.length + 1 > 1000 || own.length + 1 > jobs || state.jobs.size + 1 > 47_500;
  return tooMany || tasksOf(alive) + more > tasks || tasksOf(own) + more > kept || bytes > specBytes || state.specBytes > 2 ** 25;
}

const specSize = (job: Job): number => wireOf(job).length;

/** One kind of no: how it begins or reads, and when it is true. */
export interface Reason {
  readonly reads: RegExp;
  readonly isTrue: (state: CellState, op: Op) => boolean;
}

export const jobOf = (state: CellState, { body }: Op): Job | undefined => {
  const spec = body.case === "jobSubmit" || body.case === "allocSetSubmit" ? body.value.spec : updatedTo(body);
  if (spec !== undefined) return state.jobs.get(`${spec.user}/${spec.name}` as never);
  return isAboutJob(body) ? state.jobs.get(body.value.job as never) : undefined;
};

const SECRET_REASONS: readonly Reason[] = [
  {
    reads: /^Cannot use "secrets" yet|has no secrets yet|it does this from version 5 on/,
    isTrue: ({ version }) => version < 5,
  },
  { reads: / has no secret "/, isTrue: lacksSecret },
  {
    reads: /was encrypted for version/,
    isTrue: (state, { body }) =>
      body.case === "secretSet" && body.value.version !== 1 + (secretIn(state, body.value.user, body.value.name)?.version ?? 0),
  },
];

const updatedTo = (body: Op["body"]): JobSpec | AllocSetSpec | undefined =>
  body.case === "updateStart" ? (body.value.spec ?? body.value.allocSet) : undefined;

/** Of alloc sets: what is submitted, or what one is updated to. */
const setAsked = ({ body }: Op): AllocSetSpec | undefined =>
  body.case === "allocSetSubmit" ? body.value.spec : body.case === "updateStart" ? body.value.allocSet : undefined;

const taskMeant = ({ jobs }: CellState, { body }: Op): Task | undefined => {
  const [, job = "", index = ""] = body.case === "taskUnpin" ? (/^(.*)\/(\d+)$/.exec(body.value.task) ?? []) : [];
  return jobs.get(job as never)?.tasks[Number(index)];
};

const namesVolume = (state: CellState, op: Op): boolean => (specOf(taskMeant(state, op)?.job)?.task?.volumes.length ?? 0) > 0;

const REASONS: readonly Reason[] = [
  {
    reads: /and an update leaves it one/,
    isTrue: (state, op) => (jobOf(state, op)?.spec.kind === "alloc-set") !== (setAsked(op) !== undefined),
  },
  { reads: /is a job already|is an alloc set already/, isTrue: (state, op) => jobOf(state, op) !== undefined },
  { reads: /is the most: |its most: |at most: ship/, isTrue: isTooMuch },
  { reads: /may not ask for/, isTrue: (state, op) => !mayAsk(state, op) },
  { reads: /may not call grantUser/, isTrue: (_, { actor }) => actor?.controller !== "" },
  { reads: /^The token of "[^"]*" has ended/, isTrue: hasEnded },
  { reads: /^Controller "[^"]*" may not touch/, isTrue: isOutOfReach },
  { reads: /^Controller "[^"]*" may not give job/, isTrue: isAboveController },
  { reads: /^The cell does not exist yet/, isTrue: (state) => state.name === "" },
  { reads: /^User "[^"]*" is unknown/, isTrue: (state, op) => !state.users.has(userMeant(op) as never) },
  { reads: /is there already and differs/, isTrue: differs },
  {
    reads: /to wait for does not exist/,
    isTrue: ({ jobs }, { body }) => body.case === "jobSubmit" && !jobs.has(body.value.spec?.startAfter as never),
  },
  { reads: /^Alloc set "[^"]*" does not exist/, isTrue: lacksAllocSet },
  { reads: /^Alloc set "[^"]*" belongs to user/, isTrue: isNoTenant },
  { reads: /would run in alloc set/, isTrue: isStrangerIn },
  { reads: /is above that of alloc set/, isTrue: isAboveSet },
  { reads: /^Job "[^"]*" does not exist/, isTrue: (state, op) => jobOf(state, op) === undefined },
  { reads: /is dead: submit it again/, isTrue: (state, op) => jobOf(state, op)?.state === "dead" },
  { reads: /is not being updated: /, isTrue: (state, op) => jobOf(state, op)?.update === undefined },
  { reads: /is being updated/, isTrue: (state, op) => jobOf(state, op)?.update !== undefined },
  { reads: /is being undone/, isTrue: (state, op) => jobOf(state, op)?.update?.phase === "undoing" },
  { reads: /has come to its end: commit it/, isTrue: (state, op) => jobOf(state, op)?.update?.phase === "rolled" },
  { reads: /can be committed when every (task|alloc)/, isTrue: isUnderWay },
  { reads: /left (tasks|allocs) out/, isTrue: leftOut },
  { reads: /no range of them/, isTrue: (state, op) => rangesOf(op).some(({ last }) => last >= (jobOf(state, op)?.count ?? 0)) },
  { reads: /cannot change how many there are/, isTrue: (_, op) => rangesOf(op).length > 0 },
  { reads: /has one task per machine/, isTrue: (state, op) => specOf(jobOf(state, op))?.perMachine === true },
  { reads: /^Task "[^"]*" does not exist/, isTrue: (state, op) => taskMeant(state, op) === undefined },
  { reads: /is pinned to no machine/, isTrue: (state, op) => taskMeant(state, op)?.pinned === undefined || !namesVolume(state, op) },
  { reads: /only one that waits is unpinned/, isTrue: (state, op) => taskMeant(state, op)?.instance !== undefined },
  { reads: /^Cannot use "volumes" yet/, isTrue: ({ version }) => version < 5 },
  { reads: /^A gang has at most/, isTrue: isTooLargeGang },
  { reads: /not all masters of the cell are upgraded/, isTrue: isTooEarly },
  { reads: /is not revoked|is revoked for it$/, isTrue: (_, { body }) => body.case === "frameworkRevoke" },
  { reads: /quota/, isTrue: lacksQuota },
  { reads: /is not in this cell/, isTrue: ({ machines }, op) => !machines.has(machineOf(op) as never) },
  {
    reads: /^Machine "[^"]*" still has/,
    isTrue: (state, op) => (state.machines.get(machineOf(op) as never)?.place.occupants.size ?? 0) > 0,
  },
  {
    reads: /it does this from version [3458] on/,
    isTrue: ({ version }, op) =>
      (op.body.case === "machineApprove" && version < 3) ||
      (op.body.case === "reclamationSet" && version < 4) ||
      (op.body.case === "offersSet" && version < 8) ||
      (op.body.case === "taskUnpin" && version < 5) ||
      (op.body.case === "updateStart" && setAsked(op) !== undefined && version < 5),
  },
  {
    reads: /is of the cell's own directory, and needs no approval/,
    isTrue: (state, op) =>
      state.machines.has(approvedOf(op) as never) && state.machines.get(approvedOf(op) as never)?.approval === undefined,
  },
  {
    reads: /is not known: name its key/,
    isTrue: ({ machines, invitations }, op) => !machines.has(approvedOf(op) as never) && !invitations.has(approvedOf(op) as never),
  },
  { reads: /would have ended already/, isTrue: (_, { body }) => body.case === "machineApprove" && body.value.untilMs > 0 },
  { reads: /^The cell lacks .* for so much prod quota/, isTrue: isOversold },
  { reads: /is the last cell-admin/, isTrue: isLastAdmin },
  { reads: /^Cannot use "packages" yet|has no packages yet|^The cell has version/, isTrue: ({ version }) => version < 3 },
  { reads: /^Cannot use after_failure yet/, isTrue: ({ version }) => version < 7 },
  {
    reads: /to start after did not end well/,
    isTrue: ({ jobs, version }, { body }) => {
      const prior = body.case === "jobSubmit" ? jobs.get(body.value.spec?.startAfter as never) : undefined;
      return prior?.tasks.slice(0, version < 8 ? prior.tasks.length : prior.count).some(({ cause }) => cause !== "finished") === true;
    },
  },
  { reads: /^Cannot label packages/, isTrue: ({ version }) => version < 7 },
  { reads: /^Cannot run images yet/, isTrue: ({ version }) => version < 5 },
  { reads: /^There is no package /, isTrue: lacksPackage },
  {
    reads: / has no package /,
    isTrue: (state, { body }) => body.case === "packageRemove" && !hasPackage(state, body.value.user, body.value),
  },
  { reads: / is named by job /, isTrue: (state, op) => isPackageNamed(state, op) || isSecretNamed(state, op) },
  ...SECRET_REASONS,
  ...FRAMEWORK_REASONS,
];

function hasPackage(
  state: CellState,
  owner: string,
  { name, digest }: { readonly name: string; readonly digest: string },
  by = owner,
): boolean {
  const found = [...(state.users.get(owner as never)?.packages.values() ?? [])].find(
    (each) => each.name === name && each.digest === digest,
  );
  return found !== undefined && (found.shared || by === owner);
}

function lacksPackage(state: CellState, { body }: Op): boolean {
  const spec = body.case === "jobSubmit" || body.case === "updateStart" ? body.value.spec : undefined;
  const named = spec?.task?.packages ?? [];
  return named.some(({ user, name, version }) => !hasPackage(state, user || spec!.user, { name, digest: version }, spec!.user));
}

function isPackageNamed(state: CellState, { body }: Op): boolean {
  if (body.case !== "packageRemove") return false;
  const { user, name, digest } = body.value;
  return [...state.jobs.values()].some(({ spec, kept, update }) =>
    [spec, ...kept.map((each) => each.spec), ...(update === undefined ? [] : [update.spec])].some(
      (each) =>
        each.kind === "job" &&
        each.job.task?.packages.some((ref) => ref.name === name && ref.version === digest && (ref.user || each.job.user) === user),
    ),
  );
}

const secretIn = (state: CellState, user: string, name: string) =>
  [...(state.users.get(user as never)?.secrets.values() ?? [])].find((each) => each.name === name);

function lacksSecret(state: CellState, { body }: Op): boolean {
  if (body.case === "secretRemove") return secretIn(state, body.value.user, body.value.name) === undefined;
  const spec = body.case === "jobSubmit" || body.case === "updateStart" ? body.value.spec : undefined;
  return spec?.task?.secrets.some(({ name }) => secretIn(state, spec.user, name) === undefined) ?? false;
}

function isSecretNamed(state: CellState, { body }: Op): boolean {
  if (body.case !== "secretRemove") return false;
  const { user, name } = body.value;
  return [...state.jobs.values()].some(({ spec, kept, update }) =>
    [spec, ...kept.map((each) => each.spec), ...(update === undefined ? [] : [update.spec])].some(
      (each) => each.kind === "job" && each.job.user === user && each.job.task?.secrets.some((ref) => ref.name === name),
    ),
  );
}

/** Why a no is not justified; undefined when it is. `used`: this user's request id took effect before. */
export function refusalProblem(state: CellState, op: Op, reason: string, used: boolean): string | undefined {
  if (reason.startsWith("Request id")) return used ? undefined : "this user never used that request id";
  // The longest look first: "quota" stands in the words for oversold quota, too.
  const known = REASONS.filter(({ reads }) => reads.test(reason));
  if (known.length === 0) return "that is no reason anybody knows";
  return known.some(({ isTrue }) => isTrue(state, op)) ? undefined : "that is not so";
}

function isUnderWay(state: CellState, op: Op): boolean {
  return (jobOf(state, op)?.update?.phase ?? "rolled") !== "rolled";
}

/** Some living task of the job was told nothing by its update. */
function leftOut(state: CellState, op: Op): boolean {
  const job = jobOf(state, op);
  return job?.tasks.some(({ state: is, told }) => is !== "dead" && is !== "ending" && told?.generation !== job.update?.generation) ?? false;
}

const rangesOf = ({ body }: Op): readonly { readonly first: number; readonly last: number }[] =>
  body.case === "updateStart" ? body.value.tasks : [];

const userMeant = ({ body }: Op): string | undefined =>
  body.case === "quotaSet" || body.case === "secretSet"
    ? body.value.user
    : body.case === "jobSubmit" || body.case === "allocSetSubmit"
      ? body.value.spec?.user
      : undefined;

const machineOf = ({ body }: Op): string | undefined =>
  body.case === "machineDrain" || body.case === "machineLeave" ? body.value.machine : undefined;

const approvedOf = ({ body }: Op): string | undefined => (body.case === "machineApprove" ? body.value.machine : undefined);

const specOf = (job: Job | undefined) => (job?.spec.kind === "job" ? job.spec.job : undefined);

function differs(state: CellState, op: Op): boolean {
  const job = jobOf(state, op);
  if (job === undefined || job.state === "dead") return false;
  return hex(wireOf(job)) !== hex(askedWire(op));
}

function wireOf({ spec }: Job): Uint8Array {
  if (spec.kind === "job") return encode(JobSpecSchema, spec.job);
  if (spec.kind === "framework") return Uint8Array.of(1, ...encode(FrameworkSpecSchema, spec.framework));
  return Uint8Array.of(0, ...encode(AllocSetSpecSchema, spec.allocSet));
}

function askedWire({ body }: Op): Uint8Array {
  if (body.case === "jobSubmit" && body.value.spec !== undefined) return encode(JobSpecSchema, body.value.spec);
  if (body.case === "allocSetSubmit" && body.value.spec !== undefined)
    return Uint8Array.of(0, ...encode(AllocSetSpecSchema, body.value.spec));
  return new Uint8Array();
}

const hex = (bytes: Uint8Array): string => bytes.join(",");

function lacksAllocSet(state: CellState, op: Op): boolean {
  const { body } = op;
  if (body.case === "updateStart") return jobOf(state, op) === undefined;
  if (body.case !== "jobSubmit") return false;
  const set = state.jobs.get(body.value.spec?.allocSet as never);
  return set === undefined || set.spec.kind !== "alloc-set" || set.state === "dead";
}

function isNoTenant(state: CellState, { body }: Op): boolean {
  const spec = body.case === "jobSubmit" ? body.value.spec : undefined;
  const set = state.jobs.get(spec?.allocSet as never);
  const specs = set === undefined ? [] : [set.spec, ...(set.update === undefined ? [] : [set.update.spec])];
  return specs.some(
    (each) => each.kind === "alloc-set" && each.allocSet.user !== spec?.user && !each.allocSet.tenants.includes(spec?.user ?? ""),
  );
}

/** Specs of living jobs that name the set which is submitted. */
const namingSet = (state: CellState, user: string, name: string): JobSpec[] =>
  [...state.jobs.values()].flatMap(({ spec, state: is }) =>
    is !== "dead" && spec.kind === "job" && spec.job.allocSet === `${user}/${name}` ? [spec.job] : [],
  );

function isStrangerIn(state: CellState, op: Op): boolean {
  const set = setAsked(op);
  return set !== undefined && namingSet(state, set.user, set.name).some(({ user }) => user !== set.user && !set.tenants.includes(user));
}

function isAboveSet(state: CellState, op: Op): boolean {
  const { body } = op;
  const set = setAsked(op);
  if (set !== undefined) return namingSet(state, set.user, set.name).some(({ priority }) => priority > set.priority);
  const job = body.case === "jobSubmit" || body.case === "updateStart" ? body.value.spec : undefined;
  const host = state.jobs.get(job?.allocSet as never);
  return job !== undefined && host !== undefined && job.priority > Math.min(host.priority, host.update?.priority ?? host.priority);
}

const GANG_MOST = 1000;

function isTooLargeGang(state: CellState, op: Op): boolean {
  const { body } = op;
  if (body.case === "jobSubmit") return body.value.spec?.mode === SchedulingMode.GANG && body.value.spec.count > GANG_MOST;
  return body.case === "jobResize" && specOf(jobOf(state, op))?.mode === SchedulingMode.GANG && body.value.count > GANG_MOST;
}

/** Version 3 brought readiness, lame ducks and checks other than by HTTP, version 4 labels of single tasks and tenants, version 7 spread over racks and limits between jobs, version 8 a pace for drains and exits that are final. */
function isTooEarly({ version }: CellState, { body }: Op): boolean {
  if (version < 8 && body.case === "allocSetSubmit" && (body.value.spec?.drainEveryMs ?? 0) > 0) return true;
  if (version < 5 && body.case === "allocSetSubmit" && (body.value.spec?.keepDirectoryMs ?? 0) > 0) return true;
  if (version < 4 && body.case === "allocSetSubmit") return (body.value.spec?.tenants.length ?? 0) > 0;
  const spec = body.case === "jobSubmit" || body.case === "updateStart" ? body.value.spec : undefined;
  if (version < 6 && spec?.task?.controller !== undefined) return true;
  if (version < 8 && ((spec?.drainEveryMs ?? 0) > 0 || namesExits(spec?.restart))) return true;
  if (version < 7 && (spec?.spread === Spread.RACK || spec?.spread === Spread.POWER || (spec?.beside.length ?? 0) > 0)) return true;
  if (version < 4 && spec?.overrides.some(({ labels }) => labels.length > 0)) return true;
  const task = body.case === "jobSubmit" ? body.value.spec?.task : undefined;
  return version < 3 && task !== undefined && (task.ready !== undefined || task.lameDuckMs > 0 || (task.health?.kind ?? 0) > 0);
}

const namesExits = (policy: RestartPolicy | undefined): boolean =>
  policy !== undefined && (policy.fatalExits.length > 0 || policy.okExits.length > 0);

function isLastAdmin(state: CellState, { body }: Op): boolean {
  if (body.case !== "userGrant") return false;
  const admins = [...state.users.values()].filter((user) => user.roles.has(Role.CELL_ADMIN));
  return admins.length === 1 && admins[0]?.id === body.value.user;
}
