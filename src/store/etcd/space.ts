/** How full etcd is. At its quota it refuses every put until an operator has made room, so the cell stops taking more well before. */
import type { Space } from "../../wire/journal.ts";
import type { EtcdStatus } from "./port.ts";

/** etcd's own default. */
export const QUOTA_BYTES = 2 * 2 ** 30;
const ALARM = 0.5;
const NO_SUBMITS = 0.8;

export function spaceOf(
  { usedBytes, quotaBytes, isFull }: Pick<EtcdStatus, "usedBytes" | "quotaBytes" | "isFull">,
  quotaOtherwise = QUOTA_BYTES,
): Space {
  const quota = quotaBytes > 0 ? quotaBytes : quotaOtherwise;
  const part = usedBytes / quota;
  const words = `etcd uses ${Math.round(part * 100)} % of its ${Math.round(quota / 2 ** 20)} MiB`;
  if (isFull) return { level: "full", reason: `${words} and raised its alarm NOSPACE` };
  if (part >= NO_SUBMITS) return { level: "full", reason: `${words}: no jobs are taken at ${NO_SUBMITS * 100} %` };
  return part >= ALARM
    ? { level: "alarm", reason: `${words}: no jobs will be taken at ${NO_SUBMITS * 100} %` }
    : { level: "fine", reason: words };
}
