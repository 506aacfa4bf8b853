/** Declarations to the typed specs of wire, with the checks across declarations. */
import type { AllocSetSpec, JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { declarationText } from "../machine/machine.ts";
import { Places, type Span } from "../source.ts";
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
  readonly allocSets: AllocSetSpec[];
  readonly quotas: QuotaSpec[];
  /** By the name of the declaration, which its own field `name` may change. */
  readonly services: Map<string, { readonly name: string; readonly jobs: string[]; readonly allocSets: string[] }>;
}

export function convert(reader: Reader, declarations: readonly Declaration[]): Result {
  const draft: Draft = { jobs: [], allocSets: [], quotas: [], services: new Map() };
  const names = new Map<string, Span>();
  for (const declaration of declarations) {
    const { tuple } = declaration;
    if (tuple === undefined) continue;
    const what = declarationText(declaration.role, declaration.name);
    reader.machine.way.push({ what: "field", name: declaration.name, span: declaration.span, role: declaration.role });
    const key = convertOne(reader, declaration, `${what[0]!.toUpperCase()}${what.slice(1)}`, draft, declarations);
    const earlier = key === undefined ? undefined : names.get(key);
    if (earlier !== undefined)
      reader.report(declaration.span, `${key} is declared twice`, `the first one is at ${new Places().textOf(earlier)}`);
    else if (key !== undefined) names.set(key, declaration.span);
    reader.machine.way.pop();
  }
  return { ...draft, services: [...draft.services.values()] };
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
