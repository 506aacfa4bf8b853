/**
 * Who keeps the bytes of packages in a simulated cell: a few small ones that everybody has pushed. While the world is bad to the cell, some pieces do not come,
 * come late, come damaged or are said to be missing; borglets must run no task without the very bytes that its job names.
 */
import type { Actor, Address, Env } from "../../base/env.ts";
import { Sha256 } from "../../base/sha256.ts";
import type { PackageAnswer, PackageAsk } from "../../borgmaster/api/message.ts";
import type { PieceAnswer, PieceAsk } from "../../borgmaster/link/package-requests.ts";

/** Pieces are small here, so that every package has several. */
const PIECE_BYTES = 7;
const LATE_MS = 3000;

export interface SimulatedPackage {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly digest: string;
}

const packageOf = (name: string, length: number): SimulatedPackage => {
  const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) % 256);
  return { name, bytes, digest: new Sha256().update(bytes).hex() };
};

export const SHELF: readonly SimulatedPackage[] = [packageOf("tool", 10), packageOf("data", 30), packageOf("model", 17)];

export class PackageShelf implements Actor<PackageAsk | PieceAsk> {
  readonly #env: Env<PackageAnswer | PieceAnswer>;
  readonly #isBad: () => boolean;
  readonly #late = new Map<string, () => void>();
  #last = 0;

  constructor(env: Env<PackageAnswer | PieceAnswer>, isBad: () => boolean) {
    this.#env = env;
    this.#isBad = isBad;
  }

  start(): void {}

  onTimer(tag: string): void {
    this.#late.get(tag)?.();
    this.#late.delete(tag);
  }

  onMessage(from: Address, ask: PackageAsk | PieceAsk): void {
    const found = SHELF.find(({ digest }) => digest === ask.digest);
    if (ask.type !== "package-piece-ask") {
      const kept = found !== undefined && found.bytes.length === ask.total;
      this.#env.send(from, { type: "package-received", id: ask.id, received: 0, kept });
    } else if (found === undefined) {
      this.#env.send(from, { type: "package-missing", id: ask.id, reason: "There is no such package" });
    } else this.#piece(from, ask, found.bytes);
  }

  #piece(from: Address, { id, offset }: PieceAsk, bytes: Uint8Array): void {
    const whole: PieceAnswer = { type: "package-piece", id, total: bytes.length, data: bytes.slice(offset, offset + PIECE_BYTES) };
    const fate = this.#isBad() ? this.#env.random() : 1;
    if (fate < 0.03) return;
    if (fate < 0.06) this.#env.send(from, { type: "package-missing", id, reason: "The disk of the master cannot be read" });
    else if (fate < 0.09) this.#env.send(from, { ...whole, data: whole.data.map((byte) => byte ^ 1) });
    else if (fate < 0.2) this.#later(() => this.#env.send(from, whole));
    else this.#env.send(from, whole);
  }

  #later(act: () => void): void {
    this.#last += 1;
    const tag = `late ${this.#last}`;
    this.#late.set(tag, act);
    this.#env.timer(this.#env.random() * LATE_MS, tag);
  }
}
