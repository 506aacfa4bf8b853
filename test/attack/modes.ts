/**
 * Where attacks are tried: root with bubblewrap, root without, a plain user. ATTACK_MODES=all tries all three, as the soak does; else the commit
 * decides which one, so that a row of commits has seen each.
 */
import { spawnSync } from "node:child_process";
import { MODES, type Mode } from "../borglet/stage.ts";

const [ROOT_JAILED, ROOT_PLAIN, , USER_PLAIN] = MODES as readonly [Mode, Mode, Mode, Mode];
const ALL: readonly Mode[] = [ROOT_JAILED, ROOT_PLAIN, USER_PLAIN];

function chosen(): readonly Mode[] {
  if (process.env["ATTACK_MODES"] === "all") return ALL;
  const commit = spawnSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).stdout ?? "";
  const able = ALL.filter(({ skip }) => skip === false);
  return [able[Number.parseInt(commit.slice(0, 8) || "0", 16) % able.length]!];
}

export const ATTACK_MODES: readonly Mode[] = chosen();
