/**
 * The links of a master over the attacked cell, put together as its link thread does: a real server that borglets dial, the link shard's actor, and what passes questions
 * on. What it would do for a frame is told in words.
 */
import assert from "node:assert/strict";
import { DEFAULT_LINK } from "../../src/borgmaster/defaults.ts";
import { LinkShard } from "../../src/borgmaster/link.ts";
import { imageOf } from "../../src/cell/feed.ts";
import { unseal } from "../../src/cell/op.ts";
import { isSaid, Relay } from "../../src/daemon/threads/relay.ts";
import { type KeyAndCertificate, makeAuthority, makeMaster, makeRequest, signMachine } from "../../src/rpc/certificates.ts";
import { FrameSocket } from "../../src/rpc/frame-socket.ts";
import { dial } from "../../src/rpc/link-client.ts";
import { FRAME_BYTES_MAX, type FrameBody, LINK_PROTOCOL } from "../../src/rpc/link-frame.ts";
import { proveMachine } from "../../src/rpc/link-identity.ts";
import { type LinkHandle, LinkServer } from "../../src/rpc/link-server.ts";
import { encode, make } from "../../src/wire/codec.ts";
import { LogRequestSchema } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { ResourcesSchema } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import type { FromBorglet } from "../../src/wire/link-message.ts";
import { TestEnv } from "../borgmaster/test-env.ts";
import type { AttackedCell } from "./desk.ts";

const WAIT_MS_MAX = 10_000;
const AUTHORITY = await makeAuthority("cc", Date.now());
const MASTER = await makeMaster(AUTHORITY, { cell: "cc", replica: 0, hosts: ["127.0.0.1"] }, Date.now());

async function identityOf(machine: string): Promise<KeyAndCertificate> {
  const { key, request } = await makeRequest(machine);
  return { key, certificate: (await signMachine(AUTHORITY, request, { cell: "cc", machine }, Date.now()))! };
}

/** `near` was never approved, or is not any more: its certificate is good all the same. */
const IDENTITIES: ReadonlyMap<string, KeyAndCertificate> = new Map(
  await Promise.all(["m1", "far", "near"].map(async (name) => [name, await identityOf(name)] as const)),
);

export class LinkDesk {
  readonly #env = new TestEnv<{ readonly type: string }>();
  readonly #shard: LinkShard;
  readonly #relay: Relay;
  readonly #links = new Map<string, LinkHandle>();
  readonly #server: LinkServer;
  readonly #words: string[] = [];
  #heard: (() => void) | undefined;

  static async open(cell: AttackedCell): Promise<LinkDesk> {
    const ref: { desk?: LinkDesk } = {};
    const server = await LinkServer.listen({
      listeners: [{ endpoint: { kind: "tcp", host: "127.0.0.1", port: 0 }, tls: MASTER }],
      cell: "cc",
      authorities: [AUTHORITY.certificate],
      door: {
        admit: async (machine) =>
          machine === "near"
            ? { ok: false, reason: 'Machine "near" is not approved with this key (any more)' }
            : { ok: true, approved: make(ResourcesSchema, { cpuMilli: 1000 }) },
        join: async () => ({ type: "refused", reason: "Nobody joins here" }),
      },
      onOpen: (link) => void ref.desk!.#links.set(link.machine, link),
      onFrame: (link, frame) => ref.desk!.#onFrame(link, frame),
      onClose: () => {},
      log: () => {},
    });
    ref.desk = new LinkDesk(server, cell);
    return ref.desk;
  }

  private constructor(server: LinkServer, cell: AttackedCell) {
    this.#server = server;
    this.#shard = new LinkShard(this.#env as never, { master: "master", packages: "packages", options: DEFAULT_LINK, settleMs: 0 });
    this.#shard.onMessage("master", { type: "lead", term: 1, image: imageOf(cell.state) });
    this.#relay = new Relay(
      (machine) => ({ ...this.#links.get(machine)!, machine, id: 1, key: "", isFormer: false, send: () => true, close: () => {} }),
      (answer) => this.#words.push(answer.type),
    );
  }

  /** Somebody asks machine m1 for a log: the question has this number. */
  askForLog(number: number): void {
    const request = encode(LogRequestSchema, make(LogRequestSchema, { instance: "ann/web/0:1" }));
    this.#relay.ask({ type: "ask-borglet", id: `q${number}`, machine: "m1", about: "log", request });
  }

  /** The poll that a machine has to answer, and nothing of what else was said since. */
  pollOf(machine: string): number {
    let sequence = 0;
    this.#env.nowMs += DEFAULT_LINK.pollMs;
    this.#shard.onTimer();
    for (const { to, message } of this.#env.take()) {
      const { frame } = message as { frame?: { case: string; value: { sequence: number } } };
      if (to === `borglet/${machine}` && frame?.case === "poll") sequence = frame.value.sequence;
    }
    return sequence;
  }

  #onFrame(link: LinkHandle, frame: FromBorglet): void {
    if (isSaid(frame)) this.#relay.hear(link.machine, frame);
    else if (frame.case === "executorMessage") this.#words.push(`api: executor-said of ${frame.value.machine}`);
    else this.#shard.onMessage(`borglet/${link.machine}`, { type: "frame", frame });
    for (const { to, message } of this.#env.take()) this.#words.push(`${to}: ${wordsOf(message)}`);
    // Usage goes once a tick.
    this.#shard.onTimer();
    for (const { to, message } of this.#env.take()) if (message.type === "usage") this.#words.push(`${to}: ${wordsOf(message)}`);
    this.#heard?.();
  }

  /** What comes of a frame that somebody says, whose link was opened first, or not. */
  async says(machine: string, body: FrameBody, opens = true): Promise<string> {
    this.#words.length = 0;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#heard = () => resolve(this.#words.join(", ") || "nothing");
    const at = {
      kind: "tls",
      host: "127.0.0.1",
      port: this.#server.addresses[0]!.port,
      cell: "cc",
      authorities: [AUTHORITY.certificate],
    } as const;
    const socket = new FrameSocket(dial(at), FRAME_BYTES_MAX, {
      onFrame: ({ body: told }) => {
        if (told.case === "challenge" && !opens) socket.send(body);
        if (told.case === "challenge" && opens) {
          const proof = proveMachine(IDENTITIES.get(machine)!, machine, told.value.nonce);
          socket.send({ case: "open", value: { machine, protocol: LINK_PROTOCOL, ...proof } });
        }
        if (told.case === "opened") socket.send(body);
        if (told.case === "closed") resolve(`hung up on: ${told.value.reason}`);
      },
      onClose: (reason) => resolve(`hung up on: ${reason}`),
    });
    const timer = setTimeout(() => resolve("no answer"), WAIT_MS_MAX);
    const words = await promise;
    clearTimeout(timer);
    this.#heard = undefined;
    socket.close("done");
    return words;
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/** What is sent on for a frame. */
function wordsOf(message: object): string {
  const { type, frame, ops, machines, names } = message as {
    readonly type: string;
    readonly frame?: { readonly case: string; readonly value: { readonly problem?: string } };
    readonly ops?: readonly Uint8Array[];
    readonly machines?: readonly { readonly usage: readonly { readonly instance: string }[] }[];
    readonly names?: readonly string[];
  };
  if (frame !== undefined) return frame.value.problem ? `${frame.case} (${frame.value.problem})` : frame.case;
  if (ops !== undefined)
    return ops
      .map((op) => {
        const found = unseal(op);
        assert.ok(found.ok);
        return found.value.op.body.case;
      })
      .join(" ");
  if (machines !== undefined)
    return `${type} of ${machines.flatMap(({ usage }) => usage.map(({ instance }) => instance)).join(" ") || "nothing"}`;
  return names === undefined ? type : `${type} for ${names.join(" ")}`;
}
