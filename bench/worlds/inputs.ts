/**
 * What the comparison of three scheduling worlds is given (borg experiment three-worlds), fixed before its first run. From the Omega paper (§3.3, §4) and the public simulator of it: two kinds
 * of work, a decision takes a time for each job and 5 ms for each task, that of services is varied and that of batch work is 0.1 s, what found no room is tried again after 1 s. From the cell that is
 * looked at: machines, and how many tasks of which size jobs have. Not in either, and chosen here: a part of the machines, how often jobs come, and that services and batch work have half of
 * the load each; how long tasks run follows from those and from the load.
 */
export interface WorldsInputs {
  /** A part of the cell's machines, drawn. */
  readonly machines: number;
  /** A job counts when it comes within the minutes after the first ones, in which the cell fills. */
  readonly fillMinutes: number;
  readonly minutes: number;
  /** Of the machines' cpu, what all work that comes asks for in the long run. */
  readonly load: number;
  readonly batch: KindInputs;
  readonly service: KindInputs;
  readonly thinkPerTaskMs: number;
  readonly batchThinkMs: number;
  /** Of services: a world is run with each. */
  readonly serviceThinksMs: readonly number[];
  readonly retryMs: number;
  /** A framework that declines a machine is offered it again so soon. */
  readonly declineMs: number;
}

export interface KindInputs {
  /** Between two jobs, in the mean; exponential. */
  readonly everyMs: number;
  /** Larger jobs are left out. */
  readonly tasksMost: number;
  /** Of the load. */
  readonly part: number;
}

export const WORLDS_INPUTS: WorldsInputs = {
  machines: 100,
  fillMinutes: 10,
  minutes: 20,
  load: 0.8,
  batch: { everyMs: 2_500, tasksMost: 100, part: 0.5 },
  service: { everyMs: 15_000, tasksMost: 30, part: 0.5 },
  thinkPerTaskMs: 5,
  batchThinkMs: 100,
  serviceThinksMs: [100, 1_000, 10_000],
  retryMs: 1_000,
  declineMs: 1_000,
};
