/** Reads records of an image or of the feed into the scheduler's own objects. They have the types of the cell's, and are never the cell's. */
import { machineId } from "../../base/id.ts";
import { unitsOf } from "../../cell/device.ts";
import { newLed } from "../../cell/framework.ts";
import { newJob } from "../../cell/ops/admission.ts";
import { capacityOf, newMachine } from "../../cell/ops/machines.ts";
import { readDirectories, readLed, readSpec, readUpdate } from "../../cell/record/read.ts";
import { setSpec } from "../../cell/spec.ts";
import type { Job, Machine } from "../../cell/state.ts";
import { firstDifference } from "../../wire/difference.ts";
import { MachineFactsSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { JobRecord, MachineRecord } from "../../wire/gen/borg/v1/record_pb.ts";
import { AllocSetSpecSchema, FrameworkSpecSchema, JobSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";

export function readMachine(record: MachineRecord): Machine | undefined {
  if (record.facts === undefined) return undefined;
  const machine = newMachine(machineId(record.name), record.facts, record.sinceMs, record.approval);
  updateMachine(machine, record);
  return machine;
}

export function updateMachine(machine: Machine, record: MachineRecord): void {
  const { facts } = record;
  // Absent: they are what they were.
  if (facts !== undefined && facts !== machine.facts && firstDifference(MachineFactsSchema, machine.facts, facts) !== undefined) {
    const fresh = newMachine(machine.id, facts, record.sinceMs, record.approval);
    machine.facts = facts;
    machine.place.capacity = fresh.place.capacity;
    machine.place.units = fresh.place.units;
    machine.attributes.clear();
    for (const [key, value] of fresh.attributes) machine.attributes.set(key, value);
  }
  if (record.approval !== undefined) {
    machine.approval = record.approval;
    machine.place.capacity = capacityOf(machine.facts, record.approval);
    machine.place.units = unitsOf(machine.facts, machine.place.capacity);
  }
  machine.reachable = record.reachable;
  machine.draining = record.draining;
  machine.sequence = record.sequence;
  machine.sinceMs = record.sinceMs;
  machine.place.portNext = record.portNext;
  machine.directories = readDirectories(record);
}

export function readJob(record: JobRecord): Job | undefined {
  const spec = readSpec(record.spec);
  if (spec === undefined) return undefined;
  const job = newJob(spec, record.submittedMs);
  updateJob(job, record);
  return job;
}

/** The spec object stays the same while nothing in it changed, so that who remembers it can see that. */
export function updateJob(job: Job, record: JobRecord): void {
  const spec = readSpec(record.spec);
  if (spec !== undefined && differs(job.spec, spec)) setSpec(job, spec);
  job.generation = record.generation;
  job.update = updateOf(job, record);
  // A framework that took the name of another one begins anew.
  if (job.spec.kind !== "framework") job.led = undefined;
  else if (job.led === undefined || job.led.number !== (record.led?.number ?? 0)) job.led = newLed();
  if (job.led !== undefined) readLed(job.led, record);
  job.count = record.count;
  job.submittedMs = record.submittedMs;
  job.sinceMs = record.sinceMs;
  job.drainedMs = record.drainedMs;
  job.held = record.held;
  job.killed = record.killed;
  job.specDigest = record.specDigest;
}

/** As with the job's own, the spec object stays the same while nothing in it changed. */
function updateOf({ update: known }: Job, record: JobRecord): Job["update"] {
  const update = readUpdate(record);
  if (update === undefined || known === undefined || differs(known.spec, update.spec)) return update;
  const { spec, wants, priority, limit } = known;
  return { ...update, spec, wants, priority, limit };
}

function differs(a: Job["spec"], b: Job["spec"]): boolean {
  if (a.kind === "job" && b.kind === "job") return a.job !== b.job && firstDifference(JobSpecSchema, a.job, b.job) !== undefined;
  if (a.kind === "alloc-set" && b.kind === "alloc-set")
    return a.allocSet !== b.allocSet && firstDifference(AllocSetSpecSchema, a.allocSet, b.allocSet) !== undefined;
  if (a.kind === "framework" && b.kind === "framework")
    return a.framework !== b.framework && firstDifference(FrameworkSpecSchema, a.framework, b.framework) !== undefined;
  return true;
}
