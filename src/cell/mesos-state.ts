/**
 * What a framework hears of its tasks, in Mesos' words: one table from why a task ended to what is told. The names are those of record.proto, without
 * their prefix; Mesos' own are TASK_<STATE> and REASON_<REASON>.
 */
import type { MesosReason as WireReason, MesosState as WireState } from "../wire/gen/borg/v1/record_pb.ts";
import type { Cause } from "./cause.ts";

type Named<Wire> = { readonly [Name in Exclude<keyof Wire, "UNSPECIFIED"> as Lowercase<Name & string>]: Wire[Name & keyof Wire] };

export const MESOS_STATES = {
  staging: 1,
  starting: 2,
  running: 3,
  killing: 4,
  finished: 5,
  failed: 6,
  killed: 7,
  lost: 8,
  error: 9,
  unreachable: 10,
  gone: 11,
  dropped: 12,
  unknown: 13,
} as const satisfies Named<typeof WireState>;

export type MesosStateName = keyof typeof MESOS_STATES;

/** `none`: there is nothing to say. */
export const MESOS_REASONS = {
  none: 0,
  command_executor_failed: 1,
  container_preempted: 2,
  container_limitation_memory: 3,
  agent_removed: 4,
  agent_disconnected: 5,
  agent_reregistered: 6,
  agent_restarted: 7,
  task_invalid: 8,
  task_health_check_status_updated: 9,
  max_completion_time_reached: 10,
  framework_removed: 11,
  invalid_offers: 12,
  executor_terminated: 13,
} as const satisfies Named<typeof WireReason> & { readonly none: 0 };

export type MesosReasonName = keyof typeof MESOS_REASONS;

/** What is told of it: to all frameworks, or `aware` to those that know what a partition is. */
export interface Told {
  readonly state: MesosStateName;
  readonly aware?: MesosStateName;
  readonly reason: MesosReasonName;
  readonly words: string;
}

const LEFT = { state: "lost", aware: "gone" } as const;

/** Why a task of a framework ended, and what that is to Mesos. */
const ENDS: Readonly<Record<Cause, Told>> = {
  finished: { state: "finished", reason: "none", words: "It exited with code 0" },
  failed: { state: "failed", reason: "command_executor_failed", words: "It failed" },
  killed: { state: "killed", reason: "none", words: "It was killed" },
  preemption: { ...LEFT, reason: "container_preempted", words: "It was preempted: work of a higher priority needed its room" },
  revocation: { ...LEFT, reason: "container_preempted", words: "It was revoked for a role that is below its guarantee" },
  "out-of-resources": { ...LEFT, reason: "container_limitation_memory", words: "Its machine ran out of resources" },
  "machine-failure": { ...LEFT, reason: "agent_removed", words: "Its machine failed" },
  "machine-shutdown": { ...LEFT, reason: "agent_removed", words: "Its machine is being drained or has left the cell" },
  lost: { ...LEFT, reason: "agent_removed", words: "Its machine does not answer and was given up" },
  "machine-restart": { ...LEFT, reason: "agent_restarted", words: "Its machine was restarted" },
  other: { ...LEFT, reason: "agent_restarted", words: "Its machine no longer has it" },
  // Tasks of frameworks are never restarted or updated, and do not wait.
  restart: { ...LEFT, reason: "none", words: "It was restarted" },
  update: { ...LEFT, reason: "none", words: "It was updated" },
  submitted: { ...LEFT, reason: "none", words: "It was submitted" },
  placed: { ...LEFT, reason: "none", words: "It was placed" },
  started: { ...LEFT, reason: "none", words: "It was started" },
};

export const endOf = (cause: Cause): Told => ENDS[cause];

export const stateFor = ({ state, aware }: Told, isAware: boolean): MesosStateName => (isAware ? (aware ?? state) : state);

const OVER: ReadonlySet<MesosStateName> = new Set<MesosStateName>(["finished", "failed", "killed", "lost", "error", "gone", "dropped"]);

/** Nothing comes after it. */
export const isTerminal = (state: MesosStateName): boolean => OVER.has(state);

const STATE_NAMES: ReadonlyMap<number, MesosStateName> = byNumber(MESOS_STATES);
const REASON_NAMES: ReadonlyMap<number, MesosReasonName> = byNumber(MESOS_REASONS);

export const mesosStateOf = (wire: WireState): MesosStateName => STATE_NAMES.get(wire) ?? "unknown";
export const mesosReasonOf = (wire: WireReason): MesosReasonName => REASON_NAMES.get(wire) ?? "none";

function byNumber<Name extends string>(table: Readonly<Record<Name, number>>): ReadonlyMap<number, Name> {
  return new Map((Object.keys(table) as Name[]).map((name) => [table[name], name]));
}
