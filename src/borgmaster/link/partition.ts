/**
 * Which link shard has which machine: of all shards of a partition the one whose name, beside the machine's, gives the highest hash. So a replica that goes moves only its own machines,
 * and one that comes takes a few from each. Pure: whoever has read the journal as far knows the same. [B3]
 */
import { fnv1a } from "../../base/fnv.ts";
import type { LinkLife, LinkPartition } from "../../wire/gen/borg/v1/op_pb.ts";

/** It goes by the replica's name and not by its life: one that was started again gets its machines back. */
export function shardOf(machine: string, shards: readonly LinkLife[]): LinkLife | undefined {
  let [best, highest] = [undefined as LinkLife | undefined, -1];
  for (const shard of shards) {
    const weight = mixed(fnv1a(`${machine} ${shard.replica}`));
    if (weight < highest || (weight === highest && best !== undefined && best.replica < shard.replica)) continue;
    [best, highest] = [shard, weight];
  }
  return best;
}

/** Names differ in their last letters only, which FNV leaves in the lowest bits: what is compared must depend on all of them (the end of MurmurHash3). */
function mixed(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The machines of one shard. What was found out is kept: it is asked at every turn. */
export class Share {
  readonly #partition: LinkPartition;
  readonly #life: string;
  readonly #known = new Map<string, boolean>();

  constructor(partition: LinkPartition, life: string) {
    this.#partition = partition;
    this.#life = life;
  }

  has(machine: string): boolean {
    const known = this.#known.get(machine);
    if (known !== undefined) return known;
    const own = shardOf(machine, this.#partition.shards)?.life === this.#life;
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(machine, own);
    return own;
  }
}

/** Names that anybody may say; beyond it all are worked out anew. */
const KNOWN_MAX = 400_000;
