/**
 * Tasks that executors have: what each executor is sent, what it says, and what becomes of its tasks when it ends. It stands between the borglet and its machine: to the borglet such
 * a task is like any other. What an executor said is saved before it is acknowledged, so that it counts whoever restarts. It speaks to no network and reads no clock.
 */
import { decode, type Init, make } from "../wire/codec.ts";
import type { StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import {
  type Call,
  type Call_Subscribe,
  Call_Type,
  type Event,
  Event_Type,
  EventSchema,
} from "../wire/gen/mesos/v1/executor/executor_pb.ts";
import { ExecutorInfoSchema, type TaskInfo, TaskInfoSchema, TaskState, type TaskStatus } from "../wire/gen/mesos/v1/mesos_pb.ts";
import { executorFor, isExecutor } from "./executor.ts";
import { isEnded, type Kept, MESSAGE_LENGTH_MAX, type Memory } from "./kept.ts";
import type { Exit, Seen } from "./machine.ts";

/** What an executor said of a task, as it is saved. */
export type Said =
  | { readonly what: "running" }
  | { readonly what: "ended"; readonly exit: Exit; readonly message: string; readonly data: Uint8Array };

export interface ExecutorsHost {
  readonly machine: string;
  readonly memory: Memory;
  now(): number;
  /** Nobody may listen. */
  send(executor: string, event: Event): void;
  isListening(executor: string): boolean;
  /** Durable when it returns; false: it could not be. */
  save(instance: string, run: number, said: Said): boolean;
  saved(instance: string, run: number): Said | undefined;
  drop(instance: string): void;
  tell(seen: Seen): void;
  /** For its framework. False: too much of late. */
  message(executor: string, data: Uint8Array): boolean;
  /** Ends an executor that does not do what it is there for. */
  end(executor: string, words: string): void;
  /** It has other tasks than before, and so other limits. */
  resized(executor: string): void;
}

/** An executor that has tasks and listens to nobody for so long is ended (Mesos: executor_registration_timeout). */
export const SUBSCRIBE_MS = 60_000;

/** Tasks of one executor that it is told again to end; beyond it the first one is left to it. */
const OWED_MAX = 1_000;

interface Inside {
  readonly order: StartOrder;
  readonly run: number;
  readonly taskId: string;
  readonly info: TaskInfo;
  /** `given`: it was sent to its executor, which said nothing of it yet. */
  state: "waiting" | "given" | "running" | "over";
  killing: boolean;
}

export type Problem = { readonly status: 400 | 403 | 503; readonly text: string };

const FINISHED: Exit = { code: 0, signal: 0 };
const FAILED: Exit = { code: 1, signal: 0 };
const TERMINATED: Exit = { code: 0, signal: 15 };
/** Of its own accord no task inside ends so: it means that its executor did, or that it had its notice. */
const KILLED: Exit = { code: 0, signal: 9 };
const NO_DATA = new Uint8Array();
const INFO_BYTES = 65_536;

/** How a task ended that its executor says is in this state; what is not here goes on. */
const ENDS: ReadonlyMap<TaskState, Exit> = new Map([
  [TaskState.TASK_FINISHED, FINISHED],
  [TaskState.TASK_KILLED, TERMINATED],
  [TaskState.TASK_FAILED, FAILED],
  [TaskState.TASK_ERROR, FAILED],
  [TaskState.TASK_LOST, FAILED],
  [TaskState.TASK_DROPPED, FAILED],
  [TaskState.TASK_GONE, FAILED],
]);
const GOES_ON: ReadonlySet<TaskState> = new Set([TaskState.TASK_STAGING, TaskState.TASK_STARTING, TaskState.TASK_KILLING]);

export class Executors {
  readonly #host: ExecutorsHost;
  /** By instance. */
  readonly #inside = new Map<string, Inside>();
  /** By executor: tasks that were given up while it may still run them. It is told to end them when it subscribes, until it says that it did. */
  readonly #owed = new Map<string, Set<string>>();
  /** Executors that nobody hears, since when. */
  readonly #silentMs = new Map<string, number>();

  constructor(host: ExecutorsHost) {
    this.#host = host;
  }

  // What the borglet wants

  has(instance: string): boolean {
    return this.#inside.has(instance);
  }

  start(order: StartOrder, run: number): void {
    const executor = executorFor(order);
    const kept = this.#host.memory.instances.get(executor);
    if (kept === undefined) return this.#tellEnd(order.instance, run, FAILED, "Its executor is not on this machine");
    if (isEnded(kept)) return this.#tellEnd(order.instance, run, KILLED, "Its executor ended");
    const inside = this.#take(order, run);
    if (inside === undefined) return this.#tellEnd(order.instance, run, FAILED, "Cannot read what its framework says of it");
    if (!this.#silentMs.has(executor) && !this.#host.isListening(executor)) this.#silentMs.set(executor, this.#host.now());
    this.#host.resized(executor);
    this.#give(executor, inside);
  }

  #take(order: StartOrder, run: number): Inside | undefined {
    const info = decode(TaskInfoSchema, order.task?.executor?.info ?? NO_DATA, INFO_BYTES);
    if (!info.ok) return undefined;
    const inside: Inside = { order, run, taskId: info.value.taskId?.value ?? "", info: info.value, state: "waiting", killing: false };
    this.#inside.set(order.instance, inside);
    this.#owed.get(executorFor(order))?.delete(inside.taskId);
    return inside;
  }

  #give(executor: string, inside: Inside): void {
    if (!this.#host.isListening(executor)) return;
    inside.state = "given";
    this.#send(executor, { type: Event_Type.LAUNCH, launch: { task: inside.info } });
  }

  /** One that its executor never got is over at once. */
  terminate(instance: string): void {
    const inside = this.#inside.get(instance);
    if (inside === undefined || inside.state === "over") return;
    inside.killing = true;
    if (inside.state === "waiting") this.#over(inside, TERMINATED, "");
    else this.#sendKill(inside);
  }

  #sendKill({ order, taskId }: Inside): void {
    const { noticeMs } = order.task ?? {};
    const policy = noticeMs === undefined ? {} : { killPolicy: { gracePeriod: { nanoseconds: BigInt(noticeMs) * 1_000_000n } } };
    this.#send(executorFor(order), { type: Event_Type.KILL, kill: { taskId: { value: taskId }, ...policy } });
  }

  /** It had its notice. Nobody can end a part of a program from outside: it counts as over, and its executor is held to less. */
  kill(instance: string): void {
    const inside = this.#inside.get(instance);
    if (inside === undefined || inside.state === "over") return;
    const given = inside.state !== "waiting";
    // Without any notice nobody told it yet.
    if (given && !inside.killing) this.#sendKill(inside);
    inside.killing = true;
    if (this.#over(inside, KILLED, "Its executor did not end it in time") && given) this.#owe(executorFor(inside.order), inside.taskId);
  }

  #owe(executor: string, taskId: string): void {
    const owed = this.#owed.get(executor) ?? new Set();
    this.#owed.set(executor, owed.add(taskId));
    const [oldest = ""] = owed;
    if (owed.size > OWED_MAX) owed.delete(oldest);
  }

  forget(instance: string): void {
    this.#inside.delete(instance);
    this.#host.drop(instance);
  }

  /** `vanished`: executors that went with a restart of the machine, and with them their tasks that had not ended. */
  adopt(kept: readonly Kept[], living: ReadonlySet<string>, vanished: ReadonlySet<string>): readonly Seen[] {
    const seen: Seen[] = [];
    for (const { order, phase, run } of kept) {
      if (phase !== "running" && phase !== "stopping") continue;
      const { instance } = order;
      const executor = executorFor(order);
      const said = run === 0 ? undefined : this.#host.saved(instance, run);
      const isGone = run === 0 || (vanished.has(executor) && said?.what !== "ended");
      const inside = isGone ? undefined : this.#take(order, run);
      if (inside === undefined) seen.push({ what: "vanished", instance, run, rebooted: vanished.has(executor) });
      else seen.push(this.#adopted(inside, said, living.has(executor)));
      if (living.has(executor)) this.#silentMs.set(executor, this.#host.now());
    }
    return seen;
  }

  #adopted(inside: Inside, said: Said | undefined, lives: boolean): Seen {
    const { order, run } = inside;
    const { instance } = order;
    if (said?.what === "ended" || !lives) {
      inside.state = "over";
      const end = said?.what === "ended" ? said : { exit: KILLED, message: "Its executor ended while nobody looked", data: NO_DATA };
      return { what: "ended", instance, run, exit: end.exit, message: end.message, data: end.data };
    }
    inside.state = said === undefined ? "given" : "running";
    inside.killing = this.#host.memory.instances.get(instance)?.phase === "stopping";
    return { what: said === undefined ? "launching" : "alive", instance, run };
  }

  // What the machine sees

  /** An executor is gone, with all that it had. */
  ended(executor: string): void {
    this.#silentMs.delete(executor);
    this.#owed.delete(executor);
    for (const inside of this.#of(executor)) this.#over(inside, KILLED, "Its executor ended");
  }

  /** Called every second or so. */
  tick(): void {
    for (const [executor, sinceMs] of this.#silentMs) {
      if (this.#of(executor).length === 0 || this.#host.now() - sinceMs < SUBSCRIBE_MS) continue;
      this.#silentMs.delete(executor);
      this.#host.end(executor, `The executor has tasks, and did not subscribe for ${SUBSCRIBE_MS / 1000} s`);
    }
  }

  // What an executor says

  /** Its stream broke, and it did not end. */
  gone(executor: string): void {
    this.#silentMs.set(executor, this.#host.now());
  }

  /** What is wrong with the call; undefined: it is taken. */
  call(executor: string, call: Call): Problem | undefined {
    if (call.type === Call_Type.SUBSCRIBE) return this.#subscribe(executor, call.subscribe);
    if (call.type === Call_Type.UPDATE) {
      const status = call.update?.status;
      return status === undefined ? bad("UPDATE needs a status") : this.#update(executor, status);
    }
    if (call.type === Call_Type.MESSAGE)
      return this.#host.message(executor, call.message?.data ?? NO_DATA)
        ? undefined
        : { status: 503, text: "Too many messages: send less" };
    return call.type === Call_Type.HEARTBEAT ? undefined : bad("Expected SUBSCRIBE, UPDATE, MESSAGE or HEARTBEAT");
  }

  #subscribe(executor: string, said: Call_Subscribe | undefined): Problem | undefined {
    const kept = this.#host.memory.instances.get(executor);
    const { info = NO_DATA, framework = "" } = kept?.order.task?.executor ?? {};
    const read = decode(ExecutorInfoSchema, info, INFO_BYTES);
    if (kept === undefined || !isExecutor(kept.order) || !read.ok)
      return { status: 403, text: "This executor is not one of this machine's" };
    this.#silentMs.delete(executor);
    const [user = "", name = ""] = executor.split("/");
    const agent = { id: { value: this.#host.machine }, hostname: this.#host.machine };
    const frameworkInfo = { id: { value: framework }, user, name };
    const subscribed = { executorInfo: read.value, frameworkInfo, agentInfo: agent, containerId: { value: executor } };
    this.#send(executor, { type: Event_Type.SUBSCRIBED, subscribed });
    // What it says again of tasks that are forgotten was taken long ago.
    for (const { status } of said?.unacknowledgedUpdates ?? []) if (status !== undefined) this.#update(executor, status, true);
    for (const value of this.#owed.get(executor) ?? []) this.#send(executor, { type: Event_Type.KILL, kill: { taskId: { value } } });
    const known = new Set(said?.unacknowledgedTasks.map(({ taskId }) => taskId?.value ?? ""));
    for (const inside of this.#of(executor)) this.#again(executor, inside, known.has(inside.taskId));
    if (kept.phase === "stopping") this.shutdown(executor);
    return undefined;
  }

  /** It has the task, or did not get it: then it gets it now. */
  #again(executor: string, inside: Inside, isKnown: boolean): void {
    if (inside.state !== "running" && !isKnown) this.#give(executor, inside);
    if (inside.killing) this.#sendKill(inside);
  }

  /** False: nobody listens. */
  shutdown(executor: string): boolean {
    if (!this.#host.isListening(executor)) return false;
    this.#send(executor, { type: Event_Type.SHUTDOWN });
    return true;
  }

  deliver(executor: string, data: Uint8Array): void {
    this.#send(executor, { type: Event_Type.MESSAGE, message: { data } });
  }

  #update(executor: string, status: TaskStatus, isRepeated = false): Problem | undefined {
    const taskId = status.taskId?.value ?? "";
    const inside = [...this.#inside.values()].find((each) => each.taskId === taskId && executorFor(each.order) === executor);
    const isOwed = ENDS.has(status.state ?? TaskState.TASK_STAGING) && this.#owed.get(executor)?.delete(taskId) === true;
    if (inside === undefined && !isRepeated && !isOwed) return { status: 403, text: `Task "${taskId}" is not one of this executor's` };
    if (inside !== undefined) {
      const problem = this.#said(inside, status);
      if (problem !== undefined) return problem;
    }
    if (status.uuid !== undefined)
      this.#send(executor, { type: Event_Type.ACKNOWLEDGED, acknowledged: { taskId: { value: taskId }, uuid: status.uuid } });
    return undefined;
  }

  #said(inside: Inside, { state = TaskState.TASK_STAGING, message = "", data = NO_DATA }: TaskStatus): Problem | undefined {
    const exit = ENDS.get(state);
    if (inside.state === "over" || GOES_ON.has(state)) return undefined;
    if (exit !== undefined) return this.#over(inside, exit, message, data) ? undefined : BUSY;
    if (state !== TaskState.TASK_RUNNING) return bad("An executor says TASK_STARTING, RUNNING, KILLING, FINISHED, FAILED, KILLED or ERROR");
    if (inside.state === "running") return undefined;
    const { order, run } = inside;
    if (!this.#host.save(order.instance, run, { what: "running" })) return BUSY;
    inside.state = "running";
    this.#host.tell({ what: "alive", instance: order.instance, run });
    return undefined;
  }

  /** False: it could not be saved, and nothing has happened. */
  #over(inside: Inside, exit: Exit, message: string, data: Uint8Array = NO_DATA): boolean {
    const { order, run } = inside;
    const words = message.slice(0, MESSAGE_LENGTH_MAX).toWellFormed();
    if (!this.#host.save(order.instance, run, { what: "ended", exit, message: words, data })) return false;
    inside.state = "over";
    this.#tellEnd(order.instance, run, exit, words, data);
    this.#host.resized(executorFor(order));
    return true;
  }

  #tellEnd(instance: string, run: number, exit: Exit, message: string, data: Uint8Array = NO_DATA): void {
    this.#host.tell({ what: "ended", instance, run, exit, message, data });
  }

  #of(executor: string): readonly Inside[] {
    return [...this.#inside.values()].filter(({ order, state }) => state !== "over" && executorFor(order) === executor);
  }

  #send(executor: string, event: Init<typeof EventSchema>): void {
    this.#host.send(executor, make(EventSchema, event));
  }
}

const bad = (text: string): Problem => ({ status: 400, text });
const BUSY: Problem = { status: 503, text: "The machine's disk cannot be written: say it again" };
