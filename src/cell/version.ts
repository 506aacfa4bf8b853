/** Cell versions: behaviour that is switched on by the journal, so that every replica changes at the same entry. */
import { ActorKind, type Entry } from "../wire/gen/borg/v1/op_pb.ts";
import type { CellState } from "./state.ts";

/**
 * The newest behaviour this build can do. 2: request digests, a clock that is set ahead is told, grants that add, schedulers of users, back-offs,
 * generations, bounds of users, restores. 3: machines from elsewhere join with an approval, bounds that users can fill side by side, checks by TCP and command,
 * readiness, lame ducks, packages, living jobs are updated. 4: shells, evictions are counted by day, reclamation is chosen, prod quota may be oversold on purpose, limits change while tasks run,
 * tasks that a borglet evicted, whole cores, slack memory, labels of single tasks, tenants of alloc sets. 5: gates that wait for who is ready late, secrets, alloc sets are updated, volumes of machines, images. 6: a kept
 * directory that a task has makes room for nobody, controllers, frameworks, bounds grow with the cell's machines. 7: a drain's evictions are counted where they are carried out, revocation, packages, secrets and users have labels, a job says what becomes of it when the one it starts after fails, tasks that are preempted for an update count as its disruptions, spread over racks and power domains, limits between jobs, class and restart policy change while a task runs, devices in units, executors of frameworks, launched groups end together. 8: how room is offered to frameworks is chosen, a job says how often drains may take one of its tasks down, slack memory needs a capability, how a job ended is what its wanted tasks did, a commit gives back the quota of the band that it leaves, restart policies name exit codes, calls of a user have bounds of their own, host-mount is not granted any more, a task may be held to its share of the processors, machines are shared out among the link shards of all replicas. Versions that are recorded in test/history and released are closed: what
 * changes in apply begins with the next.
 */
export const VERSION_MAX = 8;

/** The first version whose ops carry request digests, and that knows `cellClock`. */
export const DIGESTS_AND_CLOCK = 2;

/** The first version in which grants add, and schedulers belong to users. */
export const STRANGERS = 2;

/** The first version that knows what an instance does between two runs, and when its current run began. */
export const RUNS = 2;

/** The first version in which the owner of a dead job may have it forgotten. */
export const FORGET_ASKED = 2;

/** The first version in which a new user may have batch work admitted without being given quota. */
export const OPEN_BATCH = 2;

/** The first version in which an instance names the spec it runs, and a killed instance's end ends nothing but itself. */
export const GENERATIONS = 2;

/** The first version that can go on from a backup. */
export const RESTORES = 2;

/** The first version in which machines from elsewhere join, as far as they were approved. */
export const APPROVALS = 3;

/** The first version whose bounds twenty users can fill side by side, and in which the oldest dead jobs of a user make room for its new ones. */
export const SHARES = 3;

/** The first version that knows checks other than by HTTP, readiness and lame ducks. */
export const CHECKS = 3;

/** The first version with packages. */
export const PACKAGES = 3;

/** The first version in which a living job is given a new spec. */
export const UPDATES = 3;

/** The first version in which people are let into tasks. */
export const SHELLS = 4;

/** The first version that counts evictions by day. */
export const EVICTION_DAYS = 4;

/** The first version in which an admin chooses how far reservations fall below limits. */
export const RECLAMATION = 4;

/** The first version in which more prod quota may be granted than the cell has machines for, when that is said. */
export const OVERSELL = 4;

/** The first version in which limits change while a task runs, a borglet evicts, and tasks ask for whole cores or slack memory. */
export const ADJUSTMENTS = 4;

/** The first version in which overrides have labels, and alloc sets have tenants. */
export const TENANTS = 4;

/** The first version in which a task that is ready only after ten minutes still passes an update's gate. */
export const PATIENT_GATES = 5;

/** The first version with secrets. */
export const SECRETS = 5;

/** The first version in which a living alloc set is given a new spec. */
export const ALLOC_UPDATES = 5;

/** The first version in which machines offer volumes, and tasks that name one stay with the machine it is on. */
export const VOLUMES = 5;

/** The first version in which a package is an image: the root that a task has instead of its machine's. */
export const IMAGES = 5;

/** The first version in which a kept directory stays while a task has it, however many come after it. */
export const DIRECTORIES_IN_USE = 6;

/** The first version in which a job's tasks get tokens of their own, to submit and end other jobs. */
export const CONTROLLERS = 6;

/** The first version with frameworks (Mesos), whose tasks come with launches. */
export const FRAMEWORKS = 6;

/** The first version whose bounds of jobs, tasks and specs grow with the cell's machines, and in which entries of a spec's lists weigh something. */
export const MEASURED_BOUNDS = 6;

/** The first version in which a drain takes no more down than may be when it is carried out, whatever became ready since it was decided. */
export const COUNTED_DRAINS = 7;

/** The first version in which tasks are revoked for a role of frameworks that is below its guarantee. */
export const REVOCATION = 7;

/** The first version in which packages, secrets and users have labels. */
export const LABELS_EVERYWHERE = 7;

/** The first version in which a job says what becomes of it when the one it starts after does not end well. */
export const AFTER_FAILURES = 7;

/** The first version in which tasks that are preempted for tasks of an update count as its disruptions. */
export const PREEMPTIONS_COUNT = 7;

/** The first version in which no two tasks of a job share a rack or a power domain, where it says so. */
export const DOMAINS = 7;

/** The first version in which a job limits how many tasks of another one are beside its own. */
export const BESIDE = 7;

/** The first version in which how a task is treated, beside others and when it fails, changes without a restart. */
export const TREATED_LIVE = 7;

/** The first version in which machines have extras in units, and tasks are told which of them they have. */
export const DEVICES = 7;

/** The first version in which frameworks have executors, and a group that a framework launched ends as one. */
export const EXECUTORS = 7;

/** The first version in which an admin chooses how room is offered to frameworks. */
export const OFFER_POLICY = 8;

/** The first version in which a job says how long it is at least between two of its tasks that drains take down. */
export const DRAIN_PACE = 8;

/** The first version in which only users with a capability have tasks that use memory beyond their limits. */
export const SLACK_GRANTED = 8;

/** The first version in which nobody is granted the capability host-mount, which allows nothing since machines offer volumes. */
export const HOST_MOUNT_UNUSED = 8;

/** The first version in which what a user may ask of the API is set, as what it may make the cell remember is. */
export const CALL_BOUNDS = 8;

/** The first version in which tasks beyond a job's count do not say how it ended. */
export const WANTED_ENDS = 8;

/** The first version in which a new update may use what committing the one before gives back in another band. */
export const COMMIT_FREES = 8;

/** The first version in which a restart policy says which exit codes of a program are final, and which are as good as 0. */
export const NAMED_EXITS = 8;

/** The first version in which a job says that its tasks use no idle processor beyond their limits. */
export const HELD_CPU = 8;

/** The first version in which an update moves nobody for rules of place that it does not change. */
export const STAYS = 8;

/** The first version in which machines are shared out among the link shards of all replicas. */
export const LINK_SHARDS = 8;

/** The version that an entry leaves the cell with. A replica that cannot do it must not apply the entry. */
export function versionAfter(state: CellState, entry: Entry): number {
  let { version } = state;
  for (const { actor, body } of entry.ops) {
    const isNext = body.case === "cellVersion" && body.value.version === version + 1;
    if (isNext && actor?.kind === ActorKind.MASTER) version += 1;
  }
  return version;
}
