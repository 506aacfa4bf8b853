/**
 * What stands for a request in the cell's memory: 16 bytes of a hash over what the caller sent, so that the same request id with something else in
 * it is told apart. It is taken of the request and not of the op, because an op may hold what the edge filled in, such as the time when a token ends.
 */
import type { NewHash } from "../../base/sha256.ts";
import { encode } from "../../wire/codec.ts";
import { digestOf } from "../../wire/digest.ts";
import { CellService } from "../../wire/gen/borg/v1/api_pb.ts";

type Methods = (typeof CellService)["method"];
/** Calls whose message carries a request id. */
export type ChangeMethod = {
  [M in keyof Methods]: Parameters<typeof encode<Methods[M]["input"]>>[1] extends { requestId: string } ? M : never;
}[keyof Methods];
export type ChangeRequest<M extends ChangeMethod> = Parameters<typeof encode<Methods[M]["input"]>>[1];

/** The id is left out. A deadline is not in the message, and the encoding of a checked message is canonical. */
export function requestDigest<M extends ChangeMethod>(method: M, request: ChangeRequest<M>, newHash?: NewHash): Uint8Array {
  return digestOf(method, encode(CellService.method[method].input, { ...request, requestId: "" }), newHash);
}
