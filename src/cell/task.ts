/**
 * The task state machine (Borg §2.3, Figure 2). The table is the whole machine: every arrow is one line, and a pair
 * that is not listed does nothing. Figure 2's Running is `starting` and `running` here; its Pending is `pending` and
 * `stopping` (the old instance is still on its machine, so the task cannot be claimed); its Dead is `ending` (killed,
 * the instance is still there) and `dead`.
 */
export type TaskState = "pending" | "starting" | "running" | "stopping" | "ending" | "dead";

export const TASK_STATES: readonly TaskState[] = ["pending", "starting", "running", "stopping", "ending", "dead"];

/**
 * - `submit`: a new job takes over the name of a dead one, or a resize brings an index back.
 * - `claim`: a scheduler's claim was accepted. `start`: the borglet reports the process there.
 * - `evict`: preemption, out of resources, drain. `restart`: the user asked. `kill`: the user asked, or the job shrank.
 * - `lost`, `fail`: given up, or failed for good on that machine; `lostForGood`, `failForGood`: and the policy says no more.
 * - `finish`: it ended by itself, work done. `gone`: the borglet says nothing of it is left.
 */
export type TaskEvent =
  | "submit"
  | "claim"
  | "start"
  | "evict"
  | "restart"
  | "kill"
  | "lost"
  | "lostForGood"
  | "fail"
  | "failForGood"
  | "finish"
  | "gone";

export const TASK_EVENTS: readonly TaskEvent[] = [
  "submit",
  "claim",
  "start",
  "evict",
  "restart",
  "kill",
  "lost",
  "lostForGood",
  "fail",
  "failForGood",
  "finish",
  "gone",
];

const PLACED: Readonly<Partial<Record<TaskEvent, TaskState>>> = {
  evict: "stopping",
  restart: "stopping",
  kill: "ending",
  // Given up on an unreachable machine: if it comes back with the instance alive, that one must stop (§3.3: avoid duplicates).
  lost: "pending",
  lostForGood: "dead",
  fail: "pending",
  failForGood: "dead",
  finish: "dead",
  // The borglet no longer has what it was told to run, and nobody told it to stop: it has to run again.
  gone: "pending",
};

const TABLE: Readonly<Record<TaskState, Readonly<Partial<Record<TaskEvent, TaskState>>>>> = {
  pending: { claim: "starting", kill: "dead" },
  starting: { ...PLACED, start: "running" },
  running: PLACED,
  stopping: {
    kill: "ending",
    lost: "pending",
    lostForGood: "dead",
    // It ended before the order to stop reached it.
    fail: "pending",
    failForGood: "dead",
    finish: "dead",
    gone: "pending",
  },
  ending: {
    submit: "stopping",
    lost: "dead",
    lostForGood: "dead",
    fail: "dead",
    failForGood: "dead",
    finish: "dead",
    gone: "dead",
  },
  dead: { submit: "pending" },
};

/** What happens to a task of a framework instead: it is never restarted, so whatever ends a placement ends the task. */
export const FINAL: Readonly<Partial<Record<TaskEvent, TaskEvent>>> = {
  evict: "kill",
  restart: "kill",
  lost: "lostForGood",
  fail: "failForGood",
  gone: "lostForGood",
};

/** Where an event takes a task; undefined: nowhere, it means nothing in this state. */
export const step = (state: TaskState, event: TaskEvent): TaskState | undefined => TABLE[state][event];

/** Running in the sense of Figure 2: it has an instance that is meant to be there. */
export const isPlaced = (state: TaskState): boolean => state === "starting" || state === "running";

/** Placed, but between two runs: its last one ended, and the next one waits for its back-off. */
export const isBackingOff = (state: TaskState, backOffUntilMs: number): boolean => isPlaced(state) && backOffUntilMs > 0;

/** Dead in the sense of Figure 2. */
export const isDead = (state: TaskState): boolean => state === "dead" || state === "ending";
