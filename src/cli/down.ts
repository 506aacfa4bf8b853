/** `borg down`: stops the cell that `borg up` started here. Tasks go on, unless they are to be ended too. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type CellFile, DataDirectory, isAlive, type ProcessId } from "../daemon/data.ts";
import { type MachineShare, machineBase, machineShares } from "../daemon/machine-share.ts";
import { firstPortOf } from "../daemon/port-slots.ts";
import { refuseStrange } from "../daemon/site.ts";
import { NAMES_NAME } from "../daemon/supervisor.ts";
import { ownCell } from "./config.ts";
import { entryPoint } from "./entry-point.ts";
import { EXIT, Failure } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

export interface DownOptions {
  readonly data?: string | undefined;
  readonly cell?: string | undefined;
  readonly kill?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const STOP_MS = 90_000;
const LOOK_MS = 50;

export async function down(options: DownOptions, terminal: Terminal): Promise<number> {
  const path = directoryOf(options, terminal);
  const data = existsSync(path) ? new DataDirectory(path) : undefined;
  const cell = data?.readCell();
  if (data === undefined || cell === undefined)
    throw new Failure("notFound", `There is no cell in "${path}"`, "borg cell ls shows those you know; name its directory with --data");
  refuseStrange(data, false);
  const run = data.readRun();
  if (run === undefined || !isAlive(run.supervisor)) return notUp(data, cell, options, terminal);
  process.kill(run.supervisor.pid, options.kill === true ? "SIGUSR2" : "SIGTERM");
  const deadline = performance.now() + STOP_MS;
  while (isAlive(run.supervisor)) {
    if (performance.now() > deadline)
      throw new Failure("waited", `Cell "${cell.cell}" still runs after ${STOP_MS / 1000} s`, `look at ${data.logs}/up.log`);
    await sleep(LOOK_MS);
  }
  const what = options.kill === true ? "its tasks have ended" : "its tasks go on, and the next borg up takes them up again";
  terminal.print(options.json === true ? `${JSON.stringify({ cell: cell.cell, down: true })}\n` : `Cell "${cell.cell}" is down; ${what}\n`);
  return EXIT.done;
}

/** A supervisor that was killed may have left its processes, and one that was stopped left its tasks. */
async function notUp(data: DataDirectory, cell: CellFile, options: DownOptions, terminal: Terminal): Promise<number> {
  const { [NAMES_NAME]: resolver, ...others } = data.readRun()?.processes ?? {};
  const left = Object.values(others).filter(isAlive);
  for (const { pid } of left) process.kill(pid, "SIGTERM");
  const tasks = options.kill === true ? await endTasks(data, cell, left) : 0;
  // Tasks that go on ask it for names; it ends by itself when none is left.
  if (options.kill === true && resolver !== undefined && isAlive(resolver)) process.kill(resolver.pid, "SIGTERM");
  const words = left.length === 0 ? "is not up" : `was left without its borg up; ${left.length} processes were told to end`;
  const ended = options.kill === true ? `; ${tasks} of its tasks have ended` : "";
  const text = `The cell in ${data.path} ${words}${ended}\n`;
  terminal.print(options.json === true ? `${JSON.stringify({ down: true, ended: left.length, tasksEnded: tasks })}\n` : text);
  return EXIT.done;
}

/** Each machine's borglet is started once more, only to end what it finds. Nobody may start the cell meanwhile. */
async function endTasks(data: DataDirectory, cell: CellFile, left: readonly ProcessId[]): Promise<number> {
  for (const end = performance.now() + STOP_MS; left.some(isAlive) && performance.now() < end; ) await sleep(LOOK_MS);
  const lock = data.lock();
  if (lock === undefined) throw new Failure("refused", `Cell "${cell.cell}" is being started`, "try again when it is up: borg down --kill");
  try {
    const counts = await Promise.all(
      machineShares(cell.machines, data.path, firstPortOf(cell), machineBase(cell)).map((share) => endOn(data, share)),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  } finally {
    lock.release();
  }
}

function endOn(data: DataDirectory, share: MachineShare): Promise<number> {
  const args = [...entryPoint(), "internal-borglet", "--data", data.path, "--share", JSON.stringify(share), "--end-tasks"];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { timeout: STOP_MS }, (error, out, err) => {
      if (error === null) return resolve(Number(out.trim()) || 0);
      const last = err.trimEnd().split("\n").at(-1) ?? error.message;
      reject(new Failure("fault", `Cannot end the tasks of machine ${share.machine}: ${last}`, `its log is in ${data.logs}`));
    });
  });
}

/** The cell that `borg up` would mean. */
const directoryOf = (options: DownOptions, terminal: Terminal): string =>
  options.data === undefined ? ownCell(options.cell, terminal.env).data : resolve(terminal.cwd, options.data);
