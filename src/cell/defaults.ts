/** What a cell does until `cellConfigure` says otherwise, and the bounds it keeps whatever anyone says. */
import { make } from "../wire/codec.ts";
import { type CellConfig, CellConfigSchema } from "../wire/gen/borg/v1/op_pb.ts";

export const DEFAULT_CONFIG: CellConfig = make(CellConfigSchema, {
  deadJobKeepMs: 3_600_000,
  noticeMs: 10_000,
  backoffMinMs: 1_000,
  backoffMaxMs: 300_000,
});
