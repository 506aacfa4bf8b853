/** What a borglet must not forget of an instance, as it stands in memory and, record by record, on the disk. */
import { make } from "../wire/codec.ts";
import { KeptPhase, type KeptRecord, KeptRecordSchema } from "../wire/gen/borg/v1/borglet_pb.ts";
import type { StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import { epochOf } from "../wire/poll-sequence.ts";
import type { Exit } from "./machine.ts";

/** `running`: its start was tried and its end is not settled. `starting`: no process of it is expected. */
export type Phase = "starting" | "running" | "stopping" | "finished" | "failed" | "gone";

export interface Kept {
  /** With the limits that it is held to by now. */
  order: StartOrder;
  phase: Phase;
  /** The last start that was tried. */
  run: number;
  /** Failures in a row. */
  failures: number;
  exit: Exit | undefined;
  message: string;
  noticeMs: number;
  lameDuckMs: number;
  /** Why the borglet itself ends this run; empty when it does not. */
  condemned: string;
  /** With `condemned`: for lack of resources. That is no failure, and afterwards the instance is gone. */
  evicted: boolean;
  /** The run before this one went with a restart of the machine. */
  rebooted: boolean;
  /** What its executor sent along with its end. */
  data: Uint8Array;
}

export interface Memory {
  term: number;
  sequence: number;
  readonly instances: Map<string, Kept>;
}

/** As many as a report can tell of; a start order beyond it is passed over, and the master says it again. */
export const INSTANCES_MAX = 10_000;
export const MESSAGE_LENGTH_MAX = 1024;

const WIRE: Readonly<Record<Phase, KeptPhase>> = {
  starting: KeptPhase.STARTING,
  running: KeptPhase.RUNNING,
  stopping: KeptPhase.STOPPING,
  finished: KeptPhase.FINISHED,
  failed: KeptPhase.FAILED,
  gone: KeptPhase.GONE,
};
const PHASES = new Map(Object.entries(WIRE).map(([name, number]) => [number, name as Phase]));

export const isEnded = ({ phase }: Kept): boolean => phase === "finished" || phase === "failed" || phase === "gone";

type Rank = Pick<Memory, "term" | "sequence">;

/** Whoever polls so is not obeyed: another one was, later. */
export const isStale = (memory: Rank, poll: Rank): boolean =>
  poll.term < memory.term || (poll.term === memory.term && poll.sequence < memory.sequence);

/** Of a later term, or of a later epoch in which machines were shared out: no shard of before may be obeyed after this one, also if this one ordered nothing. */
export const isOfLaterReign = (memory: Rank, poll: Rank): boolean =>
  poll.term > memory.term || epochOf(poll.sequence) > epochOf(memory.sequence);

export const newMemory = (): Memory => ({ term: 0, sequence: 0, instances: new Map() });

export const newKept = (order: StartOrder): Kept => ({
  order,
  phase: "starting",
  run: 0,
  failures: 0,
  exit: undefined,
  message: "",
  noticeMs: 0,
  lameDuckMs: 0,
  condemned: "",
  evicted: false,
  rebooted: false,
  data: new Uint8Array(),
});

export const termRecord = ({ term, sequence }: Memory): KeptRecord =>
  make(KeptRecordSchema, { body: { case: "term", value: { term, sequence } } });

export const forgottenRecord = (instance: string): KeptRecord =>
  make(KeptRecordSchema, { body: { case: "forgotten", value: { instance } } });

export function keptRecord(kept: Kept): KeptRecord {
  const { order, run, failures, exit, message, noticeMs, lameDuckMs, condemned, evicted, rebooted, data } = kept;
  const end = { exitCode: exit?.code ?? 0, signal: exit?.signal ?? 0 };
  const said = { message, noticeMs, lameDuckMs, condemned, evicted, rebooted, data };
  const value = { order, phase: WIRE[kept.phase], run, failures, ...said, ...end };
  return make(KeptRecordSchema, { body: { case: "instance", value } });
}

/** Takes up one record; later ones replace earlier ones. */
export function recall(memory: Memory, { body }: KeptRecord): void {
  if (body.case === "term") {
    memory.term = body.value.term;
    memory.sequence = body.value.sequence;
  } else if (body.case === "forgotten") {
    memory.instances.delete(body.value.instance);
  } else if (body.case === "instance") {
    const { order, run, failures, exitCode, signal, message, noticeMs, lameDuckMs, condemned, evicted, rebooted, data } = body.value;
    const phase = PHASES.get(body.value.phase);
    if (order === undefined || phase === undefined) return;
    const exit = { code: exitCode, signal };
    const times = { noticeMs, lameDuckMs };
    memory.instances.set(order.instance, { order, phase, run, failures, exit, message, ...times, condemned, evicted, rebooted, data });
  }
}

/** Everything that is remembered, as few records as possible. */
export const recordsOf = (memory: Memory): KeptRecord[] => [termRecord(memory), ...[...memory.instances.values()].map(keptRecord)];

/** Nobody may guess what stood there: a borglet with a forgotten term obeys a deposed master, and a forgotten instance is killed. */
export const damaged = (name: string, at: number): Error =>
  new Error(`Cannot read "${name}": damaged at byte ${at}; end the tasks of this machine and remove the file`);
