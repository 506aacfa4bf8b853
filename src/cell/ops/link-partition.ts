/** Which link shards share the machines: said by the leader, and the same for whoever has read the journal up to there. [B3] */
import { ok, type Result, refused } from "../../base/result.ts";
import type { LinkPartition } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Turn } from "../turn.ts";
import { LINK_SHARDS } from "../version.ts";

export function partitionLinks(turn: Turn, op: LinkPartition): Result<undefined> {
  const { state } = turn;
  if (state.version < LINK_SHARDS)
    return refused(`The cell has version ${state.version}: machines are shared out from version ${LINK_SHARDS} on`);
  const { links } = state;
  if (links !== undefined && !isAfter(op, links))
    return refused(`Machines are shared out by epoch ${links.epoch} of term ${links.term}: epoch ${op.epoch} of term ${op.term} is older`);
  const replicas = op.shards.map(({ replica }) => replica);
  if (replicas.length === 0) return refused("Machines are shared out among nobody: name a replica");
  if (new Set(replicas).size < replicas.length) return refused(`Replicas "${replicas.join('", "')}" are not distinct: name each once`);
  state.links = op;
  turn.touch.cell();
  turn.emit({ kind: "cell.changed", subject: state.name, detail: `links: ${replicas.join(", ")}` });
  return ok(undefined);
}

const isAfter = (next: LinkPartition, now: LinkPartition): boolean =>
  next.term > now.term || (next.term === now.term && next.epoch > now.epoch);
