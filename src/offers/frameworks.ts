/**
 * The frameworks of a cell (Mesos §3): it turns their calls into ops of the cell, and what the cell shows into events. It runs beside the API, reads the API's
 * copy of the cell and never changes it. All it knows itself is soft: a master that begins to lead ends every stream, and frameworks subscribe again.
 */
import { type JobId, jobId, splitTask, taskOf, userId } from "../base/id.ts";
import { Random } from "../base/random.ts";
import { plus, type Vector, ZERO } from "../base/vector.ts";
import { executorOf, isExecutor } from "../cell/executor.ts";
import { frameworkId, jobOfFrameworkId } from "../cell/framework.ts";
import { hasInstances } from "../cell/ops/admission.ts";
import type { CellState, Job, Task } from "../cell/state.ts";
import type { Touched } from "../cell/touched.ts";
import { FRAMEWORKS } from "../cell/version.ts";
import { isProd } from "../wire/band.ts";
import type { CallAnswer, Caller, EventStream, FrameworkDesk } from "../wire/framework-desk.ts";
import type { FrameworkSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Offer as MesosOffer } from "../wire/gen/mesos/v1/mesos_pb.ts";
import { type Call, type Call_Subscribe, Call_Type } from "../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { Allocator, MACHINES_PER_CYCLE, OFFER_TIMEOUT_MS } from "./allocator.ts";
import { Asking, type AskingHost, type Decided, type OpAnswer } from "./asking.ts";
import {
  executorEvent,
  failureEvent,
  mesosOffer,
  messageEvent,
  offersEvent,
  rescindEvent,
  subscribedEvent,
  updateEvent,
} from "./events.ts";
import { Failures } from "./failures.ts";
import { constraintsOf, minimumsOf, nameOf, specOf } from "./framework-info.ts";
import type { Offer } from "./ledger.ts";
import { moduleOf } from "./module.ts";
import { Requests } from "./requests.ts";
import { Revoking } from "./revoking.ts";
import { Session } from "./session.ts";
import { CellView, purseOf } from "./view.ts";

export interface FrameworksHost extends AskingHost {
  random(): number;
  /** The copy of the cell. */
  readonly state: CellState;
  /** Asks whether this master leads; the answer comes as `confirmed`. */
  confirm(id: string): void;
  /** It may be lost. */
  tellExecutor(machine: string, instance: string, data: Uint8Array): void;
}

/** Timers and questions with this before their names are ours; asking.ts has its own beside it. */
const CYCLE = "offers/cycle";
const WAKE = "offers/wake";
const UPKEEP = "offers/upkeep";
const ORPHANS = "offers/orphans";
const CONFIRM = "offers/confirm";

/** Changes are collected for so long before a cycle looks at them. */
const CYCLE_MS = 50;
/** Streams at a time, subscribed or not. One more is told to come again. */
const SESSIONS_MAX = 1_000;
/** Offers in one event. */
const OFFERS_IN_EVENT = 100;
/** How often updates are sent again, and the master is asked whether it leads. */
const UPKEEP_MS = 5_000;
/** Frameworks have so long to come to a new master, or back after a word of theirs was lost, before the cell is told that nobody leads them. */
const ORPHANS_MS = 60_000;
/** When all streams ended, frameworks have so long to come back before the first of them are offered anything. */
const RETURN_MS = 3_000;
/** So often without a word of the master that it leads. */
const SILENT_MAX = 3;

const refused = (status: Extract<CallAnswer, { kind: "refused" }>["status"], text: string): CallAnswer => ({
  kind: "refused",
  status,
  text,
});
const ACCEPTED: CallAnswer = { kind: "accepted" };

export class Frameworks implements FrameworkDesk {
  readonly #host: FrameworksHost;
  readonly #asking: Asking;
  readonly #requests: Requests;
  readonly #sessions = new Map<string, Session>();
  /** Those that lead their framework. */
  readonly #leading = new Map<JobId, Session>();
  #allocator!: Allocator;
  #view!: CellView;
  #revoking!: Revoking;
  #failures = new Failures();
  #isCycleDue = false;
  /** When a timer wakes it because something runs out. */
  #wakeMs = 0;
  /** Until then nothing is offered while a framework that was connected is not back. */
  #heldUntilMs = 0;
  #isKeepingUp = false;
  #isWatching = false;
  #silent = 0;

  constructor(host: FrameworksHost) {
    this.#host = host;
    this.#asking = new Asking(host);
    this.#requests = new Requests({
      state: () => host.state,
      now: () => host.now(),
      allocator: () => this.#allocator,
      ask: (session, body, once, then) => this.#ask(session, body, once, then),
      cycle: () => this.#cycleSoon(),
      over: (session, reason) => this.#over(session, reason),
      tellExecutor: (machine, instance, data) => host.tellExecutor(machine, instance, data),
    });
    this.#begin();
  }

  #begin(): void {
    const random = new Random(Math.floor(this.#host.random() * 2 ** 32));
    const options = { prefix: this.#host.id(), offerTimeoutMs: OFFER_TIMEOUT_MS, machinesPerCycle: MACHINES_PER_CYCLE };
    this.#allocator = new Allocator(options, moduleOf("drf", random));
    this.#view = new CellView(this.#allocator, random);
    this.#revoking = new Revoking(this.#allocator);
    this.#failures = new Failures();
  }

  // Calls

  call(caller: Caller, streamId: string | undefined, call: Call, stream: EventStream | undefined): CallAnswer {
    if (call.type === Call_Type.SUBSCRIBE) return this.#subscribe(caller, call, stream);
    if (streamId === undefined) return refused(400, "Every call but SUBSCRIBE needs the header Mesos-Stream-Id, as SUBSCRIBE was answered");
    const session = this.#sessions.get(streamId);
    if (session?.user !== caller.user) return refused(403, "This stream is not subscribed: send SUBSCRIBE first");
    const { subscribed } = session;
    if (subscribed === undefined) return refused(403, "The framework is not subscribed yet: wait for SUBSCRIBED");
    if (call.frameworkId?.value !== subscribed.frameworkId)
      return refused(403, `The stream is of framework ${subscribed.frameworkId}, the call of "${call.frameworkId?.value ?? ""}"`);
    if (session.isFull) return refused(503, "Too many calls of the framework wait: send no more before some are done");
    const problem = this.#requests.take(session, subscribed, call);
    return problem === undefined ? ACCEPTED : refused(400, problem);
  }

  gone(streamId: string): void {
    const session = this.#sessions.get(streamId);
    if (session === undefined) return;
    session.lost();
    this.#leave(session);
  }

  #subscribe(caller: Caller, call: Call, stream: EventStream | undefined): CallAnswer {
    const { subscribe } = call;
    const { state } = this.#host;
    if (subscribe?.frameworkInfo === undefined || stream === undefined) return refused(400, "SUBSCRIBE needs a framework_info");
    if (state.name === "") return refused(503, "The cell is not ready yet: try again");
    if (state.version < FRAMEWORKS) return refused(503, `Frameworks need cell version ${FRAMEWORKS}, this one has ${state.version}`);
    if (this.#sessions.size >= SESSIONS_MAX)
      return refused(503, `${this.#sessions.size} frameworks are connected, the most: try again later`);
    const id = call.frameworkId?.value ?? subscribe.frameworkInfo.id?.value ?? "";
    const spec = this.#specOf(caller, subscribe, id);
    if (!spec.ok) return refused(400, spec.reason);
    const constraints = constraintsOf(subscribe.offerConstraints, spec.value.role);
    if (!constraints.ok) return refused(400, constraints.reason);
    const number = 1 + Math.floor(this.#host.random() * 2 ** 52);
    const session = new Session(this.#host.id(), caller.user, number, stream, (stuck) => this.#leave(stuck));
    this.#sessions.set(session.streamId, session);
    const body = { case: "frameworkSubscribe", value: { spec: spec.value, id, session: number } } as const;
    session.enqueue((next) => {
      this.#ask(session, body, false, (decided) => {
        if (decided.kind === "done") this.#subscribed(session, subscribe, spec.value, decided);
        // Whoever hears an ERROR gives up for good: not because a master was slow.
        else this.#over(session, decided.reason, decided.kind === "refused");
        next();
      });
    });
    return { kind: "streaming", streamId: session.streamId };
  }

  /** One that is there keeps its name. */
  #specOf({ user }: Caller, { frameworkInfo }: Call_Subscribe, id: string): ReturnType<typeof specOf> {
    const { jobs } = this.#host.state;
    const info = frameworkInfo as NonNullable<typeof frameworkInfo>;
    const isTaken = (name: string): boolean => {
      const job = jobs.get(jobId(user, name));
      // Of one that was torn down the last tasks may still stop.
      return job !== undefined && (job.state !== "dead" || hasInstances(job));
    };
    const name = id === "" ? nameOf(info, isTaken) : (jobOfFrameworkId(id).split("/")[1] ?? "");
    return specOf(info, user, name);
  }

  #subscribed(
    session: Session,
    { frameworkInfo, suppressedRoles, offerConstraints }: Call_Subscribe,
    spec: FrameworkSpec,
    decided: Decided,
  ): void {
    const id = jobId(spec.user, spec.name);
    const job = this.#host.state.jobs.get(id);
    if (session.isOver || frameworkInfo === undefined || decided.kind !== "done") return;
    if (job?.led?.session !== session.number || job.killed) return this.#over(session, OUTRUN, true);
    const before = this.#leading.get(id);
    if (before !== undefined) this.#over(before, OUTRUN, true);
    if (this.#leading.size === 0) this.#wakeUp();
    this.#leading.set(id, session);
    const name = frameworkId(job);
    session.subscribed = { job: id, frameworkId: name, isAware: spec.partitionAware };
    this.#view.tellRole(this.#host.state, spec.role);
    this.#view.follow(job, spec.role);
    const constraints = constraintsOf(offerConstraints, spec.role);
    this.#allocator.setFramework({
      ...{ id, role: spec.role, purse: purseOf(job), priority: spec.priority, prod: isProd(spec.priority) },
      ...{ constraints: constraints.ok ? constraints.value : [], minimums: minimumsOf(frameworkInfo, spec.role) },
    });
    session.send(subscribedEvent(name, this.#host.state.name));
    this.#sendUpdates(session, job, job.tasks.keys());
    this.#allocator.setWants(id, !suppressedRoles.includes(spec.role), this.#host.now());
    this.#cycleSoon();
  }

  /** Nobody looked for as long as nobody was there. */
  #wakeUp(): void {
    this.#begin();
    this.#view.begin(this.#host.state);
    this.#silent = 0;
    if (this.#isKeepingUp) return;
    this.#isKeepingUp = true;
    this.#host.timer(UPKEEP_MS, UPKEEP);
  }

  // What the cell shows

  /** Entries were applied to the copy. */
  changed(all: Iterable<Touched>): void {
    if (this.#leading.size > 0) for (const touched of all) this.#touched(touched);
    this.#asking.moved();
  }

  #touched(touched: Touched): void {
    const { state } = this.#host;
    this.#view.touched(state, touched);
    for (const id of this.#failures.of(state, touched)) for (const session of this.#leading.values()) session.send(failureEvent(id));
    for (const id of new Set([...touched.jobs, ...touched.tasks.keys()])) {
      const session = this.#leading.get(id);
      if (session !== undefined) this.#frameworkChanged(session, state.jobs.get(id), touched.tasks.get(id) ?? []);
    }
    this.#cycleSoon();
  }

  #frameworkChanged(session: Session, job: Job | undefined, tasks: Iterable<number>): void {
    if (job === undefined || job.killed) return this.#over(session, "The framework was torn down", !session.isTearingDown);
    if (job.led?.session !== session.number) return this.#over(session, OUTRUN, true);
    this.#sendUpdates(session, job, tasks);
  }

  #sendUpdates(session: Session, job: Job, indexes: Iterable<number>): void {
    const nowMs = this.#host.now();
    for (const index of [...indexes]) {
      const task = job.tasks[index];
      if (task !== undefined && isExecutor(task)) this.#executorChanged(session, task);
      const status = task === undefined ? undefined : session.statuses.next(task, nowMs);
      if (status !== undefined) session.send(updateEvent(status));
    }
  }

  /** That one ended is said once, and to nobody who comes later: its tasks' updates say all that has to be known. */
  #executorChanged(session: Session, task: Task): void {
    const { id = "" } = executorOf(task) ?? {};
    if (task.state !== "dead") session.executors.add(task.incarnation);
    else if (session.executors.delete(task.incarnation))
      session.send(executorEvent(task.past.last?.machine ?? "", id, task.past.lastExit ?? { code: 0, signal: 0 }));
  }

  /** What an executor says to its framework: of one that the cell has on that machine. Nobody keeps it for later. */
  executorSaid({ machine, instance, data }: { readonly machine: string; readonly instance: string; readonly data: Uint8Array }): void {
    const { job, index } = splitTask(taskOf(instance));
    const task = this.#host.state.jobs.get(job)?.tasks[index];
    if (task?.instance?.id !== instance || task.instance.place.machine.id !== machine || !isExecutor(task)) return;
    this.#leading.get(job)?.send(messageEvent(machine, executorOf(task)?.id ?? "", data));
  }

  /** The copy begins anew: another master led meanwhile, or this one begins to. */
  restored(): void {
    this.#endAll();
    if (this.#isWatching) return;
    this.#isWatching = true;
    this.#host.timer(ORPHANS_MS, ORPHANS);
  }

  #endAll(): void {
    this.#heldUntilMs = this.#host.now() + RETURN_MS;
    this.#asking.clear();
    for (const session of [...this.#sessions.values()]) session.end("The master changed: subscribe again");
    this.#sessions.clear();
    this.#leading.clear();
  }

  // Answers and timers

  told(answer: OpAnswer): void {
    this.#asking.told(answer);
  }

  confirmed(isLeading: boolean): void {
    if (isLeading) this.#silent = 0;
    else this.#endAll();
  }

  onTimer(tag: string): void {
    if (tag === CYCLE) this.#cycle();
    else if (tag === WAKE) this.#cycleSoon();
    else if (tag === UPKEEP) this.#keepUp();
    else if (tag === ORPHANS) this.#disown();
    else this.#asking.onTimer(tag);
  }

  #keepUp(): void {
    this.#isKeepingUp = this.#sessions.size > 0;
    if (!this.#isKeepingUp) return;
    this.#host.timer(UPKEEP_MS, UPKEEP);
    this.#silent += 1;
    if (this.#silent > SILENT_MAX) return this.#endAll();
    this.#host.confirm(CONFIRM);
    const nowMs = this.#host.now();
    for (const [id, session] of [...this.#leading]) {
      const job = this.#host.state.jobs.get(id);
      if (job !== undefined) this.#sendUpdates(session, job, session.statuses.overdue(nowMs));
    }
    for (const body of this.#revoking.due(this.#host.state, nowMs)) this.#asking.askAsMaster(body, () => {});
    // Some things come with time alone: declines run out, holds begin.
    this.#cycleSoon();
  }

  /** The failover timeout of those that are not here begins. A master that does not lead asks in vain. */
  #disown(): void {
    this.#host.timer(ORPHANS_MS, ORPHANS);
    for (const { id, owner, led } of this.#absent()) {
      const body = { case: "frameworkDisconnect", value: { framework: id, session: led?.session ?? 0 } } as const;
      this.#asking.ask(owner, body, false, () => {});
    }
  }

  /** Frameworks that count as connected, and have no stream here. */
  #absent(): IteratorObject<Job> {
    return this.#host.state.jobs
      .values()
      .filter(({ id, led, killed }) => led !== undefined && !killed && led.disconnectedMs === 0 && !this.#leading.has(id));
  }

  #ask(session: Session, body: Parameters<Asking["ask"]>[1], once: boolean, then: (decided: Decided) => void): void {
    this.#asking.ask(session.user, body, once, then);
  }

  // Cycles

  #cycleSoon(): void {
    if (this.#isCycleDue) return;
    this.#isCycleDue = true;
    this.#host.timer(CYCLE_MS, CYCLE);
  }

  #cycle(): void {
    this.#isCycleDue = false;
    if (this.#leading.size === 0) return;
    if (this.#isHeld()) return this.#wakeIn(this.#heldUntilMs);
    this.#view.tell(this.#host.state);
    const { offers, rescinded } = this.#allocator.cycle(this.#host.now());
    for (const { framework, id } of rescinded) this.#leading.get(framework as JobId)?.send(rescindEvent(id));
    for (const [framework, own] of Map.groupBy(offers, (offer) => offer.framework)) this.#sendOffers(framework as JobId, own);
    if (this.#allocator.isIdle(this.#host.now())) this.#wakeIn(this.#allocator.nextMs);
    else this.#cycleSoon();
  }

  /** Whoever is back first would be offered everything, and the others would wait until its tasks end. */
  #isHeld(): boolean {
    return this.#heldUntilMs > this.#host.now() && this.#absent().next().done !== true;
  }

  /** One timer is enough: whatever is later is seen when it goes off. */
  #wakeIn(timeMs: number | undefined): void {
    const nowMs = this.#host.now();
    if (timeMs === undefined || (this.#wakeMs > nowMs && this.#wakeMs <= timeMs)) return;
    this.#wakeMs = Math.max(timeMs, nowMs + 1);
    this.#host.timer(this.#wakeMs - nowMs, WAKE);
  }

  #sendOffers(framework: JobId, offers: readonly Offer[]): void {
    const session = this.#leading.get(framework);
    const told: MesosOffer[] = [];
    for (const offer of offers) {
      const machine = this.#host.state.machines.get(offer.machine);
      if (machine !== undefined) told.push(mesosOffer(offer, session?.subscribed?.frameworkId ?? "", machine));
    }
    for (let from = 0; from < told.length; from += OFFERS_IN_EVENT) session?.send(offersEvent(told.slice(from, from + OFFERS_IN_EVENT)));
  }

  // Ends

  /** `isError`: the framework should not come again as it is. */
  #over(session: Session, reason: string, isError = false): void {
    if (isError) session.fail(reason);
    else session.end(reason);
    this.#leave(session);
  }

  /** Its offers are everybody's again. Unless another one leads already, the cell is told that nobody does. */
  #leave(session: Session): void {
    this.#sessions.delete(session.streamId);
    const { subscribed } = session;
    if (subscribed === undefined || this.#leading.get(subscribed.job) !== session) return;
    this.#leading.delete(subscribed.job);
    this.#view.unfollow(subscribed.job);
    this.#allocator.removeFramework(subscribed.job);
    this.#cycleSoon();
    const job = this.#host.state.jobs.get(subscribed.job);
    if (job?.led?.session !== session.number || job.killed) return;
    const body = { case: "frameworkDisconnect", value: { framework: subscribed.job, session: session.number } } as const;
    this.#ask(session, body, false, () => {});
  }

  /** Offers that it has not answered, for whoever looks around. */
  offersTo(id: JobId): { readonly count: number; readonly amount: Vector } {
    const open = this.#allocator.ledger.openTo(id);
    return { count: open.length, amount: open.reduce((sum, { amount }) => plus(sum, amount), ZERO) };
  }

  /** For whoever looks around. */
  isConnected(id: JobId): boolean {
    return this.#leading.has(id);
  }
}

const OUTRUN = "Another scheduler of this framework has subscribed: the newest one leads";

/** Whether the user may have frameworks at all is the cell's to say; that it is one is known here. */
export const isUser = ({ users }: CellState, user: string): boolean => users.has(userId(user));
