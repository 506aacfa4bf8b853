/**
 * Failure domains (Borg §4): machines of one rack, or behind one power supply, fail together. A job may want no two of its tasks in one. What a machine
 * says of its rack is one of its attributes, so that a machine that names none fails a constraint, like any other. Only a claim is judged: a machine
 * that is moved to another rack later evicts nobody.
 */
import { make } from "../wire/codec.ts";
import { type Constraint, ConstraintSchema, type JobSpec, Operator, Spread } from "../wire/gen/borg/v1/spec_pb.ts";
import { counts } from "./place.ts";
import type { CellState, Face, Instance, Job, Machine } from "./state.ts";
import { DOMAINS } from "./version.ts";

/** The attribute that names it. */
export type Domain = "rack" | "power";

/** As people call it. */
export const DOMAIN_WORDS: Readonly<Record<Domain, string>> = { rack: "rack", power: "power domain" };

/** Tasks of a job that spreads over racks or power domains: no cell has more of these, and each claim looks at every task of the job. */
export const DOMAIN_TASKS_MAX = 2_000;

const inSpread = (spread: Spread): Domain | undefined => (spread === Spread.RACK ? "rack" : spread === Spread.POWER ? "power" : undefined);

/** What no two tasks may share beside a machine; undefined: nothing. */
export const domainOf = ({ wants }: Pick<Face, "wants">): Domain | undefined => inSpread(wants.spread);

/** The spec as it is placed: only machines that are in a domain at all will do. One that spreads otherwise is the same object. */
export function withDomain(spec: JobSpec): JobSpec {
  const domain = inSpread(spec.spread);
  if (domain === undefined) return spec;
  return { ...spec, constraints: [...spec.constraints, make(ConstraintSchema, { attribute: domain, operator: Operator.EXISTS })] };
}

/** Whether a constraint says no more than the spread does. */
export const isImplied = ({ attribute, operator }: Constraint, domain: Domain | undefined): boolean =>
  domain !== undefined && attribute === domain && operator === Operator.EXISTS;

/** What a machine without the attribute lacks, in words; undefined: the constraint is about something else. */
export const domainWords = (constraint: Constraint, domain: Domain | undefined): string | undefined =>
  domain !== undefined && isImplied(constraint, domain)
    ? `names no ${DOMAIN_WORDS[domain]}, and no two tasks of the job may share one`
    : undefined;

/** How many tasks of a job are in the rack or power domain of a machine. */
export function tasksInDomain(job: Job, domain: Domain, machine: Machine, except: ReadonlySet<Instance>): number {
  const name = machine.attributes.get(domain);
  let found = 0;
  for (const { instance } of job.tasks) {
    if (instance === undefined || !counts(instance) || except.has(instance)) continue;
    if (instance.place.machine.attributes.get(domain) === name) found += 1;
  }
  return found;
}

/** What is wrong with such a spread, for so many tasks. */
export function domainProblem(spread: Spread, count: number, perMachine: boolean): string | undefined {
  const domain = inSpread(spread);
  if (domain === undefined) return undefined;
  if (perMachine) return `A job with one task per machine cannot keep them in different ${DOMAIN_WORDS[domain]}s: leave spread out`;
  if (count <= DOMAIN_TASKS_MAX) return undefined;
  return `A job of which no two tasks share a ${DOMAIN_WORDS[domain]} has at most ${DOMAIN_TASKS_MAX} tasks, not ${count}: make several jobs of it, or set spread to "hard"`;
}

/** What masters of the version before would read, and not know. */
export const earlySpread = ({ version }: CellState, { spread }: { readonly spread: Spread }): string | undefined =>
  version < DOMAINS && inSpread(spread) !== undefined
    ? "Cannot spread over racks or power domains yet: not all masters of the cell are upgraded"
    : undefined;
