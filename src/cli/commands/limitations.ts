/** What machines lack, as their borglets report it, and what that means for tasks. */
import type { MachineView } from "../../wire/gen/borg/v1/api_pb.ts";
import { safeLine } from "../text/safe.ts";

/** A borglet says what it can do in these attributes; the values that mean less than everything are here. */
const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  jail: { none: "no jail: tasks see the machine's files and processes (package bubblewrap adds one)" },
  disk: { full: "its disk is full: nothing new can start there until there is room" },
  cgroup: { none: "no cgroups: limits are looked at after the fact, not enforced (needs root, or a delegated cgroup)" },
};

/** One line for each thing missing, with the machines that lack it; empty when nothing is. */
export function limitationsText(machines: readonly MachineView[]): string {
  const found = new Map<string, string[]>();
  for (const machine of machines) {
    for (const { key, value } of machine.attributes) {
      const meaning = MEANINGS[key]?.[value];
      if (meaning === undefined) continue;
      const names = found.get(meaning) ?? [];
      names.push(machine.name);
      found.set(meaning, names);
    }
  }
  return [...found].map(([meaning, names]) => `${who(names, machines.length)}: ${meaning}\n`).join("");
}

const NAMES_MAX = 3;

function who(names: readonly string[], all: number): string {
  if (names.length === all) return all === 1 ? safeLine(names[0]!) : "all machines";
  const shown = names.slice(0, NAMES_MAX).map(safeLine).join(", ");
  return names.length > NAMES_MAX ? `${shown} and ${names.length - NAMES_MAX} more` : shown;
}
