/**
 * How a machine from elsewhere asks for its certificate: it dials the port of borglets, believes nothing before the other side has shown a master's
 * certificate, and sends a request that was signed with its own key. The key is never sent.
 */
import type { Init } from "../wire/codec.ts";
import type { ResourcesSchema } from "../wire/gen/borg/v1/resource_pb.ts";
import { FrameSocket } from "./frame-socket.ts";
import { dial, type LinkAddress } from "./link-client.ts";
import { LINK_PROTOCOL, OPEN_BYTES_MAX } from "./link-frame.ts";
import type { JoinAnswer } from "./link-server.ts";

const ANSWER_MS = 20_000;

export interface JoinAsk {
  readonly machine: string;
  /** DER. */
  readonly request: Uint8Array;
  readonly token: string;
  readonly capacity: Init<typeof ResourcesSchema>;
}

/** `unreachable`: nobody answered, or nobody who is a master of that cell. */
export type JoinOutcome = JoinAnswer | { readonly type: "unreachable"; readonly reason: string };

export function askToJoin(at: LinkAddress & { readonly kind: "tls" }, ask: JoinAsk, answerMs = ANSWER_MS): Promise<JoinOutcome> {
  const { promise, resolve } = Promise.withResolvers<JoinOutcome>();
  let isChallenged = false;
  const socket = new FrameSocket(dial(at), OPEN_BYTES_MAX, {
    onFrame: ({ body }) => {
      if (body.case === "challenge") {
        isChallenged = true;
        socket.send({ case: "join", value: { protocol: LINK_PROTOCOL, ...ask } });
      } else if (body.case === "joined") {
        const { certificate, authorities } = body.value;
        resolve({ type: "joined", certificate, authorities });
      } else if (body.case === "waiting") resolve({ type: "waiting", key: body.value.key });
      else if (body.case === "closed") resolve({ type: isChallenged ? "refused" : "unreachable", reason: body.value.reason });
      else socket.close(`Expected what a master says, found ${body.case}`);
    },
    onClose: (reason) => resolve({ type: "unreachable", reason }),
  });
  const timer = setTimeout(() => socket.close(`No answer within ${answerMs} ms`), answerMs);
  void promise.finally(() => {
    clearTimeout(timer);
    socket.close("done");
  });
  return promise;
}
