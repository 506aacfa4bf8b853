/** Calls and questions about secrets: setting one, exchanging the key, and what the link asks for its machines. It has the vault, and nobody else has. */
import type { Address } from "../../base/env.ts";
import { encodeOp, type Op } from "../../cell/op.ts";
import { refusalKind } from "../../cell/ops/table.ts";
import { make } from "../../wire/codec.ts";
import * as wire from "../../wire/gen/borg/v1/api_pb.ts";
import type { ClientAnswer } from "../message.ts";
import type { Vault } from "../vault.ts";
import type { Door } from "./controllers.ts";
import type { SecretsAnswer, SecretsAsk } from "./message.ts";
import type { Desk, OpenCall } from "./open-calls.ts";
import { keysNamed, listSecrets, nextVersion, openSecrets, rotation, secretOp } from "./secrets.ts";

/** So often it is encrypted anew because others set the same secret meanwhile. */
const TRIES_MAX = 8;
/** Questions of the link that wait for the copy to get there; beyond it the oldest is forgotten, and its machine asks again. */
const ASKS_MAX = 10_000;

type Refusal = Extract<ClientAnswer, { readonly result: "refused" }>;

export interface SecretCallsOptions extends Desk {
  readonly vault: Vault;
  /** Where tasks reach the API. */
  readonly door: Door;
  readonly master: Address;
  readonly freshId: () => string;
  /** Does it when the copy is known to be current. */
  readonly whenCurrent: (open: OpenCall, then: () => void) => void;
  /** Sends a change; `refused` hears of a refusal first, and true means that it goes on. */
  readonly change: (open: OpenCall, op: Op, refused: (answer: Refusal) => boolean) => void;
  readonly tell: (to: Address, answer: SecretsAnswer) => void;
}

export class SecretCalls {
  readonly #options: SecretCallsOptions;
  #asks: { readonly from: Address; readonly ask: SecretsAsk }[] = [];

  constructor(options: SecretCallsOptions) {
    this.#options = options;
  }

  /** All tries of one call have one request id, so that no more than one of them is done. */
  set(open: OpenCall): void {
    const { call } = open;
    this.#try(open, call.requestId === "" ? this.#options.freshId() : call.requestId, 1);
  }

  #try(open: OpenCall, requestId: string, tries: number): void {
    const { copy, vault, change, whenCurrent, fail } = this.#options;
    const { user, name } = open.call.request as wire.SetSecretRequest;
    const sealedFor = nextVersion(copy.state, user, name);
    const op = secretOp(copy.state, vault, open.call, requestId);
    change(open, op, ({ reason, position }) => {
      if (tries >= TRIES_MAX) return false;
      // Another was first, if its version shows in a copy that is current.
      whenCurrent(open, () => {
        if (nextVersion(copy.state, user, name) === sealedFor) fail(open, refusalKind(copy.state, op), reason, position);
        else this.#try(open, requestId, tries + 1);
      });
      return true;
    });
  }

  list(open: OpenCall): void {
    const { copy, vault, answer } = this.#options;
    const { call, meter } = open;
    answer(open, listSecrets(copy, call.request as wire.ListSecretsRequest, vault, call.user, meter));
  }

  /** Some secrets at a time, so that no call takes long; whoever asks goes on until nothing is left. */
  rotate(open: OpenCall): void {
    const { copy, vault, fail } = this.#options;
    const { goOn } = open.call.request as wire.RotateSecretKeyRequest;
    try {
      // One that waits is as new as another would be.
      if (!goOn && vault.waiting === undefined) vault.rotate();
    } catch (error) {
      return fail(open, "unavailable", `Cannot make a new key: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (vault.waiting !== undefined) return this.#rotated(open);
    const { ops } = rotation(copy.state, vault, open.call.user);
    let waiting = ops.length;
    if (waiting === 0) return this.#rotated(open);
    for (const op of ops)
      this.#ask(open, op, () => {
        waiting -= 1;
        if (waiting === 0) this.#options.whenCurrent(open, () => this.#rotated(open));
      });
  }

  #ask(open: OpenCall, op: Op, then: () => void): void {
    const bytes = encodeOp(op);
    this.#options.calls.ask<ClientAnswer>(open, this.#options.master, (id) => ({ type: "request", id, op: bytes }), then);
  }

  #rotated(open: OpenCall): void {
    const { copy, vault, answer } = this.#options;
    const { left, lost } = rotation(copy.state, vault, open.call.user);
    const { waiting } = vault;
    if (waiting === undefined) return answer(open, make(wire.RotateSecretKeyResponseSchema, { keyId: vault.keyId, left, lost }));
    const secrets = [...copy.state.users.values()].reduce((sum, user) => sum + user.secrets.size, 0);
    answer(open, make(wire.RotateSecretKeyResponseSchema, { ...waiting, left: secrets - lost, lost }));
  }

  /** Nothing older than what the link has seen: a task that starts after a secret was set finds what was set. */
  ask(from: Address, ask: SecretsAsk): void {
    if (this.#asks.length >= ASKS_MAX) this.#asks.shift();
    this.#asks.push({ from, ask });
    this.moved();
  }

  /** The copy is further. */
  moved(): void {
    if (this.#asks.length === 0) return;
    const { copy, vault, tell, door } = this.#options;
    const due = this.#asks.filter(({ ask }) => ask.position <= copy.state.position);
    if (due.length === 0) return;
    this.#asks = this.#asks.filter(({ ask }) => ask.position > copy.state.position);
    for (const { from, ask } of due) tell(from, openSecrets(copy.state, vault, ask, door));
  }

  /** The copy is current: keys that nothing is encrypted with may go. */
  sweep(): void {
    this.#options.vault.keepOnly(keysNamed(this.#options.copy.state));
  }
}
