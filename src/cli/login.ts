/** Who sits at this terminal, as a name that a cell takes: also where the login has capitals or underscores, or the user id has no name at all. */
import { userInfo } from "node:os";

const LENGTH_MAX = 63;

export function loginName(ask: () => string = () => userInfo().username): string {
  const name = answerOf(ask)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, LENGTH_MAX);
  return name === "" ? "user" : name;
}

/** Node throws for a user id that stands in no table, as in many containers. */
function answerOf(ask: () => string): string {
  try {
    return ask();
  } catch {
    return "";
  }
}
