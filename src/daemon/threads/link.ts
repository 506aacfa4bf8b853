/**
 * The link thread of a master: sockets of borglets on one side, the link shard's actor on the other. It also passes what the API asks of borglets
 * (relay.ts), and usage. That a borglet speaks for its own machine only is checked by the link server.
 */
import { workerData } from "node:worker_threads";
import type { BorgletAsk, CountAnswer, TellExecutor } from "../../borgmaster/api/message.ts";
import { DEFAULT_LINK, DEFAULT_MASTER } from "../../borgmaster/defaults.ts";
import type { PieceAnswer, PieceAsk } from "../../borgmaster/link/package-requests.ts";
import { shardOf } from "../../borgmaster/link/partition.ts";
import { LinkShard } from "../../borgmaster/link.ts";
import type { Disconnected, FromLink, Introduced, ShardTold } from "../../borgmaster/message.ts";
import { Packer, unpack } from "../../borgmaster/packing.ts";
import { VERSION_MAX } from "../../cell/version.ts";
import { type KeyAndCertificate, x509 } from "../../rpc/certificates.ts";
import { FrontDoor } from "../../rpc/front-door.ts";
import { type JoinAnswer, type LinkHandle, type LinkListener, LinkServer, type LinkShare } from "../../rpc/link-server.ts";
import { ShardLines } from "../../rpc/shard-lines.ts";
import { ActorHost } from "../../shell/actor-host.ts";
import { openThread, type ThreadSide } from "../../shell/thread-side.ts";
import { make } from "../../wire/codec.ts";
import { ExecutorMessageSchema, type LinkJoin } from "../../wire/gen/borg/v1/link_pb.ts";
import type { Framed, FromBorglet, ToBorglet } from "../../wire/link-message.ts";
import { authorityId } from "../authority-change.ts";
import { PackageStore } from "../package-store.ts";
import { inThreadTime, type LeaseLetter } from "../process-time.ts";
import type { LeaderLetter } from "../replica-seat.ts";
import { API, LINK, MASTER, PACKAGES } from "./addresses.ts";
import { Crossing, isShard, type LinksThere, masterOf, replicaAt } from "./crossing.ts";
import { Joins } from "./joins.ts";
import { patienceMs } from "./patience.ts";
import { PollTimes } from "./poll-times.ts";
import { isSaid, Relay } from "./relay.ts";

export interface LinkThreadData {
  readonly listeners: readonly LinkListener[];
  readonly cell: string;
  /** Who signs for the cell's machines. */
  readonly authorities: readonly string[];
  /** With which it signs for those that were approved. */
  readonly authority: KeyAndCertificate;
  /** Where packages are kept. */
  readonly packages: string;
  /** Which of several replicas it is, and where the link threads of all of them listen for each other; undefined: it is alone. */
  readonly lines: { readonly replica: string; readonly sockets: ReadonlyMap<string, string> } | undefined;
}

const BORGLET = "borglet/";
/** A machine has kept the certificate that it was sent. */
const KEPT_MS = 2000;
/** A shard that hears from nobody who leads for so long is cut off: its machines must go where they are reached from. */
const CUT_OFF_MS = 10_000;
/** How often is looked at who has which machines. */
const SHARE_LOOK_MS = 100;
/** Another replica's word on its links counts for so long. */
const COUNT_MS = 2500;
/** A borglet that dials while nobody leads waits so long, and then dials again. */
const PARK_MS = 4000;

function unready(): never {
  throw new Error("This replica's lines are not open yet");
}

const data = workerData as LinkThreadData;
// Later this process may not read it any more.
await x509();

class LinkThread {
  readonly #side: ThreadSide;
  readonly #links = new Map<string, LinkHandle>();
  readonly #packer = new Packer();
  readonly #packages = new PackageStore(data.packages);
  readonly #host: ActorHost;
  readonly #joins: Joins;
  readonly #relay: Relay;
  readonly #frontDoor = data.lines === undefined ? undefined : new FrontDoor({ parkMs: PARK_MS, late: "hang-up" });
  readonly #pollTimes = new PollTimes();
  readonly #crossing: Crossing;
  #shard!: LinkShard;
  #server: LinkServer | undefined;
  #lines: ShardLines | undefined;
  #shareTimer: NodeJS.Timeout | undefined;
  /** Who shares the machines, as it was last acted on. */
  #shared = "";
  #leader: LeaderLetter["leader"];
  #polls = 0;

  constructor(side: ThreadSide) {
    this.#side = side;
    this.#relay = new Relay(
      (machine) => this.#links.get(machine),
      (answer, bytes) => {
        if (!this.#crossing.answer(answer)) side.send(LINK, API, answer, bytes);
      },
    );
    this.#crossing = new Crossing({
      send: (replica, body) => this.#lines?.send(replica, body) ?? false,
      toMaster: (from, message) => this.#toMaster(from, message),
      toShard: (from, message) => this.#host.deliver(from, LINK, message),
      toApi: (message) => side.send(LINK, API, message, 0),
      ask: (asked) => this.#relay.ask(asked),
      toExecutor: ({ machine, instance, data }) => this.#executorHere({ machine, instance, data }),
      join: (ask, address) => this.#joins.join(ask, address),
      read: (ask) => this.#pieceHere(ask),
      redial: (machine) => this.#dialsAgain(machine),
      counts: () => ({ ...this.#linksHere(), cut: this.#lines?.cut ?? [] }),
    });
    this.#host = new ActorHost({
      route: (from, to, message) => this.#route(from, to, message as object),
      log: (line) => side.log(line),
      crash: (error) => side.fail(`The link shard failed: ${error instanceof Error ? error.stack : String(error)}`),
    });
    this.#joins = new Joins({
      cell: data.cell,
      authority: data.authority,
      authorities: data.authorities,
      send: (to, message) => this.#route(LINK, to, message),
      now: Date.now,
      onSigned: (machine) => this.#signed(machine),
    });
    this.#host.add(LINK, (env) => {
      const { lines } = data;
      const others = [...(lines?.sockets.keys() ?? [])].filter((replica) => replica !== lines?.replica);
      const place = lines && { replica: lines.replica, masters: [MASTER, ...others.map(masterOf)], versionMax: VERSION_MAX };
      const { settleMs } = DEFAULT_MASTER;
      this.#shard = new LinkShard(env, { master: MASTER, packages: PACKAGES, secrets: API, options: DEFAULT_LINK, settleMs, place });
      return this.#shard;
    });
  }

  async listen(): Promise<LinkServer> {
    this.#host.start();
    const { listeners, cell, authorities, lines } = data;
    const share: LinkShare | undefined = lines && {
      self: lines.replica,
      shardOf: (machine) => this.#shardOf(machine),
      pass: async (replica, link) => (this.#lines ?? unready()).pass(replica, link),
    };
    const server = await LinkServer.listen({
      listeners,
      cell,
      authorities,
      share,
      door: {
        admit: (machine, key) => this.#joins.admit(machine, key),
        join: (ask, address) => this.#join(ask, address),
      },
      frontDoor: this.#frontDoor,
      onOpen: (link) => this.#onOpen(link),
      onFrame: (link, frame) => this.#onFrame(link, frame),
      onClose: (link) => this.#onClose(link),
      log: (line) => this.#side.log(line),
    });
    this.#server = server;
    if (lines !== undefined) await this.#openLines(server, lines);
    return server;
  }

  async #openLines(server: LinkServer, { replica, sockets }: NonNullable<LinkThreadData["lines"]>): Promise<void> {
    this.#lines = await ShardLines.open({
      replica,
      path: sockets.get(replica) as string,
      others: new Map([...sockets].filter(([each]) => each !== replica)),
      onSaid: (from, said) => this.#crossing.hear(from, said),
      onPassed: (socket, link) => server.take(socket, link),
    });
    this.#shareTimer = setInterval(() => this.#look(), SHARE_LOOK_MS);
  }

  hear(from: string, to: string, body: Readonly<Record<string, unknown>>): void {
    if (this.#joins.hear(body)) return;
    if (isShard(to)) return this.#crossing.tell(replicaAt(to) as string, body as unknown as ShardTold);
    if (body["type"] === "leader") return this.#leads((body as unknown as LeaderLetter).leader);
    if (body["type"] === "list-joins") this.#side.send(LINK, from, this.#joins.list(String(body["id"])));
    else if (body["type"] === "deny-join")
      this.#side.send(LINK, from, this.#joins.deny(String(body["id"]), String(body["machine"]), String(body["key"])));
    else if (body["type"] === "ask-borglet") this.#ask(body as unknown as BorgletAsk);
    else if (body["type"] === "tell-executor") this.#tellExecutor(body as unknown as TellExecutor);
    else if (body["type"] === "count-links") this.#side.send(LINK, from, this.#counted(String(body["id"])));
    else if (body["type"] === "lease") this.#host.deliver(from, LINK, inThreadTime(body as unknown as LeaseLetter));
    else this.#host.deliver(from, LINK, unpack(body));
  }

  /** While machines are shared out every replica takes links, and leads them on one by one. */
  #leads(leader: LeaderLetter["leader"]): void {
    this.#leader = leader;
    this.#frontDoor?.leads(this.#shard.partition === undefined ? leader : "self");
  }

  /** Links follow their machines. */
  #look(): void {
    const { partition } = this.#shard;
    const shared = partition === undefined ? "" : `${partition.term} ${partition.epoch} ${this.#isCutOff}`;
    if (shared === this.#shared) return;
    this.#shared = shared;
    this.#leads(this.#leader);
    this.#server?.reconsider();
  }

  get #isCutOff(): boolean {
    return this.#shard.silentMs > CUT_OFF_MS;
  }

  /** Undefined: nobody. One that is cut off sends machines away, so that they dial where somebody leads. */
  #shardOf(machine: string): string | undefined {
    const { partition } = this.#shard;
    if (partition === undefined) return data.lines?.replica;
    return this.#isCutOff ? undefined : shardOf(machine, partition.shards)?.replica;
  }

  /** Whose shard has that machine, if it is not this one's. */
  #elsewhere(machine: string): string | undefined {
    const replica = data.lines === undefined || this.#links.has(machine) ? undefined : this.#shardOf(machine);
    return replica === data.lines?.replica ? undefined : replica;
  }

  #ask(asked: BorgletAsk): void {
    const replica = this.#elsewhere(asked.machine);
    if (replica === undefined) this.#relay.ask(asked);
    else this.#crossing.askThere(replica, asked);
  }

  /** Who waits for an approval is known where the cell is led. */
  #join(ask: LinkJoin, address: string): Promise<JoinAnswer> {
    const leader = replicaAt(this.#shard.leader);
    return leader === undefined ? this.#joins.join(ask, address) : this.#crossing.joinThere(leader, ask, address);
  }

  #signed(machine: string): void {
    const replica = this.#elsewhere(machine);
    if (replica === undefined) this.#dialsAgain(machine);
    else this.#lines?.send(replica, { case: "redial", value: { machine } });
  }

  #linksHere(): LinksThere {
    const linksFormer = [...this.#links.values()].filter(({ isFormer }) => isFormer).length;
    return { links: this.#links.size, linksFormer, authority: authorityId(data.authorities[0]!) };
  }

  /** Also at the others'. Of one that says nothing, or believes another authority, no link counts as one of the newest. */
  #formerElsewhere(): number {
    const { authority } = this.#linksHere();
    const others = (this.#shard.partition?.shards ?? []).filter(({ replica }) => replica !== data.lines?.replica);
    return others.reduce((sum, { replica }) => {
      const there = this.#crossing.linksOf(replica, COUNT_MS);
      return sum + (there === undefined ? 1 : there.authority === authority ? there.linksFormer : there.links);
    }, 0);
  }

  /** Its link was opened with a certificate of the old authority: with the new one it shows that it believes the new authority. */
  #dialsAgain(machine: string): void {
    setTimeout(() => {
      const link = this.#links.get(machine);
      if (link?.isFormer === true) link.close("The cell has a new authority: dial again");
    }, KEPT_MS).unref();
  }

  #counted(id: string): CountAnswer {
    const { links, linksFormer, authority } = this.#linksHere();
    return {
      type: "links",
      id,
      links,
      linksFormer: linksFormer + this.#formerElsewhere(),
      authority,
      polls: this.#polls,
      ...this.#pollTimes.pace(performance.now()),
    };
  }

  stop(): void {
    clearInterval(this.#shareTimer);
    this.#lines?.close();
    this.#frontDoor?.close();
    this.#host.stop();
  }

  #route(from: string, to: string, message: object): void {
    if (to === PACKAGES) return void this.#readPackage(message as PieceAsk);
    if (to.startsWith(BORGLET)) {
      const link = this.#links.get(to.slice(BORGLET.length));
      const { frame } = message as Framed<ToBorglet>;
      this.#polls += 1;
      if (link !== undefined && frame.case === "poll") this.#pollTimes.polled(link.machine, performance.now());
      link?.send(frame);
      return;
    }
    const replica = replicaAt(to);
    if (replica !== undefined) return this.#crossing.tell(replica, message as FromLink);
    if (to === MASTER) return this.#toMaster(from, this.#withCut(message as FromLink));
    const { body, bytes } = this.#packer.pack(message);
    this.#side.send(from, to, body, bytes, patienceMs(to, message));
  }

  /** Its own master hears of lines that are broken as the others do by the crossing. */
  #withCut(message: FromLink): FromLink {
    return message.type === "shard-ask" ? { ...message, cut: this.#lines?.cut ?? [] } : message;
  }

  /** What tasks use is for the pages of the one that leads, too. */
  #toMaster(from: string, message: FromLink): void {
    const { body, bytes } = this.#packer.pack(message);
    const patience = patienceMs(MASTER, message);
    this.#side.send(from, MASTER, body, bytes, patience);
    if (message.type === "usage") this.#side.send(from, API, body, bytes, patience);
  }

  /** What was pushed a moment ago may be at the replica that leads, and not on this machine yet. */
  async #readPackage(ask: PieceAsk): Promise<void> {
    const here = await this.#pieceHere(ask);
    const leader = here.type === "package-piece" ? undefined : replicaAt(this.#shard.leader);
    const there = leader === undefined ? undefined : await this.#crossing.readThere(leader, ask);
    this.#host.deliver(PACKAGES, LINK, there ?? here);
  }

  async #pieceHere({ id, digest, offset, bytesMax }: PieceAsk): Promise<PieceAnswer> {
    try {
      const found = await this.#packages.read(digest, offset, bytesMax);
      if (found !== undefined) return { type: "package-piece", id, ...found };
      return { type: "package-missing", id, reason: `The master has no bytes of package ${digest.slice(0, 12)}: push it again` };
    } catch (error) {
      const reason = `The master cannot read it: ${error instanceof Error ? error.message : String(error)}`;
      return { type: "package-missing", id, reason };
    }
  }

  #onOpen(link: LinkHandle): void {
    this.#links.set(link.machine, link);
    this.#tell(link.machine, { type: "introduced", machine: link.machine, key: link.key });
  }

  #onFrame(link: LinkHandle, frame: FromBorglet): void {
    if (isSaid(frame)) this.#relay.hear(link.machine, frame);
    else if (frame.case === "executorMessage") {
      const { machine, instance, data } = frame.value;
      const leader = replicaAt(this.#shard.leader);
      if (leader !== undefined) this.#lines?.send(leader, { case: "ofExecutor", value: { machine, instance, data } });
      else this.#side.send(LINK, API, { type: "executor-said", machine, instance, data }, data.length);
    } else if (frame.case === "hello" && link.key !== "") void this.#hello(link, frame);
    else this.#tell(link.machine, { type: "frame", frame });
  }

  /** A machine that is not linked hears nothing: messages may be lost. */
  #tellExecutor({ machine, instance, data }: TellExecutor): void {
    const replica = this.#elsewhere(machine);
    if (replica === undefined) this.#executorHere({ machine, instance, data });
    else this.#lines?.send(replica, { case: "toExecutor", value: { machine, instance, data } });
  }

  #executorHere({ machine, instance, data }: Omit<TellExecutor, "type">): void {
    this.#links.get(machine)?.send({ case: "executorMessage", value: make(ExecutorMessageSchema, { machine, instance, data }) });
  }

  /** It is said while nobody polls: a machine from elsewhere may have been removed since its link was opened. */
  async #hello(link: LinkHandle, frame: FromBorglet): Promise<void> {
    const admission = await this.#joins.admit(link.machine, link.key);
    if (!admission.ok) link.close(admission.reason);
    else if (this.#links.get(link.machine) === link) this.#tell(link.machine, { type: "frame", frame });
  }

  /** The actor hears it in the borglet's name. */
  #tell(machine: string, message: Framed<FromBorglet> | Introduced | Disconnected): void {
    this.#host.deliver(`${BORGLET}${machine}`, LINK, message);
  }

  #onClose(link: LinkHandle): void {
    if (this.#links.get(link.machine) === link) {
      this.#links.delete(link.machine);
      this.#pollTimes.gone(link.machine);
      this.#tell(link.machine, { type: "disconnected", machine: link.machine });
    }
    this.#relay.closed(link.machine);
  }
}

openThread((side) => {
  const thread = new LinkThread(side);
  let server: LinkServer | undefined;
  thread.listen().then(
    (listening) => {
      server = listening;
      side.ready();
    },
    (error: unknown) => side.fail(error instanceof Error ? error.message : String(error), 1),
  );
  return {
    onLetter: ({ from, to, body }) => thread.hear(from, to, body as Readonly<Record<string, unknown>>),
    onStop: async () => {
      thread.stop();
      await server?.close();
    },
  };
});
