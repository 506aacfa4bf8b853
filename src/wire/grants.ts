/** What a user is in a cell, and single things it may do beyond, by their numbers on the wire. Plain words and types: a command can read them before it loads anything else. */
import type { Capability, Role } from "./gen/borg/v1/op_pb.ts";

/** A test compares these with the generated enums. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = ["none", "viewer", "user", "quota-admin", "cell-admin"] as never;

export const CAPABILITY_WORDS: Readonly<Record<Capability, string>> = [
  "none",
  "modify-any-job",
  "disable-reclamation",
  "host-mount",
  "schedule",
  "read-any-job",
  "slack-memory",
] as never;

/** Means nothing since machines offer volumes (cell version 5): who has it from before keeps it, and nobody is granted it any more. */
export const UNUSED_CAPABILITY = "host-mount";

/** What to do instead. */
export const UNUSED_HINT =
  "leave it out: an operator names the user of a volume where the machine offers it, as in borg up --volume ann/data=/srv/data";
