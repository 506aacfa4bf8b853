/** Who is in an alloc set: nobody but its owner and those whom its owner let in. Worked out from the specs alone. [KR6] */
import type { Findings } from "./invariants.ts";
import { hasEnded } from "./invariants-words.ts";
import type { CellState } from "./state.ts";

export function checkTenants(findings: Findings, state: CellState): void {
  for (const { id, owner, spec, tasks } of state.jobs.values()) {
    if (spec.kind !== "job" || spec.job.allocSet === "" || tasks.every((task) => hasEnded(task.state))) continue;
    const set = state.jobs.get(spec.job.allocSet as never);
    if (set === undefined || set.spec.kind !== "alloc-set" || set.state === "dead") continue;
    // Of a set that is updated both specs count: it may come to either.
    const specs = [set.spec, ...(set.update === undefined ? [] : [set.update.spec])];
    const isLetIn = specs.every((each) => each.kind === "alloc-set" && each.allocSet.tenants.includes(owner));
    findings.expect(owner === set.owner || isLetIn, "KR6", () => `Job "${id}" is no tenant of alloc set "${set.id}"`);
  }
}
