/**
 * What a leader knows of the link shards of all replicas: which of them live, because each asks it now and then, and what is to stand in the journal about who shares the machines. A shard that was started
 * again is another one: it has forgotten what it ordered, so it has a part only from an entry on that it was counted for.
 */
import type { Env } from "../base/env.ts";
import { masterOp, type Op } from "../cell/op.ts";
import type { CellState } from "../cell/state.ts";
import { LINK_SHARDS } from "../cell/version.ts";
import type { Reign } from "./link/realm.ts";
import type { ShardAsk, ShardTold } from "./message.ts";

/** A shard that did not ask for so long is dead, or hangs: others take its machines. It asks every half second. */
export const SHARD_SILENT_MS = 2500;
/** A new leader waits so long for shards to ask, unless all have: machines should not move twice. */
const GATHER_MS = 1500;
/** From one partition to the next. */
const GAP_MS = 1000;

type Leading = Pick<ShardTold, "term" | "leftMs" | "position">;

interface Asked {
  readonly life: string;
  readonly cut: readonly string[];
  readonly heardMs: number;
}

export class Shards {
  readonly #env: Env<never>;
  readonly #own: string;
  /** How many there may be. */
  readonly #replicas: number;
  readonly #asked = new Map<string, Asked>();
  #ledSinceMs = 0;
  #toldMs = Number.NEGATIVE_INFINITY;

  /** `own`: the name of the leader's replica. */
  constructor(env: Env<never>, own: string, replicas: number) {
    this.#env = env;
    this.#own = own;
    this.#replicas = replicas;
  }

  /** It begins to lead. */
  reset(): void {
    this.#asked.clear();
    this.#ledSinceMs = this.#env.now();
    this.#toldMs = Number.NEGATIVE_INFINITY;
  }

  /** More names than there are replicas are nobody's. `leftMs`: of the lease; nothing is started without one. */
  answer({ replica, life, sequence, cut = [] }: ShardAsk, { term, leftMs, position }: Leading): ShardTold {
    if (this.#asked.has(replica) || this.#asked.size < this.#replicas) this.#asked.set(replica, { life, cut, heardMs: this.#env.now() });
    return { type: "shard-told", term, sequence, leftMs: Math.max(0, Math.floor(leftMs)), position };
  }

  /** What the journal should say from now on: anew when it begins to lead, and when a shard comes or goes. Undefined: it says so. */
  tick(term: number, { version, links: now }: Pick<CellState, "version" | "links">): Op | undefined {
    if (version < LINK_SHARDS) return undefined;
    const nowMs = this.#env.now();
    for (const [replica, { heardMs }] of this.#asked) if (nowMs - heardMs > SHARD_SILENT_MS) this.#asked.delete(replica);
    const isGathered = this.#asked.size >= this.#replicas || nowMs - this.#ledSinceMs >= GATHER_MS;
    if (!isGathered || this.#asked.size === 0 || nowMs - this.#toldMs < GAP_MS) return undefined;
    const shards = this.#together();
    const isOwn = now?.term === term;
    if (isOwn && wordsOf(now.shards) === wordsOf(shards)) return undefined;
    this.#toldMs = nowMs;
    return masterOp({ case: "linkPartition", value: { term, epoch: isOwn ? now.epoch + 1 : 1, shards } });
  }

  /** The leader's own, and of the others in the order of their names those that reach all who are in: a machine must get to its shard wherever its link is taken. */
  #together(): Shard[] {
    const own = this.#asked.get(this.#own);
    const inTurn = [...this.#asked].filter(([replica]) => replica !== this.#own).sort(([a], [b]) => (a < b ? -1 : 1));
    const shards = new Map(own === undefined ? [] : [[this.#own, own]]);
    for (const [replica, asked] of inTurn)
      if ([...shards].every(([other, { cut }]) => !cut.includes(replica) && !asked.cut.includes(other))) shards.set(replica, asked);
    return [...shards].map(([replica, { life }]) => ({ replica, life })).sort((a, b) => (a.replica < b.replica ? -1 : 1));
  }
}

interface Shard {
  readonly replica: string;
  readonly life: string;
}

/** What a shard found out in an earlier (term, epoch) is told again by whoever has its machines now. */
export const isOf = (told: Reign, { term, epoch }: Reign): boolean => told.term === term && told.epoch === epoch;

const wordsOf = (shards: readonly Shard[]): string => JSON.stringify(shards.map(({ replica, life }) => [replica, life]));
