/** Who may evict whom (Borg §2.5). */
import { bandOf, isProd } from "../wire/band.ts";
import type { Instance } from "./state.ts";

/**
 * Victims have lower priority; production never evicts production and monitoring never monitoring, which stops cascades
 * (§2.5); a task over its memory limit goes first, whoever asks (§5.5). [KP1]
 */
export function mayEvict(priority: number, victim: Instance): boolean {
  if (victim.overRam) return true;
  if (victim.priority >= priority) return false;
  return !isProd(victim.priority) || bandOf(victim.priority) !== bandOf(priority);
}
