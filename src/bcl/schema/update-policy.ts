/** How an update goes: the same for jobs and alloc sets. */
import { UPDATE_DEFAULTS } from "../../wire/spec-defaults.ts";
import { quantityText } from "../quantity.ts";
import { DAY_MS } from "./common.ts";
import { field } from "./field.ts";
import { duration, whole } from "./type.ts";

const time = (amount: number): string => quantityText({ amount, dimension: "duration" });

export const UPDATE = {
  batch: field(whole(1, 100_000), "How many tasks are changed at a time.", "batch = 5", { default: String(UPDATE_DEFAULTS.batch) }),
  disruptions_max: field(
    whole(0, 100_000),
    "How many tasks an update may make leave their machine; changes beyond that are skipped. Unset: any number.",
    "disruptions_max = 10",
  ),
  watch: field(duration(DAY_MS), "How long a changed task must be well before the next one.", "watch = 30s", {
    default: time(UPDATE_DEFAULTS.watchMs),
  }),
  failures_max: field(whole(0, 100_000), "How many changed tasks may fail; more undo the update.", "failures_max = 2", {
    default: String(UPDATE_DEFAULTS.failuresMax),
  }),
};

interface Read {
  readonly batch?: number | undefined;
  readonly watch?: number | undefined;
  readonly failures_max?: number | undefined;
  readonly disruptions_max?: number | undefined;
}

/** `unsaid`: what holds for what the file leaves out. */
export const updatePolicy = (
  read: Read | undefined,
  unsaid: { readonly batch: number; readonly watchMs: number; readonly failuresMax: number } = { batch: 0, watchMs: 0, failuresMax: 0 },
): { readonly batch: number; readonly watchMs: number; readonly failuresMax: number; readonly disruptionsMax?: number } => ({
  batch: read?.batch ?? unsaid.batch,
  watchMs: read?.watch ?? unsaid.watchMs,
  failuresMax: read?.failures_max ?? unsaid.failuresMax,
  ...(read?.disruptions_max === undefined ? {} : { disruptionsMax: read.disruptions_max }),
});
