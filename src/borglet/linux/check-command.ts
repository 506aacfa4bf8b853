/**
 * A check by command: a process of the task's own, started beside it with its files, user, rights, limits and control groups (launcher.ts, `beside`). Whatever it
 * does, there is one answer within the time given, and nothing of it is left then that the task's end would not end. What it writes is nobody's to read: it is dropped.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { exitWords } from "../../base/exit-words.ts";
import { SHIM_ENVIRONMENT } from "./shim.ts";

export interface CommandCheck {
  /** Empty: well; else what was wrong, in words. */
  readonly answer: Promise<string>;
  /** Ends it; it is answered all the same. */
  end(): void;
}

export function askCommand(words: readonly string[], timeoutMs: number): CommandCheck {
  const [program = "", ...rest] = words;
  const child = spawn(program, rest, { cwd: "/", env: { ...SHIM_ENVIRONMENT }, detached: true, stdio: "ignore" });
  const answer = new Promise<string>((resolve) => {
    const timer = setTimeout(() => {
      endGroup(child);
      resolve(`Command took longer than ${timeoutMs} ms`);
    }, timeoutMs);
    child.on("error", (error) => resolve(`Cannot run the command: ${error.message}`));
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      // What it left behind in the background goes with it.
      endGroup(child);
      if (code === 0) resolve("");
      else resolve(`Command: ${signal === null ? exitWords(code ?? 0, 0) : `killed by ${signal}`}`);
    });
  });
  return { answer, end: () => endGroup(child) };
}

/** The jail's first process is one of them, and all inside go with it. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
