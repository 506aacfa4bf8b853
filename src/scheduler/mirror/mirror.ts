/**
 * The scheduler's own copy of the cell (Borg §3.4, Omega §3.4), from an image and the items of the change feed. On top of it lie the scheduler's claims that
 * are under way: planned, perhaps sent, not yet decided. Where both speak of the same thing, the feed is the truth:
 * - A claim under way takes its room, its task is no longer waiting, and its victims no longer count, as if it had been accepted.
 * - An item that says of a task what its claim has planned ends that claim: the instance takes the planned one's place, and the sums stay.
 * - Before an item is filled in, other claims that it speaks of are lifted off; afterwards those are laid on again whose task still waits in the same
 *   incarnation and whose place is still there. So a claim ends when the feed shows its task placed, by whomever, or gone.
 * - A refusal takes a claim back at once, and a fresh image takes back all of them.
 *
 * Records have the cell's types, so that the cell's own rules (who may be evicted, what is over, what counts) are asked, not repeated. What the cell derives
 * for jobs and users (states, charges, waiters) is not kept. Nothing of the cell is ever held or changed here.
 */
import { isInstance, type JobId, type MachineId, splitTask, type TaskId, taskOf, type UserId } from "../../base/id.ts";
import { equal, minus, plus, type Vector, ZERO } from "../../base/vector.ts";
import { dropLimits, type Limiting, noteLimits } from "../../cell/beside.ts";
import type { FeedItem, Image, Removed } from "../../cell/feed.ts";
import { count, counts, uncount } from "../../cell/place.ts";
import { hasLimit, isCounted, isCountedAlike, readInstance, readTask, updateInstance, updateTask } from "../../cell/record/read.ts";
import type { Instance, Job, Machine, Place, Scheduler, Task } from "../../cell/state.ts";
import { ownerOf } from "../../cell/volume.ts";
import type { FeedRecord } from "../../wire/gen/borg/v1/feed_pb.ts";
import type { InstanceRecord, JobRecord, MachineRecord, SchedulerRecord, TasksRecord } from "../../wire/gen/borg/v1/record_pb.ts";
import type { Policy } from "../search/policy.ts";
import { Slots } from "../search/slots.ts";
import { addJob } from "./claimed.ts";
import { Demand } from "./demand.ts";
import { readJob, readMachine, updateJob, updateMachine } from "./fill.ts";
import { Improved, mayHelp } from "./improved.ts";
import { loosened, wantsBy } from "./loosened.ts";
import { Numbering, type Numbers } from "./numbering.ts";
import { Residents } from "./residents.ts";
import { Tally } from "./tally.ts";
import { Totals } from "./totals.ts";
import { type Later, Ledger, plannedInstance, plannedStop, type Underway, underwayOf } from "./underway.ts";
import { upsetBy } from "./upset.ts";
import { hurry, setWaiting, type Waiting } from "./waiting.ts";

export class Mirror {
  readonly name: string;
  position = 0;
  timeMs = 0;
  readonly machines = new Map<MachineId, Machine>();
  readonly jobs = new Map<JobId, Job>();
  readonly schedulers = new Map<string, Scheduler>();
  readonly limiting: Limiting = new Map();
  readonly waiting = new Map<JobId, Waiting>();
  readonly improved = new Improved();
  readonly numbering = new Numbering();
  readonly totals = new Totals(this.machines);
  readonly demand = new Demand(this.totals, this.jobs, this.waiting);
  /** Rises when this scheduler's limits changed or it has less claimed than before: what did not fit its cap may fit now. */
  capChanges = 0;
  readonly #underway = new Ledger();
  readonly #residents = new Residents();
  readonly #tallies = new Map<JobId, Tally>();
  /** Machines that an item made better for somebody: others need not be looked at again by who found no room. */
  readonly #better = new Set<MachineId>();
  readonly #start: number;
  #sorted: readonly Machine[] | undefined;
  #prodSlots: Slots | undefined;
  #otherSlots: Slots | undefined;

  /** `start`: how far along the machines' names its ties begin, as a part of them all. */
  constructor(name: string, start = 0) {
    this.name = name;
    this.#start = start;
  }

  /** Begins anew. What is wrong with the image, if anything. */
  load(image: Image): string | undefined {
    for (const map of [this.machines, this.jobs, this.schedulers, this.limiting, this.waiting, this.#tallies]) map.clear();
    this.#underway.clear();
    this.#residents.clear();
    this.numbering.clear();
    this.#regroup();
    this.totals.clear();
    this.demand.clear();
    this.improved.reset();
    this.capChanges += 1;
    [this.position, this.timeMs] = [image.position, image.timeMs];
    const problem = this.#fill(image.records);
    this.#better.clear();
    return problem;
  }

  /** Fills in the next item. What is wrong with it, if anything: then only an image helps. */
  follow(item: FeedItem): string | undefined {
    if (item.position !== this.position + 1) return `Item ${item.position} does not follow ${this.position}`;
    const lifted = upsetBy(item, this.jobs, this.#underway);
    for (const claim of lifted) this.#lift(claim);
    [this.position, this.timeMs] = [item.position, item.timeMs];
    const problem = this.#fill(item.records) ?? this.#removeAll(item.removed);
    for (const claim of lifted) {
      if (this.#stillOpen(claim)) this.#lay(claim);
      else this.#decided(claim);
    }
    for (const id of this.#better) this.improved.add(id);
    this.#better.clear();
    return problem;
  }

  /** Every machine, in the order of their names, from where this scheduler begins. */
  sorted(): readonly Machine[] {
    this.#sorted ??= this.numbering.order(this.machines.values(), this.#start);
    return this.#sorted;
  }

  /** The machines in arrays, as prod or the others see them. Made anew when machines came, went or have other facts, or demand moved. */
  slots(policy: Policy, prod: boolean): Slots {
    const known = prod ? this.#prodSlots : this.#otherSlots;
    if (known?.packing.policy === policy && known.demand === this.demand.now) return known;
    const places = this.sorted().map((machine) => machine.place);
    const slots = new Slots(places, policy, prod, this.numbering, this.#residents, this.demand.now);
    if (prod) this.#prodSlots = slots;
    else this.#otherSlots = slots;
    return slots;
  }

  /** What is known of a machine is to be looked at again. */
  touch(id: MachineId): void {
    const machine = this.machines.get(id);
    if (machine !== undefined) this.#touchAt(this.numbering.of(machine));
  }

  #touchAt({ slot }: Numbers): void {
    this.#prodSlots?.touchAt(slot);
    this.#otherSlots?.touchAt(slot);
  }

  /** Another capacity changes the mean machine, and so the score of every machine; other facts are the machine's own. */
  #factsChanged(machine: Machine, before: Vector): void {
    const { slot } = this.numbering.renew(machine);
    this.#tallies.clear();
    if (!equal(before, machine.place.capacity)) return this.#regroup();
    this.#prodSlots?.describe(slot);
    this.#otherSlots?.describe(slot);
  }

  #regroup(): void {
    this.#sorted = undefined;
    [this.#prodSlots, this.#otherSlots] = [undefined, undefined];
    this.totals.forgetCapacity();
  }

  get own(): Scheduler | undefined {
    return this.schedulers.get(this.name);
  }

  /** How many claims are under way, or how many of one transaction. */
  open(transaction?: string): number {
    return transaction === undefined ? this.#underway.size : this.#underway.ofTransaction(transaction).length;
  }

  isPlanned(instance: Instance): boolean {
    return this.#underway.of(instance.task.id)?.instance === instance;
  }

  underwayOn(machine: MachineId): Iterable<Underway> {
    return this.#underway.onMachine(machine);
  }

  /** Machines that a transaction puts something on. */
  machinesOf(transaction: string): ReadonlySet<MachineId> {
    return new Set(this.#underway.ofTransaction(transaction).map((claim) => claim.instance.place.machine.id));
  }

  /** What a claim under way will make of a task. */
  plannedFor(task: Task): Instance | undefined {
    return this.#underway.of(task.id)?.instance;
  }

  /** Where the tasks of a job are. Counted when first asked for, and kept up to date from then on. */
  tallyOf(job: Job): Tally {
    const known = this.#tallies.get(job.id);
    if (known !== undefined) return known;
    const tally = new Tally(this, job);
    this.#tallies.set(job.id, tally);
    return tally;
  }

  /** Takes a claim for accepted until it is decided. The caller has made sure that it fits. */
  plan(transaction: string, task: Task, place: Place, limit: Vector, victims: readonly Instance[]): void {
    const claim = underwayOf(transaction, plannedInstance(this.name, task, place, limit, this.timeMs, victims), victims);
    this.#underway.add(claim);
    this.#lay(claim);
    setWaiting(this.waiting, task, false);
  }

  /** The claim was refused, or nobody knows: there may be room again. A task without a claim of that transaction is passed over. */
  takeBack(task: string, transaction: string): void {
    const machine = this.unplan(task, transaction);
    if (machine !== undefined) this.improved.add(machine.id);
  }

  /** Undoes `plan` before anybody was told, and says where it was. */
  unplan(task: string, transaction: string): Machine | undefined {
    const claim = this.#underway.of(task as TaskId);
    if (claim?.transaction !== transaction) return undefined;
    this.#lift(claim);
    this.#forget(claim);
    return claim.instance.place.machine;
  }

  /** Takes back what is left of a transaction. */
  drop(transaction: string): void {
    for (const claim of this.#underway.ofTransaction(transaction)) this.takeBack(claim.task.id, transaction);
  }

  /** Jobs and tasks first, then what is on machines, then what is in allocs on them. */
  #fill(records: Iterable<FeedRecord>): string | undefined {
    const later: Later[] = [];
    const inside: Later[] = [];
    let problem: string | undefined;
    for (const { body } of records) {
      if (body.case === "scheduler") this.#fillScheduler(body.value);
      if (body.case === "machine") problem ??= this.#fillMachine(body.value);
      if (body.case === "job") problem ??= this.#fillJob(body.value);
      if (body.case === "tasks") problem ??= this.#fillTasks(body.value, later);
    }
    for (const each of later) {
      if (isInstance(each.record.place)) inside.push(each);
      else problem ??= this.#put(each);
    }
    for (const each of inside) problem ??= this.#put(each);
    return problem;
  }

  #fillScheduler({ name, limits }: SchedulerRecord): void {
    if (limits === undefined) return;
    const known = this.schedulers.get(name);
    if (known === undefined) this.schedulers.set(name, { name, limits, claimed: ZERO, claimedJobs: new Map() });
    else known.limits = limits;
    if (name === this.name) this.capChanges += 1;
  }

  #fillMachine(record: MachineRecord): string | undefined {
    const known = this.machines.get(record.name as MachineId);
    if (known !== undefined) {
      const { facts, reachable, draining } = known;
      const { capacity } = known.place;
      updateMachine(known, record);
      this.#touchAt(this.numbering.of(known));
      if (known.reachable !== reachable || known.draining !== draining) this.totals.forgetAnswering();
      if (known.facts !== facts) this.#factsChanged(known, capacity);
      if (known.facts !== facts || (known.reachable && !reachable) || (draining && !known.draining)) this.#better.add(known.id);
      return undefined;
    }
    const machine = readMachine(record);
    if (machine === undefined) return `Machine "${record.name}" comes without facts`;
    this.machines.set(machine.id, machine);
    this.#better.add(machine.id);
    this.#regroup();
    return undefined;
  }

  #fillJob(record: JobRecord): string | undefined {
    const fresh = record.spec.value;
    const known = fresh === undefined ? undefined : this.jobs.get(`${fresh.user}/${fresh.name}` as JobId);
    if (known !== undefined) {
      const before = wantsBy(known);
      updateJob(known, record);
      for (const id of loosened(this.limiting, known, before)) this.#better.add(id);
      this.#dropSurplus(known);
      return undefined;
    }
    const job = readJob(record);
    if (job === undefined) return "A job comes without spec";
    this.jobs.set(job.id, job);
    noteLimits(this.limiting, job);
    return undefined;
  }

  #fillTasks(record: TasksRecord, later: Later[]): string | undefined {
    const job = this.jobs.get(record.job as JobId);
    if (job === undefined) return `Tasks come of job "${record.job}", which is not known`;
    for (const [i, each] of record.tasks.entries()) {
      const index = record.first + i;
      const known = job.tasks[index];
      if (known === undefined && index !== job.tasks.length)
        return `Task ${index} of job "${job.id}" comes before task ${job.tasks.length}`;
      const task = known ?? readTask(job, index, each);
      const { notBeforeMs = 0, told = undefined } = known ?? {};
      if (known === undefined) job.tasks.push(task);
      else updateTask(known, each);
      if (task.instance !== undefined && task.instance.incarnation !== each.instance?.incarnation) this.#remove(task.instance);
      if (each.instance !== undefined) later.push({ task, record: each.instance });
      this.#noteWaiting(task);
      const isTold = known !== undefined && task.told?.kind !== told?.kind;
      if (task.notBeforeMs < notBeforeMs || isTold) hurry(this.waiting, task);
      if (isTold && task.instance !== undefined && this.limiting.has(job.owner)) this.#better.add(task.instance.place.machine.id);
    }
    return undefined;
  }

  /** An instance that came, or changed where it is. */
  #put({ task, record }: Later): string | undefined {
    const known = task.instance;
    if (known !== undefined) {
      this.#update(known, record);
      return undefined;
    }
    const claim = this.#underway.of(task.id);
    if (claim?.isLaid) {
      this.#adopt(claim, record);
      return undefined;
    }
    const place = this.#place(record.place);
    if (place === undefined) return `Task "${task.id}" is at "${record.place}", which is not known`;
    const instance = readInstance(task, place, record);
    task.instance = instance;
    place.occupants.set(instance.id, instance);
    this.#count(instance);
    // An alloc is a new place; who else came only takes room, as much as could be had by evicting it.
    if (instance.inside !== undefined) this.#better.add(place.machine.id);
    return undefined;
  }

  /** The claim was accepted as it was planned. Until now its instance was nobody's victim. */
  #adopt(claim: Underway, record: InstanceRecord): void {
    const { task, instance: planned } = claim;
    const { place } = planned;
    const instance = readInstance(task, place, record);
    task.instance = instance;
    place.occupants.set(instance.id, instance);
    const numbers = this.numbering.of(place.machine);
    this.#residents.add(numbers.machine, instance);
    this.#touchAt(numbers);
    this.totals.planned(planned, -1);
    this.#better.add(place.machine.id);
    this.#underway.remove(claim);
  }

  /** Most news of an instance (it runs now, it is healthy) is nothing that anybody counts. */
  #update(known: Instance, record: InstanceRecord): void {
    if (isCountedAlike(known, record)) return updateInstance(known, record);
    const { reservation, overRam, stop, priority, inside } = known;
    if (inside !== undefined && !hasLimit(record, known.limit)) this.#better.add(known.place.machine.id);
    if (priority === record.priority && hasLimit(record, known.limit) && counts(known) && isCounted(record)) {
      this.#recount(known, record);
    } else {
      this.#uncount(known);
      updateInstance(known, record);
      this.#count(known);
    }
    if (mayHelp({ reservation, overRam, stop, priority }, known)) this.#better.add(known.place.machine.id);
  }

  /** It counts as before, with another reservation perhaps. Its limit stays, and so do all sums of limits and of instances. */
  #recount(known: Instance, record: InstanceRecord): void {
    const { place, reservation } = known;
    const numbers = this.numbering.of(place.machine);
    this.#residents.remove(numbers.machine, known);
    this.totals.add(known, -1);
    updateInstance(known, record);
    if (!equal(reservation, known.reservation)) place.reserved = plus(minus(place.reserved, reservation), known.reservation);
    this.totals.add(known, 1);
    this.#residents.add(numbers.machine, known);
    this.#touchAt(numbers);
  }

  #remove(instance: Instance): void {
    this.#better.add(instance.place.machine.id);
    this.#uncount(instance);
    instance.place.occupants.delete(instance.id);
    instance.task.instance = undefined;
  }

  /** Machines last: what was on them goes with its task or job. */
  #removeAll(removed: readonly Removed[]): string | undefined {
    for (const each of removed) {
      if (each.kind === "task") {
        const { job, index } = splitTask(each.id);
        this.#truncate(this.jobs.get(job), index);
      } else if (each.kind === "job") {
        this.#truncate(this.jobs.get(each.id), 0);
        dropLimits(this.limiting, { id: each.id, owner: ownerOf(each.id) as UserId });
        this.jobs.delete(each.id);
        this.#tallies.delete(each.id);
      }
    }
    for (const each of removed) {
      if (each.kind !== "machine") continue;
      const machine = this.machines.get(each.id);
      if (machine === undefined) continue;
      if (machine.place.occupants.size > 0) return `Machine "${each.id}" left with tasks on it`;
      this.#residents.forget(this.numbering.of(machine).machine);
      this.numbering.forget(machine);
      this.machines.delete(each.id);
      this.#regroup();
    }
    return undefined;
  }

  /** Tasks leave from the end; one that still has an instance would be the feed's fault, and its room is freed all the same. */
  #truncate(job: Job | undefined, length: number): void {
    for (const task of job?.tasks.splice(length) ?? []) {
      if (task.instance !== undefined) this.#remove(task.instance);
      setWaiting(this.waiting, task, false);
    }
  }

  /** As the cell does: dead tasks beyond the count are no more. A job that was forgotten and came again within one entry had others. */
  #dropSurplus(job: Job): void {
    let length = job.tasks.length;
    while (length > job.count && job.tasks[length - 1]?.state === "dead") length -= 1;
    if (length < job.tasks.length) this.#truncate(job, length);
  }

  #place(id: string): Place | undefined {
    if (!isInstance(id)) return this.machines.get(id as MachineId)?.place;
    const { job, index } = splitTask(taskOf(id));
    const alloc = this.jobs.get(job)?.tasks[index]?.instance;
    return alloc?.id === id ? alloc.inside : undefined;
  }

  #noteWaiting(task: Task): void {
    setWaiting(this.waiting, task, task.state === "pending" && this.#underway.of(task.id) === undefined);
  }

  /** Counts an instance that is on its place, if it counts. One that does not has ports all the same. */
  #count(instance: Instance): void {
    const numbers = this.numbering.of(instance.place.machine);
    this.#touchAt(numbers);
    if (!counts(instance)) return;
    count(instance);
    this.#residents.add(numbers.machine, instance);
    this.totals.add(instance, 1);
    this.#tallies.get(instance.task.job.id)?.add(numbers, 1);
    const scheduler = this.schedulers.get(instance.scheduler);
    if (scheduler === undefined) return;
    scheduler.claimed = plus(scheduler.claimed, instance.limit);
    addJob(scheduler, instance.task.job.id, 1);
  }

  #uncount(instance: Instance): void {
    const numbers = this.numbering.of(instance.place.machine);
    this.#touchAt(numbers);
    if (!counts(instance)) return;
    uncount(instance);
    this.#residents.remove(numbers.machine, instance);
    this.totals.add(instance, -1);
    this.#tallies.get(instance.task.job.id)?.add(numbers, -1);
    const scheduler = this.schedulers.get(instance.scheduler);
    if (scheduler === undefined) return;
    scheduler.claimed = minus(scheduler.claimed, instance.limit);
    addJob(scheduler, instance.task.job.id, -1);
    const { cap, jobsMax } = scheduler.limits;
    if (scheduler.name === this.name && (cap !== undefined || jobsMax !== undefined)) this.capChanges += 1;
  }

  /** Victims leave the sums and the cap at once, but not the count of jobs: that is how the cell judges within a transaction. */
  #lay(claim: Underway): void {
    const { instance } = claim;
    claim.isLaid = true;
    const { place } = instance;
    for (const id of claim.victims) {
      const victim = place.occupants.get(id);
      if (victim?.stop !== undefined || victim === undefined) continue;
      this.#uncount(victim);
      if (victim.scheduler === this.name && this.own !== undefined) addJob(this.own, victim.task.job.id, 1);
      victim.stop = plannedStop(instance.id, this.timeMs);
      claim.marked.push(victim);
    }
    place.occupants.set(instance.id, instance);
    this.#count(instance);
    this.totals.planned(instance, 1);
  }

  #lift(claim: Underway): void {
    const { instance } = claim;
    claim.isLaid = false;
    this.#uncount(instance);
    this.totals.planned(instance, -1);
    instance.place.occupants.delete(instance.id);
    for (const victim of claim.marked) {
      victim.stop = undefined;
      if (victim.scheduler === this.name && this.own !== undefined) addJob(this.own, victim.task.job.id, -1);
      this.#count(victim);
    }
    if (claim.marked.length > 0) claim.marked.length = 0;
  }

  /** Whether it was accepted or not: its instance can be somebody's victim now, or its room is there again. */
  #decided(claim: Underway): void {
    this.#better.add(claim.instance.place.machine.id);
    this.#forget(claim);
  }

  #forget(claim: Underway): void {
    this.#underway.remove(claim);
    if (this.jobs.get(claim.task.job.id)?.tasks[claim.task.index] === claim.task) this.#noteWaiting(claim.task);
  }

  /** Whether the feed leaves a claim undecided. */
  #stillOpen({ task, instance }: Underway): boolean {
    const known = this.jobs.get(task.job.id)?.tasks[task.index];
    if (known !== task || task.state !== "pending" || task.incarnation !== instance.incarnation) return false;
    return this.#place(instance.place.id) === instance.place;
  }
}
