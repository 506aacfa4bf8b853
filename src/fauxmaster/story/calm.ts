/**
 * A world in which chance is asleep: what is likely happens, what is unlikely does not, and everything takes its least time. Stories
 * that are told in it read the same whenever somebody adds a draw elsewhere; what disorder does is for seeded worlds to show.
 */
import { Random } from "../../base/random.ts";
import { Kernel } from "../world/kernel.ts";
import { type Concern, Streams } from "../world/streams.ts";

/** Only `uint32` goes on as drawn: names are made of it, and no two may be the same. */
export class CalmRandom extends Random {
  readonly #longest: boolean;

  constructor(seed: number, stream: string, longest: boolean) {
    super(seed, stream);
    this.#longest = longest;
  }

  override float(): number {
    return 0.5;
  }

  override int(from: number, below: number): number {
    return this.#longest ? Math.max(from, below - 1) : from;
  }

  override chance(probability: number): boolean {
    return probability > 0.5;
  }

  override pick<T>(items: readonly T[]): T {
    return items[0] as T;
  }

  override shuffle<T>(items: readonly T[]): T[] {
    return [...items];
  }
}

class CalmStreams extends Streams {
  readonly #seed: number;
  readonly #calm = new Map<Concern, Random>();

  constructor(seed: number) {
    super(seed);
    this.#seed = seed;
  }

  /** The disk takes its longest time: a slow one is to be noticed. */
  override of(concern: Concern): Random {
    const stream = this.#calm.get(concern) ?? new CalmRandom(this.#seed, concern, concern === "disk");
    this.#calm.set(concern, stream);
    return stream;
  }
}

/** Something that an event loop noted and that the journal does not know: who leads, who went. */
export interface Noted {
  readonly timeMs: number;
  readonly kind: string;
  readonly who: string;
  readonly detail: string;
}

const NOTED: ReadonlySet<string> = new Set(["log", "exit"]);

export class CalmKernel extends Kernel {
  override readonly streams = new CalmStreams(1);
  /** Taken away by whoever tells of them. */
  readonly noted: Noted[] = [];

  constructor() {
    super({ seed: 1 });
  }

  override note(kind: string, to: string, from: string, detail: unknown): void {
    super.note(kind, to, from, detail);
    if (NOTED.has(kind) && typeof detail === "string") this.noted.push({ timeMs: this.nowMs, kind, who: to, detail });
  }
}
