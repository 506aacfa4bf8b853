/**
 * The link thread of a master: sockets of borglets on one side, the link shard's actor on the other. It also passes what the API asks of borglets
 * (relay.ts), and usage. That a borglet speaks for its own machine only is checked by the link server.
 */
import { workerData } from "node:worker_threads";
import type { BorgletAsk, CountAnswer, TellExecutor } from "../../borgmaster/api/message.ts";
import { DEFAULT_LINK, DEFAULT_MASTER } from "../../borgmaster/defaults.ts";
import type { PieceAnswer, PieceAsk } from "../../borgmaster/link/package-requests.ts";
import { LinkShard } from "../../borgmaster/link.ts";
import type { Disconnected, Introduced } from "../../borgmaster/message.ts";
import { Packer, unpack } from "../../borgmaster/packing.ts";
import { type KeyAndCertificate, x509 } from "../../rpc/certificates.ts";
import { FrontDoor } from "../../rpc/front-door.ts";
import { type LinkHandle, type LinkListener, LinkServer } from "../../rpc/link-server.ts";
import { ActorHost } from "../../shell/actor-host.ts";
import { openThread, type ThreadSide } from "../../shell/thread-side.ts";
import { make } from "../../wire/codec.ts";
import { ExecutorMessageSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import type { Framed, FromBorglet, ToBorglet } from "../../wire/link-message.ts";
import { authorityId } from "../authority-change.ts";
import { PackageStore } from "../package-store.ts";
import { inThreadTime, type LeaseLetter } from "../process-time.ts";
import type { LeaderLetter } from "../replica-seat.ts";
import { API, LINK, MASTER, PACKAGES } from "./addresses.ts";
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
  /** It is one of several. */
  readonly isReplica: boolean;
}

const BORGLET = "borglet/";
/** A machine has kept the certificate that it was sent. */
const KEPT_MS = 2000;
/** A borglet that dials while nobody leads waits so long, and then dials again. */
const PARK_MS = 4000;

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
  readonly #frontDoor = data.isReplica ? new FrontDoor({ parkMs: PARK_MS, late: "hang-up" }) : undefined;
  readonly #pollTimes = new PollTimes();
  #polls = 0;

  constructor(side: ThreadSide) {
    this.#side = side;
    this.#relay = new Relay(
      (machine) => this.#links.get(machine),
      (answer, bytes) => side.send(LINK, API, answer, bytes),
    );
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
      onSigned: (machine) => this.#dialsAgain(machine),
    });
    this.#host.add(LINK, (env) => {
      const { settleMs } = DEFAULT_MASTER;
      return new LinkShard(env, { master: MASTER, packages: PACKAGES, secrets: API, options: DEFAULT_LINK, settleMs });
    });
  }

  async listen(): Promise<LinkServer> {
    this.#host.start();
    const { listeners, cell, authorities } = data;
    return LinkServer.listen({
      listeners,
      cell,
      authorities,
      door: this.#joins,
      frontDoor: this.#frontDoor,
      onOpen: (link) => this.#onOpen(link),
      onFrame: (link, frame) => this.#onFrame(link, frame),
      onClose: (link) => this.#onClose(link),
      log: (line) => this.#side.log(line),
    });
  }

  hear(from: string, body: Readonly<Record<string, unknown>>): void {
    if (this.#joins.hear(body)) return;
    if (body["type"] === "leader") return this.#frontDoor?.leads((body as unknown as LeaderLetter).leader);
    if (body["type"] === "list-joins") this.#side.send(LINK, from, this.#joins.list(String(body["id"])));
    else if (body["type"] === "deny-join")
      this.#side.send(LINK, from, this.#joins.deny(String(body["id"]), String(body["machine"]), String(body["key"])));
    else if (body["type"] === "ask-borglet") this.#relay.ask(body as unknown as BorgletAsk);
    else if (body["type"] === "tell-executor") this.#tellExecutor(body as unknown as TellExecutor);
    else if (body["type"] === "count-links") this.#side.send(LINK, from, this.#counted(String(body["id"])));
    else if (body["type"] === "lease") this.#host.deliver(from, LINK, inThreadTime(body as unknown as LeaseLetter));
    else this.#host.deliver(from, LINK, unpack(body));
  }

  /** Its link was opened with a certificate of the old authority: with the new one it shows that it believes the new authority. */
  #dialsAgain(machine: string): void {
    setTimeout(() => {
      const link = this.#links.get(machine);
      if (link?.isFormer === true) link.close("The cell has a new authority: dial again");
    }, KEPT_MS).unref();
  }

  #counted(id: string): CountAnswer {
    const linksFormer = [...this.#links.values()].filter(({ isFormer }) => isFormer).length;
    const authority = authorityId(data.authorities[0]!);
    return {
      type: "links",
      id,
      links: this.#links.size,
      linksFormer,
      authority,
      polls: this.#polls,
      ...this.#pollTimes.pace(performance.now()),
    };
  }

  stop(): void {
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
    const { body, bytes } = this.#packer.pack(message);
    const patience = patienceMs(to, message);
    this.#side.send(from, to, body, bytes, patience);
    if (body["type"] === "usage") this.#side.send(from, API, body, bytes, patience);
  }

  async #readPackage({ id, digest, offset, bytesMax }: PieceAsk): Promise<void> {
    const answer = (told: PieceAnswer): void => this.#host.deliver(PACKAGES, LINK, told);
    try {
      const found = await this.#packages.read(digest, offset, bytesMax);
      if (found === undefined)
        answer({ type: "package-missing", id, reason: `The master has no bytes of package ${digest.slice(0, 12)}: push it again` });
      else answer({ type: "package-piece", id, ...found });
    } catch (error) {
      answer({
        type: "package-missing",
        id,
        reason: `The master cannot read it: ${error instanceof Error ? error.message : String(error)}`,
      });
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
      this.#side.send(LINK, API, { type: "executor-said", machine, instance, data }, data.length);
    } else if (frame.case === "hello" && link.key !== "") void this.#hello(link, frame);
    else this.#tell(link.machine, { type: "frame", frame });
  }

  /** A machine that is not linked hears nothing: messages may be lost. */
  #tellExecutor({ machine, instance, data }: TellExecutor): void {
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
    onLetter: ({ from, body }) => thread.hear(from, body as Readonly<Record<string, unknown>>),
    onStop: async () => {
      thread.stop();
      await server?.close();
    },
  };
});
