/**
 * `borg up`: a whole cell on this machine, in the foreground or detached. It makes what is not there yet (directory, tokens, journal), starts
 * the processes, waits until the cell answers and its machines are up, and makes it the user's current cell. It installs nothing.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { findAbilities } from "../borglet/linux/abilities.ts";
import { freeBytes } from "../borglet/linux/disk-room.ts";
import { type CellFile, DataDirectory, isAlive, newCellId } from "../daemon/data.ts";
import { BindError, bindSockets, inherited, listenEnvironment, type NamedSocket, removeSockets } from "../daemon/descriptors.ts";
import { idsOf } from "../daemon/host-ids.ts";
import { checkKeys } from "../daemon/key-ring.ts";
import { Keys } from "../daemon/keys.ts";
import { abilityOptions, machineBase, machineShares } from "../daemon/machine-share.ts";
import { claimPortOf, firstPortOf, holdSlot, SLOT_PORTS, slotOf } from "../daemon/port-slots.ts";
import { hostsOf } from "../daemon/replicas.ts";
import { refuseStrange, takeSite } from "../daemon/site.ts";
import { Supervisor } from "../daemon/supervisor.ts";
import { LEVELS, LOG_FORMAT_VARIABLE, LOG_FORMATS, LOG_LEVEL_VARIABLE, messageOf, newLog } from "../shell/log.ts";
import { CELL_DEFAULT, ownCell, refuseTakenName } from "./config.ts";
import { type DescribedOptions, describedOf } from "./described.ts";
import { entryPoint } from "./entry-point.ts";
import { EXIT, Failure } from "./exit.ts";
import { choiceOf, durationMsOf } from "./input.ts";
import { loginName } from "./login.ts";
import { plainName } from "./names.ts";
import { type NamesInside, namesInside } from "./names-inside.ts";
import { dnsOf, dnsProblem, dnsText } from "./names-port.ts";
import { makeReady, type Ready } from "./ready.ts";
import type { Terminal } from "./terminal.ts";
import { bytesText } from "./text/units.ts";
import { prepareReplicas, refuseWithoutEtcd, replicasFor, replicasWished } from "./up-replicas.ts";

export interface UpOptions extends DescribedOptions {
  readonly cell?: string | undefined;
  readonly data?: string | undefined;
  readonly machines?: string | undefined;
  readonly replicas?: string | undefined;
  readonly port?: string | undefined;
  readonly batchSchedulers?: string | undefined;
  readonly trustAllUsers?: boolean | undefined;
  readonly keep?: string | undefined;
  readonly dns?: string | undefined;
  readonly dnsDomain?: string | undefined;
  readonly logFormat?: string | undefined;
  readonly logLevel?: string | undefined;
  readonly detach?: boolean | undefined;
  readonly adopt?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const HOST = "127.0.0.1";
const PORT_DEFAULT = 7878;
const MACHINES_MAX = 100;
const BATCH_MAX = 32;
const KEEP_MS_MIN = 60_000;
const KEEP_MS_MAX = 365 * 86_400_000;
const LOG_TAIL_BYTES = 2000;

export async function up(options: UpOptions, terminal: Terminal): Promise<number> {
  // What cannot be meant is refused before anything is made.
  const wish = wishOf(options);
  const meant = ownCell(wish.cell, terminal.env);
  const path = resolve(terminal.cwd, options.data ?? meant.data);
  const name = nameAt(path, options.data === undefined ? meant.name : wish.cell);
  if (existsSync(path)) refuseStrange(new DataDirectory(path), options.adopt === true);
  refuseTakenName(name, existsSync(path) ? realpathSync(path) : path, terminal.env);
  const data = new DataDirectory(path);
  const wanted = {
    ...cellFor(data, { ...wish, cell: name }),
    ...dnsOf(options, data.readCell()),
    described: describedOf(options, data.readCell()?.described, terminal.cwd),
  };
  const say = options.json === true ? (): void => {} : (line: string): void => terminal.print(`${line}\n`);
  const lock = data.lock();
  if (lock === undefined) throw alreadyUp(data, wanted);
  refuseFullDisk(data);
  if (wanted.replicas !== undefined) await refuseWithoutEtcd(data, wanted);
  checkKeys(data.secrets);
  takeSite(data, wanted, options.adopt === true);
  const sockets = await boundSockets(data, wanted);
  const slot = await holdSlot(wanted, data.hasRuns());
  const cell = { ...wanted, portSlot: slot?.slot ?? slotOf(wanted) };
  await prepare(data, cell);
  say(`Cell "${cell.cell}" in ${data.path}`);
  const abilities = findAbilities(abilityOptions(terminal.env));
  say(`  ${abilities.summary}`);
  const names = await namesInside(data, cell, abilities);
  const taken = await dnsProblem(cell);
  if (taken !== undefined) say(`  ${taken}`);
  if (slot === undefined) say(`  ${unheldText(cell)}`);
  const isDetached = options.detach === true;
  const bound = [...sockets.bound, ...names.bound];
  const kept = [...bound.map(({ fd }) => fd), lock.fd, ...(slot === undefined ? [] : [slot.fd])];
  const supervisor = startSupervisor(data, kept, bound, isDetached ? undefined : say, wish.log);
  // From here on they are the supervisor's.
  sockets.close();
  names.close();
  slot?.close();
  lock.release();
  const over = new AbortController();
  void supervisor.ended.then(() => over.abort());
  const ready = makeReady(data, cell, say, over.signal);
  const screen = (found: Ready): string => finalScreen(data, cell, options, found, names);
  return isDetached ? detached(data, terminal, supervisor, ready, screen) : foreground(data, terminal, supervisor, ready, screen);
}

/** A start makes a new segment of the journal, or writes the last one anew; what is left is for everything else that is small. */
const START_BYTES = 80 * 2 ** 20;

function refuseFullDisk(data: DataDirectory): void {
  const free = freeBytes(data.path);
  if (free >= START_BYTES) return;
  throw new Failure(
    "refused",
    `The disk of "${data.path}" is full: ${bytesText(free)} are left, and a start needs ${bytesText(START_BYTES)}`,
    "make room there and try again; tasks that run go on",
  );
}

/** What a cell has before its first process runs: its file, and the keys of its master and its machines. */
async function prepare(data: DataDirectory, cell: CellFile): Promise<void> {
  data.writeCell(cell);
  await renewKeys(data, cell);
}

/** Makes keys that are not there, and certificates anew that are half over. True: something is new. */
async function renewKeys(data: DataDirectory, cell: CellFile): Promise<boolean> {
  const self = cell.spread?.self;
  const machines = machineShares(cell.machines, data.path, firstPortOf(cell), machineBase(cell)).map(({ machine }) => machine);
  const isNew = await new Keys(data, cell.cell, self).prepare(hostsOf(cell), machines, Date.now());
  return (cell.replicas !== undefined && (await prepareReplicas(data, cell))) || isNew;
}

/** Until it is told to stop, or its cell cannot go on. */
async function foreground(
  data: DataDirectory,
  terminal: Terminal,
  supervisor: SupervisorProcess,
  ready: Promise<Ready>,
  screen: (ready: Ready) => string,
): Promise<number> {
  const stop = (signal: NodeJS.Signals): void => supervisor.signal(signal);
  terminal.interrupted().addEventListener("abort", () => stop("SIGTERM"));
  // A terminal that closes is a Ctrl-C that nobody typed.
  for (const [heard, told] of [
    ["SIGHUP", "SIGTERM"],
    ["SIGTERM", "SIGTERM"],
    ["SIGUSR2", "SIGUSR2"],
  ] as const)
    process.once(heard, () => stop(told));
  const isReady = await Promise.race([ready.then(() => true), supervisor.ended.then(() => false)]);
  if (isReady) terminal.print(screen(await ready));
  ready.catch(() => undefined);
  const { code, last } = await supervisor.ended;
  if (code === EXIT.done) return EXIT.done;
  throw new Failure(
    code === EXIT.damaged ? "damaged" : "fault",
    last || `The supervisor ended with exit code ${code}`,
    `its logs are in ${data.logs}`,
  );
}

/** The supervisor goes on; this process only waits until the cell is ready. */
async function detached(
  data: DataDirectory,
  terminal: Terminal,
  supervisor: SupervisorProcess,
  ready: Promise<Ready>,
  screen: (ready: Ready) => string,
): Promise<number> {
  const died = supervisor.ended.then(({ code }) => Promise.reject(ended(data, "up", code)));
  died.catch(() => undefined);
  ready.catch(() => undefined);
  try {
    terminal.print(screen(await Promise.race([ready, died])));
    return EXIT.done;
  } finally {
    supervisor.letGo();
  }
}

interface SupervisorProcess {
  /** `last`: the last line that it said. */
  readonly ended: Promise<{ readonly code: number; readonly last: string }>;
  signal(signal: NodeJS.Signals): void;
  letGo(): void;
}

/**
 * A process of its own, also in the foreground: a process that has bound a socket with Node also accepts on it, and the supervisor must not. With `say` its
 * lines are told here, and it stops when this process is gone, however that ended.
 */
function startSupervisor(
  data: DataDirectory,
  descriptors: readonly number[],
  sockets: readonly NamedSocket[],
  say: ((line: string) => void) | undefined,
  logEnvironment: Readonly<Record<string, string>>,
): SupervisorProcess {
  const log = openSync(join(data.logs, "up.log"), "a", 0o600);
  const args = [...entryPoint(), "internal-supervisor", "--data", data.path, ...(say === undefined ? [] : ["--attached"])];
  const child = spawn(process.execPath, args, {
    detached: true,
    cwd: "/",
    env: { ...process.env, ...logEnvironment, ...listenEnvironment(sockets) },
    stdio: [say === undefined ? "ignore" : "pipe", say === undefined ? log : "pipe", log, ...descriptors],
  });
  closeSync(log);
  let last = "";
  if (child.stdout !== null)
    createInterface(child.stdout).on("line", (line) => {
      last = line;
      say?.(`  ${line}`);
    });
  const ended = new Promise<{ readonly code: number; readonly last: string }>((resolve) => {
    child.once("close", (code) => resolve({ code: code ?? EXIT.fault, last }));
    child.once("error", (error) => resolve({ code: EXIT.fault, last: error.message }));
  });
  return { ended, signal: (signal) => void child.kill(signal), letGo: () => child.unref() };
}

/** The internal command: the lock and the cell's sockets were handed to it, and it only keeps them and passes the sockets on. */
export async function runSupervisor(data: DataDirectory, isAttached: boolean): Promise<number> {
  const cell = data.readCell();
  const toStdout = (text: string): void => void process.stdout.write(text);
  const log = isAttached ? (line: string): void => toStdout(`${line}\n`) : newLog("up", process.env, toStdout);
  const sockets = inherited(process.env);
  if (cell === undefined || sockets.length === 0) {
    log("This is started by borg up");
    return EXIT.usage;
  }
  const stop = new StopWish();
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  if (isAttached) process.stdin.resume().once("close", () => stop.now());
  let exitCode: number = EXIT.done;
  const shares = machineShares(cell.machines, data.path, firstPortOf(cell), machineBase(cell));
  const supervisor = new Supervisor({
    data,
    cell,
    command: process.execPath,
    entry: entryPoint(),
    shares,
    sockets,
    ids: process.getuid?.() === 0 ? idsOf(cell.id, data.path) : undefined,
    log,
    renew: (changed) => renewKeys(data, changed),
    onFinal: (name, code) => {
      exitCode = code;
      log(ended(data, name, code).message);
      stop.now();
    },
  });
  supervisor.start();
  process.on("SIGHUP", () => void supervisor.readKeys());
  await stop.wished;
  if (isAttached && exitCode === EXIT.done)
    log(`Stopping; ${stop.kill ? "tasks end too" : "tasks go on and the next borg up takes them up again (borg down --kill ends them)"}`);
  await supervisor.stop(stop.kill);
  removeSockets(data);
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

/** A directory keeps the name that it has; a new one that nobody named is called as usual. */
function nameAt(path: string, wanted: string | undefined): string {
  if (wanted !== undefined || !existsSync(join(path, "cell.json"))) return wanted ?? CELL_DEFAULT;
  return new DataDirectory(path).readCell()?.cell ?? CELL_DEFAULT;
}

/** What was said on the command line, checked. */
interface Wish {
  readonly cell: string | undefined;
  readonly replicas: number | undefined;
  readonly machines: number | undefined;
  readonly port: number | undefined;
  readonly batchSchedulers: number | undefined;
  readonly keepMs: number | undefined;
  readonly trustAllUsers: boolean | undefined;
  /** For the environment of its processes. */
  readonly log: Readonly<Record<string, string>>;
}

const wishOf = (options: UpOptions): Wish => ({
  cell: options.cell === undefined ? undefined : plainName(options.cell, "a cell"),
  machines: wholeNumber("--machines", options.machines, 1, MACHINES_MAX),
  replicas: replicasWished(options.replicas),
  port: wholeNumber("--port", options.port, 1, 65_534),
  batchSchedulers: wholeNumber("--batch-schedulers", options.batchSchedulers, 1, BATCH_MAX),
  keepMs: options.keep === undefined ? undefined : keepOf(options.keep),
  trustAllUsers: options.trustAllUsers,
  log: {
    ...(options.logFormat === undefined ? {} : { [LOG_FORMAT_VARIABLE]: choiceOf("--log-format", options.logFormat, LOG_FORMATS) }),
    ...(options.logLevel === undefined ? {} : { [LOG_LEVEL_VARIABLE]: choiceOf("--log-level", options.logLevel, LEVELS) }),
  },
});

/** What the cell was made with stays; options may say the same again, or more machines. */
function cellFor(data: DataDirectory, wish: Wish): CellFile {
  const known = data.readCell();
  const name = wish.cell ?? known?.cell ?? CELL_DEFAULT;
  if (known !== undefined && known.cell !== name)
    throw new Failure(
      "usage",
      `"${data.path}" holds cell "${known.cell}", not "${name}"`,
      "choose another directory with --data, or leave --cell out",
    );
  const machines = wish.machines ?? known?.machines ?? 1;
  if (known !== undefined && machines < known.machines)
    throw new Failure(
      "usage",
      `Cell "${name}" has ${known.machines} machines, and ${machines} would leave tasks behind`,
      "give the same --machines or leave it out",
    );
  const port = wish.port ?? known?.port ?? PORT_DEFAULT;
  const keepMs = wish.keepMs ?? known?.keepMs;
  const replicas = replicasFor(data, known, wish.replicas);
  return {
    cell: name,
    id: known?.id ?? newCellId(),
    owner: known?.owner ?? loginName(),
    host: known?.spread === undefined ? HOST : known.host,
    port,
    linkPort: port + 1,
    ...(known?.spread === undefined ? {} : { spread: known.spread }),
    ...(known === undefined ? {} : { portSlot: slotOf(known) }),
    machines,
    batchSchedulers: wish.batchSchedulers ?? known?.batchSchedulers ?? 1,
    trustAllUsers: wish.trustAllUsers ?? known?.trustAllUsers ?? false,
    ...(keepMs === undefined ? {} : { keepMs }),
    ...(replicas === undefined ? {} : { replicas }),
  };
}

function keepOf(text: string): number {
  const keepMs = durationMsOf("--keep", text);
  if (keepMs >= KEEP_MS_MIN && keepMs <= KEEP_MS_MAX) return keepMs;
  throw new Failure("usage", `Cannot keep what has ended for ${text}`, "from 1m to 365d");
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
async function boundSockets(data: DataDirectory, cell: CellFile): ReturnType<typeof bindSockets> {
  try {
    return await bindSockets(data, cell);
  } catch (error) {
    if (!(error instanceof BindError)) throw error;
    const isPort = error.endpoint.kind === "tcp";
    throw new Failure(
      "usage",
      isPort ? `${error.message}: somebody else does` : error.message,
      isPort ? "choose another one with --port" : "is its directory writable?",
    );
  }
}

/** Anybody can hold the port that stands for a cell's ports, so it must not keep the cell from starting: no task is started on a port that somebody has. */
function unheldText(cell: CellFile): string {
  const first = firstPortOf(cell);
  return `Somebody else holds port ${claimPortOf(cell)}: another cell may give out the ports of this one's tasks, ${first} to ${first + SLOT_PORTS - 1}`;
}

function ended(data: DataDirectory, name: string, code: number): Failure {
  const log = join(data.logs, `${name}.log`);
  const tail = readTail(log);
  // The supervisor has said already which of its processes ended, and how.
  if (name === "up" && tail.includes(" ended with exit code "))
    return new Failure(code === EXIT.damaged ? "damaged" : "fault", tail, `its log is ${log}`);
  return new Failure(
    code === EXIT.damaged ? "damaged" : "fault",
    `${name} ended with exit code ${code}${tail === "" ? "" : `: ${tail}`}`,
    `its log is ${log}`,
  );
}

/** Its last line that is for people: no stack, no time before it. */
function readTail(path: string): string {
  try {
    const lines = readFileSync(path, "utf8").slice(-LOG_TAIL_BYTES).trimEnd().split("\n");
    const said = lines.filter((line) => /^\S/.test(line) && !/^(Node\.js v|\})/.test(line));
    return messageOf(said.at(-1) ?? "");
  } catch {
    return "";
  }
}

function finalScreen(data: DataDirectory, cell: CellFile, options: UpOptions, ready: Ready, names: NamesInside): string {
  const { url, machines, cpuMilli, ramBytes } = ready;
  if (options.json === true)
    return `${JSON.stringify({ cell: cell.cell, url, data: data.path, machineCount: machines, cpuMilli, ramBytes, socket: data.socket("api"), dnsPort: cell.dnsPort || null, taskNames: names.address ?? null })}\n`;
  const cores = (cpuMilli / 1000).toFixed(1).replace(/\.0$/, "");
  const gib = (ramBytes / 2 ** 30).toFixed(1);
  // As it was called: a fresh clone has no borg on the PATH.
  const borg = process.env["BORG_COMMAND"] ?? "borg";
  const stop = options.detach === true ? `${borg} down` : `Ctrl-C, or ${borg} down from another terminal`;
  return `
Cell "${cell.cell}" is up: ${machines} ${machines === 1 ? "machine" : "machines"}, ${cores} cores, ${gib} GiB

  address   ${url} (for others: ${borg} token create --user NAME)
  names     ${dnsText(cell)}
            ${names.text}
  data      ${data.path}
  submit    ${borg} submit examples/hello-web.bcl --wait
            ${borg} run hi -- /bin/sh -c 'echo hi; sleep 60'
  look      ${borg} ls    ${borg} ls machines    ${borg} events -f
  stop      ${stop} (tasks go on; --kill ends them)
`;
}
