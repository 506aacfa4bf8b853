/** The time a caller gives a call, as the protocols write it: Connect-Timeout-Ms: 1500, grpc-timeout: 1500m. */
import { CallError } from "../call-error.ts";

const UNIT_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** Takes the headers away, so that nobody else acts on them; undefined when the caller named no time. */
export function takeTimeoutMs(headers: Headers): number | undefined {
  const connect = headers.get("connect-timeout-ms");
  const grpc = headers.get("grpc-timeout");
  headers.delete("connect-timeout-ms");
  headers.delete("grpc-timeout");
  if (connect !== null) {
    if (!/^\d{1,10}$/.test(connect)) throw malformed("Connect-Timeout-Ms", connect, "milliseconds, as in 1500");
    return Number(connect);
  }
  if (grpc === null) return undefined;
  const parts = /^(\d{1,8})([HMSmun])$/.exec(grpc);
  if (parts === null) throw malformed("grpc-timeout", grpc, "a number and a unit, as in 1500m");
  return Math.ceil(Number(parts[1]) * UNIT_MS[parts[2]!]!);
}

const malformed = (header: string, value: string, expected: string): CallError =>
  new CallError("bad-request", `Cannot read header ${header}: expected ${expected}, found ${JSON.stringify(value.slice(0, 40))}`);
