/** A failed run in words: what broke, under which options, the last events, and one command that shows it again. */
import type { Kernel } from "./kernel.ts";
import { describeOptions, type Options } from "./options.ts";

export const replayCommand = (options: Options): string => `make sim SEED=${options.seed}`;

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
