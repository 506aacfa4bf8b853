/**
 * The wall clock of a machine that only its processes of Node see: loaded before a program (NODE_OPTIONS), it adds to every reading the milliseconds that the file in WRONG_CLOCK
 * has at that moment. The monotonic clock, the kernel's own times and OpenSSL's look at certificates stay right, and so does etcd, which waits by the monotonic clock alone.
 */
import { readFileSync } from "node:fs";

/** The file is read again after so long. */
const READ_MS = 20;

const file = process.env["WRONG_CLOCK"] ?? "";
const right = Date.now;
let [aheadMs, readMs] = [0, Number.NEGATIVE_INFINITY];

function now(): number {
  if (performance.now() - readMs > READ_MS) {
    readMs = performance.now();
    aheadMs = Number(readFileSync(file, "utf8"));
  }
  return right() + aheadMs;
}

Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, as) => Reflect.construct(target, args.length === 0 ? [now()] : args, as),
});
