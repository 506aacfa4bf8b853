/** A failed run in words: what broke, under which options, the last events, and one command that shows it again. */

import { describeOptions, drawOptions, FAULT_KINDS, type Options } from "./options.ts";
import type { Kernel } from "./world/kernel.ts";

/** With what differs from the world that the seed draws. */
export function replayCommand(options: Options): string {
  const drawn = drawOptions(options.seed);
  const faults = FAULT_KINDS.filter((name) => options.faults.has(name)).join(",");
  const args = [
    ["cell", options.cell, drawn.cell],
    ["faults", faults === "" ? "none" : faults, FAULT_KINDS.filter((name) => drawn.faults.has(name)).join(",") || "none"],
    ["clients", options.clients, drawn.clients],
    ["machines", options.machines, drawn.machines],
    ["batch", options.batch, drawn.batch],
    ["frameworks", options.frameworks, drawn.frameworks],
    ["safety", options.safetyMs, drawn.safetyMs],
  ] as const;
  const told = args.filter(([, value, usual]) => value !== usual).map(([name, value]) => `--${name} ${value}`);
  return `make sim SEED=${options.seed}${told.length === 0 ? "" : ` ARGS="${told.join(" ")}"`}`;
}

export function failureReport(kernel: Kernel, options: Options): string {
  const { violation } = kernel;
  if (violation === undefined) return `Seed ${options.seed} broke nothing`;
  return [
    `Seed ${options.seed} broke ${violation.id} at ${violation.timeMs} ms: ${violation.text}`,
    `Options: ${describeOptions(options)}`,
    `Faults: ${kernel.faults}`,
    `Probes: ${kernel.probes}`,
    "Last events:",
    ...kernel.trace.lines(),
    `Replay: ${replayCommand(options)}`,
    "",
  ].join("\n");
}
