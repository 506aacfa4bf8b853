/**
 * A program that takes tasks of its framework, as a process of a simulated machine: it subscribes at its machine's borglet and again whenever its stream ended, runs what it is
 * given, says again what nobody acknowledged, answers messages, and goes when it is told to, by itself, or not at all. It knows nothing of masters.
 */
import type { Random } from "../../base/random.ts";
import type { Problem } from "../../borglet/executors.ts";
import { type Init, make } from "../../wire/codec.ts";
import { type Call, Call_Type, CallSchema, Event_Type, type Event as Told } from "../../wire/gen/mesos/v1/executor/executor_pb.ts";
import { type TaskInfo, TaskState, type TaskStatus, TaskStatusSchema } from "../../wire/gen/mesos/v1/mesos_pb.ts";
import type { ExecutorLedger } from "../judge/executor-ledger.ts";
import type { SimulatedDoor } from "./executor-door.ts";
import type { Kernel } from "./kernel.ts";
import type { SimulatedMachine, SimulatedTask } from "./simulated-machine.ts";

/** What an executor's command says it is like. `executor-crash MS` is what program.ts makes of it. */
export type Manner = "executor" | "executor-crash" | "executor-hang" | "executor-deaf";

/** Mesos: subscription_backoff_max. */
const BACKOFF_MS = 2000;
const RETRY_MS = 500;
/** Refused because the machine's disk cannot be written: it says the same again then. */
const AGAIN_MS = 1000;
const GOES_MS = 1000;
const SOON_MS = 500;
/** One that hangs does so after so long at most. */
const HANGS_MS = 10_000;
/** How likely a stream breaks after a launch. */
const HANGS_UP = 0.03;
const UUID_BYTES = 16;

interface Inside {
  readonly info: TaskInfo;
  state: "begins" | "runs" | "over";
  /** Something that it said of it was acknowledged. */
  isHeard: boolean;
}

export class ExecutorProgram {
  readonly task: SimulatedTask;
  readonly #machine: SimulatedMachine;
  readonly #kernel: Kernel;
  readonly #manner: Manner;
  readonly #ledger: ExecutorLedger;
  readonly #inside = new Map<string, Inside>();
  /** What nobody acknowledged, by its uuid. */
  readonly #unheard = new Map<string, TaskStatus>();
  /** Where it is heard; undefined: its stream ended. */
  #door: SimulatedDoor | undefined;
  #isAsking = false;
  /** It will never subscribe again. */
  hangs = false;

  constructor(kernel: Kernel, machine: SimulatedMachine, task: SimulatedTask, manner: Manner) {
    this.#kernel = kernel;
    this.#machine = machine;
    this.task = task;
    this.#manner = manner;
    this.#ledger = machine.ledger;
    if (manner === "executor-hang") this.#later(this.#soon(HANGS_MS), () => this.#hang());
    this.#later(this.#soon(BACKOFF_MS), () => this.#subscribe());
  }

  /** Tasks that it runs and would end if it were told to. */
  running(): readonly string[] {
    if (this.#manner === "executor-deaf" || this.hangs) return [];
    return [...this.#inside].filter(([, { state }]) => state !== "over").map(([id]) => id);
  }

  /** Tasks that it said something of, over a stream that is there, and nobody acknowledged it. */
  waiting(): readonly string[] {
    return this.#door === undefined ? [] : [...this.#unheard.values()].map(({ taskId }) => taskId?.value ?? "");
  }

  /** Whether it has the task, or what became of it is on its way. */
  has(taskId: string): boolean {
    const inside = this.#inside.get(taskId);
    return inside !== undefined && (inside.state !== "over" || [...this.#unheard.values()].some((each) => each.taskId?.value === taskId));
  }

  /** A borglet begins to listen, or the one that listened is away: it has another door, or none. */
  cut(): void {
    this.#door = undefined;
    this.#isAsking = false;
    if (this.#machine.door !== undefined) this.#later(this.#soon(BACKOFF_MS), () => this.#subscribe());
  }

  /** A signal from the borglet, which had it in this phase. Nobody ends an executor that was not told to stop, unless nothing is heard of it. [KF7] */
  signalled(phase: string | undefined): void {
    const isRight = phase === "stopping" || (phase === "running" && this.hangs);
    this.#kernel.expect(
      isRight,
      "KF7",
      () => `Executor "${this.task.instance}" was ended while its borglet had it as ${phase ?? "nothing"}`,
    );
    if (phase === "running") this.#kernel.probes.add("an executor that hangs was ended");
  }

  // What it is told

  hear(event: Told): void {
    if (event.type === Event_Type.LAUNCH && event.launch?.task !== undefined) this.#launched(event.launch.task);
    else if (event.type === Event_Type.KILL) this.#killed(event.kill?.taskId?.value ?? "");
    else if (event.type === Event_Type.ACKNOWLEDGED) this.#acknowledged(event.acknowledged?.uuid ?? new Uint8Array());
    else if (event.type === Event_Type.SHUTDOWN) this.#shutdown();
    else if (event.type === Event_Type.MESSAGE)
      this.#say({ type: Call_Type.MESSAGE, message: { data: event.message?.data ?? new Uint8Array() } });
  }

  #launched(info: TaskInfo): void {
    const id = info.taskId?.value ?? "";
    this.#kernel.expect(!this.#inside.has(id), "KF6", () => `Executor "${this.task.instance}" was given task "${id}" twice`);
    const isTaken = this.#ledger.end(this.task.instance, id)?.isTaken === true;
    this.#kernel.expect(!isTaken, "KF6", () => `Executor "${this.task.instance}" was given task "${id}" again, whose end was acknowledged`);
    const inside: Inside = { info, state: "begins", isHeard: false };
    this.#inside.set(id, inside);
    this.#kernel.probes.add("an executor was given a task");
    const [program = "serve", ms = "0"] = (info.name ?? "").split(" ");
    this.#later(this.#soon(SOON_MS), () => this.#begins(id, inside));
    if (program === "work") this.#later(Number(ms), () => this.#ends(id, inside, TaskState.TASK_FINISHED));
    if (program === "crash") this.#later(Number(ms), () => this.#ends(id, inside, TaskState.TASK_FAILED));
    if (this.#random.chance(HANGS_UP)) this.#later(this.#soon(SOON_MS), () => this.#hangUp());
  }

  #begins(id: string, inside: Inside): void {
    if (inside.state !== "begins") return;
    inside.state = "runs";
    this.#update(id, TaskState.TASK_RUNNING);
  }

  #ends(id: string, inside: Inside, state: TaskState): void {
    if (inside.state === "over") return;
    inside.state = "over";
    this.#update(id, state);
  }

  #killed(id: string): void {
    const inside = this.#inside.get(id);
    if (inside === undefined || this.#manner === "executor-deaf") return;
    this.#later(this.#soon(SOON_MS), () => this.#ends(id, inside, TaskState.TASK_KILLED));
  }

  #acknowledged(uuid: Uint8Array): void {
    const key = keyOf(uuid);
    const status = this.#unheard.get(key);
    this.#unheard.delete(key);
    const inside = this.#inside.get(status?.taskId?.value ?? "");
    if (inside !== undefined) inside.isHeard = true;
  }

  #shutdown(): void {
    if (this.#manner !== "executor-deaf") this.#later(this.#soon(GOES_MS), () => this.#machine.end(this.task, { code: 0, signal: 0 }));
    this.#kernel.probes.add("an executor was told to shut down");
  }

  // What it does by itself

  #subscribe(): void {
    if (this.#door !== undefined || this.#isAsking || this.hangs || this.#machine.door === undefined) return;
    this.#isAsking = true;
    const unacknowledgedTasks = [...this.#inside.values()].filter(({ isHeard }) => !isHeard).map(({ info }) => info);
    const unacknowledgedUpdates = [...this.#unheard.values()].map((status) => ({ status }));
    const subscribe = { unacknowledgedTasks, unacknowledgedUpdates };
    this.#machine.door.ask(this, make(CallSchema, { type: Call_Type.SUBSCRIBE, subscribe }));
  }

  #hangUp(): void {
    const door = this.#door;
    if (door === undefined) return;
    this.#kernel.probes.add("an executor's stream broke");
    door.hungUp(this);
    this.#door = undefined;
    this.#later(this.#soon(BACKOFF_MS), () => this.#subscribe());
  }

  #hang(): void {
    this.hangs = true;
    this.#door?.hungUp(this);
    this.#door = undefined;
  }

  #update(id: string, state: TaskState): void {
    const random = this.#random;
    const uuid = Uint8Array.from({ length: UUID_BYTES }, () => random.int(0, 256));
    const data = Uint8Array.from(`${id} ${state}`, (letter) => letter.charCodeAt(0));
    const status = make(TaskStatusSchema, { taskId: { value: id }, state, uuid, data });
    this.#unheard.set(keyOf(uuid), status);
    this.#ledger.said(this.task.instance, status);
    this.#say({ type: Call_Type.UPDATE, update: { status } });
  }

  /** What nobody hears it says again when it subscribes, if it matters. */
  #say(init: Init<typeof CallSchema>): void {
    this.#door?.ask(this, make(CallSchema, init));
  }

  // What becomes of its calls

  answered(door: SimulatedDoor, call: Call, problem: Problem | undefined): void {
    const { status } = call.update ?? {};
    if (call.type === Call_Type.SUBSCRIBE) this.#subscribed(door, problem);
    else if (status !== undefined && problem?.status === 503) this.#later(AGAIN_MS, () => this.#sayAgain(status));
    // Its task is forgotten: nobody waits for it.
    else if (status !== undefined && problem?.status === 403) this.#unheard.delete(keyOf(status.uuid ?? new Uint8Array()));
  }

  #sayAgain(status: TaskStatus): void {
    this.#kernel.probes.add("an executor said again what could not be saved");
    if (this.#unheard.has(keyOf(status.uuid ?? new Uint8Array()))) this.#say({ type: Call_Type.UPDATE, update: { status } });
  }

  #subscribed(door: SimulatedDoor, problem: Problem | undefined): void {
    this.#isAsking = false;
    if (this.hangs) return door.hungUp(this);
    if (problem !== undefined) return this.#later(RETRY_MS, () => this.#subscribe());
    if (this.#door === undefined && [...this.#inside.values()].some(({ state }) => state !== "over"))
      this.#kernel.probes.add("an executor came back with its tasks");
    this.#door = door;
  }

  /** As long as it lives. */
  #later(ms: number, act: () => void): void {
    this.#kernel.after(ms, () => {
      if (this.task.state === "alive" && this.#machine.task(this.task.instance) === this.task) act();
    });
  }

  get #random(): Random {
    return this.#kernel.streams.of(`executors/${this.#machine.name}`);
  }

  /** Some time, at most so long. */
  #soon(msMax: number): number {
    return this.#random.int(1, msMax);
  }
}

const keyOf = (uuid: Uint8Array): string => uuid.toHex();
