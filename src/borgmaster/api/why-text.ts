/** Reasons and changes with amounts as people say them: cores and GiB instead of millicores and KiB. */

import { isDimension, MEASURES } from "../../base/dimension.ts";
import { exitWords } from "../../base/exit-words.ts";
import { amountIn, namesIn, type Vector } from "../../base/vector.ts";
import { resourcesOf } from "../../cell/amounts.ts";
import type { Exit, Task } from "../../cell/state.ts";
import type { Reason } from "../../scheduler/explain.ts";
import type { Suggestion } from "../../scheduler/suggestion.ts";
import type { Init } from "../../wire/codec.ts";
import type { ExplainChangeSchema } from "../../wire/gen/borg/v1/api_pb.ts";

const UNITS: readonly (readonly [number, string])[] = [
  [2 ** 40, "TiB"],
  [2 ** 30, "GiB"],
  [2 ** 20, "MiB"],
];

/** What a task does between two runs on its machine. */
export function backOffText({ instance, past: { lastExit } }: Task, nowMs: number): string {
  const leftMs = (instance?.faring.backOffUntilMs ?? 0) - nowMs;
  const failures = instance?.faring.failures ?? 0;
  const parts = [
    leftMs > 0 ? `next try in ${Math.ceil(leftMs / 1000)} s` : "its next try is due",
    failures > 1 ? `${failures} runs failed in a row` : "",
    lastExit === undefined ? "" : `last ${exitText(lastExit)}`,
  ];
  return `backs off, ${parts.filter((part) => part !== "").join(", ")}`;
}

/** Of one that runs now, but whose last run failed, here or elsewhere: who asks between two failures should hear of them. */
export function troubleText({ instance, failures, past: { lastExit } }: Task): string {
  const isTroubled = failures > 0 || (instance?.faring.failures ?? 0) > 0;
  return isTroubled && lastExit !== undefined ? `has failed before, last ${exitText(lastExit)}` : "";
}

/** With the machine's words, where they say more. */
export function exitText({ code, signal, message }: Exit): string {
  const words = exitWords(code, signal);
  return message === "" || message === words ? words : `${words} (${message})`;
}

export function amountText(dimension: string, amount: number): string {
  if (!isDimension(dimension)) return `${amount} ${dimension}`;
  const { noun, scale, written } = MEASURES[dimension];
  switch (written) {
    case "cores":
      return `${tidy(amount / 1000)} ${amount === 1000 ? "core" : "cores"} of ${noun}`;
    case "bytes":
      return `${bytesText(amount * scale)} of ${noun}`;
    case "rate":
      return `${bytesText(amount * scale)}/s of ${noun}`;
    case "count":
      return `${amount} ${amount === 1 ? noun.replace(/s$/, "") : noun}`;
  }
}

function bytesText(bytes: number): string {
  const [size, unit] = UNITS.find(([least]) => bytes >= least) ?? [2 ** 10, "KiB"];
  return `${tidy(bytes / size)} ${unit}`;
}

/** Three digits that count, without noughts behind them. */
const tidy = (value: number): string => String(Number(value.toPrecision(3)));

/** `by limits` and `by reservations` tell the two sums apart; what is missing is so much where least is. */
export function reasonText({ reason, missing }: Reason): string {
  if (missing === undefined) return reason;
  const by = / by (limits|reservations)$/.exec(reason)?.[0] ?? "";
  return `lacks ${amountText(missing.dimension, missing.amount)} or more${by}`;
}

/** The same for programs. */
export function changeParts(change: Suggestion): Init<typeof ExplainChangeSchema> {
  if (change.kind === "less") return { limit: resourcesOf(change.limit) };
  if (change.kind === "priority") return { priority: change.priority };
  if (change.kind === "constraint") return { without: change.without };
  return change.kind === "spread" ? { spread: change.to } : { beside: change.without };
}

export function changeText(change: Suggestion, asked: Vector): string {
  if (change.kind !== "less") return change.text;
  const less = namesIn(asked).filter((name) => amountIn(change.limit, name) < amountIn(asked, name));
  return `ask for ${less.map((name) => `${amountText(name, amountIn(change.limit, name))} instead of ${amountText(name, amountIn(asked, name))}`).join(", and ")}`;
}
