/**
 * The one table of what a user may make a cell remember (src/cell/bounds.ts) and ask of its API (src/rpc/bounds.ts), where `borg quota bounds` did not set another
 * bound for that user.
 */
const MIB = 2 ** 20;
const GIB = 2 ** 30;

/**
 * `Kept` counts dead ones too, which stay for a while. Twenty users who fill theirs fit into the cell's beside its admins, and a cell at its bounds into the
 * memory that docs/security/bounds.md states. A master of a cell with a thousand machines is no small machine itself; on a small one nobody has a use for so much, and it
 * would cost the memory and the restart of everybody: there the bounds are those below, and grow with the machines.
 */
export const USER_BOUNDS = {
  jobs: 1_000,
  jobsKept: 2_000,
  tasks: 10_000,
  tasksKept: 15_000,
  specBytes: 3 * MIB,
  packages: 100,
  packageBytes: 4 * GIB,
  calls: 64,
  polls: 32,
  workPerSecond: 100,
} as const;

/** Of a cell without machines. */
export const SMALL_USER_BOUNDS = {
  ...USER_BOUNDS,
  jobs: 300,
  jobsKept: 600,
  tasks: 3_000,
  tasksKept: 4_500,
  specBytes: 1.5 * MIB,
} as const;
