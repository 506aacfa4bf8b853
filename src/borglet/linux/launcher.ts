/** Makes what a run needs (user, directories, files, script, jail, control group) and starts its shim. It waits for nothing. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch } from "node:os";
import { join } from "node:path";
import { splitTask, taskOf } from "../../base/id.ts";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { packagePath } from "../../wire/spec-defaults.ts";
import { shmBound, TASK_PIDS_MAX } from "../bounds.ts";
import { keyOf } from "../instance-key.ts";
import type { SecretFile } from "../machine.ts";
import { hasSecrets } from "../secrets.ts";
import { type Abilities, dropRights } from "./abilities.ts";
import type { Cgroups } from "./cgroup.ts";
import { makeOwn, numbered, type Owner, writeNumbered, writeUnder } from "./config-files.ts";
import { allocLimitsOf, type Capacity, limitsOf, OOM_SCORES, placeOf } from "./group-limits.ts";
import { type Helpers, HOST_WORDS } from "./helpers.ts";
import type { Holdings } from "./holdings.ts";
import { hasFile, type TaskImage, taskImage } from "./image.ts";
import { FILTER_DESCRIPTOR, JAIL, type JailFile, jailArguments } from "./jail.ts";
import { environmentOf, launchScript, type TaskSurroundings } from "./launch.ts";
import { type Layout, makeDirectory } from "./layout.ts";
import { type LogLimits, logEnd } from "./log-files.ts";
import { heldPort } from "./ports.ts";
import { bootId, type ProcessId, readTable } from "./proc.ts";
import type { RunFiles } from "./run-files.ts";
import type { SecretFiles } from "./secret-files.ts";
import { besideArguments, CLOSE_ENTERED, ENTER_WORDS, ENTERED, enterArguments, SHIM_ENVIRONMENT, shimArguments } from "./shim.ts";
import { placeTinyPrograms, type TinyPrograms } from "./tiny/place.ts";
import type { GivenVolume } from "./volumes.ts";

/** What one gets who names no command. */
const USUAL = ["/bin/sh", "-c", "if command -v bash >/dev/null 2>&1; then exec bash; fi; exec /bin/sh"] as const;

/** Processors, as images call them. */
const ARCHITECTURES: ReadonlyMap<string, string> = new Map([["x64", "amd64"]]);

export interface LauncherOptions {
  readonly cell: string;
  readonly layout: Layout;
  readonly runFiles: RunFiles;
  readonly abilities: Abilities;
  readonly cgroups: Cgroups | undefined;
  readonly logLimits: LogLimits;
  readonly nodeDirectory: string;
  readonly capacity: Capacity;
  /** What tasks find as /etc/resolv.conf, asked for each run; undefined: what the machine has. */
  readonly resolver?: () => string | undefined;
  /** Whose jobs alone may run where nothing keeps tasks from their machine's owner; undefined: everybody's. */
  readonly onlyUser: string | undefined;
  /** Where a package's files are; throws when they are not there. */
  readonly treeOf: (digest: string) => string;
  readonly holdings: Holdings;
  readonly secrets: SecretFiles;
  /** What a run finds in its environment beside what everybody does. */
  readonly variables?: (order: StartOrder, run: number, home: string) => Variables;
}

export class Launcher {
  readonly #options: LauncherOptions;
  readonly #bootId = bootId();
  readonly #tiny: TinyPrograms | undefined;

  constructor(options: LauncherOptions) {
    this.#options = options;
    this.#tiny = placeTinyPrograms(options.layout.area);
  }

  /** Throws, in words, when it cannot even be tried. */
  launch(order: StartOrder, run: number, secrets: readonly SecretFile[]): ChildProcess {
    const { layout, runFiles, abilities, cgroups, logLimits } = this.#options;
    refuseWhatIsNotThere(order);
    this.#refuseStrangers(order);
    refuseHeldPorts(order);
    const programs = this.#programs();
    const key = keyOf(order.instance);
    const owner = this.#ownerOf(order);
    if (secrets.length > 0) this.#options.secrets.write(key, secrets, owner);
    runFiles.remove(key, run);
    runFiles.begin(key, run);
    const log = layout.log(key);
    makeDirectory(log, 0o700);
    for (const fifo of ["o", "e"]) rmSync(join(log, fifo), { force: true });
    const place = placeOf(order);
    const limits = limitsOf(order, this.#options.capacity);
    const command = [...this.#bounded(limits.diskBytes), ...this.#rights(order, owner), ...this.#task(order, key, owner, run)];
    // Last of all that may be refused: a group that was made for nothing would stay.
    const groups = cgroups?.make(place, limits.group, allocLimitsOf(order)) ?? [];
    const prefix = layout.run(key, run);
    const logs = { log, logFileBytes: logLimits.fileBytes, logFiles: logLimits.files, out: logEnd(log, "out"), err: logEnd(log, "err") };
    const jailed = abilities.jail !== "none";
    const rest = { oomScore: OOM_SCORES[place.band], groups, jailed, filter: jailed ? abilities.filter : "", command, programs, ...logs };
    return spawnShim(prefix, shimArguments({ run: prefix, bootId: this.#bootId, ...rest }));
  }

  /** Without a jail and without users of their own, tasks can do all that the machine's owner can. */
  #refuseStrangers({ instance }: StartOrder): void {
    const { abilities, onlyUser } = this.#options;
    const [user = ""] = instance.split("/");
    if (onlyUser === undefined || user === onlyUser || abilities.user === "root" || abilities.jail !== "none") return;
    throw new Error(
      `This machine has no jail and runs tasks as its owner: it takes jobs of "${onlyUser}" only (install bubblewrap, or borg up --trust-all-users)`,
    );
  }

  #programs(): TinyPrograms {
    if (this.#tiny === undefined)
      throw new Error(`Cannot learn how a task ends on a machine whose processor is ${arch()}: it has to be x64 or arm64`);
    return this.#tiny;
  }

  #ownerOf(order: StartOrder): Owner {
    const { abilities, holdings } = this.#options;
    if (abilities.user !== "root") return undefined;
    if (abilities.setpriv.length === 0) throw new Error("Cannot give the task a user of its own: setpriv is missing (package util-linux)");
    return holdings.idOf(splitTask(taskOf(order.instance)).job);
  }

  /** What the kernel counts for a process or a user. A user of one's own plain account has other processes than tasks, so only root counts those. */
  #bounded(diskBytes: number): string[] {
    const { abilities, cgroups } = this.#options;
    if (abilities.prlimit === "") return [];
    const counted = abilities.user === "root" && cgroups === undefined ? [`--nproc=${TASK_PIDS_MAX}`] : [];
    return [abilities.prlimit, `--fsize=${diskBytes}`, ...counted];
  }

  /** Writes what the task sees and answers the words that become it. */
  #task(order: StartOrder, key: string, owner: Owner, run: number): string[] {
    const { layout, abilities } = this.#options;
    const directory = layout.task(key);
    makeDirectory(directory, 0o711);
    for (const part of layout.parts(key)) makeOwn(part, owner);
    const { files = [], command = [] } = order.task ?? {};
    const packages = this.#packagesOf(order);
    if (abilities.jail !== "none") writeNumbered(join(directory, "files"), files, owner);
    else if (files.length + packages.length > 0) writeUnder(join(directory, "root"), files, packages, owner);
    const image = this.#imageOf(order);
    const home = abilities.jail === "none" ? join(directory, "work") : JAIL.home;
    const more = this.#options.variables?.(order, run, home) ?? [];
    const { jail, script } = this.#inside(order, image, wholeCommand(image, command), owner, "launch", more);
    return jail.length === 0 ? script : [...jail, JAIL.witness, ...script];
  }

  #packagesOf({ task }: StartOrder): readonly JailFile[] {
    const beside = (task?.packages ?? []).filter(({ root }) => !root);
    return beside.map((ref) => ({ source: this.#options.treeOf(ref.version), path: packagePath(ref) }));
  }

  /** What is its root instead of the host's files. Throws, in words, where a task cannot have one. */
  #imageOf({ task }: StartOrder): Image | undefined {
    const ref = task?.packages.find(({ root }) => root);
    if (ref === undefined) return undefined;
    const { abilities, treeOf } = this.#options;
    const { helpers } = abilities;
    if (helpers === undefined)
      throw new Error(`This machine cannot give a task the root of image "${ref.name}": that needs bubblewrap (package bubblewrap)`);
    const image = taskImage(treeOf(ref.version), ref.name);
    const { architecture } = image.config;
    const own = ARCHITECTURES.get(arch()) ?? arch();
    if (architecture !== own) throw new Error(`Image "${ref.name}" is for ${architecture}, and this machine is ${own}`);
    return { ...image, helpers };
  }

  #secretsOf({ instance, task }: StartOrder): string {
    return hasSecrets(task) ? this.#options.secrets.directoryOf(keyOf(instance)) : "";
  }

  /** The words that run a command of the task's inside what was written for it: a script of this name, and the jail before it. */
  #inside(
    order: StartOrder,
    image: Image | undefined,
    command: readonly string[],
    owner: Owner,
    name: string,
    more: Variables = [],
  ): { readonly jail: string[]; readonly script: string[] } {
    const { layout, abilities, holdings, cell, nodeDirectory } = this.#options;
    const surrounded = (view: TaskSurroundings): Map<string, string> => new Map([...environmentOf(order, view, image?.config), ...more]);
    const directory = layout.task(keyOf(order.instance));
    const [home, temporary, launch] = ["work", "tmp", name].map((part) => join(directory, part)) as [string, string, string];
    const files = order.task?.files ?? [];
    const packages = this.#packagesOf(order);
    const shared = holdings.allocs.sharedOf(order.alloc || order.directory);
    const secrets = this.#secretsOf(order);
    const volumes = holdings.volumes.give(order);
    const isSharing = sharesFiles(order);
    const wanted = order.task?.directory ?? "";
    if (abilities.jail === "none") {
      const root = files.length + packages.length === 0 ? "" : join(directory, "root");
      const start = wanted === "" ? home : join(root, wanted);
      refuseUnheld(volumes);
      const given = { shared, secrets, volumes: new Map(volumes.map(({ name, source }) => [name, source])) };
      const view = { cell, mark: layout.mark, home, temporary, nodeDirectory, root, ...given };
      writeLaunch(launch, launchScript(command, surrounded(view), start, isSharing), owner);
      return { jail: [], script: ["/bin/sh", launch] };
    }
    const words = wordsFor(image);
    const start = wanted || image?.config.directory || JAIL.home;
    writeLaunch(launch, launchScript(command, surrounded(this.#jailed()), start, isSharing, words.env), owner);
    const { bubblewrap, closed, filter } = abilities;
    const given = { shared, secrets, files: numbered(join(directory, "files"), files), packages, volumes };
    const resolver = this.#resolver(directory);
    const place = { home, temporary, nodeDirectory, launch, witness: this.#programs().witness, resolver, ...given };
    const root = image === undefined ? undefined : { root: image.root, helpers: image.helpers.files };
    const shmBytes = shmBound(limitsOf(order, this.#options.capacity).ramBytes);
    const jail = jailArguments({ bubblewrap, ...place, shmBytes, image: root, closed, filtered: filter !== "" });
    return { jail, script: [...words.sh, JAIL.launch] };
  }

  /** Where the task's own resolv.conf is; empty: it has none. One that is as it should be stays the same file, because a running task has it bound. */
  #resolver(directory: string): string {
    const text = this.#options.resolver?.();
    if (text === undefined) return "";
    const path = join(directory, "resolv.conf");
    if (existsSync(path) && readFileSync(path, "utf8") === text) return path;
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode: 0o644, flag: "wx" });
    chmodSync(path, 0o644);
    return path;
  }

  /**
   * The words that run a command beside a task that lives: in a jail of the same making, with the same files, environment, user, rights and limits, counted in
   * its control groups. It sees the task's files and ports, but not its processes. `more`: variables that only this command has.
   */
  beside(order: StartOrder, command: readonly string[], name: string, more: Variables = [], image = this.#imageOf(order)): string[] {
    const owner = this.#ownerOf(order);
    const { jail, script } = this.#inside(order, image, command, owner, name, more);
    const words = [...this.#bounded(limitsOf(order, this.#options.capacity).diskBytes), ...this.#rights(order, owner), ...jail, ...script];
    return besideArguments({ ...this.#belongs(order, jail.length > 0), command: words });
  }

  /**
   * The words that run a command in a task's own jail, among its processes. `main` is the process that made the jail. Only root finds the way in; for others, and where
   * there is no jail, it runs beside the task. So it does where the root is an image: on the way in programs of that root would run before their rights are gone.
   * Without a command it is a shell. Throws, in words, where there is no way in just now.
   */
  inside(order: StartOrder, main: ProcessId | undefined, asked: readonly string[], name: string, more: Variables): string[] {
    const { abilities, layout } = this.#options;
    const image = this.#imageOf(order);
    const command = asked.length === 0 ? shellFor(image) : asked;
    const isBeside = abilities.jail === "none" || abilities.user !== "root" || abilities.nsenter === "" || image !== undefined;
    if (isBeside) return this.beside(order, command, name, more, image);
    const first = main === undefined ? undefined : [...readTable().values()].find(({ ppid }) => ppid === main.pid);
    if (first === undefined) throw new NoWayIn("its jail is only being made, or is gone: try again");
    const owner = this.#ownerOf(order);
    const { bubblewrap, filter } = abilities;
    const environment = environmentOf(order, this.#jailed());
    for (const [key, value] of more) environment.set(key, value);
    const script = join(layout.task(keyOf(order.instance)), name);
    writeLaunch(
      script,
      `${CLOSE_ENTERED}\n${launchScript(command, environment, order.task?.directory || JAIL.home, sharesFiles(order))}`,
      owner,
    );
    const filtered = filter === "" ? [] : ["--seccomp", String(FILTER_DESCRIPTOR)];
    const words = [
      ...[abilities.nsenter, ...ENTER_WORDS, "--"],
      ...[...this.#bounded(limitsOf(order, this.#options.capacity).diskBytes), ...this.#rights(order, owner)],
      ...[bubblewrap, "--userns", String(ENTERED.user), "--dev-bind", "/", "/", ...filtered, "--", "/bin/sh", ENTERED.script],
    ];
    return enterArguments({ ...this.#belongs(order, true), command: words }, first, script);
  }

  /** Of its alloc and its volumes it has the groups, through which tasks share files. */
  #rights(order: StartOrder, owner: Owner): string[] {
    return dropRights(this.#options.abilities, owner, this.#options.holdings.groupsOf(order));
  }

  /** What counts and ends a process of a task that is no run of its own. */
  #belongs(order: StartOrder, jailed: boolean): { readonly oomScore: number; readonly groups: readonly string[]; readonly filter: string } {
    const { abilities, cgroups } = this.#options;
    const place = placeOf(order);
    const groups = cgroups?.directories(place) ?? [];
    return { oomScore: OOM_SCORES[place.band], groups, filter: jailed ? abilities.filter : "" };
  }

  /** What a task in a jail sees. */
  #jailed(): TaskSurroundings {
    const { cell, layout } = this.#options;
    return {
      cell,
      mark: layout.mark,
      home: JAIL.home,
      temporary: JAIL.temporary,
      nodeDirectory: JAIL.node,
      shared: JAIL.alloc,
      secrets: JAIL.secrets,
      root: "",
    };
  }
}

/** What is a task's root instead of the host's files, with the programs that begin it there. */
type Image = TaskImage & { readonly helpers: Helpers };

/** The programs around the task, as they are called in its jail. */
const wordsFor = (image: Image | undefined): Helpers["words"] => image?.helpers.words ?? HOST_WORDS;

/** Of an image the entrypoint comes first, and its own arguments where the job has none. */
function wholeCommand(image: Image | undefined, command: readonly string[]): readonly string[] {
  if (image === undefined) return command;
  const { entrypoint, command: usual } = image.config;
  const whole = [...entrypoint, ...(command.length === 0 ? usual : command)];
  if (whole.length === 0) throw new Error("The image names no command to run: give the job one");
  return whole;
}

/** Where an image has none it is the one that begins tasks, alone: it has no other program to run than the image's. */
const shellFor = (image: Image | undefined): readonly string[] =>
  image === undefined || hasFile(image.root, USUAL[0]) ? USUAL : image.helpers.words.sh;

/** Not just now. */
export class NoWayIn extends Error {}

export type Variables = readonly (readonly [key: string, value: string])[];

/** What a spec may ask for and this borglet cannot give is refused, never passed over. */
function refuseWhatIsNotThere({ task }: StartOrder): void {
  const isImage = task?.packages.some(({ root }) => root) ?? false;
  if (task === undefined || (task.command.length === 0 && !isImage)) throw new Error("There is no command to run");
}

/** Without a jail nothing keeps a task from writing into a directory that it can reach. */
function refuseUnheld(volumes: readonly GivenVolume[]): void {
  const unheld = volumes.find(({ readOnly }) => readOnly);
  if (unheld !== undefined) throw new Error(`This machine has no jail: it cannot keep volume "${unheld.name}" read-only`);
}

/** What others find where it writes, they may change. */
const sharesFiles = ({ alloc, directory, task }: StartOrder): boolean =>
  alloc !== "" || directory !== "" || (task?.volumes.length ?? 0) > 0;

/** Another cell, or a program that no cell knows: the task would fail at it, or answer in somebody else's place. */
function refuseHeldPorts({ ports }: StartOrder): void {
  const held = heldPort(ports);
  if (held !== undefined) throw new Error(`Port ${held} of this machine is held by somebody else`);
}

/** Only the task's user can read it: some put into an environment what nobody should see. */
function writeLaunch(path: string, script: string, owner: Owner): void {
  rmSync(path, { force: true });
  writeFileSync(path, script, { mode: 0o400, flag: "wx" });
  if (owner !== undefined) chownSync(path, owner, owner);
  chmodSync(path, 0o400);
}

/** In a session of its own, without our descriptors, and not to be waited for when we end. */
function spawnShim(prefix: string, words: readonly string[]): ChildProcess {
  const complaints = openSync(`${prefix}.err`, "w", 0o600);
  try {
    const env = { ...SHIM_ENVIRONMENT };
    const child = spawn("/bin/sh", words, { cwd: "/", env, detached: true, stdio: ["ignore", "ignore", complaints] });
    child.unref();
    return child;
  } finally {
    closeSync(complaints);
  }
}
