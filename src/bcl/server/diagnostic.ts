/** Problems as an editor shows them, each in the document that is open. */
import type { Problem } from "../problem.ts";
import type { Span } from "../source.ts";
import { type Json, rangeOf } from "./protocol.ts";

const ERROR = 1;

export function diagnosticsOf(path: string, problems: readonly Problem[]): readonly Json[] {
  return problems.flatMap((problem) => {
    const span = spanIn(path, problem);
    if (span === undefined) return [];
    const elsewhere = problem.span.source.path === path ? "" : ` (in ${problem.span.source.path})`;
    const hint = problem.hint === undefined ? "" : `\n${problem.hint}`;
    return [
      {
        range: rangeOf(span.source.text, span.start, span.end),
        severity: ERROR,
        source: "bcl",
        message: `${problem.message}${elsewhere}${hint}`,
      },
    ];
  });
}

/** The place itself, or the first step of the way that is in this document: the call, the extension, the import. */
function spanIn(path: string, problem: Problem): Span | undefined {
  return [problem.span, ...problem.way.map((step) => step.span)].find((span) => span.source.path === path);
}
