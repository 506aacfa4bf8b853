/** Reasons and changes with amounts as people say them: cores and GiB instead of millicores and KiB. */
import { exitWords } from "../../base/exit-words.ts";
import { amountOf, DIMENSIONS, type Vector } from "../../base/vector.ts";
import type { Exit, Task } from "../../cell/state.ts";
import type { Change } from "../../scheduler/change.ts";
import type { Reason } from "../../scheduler/explain.ts";

const KIB_UNITS: readonly (readonly [number, string])[] = [
  [2 ** 30, "TiB"],
  [2 ** 20, "GiB"],
  [2 ** 10, "MiB"],
];

/** What a task does between two runs on its machine. */
export function backOffText({ instance, lastExit }: Task, nowMs: number): string {
  const leftMs = (instance?.backOffUntilMs ?? 0) - nowMs;
  const failures = instance?.failures ?? 0;
  const parts = [
    leftMs > 0 ? `next try in ${Math.ceil(leftMs / 1000)} s` : "its next try is due",
    failures > 1 ? `${failures} runs failed in a row` : "",
    lastExit === undefined ? "" : `last ${exitText(lastExit)}`,
  ];
  return `backs off, ${parts.filter((part) => part !== "").join(", ")}`;
}

/** With the machine's words, where they say more. */
export function exitText({ code, signal, message }: Exit): string {
  const words = exitWords(code, signal);
  return message === "" || message === words ? words : `${words} (${message})`;
}

export function amountText(dimension: string, amount: number): string {
  if (dimension === "cpu") return `${tidy(amount / 1000)} ${amount === 1000 ? "core" : "cores"} of cpu`;
  if (dimension === "ram" || dimension === "disk") return `${bytesText(amount)} of ${dimension}`;
  if (dimension === "bandwidth") return `${bytesText(amount / 1024)}/s of disk bandwidth`;
  if (dimension === "ports") return `${amount} ${amount === 1 ? "port" : "ports"}`;
  return `${amount} ${dimension}`;
}

function bytesText(kib: number): string {
  const [size, unit] = KIB_UNITS.find(([least]) => kib >= least) ?? [1, "KiB"];
  return `${tidy(kib / size)} ${unit}`;
}

/** Three digits that count, without noughts behind them. */
const tidy = (value: number): string => String(Number(value.toPrecision(3)));

/** `by limits` and `by reservations` tell the two sums apart; what is missing is so much where least is. */
export function reasonText({ reason, missing }: Reason): string {
  if (missing === undefined) return reason;
  const by = / by (limits|reservations)$/.exec(reason)?.[0] ?? "";
  return `lacks ${amountText(missing.dimension, missing.amount)} or more${by}`;
}

export function changeText(change: Change, asked: Vector): string {
  if (change.kind !== "less") return change.text;
  const names = [...DIMENSIONS, ...asked.extras.map(({ name }) => name)];
  const less = names.filter((name) => amountIn(change.limit, name) < amountIn(asked, name));
  return `ask for ${less.map((name) => `${amountText(name, amountIn(change.limit, name))} instead of ${amountText(name, amountIn(asked, name))}`).join(", and ")}`;
}

const amountIn = (vector: Vector, name: string): number =>
  (DIMENSIONS as readonly string[]).includes(name) ? vector[name as (typeof DIMENSIONS)[number]] : amountOf(vector, name);
