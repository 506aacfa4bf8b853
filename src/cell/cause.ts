/** Why a task is where it is. The first five are Borg's eviction causes (Figure 3). */
import type { Cause as WireCause } from "../wire/gen/borg/v1/op_pb.ts";

type WireCauses = typeof WireCause;

/** CAUSE_MACHINE_FAILURE is `machine-failure`. */
type Dashed<Name extends string> = Name extends `${infer Word}_${infer More}` ? `${Word}-${Dashed<More>}` : Name;

/** By their numbers on the wire, written out so that a command needs no generated code for the words. A value of op.proto's enum without a row does not compile. */
export const CAUSES = {
  preemption: 1,
  "out-of-resources": 2,
  "machine-failure": 3,
  "machine-shutdown": 4,
  other: 5,
  failed: 6,
  killed: 7,
  lost: 8,
  finished: 9,
  restart: 10,
  submitted: 11,
  placed: 12,
  started: 13,
  "machine-restart": 14,
  update: 15,
  revocation: 16,
} as const satisfies { readonly [Name in Exclude<keyof WireCauses, "UNSPECIFIED"> as Dashed<Lowercase<Name>>]: WireCauses[Name] };

export type Cause = keyof typeof CAUSES;

/** Borg's, and Mesos' own. */
export type EvictionCause = Extract<
  Cause,
  "preemption" | "out-of-resources" | "machine-failure" | "machine-shutdown" | "other" | "revocation"
>;

const NAMES: ReadonlyMap<WireCause, Cause> = new Map((Object.keys(CAUSES) as Cause[]).map((name) => [CAUSES[name], name]));

export const wireCause = (cause: Cause): WireCause => CAUSES[cause];

export const causeOf = (wire: WireCause): Cause | undefined => NAMES.get(wire);
