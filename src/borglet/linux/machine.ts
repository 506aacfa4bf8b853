/**
 * Puts a borglet together: the actor, its real Env, the Linux machine under it and the link to its master. Ending this process leaves all
 * tasks running; the next borglet on the same directory takes them up.
 */
import { randomInt } from "node:crypto";
import { closeSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import type { KeyAndCertificate } from "../../rpc/certificates.ts";
import { HANGS_MS, type LinkAddress, LinkClient } from "../../rpc/link-client.ts";
import { ActorHost } from "../../shell/actor-host.ts";
import { lockDirectory } from "../../store/files/lock.ts";
import { FilesDisk } from "../../store/files.ts";
import { make } from "../../wire/codec.ts";
import { type MachineFacts, MachineFactsSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { BetweenBorglets, Framed, FromBorglet } from "../../wire/link-message.ts";
import { Borglet } from "../borglet.ts";
import { executorFor } from "../executor.ts";
import type { ExecutorMachine } from "../executor-machine.ts";
import { KeptFile } from "../kept-file.ts";
import type { BorgletHears } from "../message.ts";
import { type Abilities, type AbilityOptions, attributesOf, findAbilities } from "./abilities.ts";
import { areaOf, nodeDirectory } from "./area.ts";
import { Cgroups } from "./cgroup.ts";
import { openExecutors } from "./executors.ts";
import type { Capacity } from "./group-limits.ts";
import { LinuxMachine } from "./host.ts";
import { Layout, markOf } from "./layout.ts";
import { LOG_LIMITS, type LogLimits } from "./log-files.ts";
import { canJoin, OwnGroup } from "./own-group.ts";
import { openPeers } from "./peers.ts";
import { UID_RANGE, type UidRange, Uids } from "./uids.ts";
import type { OfferedVolume } from "./volumes.ts";

export interface BorgletProcessOptions {
  readonly machine: string;
  readonly cell: string;
  /** Private to this borglet; made when it is not there. */
  readonly directory: string;
  /** What its tasks and their directories are known by on this host, wherever its directory is; its path when absent. */
  readonly name?: string;
  readonly master: LinkAddress;
  /** Who takes the link of one that hangs. */
  readonly hasOtherMasters?: boolean;
  /** With which it proves to be this machine. */
  readonly identity: KeyAndCertificate;
  /** What this machine has: it may be a share of the host. */
  readonly capacity: Capacity;
  readonly ports: { readonly first: number; readonly last: number };
  /** Under which its ports are reached. */
  readonly host: string;
  readonly log: (line: string) => void;
  /** Called with what the actor threw, which is a bug of ours; must end the process. */
  readonly crash: (error: unknown) => void;
  /** Name of the control group that holds all tasks; made of the machine's name when absent. */
  readonly cgroupParent?: string;
  /** Not shared with another borglet of this host. */
  readonly uids?: UidRange;
  readonly logLimits?: Partial<LogLimits>;
  /** Where task directories are: a place that other users may pass through. */
  readonly area?: string;
  readonly abilities?: AbilityOptions;
  /** What people say of it. */
  readonly description?: MachineDescription;
  /** What tasks find as /etc/resolv.conf: the cell's names, and the machine's resolvers for the rest. Undefined: now there is nobody to ask. */
  readonly resolver?: () => string | undefined;
  /** Whose jobs alone may run where nothing keeps a task from this borglet's own user; everybody's when absent. */
  readonly onlyUser?: string;
  /** Who signs for the machines of the cell, as PEM. */
  readonly authorities: readonly string[];
}

/** What nobody can find out by trying. */
export type MachineDescription = Pick<MachineFacts, "rack" | "powerDomain" | "coreSpeedPermille"> & {
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
  readonly volumes?: readonly OfferedVolume[];
  /** Bytes a second that its tasks may read and write together. */
  readonly diskBandwidth?: number;
  /** Of its capacity, what no task is given. */
  readonly reserve?: Capacity;
  /** Counted, and nothing more: a task that was given one is let at no device by that. */
  readonly extras?: readonly { readonly name: string; readonly amount: number }[];
};

export interface BorgletHandle {
  readonly abilities: Abilities;
  /** From now on it is described so. */
  describe(description: MachineDescription): void;
  /** Stops the borglet; its tasks go on. */
  stop(): Promise<void>;
  /** Stops the borglet and ends all of its tasks: SIGTERM, and SIGKILL after `noticeMs`. Answers how many there were. */
  killAll(noticeMs?: number): Promise<number>;
}

const KILL_NOTICE_MS = 10_000;
const MASTER = "master";
const BORGLET = "borglet";

export async function runBorglet(given: BorgletProcessOptions): Promise<BorgletHandle> {
  // One object, which everybody holds who asks how much there is: another reserve counts for all of them at once.
  const capacity = { ...given.capacity, ...leftOf(given.capacity, given.description) };
  const options = { ...given, capacity };
  // A borglet that ends takes a whole machine from its cell; one question that went wrong does not.
  process.on("unhandledRejection", (reason) => options.log(`Went on after: ${reason instanceof Error ? reason.message : String(reason)}`));
  closeForeignDescriptors();
  const base = await open(options);
  const { abilities, machine, kept, close } = base;
  const peers = await openPeers(options, (from, frame) => hear(from, { type: "frame", frame }));
  const host = new ActorHost({
    route: (_from, to, message) => {
      const { frame } = message as Framed<FromBorglet | BetweenBorglets>;
      if (frame.case === "peerRequest" || frame.case === "packageChunk") peers.send(to, frame);
      else link.send(frame);
    },
    log: options.log,
    crash: options.crash,
  });
  const hear = (from: string, message: BorgletHears): void => host.deliver(from, BORGLET, message);
  base.onMachine = (message) => hear("machine", message);
  const link = new LinkClient({
    at: options.master,
    identity: options.identity,
    machine: options.machine,
    onOpen: (_cell, approved) => {
      if (approved !== undefined && isLess(approved, options.capacity)) options.log(lessWords(options.machine, approved, options.capacity));
      hear(MASTER, { type: "connected" });
    },
    onFrame: (frame) => {
      if (frame.case === "packageSource") peers.learn(frame.value);
      hear(MASTER, { type: "frame", frame });
    },
    onClose: (reason) => options.log(`Link closed: ${reason}`),
    log: options.log,
    times: options.hasOtherMasters === true ? { silentMs: HANGS_MS } : {},
  });
  const facts = factsOf(options, base);
  const rest = { name: options.machine, facts, masters: [MASTER], machine: base.executors, memory: kept.memory, peerPort: peers.port };
  host.add<BorgletHears, Framed<FromBorglet | BetweenBorglets>>(
    BORGLET,
    (env) => new Borglet(env, { ...rest, ramEnforced: abilities.cgroups !== undefined }),
  );
  host.start();
  machine.begin();
  const end = async (allEnded: boolean): Promise<void> => {
    host.stop();
    link.close();
    peers.close();
    await close(allEnded);
  };
  const killAll = async (noticeMs = KILL_NOTICE_MS): Promise<number> => {
    host.stop();
    const count = await machine.endAll(noticeMs);
    await end(true);
    return count;
  };
  const describe = (description: MachineDescription): void => {
    Object.assign(capacity, leftOf(given.capacity, description));
    base.holdTogether();
    hear("machine", { type: "described", facts: factsOf({ ...options, description }, base) });
  };
  return { abilities, describe, stop: () => end(false), killAll };
}

/** What tasks may have of a machine. */
const leftOf = (all: Capacity, { reserve }: Partial<MachineDescription> = {}): Capacity => ({
  cpuMilli: Math.max(0, all.cpuMilli - (reserve?.cpuMilli ?? 0)),
  ramBytes: Math.max(0, all.ramBytes - (reserve?.ramBytes ?? 0)),
  diskBytes: Math.max(0, all.diskBytes - (reserve?.diskBytes ?? 0)),
});

const isLess = (approved: Resources, { cpuMilli, ramBytes, diskBytes }: Capacity): boolean =>
  approved.cpuMilli < cpuMilli || approved.ramBytes < ramBytes || approved.diskBytes < diskBytes;

function lessWords(machine: string, approved: Resources, has: Capacity): string {
  const size = ({ cpuMilli, ramBytes, diskBytes }: Capacity): string =>
    `--cpu ${cpuMilli / 1000} --ram ${Math.floor(ramBytes / 2 ** 20)}MiB --disk ${Math.floor(diskBytes / 2 ** 20)}MiB`;
  return `The cell approved ${size(approved)} of this machine, and no more counts: an admin approves all of it with borg machine approve ${machine} ${size(has)}`;
}

/** Ends the tasks that an earlier borglet left on a directory, when none runs there now. Answers how many there were. */
export async function endTasks(options: BorgletProcessOptions, noticeMs = KILL_NOTICE_MS): Promise<number> {
  const { machine, kept, close } = await open(options);
  machine.adopt([...kept.memory.instances.values()].filter(({ order }) => executorFor(order) === ""));
  const count = await machine.endAll(noticeMs);
  await close(true);
  return count;
}

interface Base {
  readonly abilities: Abilities;
  readonly machine: LinuxMachine;
  /** As the borglet sees it. */
  readonly executors: ExecutorMachine;
  readonly kept: KeptFile;
  /** The kernel can hold tasks to bytes a second of the disk that they write to. */
  readonly limitsDisk: boolean;
  /** The kernel holds all tasks together to what there is for them now. */
  readonly holdTogether: () => void;
  /** Ends what this process has open; tasks go on. */
  readonly close: (allEnded: boolean) => Promise<void>;
  onMachine: (message: BorgletHears) => void;
}

async function open(options: BorgletProcessOptions): Promise<Base> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const directory = realpathSync(options.directory);
  const lock = lockDirectory(directory, "machine");
  try {
    const abilities = findAbilities(options.abilities);
    const isRoot = abilities.user === "root";
    const mark = markOf(options.name ?? directory);
    const layout = new Layout(directory, options.area ?? areaOf(directory, mark, isRoot), mark);
    const disk = new FilesDisk(layout.directory);
    const kept = new KeptFile(disk, { salt: randomInt(2 ** 32) });
    const cgroups = abilities.cgroups && new Cgroups(abilities.cgroups, groupParent(options), layout.area);
    cgroups?.prepare(options.capacity);
    const own = joinOwnGroup(options, abilities);
    const executors = await openExecutors({
      name: options.machine,
      directory: layout.executors,
      memory: kept.memory,
      log: options.log,
      deliver: (message) => base.onMachine(message),
    });
    const base: Base = {
      abilities,
      kept,
      limitsDisk: cgroups?.limitsDisk ?? false,
      holdTogether: () => cgroups?.holdTogether(options.capacity),
      executors: executors.machine,
      close: async (allEnded) => {
        executors.close();
        await own?.leave(allEnded);
        base.machine.close();
        disk.close();
        lock.release();
      },
      onMachine: () => {},
      machine: new LinuxMachine({
        layout,
        kept,
        abilities,
        cgroups,
        cell: options.cell,
        capacity: options.capacity,
        onlyUser: options.onlyUser,
        ...(isRoot && options.resolver !== undefined ? { resolver: options.resolver } : {}),
        uids: new Uids(layout.uids, options.uids ?? UID_RANGE),
        logLimits: { ...LOG_LIMITS, ...options.logLimits },
        nodeDirectory: nodeDirectory(layout.area, isRoot),
        healthHost: options.host,
        deliver: (message) => executors.machine.heard(message),
        log: options.log,
        variables: executors.variables,
      }),
    };
    executors.machine.over(base.machine);
    return base;
  } catch (error) {
    lock.release();
    throw error;
  }
}

const groupParent = ({ cgroupParent, machine }: BorgletProcessOptions): string => cgroupParent ?? `openborg-${machine}`;

function joinOwnGroup(options: BorgletProcessOptions, { cgroups }: Abilities): OwnGroup | undefined {
  return cgroups !== undefined && canJoin(cgroups, options.capacity.cpuMilli) ? new OwnGroup(cgroups, groupParent(options)) : undefined;
}

/** Where its volumes are nobody is told. */
function factsOf(options: BorgletProcessOptions, { abilities, machine, limitsDisk }: Base): MachineFacts {
  const { capacity, ports, host, description } = options;
  const diskBandwidth = description?.diskBandwidth ?? 0;
  const held = diskBandwidth === 0 ? [] : [{ key: "disk_bandwidth", value: limitsDisk ? "limited" : "counted" }];
  const volumes = machine.offer(description?.volumes ?? []).map(({ user, name }) => ({ user, name }));
  return make(MachineFactsSchema, {
    ...description,
    capacity: { ...capacity, diskBandwidth, extras: [...(description?.extras ?? [])] },
    attributes: [...attributesOf(abilities, hasNames(options, abilities)), ...held, ...(description?.attributes ?? [])],
    volumes,
    portFirst: ports.first,
    portLast: ports.last,
    host,
  });
}

/** Whether tasks find the cell's names as they find any other: only in a jail can they have another resolv.conf than their machine. */
const hasNames = ({ resolver }: BorgletProcessOptions, { jail, user }: Abilities): boolean =>
  jail !== "none" && user === "root" && resolver?.() !== undefined;

/** Node opens everything so that children do not get it, but whoever started us may have left something open, and shims must not get that. */
function closeForeignDescriptors(): void {
  const CLOSED_ON_EXEC = 0o2000000;
  for (const name of readdirSync("/proc/self/fdinfo")) {
    const fd = Number(name);
    if (fd <= 2) continue;
    try {
      const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
      if (flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0) closeSync(fd);
    } catch {
      // It was the descriptor of the listing itself.
    }
  }
}
