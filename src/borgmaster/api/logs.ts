/** Logs: which instance's, on which machine, and what its borglet sent of it. */

import { isInstance, type MachineId, taskOf } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { isAllocSet } from "../../cell/spec.ts";
import type { Task } from "../../cell/state.ts";
import { decode, encode, make } from "../../wire/codec.ts";
import { type ReadLogRequest, type ReadLogResponse, ReadLogResponseSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { type LogChunk, LogChunkSchema, LogRequestSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import type { Copy } from "./copy.ts";
import type { BorgletAnswer, FailureCode } from "./message.ts";
import { findTask, noTask } from "./reads.ts";

/** The borglet waits so much less than the caller does: its answer has a way to go. */
const MARGIN_MS = 5_000;
const BYTES_DEFAULT = 65_536;
const CHUNK_BYTES_MAX = 16 * 1024 * 1024;

export interface LogSource {
  readonly instance: string;
  readonly machine: MachineId;
  /** The task has another instance by now. */
  readonly newer: string;
}

/** Where a log is: with the instance that was asked for, or the one the task has, or the last one it is known to have had. */
export function findLog(copy: Copy, request: Pick<ReadLogRequest, "task" | "instance">): Result<LogSource> {
  const task = findTask(copy.state, request.task);
  if (task === undefined) return noTask(request.task);
  if (isAllocSet(task.job)) return refused(`"${task.id}" is an alloc: the tasks inside it have logs`);
  const current = task.instance;
  if (current !== undefined && (request.instance === "" || request.instance === current.id))
    return ok({ instance: current.id, machine: current.place.machine.id, newer: "" });
  const last = lastSource(copy, task, request.instance);
  if (last === undefined) return refused(`Task "${task.id}" has not run lately: borg show ${task.id} says why`);
  return ok({ ...last, newer: current?.id ?? "" });
}

function lastSource(copy: Copy, task: Task, wanted: string): Pick<LogSource, "instance" | "machine"> | undefined {
  const { last } = task.past;
  if (last !== undefined && (wanted === "" || wanted === last.instance)) return last;
  const events = copy.events.newest({ name: task.id, isMeant: undefined }, 1000);
  for (const { event } of [...events].reverse()) {
    const { instance, machine } = event;
    if (instance === undefined || machine === undefined || !isInstance(instance) || taskOf(instance) !== task.id) continue;
    if (wanted === "" || wanted === instance) return { instance, machine };
  }
  return undefined;
}

/** What the borglet is asked, encoded. */
export function logRequest({ instance }: LogSource, request: ReadLogRequest, leftMs: number): Uint8Array {
  const { stream, offset, fromEnd, sinceMs, times } = request;
  const bytesMax = request.bytesMax === 0 ? BYTES_DEFAULT : request.bytesMax;
  const waitMs = Math.floor(Math.min(request.waitMs, Math.max(leftMs - MARGIN_MS, 0)));
  return encode(LogRequestSchema, make(LogRequestSchema, { instance, stream, offset, fromEnd, bytesMax, waitMs, sinceMs, times }));
}

export type LogRead =
  | { readonly ok: true; readonly value: ReadLogResponse }
  | { readonly ok: false; readonly code: FailureCode; readonly reason: string };

const no = (code: FailureCode, reason: string): LogRead => ({ ok: false, code, reason });

export function logAnswer(copy: Copy, request: ReadLogRequest, source: LogSource, told: BorgletAnswer): LogRead {
  if (told.type === "borglet-silent") return no("unavailable", told.reason);
  const chunk = decode(LogChunkSchema, told.chunk, CHUNK_BYTES_MAX);
  if (!chunk.ok) return no("unavailable", chunk.reason);
  if (chunk.value.unknown)
    return no(
      "not-found",
      `Nothing is kept of instance "${source.instance}" on machine "${source.machine}": logs go a while after their task's end`,
    );
  if (chunk.value.problem !== "") return no("refused", chunk.value.problem);
  return { ok: true, value: logView(copy, request, source, chunk.value) };
}

/** The task may have got another instance while its log was on its way. */
function logView(copy: Copy, request: ReadLogRequest, { instance, machine, newer }: LogSource, chunk: LogChunk): ReadLogResponse {
  const again = findLog(copy, { ...request, instance });
  return make(ReadLogResponseSchema, {
    instance,
    machine,
    offset: chunk.offset,
    data: chunk.data,
    nextOffset: chunk.offset + chunk.data.length,
    ended: chunk.ended,
    marks: chunk.marks,
    timed: chunk.timed,
    newerInstance: again.ok ? again.value.newer : newer,
  });
}
