/** Words between frameworks and their executors, beside the link shard: on a real master the thread that has the links carries them (daemon/threads/link.ts). They may be lost. */
import type { Actor, Address, Env } from "../../base/env.ts";
import type { ExecutorSaid, TellExecutor } from "../../borgmaster/api/message.ts";
import { make } from "../../wire/codec.ts";
import { ExecutorMessageSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import { type Framed, type FromBorglet, peerAddress, type ToBorglet } from "../../wire/link-message.ts";

type Hears = TellExecutor | Framed<FromBorglet>;

export class ExecutorMail implements Actor<Hears> {
  readonly #env: Env<ExecutorSaid | Framed<ToBorglet>>;
  readonly #shard: Actor<never>;
  readonly #api: Address;

  constructor(env: Env<ExecutorSaid | Framed<ToBorglet>>, shard: Actor<never>, api: Address) {
    this.#env = env;
    this.#shard = shard;
    this.#api = api;
  }

  start(): void {
    this.#shard.start();
  }

  onTimer(tag: string): void {
    this.#shard.onTimer(tag);
  }

  onMessage(from: Address, message: Hears): void {
    if (message.type === "tell-executor") {
      const { machine, instance, data } = message;
      const value = make(ExecutorMessageSchema, { machine, instance, data });
      this.#env.send(peerAddress(machine), { type: "frame", frame: { case: "executorMessage", value } });
    } else if (message.frame?.case === "executorMessage") {
      const { machine, instance, data } = message.frame.value;
      this.#env.send(this.#api, { type: "executor-said", machine, instance, data });
    } else this.#shard.onMessage(from, message as never);
  }
}
