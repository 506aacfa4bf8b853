/** One end of a link: a socket that speaks frames. It ends once, with a reason, and never holds more unsent bytes than its bound. */
import type { Socket } from "node:net";
import type { LinkFrame } from "../wire/gen/borg/v1/link_pb.ts";
import { encodeFrame, type FrameBody, type FrameCodec, FrameDecoder, LINK_FRAMES } from "./link-frame.ts";

/** Bytes that may wait to be sent on one link; more end it: who does not read for so long must begin anew. */
export const UNSENT_BYTES_MAX = 32 * 2 ** 20;
/** For a reason to reach the other side before the socket is destroyed. */
const FAREWELL_MS = 1000;
const REASON_LENGTH_MAX = 512;

export interface FrameSocketEvents<Frame = LinkFrame> {
  readonly onFrame: (frame: Frame) => void;
  /** Once, whoever ends it. */
  readonly onClose: (reason: string) => void;
}

export class FrameSocket<Frame = LinkFrame, Body extends { readonly case: string } = FrameBody> {
  readonly #socket: Socket;
  readonly #events: FrameSocketEvents<Frame>;
  readonly #codec: FrameCodec<Frame, Body>;
  readonly #decoder: FrameDecoder;
  #closed = false;
  /** When bytes last came, on the clock of performance.now(). */
  heardMs = performance.now();

  constructor(
    socket: Socket,
    bytesMax: number,
    events: FrameSocketEvents<Frame>,
    codec: FrameCodec<Frame, Body> = LINK_FRAMES as unknown as FrameCodec<Frame, Body>,
  ) {
    this.#socket = socket;
    this.#events = events;
    this.#codec = codec;
    this.#decoder = new FrameDecoder(bytesMax);
    socket.setNoDelay(true);
    socket.setKeepAlive(true);
    socket.on("data", this.#onData);
    socket.on("error", this.#onError);
    socket.on("close", this.#onClose);
  }

  readonly #onData = (chunk: Uint8Array): void => this.#receive(chunk);
  readonly #onError = (error: Error): void => this.#end(error.message);
  readonly #onClose = (): void => this.#end("the other side hung up");

  get closed(): boolean {
    return this.#closed;
  }

  set bytesMax(bytes: number) {
    this.#decoder.bytesMax = bytes;
  }

  /** False: the link is closed, or is closed now because it cannot take this. */
  send(body: Body): boolean {
    if (this.#closed) return false;
    const bytes = this.#codec.encode(body);
    if (bytes === undefined) {
      this.close(`Cannot send ${body.case}: the frame is too long`);
      return false;
    }
    if (this.#socket.writableLength + bytes.length > UNSENT_BYTES_MAX) {
      this.close(`More than ${UNSENT_BYTES_MAX} bytes wait to be sent`);
      return false;
    }
    this.#socket.write(bytes);
    return true;
  }

  /** `tell`: the other side is told why. */
  close(reason: string, tell = false): void {
    if (this.#closed) return;
    if (tell) {
      const farewell = encodeFrame({ case: "closed", value: { reason: oneLine(reason) } });
      this.#socket.end(farewell ?? "");
      setTimeout(() => this.#socket.destroy(), FAREWELL_MS).unref();
    } else {
      this.#socket.destroy();
    }
    this.#end(reason);
  }

  /** The socket as it was before: from now on somebody else reads it. Nothing may be half read, so only where the other side waits for an answer. */
  release(): Socket {
    this.#closed = true;
    return this.#socket
      .off("data", this.#onData)
      .off("close", this.#onClose)
      .off("error", this.#onError)
      .on("error", () => this.#socket.destroy());
  }

  #receive(chunk: Uint8Array): void {
    if (this.#closed) return;
    this.heardMs = performance.now();
    const cut = this.#decoder.push(chunk, (bytes) => {
      const frame = this.#codec.decode(bytes);
      if (frame.ok) this.#events.onFrame(frame.value);
      else this.close(frame.reason, true);
      return !this.#closed;
    });
    if (!cut.ok) this.close(cut.reason, true);
  }

  #end(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#events.onClose(reason);
  }
}

/** As the receiver's check wants it. */
const oneLine = (reason: string): string =>
  reason
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]/gu, " ")
    .slice(0, REASON_LENGTH_MAX);
