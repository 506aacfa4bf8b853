/** Receives the body of a request: never more of it, for longer, or beside more others than the bounds say. */

import type { Bounds } from "../bounds.ts";
import { CallError } from "../call-error.ts";
import type { HttpRequest } from "./http.ts";

/** Bytes of bodies in memory, of all requests of one server together. */
export interface BodyBudget {
  bytes: number;
}

/** Throws a CallError; the request is then left paused, and who answers decides what becomes of the rest. */
export async function receiveBody(request: HttpRequest, bounds: Bounds, budget: BodyBudget): Promise<Uint8Array> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > bounds.bodyBytes) throw tooLarge(bounds, String(declared));
  let bytes = 0;
  try {
    return await collect(request, bounds, (more) => {
      bytes += more;
      budget.bytes += more;
      if (bytes > bounds.bodyBytes) return tooLarge(bounds, "more");
      return budget.bytes > bounds.bodiesBytes ? tooMany() : undefined;
    });
  } finally {
    budget.bytes -= bytes;
  }
}

function collect(request: HttpRequest, bounds: Bounds, count: (bytes: number) => CallError | undefined): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    const stop = (error: CallError) => {
      done();
      request.pause();
      reject(error);
    };
    const data = (chunk: Uint8Array) => {
      chunks.push(chunk);
      const problem = count(chunk.length);
      if (problem !== undefined) stop(problem);
    };
    const end = () => {
      done();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    const gone = () => stop(new CallError("cancelled", "The request ended before its body was complete"));
    const timer = setTimeout(() => stop(tooSlow(bounds)), bounds.receiveMs);
    const done = () => {
      clearTimeout(timer);
      request.off("data", data).off("end", end).off("close", gone).off("error", gone).off("aborted", gone);
      request.on("error", ignore);
    };
    request.on("data", data).on("end", end).on("close", gone).on("error", gone).on("aborted", gone);
  });
}

/** An error after the body was received is only the connection's end, which others notice. */
const ignore = () => {};

const tooLarge = ({ bodyBytes }: Bounds, found: string): CallError =>
  new CallError(
    "too-large",
    `Expected a body of at most ${bodyBytes} bytes, found ${found}: ship large files in a package (borg package push)`,
  );

const tooSlow = ({ receiveMs }: Bounds): CallError =>
  new CallError("bad-request", `Expected the whole body within ${receiveMs} ms, and it did not come: send it again`);

const tooMany = (): CallError =>
  new CallError("unavailable", "Too many bodies are being received: try again in 1 s", { retryAfterMs: 1000 });
