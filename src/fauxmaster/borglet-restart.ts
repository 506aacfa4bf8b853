/** What follows the end of a process on its machine: restart in place under the policy, or a word to the master. */
import { RestartWhen } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Exit, Kept } from "./machine.ts";

/** Restarts on the same machine when the policy is silent. */
const IN_PLACE_MAX = 3;
const BACKOFF_MIN_MS = 1000;
const BACKOFF_MAX_MS = 300_000;

export function afterExit(kept: Kept, exit: Exit): "starting" | "finished" | "failed" | "gone" {
  if (kept.phase === "stopping") return "gone";
  const policy = kept.order.restart;
  const when = policy?.when ?? RestartWhen.UNSPECIFIED;
  const well = exit.code === 0 && exit.signal === 0;
  if (well && when !== RestartWhen.ALWAYS) return "finished";
  if (!well) kept.failures += 1;
  if (when === RestartWhen.NEVER) return "failed";
  if (!well && kept.failures > (policy?.inPlaceMax ?? IN_PLACE_MAX)) {
    kept.message = `Failed ${kept.failures} times on this machine`;
    return "failed";
  }
  return "starting";
}

/** The back-off before the next start. */
export function startsAfterMs(kept: Kept): number {
  const minMs = kept.order.restart?.backoffMinMs || BACKOFF_MIN_MS;
  const maxMs = Math.max(minMs, kept.order.restart?.backoffMaxMs || BACKOFF_MAX_MS);
  return Math.min(maxMs, minMs * 2 ** Math.min(20, Math.max(0, kept.failures - 1)));
}
