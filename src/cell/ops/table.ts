/**
 * Every op, one line each: who may ask for it, in which lane it waits, whose things and what it is about, and what it does. An op of the vocabulary
 * without a line here does not compile, and nothing else in the code lists ops.
 */
import { type JobId, type MachineId, splitTask, type UserId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Op, Principal } from "../../wire/gen/borg/v1/op_pb.ts";
import { type Answer, DONE } from "../answer.ts";
import { packageKey } from "../package.ts";
import type { CellState } from "../state.ts";
import type { Turn } from "../turn.ts";
import {
  ALLOC_UPDATES,
  APPROVALS,
  CALL_BOUNDS,
  DIGESTS_AND_CLOCK,
  FRAMEWORKS,
  LINK_SHARDS,
  OFFER_POLICY,
  PACKAGES,
  RECLAMATION,
  RESTORES,
  REVOCATION,
  RUNS,
  SECRETS,
  SHELLS,
  STRANGERS,
  UPDATES,
  VOLUMES,
} from "../version.ts";
import { keptMachine } from "../volume.ts";
import { type Submitted, submitAllocSet, submitJob } from "./admission.ts";
import { approveMachine, enrollMachine } from "./approvals.ts";
import { configureCell, initCell, restoreCell, setClock, setOffers, setReclamation, setScheduler, setVersion } from "./cell-wide.ts";
import { applyClaims } from "./claims.ts";
import { controllerProblem } from "./controllers.ts";
import { expire } from "./deadlines.ts";
import { forgetDirectory } from "./directories.ts";
import { evict, giveUp, reserve } from "./evictions.ts";
import { disconnect, subscribe, teardown } from "./frameworks.ts";
import { forgetJob, killJob, resizeJob, restartJob } from "./jobs.ts";
import { killLaunched } from "./kills.ts";
import { launch } from "./launches.ts";
import { partitionLinks } from "./link-partition.ts";
import { changeFacts, drainMachine, joinMachine, leaveMachine, markMachine } from "./machines.ts";
import { addPackage, removePackage } from "./packages.ts";
import { setQuota } from "./quota.ts";
import { applyReport, findInstance } from "./reports.ts";
import { revoke } from "./revocations.ts";
import { setRole } from "./roles.ts";
import { removeSecret, resealSecret, setSecret } from "./secrets.ts";
import { openShell } from "./shells.ts";
import { acknowledge } from "./statuses.ts";
import { revokeToken, setToken } from "./tokens.ts";
import { stepUpdate } from "./update-steps.ts";
import { commitUpdate, pauseUpdate, startUpdate, undoUpdate } from "./updates.ts";
import { boundsCalls, setBounds } from "./user-bounds.ts";
import { grant, notOneOf, type Who } from "./users.ts";
import { unpin } from "./volumes.ts";

export type OpCase = NonNullable<Op["body"]["case"]>;

type Values = { readonly [K in OpCase]: Extract<Op["body"], { readonly case: K }>["value"] };

/** A body whose case and value belong together, so that the table can be asked without a cast. */
export type BodyOf<K extends OpCase = OpCase> = { readonly [P in K]: { readonly case: P; readonly value: Values[P] } }[K];

/** Under overload, what the machines tell and the wish to stop something come first, then claims. */
export type Lane = "news" | "claims" | "rest";

/** What kind of no it is that an op got: no right to ask, no such thing, or refused by the cell. */
export type RefusalKind = "not-permitted" | "not-found" | "refused";

interface Line<V> {
  readonly who: readonly Who[];
  readonly lane: Lane;
  /** The first cell version that knows it; not said: every one does. Older masters could not even read it, so below that version it is not appended. */
  readonly since?: number | ((value: V) => number);
  /** Whose things it is about; where it is about nobody's, `owner` in `who` means nothing. */
  readonly owner?: (value: V) => string | undefined;
  /** What it is about, in one word; with its name it tells two requests apart. */
  readonly subject?: (value: V) => string;
  /** Whether what it is about is there: a refusal because it is not is of another kind. */
  readonly exists?: (state: CellState, value: V) => boolean;
  readonly apply: (turn: Turn, value: V) => Result<Answer>;
}

const NO_SPEC = "A submit needs a spec: send the whole job or alloc set";
const NO_FACTS = "A machine needs facts: its capacity, its ports";
const ADMIN: readonly Who[] = ["admin"];
const MASTER: readonly Who[] = ["master"];

const named = (spec: { readonly user: string; readonly name: string } | undefined): string =>
  spec === undefined ? "" : `${spec.user}/${spec.name}`;
const ofUser = { subject: ({ user }: { readonly user: string }): string => user };

/** About a job that should be there. */
const ofJob = {
  owner: ({ job }: { readonly job: string }): string => job.slice(0, job.indexOf("/")),
  subject: ({ job }: { readonly job: string }): string => job,
  exists: ({ jobs }: CellState, { job }: { readonly job: string }): boolean => jobs.has(job as JobId),
};

/** About a framework that should be there. */
const ofFramework = {
  owner: ({ framework }: { readonly framework: string }): string => framework.slice(0, framework.indexOf("/")),
  subject: ({ framework }: { readonly framework: string }): string => framework,
  exists: ({ jobs }: CellState, { framework }: { readonly framework: string }): boolean => jobs.get(framework as JobId)?.led !== undefined,
};

interface NamedPackage {
  readonly user: string;
  readonly name: string;
  readonly digest: string;
}

/** About a package that should be there. */
const ofPackage = {
  owner: ({ user }: NamedPackage): string => user,
  subject: ({ user, name, digest }: NamedPackage): string => `${user}/${packageKey(name, digest)}`,
  exists: ({ users }: CellState, { user, name, digest }: NamedPackage): boolean =>
    users.get(user as UserId)?.packages.has(packageKey(name, digest)) ?? false,
};

interface NamedSecret {
  readonly user: string;
  readonly name: string;
}

/** About a secret that should be there. */
const ofSecret = {
  owner: ({ user }: NamedSecret): string => user,
  subject: ({ user, name }: NamedSecret): string => `${user}/${name}`,
  exists: ({ users }: CellState, { user, name }: NamedSecret): boolean => users.get(user as UserId)?.secrets.has(name) ?? false,
};

/** About a machine that should be there. */
const ofMachine = {
  subject: ({ machine }: { readonly machine: string }): string => machine,
  exists: ({ machines }: CellState, { machine }: { readonly machine: string }): boolean => machines.has(machine as MachineId),
};

/** About a machine that is there, or may come. */
const ofMachineToBe = {
  subject: ofMachine.subject,
  exists: (state: CellState, value: { readonly machine: string }): boolean =>
    ofMachine.exists(state, value) || state.invitations.has(value.machine as MachineId),
};

const TABLE: { readonly [K in OpCase]: Line<Values[K]> } = {
  cellInit: { who: MASTER, lane: "rest", apply: (turn, value) => done(initCell(turn, value)) },
  cellVersion: { who: MASTER, lane: "rest", apply: (turn, value) => done(setVersion(turn, value)) },
  cellConfigure: { who: ADMIN, lane: "rest", apply: (turn, value) => done(configureCell(turn, value)) },
  cellClock: { who: MASTER, lane: "rest", since: DIGESTS_AND_CLOCK, apply: (turn, value) => done(setClock(turn, value)) },
  cellRestored: { who: MASTER, lane: "rest", since: RESTORES, apply: (turn, value) => done(restoreCell(turn, value)) },
  reclamationSet: { who: ADMIN, lane: "rest", since: RECLAMATION, apply: (turn, value) => done(setReclamation(turn, value)) },
  offersSet: { who: ADMIN, lane: "rest", since: OFFER_POLICY, apply: (turn, value) => done(setOffers(turn, value)) },
  linkPartition: { who: MASTER, lane: "news", since: LINK_SHARDS, apply: (turn, value) => done(partitionLinks(turn, value)) },
  userGrant: { who: ADMIN, lane: "rest", ...ofUser, apply: (turn, value) => done(grant(turn, value)) },
  quotaSet: { who: ["admin", "quota-admin"], lane: "rest", ...ofUser, apply: (turn, value) => done(setQuota(turn, value)) },
  boundsSet: {
    who: ["admin", "quota-admin"],
    lane: "rest",
    since: ({ bounds }) => (boundsCalls(bounds) ? CALL_BOUNDS : STRANGERS),
    ...ofUser,
    apply: (turn, value) => done(setBounds(turn, value)),
  },
  schedulerSet: {
    who: ["admin", "master"],
    lane: "rest",
    subject: ({ name }) => name,
    apply: (turn, value) => done(setScheduler(turn, value)),
  },
  tokenSet: { who: ADMIN, lane: "rest", ...ofUser, apply: (turn, value) => done(setToken(turn, value)) },
  tokenRevoke: { who: ADMIN, lane: "rest", ...ofUser, apply: (turn, value) => done(revokeToken(turn, value)) },
  jobSubmit: {
    who: ["owner"],
    lane: "rest",
    owner: ({ spec }) => spec?.user,
    subject: ({ spec }) => named(spec),
    apply: (turn, { spec }) => (spec === undefined ? refused(NO_SPEC) : submitted(submitJob(turn, spec))),
  },
  allocSetSubmit: {
    who: ["owner"],
    lane: "rest",
    since: ({ spec }) => (spec?.update === undefined ? 1 : ALLOC_UPDATES),
    owner: ({ spec }) => spec?.user,
    subject: ({ spec }) => named(spec),
    apply: (turn, { spec }) => (spec === undefined ? refused(NO_SPEC) : submitted(submitAllocSet(turn, spec))),
  },
  jobKill: { who: ["owner", "master"], lane: "news", ...ofJob, apply: (turn, { job }) => killJob(turn, job) },
  jobRestart: { who: ["owner"], lane: "rest", ...ofJob, apply: (turn, value) => done(restartJob(turn, value)) },
  jobResize: { who: ["owner"], lane: "rest", ...ofJob, apply: (turn, value) => resizeJob(turn, value) },
  jobForget: { who: ["owner", "master"], lane: "rest", ...ofJob, apply: (turn, { job }) => done(forgetJob(turn, job)) },
  taskUnpin: {
    who: ["owner"],
    lane: "rest",
    since: VOLUMES,
    owner: ({ task }) => task.slice(0, task.indexOf("/")),
    subject: ({ task }) => task,
    exists: ({ jobs }, { task }) => jobs.get(splitTask(task).job)?.tasks[splitTask(task).index] !== undefined,
    apply: (turn, { task }) => done(unpin(turn, task)),
  },
  directoryForget: {
    who: ["owner", "master"],
    lane: "rest",
    since: VOLUMES,
    owner: ({ alloc }) => alloc.slice(0, alloc.indexOf("/")),
    subject: ({ alloc }) => alloc,
    exists: (state, { alloc }) => keptMachine(state, alloc) !== undefined,
    apply: (turn, { alloc }) => done(forgetDirectory(turn, alloc)),
  },
  shellOpen: {
    who: ["owner"],
    lane: "rest",
    since: SHELLS,
    owner: ({ instance }) => instance.slice(0, instance.indexOf("/")),
    subject: ({ instance }) => instance,
    exists: (state, { instance }) => findInstance(state, instance) !== undefined,
    apply: (turn, value) => done(openShell(turn, value)),
  },
  updateStart: {
    who: ["owner"],
    lane: "rest",
    // A spec that older masters could not even read.
    since: ({ allocSet }) => (allocSet === undefined ? UPDATES : ALLOC_UPDATES),
    owner: ({ spec, allocSet }) => (spec ?? allocSet)?.user,
    subject: ({ spec, allocSet }) => named(spec ?? allocSet),
    exists: ({ jobs }, { spec, allocSet }) => jobs.has(named(spec ?? allocSet) as JobId),
    apply: (turn, value) => startUpdate(turn, value),
  },
  updatePause: { who: ["owner"], lane: "news", since: UPDATES, ...ofJob, apply: (turn, value) => pauseUpdate(turn, value) },
  updateUndo: { who: ["owner"], lane: "news", since: UPDATES, ...ofJob, apply: (turn, { job }) => undoUpdate(turn, job) },
  updateCommit: { who: ["owner"], lane: "rest", since: UPDATES, ...ofJob, apply: (turn, { job }) => commitUpdate(turn, job) },
  updateStep: { who: MASTER, lane: "rest", since: UPDATES, ...ofJob, apply: (turn, { job }) => done(stepUpdate(turn, job)) },
  machineJoin: {
    who: MASTER,
    lane: "news",
    subject: ofMachine.subject,
    apply: (turn, { machine, facts, key }) => (facts === undefined ? refused(NO_FACTS) : done(joinMachine(turn, machine, facts, key))),
  },
  machineFacts: {
    who: MASTER,
    lane: "news",
    ...ofMachine,
    apply: (turn, { machine, facts }) => (facts === undefined ? refused(NO_FACTS) : done(changeFacts(turn, machine, facts))),
  },
  machineApprove: {
    who: ADMIN,
    lane: "rest",
    since: APPROVALS,
    subject: ofMachine.subject,
    apply: (turn, value) => done(approveMachine(turn, value)),
  },
  machineEnroll: {
    who: MASTER,
    lane: "rest",
    since: APPROVALS,
    subject: ofMachine.subject,
    apply: (turn, value) => done(enrollMachine(turn, value)),
  },
  machineLeave: {
    who: ["admin", "master"],
    lane: "news",
    ...ofMachineToBe,
    apply: (turn, { machine }) => done(leaveMachine(turn, machine)),
  },
  machineMark: {
    who: MASTER,
    lane: "news",
    ...ofMachine,
    apply: (turn, { machine, reachable }) => done(markMachine(turn, machine, reachable)),
  },
  machineDrain: {
    who: ["admin", "master"],
    lane: "rest",
    ...ofMachine,
    apply: (turn, { machine, draining }) => done(drainMachine(turn, machine, draining)),
  },
  machineReport: { who: MASTER, lane: "news", ...ofMachine, apply: (turn, value) => done(applyReport(turn, value)) },
  taskClaims: {
    who: ["scheduler"],
    lane: "claims",
    apply: (turn, value) => {
      const claims = applyClaims(turn, value);
      return claims.ok ? ok({ type: "claims", claims: claims.value }) : claims;
    },
  },
  taskEvict: { who: MASTER, lane: "news", apply: (turn, value) => done(evict(turn, value)) },
  taskLost: { who: MASTER, lane: "news", ...ofMachine, apply: (turn, value) => done(giveUp(turn, value)) },
  taskExpire: { who: MASTER, lane: "news", since: RUNS, apply: (turn, value) => done(expire(turn, value)) },
  reservations: { who: MASTER, lane: "rest", ...ofMachine, apply: (turn, value) => done(reserve(turn, value)) },
  packageAdd: {
    who: ["owner"],
    lane: "rest",
    since: PACKAGES,
    ...ofPackage,
    exists: () => true,
    apply: (turn, value) => addPackage(turn, value),
  },
  packageRemove: { who: ["owner"], lane: "rest", since: PACKAGES, ...ofPackage, apply: (turn, value) => done(removePackage(turn, value)) },
  secretSet: {
    who: ["owner"],
    lane: "rest",
    since: SECRETS,
    ...ofSecret,
    exists: () => true,
    apply: (turn, value) => done(setSecret(turn, value)),
  },
  secretRemove: { who: ["owner"], lane: "rest", since: SECRETS, ...ofSecret, apply: (turn, value) => done(removeSecret(turn, value)) },
  secretReseal: { who: ADMIN, lane: "rest", since: SECRETS, ...ofSecret, apply: (turn, value) => done(resealSecret(turn, value)) },
  frameworkSubscribe: {
    who: ["owner"],
    lane: "rest",
    since: FRAMEWORKS,
    owner: ({ spec }) => spec?.user,
    subject: ({ spec }) => named(spec),
    apply: (turn, value) => subscribe(turn, value),
  },
  frameworkLaunch: {
    who: ["owner"],
    lane: "claims",
    since: FRAMEWORKS,
    ...ofFramework,
    apply: (turn, value) => {
      const launches = launch(turn, value);
      return launches.ok ? ok({ type: "launches", launches: launches.value }) : launches;
    },
  },
  frameworkKill: { who: ["owner"], lane: "news", since: FRAMEWORKS, ...ofFramework, apply: (turn, value) => killLaunched(turn, value) },
  frameworkAcknowledge: {
    who: ["owner"],
    lane: "rest",
    since: FRAMEWORKS,
    ...ofFramework,
    apply: (turn, value) => acknowledge(turn, value),
  },
  frameworkDisconnect: {
    who: ["owner", "master"],
    lane: "rest",
    since: FRAMEWORKS,
    ...ofFramework,
    apply: (turn, value) => disconnect(turn, value),
  },
  frameworkTeardown: {
    who: ["owner", "master"],
    lane: "news",
    since: FRAMEWORKS,
    ...ofFramework,
    apply: (turn, value) => teardown(turn, value),
  },
  frameworkRevoke: {
    who: MASTER,
    lane: "news",
    since: REVOCATION,
    subject: ({ role }) => role,
    apply: (turn, value) => revoke(turn, value),
  },
  roleSet: {
    who: ADMIN,
    lane: "rest",
    since: FRAMEWORKS,
    subject: ({ role }) => role?.name ?? "",
    apply: (turn, value) => done(setRole(turn, value)),
  },
  barrier: { who: MASTER, lane: "news", apply: () => ok(DONE) },
};

const lineOf = <K extends OpCase>({ case: name }: BodyOf<K>): Line<Values[K]> => TABLE[name] as Line<Values[K]>;

/** Whether this build knows the op. One that a newer build appended has a name that this one never heard. */
export const isKnown = (body: Op["body"]): body is BodyOf => body.case !== undefined && Object.hasOwn(TABLE, body.case);

export const applyBody = <K extends OpCase>(turn: Turn, body: BodyOf<K>): Result<Answer> => lineOf(body).apply(turn, body.value);

export const subjectOf = <K extends OpCase>(body: BodyOf<K>): string => lineOf(body).subject?.(body.value) ?? "";

export const laneOf = ({ body }: Op): Lane => (isKnown(body) ? TABLE[body.case].lane : "rest");

/** Why it must not be appended to the journal of a cell of this version; undefined when it may. [KD7] */
export function versionProblem({ version }: CellState, { body }: Op): string | undefined {
  const since = isKnown(body) ? sinceOf(body) : 1;
  return version >= since
    ? undefined
    : `The cell has version ${version}: it does this from version ${since} on, which it has when every master can`;
}

function sinceOf<K extends OpCase>(body: BodyOf<K>): number {
  const { since = 1 } = lineOf(body);
  return typeof since === "number" ? since : since(body.value);
}

/** Why this actor may not ask for this; undefined when it may. [KA2] */
export const permissionProblem = (state: CellState, actor: Principal, body: BodyOf): string | undefined =>
  actorProblem(state, actor, body) ?? controllerProblem(state, actor, body);

function actorProblem<K extends OpCase>(state: CellState, actor: Principal, body: BodyOf<K>): string | undefined {
  const { who, owner } = lineOf(body);
  return notOneOf(state, actor, who, body.case, owner?.(body.value));
}

/** Decided afterwards, from the state that refused. */
export function refusalKind(state: CellState, { actor, body }: Op): RefusalKind {
  if (actor === undefined || !isKnown(body)) return "refused";
  if (permissionProblem(state, actor, body) !== undefined) return "not-permitted";
  return isThere(state, body) ? "refused" : "not-found";
}

const isThere = <K extends OpCase>(state: CellState, body: BodyOf<K>): boolean => lineOf(body).exists?.(state, body.value) ?? true;

const done = (result: Result<undefined>): Result<Answer> => (result.ok ? ok(DONE) : result);

const submitted = (result: Result<Submitted>): Result<Answer> =>
  result.ok ? ok({ type: "submitted", already: result.value.already }) : result;
