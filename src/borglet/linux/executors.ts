/** Executors on this machine: the door that they come in by, a directory for what they said, and the clock that looks after them. */
import { FilesDisk } from "../../store/files.ts";
import { ExecutorMachine, type ExecutorMachineOptions } from "../executor-machine.ts";
import { ExecutorWords } from "../executor-words.ts";
import { ExecutorDoor } from "./executor-door.ts";

const TICK_MS = 1_000;

export interface LinuxExecutors {
  /** As the borglet sees it. */
  readonly machine: ExecutorMachine;
  /** What executors find in their environments. */
  readonly variables: ExecutorDoor["variables"];
  close(): void;
}

type Options = Pick<ExecutorMachineOptions, "name" | "memory" | "log" | "deliver"> & { readonly directory: string };

export async function openExecutors({ directory, ...options }: Options): Promise<LinuxExecutors> {
  const { log } = options;
  const door = await ExecutorDoor.open(directory, {
    call: (executor, call) => machine.call(executor, call),
    gone: (executor) => machine.gone(executor),
    log,
  });
  const disk = new FilesDisk(directory);
  const machine = new ExecutorMachine({
    ...options,
    door,
    words: new ExecutorWords(disk, log),
    now: () => performance.now(),
    soon: (work) => void setImmediate(work),
  });
  const tick = setInterval(() => machine.tick(), TICK_MS);
  const close = (): void => {
    clearInterval(tick);
    door.close();
    disk.close();
  };
  return { machine, variables: (...asked) => door.variables(...asked), close };
}
