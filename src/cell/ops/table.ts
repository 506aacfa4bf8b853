/** Every op by name, and what it does. An op of the vocabulary without a line here does not compile. */
import { ok, type Result, refused } from "../../base/result.ts";
import type { Op } from "../../wire/gen/borg/v1/op_pb.ts";
import { type Answer, DONE } from "../answer.ts";
import type { Turn } from "../turn.ts";
import { type Submitted, submitAllocSet, submitJob } from "./admission.ts";
import { configureCell, initCell, setClock, setScheduler, setVersion } from "./cell-wide.ts";
import { applyClaims } from "./claims.ts";
import { expire } from "./deadlines.ts";
import { evict, giveUp, reserve } from "./evictions.ts";
import { forgetJob, killJob, resizeJob, restartJob } from "./jobs.ts";
import { changeFacts, drainMachine, joinMachine, leaveMachine, markMachine } from "./machines.ts";
import { setQuota } from "./quota.ts";
import { applyReport } from "./reports.ts";
import { revokeToken, setToken } from "./tokens.ts";
import { grant, type OpCase } from "./users.ts";

type Values = { readonly [K in OpCase]: Extract<Op["body"], { readonly case: K }>["value"] };

/** A body whose case and value belong together, so that the table can be asked without a cast. */
export type BodyOf<K extends OpCase = OpCase> = { readonly [P in K]: { readonly case: P; readonly value: Values[P] } }[K];

const APPLY: { readonly [K in OpCase]: (turn: Turn, value: Values[K]) => Result<Answer> } = {
  cellInit: (turn, value) => done(initCell(turn, value)),
  cellVersion: (turn, value) => done(setVersion(turn, value)),
  cellConfigure: (turn, value) => done(configureCell(turn, value)),
  cellClock: (turn, value) => done(setClock(turn, value)),
  userGrant: (turn, value) => done(grant(turn, value)),
  quotaSet: (turn, value) => done(setQuota(turn, value)),
  schedulerSet: (turn, value) => done(setScheduler(turn, value)),
  tokenSet: (turn, value) => done(setToken(turn, value)),
  tokenRevoke: (turn, value) => done(revokeToken(turn, value)),
  jobSubmit: (turn, { spec }) => (spec === undefined ? refused("A submit needs a spec") : submitted(submitJob(turn, spec))),
  allocSetSubmit: (turn, { spec }) => (spec === undefined ? refused("A submit needs a spec") : submitted(submitAllocSet(turn, spec))),
  jobKill: (turn, { job }) => killJob(turn, job),
  jobRestart: (turn, value) => done(restartJob(turn, value)),
  jobResize: (turn, value) => resizeJob(turn, value),
  jobForget: (turn, { job }) => done(forgetJob(turn, job)),
  machineJoin: (turn, { machine, facts }) =>
    facts === undefined ? refused("A machine needs facts") : done(joinMachine(turn, machine, facts)),
  machineFacts: (turn, { machine, facts }) =>
    facts === undefined ? refused("A machine needs facts") : done(changeFacts(turn, machine, facts)),
  machineLeave: (turn, { machine }) => done(leaveMachine(turn, machine)),
  machineMark: (turn, { machine, reachable }) => done(markMachine(turn, machine, reachable)),
  machineDrain: (turn, { machine, draining }) => done(drainMachine(turn, machine, draining)),
  machineReport: (turn, value) => done(applyReport(turn, value)),
  taskClaims: (turn, value) => {
    const claims = applyClaims(turn, value);
    return claims.ok ? ok({ type: "claims", claims: claims.value }) : claims;
  },
  taskEvict: (turn, value) => done(evict(turn, value)),
  taskLost: (turn, value) => done(giveUp(turn, value)),
  taskExpire: (turn, value) => done(expire(turn, value)),
  reservations: (turn, value) => done(reserve(turn, value)),
  barrier: () => ok(DONE),
};

/** Whether this build knows the op. One that a newer build appended has a name that this one never heard. */
export const isKnown = (body: Op["body"]): body is BodyOf => body.case !== undefined && Object.hasOwn(APPLY, body.case);

export const applyBody = <K extends OpCase>(turn: Turn, body: BodyOf<K>): Result<Answer> => APPLY[body.case](turn, body.value);

const done = (result: Result<undefined>): Result<Answer> => (result.ok ? ok(DONE) : result);

const submitted = (result: Result<Submitted>): Result<Answer> =>
  result.ok ? ok({ type: "submitted", already: result.value.already }) : result;
