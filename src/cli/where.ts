/** Machines as they are described: `rack=r7`, `state!=up`, `ssd=yes`. What is no word of ours is an attribute that the machine has. */
import type { MachineView } from "../wire/gen/borg/v1/api_pb.ts";
import type { Context } from "./context.ts";
import { Failure } from "./exit.ts";
import { allMachines } from "./listing.ts";
import { plainName } from "./names.ts";
import { nameOr, selectorOf } from "./selection.ts";

export interface Where {
  readonly key: string;
  readonly value: string;
  readonly isNot: boolean;
}

/** Words for what a machine has beside its attributes. */
const OWN: Readonly<Record<string, (machine: MachineView) => string>> = {
  machine: ({ name }) => name,
  rack: ({ rack }) => rack,
  power_domain: ({ powerDomain }) => powerDomain,
  host: ({ host }) => host,
  state: ({ state }) => state,
};

const isWhere = (text: string): boolean => text.includes("=");

/** Not one by its name: by a condition, or by a selector. */
export const meansSeveral = (text: string | undefined): boolean => text === undefined || isWhere(text);

export interface MachineSelection {
  readonly selector?: string;
}

export function whereOf(text: string): Where {
  const [, key, not, value] = /^([A-Za-z0-9_.-]+)(!?)=(.*)$/.exec(text) ?? [];
  if (key === undefined || value === undefined)
    throw new Failure("usage", `Cannot understand "${text}" as a condition`, "as in rack=r7, power_domain!=p1, state=up or ssd=yes");
  return { key, value, isNot: not === "!" };
}

export const fits = (machine: MachineView, wheres: readonly Where[]): boolean =>
  wheres.every(({ key, value, isNot }) => (toldOf(machine, key) === value) !== isNot);

const toldOf = (machine: MachineView, key: string): string | undefined =>
  OWN[key]?.(machine) ?? machine.attributes.find((attribute) => attribute.key === key)?.value;

/** `m1`, or every machine that a condition or a selector fits: at least one. */
export async function machinesMeant(context: Context, name: string | undefined, options: MachineSelection): Promise<readonly string[]> {
  const selector = selectorOf(options);
  const text = nameOr(name, options);
  if (text === undefined) {
    const those = (await allMachines(context, selector)).map((machine) => machine.name);
    if (those.length > 0) return those;
    throw new Failure("notFound", `There is no machine with ${selector}`, "borg ls machines --json shows the attributes of each");
  }
  if (!isWhere(text)) return [plainName(text, "a machine")];
  const where = whereOf(text);
  const found = (await allMachines(context)).filter((machine) => fits(machine, [where])).map(({ name }) => name);
  if (found.length > 0) return found;
  throw new Failure("notFound", `There is no machine with ${text}`, "borg ls machines --json shows what each is described as");
}
