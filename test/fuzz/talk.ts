/** One link of a fuzzer: opens, says something, hangs up, and tells what came back. */
import { connect } from "node:net";
import { toBinary } from "@bufbuild/protobuf";
import type { Random } from "../../src/base/random.ts";
import { decodeFrame, FrameDecoder } from "../../src/rpc/link-frame.ts";
import { type LinkFrame, LinkFrameSchema } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { draw } from "./draw.ts";
import type { Target } from "./target.ts";

const BORGLETS: readonly string[] = ["hello", "report", "logChunk"];
const HANG_MS = 10_000;

export interface Talk {
  /** It was let in. */
  readonly opened: boolean;
  /** Why it was hung up on; empty when it was not. */
  readonly reason: string;
}

/** Opens a link, says something, hangs up, and tells what came back. */
export function talk(target: Target, pieces: readonly Uint8Array[]): Promise<Talk> {
  return new Promise((resolve, reject) => {
    const socket = connect(target.linkPort, "127.0.0.1");
    const decoder = new FrameDecoder();
    let opened = false;
    let reason = "";
    socket.setTimeout(HANG_MS, () => reject(new Error("The link neither went on nor ended")));
    socket.on("error", () => {});
    socket.on("data", (chunk: Uint8Array) => {
      const cut = decoder.push(chunk, (bytes) => {
        const frame = decodeFrame(bytes);
        if (!frame.ok) reject(new Error(frame.reason));
        else if (frame.value.body.case === "opened") opened = true;
        else if (frame.value.body.case === "closed") reason = frame.value.body.value.reason;
        return true;
      });
      if (!cut.ok) reject(new Error(cut.reason));
    });
    socket.on("close", () => resolve({ opened, reason }));
    for (const piece of pieces) socket.write(piece);
    socket.end();
  });
}

export function framed(message: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(message.length);
  return Buffer.concat([head, message]);
}

/** Mostly what a borglet may say; and not of another machine, for it would be refused for that alone. */
export function drawFrame(random: Random, machine: string): Uint8Array {
  let drawn = draw(LinkFrameSchema, random) as LinkFrame;
  while (!BORGLETS.includes(drawn.body.case ?? "") && random.chance(0.9)) drawn = draw(LinkFrameSchema, random) as LinkFrame;
  if (drawn.body.case === "report" || drawn.body.case === "hello") drawn.body.value.machine = machine;
  return toBinary(LinkFrameSchema, drawn);
}
