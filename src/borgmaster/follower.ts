/**
 * A second copy of the cell, made from the same entries by the same code, in a thread of its own: it makes checkpoints, so that the master
 * never stops for one, and its hash is compared with the master's now and then. If they differ, one of them is wrong, and the process stops. [KD4]
 */
import type { Actor, Address, Env } from "../base/env.ts";
import { type NewHash, newSha256 } from "../base/sha256.ts";
import { applyEntry, newState } from "../cell/cell.ts";
import { encodeCheckpoint, type Slice, stateHash } from "../cell/checkpoint/checkpoint.ts";
import { decodeChecked } from "../cell/checkpoint/decode.ts";
import { decodeApplied } from "../cell/op.ts";
import type { CellState } from "../cell/state.ts";
import { decode, encode } from "../wire/codec.ts";
import { CheckJobResponseSchema, ExplanationSchema } from "../wire/gen/borg/v1/api_pb.ts";
import { JobSpecSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import { checkJob, whyOf } from "./api/why.ts";
import type { FollowerAnswer, FollowerForget, FollowerQuestion, FromFollower, ToFollower } from "./message.ts";
import { Questions } from "./questions.ts";

export class Follower implements Actor<ToFollower | FollowerQuestion | FollowerForget> {
  readonly #env: Env<FromFollower | FollowerAnswer>;
  readonly #master: Address;
  readonly #newHash: NewHash;
  #state: CellState = newState();
  /** Reported once; nothing more is applied or said. */
  #stopped = false;
  readonly #questions = new Questions();

  constructor(env: Env<FromFollower | FollowerAnswer>, master: Address, newHash = newSha256) {
    this.#env = env;
    this.#master = master;
    this.#newHash = newHash;
  }

  get state(): CellState {
    return this.#state;
  }

  start(): void {}

  /** One question a turn: entries, and word that nobody waits any more, come in between. */
  onTimer(): void {
    if (this.#stopped) return;
    const next = this.#questions.next();
    if (next === undefined) return;
    this.#env.send(next.from, this.#answer(next.question));
    if (this.#questions.size > 0) this.#env.timer(0, "question");
  }

  onMessage(from: Address, message: ToFollower | FollowerQuestion | FollowerForget): void {
    if (this.#stopped) return;
    switch (message.type) {
      case "restore":
        this.#restore(message.checkpoint);
        break;
      case "entry":
        this.#apply(message.position, message.payload);
        break;
      case "compare":
        this.#compare(message.position, message.slice, message.hash);
        break;
      case "snapshot":
        this.#snapshot(message.position);
        break;
      case "explain":
      case "check-job":
        this.#ask(from, message);
        break;
      case "forget":
        this.#questions.forget(message.id);
        break;
    }
  }

  #restore(checkpoint: Uint8Array | undefined): void {
    const decoded = checkpoint === undefined ? undefined : decodeChecked(checkpoint);
    if (decoded?.ok === false) this.#diverge(decoded.reason);
    this.#state = decoded?.ok ? decoded.value : newState();
  }

  #apply(position: number, payload: Uint8Array): void {
    const entry = decodeApplied(payload);
    if (!entry.ok) this.#diverge(entry.reason);
    else if (position !== this.#state.position + 1) this.#diverge(`Entry ${position} came after ${this.#state.position}`);
    else applyEntry(this.#state, position, entry.value);
    this.#env.send(this.#master, { type: "followed", position });
  }

  #compare(position: number, slice: Slice, hash: string): void {
    const own = stateHash(this.#state, slice, this.#newHash);
    if (position !== this.#state.position || own !== hash)
      this.#diverge(`State ${own} at ${this.#state.position} is not the master's ${hash} at ${position}`);
    else this.#env.log("~hash-compared");
  }

  #snapshot(position: number): void {
    if (position !== this.#state.position) {
      this.#diverge(`A snapshot at ${position} was asked for at ${this.#state.position}`);
      return;
    }
    this.#env.send(this.#master, { type: "checkpoint", position, payload: encodeCheckpoint(this.#state, this.#newHash).bytes });
  }

  #ask(from: Address, question: FollowerQuestion): void {
    if (!this.#questions.add(from, question))
      this.#env.send(from, {
        type: "not-explained",
        id: question.id,
        reason: `User "${question.user}" has asked too much at once: wait for an answer`,
      });
    else if (this.#questions.size === 1) this.#env.timer(0, "question");
  }

  #answer(question: FollowerQuestion): FollowerAnswer {
    const { id } = question;
    if (question.type === "explain") {
      const why = whyOf(this.#state, question.name, question.nowMs);
      if (!why.ok) return { type: "not-explained", id, reason: why.reason };
      return { type: "explained", id, payload: encode(ExplanationSchema, why.value) };
    }
    const spec = decode(JobSpecSchema, question.spec, question.spec.length);
    if (!spec.ok) return { type: "not-explained", id, reason: spec.reason };
    return { type: "explained", id, payload: encode(CheckJobResponseSchema, checkJob(this.#state, question.user, spec.value)) };
  }

  #diverge(reason: string): void {
    this.#stopped = true;
    this.#env.send(this.#master, { type: "diverged", position: this.#state.position, reason });
  }
}
