/** What machines lack, as their borglets report it, and what that means for tasks. */
import type { MachineView } from "../../wire/gen/borg/v1/api_pb.ts";
import { ASKED, optionOf, sizeOf, sizeText, sizeWords } from "../text/resources.ts";
import { safeLine } from "../text/safe.ts";

/** A borglet says what it can do in these attributes; the values that mean less than everything are here. */
const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  disk_bandwidth: {
    counted: "disk bandwidth is counted where tasks are placed, and not enforced (needs control groups for a disk of its own)",
  },
  disk: { full: "its disk is full: nothing new can start there until there is room" },
  cgroup: { none: "no cgroups: limits are looked at after the fact, not enforced (needs root, or a delegated cgroup)" },
};

/** By whom tasks run as. A user of its own for each job keeps its files from other jobs. */
const WITHOUT_JAIL: Readonly<Record<string, string>> = {
  root: "no jail: tasks see each other's processes and the machine's files, but no files of other jobs; only modes protect packages (Debian's bubblewrap adds one)",
  plain:
    "no jail: tasks see each other's files and processes, and the machine's; only modes protect packages (Debian's bubblewrap adds one)",
};

function meaningOf(key: string, value: string, machine: MachineView): string | undefined {
  if (key !== "jail" || value !== "none") return MEANINGS[key]?.[value];
  const user = machine.attributes.find((each) => each.key === "user")?.value ?? "";
  return WITHOUT_JAIL[user] ?? WITHOUT_JAIL["plain"];
}

/** One line for each thing missing, with the machines that lack it, and for each machine that has more than was approved; empty when nothing is. */
export function limitationsText(machines: readonly MachineView[]): string {
  const found = new Map<string, string[]>();
  for (const machine of machines) {
    for (const { key, value } of machine.attributes) {
      const meaning = meaningOf(key, value, machine);
      if (meaning === undefined) continue;
      const names = found.get(meaning) ?? [];
      names.push(machine.name);
      found.set(meaning, names);
    }
  }
  const missing = [...found].map(([meaning, names]) => `${who(names, machines.length)}: ${meaning}\n`);
  return [...missing, ...machines.flatMap(unapproved)].join("");
}

/** More counts only after somebody said so. */
function unapproved({ name, approval, claimed, capacity }: MachineView): readonly string[] {
  const more = ASKED.filter((dimension) => approval !== undefined && sizeOf(claimed, dimension) > sizeOf(capacity, dimension));
  if (more.length === 0) return [];
  const has = more.map((dimension) => sizeWords(dimension, sizeOf(claimed, dimension))).join(", ");
  const all = ASKED.map((dimension) => `${optionOf(dimension)} ${sizeText(dimension, sizeOf(claimed, dimension)).replace(" ", "")}`).join(
    " ",
  );
  return [`${safeLine(name)}: says it has ${has}, and less was approved (borg machine approve ${safeLine(name)} ${all})\n`];
}

const NAMES_MAX = 3;

function who(names: readonly string[], all: number): string {
  if (names.length === all) return all === 1 ? safeLine(names[0]!) : "all machines";
  const shown = names.slice(0, NAMES_MAX).map(safeLine).join(", ");
  return names.length > NAMES_MAX ? `${shown} and ${names.length - NAMES_MAX} more` : shown;
}
