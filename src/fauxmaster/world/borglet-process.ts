/** The real borglet on a simulated machine: the very actor of production, its memory on the machine's disk, put together as one process. */
import { type Actor, type Address, DiskError, type Env } from "../../base/env.ts";
import { Borglet } from "../../borglet/borglet.ts";
import { KeptFile } from "../../borglet/kept-file.ts";
import type { BorgletMachine } from "../../borglet/machine.ts";
import type { BorgletHears } from "../../borglet/message.ts";
import { make } from "../../wire/codec.ts";
import { type PeerRequest, PeerRequestSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import { type BetweenBorglets, type Framed, type FromBorglet, peerAddress } from "../../wire/link-message.ts";
import type { Obedience } from "../judge/obedience.ts";
import { ExecutorDesk } from "./executor-desk.ts";
import { SimulatedHost } from "./host.ts";
import type { Kernel } from "./kernel.ts";
import type { Links } from "./links.ts";
import type { Network } from "./network.ts";
import { SHELF } from "./package-shelf.ts";
import { type Birth, Process } from "./process.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";

/** Small, so that a run of some minutes writes its file anew now and then. */
const REWRITE_BYTES = 16 * 1024;

export interface BorgletProcessOptions {
  readonly kernel: Kernel;
  readonly network: Network;
  readonly machine: SimulatedMachine;
  /** Where hello is said. */
  readonly masters: readonly Address[];
  readonly links: Links;
  readonly watch: Obedience;
  /** Else the borglet ends tasks that are clearly above their memory limit. */
  readonly ramEnforced: boolean;
  /** It gives packages to other machines. */
  readonly gives: boolean;
  readonly isBad: () => boolean;
}

/** Of the requests to other machines, how many have a second one beside them that should be refused. */
const OVERREACH = 0.1;
/** Nobody looks at it here: borglets find each other by name. */
const PEER_PORT = 1;

export const borgletOf = peerAddress;

export function borgletProcess(options: BorgletProcessOptions): Process {
  const { kernel, network, machine } = options;
  let host: SimulatedHost | undefined;
  let desk: ExecutorDesk | undefined;
  const factory = (birth: Birth) => {
    const name = borgletOf(machine.name);
    const kept = new KeptFile(machine.disk.disk, {
      salt: kernel.streams.of(`salt/${machine.name}`).uint32(),
      rewriteBytes: REWRITE_BYTES,
    });
    if (kept.cut) kernel.probes.add("a torn batch of a borglet was dropped");
    options.watch.born(machine, kept.memory);
    host = new SimulatedHost({
      kernel,
      machine,
      kept,
      isBad: options.isBad,
      deliver: (message) => birth.deliver(name, "machine", message),
      begins: (order, run) => desk?.admit(order, run),
    });
    options.links.borgletUp(name, (master) => birth.deliver(name, master, { type: "connected" }));
    const env = watchedEnv(birth.envFor(name), options);
    desk = new ExecutorDesk({ kernel, machine, kept, env, host, enter: (from, message) => birth.deliver(name, from, message) });
    const { facts } = machine;
    const borglet = new Borglet(env, {
      name: machine.name,
      facts,
      masters: options.masters,
      machine: watchedMachine(desk.machine, options),
      memory: kept.memory,
      ramEnforced: options.ramEnforced,
      peerPort: options.gives ? PEER_PORT : 0,
    });
    return new Map([[name, desk.over(watchedActor(borglet, options))]]);
  };
  return new Process(kernel, network, {
    name: borgletOf(machine.name),
    factory,
    onDeath: () => {
      host?.close();
      desk?.close();
      options.links.borgletDown(borgletOf(machine.name));
    },
    mayFail: (error) => error instanceof DiskError,
  });
}

function watchedActor(borglet: Borglet, { watch, machine }: BorgletProcessOptions): Actor<BorgletHears> {
  return {
    start: () => borglet.start(),
    onTimer: (tag) => borglet.onTimer(tag),
    onMessage: (from, message) => {
      if (message.type === "frame" && message.frame.case === "poll") watch.heard(machine, message.frame.value);
      if (message.type === "frame" && message.frame.case === "packageGrant") watch.granted(machine, message.frame.value);
      if (message.type === "frame" && message.frame.case === "peerRequest") watch.asked(machine, from, message.frame.value);
      borglet.onMessage(from, message);
    },
  };
}

/** Some machines ask for more than they were told to, or with a voucher that they made up. */
function overreach(
  env: Env<unknown>,
  { kernel, machine, isBad }: BorgletProcessOptions,
  to: Address,
  { voucher, digest }: PeerRequest,
): void {
  const random = kernel.streams.of(`overreach/${machine.name}`);
  const other = random.pick(SHELF).digest;
  if (!isBad() || other === digest || random.float() >= OVERREACH) return;
  const ask = { voucher: random.float() < 0.5 ? "made up" : voucher, digest: other };
  env.send(to, { type: "frame", frame: { case: "peerRequest", value: make(PeerRequestSchema, { ...ask, bytesMax: 1 }) } });
}

function watchedEnv(env: Env<unknown>, options: BorgletProcessOptions): Env<Framed<FromBorglet | BetweenBorglets>> {
  const { watch, machine } = options;
  return {
    now: () => env.now(),
    wall: () => env.wall(),
    random: () => env.random(),
    id: () => env.id(),
    timer: (afterMs, tag) => env.timer(afterMs, tag),
    cancel: (timer) => env.cancel(timer),
    log: (line) => env.log(line),
    send: (to, message) => {
      if (message.frame.case === "report") watch.said(machine, message.frame.value);
      if (message.frame.case === "packageChunk") watch.gave(machine, to, message.frame.value);
      if (message.frame.case === "peerRequest") overreach(env, options, to, message.frame.value);
      env.send(to, message);
    },
  };
}

function watchedMachine(host: BorgletMachine, { watch, machine }: BorgletProcessOptions): BorgletMachine {
  return {
    save: (records) => {
      const done = host.save(records);
      watch.saved(machine, records, done);
      return done;
    },
    adopt: (kept) => host.adopt(kept),
    start: (order, run, secrets) => {
      watch.started(machine, order, run, secrets ?? []);
      host.start(order, run, secrets);
    },
    adjust: (order) => {
      watch.adjusted(machine, order);
      host.adjust(order);
    },
    terminate: (instance) => {
      watch.terminated(machine, instance);
      host.terminate(instance);
    },
    kill: (instance) => {
      watch.signalled(machine, instance);
      host.kill(instance);
    },
    forget: (instance) => {
      watch.forgot(machine, instance);
      host.forget(instance);
    },
    packages: {
      list: () => host.packages.list(),
      part: (digest) => host.packages.part(digest),
      write: (digest, offset, data) => host.packages.write(digest, offset, data),
      unpack: (digest, name) => host.packages.unpack(digest, name),
      read: (digest, offset, bytesMax) => host.packages.read(digest, offset, bytesMax),
      dropPacked: (digest) => host.packages.dropPacked(digest),
      drop: (digest) => {
        watch.dropped(machine, digest);
        host.packages.drop(digest);
      },
    },
    allocs: () => host.allocs(),
    dropAlloc: (alloc) => {
      watch.allocDropped(machine, alloc);
      host.dropAlloc(alloc);
    },
    readLog: (place) => host.readLog(place),
    readFile: (range) => host.readFile(range),
    shell: (order, to, request) => host.shell(order, to, request),
    check: (order, run, about, question) => host.check(order, run, about, question),
    message: (executor, data) => host.message?.(executor, data),
  };
}
