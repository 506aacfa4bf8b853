/** `borg down`: stops the cell that `borg up` started here. Tasks go on, unless they are to be ended too. */
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DataDirectory, isAlive } from "../daemon/data.ts";
import { knownCell, readConfig, stateDirectory } from "./config.ts";
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
  const data = new DataDirectory(directoryOf(options, terminal));
  const cell = data.readCell();
  if (cell === undefined) throw new Failure("notFound", `There is no cell in "${data.path}"`, "name its directory with --data");
  const run = data.readRun();
  if (run === undefined || !isAlive(run.supervisor)) return notUp(data, options, terminal);
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

/** A supervisor that was killed may have left its processes. */
function notUp(data: DataDirectory, options: DownOptions, terminal: Terminal): number {
  const left = Object.values(data.readRun()?.processes ?? {}).filter(isAlive);
  for (const { pid } of left) process.kill(pid, "SIGTERM");
  const words = left.length === 0 ? "is not up" : `was left without its borg up; ${left.length} processes were told to end`;
  terminal.print(options.json === true ? `${JSON.stringify({ down: true, ended: left.length })}\n` : `The cell in ${data.path} ${words}\n`);
  return EXIT.done;
}

function directoryOf(options: DownOptions, terminal: Terminal): string {
  if (options.data !== undefined) return resolve(terminal.cwd, options.data);
  if (options.cell !== undefined) return readConfig(terminal.env).cells[options.cell]?.data ?? stateDirectory(options.cell, terminal.env);
  const config = readConfig(terminal.env);
  if (config.current === undefined) throw new Failure("notFound", "Cannot tell which cell to stop", "borg down --data DIR");
  const { data } = knownCell(config, config.current);
  if (data === undefined) throw new Failure("usage", `Cell "${config.current}" does not run on this machine`, "borg down --data DIR");
  return data;
}
