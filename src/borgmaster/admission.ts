/**
 * What is looked at before an op may wait for its entry: is it well-formed, is it small enough. Everything that depends on the state is decided
 * in apply, when the op's turn has come: a master that does not know yet that another one leads must not refuse from an old state.
 */
import { OP_BYTES_MAX, type Op, opFault } from "../cell/op.ts";
import { encode } from "../wire/codec.ts";
import { OpSchema } from "../wire/gen/borg/v1/op_pb.ts";

export const opBytes = (op: Op): number => encode(OpSchema, op).length;

/** Why an op can never be done, in words. */
export function admissionProblem(op: Op): string | undefined {
  const fault = opFault(op);
  if (fault !== undefined) return `Op${fault}`;
  const bytes = opBytes(op);
  return bytes > OP_BYTES_MAX
    ? `Expected at most ${OP_BYTES_MAX} bytes in one op, found ${bytes}: ship large files in a package`
    : undefined;
}
