/** Declarations to the typed specs of wire, with the checks across declarations. */
import type { AllocSetSpec, JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { declarationText } from "../evaluator/evaluator.ts";
import { LineTable, type Span } from "../source.ts";
import { toAllocSet } from "./alloc-set.ts";
import type { Declaration } from "./collect.ts";
import { bandText, type QuotaSpec, toQuota } from "./quota.ts";
import type { Reader } from "./reader.ts";
import { readService } from "./service.ts";
import { toJob } from "./to-job.ts";

/** Several jobs as one. */
export interface ServiceGroup {
  readonly name: string;
  readonly jobs: readonly string[];
  readonly allocSets: readonly string[];
}

/** What a file asks for, typed and checked. */
export interface Result {
  readonly jobs: readonly JobSpec[];
  readonly allocSets: readonly AllocSetSpec[];
  readonly quotas: readonly QuotaSpec[];
  readonly services: readonly ServiceGroup[];
}

interface Draft {
  readonly jobs: JobSpec[];
  /** Where each job, by user and name, says what it waits for. */
  readonly waits: Map<string, Wait>;
  readonly allocSets: AllocSetSpec[];
  readonly quotas: QuotaSpec[];
  /** By the name of the declaration, which its own field `name` may change. */
  readonly services: Map<string, { readonly name: string; readonly jobs: string[]; readonly allocSets: string[] }>;
}

interface Wait {
  readonly after: string;
  readonly span: Span;
}

export function convert(reader: Reader, declarations: readonly Declaration[]): Result {
  const draft: Draft = { jobs: [], waits: new Map(), allocSets: [], quotas: [], services: new Map() };
  const names = new Map<string, Span>();
  for (const declaration of declarations) {
    const { tuple } = declaration;
    if (tuple === undefined) continue;
    const what = declarationText(declaration.role, declaration.name);
    reader.evaluator.way.push({ what: "field", name: declaration.name, span: declaration.span, role: declaration.role });
    const key = convertOne(reader, declaration, `${what[0]!.toUpperCase()}${what.slice(1)}`, draft, declarations);
    const earlier = key === undefined ? undefined : names.get(key);
    if (earlier !== undefined)
      reader.report(declaration.span, `${key} is declared twice`, `the first one is at ${new LineTable().textOf(earlier)}`);
    else if (key !== undefined) names.set(key, declaration.span);
    reader.evaluator.way.pop();
  }
  reportCircles(reader, draft.waits);
  const { jobs, allocSets, quotas, services } = draft;
  return { jobs, allocSets, quotas, services: [...services.values()] };
}

/** Jobs of one file that wait for each other would wait for ever; the cell would refuse one of them, and not say why. */
function reportCircles(reader: Reader, waits: ReadonlyMap<string, Wait>): void {
  const seen = new Set<string>();
  for (const first of waits.keys()) {
    const path: string[] = [];
    for (let at: string | undefined = first; at !== undefined && !seen.has(at); at = waits.get(at)?.after) {
      seen.add(at);
      path.push(at);
    }
    const back = waits.get(path.at(-1) ?? "")?.after;
    const from = back === undefined ? -1 : path.indexOf(back);
    if (from === -1) continue;
    const round = path.slice(from);
    const shown = [...(round.length > 8 ? [...round.slice(0, 7), "..."] : round), round[0]!];
    reader.report(
      waits.get(round[0]!)!.span,
      `Jobs wait for each other in a circle: ${shown.join(" -> ")}`,
      "none of them could ever start",
    );
  }
}

/** Puts one into the draft, and says what it may be there only once as. */
function convertOne(reader: Reader, declaration: Declaration, what: string, draft: Draft, all: readonly Declaration[]): string | undefined {
  const { role, span, service } = declaration;
  const tuple = declaration.tuple!;
  const group = service === undefined ? undefined : draft.services.get(service);
  switch (role) {
    case "job": {
      const job = toJob(reader, tuple, what, span);
      if (job === undefined) return undefined;
      draft.jobs.push(job);
      if (job.startAfter !== "")
        draft.waits.set(`${job.user}/${job.name}`, { after: job.startAfter, span: tuple.cell("start_after")?.span ?? span });
      group?.jobs.push(`${job.user}/${job.name}`);
      return `Name "${job.user}/${job.name}"`;
    }
    case "alloc_set": {
      const allocSet = toAllocSet(reader, tuple, what, span);
      if (allocSet === undefined) return undefined;
      draft.allocSets.push(allocSet);
      group?.allocSets.push(`${allocSet.user}/${allocSet.name}`);
      // Jobs and alloc sets of a user share their names (Borg §2.4).
      return `Name "${allocSet.user}/${allocSet.name}"`;
    }
    case "quota": {
      const quota = toQuota(reader, tuple, what, span);
      if (quota === undefined) return undefined;
      draft.quotas.push(quota);
      return `Quota of "${quota.user}" for ${bandText(quota.band)}`;
    }
    case "service": {
      const inside = all.filter((d) => d.service === declaration.name).map((d) => d.name.replaceAll("-", "_"));
      const read = readService(reader, tuple, what, span, inside);
      draft.services.set(declaration.name, { name: read.name ?? declaration.name, jobs: [], allocSets: [] });
      return `Service "${declaration.name}"`;
    }
  }
}
