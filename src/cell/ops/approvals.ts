/** Approvals of machines from elsewhere: an admin says which name and how much, a one-time token or a fingerprint says who. */
import { type MachineId, machineId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Approval, MachineApprove, MachineEnroll } from "../../wire/gen/borg/v1/op_pb.ts";
import { expiryAt } from "../expiry.ts";
import { extrasProblem } from "../spec.ts";
import type { Machine } from "../state.ts";
import type { Turn } from "../turn.ts";
import { APPROVALS } from "../version.ts";
import { isOpen, putInvitation } from "./invitations.ts";
import { changed, countCapacity } from "./machines.ts";

const HASH = /^[0-9a-f]{64}$/;

/** Of a machine that is there it changes how much counts, and, with a key, who speaks for it. Without a key or a token what was said before stays. */
export function approveMachine(turn: Turn, op: MachineApprove): Result<undefined> {
  const { state } = turn;
  const { approval, tokenHash, untilMs } = op;
  if (state.version < APPROVALS) return refused("The cell's version has no approvals of machines yet: upgrade every master of the cell");
  if (approval === undefined) return refused("An approval needs a capacity: say how much of the machine counts");
  const problem = formProblem(approval, tokenHash) ?? extrasProblem(approval.capacity);
  if (problem !== undefined) return refused(problem);
  if (untilMs !== 0 && untilMs <= expiryAt(state, state.timeMs)) return refused("The approval would have ended already: give a later time");
  const id = machineId(op.machine);
  const machine = state.machines.get(id);
  return machine === undefined ? invite(turn, id, op, approval) : approveAgain(turn, machine, tokenHash, approval);
}

function formProblem({ key }: Approval, tokenHash: string): string | undefined {
  if (key !== "" && !HASH.test(key)) return "A key is given by its SHA-256: 64 lower-case hex digits";
  if (tokenHash !== "" && !HASH.test(tokenHash)) return "A token is given by its SHA-256: 64 lower-case hex digits";
  return key !== "" && tokenHash !== "" ? "Either a token says whose key counts, or the key is named: not both" : undefined;
}

function invite(turn: Turn, id: MachineId, { tokenHash, untilMs }: MachineApprove, approval: Approval): Result<undefined> {
  const known = turn.state.invitations.get(id);
  const saysWho = approval.key !== "" || tokenHash !== "";
  if (!saysWho && known === undefined)
    return refused(`Machine "${id}" is not known: name its key with --fingerprint, or invite it with borg machine invite ${id}`);
  const who = saysWho || known === undefined ? { key: approval.key, tokenHash } : { key: known.approval.key, tokenHash: known.tokenHash };
  const put = putInvitation(turn, { machine: id, approval: { ...approval, key: who.key }, tokenHash: who.tokenHash, untilMs });
  if (put.ok) turn.emit({ kind: "machine.changed", subject: id, detail: who.key === "" ? "invited" : "may join" });
  return put;
}

function approveAgain(turn: Turn, machine: Machine, tokenHash: string, approval: Approval): Result<undefined> {
  if (machine.approval === undefined)
    return refused(`Machine "${machine.id}" is of the cell's own directory, and needs no approval: approve those that come from elsewhere`);
  if (tokenHash !== "")
    return refused(`Machine "${machine.id}" is in the cell: approve it with its fingerprint, or remove it before it is invited again`);
  machine.approval = { ...approval, key: approval.key === "" ? machine.approval.key : approval.key };
  countCapacity(turn.state, machine);
  changed(turn, machine, "approved");
  return ok(undefined);
}

/** The token is good once; whoever showed it may ask again with the same key. */
export function enrollMachine(turn: Turn, { machine, tokenHash, key }: MachineEnroll): Result<undefined> {
  const id = machineId(machine);
  const invitation = turn.state.invitations.get(id);
  if (!HASH.test(key)) return refused("A key is given by its SHA-256: 64 lower-case hex digits");
  if (invitation === undefined || invitation.tokenHash !== tokenHash || !isOpen(invitation, expiryAt(turn.state, turn.timeMs)))
    return refused(
      `The token is not good for machine "${machine}": it was used, has ended, or is for another one; an admin makes another with borg machine invite ${machine}`,
    );
  const put = putInvitation(turn, { ...invitation, approval: { ...invitation.approval, key }, tokenHash: "" });
  if (put.ok) turn.emit({ kind: "machine.changed", subject: id, detail: "showed its token" });
  return put;
}
