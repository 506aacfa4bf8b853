/** One link of a fuzzer: opens as a borglet, says hello, may wait for the poll to answer it, says something, hangs up, and tells what came back. */
import { connect } from "node:net";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { Random } from "../../src/base/random.ts";
import { decodeFrame, encodeFrame, FrameDecoder, LINK_PROTOCOL } from "../../src/rpc/link-frame.ts";
import { proveMachine } from "../../src/rpc/link-identity.ts";
import { checker } from "../../src/wire/check.ts";
import { type LinkFrame, LinkFrameSchema } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { MachineFactsSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { draw } from "./draw.ts";
import { ANSWER_MS_MAX } from "./settings.ts";
import type { Target } from "./target.ts";

const MACHINE = "m1";
const BORGLETS: readonly string[] = ["hello", "report", "logChunk"];

/** What a report must carry to be the answer to a poll. */
export interface Asked {
  readonly term: number;
  readonly sequence: number;
}

export interface Talk {
  /** It was let in. */
  readonly opened: boolean;
  /** Why it was hung up on; empty when it was not. */
  readonly reason: string;
}

export interface Words {
  /** What is said to the master's challenge. */
  readonly open: (nonce: Uint8Array) => Uint8Array;
  /** Said once the master has polled; without it the link ends after its hello, for a broken opening is never polled. */
  readonly answer: ((asked: Asked) => Uint8Array) | undefined;
}

export const openFrame = (target: Target, nonce: Uint8Array): Uint8Array =>
  encodeFrame({ case: "open", value: { protocol: LINK_PROTOCOL, machine: MACHINE, ...proveMachine(target.identity, MACHINE, nonce) } })!;

const helloFrame = (): Uint8Array => {
  const capacity = { cpuMilli: 4000, ramBytes: 2 ** 32 };
  return encodeFrame({ case: "hello", value: { machine: MACHINE, facts: create(MachineFactsSchema, { capacity, host: "127.0.0.1" }) } })!;
};

export const answerFrame = ({ term, sequence }: Asked): Uint8Array =>
  encodeFrame({ case: "report", value: { machine: MACHINE, term, sequence } })!;

/** Open, hello, the poll that the master answers it with, and then the words. Who is hung up on before the poll has said them in vain. */
export function talk(target: Target, { open, answer }: Words): Promise<Talk> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: target.link });
    const decoder = new FrameDecoder();
    let [opened, polled] = [false, false];
    let reason = "";
    const frame = ({ body }: LinkFrame): void => {
      if (body.case === "challenge") {
        socket.write(open(body.value.nonce));
        socket.write(helloFrame());
        if (answer === undefined) socket.end();
      } else if (body.case === "opened") opened = true;
      else if (body.case === "closed") reason = body.value.reason;
      else if (body.case === "poll" && !polled && answer !== undefined) {
        polled = true;
        socket.end(answer(body.value));
      }
    };
    socket.setTimeout(ANSWER_MS_MAX, () => reject(new Error("The link neither went on nor ended")));
    socket.on("error", () => {});
    socket.on("data", (chunk: Uint8Array) => {
      const cut = decoder.push(chunk, (bytes) => {
        const decoded = decodeFrame(bytes);
        if (decoded.ok) frame(decoded.value);
        else reject(new Error(decoded.reason));
        return true;
      });
      if (!cut.ok) reject(new Error(cut.reason));
    });
    socket.on("close", () => resolve({ opened, reason }));
  });
}

export function framed(message: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(message.length);
  return Buffer.concat([head, message]);
}

/** Mostly what a borglet may say; not of another machine, for it would be refused for that alone; and reports answer the poll, or nobody would look at them. */
export function drawMessage(random: Random, { term, sequence }: Asked): Uint8Array {
  let { body } = draw(LinkFrameSchema, random) as LinkFrame;
  while (!BORGLETS.includes(body.case ?? "") && random.chance(0.9)) ({ body } = draw(LinkFrameSchema, random) as LinkFrame);
  if (body.case === "report" || body.case === "hello") body.value.machine = MACHINE;
  if (body.case === "report") Object.assign(body.value, { term, sequence });
  return toBinary(LinkFrameSchema, create(LinkFrameSchema, { body }));
}

const check = checker(LinkFrameSchema);

/** Why a frame's message should have been refused. */
export function outOfBounds(message: Uint8Array): string | undefined {
  try {
    return check(fromBinary(LinkFrameSchema, message));
  } catch (error) {
    return String(error);
  }
}
