/**
 * What a cell is at one moment, as plain records. Only `apply` (cell.ts) changes them; everyone else reads.
 * Nothing may depend on the order of a Map: a cell that was decoded from a checkpoint has another one.
 * Fields marked "derived" are sums and indexes over the rest: a checkpoint leaves them out and decoding builds them again.
 */
import type { InstanceId, JobId, MachineId, PlaceId, TaskId, UserId } from "../base/id.ts";
import type { Vector } from "../base/vector.ts";
import type { BandName } from "../wire/band.ts";
import type { MachineFacts } from "../wire/gen/borg/v1/machine_pb.ts";
import type {
  Approval,
  Capability,
  CellConfig,
  FrameworkRole,
  LinkPartition,
  Role,
  SchedulerLimits,
  UserBounds,
} from "../wire/gen/borg/v1/op_pb.ts";
import type { Quota } from "../wire/gen/borg/v1/resource_pb.ts";
import type { AllocSetSpec, FrameworkSpec, JobSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Cause, EvictionCause } from "./cause.ts";
import type { Device, Units } from "./device.ts";
import type { HealthName } from "./health.ts";
import type { JobState } from "./job.ts";
import type { MesosReasonName, MesosStateName } from "./mesos-state.ts";
import type { TaskState } from "./task.ts";

export interface CellState {
  /** Empty until `cell.init`. */
  name: string;
  /** Which behaviour is switched on (`cell.version`). */
  version: number;
  /** Position of the last applied entry, and the time: the largest that any entry carried. */
  position: number;
  timeMs: number;
  /** By how much expiries lag behind time, and until when; see expiry.ts. */
  expiryLagMs: number;
  expiryLagUntilMs: number;
  /** The last incarnation number given out. One counter for the whole cell, so that no instance id ever comes again. */
  incarnations: number;
  config: CellConfig;
  /** Which link shards share the machines; undefined: the leader's has all of them. */
  links: LinkPartition | undefined;
  /** Oldest first; bounded by eviction-days.ts. */
  readonly evictionDays: EvictionDay[];
  readonly users: Map<UserId, User>;
  readonly schedulers: Map<string, Scheduler>;
  /** Of frameworks, as admins set them; bounded by roles.ts. */
  readonly roles: Map<string, FrameworkRole>;
  readonly machines: Map<MachineId, Machine>;
  /** Machines from elsewhere that may join and have not yet; bounded by approvals.ts. */
  readonly invitations: Map<MachineId, Invitation>;
  readonly jobs: Map<JobId, Job>;
  /** Derived: alive jobs that wait for the end of another one, by that other one. */
  readonly waiters: Map<JobId, Set<JobId>>;
  /** Derived: alive jobs with one task per machine. */
  readonly perMachine: Set<JobId>;
  /** Derived: jobs that limit who is beside them, by their owners. */
  readonly limiting: Map<UserId, Set<JobId>>;
  /** Derived: sum of all machines' capacities. */
  capacity: Vector;
  /** Derived: how many living jobs would run in an alloc set, by that set. */
  readonly inSets: Map<JobId, number>;
  /** Derived: what the specs of all jobs take, as encoded, and how many tasks there are, dead ones too. */
  specBytes: number;
  taskCount: number;
}

/** What was evicted on a day of cell time (Borg §4, Figure 3), and how long tasks ran on it that have ended since. */
export interface EvictionDay {
  /** Counted from 1970. */
  readonly day: number;
  readonly prod: EvictionCounts;
  readonly nonProd: EvictionCounts;
}

/** By the priority that a task's instance had last. */
export interface EvictionCounts extends Record<EvictionCause, number> {
  runMs: number;
}

export interface User {
  readonly id: UserId;
  readonly roles: Set<Role>;
  readonly capabilities: Set<Capability>;
  readonly quotas: Map<BandName, Quota>;
  /** By hash; bounded by tokens.ts. */
  readonly tokens: Map<string, Token>;
  /** Newest last; bounded by requests.ts. */
  readonly requests: Map<string, Request>;
  /** By name and hash (package.ts); bounded by bounds.ts. */
  readonly packages: Map<string, Package>;
  /** By name; bounded by secret.ts. In no record but the checkpoint's. */
  readonly secrets: Map<string, Secret>;
  /** What it may make the cell remember; undefined: as much as everybody. */
  bounds: UserBounds | undefined;
  /** From cell version 7 on, as those of packages and secrets. */
  labels: readonly KeyValue[];
  /** Derived: limits admitted, by band. */
  readonly charged: Map<BandName, Vector>;
  /** Derived: its jobs, dead ones too. */
  readonly jobs: Set<Job>;
  /** Derived: what its bounds count (bounds.ts). */
  readonly used: Used;
}

/** Living jobs and their tasks, the tasks of all its jobs, and what the specs of all take. */
export interface Used {
  jobs: number;
  tasks: number;
  tasksKept: number;
  specBytes: number;
}

/** The master has its bytes. */
export interface Package {
  readonly name: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
  readonly bytes: number;
  /** Jobs of every user may name it; else only its owner's. */
  readonly shared: boolean;
  readonly createdMs: number;
  readonly labels: readonly KeyValue[];
}

/** A label, as records have it. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** The cell has it encrypted, and has no key. */
export interface Secret {
  readonly name: string;
  /** From 1 on, one more with every value. It is authenticated with the value, as are its owner and name. */
  readonly version: number;
  readonly sealed: Sealed;
  readonly createdMs: number;
  readonly changedMs: number;
  readonly labels: readonly KeyValue[];
}

/** As AES-256-GCM makes it: the tag stands behind the ciphertext. */
export interface Sealed {
  readonly keyId: string;
  readonly nonce: Uint8Array;
  readonly ciphertext: Uint8Array;
}

/** One way to say who one is; the secret itself is nowhere in the cell. */
export interface Token {
  readonly hash: string;
  readonly label: string;
  readonly createdMs: number;
  /** 0: until it is revoked. */
  readonly untilMs: number;
}

export interface Request {
  readonly position: number;
  readonly timeMs: number;
  /** What was asked, e.g. "jobKill ubar/jfoo": the same id with something else is refused. */
  readonly what: string;
  /** Of what the caller sent; empty when it is not known. The same id with another digest is refused. */
  readonly digest: Uint8Array;
}

export interface Scheduler {
  readonly name: string;
  limits: SchedulerLimits;
  /** Derived: limits of the instances it placed that still count, and how many of each job. */
  claimed: Vector;
  readonly claimedJobs: Map<JobId, number>;
}

/** Where tasks can be: a machine, or an alloc on one. "Allocs are treated in a similar way to machines" (Borg §2.4). */
export interface Place {
  readonly id: PlaceId;
  readonly machine: Machine;
  capacity: Vector;
  /** Derived: what of its extras comes in units; undefined: nothing. */
  units: Units | undefined;
  /** Port numbers it can give out are `portFirst..portLast`, or these. */
  readonly portNumbers: readonly number[] | undefined;
  /** Where the search for a free port goes on, so that a port just freed is not taken again at once. */
  portNext: number;
  /** Everything on it, stopping ones too. */
  readonly occupants: Map<InstanceId, Instance>;
  /** Derived: over the occupants that count (those not named as victims). */
  prodLimit: Vector;
  reserved: Vector;
}

/** How a machine from elsewhere may come in: who shows the token, or holds the key, and as what. */
export interface Invitation {
  readonly machine: MachineId;
  /** Without a key until the token was shown. */
  readonly approval: Approval;
  /** Of a one-time token; empty when it was shown, or when there was none. */
  readonly tokenHash: string;
  /** 0: for ever. */
  readonly untilMs: number;
}

export interface Machine {
  readonly id: MachineId;
  facts: MachineFacts;
  /** Of a machine from elsewhere: of what it says it has, no more counts than this. Undefined: it is of the cell's own directory. */
  approval: Approval | undefined;
  /** Derived from the facts. */
  readonly attributes: Map<string, string>;
  reachable: boolean;
  draining: boolean;
  /** Rises with claims, evictions, rising reservations, capacity, attributes and state (Omega's coarse detection). */
  sequence: number;
  sinceMs: number;
  readonly place: Place;
  /** Of allocs that are gone, the oldest first; bounded by directories.ts. */
  directories: readonly KeptDirectory[];
}

/** What tasks of an alloc shared on its machine, and until when it stays there. */
export interface KeptDirectory {
  readonly alloc: InstanceId;
  readonly untilMs: number;
}

/** A job; an alloc set, "which is like a job" (Borg §2.4), its tasks are then allocs; or a framework (Mesos), whose tasks come with launches. */
export type Spec =
  | { readonly kind: "job"; readonly job: JobSpec }
  | { readonly kind: "alloc-set"; readonly allocSet: AllocSetSpec }
  | { readonly kind: "framework"; readonly framework: FrameworkSpec };

export interface KeptSpec {
  readonly generation: number;
  readonly spec: Spec;
  /** Derived: how many instances name it. */
  readonly instances: number;
}

/** A spec and what is read from it. */
export interface Face {
  spec: Spec;
  /** Derived: what it asks for, in one face. Of an alloc set: what a job would say that asked for the same; its `task` is absent. */
  wants: JobSpec;
  priority: number;
  /** Derived: the limit of a task without override, one object for all of them. */
  limit: Vector;
}

/** Tasks `first` to `last`. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** `rolled`: every task had its turn; it can be committed, or still be undone. */
export type UpdatePhase = "rolling" | "paused" | "undoing" | "rolled";

/** The second spec of a job that is updated. Both stand until it is committed or undone. */
export interface Update extends Face {
  readonly generation: number;
  phase: UpdatePhase;
  /** The tasks that it is about; none: all. */
  ranges: readonly Range[];
  /** How many tasks the job had before. */
  readonly countBefore: number;
  readonly startedMs: number;
  /** Since when in its phase. */
  sinceMs: number;
  /** Why it is undone, when nobody asked for that; else empty. */
  reason: string;
  /** Tasks of any job that were preempted for tasks that it moved or restarted. */
  preempted: number;
  /** Derived: what it is charged in another band than the job's. */
  charge: Vector;
}

/** `skip`: the old spec stays, the change would have been one disruption too many. `back`: the update was undone for it. */
export type ToldKind = "free" | "in-place" | "restart" | "move" | "skip" | "back";

/** What an update told a task, and when. */
export interface Told {
  /** Of the update's spec. */
  readonly generation: number;
  readonly kind: ToldKind;
  readonly timeMs: number;
}

export interface Job extends Face {
  readonly id: JobId;
  readonly owner: UserId;
  /** Which of the specs that its name had this one is, from 0 on; and the older ones that living instances run. */
  generation: number;
  kept: readonly KeptSpec[];
  /** What is left of the spec of a dead job whose details were forgotten, to know the same one again; empty while the spec is whole. */
  specDigest: Uint8Array;
  /** There while it is updated. */
  update: Update | undefined;
  /** Of a framework, and there for as long as it is one. */
  led: Led | undefined;
  /** How many tasks are wanted: indexes below it. */
  count: number;
  /** Tasks beyond `count` are dead and leave when their last instance has gone. */
  readonly tasks: Task[];
  submittedMs: number;
  /** Since when in its state. */
  sinceMs: number;
  /** When a drain last took a ready task of it down, while it says how often one may; 0: never. */
  drainedMs: number;
  /** Waits for the end of another job. */
  held: boolean;
  killed: boolean;
  /** Derived. */
  state: JobState;
  placed: number;
  dead: number;
  charge: Vector;
  /** Derived: what its spec takes, as encoded. Mirrors of a cell do not weigh. */
  specBytes: number;
  /** Derived: what it counts for in the sums of its owner and of the cell (bounds.ts). Mirrors do not count. */
  readonly counted: { tasks: number; isAlive: boolean };
  /** Derived: perMachine jobs' tasks by machine. */
  readonly pins: Map<MachineId, Task>;
}

/** Who leads a framework, and what of its tasks is asked for by name. */
export interface Led {
  /** No other framework of the cell ever has it. */
  number: number;
  /** Of the scheduler that subscribed last, and since when. */
  session: number;
  sessionMs: number;
  /** Since when no scheduler is connected; 0: one is. */
  disconnectedMs: number;
  /** Derived: tasks whose index is not free, by the framework's own names. */
  readonly byId: Map<string, Task>;
  /** Derived: tasks that are over and have updates that are not acknowledged. */
  unacknowledged: number;
  /** Derived: no index below it is free. */
  freeFrom: number;
  /** Derived: equal specs of its tasks are one object; and what the specs of all its tasks take, as encoded. */
  readonly specs: Map<string, SharedSpec>;
  specBytes: number;
}

export interface SharedSpec extends Face {
  readonly key: string;
  readonly bytes: number;
  tasks: number;
}

/** What a framework launched, and what it was told of it. */
export interface Launched {
  /** The framework's own name for the task. */
  readonly taskId: string;
  readonly title: string;
  /** Incarnation of the first task of its group; 0: it was launched alone. */
  readonly group: number;
  /** As a job of one task would ask for it; details are forgotten when the task is over and acknowledged. */
  spec: SharedSpec;
  /** The number of its last update; 0: there was none. */
  number: number;
  /** Not acknowledged, the first one in flight; bounded by statuses.ts. */
  updates: readonly Status[];
  /** What the last update said. */
  told: MesosStateName;
}

/** A status update (Mesos): kept until the framework has acknowledged it. */
export interface Status {
  readonly number: number;
  readonly state: MesosStateName;
  readonly reason: MesosReasonName;
  readonly message: string;
  readonly healthy: boolean | undefined;
  readonly timeMs: number;
  /** What its executor sent along; empty: nothing. */
  readonly data: Uint8Array;
}

export interface Task {
  readonly job: Job;
  readonly index: number;
  readonly id: TaskId;
  state: TaskState;
  /** Why it is in this state. */
  cause: Cause;
  sinceMs: number;
  /** Of the instance it has, or (pending, stopping) the next one will have. */
  incarnation: number;
  starts: number;
  /** Failures in a row: placements that ended in one. */
  failures: number;
  /** When it first ran, which its deadline counts from; 0: never. */
  firstStartMs: number;
  notBeforeMs: number;
  /** The one machine it may run on (perMachine jobs, and tasks whose volumes are there: volume.ts). */
  pinned: MachineId | undefined;
  past: Past;
  /** What the last update told it. */
  told: Told | undefined;
  /** Of a task of a framework. */
  launched: Launched | undefined;
  /** There while placed, and afterwards until the borglet reports it gone or the machine is given up. */
  instance: Instance | undefined;
}

/** What became of its instances before. Nearly every task has no such past, and all of those share one object (past.ts). */
export interface Past {
  /** Runs that failed in a row, on all its machines. */
  readonly failedRuns: number;
  /** Machines where it failed lately (Borg §4: avoid repeating task-machine pairings that crash). */
  readonly avoid: readonly Avoided[];
  readonly lastExit: Exit | undefined;
  /** The last instance that left, and where it was: its logs are there. */
  readonly last: LastPlace | undefined;
}

export interface Avoided {
  readonly machine: MachineId;
  readonly untilMs: number;
}

export interface LastPlace {
  readonly instance: InstanceId;
  readonly machine: MachineId;
  /** The instance that took its place; undefined: it left for another reason. */
  readonly preemptor: InstanceId | undefined;
}

export interface Exit {
  readonly code: number;
  readonly signal: number;
  readonly message: string;
}

export interface Instance {
  readonly id: InstanceId;
  readonly task: Task;
  readonly incarnation: number;
  readonly place: Place;
  /** As they were when it was placed: a job of the same name may ask for something else before this one has gone. Only an update changes priority and limit. */
  priority: number;
  limit: Vector;
  readonly reclaimable: boolean;
  readonly noticeMs: number;
  readonly lameDuckMs: number;
  /** Of the spec it runs: the one that its task went by when it was placed, or a later one that asks nothing else of its processes. */
  generation: number;
  reservation: Vector;
  readonly ports: readonly number[];
  /** What it has of extras that come in units. */
  readonly devices: readonly Device[];
  readonly scheduler: string;
  readonly placedMs: number;
  startedMs: number;
  run: number;
  faring: Faring;
  overRam: boolean;
  stop: Stop | undefined;
  /** What is inside, if this is an alloc. */
  readonly inside: Place | undefined;
}

/** How its current run fares. Nearly every instance has nothing to tell, and all of those share one object (instance.ts). */
export interface Faring {
  /** When the run began; 0: with `startedMs`. */
  readonly runMs: number;
  /** Runs that failed in a row, on its machine. */
  readonly failures: number;
  /** Between two runs: when the next one begins. 0: it is not. */
  readonly backOffUntilMs: number;
  readonly health: HealthName;
  /** Of its readiness check. */
  readonly ready: HealthName;
  /** Since when every check that it has is good; 0: not. */
  readonly wellMs: number;
  /** What one of them said last that was wrong. */
  readonly problem: string;
}

export interface Stop {
  readonly cause: Cause;
  readonly timeMs: number;
  readonly noticeMs: number;
  /** SIGTERM comes so long after the order: meanwhile it is in no list of names any more. */
  readonly lameDuckMs: number;
  /** Named as a victim of this instance's claim; it no longer counts in feasibility. */
  readonly preemptor: InstanceId | undefined;
}
