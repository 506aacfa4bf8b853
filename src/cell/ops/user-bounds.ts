/** What one user may make the cell remember, where that is not what everybody may. */
import { userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type BoundsSet, Role } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Turn } from "../turn.ts";
import { STRANGERS } from "../version.ts";

/** What a user has already stays, also above a lower bound. */
export function setBounds(turn: Turn, { user: name, bounds }: BoundsSet): Result<undefined> {
  if (turn.state.version < STRANGERS) return refused("The cell's version has no bounds of users yet: upgrade every master of the cell");
  const user = turn.state.users.get(userId(name));
  if (user === undefined) return refused(`User "${name}" is unknown: grant a role first`);
  if (user.roles.has(Role.CELL_ADMIN))
    return refused(`User "${name}" is an admin of the cell, whom only the bounds of the whole cell hold: take that role away first`);
  if (bounds === undefined) return refused("Bounds are missing: name what the user may have");
  const { jobs, tasks, specBytes, packages, packageBytes } = bounds;
  user.bounds = jobs + tasks + specBytes + packages + packageBytes === 0 ? undefined : bounds;
  turn.touch.user(user);
  const words = [
    jobs === 0 ? "" : `${jobs} jobs`,
    tasks === 0 ? "" : `${tasks} tasks`,
    specBytes === 0 ? "" : `${specBytes} bytes of specs`,
    packages === 0 ? "" : `${packages} packages`,
    packageBytes === 0 ? "" : `${packageBytes} bytes of packages`,
  ];
  const detail = words.filter((word) => word !== "").join(", ") || "as everybody";
  turn.emit({ kind: "user.changed", subject: user.id, detail: `bounds: ${detail}` });
  return ok(undefined);
}
