/** Which protocol a new socket speaks, from its first bytes, which are put back. HTTP/2 begins with a fixed preface, TLS with a record of type 22. */
import type { Socket } from "node:net";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
const TLS_HANDSHAKE = 22;

export type Protocol = "http1" | "http2" | "tls";

/** `then` is called at most once; never when the socket ends before it has said enough. Time is the caller's to watch. */
export function peek(socket: Socket, then: (protocol: Protocol) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const readable = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const protocol = protocolOf(seen);
    if (protocol === undefined) return;
    socket.off("readable", readable);
    socket.unshift(seen);
    then(protocol);
  };
  socket.on("readable", readable);
}

/** Undefined while it may still become HTTP/2. */
function protocolOf(seen: Buffer): Protocol | undefined {
  if (seen[0] === TLS_HANDSHAKE) return "tls";
  const length = Math.min(seen.length, PREFACE.length);
  if (!seen.subarray(0, length).equals(PREFACE.subarray(0, length))) return "http1";
  return length < PREFACE.length ? undefined : "http2";
}
