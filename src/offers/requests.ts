/** The calls of a subscribed framework, one by one. Each says at once what is wrong with it as such; what the cell thinks of it comes as an event. */
import type { JobId, MachineId } from "../base/id.ts";
import { plus, type Vector, ZERO } from "../base/vector.ts";
import { executorOf, livingExecutor, isExecutor as runsTasks } from "../cell/executor.ts";
import { isTerminal } from "../cell/mesos-state.ts";
import type { LaunchAnswer } from "../cell/ops/launches.ts";
import type { CellState } from "../cell/state.ts";
import { encode } from "../wire/codec.ts";
import { type Launch, LaunchSchema } from "../wire/gen/borg/v1/op_pb.ts";
import { type Filters, TaskStatus_Reason as Reason, TaskState, type TaskStatus } from "../wire/gen/mesos/v1/mesos_pb.ts";
import {
  type Call,
  type Call_Accept,
  type Call_Acknowledge,
  type Call_Decline,
  type Call_Kill,
  type Call_Message,
  type Call_Reconcile,
  type Call_Shutdown,
  Call_Type,
} from "../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { operationsProblem, type Plan, planOf, tasksOf, weightOf } from "./accept.ts";
import { type Allocator, DECLINE_MS } from "./allocator.ts";
import type { Decided, OpBody } from "./asking.ts";
import { masterStatus, updateEvent } from "./events.ts";
import type { Offer } from "./ledger.ts";
import type { Session, Step, Subscribed } from "./session.ts";
import { reconciled } from "./statuses.ts";
import { executorName } from "./task-info.ts";
import { nameIn } from "./words.ts";

export interface RequestsHost {
  state(): CellState;
  now(): number;
  allocator(): Allocator;
  ask(session: Session, body: OpBody, once: boolean, then: (decided: Decided) => void): void;
  /** Something may be offered anew. */
  cycle(): void;
  over(session: Session, reason: string): void;
  tellExecutor(machine: string, instance: string, data: Uint8Array): void;
}

/** Of launches in one op: less than an op may have (cell/op.ts). */
const OP_BYTES = 700_000;
const LAUNCHES_IN_OP = 1_000;
const ACKNOWLEDGEMENTS_IN_OP = 1_000;
const UUID_BYTES = 16;
const TASK_ID_LENGTH = 255;
const NO_DATA = new Uint8Array();

export class Requests {
  readonly #host: RequestsHost;

  constructor(host: RequestsHost) {
    this.#host = host;
  }

  /** What is wrong with the call; undefined: it is done, or will be in its turn. */
  take(session: Session, of: Subscribed, call: Call): string | undefined {
    switch (call.type) {
      case Call_Type.ACCEPT:
        return this.#accept(session, of, call.accept);
      case Call_Type.DECLINE:
        return this.#inTurn(session, call.decline, (decline) => this.#decline(of, decline));
      case Call_Type.REVIVE:
        return this.#always(session, () => this.#host.allocator().revive(of.job, this.#host.now()));
      case Call_Type.SUPPRESS:
        return this.#always(session, () => this.#host.allocator().setWants(of.job, false, this.#host.now()));
      case Call_Type.ACKNOWLEDGE:
        return this.#acknowledge(session, of, call.acknowledge);
      case Call_Type.KILL:
        return this.#kill(session, of, call.kill);
      case Call_Type.RECONCILE:
        return this.#inTurn(session, call.reconcile, (reconcile) => this.#reconcile(session, of, reconcile));
      case Call_Type.TEARDOWN:
        return this.#teardown(session, of);
      // Mesos' own allocator does not heed it either.
      case Call_Type.REQUEST:
        return undefined;
      case Call_Type.SHUTDOWN:
        return this.#shutdown(session, of, call.shutdown);
      case Call_Type.MESSAGE:
        return this.#inTurn(session, call.message, (message) => this.#message(of, message));
      default:
        return `Call ${nameIn(Call_Type, call.type)} is not there`;
    }
  }

  #always(session: Session, work: () => void): undefined {
    session.enqueue((next) => {
      work();
      this.#host.cycle();
      next();
    });
  }

  #inTurn<T>(session: Session, body: T | undefined, work: (body: T) => void): string | undefined {
    return body === undefined ? "The call has a type and nothing of that type in it" : this.#always(session, () => work(body));
  }

  #decline({ job }: Subscribed, { offerIds, filters }: Call_Decline): void {
    const [filterMs, nowMs] = [filterOf(filters), this.#host.now()];
    for (const { value = "" } of offerIds) this.#host.allocator().decline(job, value, filterMs, nowMs);
  }

  #reconcile(session: Session, of: Subscribed, { tasks }: Call_Reconcile): void {
    const job = this.#host.state().jobs.get(of.job);
    if (job?.led === undefined) return;
    const all = [...job.led.byId]
      .filter(([, task]) => task.launched !== undefined && !isTerminal(task.launched.told) && !runsTasks(task))
      .map(([taskId]) => taskId);
    const asked = tasks.length === 0 ? all : tasks.map(({ taskId }) => taskId?.value ?? "");
    for (const taskId of asked) session.send(updateEvent(reconciled(job, taskId, of.isAware)));
  }

  /** To an executor that is not there nobody says anything (Mesos: best effort). */
  #message({ job }: Subscribed, { agentId, executorId, data = NO_DATA }: Call_Message): void {
    const { jobs, machines } = this.#host.state();
    const own = jobs.get(job);
    const machine = machines.get((agentId?.value ?? "") as MachineId);
    const living = own === undefined ? undefined : livingExecutor(machine, own, executorId?.value ?? "");
    if (living !== undefined) this.#host.tellExecutor(living.place.machine.id, living.id, data);
  }

  #acknowledge(session: Session, of: Subscribed, call: Call_Acknowledge | undefined): string | undefined {
    const taskId = call?.taskId?.value;
    if (call?.uuid?.length !== UUID_BYTES || taskId === undefined)
      return `ACKNOWLEDGE needs a task_id and the ${UUID_BYTES} bytes of the update's uuid`;
    session.acknowledgements.push({ taskId, uuid: call.uuid });
    // The first of them waits for its turn; those that come meanwhile go with it.
    if (session.acknowledgements.length === 1) session.enqueue((next) => this.#sendAcknowledgements(session, of, next));
    return undefined;
  }

  #sendAcknowledgements(session: Session, of: Subscribed, next: () => void): void {
    const acknowledgements = session.acknowledgements.splice(0, ACKNOWLEDGEMENTS_IN_OP);
    if (acknowledgements.length === 0) return next();
    const value = { framework: of.job, session: session.number, acknowledgements };
    this.#ask(session, { case: "frameworkAcknowledge", value }, false, () => this.#sendAcknowledgements(session, of, next));
  }

  #kill(session: Session, of: Subscribed, call: Call_Kill | undefined): string | undefined {
    const taskId = call?.taskId?.value;
    if (taskId === undefined) return "KILL needs a task_id";
    const grace = call?.killPolicy?.gracePeriod?.nanoseconds;
    const noticeMs = grace === undefined ? undefined : Math.min(86_400_000, Math.ceil(Number(grace) / 1_000_000));
    this.#step(session, (next) => {
      const job = this.#host.state().jobs.get(of.job);
      if (job !== undefined && job.led?.byId.has(taskId) !== true) session.send(updateEvent(reconciled(job, taskId, of.isAware)));
      const value = { framework: of.job, session: session.number, taskIds: [taskId], ...(noticeMs === undefined ? {} : { noticeMs }) };
      this.#ask(session, { case: "frameworkKill", value }, false, next);
    });
    return undefined;
  }

  /** An executor is a task under a name of its own; what it has ends with it. */
  #shutdown(session: Session, of: Subscribed, call: Call_Shutdown | undefined): string | undefined {
    const [id, agent] = [call?.executorId?.value, call?.agentId?.value];
    if (id === undefined || agent === undefined) return "SHUTDOWN needs an executor_id and an agent_id";
    const value = { framework: of.job, session: session.number, taskIds: [executorName(id, agent).slice(0, TASK_ID_LENGTH)] };
    this.#step(session, (next) => this.#ask(session, { case: "frameworkKill", value }, false, next));
    return undefined;
  }

  #teardown(session: Session, of: Subscribed): undefined {
    const value = { framework: of.job, session: session.number };
    session.isTearingDown = true;
    this.#step(session, (next) => this.#ask(session, { case: "frameworkTeardown", value }, false, next));
  }

  #step(session: Session, step: Step): void {
    session.enqueue(step);
  }

  /** A refusal means that another scheduler leads, or that the framework is no more: the feed says so too, and ends the session. */
  #ask(session: Session, body: OpBody, once: boolean, then: (decided: Decided) => void): void {
    this.#host.ask(session, body, once, (decided) => {
      if (decided.kind === "gone") this.#host.over(session, decided.reason);
      else then(decided);
    });
  }

  // Launches

  #accept(session: Session, of: Subscribed, call: Call_Accept | undefined): string | undefined {
    if (call === undefined || call.offerIds.length === 0) return "ACCEPT needs the ids of offers";
    const problem = operationsProblem(call.operations);
    if (problem !== undefined) return problem;
    session.enqueue((next) => this.#launch(session, of, call, next), weightOf(call.operations));
    return undefined;
  }

  #launch(session: Session, of: Subscribed, call: Call_Accept, next: () => void): void {
    const offers = this.#take(of.job, call);
    if (typeof offers === "string") {
      for (const { taskId } of tasksOf(call.operations)) this.#lost(session, of, taskId?.value ?? "", offers, Reason.INVALID_OFFERS);
      return next();
    }
    const plan = planOf(offers, call.operations, of.frameworkId, (id) => this.#executorOn(of, offers[0]?.machine, id));
    for (const { taskId, reason, ofGroup } of plan.refusals)
      session.send(
        updateEvent(masterStatus(taskId, TaskState.TASK_ERROR, ofGroup ? Reason.TASK_GROUP_INVALID : Reason.TASK_INVALID, reason)),
      );
    this.#launchAll(session, of, plan, piecesOf(plan.launches), ZERO, (used) => {
      const ids = offers.map(({ id }) => id);
      this.#host.allocator().settle(ids, used, filterOf(call.filters), this.#host.now());
      this.#host.cycle();
      next();
    });
  }

  /** What the executor of that name on a machine was launched with. */
  #executorOn({ job }: Subscribed, machine: string | undefined, id: string): Uint8Array | undefined {
    const { jobs, machines } = this.#host.state();
    const own = jobs.get(job);
    const living = own === undefined ? undefined : livingExecutor(machines.get(machine as MachineId), own, id);
    return living === undefined ? undefined : executorOf(living.task)?.info;
  }

  /** All of them, or what is wrong with one: then those that are there go back. */
  #take(job: JobId, { offerIds }: Call_Accept): readonly Offer[] | string {
    const allocator = this.#host.allocator();
    const taken: Offer[] = [];
    for (const { value = "" } of offerIds) {
      const offer = allocator.take(job, value);
      if (offer !== undefined) taken.push(offer);
    }
    const machines = new Set(taken.map(({ machine }) => machine));
    if (taken.length === offerIds.length && machines.size === 1) return taken;
    for (const { id } of taken) allocator.settle([id], ZERO, 0, this.#host.now());
    this.#host.cycle();
    return machines.size > 1
      ? "The offers are of several agents: accept those of one at a time"
      : "An offer is not there any more: it was rescinded, answered, or never made";
  }

  #launchAll(
    session: Session,
    of: Subscribed,
    plan: Plan,
    pieces: readonly (readonly Launch[])[],
    used: Vector,
    done: (used: Vector) => void,
  ): void {
    const [launches, ...rest] = pieces;
    if (launches === undefined) return done(used);
    const value = { framework: of.job, session: session.number, launches: [...launches] };
    this.#ask(session, { case: "frameworkLaunch", value }, true, (decided) => {
      const answers = this.#answersOf(of, launches, decided);
      // Of an executor that was refused its tasks are told.
      for (const [i, answer] of answers.entries()) if (!answer.ok && !isExecutor(launches[i])) this.#refused(session, of, answer);
      const more = answers.filter(({ ok }) => ok).reduce((sum, { taskId }) => plus(sum, plan.amounts.get(taskId) ?? ZERO), used);
      this.#launchAll(session, of, plan, rest, more, done);
    });
  }

  #answersOf(of: Subscribed, launches: readonly Launch[], decided: Decided): readonly LaunchAnswer[] {
    if (decided.kind === "done" && decided.answer.type === "launches") return decided.answer.launches;
    const byId = this.#host.state().jobs.get(of.job)?.led?.byId;
    const reason = decided.kind === "done" ? "The cell did not launch it" : decided.reason;
    // It was done before, and only the state still knows what came of it.
    return launches.map(({ taskId }) => {
      const task = decided.kind === "done" ? byId?.get(taskId) : undefined;
      return task === undefined
        ? { ok: false, taskId, kind: "lost", reason }
        : { ok: true, taskId, task: task.id, instance: `${task.id}:${task.incarnation}` };
    });
  }

  #refused(session: Session, of: Subscribed, { taskId, kind, reason }: Extract<LaunchAnswer, { readonly ok: false }>): void {
    if (kind === "error") session.send(updateEvent(masterStatus(taskId, TaskState.TASK_ERROR, Reason.TASK_INVALID, reason)));
    else this.#lost(session, of, taskId, reason, Reason.INVALID_OFFERS);
  }

  #lost(session: Session, { isAware }: Subscribed, taskId: string, words: string, reason: TaskStatus["reason"]): void {
    const state = isAware ? TaskState.TASK_DROPPED : TaskState.TASK_LOST;
    session.send(updateEvent(masterStatus(taskId, state, reason ?? Reason.INVALID_OFFERS, words)));
  }
}

const isExecutor = (launch: Launch | undefined): boolean => launch?.task?.executor !== undefined && !launch.inside;

/** Absent, or less than nothing, stands for the default. */
function filterOf(filters: Filters | undefined): number {
  const seconds = filters?.refuseSeconds ?? -1;
  return seconds >= 0 ? seconds * 1000 : DECLINE_MS;
}

/** Cut so that each piece fits into an op; a group is not cut. */
function piecesOf(launches: readonly Launch[]): readonly (readonly Launch[])[] {
  const pieces: Launch[][] = [];
  let bytes = 0;
  for (const launch of launches) {
    const size = encode(LaunchSchema, launch).length;
    const last = pieces.at(-1);
    const isSameGroup = launch.group !== 0 && last?.at(-1)?.group === launch.group;
    if (last !== undefined && (isSameGroup || (bytes + size <= OP_BYTES && last.length < LAUNCHES_IN_OP))) {
      last.push(launch);
      bytes += size;
    } else {
      pieces.push([launch]);
      bytes = size;
    }
  }
  return pieces;
}
