/**
 * Volumes: directories that operators of a machine offer to one user's tasks. What a machine offers is one more of its attributes, and a job that names a
 * volume has one more hard constraint, so that whoever asks for constraints asks for volumes too. The words have a space in them: no attribute and no
 * constraint that people write can be one.
 */
import type { MachineId } from "../base/id.ts";
import { make } from "../wire/codec.ts";
import type { MachineFacts } from "../wire/gen/borg/v1/machine_pb.ts";
import { type Constraint, ConstraintSchema, type JobSpec, Operator, type Volume } from "../wire/gen/borg/v1/spec_pb.ts";
import { faceOf } from "./face.ts";
import type { CellState, Face, Machine, Task } from "./state.ts";
import { VOLUMES } from "./version.ts";

const PREFIX = "volume ";

/** As machines offer it and jobs ask for it: one user's, whatever others call theirs. */
export const volumeAttribute = (user: string, name: string): string => `${PREFIX}${user}/${name}`;

/** What a constraint on a volume says, in words; undefined: it is about something else. */
export function volumeWords({ attribute }: Constraint): string | undefined {
  if (!attribute.startsWith(PREFIX)) return undefined;
  const [user, name] = attribute.slice(PREFIX.length).split("/");
  return `offers no volume ${name} to ${user}`;
}

/** Those of version 1 had paths instead of names, and no machine ever gave one to a task. */
const volumesOf = ({ task }: JobSpec): readonly Volume[] => (task?.volumes ?? []).filter(({ name }) => name !== "");

/** The spec as it is placed. One without volumes is the same object. */
export function withVolumes(spec: JobSpec): JobSpec {
  const volumes = volumesOf(spec);
  if (volumes.length === 0) return spec;
  const asked = volumes.map(({ name }) =>
    make(ConstraintSchema, { attribute: volumeAttribute(spec.user, name), operator: Operator.EXISTS }),
  );
  return { ...spec, constraints: [...spec.constraints, ...asked] };
}

export const namesVolumes = ({ wants }: Pick<Face, "wants">): boolean => volumesOf(wants).length > 0;

/** Two tasks of one job do not write into one volume: each is on a machine of its own. */
export const writesVolumes = ({ wants }: Pick<Face, "wants">): boolean => volumesOf(wants).some(({ readOnly }) => !readOnly);

/** The one machine that a task may be on: of those with one task for each machine, and of those whose volumes are there. */
export function machineOf(task: Task): MachineId | undefined {
  if (task.pinned === undefined) return undefined;
  const face = faceOf(task);
  return face.wants.perMachine || namesVolumes(face) || face.wants.keptDirectory !== "" ? task.pinned : undefined;
}

export const ownerOf = (id: string): string => id.slice(0, id.indexOf("/"));

/** The machine that keeps the directory of an alloc that is gone. */
export function keptMachine({ machines }: Pick<CellState, "machines">, id: string): Machine | undefined {
  for (const machine of machines.values()) if (machine.directories.some(({ alloc }) => alloc === id)) return machine;
  return undefined;
}

/** Why a machine cannot give a task the directory that its job names. */
export const lacksDirectory = ({ wants }: Pick<Face, "wants">, { directories }: Machine): string | undefined =>
  wants.keptDirectory === "" || directories.some(({ alloc }) => alloc === wants.keptDirectory)
    ? undefined
    : `no longer keeps the directory of ${wants.keptDirectory}`;

/** What masters of the version before would read, and not know. */
export const factsAt = (version: number, facts: MachineFacts): MachineFacts =>
  version < VOLUMES && facts.volumes.length > 0 ? { ...facts, volumes: [] } : facts;

export function volumesProblem({ task, allocSet }: JobSpec): string | undefined {
  const names = (task?.volumes ?? []).map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) return `Volume "${twice}" is named twice: name each once`;
  return names.length > 0 && allocSet !== ""
    ? "A job in an alloc set cannot use volumes: its allocs may be on machines that have none; leave alloc_set or volumes out"
    : undefined;
}
