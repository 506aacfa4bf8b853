/**
 * What stands for a request in logs and events, from the command to the tasks that it started. It is made of the request id by a hash, because who knows a request
 * id could repeat a change, and logs and events are read by others.
 */
import { newSha256 } from "./sha256.ts";

export const TRACE_LENGTH = 16;

/** Empty where there is no request id. */
export function traceOf(user: string, requestId: string): string {
  if (requestId === "") return "";
  const bytes = Uint8Array.from(`trace ${user} ${requestId}`, (letter) => letter.charCodeAt(0));
  return newSha256().update(bytes).hex().slice(0, TRACE_LENGTH);
}
