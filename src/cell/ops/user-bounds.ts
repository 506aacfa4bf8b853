/** What one user may make the cell remember, and ask of its API, where that is not what everybody may. */
import { userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type BoundsSet, Role, type UserBounds } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Turn } from "../turn.ts";
import { CALL_BOUNDS, STRANGERS } from "../version.ts";

/** Whether any bound of calls is set. */
export const boundsCalls = (bounds: UserBounds | undefined): boolean =>
  bounds !== undefined && bounds.calls + bounds.polls + bounds.workPerSecond > 0;

/** What a user has already stays, also above a lower bound. */
export function setBounds(turn: Turn, { user: name, bounds }: BoundsSet): Result<undefined> {
  const { version } = turn.state;
  if (version < STRANGERS) return refused("The cell's version has no bounds of users yet: upgrade every master of the cell");
  if (version < CALL_BOUNDS && boundsCalls(bounds))
    return refused("The cell's version has no bounds of a user's calls yet: upgrade every master of the cell");
  const user = turn.state.users.get(userId(name));
  if (user === undefined) return refused(`User "${name}" is unknown: grant a role first`);
  if (bounds === undefined) return refused("Bounds are missing: name what the user may have");
  const { jobs, tasks, specBytes, packages, packageBytes, calls, polls, workPerSecond } = bounds;
  const kept = jobs + tasks + specBytes + packages + packageBytes;
  if (user.roles.has(Role.CELL_ADMIN) && (kept > 0 || version < CALL_BOUNDS))
    return refused(
      `User "${name}" is an admin of the cell, whom only the bounds of the whole cell and those of calls hold: take that role away first, or name --calls, --polls and --work alone`,
    );
  user.bounds = kept === 0 && !boundsCalls(bounds) ? undefined : bounds;
  turn.touch.user(user);
  const words = [
    jobs === 0 ? "" : `${jobs} jobs`,
    tasks === 0 ? "" : `${tasks} tasks`,
    specBytes === 0 ? "" : `${specBytes} bytes of specs`,
    packages === 0 ? "" : `${packages} packages`,
    packageBytes === 0 ? "" : `${packageBytes} bytes of packages`,
    calls === 0 ? "" : `${calls} calls in progress`,
    polls === 0 ? "" : `${polls} waiting calls`,
    workPerSecond === 0 ? "" : `${workPerSecond} units a second`,
  ];
  const detail = words.filter((word) => word !== "").join(", ") || "as everybody";
  turn.emit({ kind: "user.changed", subject: user.id, detail: `bounds: ${detail}` });
  return ok(undefined);
}
