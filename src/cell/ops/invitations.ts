/** Who may come in as a machine from elsewhere. The cell keeps hashes of tokens and of keys only. */
import type { MachineId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Approval } from "../../wire/gen/borg/v1/op_pb.ts";
import { expiryAt } from "../expiry.ts";
import type { CellState, Invitation } from "../state.ts";
import type { Turn } from "../turn.ts";

/** Machines that may join and have not yet; ended ones make room. */
export const INVITATIONS_MAX = 1000;

export const isOpen = ({ untilMs }: Invitation, nowMs: number): boolean => untilMs === 0 || nowMs < untilMs;

/** As what the holder of this key may be a machine of this name; undefined for one of the cell's own directory. */
export function approvalFor(state: CellState, id: MachineId, key: string): Result<Approval | undefined> {
  const machine = state.machines.get(id);
  if (key === "")
    return machine?.approval === undefined
      ? ok(undefined)
      : refused(`Machine "${id}" came from elsewhere: remove it before another one takes its name`);
  if (machine !== undefined)
    return machine.approval?.key === key ? ok(machine.approval) : refused(`Machine "${id}" is in the cell with another key: ${howTo(id)}`);
  const invitation = state.invitations.get(id);
  if (invitation === undefined || invitation.approval.key !== key || !isOpen(invitation, expiryAt(state, state.timeMs)))
    return refused(`Machine "${id}" was not approved with this key: ${howTo(id)}`);
  return ok(invitation.approval);
}

/** Whether there was one. */
export function withdraw(turn: Turn, id: MachineId): boolean {
  const wasThere = turn.state.invitations.delete(id);
  if (wasThere) {
    turn.touch.cell();
    turn.emit({ kind: "machine.changed", subject: id, detail: "no longer invited" });
  }
  return wasThere;
}

/** Those whose time is over go first. */
export function putInvitation(turn: Turn, invitation: Invitation): Result<undefined> {
  const { machine } = invitation;
  const { invitations } = turn.state;
  const nowMs = expiryAt(turn.state, turn.timeMs);
  const isFull = !invitations.has(machine) && invitations.size >= INVITATIONS_MAX;
  if (isFull && [...invitations.values()].every((each) => isOpen(each, nowMs)))
    return refused(`${INVITATIONS_MAX} machines may join and have not yet: remove one first`);
  if (isFull) for (const [name, each] of invitations) if (!isOpen(each, nowMs)) invitations.delete(name);
  invitations.set(machine, invitation);
  turn.touch.cell();
  return ok(undefined);
}

const howTo = (id: MachineId): string => `an admin approves it with borg machine approve ${id}`;
