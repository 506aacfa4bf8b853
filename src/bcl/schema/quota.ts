/** The fields of a quota: what a user may have admitted in one band. */

import { DIMENSIONS, MEASURES } from "../../base/dimension.ts";
import { bandOf, bandOfWire, isProd, wireBand } from "../../wire/band.ts";
import { checker } from "../../wire/check.ts";
import { make } from "../../wire/codec.ts";
import { type Band, type Quota, QuotaSchema } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Tuple } from "../evaluator/tuple.ts";
import type { Span } from "../source.ts";
import { identity, priority, resourcesWith, toResources } from "./common.ts";
import { dateType } from "./date.ts";
import { field, readFields } from "./field.ts";
import type { Reader } from "./reader.ts";
import { boolean, bytes, whole } from "./type.ts";

export interface QuotaSpec {
  readonly user: string;
  readonly band: Band;
  readonly quota: Quota;
}

export const QUOTA = {
  user: field(identity.user.type, "Whose quota it is. Taken from the declaration: `quota ubar = ...` is for ubar.", 'user = "ubar"', {
    default: "declared_name",
    shown: "the name of the declaration",
  }),
  band: field(priority, "The band: free, batch, production or monitoring.", "band = production", { required: true }),
  ...resourcesWith("For all tasks together."),
  disk_bandwidth: field(bytes(1e15), "Bytes a second, all tasks together. Unset: no limit.", "disk_bandwidth = 500Mi"),
  ports: field(whole(0, 1e9), "Ports, all tasks together. Unset: no limit.", "ports = 100"),
  unlimited: field(boolean, "No limit at all; not to be had in production and monitoring.", "unlimited = true", { default: "false" }),
  until: field(dateType, "The end of the period (UTC). Afterwards nothing new is admitted. Unset: for ever.", 'until = "2030-12-31"'),
};

const check = checker(QuotaSchema);

/** What has a field of its own in Quota, because nothing said is no limit: that field, and its word. */
const OWN = DIMENSIONS.flatMap((dimension) => {
  const { quota, word } = MEASURES[dimension];
  return quota === undefined ? [] : [[quota, word] as const];
});

export function toQuota(reader: Reader, tuple: Tuple, what: string, span: Span): QuotaSpec | undefined {
  const before = reader.problemCount;
  const read = readFields(reader, tuple, QUOTA, what, span, ["name"]);
  if (read.unlimited === true && isProd(read.band ?? 0)) {
    reader.report(
      tuple.cell("unlimited")?.span ?? span,
      "Quota cannot be unlimited in production and monitoring",
      "what was sold there must exist; give amounts",
    );
  }
  if (reader.problemCount > before) return undefined;
  const quota = make(QuotaSchema, {
    limit: toResources({ ...read, ...Object.fromEntries(OWN.map(([, word]) => [word, undefined])) }),
    unlimited: read.unlimited ?? false,
    untilMs: read.until ?? 0,
    ...Object.fromEntries(OWN.flatMap(([field, word]) => (read[word] === undefined ? [] : [[field, read[word]]]))),
  });
  const problem = check(quota);
  if (problem !== undefined) {
    reader.report(span, `${what} cannot be sent to a cell: ${problem.replace(/^\./, "")}`);
    return undefined;
  }
  return { user: read.user ?? "", band: wireBand(bandOf(read.band ?? 0)), quota };
}

export const bandText = (band: Band): string => bandOfWire(band) ?? "no band";
