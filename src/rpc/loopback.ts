/** Where a server without TLS may listen: only where no other machine can reach it. */
import { isIPv4 } from "node:net";

export function assertLoopback(host: string): void {
  if (host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."))) return;
  throw new Error(`Cannot listen on "${host}": without TLS only this machine may be served, use 127.0.0.1, ::1 or localhost`);
}
