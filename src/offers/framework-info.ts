/** What a framework says of itself when it subscribes, as the cell's spec and the allocator's terms. */
import { ok, type Result, refused } from "../base/result.ts";
import { PRIORITY_MAX } from "../wire/band.ts";
import { make } from "../wire/codec.ts";
import { type FrameworkSpec, FrameworkSpecSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import { type FrameworkInfo, FrameworkInfo_Capability_Type } from "../wire/gen/mesos/v1/mesos_pb.ts";
import {
  type AttributeConstraint,
  type OfferConstraints,
  AttributeConstraint_Selector_PseudoattributeType as Pseudo,
} from "../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { type Constraints, HOSTNAME, type Minimums, type Predicate } from "./filters.ts";
import { quantities } from "./resources.ts";
import { lineOf } from "./words.ts";

/** The role of who names none. */
const EVERYBODY = "*";
const PRIORITY_DEFAULT = 100;
const FAILOVER_MS_MAX = 86_400_000;
const NAME_LENGTH = 50;

/** The label of a FrameworkInfo that says its priority in the cell, a number as text. */
export const PRIORITY_LABEL = "borg/priority";

export function specOf(info: FrameworkInfo, user: string, name: string): Result<FrameworkSpec> {
  const roles = rolesOf(info);
  if (roles.length > 1) return refused(`A framework has one role here, found ${roles.length}: subscribe once for each`);
  const priority = priorityOf(info);
  if (priority === undefined) return refused(`Label "${PRIORITY_LABEL}" must be a number from 0 to ${PRIORITY_MAX}`);
  return ok(
    make(FrameworkSpecSchema, {
      user,
      name,
      priority,
      role: roles[0] ?? EVERYBODY,
      failoverMs: Math.min(FAILOVER_MS_MAX, Math.ceil((info.failoverTimeout ?? 0) * 1000)),
      partitionAware: isAware(info),
      title: lineOf(info.name ?? ""),
      principal: lineOf(info.principal ?? ""),
      hostname: lineOf(info.hostname ?? ""),
      webuiUrl: lineOf(info.webuiUrl ?? ""),
    }),
  );
}

const isAware = ({ capabilities }: FrameworkInfo): boolean =>
  capabilities.some(({ type }) => type === FrameworkInfo_Capability_Type.PARTITION_AWARE);

const rolesOf = ({ role, roles }: FrameworkInfo): readonly string[] =>
  [...new Set([...roles, ...(role === undefined ? [] : [role])])].filter((each) => each !== "");

function priorityOf({ labels }: FrameworkInfo): number | undefined {
  const said = labels?.labels.find(({ key }) => key === PRIORITY_LABEL)?.value;
  if (said === undefined) return PRIORITY_DEFAULT;
  const priority = /^[0-9]{1,3}$/.test(said) ? Number(said) : -1;
  return priority >= 0 && priority <= PRIORITY_MAX ? priority : undefined;
}

/** A name for the cell, made of what the framework calls itself. Mesos' frameworks share names; here each has its own, so a taken one gets a number. */
export function nameOf({ name = "" }: FrameworkInfo, isTaken: (name: string) => boolean): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, NAME_LENGTH)
    .replace(/^-+|-+$/g, "");
  const first = plain === "" ? "framework" : plain;
  if (!isTaken(first)) return first;
  let number = 2;
  while (isTaken(`${first}-${number}`)) number += 1;
  return `${first}-${number}`;
}

export function minimumsOf({ offerFilters }: FrameworkInfo, role: string): Minimums {
  const own = offerFilters.find(({ key }) => key === role)?.value?.minAllocatableResources?.quantities ?? [];
  return own.map((each) => quantities(each.quantities.map(({ key = "", value }) => [key, value?.value ?? 0])));
}

export function constraintsOf(constraints: OfferConstraints | undefined, role: string): Result<Constraints> {
  const groups = constraints?.roleConstraints.find(({ key }) => key === role)?.value?.groups ?? [];
  const out: Predicate[][] = [];
  for (const { attributeConstraints } of groups) {
    const group: Predicate[] = [];
    for (const each of attributeConstraints) {
      const predicate = predicateOf(each);
      if (!predicate.ok) return predicate;
      group.push(predicate.value);
    }
    out.push(group);
  }
  return ok(out);
}

function predicateOf({ selector, predicate }: AttributeConstraint): Result<Predicate> {
  const named = selector?.selector;
  const attribute =
    named?.case === "attributeName" ? named.value : named?.case === "pseudoattributeType" ? PSEUDO.get(named.value) : undefined;
  if (attribute === undefined) return refused("An offer constraint needs the name of an attribute, or HOSTNAME, REGION or ZONE");
  const said = predicate?.predicate;
  switch (said?.case) {
    case "exists":
      return ok({ attribute, is: "exists", text: "" });
    case "notExists":
      return ok({ attribute, is: "not-exists", text: "" });
    case "textEquals":
      return ok({ attribute, is: "equals", text: said.value.value ?? "" });
    case "textNotEquals":
      return ok({ attribute, is: "not-equals", text: said.value.value ?? "" });
    default:
      return refused("Offer constraints know Exists, NotExists, TextEquals and TextNotEquals; patterns are not evaluated here");
  }
}

const PSEUDO: ReadonlyMap<number, string> = new Map<number, string>([
  [Pseudo.HOSTNAME, HOSTNAME],
  [Pseudo.REGION, "power"],
  [Pseudo.ZONE, "rack"],
]);
