/**
 * `borg up`: a whole cell on this machine, in the foreground or detached. It makes what is not there yet (directory, tokens, journal), starts
 * the processes, waits until the cell answers and its machines are up, and makes it the user's current cell. It installs nothing.
 */
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { probe } from "../borglet/linux/probe.ts";
import { stateDirectory } from "./config.ts";
import { type CellFile, DataDirectory, isAlive } from "./data.ts";
import { entryPoint } from "./entry-point.ts";
import { EXIT, Failure } from "./exit.ts";
import { loginName } from "./login.ts";
import { machineShares, probeOptions } from "./machine-share.ts";
import { makeReady, type Ready } from "./ready.ts";
import { Supervisor } from "./supervisor.ts";
import type { Terminal } from "./terminal.ts";

export interface UpOptions {
  readonly cell?: string | undefined;
  readonly data?: string | undefined;
  readonly machines?: string | undefined;
  readonly port?: string | undefined;
  readonly batchSchedulers?: string | undefined;
  readonly detach?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const HOST = "127.0.0.1";
const PORT_DEFAULT = 7878;
const MACHINES_MAX = 100;
const BATCH_MAX = 32;
const CELL_DEFAULT = "local";
const LOG_TAIL_BYTES = 2000;

export async function up(options: UpOptions, terminal: Terminal): Promise<number> {
  const data = new DataDirectory(resolve(terminal.cwd, options.data ?? stateDirectory(options.cell ?? CELL_DEFAULT)));
  const cell = cellFor(data, options);
  const say = options.json === true ? (): void => {} : (line: string): void => terminal.print(`${line}\n`);
  const lock = await data.lock();
  if (lock === undefined) throw alreadyUp(data, cell);
  await freePorts(cell);
  data.writeCell(cell);
  data.ownerToken();
  data.linkToken();
  say(`Cell "${cell.cell}" in ${data.path}`);
  say(`  ${probe(probeOptions(terminal.env)).summary}`);
  if (options.detach === true) {
    await new Promise((done) => lock.close(done));
    return detached(data, cell, options, terminal, say);
  }
  return foreground(data, cell, options, terminal, say);
}

async function foreground(
  data: DataDirectory,
  cell: CellFile,
  options: UpOptions,
  terminal: Terminal,
  say: (line: string) => void,
): Promise<number> {
  const final = Promise.withResolvers<never>();
  final.promise.catch(() => undefined);
  const supervisor = newSupervisor(
    data,
    cell,
    (line) => say(`  ${line}`),
    (name, code) => final.reject(ended(data, name, code)),
  );
  const stop = new StopWish();
  terminal.interrupted().addEventListener("abort", () => stop.now());
  // A terminal that closes is a Ctrl-C that nobody typed.
  process.once("SIGHUP", () => stop.now());
  supervisor.start();
  try {
    const ready = makeReady(data, cell, say);
    const isReady = await Promise.race([ready.then(() => true), stop.wished.then(() => false), final.promise]);
    if (isReady) terminal.print(finalScreen(data, cell, options, await ready, false));
    await Promise.race([stop.wished, final.promise]);
    say(`\nStopping; ${stop.kill ? "tasks end too" : "tasks go on and the next borg up takes them up again (borg down --kill ends them)"}`);
    return EXIT.done;
  } finally {
    await supervisor.stop(stop.kill);
  }
}

/** The supervisor goes on in a process of its own; this one only waits until the cell is ready. */
async function detached(
  data: DataDirectory,
  cell: CellFile,
  options: UpOptions,
  terminal: Terminal,
  say: (line: string) => void,
): Promise<number> {
  const log = openSync(join(data.logs, "up.log"), "a", 0o600);
  const args = [...entryPoint(), "internal-supervisor", "--data", data.path];
  const child = spawn(process.execPath, args, { detached: true, stdio: ["ignore", log, log], cwd: "/" });
  closeSync(log);
  const died = new Promise<never>((_, reject) => {
    child.once("exit", (code) => reject(ended(data, "up", code ?? EXIT.fault)));
    child.once("error", reject);
  });
  died.catch(() => undefined);
  const ready = await Promise.race([makeReady(data, cell, say), died]);
  child.removeAllListeners("exit");
  child.unref();
  terminal.print(finalScreen(data, cell, options, ready, true));
  return EXIT.done;
}

/** The internal command behind --detach. */
export async function runSupervisor(data: DataDirectory): Promise<number> {
  const cell = data.readCell();
  const lock = await data.lock();
  const log = (line: string): void => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);
  if (cell === undefined || lock === undefined) {
    log("Another borg up runs this cell");
    return EXIT.refused;
  }
  const stop = new StopWish();
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  let exitCode: number = EXIT.done;
  const supervisor = newSupervisor(data, cell, log, (name, code) => {
    log(ended(data, name, code).message);
    exitCode = code;
    stop.now();
  });
  supervisor.start();
  await stop.wished;
  await supervisor.stop(stop.kill);
  return exitCode;
}

/** What `borg down` wishes of a supervisor: SIGTERM stops it, SIGUSR2 ends tasks too. One signal, because two may overtake each other. */
class StopWish {
  kill = false;
  readonly wished: Promise<void>;
  readonly now: () => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wished = promise;
    this.now = resolve;
    process.once("SIGTERM", resolve);
    process.once("SIGUSR2", () => {
      this.kill = true;
      resolve();
    });
  }
}

function newSupervisor(
  data: DataDirectory,
  cell: CellFile,
  log: (line: string) => void,
  onFinal: (name: string, code: number) => void,
): Supervisor {
  const shares = machineShares(cell.machines, data.path, cell.port);
  return new Supervisor({ data, command: process.execPath, entry: entryPoint(), shares, log, onFinal });
}

/** What the cell was made with stays; options may say the same again, or more machines. */
function cellFor(data: DataDirectory, options: UpOptions): CellFile {
  const known = data.readCell();
  const name = options.cell ?? known?.cell ?? CELL_DEFAULT;
  if (known !== undefined && known.cell !== name)
    throw new Failure(
      "usage",
      `"${data.path}" holds cell "${known.cell}", not "${name}"`,
      "choose another directory with --data, or leave --cell out",
    );
  const machines = wholeNumber("--machines", options.machines, 1, MACHINES_MAX) ?? known?.machines ?? 1;
  if (known !== undefined && machines < known.machines)
    throw new Failure(
      "usage",
      `Cell "${name}" has ${known.machines} machines, and ${machines} would leave tasks behind`,
      "give the same --machines or leave it out",
    );
  const port = wholeNumber("--port", options.port, 1, 65_534) ?? known?.port ?? PORT_DEFAULT;
  const batchSchedulers = wholeNumber("--batch-schedulers", options.batchSchedulers, 1, BATCH_MAX) ?? known?.batchSchedulers ?? 1;
  return { cell: name, owner: known?.owner ?? loginName(), host: HOST, port, linkPort: port + 1, machines, batchSchedulers };
}

function wholeNumber(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Failure("usage", `Cannot use "${text}" for ${flag}`, `a whole number from ${least} to ${most}`);
}

function alreadyUp(data: DataDirectory, cell: CellFile): Failure {
  const run = data.readRun();
  const who = run !== undefined && isAlive(run.supervisor) ? ` (pid ${run.supervisor.pid})` : "";
  return new Failure(
    "refused",
    `Cell "${cell.cell}" in "${data.path}" is up already${who}`,
    `borg ls machines shows it, borg down stops it`,
  );
}

/** A port that is taken is said at once; the master would only say it in its log. */
async function freePorts(cell: CellFile): Promise<void> {
  for (const port of [cell.port, cell.linkPort]) {
    const free = await new Promise<boolean>((done) => {
      const server = createServer();
      server.once("error", () => done(false));
      server.listen({ host: cell.host, port, exclusive: true }, () => server.close(() => done(true)));
    });
    if (!free) throw new Failure("usage", `Cannot listen at ${cell.host}:${port}: somebody else does`, "choose another one with --port");
  }
}

function ended(data: DataDirectory, name: string, code: number): Failure {
  const log = join(data.logs, `${name}.log`);
  const tail = readTail(log);
  return new Failure(
    code === EXIT.damaged ? "damaged" : "fault",
    `${name} ended with exit code ${code}${tail === "" ? "" : `: ${tail}`}`,
    `its log is ${log}`,
  );
}

function readTail(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(-LOG_TAIL_BYTES).trimEnd().split("\n").at(-1) ?? "";
  } catch {
    return "";
  }
}

function finalScreen(data: DataDirectory, cell: CellFile, options: UpOptions, ready: Ready, isDetached: boolean): string {
  const { url, machines, cpuMilli, ramBytes } = ready;
  if (options.json === true)
    return `${JSON.stringify({ cell: cell.cell, url, data: data.path, machines, cpuMilli, ramBytes, tokenFile: data.ownerTokenFile })}\n`;
  const cores = (cpuMilli / 1000).toFixed(1).replace(/\.0$/, "");
  const gib = (ramBytes / 2 ** 30).toFixed(1);
  // As it was called: a fresh clone has no borg on the PATH.
  const borg = process.env["BORG_COMMAND"] ?? "borg";
  const stop = isDetached ? `${borg} down` : `Ctrl-C, or ${borg} down from another terminal`;
  return `
Cell "${cell.cell}" is up: ${machines} ${machines === 1 ? "machine" : "machines"}, ${cores} cores, ${gib} GiB

  address   ${url}
  data      ${data.path}
  submit    ${borg} submit examples/hello-web.bcl --wait
            ${borg} run hi -- /bin/sh -c 'echo hi; sleep 60'
  look      ${borg} ls    ${borg} ls machines    ${borg} events -f
  stop      ${stop} (tasks go on; --kill ends them)
`;
}
