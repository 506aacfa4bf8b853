/**
 * Loaded before a borglet (`--import`): counts every step that changes something outside of the process (a file, a directory, a control group, a process), and
 * ends the borglet by SIGKILL right before or right after one of them. FAILPOINT="before 12" says which; FAILPOINT_LOG names a file for the steps.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

type Step = (...args: unknown[]) => unknown;

const FILE_STEPS = [
  ..."writeSync writeFileSync appendFileSync renameSync mkdirSync rmdirSync rmSync unlinkSync symlinkSync linkSync".split(" "),
  ..."chmodSync chownSync fchmodSync fchownSync lchownSync fsyncSync fdatasyncSync ftruncateSync".split(" "),
];
const PROCESS_STEPS = "spawn spawnSync execFileSync".split(" ");
const { writeSync, openSync } = fs;

const [side = "", at = ""] = (process.env["FAILPOINT"] ?? "").split(" ");
const log = process.env["FAILPOINT_LOG"];

function arm(): void {
  const file = log === undefined ? undefined : openSync(log, "a");
  let steps = 0;
  const die = (): boolean => process.kill(process.pid, "SIGKILL");
  const counted =
    (name: string, step: Step): Step =>
    (...args) => {
      steps += 1;
      const isIt = steps === Number(at);
      if (file !== undefined) writeSync(file, `${steps} ${name} ${String(args[0]).slice(-60).replaceAll("\n", " ")}\n`);
      if (isIt && side === "before") die();
      const result = step(...args);
      if (isIt) die();
      return result;
    };
  for (const name of FILE_STEPS) wrap(fs as never, name, counted);
  for (const name of PROCESS_STEPS) wrap(childProcess as never, name, counted);
  const { kill } = process;
  const killing = counted("kill", kill.bind(process) as Step);
  // What ends the borglet itself is no step of it.
  process.kill = ((pid: number, signal?: string) =>
    pid === process.pid ? kill.call(process, pid, signal) : killing(pid, signal)) as never;
  syncBuiltinESMExports();
}

function wrap(module: Record<string, Step>, name: string, counted: (name: string, step: Step) => Step): void {
  module[name] = counted(name, module[name] as Step);
}

if (isMainThread) arm();
