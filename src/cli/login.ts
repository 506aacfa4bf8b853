/** Who sits at this terminal, as a name that a cell takes: also where the login has capitals or underscores. */
import { userInfo } from "node:os";

const LENGTH_MAX = 63;

export function loginName(): string {
  const name = userInfo()
    .username.toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, LENGTH_MAX);
  return name === "" ? "user" : name;
}
