/**
 * Secrets for borglets, and tokens of controllers: a machine gets those that a task names which the cell has there and wants to run, and no others, whatever it asks for. They are decrypted by
 * whoever has the key, asked for each start anew, and pass through here on their way.
 */
import type { Address, Env } from "../../base/env.ts";
import { type InstanceId, type MachineId, machineId } from "../../base/id.ts";
import { make } from "../../wire/codec.ts";
import { type SecretRequest, type SecretValues, SecretValuesSchema } from "../../wire/gen/borg/v1/link_pb.ts";
import type { Framed, ToBorglet } from "../../wire/link-message.ts";
import type { SecretsAnswer, SecretsAsk } from "../api/message.ts";
import { type Desired, isStopping } from "./desired.ts";

/** Questions on their way for one machine; beyond it the oldest is forgotten, and the borglet asks again. */
const ASKED_MAX = 64;

interface Asked {
  readonly from: Address;
  readonly machine: MachineId;
  readonly request: SecretRequest;
}

export class SecretRequests {
  readonly #env: Env<Framed<ToBorglet> | SecretsAsk>;
  readonly #keeper: Address;
  readonly #asked = new Map<string, Asked>();
  readonly #counts = new Map<MachineId, string[]>();
  #last = 0;

  constructor(env: Env<Framed<ToBorglet> | SecretsAsk>, keeper: Address) {
    this.#env = env;
    this.#keeper = keeper;
  }

  /** `position`: what was seen of the feed. Of what the cell does not have there nothing is said: its order to stop is on its way. */
  ask(from: Address, request: SecretRequest, desired: Desired, position: number): void {
    const machine = machineId(request.machine);
    const wanted = desired.on(machine).get(request.instance as InstanceId);
    const spec = wanted === undefined || isStopping(wanted) ? undefined : desired.specOf(wanted);
    if (spec === undefined) return;
    const names = [...new Set(spec.task?.secrets.map(({ name }) => name) ?? [])];
    this.#last += 1;
    const id = String(this.#last);
    this.#asked.set(id, { from, machine, request });
    const open = [...(this.#counts.get(machine) ?? []), id];
    if (open.length > ASKED_MAX) this.#asked.delete(open.shift() as string);
    this.#counts.set(machine, open);
    this.#env.send(this.#keeper, { type: "secrets-ask", id, position, user: spec.user, names, instance: request.instance });
  }

  gone(machine: MachineId): void {
    for (const id of this.#counts.get(machine) ?? []) this.#asked.delete(id);
    this.#counts.delete(machine);
  }

  told(answer: SecretsAnswer): void {
    const asked = this.#asked.get(answer.id);
    if (asked === undefined) return;
    this.#asked.delete(answer.id);
    const open = (this.#counts.get(asked.machine) ?? []).filter((id) => id !== answer.id);
    if (open.length === 0) this.#counts.delete(asked.machine);
    else this.#counts.set(asked.machine, open);
    const { instance, run } = asked.request;
    const more =
      answer.type === "secrets"
        ? { values: answer.values.map((each) => ({ ...each })), controller: answer.controller }
        : { problem: answer.reason };
    const value: SecretValues = make(SecretValuesSchema, { instance, run, ...more });
    this.#env.send(asked.from, { type: "frame", frame: { case: "secretValues", value } });
  }
}
