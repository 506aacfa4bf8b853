/** What a master may be at a moment, and what it says in which of them. */

/**
 * starting: reads its snapshot. following: a standby. electing: asked the journal to lead. catching-up: leads, reads to the end.
 * settling: its barrier is on its way. leading: answers. suspended: it led and the journal does not answer; it refuses in words, polls go on, and it keeps its term until
 * one guarded append says whether it leads still. stopped: told the shell to end the process.
 */
export type Role = "starting" | "following" | "electing" | "catching-up" | "settling" | "leading" | "suspended" | "stopped";

/** Said when the two copies of the state in this process differ: one of them is wrong, and nobody can tell which. */
export const DIVERGED = "The follower's copy is another";

/** Said when the cell goes on with a version that this build cannot do. */
export const TOO_OLD = "upgrade it before it may go on";

export const tooNew = (version: number, versionMax: number): string =>
  `The cell goes on with version ${version}, and this build can do ${versionMax}: ${TOO_OLD}`;

export const NOT_LEADING = "This master does not lead";

/** Said by a master that led while its journal does not answer. */
export const SUSPENDED =
  "This master is suspended, because etcd does not answer: nothing is changed until most of its members are back, and tasks go on. borg status shows them";
