/**
 * Status updates on their way to a framework: the first of each task that is not acknowledged is in flight, and is sent again until it is. What is said stands in
 * the cell; here is only what this session was sent already, and when.
 */
import { executorOf } from "../cell/executor.ts";
import { uuidOf } from "../cell/framework.ts";
import type { MesosReasonName, MesosStateName } from "../cell/mesos-state.ts";
import type { Job, Status, Task } from "../cell/state.ts";
import { make } from "../wire/codec.ts";
import { TaskState, type TaskStatus, TaskStatus_Reason, TaskStatus_Source, TaskStatusSchema } from "../wire/gen/mesos/v1/mesos_pb.ts";
import { masterStatus } from "./events.ts";

const STATES: Readonly<Record<MesosStateName, TaskState>> = {
  staging: TaskState.TASK_STAGING,
  starting: TaskState.TASK_STARTING,
  running: TaskState.TASK_RUNNING,
  killing: TaskState.TASK_KILLING,
  finished: TaskState.TASK_FINISHED,
  failed: TaskState.TASK_FAILED,
  killed: TaskState.TASK_KILLED,
  lost: TaskState.TASK_LOST,
  error: TaskState.TASK_ERROR,
  unreachable: TaskState.TASK_UNREACHABLE,
  gone: TaskState.TASK_GONE,
  dropped: TaskState.TASK_DROPPED,
  unknown: TaskState.TASK_UNKNOWN,
};

const REASONS: Readonly<Record<Exclude<MesosReasonName, "none">, TaskStatus_Reason>> = {
  command_executor_failed: TaskStatus_Reason.COMMAND_EXECUTOR_FAILED,
  container_preempted: TaskStatus_Reason.CONTAINER_PREEMPTED,
  container_limitation_memory: TaskStatus_Reason.CONTAINER_LIMITATION_MEMORY,
  agent_removed: TaskStatus_Reason.AGENT_REMOVED,
  agent_disconnected: TaskStatus_Reason.AGENT_DISCONNECTED,
  agent_reregistered: TaskStatus_Reason.AGENT_REREGISTERED,
  agent_restarted: TaskStatus_Reason.AGENT_RESTARTED,
  task_invalid: TaskStatus_Reason.TASK_INVALID,
  task_health_check_status_updated: TaskStatus_Reason.TASK_HEALTH_CHECK_STATUS_UPDATED,
  max_completion_time_reached: TaskStatus_Reason.MAX_COMPLETION_TIME_REACHED,
  framework_removed: TaskStatus_Reason.FRAMEWORK_REMOVED,
  invalid_offers: TaskStatus_Reason.INVALID_OFFERS,
  executor_terminated: TaskStatus_Reason.EXECUTOR_TERMINATED,
};

/** Of a machine that left the master speaks; of what happened on one that is there, its executor. */
const sourceOf = (reason: MesosReasonName): TaskStatus_Source =>
  reason.startsWith("agent_") || reason === "framework_removed" ? TaskStatus_Source.MASTER : TaskStatus_Source.EXECUTOR;

const machineOf = ({ instance, past }: Task): string | undefined => instance?.place.machine.id ?? past.last?.machine;

function statusOf(task: Task, taskId: string, { state, reason, message, healthy, timeMs, number, data }: Status): TaskStatus {
  const machine = machineOf(task);
  return make(TaskStatusSchema, {
    taskId: { value: taskId },
    state: STATES[state],
    source: sourceOf(reason),
    timestamp: timeMs / 1000,
    uuid: uuidOf(task, number),
    executorId: { value: executorOf(task)?.id ?? taskId },
    ...(data.length === 0 ? {} : { data }),
    ...(machine === undefined ? {} : { agentId: { value: machine } }),
    ...(reason === "none" ? {} : { reason: REASONS[reason] }),
    ...(message === "" ? {} : { message }),
    ...(healthy === undefined ? {} : { healthy }),
  });
}

/** What became of a task, asked by name (RECONCILE): the state that was told last. */
export function reconciled(job: Job, taskId: string, isAware: boolean): TaskStatus {
  const task = job.led?.byId.get(taskId);
  const reason = TaskStatus_Reason.RECONCILIATION;
  if (task?.launched === undefined)
    return masterStatus(taskId, isAware ? TaskState.TASK_UNKNOWN : TaskState.TASK_LOST, reason, "The cell does not know this task");
  const machine = machineOf(task);
  const agent = machine === undefined ? {} : { agentId: { value: machine } };
  return masterStatus(taskId, STATES[task.launched.told], reason, "As it was told last", agent);
}

/** Updates that nobody acknowledged are sent again after so long, and then after twice that... */
export const RESEND_FIRST_MS = 10_000;
const RESEND_MOST_MS = 600_000;

interface Sent {
  readonly number: number;
  readonly incarnation: number;
  atMs: number;
  waitMs: number;
}

/** Of one session. */
export class Statuses {
  /** By the task's index. */
  readonly #sent = new Map<number, Sent>();

  /** What is to be sent of a task now; undefined: nothing that was not sent already. */
  next(task: Task, nowMs: number): TaskStatus | undefined {
    const { launched, index, incarnation } = task;
    const first = launched?.updates[0];
    if (launched === undefined || first === undefined) {
      this.#sent.delete(index);
      return undefined;
    }
    const known = this.#sent.get(index);
    const isSame = known?.number === first.number && known.incarnation === incarnation;
    if (isSame && nowMs - known.atMs < known.waitMs) return undefined;
    const waitMs = isSame ? Math.min(RESEND_MOST_MS, known.waitMs * 2) : RESEND_FIRST_MS;
    this.#sent.set(index, { number: first.number, incarnation, atMs: nowMs, waitMs });
    return statusOf(task, launched.taskId, first);
  }

  /** Indexes of tasks whose update in flight waited long enough. */
  overdue(nowMs: number): readonly number[] {
    return [...this.#sent].filter(([, { atMs, waitMs }]) => nowMs - atMs >= waitMs).map(([index]) => index);
  }
}
