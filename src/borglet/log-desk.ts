/** Requests for pieces of logs: answered at once, or as soon as there is something. */
import type { Address, Env } from "../base/env.ts";
import type { LogChunk, LogRequest } from "../wire/gen/borg/v1/link_pb.ts";
import { isEnded, type Memory } from "./kept.ts";
import { LogWaits } from "./log-waits.ts";
import type { BorgletMachine, LogPiece, LogRange } from "./machine.ts";

/** Logs that someone waits for are looked at this often. */
const LOG_LOOK_MS = 200;

export class LogDesk {
  readonly #env: Env<never>;
  readonly #machine: BorgletMachine;
  readonly #memory: Memory;
  readonly #waits: LogWaits;
  #looking = false;

  constructor(env: Env<never>, machine: BorgletMachine, memory: Memory, say: (to: Address, chunk: LogChunk) => void) {
    this.#env = env;
    this.#machine = machine;
    this.#memory = memory;
    this.#waits = new LogWaits((range) => this.#read(range), say);
  }

  /** Whatever this master asked is void. */
  clear(master: Address): void {
    this.#waits.clear(master);
  }

  ask(from: Address, request: LogRequest): void {
    this.#waits.ask(from, request, this.#env.now());
    if (this.#looking || !this.#waits.waiting) return;
    this.#looking = true;
    this.#env.timer(LOG_LOOK_MS, "logs");
  }

  look(): void {
    this.#waits.look(this.#env.now());
    this.#looking = this.#waits.waiting;
    if (this.#looking) this.#env.timer(LOG_LOOK_MS, "logs");
  }

  /** A log ends with its instance, not with a run of it; and one that has not run yet has an empty log. */
  #read(range: LogRange): LogPiece | undefined {
    const kept = this.#memory.instances.get(range.instance);
    const piece = this.#machine.readLog(range);
    if (kept === undefined) return piece;
    if (piece === undefined) return { offset: 0, data: new Uint8Array(), ended: isEnded(kept) };
    return { ...piece, ended: piece.ended && isEnded(kept) };
  }
}
