/** What a cell does until `cellConfigure` says otherwise, and the bounds it keeps whatever anyone says. */
import { make } from "../wire/codec.ts";
import { type CellConfig, CellConfigSchema } from "../wire/gen/borg/v1/op_pb.ts";
import { NOTICE_MS_DEFAULT, RESTART_DEFAULTS } from "../wire/spec-defaults.ts";

export const DEFAULT_CONFIG: CellConfig = make(CellConfigSchema, {
  deadJobKeepMs: 3_600_000,
  noticeMs: NOTICE_MS_DEFAULT,
  backoffMinMs: RESTART_DEFAULTS.backoffMinMs,
  backoffMaxMs: RESTART_DEFAULTS.backoffMaxMs,
});
