/** Tokens: how users say who they are at the edge. The cell keeps hashes only, so that neither a journal nor a checkpoint lets anyone in. */
import { userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { Role, type TokenRevoke, type TokenSet } from "../../wire/gen/borg/v1/op_pb.ts";
import { expiryAt } from "../expiry.ts";
import type { CellState, Token, User } from "../state.ts";
import type { Turn } from "../turn.ts";
import { welcome } from "./quota.ts";
import { newUser } from "./users.ts";

/** Tokens of one user at a time; ended ones make room. */
export const TOKENS_MAX = 50;
const HASH = /^[0-9a-f]{64}$/;
const ID_DIGITS = 12;

export const tokenId = (hash: string): string => hash.slice(0, ID_DIGITS);

export const isTokenValid = (token: Token, nowMs: number): boolean => token.untilMs === 0 || nowMs < token.untilMs;

/** A user that is not known yet becomes one with the role of a user: a token is of no use without. */
export function setToken(turn: Turn, op: TokenSet): Result<undefined> {
  const { state } = turn;
  if (!HASH.test(op.hash)) return refused("A token is given by its SHA-256: 64 lower-case hex digits");
  const nowMs = expiryAt(state, state.timeMs);
  if (op.untilMs !== 0 && op.untilMs <= nowMs) return refused("The token would have ended already: give a later time");
  const id = userId(op.user);
  const known = state.users.get(id);
  const valid = [...(known?.tokens.values() ?? [])].filter((token) => isTokenValid(token, nowMs));
  if (valid.length >= TOKENS_MAX) return refused(`User "${id}" has ${valid.length} tokens: revoke one first`);
  if (isTaken(state, op.hash)) return refused("The token is in use: make another one");
  const user = known ?? newUser(id);
  if (known === undefined) user.roles.add(Role.USER);
  if (known === undefined) welcome(state, user);
  state.users.set(id, user);
  dropEnded(user, nowMs);
  user.tokens.set(op.hash, { hash: op.hash, label: op.label, createdMs: state.timeMs, untilMs: op.untilMs });
  turn.touch.user(user);
  turn.emit({ kind: "user.changed", subject: id, detail: `token ${tokenId(op.hash)}` });
  return ok(undefined);
}

export function revokeToken(turn: Turn, op: TokenRevoke): Result<undefined> {
  const user = turn.state.users.get(userId(op.user));
  const hash = [...(user?.tokens.keys() ?? [])].find((candidate) => tokenId(candidate) === op.id);
  if (user === undefined || hash === undefined) return refused(`User "${op.user}" has no token "${op.id}": borg token ls shows them`);
  user.tokens.delete(hash);
  turn.touch.user(user);
  turn.emit({ kind: "user.changed", subject: user.id, detail: `token ${op.id} revoked` });
  return ok(undefined);
}

/** The id tells a token apart, so two with the same one cannot stand. */
const isTaken = (state: CellState, hash: string): boolean =>
  [...state.users.values()].some((user) => [...user.tokens.keys()].some((other) => tokenId(other) === tokenId(hash)));

function dropEnded(user: User, nowMs: number): void {
  for (const token of [...user.tokens.values()]) if (!isTokenValid(token, nowMs)) user.tokens.delete(token.hash);
}
