/** Which protocol a new socket speaks, from its first bytes, which are put back. HTTP/2 begins with a fixed preface. */
import type { Socket } from "node:net";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

/** `then` is called at most once; never when the socket ends before it has said enough. Time is the caller's to watch. */
export function peek(socket: Socket, then: (protocol: "http1" | "http2") => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const readable = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const length = Math.min(seen.length, PREFACE.length);
    const preface = seen.subarray(0, length).equals(PREFACE.subarray(0, length));
    if (preface && length < PREFACE.length) return;
    socket.off("readable", readable);
    socket.unshift(seen);
    then(preface ? "http2" : "http1");
  };
  socket.on("readable", readable);
}
