/** One run of a task, as its machine follows it from its shim's start until nothing of it is left. */
import type { ChildProcess } from "node:child_process";
import type { Exit } from "../machine.ts";
import type { Band } from "./cgroup.ts";
import type { TaskLimits } from "./group-limits.ts";
import type { ProcessId } from "./proc.ts";
import type { RunOfTask } from "./processes.ts";

export interface Run extends RunOfTask {
  readonly run: number;
  band: Band;
  limits: TaskLimits;
  /** The alloc instance that it is in; empty: none. */
  readonly inside: string;
  /** While it is our own child. */
  readonly child: ChildProcess | undefined;
  readonly sinceMs: number;
  childGone: boolean;
  main: ProcessId | undefined;
  shim: ProcessId | undefined;
  state: "launching" | "alive" | "ending";
  endingMs: number;
  exit: Exit;
  message: string;
}

/** How it ended is not known. */
export const STATUS_LOST: Exit = { code: 255, signal: 0 };

export const newRun = (known: Pick<Run, "key" | "band" | "alloc" | "instance" | "run" | "child" | "limits" | "inside">): Run => ({
  ...known,
  sinceMs: performance.now(),
  childGone: false,
  main: undefined,
  shim: undefined,
  state: "launching",
  endingMs: 0,
  exit: STATUS_LOST,
  message: "",
});
