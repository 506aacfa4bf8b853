/** What is left of a spec when its job, or its framework's task, is over: what history needs, and nothing that was said in confidence. */
import type { HealthCheck, JobSpec } from "../wire/gen/borg/v1/spec_pb.ts";

/** What history shows of a dead job's program. */
const PROGRAM_LENGTH = 256;

export function shrunk({ task, overrides, ...rest }: JobSpec): JobSpec {
  const limits = overrides
    .filter(({ limit, labels }) => limit !== undefined || labels.length > 0)
    .map((each) => ({ ...each, arguments: [], environment: [] }));
  if (task === undefined) return { ...rest, overrides: limits };
  const { health, ready, executor } = task;
  const checks = {
    ...(executor === undefined ? {} : { executor: { ...executor, info: new Uint8Array() } }),
    ...(health === undefined ? {} : { health: shrunkCheck(health) }),
    ...(ready === undefined ? {} : { ready: shrunkCheck(ready) }),
  };
  return { ...rest, overrides: limits, task: { ...task, ...checks, command: programOf(task), environment: [], files: [] } };
}

const shrunkCheck = (check: HealthCheck): HealthCheck => ({ ...check, command: programOf(check) });

const programOf = ({ command }: { readonly command: readonly string[] }): string[] =>
  command.slice(0, 1).map((program) => program.slice(0, PROGRAM_LENGTH).toWellFormed());
