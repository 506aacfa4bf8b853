/** Made by tools/gen.ts from proto/: how each message is made, read and written. */
import type { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

type Any = any;

export interface MessageCodec {
  /** A whole message of what is given; what is not is as the wire leaves it out. */
  readonly make: (init: Any) => Any;
  readonly zero: () => Any;
  /** Reads up to `end`, into a message that may have been begun. */
  readonly read: (message: Any, reader: BinaryReader, end: number) => Any;
  readonly write: (writer: BinaryWriter, message: Any) => void;
}

const NONE = new Uint8Array();
const GROUP_DEPTH_MAX = 16;

/** What is not known is kept, so that whoever checks the message can say its number. */
function unknown(message: Any, reader: BinaryReader, tag: number): void {
  const no = tag >>> 3;
  const wireType = tag & 7;
  if (no === 0 || wireType > 5) throw new Error(`no field has number ${no} and wire type ${wireType}`);
  message.$unknown ??= [];
  message.$unknown.push({ no, wireType, data: reader.skip(wireType, no, GROUP_DEPTH_MAX) });
}

function end(reader: BinaryReader, expected: number): void {
  if (reader.pos !== expected) throw new RangeError("a field reaches beyond its message");
}

function rest(writer: BinaryWriter, unknown: Any): void {
  for (const { no, wireType, data } of unknown) writer.tag(no, wireType).raw(data);
}

const zeroAcknowledgeUpdatesRequest = (): Any => ({ $typeName: "borg.v1.AcknowledgeUpdatesRequest", requestId: "", framework: "", session: 0, acknowledgements: [] });

function makeAcknowledgeUpdatesRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.AcknowledgeUpdatesRequest", requestId: i.requestId ?? "", framework: i.framework ?? "", session: i.session ?? 0, acknowledgements: i.acknowledgements?.map(makeAcknowledgement) ?? [] };
  return m;
}

function readAcknowledgeUpdatesRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.framework = r.string(true);
        break;
      case 25:
        m.session = r.double();
        break;
      case 34:
        m.acknowledgements.push(readAcknowledgement(zeroAcknowledgement(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeAcknowledgeUpdatesRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.framework !== "") w.uint32(18).string(m.framework);
  if (!Object.is(m.session, 0)) w.uint32(25).double(m.session);
  for (const each of m.acknowledgements) { w.uint32(34).fork(); writeAcknowledgement(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroAcknowledgement = (): Any => ({ $typeName: "borg.v1.Acknowledgement", taskId: "", uuid: NONE });

function makeAcknowledgement(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Acknowledgement", taskId: i.taskId ?? "", uuid: i.uuid ?? NONE };
  return m;
}

function readAcknowledgement(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskId = r.string(true);
        break;
      case 18:
        m.uuid = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeAcknowledgement(w: BinaryWriter, m: Any): void {
  if (m.taskId !== "") w.uint32(10).string(m.taskId);
  if (m.uuid.length > 0) w.uint32(18).bytes(m.uuid);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroAddPackageRequest = (): Any => ({ $typeName: "borg.v1.AddPackageRequest", requestId: "", user: "", name: "", digest: "", bytes: 0, shared: false });

function makeAddPackageRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.AddPackageRequest", requestId: i.requestId ?? "", user: i.user ?? "", name: i.name ?? "", digest: i.digest ?? "", bytes: i.bytes ?? 0, shared: i.shared ?? false };
  if (i.labels !== undefined) m.labels = makeLabels(i.labels);
  return m;
}

function readAddPackageRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 26:
        m.name = r.string(true);
        break;
      case 34:
        m.digest = r.string(true);
        break;
      case 41:
        m.bytes = r.double();
        break;
      case 48:
        m.shared = r.bool();
        break;
      case 58:
        m.labels = readLabels(m.labels ?? zeroLabels(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeAddPackageRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.name !== "") w.uint32(26).string(m.name);
  if (m.digest !== "") w.uint32(34).string(m.digest);
  if (!Object.is(m.bytes, 0)) w.uint32(41).double(m.bytes);
  if (m.shared) w.uint32(48).bool(m.shared);
  if (m.labels !== undefined) { w.uint32(58).fork(); writeLabels(w, m.labels); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroAdjustOrder = (): Any => ({ $typeName: "borg.v1.AdjustOrder", instance: "", generation: 0, priority: 0, slackRam: false, allocGeneration: 0, holdCpu: false });

function makeAdjustOrder(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.AdjustOrder", instance: i.instance ?? "", generation: i.generation ?? 0, priority: i.priority ?? 0, slackRam: i.slackRam ?? false, allocGeneration: i.allocGeneration ?? 0, holdCpu: i.holdCpu ?? false };
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.allocLimit !== undefined) m.allocLimit = makeResources(i.allocLimit);
  if (i.appClass !== undefined) m.appClass = i.appClass;
  if (i.restart !== undefined) m.restart = makeRestartPolicy(i.restart);
  return m;
}

function readAdjustOrder(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 16:
        m.generation = r.uint32();
        break;
      case 26:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 32:
        m.priority = r.uint32();
        break;
      case 40:
        m.slackRam = r.bool();
        break;
      case 50:
        m.allocLimit = readResources(m.allocLimit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 56:
        m.allocGeneration = r.uint32();
        break;
      case 64:
        m.appClass = r.int32();
        break;
      case 74:
        m.restart = readRestartPolicy(m.restart ?? zeroRestartPolicy(), r, r.uint32() + r.pos);
        break;
      case 80:
        m.holdCpu = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeAdjustOrder(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.generation !== 0) w.uint32(16).uint32(m.generation);
  if (m.limit !== undefined) { w.uint32(26).fork(); writeResources(w, m.limit); w.join(); }
  if (m.priority !== 0) w.uint32(32).uint32(m.priority);
  if (m.slackRam) w.uint32(40).bool(m.slackRam);
  if (m.allocLimit !== undefined) { w.uint32(50).fork(); writeResources(w, m.allocLimit); w.join(); }
  if (m.allocGeneration !== 0) w.uint32(56).uint32(m.allocGeneration);
  if (m.appClass !== undefined) w.uint32(64).int32(m.appClass);
  if (m.restart !== undefined) { w.uint32(74).fork(); writeRestartPolicy(w, m.restart); w.join(); }
  if (m.holdCpu) w.uint32(80).bool(m.holdCpu);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroAllocSetSpec = (): Any => ({ $typeName: "borg.v1.AllocSetSpec", user: "", name: "", priority: 0, count: 0, ports: 0, constraints: [], labels: [], spread: 0, mode: 0, scheduler: "", tenants: [], keepDirectoryMs: 0, drainEveryMs: 0 });

function makeAllocSetSpec(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.AllocSetSpec", user: i.user ?? "", name: i.name ?? "", priority: i.priority ?? 0, count: i.count ?? 0, ports: i.ports ?? 0, constraints: i.constraints?.map(makeConstraint) ?? [], labels: i.labels?.map(makeLabel) ?? [], spread: i.spread ?? 0, mode: i.mode ?? 0, scheduler: i.scheduler ?? "", tenants: i.tenants ?? [], keepDirectoryMs: i.keepDirectoryMs ?? 0, drainEveryMs: i.drainEveryMs ?? 0 };
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.downMax !== undefined) m.downMax = i.downMax;
  if (i.update !== undefined) m.update = makeUpdatePolicy(i.update);
  return m;
}

function readAllocSetSpec(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 24:
        m.priority = r.uint32();
        break;
      case 32:
        m.count = r.uint32();
        break;
      case 42:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 48:
        m.ports = r.uint32();
        break;
      case 58:
        m.constraints.push(readConstraint(zeroConstraint(), r, r.uint32() + r.pos));
        break;
      case 66:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      case 72:
        m.spread = r.int32();
        break;
      case 80:
        m.mode = r.int32();
        break;
      case 90:
        m.scheduler = r.string(true);
        break;
      case 96:
        m.downMax = r.uint32();
        break;
      case 106:
        m.tenants.push(r.string(true));
        break;
      case 114:
        m.update = readUpdatePolicy(m.update ?? zeroUpdatePolicy(), r, r.uint32() + r.pos);
        break;
      case 160:
        m.keepDirectoryMs = r.uint32();
        break;
      case 168:
        m.drainEveryMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeAllocSetSpec(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.priority !== 0) w.uint32(24).uint32(m.priority);
  if (m.count !== 0) w.uint32(32).uint32(m.count);
  if (m.limit !== undefined) { w.uint32(42).fork(); writeResources(w, m.limit); w.join(); }
  if (m.ports !== 0) w.uint32(48).uint32(m.ports);
  for (const each of m.constraints) { w.uint32(58).fork(); writeConstraint(w, each); w.join(); }
  for (const each of m.labels) { w.uint32(66).fork(); writeLabel(w, each); w.join(); }
  if (m.spread !== 0) w.uint32(72).int32(m.spread);
  if (m.mode !== 0) w.uint32(80).int32(m.mode);
  if (m.scheduler !== "") w.uint32(90).string(m.scheduler);
  if (m.downMax !== undefined) w.uint32(96).uint32(m.downMax);
  for (const each of m.tenants) w.uint32(106).string(each);
  if (m.update !== undefined) { w.uint32(114).fork(); writeUpdatePolicy(w, m.update); w.join(); }
  if (m.keepDirectoryMs !== 0) w.uint32(160).uint32(m.keepDirectoryMs);
  if (m.drainEveryMs !== 0) w.uint32(168).uint32(m.drainEveryMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroAllocSetSubmit = (): Any => ({ $typeName: "borg.v1.AllocSetSubmit" });

function makeAllocSetSubmit(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.AllocSetSubmit" };
  if (i.spec !== undefined) m.spec = makeAllocSetSpec(i.spec);
  return m;
}

function readAllocSetSubmit(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.spec = readAllocSetSpec(m.spec ?? zeroAllocSetSpec(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeAllocSetSubmit(w: BinaryWriter, m: Any): void {
  if (m.spec !== undefined) { w.uint32(10).fork(); writeAllocSetSpec(w, m.spec); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroAmounts = (): Any => ({ $typeName: "borg.v1.Amounts", cpu: 0, ram: 0, disk: 0, bandwidth: 0, ports: 0, extras: [] });

function makeAmounts(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Amounts", cpu: i.cpu ?? 0, ram: i.ram ?? 0, disk: i.disk ?? 0, bandwidth: i.bandwidth ?? 0, ports: i.ports ?? 0, extras: i.extras?.map(makeExtra) ?? [] };
  return m;
}

function readAmounts(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.cpu = r.double();
        break;
      case 17:
        m.ram = r.double();
        break;
      case 25:
        m.disk = r.double();
        break;
      case 33:
        m.bandwidth = r.double();
        break;
      case 41:
        m.ports = r.double();
        break;
      case 50:
        m.extras.push(readExtra(zeroExtra(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeAmounts(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.cpu, 0)) w.uint32(9).double(m.cpu);
  if (!Object.is(m.ram, 0)) w.uint32(17).double(m.ram);
  if (!Object.is(m.disk, 0)) w.uint32(25).double(m.disk);
  if (!Object.is(m.bandwidth, 0)) w.uint32(33).double(m.bandwidth);
  if (!Object.is(m.ports, 0)) w.uint32(41).double(m.ports);
  for (const each of m.extras) { w.uint32(50).fork(); writeExtra(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroApproval = (): Any => ({ $typeName: "borg.v1.Approval", key: "" });

function makeApproval(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Approval", key: i.key ?? "" };
  if (i.capacity !== undefined) m.capacity = makeResources(i.capacity);
  return m;
}

function readApproval(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.capacity = readResources(m.capacity ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.key = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeApproval(w: BinaryWriter, m: Any): void {
  if (m.capacity !== undefined) { w.uint32(10).fork(); writeResources(w, m.capacity); w.join(); }
  if (m.key !== "") w.uint32(18).string(m.key);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroApproveMachineRequest = (): Any => ({ $typeName: "borg.v1.ApproveMachineRequest", requestId: "", machine: "", tokenHash: "", ttlMs: 0 });

function makeApproveMachineRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ApproveMachineRequest", requestId: i.requestId ?? "", machine: i.machine ?? "", tokenHash: i.tokenHash ?? "", ttlMs: i.ttlMs ?? 0 };
  if (i.approval !== undefined) m.approval = makeApproval(i.approval);
  return m;
}

function readApproveMachineRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.machine = r.string(true);
        break;
      case 26:
        m.approval = readApproval(m.approval ?? zeroApproval(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.tokenHash = r.string(true);
        break;
      case 41:
        m.ttlMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeApproveMachineRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (m.approval !== undefined) { w.uint32(26).fork(); writeApproval(w, m.approval); w.join(); }
  if (m.tokenHash !== "") w.uint32(34).string(m.tokenHash);
  if (!Object.is(m.ttlMs, 0)) w.uint32(41).double(m.ttlMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroAttribute = (): Any => ({ $typeName: "borg.v1.Attribute", key: "", value: "" });

function makeAttribute(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Attribute", key: i.key ?? "", value: i.value ?? "" };
  return m;
}

function readAttribute(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.key = r.string(true);
        break;
      case 18:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeAttribute(w: BinaryWriter, m: Any): void {
  if (m.key !== "") w.uint32(10).string(m.key);
  if (m.value !== "") w.uint32(18).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroAvoid = (): Any => ({ $typeName: "borg.v1.Avoid", machine: "", untilMs: 0 });

function makeAvoid(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Avoid", machine: i.machine ?? "", untilMs: i.untilMs ?? 0 };
  return m;
}

function readAvoid(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 17:
        m.untilMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeAvoid(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (!Object.is(m.untilMs, 0)) w.uint32(17).double(m.untilMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroBandQuota = (): Any => ({ $typeName: "borg.v1.BandQuota", band: 0 });

function makeBandQuota(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.BandQuota", band: i.band ?? 0 };
  if (i.quota !== undefined) m.quota = makeQuota(i.quota);
  return m;
}

function readBandQuota(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.band = r.int32();
        break;
      case 18:
        m.quota = readQuota(m.quota ?? zeroQuota(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeBandQuota(w: BinaryWriter, m: Any): void {
  if (m.band !== 0) w.uint32(8).int32(m.band);
  if (m.quota !== undefined) { w.uint32(18).fork(); writeQuota(w, m.quota); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroBarrier = (): Any => ({ $typeName: "borg.v1.Barrier", master: "" });

function makeBarrier(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Barrier", master: i.master ?? "" };
  return m;
}

function readBarrier(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.master = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeBarrier(w: BinaryWriter, m: Any): void {
  if (m.master !== "") w.uint32(10).string(m.master);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroBeside = (): Any => ({ $typeName: "borg.v1.Beside", job: "", max: 0 });

function makeBeside(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Beside", job: i.job ?? "", max: i.max ?? 0 };
  return m;
}

function readBeside(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      case 16:
        m.max = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeBeside(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.max !== 0) w.uint32(16).uint32(m.max);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroBorgletAnswer = (): Any => ({ $typeName: "borg.v1.BorgletAnswer", id: "", chunk: NONE, reason: "" });

function makeBorgletAnswer(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.BorgletAnswer", id: i.id ?? "", chunk: i.chunk ?? NONE, reason: i.reason ?? "" };
  return m;
}

function readBorgletAnswer(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = r.string(true);
        break;
      case 18:
        m.chunk = r.bytes();
        break;
      case 26:
        m.reason = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeBorgletAnswer(w: BinaryWriter, m: Any): void {
  if (m.id !== "") w.uint32(10).string(m.id);
  if (m.chunk.length > 0) w.uint32(18).bytes(m.chunk);
  if (m.reason !== "") w.uint32(26).string(m.reason);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroBorgletQuestion = (): Any => ({ $typeName: "borg.v1.BorgletQuestion", id: "", about: "", machine: "", request: NONE });

function makeBorgletQuestion(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.BorgletQuestion", id: i.id ?? "", about: i.about ?? "", machine: i.machine ?? "", request: i.request ?? NONE };
  return m;
}

function readBorgletQuestion(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = r.string(true);
        break;
      case 18:
        m.about = r.string(true);
        break;
      case 26:
        m.machine = r.string(true);
        break;
      case 34:
        m.request = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeBorgletQuestion(w: BinaryWriter, m: Any): void {
  if (m.id !== "") w.uint32(10).string(m.id);
  if (m.about !== "") w.uint32(18).string(m.about);
  if (m.machine !== "") w.uint32(26).string(m.machine);
  if (m.request.length > 0) w.uint32(34).bytes(m.request);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroBound = (): Any => ({ $typeName: "borg.v1.Bound", max: 0, min: 0, length: 0, items: 0, required: false, form: 0, real: false, keyed: false });

function makeBound(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Bound", max: i.max ?? 0, min: i.min ?? 0, length: i.length ?? 0, items: i.items ?? 0, required: i.required ?? false, form: i.form ?? 0, real: i.real ?? false, keyed: i.keyed ?? false };
  return m;
}

function readBound(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.max = r.double();
        break;
      case 17:
        m.min = r.double();
        break;
      case 24:
        m.length = r.uint32();
        break;
      case 32:
        m.items = r.uint32();
        break;
      case 40:
        m.required = r.bool();
        break;
      case 48:
        m.form = r.int32();
        break;
      case 56:
        m.real = r.bool();
        break;
      case 64:
        m.keyed = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeBound(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.max, 0)) w.uint32(9).double(m.max);
  if (!Object.is(m.min, 0)) w.uint32(17).double(m.min);
  if (m.length !== 0) w.uint32(24).uint32(m.length);
  if (m.items !== 0) w.uint32(32).uint32(m.items);
  if (m.required) w.uint32(40).bool(m.required);
  if (m.form !== 0) w.uint32(48).int32(m.form);
  if (m.real) w.uint32(56).bool(m.real);
  if (m.keyed) w.uint32(64).bool(m.keyed);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroBoundsSet = (): Any => ({ $typeName: "borg.v1.BoundsSet", user: "" });

function makeBoundsSet(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.BoundsSet", user: i.user ?? "" };
  if (i.bounds !== undefined) m.bounds = makeUserBounds(i.bounds);
  return m;
}

function readBoundsSet(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.bounds = readUserBounds(m.bounds ?? zeroUserBounds(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeBoundsSet(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.bounds !== undefined) { w.uint32(18).fork(); writeUserBounds(w, m.bounds); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCallProblem = (): Any => ({ $typeName: "borg.v1.CallProblem", hint: "", retryAfterMs: 0 });

function makeCallProblem(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CallProblem", hint: i.hint ?? "", retryAfterMs: i.retryAfterMs ?? 0 };
  return m;
}

function readCallProblem(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.hint = r.string(true);
        break;
      case 17:
        m.retryAfterMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCallProblem(w: BinaryWriter, m: Any): void {
  if (m.hint !== "") w.uint32(10).string(m.hint);
  if (!Object.is(m.retryAfterMs, 0)) w.uint32(17).double(m.retryAfterMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCellClock = (): Any => ({ $typeName: "borg.v1.CellClock", toMs: 0 });

function makeCellClock(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CellClock", toMs: i.toMs ?? 0 };
  return m;
}

function readCellClock(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.toMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCellClock(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.toMs, 0)) w.uint32(9).double(m.toMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCellConfig = (): Any => ({ $typeName: "borg.v1.CellConfig", deadJobKeepMs: 0, noticeMs: 0, backoffMinMs: 0, backoffMaxMs: 0, reclamation: 0 });

function makeCellConfig(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CellConfig", deadJobKeepMs: i.deadJobKeepMs ?? 0, noticeMs: i.noticeMs ?? 0, backoffMinMs: i.backoffMinMs ?? 0, backoffMaxMs: i.backoffMaxMs ?? 0, reclamation: i.reclamation ?? 0 };
  if (i.offers !== undefined) m.offers = makeOfferPolicy(i.offers);
  return m;
}

function readCellConfig(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.deadJobKeepMs = r.double();
        break;
      case 16:
        m.noticeMs = r.uint32();
        break;
      case 24:
        m.backoffMinMs = r.uint32();
        break;
      case 32:
        m.backoffMaxMs = r.uint32();
        break;
      case 40:
        m.reclamation = r.int32();
        break;
      case 50:
        m.offers = readOfferPolicy(m.offers ?? zeroOfferPolicy(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCellConfig(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.deadJobKeepMs, 0)) w.uint32(9).double(m.deadJobKeepMs);
  if (m.noticeMs !== 0) w.uint32(16).uint32(m.noticeMs);
  if (m.backoffMinMs !== 0) w.uint32(24).uint32(m.backoffMinMs);
  if (m.backoffMaxMs !== 0) w.uint32(32).uint32(m.backoffMaxMs);
  if (m.reclamation !== 0) w.uint32(40).int32(m.reclamation);
  if (m.offers !== undefined) { w.uint32(50).fork(); writeOfferPolicy(w, m.offers); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCellConfigure = (): Any => ({ $typeName: "borg.v1.CellConfigure" });

function makeCellConfigure(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CellConfigure" };
  if (i.config !== undefined) m.config = makeCellConfig(i.config);
  return m;
}

function readCellConfigure(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.config = readCellConfig(m.config ?? zeroCellConfig(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCellConfigure(w: BinaryWriter, m: Any): void {
  if (m.config !== undefined) { w.uint32(10).fork(); writeCellConfig(w, m.config); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCellInit = (): Any => ({ $typeName: "borg.v1.CellInit", cell: "", owner: "" });

function makeCellInit(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CellInit", cell: i.cell ?? "", owner: i.owner ?? "" };
  return m;
}

function readCellInit(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.cell = r.string(true);
        break;
      case 18:
        m.owner = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCellInit(w: BinaryWriter, m: Any): void {
  if (m.cell !== "") w.uint32(10).string(m.cell);
  if (m.owner !== "") w.uint32(18).string(m.owner);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCellRecord = (): Any => ({ $typeName: "borg.v1.CellRecord", format: 0, name: "", version: 0, incarnations: 0, position: 0, timeMs: 0, expiryLagMs: 0, expiryLagUntilMs: 0, invitations: [], evictionDays: [] });

function makeCellRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CellRecord", format: i.format ?? 0, name: i.name ?? "", version: i.version ?? 0, incarnations: i.incarnations ?? 0, position: i.position ?? 0, timeMs: i.timeMs ?? 0, expiryLagMs: i.expiryLagMs ?? 0, expiryLagUntilMs: i.expiryLagUntilMs ?? 0, invitations: i.invitations?.map(makeInvitationRecord) ?? [], evictionDays: i.evictionDays?.map(makeEvictionDay) ?? [] };
  if (i.config !== undefined) m.config = makeCellConfig(i.config);
  if (i.links !== undefined) m.links = makeLinkPartition(i.links);
  return m;
}

function readCellRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.format = r.uint32();
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 24:
        m.version = r.uint32();
        break;
      case 33:
        m.incarnations = r.double();
        break;
      case 42:
        m.config = readCellConfig(m.config ?? zeroCellConfig(), r, r.uint32() + r.pos);
        break;
      case 49:
        m.position = r.double();
        break;
      case 57:
        m.timeMs = r.double();
        break;
      case 65:
        m.expiryLagMs = r.double();
        break;
      case 73:
        m.expiryLagUntilMs = r.double();
        break;
      case 82:
        m.invitations.push(readInvitationRecord(zeroInvitationRecord(), r, r.uint32() + r.pos));
        break;
      case 90:
        m.evictionDays.push(readEvictionDay(zeroEvictionDay(), r, r.uint32() + r.pos));
        break;
      case 98:
        m.links = readLinkPartition(m.links ?? zeroLinkPartition(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCellRecord(w: BinaryWriter, m: Any): void {
  if (m.format !== 0) w.uint32(8).uint32(m.format);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.version !== 0) w.uint32(24).uint32(m.version);
  if (!Object.is(m.incarnations, 0)) w.uint32(33).double(m.incarnations);
  if (m.config !== undefined) { w.uint32(42).fork(); writeCellConfig(w, m.config); w.join(); }
  if (!Object.is(m.position, 0)) w.uint32(49).double(m.position);
  if (!Object.is(m.timeMs, 0)) w.uint32(57).double(m.timeMs);
  if (!Object.is(m.expiryLagMs, 0)) w.uint32(65).double(m.expiryLagMs);
  if (!Object.is(m.expiryLagUntilMs, 0)) w.uint32(73).double(m.expiryLagUntilMs);
  for (const each of m.invitations) { w.uint32(82).fork(); writeInvitationRecord(w, each); w.join(); }
  for (const each of m.evictionDays) { w.uint32(90).fork(); writeEvictionDay(w, each); w.join(); }
  if (m.links !== undefined) { w.uint32(98).fork(); writeLinkPartition(w, m.links); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCellRestored = (): Any => ({ $typeName: "borg.v1.CellRestored", incarnations: 0 });

function makeCellRestored(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CellRestored", incarnations: i.incarnations ?? 0 };
  return m;
}

function readCellRestored(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.incarnations = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCellRestored(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.incarnations, 0)) w.uint32(9).double(m.incarnations);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCellSettings = (): Any => ({ $typeName: "borg.v1.CellSettings", name: "", version: 0 });

function makeCellSettings(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CellSettings", name: i.name ?? "", version: i.version ?? 0 };
  if (i.config !== undefined) m.config = makeCellConfig(i.config);
  if (i.links !== undefined) m.links = makeLinkPartition(i.links);
  return m;
}

function readCellSettings(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.version = r.uint32();
        break;
      case 26:
        m.config = readCellConfig(m.config ?? zeroCellConfig(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.links = readLinkPartition(m.links ?? zeroLinkPartition(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCellSettings(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.version !== 0) w.uint32(16).uint32(m.version);
  if (m.config !== undefined) { w.uint32(26).fork(); writeCellConfig(w, m.config); w.join(); }
  if (m.links !== undefined) { w.uint32(34).fork(); writeLinkPartition(w, m.links); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCellVersion = (): Any => ({ $typeName: "borg.v1.CellVersion", version: 0 });

function makeCellVersion(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CellVersion", version: i.version ?? 0 };
  return m;
}

function readCellVersion(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.version = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCellVersion(w: BinaryWriter, m: Any): void {
  if (m.version !== 0) w.uint32(8).uint32(m.version);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCellView = (): Any => ({ $typeName: "borg.v1.CellView", name: "", position: 0, timeMs: 0, version: 0, user: "", roles: [], machines: 0, machinesReachable: 0, jobs: 0, tasks: 0, pending: 0, running: 0, hash: "" });

function makeCellView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CellView", name: i.name ?? "", position: i.position ?? 0, timeMs: i.timeMs ?? 0, version: i.version ?? 0, user: i.user ?? "", roles: i.roles ?? [], machines: i.machines ?? 0, machinesReachable: i.machinesReachable ?? 0, jobs: i.jobs ?? 0, tasks: i.tasks ?? 0, pending: i.pending ?? 0, running: i.running ?? 0, hash: i.hash ?? "" };
  if (i.capacity !== undefined) m.capacity = makeResources(i.capacity);
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.reservation !== undefined) m.reservation = makeResources(i.reservation);
  if (i.usage !== undefined) m.usage = makeResources(i.usage);
  if (i.config !== undefined) m.config = makeCellConfig(i.config);
  return m;
}

function readCellView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 17:
        m.position = r.double();
        break;
      case 25:
        m.timeMs = r.double();
        break;
      case 32:
        m.version = r.uint32();
        break;
      case 50:
        m.user = r.string(true);
        break;
      case 56:
        m.roles.push(r.int32());
        break;
      case 58:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.roles.push(r.int32());
        break;
      case 80:
        m.machines = r.uint32();
        break;
      case 88:
        m.machinesReachable = r.uint32();
        break;
      case 96:
        m.jobs = r.uint32();
        break;
      case 104:
        m.tasks = r.uint32();
        break;
      case 112:
        m.pending = r.uint32();
        break;
      case 120:
        m.running = r.uint32();
        break;
      case 162:
        m.capacity = readResources(m.capacity ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 170:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 178:
        m.reservation = readResources(m.reservation ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 186:
        m.usage = readResources(m.usage ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 194:
        m.hash = r.string(true);
        break;
      case 202:
        m.config = readCellConfig(m.config ?? zeroCellConfig(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCellView(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (!Object.is(m.position, 0)) w.uint32(17).double(m.position);
  if (!Object.is(m.timeMs, 0)) w.uint32(25).double(m.timeMs);
  if (m.version !== 0) w.uint32(32).uint32(m.version);
  if (m.user !== "") w.uint32(50).string(m.user);
  if (m.roles.length > 0) {
    w.uint32(58).fork();
    for (const each of m.roles) w.int32(each);
    w.join();
  }
  if (m.machines !== 0) w.uint32(80).uint32(m.machines);
  if (m.machinesReachable !== 0) w.uint32(88).uint32(m.machinesReachable);
  if (m.jobs !== 0) w.uint32(96).uint32(m.jobs);
  if (m.tasks !== 0) w.uint32(104).uint32(m.tasks);
  if (m.pending !== 0) w.uint32(112).uint32(m.pending);
  if (m.running !== 0) w.uint32(120).uint32(m.running);
  if (m.capacity !== undefined) { w.uint32(162).fork(); writeResources(w, m.capacity); w.join(); }
  if (m.limit !== undefined) { w.uint32(170).fork(); writeResources(w, m.limit); w.join(); }
  if (m.reservation !== undefined) { w.uint32(178).fork(); writeResources(w, m.reservation); w.join(); }
  if (m.usage !== undefined) { w.uint32(186).fork(); writeResources(w, m.usage); w.join(); }
  if (m.hash !== "") w.uint32(194).string(m.hash);
  if (m.config !== undefined) { w.uint32(202).fork(); writeCellConfig(w, m.config); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroChanged = (): Any => ({ $typeName: "borg.v1.Changed", position: 0, repeated: false, already: false, frameworkId: "", launches: [], framework: false, allocSet: false });

function makeChanged(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Changed", position: i.position ?? 0, repeated: i.repeated ?? false, already: i.already ?? false, frameworkId: i.frameworkId ?? "", launches: i.launches?.map(makeLaunchVerdict) ?? [], framework: i.framework ?? false, allocSet: i.allocSet ?? false };
  return m;
}

function readChanged(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.position = r.double();
        break;
      case 16:
        m.repeated = r.bool();
        break;
      case 24:
        m.already = r.bool();
        break;
      case 34:
        m.frameworkId = r.string(true);
        break;
      case 42:
        m.launches.push(readLaunchVerdict(zeroLaunchVerdict(), r, r.uint32() + r.pos));
        break;
      case 48:
        m.framework = r.bool();
        break;
      case 56:
        m.allocSet = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeChanged(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.position, 0)) w.uint32(9).double(m.position);
  if (m.repeated) w.uint32(16).bool(m.repeated);
  if (m.already) w.uint32(24).bool(m.already);
  if (m.frameworkId !== "") w.uint32(34).string(m.frameworkId);
  for (const each of m.launches) { w.uint32(42).fork(); writeLaunchVerdict(w, each); w.join(); }
  if (m.framework) w.uint32(48).bool(m.framework);
  if (m.allocSet) w.uint32(56).bool(m.allocSet);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCheckJobRequest = (): Any => ({ $typeName: "borg.v1.CheckJobRequest" });

function makeCheckJobRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CheckJobRequest" };
  if (i.spec !== undefined) m.spec = makeJobSpec(i.spec);
  return m;
}

function readCheckJobRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.spec = readJobSpec(m.spec ?? zeroJobSpec(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCheckJobRequest(w: BinaryWriter, m: Any): void {
  if (m.spec !== undefined) { w.uint32(10).fork(); writeJobSpec(w, m.spec); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCheckJobResponse = (): Any => ({ $typeName: "borg.v1.CheckJobResponse", refusal: "", already: false, exists: false, placed: 0, victims: [], partial: false });

function makeCheckJobResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CheckJobResponse", refusal: i.refusal ?? "", already: i.already ?? false, exists: i.exists ?? false, placed: i.placed ?? 0, victims: i.victims?.map(makeVictim) ?? [], partial: i.partial ?? false };
  if (i.explanation !== undefined) m.explanation = makeExplanation(i.explanation);
  return m;
}

function readCheckJobResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.refusal = r.string(true);
        break;
      case 16:
        m.already = r.bool();
        break;
      case 24:
        m.exists = r.bool();
        break;
      case 34:
        m.explanation = readExplanation(m.explanation ?? zeroExplanation(), r, r.uint32() + r.pos);
        break;
      case 40:
        m.placed = r.uint32();
        break;
      case 50:
        m.victims.push(readVictim(zeroVictim(), r, r.uint32() + r.pos));
        break;
      case 56:
        m.partial = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCheckJobResponse(w: BinaryWriter, m: Any): void {
  if (m.refusal !== "") w.uint32(10).string(m.refusal);
  if (m.already) w.uint32(16).bool(m.already);
  if (m.exists) w.uint32(24).bool(m.exists);
  if (m.explanation !== undefined) { w.uint32(34).fork(); writeExplanation(w, m.explanation); w.join(); }
  if (m.placed !== 0) w.uint32(40).uint32(m.placed);
  for (const each of m.victims) { w.uint32(50).fork(); writeVictim(w, each); w.join(); }
  if (m.partial) w.uint32(56).bool(m.partial);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCheckUpdateRequest = (): Any => ({ $typeName: "borg.v1.CheckUpdateRequest", tasks: [] });

function makeCheckUpdateRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CheckUpdateRequest", tasks: i.tasks?.map(makeTaskRange) ?? [] };
  if (i.spec !== undefined) m.spec = makeJobSpec(i.spec);
  if (i.allocSet !== undefined) m.allocSet = makeAllocSetSpec(i.allocSet);
  return m;
}

function readCheckUpdateRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.spec = readJobSpec(m.spec ?? zeroJobSpec(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.tasks.push(readTaskRange(zeroTaskRange(), r, r.uint32() + r.pos));
        break;
      case 26:
        m.allocSet = readAllocSetSpec(m.allocSet ?? zeroAllocSetSpec(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCheckUpdateRequest(w: BinaryWriter, m: Any): void {
  if (m.spec !== undefined) { w.uint32(10).fork(); writeJobSpec(w, m.spec); w.join(); }
  for (const each of m.tasks) { w.uint32(18).fork(); writeTaskRange(w, each); w.join(); }
  if (m.allocSet !== undefined) { w.uint32(26).fork(); writeAllocSetSpec(w, m.allocSet); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCheckUpdateResponse = (): Any => ({ $typeName: "borg.v1.CheckUpdateResponse", refusal: "", already: false, tasks: [], inPlace: 0, restarts: 0, moves: 0, skipped: 0, free: 0, added: 0, removed: 0 });

function makeCheckUpdateResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CheckUpdateResponse", refusal: i.refusal ?? "", already: i.already ?? false, tasks: i.tasks?.map(makeUpdateTask) ?? [], inPlace: i.inPlace ?? 0, restarts: i.restarts ?? 0, moves: i.moves ?? 0, skipped: i.skipped ?? 0, free: i.free ?? 0, added: i.added ?? 0, removed: i.removed ?? 0 };
  return m;
}

function readCheckUpdateResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.refusal = r.string(true);
        break;
      case 16:
        m.already = r.bool();
        break;
      case 26:
        m.tasks.push(readUpdateTask(zeroUpdateTask(), r, r.uint32() + r.pos));
        break;
      case 32:
        m.inPlace = r.uint32();
        break;
      case 40:
        m.restarts = r.uint32();
        break;
      case 48:
        m.moves = r.uint32();
        break;
      case 56:
        m.skipped = r.uint32();
        break;
      case 64:
        m.free = r.uint32();
        break;
      case 72:
        m.added = r.uint32();
        break;
      case 80:
        m.removed = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCheckUpdateResponse(w: BinaryWriter, m: Any): void {
  if (m.refusal !== "") w.uint32(10).string(m.refusal);
  if (m.already) w.uint32(16).bool(m.already);
  for (const each of m.tasks) { w.uint32(26).fork(); writeUpdateTask(w, each); w.join(); }
  if (m.inPlace !== 0) w.uint32(32).uint32(m.inPlace);
  if (m.restarts !== 0) w.uint32(40).uint32(m.restarts);
  if (m.moves !== 0) w.uint32(48).uint32(m.moves);
  if (m.skipped !== 0) w.uint32(56).uint32(m.skipped);
  if (m.free !== 0) w.uint32(64).uint32(m.free);
  if (m.added !== 0) w.uint32(72).uint32(m.added);
  if (m.removed !== 0) w.uint32(80).uint32(m.removed);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCheckpointRecord = (): Any => ({ $typeName: "borg.v1.CheckpointRecord", body: { case: undefined } });

const bodyOfCheckpointRecord: Record<string, (value: Any) => Any> = { cell: makeCellRecord, user: makeUserRecord, scheduler: makeSchedulerRecord, machine: makeMachineRecord, job: makeJobRecord, tasks: makeTasksRecord, end: makeEndRecord, role: makeFrameworkRole };

function makeCheckpointRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CheckpointRecord", body: i.body?.case === undefined ? { case: undefined } : { case: i.body.case, value: bodyOfCheckpointRecord[i.body.case]!(i.body.value) } };
  return m;
}

function readCheckpointRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.body = { case: "cell", value: readCellRecord((m.body.case === "cell" ? m.body.value : undefined) ?? zeroCellRecord(), r, r.uint32() + r.pos) };
        break;
      case 18:
        m.body = { case: "user", value: readUserRecord((m.body.case === "user" ? m.body.value : undefined) ?? zeroUserRecord(), r, r.uint32() + r.pos) };
        break;
      case 26:
        m.body = { case: "scheduler", value: readSchedulerRecord((m.body.case === "scheduler" ? m.body.value : undefined) ?? zeroSchedulerRecord(), r, r.uint32() + r.pos) };
        break;
      case 34:
        m.body = { case: "machine", value: readMachineRecord((m.body.case === "machine" ? m.body.value : undefined) ?? zeroMachineRecord(), r, r.uint32() + r.pos) };
        break;
      case 42:
        m.body = { case: "job", value: readJobRecord((m.body.case === "job" ? m.body.value : undefined) ?? zeroJobRecord(), r, r.uint32() + r.pos) };
        break;
      case 50:
        m.body = { case: "tasks", value: readTasksRecord((m.body.case === "tasks" ? m.body.value : undefined) ?? zeroTasksRecord(), r, r.uint32() + r.pos) };
        break;
      case 58:
        m.body = { case: "end", value: readEndRecord((m.body.case === "end" ? m.body.value : undefined) ?? zeroEndRecord(), r, r.uint32() + r.pos) };
        break;
      case 66:
        m.body = { case: "role", value: readFrameworkRole((m.body.case === "role" ? m.body.value : undefined) ?? zeroFrameworkRole(), r, r.uint32() + r.pos) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCheckpointRecord(w: BinaryWriter, m: Any): void {
  switch (m.body.case) {
    case "cell":
      { w.uint32(10).fork(); writeCellRecord(w, m.body.value); w.join(); }
      break;
    case "user":
      { w.uint32(18).fork(); writeUserRecord(w, m.body.value); w.join(); }
      break;
    case "scheduler":
      { w.uint32(26).fork(); writeSchedulerRecord(w, m.body.value); w.join(); }
      break;
    case "machine":
      { w.uint32(34).fork(); writeMachineRecord(w, m.body.value); w.join(); }
      break;
    case "job":
      { w.uint32(42).fork(); writeJobRecord(w, m.body.value); w.join(); }
      break;
    case "tasks":
      { w.uint32(50).fork(); writeTasksRecord(w, m.body.value); w.join(); }
      break;
    case "end":
      { w.uint32(58).fork(); writeEndRecord(w, m.body.value); w.join(); }
      break;
    case "role":
      { w.uint32(66).fork(); writeFrameworkRole(w, m.body.value); w.join(); }
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroClaim = (): Any => ({ $typeName: "borg.v1.Claim", task: "", incarnation: 0, place: "", victims: [], seen: 0 });

function makeClaim(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Claim", task: i.task ?? "", incarnation: i.incarnation ?? 0, place: i.place ?? "", victims: i.victims ?? [], seen: i.seen ?? 0 };
  return m;
}

function readClaim(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = r.string(true);
        break;
      case 17:
        m.incarnation = r.double();
        break;
      case 26:
        m.place = r.string(true);
        break;
      case 34:
        m.victims.push(r.string(true));
        break;
      case 41:
        m.seen = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeClaim(w: BinaryWriter, m: Any): void {
  if (m.task !== "") w.uint32(10).string(m.task);
  if (!Object.is(m.incarnation, 0)) w.uint32(17).double(m.incarnation);
  if (m.place !== "") w.uint32(26).string(m.place);
  for (const each of m.victims) w.uint32(34).string(each);
  if (!Object.is(m.seen, 0)) w.uint32(41).double(m.seen);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroClaimTasksRequest = (): Any => ({ $typeName: "borg.v1.ClaimTasksRequest", scheduler: "", claims: [], allOrNothing: false });

function makeClaimTasksRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ClaimTasksRequest", scheduler: i.scheduler ?? "", claims: i.claims?.map(makeClaim) ?? [], allOrNothing: i.allOrNothing ?? false };
  return m;
}

function readClaimTasksRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.scheduler = r.string(true);
        break;
      case 18:
        m.claims.push(readClaim(zeroClaim(), r, r.uint32() + r.pos));
        break;
      case 24:
        m.allOrNothing = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeClaimTasksRequest(w: BinaryWriter, m: Any): void {
  if (m.scheduler !== "") w.uint32(10).string(m.scheduler);
  for (const each of m.claims) { w.uint32(18).fork(); writeClaim(w, each); w.join(); }
  if (m.allOrNothing) w.uint32(24).bool(m.allOrNothing);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroClaimTasksResponse = (): Any => ({ $typeName: "borg.v1.ClaimTasksResponse", position: 0, verdicts: [] });

function makeClaimTasksResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ClaimTasksResponse", position: i.position ?? 0, verdicts: i.verdicts?.map(makeClaimVerdict) ?? [] };
  return m;
}

function readClaimTasksResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.position = r.double();
        break;
      case 18:
        m.verdicts.push(readClaimVerdict(zeroClaimVerdict(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeClaimTasksResponse(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.position, 0)) w.uint32(9).double(m.position);
  for (const each of m.verdicts) { w.uint32(18).fork(); writeClaimVerdict(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroClaimVerdict = (): Any => ({ $typeName: "borg.v1.ClaimVerdict", task: "", refusal: "", instance: "", victims: [] });

function makeClaimVerdict(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ClaimVerdict", task: i.task ?? "", refusal: i.refusal ?? "", instance: i.instance ?? "", victims: i.victims ?? [] };
  return m;
}

function readClaimVerdict(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = r.string(true);
        break;
      case 18:
        m.refusal = r.string(true);
        break;
      case 26:
        m.instance = r.string(true);
        break;
      case 34:
        m.victims.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeClaimVerdict(w: BinaryWriter, m: Any): void {
  if (m.task !== "") w.uint32(10).string(m.task);
  if (m.refusal !== "") w.uint32(18).string(m.refusal);
  if (m.instance !== "") w.uint32(26).string(m.instance);
  for (const each of m.victims) w.uint32(34).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCommitUpdateRequest = (): Any => ({ $typeName: "borg.v1.CommitUpdateRequest", requestId: "", job: "" });

function makeCommitUpdateRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CommitUpdateRequest", requestId: i.requestId ?? "", job: i.job ?? "" };
  return m;
}

function readCommitUpdateRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCommitUpdateRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.job !== "") w.uint32(18).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroConfigFile = (): Any => ({ $typeName: "borg.v1.ConfigFile", path: "", content: NONE, mode: 0 });

function makeConfigFile(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ConfigFile", path: i.path ?? "", content: i.content ?? NONE, mode: i.mode ?? 0 };
  return m;
}

function readConfigFile(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.path = r.string(true);
        break;
      case 18:
        m.content = r.bytes();
        break;
      case 24:
        m.mode = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeConfigFile(w: BinaryWriter, m: Any): void {
  if (m.path !== "") w.uint32(10).string(m.path);
  if (m.content.length > 0) w.uint32(18).bytes(m.content);
  if (m.mode !== 0) w.uint32(24).uint32(m.mode);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroConfigureCellRequest = (): Any => ({ $typeName: "borg.v1.ConfigureCellRequest", requestId: "" });

function makeConfigureCellRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ConfigureCellRequest", requestId: i.requestId ?? "" };
  if (i.config !== undefined) m.config = makeCellConfig(i.config);
  return m;
}

function readConfigureCellRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.config = readCellConfig(m.config ?? zeroCellConfig(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeConfigureCellRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.config !== undefined) { w.uint32(18).fork(); writeCellConfig(w, m.config); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroConstraint = (): Any => ({ $typeName: "borg.v1.Constraint", attribute: "", operator: 0, values: [], soft: false, weight: 0 });

function makeConstraint(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Constraint", attribute: i.attribute ?? "", operator: i.operator ?? 0, values: i.values ?? [], soft: i.soft ?? false, weight: i.weight ?? 0 };
  return m;
}

function readConstraint(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.attribute = r.string(true);
        break;
      case 16:
        m.operator = r.int32();
        break;
      case 26:
        m.values.push(r.string(true));
        break;
      case 32:
        m.soft = r.bool();
        break;
      case 40:
        m.weight = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeConstraint(w: BinaryWriter, m: Any): void {
  if (m.attribute !== "") w.uint32(10).string(m.attribute);
  if (m.operator !== 0) w.uint32(16).int32(m.operator);
  for (const each of m.values) w.uint32(26).string(each);
  if (m.soft) w.uint32(32).bool(m.soft);
  if (m.weight !== 0) w.uint32(40).uint32(m.weight);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroController = (): Any => ({ $typeName: "borg.v1.Controller", jobs: [] });

function makeController(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Controller", jobs: i.jobs ?? [] };
  if (i.priorityMax !== undefined) m.priorityMax = i.priorityMax;
  return m;
}

function readController(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.jobs.push(r.string(true));
        break;
      case 16:
        m.priorityMax = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeController(w: BinaryWriter, m: Any): void {
  for (const each of m.jobs) w.uint32(10).string(each);
  if (m.priorityMax !== undefined) w.uint32(16).uint32(m.priorityMax);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroCreateTokenRequest = (): Any => ({ $typeName: "borg.v1.CreateTokenRequest", requestId: "", user: "", hash: "", label: "", ttlMs: 0 });

function makeCreateTokenRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.CreateTokenRequest", requestId: i.requestId ?? "", user: i.user ?? "", hash: i.hash ?? "", label: i.label ?? "", ttlMs: i.ttlMs ?? 0 };
  return m;
}

function readCreateTokenRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 26:
        m.hash = r.string(true);
        break;
      case 34:
        m.label = r.string(true);
        break;
      case 41:
        m.ttlMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeCreateTokenRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.hash !== "") w.uint32(26).string(m.hash);
  if (m.label !== "") w.uint32(34).string(m.label);
  if (!Object.is(m.ttlMs, 0)) w.uint32(41).double(m.ttlMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroDenyMachineRequest = (): Any => ({ $typeName: "borg.v1.DenyMachineRequest", machine: "", key: "" });

function makeDenyMachineRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.DenyMachineRequest", machine: i.machine ?? "", key: i.key ?? "" };
  return m;
}

function readDenyMachineRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.key = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeDenyMachineRequest(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.key !== "") w.uint32(18).string(m.key);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroDenyMachineResponse = (): Any => ({ $typeName: "borg.v1.DenyMachineResponse", denied: 0 });

function makeDenyMachineResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.DenyMachineResponse", denied: i.denied ?? 0 };
  return m;
}

function readDenyMachineResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.denied = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeDenyMachineResponse(w: BinaryWriter, m: Any): void {
  if (m.denied !== 0) w.uint32(8).uint32(m.denied);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroDeviceKind = (): Any => ({ $typeName: "borg.v1.DeviceKind", name: "", unit: 0 });

function makeDeviceKind(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.DeviceKind", name: i.name ?? "", unit: i.unit ?? 0 };
  return m;
}

function readDeviceKind(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.unit = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeDeviceKind(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.unit !== 0) w.uint32(16).uint32(m.unit);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroDirectoryForget = (): Any => ({ $typeName: "borg.v1.DirectoryForget", alloc: "" });

function makeDirectoryForget(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.DirectoryForget", alloc: i.alloc ?? "" };
  return m;
}

function readDirectoryForget(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.alloc = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeDirectoryForget(w: BinaryWriter, m: Any): void {
  if (m.alloc !== "") w.uint32(10).string(m.alloc);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroDiskTraffic = (): Any => ({ $typeName: "borg.v1.DiskTraffic", readBytes: 0, writtenBytes: 0 });

function makeDiskTraffic(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.DiskTraffic", readBytes: i.readBytes ?? 0, writtenBytes: i.writtenBytes ?? 0 };
  return m;
}

function readDiskTraffic(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.readBytes = r.double();
        break;
      case 17:
        m.writtenBytes = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeDiskTraffic(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.readBytes, 0)) w.uint32(9).double(m.readBytes);
  if (!Object.is(m.writtenBytes, 0)) w.uint32(17).double(m.writtenBytes);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroDownView = (): Any => ({ $typeName: "borg.v1.DownView", down: 0, drainEveryMs: 0, nextDrainMs: 0 });

function makeDownView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.DownView", down: i.down ?? 0, drainEveryMs: i.drainEveryMs ?? 0, nextDrainMs: i.nextDrainMs ?? 0 };
  if (i.downMax !== undefined) m.downMax = i.downMax;
  return m;
}

function readDownView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.down = r.uint32();
        break;
      case 16:
        m.downMax = r.uint32();
        break;
      case 25:
        m.drainEveryMs = r.double();
        break;
      case 33:
        m.nextDrainMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeDownView(w: BinaryWriter, m: Any): void {
  if (m.down !== 0) w.uint32(8).uint32(m.down);
  if (m.downMax !== undefined) w.uint32(16).uint32(m.downMax);
  if (!Object.is(m.drainEveryMs, 0)) w.uint32(25).double(m.drainEveryMs);
  if (!Object.is(m.nextDrainMs, 0)) w.uint32(33).double(m.nextDrainMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroDrainMachineRequest = (): Any => ({ $typeName: "borg.v1.DrainMachineRequest", requestId: "", machine: "", draining: false });

function makeDrainMachineRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.DrainMachineRequest", requestId: i.requestId ?? "", machine: i.machine ?? "", draining: i.draining ?? false };
  return m;
}

function readDrainMachineRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.machine = r.string(true);
        break;
      case 24:
        m.draining = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeDrainMachineRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (m.draining) w.uint32(24).bool(m.draining);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroDropOrder = (): Any => ({ $typeName: "borg.v1.DropOrder", alloc: "" });

function makeDropOrder(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.DropOrder", alloc: i.alloc ?? "" };
  return m;
}

function readDropOrder(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.alloc = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeDropOrder(w: BinaryWriter, m: Any): void {
  if (m.alloc !== "") w.uint32(10).string(m.alloc);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroEndRecord = (): Any => ({ $typeName: "borg.v1.EndRecord", records: 0, hash: "" });

function makeEndRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.EndRecord", records: i.records ?? 0, hash: i.hash ?? "" };
  return m;
}

function readEndRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.records = r.double();
        break;
      case 18:
        m.hash = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeEndRecord(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.records, 0)) w.uint32(9).double(m.records);
  if (m.hash !== "") w.uint32(18).string(m.hash);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroEndUiRequest = (): Any => ({ $typeName: "borg.v1.EndUiRequest" });

function makeEndUiRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.EndUiRequest" };
  return m;
}

function readEndUiRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeEndUiRequest(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroEndUiResponse = (): Any => ({ $typeName: "borg.v1.EndUiResponse", sessions: 0 });

function makeEndUiResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.EndUiResponse", sessions: i.sessions ?? 0 };
  return m;
}

function readEndUiResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.sessions = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeEndUiResponse(w: BinaryWriter, m: Any): void {
  if (m.sessions !== 0) w.uint32(8).uint32(m.sessions);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroEntry = (): Any => ({ $typeName: "borg.v1.Entry", timeMs: 0, ops: [] });

function makeEntry(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Entry", timeMs: i.timeMs ?? 0, ops: i.ops?.map(makeOp) ?? [] };
  return m;
}

function readEntry(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.timeMs = r.double();
        break;
      case 18:
        m.ops.push(readOp(zeroOp(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeEntry(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.timeMs, 0)) w.uint32(9).double(m.timeMs);
  for (const each of m.ops) { w.uint32(18).fork(); writeOp(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroEnvironmentVariable = (): Any => ({ $typeName: "borg.v1.EnvironmentVariable", key: "", value: "" });

function makeEnvironmentVariable(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.EnvironmentVariable", key: i.key ?? "", value: i.value ?? "" };
  return m;
}

function readEnvironmentVariable(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.key = r.string(true);
        break;
      case 18:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeEnvironmentVariable(w: BinaryWriter, m: Any): void {
  if (m.key !== "") w.uint32(10).string(m.key);
  if (m.value !== "") w.uint32(18).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroEvent = (): Any => ({ $typeName: "borg.v1.Event", position: 0, op: 0, index: 0, timeMs: 0, kind: 0, subject: "", instance: "", machine: "", from: "", to: "", cause: 0, preemptor: "", detail: "", trace: "" });

function makeEvent(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Event", position: i.position ?? 0, op: i.op ?? 0, index: i.index ?? 0, timeMs: i.timeMs ?? 0, kind: i.kind ?? 0, subject: i.subject ?? "", instance: i.instance ?? "", machine: i.machine ?? "", from: i.from ?? "", to: i.to ?? "", cause: i.cause ?? 0, preemptor: i.preemptor ?? "", detail: i.detail ?? "", trace: i.trace ?? "" };
  if (i.actor !== undefined) m.actor = makePrincipal(i.actor);
  return m;
}

function readEvent(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.position = r.double();
        break;
      case 16:
        m.op = r.uint32();
        break;
      case 24:
        m.index = r.uint32();
        break;
      case 33:
        m.timeMs = r.double();
        break;
      case 40:
        m.kind = r.int32();
        break;
      case 50:
        m.subject = r.string(true);
        break;
      case 58:
        m.instance = r.string(true);
        break;
      case 66:
        m.machine = r.string(true);
        break;
      case 74:
        m.from = r.string(true);
        break;
      case 82:
        m.to = r.string(true);
        break;
      case 88:
        m.cause = r.int32();
        break;
      case 98:
        m.actor = readPrincipal(m.actor ?? zeroPrincipal(), r, r.uint32() + r.pos);
        break;
      case 106:
        m.preemptor = r.string(true);
        break;
      case 114:
        m.detail = r.string(true);
        break;
      case 122:
        m.trace = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeEvent(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.position, 0)) w.uint32(9).double(m.position);
  if (m.op !== 0) w.uint32(16).uint32(m.op);
  if (m.index !== 0) w.uint32(24).uint32(m.index);
  if (!Object.is(m.timeMs, 0)) w.uint32(33).double(m.timeMs);
  if (m.kind !== 0) w.uint32(40).int32(m.kind);
  if (m.subject !== "") w.uint32(50).string(m.subject);
  if (m.instance !== "") w.uint32(58).string(m.instance);
  if (m.machine !== "") w.uint32(66).string(m.machine);
  if (m.from !== "") w.uint32(74).string(m.from);
  if (m.to !== "") w.uint32(82).string(m.to);
  if (m.cause !== 0) w.uint32(88).int32(m.cause);
  if (m.actor !== undefined) { w.uint32(98).fork(); writePrincipal(w, m.actor); w.join(); }
  if (m.preemptor !== "") w.uint32(106).string(m.preemptor);
  if (m.detail !== "") w.uint32(114).string(m.detail);
  if (m.trace !== "") w.uint32(122).string(m.trace);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroEventView = (): Any => ({ $typeName: "borg.v1.EventView", text: "" });

function makeEventView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.EventView", text: i.text ?? "" };
  if (i.event !== undefined) m.event = makeEvent(i.event);
  return m;
}

function readEventView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.event = readEvent(m.event ?? zeroEvent(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.text = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeEventView(w: BinaryWriter, m: Any): void {
  if (m.event !== undefined) { w.uint32(10).fork(); writeEvent(w, m.event); w.join(); }
  if (m.text !== "") w.uint32(18).string(m.text);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroEvictionCounts = (): Any => ({ $typeName: "borg.v1.EvictionCounts", preemption: 0, outOfResources: 0, machineFailure: 0, machineShutdown: 0, other: 0, runMs: 0, revocation: 0 });

function makeEvictionCounts(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.EvictionCounts", preemption: i.preemption ?? 0, outOfResources: i.outOfResources ?? 0, machineFailure: i.machineFailure ?? 0, machineShutdown: i.machineShutdown ?? 0, other: i.other ?? 0, runMs: i.runMs ?? 0, revocation: i.revocation ?? 0 };
  return m;
}

function readEvictionCounts(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.preemption = r.double();
        break;
      case 17:
        m.outOfResources = r.double();
        break;
      case 25:
        m.machineFailure = r.double();
        break;
      case 33:
        m.machineShutdown = r.double();
        break;
      case 41:
        m.other = r.double();
        break;
      case 49:
        m.runMs = r.double();
        break;
      case 57:
        m.revocation = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeEvictionCounts(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.preemption, 0)) w.uint32(9).double(m.preemption);
  if (!Object.is(m.outOfResources, 0)) w.uint32(17).double(m.outOfResources);
  if (!Object.is(m.machineFailure, 0)) w.uint32(25).double(m.machineFailure);
  if (!Object.is(m.machineShutdown, 0)) w.uint32(33).double(m.machineShutdown);
  if (!Object.is(m.other, 0)) w.uint32(41).double(m.other);
  if (!Object.is(m.runMs, 0)) w.uint32(49).double(m.runMs);
  if (!Object.is(m.revocation, 0)) w.uint32(57).double(m.revocation);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroEvictionDay = (): Any => ({ $typeName: "borg.v1.EvictionDay", day: 0 });

function makeEvictionDay(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.EvictionDay", day: i.day ?? 0 };
  if (i.prod !== undefined) m.prod = makeEvictionCounts(i.prod);
  if (i.nonProd !== undefined) m.nonProd = makeEvictionCounts(i.nonProd);
  return m;
}

function readEvictionDay(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.day = r.uint32();
        break;
      case 18:
        m.prod = readEvictionCounts(m.prod ?? zeroEvictionCounts(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.nonProd = readEvictionCounts(m.nonProd ?? zeroEvictionCounts(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeEvictionDay(w: BinaryWriter, m: Any): void {
  if (m.day !== 0) w.uint32(8).uint32(m.day);
  if (m.prod !== undefined) { w.uint32(18).fork(); writeEvictionCounts(w, m.prod); w.join(); }
  if (m.nonProd !== undefined) { w.uint32(26).fork(); writeEvictionCounts(w, m.nonProd); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroExecutor = (): Any => ({ $typeName: "borg.v1.Executor", id: "", instance: "", info: NONE, framework: "" });

function makeExecutor(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Executor", id: i.id ?? "", instance: i.instance ?? "", info: i.info ?? NONE, framework: i.framework ?? "" };
  return m;
}

function readExecutor(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = r.string(true);
        break;
      case 18:
        m.instance = r.string(true);
        break;
      case 26:
        m.info = r.bytes();
        break;
      case 34:
        m.framework = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeExecutor(w: BinaryWriter, m: Any): void {
  if (m.id !== "") w.uint32(10).string(m.id);
  if (m.instance !== "") w.uint32(18).string(m.instance);
  if (m.info.length > 0) w.uint32(26).bytes(m.info);
  if (m.framework !== "") w.uint32(34).string(m.framework);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroExecutorMessage = (): Any => ({ $typeName: "borg.v1.ExecutorMessage", machine: "", instance: "", data: NONE });

function makeExecutorMessage(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ExecutorMessage", machine: i.machine ?? "", instance: i.instance ?? "", data: i.data ?? NONE };
  return m;
}

function readExecutorMessage(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.instance = r.string(true);
        break;
      case 26:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeExecutorMessage(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.instance !== "") w.uint32(18).string(m.instance);
  if (m.data.length > 0) w.uint32(26).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroExit = (): Any => ({ $typeName: "borg.v1.Exit", code: 0, signal: 0, message: "" });

function makeExit(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Exit", code: i.code ?? 0, signal: i.signal ?? 0, message: i.message ?? "" };
  return m;
}

function readExit(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.code = r.uint32();
        break;
      case 16:
        m.signal = r.uint32();
        break;
      case 26:
        m.message = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeExit(w: BinaryWriter, m: Any): void {
  if (m.code !== 0) w.uint32(8).uint32(m.code);
  if (m.signal !== 0) w.uint32(16).uint32(m.signal);
  if (m.message !== "") w.uint32(26).string(m.message);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroExplainChange = (): Any => ({ $typeName: "borg.v1.ExplainChange", change: "", machines: 0, priority: 0, spread: 0, beside: "" });

function makeExplainChange(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ExplainChange", change: i.change ?? "", machines: i.machines ?? 0, priority: i.priority ?? 0, spread: i.spread ?? 0, beside: i.beside ?? "" };
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.without !== undefined) m.without = makeConstraint(i.without);
  return m;
}

function readExplainChange(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.change = r.string(true);
        break;
      case 16:
        m.machines = r.uint32();
        break;
      case 26:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 32:
        m.priority = r.uint32();
        break;
      case 42:
        m.without = readConstraint(m.without ?? zeroConstraint(), r, r.uint32() + r.pos);
        break;
      case 48:
        m.spread = r.int32();
        break;
      case 58:
        m.beside = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeExplainChange(w: BinaryWriter, m: Any): void {
  if (m.change !== "") w.uint32(10).string(m.change);
  if (m.machines !== 0) w.uint32(16).uint32(m.machines);
  if (m.limit !== undefined) { w.uint32(26).fork(); writeResources(w, m.limit); w.join(); }
  if (m.priority !== 0) w.uint32(32).uint32(m.priority);
  if (m.without !== undefined) { w.uint32(42).fork(); writeConstraint(w, m.without); w.join(); }
  if (m.spread !== 0) w.uint32(48).int32(m.spread);
  if (m.beside !== "") w.uint32(58).string(m.beside);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroExplainReason = (): Any => ({ $typeName: "borg.v1.ExplainReason", reason: "", machines: 0 });

function makeExplainReason(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ExplainReason", reason: i.reason ?? "", machines: i.machines ?? 0 };
  return m;
}

function readExplainReason(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.reason = r.string(true);
        break;
      case 16:
        m.machines = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeExplainReason(w: BinaryWriter, m: Any): void {
  if (m.reason !== "") w.uint32(10).string(m.reason);
  if (m.machines !== 0) w.uint32(16).uint32(m.machines);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroExplainRequest = (): Any => ({ $typeName: "borg.v1.ExplainRequest", name: "" });

function makeExplainRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ExplainRequest", name: i.name ?? "" };
  return m;
}

function readExplainRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeExplainRequest(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroExplanation = (): Any => ({ $typeName: "borg.v1.Explanation", task: "", state: "", problem: "", feasible: 0, reasons: [], changes: [], score: [], summary: [], inAlloc: false });

function makeExplanation(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Explanation", task: i.task ?? "", state: i.state ?? "", problem: i.problem ?? "", feasible: i.feasible ?? 0, reasons: i.reasons?.map(makeExplainReason) ?? [], changes: i.changes?.map(makeExplainChange) ?? [], score: i.score?.map(makeScorePart) ?? [], summary: i.summary ?? [], inAlloc: i.inAlloc ?? false };
  return m;
}

function readExplanation(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = r.string(true);
        break;
      case 18:
        m.state = r.string(true);
        break;
      case 26:
        m.problem = r.string(true);
        break;
      case 32:
        m.feasible = r.uint32();
        break;
      case 42:
        m.reasons.push(readExplainReason(zeroExplainReason(), r, r.uint32() + r.pos));
        break;
      case 50:
        m.changes.push(readExplainChange(zeroExplainChange(), r, r.uint32() + r.pos));
        break;
      case 58:
        m.score.push(readScorePart(zeroScorePart(), r, r.uint32() + r.pos));
        break;
      case 66:
        m.summary.push(r.string(true));
        break;
      case 72:
        m.inAlloc = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeExplanation(w: BinaryWriter, m: Any): void {
  if (m.task !== "") w.uint32(10).string(m.task);
  if (m.state !== "") w.uint32(18).string(m.state);
  if (m.problem !== "") w.uint32(26).string(m.problem);
  if (m.feasible !== 0) w.uint32(32).uint32(m.feasible);
  for (const each of m.reasons) { w.uint32(42).fork(); writeExplainReason(w, each); w.join(); }
  for (const each of m.changes) { w.uint32(50).fork(); writeExplainChange(w, each); w.join(); }
  for (const each of m.score) { w.uint32(58).fork(); writeScorePart(w, each); w.join(); }
  for (const each of m.summary) w.uint32(66).string(each);
  if (m.inAlloc) w.uint32(72).bool(m.inAlloc);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroExtra = (): Any => ({ $typeName: "borg.v1.Extra", name: "", amount: 0 });

function makeExtra(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Extra", name: i.name ?? "", amount: i.amount ?? 0 };
  return m;
}

function readExtra(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 17:
        m.amount = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeExtra(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (!Object.is(m.amount, 0)) w.uint32(17).double(m.amount);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFeedRecord = (): Any => ({ $typeName: "borg.v1.FeedRecord", body: { case: undefined } });

const bodyOfFeedRecord: Record<string, (value: Any) => Any> = { cell: makeCellSettings, user: makeUserGrants, scheduler: makeSchedulerRecord, machine: makeMachineRecord, job: makeJobRecord, tasks: makeTasksRecord, role: makeFrameworkRole };

function makeFeedRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FeedRecord", body: i.body?.case === undefined ? { case: undefined } : { case: i.body.case, value: bodyOfFeedRecord[i.body.case]!(i.body.value) } };
  return m;
}

function readFeedRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.body = { case: "cell", value: readCellSettings((m.body.case === "cell" ? m.body.value : undefined) ?? zeroCellSettings(), r, r.uint32() + r.pos) };
        break;
      case 18:
        m.body = { case: "user", value: readUserGrants((m.body.case === "user" ? m.body.value : undefined) ?? zeroUserGrants(), r, r.uint32() + r.pos) };
        break;
      case 26:
        m.body = { case: "scheduler", value: readSchedulerRecord((m.body.case === "scheduler" ? m.body.value : undefined) ?? zeroSchedulerRecord(), r, r.uint32() + r.pos) };
        break;
      case 34:
        m.body = { case: "machine", value: readMachineRecord((m.body.case === "machine" ? m.body.value : undefined) ?? zeroMachineRecord(), r, r.uint32() + r.pos) };
        break;
      case 42:
        m.body = { case: "job", value: readJobRecord((m.body.case === "job" ? m.body.value : undefined) ?? zeroJobRecord(), r, r.uint32() + r.pos) };
        break;
      case 50:
        m.body = { case: "tasks", value: readTasksRecord((m.body.case === "tasks" ? m.body.value : undefined) ?? zeroTasksRecord(), r, r.uint32() + r.pos) };
        break;
      case 58:
        m.body = { case: "role", value: readFrameworkRole((m.body.case === "role" ? m.body.value : undefined) ?? zeroFrameworkRole(), r, r.uint32() + r.pos) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFeedRecord(w: BinaryWriter, m: Any): void {
  switch (m.body.case) {
    case "cell":
      { w.uint32(10).fork(); writeCellSettings(w, m.body.value); w.join(); }
      break;
    case "user":
      { w.uint32(18).fork(); writeUserGrants(w, m.body.value); w.join(); }
      break;
    case "scheduler":
      { w.uint32(26).fork(); writeSchedulerRecord(w, m.body.value); w.join(); }
      break;
    case "machine":
      { w.uint32(34).fork(); writeMachineRecord(w, m.body.value); w.join(); }
      break;
    case "job":
      { w.uint32(42).fork(); writeJobRecord(w, m.body.value); w.join(); }
      break;
    case "tasks":
      { w.uint32(50).fork(); writeTasksRecord(w, m.body.value); w.join(); }
      break;
    case "role":
      { w.uint32(58).fork(); writeFrameworkRole(w, m.body.value); w.join(); }
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFeedRecords = (): Any => ({ $typeName: "borg.v1.FeedRecords", position: 0, timeMs: 0, removed: [], records: [], events: [] });

function makeFeedRecords(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FeedRecords", position: i.position ?? 0, timeMs: i.timeMs ?? 0, removed: i.removed?.map(makeRemovedRecord) ?? [], records: i.records?.map(makeFeedRecord) ?? [], events: i.events?.map(makeEvent) ?? [] };
  return m;
}

function readFeedRecords(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.position = r.double();
        break;
      case 17:
        m.timeMs = r.double();
        break;
      case 34:
        m.removed.push(readRemovedRecord(zeroRemovedRecord(), r, r.uint32() + r.pos));
        break;
      case 42:
        m.records.push(readFeedRecord(zeroFeedRecord(), r, r.uint32() + r.pos));
        break;
      case 50:
        m.events.push(readEvent(zeroEvent(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFeedRecords(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.position, 0)) w.uint32(9).double(m.position);
  if (!Object.is(m.timeMs, 0)) w.uint32(17).double(m.timeMs);
  for (const each of m.removed) { w.uint32(34).fork(); writeRemovedRecord(w, each); w.join(); }
  for (const each of m.records) { w.uint32(42).fork(); writeFeedRecord(w, each); w.join(); }
  for (const each of m.events) { w.uint32(50).fork(); writeEvent(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFileChunk = (): Any => ({ $typeName: "borg.v1.FileChunk", id: 0, problem: "", missing: false, kind: 0, bytes: 0, data: NONE, entries: [], more: false });

function makeFileChunk(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FileChunk", id: i.id ?? 0, problem: i.problem ?? "", missing: i.missing ?? false, kind: i.kind ?? 0, bytes: i.bytes ?? 0, data: i.data ?? NONE, entries: i.entries?.map(makeFileEntry) ?? [], more: i.more ?? false };
  return m;
}

function readFileChunk(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.id = r.double();
        break;
      case 18:
        m.problem = r.string(true);
        break;
      case 24:
        m.missing = r.bool();
        break;
      case 32:
        m.kind = r.int32();
        break;
      case 41:
        m.bytes = r.double();
        break;
      case 50:
        m.data = r.bytes();
        break;
      case 58:
        m.entries.push(readFileEntry(zeroFileEntry(), r, r.uint32() + r.pos));
        break;
      case 64:
        m.more = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFileChunk(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.id, 0)) w.uint32(9).double(m.id);
  if (m.problem !== "") w.uint32(18).string(m.problem);
  if (m.missing) w.uint32(24).bool(m.missing);
  if (m.kind !== 0) w.uint32(32).int32(m.kind);
  if (!Object.is(m.bytes, 0)) w.uint32(41).double(m.bytes);
  if (m.data.length > 0) w.uint32(50).bytes(m.data);
  for (const each of m.entries) { w.uint32(58).fork(); writeFileEntry(w, each); w.join(); }
  if (m.more) w.uint32(64).bool(m.more);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFileEntry = (): Any => ({ $typeName: "borg.v1.FileEntry", name: "", kind: 0, bytes: 0, modifiedMs: 0 });

function makeFileEntry(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FileEntry", name: i.name ?? "", kind: i.kind ?? 0, bytes: i.bytes ?? 0, modifiedMs: i.modifiedMs ?? 0 };
  return m;
}

function readFileEntry(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.kind = r.int32();
        break;
      case 25:
        m.bytes = r.double();
        break;
      case 33:
        m.modifiedMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFileEntry(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.kind !== 0) w.uint32(16).int32(m.kind);
  if (!Object.is(m.bytes, 0)) w.uint32(25).double(m.bytes);
  if (!Object.is(m.modifiedMs, 0)) w.uint32(33).double(m.modifiedMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFileRequest = (): Any => ({ $typeName: "borg.v1.FileRequest", id: 0, instance: "", path: "", offset: 0, bytesMax: 0 });

function makeFileRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FileRequest", id: i.id ?? 0, instance: i.instance ?? "", path: i.path ?? "", offset: i.offset ?? 0, bytesMax: i.bytesMax ?? 0 };
  return m;
}

function readFileRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.id = r.double();
        break;
      case 18:
        m.instance = r.string(true);
        break;
      case 26:
        m.path = r.string(true);
        break;
      case 33:
        m.offset = r.double();
        break;
      case 40:
        m.bytesMax = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFileRequest(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.id, 0)) w.uint32(9).double(m.id);
  if (m.instance !== "") w.uint32(18).string(m.instance);
  if (m.path !== "") w.uint32(26).string(m.path);
  if (!Object.is(m.offset, 0)) w.uint32(33).double(m.offset);
  if (m.bytesMax !== 0) w.uint32(40).uint32(m.bytesMax);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroForgetDirectoryRequest = (): Any => ({ $typeName: "borg.v1.ForgetDirectoryRequest", requestId: "", alloc: "" });

function makeForgetDirectoryRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ForgetDirectoryRequest", requestId: i.requestId ?? "", alloc: i.alloc ?? "" };
  return m;
}

function readForgetDirectoryRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.alloc = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeForgetDirectoryRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.alloc !== "") w.uint32(18).string(m.alloc);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroForgetJobRequest = (): Any => ({ $typeName: "borg.v1.ForgetJobRequest", requestId: "", job: "" });

function makeForgetJobRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ForgetJobRequest", requestId: i.requestId ?? "", job: i.job ?? "" };
  return m;
}

function readForgetJobRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeForgetJobRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.job !== "") w.uint32(18).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFrameworkAcknowledge = (): Any => ({ $typeName: "borg.v1.FrameworkAcknowledge", framework: "", session: 0, acknowledgements: [] });

function makeFrameworkAcknowledge(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FrameworkAcknowledge", framework: i.framework ?? "", session: i.session ?? 0, acknowledgements: i.acknowledgements?.map(makeAcknowledgement) ?? [] };
  return m;
}

function readFrameworkAcknowledge(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.framework = r.string(true);
        break;
      case 17:
        m.session = r.double();
        break;
      case 26:
        m.acknowledgements.push(readAcknowledgement(zeroAcknowledgement(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFrameworkAcknowledge(w: BinaryWriter, m: Any): void {
  if (m.framework !== "") w.uint32(10).string(m.framework);
  if (!Object.is(m.session, 0)) w.uint32(17).double(m.session);
  for (const each of m.acknowledgements) { w.uint32(26).fork(); writeAcknowledgement(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFrameworkDisconnect = (): Any => ({ $typeName: "borg.v1.FrameworkDisconnect", framework: "", session: 0 });

function makeFrameworkDisconnect(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FrameworkDisconnect", framework: i.framework ?? "", session: i.session ?? 0 };
  return m;
}

function readFrameworkDisconnect(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.framework = r.string(true);
        break;
      case 17:
        m.session = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFrameworkDisconnect(w: BinaryWriter, m: Any): void {
  if (m.framework !== "") w.uint32(10).string(m.framework);
  if (!Object.is(m.session, 0)) w.uint32(17).double(m.session);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFrameworkKill = (): Any => ({ $typeName: "borg.v1.FrameworkKill", framework: "", session: 0, taskIds: [] });

function makeFrameworkKill(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FrameworkKill", framework: i.framework ?? "", session: i.session ?? 0, taskIds: i.taskIds ?? [] };
  if (i.noticeMs !== undefined) m.noticeMs = i.noticeMs;
  return m;
}

function readFrameworkKill(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.framework = r.string(true);
        break;
      case 17:
        m.session = r.double();
        break;
      case 26:
        m.taskIds.push(r.string(true));
        break;
      case 32:
        m.noticeMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFrameworkKill(w: BinaryWriter, m: Any): void {
  if (m.framework !== "") w.uint32(10).string(m.framework);
  if (!Object.is(m.session, 0)) w.uint32(17).double(m.session);
  for (const each of m.taskIds) w.uint32(26).string(each);
  if (m.noticeMs !== undefined) w.uint32(32).uint32(m.noticeMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFrameworkLaunch = (): Any => ({ $typeName: "borg.v1.FrameworkLaunch", framework: "", session: 0, launches: [] });

function makeFrameworkLaunch(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FrameworkLaunch", framework: i.framework ?? "", session: i.session ?? 0, launches: i.launches?.map(makeLaunch) ?? [] };
  return m;
}

function readFrameworkLaunch(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.framework = r.string(true);
        break;
      case 17:
        m.session = r.double();
        break;
      case 26:
        m.launches.push(readLaunch(zeroLaunch(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFrameworkLaunch(w: BinaryWriter, m: Any): void {
  if (m.framework !== "") w.uint32(10).string(m.framework);
  if (!Object.is(m.session, 0)) w.uint32(17).double(m.session);
  for (const each of m.launches) { w.uint32(26).fork(); writeLaunch(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFrameworkRevoke = (): Any => ({ $typeName: "borg.v1.FrameworkRevoke", role: "", instances: [], graceMs: 0 });

function makeFrameworkRevoke(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FrameworkRevoke", role: i.role ?? "", instances: i.instances ?? [], graceMs: i.graceMs ?? 0 };
  return m;
}

function readFrameworkRevoke(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.role = r.string(true);
        break;
      case 18:
        m.instances.push(r.string(true));
        break;
      case 24:
        m.graceMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFrameworkRevoke(w: BinaryWriter, m: Any): void {
  if (m.role !== "") w.uint32(10).string(m.role);
  for (const each of m.instances) w.uint32(18).string(each);
  if (m.graceMs !== 0) w.uint32(24).uint32(m.graceMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFrameworkRole = (): Any => ({ $typeName: "borg.v1.FrameworkRole", name: "", weight: 0, users: [] });

function makeFrameworkRole(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FrameworkRole", name: i.name ?? "", weight: i.weight ?? 0, users: i.users ?? [] };
  if (i.guarantee !== undefined) m.guarantee = makeResources(i.guarantee);
  return m;
}

function readFrameworkRole(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.weight = r.uint32();
        break;
      case 26:
        m.guarantee = readResources(m.guarantee ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.users.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFrameworkRole(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.weight !== 0) w.uint32(16).uint32(m.weight);
  if (m.guarantee !== undefined) { w.uint32(26).fork(); writeResources(w, m.guarantee); w.join(); }
  for (const each of m.users) w.uint32(34).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFrameworkSpec = (): Any => ({ $typeName: "borg.v1.FrameworkSpec", user: "", name: "", priority: 0, role: "", failoverMs: 0, partitionAware: false, title: "", principal: "", hostname: "", webuiUrl: "" });

function makeFrameworkSpec(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FrameworkSpec", user: i.user ?? "", name: i.name ?? "", priority: i.priority ?? 0, role: i.role ?? "", failoverMs: i.failoverMs ?? 0, partitionAware: i.partitionAware ?? false, title: i.title ?? "", principal: i.principal ?? "", hostname: i.hostname ?? "", webuiUrl: i.webuiUrl ?? "" };
  return m;
}

function readFrameworkSpec(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 24:
        m.priority = r.uint32();
        break;
      case 34:
        m.role = r.string(true);
        break;
      case 41:
        m.failoverMs = r.double();
        break;
      case 48:
        m.partitionAware = r.bool();
        break;
      case 58:
        m.title = r.string(true);
        break;
      case 66:
        m.principal = r.string(true);
        break;
      case 74:
        m.hostname = r.string(true);
        break;
      case 82:
        m.webuiUrl = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFrameworkSpec(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.priority !== 0) w.uint32(24).uint32(m.priority);
  if (m.role !== "") w.uint32(34).string(m.role);
  if (!Object.is(m.failoverMs, 0)) w.uint32(41).double(m.failoverMs);
  if (m.partitionAware) w.uint32(48).bool(m.partitionAware);
  if (m.title !== "") w.uint32(58).string(m.title);
  if (m.principal !== "") w.uint32(66).string(m.principal);
  if (m.hostname !== "") w.uint32(74).string(m.hostname);
  if (m.webuiUrl !== "") w.uint32(82).string(m.webuiUrl);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFrameworkSubscribe = (): Any => ({ $typeName: "borg.v1.FrameworkSubscribe", id: "", session: 0 });

function makeFrameworkSubscribe(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FrameworkSubscribe", id: i.id ?? "", session: i.session ?? 0 };
  if (i.spec !== undefined) m.spec = makeFrameworkSpec(i.spec);
  return m;
}

function readFrameworkSubscribe(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.spec = readFrameworkSpec(m.spec ?? zeroFrameworkSpec(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.id = r.string(true);
        break;
      case 25:
        m.session = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFrameworkSubscribe(w: BinaryWriter, m: Any): void {
  if (m.spec !== undefined) { w.uint32(10).fork(); writeFrameworkSpec(w, m.spec); w.join(); }
  if (m.id !== "") w.uint32(18).string(m.id);
  if (!Object.is(m.session, 0)) w.uint32(25).double(m.session);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFrameworkTeardown = (): Any => ({ $typeName: "borg.v1.FrameworkTeardown", framework: "", session: 0 });

function makeFrameworkTeardown(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FrameworkTeardown", framework: i.framework ?? "", session: i.session ?? 0 };
  return m;
}

function readFrameworkTeardown(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.framework = r.string(true);
        break;
      case 17:
        m.session = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFrameworkTeardown(w: BinaryWriter, m: Any): void {
  if (m.framework !== "") w.uint32(10).string(m.framework);
  if (!Object.is(m.session, 0)) w.uint32(17).double(m.session);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroFrameworkView = (): Any => ({ $typeName: "borg.v1.FrameworkView", name: "", id: "", state: "", band: 0, sessionMs: 0, disconnectedMs: 0, submittedMs: 0, starting: 0, running: 0, stopping: 0, unacknowledged: 0, share: 0, offers: 0 });

function makeFrameworkView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.FrameworkView", name: i.name ?? "", id: i.id ?? "", state: i.state ?? "", band: i.band ?? 0, sessionMs: i.sessionMs ?? 0, disconnectedMs: i.disconnectedMs ?? 0, submittedMs: i.submittedMs ?? 0, starting: i.starting ?? 0, running: i.running ?? 0, stopping: i.stopping ?? 0, unacknowledged: i.unacknowledged ?? 0, share: i.share ?? 0, offers: i.offers ?? 0 };
  if (i.spec !== undefined) m.spec = makeFrameworkSpec(i.spec);
  if (i.used !== undefined) m.used = makeResources(i.used);
  if (i.offered !== undefined) m.offered = makeResources(i.offered);
  return m;
}

function readFrameworkView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.id = r.string(true);
        break;
      case 26:
        m.state = r.string(true);
        break;
      case 34:
        m.spec = readFrameworkSpec(m.spec ?? zeroFrameworkSpec(), r, r.uint32() + r.pos);
        break;
      case 40:
        m.band = r.int32();
        break;
      case 49:
        m.sessionMs = r.double();
        break;
      case 57:
        m.disconnectedMs = r.double();
        break;
      case 65:
        m.submittedMs = r.double();
        break;
      case 72:
        m.starting = r.uint32();
        break;
      case 80:
        m.running = r.uint32();
        break;
      case 88:
        m.stopping = r.uint32();
        break;
      case 96:
        m.unacknowledged = r.uint32();
        break;
      case 106:
        m.used = readResources(m.used ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 112:
        m.share = r.uint32();
        break;
      case 120:
        m.offers = r.uint32();
        break;
      case 130:
        m.offered = readResources(m.offered ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeFrameworkView(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.id !== "") w.uint32(18).string(m.id);
  if (m.state !== "") w.uint32(26).string(m.state);
  if (m.spec !== undefined) { w.uint32(34).fork(); writeFrameworkSpec(w, m.spec); w.join(); }
  if (m.band !== 0) w.uint32(40).int32(m.band);
  if (!Object.is(m.sessionMs, 0)) w.uint32(49).double(m.sessionMs);
  if (!Object.is(m.disconnectedMs, 0)) w.uint32(57).double(m.disconnectedMs);
  if (!Object.is(m.submittedMs, 0)) w.uint32(65).double(m.submittedMs);
  if (m.starting !== 0) w.uint32(72).uint32(m.starting);
  if (m.running !== 0) w.uint32(80).uint32(m.running);
  if (m.stopping !== 0) w.uint32(88).uint32(m.stopping);
  if (m.unacknowledged !== 0) w.uint32(96).uint32(m.unacknowledged);
  if (m.used !== undefined) { w.uint32(106).fork(); writeResources(w, m.used); w.join(); }
  if (m.share !== 0) w.uint32(112).uint32(m.share);
  if (m.offers !== 0) w.uint32(120).uint32(m.offers);
  if (m.offered !== undefined) { w.uint32(130).fork(); writeResources(w, m.offered); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroGetCellRequest = (): Any => ({ $typeName: "borg.v1.GetCellRequest", hash: false });

function makeGetCellRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.GetCellRequest", hash: i.hash ?? false };
  return m;
}

function readGetCellRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.hash = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeGetCellRequest(w: BinaryWriter, m: Any): void {
  if (m.hash) w.uint32(8).bool(m.hash);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroGetFrameworkRequest = (): Any => ({ $typeName: "borg.v1.GetFrameworkRequest", framework: "", from: 0, over: false });

function makeGetFrameworkRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.GetFrameworkRequest", framework: i.framework ?? "", from: i.from ?? 0, over: i.over ?? false };
  return m;
}

function readGetFrameworkRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.framework = r.string(true);
        break;
      case 16:
        m.from = r.uint32();
        break;
      case 24:
        m.over = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeGetFrameworkRequest(w: BinaryWriter, m: Any): void {
  if (m.framework !== "") w.uint32(10).string(m.framework);
  if (m.from !== 0) w.uint32(16).uint32(m.from);
  if (m.over) w.uint32(24).bool(m.over);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroGetFrameworkResponse = (): Any => ({ $typeName: "borg.v1.GetFrameworkResponse", tasks: [], next: 0 });

function makeGetFrameworkResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.GetFrameworkResponse", tasks: i.tasks?.map(makeLaunchedView) ?? [], next: i.next ?? 0 };
  if (i.framework !== undefined) m.framework = makeFrameworkView(i.framework);
  return m;
}

function readGetFrameworkResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.framework = readFrameworkView(m.framework ?? zeroFrameworkView(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.tasks.push(readLaunchedView(zeroLaunchedView(), r, r.uint32() + r.pos));
        break;
      case 24:
        m.next = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeGetFrameworkResponse(w: BinaryWriter, m: Any): void {
  if (m.framework !== undefined) { w.uint32(10).fork(); writeFrameworkView(w, m.framework); w.join(); }
  for (const each of m.tasks) { w.uint32(18).fork(); writeLaunchedView(w, each); w.join(); }
  if (m.next !== 0) w.uint32(24).uint32(m.next);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroGetJobRequest = (): Any => ({ $typeName: "borg.v1.GetJobRequest", job: "" });

function makeGetJobRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.GetJobRequest", job: i.job ?? "" };
  return m;
}

function readGetJobRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeGetJobRequest(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroGetJobResponse = (): Any => ({ $typeName: "borg.v1.GetJobResponse", tasks: [], veiled: false, specDigest: NONE, update: "" });

function makeGetJobResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.GetJobResponse", tasks: i.tasks?.map(makeTaskView) ?? [], veiled: i.veiled ?? false, specDigest: i.specDigest ?? NONE, update: i.update ?? "" };
  if (i.job !== undefined) m.job = makeJobView(i.job);
  if (i.spec !== undefined) m.spec = makeJobSpec(i.spec);
  if (i.allocSetSpec !== undefined) m.allocSetSpec = makeAllocSetSpec(i.allocSetSpec);
  if (i.framework !== undefined) m.framework = makeFrameworkView(i.framework);
  if (i.down !== undefined) m.down = makeDownView(i.down);
  return m;
}

function readGetJobResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = readJobView(m.job ?? zeroJobView(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.spec = readJobSpec(m.spec ?? zeroJobSpec(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.allocSetSpec = readAllocSetSpec(m.allocSetSpec ?? zeroAllocSetSpec(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.tasks.push(readTaskView(zeroTaskView(), r, r.uint32() + r.pos));
        break;
      case 40:
        m.veiled = r.bool();
        break;
      case 50:
        m.specDigest = r.bytes();
        break;
      case 58:
        m.framework = readFrameworkView(m.framework ?? zeroFrameworkView(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.down = readDownView(m.down ?? zeroDownView(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.update = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeGetJobResponse(w: BinaryWriter, m: Any): void {
  if (m.job !== undefined) { w.uint32(10).fork(); writeJobView(w, m.job); w.join(); }
  if (m.spec !== undefined) { w.uint32(18).fork(); writeJobSpec(w, m.spec); w.join(); }
  if (m.allocSetSpec !== undefined) { w.uint32(26).fork(); writeAllocSetSpec(w, m.allocSetSpec); w.join(); }
  for (const each of m.tasks) { w.uint32(34).fork(); writeTaskView(w, each); w.join(); }
  if (m.veiled) w.uint32(40).bool(m.veiled);
  if (m.specDigest.length > 0) w.uint32(50).bytes(m.specDigest);
  if (m.framework !== undefined) { w.uint32(58).fork(); writeFrameworkView(w, m.framework); w.join(); }
  if (m.down !== undefined) { w.uint32(66).fork(); writeDownView(w, m.down); w.join(); }
  if (m.update !== "") w.uint32(74).string(m.update);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroGetMachineRequest = (): Any => ({ $typeName: "borg.v1.GetMachineRequest", machine: "" });

function makeGetMachineRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.GetMachineRequest", machine: i.machine ?? "" };
  return m;
}

function readGetMachineRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeGetMachineRequest(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroGetMasterRequest = (): Any => ({ $typeName: "borg.v1.GetMasterRequest" });

function makeGetMasterRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.GetMasterRequest" };
  return m;
}

function readGetMasterRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeGetMasterRequest(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroGetTaskRequest = (): Any => ({ $typeName: "borg.v1.GetTaskRequest", task: "" });

function makeGetTaskRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.GetTaskRequest", task: i.task ?? "" };
  return m;
}

function readGetTaskRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeGetTaskRequest(w: BinaryWriter, m: Any): void {
  if (m.task !== "") w.uint32(10).string(m.task);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroGetUpdateRequest = (): Any => ({ $typeName: "borg.v1.GetUpdateRequest", job: "" });

function makeGetUpdateRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.GetUpdateRequest", job: i.job ?? "" };
  return m;
}

function readGetUpdateRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeGetUpdateRequest(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroGrantUserRequest = (): Any => ({ $typeName: "borg.v1.GrantUserRequest", requestId: "", user: "", roles: [], capabilities: [], only: false });

function makeGrantUserRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.GrantUserRequest", requestId: i.requestId ?? "", user: i.user ?? "", roles: i.roles ?? [], capabilities: i.capabilities ?? [], only: i.only ?? false };
  if (i.labels !== undefined) m.labels = makeLabels(i.labels);
  return m;
}

function readGrantUserRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 24:
        m.roles.push(r.int32());
        break;
      case 26:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.roles.push(r.int32());
        break;
      case 32:
        m.capabilities.push(r.int32());
        break;
      case 34:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.capabilities.push(r.int32());
        break;
      case 40:
        m.only = r.bool();
        break;
      case 50:
        m.labels = readLabels(m.labels ?? zeroLabels(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeGrantUserRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.roles.length > 0) {
    w.uint32(26).fork();
    for (const each of m.roles) w.int32(each);
    w.join();
  }
  if (m.capabilities.length > 0) {
    w.uint32(34).fork();
    for (const each of m.capabilities) w.int32(each);
    w.join();
  }
  if (m.only) w.uint32(40).bool(m.only);
  if (m.labels !== undefined) { w.uint32(50).fork(); writeLabels(w, m.labels); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroHealthCheck = (): Any => ({ $typeName: "borg.v1.HealthCheck", port: "", path: "", intervalMs: 0, timeoutMs: 0, failures: 0, kind: 0, command: [] });

function makeHealthCheck(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.HealthCheck", port: i.port ?? "", path: i.path ?? "", intervalMs: i.intervalMs ?? 0, timeoutMs: i.timeoutMs ?? 0, failures: i.failures ?? 0, kind: i.kind ?? 0, command: i.command ?? [] };
  if (i.graceMs !== undefined) m.graceMs = i.graceMs;
  return m;
}

function readHealthCheck(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.port = r.string(true);
        break;
      case 18:
        m.path = r.string(true);
        break;
      case 24:
        m.intervalMs = r.uint32();
        break;
      case 32:
        m.timeoutMs = r.uint32();
        break;
      case 40:
        m.failures = r.uint32();
        break;
      case 48:
        m.kind = r.int32();
        break;
      case 58:
        m.command.push(r.string(true));
        break;
      case 64:
        m.graceMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeHealthCheck(w: BinaryWriter, m: Any): void {
  if (m.port !== "") w.uint32(10).string(m.port);
  if (m.path !== "") w.uint32(18).string(m.path);
  if (m.intervalMs !== 0) w.uint32(24).uint32(m.intervalMs);
  if (m.timeoutMs !== 0) w.uint32(32).uint32(m.timeoutMs);
  if (m.failures !== 0) w.uint32(40).uint32(m.failures);
  if (m.kind !== 0) w.uint32(48).int32(m.kind);
  for (const each of m.command) w.uint32(58).string(each);
  if (m.graceMs !== undefined) w.uint32(64).uint32(m.graceMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroHeldDevice = (): Any => ({ $typeName: "borg.v1.HeldDevice", name: "", number: 0, amount: 0 });

function makeHeldDevice(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.HeldDevice", name: i.name ?? "", number: i.number ?? 0, amount: i.amount ?? 0 };
  return m;
}

function readHeldDevice(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.number = r.uint32();
        break;
      case 24:
        m.amount = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeHeldDevice(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.number !== 0) w.uint32(16).uint32(m.number);
  if (m.amount !== 0) w.uint32(24).uint32(m.amount);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroHello = (): Any => ({ $typeName: "borg.v1.Hello", machine: "", peerPort: 0 });

function makeHello(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Hello", machine: i.machine ?? "", peerPort: i.peerPort ?? 0 };
  if (i.facts !== undefined) m.facts = makeMachineFacts(i.facts);
  return m;
}

function readHello(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.facts = readMachineFacts(m.facts ?? zeroMachineFacts(), r, r.uint32() + r.pos);
        break;
      case 24:
        m.peerPort = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeHello(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.facts !== undefined) { w.uint32(18).fork(); writeMachineFacts(w, m.facts); w.join(); }
  if (m.peerPort !== 0) w.uint32(24).uint32(m.peerPort);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroInstanceRecord = (): Any => ({ $typeName: "borg.v1.InstanceRecord", incarnation: 0, place: "", priority: 0, ports: [], scheduler: "", placedMs: 0, startedMs: 0, run: 0, health: 0, overRam: false, reclaimable: false, noticeMs: 0, portNext: 0, alloc: false, backoffUntilMs: 0, failures: 0, runMs: 0, generation: 0, ready: 0, wellMs: 0, problem: "", lameDuckMs: 0, devices: [] });

function makeInstanceRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.InstanceRecord", incarnation: i.incarnation ?? 0, place: i.place ?? "", priority: i.priority ?? 0, ports: i.ports ?? [], scheduler: i.scheduler ?? "", placedMs: i.placedMs ?? 0, startedMs: i.startedMs ?? 0, run: i.run ?? 0, health: i.health ?? 0, overRam: i.overRam ?? false, reclaimable: i.reclaimable ?? false, noticeMs: i.noticeMs ?? 0, portNext: i.portNext ?? 0, alloc: i.alloc ?? false, backoffUntilMs: i.backoffUntilMs ?? 0, failures: i.failures ?? 0, runMs: i.runMs ?? 0, generation: i.generation ?? 0, ready: i.ready ?? 0, wellMs: i.wellMs ?? 0, problem: i.problem ?? "", lameDuckMs: i.lameDuckMs ?? 0, devices: i.devices?.map(makeHeldDevice) ?? [] };
  if (i.limit !== undefined) m.limit = makeAmounts(i.limit);
  if (i.reservation !== undefined) m.reservation = makeAmounts(i.reservation);
  if (i.stop !== undefined) m.stop = makeStopRecord(i.stop);
  return m;
}

function readInstanceRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.incarnation = r.double();
        break;
      case 18:
        m.place = r.string(true);
        break;
      case 24:
        m.priority = r.uint32();
        break;
      case 34:
        m.limit = readAmounts(m.limit ?? zeroAmounts(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.reservation = readAmounts(m.reservation ?? zeroAmounts(), r, r.uint32() + r.pos);
        break;
      case 48:
        m.ports.push(r.uint32());
        break;
      case 50:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.ports.push(r.uint32());
        break;
      case 58:
        m.scheduler = r.string(true);
        break;
      case 65:
        m.placedMs = r.double();
        break;
      case 73:
        m.startedMs = r.double();
        break;
      case 80:
        m.run = r.uint32();
        break;
      case 88:
        m.health = r.int32();
        break;
      case 96:
        m.overRam = r.bool();
        break;
      case 104:
        m.reclaimable = r.bool();
        break;
      case 112:
        m.noticeMs = r.uint32();
        break;
      case 120:
        m.portNext = r.uint32();
        break;
      case 130:
        m.stop = readStopRecord(m.stop ?? zeroStopRecord(), r, r.uint32() + r.pos);
        break;
      case 136:
        m.alloc = r.bool();
        break;
      case 145:
        m.backoffUntilMs = r.double();
        break;
      case 152:
        m.failures = r.uint32();
        break;
      case 161:
        m.runMs = r.double();
        break;
      case 168:
        m.generation = r.uint32();
        break;
      case 200:
        m.ready = r.int32();
        break;
      case 209:
        m.wellMs = r.double();
        break;
      case 218:
        m.problem = r.string(true);
        break;
      case 224:
        m.lameDuckMs = r.uint32();
        break;
      case 234:
        m.devices.push(readHeldDevice(zeroHeldDevice(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeInstanceRecord(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.incarnation, 0)) w.uint32(9).double(m.incarnation);
  if (m.place !== "") w.uint32(18).string(m.place);
  if (m.priority !== 0) w.uint32(24).uint32(m.priority);
  if (m.limit !== undefined) { w.uint32(34).fork(); writeAmounts(w, m.limit); w.join(); }
  if (m.reservation !== undefined) { w.uint32(42).fork(); writeAmounts(w, m.reservation); w.join(); }
  if (m.ports.length > 0) {
    w.uint32(50).fork();
    for (const each of m.ports) w.uint32(each);
    w.join();
  }
  if (m.scheduler !== "") w.uint32(58).string(m.scheduler);
  if (!Object.is(m.placedMs, 0)) w.uint32(65).double(m.placedMs);
  if (!Object.is(m.startedMs, 0)) w.uint32(73).double(m.startedMs);
  if (m.run !== 0) w.uint32(80).uint32(m.run);
  if (m.health !== 0) w.uint32(88).int32(m.health);
  if (m.overRam) w.uint32(96).bool(m.overRam);
  if (m.reclaimable) w.uint32(104).bool(m.reclaimable);
  if (m.noticeMs !== 0) w.uint32(112).uint32(m.noticeMs);
  if (m.portNext !== 0) w.uint32(120).uint32(m.portNext);
  if (m.stop !== undefined) { w.uint32(130).fork(); writeStopRecord(w, m.stop); w.join(); }
  if (m.alloc) w.uint32(136).bool(m.alloc);
  if (!Object.is(m.backoffUntilMs, 0)) w.uint32(145).double(m.backoffUntilMs);
  if (m.failures !== 0) w.uint32(152).uint32(m.failures);
  if (!Object.is(m.runMs, 0)) w.uint32(161).double(m.runMs);
  if (m.generation !== 0) w.uint32(168).uint32(m.generation);
  if (m.ready !== 0) w.uint32(200).int32(m.ready);
  if (!Object.is(m.wellMs, 0)) w.uint32(209).double(m.wellMs);
  if (m.problem !== "") w.uint32(218).string(m.problem);
  if (m.lameDuckMs !== 0) w.uint32(224).uint32(m.lameDuckMs);
  for (const each of m.devices) { w.uint32(234).fork(); writeHeldDevice(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroInstanceReport = (): Any => ({ $typeName: "borg.v1.InstanceReport", instance: "", phase: 0, run: 0, exitCode: 0, signal: 0, health: 0, overRam: false, message: "", failures: 0, backoffMs: 0, upMs: 0, rebooted: false, waiting: "", ready: 0, problem: "", outOfResources: false, starved: false, data: NONE });

function makeInstanceReport(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.InstanceReport", instance: i.instance ?? "", phase: i.phase ?? 0, run: i.run ?? 0, exitCode: i.exitCode ?? 0, signal: i.signal ?? 0, health: i.health ?? 0, overRam: i.overRam ?? false, message: i.message ?? "", failures: i.failures ?? 0, backoffMs: i.backoffMs ?? 0, upMs: i.upMs ?? 0, rebooted: i.rebooted ?? false, waiting: i.waiting ?? "", ready: i.ready ?? 0, problem: i.problem ?? "", outOfResources: i.outOfResources ?? false, starved: i.starved ?? false, data: i.data ?? NONE };
  if (i.generation !== undefined) m.generation = i.generation;
  if (i.allocGeneration !== undefined) m.allocGeneration = i.allocGeneration;
  return m;
}

function readInstanceReport(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 16:
        m.phase = r.int32();
        break;
      case 24:
        m.run = r.uint32();
        break;
      case 32:
        m.exitCode = r.uint32();
        break;
      case 40:
        m.signal = r.uint32();
        break;
      case 48:
        m.health = r.int32();
        break;
      case 56:
        m.overRam = r.bool();
        break;
      case 66:
        m.message = r.string(true);
        break;
      case 72:
        m.failures = r.uint32();
        break;
      case 80:
        m.backoffMs = r.uint32();
        break;
      case 89:
        m.upMs = r.double();
        break;
      case 96:
        m.rebooted = r.bool();
        break;
      case 106:
        m.waiting = r.string(true);
        break;
      case 120:
        m.ready = r.int32();
        break;
      case 130:
        m.problem = r.string(true);
        break;
      case 160:
        m.generation = r.uint32();
        break;
      case 168:
        m.outOfResources = r.bool();
        break;
      case 176:
        m.starved = r.bool();
        break;
      case 184:
        m.allocGeneration = r.uint32();
        break;
      case 194:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeInstanceReport(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.phase !== 0) w.uint32(16).int32(m.phase);
  if (m.run !== 0) w.uint32(24).uint32(m.run);
  if (m.exitCode !== 0) w.uint32(32).uint32(m.exitCode);
  if (m.signal !== 0) w.uint32(40).uint32(m.signal);
  if (m.health !== 0) w.uint32(48).int32(m.health);
  if (m.overRam) w.uint32(56).bool(m.overRam);
  if (m.message !== "") w.uint32(66).string(m.message);
  if (m.failures !== 0) w.uint32(72).uint32(m.failures);
  if (m.backoffMs !== 0) w.uint32(80).uint32(m.backoffMs);
  if (!Object.is(m.upMs, 0)) w.uint32(89).double(m.upMs);
  if (m.rebooted) w.uint32(96).bool(m.rebooted);
  if (m.waiting !== "") w.uint32(106).string(m.waiting);
  if (m.ready !== 0) w.uint32(120).int32(m.ready);
  if (m.problem !== "") w.uint32(130).string(m.problem);
  if (m.generation !== undefined) w.uint32(160).uint32(m.generation);
  if (m.outOfResources) w.uint32(168).bool(m.outOfResources);
  if (m.starved) w.uint32(176).bool(m.starved);
  if (m.allocGeneration !== undefined) w.uint32(184).uint32(m.allocGeneration);
  if (m.data.length > 0) w.uint32(194).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroInvitationRecord = (): Any => ({ $typeName: "borg.v1.InvitationRecord", machine: "", tokenHash: "", untilMs: 0 });

function makeInvitationRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.InvitationRecord", machine: i.machine ?? "", tokenHash: i.tokenHash ?? "", untilMs: i.untilMs ?? 0 };
  if (i.approval !== undefined) m.approval = makeApproval(i.approval);
  return m;
}

function readInvitationRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.approval = readApproval(m.approval ?? zeroApproval(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.tokenHash = r.string(true);
        break;
      case 33:
        m.untilMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeInvitationRecord(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.approval !== undefined) { w.uint32(18).fork(); writeApproval(w, m.approval); w.join(); }
  if (m.tokenHash !== "") w.uint32(26).string(m.tokenHash);
  if (!Object.is(m.untilMs, 0)) w.uint32(33).double(m.untilMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroInvitationView = (): Any => ({ $typeName: "borg.v1.InvitationView", machine: "", untilMs: 0 });

function makeInvitationView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.InvitationView", machine: i.machine ?? "", untilMs: i.untilMs ?? 0 };
  if (i.approval !== undefined) m.approval = makeApproval(i.approval);
  return m;
}

function readInvitationView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.approval = readApproval(m.approval ?? zeroApproval(), r, r.uint32() + r.pos);
        break;
      case 25:
        m.untilMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeInvitationView(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.approval !== undefined) { w.uint32(18).fork(); writeApproval(w, m.approval); w.join(); }
  if (!Object.is(m.untilMs, 0)) w.uint32(25).double(m.untilMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJobForget = (): Any => ({ $typeName: "borg.v1.JobForget", job: "" });

function makeJobForget(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JobForget", job: i.job ?? "" };
  return m;
}

function readJobForget(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJobForget(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJobKill = (): Any => ({ $typeName: "borg.v1.JobKill", job: "" });

function makeJobKill(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JobKill", job: i.job ?? "" };
  return m;
}

function readJobKill(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJobKill(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJobRecord = (): Any => ({ $typeName: "borg.v1.JobRecord", spec: { case: undefined }, count: 0, submittedMs: 0, sinceMs: 0, held: false, killed: false, generation: 0, kept: [], specDigest: NONE, drainedMs: 0 });

const specOfJobRecord: Record<string, (value: Any) => Any> = { job: makeJobSpec, allocSet: makeAllocSetSpec, framework: makeFrameworkSpec };

function makeJobRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JobRecord", spec: i.spec?.case === undefined ? { case: undefined } : { case: i.spec.case, value: specOfJobRecord[i.spec.case]!(i.spec.value) }, count: i.count ?? 0, submittedMs: i.submittedMs ?? 0, sinceMs: i.sinceMs ?? 0, held: i.held ?? false, killed: i.killed ?? false, generation: i.generation ?? 0, kept: i.kept?.map(makeKeptSpec) ?? [], specDigest: i.specDigest ?? NONE, drainedMs: i.drainedMs ?? 0 };
  if (i.update !== undefined) m.update = makeUpdateRecord(i.update);
  if (i.led !== undefined) m.led = makeLedRecord(i.led);
  return m;
}

function readJobRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.spec = { case: "job", value: readJobSpec((m.spec.case === "job" ? m.spec.value : undefined) ?? zeroJobSpec(), r, r.uint32() + r.pos) };
        break;
      case 18:
        m.spec = { case: "allocSet", value: readAllocSetSpec((m.spec.case === "allocSet" ? m.spec.value : undefined) ?? zeroAllocSetSpec(), r, r.uint32() + r.pos) };
        break;
      case 98:
        m.spec = { case: "framework", value: readFrameworkSpec((m.spec.case === "framework" ? m.spec.value : undefined) ?? zeroFrameworkSpec(), r, r.uint32() + r.pos) };
        break;
      case 24:
        m.count = r.uint32();
        break;
      case 33:
        m.submittedMs = r.double();
        break;
      case 41:
        m.sinceMs = r.double();
        break;
      case 48:
        m.held = r.bool();
        break;
      case 56:
        m.killed = r.bool();
        break;
      case 64:
        m.generation = r.uint32();
        break;
      case 74:
        m.kept.push(readKeptSpec(zeroKeptSpec(), r, r.uint32() + r.pos));
        break;
      case 82:
        m.specDigest = r.bytes();
        break;
      case 90:
        m.update = readUpdateRecord(m.update ?? zeroUpdateRecord(), r, r.uint32() + r.pos);
        break;
      case 106:
        m.led = readLedRecord(m.led ?? zeroLedRecord(), r, r.uint32() + r.pos);
        break;
      case 113:
        m.drainedMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJobRecord(w: BinaryWriter, m: Any): void {
  switch (m.spec.case) {
    case "job":
      { w.uint32(10).fork(); writeJobSpec(w, m.spec.value); w.join(); }
      break;
    case "allocSet":
      { w.uint32(18).fork(); writeAllocSetSpec(w, m.spec.value); w.join(); }
      break;
  }
  if (m.count !== 0) w.uint32(24).uint32(m.count);
  if (!Object.is(m.submittedMs, 0)) w.uint32(33).double(m.submittedMs);
  if (!Object.is(m.sinceMs, 0)) w.uint32(41).double(m.sinceMs);
  if (m.held) w.uint32(48).bool(m.held);
  if (m.killed) w.uint32(56).bool(m.killed);
  if (m.generation !== 0) w.uint32(64).uint32(m.generation);
  for (const each of m.kept) { w.uint32(74).fork(); writeKeptSpec(w, each); w.join(); }
  if (m.specDigest.length > 0) w.uint32(82).bytes(m.specDigest);
  if (m.update !== undefined) { w.uint32(90).fork(); writeUpdateRecord(w, m.update); w.join(); }
  switch (m.spec.case) {
    case "framework":
      { w.uint32(98).fork(); writeFrameworkSpec(w, m.spec.value); w.join(); }
      break;
  }
  if (m.led !== undefined) { w.uint32(106).fork(); writeLedRecord(w, m.led); w.join(); }
  if (!Object.is(m.drainedMs, 0)) w.uint32(113).double(m.drainedMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJobResize = (): Any => ({ $typeName: "borg.v1.JobResize", job: "", count: 0 });

function makeJobResize(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JobResize", job: i.job ?? "", count: i.count ?? 0 };
  return m;
}

function readJobResize(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      case 16:
        m.count = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJobResize(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.count !== 0) w.uint32(16).uint32(m.count);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJobRestart = (): Any => ({ $typeName: "borg.v1.JobRestart", job: "", tasks: [] });

function makeJobRestart(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JobRestart", job: i.job ?? "", tasks: i.tasks ?? [] };
  return m;
}

function readJobRestart(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      case 16:
        m.tasks.push(r.uint32());
        break;
      case 18:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.tasks.push(r.uint32());
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJobRestart(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.tasks.length > 0) {
    w.uint32(18).fork();
    for (const each of m.tasks) w.uint32(each);
    w.join();
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJobSpec = (): Any => ({ $typeName: "borg.v1.JobSpec", user: "", name: "", priority: 0, count: 0, perMachine: false, overrides: [], constraints: [], appClass: 0, startAfter: "", allocSet: "", labels: [], spread: 0, deadlineMs: 0, mode: 0, scheduler: "", disableReclamation: false, keptDirectory: "", afterFailure: 0, beside: [], drainEveryMs: 0 });

function makeJobSpec(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JobSpec", user: i.user ?? "", name: i.name ?? "", priority: i.priority ?? 0, count: i.count ?? 0, perMachine: i.perMachine ?? false, overrides: i.overrides?.map(makeTaskOverride) ?? [], constraints: i.constraints?.map(makeConstraint) ?? [], appClass: i.appClass ?? 0, startAfter: i.startAfter ?? "", allocSet: i.allocSet ?? "", labels: i.labels?.map(makeLabel) ?? [], spread: i.spread ?? 0, deadlineMs: i.deadlineMs ?? 0, mode: i.mode ?? 0, scheduler: i.scheduler ?? "", disableReclamation: i.disableReclamation ?? false, keptDirectory: i.keptDirectory ?? "", afterFailure: i.afterFailure ?? 0, beside: i.beside?.map(makeBeside) ?? [], drainEveryMs: i.drainEveryMs ?? 0 };
  if (i.task !== undefined) m.task = makeTaskSpec(i.task);
  if (i.update !== undefined) m.update = makeUpdatePolicy(i.update);
  if (i.restart !== undefined) m.restart = makeRestartPolicy(i.restart);
  if (i.downMax !== undefined) m.downMax = i.downMax;
  if (i.victimNoticeMs !== undefined) m.victimNoticeMs = i.victimNoticeMs;
  return m;
}

function readJobSpec(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 24:
        m.priority = r.uint32();
        break;
      case 32:
        m.count = r.uint32();
        break;
      case 40:
        m.perMachine = r.bool();
        break;
      case 50:
        m.task = readTaskSpec(m.task ?? zeroTaskSpec(), r, r.uint32() + r.pos);
        break;
      case 58:
        m.overrides.push(readTaskOverride(zeroTaskOverride(), r, r.uint32() + r.pos));
        break;
      case 66:
        m.constraints.push(readConstraint(zeroConstraint(), r, r.uint32() + r.pos));
        break;
      case 72:
        m.appClass = r.int32();
        break;
      case 82:
        m.startAfter = r.string(true);
        break;
      case 90:
        m.allocSet = r.string(true);
        break;
      case 98:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      case 104:
        m.spread = r.int32();
        break;
      case 114:
        m.update = readUpdatePolicy(m.update ?? zeroUpdatePolicy(), r, r.uint32() + r.pos);
        break;
      case 122:
        m.restart = readRestartPolicy(m.restart ?? zeroRestartPolicy(), r, r.uint32() + r.pos);
        break;
      case 129:
        m.deadlineMs = r.double();
        break;
      case 136:
        m.mode = r.int32();
        break;
      case 146:
        m.scheduler = r.string(true);
        break;
      case 152:
        m.disableReclamation = r.bool();
        break;
      case 160:
        m.downMax = r.uint32();
        break;
      case 168:
        m.victimNoticeMs = r.uint32();
        break;
      case 242:
        m.keptDirectory = r.string(true);
        break;
      case 320:
        m.afterFailure = r.int32();
        break;
      case 250:
        m.beside.push(readBeside(zeroBeside(), r, r.uint32() + r.pos));
        break;
      case 328:
        m.drainEveryMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJobSpec(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.priority !== 0) w.uint32(24).uint32(m.priority);
  if (m.count !== 0) w.uint32(32).uint32(m.count);
  if (m.perMachine) w.uint32(40).bool(m.perMachine);
  if (m.task !== undefined) { w.uint32(50).fork(); writeTaskSpec(w, m.task); w.join(); }
  for (const each of m.overrides) { w.uint32(58).fork(); writeTaskOverride(w, each); w.join(); }
  for (const each of m.constraints) { w.uint32(66).fork(); writeConstraint(w, each); w.join(); }
  if (m.appClass !== 0) w.uint32(72).int32(m.appClass);
  if (m.startAfter !== "") w.uint32(82).string(m.startAfter);
  if (m.allocSet !== "") w.uint32(90).string(m.allocSet);
  for (const each of m.labels) { w.uint32(98).fork(); writeLabel(w, each); w.join(); }
  if (m.spread !== 0) w.uint32(104).int32(m.spread);
  if (m.update !== undefined) { w.uint32(114).fork(); writeUpdatePolicy(w, m.update); w.join(); }
  if (m.restart !== undefined) { w.uint32(122).fork(); writeRestartPolicy(w, m.restart); w.join(); }
  if (!Object.is(m.deadlineMs, 0)) w.uint32(129).double(m.deadlineMs);
  if (m.mode !== 0) w.uint32(136).int32(m.mode);
  if (m.scheduler !== "") w.uint32(146).string(m.scheduler);
  if (m.disableReclamation) w.uint32(152).bool(m.disableReclamation);
  if (m.downMax !== undefined) w.uint32(160).uint32(m.downMax);
  if (m.victimNoticeMs !== undefined) w.uint32(168).uint32(m.victimNoticeMs);
  if (m.keptDirectory !== "") w.uint32(242).string(m.keptDirectory);
  for (const each of m.beside) { w.uint32(250).fork(); writeBeside(w, each); w.join(); }
  if (m.afterFailure !== 0) w.uint32(320).int32(m.afterFailure);
  if (m.drainEveryMs !== 0) w.uint32(328).uint32(m.drainEveryMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJobSubmit = (): Any => ({ $typeName: "borg.v1.JobSubmit" });

function makeJobSubmit(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JobSubmit" };
  if (i.spec !== undefined) m.spec = makeJobSpec(i.spec);
  return m;
}

function readJobSubmit(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.spec = readJobSpec(m.spec ?? zeroJobSpec(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJobSubmit(w: BinaryWriter, m: Any): void {
  if (m.spec !== undefined) { w.uint32(10).fork(); writeJobSpec(w, m.spec); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJobView = (): Any => ({ $typeName: "borg.v1.JobView", name: "", state: "", allocSet: false, priority: 0, band: 0, count: 0, pending: 0, starting: 0, running: 0, stopping: 0, dead: 0, submittedMs: 0, sinceMs: 0, held: false, startAfter: "", failures: 0, backingOff: 0, finished: 0, failed: 0, killed: 0, lost: 0, labels: [], framework: false });

function makeJobView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JobView", name: i.name ?? "", state: i.state ?? "", allocSet: i.allocSet ?? false, priority: i.priority ?? 0, band: i.band ?? 0, count: i.count ?? 0, pending: i.pending ?? 0, starting: i.starting ?? 0, running: i.running ?? 0, stopping: i.stopping ?? 0, dead: i.dead ?? 0, submittedMs: i.submittedMs ?? 0, sinceMs: i.sinceMs ?? 0, held: i.held ?? false, startAfter: i.startAfter ?? "", failures: i.failures ?? 0, backingOff: i.backingOff ?? 0, finished: i.finished ?? 0, failed: i.failed ?? 0, killed: i.killed ?? 0, lost: i.lost ?? 0, labels: i.labels?.map(makeLabel) ?? [], framework: i.framework ?? false };
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  return m;
}

function readJobView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.state = r.string(true);
        break;
      case 24:
        m.allocSet = r.bool();
        break;
      case 32:
        m.priority = r.uint32();
        break;
      case 40:
        m.band = r.int32();
        break;
      case 48:
        m.count = r.uint32();
        break;
      case 56:
        m.pending = r.uint32();
        break;
      case 64:
        m.starting = r.uint32();
        break;
      case 72:
        m.running = r.uint32();
        break;
      case 80:
        m.stopping = r.uint32();
        break;
      case 88:
        m.dead = r.uint32();
        break;
      case 97:
        m.submittedMs = r.double();
        break;
      case 105:
        m.sinceMs = r.double();
        break;
      case 114:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 120:
        m.held = r.bool();
        break;
      case 130:
        m.startAfter = r.string(true);
        break;
      case 136:
        m.failures = r.uint32();
        break;
      case 144:
        m.backingOff = r.uint32();
        break;
      case 152:
        m.finished = r.uint32();
        break;
      case 160:
        m.failed = r.uint32();
        break;
      case 168:
        m.killed = r.uint32();
        break;
      case 176:
        m.lost = r.uint32();
        break;
      case 186:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      case 192:
        m.framework = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJobView(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.state !== "") w.uint32(18).string(m.state);
  if (m.allocSet) w.uint32(24).bool(m.allocSet);
  if (m.priority !== 0) w.uint32(32).uint32(m.priority);
  if (m.band !== 0) w.uint32(40).int32(m.band);
  if (m.count !== 0) w.uint32(48).uint32(m.count);
  if (m.pending !== 0) w.uint32(56).uint32(m.pending);
  if (m.starting !== 0) w.uint32(64).uint32(m.starting);
  if (m.running !== 0) w.uint32(72).uint32(m.running);
  if (m.stopping !== 0) w.uint32(80).uint32(m.stopping);
  if (m.dead !== 0) w.uint32(88).uint32(m.dead);
  if (!Object.is(m.submittedMs, 0)) w.uint32(97).double(m.submittedMs);
  if (!Object.is(m.sinceMs, 0)) w.uint32(105).double(m.sinceMs);
  if (m.limit !== undefined) { w.uint32(114).fork(); writeResources(w, m.limit); w.join(); }
  if (m.held) w.uint32(120).bool(m.held);
  if (m.startAfter !== "") w.uint32(130).string(m.startAfter);
  if (m.failures !== 0) w.uint32(136).uint32(m.failures);
  if (m.backingOff !== 0) w.uint32(144).uint32(m.backingOff);
  if (m.finished !== 0) w.uint32(152).uint32(m.finished);
  if (m.failed !== 0) w.uint32(160).uint32(m.failed);
  if (m.killed !== 0) w.uint32(168).uint32(m.killed);
  if (m.lost !== 0) w.uint32(176).uint32(m.lost);
  for (const each of m.labels) { w.uint32(186).fork(); writeLabel(w, each); w.join(); }
  if (m.framework) w.uint32(192).bool(m.framework);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJoinQuestion = (): Any => ({ $typeName: "borg.v1.JoinQuestion", id: "", address: "" });

function makeJoinQuestion(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JoinQuestion", id: i.id ?? "", address: i.address ?? "" };
  if (i.join !== undefined) m.join = makeLinkJoin(i.join);
  return m;
}

function readJoinQuestion(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = r.string(true);
        break;
      case 18:
        m.join = readLinkJoin(m.join ?? zeroLinkJoin(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.address = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJoinQuestion(w: BinaryWriter, m: Any): void {
  if (m.id !== "") w.uint32(10).string(m.id);
  if (m.join !== undefined) { w.uint32(18).fork(); writeLinkJoin(w, m.join); w.join(); }
  if (m.address !== "") w.uint32(26).string(m.address);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJoinRequest = (): Any => ({ $typeName: "borg.v1.JoinRequest", machine: "", key: "", address: "", sinceMs: 0 });

function makeJoinRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JoinRequest", machine: i.machine ?? "", key: i.key ?? "", address: i.address ?? "", sinceMs: i.sinceMs ?? 0 };
  if (i.capacity !== undefined) m.capacity = makeResources(i.capacity);
  return m;
}

function readJoinRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.key = r.string(true);
        break;
      case 26:
        m.capacity = readResources(m.capacity ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.address = r.string(true);
        break;
      case 41:
        m.sinceMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJoinRequest(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.key !== "") w.uint32(18).string(m.key);
  if (m.capacity !== undefined) { w.uint32(26).fork(); writeResources(w, m.capacity); w.join(); }
  if (m.address !== "") w.uint32(34).string(m.address);
  if (!Object.is(m.sinceMs, 0)) w.uint32(41).double(m.sinceMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroJoinVerdict = (): Any => ({ $typeName: "borg.v1.JoinVerdict", id: "", answer: { case: undefined } });

const answerOfJoinVerdict: Record<string, (value: Any) => Any> = { joined: makeLinkJoined, waiting: makeLinkWaiting, refused: makeLinkClosed };

function makeJoinVerdict(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.JoinVerdict", id: i.id ?? "", answer: i.answer?.case === undefined ? { case: undefined } : { case: i.answer.case, value: answerOfJoinVerdict[i.answer.case]!(i.answer.value) } };
  return m;
}

function readJoinVerdict(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = r.string(true);
        break;
      case 18:
        m.answer = { case: "joined", value: readLinkJoined((m.answer.case === "joined" ? m.answer.value : undefined) ?? zeroLinkJoined(), r, r.uint32() + r.pos) };
        break;
      case 26:
        m.answer = { case: "waiting", value: readLinkWaiting((m.answer.case === "waiting" ? m.answer.value : undefined) ?? zeroLinkWaiting(), r, r.uint32() + r.pos) };
        break;
      case 34:
        m.answer = { case: "refused", value: readLinkClosed((m.answer.case === "refused" ? m.answer.value : undefined) ?? zeroLinkClosed(), r, r.uint32() + r.pos) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeJoinVerdict(w: BinaryWriter, m: Any): void {
  if (m.id !== "") w.uint32(10).string(m.id);
  switch (m.answer.case) {
    case "joined":
      { w.uint32(18).fork(); writeLinkJoined(w, m.answer.value); w.join(); }
      break;
    case "waiting":
      { w.uint32(26).fork(); writeLinkWaiting(w, m.answer.value); w.join(); }
      break;
    case "refused":
      { w.uint32(34).fork(); writeLinkClosed(w, m.answer.value); w.join(); }
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroKeptDirectory = (): Any => ({ $typeName: "borg.v1.KeptDirectory", alloc: "", untilMs: 0 });

function makeKeptDirectory(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.KeptDirectory", alloc: i.alloc ?? "", untilMs: i.untilMs ?? 0 };
  return m;
}

function readKeptDirectory(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.alloc = r.string(true);
        break;
      case 17:
        m.untilMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeKeptDirectory(w: BinaryWriter, m: Any): void {
  if (m.alloc !== "") w.uint32(10).string(m.alloc);
  if (!Object.is(m.untilMs, 0)) w.uint32(17).double(m.untilMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroKeptForgotten = (): Any => ({ $typeName: "borg.v1.KeptForgotten", instance: "" });

function makeKeptForgotten(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.KeptForgotten", instance: i.instance ?? "" };
  return m;
}

function readKeptForgotten(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeKeptForgotten(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroKeptInstance = (): Any => ({ $typeName: "borg.v1.KeptInstance", phase: 0, run: 0, failures: 0, exitCode: 0, signal: 0, message: "", noticeMs: 0, condemned: "", rebooted: false, lameDuckMs: 0, evicted: false, data: NONE });

function makeKeptInstance(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.KeptInstance", phase: i.phase ?? 0, run: i.run ?? 0, failures: i.failures ?? 0, exitCode: i.exitCode ?? 0, signal: i.signal ?? 0, message: i.message ?? "", noticeMs: i.noticeMs ?? 0, condemned: i.condemned ?? "", rebooted: i.rebooted ?? false, lameDuckMs: i.lameDuckMs ?? 0, evicted: i.evicted ?? false, data: i.data ?? NONE };
  if (i.order !== undefined) m.order = makeStartOrder(i.order);
  return m;
}

function readKeptInstance(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.order = readStartOrder(m.order ?? zeroStartOrder(), r, r.uint32() + r.pos);
        break;
      case 16:
        m.phase = r.int32();
        break;
      case 24:
        m.run = r.uint32();
        break;
      case 32:
        m.failures = r.uint32();
        break;
      case 40:
        m.exitCode = r.uint32();
        break;
      case 48:
        m.signal = r.uint32();
        break;
      case 58:
        m.message = r.string(true);
        break;
      case 64:
        m.noticeMs = r.uint32();
        break;
      case 74:
        m.condemned = r.string(true);
        break;
      case 80:
        m.rebooted = r.bool();
        break;
      case 88:
        m.lameDuckMs = r.uint32();
        break;
      case 160:
        m.evicted = r.bool();
        break;
      case 170:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeKeptInstance(w: BinaryWriter, m: Any): void {
  if (m.order !== undefined) { w.uint32(10).fork(); writeStartOrder(w, m.order); w.join(); }
  if (m.phase !== 0) w.uint32(16).int32(m.phase);
  if (m.run !== 0) w.uint32(24).uint32(m.run);
  if (m.failures !== 0) w.uint32(32).uint32(m.failures);
  if (m.exitCode !== 0) w.uint32(40).uint32(m.exitCode);
  if (m.signal !== 0) w.uint32(48).uint32(m.signal);
  if (m.message !== "") w.uint32(58).string(m.message);
  if (m.noticeMs !== 0) w.uint32(64).uint32(m.noticeMs);
  if (m.condemned !== "") w.uint32(74).string(m.condemned);
  if (m.rebooted) w.uint32(80).bool(m.rebooted);
  if (m.lameDuckMs !== 0) w.uint32(88).uint32(m.lameDuckMs);
  if (m.evicted) w.uint32(160).bool(m.evicted);
  if (m.data.length > 0) w.uint32(170).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroKeptRecord = (): Any => ({ $typeName: "borg.v1.KeptRecord", body: { case: undefined } });

const bodyOfKeptRecord: Record<string, (value: Any) => Any> = { term: makeKeptTerm, instance: makeKeptInstance, forgotten: makeKeptForgotten };

function makeKeptRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.KeptRecord", body: i.body?.case === undefined ? { case: undefined } : { case: i.body.case, value: bodyOfKeptRecord[i.body.case]!(i.body.value) } };
  return m;
}

function readKeptRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.body = { case: "term", value: readKeptTerm((m.body.case === "term" ? m.body.value : undefined) ?? zeroKeptTerm(), r, r.uint32() + r.pos) };
        break;
      case 18:
        m.body = { case: "instance", value: readKeptInstance((m.body.case === "instance" ? m.body.value : undefined) ?? zeroKeptInstance(), r, r.uint32() + r.pos) };
        break;
      case 26:
        m.body = { case: "forgotten", value: readKeptForgotten((m.body.case === "forgotten" ? m.body.value : undefined) ?? zeroKeptForgotten(), r, r.uint32() + r.pos) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeKeptRecord(w: BinaryWriter, m: Any): void {
  switch (m.body.case) {
    case "term":
      { w.uint32(10).fork(); writeKeptTerm(w, m.body.value); w.join(); }
      break;
    case "instance":
      { w.uint32(18).fork(); writeKeptInstance(w, m.body.value); w.join(); }
      break;
    case "forgotten":
      { w.uint32(26).fork(); writeKeptForgotten(w, m.body.value); w.join(); }
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroKeptSpec = (): Any => ({ $typeName: "borg.v1.KeptSpec", generation: 0, spec: { case: undefined } });

const specOfKeptSpec: Record<string, (value: Any) => Any> = { job: makeJobSpec, allocSet: makeAllocSetSpec };

function makeKeptSpec(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.KeptSpec", generation: i.generation ?? 0, spec: i.spec?.case === undefined ? { case: undefined } : { case: i.spec.case, value: specOfKeptSpec[i.spec.case]!(i.spec.value) } };
  return m;
}

function readKeptSpec(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.generation = r.uint32();
        break;
      case 18:
        m.spec = { case: "job", value: readJobSpec((m.spec.case === "job" ? m.spec.value : undefined) ?? zeroJobSpec(), r, r.uint32() + r.pos) };
        break;
      case 26:
        m.spec = { case: "allocSet", value: readAllocSetSpec((m.spec.case === "allocSet" ? m.spec.value : undefined) ?? zeroAllocSetSpec(), r, r.uint32() + r.pos) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeKeptSpec(w: BinaryWriter, m: Any): void {
  if (m.generation !== 0) w.uint32(8).uint32(m.generation);
  switch (m.spec.case) {
    case "job":
      { w.uint32(18).fork(); writeJobSpec(w, m.spec.value); w.join(); }
      break;
    case "allocSet":
      { w.uint32(26).fork(); writeAllocSetSpec(w, m.spec.value); w.join(); }
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroKeptTerm = (): Any => ({ $typeName: "borg.v1.KeptTerm", term: 0, sequence: 0 });

function makeKeptTerm(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.KeptTerm", term: i.term ?? 0, sequence: i.sequence ?? 0 };
  return m;
}

function readKeptTerm(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.term = r.double();
        break;
      case 17:
        m.sequence = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeKeptTerm(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.term, 0)) w.uint32(9).double(m.term);
  if (!Object.is(m.sequence, 0)) w.uint32(17).double(m.sequence);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroKillJobRequest = (): Any => ({ $typeName: "borg.v1.KillJobRequest", requestId: "", job: "" });

function makeKillJobRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.KillJobRequest", requestId: i.requestId ?? "", job: i.job ?? "" };
  return m;
}

function readKillJobRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeKillJobRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.job !== "") w.uint32(18).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroKillTasksRequest = (): Any => ({ $typeName: "borg.v1.KillTasksRequest", requestId: "", framework: "", session: 0, taskIds: [] });

function makeKillTasksRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.KillTasksRequest", requestId: i.requestId ?? "", framework: i.framework ?? "", session: i.session ?? 0, taskIds: i.taskIds ?? [] };
  if (i.noticeMs !== undefined) m.noticeMs = i.noticeMs;
  return m;
}

function readKillTasksRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.framework = r.string(true);
        break;
      case 25:
        m.session = r.double();
        break;
      case 34:
        m.taskIds.push(r.string(true));
        break;
      case 40:
        m.noticeMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeKillTasksRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.framework !== "") w.uint32(18).string(m.framework);
  if (!Object.is(m.session, 0)) w.uint32(25).double(m.session);
  for (const each of m.taskIds) w.uint32(34).string(each);
  if (m.noticeMs !== undefined) w.uint32(40).uint32(m.noticeMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLabel = (): Any => ({ $typeName: "borg.v1.Label", key: "", value: "" });

function makeLabel(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Label", key: i.key ?? "", value: i.value ?? "" };
  return m;
}

function readLabel(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.key = r.string(true);
        break;
      case 18:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLabel(w: BinaryWriter, m: Any): void {
  if (m.key !== "") w.uint32(10).string(m.key);
  if (m.value !== "") w.uint32(18).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLabels = (): Any => ({ $typeName: "borg.v1.Labels", labels: [] });

function makeLabels(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Labels", labels: i.labels?.map(makeLabel) ?? [] };
  return m;
}

function readLabels(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLabels(w: BinaryWriter, m: Any): void {
  for (const each of m.labels) { w.uint32(10).fork(); writeLabel(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLaunch = (): Any => ({ $typeName: "borg.v1.Launch", taskId: "", machine: "", ports: [], durationMs: 0, group: 0, title: "", labels: [], inside: false });

function makeLaunch(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Launch", taskId: i.taskId ?? "", machine: i.machine ?? "", ports: i.ports ?? [], durationMs: i.durationMs ?? 0, group: i.group ?? 0, title: i.title ?? "", labels: i.labels?.map(makeLabel) ?? [], inside: i.inside ?? false };
  if (i.task !== undefined) m.task = makeTaskSpec(i.task);
  return m;
}

function readLaunch(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskId = r.string(true);
        break;
      case 18:
        m.machine = r.string(true);
        break;
      case 26:
        m.task = readTaskSpec(m.task ?? zeroTaskSpec(), r, r.uint32() + r.pos);
        break;
      case 32:
        m.ports.push(r.uint32());
        break;
      case 34:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.ports.push(r.uint32());
        break;
      case 41:
        m.durationMs = r.double();
        break;
      case 48:
        m.group = r.uint32();
        break;
      case 58:
        m.title = r.string(true);
        break;
      case 66:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      case 72:
        m.inside = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLaunch(w: BinaryWriter, m: Any): void {
  if (m.taskId !== "") w.uint32(10).string(m.taskId);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (m.task !== undefined) { w.uint32(26).fork(); writeTaskSpec(w, m.task); w.join(); }
  if (m.ports.length > 0) {
    w.uint32(34).fork();
    for (const each of m.ports) w.uint32(each);
    w.join();
  }
  if (!Object.is(m.durationMs, 0)) w.uint32(41).double(m.durationMs);
  if (m.group !== 0) w.uint32(48).uint32(m.group);
  if (m.title !== "") w.uint32(58).string(m.title);
  for (const each of m.labels) { w.uint32(66).fork(); writeLabel(w, each); w.join(); }
  if (m.inside) w.uint32(72).bool(m.inside);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLaunchTasksRequest = (): Any => ({ $typeName: "borg.v1.LaunchTasksRequest", requestId: "", framework: "", session: 0, launches: [] });

function makeLaunchTasksRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LaunchTasksRequest", requestId: i.requestId ?? "", framework: i.framework ?? "", session: i.session ?? 0, launches: i.launches?.map(makeLaunch) ?? [] };
  return m;
}

function readLaunchTasksRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.framework = r.string(true);
        break;
      case 25:
        m.session = r.double();
        break;
      case 34:
        m.launches.push(readLaunch(zeroLaunch(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLaunchTasksRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.framework !== "") w.uint32(18).string(m.framework);
  if (!Object.is(m.session, 0)) w.uint32(25).double(m.session);
  for (const each of m.launches) { w.uint32(34).fork(); writeLaunch(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLaunchVerdict = (): Any => ({ $typeName: "borg.v1.LaunchVerdict", taskId: "", task: "", instance: "", lost: false, refusal: "" });

function makeLaunchVerdict(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LaunchVerdict", taskId: i.taskId ?? "", task: i.task ?? "", instance: i.instance ?? "", lost: i.lost ?? false, refusal: i.refusal ?? "" };
  return m;
}

function readLaunchVerdict(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskId = r.string(true);
        break;
      case 18:
        m.task = r.string(true);
        break;
      case 26:
        m.instance = r.string(true);
        break;
      case 32:
        m.lost = r.bool();
        break;
      case 42:
        m.refusal = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLaunchVerdict(w: BinaryWriter, m: Any): void {
  if (m.taskId !== "") w.uint32(10).string(m.taskId);
  if (m.task !== "") w.uint32(18).string(m.task);
  if (m.instance !== "") w.uint32(26).string(m.instance);
  if (m.lost) w.uint32(32).bool(m.lost);
  if (m.refusal !== "") w.uint32(42).string(m.refusal);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLaunchedRecord = (): Any => ({ $typeName: "borg.v1.LaunchedRecord", taskId: "", title: "", group: 0, number: 0, updates: [], told: 0 });

function makeLaunchedRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LaunchedRecord", taskId: i.taskId ?? "", title: i.title ?? "", group: i.group ?? 0, number: i.number ?? 0, updates: i.updates?.map(makeStatusRecord) ?? [], told: i.told ?? 0 };
  if (i.spec !== undefined) m.spec = makeJobSpec(i.spec);
  return m;
}

function readLaunchedRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskId = r.string(true);
        break;
      case 18:
        m.spec = readJobSpec(m.spec ?? zeroJobSpec(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.title = r.string(true);
        break;
      case 33:
        m.group = r.double();
        break;
      case 40:
        m.number = r.uint32();
        break;
      case 50:
        m.updates.push(readStatusRecord(zeroStatusRecord(), r, r.uint32() + r.pos));
        break;
      case 56:
        m.told = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLaunchedRecord(w: BinaryWriter, m: Any): void {
  if (m.taskId !== "") w.uint32(10).string(m.taskId);
  if (m.spec !== undefined) { w.uint32(18).fork(); writeJobSpec(w, m.spec); w.join(); }
  if (m.title !== "") w.uint32(26).string(m.title);
  if (!Object.is(m.group, 0)) w.uint32(33).double(m.group);
  if (m.number !== 0) w.uint32(40).uint32(m.number);
  for (const each of m.updates) { w.uint32(50).fork(); writeStatusRecord(w, each); w.join(); }
  if (m.told !== 0) w.uint32(56).int32(m.told);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLaunchedView = (): Any => ({ $typeName: "borg.v1.LaunchedView", task: "", taskId: "", title: "", state: 0, machine: "", waiting: 0, uuid: NONE, ports: [], executor: "", isExecutor: false, sinceMs: 0, over: false });

function makeLaunchedView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LaunchedView", task: i.task ?? "", taskId: i.taskId ?? "", title: i.title ?? "", state: i.state ?? 0, machine: i.machine ?? "", waiting: i.waiting ?? 0, uuid: i.uuid ?? NONE, ports: i.ports ?? [], executor: i.executor ?? "", isExecutor: i.isExecutor ?? false, sinceMs: i.sinceMs ?? 0, over: i.over ?? false };
  if (i.update !== undefined) m.update = makeStatusRecord(i.update);
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  return m;
}

function readLaunchedView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = r.string(true);
        break;
      case 18:
        m.taskId = r.string(true);
        break;
      case 26:
        m.title = r.string(true);
        break;
      case 32:
        m.state = r.int32();
        break;
      case 42:
        m.machine = r.string(true);
        break;
      case 48:
        m.waiting = r.uint32();
        break;
      case 58:
        m.uuid = r.bytes();
        break;
      case 66:
        m.update = readStatusRecord(m.update ?? zeroStatusRecord(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 80:
        m.ports.push(r.uint32());
        break;
      case 82:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.ports.push(r.uint32());
        break;
      case 90:
        m.executor = r.string(true);
        break;
      case 96:
        m.isExecutor = r.bool();
        break;
      case 105:
        m.sinceMs = r.double();
        break;
      case 112:
        m.over = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLaunchedView(w: BinaryWriter, m: Any): void {
  if (m.task !== "") w.uint32(10).string(m.task);
  if (m.taskId !== "") w.uint32(18).string(m.taskId);
  if (m.title !== "") w.uint32(26).string(m.title);
  if (m.state !== 0) w.uint32(32).int32(m.state);
  if (m.machine !== "") w.uint32(42).string(m.machine);
  if (m.waiting !== 0) w.uint32(48).uint32(m.waiting);
  if (m.uuid.length > 0) w.uint32(58).bytes(m.uuid);
  if (m.update !== undefined) { w.uint32(66).fork(); writeStatusRecord(w, m.update); w.join(); }
  if (m.limit !== undefined) { w.uint32(74).fork(); writeResources(w, m.limit); w.join(); }
  if (m.ports.length > 0) {
    w.uint32(82).fork();
    for (const each of m.ports) w.uint32(each);
    w.join();
  }
  if (m.executor !== "") w.uint32(90).string(m.executor);
  if (m.isExecutor) w.uint32(96).bool(m.isExecutor);
  if (!Object.is(m.sinceMs, 0)) w.uint32(105).double(m.sinceMs);
  if (m.over) w.uint32(112).bool(m.over);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLedRecord = (): Any => ({ $typeName: "borg.v1.LedRecord", number: 0, session: 0, sessionMs: 0, disconnectedMs: 0 });

function makeLedRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LedRecord", number: i.number ?? 0, session: i.session ?? 0, sessionMs: i.sessionMs ?? 0, disconnectedMs: i.disconnectedMs ?? 0 };
  return m;
}

function readLedRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.number = r.double();
        break;
      case 17:
        m.session = r.double();
        break;
      case 25:
        m.sessionMs = r.double();
        break;
      case 33:
        m.disconnectedMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLedRecord(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.number, 0)) w.uint32(9).double(m.number);
  if (!Object.is(m.session, 0)) w.uint32(17).double(m.session);
  if (!Object.is(m.sessionMs, 0)) w.uint32(25).double(m.sessionMs);
  if (!Object.is(m.disconnectedMs, 0)) w.uint32(33).double(m.disconnectedMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLineFrame = (): Any => ({ $typeName: "borg.v1.LineFrame", body: { case: undefined } });

const bodyOfLineFrame: Record<string, (value: Any) => Any> = { open: makeLineOpen, passed: makeLinkPassed, ask: makeShardAsk, told: makeShardTold, ops: makeShardOps, usage: makeShardUsage, question: makeBorgletQuestion, answer: makeBorgletAnswer, toExecutor: makeExecutorMessage, ofExecutor: makeExecutorMessage, join: makeJoinQuestion, verdict: makeJoinVerdict, piece: makePieceQuestion, found: makePieceFound, redial: makeRedial };

function makeLineFrame(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LineFrame", body: i.body?.case === undefined ? { case: undefined } : { case: i.body.case, value: bodyOfLineFrame[i.body.case]!(i.body.value) } };
  return m;
}

function readLineFrame(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.body = { case: "open", value: readLineOpen((m.body.case === "open" ? m.body.value : undefined) ?? zeroLineOpen(), r, r.uint32() + r.pos) };
        break;
      case 18:
        m.body = { case: "passed", value: readLinkPassed((m.body.case === "passed" ? m.body.value : undefined) ?? zeroLinkPassed(), r, r.uint32() + r.pos) };
        break;
      case 26:
        m.body = { case: "ask", value: readShardAsk((m.body.case === "ask" ? m.body.value : undefined) ?? zeroShardAsk(), r, r.uint32() + r.pos) };
        break;
      case 34:
        m.body = { case: "told", value: readShardTold((m.body.case === "told" ? m.body.value : undefined) ?? zeroShardTold(), r, r.uint32() + r.pos) };
        break;
      case 42:
        m.body = { case: "ops", value: readShardOps((m.body.case === "ops" ? m.body.value : undefined) ?? zeroShardOps(), r, r.uint32() + r.pos) };
        break;
      case 50:
        m.body = { case: "usage", value: readShardUsage((m.body.case === "usage" ? m.body.value : undefined) ?? zeroShardUsage(), r, r.uint32() + r.pos) };
        break;
      case 58:
        m.body = { case: "question", value: readBorgletQuestion((m.body.case === "question" ? m.body.value : undefined) ?? zeroBorgletQuestion(), r, r.uint32() + r.pos) };
        break;
      case 66:
        m.body = { case: "answer", value: readBorgletAnswer((m.body.case === "answer" ? m.body.value : undefined) ?? zeroBorgletAnswer(), r, r.uint32() + r.pos) };
        break;
      case 74:
        m.body = { case: "toExecutor", value: readExecutorMessage((m.body.case === "toExecutor" ? m.body.value : undefined) ?? zeroExecutorMessage(), r, r.uint32() + r.pos) };
        break;
      case 82:
        m.body = { case: "ofExecutor", value: readExecutorMessage((m.body.case === "ofExecutor" ? m.body.value : undefined) ?? zeroExecutorMessage(), r, r.uint32() + r.pos) };
        break;
      case 90:
        m.body = { case: "join", value: readJoinQuestion((m.body.case === "join" ? m.body.value : undefined) ?? zeroJoinQuestion(), r, r.uint32() + r.pos) };
        break;
      case 98:
        m.body = { case: "verdict", value: readJoinVerdict((m.body.case === "verdict" ? m.body.value : undefined) ?? zeroJoinVerdict(), r, r.uint32() + r.pos) };
        break;
      case 106:
        m.body = { case: "piece", value: readPieceQuestion((m.body.case === "piece" ? m.body.value : undefined) ?? zeroPieceQuestion(), r, r.uint32() + r.pos) };
        break;
      case 114:
        m.body = { case: "found", value: readPieceFound((m.body.case === "found" ? m.body.value : undefined) ?? zeroPieceFound(), r, r.uint32() + r.pos) };
        break;
      case 122:
        m.body = { case: "redial", value: readRedial((m.body.case === "redial" ? m.body.value : undefined) ?? zeroRedial(), r, r.uint32() + r.pos) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLineFrame(w: BinaryWriter, m: Any): void {
  switch (m.body.case) {
    case "open":
      { w.uint32(10).fork(); writeLineOpen(w, m.body.value); w.join(); }
      break;
    case "passed":
      { w.uint32(18).fork(); writeLinkPassed(w, m.body.value); w.join(); }
      break;
    case "ask":
      { w.uint32(26).fork(); writeShardAsk(w, m.body.value); w.join(); }
      break;
    case "told":
      { w.uint32(34).fork(); writeShardTold(w, m.body.value); w.join(); }
      break;
    case "ops":
      { w.uint32(42).fork(); writeShardOps(w, m.body.value); w.join(); }
      break;
    case "usage":
      { w.uint32(50).fork(); writeShardUsage(w, m.body.value); w.join(); }
      break;
    case "question":
      { w.uint32(58).fork(); writeBorgletQuestion(w, m.body.value); w.join(); }
      break;
    case "answer":
      { w.uint32(66).fork(); writeBorgletAnswer(w, m.body.value); w.join(); }
      break;
    case "toExecutor":
      { w.uint32(74).fork(); writeExecutorMessage(w, m.body.value); w.join(); }
      break;
    case "ofExecutor":
      { w.uint32(82).fork(); writeExecutorMessage(w, m.body.value); w.join(); }
      break;
    case "join":
      { w.uint32(90).fork(); writeJoinQuestion(w, m.body.value); w.join(); }
      break;
    case "verdict":
      { w.uint32(98).fork(); writeJoinVerdict(w, m.body.value); w.join(); }
      break;
    case "piece":
      { w.uint32(106).fork(); writePieceQuestion(w, m.body.value); w.join(); }
      break;
    case "found":
      { w.uint32(114).fork(); writePieceFound(w, m.body.value); w.join(); }
      break;
    case "redial":
      { w.uint32(122).fork(); writeRedial(w, m.body.value); w.join(); }
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLineOpen = (): Any => ({ $typeName: "borg.v1.LineOpen", replica: "" });

function makeLineOpen(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LineOpen", replica: i.replica ?? "" };
  return m;
}

function readLineOpen(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.replica = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLineOpen(w: BinaryWriter, m: Any): void {
  if (m.replica !== "") w.uint32(10).string(m.replica);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkChallenge = (): Any => ({ $typeName: "borg.v1.LinkChallenge", nonce: NONE });

function makeLinkChallenge(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkChallenge", nonce: i.nonce ?? NONE };
  return m;
}

function readLinkChallenge(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.nonce = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkChallenge(w: BinaryWriter, m: Any): void {
  if (m.nonce.length > 0) w.uint32(10).bytes(m.nonce);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkClosed = (): Any => ({ $typeName: "borg.v1.LinkClosed", reason: "" });

function makeLinkClosed(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkClosed", reason: i.reason ?? "" };
  return m;
}

function readLinkClosed(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.reason = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkClosed(w: BinaryWriter, m: Any): void {
  if (m.reason !== "") w.uint32(10).string(m.reason);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkFrame = (): Any => ({ $typeName: "borg.v1.LinkFrame", body: { case: undefined } });

const bodyOfLinkFrame: Record<string, (value: Any) => Any> = { open: makeLinkOpen, opened: makeLinkOpened, hello: makeHello, poll: makePoll, report: makeReport, logRequest: makeLogRequest, logChunk: makeLogChunk, closed: makeLinkClosed, challenge: makeLinkChallenge, join: makeLinkJoin, joined: makeLinkJoined, waiting: makeLinkWaiting, packageRequest: makePackageRequest, packageChunk: makePackageChunk, fileRequest: makeFileRequest, fileChunk: makeFileChunk, packageSource: makePackageSource, packageGrant: makePackageGrant, packageGranted: makePackageGranted, peerRequest: makePeerRequest, secretRequest: makeSecretRequest, secretValues: makeSecretValues, shellRequest: makeShellRequest, shellChunk: makeShellChunk, executorMessage: makeExecutorMessage, usageRequest: makeUsageRequest, usageChunk: makeUsageChunk };

function makeLinkFrame(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkFrame", body: i.body?.case === undefined ? { case: undefined } : { case: i.body.case, value: bodyOfLinkFrame[i.body.case]!(i.body.value) } };
  return m;
}

function readLinkFrame(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.body = { case: "open", value: readLinkOpen((m.body.case === "open" ? m.body.value : undefined) ?? zeroLinkOpen(), r, r.uint32() + r.pos) };
        break;
      case 18:
        m.body = { case: "opened", value: readLinkOpened((m.body.case === "opened" ? m.body.value : undefined) ?? zeroLinkOpened(), r, r.uint32() + r.pos) };
        break;
      case 26:
        m.body = { case: "hello", value: readHello((m.body.case === "hello" ? m.body.value : undefined) ?? zeroHello(), r, r.uint32() + r.pos) };
        break;
      case 34:
        m.body = { case: "poll", value: readPoll((m.body.case === "poll" ? m.body.value : undefined) ?? zeroPoll(), r, r.uint32() + r.pos) };
        break;
      case 42:
        m.body = { case: "report", value: readReport((m.body.case === "report" ? m.body.value : undefined) ?? zeroReport(), r, r.uint32() + r.pos) };
        break;
      case 50:
        m.body = { case: "logRequest", value: readLogRequest((m.body.case === "logRequest" ? m.body.value : undefined) ?? zeroLogRequest(), r, r.uint32() + r.pos) };
        break;
      case 58:
        m.body = { case: "logChunk", value: readLogChunk((m.body.case === "logChunk" ? m.body.value : undefined) ?? zeroLogChunk(), r, r.uint32() + r.pos) };
        break;
      case 66:
        m.body = { case: "closed", value: readLinkClosed((m.body.case === "closed" ? m.body.value : undefined) ?? zeroLinkClosed(), r, r.uint32() + r.pos) };
        break;
      case 74:
        m.body = { case: "challenge", value: readLinkChallenge((m.body.case === "challenge" ? m.body.value : undefined) ?? zeroLinkChallenge(), r, r.uint32() + r.pos) };
        break;
      case 82:
        m.body = { case: "join", value: readLinkJoin((m.body.case === "join" ? m.body.value : undefined) ?? zeroLinkJoin(), r, r.uint32() + r.pos) };
        break;
      case 90:
        m.body = { case: "joined", value: readLinkJoined((m.body.case === "joined" ? m.body.value : undefined) ?? zeroLinkJoined(), r, r.uint32() + r.pos) };
        break;
      case 98:
        m.body = { case: "waiting", value: readLinkWaiting((m.body.case === "waiting" ? m.body.value : undefined) ?? zeroLinkWaiting(), r, r.uint32() + r.pos) };
        break;
      case 106:
        m.body = { case: "packageRequest", value: readPackageRequest((m.body.case === "packageRequest" ? m.body.value : undefined) ?? zeroPackageRequest(), r, r.uint32() + r.pos) };
        break;
      case 114:
        m.body = { case: "packageChunk", value: readPackageChunk((m.body.case === "packageChunk" ? m.body.value : undefined) ?? zeroPackageChunk(), r, r.uint32() + r.pos) };
        break;
      case 122:
        m.body = { case: "fileRequest", value: readFileRequest((m.body.case === "fileRequest" ? m.body.value : undefined) ?? zeroFileRequest(), r, r.uint32() + r.pos) };
        break;
      case 130:
        m.body = { case: "fileChunk", value: readFileChunk((m.body.case === "fileChunk" ? m.body.value : undefined) ?? zeroFileChunk(), r, r.uint32() + r.pos) };
        break;
      case 162:
        m.body = { case: "packageSource", value: readPackageSource((m.body.case === "packageSource" ? m.body.value : undefined) ?? zeroPackageSource(), r, r.uint32() + r.pos) };
        break;
      case 170:
        m.body = { case: "packageGrant", value: readPackageGrant((m.body.case === "packageGrant" ? m.body.value : undefined) ?? zeroPackageGrant(), r, r.uint32() + r.pos) };
        break;
      case 178:
        m.body = { case: "packageGranted", value: readPackageGranted((m.body.case === "packageGranted" ? m.body.value : undefined) ?? zeroPackageGranted(), r, r.uint32() + r.pos) };
        break;
      case 186:
        m.body = { case: "peerRequest", value: readPeerRequest((m.body.case === "peerRequest" ? m.body.value : undefined) ?? zeroPeerRequest(), r, r.uint32() + r.pos) };
        break;
      case 194:
        m.body = { case: "secretRequest", value: readSecretRequest((m.body.case === "secretRequest" ? m.body.value : undefined) ?? zeroSecretRequest(), r, r.uint32() + r.pos) };
        break;
      case 202:
        m.body = { case: "secretValues", value: readSecretValues((m.body.case === "secretValues" ? m.body.value : undefined) ?? zeroSecretValues(), r, r.uint32() + r.pos) };
        break;
      case 242:
        m.body = { case: "shellRequest", value: readShellRequest((m.body.case === "shellRequest" ? m.body.value : undefined) ?? zeroShellRequest(), r, r.uint32() + r.pos) };
        break;
      case 250:
        m.body = { case: "shellChunk", value: readShellChunk((m.body.case === "shellChunk" ? m.body.value : undefined) ?? zeroShellChunk(), r, r.uint32() + r.pos) };
        break;
      case 258:
        m.body = { case: "executorMessage", value: readExecutorMessage((m.body.case === "executorMessage" ? m.body.value : undefined) ?? zeroExecutorMessage(), r, r.uint32() + r.pos) };
        break;
      case 322:
        m.body = { case: "usageRequest", value: readUsageRequest((m.body.case === "usageRequest" ? m.body.value : undefined) ?? zeroUsageRequest(), r, r.uint32() + r.pos) };
        break;
      case 330:
        m.body = { case: "usageChunk", value: readUsageChunk((m.body.case === "usageChunk" ? m.body.value : undefined) ?? zeroUsageChunk(), r, r.uint32() + r.pos) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkFrame(w: BinaryWriter, m: Any): void {
  switch (m.body.case) {
    case "open":
      { w.uint32(10).fork(); writeLinkOpen(w, m.body.value); w.join(); }
      break;
    case "opened":
      { w.uint32(18).fork(); writeLinkOpened(w, m.body.value); w.join(); }
      break;
    case "hello":
      { w.uint32(26).fork(); writeHello(w, m.body.value); w.join(); }
      break;
    case "poll":
      { w.uint32(34).fork(); writePoll(w, m.body.value); w.join(); }
      break;
    case "report":
      { w.uint32(42).fork(); writeReport(w, m.body.value); w.join(); }
      break;
    case "logRequest":
      { w.uint32(50).fork(); writeLogRequest(w, m.body.value); w.join(); }
      break;
    case "logChunk":
      { w.uint32(58).fork(); writeLogChunk(w, m.body.value); w.join(); }
      break;
    case "closed":
      { w.uint32(66).fork(); writeLinkClosed(w, m.body.value); w.join(); }
      break;
    case "challenge":
      { w.uint32(74).fork(); writeLinkChallenge(w, m.body.value); w.join(); }
      break;
    case "join":
      { w.uint32(82).fork(); writeLinkJoin(w, m.body.value); w.join(); }
      break;
    case "joined":
      { w.uint32(90).fork(); writeLinkJoined(w, m.body.value); w.join(); }
      break;
    case "waiting":
      { w.uint32(98).fork(); writeLinkWaiting(w, m.body.value); w.join(); }
      break;
    case "packageRequest":
      { w.uint32(106).fork(); writePackageRequest(w, m.body.value); w.join(); }
      break;
    case "packageChunk":
      { w.uint32(114).fork(); writePackageChunk(w, m.body.value); w.join(); }
      break;
    case "fileRequest":
      { w.uint32(122).fork(); writeFileRequest(w, m.body.value); w.join(); }
      break;
    case "fileChunk":
      { w.uint32(130).fork(); writeFileChunk(w, m.body.value); w.join(); }
      break;
    case "packageSource":
      { w.uint32(162).fork(); writePackageSource(w, m.body.value); w.join(); }
      break;
    case "packageGrant":
      { w.uint32(170).fork(); writePackageGrant(w, m.body.value); w.join(); }
      break;
    case "packageGranted":
      { w.uint32(178).fork(); writePackageGranted(w, m.body.value); w.join(); }
      break;
    case "peerRequest":
      { w.uint32(186).fork(); writePeerRequest(w, m.body.value); w.join(); }
      break;
    case "secretRequest":
      { w.uint32(194).fork(); writeSecretRequest(w, m.body.value); w.join(); }
      break;
    case "secretValues":
      { w.uint32(202).fork(); writeSecretValues(w, m.body.value); w.join(); }
      break;
    case "shellRequest":
      { w.uint32(242).fork(); writeShellRequest(w, m.body.value); w.join(); }
      break;
    case "shellChunk":
      { w.uint32(250).fork(); writeShellChunk(w, m.body.value); w.join(); }
      break;
    case "executorMessage":
      { w.uint32(258).fork(); writeExecutorMessage(w, m.body.value); w.join(); }
      break;
    case "usageRequest":
      { w.uint32(322).fork(); writeUsageRequest(w, m.body.value); w.join(); }
      break;
    case "usageChunk":
      { w.uint32(330).fork(); writeUsageChunk(w, m.body.value); w.join(); }
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkJoin = (): Any => ({ $typeName: "borg.v1.LinkJoin", protocol: 0, machine: "", request: NONE, token: "" });

function makeLinkJoin(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkJoin", protocol: i.protocol ?? 0, machine: i.machine ?? "", request: i.request ?? NONE, token: i.token ?? "" };
  if (i.capacity !== undefined) m.capacity = makeResources(i.capacity);
  return m;
}

function readLinkJoin(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.protocol = r.uint32();
        break;
      case 18:
        m.machine = r.string(true);
        break;
      case 26:
        m.request = r.bytes();
        break;
      case 34:
        m.token = r.string(true);
        break;
      case 42:
        m.capacity = readResources(m.capacity ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkJoin(w: BinaryWriter, m: Any): void {
  if (m.protocol !== 0) w.uint32(8).uint32(m.protocol);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (m.request.length > 0) w.uint32(26).bytes(m.request);
  if (m.token !== "") w.uint32(34).string(m.token);
  if (m.capacity !== undefined) { w.uint32(42).fork(); writeResources(w, m.capacity); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkJoined = (): Any => ({ $typeName: "borg.v1.LinkJoined", certificate: NONE, authorities: [] });

function makeLinkJoined(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkJoined", certificate: i.certificate ?? NONE, authorities: i.authorities ?? [] };
  return m;
}

function readLinkJoined(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.certificate = r.bytes();
        break;
      case 18:
        m.authorities.push(r.bytes());
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkJoined(w: BinaryWriter, m: Any): void {
  if (m.certificate.length > 0) w.uint32(10).bytes(m.certificate);
  for (const each of m.authorities) w.uint32(18).bytes(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkLife = (): Any => ({ $typeName: "borg.v1.LinkLife", replica: "", life: "" });

function makeLinkLife(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkLife", replica: i.replica ?? "", life: i.life ?? "" };
  return m;
}

function readLinkLife(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.replica = r.string(true);
        break;
      case 18:
        m.life = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkLife(w: BinaryWriter, m: Any): void {
  if (m.replica !== "") w.uint32(10).string(m.replica);
  if (m.life !== "") w.uint32(18).string(m.life);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkOpen = (): Any => ({ $typeName: "borg.v1.LinkOpen", protocol: 0, machine: "", certificate: NONE, signature: NONE });

function makeLinkOpen(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkOpen", protocol: i.protocol ?? 0, machine: i.machine ?? "", certificate: i.certificate ?? NONE, signature: i.signature ?? NONE };
  return m;
}

function readLinkOpen(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.protocol = r.uint32();
        break;
      case 18:
        m.machine = r.string(true);
        break;
      case 34:
        m.certificate = r.bytes();
        break;
      case 42:
        m.signature = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkOpen(w: BinaryWriter, m: Any): void {
  if (m.protocol !== 0) w.uint32(8).uint32(m.protocol);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (m.certificate.length > 0) w.uint32(34).bytes(m.certificate);
  if (m.signature.length > 0) w.uint32(42).bytes(m.signature);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkOpened = (): Any => ({ $typeName: "borg.v1.LinkOpened", cell: "" });

function makeLinkOpened(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkOpened", cell: i.cell ?? "" };
  if (i.approved !== undefined) m.approved = makeResources(i.approved);
  return m;
}

function readLinkOpened(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.cell = r.string(true);
        break;
      case 18:
        m.approved = readResources(m.approved ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkOpened(w: BinaryWriter, m: Any): void {
  if (m.cell !== "") w.uint32(10).string(m.cell);
  if (m.approved !== undefined) { w.uint32(18).fork(); writeResources(w, m.approved); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkPartition = (): Any => ({ $typeName: "borg.v1.LinkPartition", term: 0, epoch: 0, shards: [] });

function makeLinkPartition(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkPartition", term: i.term ?? 0, epoch: i.epoch ?? 0, shards: i.shards?.map(makeLinkLife) ?? [] };
  return m;
}

function readLinkPartition(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.term = r.double();
        break;
      case 16:
        m.epoch = r.uint32();
        break;
      case 26:
        m.shards.push(readLinkLife(zeroLinkLife(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkPartition(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.term, 0)) w.uint32(9).double(m.term);
  if (m.epoch !== 0) w.uint32(16).uint32(m.epoch);
  for (const each of m.shards) { w.uint32(26).fork(); writeLinkLife(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkPassed = (): Any => ({ $typeName: "borg.v1.LinkPassed", machine: "", key: "", former: false });

function makeLinkPassed(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkPassed", machine: i.machine ?? "", key: i.key ?? "", former: i.former ?? false };
  if (i.approved !== undefined) m.approved = makeResources(i.approved);
  return m;
}

function readLinkPassed(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.key = r.string(true);
        break;
      case 24:
        m.former = r.bool();
        break;
      case 34:
        m.approved = readResources(m.approved ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkPassed(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.key !== "") w.uint32(18).string(m.key);
  if (m.former) w.uint32(24).bool(m.former);
  if (m.approved !== undefined) { w.uint32(34).fork(); writeResources(w, m.approved); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLinkWaiting = (): Any => ({ $typeName: "borg.v1.LinkWaiting", key: "" });

function makeLinkWaiting(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LinkWaiting", key: i.key ?? "" };
  return m;
}

function readLinkWaiting(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.key = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLinkWaiting(w: BinaryWriter, m: Any): void {
  if (m.key !== "") w.uint32(10).string(m.key);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListFrameworksRequest = (): Any => ({ $typeName: "borg.v1.ListFrameworksRequest", user: "", dead: false, after: "", limit: 0 });

function makeListFrameworksRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListFrameworksRequest", user: i.user ?? "", dead: i.dead ?? false, after: i.after ?? "", limit: i.limit ?? 0 };
  return m;
}

function readListFrameworksRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 16:
        m.dead = r.bool();
        break;
      case 26:
        m.after = r.string(true);
        break;
      case 32:
        m.limit = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListFrameworksRequest(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.dead) w.uint32(16).bool(m.dead);
  if (m.after !== "") w.uint32(26).string(m.after);
  if (m.limit !== 0) w.uint32(32).uint32(m.limit);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListFrameworksResponse = (): Any => ({ $typeName: "borg.v1.ListFrameworksResponse", frameworks: [], more: false });

function makeListFrameworksResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListFrameworksResponse", frameworks: i.frameworks?.map(makeFrameworkView) ?? [], more: i.more ?? false };
  return m;
}

function readListFrameworksResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.frameworks.push(readFrameworkView(zeroFrameworkView(), r, r.uint32() + r.pos));
        break;
      case 16:
        m.more = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListFrameworksResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.frameworks) { w.uint32(10).fork(); writeFrameworkView(w, each); w.join(); }
  if (m.more) w.uint32(16).bool(m.more);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListJobsRequest = (): Any => ({ $typeName: "borg.v1.ListJobsRequest", user: "", dead: false, after: "", limit: 0, selector: "" });

function makeListJobsRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListJobsRequest", user: i.user ?? "", dead: i.dead ?? false, after: i.after ?? "", limit: i.limit ?? 0, selector: i.selector ?? "" };
  return m;
}

function readListJobsRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 16:
        m.dead = r.bool();
        break;
      case 26:
        m.after = r.string(true);
        break;
      case 32:
        m.limit = r.uint32();
        break;
      case 42:
        m.selector = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListJobsRequest(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.dead) w.uint32(16).bool(m.dead);
  if (m.after !== "") w.uint32(26).string(m.after);
  if (m.limit !== 0) w.uint32(32).uint32(m.limit);
  if (m.selector !== "") w.uint32(42).string(m.selector);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListJobsResponse = (): Any => ({ $typeName: "borg.v1.ListJobsResponse", jobs: [], more: false });

function makeListJobsResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListJobsResponse", jobs: i.jobs?.map(makeJobView) ?? [], more: i.more ?? false };
  return m;
}

function readListJobsResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.jobs.push(readJobView(zeroJobView(), r, r.uint32() + r.pos));
        break;
      case 16:
        m.more = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListJobsResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.jobs) { w.uint32(10).fork(); writeJobView(w, each); w.join(); }
  if (m.more) w.uint32(16).bool(m.more);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListJoinsRequest = (): Any => ({ $typeName: "borg.v1.ListJoinsRequest" });

function makeListJoinsRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListJoinsRequest" };
  return m;
}

function readListJoinsRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListJoinsRequest(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListJoinsResponse = (): Any => ({ $typeName: "borg.v1.ListJoinsResponse", requests: [], invitations: [] });

function makeListJoinsResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListJoinsResponse", requests: i.requests?.map(makeJoinRequest) ?? [], invitations: i.invitations?.map(makeInvitationView) ?? [] };
  return m;
}

function readListJoinsResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requests.push(readJoinRequest(zeroJoinRequest(), r, r.uint32() + r.pos));
        break;
      case 18:
        m.invitations.push(readInvitationView(zeroInvitationView(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListJoinsResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.requests) { w.uint32(10).fork(); writeJoinRequest(w, each); w.join(); }
  for (const each of m.invitations) { w.uint32(18).fork(); writeInvitationView(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListMachinesRequest = (): Any => ({ $typeName: "borg.v1.ListMachinesRequest", after: "", limit: 0, selector: "" });

function makeListMachinesRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListMachinesRequest", after: i.after ?? "", limit: i.limit ?? 0, selector: i.selector ?? "" };
  return m;
}

function readListMachinesRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.after = r.string(true);
        break;
      case 16:
        m.limit = r.uint32();
        break;
      case 26:
        m.selector = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListMachinesRequest(w: BinaryWriter, m: Any): void {
  if (m.after !== "") w.uint32(10).string(m.after);
  if (m.limit !== 0) w.uint32(16).uint32(m.limit);
  if (m.selector !== "") w.uint32(26).string(m.selector);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListMachinesResponse = (): Any => ({ $typeName: "borg.v1.ListMachinesResponse", machines: [], more: false });

function makeListMachinesResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListMachinesResponse", machines: i.machines?.map(makeMachineView) ?? [], more: i.more ?? false };
  return m;
}

function readListMachinesResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machines.push(readMachineView(zeroMachineView(), r, r.uint32() + r.pos));
        break;
      case 16:
        m.more = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListMachinesResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.machines) { w.uint32(10).fork(); writeMachineView(w, each); w.join(); }
  if (m.more) w.uint32(16).bool(m.more);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListPackagesRequest = (): Any => ({ $typeName: "borg.v1.ListPackagesRequest", user: "", selector: "" });

function makeListPackagesRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListPackagesRequest", user: i.user ?? "", selector: i.selector ?? "" };
  return m;
}

function readListPackagesRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.selector = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListPackagesRequest(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.selector !== "") w.uint32(18).string(m.selector);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListPackagesResponse = (): Any => ({ $typeName: "borg.v1.ListPackagesResponse", packages: [] });

function makeListPackagesResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListPackagesResponse", packages: i.packages?.map(makePackageView) ?? [] };
  return m;
}

function readListPackagesResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.packages.push(readPackageView(zeroPackageView(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListPackagesResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.packages) { w.uint32(10).fork(); writePackageView(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListQuotaRequest = (): Any => ({ $typeName: "borg.v1.ListQuotaRequest", user: "" });

function makeListQuotaRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListQuotaRequest", user: i.user ?? "" };
  return m;
}

function readListQuotaRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListQuotaRequest(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListQuotaResponse = (): Any => ({ $typeName: "borg.v1.ListQuotaResponse", quotas: [] });

function makeListQuotaResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListQuotaResponse", quotas: i.quotas?.map(makeQuotaView) ?? [] };
  return m;
}

function readListQuotaResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.quotas.push(readQuotaView(zeroQuotaView(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListQuotaResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.quotas) { w.uint32(10).fork(); writeQuotaView(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListRolesRequest = (): Any => ({ $typeName: "borg.v1.ListRolesRequest" });

function makeListRolesRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListRolesRequest" };
  return m;
}

function readListRolesRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListRolesRequest(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListRolesResponse = (): Any => ({ $typeName: "borg.v1.ListRolesResponse", roles: [] });

function makeListRolesResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListRolesResponse", roles: i.roles?.map(makeRoleView) ?? [] };
  return m;
}

function readListRolesResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.roles.push(readRoleView(zeroRoleView(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListRolesResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.roles) { w.uint32(10).fork(); writeRoleView(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListSchedulersRequest = (): Any => ({ $typeName: "borg.v1.ListSchedulersRequest" });

function makeListSchedulersRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListSchedulersRequest" };
  return m;
}

function readListSchedulersRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListSchedulersRequest(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListSchedulersResponse = (): Any => ({ $typeName: "borg.v1.ListSchedulersResponse", schedulers: [] });

function makeListSchedulersResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListSchedulersResponse", schedulers: i.schedulers?.map(makeSchedulerView) ?? [] };
  return m;
}

function readListSchedulersResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.schedulers.push(readSchedulerView(zeroSchedulerView(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListSchedulersResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.schedulers) { w.uint32(10).fork(); writeSchedulerView(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListSecretsRequest = (): Any => ({ $typeName: "borg.v1.ListSecretsRequest", user: "", selector: "" });

function makeListSecretsRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListSecretsRequest", user: i.user ?? "", selector: i.selector ?? "" };
  return m;
}

function readListSecretsRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.selector = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListSecretsRequest(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.selector !== "") w.uint32(18).string(m.selector);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListSecretsResponse = (): Any => ({ $typeName: "borg.v1.ListSecretsResponse", secrets: [] });

function makeListSecretsResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListSecretsResponse", secrets: i.secrets?.map(makeSecretView) ?? [] };
  return m;
}

function readListSecretsResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.secrets.push(readSecretView(zeroSecretView(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListSecretsResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.secrets) { w.uint32(10).fork(); writeSecretView(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListTasksRequest = (): Any => ({ $typeName: "borg.v1.ListTasksRequest", user: "", job: "", machine: "", states: [], after: "", limit: 0, selector: "" });

function makeListTasksRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListTasksRequest", user: i.user ?? "", job: i.job ?? "", machine: i.machine ?? "", states: i.states ?? [], after: i.after ?? "", limit: i.limit ?? 0, selector: i.selector ?? "" };
  return m;
}

function readListTasksRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.job = r.string(true);
        break;
      case 26:
        m.machine = r.string(true);
        break;
      case 34:
        m.states.push(r.string(true));
        break;
      case 42:
        m.after = r.string(true);
        break;
      case 48:
        m.limit = r.uint32();
        break;
      case 58:
        m.selector = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListTasksRequest(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.job !== "") w.uint32(18).string(m.job);
  if (m.machine !== "") w.uint32(26).string(m.machine);
  for (const each of m.states) w.uint32(34).string(each);
  if (m.after !== "") w.uint32(42).string(m.after);
  if (m.limit !== 0) w.uint32(48).uint32(m.limit);
  if (m.selector !== "") w.uint32(58).string(m.selector);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListTasksResponse = (): Any => ({ $typeName: "borg.v1.ListTasksResponse", tasks: [], more: false });

function makeListTasksResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListTasksResponse", tasks: i.tasks?.map(makeTaskView) ?? [], more: i.more ?? false };
  return m;
}

function readListTasksResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.tasks.push(readTaskView(zeroTaskView(), r, r.uint32() + r.pos));
        break;
      case 16:
        m.more = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListTasksResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.tasks) { w.uint32(10).fork(); writeTaskView(w, each); w.join(); }
  if (m.more) w.uint32(16).bool(m.more);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListTokensRequest = (): Any => ({ $typeName: "borg.v1.ListTokensRequest", user: "" });

function makeListTokensRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListTokensRequest", user: i.user ?? "" };
  return m;
}

function readListTokensRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListTokensRequest(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListTokensResponse = (): Any => ({ $typeName: "borg.v1.ListTokensResponse", tokens: [] });

function makeListTokensResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListTokensResponse", tokens: i.tokens?.map(makeTokenView) ?? [] };
  return m;
}

function readListTokensResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.tokens.push(readTokenView(zeroTokenView(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListTokensResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.tokens) { w.uint32(10).fork(); writeTokenView(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListUsersRequest = (): Any => ({ $typeName: "borg.v1.ListUsersRequest", selector: "" });

function makeListUsersRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListUsersRequest", selector: i.selector ?? "" };
  return m;
}

function readListUsersRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.selector = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListUsersRequest(w: BinaryWriter, m: Any): void {
  if (m.selector !== "") w.uint32(10).string(m.selector);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroListUsersResponse = (): Any => ({ $typeName: "borg.v1.ListUsersResponse", users: [] });

function makeListUsersResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ListUsersResponse", users: i.users?.map(makeUserView) ?? [] };
  return m;
}

function readListUsersResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.users.push(readUserView(zeroUserView(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeListUsersResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.users) { w.uint32(10).fork(); writeUserView(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLogChunk = (): Any => ({ $typeName: "borg.v1.LogChunk", id: 0, unknown: false, offset: 0, data: NONE, ended: false, problem: "", marks: [], timed: false });

function makeLogChunk(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LogChunk", id: i.id ?? 0, unknown: i.unknown ?? false, offset: i.offset ?? 0, data: i.data ?? NONE, ended: i.ended ?? false, problem: i.problem ?? "", marks: i.marks?.map(makeLogMark) ?? [], timed: i.timed ?? false };
  return m;
}

function readLogChunk(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.id = r.double();
        break;
      case 16:
        m.unknown = r.bool();
        break;
      case 25:
        m.offset = r.double();
        break;
      case 34:
        m.data = r.bytes();
        break;
      case 40:
        m.ended = r.bool();
        break;
      case 50:
        m.problem = r.string(true);
        break;
      case 58:
        m.marks.push(readLogMark(zeroLogMark(), r, r.uint32() + r.pos));
        break;
      case 64:
        m.timed = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLogChunk(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.id, 0)) w.uint32(9).double(m.id);
  if (m.unknown) w.uint32(16).bool(m.unknown);
  if (!Object.is(m.offset, 0)) w.uint32(25).double(m.offset);
  if (m.data.length > 0) w.uint32(34).bytes(m.data);
  if (m.ended) w.uint32(40).bool(m.ended);
  if (m.problem !== "") w.uint32(50).string(m.problem);
  for (const each of m.marks) { w.uint32(58).fork(); writeLogMark(w, each); w.join(); }
  if (m.timed) w.uint32(64).bool(m.timed);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLogMark = (): Any => ({ $typeName: "borg.v1.LogMark", offset: 0, fromMs: 0, toMs: 0 });

function makeLogMark(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LogMark", offset: i.offset ?? 0, fromMs: i.fromMs ?? 0, toMs: i.toMs ?? 0 };
  return m;
}

function readLogMark(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.offset = r.double();
        break;
      case 17:
        m.fromMs = r.double();
        break;
      case 25:
        m.toMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLogMark(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.offset, 0)) w.uint32(9).double(m.offset);
  if (!Object.is(m.fromMs, 0)) w.uint32(17).double(m.fromMs);
  if (!Object.is(m.toMs, 0)) w.uint32(25).double(m.toMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroLogRequest = (): Any => ({ $typeName: "borg.v1.LogRequest", id: 0, instance: "", stream: 0, offset: 0, fromEnd: false, bytesMax: 0, waitMs: 0, sinceMs: 0, times: false });

function makeLogRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.LogRequest", id: i.id ?? 0, instance: i.instance ?? "", stream: i.stream ?? 0, offset: i.offset ?? 0, fromEnd: i.fromEnd ?? false, bytesMax: i.bytesMax ?? 0, waitMs: i.waitMs ?? 0, sinceMs: i.sinceMs ?? 0, times: i.times ?? false };
  return m;
}

function readLogRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.id = r.double();
        break;
      case 18:
        m.instance = r.string(true);
        break;
      case 24:
        m.stream = r.int32();
        break;
      case 33:
        m.offset = r.double();
        break;
      case 40:
        m.fromEnd = r.bool();
        break;
      case 48:
        m.bytesMax = r.uint32();
        break;
      case 56:
        m.waitMs = r.uint32();
        break;
      case 65:
        m.sinceMs = r.double();
        break;
      case 72:
        m.times = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeLogRequest(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.id, 0)) w.uint32(9).double(m.id);
  if (m.instance !== "") w.uint32(18).string(m.instance);
  if (m.stream !== 0) w.uint32(24).int32(m.stream);
  if (!Object.is(m.offset, 0)) w.uint32(33).double(m.offset);
  if (m.fromEnd) w.uint32(40).bool(m.fromEnd);
  if (m.bytesMax !== 0) w.uint32(48).uint32(m.bytesMax);
  if (m.waitMs !== 0) w.uint32(56).uint32(m.waitMs);
  if (!Object.is(m.sinceMs, 0)) w.uint32(65).double(m.sinceMs);
  if (m.times) w.uint32(72).bool(m.times);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineApprove = (): Any => ({ $typeName: "borg.v1.MachineApprove", machine: "", tokenHash: "", untilMs: 0 });

function makeMachineApprove(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineApprove", machine: i.machine ?? "", tokenHash: i.tokenHash ?? "", untilMs: i.untilMs ?? 0 };
  if (i.approval !== undefined) m.approval = makeApproval(i.approval);
  return m;
}

function readMachineApprove(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.approval = readApproval(m.approval ?? zeroApproval(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.tokenHash = r.string(true);
        break;
      case 33:
        m.untilMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineApprove(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.approval !== undefined) { w.uint32(18).fork(); writeApproval(w, m.approval); w.join(); }
  if (m.tokenHash !== "") w.uint32(26).string(m.tokenHash);
  if (!Object.is(m.untilMs, 0)) w.uint32(33).double(m.untilMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineDetail = (): Any => ({ $typeName: "borg.v1.MachineDetail", tasks: [], history: [], moments: [] });

function makeMachineDetail(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineDetail", tasks: i.tasks?.map(makeTaskView) ?? [], history: i.history?.map(makeEventView) ?? [], moments: i.moments?.map(makeMachineMoment) ?? [] };
  if (i.machine !== undefined) m.machine = makeMachineView(i.machine);
  return m;
}

function readMachineDetail(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = readMachineView(m.machine ?? zeroMachineView(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.tasks.push(readTaskView(zeroTaskView(), r, r.uint32() + r.pos));
        break;
      case 26:
        m.history.push(readEventView(zeroEventView(), r, r.uint32() + r.pos));
        break;
      case 34:
        m.moments.push(readMachineMoment(zeroMachineMoment(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineDetail(w: BinaryWriter, m: Any): void {
  if (m.machine !== undefined) { w.uint32(10).fork(); writeMachineView(w, m.machine); w.join(); }
  for (const each of m.tasks) { w.uint32(18).fork(); writeTaskView(w, each); w.join(); }
  for (const each of m.history) { w.uint32(26).fork(); writeEventView(w, each); w.join(); }
  for (const each of m.moments) { w.uint32(34).fork(); writeMachineMoment(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineDrain = (): Any => ({ $typeName: "borg.v1.MachineDrain", machine: "", draining: false });

function makeMachineDrain(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineDrain", machine: i.machine ?? "", draining: i.draining ?? false };
  return m;
}

function readMachineDrain(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 16:
        m.draining = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineDrain(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.draining) w.uint32(16).bool(m.draining);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineEnroll = (): Any => ({ $typeName: "borg.v1.MachineEnroll", machine: "", tokenHash: "", key: "" });

function makeMachineEnroll(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineEnroll", machine: i.machine ?? "", tokenHash: i.tokenHash ?? "", key: i.key ?? "" };
  return m;
}

function readMachineEnroll(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.tokenHash = r.string(true);
        break;
      case 26:
        m.key = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineEnroll(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.tokenHash !== "") w.uint32(18).string(m.tokenHash);
  if (m.key !== "") w.uint32(26).string(m.key);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineFacts = (): Any => ({ $typeName: "borg.v1.MachineFacts", coreSpeedPermille: 0, attributes: [], portFirst: 0, portLast: 0, rack: "", powerDomain: "", packages: [], host: "", volumes: [], devices: [] });

function makeMachineFacts(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineFacts", coreSpeedPermille: i.coreSpeedPermille ?? 0, attributes: i.attributes?.map(makeAttribute) ?? [], portFirst: i.portFirst ?? 0, portLast: i.portLast ?? 0, rack: i.rack ?? "", powerDomain: i.powerDomain ?? "", packages: i.packages ?? [], host: i.host ?? "", volumes: i.volumes?.map(makeVolumeOffer) ?? [], devices: i.devices?.map(makeDeviceKind) ?? [] };
  if (i.capacity !== undefined) m.capacity = makeResources(i.capacity);
  return m;
}

function readMachineFacts(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.capacity = readResources(m.capacity ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 16:
        m.coreSpeedPermille = r.uint32();
        break;
      case 26:
        m.attributes.push(readAttribute(zeroAttribute(), r, r.uint32() + r.pos));
        break;
      case 32:
        m.portFirst = r.uint32();
        break;
      case 40:
        m.portLast = r.uint32();
        break;
      case 50:
        m.rack = r.string(true);
        break;
      case 58:
        m.powerDomain = r.string(true);
        break;
      case 66:
        m.packages.push(r.string(true));
        break;
      case 74:
        m.host = r.string(true);
        break;
      case 82:
        m.volumes.push(readVolumeOffer(zeroVolumeOffer(), r, r.uint32() + r.pos));
        break;
      case 90:
        m.devices.push(readDeviceKind(zeroDeviceKind(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineFacts(w: BinaryWriter, m: Any): void {
  if (m.capacity !== undefined) { w.uint32(10).fork(); writeResources(w, m.capacity); w.join(); }
  if (m.coreSpeedPermille !== 0) w.uint32(16).uint32(m.coreSpeedPermille);
  for (const each of m.attributes) { w.uint32(26).fork(); writeAttribute(w, each); w.join(); }
  if (m.portFirst !== 0) w.uint32(32).uint32(m.portFirst);
  if (m.portLast !== 0) w.uint32(40).uint32(m.portLast);
  if (m.rack !== "") w.uint32(50).string(m.rack);
  if (m.powerDomain !== "") w.uint32(58).string(m.powerDomain);
  for (const each of m.packages) w.uint32(66).string(each);
  if (m.host !== "") w.uint32(74).string(m.host);
  for (const each of m.volumes) { w.uint32(82).fork(); writeVolumeOffer(w, each); w.join(); }
  for (const each of m.devices) { w.uint32(90).fork(); writeDeviceKind(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineFactsChange = (): Any => ({ $typeName: "borg.v1.MachineFactsChange", machine: "" });

function makeMachineFactsChange(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineFactsChange", machine: i.machine ?? "" };
  if (i.facts !== undefined) m.facts = makeMachineFacts(i.facts);
  return m;
}

function readMachineFactsChange(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.facts = readMachineFacts(m.facts ?? zeroMachineFacts(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineFactsChange(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.facts !== undefined) { w.uint32(18).fork(); writeMachineFacts(w, m.facts); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineJoin = (): Any => ({ $typeName: "borg.v1.MachineJoin", machine: "", key: "" });

function makeMachineJoin(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineJoin", machine: i.machine ?? "", key: i.key ?? "" };
  if (i.facts !== undefined) m.facts = makeMachineFacts(i.facts);
  return m;
}

function readMachineJoin(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.facts = readMachineFacts(m.facts ?? zeroMachineFacts(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.key = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineJoin(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.facts !== undefined) { w.uint32(18).fork(); writeMachineFacts(w, m.facts); w.join(); }
  if (m.key !== "") w.uint32(26).string(m.key);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineLeave = (): Any => ({ $typeName: "borg.v1.MachineLeave", machine: "" });

function makeMachineLeave(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineLeave", machine: i.machine ?? "" };
  return m;
}

function readMachineLeave(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineLeave(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineMark = (): Any => ({ $typeName: "borg.v1.MachineMark", machine: "", reachable: false });

function makeMachineMark(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineMark", machine: i.machine ?? "", reachable: i.reachable ?? false };
  return m;
}

function readMachineMark(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 16:
        m.reachable = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineMark(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.reachable) w.uint32(16).bool(m.reachable);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineMoment = (): Any => ({ $typeName: "borg.v1.MachineMoment", timeMs: 0, cpuMilli: 0, ramBytes: 0 });

function makeMachineMoment(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineMoment", timeMs: i.timeMs ?? 0, cpuMilli: i.cpuMilli ?? 0, ramBytes: i.ramBytes ?? 0 };
  if (i.strain !== undefined) m.strain = makeStrain(i.strain);
  return m;
}

function readMachineMoment(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.timeMs = r.double();
        break;
      case 17:
        m.cpuMilli = r.double();
        break;
      case 25:
        m.ramBytes = r.double();
        break;
      case 34:
        m.strain = readStrain(m.strain ?? zeroStrain(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineMoment(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.timeMs, 0)) w.uint32(9).double(m.timeMs);
  if (!Object.is(m.cpuMilli, 0)) w.uint32(17).double(m.cpuMilli);
  if (!Object.is(m.ramBytes, 0)) w.uint32(25).double(m.ramBytes);
  if (m.strain !== undefined) { w.uint32(34).fork(); writeStrain(w, m.strain); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineRecord = (): Any => ({ $typeName: "borg.v1.MachineRecord", name: "", reachable: false, draining: false, sequence: 0, portNext: 0, sinceMs: 0, directories: [] });

function makeMachineRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineRecord", name: i.name ?? "", reachable: i.reachable ?? false, draining: i.draining ?? false, sequence: i.sequence ?? 0, portNext: i.portNext ?? 0, sinceMs: i.sinceMs ?? 0, directories: i.directories?.map(makeKeptDirectory) ?? [] };
  if (i.facts !== undefined) m.facts = makeMachineFacts(i.facts);
  if (i.approval !== undefined) m.approval = makeApproval(i.approval);
  return m;
}

function readMachineRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.facts = readMachineFacts(m.facts ?? zeroMachineFacts(), r, r.uint32() + r.pos);
        break;
      case 24:
        m.reachable = r.bool();
        break;
      case 32:
        m.draining = r.bool();
        break;
      case 41:
        m.sequence = r.double();
        break;
      case 48:
        m.portNext = r.uint32();
        break;
      case 57:
        m.sinceMs = r.double();
        break;
      case 66:
        m.approval = readApproval(m.approval ?? zeroApproval(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.directories.push(readKeptDirectory(zeroKeptDirectory(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineRecord(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.facts !== undefined) { w.uint32(18).fork(); writeMachineFacts(w, m.facts); w.join(); }
  if (m.reachable) w.uint32(24).bool(m.reachable);
  if (m.draining) w.uint32(32).bool(m.draining);
  if (!Object.is(m.sequence, 0)) w.uint32(41).double(m.sequence);
  if (m.portNext !== 0) w.uint32(48).uint32(m.portNext);
  if (!Object.is(m.sinceMs, 0)) w.uint32(57).double(m.sinceMs);
  if (m.approval !== undefined) { w.uint32(66).fork(); writeApproval(w, m.approval); w.join(); }
  for (const each of m.directories) { w.uint32(74).fork(); writeKeptDirectory(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineReport = (): Any => ({ $typeName: "borg.v1.MachineReport", machine: "", instances: [] });

function makeMachineReport(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineReport", machine: i.machine ?? "", instances: i.instances?.map(makeInstanceReport) ?? [] };
  return m;
}

function readMachineReport(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.instances.push(readInstanceReport(zeroInstanceReport(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineReport(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  for (const each of m.instances) { w.uint32(18).fork(); writeInstanceReport(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMachineView = (): Any => ({ $typeName: "borg.v1.MachineView", name: "", state: "", sinceMs: 0, host: "", tasks: 0, attributes: [], rack: "", powerDomain: "", portFirst: 0, portLast: 0, heardMs: 0, volumes: [], directories: [] });

function makeMachineView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MachineView", name: i.name ?? "", state: i.state ?? "", sinceMs: i.sinceMs ?? 0, host: i.host ?? "", tasks: i.tasks ?? 0, attributes: i.attributes?.map(makeAttribute) ?? [], rack: i.rack ?? "", powerDomain: i.powerDomain ?? "", portFirst: i.portFirst ?? 0, portLast: i.portLast ?? 0, heardMs: i.heardMs ?? 0, volumes: i.volumes?.map(makeVolumeOffer) ?? [], directories: i.directories?.map(makeKeptDirectory) ?? [] };
  if (i.capacity !== undefined) m.capacity = makeResources(i.capacity);
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.reservation !== undefined) m.reservation = makeResources(i.reservation);
  if (i.usage !== undefined) m.usage = makeResources(i.usage);
  if (i.approval !== undefined) m.approval = makeApproval(i.approval);
  if (i.claimed !== undefined) m.claimed = makeResources(i.claimed);
  return m;
}

function readMachineView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.state = r.string(true);
        break;
      case 25:
        m.sinceMs = r.double();
        break;
      case 34:
        m.host = r.string(true);
        break;
      case 40:
        m.tasks = r.uint32();
        break;
      case 50:
        m.capacity = readResources(m.capacity ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 58:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.reservation = readResources(m.reservation ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.usage = readResources(m.usage ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 82:
        m.attributes.push(readAttribute(zeroAttribute(), r, r.uint32() + r.pos));
        break;
      case 90:
        m.rack = r.string(true);
        break;
      case 98:
        m.powerDomain = r.string(true);
        break;
      case 104:
        m.portFirst = r.uint32();
        break;
      case 112:
        m.portLast = r.uint32();
        break;
      case 121:
        m.heardMs = r.double();
        break;
      case 130:
        m.approval = readApproval(m.approval ?? zeroApproval(), r, r.uint32() + r.pos);
        break;
      case 138:
        m.claimed = readResources(m.claimed ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 146:
        m.volumes.push(readVolumeOffer(zeroVolumeOffer(), r, r.uint32() + r.pos));
        break;
      case 154:
        m.directories.push(readKeptDirectory(zeroKeptDirectory(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMachineView(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.state !== "") w.uint32(18).string(m.state);
  if (!Object.is(m.sinceMs, 0)) w.uint32(25).double(m.sinceMs);
  if (m.host !== "") w.uint32(34).string(m.host);
  if (m.tasks !== 0) w.uint32(40).uint32(m.tasks);
  if (m.capacity !== undefined) { w.uint32(50).fork(); writeResources(w, m.capacity); w.join(); }
  if (m.limit !== undefined) { w.uint32(58).fork(); writeResources(w, m.limit); w.join(); }
  if (m.reservation !== undefined) { w.uint32(66).fork(); writeResources(w, m.reservation); w.join(); }
  if (m.usage !== undefined) { w.uint32(74).fork(); writeResources(w, m.usage); w.join(); }
  for (const each of m.attributes) { w.uint32(82).fork(); writeAttribute(w, each); w.join(); }
  if (m.rack !== "") w.uint32(90).string(m.rack);
  if (m.powerDomain !== "") w.uint32(98).string(m.powerDomain);
  if (m.portFirst !== 0) w.uint32(104).uint32(m.portFirst);
  if (m.portLast !== 0) w.uint32(112).uint32(m.portLast);
  if (!Object.is(m.heardMs, 0)) w.uint32(121).double(m.heardMs);
  if (m.approval !== undefined) { w.uint32(130).fork(); writeApproval(w, m.approval); w.join(); }
  if (m.claimed !== undefined) { w.uint32(138).fork(); writeResources(w, m.claimed); w.join(); }
  for (const each of m.volumes) { w.uint32(146).fork(); writeVolumeOffer(w, each); w.join(); }
  for (const each of m.directories) { w.uint32(154).fork(); writeKeptDirectory(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroMasterView = (): Any => ({ $typeName: "borg.v1.MasterView", role: "", term: 0, position: 0, upMs: 0, longestStepMs: 0, steps: 0, stepMsTotal: 0, loopDelayP99Ms: 0, loopDelayMaxMs: 0, cpuMs: 0, rssBytes: 0, heapBytes: 0, waiting: 0, behindBytes: 0, links: 0, polls: 0, pid: 0, pollMsMedian: 0, pollMsMax: 0, linksFormer: 0, authority: "" });

function makeMasterView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.MasterView", role: i.role ?? "", term: i.term ?? 0, position: i.position ?? 0, upMs: i.upMs ?? 0, longestStepMs: i.longestStepMs ?? 0, steps: i.steps ?? 0, stepMsTotal: i.stepMsTotal ?? 0, loopDelayP99Ms: i.loopDelayP99Ms ?? 0, loopDelayMaxMs: i.loopDelayMaxMs ?? 0, cpuMs: i.cpuMs ?? 0, rssBytes: i.rssBytes ?? 0, heapBytes: i.heapBytes ?? 0, waiting: i.waiting ?? 0, behindBytes: i.behindBytes ?? 0, links: i.links ?? 0, polls: i.polls ?? 0, pid: i.pid ?? 0, pollMsMedian: i.pollMsMedian ?? 0, pollMsMax: i.pollMsMax ?? 0, linksFormer: i.linksFormer ?? 0, authority: i.authority ?? "" };
  return m;
}

function readMasterView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.role = r.string(true);
        break;
      case 17:
        m.term = r.double();
        break;
      case 25:
        m.position = r.double();
        break;
      case 33:
        m.upMs = r.double();
        break;
      case 41:
        m.longestStepMs = r.double();
        break;
      case 49:
        m.steps = r.double();
        break;
      case 57:
        m.stepMsTotal = r.double();
        break;
      case 65:
        m.loopDelayP99Ms = r.double();
        break;
      case 73:
        m.loopDelayMaxMs = r.double();
        break;
      case 81:
        m.cpuMs = r.double();
        break;
      case 89:
        m.rssBytes = r.double();
        break;
      case 97:
        m.heapBytes = r.double();
        break;
      case 105:
        m.waiting = r.double();
        break;
      case 113:
        m.behindBytes = r.double();
        break;
      case 121:
        m.links = r.double();
        break;
      case 129:
        m.polls = r.double();
        break;
      case 137:
        m.pid = r.double();
        break;
      case 145:
        m.pollMsMedian = r.double();
        break;
      case 153:
        m.pollMsMax = r.double();
        break;
      case 161:
        m.linksFormer = r.double();
        break;
      case 170:
        m.authority = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeMasterView(w: BinaryWriter, m: Any): void {
  if (m.role !== "") w.uint32(10).string(m.role);
  if (!Object.is(m.term, 0)) w.uint32(17).double(m.term);
  if (!Object.is(m.position, 0)) w.uint32(25).double(m.position);
  if (!Object.is(m.upMs, 0)) w.uint32(33).double(m.upMs);
  if (!Object.is(m.longestStepMs, 0)) w.uint32(41).double(m.longestStepMs);
  if (!Object.is(m.steps, 0)) w.uint32(49).double(m.steps);
  if (!Object.is(m.stepMsTotal, 0)) w.uint32(57).double(m.stepMsTotal);
  if (!Object.is(m.loopDelayP99Ms, 0)) w.uint32(65).double(m.loopDelayP99Ms);
  if (!Object.is(m.loopDelayMaxMs, 0)) w.uint32(73).double(m.loopDelayMaxMs);
  if (!Object.is(m.cpuMs, 0)) w.uint32(81).double(m.cpuMs);
  if (!Object.is(m.rssBytes, 0)) w.uint32(89).double(m.rssBytes);
  if (!Object.is(m.heapBytes, 0)) w.uint32(97).double(m.heapBytes);
  if (!Object.is(m.waiting, 0)) w.uint32(105).double(m.waiting);
  if (!Object.is(m.behindBytes, 0)) w.uint32(113).double(m.behindBytes);
  if (!Object.is(m.links, 0)) w.uint32(121).double(m.links);
  if (!Object.is(m.polls, 0)) w.uint32(129).double(m.polls);
  if (!Object.is(m.pid, 0)) w.uint32(137).double(m.pid);
  if (!Object.is(m.pollMsMedian, 0)) w.uint32(145).double(m.pollMsMedian);
  if (!Object.is(m.pollMsMax, 0)) w.uint32(153).double(m.pollMsMax);
  if (!Object.is(m.linksFormer, 0)) w.uint32(161).double(m.linksFormer);
  if (m.authority !== "") w.uint32(170).string(m.authority);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroNamedPort = (): Any => ({ $typeName: "borg.v1.NamedPort", name: "", number: 0 });

function makeNamedPort(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.NamedPort", name: i.name ?? "", number: i.number ?? 0 };
  return m;
}

function readNamedPort(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.number = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeNamedPort(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.number !== 0) w.uint32(16).uint32(m.number);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroNamedTask = (): Any => ({ $typeName: "borg.v1.NamedTask", name: "", host: "", ports: [], ready: false, readyMs: 0, health: 0, readiness: 0, state: "", machine: "", instance: "" });

function makeNamedTask(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.NamedTask", name: i.name ?? "", host: i.host ?? "", ports: i.ports?.map(makeNamedPort) ?? [], ready: i.ready ?? false, readyMs: i.readyMs ?? 0, health: i.health ?? 0, readiness: i.readiness ?? 0, state: i.state ?? "", machine: i.machine ?? "", instance: i.instance ?? "" };
  return m;
}

function readNamedTask(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.host = r.string(true);
        break;
      case 26:
        m.ports.push(readNamedPort(zeroNamedPort(), r, r.uint32() + r.pos));
        break;
      case 32:
        m.ready = r.bool();
        break;
      case 41:
        m.readyMs = r.double();
        break;
      case 48:
        m.health = r.int32();
        break;
      case 56:
        m.readiness = r.int32();
        break;
      case 66:
        m.state = r.string(true);
        break;
      case 74:
        m.machine = r.string(true);
        break;
      case 82:
        m.instance = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeNamedTask(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.host !== "") w.uint32(18).string(m.host);
  for (const each of m.ports) { w.uint32(26).fork(); writeNamedPort(w, each); w.join(); }
  if (m.ready) w.uint32(32).bool(m.ready);
  if (!Object.is(m.readyMs, 0)) w.uint32(41).double(m.readyMs);
  if (m.health !== 0) w.uint32(48).int32(m.health);
  if (m.readiness !== 0) w.uint32(56).int32(m.readiness);
  if (m.state !== "") w.uint32(66).string(m.state);
  if (m.machine !== "") w.uint32(74).string(m.machine);
  if (m.instance !== "") w.uint32(82).string(m.instance);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroOfferPolicy = (): Any => ({ $typeName: "borg.v1.OfferPolicy", module: 0, shortPermille: 0, shortMs: 0 });

function makeOfferPolicy(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.OfferPolicy", module: i.module ?? 0, shortPermille: i.shortPermille ?? 0, shortMs: i.shortMs ?? 0 };
  return m;
}

function readOfferPolicy(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.module = r.int32();
        break;
      case 16:
        m.shortPermille = r.uint32();
        break;
      case 25:
        m.shortMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeOfferPolicy(w: BinaryWriter, m: Any): void {
  if (m.module !== 0) w.uint32(8).int32(m.module);
  if (m.shortPermille !== 0) w.uint32(16).uint32(m.shortPermille);
  if (!Object.is(m.shortMs, 0)) w.uint32(25).double(m.shortMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroOffersSet = (): Any => ({ $typeName: "borg.v1.OffersSet" });

function makeOffersSet(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.OffersSet" };
  if (i.module !== undefined) m.module = i.module;
  if (i.shortPermille !== undefined) m.shortPermille = i.shortPermille;
  if (i.shortMs !== undefined) m.shortMs = i.shortMs;
  return m;
}

function readOffersSet(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.module = r.int32();
        break;
      case 16:
        m.shortPermille = r.uint32();
        break;
      case 25:
        m.shortMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeOffersSet(w: BinaryWriter, m: Any): void {
  if (m.module !== undefined) w.uint32(8).int32(m.module);
  if (m.shortPermille !== undefined) w.uint32(16).uint32(m.shortPermille);
  if (m.shortMs !== undefined) w.uint32(25).double(m.shortMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroOp = (): Any => ({ $typeName: "borg.v1.Op", requestId: "", requestDigest: NONE, body: { case: undefined } });

const bodyOfOp: Record<string, (value: Any) => Any> = { cellInit: makeCellInit, cellVersion: makeCellVersion, cellConfigure: makeCellConfigure, userGrant: makeUserGrant, quotaSet: makeQuotaSet, schedulerSet: makeSchedulerSet, tokenSet: makeTokenSet, tokenRevoke: makeTokenRevoke, cellClock: makeCellClock, cellRestored: makeCellRestored, jobSubmit: makeJobSubmit, allocSetSubmit: makeAllocSetSubmit, jobKill: makeJobKill, jobRestart: makeJobRestart, jobResize: makeJobResize, jobForget: makeJobForget, updateStart: makeUpdateStart, updatePause: makeUpdatePause, updateUndo: makeUpdateUndo, updateCommit: makeUpdateCommit, machineJoin: makeMachineJoin, machineLeave: makeMachineLeave, machineFacts: makeMachineFactsChange, machineMark: makeMachineMark, machineDrain: makeMachineDrain, machineReport: makeMachineReport, machineApprove: makeMachineApprove, machineEnroll: makeMachineEnroll, taskClaims: makeTaskClaims, taskEvict: makeTaskEvict, taskLost: makeTaskLost, reservations: makeReservations, taskExpire: makeTaskExpire, updateStep: makeUpdateStep, barrier: makeBarrier, boundsSet: makeBoundsSet, shellOpen: makeShellOpen, packageAdd: makePackageAdd, packageRemove: makePackageRemove, secretSet: makeSecretSet, secretRemove: makeSecretRemove, secretReseal: makeSecretReseal, reclamationSet: makeReclamationSet, taskUnpin: makeTaskUnpin, directoryForget: makeDirectoryForget, frameworkSubscribe: makeFrameworkSubscribe, frameworkLaunch: makeFrameworkLaunch, frameworkKill: makeFrameworkKill, frameworkAcknowledge: makeFrameworkAcknowledge, frameworkDisconnect: makeFrameworkDisconnect, frameworkTeardown: makeFrameworkTeardown, frameworkRevoke: makeFrameworkRevoke, roleSet: makeRoleSet, offersSet: makeOffersSet, linkPartition: makeLinkPartition };

function makeOp(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Op", requestId: i.requestId ?? "", requestDigest: i.requestDigest ?? NONE, body: i.body?.case === undefined ? { case: undefined } : { case: i.body.case, value: bodyOfOp[i.body.case]!(i.body.value) } };
  if (i.actor !== undefined) m.actor = makePrincipal(i.actor);
  return m;
}

function readOp(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.actor = readPrincipal(m.actor ?? zeroPrincipal(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.requestId = r.string(true);
        break;
      case 26:
        m.requestDigest = r.bytes();
        break;
      case 82:
        m.body = { case: "cellInit", value: readCellInit((m.body.case === "cellInit" ? m.body.value : undefined) ?? zeroCellInit(), r, r.uint32() + r.pos) };
        break;
      case 90:
        m.body = { case: "cellVersion", value: readCellVersion((m.body.case === "cellVersion" ? m.body.value : undefined) ?? zeroCellVersion(), r, r.uint32() + r.pos) };
        break;
      case 98:
        m.body = { case: "cellConfigure", value: readCellConfigure((m.body.case === "cellConfigure" ? m.body.value : undefined) ?? zeroCellConfigure(), r, r.uint32() + r.pos) };
        break;
      case 106:
        m.body = { case: "userGrant", value: readUserGrant((m.body.case === "userGrant" ? m.body.value : undefined) ?? zeroUserGrant(), r, r.uint32() + r.pos) };
        break;
      case 114:
        m.body = { case: "quotaSet", value: readQuotaSet((m.body.case === "quotaSet" ? m.body.value : undefined) ?? zeroQuotaSet(), r, r.uint32() + r.pos) };
        break;
      case 122:
        m.body = { case: "schedulerSet", value: readSchedulerSet((m.body.case === "schedulerSet" ? m.body.value : undefined) ?? zeroSchedulerSet(), r, r.uint32() + r.pos) };
        break;
      case 130:
        m.body = { case: "tokenSet", value: readTokenSet((m.body.case === "tokenSet" ? m.body.value : undefined) ?? zeroTokenSet(), r, r.uint32() + r.pos) };
        break;
      case 138:
        m.body = { case: "tokenRevoke", value: readTokenRevoke((m.body.case === "tokenRevoke" ? m.body.value : undefined) ?? zeroTokenRevoke(), r, r.uint32() + r.pos) };
        break;
      case 146:
        m.body = { case: "cellClock", value: readCellClock((m.body.case === "cellClock" ? m.body.value : undefined) ?? zeroCellClock(), r, r.uint32() + r.pos) };
        break;
      case 154:
        m.body = { case: "cellRestored", value: readCellRestored((m.body.case === "cellRestored" ? m.body.value : undefined) ?? zeroCellRestored(), r, r.uint32() + r.pos) };
        break;
      case 162:
        m.body = { case: "jobSubmit", value: readJobSubmit((m.body.case === "jobSubmit" ? m.body.value : undefined) ?? zeroJobSubmit(), r, r.uint32() + r.pos) };
        break;
      case 170:
        m.body = { case: "allocSetSubmit", value: readAllocSetSubmit((m.body.case === "allocSetSubmit" ? m.body.value : undefined) ?? zeroAllocSetSubmit(), r, r.uint32() + r.pos) };
        break;
      case 178:
        m.body = { case: "jobKill", value: readJobKill((m.body.case === "jobKill" ? m.body.value : undefined) ?? zeroJobKill(), r, r.uint32() + r.pos) };
        break;
      case 186:
        m.body = { case: "jobRestart", value: readJobRestart((m.body.case === "jobRestart" ? m.body.value : undefined) ?? zeroJobRestart(), r, r.uint32() + r.pos) };
        break;
      case 194:
        m.body = { case: "jobResize", value: readJobResize((m.body.case === "jobResize" ? m.body.value : undefined) ?? zeroJobResize(), r, r.uint32() + r.pos) };
        break;
      case 202:
        m.body = { case: "jobForget", value: readJobForget((m.body.case === "jobForget" ? m.body.value : undefined) ?? zeroJobForget(), r, r.uint32() + r.pos) };
        break;
      case 210:
        m.body = { case: "updateStart", value: readUpdateStart((m.body.case === "updateStart" ? m.body.value : undefined) ?? zeroUpdateStart(), r, r.uint32() + r.pos) };
        break;
      case 218:
        m.body = { case: "updatePause", value: readUpdatePause((m.body.case === "updatePause" ? m.body.value : undefined) ?? zeroUpdatePause(), r, r.uint32() + r.pos) };
        break;
      case 226:
        m.body = { case: "updateUndo", value: readUpdateUndo((m.body.case === "updateUndo" ? m.body.value : undefined) ?? zeroUpdateUndo(), r, r.uint32() + r.pos) };
        break;
      case 234:
        m.body = { case: "updateCommit", value: readUpdateCommit((m.body.case === "updateCommit" ? m.body.value : undefined) ?? zeroUpdateCommit(), r, r.uint32() + r.pos) };
        break;
      case 242:
        m.body = { case: "machineJoin", value: readMachineJoin((m.body.case === "machineJoin" ? m.body.value : undefined) ?? zeroMachineJoin(), r, r.uint32() + r.pos) };
        break;
      case 250:
        m.body = { case: "machineLeave", value: readMachineLeave((m.body.case === "machineLeave" ? m.body.value : undefined) ?? zeroMachineLeave(), r, r.uint32() + r.pos) };
        break;
      case 258:
        m.body = { case: "machineFacts", value: readMachineFactsChange((m.body.case === "machineFacts" ? m.body.value : undefined) ?? zeroMachineFactsChange(), r, r.uint32() + r.pos) };
        break;
      case 266:
        m.body = { case: "machineMark", value: readMachineMark((m.body.case === "machineMark" ? m.body.value : undefined) ?? zeroMachineMark(), r, r.uint32() + r.pos) };
        break;
      case 274:
        m.body = { case: "machineDrain", value: readMachineDrain((m.body.case === "machineDrain" ? m.body.value : undefined) ?? zeroMachineDrain(), r, r.uint32() + r.pos) };
        break;
      case 282:
        m.body = { case: "machineReport", value: readMachineReport((m.body.case === "machineReport" ? m.body.value : undefined) ?? zeroMachineReport(), r, r.uint32() + r.pos) };
        break;
      case 290:
        m.body = { case: "machineApprove", value: readMachineApprove((m.body.case === "machineApprove" ? m.body.value : undefined) ?? zeroMachineApprove(), r, r.uint32() + r.pos) };
        break;
      case 298:
        m.body = { case: "machineEnroll", value: readMachineEnroll((m.body.case === "machineEnroll" ? m.body.value : undefined) ?? zeroMachineEnroll(), r, r.uint32() + r.pos) };
        break;
      case 322:
        m.body = { case: "taskClaims", value: readTaskClaims((m.body.case === "taskClaims" ? m.body.value : undefined) ?? zeroTaskClaims(), r, r.uint32() + r.pos) };
        break;
      case 330:
        m.body = { case: "taskEvict", value: readTaskEvict((m.body.case === "taskEvict" ? m.body.value : undefined) ?? zeroTaskEvict(), r, r.uint32() + r.pos) };
        break;
      case 338:
        m.body = { case: "taskLost", value: readTaskLost((m.body.case === "taskLost" ? m.body.value : undefined) ?? zeroTaskLost(), r, r.uint32() + r.pos) };
        break;
      case 346:
        m.body = { case: "reservations", value: readReservations((m.body.case === "reservations" ? m.body.value : undefined) ?? zeroReservations(), r, r.uint32() + r.pos) };
        break;
      case 354:
        m.body = { case: "taskExpire", value: readTaskExpire((m.body.case === "taskExpire" ? m.body.value : undefined) ?? zeroTaskExpire(), r, r.uint32() + r.pos) };
        break;
      case 362:
        m.body = { case: "updateStep", value: readUpdateStep((m.body.case === "updateStep" ? m.body.value : undefined) ?? zeroUpdateStep(), r, r.uint32() + r.pos) };
        break;
      case 402:
        m.body = { case: "barrier", value: readBarrier((m.body.case === "barrier" ? m.body.value : undefined) ?? zeroBarrier(), r, r.uint32() + r.pos) };
        break;
      case 410:
        m.body = { case: "boundsSet", value: readBoundsSet((m.body.case === "boundsSet" ? m.body.value : undefined) ?? zeroBoundsSet(), r, r.uint32() + r.pos) };
        break;
      case 418:
        m.body = { case: "shellOpen", value: readShellOpen((m.body.case === "shellOpen" ? m.body.value : undefined) ?? zeroShellOpen(), r, r.uint32() + r.pos) };
        break;
      case 482:
        m.body = { case: "packageAdd", value: readPackageAdd((m.body.case === "packageAdd" ? m.body.value : undefined) ?? zeroPackageAdd(), r, r.uint32() + r.pos) };
        break;
      case 490:
        m.body = { case: "packageRemove", value: readPackageRemove((m.body.case === "packageRemove" ? m.body.value : undefined) ?? zeroPackageRemove(), r, r.uint32() + r.pos) };
        break;
      case 498:
        m.body = { case: "secretSet", value: readSecretSet((m.body.case === "secretSet" ? m.body.value : undefined) ?? zeroSecretSet(), r, r.uint32() + r.pos) };
        break;
      case 506:
        m.body = { case: "secretRemove", value: readSecretRemove((m.body.case === "secretRemove" ? m.body.value : undefined) ?? zeroSecretRemove(), r, r.uint32() + r.pos) };
        break;
      case 514:
        m.body = { case: "secretReseal", value: readSecretReseal((m.body.case === "secretReseal" ? m.body.value : undefined) ?? zeroSecretReseal(), r, r.uint32() + r.pos) };
        break;
      case 562:
        m.body = { case: "reclamationSet", value: readReclamationSet((m.body.case === "reclamationSet" ? m.body.value : undefined) ?? zeroReclamationSet(), r, r.uint32() + r.pos) };
        break;
      case 722:
        m.body = { case: "taskUnpin", value: readTaskUnpin((m.body.case === "taskUnpin" ? m.body.value : undefined) ?? zeroTaskUnpin(), r, r.uint32() + r.pos) };
        break;
      case 730:
        m.body = { case: "directoryForget", value: readDirectoryForget((m.body.case === "directoryForget" ? m.body.value : undefined) ?? zeroDirectoryForget(), r, r.uint32() + r.pos) };
        break;
      case 802:
        m.body = { case: "frameworkSubscribe", value: readFrameworkSubscribe((m.body.case === "frameworkSubscribe" ? m.body.value : undefined) ?? zeroFrameworkSubscribe(), r, r.uint32() + r.pos) };
        break;
      case 810:
        m.body = { case: "frameworkLaunch", value: readFrameworkLaunch((m.body.case === "frameworkLaunch" ? m.body.value : undefined) ?? zeroFrameworkLaunch(), r, r.uint32() + r.pos) };
        break;
      case 818:
        m.body = { case: "frameworkKill", value: readFrameworkKill((m.body.case === "frameworkKill" ? m.body.value : undefined) ?? zeroFrameworkKill(), r, r.uint32() + r.pos) };
        break;
      case 826:
        m.body = { case: "frameworkAcknowledge", value: readFrameworkAcknowledge((m.body.case === "frameworkAcknowledge" ? m.body.value : undefined) ?? zeroFrameworkAcknowledge(), r, r.uint32() + r.pos) };
        break;
      case 834:
        m.body = { case: "frameworkDisconnect", value: readFrameworkDisconnect((m.body.case === "frameworkDisconnect" ? m.body.value : undefined) ?? zeroFrameworkDisconnect(), r, r.uint32() + r.pos) };
        break;
      case 842:
        m.body = { case: "frameworkTeardown", value: readFrameworkTeardown((m.body.case === "frameworkTeardown" ? m.body.value : undefined) ?? zeroFrameworkTeardown(), r, r.uint32() + r.pos) };
        break;
      case 850:
        m.body = { case: "frameworkRevoke", value: readFrameworkRevoke((m.body.case === "frameworkRevoke" ? m.body.value : undefined) ?? zeroFrameworkRevoke(), r, r.uint32() + r.pos) };
        break;
      case 882:
        m.body = { case: "roleSet", value: readRoleSet((m.body.case === "roleSet" ? m.body.value : undefined) ?? zeroRoleSet(), r, r.uint32() + r.pos) };
        break;
      case 890:
        m.body = { case: "offersSet", value: readOffersSet((m.body.case === "offersSet" ? m.body.value : undefined) ?? zeroOffersSet(), r, r.uint32() + r.pos) };
        break;
      case 898:
        m.body = { case: "linkPartition", value: readLinkPartition((m.body.case === "linkPartition" ? m.body.value : undefined) ?? zeroLinkPartition(), r, r.uint32() + r.pos) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeOp(w: BinaryWriter, m: Any): void {
  if (m.actor !== undefined) { w.uint32(10).fork(); writePrincipal(w, m.actor); w.join(); }
  if (m.requestId !== "") w.uint32(18).string(m.requestId);
  if (m.requestDigest.length > 0) w.uint32(26).bytes(m.requestDigest);
  switch (m.body.case) {
    case "cellInit":
      { w.uint32(82).fork(); writeCellInit(w, m.body.value); w.join(); }
      break;
    case "cellVersion":
      { w.uint32(90).fork(); writeCellVersion(w, m.body.value); w.join(); }
      break;
    case "cellConfigure":
      { w.uint32(98).fork(); writeCellConfigure(w, m.body.value); w.join(); }
      break;
    case "userGrant":
      { w.uint32(106).fork(); writeUserGrant(w, m.body.value); w.join(); }
      break;
    case "quotaSet":
      { w.uint32(114).fork(); writeQuotaSet(w, m.body.value); w.join(); }
      break;
    case "schedulerSet":
      { w.uint32(122).fork(); writeSchedulerSet(w, m.body.value); w.join(); }
      break;
    case "tokenSet":
      { w.uint32(130).fork(); writeTokenSet(w, m.body.value); w.join(); }
      break;
    case "tokenRevoke":
      { w.uint32(138).fork(); writeTokenRevoke(w, m.body.value); w.join(); }
      break;
    case "cellClock":
      { w.uint32(146).fork(); writeCellClock(w, m.body.value); w.join(); }
      break;
    case "cellRestored":
      { w.uint32(154).fork(); writeCellRestored(w, m.body.value); w.join(); }
      break;
    case "jobSubmit":
      { w.uint32(162).fork(); writeJobSubmit(w, m.body.value); w.join(); }
      break;
    case "allocSetSubmit":
      { w.uint32(170).fork(); writeAllocSetSubmit(w, m.body.value); w.join(); }
      break;
    case "jobKill":
      { w.uint32(178).fork(); writeJobKill(w, m.body.value); w.join(); }
      break;
    case "jobRestart":
      { w.uint32(186).fork(); writeJobRestart(w, m.body.value); w.join(); }
      break;
    case "jobResize":
      { w.uint32(194).fork(); writeJobResize(w, m.body.value); w.join(); }
      break;
    case "jobForget":
      { w.uint32(202).fork(); writeJobForget(w, m.body.value); w.join(); }
      break;
    case "updateStart":
      { w.uint32(210).fork(); writeUpdateStart(w, m.body.value); w.join(); }
      break;
    case "updatePause":
      { w.uint32(218).fork(); writeUpdatePause(w, m.body.value); w.join(); }
      break;
    case "updateUndo":
      { w.uint32(226).fork(); writeUpdateUndo(w, m.body.value); w.join(); }
      break;
    case "updateCommit":
      { w.uint32(234).fork(); writeUpdateCommit(w, m.body.value); w.join(); }
      break;
    case "machineJoin":
      { w.uint32(242).fork(); writeMachineJoin(w, m.body.value); w.join(); }
      break;
    case "machineLeave":
      { w.uint32(250).fork(); writeMachineLeave(w, m.body.value); w.join(); }
      break;
    case "machineFacts":
      { w.uint32(258).fork(); writeMachineFactsChange(w, m.body.value); w.join(); }
      break;
    case "machineMark":
      { w.uint32(266).fork(); writeMachineMark(w, m.body.value); w.join(); }
      break;
    case "machineDrain":
      { w.uint32(274).fork(); writeMachineDrain(w, m.body.value); w.join(); }
      break;
    case "machineReport":
      { w.uint32(282).fork(); writeMachineReport(w, m.body.value); w.join(); }
      break;
    case "machineApprove":
      { w.uint32(290).fork(); writeMachineApprove(w, m.body.value); w.join(); }
      break;
    case "machineEnroll":
      { w.uint32(298).fork(); writeMachineEnroll(w, m.body.value); w.join(); }
      break;
    case "taskClaims":
      { w.uint32(322).fork(); writeTaskClaims(w, m.body.value); w.join(); }
      break;
    case "taskEvict":
      { w.uint32(330).fork(); writeTaskEvict(w, m.body.value); w.join(); }
      break;
    case "taskLost":
      { w.uint32(338).fork(); writeTaskLost(w, m.body.value); w.join(); }
      break;
    case "reservations":
      { w.uint32(346).fork(); writeReservations(w, m.body.value); w.join(); }
      break;
    case "taskExpire":
      { w.uint32(354).fork(); writeTaskExpire(w, m.body.value); w.join(); }
      break;
    case "updateStep":
      { w.uint32(362).fork(); writeUpdateStep(w, m.body.value); w.join(); }
      break;
    case "barrier":
      { w.uint32(402).fork(); writeBarrier(w, m.body.value); w.join(); }
      break;
    case "boundsSet":
      { w.uint32(410).fork(); writeBoundsSet(w, m.body.value); w.join(); }
      break;
    case "shellOpen":
      { w.uint32(418).fork(); writeShellOpen(w, m.body.value); w.join(); }
      break;
    case "packageAdd":
      { w.uint32(482).fork(); writePackageAdd(w, m.body.value); w.join(); }
      break;
    case "packageRemove":
      { w.uint32(490).fork(); writePackageRemove(w, m.body.value); w.join(); }
      break;
    case "secretSet":
      { w.uint32(498).fork(); writeSecretSet(w, m.body.value); w.join(); }
      break;
    case "secretRemove":
      { w.uint32(506).fork(); writeSecretRemove(w, m.body.value); w.join(); }
      break;
    case "secretReseal":
      { w.uint32(514).fork(); writeSecretReseal(w, m.body.value); w.join(); }
      break;
    case "reclamationSet":
      { w.uint32(562).fork(); writeReclamationSet(w, m.body.value); w.join(); }
      break;
    case "taskUnpin":
      { w.uint32(722).fork(); writeTaskUnpin(w, m.body.value); w.join(); }
      break;
    case "directoryForget":
      { w.uint32(730).fork(); writeDirectoryForget(w, m.body.value); w.join(); }
      break;
    case "frameworkSubscribe":
      { w.uint32(802).fork(); writeFrameworkSubscribe(w, m.body.value); w.join(); }
      break;
    case "frameworkLaunch":
      { w.uint32(810).fork(); writeFrameworkLaunch(w, m.body.value); w.join(); }
      break;
    case "frameworkKill":
      { w.uint32(818).fork(); writeFrameworkKill(w, m.body.value); w.join(); }
      break;
    case "frameworkAcknowledge":
      { w.uint32(826).fork(); writeFrameworkAcknowledge(w, m.body.value); w.join(); }
      break;
    case "frameworkDisconnect":
      { w.uint32(834).fork(); writeFrameworkDisconnect(w, m.body.value); w.join(); }
      break;
    case "frameworkTeardown":
      { w.uint32(842).fork(); writeFrameworkTeardown(w, m.body.value); w.join(); }
      break;
    case "frameworkRevoke":
      { w.uint32(850).fork(); writeFrameworkRevoke(w, m.body.value); w.join(); }
      break;
    case "roleSet":
      { w.uint32(882).fork(); writeRoleSet(w, m.body.value); w.join(); }
      break;
    case "offersSet":
      { w.uint32(890).fork(); writeOffersSet(w, m.body.value); w.join(); }
      break;
    case "linkPartition":
      { w.uint32(898).fork(); writeLinkPartition(w, m.body.value); w.join(); }
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroOpenShellRequest = (): Any => ({ $typeName: "borg.v1.OpenShellRequest", requestId: "", instance: "" });

function makeOpenShellRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.OpenShellRequest", requestId: i.requestId ?? "", instance: i.instance ?? "" };
  return m;
}

function readOpenShellRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.instance = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeOpenShellRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.instance !== "") w.uint32(18).string(m.instance);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroOpenUiRequest = (): Any => ({ $typeName: "borg.v1.OpenUiRequest" });

function makeOpenUiRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.OpenUiRequest" };
  return m;
}

function readOpenUiRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeOpenUiRequest(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroOpenUiResponse = (): Any => ({ $typeName: "borg.v1.OpenUiResponse", url: "", ttlMs: 0 });

function makeOpenUiResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.OpenUiResponse", url: i.url ?? "", ttlMs: i.ttlMs ?? 0 };
  return m;
}

function readOpenUiResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.url = r.string(true);
        break;
      case 17:
        m.ttlMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeOpenUiResponse(w: BinaryWriter, m: Any): void {
  if (m.url !== "") w.uint32(10).string(m.url);
  if (!Object.is(m.ttlMs, 0)) w.uint32(17).double(m.ttlMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroOrder = (): Any => ({ $typeName: "borg.v1.Order", body: { case: undefined } });

const bodyOfOrder: Record<string, (value: Any) => Any> = { start: makeStartOrder, stop: makeStopOrder, adjust: makeAdjustOrder, drop: makeDropOrder };

function makeOrder(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Order", body: i.body?.case === undefined ? { case: undefined } : { case: i.body.case, value: bodyOfOrder[i.body.case]!(i.body.value) } };
  return m;
}

function readOrder(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.body = { case: "start", value: readStartOrder((m.body.case === "start" ? m.body.value : undefined) ?? zeroStartOrder(), r, r.uint32() + r.pos) };
        break;
      case 18:
        m.body = { case: "stop", value: readStopOrder((m.body.case === "stop" ? m.body.value : undefined) ?? zeroStopOrder(), r, r.uint32() + r.pos) };
        break;
      case 42:
        m.body = { case: "adjust", value: readAdjustOrder((m.body.case === "adjust" ? m.body.value : undefined) ?? zeroAdjustOrder(), r, r.uint32() + r.pos) };
        break;
      case 26:
        m.body = { case: "drop", value: readDropOrder((m.body.case === "drop" ? m.body.value : undefined) ?? zeroDropOrder(), r, r.uint32() + r.pos) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeOrder(w: BinaryWriter, m: Any): void {
  switch (m.body.case) {
    case "start":
      { w.uint32(10).fork(); writeStartOrder(w, m.body.value); w.join(); }
      break;
    case "stop":
      { w.uint32(18).fork(); writeStopOrder(w, m.body.value); w.join(); }
      break;
    case "drop":
      { w.uint32(26).fork(); writeDropOrder(w, m.body.value); w.join(); }
      break;
    case "adjust":
      { w.uint32(42).fork(); writeAdjustOrder(w, m.body.value); w.join(); }
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPackageAdd = (): Any => ({ $typeName: "borg.v1.PackageAdd", user: "", name: "", digest: "", bytes: 0, shared: false });

function makePackageAdd(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PackageAdd", user: i.user ?? "", name: i.name ?? "", digest: i.digest ?? "", bytes: i.bytes ?? 0, shared: i.shared ?? false };
  if (i.labels !== undefined) m.labels = makeLabels(i.labels);
  return m;
}

function readPackageAdd(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 26:
        m.digest = r.string(true);
        break;
      case 33:
        m.bytes = r.double();
        break;
      case 40:
        m.shared = r.bool();
        break;
      case 50:
        m.labels = readLabels(m.labels ?? zeroLabels(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePackageAdd(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.digest !== "") w.uint32(26).string(m.digest);
  if (!Object.is(m.bytes, 0)) w.uint32(33).double(m.bytes);
  if (m.shared) w.uint32(40).bool(m.shared);
  if (m.labels !== undefined) { w.uint32(50).fork(); writeLabels(w, m.labels); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPackageChunk = (): Any => ({ $typeName: "borg.v1.PackageChunk", digest: "", offset: 0, data: NONE, total: 0, problem: "" });

function makePackageChunk(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PackageChunk", digest: i.digest ?? "", offset: i.offset ?? 0, data: i.data ?? NONE, total: i.total ?? 0, problem: i.problem ?? "" };
  return m;
}

function readPackageChunk(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.digest = r.string(true);
        break;
      case 17:
        m.offset = r.double();
        break;
      case 26:
        m.data = r.bytes();
        break;
      case 33:
        m.total = r.double();
        break;
      case 42:
        m.problem = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePackageChunk(w: BinaryWriter, m: Any): void {
  if (m.digest !== "") w.uint32(10).string(m.digest);
  if (!Object.is(m.offset, 0)) w.uint32(17).double(m.offset);
  if (m.data.length > 0) w.uint32(26).bytes(m.data);
  if (!Object.is(m.total, 0)) w.uint32(33).double(m.total);
  if (m.problem !== "") w.uint32(42).string(m.problem);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPackageGrant = (): Any => ({ $typeName: "borg.v1.PackageGrant", digest: "", voucher: "" });

function makePackageGrant(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PackageGrant", digest: i.digest ?? "", voucher: i.voucher ?? "" };
  return m;
}

function readPackageGrant(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.digest = r.string(true);
        break;
      case 18:
        m.voucher = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePackageGrant(w: BinaryWriter, m: Any): void {
  if (m.digest !== "") w.uint32(10).string(m.digest);
  if (m.voucher !== "") w.uint32(18).string(m.voucher);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPackageGranted = (): Any => ({ $typeName: "borg.v1.PackageGranted", machine: "", voucher: "", has: false });

function makePackageGranted(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PackageGranted", machine: i.machine ?? "", voucher: i.voucher ?? "", has: i.has ?? false };
  return m;
}

function readPackageGranted(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.voucher = r.string(true);
        break;
      case 24:
        m.has = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePackageGranted(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.voucher !== "") w.uint32(18).string(m.voucher);
  if (m.has) w.uint32(24).bool(m.has);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPackageRecord = (): Any => ({ $typeName: "borg.v1.PackageRecord", name: "", digest: "", bytes: 0, shared: false, createdMs: 0, labels: [] });

function makePackageRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PackageRecord", name: i.name ?? "", digest: i.digest ?? "", bytes: i.bytes ?? 0, shared: i.shared ?? false, createdMs: i.createdMs ?? 0, labels: i.labels?.map(makeLabel) ?? [] };
  return m;
}

function readPackageRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.digest = r.string(true);
        break;
      case 25:
        m.bytes = r.double();
        break;
      case 32:
        m.shared = r.bool();
        break;
      case 41:
        m.createdMs = r.double();
        break;
      case 50:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePackageRecord(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.digest !== "") w.uint32(18).string(m.digest);
  if (!Object.is(m.bytes, 0)) w.uint32(25).double(m.bytes);
  if (m.shared) w.uint32(32).bool(m.shared);
  if (!Object.is(m.createdMs, 0)) w.uint32(41).double(m.createdMs);
  for (const each of m.labels) { w.uint32(50).fork(); writeLabel(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPackageRef = (): Any => ({ $typeName: "borg.v1.PackageRef", name: "", version: "", user: "", path: "", root: false });

function makePackageRef(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PackageRef", name: i.name ?? "", version: i.version ?? "", user: i.user ?? "", path: i.path ?? "", root: i.root ?? false };
  return m;
}

function readPackageRef(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.version = r.string(true);
        break;
      case 26:
        m.user = r.string(true);
        break;
      case 34:
        m.path = r.string(true);
        break;
      case 40:
        m.root = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePackageRef(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.version !== "") w.uint32(18).string(m.version);
  if (m.user !== "") w.uint32(26).string(m.user);
  if (m.path !== "") w.uint32(34).string(m.path);
  if (m.root) w.uint32(40).bool(m.root);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPackageRemove = (): Any => ({ $typeName: "borg.v1.PackageRemove", user: "", name: "", digest: "" });

function makePackageRemove(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PackageRemove", user: i.user ?? "", name: i.name ?? "", digest: i.digest ?? "" };
  return m;
}

function readPackageRemove(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 26:
        m.digest = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePackageRemove(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.digest !== "") w.uint32(26).string(m.digest);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPackageRequest = (): Any => ({ $typeName: "borg.v1.PackageRequest", machine: "", digest: "", offset: 0, bytesMax: 0, peers: false, from: "", failed: [] });

function makePackageRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PackageRequest", machine: i.machine ?? "", digest: i.digest ?? "", offset: i.offset ?? 0, bytesMax: i.bytesMax ?? 0, peers: i.peers ?? false, from: i.from ?? "", failed: i.failed ?? [] };
  return m;
}

function readPackageRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 34:
        m.machine = r.string(true);
        break;
      case 10:
        m.digest = r.string(true);
        break;
      case 17:
        m.offset = r.double();
        break;
      case 24:
        m.bytesMax = r.uint32();
        break;
      case 40:
        m.peers = r.bool();
        break;
      case 50:
        m.from = r.string(true);
        break;
      case 58:
        m.failed.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePackageRequest(w: BinaryWriter, m: Any): void {
  if (m.digest !== "") w.uint32(10).string(m.digest);
  if (!Object.is(m.offset, 0)) w.uint32(17).double(m.offset);
  if (m.bytesMax !== 0) w.uint32(24).uint32(m.bytesMax);
  if (m.machine !== "") w.uint32(34).string(m.machine);
  if (m.peers) w.uint32(40).bool(m.peers);
  if (m.from !== "") w.uint32(50).string(m.from);
  for (const each of m.failed) w.uint32(58).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPackageSource = (): Any => ({ $typeName: "borg.v1.PackageSource", digest: "", machine: "", host: "", port: 0, voucher: "" });

function makePackageSource(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PackageSource", digest: i.digest ?? "", machine: i.machine ?? "", host: i.host ?? "", port: i.port ?? 0, voucher: i.voucher ?? "" };
  return m;
}

function readPackageSource(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.digest = r.string(true);
        break;
      case 18:
        m.machine = r.string(true);
        break;
      case 26:
        m.host = r.string(true);
        break;
      case 32:
        m.port = r.uint32();
        break;
      case 42:
        m.voucher = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePackageSource(w: BinaryWriter, m: Any): void {
  if (m.digest !== "") w.uint32(10).string(m.digest);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (m.host !== "") w.uint32(26).string(m.host);
  if (m.port !== 0) w.uint32(32).uint32(m.port);
  if (m.voucher !== "") w.uint32(42).string(m.voucher);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPackageView = (): Any => ({ $typeName: "borg.v1.PackageView", user: "", name: "", digest: "", bytes: 0, shared: false, createdMs: 0, machines: 0, jobs: 0, labels: [] });

function makePackageView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PackageView", user: i.user ?? "", name: i.name ?? "", digest: i.digest ?? "", bytes: i.bytes ?? 0, shared: i.shared ?? false, createdMs: i.createdMs ?? 0, machines: i.machines ?? 0, jobs: i.jobs ?? 0, labels: i.labels?.map(makeLabel) ?? [] };
  return m;
}

function readPackageView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 26:
        m.digest = r.string(true);
        break;
      case 33:
        m.bytes = r.double();
        break;
      case 40:
        m.shared = r.bool();
        break;
      case 49:
        m.createdMs = r.double();
        break;
      case 56:
        m.machines = r.uint32();
        break;
      case 64:
        m.jobs = r.uint32();
        break;
      case 74:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePackageView(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.digest !== "") w.uint32(26).string(m.digest);
  if (!Object.is(m.bytes, 0)) w.uint32(33).double(m.bytes);
  if (m.shared) w.uint32(40).bool(m.shared);
  if (!Object.is(m.createdMs, 0)) w.uint32(49).double(m.createdMs);
  if (m.machines !== 0) w.uint32(56).uint32(m.machines);
  if (m.jobs !== 0) w.uint32(64).uint32(m.jobs);
  for (const each of m.labels) { w.uint32(74).fork(); writeLabel(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPauseUpdateRequest = (): Any => ({ $typeName: "borg.v1.PauseUpdateRequest", requestId: "", job: "", paused: false });

function makePauseUpdateRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PauseUpdateRequest", requestId: i.requestId ?? "", job: i.job ?? "", paused: i.paused ?? false };
  return m;
}

function readPauseUpdateRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.job = r.string(true);
        break;
      case 24:
        m.paused = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePauseUpdateRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.job !== "") w.uint32(18).string(m.job);
  if (m.paused) w.uint32(24).bool(m.paused);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPeerRequest = (): Any => ({ $typeName: "borg.v1.PeerRequest", voucher: "", digest: "", offset: 0, bytesMax: 0 });

function makePeerRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PeerRequest", voucher: i.voucher ?? "", digest: i.digest ?? "", offset: i.offset ?? 0, bytesMax: i.bytesMax ?? 0 };
  return m;
}

function readPeerRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.voucher = r.string(true);
        break;
      case 18:
        m.digest = r.string(true);
        break;
      case 25:
        m.offset = r.double();
        break;
      case 32:
        m.bytesMax = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePeerRequest(w: BinaryWriter, m: Any): void {
  if (m.voucher !== "") w.uint32(10).string(m.voucher);
  if (m.digest !== "") w.uint32(18).string(m.digest);
  if (!Object.is(m.offset, 0)) w.uint32(25).double(m.offset);
  if (m.bytesMax !== 0) w.uint32(32).uint32(m.bytesMax);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPieceFound = (): Any => ({ $typeName: "borg.v1.PieceFound", id: "", total: 0, data: NONE, reason: "" });

function makePieceFound(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PieceFound", id: i.id ?? "", total: i.total ?? 0, data: i.data ?? NONE, reason: i.reason ?? "" };
  return m;
}

function readPieceFound(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = r.string(true);
        break;
      case 17:
        m.total = r.double();
        break;
      case 26:
        m.data = r.bytes();
        break;
      case 34:
        m.reason = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePieceFound(w: BinaryWriter, m: Any): void {
  if (m.id !== "") w.uint32(10).string(m.id);
  if (!Object.is(m.total, 0)) w.uint32(17).double(m.total);
  if (m.data.length > 0) w.uint32(26).bytes(m.data);
  if (m.reason !== "") w.uint32(34).string(m.reason);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPieceQuestion = (): Any => ({ $typeName: "borg.v1.PieceQuestion", id: "", digest: "", offset: 0, bytesMax: 0 });

function makePieceQuestion(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.PieceQuestion", id: i.id ?? "", digest: i.digest ?? "", offset: i.offset ?? 0, bytesMax: i.bytesMax ?? 0 };
  return m;
}

function readPieceQuestion(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = r.string(true);
        break;
      case 18:
        m.digest = r.string(true);
        break;
      case 25:
        m.offset = r.double();
        break;
      case 32:
        m.bytesMax = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePieceQuestion(w: BinaryWriter, m: Any): void {
  if (m.id !== "") w.uint32(10).string(m.id);
  if (m.digest !== "") w.uint32(18).string(m.digest);
  if (!Object.is(m.offset, 0)) w.uint32(25).double(m.offset);
  if (m.bytesMax !== 0) w.uint32(32).uint32(m.bytesMax);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPoll = (): Any => ({ $typeName: "borg.v1.Poll", term: 0, sequence: 0, holdMs: 0, orders: [] });

function makePoll(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Poll", term: i.term ?? 0, sequence: i.sequence ?? 0, holdMs: i.holdMs ?? 0, orders: i.orders?.map(makeOrder) ?? [] };
  return m;
}

function readPoll(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.term = r.double();
        break;
      case 17:
        m.sequence = r.double();
        break;
      case 24:
        m.holdMs = r.uint32();
        break;
      case 34:
        m.orders.push(readOrder(zeroOrder(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePoll(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.term, 0)) w.uint32(9).double(m.term);
  if (!Object.is(m.sequence, 0)) w.uint32(17).double(m.sequence);
  if (m.holdMs !== 0) w.uint32(24).uint32(m.holdMs);
  for (const each of m.orders) { w.uint32(34).fork(); writeOrder(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroPrincipal = (): Any => ({ $typeName: "borg.v1.Principal", kind: 0, name: "", user: "", controller: "" });

function makePrincipal(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Principal", kind: i.kind ?? 0, name: i.name ?? "", user: i.user ?? "", controller: i.controller ?? "" };
  return m;
}

function readPrincipal(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.kind = r.int32();
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 26:
        m.user = r.string(true);
        break;
      case 34:
        m.controller = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writePrincipal(w: BinaryWriter, m: Any): void {
  if (m.kind !== 0) w.uint32(8).int32(m.kind);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.user !== "") w.uint32(26).string(m.user);
  if (m.controller !== "") w.uint32(34).string(m.controller);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroQueryColumn = (): Any => ({ $typeName: "borg.v1.QueryColumn", name: "", type: "" });

function makeQueryColumn(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.QueryColumn", name: i.name ?? "", type: i.type ?? "" };
  return m;
}

function readQueryColumn(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.type = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeQueryColumn(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.type !== "") w.uint32(18).string(m.type);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroQuota = (): Any => ({ $typeName: "borg.v1.Quota", unlimited: false, untilMs: 0 });

function makeQuota(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Quota", unlimited: i.unlimited ?? false, untilMs: i.untilMs ?? 0 };
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.ports !== undefined) m.ports = i.ports;
  if (i.diskBandwidth !== undefined) m.diskBandwidth = i.diskBandwidth;
  return m;
}

function readQuota(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 16:
        m.ports = r.uint32();
        break;
      case 25:
        m.diskBandwidth = r.double();
        break;
      case 32:
        m.unlimited = r.bool();
        break;
      case 41:
        m.untilMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeQuota(w: BinaryWriter, m: Any): void {
  if (m.limit !== undefined) { w.uint32(10).fork(); writeResources(w, m.limit); w.join(); }
  if (m.ports !== undefined) w.uint32(16).uint32(m.ports);
  if (m.diskBandwidth !== undefined) w.uint32(25).double(m.diskBandwidth);
  if (m.unlimited) w.uint32(32).bool(m.unlimited);
  if (!Object.is(m.untilMs, 0)) w.uint32(41).double(m.untilMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroQuotaReportRow = (): Any => ({ $typeName: "borg.v1.QuotaReportRow", user: "", band: 0, ended: false, quotaCost: 0, chargedCost: 0 });

function makeQuotaReportRow(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.QuotaReportRow", user: i.user ?? "", band: i.band ?? 0, ended: i.ended ?? false, quotaCost: i.quotaCost ?? 0, chargedCost: i.chargedCost ?? 0 };
  if (i.quota !== undefined) m.quota = makeQuota(i.quota);
  if (i.charged !== undefined) m.charged = makeResources(i.charged);
  if (i.running !== undefined) m.running = makeResources(i.running);
  if (i.usage !== undefined) m.usage = makeResources(i.usage);
  return m;
}

function readQuotaReportRow(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 16:
        m.band = r.int32();
        break;
      case 26:
        m.quota = readQuota(m.quota ?? zeroQuota(), r, r.uint32() + r.pos);
        break;
      case 32:
        m.ended = r.bool();
        break;
      case 42:
        m.charged = readResources(m.charged ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 50:
        m.running = readResources(m.running ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 58:
        m.usage = readResources(m.usage ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 65:
        m.quotaCost = r.double();
        break;
      case 73:
        m.chargedCost = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeQuotaReportRow(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.band !== 0) w.uint32(16).int32(m.band);
  if (m.quota !== undefined) { w.uint32(26).fork(); writeQuota(w, m.quota); w.join(); }
  if (m.ended) w.uint32(32).bool(m.ended);
  if (m.charged !== undefined) { w.uint32(42).fork(); writeResources(w, m.charged); w.join(); }
  if (m.running !== undefined) { w.uint32(50).fork(); writeResources(w, m.running); w.join(); }
  if (m.usage !== undefined) { w.uint32(58).fork(); writeResources(w, m.usage); w.join(); }
  if (!Object.is(m.quotaCost, 0)) w.uint32(65).double(m.quotaCost);
  if (!Object.is(m.chargedCost, 0)) w.uint32(73).double(m.chargedCost);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroQuotaSet = (): Any => ({ $typeName: "borg.v1.QuotaSet", user: "", band: 0, oversell: false });

function makeQuotaSet(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.QuotaSet", user: i.user ?? "", band: i.band ?? 0, oversell: i.oversell ?? false };
  if (i.quota !== undefined) m.quota = makeQuota(i.quota);
  return m;
}

function readQuotaSet(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 16:
        m.band = r.int32();
        break;
      case 26:
        m.quota = readQuota(m.quota ?? zeroQuota(), r, r.uint32() + r.pos);
        break;
      case 32:
        m.oversell = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeQuotaSet(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.band !== 0) w.uint32(16).int32(m.band);
  if (m.quota !== undefined) { w.uint32(26).fork(); writeQuota(w, m.quota); w.join(); }
  if (m.oversell) w.uint32(32).bool(m.oversell);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroQuotaView = (): Any => ({ $typeName: "borg.v1.QuotaView", user: "", band: 0 });

function makeQuotaView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.QuotaView", user: i.user ?? "", band: i.band ?? 0 };
  if (i.quota !== undefined) m.quota = makeQuota(i.quota);
  if (i.charged !== undefined) m.charged = makeResources(i.charged);
  return m;
}

function readQuotaView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 16:
        m.band = r.int32();
        break;
      case 26:
        m.quota = readQuota(m.quota ?? zeroQuota(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.charged = readResources(m.charged ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeQuotaView(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.band !== 0) w.uint32(16).int32(m.band);
  if (m.quota !== undefined) { w.uint32(26).fork(); writeQuota(w, m.quota); w.join(); }
  if (m.charged !== undefined) { w.uint32(34).fork(); writeResources(w, m.charged); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReadEventsRequest = (): Any => ({ $typeName: "borg.v1.ReadEventsRequest", afterPosition: 0, afterIndex: 0, about: "", limit: 0, waitMs: 0, selector: "" });

function makeReadEventsRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReadEventsRequest", afterPosition: i.afterPosition ?? 0, afterIndex: i.afterIndex ?? 0, about: i.about ?? "", limit: i.limit ?? 0, waitMs: i.waitMs ?? 0, selector: i.selector ?? "" };
  return m;
}

function readReadEventsRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.afterPosition = r.double();
        break;
      case 16:
        m.afterIndex = r.uint32();
        break;
      case 26:
        m.about = r.string(true);
        break;
      case 32:
        m.limit = r.uint32();
        break;
      case 40:
        m.waitMs = r.uint32();
        break;
      case 50:
        m.selector = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReadEventsRequest(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.afterPosition, 0)) w.uint32(9).double(m.afterPosition);
  if (m.afterIndex !== 0) w.uint32(16).uint32(m.afterIndex);
  if (m.about !== "") w.uint32(26).string(m.about);
  if (m.limit !== 0) w.uint32(32).uint32(m.limit);
  if (m.waitMs !== 0) w.uint32(40).uint32(m.waitMs);
  if (m.selector !== "") w.uint32(50).string(m.selector);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReadEventsResponse = (): Any => ({ $typeName: "borg.v1.ReadEventsResponse", events: [], nextPosition: 0, nextIndex: 0, missed: false });

function makeReadEventsResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReadEventsResponse", events: i.events?.map(makeEventView) ?? [], nextPosition: i.nextPosition ?? 0, nextIndex: i.nextIndex ?? 0, missed: i.missed ?? false };
  return m;
}

function readReadEventsResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.events.push(readEventView(zeroEventView(), r, r.uint32() + r.pos));
        break;
      case 17:
        m.nextPosition = r.double();
        break;
      case 24:
        m.nextIndex = r.uint32();
        break;
      case 32:
        m.missed = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReadEventsResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.events) { w.uint32(10).fork(); writeEventView(w, each); w.join(); }
  if (!Object.is(m.nextPosition, 0)) w.uint32(17).double(m.nextPosition);
  if (m.nextIndex !== 0) w.uint32(24).uint32(m.nextIndex);
  if (m.missed) w.uint32(32).bool(m.missed);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReadFeedRequest = (): Any => ({ $typeName: "borg.v1.ReadFeedRequest", from: 0, waitMs: 0, more: "" });

function makeReadFeedRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReadFeedRequest", from: i.from ?? 0, waitMs: i.waitMs ?? 0, more: i.more ?? "" };
  return m;
}

function readReadFeedRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.from = r.double();
        break;
      case 16:
        m.waitMs = r.uint32();
        break;
      case 26:
        m.more = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReadFeedRequest(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.from, 0)) w.uint32(9).double(m.from);
  if (m.waitMs !== 0) w.uint32(16).uint32(m.waitMs);
  if (m.more !== "") w.uint32(26).string(m.more);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReadFeedResponse = (): Any => ({ $typeName: "borg.v1.ReadFeedResponse", items: [], next: 0, anew: false, piece: [], more: "", timeMs: 0 });

function makeReadFeedResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReadFeedResponse", items: i.items?.map(makeFeedRecords) ?? [], next: i.next ?? 0, anew: i.anew ?? false, piece: i.piece?.map(makeFeedRecord) ?? [], more: i.more ?? "", timeMs: i.timeMs ?? 0 };
  return m;
}

function readReadFeedResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 18:
        m.items.push(readFeedRecords(zeroFeedRecords(), r, r.uint32() + r.pos));
        break;
      case 25:
        m.next = r.double();
        break;
      case 32:
        m.anew = r.bool();
        break;
      case 42:
        m.piece.push(readFeedRecord(zeroFeedRecord(), r, r.uint32() + r.pos));
        break;
      case 50:
        m.more = r.string(true);
        break;
      case 57:
        m.timeMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReadFeedResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.items) { w.uint32(18).fork(); writeFeedRecords(w, each); w.join(); }
  if (!Object.is(m.next, 0)) w.uint32(25).double(m.next);
  if (m.anew) w.uint32(32).bool(m.anew);
  for (const each of m.piece) { w.uint32(42).fork(); writeFeedRecord(w, each); w.join(); }
  if (m.more !== "") w.uint32(50).string(m.more);
  if (!Object.is(m.timeMs, 0)) w.uint32(57).double(m.timeMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReadFileRequest = (): Any => ({ $typeName: "borg.v1.ReadFileRequest", task: "", instance: "", path: "", offset: 0, bytesMax: 0 });

function makeReadFileRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReadFileRequest", task: i.task ?? "", instance: i.instance ?? "", path: i.path ?? "", offset: i.offset ?? 0, bytesMax: i.bytesMax ?? 0 };
  return m;
}

function readReadFileRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = r.string(true);
        break;
      case 18:
        m.instance = r.string(true);
        break;
      case 26:
        m.path = r.string(true);
        break;
      case 33:
        m.offset = r.double();
        break;
      case 40:
        m.bytesMax = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReadFileRequest(w: BinaryWriter, m: Any): void {
  if (m.task !== "") w.uint32(10).string(m.task);
  if (m.instance !== "") w.uint32(18).string(m.instance);
  if (m.path !== "") w.uint32(26).string(m.path);
  if (!Object.is(m.offset, 0)) w.uint32(33).double(m.offset);
  if (m.bytesMax !== 0) w.uint32(40).uint32(m.bytesMax);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReadFileResponse = (): Any => ({ $typeName: "borg.v1.ReadFileResponse", instance: "", machine: "", kind: 0, bytes: 0, data: NONE, entries: [], more: false });

function makeReadFileResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReadFileResponse", instance: i.instance ?? "", machine: i.machine ?? "", kind: i.kind ?? 0, bytes: i.bytes ?? 0, data: i.data ?? NONE, entries: i.entries?.map(makeFileEntry) ?? [], more: i.more ?? false };
  return m;
}

function readReadFileResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 18:
        m.machine = r.string(true);
        break;
      case 24:
        m.kind = r.int32();
        break;
      case 33:
        m.bytes = r.double();
        break;
      case 42:
        m.data = r.bytes();
        break;
      case 50:
        m.entries.push(readFileEntry(zeroFileEntry(), r, r.uint32() + r.pos));
        break;
      case 56:
        m.more = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReadFileResponse(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (m.kind !== 0) w.uint32(24).int32(m.kind);
  if (!Object.is(m.bytes, 0)) w.uint32(33).double(m.bytes);
  if (m.data.length > 0) w.uint32(42).bytes(m.data);
  for (const each of m.entries) { w.uint32(50).fork(); writeFileEntry(w, each); w.join(); }
  if (m.more) w.uint32(56).bool(m.more);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReadLogRequest = (): Any => ({ $typeName: "borg.v1.ReadLogRequest", task: "", instance: "", stream: 0, offset: 0, fromEnd: false, bytesMax: 0, waitMs: 0, sinceMs: 0, times: false });

function makeReadLogRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReadLogRequest", task: i.task ?? "", instance: i.instance ?? "", stream: i.stream ?? 0, offset: i.offset ?? 0, fromEnd: i.fromEnd ?? false, bytesMax: i.bytesMax ?? 0, waitMs: i.waitMs ?? 0, sinceMs: i.sinceMs ?? 0, times: i.times ?? false };
  return m;
}

function readReadLogRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = r.string(true);
        break;
      case 18:
        m.instance = r.string(true);
        break;
      case 24:
        m.stream = r.int32();
        break;
      case 33:
        m.offset = r.double();
        break;
      case 40:
        m.fromEnd = r.bool();
        break;
      case 48:
        m.bytesMax = r.uint32();
        break;
      case 56:
        m.waitMs = r.uint32();
        break;
      case 65:
        m.sinceMs = r.double();
        break;
      case 72:
        m.times = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReadLogRequest(w: BinaryWriter, m: Any): void {
  if (m.task !== "") w.uint32(10).string(m.task);
  if (m.instance !== "") w.uint32(18).string(m.instance);
  if (m.stream !== 0) w.uint32(24).int32(m.stream);
  if (!Object.is(m.offset, 0)) w.uint32(33).double(m.offset);
  if (m.fromEnd) w.uint32(40).bool(m.fromEnd);
  if (m.bytesMax !== 0) w.uint32(48).uint32(m.bytesMax);
  if (m.waitMs !== 0) w.uint32(56).uint32(m.waitMs);
  if (!Object.is(m.sinceMs, 0)) w.uint32(65).double(m.sinceMs);
  if (m.times) w.uint32(72).bool(m.times);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReadLogResponse = (): Any => ({ $typeName: "borg.v1.ReadLogResponse", instance: "", machine: "", offset: 0, data: NONE, nextOffset: 0, ended: false, newerInstance: "", marks: [], timed: false });

function makeReadLogResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReadLogResponse", instance: i.instance ?? "", machine: i.machine ?? "", offset: i.offset ?? 0, data: i.data ?? NONE, nextOffset: i.nextOffset ?? 0, ended: i.ended ?? false, newerInstance: i.newerInstance ?? "", marks: i.marks?.map(makeLogMark) ?? [], timed: i.timed ?? false };
  return m;
}

function readReadLogResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 18:
        m.machine = r.string(true);
        break;
      case 25:
        m.offset = r.double();
        break;
      case 34:
        m.data = r.bytes();
        break;
      case 41:
        m.nextOffset = r.double();
        break;
      case 48:
        m.ended = r.bool();
        break;
      case 58:
        m.newerInstance = r.string(true);
        break;
      case 66:
        m.marks.push(readLogMark(zeroLogMark(), r, r.uint32() + r.pos));
        break;
      case 72:
        m.timed = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReadLogResponse(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (!Object.is(m.offset, 0)) w.uint32(25).double(m.offset);
  if (m.data.length > 0) w.uint32(34).bytes(m.data);
  if (!Object.is(m.nextOffset, 0)) w.uint32(41).double(m.nextOffset);
  if (m.ended) w.uint32(48).bool(m.ended);
  if (m.newerInstance !== "") w.uint32(58).string(m.newerInstance);
  for (const each of m.marks) { w.uint32(66).fork(); writeLogMark(w, each); w.join(); }
  if (m.timed) w.uint32(72).bool(m.timed);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReadUsageRequest = (): Any => ({ $typeName: "borg.v1.ReadUsageRequest", task: "" });

function makeReadUsageRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReadUsageRequest", task: i.task ?? "" };
  return m;
}

function readReadUsageRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReadUsageRequest(w: BinaryWriter, m: Any): void {
  if (m.task !== "") w.uint32(10).string(m.task);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReadUsageResponse = (): Any => ({ $typeName: "borg.v1.ReadUsageResponse", instance: "", machine: "", timeMs: 0, moments: [] });

function makeReadUsageResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReadUsageResponse", instance: i.instance ?? "", machine: i.machine ?? "", timeMs: i.timeMs ?? 0, moments: i.moments?.map(makeUsageMoment) ?? [] };
  return m;
}

function readReadUsageResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 18:
        m.machine = r.string(true);
        break;
      case 25:
        m.timeMs = r.double();
        break;
      case 34:
        m.moments.push(readUsageMoment(zeroUsageMoment(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReadUsageResponse(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (!Object.is(m.timeMs, 0)) w.uint32(25).double(m.timeMs);
  for (const each of m.moments) { w.uint32(34).fork(); writeUsageMoment(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReclaimRow = (): Any => ({ $typeName: "borg.v1.ReclaimRow", name: "", tasks: 0, tasksInReclaimed: 0, partInReclaimed: 0 });

function makeReclaimRow(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReclaimRow", name: i.name ?? "", tasks: i.tasks ?? 0, tasksInReclaimed: i.tasksInReclaimed ?? 0, partInReclaimed: i.partInReclaimed ?? 0 };
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.reservation !== undefined) m.reservation = makeResources(i.reservation);
  if (i.usage !== undefined) m.usage = makeResources(i.usage);
  if (i.reclaimed !== undefined) m.reclaimed = makeResources(i.reclaimed);
  if (i.prodLimit !== undefined) m.prodLimit = makeResources(i.prodLimit);
  if (i.limitInReclaimed !== undefined) m.limitInReclaimed = makeResources(i.limitInReclaimed);
  return m;
}

function readReclaimRow(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 17:
        m.tasks = r.double();
        break;
      case 26:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.reservation = readResources(m.reservation ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.usage = readResources(m.usage ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 50:
        m.reclaimed = readResources(m.reclaimed ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 57:
        m.tasksInReclaimed = r.double();
        break;
      case 66:
        m.prodLimit = readResources(m.prodLimit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.limitInReclaimed = readResources(m.limitInReclaimed ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 81:
        m.partInReclaimed = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReclaimRow(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (!Object.is(m.tasks, 0)) w.uint32(17).double(m.tasks);
  if (m.limit !== undefined) { w.uint32(26).fork(); writeResources(w, m.limit); w.join(); }
  if (m.reservation !== undefined) { w.uint32(34).fork(); writeResources(w, m.reservation); w.join(); }
  if (m.usage !== undefined) { w.uint32(42).fork(); writeResources(w, m.usage); w.join(); }
  if (m.reclaimed !== undefined) { w.uint32(50).fork(); writeResources(w, m.reclaimed); w.join(); }
  if (!Object.is(m.tasksInReclaimed, 0)) w.uint32(57).double(m.tasksInReclaimed);
  if (m.prodLimit !== undefined) { w.uint32(66).fork(); writeResources(w, m.prodLimit); w.join(); }
  if (m.limitInReclaimed !== undefined) { w.uint32(74).fork(); writeResources(w, m.limitInReclaimed); w.join(); }
  if (!Object.is(m.partInReclaimed, 0)) w.uint32(81).double(m.partInReclaimed);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReclamationSet = (): Any => ({ $typeName: "borg.v1.ReclamationSet", reclamation: 0 });

function makeReclamationSet(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReclamationSet", reclamation: i.reclamation ?? 0 };
  return m;
}

function readReclamationSet(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.reclamation = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReclamationSet(w: BinaryWriter, m: Any): void {
  if (m.reclamation !== 0) w.uint32(8).int32(m.reclamation);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRedial = (): Any => ({ $typeName: "borg.v1.Redial", machine: "" });

function makeRedial(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Redial", machine: i.machine ?? "" };
  return m;
}

function readRedial(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRedial(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRemoveMachineRequest = (): Any => ({ $typeName: "borg.v1.RemoveMachineRequest", requestId: "", machine: "" });

function makeRemoveMachineRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RemoveMachineRequest", requestId: i.requestId ?? "", machine: i.machine ?? "" };
  return m;
}

function readRemoveMachineRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.machine = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRemoveMachineRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRemovePackageRequest = (): Any => ({ $typeName: "borg.v1.RemovePackageRequest", requestId: "", user: "", name: "", digest: "" });

function makeRemovePackageRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RemovePackageRequest", requestId: i.requestId ?? "", user: i.user ?? "", name: i.name ?? "", digest: i.digest ?? "" };
  return m;
}

function readRemovePackageRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 26:
        m.name = r.string(true);
        break;
      case 34:
        m.digest = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRemovePackageRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.name !== "") w.uint32(26).string(m.name);
  if (m.digest !== "") w.uint32(34).string(m.digest);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRemoveSecretRequest = (): Any => ({ $typeName: "borg.v1.RemoveSecretRequest", requestId: "", user: "", name: "" });

function makeRemoveSecretRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RemoveSecretRequest", requestId: i.requestId ?? "", user: i.user ?? "", name: i.name ?? "" };
  return m;
}

function readRemoveSecretRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 26:
        m.name = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRemoveSecretRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.name !== "") w.uint32(26).string(m.name);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRemovedRecord = (): Any => ({ $typeName: "borg.v1.RemovedRecord", kind: 0, id: "" });

function makeRemovedRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RemovedRecord", kind: i.kind ?? 0, id: i.id ?? "" };
  return m;
}

function readRemovedRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.kind = r.int32();
        break;
      case 18:
        m.id = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRemovedRecord(w: BinaryWriter, m: Any): void {
  if (m.kind !== 0) w.uint32(8).int32(m.kind);
  if (m.id !== "") w.uint32(18).string(m.id);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReport = (): Any => ({ $typeName: "borg.v1.Report", machine: "", term: 0, sequence: 0, instances: [], usage: [], allocs: [] });

function makeReport(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Report", machine: i.machine ?? "", term: i.term ?? 0, sequence: i.sequence ?? 0, instances: i.instances?.map(makeInstanceReport) ?? [], usage: i.usage?.map(makeUsage) ?? [], allocs: i.allocs ?? [] };
  if (i.facts !== undefined) m.facts = makeMachineFacts(i.facts);
  if (i.strain !== undefined) m.strain = makeStrain(i.strain);
  return m;
}

function readReport(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 17:
        m.term = r.double();
        break;
      case 25:
        m.sequence = r.double();
        break;
      case 34:
        m.facts = readMachineFacts(m.facts ?? zeroMachineFacts(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.instances.push(readInstanceReport(zeroInstanceReport(), r, r.uint32() + r.pos));
        break;
      case 50:
        m.usage.push(readUsage(zeroUsage(), r, r.uint32() + r.pos));
        break;
      case 58:
        m.allocs.push(r.string(true));
        break;
      case 66:
        m.strain = readStrain(m.strain ?? zeroStrain(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReport(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (!Object.is(m.term, 0)) w.uint32(17).double(m.term);
  if (!Object.is(m.sequence, 0)) w.uint32(25).double(m.sequence);
  if (m.facts !== undefined) { w.uint32(34).fork(); writeMachineFacts(w, m.facts); w.join(); }
  for (const each of m.instances) { w.uint32(42).fork(); writeInstanceReport(w, each); w.join(); }
  for (const each of m.usage) { w.uint32(50).fork(); writeUsage(w, each); w.join(); }
  for (const each of m.allocs) w.uint32(58).string(each);
  if (m.strain !== undefined) { w.uint32(66).fork(); writeStrain(w, m.strain); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReportEvictionsRequest = (): Any => ({ $typeName: "borg.v1.ReportEvictionsRequest", days: 0 });

function makeReportEvictionsRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReportEvictionsRequest", days: i.days ?? 0 };
  return m;
}

function readReportEvictionsRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.days = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReportEvictionsRequest(w: BinaryWriter, m: Any): void {
  if (m.days !== 0) w.uint32(8).uint32(m.days);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReportEvictionsResponse = (): Any => ({ $typeName: "borg.v1.ReportEvictionsResponse", timeMs: 0, days: [] });

function makeReportEvictionsResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReportEvictionsResponse", timeMs: i.timeMs ?? 0, days: i.days?.map(makeEvictionDay) ?? [] };
  return m;
}

function readReportEvictionsResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.timeMs = r.double();
        break;
      case 18:
        m.days.push(readEvictionDay(zeroEvictionDay(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReportEvictionsResponse(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.timeMs, 0)) w.uint32(9).double(m.timeMs);
  for (const each of m.days) { w.uint32(18).fork(); writeEvictionDay(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReportQuotaRequest = (): Any => ({ $typeName: "borg.v1.ReportQuotaRequest", user: "", after: "", limit: 0 });

function makeReportQuotaRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReportQuotaRequest", user: i.user ?? "", after: i.after ?? "", limit: i.limit ?? 0 };
  return m;
}

function readReportQuotaRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.after = r.string(true);
        break;
      case 24:
        m.limit = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReportQuotaRequest(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.after !== "") w.uint32(18).string(m.after);
  if (m.limit !== 0) w.uint32(24).uint32(m.limit);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReportQuotaResponse = (): Any => ({ $typeName: "borg.v1.ReportQuotaResponse", rows: [], more: false });

function makeReportQuotaResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReportQuotaResponse", rows: i.rows?.map(makeQuotaReportRow) ?? [], more: i.more ?? false };
  if (i.capacity !== undefined) m.capacity = makeResources(i.capacity);
  if (i.sold !== undefined) m.sold = makeResources(i.sold);
  return m;
}

function readReportQuotaResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.rows.push(readQuotaReportRow(zeroQuotaReportRow(), r, r.uint32() + r.pos));
        break;
      case 16:
        m.more = r.bool();
        break;
      case 26:
        m.capacity = readResources(m.capacity ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.sold = readResources(m.sold ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReportQuotaResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.rows) { w.uint32(10).fork(); writeQuotaReportRow(w, each); w.join(); }
  if (m.more) w.uint32(16).bool(m.more);
  if (m.capacity !== undefined) { w.uint32(26).fork(); writeResources(w, m.capacity); w.join(); }
  if (m.sold !== undefined) { w.uint32(34).fork(); writeResources(w, m.sold); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReportReclaimRequest = (): Any => ({ $typeName: "borg.v1.ReportReclaimRequest", by: 0, user: "", after: "", limit: 0 });

function makeReportReclaimRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReportReclaimRequest", by: i.by ?? 0, user: i.user ?? "", after: i.after ?? "", limit: i.limit ?? 0 };
  return m;
}

function readReportReclaimRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.by = r.int32();
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 26:
        m.after = r.string(true);
        break;
      case 32:
        m.limit = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReportReclaimRequest(w: BinaryWriter, m: Any): void {
  if (m.by !== 0) w.uint32(8).int32(m.by);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.after !== "") w.uint32(26).string(m.after);
  if (m.limit !== 0) w.uint32(32).uint32(m.limit);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReportReclaimResponse = (): Any => ({ $typeName: "borg.v1.ReportReclaimResponse", reclamation: 0, rows: [], more: false });

function makeReportReclaimResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReportReclaimResponse", reclamation: i.reclamation ?? 0, rows: i.rows?.map(makeReclaimRow) ?? [], more: i.more ?? false };
  if (i.capacity !== undefined) m.capacity = makeResources(i.capacity);
  return m;
}

function readReportReclaimResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.reclamation = r.int32();
        break;
      case 18:
        m.capacity = readResources(m.capacity ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.rows.push(readReclaimRow(zeroReclaimRow(), r, r.uint32() + r.pos));
        break;
      case 32:
        m.more = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReportReclaimResponse(w: BinaryWriter, m: Any): void {
  if (m.reclamation !== 0) w.uint32(8).int32(m.reclamation);
  if (m.capacity !== undefined) { w.uint32(18).fork(); writeResources(w, m.capacity); w.join(); }
  for (const each of m.rows) { w.uint32(26).fork(); writeReclaimRow(w, each); w.join(); }
  if (m.more) w.uint32(32).bool(m.more);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReportShapesRequest = (): Any => ({ $typeName: "borg.v1.ReportShapesRequest" });

function makeReportShapesRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReportShapesRequest" };
  return m;
}

function readReportShapesRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReportShapesRequest(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReportShapesResponse = (): Any => ({ $typeName: "borg.v1.ReportShapesResponse", machines: 0, rows: [] });

function makeReportShapesResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ReportShapesResponse", machines: i.machines ?? 0, rows: i.rows?.map(makeShapeRow) ?? [] };
  return m;
}

function readReportShapesResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.machines = r.uint32();
        break;
      case 18:
        m.rows.push(readShapeRow(zeroShapeRow(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReportShapesResponse(w: BinaryWriter, m: Any): void {
  if (m.machines !== 0) w.uint32(8).uint32(m.machines);
  for (const each of m.rows) { w.uint32(18).fork(); writeShapeRow(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReports = (): Any => ({ $typeName: "borg.v1.Reports", reports: [] });

function makeReports(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Reports", reports: i.reports?.map(makeReport) ?? [] };
  return m;
}

function readReports(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.reports.push(readReport(zeroReport(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReports(w: BinaryWriter, m: Any): void {
  for (const each of m.reports) { w.uint32(10).fork(); writeReport(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRequestRecord = (): Any => ({ $typeName: "borg.v1.RequestRecord", id: "", position: 0, timeMs: 0, what: "", digest: NONE });

function makeRequestRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RequestRecord", id: i.id ?? "", position: i.position ?? 0, timeMs: i.timeMs ?? 0, what: i.what ?? "", digest: i.digest ?? NONE };
  return m;
}

function readRequestRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = r.string(true);
        break;
      case 17:
        m.position = r.double();
        break;
      case 25:
        m.timeMs = r.double();
        break;
      case 34:
        m.what = r.string(true);
        break;
      case 42:
        m.digest = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRequestRecord(w: BinaryWriter, m: Any): void {
  if (m.id !== "") w.uint32(10).string(m.id);
  if (!Object.is(m.position, 0)) w.uint32(17).double(m.position);
  if (!Object.is(m.timeMs, 0)) w.uint32(25).double(m.timeMs);
  if (m.what !== "") w.uint32(34).string(m.what);
  if (m.digest.length > 0) w.uint32(42).bytes(m.digest);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReservation = (): Any => ({ $typeName: "borg.v1.Reservation", instance: "" });

function makeReservation(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Reservation", instance: i.instance ?? "" };
  if (i.amount !== undefined) m.amount = makeResources(i.amount);
  return m;
}

function readReservation(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 18:
        m.amount = readResources(m.amount ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReservation(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.amount !== undefined) { w.uint32(18).fork(); writeResources(w, m.amount); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroReservations = (): Any => ({ $typeName: "borg.v1.Reservations", machine: "", reservations: [] });

function makeReservations(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Reservations", machine: i.machine ?? "", reservations: i.reservations?.map(makeReservation) ?? [] };
  return m;
}

function readReservations(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.reservations.push(readReservation(zeroReservation(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeReservations(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  for (const each of m.reservations) { w.uint32(18).fork(); writeReservation(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroResizeJobRequest = (): Any => ({ $typeName: "borg.v1.ResizeJobRequest", requestId: "", job: "", count: 0 });

function makeResizeJobRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ResizeJobRequest", requestId: i.requestId ?? "", job: i.job ?? "", count: i.count ?? 0 };
  return m;
}

function readResizeJobRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.job = r.string(true);
        break;
      case 24:
        m.count = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeResizeJobRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.job !== "") w.uint32(18).string(m.job);
  if (m.count !== 0) w.uint32(24).uint32(m.count);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroResolveRequest = (): Any => ({ $typeName: "borg.v1.ResolveRequest", name: "", user: "", service: "", all: false, version: "", waitMs: 0 });

function makeResolveRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ResolveRequest", name: i.name ?? "", user: i.user ?? "", service: i.service ?? "", all: i.all ?? false, version: i.version ?? "", waitMs: i.waitMs ?? 0 };
  return m;
}

function readResolveRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 26:
        m.service = r.string(true);
        break;
      case 32:
        m.all = r.bool();
        break;
      case 42:
        m.version = r.string(true);
        break;
      case 48:
        m.waitMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeResolveRequest(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.service !== "") w.uint32(26).string(m.service);
  if (m.all) w.uint32(32).bool(m.all);
  if (m.version !== "") w.uint32(42).string(m.version);
  if (m.waitMs !== 0) w.uint32(48).uint32(m.waitMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroResolveResponse = (): Any => ({ $typeName: "borg.v1.ResolveResponse", kind: "", size: 0, ready: 0, tasks: [], more: false, version: "", unchanged: false });

function makeResolveResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ResolveResponse", kind: i.kind ?? "", size: i.size ?? 0, ready: i.ready ?? 0, tasks: i.tasks?.map(makeNamedTask) ?? [], more: i.more ?? false, version: i.version ?? "", unchanged: i.unchanged ?? false };
  return m;
}

function readResolveResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.kind = r.string(true);
        break;
      case 16:
        m.size = r.uint32();
        break;
      case 24:
        m.ready = r.uint32();
        break;
      case 34:
        m.tasks.push(readNamedTask(zeroNamedTask(), r, r.uint32() + r.pos));
        break;
      case 40:
        m.more = r.bool();
        break;
      case 50:
        m.version = r.string(true);
        break;
      case 56:
        m.unchanged = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeResolveResponse(w: BinaryWriter, m: Any): void {
  if (m.kind !== "") w.uint32(10).string(m.kind);
  if (m.size !== 0) w.uint32(16).uint32(m.size);
  if (m.ready !== 0) w.uint32(24).uint32(m.ready);
  for (const each of m.tasks) { w.uint32(34).fork(); writeNamedTask(w, each); w.join(); }
  if (m.more) w.uint32(40).bool(m.more);
  if (m.version !== "") w.uint32(50).string(m.version);
  if (m.unchanged) w.uint32(56).bool(m.unchanged);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroResources = (): Any => ({ $typeName: "borg.v1.Resources", cpuMilli: 0, ramBytes: 0, diskBytes: 0, diskBandwidth: 0, extras: [] });

function makeResources(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Resources", cpuMilli: i.cpuMilli ?? 0, ramBytes: i.ramBytes ?? 0, diskBytes: i.diskBytes ?? 0, diskBandwidth: i.diskBandwidth ?? 0, extras: i.extras?.map(makeExtra) ?? [] };
  return m;
}

function readResources(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.cpuMilli = r.double();
        break;
      case 17:
        m.ramBytes = r.double();
        break;
      case 25:
        m.diskBytes = r.double();
        break;
      case 33:
        m.diskBandwidth = r.double();
        break;
      case 42:
        m.extras.push(readExtra(zeroExtra(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeResources(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.cpuMilli, 0)) w.uint32(9).double(m.cpuMilli);
  if (!Object.is(m.ramBytes, 0)) w.uint32(17).double(m.ramBytes);
  if (!Object.is(m.diskBytes, 0)) w.uint32(25).double(m.diskBytes);
  if (!Object.is(m.diskBandwidth, 0)) w.uint32(33).double(m.diskBandwidth);
  for (const each of m.extras) { w.uint32(42).fork(); writeExtra(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRestartJobRequest = (): Any => ({ $typeName: "borg.v1.RestartJobRequest", requestId: "", job: "", tasks: [] });

function makeRestartJobRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RestartJobRequest", requestId: i.requestId ?? "", job: i.job ?? "", tasks: i.tasks ?? [] };
  return m;
}

function readRestartJobRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.job = r.string(true);
        break;
      case 24:
        m.tasks.push(r.uint32());
        break;
      case 26:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.tasks.push(r.uint32());
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRestartJobRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.job !== "") w.uint32(18).string(m.job);
  if (m.tasks.length > 0) {
    w.uint32(26).fork();
    for (const each of m.tasks) w.uint32(each);
    w.join();
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRestartPolicy = (): Any => ({ $typeName: "borg.v1.RestartPolicy", when: 0, backoffMinMs: 0, backoffMaxMs: 0, fatalExits: [], okExits: [] });

function makeRestartPolicy(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RestartPolicy", when: i.when ?? 0, backoffMinMs: i.backoffMinMs ?? 0, backoffMaxMs: i.backoffMaxMs ?? 0, fatalExits: i.fatalExits ?? [], okExits: i.okExits ?? [] };
  if (i.inPlaceMax !== undefined) m.inPlaceMax = i.inPlaceMax;
  if (i.failuresMax !== undefined) m.failuresMax = i.failuresMax;
  return m;
}

function readRestartPolicy(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.when = r.int32();
        break;
      case 16:
        m.inPlaceMax = r.uint32();
        break;
      case 24:
        m.failuresMax = r.uint32();
        break;
      case 32:
        m.backoffMinMs = r.uint32();
        break;
      case 40:
        m.backoffMaxMs = r.uint32();
        break;
      case 48:
        m.fatalExits.push(r.uint32());
        break;
      case 50:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.fatalExits.push(r.uint32());
        break;
      case 56:
        m.okExits.push(r.uint32());
        break;
      case 58:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.okExits.push(r.uint32());
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRestartPolicy(w: BinaryWriter, m: Any): void {
  if (m.when !== 0) w.uint32(8).int32(m.when);
  if (m.inPlaceMax !== undefined) w.uint32(16).uint32(m.inPlaceMax);
  if (m.failuresMax !== undefined) w.uint32(24).uint32(m.failuresMax);
  if (m.backoffMinMs !== 0) w.uint32(32).uint32(m.backoffMinMs);
  if (m.backoffMaxMs !== 0) w.uint32(40).uint32(m.backoffMaxMs);
  if (m.fatalExits.length > 0) {
    w.uint32(50).fork();
    for (const each of m.fatalExits) w.uint32(each);
    w.join();
  }
  if (m.okExits.length > 0) {
    w.uint32(58).fork();
    for (const each of m.okExits) w.uint32(each);
    w.join();
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRevokeTokenRequest = (): Any => ({ $typeName: "borg.v1.RevokeTokenRequest", requestId: "", user: "", id: "" });

function makeRevokeTokenRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RevokeTokenRequest", requestId: i.requestId ?? "", user: i.user ?? "", id: i.id ?? "" };
  return m;
}

function readRevokeTokenRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 26:
        m.id = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRevokeTokenRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.id !== "") w.uint32(26).string(m.id);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRoleSet = (): Any => ({ $typeName: "borg.v1.RoleSet" });

function makeRoleSet(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RoleSet" };
  if (i.role !== undefined) m.role = makeFrameworkRole(i.role);
  return m;
}

function readRoleSet(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.role = readFrameworkRole(m.role ?? zeroFrameworkRole(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRoleSet(w: BinaryWriter, m: Any): void {
  if (m.role !== undefined) { w.uint32(10).fork(); writeFrameworkRole(w, m.role); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRoleView = (): Any => ({ $typeName: "borg.v1.RoleView", frameworks: 0, share: 0 });

function makeRoleView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RoleView", frameworks: i.frameworks ?? 0, share: i.share ?? 0 };
  if (i.role !== undefined) m.role = makeFrameworkRole(i.role);
  if (i.used !== undefined) m.used = makeResources(i.used);
  return m;
}

function readRoleView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.role = readFrameworkRole(m.role ?? zeroFrameworkRole(), r, r.uint32() + r.pos);
        break;
      case 16:
        m.frameworks = r.uint32();
        break;
      case 26:
        m.used = readResources(m.used ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 32:
        m.share = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRoleView(w: BinaryWriter, m: Any): void {
  if (m.role !== undefined) { w.uint32(10).fork(); writeFrameworkRole(w, m.role); w.join(); }
  if (m.frameworks !== 0) w.uint32(16).uint32(m.frameworks);
  if (m.used !== undefined) { w.uint32(26).fork(); writeResources(w, m.used); w.join(); }
  if (m.share !== 0) w.uint32(32).uint32(m.share);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRotateSecretKeyRequest = (): Any => ({ $typeName: "borg.v1.RotateSecretKeyRequest", goOn: false });

function makeRotateSecretKeyRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RotateSecretKeyRequest", goOn: i.goOn ?? false };
  return m;
}

function readRotateSecretKeyRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.goOn = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRotateSecretKeyRequest(w: BinaryWriter, m: Any): void {
  if (m.goOn) w.uint32(8).bool(m.goOn);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRotateSecretKeyResponse = (): Any => ({ $typeName: "borg.v1.RotateSecretKeyResponse", keyId: "", left: 0, lost: 0, held: 0, needed: 0, masters: 0 });

function makeRotateSecretKeyResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RotateSecretKeyResponse", keyId: i.keyId ?? "", left: i.left ?? 0, lost: i.lost ?? 0, held: i.held ?? 0, needed: i.needed ?? 0, masters: i.masters ?? 0 };
  return m;
}

function readRotateSecretKeyResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.keyId = r.string(true);
        break;
      case 16:
        m.left = r.uint32();
        break;
      case 24:
        m.lost = r.uint32();
        break;
      case 32:
        m.held = r.uint32();
        break;
      case 40:
        m.needed = r.uint32();
        break;
      case 48:
        m.masters = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRotateSecretKeyResponse(w: BinaryWriter, m: Any): void {
  if (m.keyId !== "") w.uint32(10).string(m.keyId);
  if (m.left !== 0) w.uint32(16).uint32(m.left);
  if (m.lost !== 0) w.uint32(24).uint32(m.lost);
  if (m.held !== 0) w.uint32(32).uint32(m.held);
  if (m.needed !== 0) w.uint32(40).uint32(m.needed);
  if (m.masters !== 0) w.uint32(48).uint32(m.masters);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRunQueryRequest = (): Any => ({ $typeName: "borg.v1.RunQueryRequest", sql: "", parquet: false, more: "" });

function makeRunQueryRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RunQueryRequest", sql: i.sql ?? "", parquet: i.parquet ?? false, more: i.more ?? "" };
  return m;
}

function readRunQueryRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.sql = r.string(true);
        break;
      case 16:
        m.parquet = r.bool();
        break;
      case 26:
        m.more = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRunQueryRequest(w: BinaryWriter, m: Any): void {
  if (m.sql !== "") w.uint32(10).string(m.sql);
  if (m.parquet) w.uint32(16).bool(m.parquet);
  if (m.more !== "") w.uint32(26).string(m.more);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroRunQueryResponse = (): Any => ({ $typeName: "borg.v1.RunQueryResponse", columns: [], rows: [], parquet: NONE, more: "" });

function makeRunQueryResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.RunQueryResponse", columns: i.columns?.map(makeQueryColumn) ?? [], rows: i.rows ?? [], parquet: i.parquet ?? NONE, more: i.more ?? "" };
  return m;
}

function readRunQueryResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.columns.push(readQueryColumn(zeroQueryColumn(), r, r.uint32() + r.pos));
        break;
      case 18:
        m.rows.push(r.string(true));
        break;
      case 26:
        m.parquet = r.bytes();
        break;
      case 34:
        m.more = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeRunQueryResponse(w: BinaryWriter, m: Any): void {
  for (const each of m.columns) { w.uint32(10).fork(); writeQueryColumn(w, each); w.join(); }
  for (const each of m.rows) w.uint32(18).string(each);
  if (m.parquet.length > 0) w.uint32(26).bytes(m.parquet);
  if (m.more !== "") w.uint32(34).string(m.more);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSchedulerLimits = (): Any => ({ $typeName: "borg.v1.SchedulerLimits", priorityMin: 0, priorityMax: 0, coarse: false, user: "" });

function makeSchedulerLimits(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SchedulerLimits", priorityMin: i.priorityMin ?? 0, priorityMax: i.priorityMax ?? 0, coarse: i.coarse ?? false, user: i.user ?? "" };
  if (i.cap !== undefined) m.cap = makeResources(i.cap);
  if (i.jobsMax !== undefined) m.jobsMax = i.jobsMax;
  return m;
}

function readSchedulerLimits(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.priorityMin = r.uint32();
        break;
      case 16:
        m.priorityMax = r.uint32();
        break;
      case 26:
        m.cap = readResources(m.cap ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 32:
        m.jobsMax = r.uint32();
        break;
      case 40:
        m.coarse = r.bool();
        break;
      case 50:
        m.user = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSchedulerLimits(w: BinaryWriter, m: Any): void {
  if (m.priorityMin !== 0) w.uint32(8).uint32(m.priorityMin);
  if (m.priorityMax !== 0) w.uint32(16).uint32(m.priorityMax);
  if (m.cap !== undefined) { w.uint32(26).fork(); writeResources(w, m.cap); w.join(); }
  if (m.jobsMax !== undefined) w.uint32(32).uint32(m.jobsMax);
  if (m.coarse) w.uint32(40).bool(m.coarse);
  if (m.user !== "") w.uint32(50).string(m.user);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSchedulerRecord = (): Any => ({ $typeName: "borg.v1.SchedulerRecord", name: "" });

function makeSchedulerRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SchedulerRecord", name: i.name ?? "" };
  if (i.limits !== undefined) m.limits = makeSchedulerLimits(i.limits);
  return m;
}

function readSchedulerRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.limits = readSchedulerLimits(m.limits ?? zeroSchedulerLimits(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSchedulerRecord(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.limits !== undefined) { w.uint32(18).fork(); writeSchedulerLimits(w, m.limits); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSchedulerSet = (): Any => ({ $typeName: "borg.v1.SchedulerSet", name: "" });

function makeSchedulerSet(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SchedulerSet", name: i.name ?? "" };
  if (i.limits !== undefined) m.limits = makeSchedulerLimits(i.limits);
  return m;
}

function readSchedulerSet(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.limits = readSchedulerLimits(m.limits ?? zeroSchedulerLimits(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSchedulerSet(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.limits !== undefined) { w.uint32(18).fork(); writeSchedulerLimits(w, m.limits); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSchedulerView = (): Any => ({ $typeName: "borg.v1.SchedulerView", name: "", jobs: 0, transactions: 0, claims: 0, refused: 0, placed: 0, victims: 0, firstClaims: 0, firstWaitMs: 0, firstWaitMsMax: 0, busyMs: 0, upMs: 0 });

function makeSchedulerView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SchedulerView", name: i.name ?? "", jobs: i.jobs ?? 0, transactions: i.transactions ?? 0, claims: i.claims ?? 0, refused: i.refused ?? 0, placed: i.placed ?? 0, victims: i.victims ?? 0, firstClaims: i.firstClaims ?? 0, firstWaitMs: i.firstWaitMs ?? 0, firstWaitMsMax: i.firstWaitMsMax ?? 0, busyMs: i.busyMs ?? 0, upMs: i.upMs ?? 0 };
  if (i.limits !== undefined) m.limits = makeSchedulerLimits(i.limits);
  if (i.claimed !== undefined) m.claimed = makeResources(i.claimed);
  return m;
}

function readSchedulerView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.limits = readSchedulerLimits(m.limits ?? zeroSchedulerLimits(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.claimed = readResources(m.claimed ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 32:
        m.jobs = r.uint32();
        break;
      case 41:
        m.transactions = r.double();
        break;
      case 49:
        m.claims = r.double();
        break;
      case 57:
        m.refused = r.double();
        break;
      case 65:
        m.placed = r.double();
        break;
      case 73:
        m.victims = r.double();
        break;
      case 81:
        m.firstClaims = r.double();
        break;
      case 89:
        m.firstWaitMs = r.double();
        break;
      case 97:
        m.firstWaitMsMax = r.double();
        break;
      case 105:
        m.busyMs = r.double();
        break;
      case 113:
        m.upMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSchedulerView(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.limits !== undefined) { w.uint32(18).fork(); writeSchedulerLimits(w, m.limits); w.join(); }
  if (m.claimed !== undefined) { w.uint32(26).fork(); writeResources(w, m.claimed); w.join(); }
  if (m.jobs !== 0) w.uint32(32).uint32(m.jobs);
  if (!Object.is(m.transactions, 0)) w.uint32(41).double(m.transactions);
  if (!Object.is(m.claims, 0)) w.uint32(49).double(m.claims);
  if (!Object.is(m.refused, 0)) w.uint32(57).double(m.refused);
  if (!Object.is(m.placed, 0)) w.uint32(65).double(m.placed);
  if (!Object.is(m.victims, 0)) w.uint32(73).double(m.victims);
  if (!Object.is(m.firstClaims, 0)) w.uint32(81).double(m.firstClaims);
  if (!Object.is(m.firstWaitMs, 0)) w.uint32(89).double(m.firstWaitMs);
  if (!Object.is(m.firstWaitMsMax, 0)) w.uint32(97).double(m.firstWaitMsMax);
  if (!Object.is(m.busyMs, 0)) w.uint32(105).double(m.busyMs);
  if (!Object.is(m.upMs, 0)) w.uint32(113).double(m.upMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroScorePart = (): Any => ({ $typeName: "borg.v1.ScorePart", part: "", value: "" });

function makeScorePart(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ScorePart", part: i.part ?? "", value: i.value ?? "" };
  return m;
}

function readScorePart(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.part = r.string(true);
        break;
      case 18:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeScorePart(w: BinaryWriter, m: Any): void {
  if (m.part !== "") w.uint32(10).string(m.part);
  if (m.value !== "") w.uint32(18).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSealedSecret = (): Any => ({ $typeName: "borg.v1.SealedSecret", keyId: "", nonce: NONE, ciphertext: NONE });

function makeSealedSecret(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SealedSecret", keyId: i.keyId ?? "", nonce: i.nonce ?? NONE, ciphertext: i.ciphertext ?? NONE };
  return m;
}

function readSealedSecret(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.keyId = r.string(true);
        break;
      case 18:
        m.nonce = r.bytes();
        break;
      case 26:
        m.ciphertext = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSealedSecret(w: BinaryWriter, m: Any): void {
  if (m.keyId !== "") w.uint32(10).string(m.keyId);
  if (m.nonce.length > 0) w.uint32(18).bytes(m.nonce);
  if (m.ciphertext.length > 0) w.uint32(26).bytes(m.ciphertext);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSecretRecord = (): Any => ({ $typeName: "borg.v1.SecretRecord", name: "", version: 0, createdMs: 0, changedMs: 0, labels: [] });

function makeSecretRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SecretRecord", name: i.name ?? "", version: i.version ?? 0, createdMs: i.createdMs ?? 0, changedMs: i.changedMs ?? 0, labels: i.labels?.map(makeLabel) ?? [] };
  if (i.sealed !== undefined) m.sealed = makeSealedSecret(i.sealed);
  return m;
}

function readSecretRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.version = r.uint32();
        break;
      case 26:
        m.sealed = readSealedSecret(m.sealed ?? zeroSealedSecret(), r, r.uint32() + r.pos);
        break;
      case 33:
        m.createdMs = r.double();
        break;
      case 41:
        m.changedMs = r.double();
        break;
      case 50:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSecretRecord(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.version !== 0) w.uint32(16).uint32(m.version);
  if (m.sealed !== undefined) { w.uint32(26).fork(); writeSealedSecret(w, m.sealed); w.join(); }
  if (!Object.is(m.createdMs, 0)) w.uint32(33).double(m.createdMs);
  if (!Object.is(m.changedMs, 0)) w.uint32(41).double(m.changedMs);
  for (const each of m.labels) { w.uint32(50).fork(); writeLabel(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSecretRef = (): Any => ({ $typeName: "borg.v1.SecretRef", name: "", path: "" });

function makeSecretRef(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SecretRef", name: i.name ?? "", path: i.path ?? "" };
  return m;
}

function readSecretRef(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.path = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSecretRef(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.path !== "") w.uint32(18).string(m.path);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSecretRemove = (): Any => ({ $typeName: "borg.v1.SecretRemove", user: "", name: "" });

function makeSecretRemove(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SecretRemove", user: i.user ?? "", name: i.name ?? "" };
  return m;
}

function readSecretRemove(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSecretRemove(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSecretRequest = (): Any => ({ $typeName: "borg.v1.SecretRequest", machine: "", instance: "", run: 0 });

function makeSecretRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SecretRequest", machine: i.machine ?? "", instance: i.instance ?? "", run: i.run ?? 0 };
  return m;
}

function readSecretRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.instance = r.string(true);
        break;
      case 24:
        m.run = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSecretRequest(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  if (m.instance !== "") w.uint32(18).string(m.instance);
  if (m.run !== 0) w.uint32(24).uint32(m.run);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSecretReseal = (): Any => ({ $typeName: "borg.v1.SecretReseal", user: "", name: "", version: 0 });

function makeSecretReseal(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SecretReseal", user: i.user ?? "", name: i.name ?? "", version: i.version ?? 0 };
  if (i.sealed !== undefined) m.sealed = makeSealedSecret(i.sealed);
  return m;
}

function readSecretReseal(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 24:
        m.version = r.uint32();
        break;
      case 34:
        m.sealed = readSealedSecret(m.sealed ?? zeroSealedSecret(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSecretReseal(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.version !== 0) w.uint32(24).uint32(m.version);
  if (m.sealed !== undefined) { w.uint32(34).fork(); writeSealedSecret(w, m.sealed); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSecretSet = (): Any => ({ $typeName: "borg.v1.SecretSet", user: "", name: "", version: 0 });

function makeSecretSet(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SecretSet", user: i.user ?? "", name: i.name ?? "", version: i.version ?? 0 };
  if (i.sealed !== undefined) m.sealed = makeSealedSecret(i.sealed);
  if (i.labels !== undefined) m.labels = makeLabels(i.labels);
  return m;
}

function readSecretSet(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 24:
        m.version = r.uint32();
        break;
      case 34:
        m.sealed = readSealedSecret(m.sealed ?? zeroSealedSecret(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.labels = readLabels(m.labels ?? zeroLabels(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSecretSet(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.version !== 0) w.uint32(24).uint32(m.version);
  if (m.sealed !== undefined) { w.uint32(34).fork(); writeSealedSecret(w, m.sealed); w.join(); }
  if (m.labels !== undefined) { w.uint32(42).fork(); writeLabels(w, m.labels); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSecretValue = (): Any => ({ $typeName: "borg.v1.SecretValue", name: "", data: NONE });

function makeSecretValue(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SecretValue", name: i.name ?? "", data: i.data ?? NONE };
  return m;
}

function readSecretValue(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSecretValue(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.data.length > 0) w.uint32(18).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSecretValues = (): Any => ({ $typeName: "borg.v1.SecretValues", instance: "", run: 0, values: [], problem: "", controller: NONE });

function makeSecretValues(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SecretValues", instance: i.instance ?? "", run: i.run ?? 0, values: i.values?.map(makeSecretValue) ?? [], problem: i.problem ?? "", controller: i.controller ?? NONE };
  return m;
}

function readSecretValues(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 16:
        m.run = r.uint32();
        break;
      case 26:
        m.values.push(readSecretValue(zeroSecretValue(), r, r.uint32() + r.pos));
        break;
      case 34:
        m.problem = r.string(true);
        break;
      case 42:
        m.controller = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSecretValues(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.run !== 0) w.uint32(16).uint32(m.run);
  for (const each of m.values) { w.uint32(26).fork(); writeSecretValue(w, each); w.join(); }
  if (m.problem !== "") w.uint32(34).string(m.problem);
  if (m.controller.length > 0) w.uint32(42).bytes(m.controller);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSecretView = (): Any => ({ $typeName: "borg.v1.SecretView", user: "", name: "", version: 0, bytes: 0, createdMs: 0, changedMs: 0, keyId: "", lost: false, jobs: [], labels: [] });

function makeSecretView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SecretView", user: i.user ?? "", name: i.name ?? "", version: i.version ?? 0, bytes: i.bytes ?? 0, createdMs: i.createdMs ?? 0, changedMs: i.changedMs ?? 0, keyId: i.keyId ?? "", lost: i.lost ?? false, jobs: i.jobs ?? [], labels: i.labels?.map(makeLabel) ?? [] };
  return m;
}

function readSecretView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 24:
        m.version = r.uint32();
        break;
      case 33:
        m.bytes = r.double();
        break;
      case 41:
        m.createdMs = r.double();
        break;
      case 49:
        m.changedMs = r.double();
        break;
      case 58:
        m.keyId = r.string(true);
        break;
      case 64:
        m.lost = r.bool();
        break;
      case 74:
        m.jobs.push(r.string(true));
        break;
      case 82:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSecretView(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.version !== 0) w.uint32(24).uint32(m.version);
  if (!Object.is(m.bytes, 0)) w.uint32(33).double(m.bytes);
  if (!Object.is(m.createdMs, 0)) w.uint32(41).double(m.createdMs);
  if (!Object.is(m.changedMs, 0)) w.uint32(49).double(m.changedMs);
  if (m.keyId !== "") w.uint32(58).string(m.keyId);
  if (m.lost) w.uint32(64).bool(m.lost);
  for (const each of m.jobs) w.uint32(74).string(each);
  for (const each of m.labels) { w.uint32(82).fork(); writeLabel(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSetBoundsRequest = (): Any => ({ $typeName: "borg.v1.SetBoundsRequest", requestId: "", user: "" });

function makeSetBoundsRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SetBoundsRequest", requestId: i.requestId ?? "", user: i.user ?? "" };
  if (i.bounds !== undefined) m.bounds = makeUserBounds(i.bounds);
  return m;
}

function readSetBoundsRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 26:
        m.bounds = readUserBounds(m.bounds ?? zeroUserBounds(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSetBoundsRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.bounds !== undefined) { w.uint32(26).fork(); writeUserBounds(w, m.bounds); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSetOffersRequest = (): Any => ({ $typeName: "borg.v1.SetOffersRequest", requestId: "" });

function makeSetOffersRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SetOffersRequest", requestId: i.requestId ?? "" };
  if (i.module !== undefined) m.module = i.module;
  if (i.shortPermille !== undefined) m.shortPermille = i.shortPermille;
  if (i.shortMs !== undefined) m.shortMs = i.shortMs;
  return m;
}

function readSetOffersRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 16:
        m.module = r.int32();
        break;
      case 24:
        m.shortPermille = r.uint32();
        break;
      case 33:
        m.shortMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSetOffersRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.module !== undefined) w.uint32(16).int32(m.module);
  if (m.shortPermille !== undefined) w.uint32(24).uint32(m.shortPermille);
  if (m.shortMs !== undefined) w.uint32(33).double(m.shortMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSetQuotaRequest = (): Any => ({ $typeName: "borg.v1.SetQuotaRequest", requestId: "", user: "", band: 0, oversell: false });

function makeSetQuotaRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SetQuotaRequest", requestId: i.requestId ?? "", user: i.user ?? "", band: i.band ?? 0, oversell: i.oversell ?? false };
  if (i.quota !== undefined) m.quota = makeQuota(i.quota);
  return m;
}

function readSetQuotaRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 24:
        m.band = r.int32();
        break;
      case 34:
        m.quota = readQuota(m.quota ?? zeroQuota(), r, r.uint32() + r.pos);
        break;
      case 40:
        m.oversell = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSetQuotaRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.band !== 0) w.uint32(24).int32(m.band);
  if (m.quota !== undefined) { w.uint32(34).fork(); writeQuota(w, m.quota); w.join(); }
  if (m.oversell) w.uint32(40).bool(m.oversell);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSetReclamationRequest = (): Any => ({ $typeName: "borg.v1.SetReclamationRequest", requestId: "", reclamation: 0 });

function makeSetReclamationRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SetReclamationRequest", requestId: i.requestId ?? "", reclamation: i.reclamation ?? 0 };
  return m;
}

function readSetReclamationRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 16:
        m.reclamation = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSetReclamationRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.reclamation !== 0) w.uint32(16).int32(m.reclamation);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSetRoleRequest = (): Any => ({ $typeName: "borg.v1.SetRoleRequest", requestId: "" });

function makeSetRoleRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SetRoleRequest", requestId: i.requestId ?? "" };
  if (i.role !== undefined) m.role = makeFrameworkRole(i.role);
  return m;
}

function readSetRoleRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.role = readFrameworkRole(m.role ?? zeroFrameworkRole(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSetRoleRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.role !== undefined) { w.uint32(18).fork(); writeFrameworkRole(w, m.role); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSetSchedulerRequest = (): Any => ({ $typeName: "borg.v1.SetSchedulerRequest", requestId: "", name: "" });

function makeSetSchedulerRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SetSchedulerRequest", requestId: i.requestId ?? "", name: i.name ?? "" };
  if (i.limits !== undefined) m.limits = makeSchedulerLimits(i.limits);
  return m;
}

function readSetSchedulerRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 26:
        m.limits = readSchedulerLimits(m.limits ?? zeroSchedulerLimits(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSetSchedulerRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.limits !== undefined) { w.uint32(26).fork(); writeSchedulerLimits(w, m.limits); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSetSecretRequest = (): Any => ({ $typeName: "borg.v1.SetSecretRequest", requestId: "", user: "", name: "", value: NONE });

function makeSetSecretRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SetSecretRequest", requestId: i.requestId ?? "", user: i.user ?? "", name: i.name ?? "", value: i.value ?? NONE };
  if (i.labels !== undefined) m.labels = makeLabels(i.labels);
  return m;
}

function readSetSecretRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 26:
        m.name = r.string(true);
        break;
      case 34:
        m.value = r.bytes();
        break;
      case 42:
        m.labels = readLabels(m.labels ?? zeroLabels(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSetSecretRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.name !== "") w.uint32(26).string(m.name);
  if (m.value.length > 0) w.uint32(34).bytes(m.value);
  if (m.labels !== undefined) { w.uint32(42).fork(); writeLabels(w, m.labels); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShapeFit = (): Any => ({ $typeName: "borg.v1.ShapeFit", tasks: 0, machines: 0, ramBytesMost: 0 });

function makeShapeFit(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShapeFit", tasks: i.tasks ?? 0, machines: i.machines ?? 0, ramBytesMost: i.ramBytesMost ?? 0 };
  return m;
}

function readShapeFit(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.tasks = r.double();
        break;
      case 16:
        m.machines = r.uint32();
        break;
      case 25:
        m.ramBytesMost = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShapeFit(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.tasks, 0)) w.uint32(9).double(m.tasks);
  if (m.machines !== 0) w.uint32(16).uint32(m.machines);
  if (!Object.is(m.ramBytesMost, 0)) w.uint32(25).double(m.ramBytesMost);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShapeRow = (): Any => ({ $typeName: "borg.v1.ShapeRow", cpuMilli: 0, ramBytes: 0 });

function makeShapeRow(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShapeRow", cpuMilli: i.cpuMilli ?? 0, ramBytes: i.ramBytes ?? 0 };
  if (i.nonProd !== undefined) m.nonProd = makeShapeFit(i.nonProd);
  if (i.prod !== undefined) m.prod = makeShapeFit(i.prod);
  if (i.prodMakingWay !== undefined) m.prodMakingWay = makeShapeFit(i.prodMakingWay);
  return m;
}

function readShapeRow(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.cpuMilli = r.uint32();
        break;
      case 17:
        m.ramBytes = r.double();
        break;
      case 26:
        m.nonProd = readShapeFit(m.nonProd ?? zeroShapeFit(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.prod = readShapeFit(m.prod ?? zeroShapeFit(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.prodMakingWay = readShapeFit(m.prodMakingWay ?? zeroShapeFit(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShapeRow(w: BinaryWriter, m: Any): void {
  if (m.cpuMilli !== 0) w.uint32(8).uint32(m.cpuMilli);
  if (!Object.is(m.ramBytes, 0)) w.uint32(17).double(m.ramBytes);
  if (m.nonProd !== undefined) { w.uint32(26).fork(); writeShapeFit(w, m.nonProd); w.join(); }
  if (m.prod !== undefined) { w.uint32(34).fork(); writeShapeFit(w, m.prod); w.join(); }
  if (m.prodMakingWay !== undefined) { w.uint32(42).fork(); writeShapeFit(w, m.prodMakingWay); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShardAsk = (): Any => ({ $typeName: "borg.v1.ShardAsk", replica: "", life: "", versionMax: 0, sequence: 0, links: 0, linksFormer: 0, authority: "", cut: [] });

function makeShardAsk(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShardAsk", replica: i.replica ?? "", life: i.life ?? "", versionMax: i.versionMax ?? 0, sequence: i.sequence ?? 0, links: i.links ?? 0, linksFormer: i.linksFormer ?? 0, authority: i.authority ?? "", cut: i.cut ?? [] };
  return m;
}

function readShardAsk(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.replica = r.string(true);
        break;
      case 18:
        m.life = r.string(true);
        break;
      case 24:
        m.versionMax = r.uint32();
        break;
      case 33:
        m.sequence = r.double();
        break;
      case 40:
        m.links = r.uint32();
        break;
      case 48:
        m.linksFormer = r.uint32();
        break;
      case 58:
        m.authority = r.string(true);
        break;
      case 66:
        m.cut.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShardAsk(w: BinaryWriter, m: Any): void {
  if (m.replica !== "") w.uint32(10).string(m.replica);
  if (m.life !== "") w.uint32(18).string(m.life);
  if (m.versionMax !== 0) w.uint32(24).uint32(m.versionMax);
  if (!Object.is(m.sequence, 0)) w.uint32(33).double(m.sequence);
  if (m.links !== 0) w.uint32(40).uint32(m.links);
  if (m.linksFormer !== 0) w.uint32(48).uint32(m.linksFormer);
  if (m.authority !== "") w.uint32(58).string(m.authority);
  for (const each of m.cut) w.uint32(66).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShardOps = (): Any => ({ $typeName: "borg.v1.ShardOps", term: 0, epoch: 0, ops: [] });

function makeShardOps(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShardOps", term: i.term ?? 0, epoch: i.epoch ?? 0, ops: i.ops ?? [] };
  return m;
}

function readShardOps(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.term = r.double();
        break;
      case 16:
        m.epoch = r.uint32();
        break;
      case 26:
        m.ops.push(r.bytes());
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShardOps(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.term, 0)) w.uint32(9).double(m.term);
  if (m.epoch !== 0) w.uint32(16).uint32(m.epoch);
  for (const each of m.ops) w.uint32(26).bytes(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShardTold = (): Any => ({ $typeName: "borg.v1.ShardTold", term: 0, sequence: 0, leftMs: 0, position: 0 });

function makeShardTold(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShardTold", term: i.term ?? 0, sequence: i.sequence ?? 0, leftMs: i.leftMs ?? 0, position: i.position ?? 0 };
  return m;
}

function readShardTold(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.term = r.double();
        break;
      case 17:
        m.sequence = r.double();
        break;
      case 25:
        m.leftMs = r.double();
        break;
      case 33:
        m.position = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShardTold(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.term, 0)) w.uint32(9).double(m.term);
  if (!Object.is(m.sequence, 0)) w.uint32(17).double(m.sequence);
  if (!Object.is(m.leftMs, 0)) w.uint32(25).double(m.leftMs);
  if (!Object.is(m.position, 0)) w.uint32(33).double(m.position);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShardUsage = (): Any => ({ $typeName: "borg.v1.ShardUsage", term: 0, epoch: 0 });

function makeShardUsage(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShardUsage", term: i.term ?? 0, epoch: i.epoch ?? 0 };
  if (i.reports !== undefined) m.reports = makeReports(i.reports);
  return m;
}

function readShardUsage(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.term = r.double();
        break;
      case 16:
        m.epoch = r.uint32();
        break;
      case 26:
        m.reports = readReports(m.reports ?? zeroReports(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShardUsage(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.term, 0)) w.uint32(9).double(m.term);
  if (m.epoch !== 0) w.uint32(16).uint32(m.epoch);
  if (m.reports !== undefined) { w.uint32(26).fork(); writeReports(w, m.reports); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShellChunk = (): Any => ({ $typeName: "borg.v1.ShellChunk", id: 0, problem: "", missing: false });

function makeShellChunk(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShellChunk", id: i.id ?? 0, problem: i.problem ?? "", missing: i.missing ?? false };
  if (i.said !== undefined) m.said = makeShellSaid(i.said);
  return m;
}

function readShellChunk(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.id = r.double();
        break;
      case 18:
        m.problem = r.string(true);
        break;
      case 24:
        m.missing = r.bool();
        break;
      case 34:
        m.said = readShellSaid(m.said ?? zeroShellSaid(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShellChunk(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.id, 0)) w.uint32(9).double(m.id);
  if (m.problem !== "") w.uint32(18).string(m.problem);
  if (m.missing) w.uint32(24).bool(m.missing);
  if (m.said !== undefined) { w.uint32(34).fork(); writeShellSaid(w, m.said); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShellOpen = (): Any => ({ $typeName: "borg.v1.ShellOpen", instance: "" });

function makeShellOpen(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShellOpen", instance: i.instance ?? "" };
  return m;
}

function readShellOpen(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShellOpen(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShellRequest = (): Any => ({ $typeName: "borg.v1.ShellRequest", id: 0, shell: "", instance: "" });

function makeShellRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShellRequest", id: i.id ?? 0, shell: i.shell ?? "", instance: i.instance ?? "" };
  if (i.use !== undefined) m.use = makeShellUse(i.use);
  return m;
}

function readShellRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.id = r.double();
        break;
      case 18:
        m.shell = r.string(true);
        break;
      case 26:
        m.instance = r.string(true);
        break;
      case 34:
        m.use = readShellUse(m.use ?? zeroShellUse(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShellRequest(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.id, 0)) w.uint32(9).double(m.id);
  if (m.shell !== "") w.uint32(18).string(m.shell);
  if (m.instance !== "") w.uint32(26).string(m.instance);
  if (m.use !== undefined) { w.uint32(34).fork(); writeShellUse(w, m.use); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShellSaid = (): Any => ({ $typeName: "borg.v1.ShellSaid", output: NONE, outputAt: 0, errors: NONE, errorsAt: 0, inputTaken: 0, ended: false, code: 0, signal: "" });

function makeShellSaid(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShellSaid", output: i.output ?? NONE, outputAt: i.outputAt ?? 0, errors: i.errors ?? NONE, errorsAt: i.errorsAt ?? 0, inputTaken: i.inputTaken ?? 0, ended: i.ended ?? false, code: i.code ?? 0, signal: i.signal ?? "" };
  return m;
}

function readShellSaid(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.output = r.bytes();
        break;
      case 17:
        m.outputAt = r.double();
        break;
      case 26:
        m.errors = r.bytes();
        break;
      case 33:
        m.errorsAt = r.double();
        break;
      case 41:
        m.inputTaken = r.double();
        break;
      case 48:
        m.ended = r.bool();
        break;
      case 56:
        m.code = r.uint32();
        break;
      case 66:
        m.signal = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShellSaid(w: BinaryWriter, m: Any): void {
  if (m.output.length > 0) w.uint32(10).bytes(m.output);
  if (!Object.is(m.outputAt, 0)) w.uint32(17).double(m.outputAt);
  if (m.errors.length > 0) w.uint32(26).bytes(m.errors);
  if (!Object.is(m.errorsAt, 0)) w.uint32(33).double(m.errorsAt);
  if (!Object.is(m.inputTaken, 0)) w.uint32(41).double(m.inputTaken);
  if (m.ended) w.uint32(48).bool(m.ended);
  if (m.code !== 0) w.uint32(56).uint32(m.code);
  if (m.signal !== "") w.uint32(66).string(m.signal);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroShellUse = (): Any => ({ $typeName: "borg.v1.ShellUse", command: [], terminal: false, kind: "", rows: 0, columns: 0, input: NONE, inputAt: 0, inputEnded: false, outputSeen: 0, errorsSeen: 0, waitMs: 0, close: false });

function makeShellUse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ShellUse", command: i.command ?? [], terminal: i.terminal ?? false, kind: i.kind ?? "", rows: i.rows ?? 0, columns: i.columns ?? 0, input: i.input ?? NONE, inputAt: i.inputAt ?? 0, inputEnded: i.inputEnded ?? false, outputSeen: i.outputSeen ?? 0, errorsSeen: i.errorsSeen ?? 0, waitMs: i.waitMs ?? 0, close: i.close ?? false };
  return m;
}

function readShellUse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.command.push(r.string(true));
        break;
      case 16:
        m.terminal = r.bool();
        break;
      case 26:
        m.kind = r.string(true);
        break;
      case 32:
        m.rows = r.uint32();
        break;
      case 40:
        m.columns = r.uint32();
        break;
      case 50:
        m.input = r.bytes();
        break;
      case 57:
        m.inputAt = r.double();
        break;
      case 64:
        m.inputEnded = r.bool();
        break;
      case 73:
        m.outputSeen = r.double();
        break;
      case 81:
        m.errorsSeen = r.double();
        break;
      case 88:
        m.waitMs = r.uint32();
        break;
      case 96:
        m.close = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeShellUse(w: BinaryWriter, m: Any): void {
  for (const each of m.command) w.uint32(10).string(each);
  if (m.terminal) w.uint32(16).bool(m.terminal);
  if (m.kind !== "") w.uint32(26).string(m.kind);
  if (m.rows !== 0) w.uint32(32).uint32(m.rows);
  if (m.columns !== 0) w.uint32(40).uint32(m.columns);
  if (m.input.length > 0) w.uint32(50).bytes(m.input);
  if (!Object.is(m.inputAt, 0)) w.uint32(57).double(m.inputAt);
  if (m.inputEnded) w.uint32(64).bool(m.inputEnded);
  if (!Object.is(m.outputSeen, 0)) w.uint32(73).double(m.outputSeen);
  if (!Object.is(m.errorsSeen, 0)) w.uint32(81).double(m.errorsSeen);
  if (m.waitMs !== 0) w.uint32(88).uint32(m.waitMs);
  if (m.close) w.uint32(96).bool(m.close);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroStartOrder = (): Any => ({ $typeName: "borg.v1.StartOrder", instance: "", priority: 0, appClass: 0, ports: [], after: [], alloc: "", allocPriority: 0, generation: 0, allocGeneration: 0, directory: "", devices: [], trace: "" });

function makeStartOrder(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.StartOrder", instance: i.instance ?? "", priority: i.priority ?? 0, appClass: i.appClass ?? 0, ports: i.ports ?? [], after: i.after ?? [], alloc: i.alloc ?? "", allocPriority: i.allocPriority ?? 0, generation: i.generation ?? 0, allocGeneration: i.allocGeneration ?? 0, directory: i.directory ?? "", devices: i.devices?.map(makeHeldDevice) ?? [], trace: i.trace ?? "" };
  if (i.task !== undefined) m.task = makeTaskSpec(i.task);
  if (i.restart !== undefined) m.restart = makeRestartPolicy(i.restart);
  if (i.allocLimit !== undefined) m.allocLimit = makeResources(i.allocLimit);
  return m;
}

function readStartOrder(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 18:
        m.task = readTaskSpec(m.task ?? zeroTaskSpec(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.restart = readRestartPolicy(m.restart ?? zeroRestartPolicy(), r, r.uint32() + r.pos);
        break;
      case 32:
        m.priority = r.uint32();
        break;
      case 40:
        m.appClass = r.int32();
        break;
      case 48:
        m.ports.push(r.uint32());
        break;
      case 50:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.ports.push(r.uint32());
        break;
      case 58:
        m.after.push(r.string(true));
        break;
      case 66:
        m.alloc = r.string(true);
        break;
      case 162:
        m.allocLimit = readResources(m.allocLimit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 168:
        m.allocPriority = r.uint32();
        break;
      case 176:
        m.generation = r.uint32();
        break;
      case 184:
        m.allocGeneration = r.uint32();
        break;
      case 194:
        m.directory = r.string(true);
        break;
      case 202:
        m.devices.push(readHeldDevice(zeroHeldDevice(), r, r.uint32() + r.pos));
        break;
      case 210:
        m.trace = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeStartOrder(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.task !== undefined) { w.uint32(18).fork(); writeTaskSpec(w, m.task); w.join(); }
  if (m.restart !== undefined) { w.uint32(26).fork(); writeRestartPolicy(w, m.restart); w.join(); }
  if (m.priority !== 0) w.uint32(32).uint32(m.priority);
  if (m.appClass !== 0) w.uint32(40).int32(m.appClass);
  if (m.ports.length > 0) {
    w.uint32(50).fork();
    for (const each of m.ports) w.uint32(each);
    w.join();
  }
  for (const each of m.after) w.uint32(58).string(each);
  if (m.alloc !== "") w.uint32(66).string(m.alloc);
  if (m.allocLimit !== undefined) { w.uint32(162).fork(); writeResources(w, m.allocLimit); w.join(); }
  if (m.allocPriority !== 0) w.uint32(168).uint32(m.allocPriority);
  if (m.generation !== 0) w.uint32(176).uint32(m.generation);
  if (m.allocGeneration !== 0) w.uint32(184).uint32(m.allocGeneration);
  if (m.directory !== "") w.uint32(194).string(m.directory);
  for (const each of m.devices) { w.uint32(202).fork(); writeHeldDevice(w, each); w.join(); }
  if (m.trace !== "") w.uint32(210).string(m.trace);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroStartUpdateRequest = (): Any => ({ $typeName: "borg.v1.StartUpdateRequest", requestId: "", tasks: [], paused: false });

function makeStartUpdateRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.StartUpdateRequest", requestId: i.requestId ?? "", tasks: i.tasks?.map(makeTaskRange) ?? [], paused: i.paused ?? false };
  if (i.spec !== undefined) m.spec = makeJobSpec(i.spec);
  if (i.allocSet !== undefined) m.allocSet = makeAllocSetSpec(i.allocSet);
  return m;
}

function readStartUpdateRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.spec = readJobSpec(m.spec ?? zeroJobSpec(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.tasks.push(readTaskRange(zeroTaskRange(), r, r.uint32() + r.pos));
        break;
      case 32:
        m.paused = r.bool();
        break;
      case 42:
        m.allocSet = readAllocSetSpec(m.allocSet ?? zeroAllocSetSpec(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeStartUpdateRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.spec !== undefined) { w.uint32(18).fork(); writeJobSpec(w, m.spec); w.join(); }
  for (const each of m.tasks) { w.uint32(26).fork(); writeTaskRange(w, each); w.join(); }
  if (m.paused) w.uint32(32).bool(m.paused);
  if (m.allocSet !== undefined) { w.uint32(42).fork(); writeAllocSetSpec(w, m.allocSet); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroStatusRecord = (): Any => ({ $typeName: "borg.v1.StatusRecord", number: 0, state: 0, reason: 0, message: "", timeMs: 0, data: NONE });

function makeStatusRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.StatusRecord", number: i.number ?? 0, state: i.state ?? 0, reason: i.reason ?? 0, message: i.message ?? "", timeMs: i.timeMs ?? 0, data: i.data ?? NONE };
  if (i.healthy !== undefined) m.healthy = i.healthy;
  return m;
}

function readStatusRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.number = r.uint32();
        break;
      case 16:
        m.state = r.int32();
        break;
      case 24:
        m.reason = r.int32();
        break;
      case 34:
        m.message = r.string(true);
        break;
      case 40:
        m.healthy = r.bool();
        break;
      case 49:
        m.timeMs = r.double();
        break;
      case 58:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeStatusRecord(w: BinaryWriter, m: Any): void {
  if (m.number !== 0) w.uint32(8).uint32(m.number);
  if (m.state !== 0) w.uint32(16).int32(m.state);
  if (m.reason !== 0) w.uint32(24).int32(m.reason);
  if (m.message !== "") w.uint32(34).string(m.message);
  if (m.healthy !== undefined) w.uint32(40).bool(m.healthy);
  if (!Object.is(m.timeMs, 0)) w.uint32(49).double(m.timeMs);
  if (m.data.length > 0) w.uint32(58).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroStopOrder = (): Any => ({ $typeName: "borg.v1.StopOrder", instance: "", noticeMs: 0, lameDuckMs: 0 });

function makeStopOrder(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.StopOrder", instance: i.instance ?? "", noticeMs: i.noticeMs ?? 0, lameDuckMs: i.lameDuckMs ?? 0 };
  return m;
}

function readStopOrder(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 16:
        m.noticeMs = r.uint32();
        break;
      case 24:
        m.lameDuckMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeStopOrder(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.noticeMs !== 0) w.uint32(16).uint32(m.noticeMs);
  if (m.lameDuckMs !== 0) w.uint32(24).uint32(m.lameDuckMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroStopRecord = (): Any => ({ $typeName: "borg.v1.StopRecord", cause: 0, timeMs: 0, noticeMs: 0, preemptor: "", lameDuckMs: 0 });

function makeStopRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.StopRecord", cause: i.cause ?? 0, timeMs: i.timeMs ?? 0, noticeMs: i.noticeMs ?? 0, preemptor: i.preemptor ?? "", lameDuckMs: i.lameDuckMs ?? 0 };
  return m;
}

function readStopRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.cause = r.int32();
        break;
      case 17:
        m.timeMs = r.double();
        break;
      case 24:
        m.noticeMs = r.uint32();
        break;
      case 34:
        m.preemptor = r.string(true);
        break;
      case 48:
        m.lameDuckMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeStopRecord(w: BinaryWriter, m: Any): void {
  if (m.cause !== 0) w.uint32(8).int32(m.cause);
  if (!Object.is(m.timeMs, 0)) w.uint32(17).double(m.timeMs);
  if (m.noticeMs !== 0) w.uint32(24).uint32(m.noticeMs);
  if (m.preemptor !== "") w.uint32(34).string(m.preemptor);
  if (m.lameDuckMs !== 0) w.uint32(48).uint32(m.lameDuckMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroStrain = (): Any => ({ $typeName: "borg.v1.Strain", ramUsedBytes: 0, ramBytes: 0 });

function makeStrain(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Strain", ramUsedBytes: i.ramUsedBytes ?? 0, ramBytes: i.ramBytes ?? 0 };
  if (i.cpuWaitingPermille !== undefined) m.cpuWaitingPermille = i.cpuWaitingPermille;
  return m;
}

function readStrain(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.cpuWaitingPermille = r.uint32();
        break;
      case 17:
        m.ramUsedBytes = r.double();
        break;
      case 25:
        m.ramBytes = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeStrain(w: BinaryWriter, m: Any): void {
  if (m.cpuWaitingPermille !== undefined) w.uint32(8).uint32(m.cpuWaitingPermille);
  if (!Object.is(m.ramUsedBytes, 0)) w.uint32(17).double(m.ramUsedBytes);
  if (!Object.is(m.ramBytes, 0)) w.uint32(25).double(m.ramBytes);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSubmitAllocSetRequest = (): Any => ({ $typeName: "borg.v1.SubmitAllocSetRequest", requestId: "" });

function makeSubmitAllocSetRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SubmitAllocSetRequest", requestId: i.requestId ?? "" };
  if (i.spec !== undefined) m.spec = makeAllocSetSpec(i.spec);
  return m;
}

function readSubmitAllocSetRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.spec = readAllocSetSpec(m.spec ?? zeroAllocSetSpec(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSubmitAllocSetRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.spec !== undefined) { w.uint32(18).fork(); writeAllocSetSpec(w, m.spec); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSubmitJobRequest = (): Any => ({ $typeName: "borg.v1.SubmitJobRequest", requestId: "" });

function makeSubmitJobRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SubmitJobRequest", requestId: i.requestId ?? "" };
  if (i.spec !== undefined) m.spec = makeJobSpec(i.spec);
  return m;
}

function readSubmitJobRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.spec = readJobSpec(m.spec ?? zeroJobSpec(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSubmitJobRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.spec !== undefined) { w.uint32(18).fork(); writeJobSpec(w, m.spec); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroSubscribeFrameworkRequest = (): Any => ({ $typeName: "borg.v1.SubscribeFrameworkRequest", requestId: "", id: "", session: 0 });

function makeSubscribeFrameworkRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.SubscribeFrameworkRequest", requestId: i.requestId ?? "", id: i.id ?? "", session: i.session ?? 0 };
  if (i.spec !== undefined) m.spec = makeFrameworkSpec(i.spec);
  return m;
}

function readSubscribeFrameworkRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.spec = readFrameworkSpec(m.spec ?? zeroFrameworkSpec(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.id = r.string(true);
        break;
      case 33:
        m.session = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeSubscribeFrameworkRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.spec !== undefined) { w.uint32(18).fork(); writeFrameworkSpec(w, m.spec); w.join(); }
  if (m.id !== "") w.uint32(26).string(m.id);
  if (!Object.is(m.session, 0)) w.uint32(33).double(m.session);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskClaims = (): Any => ({ $typeName: "borg.v1.TaskClaims", claims: [], allOrNothing: false });

function makeTaskClaims(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskClaims", claims: i.claims?.map(makeClaim) ?? [], allOrNothing: i.allOrNothing ?? false };
  return m;
}

function readTaskClaims(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.claims.push(readClaim(zeroClaim(), r, r.uint32() + r.pos));
        break;
      case 16:
        m.allOrNothing = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskClaims(w: BinaryWriter, m: Any): void {
  for (const each of m.claims) { w.uint32(10).fork(); writeClaim(w, each); w.join(); }
  if (m.allOrNothing) w.uint32(16).bool(m.allOrNothing);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskDetail = (): Any => ({ $typeName: "borg.v1.TaskDetail", history: [], scheduler: "", preemptor: "", avoids: [], veiled: false, pinned: "" });

function makeTaskDetail(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskDetail", history: i.history?.map(makeEventView) ?? [], scheduler: i.scheduler ?? "", preemptor: i.preemptor ?? "", avoids: i.avoids ?? [], veiled: i.veiled ?? false, pinned: i.pinned ?? "" };
  if (i.task !== undefined) m.task = makeTaskView(i.task);
  if (i.spec !== undefined) m.spec = makeTaskSpec(i.spec);
  return m;
}

function readTaskDetail(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = readTaskView(m.task ?? zeroTaskView(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.spec = readTaskSpec(m.spec ?? zeroTaskSpec(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.history.push(readEventView(zeroEventView(), r, r.uint32() + r.pos));
        break;
      case 34:
        m.scheduler = r.string(true);
        break;
      case 42:
        m.preemptor = r.string(true);
        break;
      case 50:
        m.avoids.push(r.string(true));
        break;
      case 56:
        m.veiled = r.bool();
        break;
      case 66:
        m.pinned = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskDetail(w: BinaryWriter, m: Any): void {
  if (m.task !== undefined) { w.uint32(10).fork(); writeTaskView(w, m.task); w.join(); }
  if (m.spec !== undefined) { w.uint32(18).fork(); writeTaskSpec(w, m.spec); w.join(); }
  for (const each of m.history) { w.uint32(26).fork(); writeEventView(w, each); w.join(); }
  if (m.scheduler !== "") w.uint32(34).string(m.scheduler);
  if (m.preemptor !== "") w.uint32(42).string(m.preemptor);
  for (const each of m.avoids) w.uint32(50).string(each);
  if (m.veiled) w.uint32(56).bool(m.veiled);
  if (m.pinned !== "") w.uint32(66).string(m.pinned);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskEvict = (): Any => ({ $typeName: "borg.v1.TaskEvict", instances: [], cause: 0 });

function makeTaskEvict(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskEvict", instances: i.instances ?? [], cause: i.cause ?? 0 };
  return m;
}

function readTaskEvict(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instances.push(r.string(true));
        break;
      case 16:
        m.cause = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskEvict(w: BinaryWriter, m: Any): void {
  for (const each of m.instances) w.uint32(10).string(each);
  if (m.cause !== 0) w.uint32(16).int32(m.cause);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskExpire = (): Any => ({ $typeName: "borg.v1.TaskExpire", tasks: [] });

function makeTaskExpire(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskExpire", tasks: i.tasks ?? [] };
  return m;
}

function readTaskExpire(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.tasks.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskExpire(w: BinaryWriter, m: Any): void {
  for (const each of m.tasks) w.uint32(10).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskLost = (): Any => ({ $typeName: "borg.v1.TaskLost", machine: "", instances: [] });

function makeTaskLost(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskLost", machine: i.machine ?? "", instances: i.instances ?? [] };
  return m;
}

function readTaskLost(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.machine = r.string(true);
        break;
      case 18:
        m.instances.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskLost(w: BinaryWriter, m: Any): void {
  if (m.machine !== "") w.uint32(10).string(m.machine);
  for (const each of m.instances) w.uint32(18).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskOverride = (): Any => ({ $typeName: "borg.v1.TaskOverride", first: 0, last: 0, arguments: [], environment: [], labels: [] });

function makeTaskOverride(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskOverride", first: i.first ?? 0, last: i.last ?? 0, arguments: i.arguments ?? [], environment: i.environment?.map(makeEnvironmentVariable) ?? [], labels: i.labels?.map(makeLabel) ?? [] };
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  return m;
}

function readTaskOverride(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.first = r.uint32();
        break;
      case 16:
        m.last = r.uint32();
        break;
      case 26:
        m.arguments.push(r.string(true));
        break;
      case 34:
        m.environment.push(readEnvironmentVariable(zeroEnvironmentVariable(), r, r.uint32() + r.pos));
        break;
      case 42:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 50:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskOverride(w: BinaryWriter, m: Any): void {
  if (m.first !== 0) w.uint32(8).uint32(m.first);
  if (m.last !== 0) w.uint32(16).uint32(m.last);
  for (const each of m.arguments) w.uint32(26).string(each);
  for (const each of m.environment) { w.uint32(34).fork(); writeEnvironmentVariable(w, each); w.join(); }
  if (m.limit !== undefined) { w.uint32(42).fork(); writeResources(w, m.limit); w.join(); }
  for (const each of m.labels) { w.uint32(50).fork(); writeLabel(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskRange = (): Any => ({ $typeName: "borg.v1.TaskRange", first: 0, last: 0 });

function makeTaskRange(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskRange", first: i.first ?? 0, last: i.last ?? 0 };
  return m;
}

function readTaskRange(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.first = r.uint32();
        break;
      case 16:
        m.last = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskRange(w: BinaryWriter, m: Any): void {
  if (m.first !== 0) w.uint32(8).uint32(m.first);
  if (m.last !== 0) w.uint32(16).uint32(m.last);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskRecord = (): Any => ({ $typeName: "borg.v1.TaskRecord", state: 0, cause: 0, sinceMs: 0, incarnation: 0, starts: 0, failures: 0, notBeforeMs: 0, pinned: "", avoid: [], lastInstance: "", lastMachine: "", lastPreemptor: "", failedRuns: 0, firstStartMs: 0 });

function makeTaskRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskRecord", state: i.state ?? 0, cause: i.cause ?? 0, sinceMs: i.sinceMs ?? 0, incarnation: i.incarnation ?? 0, starts: i.starts ?? 0, failures: i.failures ?? 0, notBeforeMs: i.notBeforeMs ?? 0, pinned: i.pinned ?? "", avoid: i.avoid?.map(makeAvoid) ?? [], lastInstance: i.lastInstance ?? "", lastMachine: i.lastMachine ?? "", lastPreemptor: i.lastPreemptor ?? "", failedRuns: i.failedRuns ?? 0, firstStartMs: i.firstStartMs ?? 0 };
  if (i.lastExit !== undefined) m.lastExit = makeExit(i.lastExit);
  if (i.instance !== undefined) m.instance = makeInstanceRecord(i.instance);
  if (i.told !== undefined) m.told = makeToldRecord(i.told);
  if (i.launched !== undefined) m.launched = makeLaunchedRecord(i.launched);
  return m;
}

function readTaskRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.state = r.int32();
        break;
      case 16:
        m.cause = r.int32();
        break;
      case 25:
        m.sinceMs = r.double();
        break;
      case 33:
        m.incarnation = r.double();
        break;
      case 40:
        m.starts = r.uint32();
        break;
      case 48:
        m.failures = r.uint32();
        break;
      case 57:
        m.notBeforeMs = r.double();
        break;
      case 66:
        m.pinned = r.string(true);
        break;
      case 74:
        m.avoid.push(readAvoid(zeroAvoid(), r, r.uint32() + r.pos));
        break;
      case 82:
        m.lastExit = readExit(m.lastExit ?? zeroExit(), r, r.uint32() + r.pos);
        break;
      case 90:
        m.instance = readInstanceRecord(m.instance ?? zeroInstanceRecord(), r, r.uint32() + r.pos);
        break;
      case 98:
        m.lastInstance = r.string(true);
        break;
      case 106:
        m.lastMachine = r.string(true);
        break;
      case 130:
        m.lastPreemptor = r.string(true);
        break;
      case 112:
        m.failedRuns = r.uint32();
        break;
      case 121:
        m.firstStartMs = r.double();
        break;
      case 138:
        m.told = readToldRecord(m.told ?? zeroToldRecord(), r, r.uint32() + r.pos);
        break;
      case 146:
        m.launched = readLaunchedRecord(m.launched ?? zeroLaunchedRecord(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskRecord(w: BinaryWriter, m: Any): void {
  if (m.state !== 0) w.uint32(8).int32(m.state);
  if (m.cause !== 0) w.uint32(16).int32(m.cause);
  if (!Object.is(m.sinceMs, 0)) w.uint32(25).double(m.sinceMs);
  if (!Object.is(m.incarnation, 0)) w.uint32(33).double(m.incarnation);
  if (m.starts !== 0) w.uint32(40).uint32(m.starts);
  if (m.failures !== 0) w.uint32(48).uint32(m.failures);
  if (!Object.is(m.notBeforeMs, 0)) w.uint32(57).double(m.notBeforeMs);
  if (m.pinned !== "") w.uint32(66).string(m.pinned);
  for (const each of m.avoid) { w.uint32(74).fork(); writeAvoid(w, each); w.join(); }
  if (m.lastExit !== undefined) { w.uint32(82).fork(); writeExit(w, m.lastExit); w.join(); }
  if (m.instance !== undefined) { w.uint32(90).fork(); writeInstanceRecord(w, m.instance); w.join(); }
  if (m.lastInstance !== "") w.uint32(98).string(m.lastInstance);
  if (m.lastMachine !== "") w.uint32(106).string(m.lastMachine);
  if (m.failedRuns !== 0) w.uint32(112).uint32(m.failedRuns);
  if (!Object.is(m.firstStartMs, 0)) w.uint32(121).double(m.firstStartMs);
  if (m.lastPreemptor !== "") w.uint32(130).string(m.lastPreemptor);
  if (m.told !== undefined) { w.uint32(138).fork(); writeToldRecord(w, m.told); w.join(); }
  if (m.launched !== undefined) { w.uint32(146).fork(); writeLaunchedRecord(w, m.launched); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskSpec = (): Any => ({ $typeName: "borg.v1.TaskSpec", command: [], environment: [], ports: [], packages: [], files: [], secrets: [], volumes: [], directory: "", lameDuckMs: 0, wholeCores: false, slackRam: false, holdCpu: false });

function makeTaskSpec(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskSpec", command: i.command ?? [], environment: i.environment?.map(makeEnvironmentVariable) ?? [], ports: i.ports ?? [], packages: i.packages?.map(makePackageRef) ?? [], files: i.files?.map(makeConfigFile) ?? [], secrets: i.secrets?.map(makeSecretRef) ?? [], volumes: i.volumes?.map(makeVolume) ?? [], directory: i.directory ?? "", lameDuckMs: i.lameDuckMs ?? 0, wholeCores: i.wholeCores ?? false, slackRam: i.slackRam ?? false, holdCpu: i.holdCpu ?? false };
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.health !== undefined) m.health = makeHealthCheck(i.health);
  if (i.noticeMs !== undefined) m.noticeMs = i.noticeMs;
  if (i.ready !== undefined) m.ready = makeHealthCheck(i.ready);
  if (i.controller !== undefined) m.controller = makeController(i.controller);
  if (i.executor !== undefined) m.executor = makeExecutor(i.executor);
  return m;
}

function readTaskSpec(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.command.push(r.string(true));
        break;
      case 18:
        m.environment.push(readEnvironmentVariable(zeroEnvironmentVariable(), r, r.uint32() + r.pos));
        break;
      case 26:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.ports.push(r.string(true));
        break;
      case 42:
        m.packages.push(readPackageRef(zeroPackageRef(), r, r.uint32() + r.pos));
        break;
      case 50:
        m.health = readHealthCheck(m.health ?? zeroHealthCheck(), r, r.uint32() + r.pos);
        break;
      case 56:
        m.noticeMs = r.uint32();
        break;
      case 66:
        m.files.push(readConfigFile(zeroConfigFile(), r, r.uint32() + r.pos));
        break;
      case 74:
        m.secrets.push(readSecretRef(zeroSecretRef(), r, r.uint32() + r.pos));
        break;
      case 82:
        m.volumes.push(readVolume(zeroVolume(), r, r.uint32() + r.pos));
        break;
      case 90:
        m.directory = r.string(true);
        break;
      case 122:
        m.ready = readHealthCheck(m.ready ?? zeroHealthCheck(), r, r.uint32() + r.pos);
        break;
      case 128:
        m.lameDuckMs = r.uint32();
        break;
      case 160:
        m.wholeCores = r.bool();
        break;
      case 168:
        m.slackRam = r.bool();
        break;
      case 176:
        m.holdCpu = r.bool();
        break;
      case 242:
        m.controller = readController(m.controller ?? zeroController(), r, r.uint32() + r.pos);
        break;
      case 250:
        m.executor = readExecutor(m.executor ?? zeroExecutor(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskSpec(w: BinaryWriter, m: Any): void {
  for (const each of m.command) w.uint32(10).string(each);
  for (const each of m.environment) { w.uint32(18).fork(); writeEnvironmentVariable(w, each); w.join(); }
  if (m.limit !== undefined) { w.uint32(26).fork(); writeResources(w, m.limit); w.join(); }
  for (const each of m.ports) w.uint32(34).string(each);
  for (const each of m.packages) { w.uint32(42).fork(); writePackageRef(w, each); w.join(); }
  if (m.health !== undefined) { w.uint32(50).fork(); writeHealthCheck(w, m.health); w.join(); }
  if (m.noticeMs !== undefined) w.uint32(56).uint32(m.noticeMs);
  for (const each of m.files) { w.uint32(66).fork(); writeConfigFile(w, each); w.join(); }
  for (const each of m.secrets) { w.uint32(74).fork(); writeSecretRef(w, each); w.join(); }
  for (const each of m.volumes) { w.uint32(82).fork(); writeVolume(w, each); w.join(); }
  if (m.directory !== "") w.uint32(90).string(m.directory);
  if (m.ready !== undefined) { w.uint32(122).fork(); writeHealthCheck(w, m.ready); w.join(); }
  if (m.lameDuckMs !== 0) w.uint32(128).uint32(m.lameDuckMs);
  if (m.wholeCores) w.uint32(160).bool(m.wholeCores);
  if (m.slackRam) w.uint32(168).bool(m.slackRam);
  if (m.holdCpu) w.uint32(176).bool(m.holdCpu);
  if (m.controller !== undefined) { w.uint32(242).fork(); writeController(w, m.controller); w.join(); }
  if (m.executor !== undefined) { w.uint32(250).fork(); writeExecutor(w, m.executor); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskUnpin = (): Any => ({ $typeName: "borg.v1.TaskUnpin", task: "" });

function makeTaskUnpin(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskUnpin", task: i.task ?? "" };
  return m;
}

function readTaskUnpin(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskUnpin(w: BinaryWriter, m: Any): void {
  if (m.task !== "") w.uint32(10).string(m.task);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTaskView = (): Any => ({ $typeName: "borg.v1.TaskView", name: "", state: "", cause: "", sinceMs: 0, machine: "", host: "", ports: [], instance: "", run: 0, starts: 0, failures: 0, health: 0, priority: 0, overRam: false, notBeforeMs: 0, exited: false, exitCode: 0, signal: 0, message: "", startedMs: 0, alloc: false, unreachable: false, runFailures: 0, runMs: 0, waiting: "", readiness: 0, ready: false, readyMs: 0, problem: "", labels: [], inAlloc: "", taskId: "", unacknowledged: 0, devices: [] });

function makeTaskView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TaskView", name: i.name ?? "", state: i.state ?? "", cause: i.cause ?? "", sinceMs: i.sinceMs ?? 0, machine: i.machine ?? "", host: i.host ?? "", ports: i.ports?.map(makeNamedPort) ?? [], instance: i.instance ?? "", run: i.run ?? 0, starts: i.starts ?? 0, failures: i.failures ?? 0, health: i.health ?? 0, priority: i.priority ?? 0, overRam: i.overRam ?? false, notBeforeMs: i.notBeforeMs ?? 0, exited: i.exited ?? false, exitCode: i.exitCode ?? 0, signal: i.signal ?? 0, message: i.message ?? "", startedMs: i.startedMs ?? 0, alloc: i.alloc ?? false, unreachable: i.unreachable ?? false, runFailures: i.runFailures ?? 0, runMs: i.runMs ?? 0, waiting: i.waiting ?? "", readiness: i.readiness ?? 0, ready: i.ready ?? false, readyMs: i.readyMs ?? 0, problem: i.problem ?? "", labels: i.labels?.map(makeLabel) ?? [], inAlloc: i.inAlloc ?? "", taskId: i.taskId ?? "", unacknowledged: i.unacknowledged ?? 0, devices: i.devices?.map(makeHeldDevice) ?? [] };
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.reservation !== undefined) m.reservation = makeResources(i.reservation);
  if (i.usage !== undefined) m.usage = makeResources(i.usage);
  if (i.cpi !== undefined) m.cpi = i.cpi;
  if (i.diskTraffic !== undefined) m.diskTraffic = makeDiskTraffic(i.diskTraffic);
  return m;
}

function readTaskView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.state = r.string(true);
        break;
      case 26:
        m.cause = r.string(true);
        break;
      case 33:
        m.sinceMs = r.double();
        break;
      case 42:
        m.machine = r.string(true);
        break;
      case 50:
        m.host = r.string(true);
        break;
      case 58:
        m.ports.push(readNamedPort(zeroNamedPort(), r, r.uint32() + r.pos));
        break;
      case 66:
        m.instance = r.string(true);
        break;
      case 72:
        m.run = r.uint32();
        break;
      case 80:
        m.starts = r.uint32();
        break;
      case 88:
        m.failures = r.uint32();
        break;
      case 96:
        m.health = r.int32();
        break;
      case 104:
        m.priority = r.uint32();
        break;
      case 114:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 122:
        m.reservation = readResources(m.reservation ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 130:
        m.usage = readResources(m.usage ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 136:
        m.overRam = r.bool();
        break;
      case 145:
        m.notBeforeMs = r.double();
        break;
      case 152:
        m.exited = r.bool();
        break;
      case 160:
        m.exitCode = r.uint32();
        break;
      case 168:
        m.signal = r.uint32();
        break;
      case 178:
        m.message = r.string(true);
        break;
      case 185:
        m.startedMs = r.double();
        break;
      case 192:
        m.alloc = r.bool();
        break;
      case 200:
        m.unreachable = r.bool();
        break;
      case 208:
        m.runFailures = r.uint32();
        break;
      case 217:
        m.runMs = r.double();
        break;
      case 226:
        m.waiting = r.string(true);
        break;
      case 280:
        m.readiness = r.int32();
        break;
      case 288:
        m.ready = r.bool();
        break;
      case 297:
        m.readyMs = r.double();
        break;
      case 306:
        m.problem = r.string(true);
        break;
      case 314:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      case 322:
        m.inAlloc = r.string(true);
        break;
      case 330:
        m.taskId = r.string(true);
        break;
      case 336:
        m.unacknowledged = r.uint32();
        break;
      case 353:
        m.cpi = r.double();
        break;
      case 362:
        m.diskTraffic = readDiskTraffic(m.diskTraffic ?? zeroDiskTraffic(), r, r.uint32() + r.pos);
        break;
      case 346:
        m.devices.push(readHeldDevice(zeroHeldDevice(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTaskView(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.state !== "") w.uint32(18).string(m.state);
  if (m.cause !== "") w.uint32(26).string(m.cause);
  if (!Object.is(m.sinceMs, 0)) w.uint32(33).double(m.sinceMs);
  if (m.machine !== "") w.uint32(42).string(m.machine);
  if (m.host !== "") w.uint32(50).string(m.host);
  for (const each of m.ports) { w.uint32(58).fork(); writeNamedPort(w, each); w.join(); }
  if (m.instance !== "") w.uint32(66).string(m.instance);
  if (m.run !== 0) w.uint32(72).uint32(m.run);
  if (m.starts !== 0) w.uint32(80).uint32(m.starts);
  if (m.failures !== 0) w.uint32(88).uint32(m.failures);
  if (m.health !== 0) w.uint32(96).int32(m.health);
  if (m.priority !== 0) w.uint32(104).uint32(m.priority);
  if (m.limit !== undefined) { w.uint32(114).fork(); writeResources(w, m.limit); w.join(); }
  if (m.reservation !== undefined) { w.uint32(122).fork(); writeResources(w, m.reservation); w.join(); }
  if (m.usage !== undefined) { w.uint32(130).fork(); writeResources(w, m.usage); w.join(); }
  if (m.overRam) w.uint32(136).bool(m.overRam);
  if (!Object.is(m.notBeforeMs, 0)) w.uint32(145).double(m.notBeforeMs);
  if (m.exited) w.uint32(152).bool(m.exited);
  if (m.exitCode !== 0) w.uint32(160).uint32(m.exitCode);
  if (m.signal !== 0) w.uint32(168).uint32(m.signal);
  if (m.message !== "") w.uint32(178).string(m.message);
  if (!Object.is(m.startedMs, 0)) w.uint32(185).double(m.startedMs);
  if (m.alloc) w.uint32(192).bool(m.alloc);
  if (m.unreachable) w.uint32(200).bool(m.unreachable);
  if (m.runFailures !== 0) w.uint32(208).uint32(m.runFailures);
  if (!Object.is(m.runMs, 0)) w.uint32(217).double(m.runMs);
  if (m.waiting !== "") w.uint32(226).string(m.waiting);
  if (m.readiness !== 0) w.uint32(280).int32(m.readiness);
  if (m.ready) w.uint32(288).bool(m.ready);
  if (!Object.is(m.readyMs, 0)) w.uint32(297).double(m.readyMs);
  if (m.problem !== "") w.uint32(306).string(m.problem);
  for (const each of m.labels) { w.uint32(314).fork(); writeLabel(w, each); w.join(); }
  if (m.inAlloc !== "") w.uint32(322).string(m.inAlloc);
  if (m.taskId !== "") w.uint32(330).string(m.taskId);
  if (m.unacknowledged !== 0) w.uint32(336).uint32(m.unacknowledged);
  for (const each of m.devices) { w.uint32(346).fork(); writeHeldDevice(w, each); w.join(); }
  if (m.cpi !== undefined) w.uint32(353).double(m.cpi);
  if (m.diskTraffic !== undefined) { w.uint32(362).fork(); writeDiskTraffic(w, m.diskTraffic); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTasksRecord = (): Any => ({ $typeName: "borg.v1.TasksRecord", job: "", first: 0, tasks: [] });

function makeTasksRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TasksRecord", job: i.job ?? "", first: i.first ?? 0, tasks: i.tasks?.map(makeTaskRecord) ?? [] };
  return m;
}

function readTasksRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      case 16:
        m.first = r.uint32();
        break;
      case 26:
        m.tasks.push(readTaskRecord(zeroTaskRecord(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTasksRecord(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.first !== 0) w.uint32(16).uint32(m.first);
  for (const each of m.tasks) { w.uint32(26).fork(); writeTaskRecord(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTeardownFrameworkRequest = (): Any => ({ $typeName: "borg.v1.TeardownFrameworkRequest", requestId: "", framework: "", session: 0 });

function makeTeardownFrameworkRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TeardownFrameworkRequest", requestId: i.requestId ?? "", framework: i.framework ?? "", session: i.session ?? 0 };
  return m;
}

function readTeardownFrameworkRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.framework = r.string(true);
        break;
      case 25:
        m.session = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTeardownFrameworkRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.framework !== "") w.uint32(18).string(m.framework);
  if (!Object.is(m.session, 0)) w.uint32(25).double(m.session);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTokenRecord = (): Any => ({ $typeName: "borg.v1.TokenRecord", hash: "", label: "", createdMs: 0, untilMs: 0 });

function makeTokenRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TokenRecord", hash: i.hash ?? "", label: i.label ?? "", createdMs: i.createdMs ?? 0, untilMs: i.untilMs ?? 0 };
  return m;
}

function readTokenRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.hash = r.string(true);
        break;
      case 18:
        m.label = r.string(true);
        break;
      case 25:
        m.createdMs = r.double();
        break;
      case 33:
        m.untilMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTokenRecord(w: BinaryWriter, m: Any): void {
  if (m.hash !== "") w.uint32(10).string(m.hash);
  if (m.label !== "") w.uint32(18).string(m.label);
  if (!Object.is(m.createdMs, 0)) w.uint32(25).double(m.createdMs);
  if (!Object.is(m.untilMs, 0)) w.uint32(33).double(m.untilMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTokenRevoke = (): Any => ({ $typeName: "borg.v1.TokenRevoke", user: "", id: "" });

function makeTokenRevoke(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TokenRevoke", user: i.user ?? "", id: i.id ?? "" };
  return m;
}

function readTokenRevoke(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.id = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTokenRevoke(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.id !== "") w.uint32(18).string(m.id);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTokenSet = (): Any => ({ $typeName: "borg.v1.TokenSet", user: "", hash: "", label: "", untilMs: 0 });

function makeTokenSet(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TokenSet", user: i.user ?? "", hash: i.hash ?? "", label: i.label ?? "", untilMs: i.untilMs ?? 0 };
  return m;
}

function readTokenSet(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.hash = r.string(true);
        break;
      case 26:
        m.label = r.string(true);
        break;
      case 33:
        m.untilMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTokenSet(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.hash !== "") w.uint32(18).string(m.hash);
  if (m.label !== "") w.uint32(26).string(m.label);
  if (!Object.is(m.untilMs, 0)) w.uint32(33).double(m.untilMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroTokenView = (): Any => ({ $typeName: "borg.v1.TokenView", user: "", id: "", label: "", createdMs: 0, untilMs: 0 });

function makeTokenView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.TokenView", user: i.user ?? "", id: i.id ?? "", label: i.label ?? "", createdMs: i.createdMs ?? 0, untilMs: i.untilMs ?? 0 };
  return m;
}

function readTokenView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.id = r.string(true);
        break;
      case 26:
        m.label = r.string(true);
        break;
      case 33:
        m.createdMs = r.double();
        break;
      case 41:
        m.untilMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeTokenView(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.id !== "") w.uint32(18).string(m.id);
  if (m.label !== "") w.uint32(26).string(m.label);
  if (!Object.is(m.createdMs, 0)) w.uint32(33).double(m.createdMs);
  if (!Object.is(m.untilMs, 0)) w.uint32(41).double(m.untilMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroToldRecord = (): Any => ({ $typeName: "borg.v1.ToldRecord", generation: 0, kind: 0, timeMs: 0 });

function makeToldRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ToldRecord", generation: i.generation ?? 0, kind: i.kind ?? 0, timeMs: i.timeMs ?? 0 };
  return m;
}

function readToldRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.generation = r.uint32();
        break;
      case 16:
        m.kind = r.int32();
        break;
      case 25:
        m.timeMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeToldRecord(w: BinaryWriter, m: Any): void {
  if (m.generation !== 0) w.uint32(8).uint32(m.generation);
  if (m.kind !== 0) w.uint32(16).int32(m.kind);
  if (!Object.is(m.timeMs, 0)) w.uint32(25).double(m.timeMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUndoUpdateRequest = (): Any => ({ $typeName: "borg.v1.UndoUpdateRequest", requestId: "", job: "" });

function makeUndoUpdateRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UndoUpdateRequest", requestId: i.requestId ?? "", job: i.job ?? "" };
  return m;
}

function readUndoUpdateRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUndoUpdateRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.job !== "") w.uint32(18).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUnpinTaskRequest = (): Any => ({ $typeName: "borg.v1.UnpinTaskRequest", requestId: "", task: "" });

function makeUnpinTaskRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UnpinTaskRequest", requestId: i.requestId ?? "", task: i.task ?? "" };
  return m;
}

function readUnpinTaskRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requestId = r.string(true);
        break;
      case 18:
        m.task = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUnpinTaskRequest(w: BinaryWriter, m: Any): void {
  if (m.requestId !== "") w.uint32(10).string(m.requestId);
  if (m.task !== "") w.uint32(18).string(m.task);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUpdateCommit = (): Any => ({ $typeName: "borg.v1.UpdateCommit", job: "" });

function makeUpdateCommit(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UpdateCommit", job: i.job ?? "" };
  return m;
}

function readUpdateCommit(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUpdateCommit(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUpdatePause = (): Any => ({ $typeName: "borg.v1.UpdatePause", job: "", paused: false });

function makeUpdatePause(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UpdatePause", job: i.job ?? "", paused: i.paused ?? false };
  return m;
}

function readUpdatePause(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      case 16:
        m.paused = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUpdatePause(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.paused) w.uint32(16).bool(m.paused);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUpdatePolicy = (): Any => ({ $typeName: "borg.v1.UpdatePolicy", batch: 0, watchMs: 0, failuresMax: 0 });

function makeUpdatePolicy(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UpdatePolicy", batch: i.batch ?? 0, watchMs: i.watchMs ?? 0, failuresMax: i.failuresMax ?? 0 };
  if (i.disruptionsMax !== undefined) m.disruptionsMax = i.disruptionsMax;
  return m;
}

function readUpdatePolicy(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.batch = r.uint32();
        break;
      case 16:
        m.disruptionsMax = r.uint32();
        break;
      case 24:
        m.watchMs = r.uint32();
        break;
      case 32:
        m.failuresMax = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUpdatePolicy(w: BinaryWriter, m: Any): void {
  if (m.batch !== 0) w.uint32(8).uint32(m.batch);
  if (m.disruptionsMax !== undefined) w.uint32(16).uint32(m.disruptionsMax);
  if (m.watchMs !== 0) w.uint32(24).uint32(m.watchMs);
  if (m.failuresMax !== 0) w.uint32(32).uint32(m.failuresMax);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUpdateRecord = (): Any => ({ $typeName: "borg.v1.UpdateRecord", generation: 0, phase: 0, tasks: [], countBefore: 0, startedMs: 0, sinceMs: 0, reason: "", preempted: 0 });

function makeUpdateRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UpdateRecord", generation: i.generation ?? 0, phase: i.phase ?? 0, tasks: i.tasks?.map(makeTaskRange) ?? [], countBefore: i.countBefore ?? 0, startedMs: i.startedMs ?? 0, sinceMs: i.sinceMs ?? 0, reason: i.reason ?? "", preempted: i.preempted ?? 0 };
  if (i.spec !== undefined) m.spec = makeJobSpec(i.spec);
  if (i.allocSet !== undefined) m.allocSet = makeAllocSetSpec(i.allocSet);
  return m;
}

function readUpdateRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.spec = readJobSpec(m.spec ?? zeroJobSpec(), r, r.uint32() + r.pos);
        break;
      case 16:
        m.generation = r.uint32();
        break;
      case 24:
        m.phase = r.int32();
        break;
      case 34:
        m.tasks.push(readTaskRange(zeroTaskRange(), r, r.uint32() + r.pos));
        break;
      case 40:
        m.countBefore = r.uint32();
        break;
      case 49:
        m.startedMs = r.double();
        break;
      case 57:
        m.sinceMs = r.double();
        break;
      case 66:
        m.reason = r.string(true);
        break;
      case 74:
        m.allocSet = readAllocSetSpec(m.allocSet ?? zeroAllocSetSpec(), r, r.uint32() + r.pos);
        break;
      case 80:
        m.preempted = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUpdateRecord(w: BinaryWriter, m: Any): void {
  if (m.spec !== undefined) { w.uint32(10).fork(); writeJobSpec(w, m.spec); w.join(); }
  if (m.generation !== 0) w.uint32(16).uint32(m.generation);
  if (m.phase !== 0) w.uint32(24).int32(m.phase);
  for (const each of m.tasks) { w.uint32(34).fork(); writeTaskRange(w, each); w.join(); }
  if (m.countBefore !== 0) w.uint32(40).uint32(m.countBefore);
  if (!Object.is(m.startedMs, 0)) w.uint32(49).double(m.startedMs);
  if (!Object.is(m.sinceMs, 0)) w.uint32(57).double(m.sinceMs);
  if (m.reason !== "") w.uint32(66).string(m.reason);
  if (m.allocSet !== undefined) { w.uint32(74).fork(); writeAllocSetSpec(w, m.allocSet); w.join(); }
  if (m.preempted !== 0) w.uint32(80).uint32(m.preempted);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUpdateStart = (): Any => ({ $typeName: "borg.v1.UpdateStart", tasks: [], paused: false });

function makeUpdateStart(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UpdateStart", tasks: i.tasks?.map(makeTaskRange) ?? [], paused: i.paused ?? false };
  if (i.spec !== undefined) m.spec = makeJobSpec(i.spec);
  if (i.allocSet !== undefined) m.allocSet = makeAllocSetSpec(i.allocSet);
  return m;
}

function readUpdateStart(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.spec = readJobSpec(m.spec ?? zeroJobSpec(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.tasks.push(readTaskRange(zeroTaskRange(), r, r.uint32() + r.pos));
        break;
      case 24:
        m.paused = r.bool();
        break;
      case 34:
        m.allocSet = readAllocSetSpec(m.allocSet ?? zeroAllocSetSpec(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUpdateStart(w: BinaryWriter, m: Any): void {
  if (m.spec !== undefined) { w.uint32(10).fork(); writeJobSpec(w, m.spec); w.join(); }
  for (const each of m.tasks) { w.uint32(18).fork(); writeTaskRange(w, each); w.join(); }
  if (m.paused) w.uint32(24).bool(m.paused);
  if (m.allocSet !== undefined) { w.uint32(34).fork(); writeAllocSetSpec(w, m.allocSet); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUpdateStep = (): Any => ({ $typeName: "borg.v1.UpdateStep", job: "" });

function makeUpdateStep(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UpdateStep", job: i.job ?? "" };
  return m;
}

function readUpdateStep(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUpdateStep(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUpdateTask = (): Any => ({ $typeName: "borg.v1.UpdateTask", task: "", change: "", verdict: "", state: "" });

function makeUpdateTask(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UpdateTask", task: i.task ?? "", change: i.change ?? "", verdict: i.verdict ?? "", state: i.state ?? "" };
  return m;
}

function readUpdateTask(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = r.string(true);
        break;
      case 18:
        m.change = r.string(true);
        break;
      case 26:
        m.verdict = r.string(true);
        break;
      case 34:
        m.state = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUpdateTask(w: BinaryWriter, m: Any): void {
  if (m.task !== "") w.uint32(10).string(m.task);
  if (m.change !== "") w.uint32(18).string(m.change);
  if (m.verdict !== "") w.uint32(26).string(m.verdict);
  if (m.state !== "") w.uint32(34).string(m.state);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUpdateUndo = (): Any => ({ $typeName: "borg.v1.UpdateUndo", job: "" });

function makeUpdateUndo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UpdateUndo", job: i.job ?? "" };
  return m;
}

function readUpdateUndo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUpdateUndo(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUpdateView = (): Any => ({ $typeName: "borg.v1.UpdateView", job: "", phase: "", sinceMs: 0, startedMs: 0, reason: "", passed: 0, waiting: 0, failed: 0, skipped: 0, left: 0, disruptions: 0, tasks: [], generation: 0, preempted: 0, allocSet: false });

function makeUpdateView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UpdateView", job: i.job ?? "", phase: i.phase ?? "", sinceMs: i.sinceMs ?? 0, startedMs: i.startedMs ?? 0, reason: i.reason ?? "", passed: i.passed ?? 0, waiting: i.waiting ?? 0, failed: i.failed ?? 0, skipped: i.skipped ?? 0, left: i.left ?? 0, disruptions: i.disruptions ?? 0, tasks: i.tasks?.map(makeUpdateTask) ?? [], generation: i.generation ?? 0, preempted: i.preempted ?? 0, allocSet: i.allocSet ?? false };
  return m;
}

function readUpdateView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = r.string(true);
        break;
      case 18:
        m.phase = r.string(true);
        break;
      case 25:
        m.sinceMs = r.double();
        break;
      case 33:
        m.startedMs = r.double();
        break;
      case 42:
        m.reason = r.string(true);
        break;
      case 48:
        m.passed = r.uint32();
        break;
      case 56:
        m.waiting = r.uint32();
        break;
      case 64:
        m.failed = r.uint32();
        break;
      case 72:
        m.skipped = r.uint32();
        break;
      case 80:
        m.left = r.uint32();
        break;
      case 88:
        m.disruptions = r.uint32();
        break;
      case 98:
        m.tasks.push(readUpdateTask(zeroUpdateTask(), r, r.uint32() + r.pos));
        break;
      case 104:
        m.generation = r.uint32();
        break;
      case 120:
        m.preempted = r.uint32();
        break;
      case 112:
        m.allocSet = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUpdateView(w: BinaryWriter, m: Any): void {
  if (m.job !== "") w.uint32(10).string(m.job);
  if (m.phase !== "") w.uint32(18).string(m.phase);
  if (!Object.is(m.sinceMs, 0)) w.uint32(25).double(m.sinceMs);
  if (!Object.is(m.startedMs, 0)) w.uint32(33).double(m.startedMs);
  if (m.reason !== "") w.uint32(42).string(m.reason);
  if (m.passed !== 0) w.uint32(48).uint32(m.passed);
  if (m.waiting !== 0) w.uint32(56).uint32(m.waiting);
  if (m.failed !== 0) w.uint32(64).uint32(m.failed);
  if (m.skipped !== 0) w.uint32(72).uint32(m.skipped);
  if (m.left !== 0) w.uint32(80).uint32(m.left);
  if (m.disruptions !== 0) w.uint32(88).uint32(m.disruptions);
  for (const each of m.tasks) { w.uint32(98).fork(); writeUpdateTask(w, each); w.join(); }
  if (m.generation !== 0) w.uint32(104).uint32(m.generation);
  if (m.allocSet) w.uint32(112).bool(m.allocSet);
  if (m.preempted !== 0) w.uint32(120).uint32(m.preempted);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUploadPackageRequest = (): Any => ({ $typeName: "borg.v1.UploadPackageRequest", digest: "", bytes: 0, offset: 0, data: NONE });

function makeUploadPackageRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UploadPackageRequest", digest: i.digest ?? "", bytes: i.bytes ?? 0, offset: i.offset ?? 0, data: i.data ?? NONE };
  return m;
}

function readUploadPackageRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.digest = r.string(true);
        break;
      case 17:
        m.bytes = r.double();
        break;
      case 25:
        m.offset = r.double();
        break;
      case 34:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUploadPackageRequest(w: BinaryWriter, m: Any): void {
  if (m.digest !== "") w.uint32(10).string(m.digest);
  if (!Object.is(m.bytes, 0)) w.uint32(17).double(m.bytes);
  if (!Object.is(m.offset, 0)) w.uint32(25).double(m.offset);
  if (m.data.length > 0) w.uint32(34).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUploadPackageResponse = (): Any => ({ $typeName: "borg.v1.UploadPackageResponse", received: 0, kept: false });

function makeUploadPackageResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UploadPackageResponse", received: i.received ?? 0, kept: i.kept ?? false };
  return m;
}

function readUploadPackageResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.received = r.double();
        break;
      case 16:
        m.kept = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUploadPackageResponse(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.received, 0)) w.uint32(9).double(m.received);
  if (m.kept) w.uint32(16).bool(m.kept);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUsage = (): Any => ({ $typeName: "borg.v1.Usage", instance: "" });

function makeUsage(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Usage", instance: i.instance ?? "" };
  if (i.last !== undefined) m.last = makeResources(i.last);
  if (i.average !== undefined) m.average = makeResources(i.average);
  if (i.peak !== undefined) m.peak = makeResources(i.peak);
  if (i.cpi !== undefined) m.cpi = i.cpi;
  if (i.diskTraffic !== undefined) m.diskTraffic = makeDiskTraffic(i.diskTraffic);
  return m;
}

function readUsage(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 18:
        m.last = readResources(m.last ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.average = readResources(m.average ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.peak = readResources(m.peak ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 41:
        m.cpi = r.double();
        break;
      case 50:
        m.diskTraffic = readDiskTraffic(m.diskTraffic ?? zeroDiskTraffic(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUsage(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.last !== undefined) { w.uint32(18).fork(); writeResources(w, m.last); w.join(); }
  if (m.average !== undefined) { w.uint32(26).fork(); writeResources(w, m.average); w.join(); }
  if (m.peak !== undefined) { w.uint32(34).fork(); writeResources(w, m.peak); w.join(); }
  if (m.cpi !== undefined) w.uint32(41).double(m.cpi);
  if (m.diskTraffic !== undefined) { w.uint32(50).fork(); writeDiskTraffic(w, m.diskTraffic); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUsageChange = (): Any => ({ $typeName: "borg.v1.UsageChange", agoMs: 0, cpuMilli: 0, ramBytes: 0, diskBytes: 0 });

function makeUsageChange(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UsageChange", agoMs: i.agoMs ?? 0, cpuMilli: i.cpuMilli ?? 0, ramBytes: i.ramBytes ?? 0, diskBytes: i.diskBytes ?? 0 };
  return m;
}

function readUsageChange(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.agoMs = r.double();
        break;
      case 16:
        m.cpuMilli = r.uint32();
        break;
      case 25:
        m.ramBytes = r.double();
        break;
      case 33:
        m.diskBytes = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUsageChange(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.agoMs, 0)) w.uint32(9).double(m.agoMs);
  if (m.cpuMilli !== 0) w.uint32(16).uint32(m.cpuMilli);
  if (!Object.is(m.ramBytes, 0)) w.uint32(25).double(m.ramBytes);
  if (!Object.is(m.diskBytes, 0)) w.uint32(33).double(m.diskBytes);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUsageChunk = (): Any => ({ $typeName: "borg.v1.UsageChunk", id: 0, changes: [] });

function makeUsageChunk(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UsageChunk", id: i.id ?? 0, changes: i.changes?.map(makeUsageChange) ?? [] };
  return m;
}

function readUsageChunk(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.id = r.double();
        break;
      case 18:
        m.changes.push(readUsageChange(zeroUsageChange(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUsageChunk(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.id, 0)) w.uint32(9).double(m.id);
  for (const each of m.changes) { w.uint32(18).fork(); writeUsageChange(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUsageMoment = (): Any => ({ $typeName: "borg.v1.UsageMoment", timeMs: 0, cpuMilli: 0, ramBytes: 0, diskBytes: 0 });

function makeUsageMoment(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UsageMoment", timeMs: i.timeMs ?? 0, cpuMilli: i.cpuMilli ?? 0, ramBytes: i.ramBytes ?? 0, diskBytes: i.diskBytes ?? 0 };
  return m;
}

function readUsageMoment(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.timeMs = r.double();
        break;
      case 16:
        m.cpuMilli = r.uint32();
        break;
      case 25:
        m.ramBytes = r.double();
        break;
      case 33:
        m.diskBytes = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUsageMoment(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.timeMs, 0)) w.uint32(9).double(m.timeMs);
  if (m.cpuMilli !== 0) w.uint32(16).uint32(m.cpuMilli);
  if (!Object.is(m.ramBytes, 0)) w.uint32(25).double(m.ramBytes);
  if (!Object.is(m.diskBytes, 0)) w.uint32(33).double(m.diskBytes);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUsageRequest = (): Any => ({ $typeName: "borg.v1.UsageRequest", id: 0, instance: "" });

function makeUsageRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UsageRequest", id: i.id ?? 0, instance: i.instance ?? "" };
  return m;
}

function readUsageRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.id = r.double();
        break;
      case 18:
        m.instance = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUsageRequest(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.id, 0)) w.uint32(9).double(m.id);
  if (m.instance !== "") w.uint32(18).string(m.instance);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUseShellRequest = (): Any => ({ $typeName: "borg.v1.UseShellRequest", shell: "" });

function makeUseShellRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UseShellRequest", shell: i.shell ?? "" };
  if (i.use !== undefined) m.use = makeShellUse(i.use);
  return m;
}

function readUseShellRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.shell = r.string(true);
        break;
      case 18:
        m.use = readShellUse(m.use ?? zeroShellUse(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUseShellRequest(w: BinaryWriter, m: Any): void {
  if (m.shell !== "") w.uint32(10).string(m.shell);
  if (m.use !== undefined) { w.uint32(18).fork(); writeShellUse(w, m.use); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUseShellResponse = (): Any => ({ $typeName: "borg.v1.UseShellResponse", instance: "", machine: "" });

function makeUseShellResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UseShellResponse", instance: i.instance ?? "", machine: i.machine ?? "" };
  if (i.said !== undefined) m.said = makeShellSaid(i.said);
  return m;
}

function readUseShellResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 18:
        m.machine = r.string(true);
        break;
      case 26:
        m.said = readShellSaid(m.said ?? zeroShellSaid(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUseShellResponse(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.machine !== "") w.uint32(18).string(m.machine);
  if (m.said !== undefined) { w.uint32(26).fork(); writeShellSaid(w, m.said); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUserBounds = (): Any => ({ $typeName: "borg.v1.UserBounds", jobs: 0, tasks: 0, specBytes: 0, packages: 0, packageBytes: 0, calls: 0, polls: 0, workPerSecond: 0 });

function makeUserBounds(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UserBounds", jobs: i.jobs ?? 0, tasks: i.tasks ?? 0, specBytes: i.specBytes ?? 0, packages: i.packages ?? 0, packageBytes: i.packageBytes ?? 0, calls: i.calls ?? 0, polls: i.polls ?? 0, workPerSecond: i.workPerSecond ?? 0 };
  return m;
}

function readUserBounds(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.jobs = r.uint32();
        break;
      case 16:
        m.tasks = r.uint32();
        break;
      case 25:
        m.specBytes = r.double();
        break;
      case 32:
        m.packages = r.uint32();
        break;
      case 41:
        m.packageBytes = r.double();
        break;
      case 48:
        m.calls = r.uint32();
        break;
      case 56:
        m.polls = r.uint32();
        break;
      case 64:
        m.workPerSecond = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUserBounds(w: BinaryWriter, m: Any): void {
  if (m.jobs !== 0) w.uint32(8).uint32(m.jobs);
  if (m.tasks !== 0) w.uint32(16).uint32(m.tasks);
  if (!Object.is(m.specBytes, 0)) w.uint32(25).double(m.specBytes);
  if (m.packages !== 0) w.uint32(32).uint32(m.packages);
  if (!Object.is(m.packageBytes, 0)) w.uint32(41).double(m.packageBytes);
  if (m.calls !== 0) w.uint32(48).uint32(m.calls);
  if (m.polls !== 0) w.uint32(56).uint32(m.polls);
  if (m.workPerSecond !== 0) w.uint32(64).uint32(m.workPerSecond);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUserGrant = (): Any => ({ $typeName: "borg.v1.UserGrant", user: "", roles: [], capabilities: [], add: false });

function makeUserGrant(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UserGrant", user: i.user ?? "", roles: i.roles ?? [], capabilities: i.capabilities ?? [], add: i.add ?? false };
  if (i.labels !== undefined) m.labels = makeLabels(i.labels);
  return m;
}

function readUserGrant(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 16:
        m.roles.push(r.int32());
        break;
      case 18:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.roles.push(r.int32());
        break;
      case 24:
        m.capabilities.push(r.int32());
        break;
      case 26:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.capabilities.push(r.int32());
        break;
      case 32:
        m.add = r.bool();
        break;
      case 42:
        m.labels = readLabels(m.labels ?? zeroLabels(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUserGrant(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.roles.length > 0) {
    w.uint32(18).fork();
    for (const each of m.roles) w.int32(each);
    w.join();
  }
  if (m.capabilities.length > 0) {
    w.uint32(26).fork();
    for (const each of m.capabilities) w.int32(each);
    w.join();
  }
  if (m.add) w.uint32(32).bool(m.add);
  if (m.labels !== undefined) { w.uint32(42).fork(); writeLabels(w, m.labels); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUserGrants = (): Any => ({ $typeName: "borg.v1.UserGrants", name: "", roles: [], capabilities: [], quotas: [], packages: [], labels: [] });

function makeUserGrants(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UserGrants", name: i.name ?? "", roles: i.roles ?? [], capabilities: i.capabilities ?? [], quotas: i.quotas?.map(makeBandQuota) ?? [], packages: i.packages?.map(makePackageRecord) ?? [], labels: i.labels?.map(makeLabel) ?? [] };
  if (i.bounds !== undefined) m.bounds = makeUserBounds(i.bounds);
  return m;
}

function readUserGrants(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.roles.push(r.int32());
        break;
      case 18:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.roles.push(r.int32());
        break;
      case 24:
        m.capabilities.push(r.int32());
        break;
      case 26:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.capabilities.push(r.int32());
        break;
      case 34:
        m.quotas.push(readBandQuota(zeroBandQuota(), r, r.uint32() + r.pos));
        break;
      case 58:
        m.bounds = readUserBounds(m.bounds ?? zeroUserBounds(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.packages.push(readPackageRecord(zeroPackageRecord(), r, r.uint32() + r.pos));
        break;
      case 82:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUserGrants(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.roles.length > 0) {
    w.uint32(18).fork();
    for (const each of m.roles) w.int32(each);
    w.join();
  }
  if (m.capabilities.length > 0) {
    w.uint32(26).fork();
    for (const each of m.capabilities) w.int32(each);
    w.join();
  }
  for (const each of m.quotas) { w.uint32(34).fork(); writeBandQuota(w, each); w.join(); }
  if (m.bounds !== undefined) { w.uint32(58).fork(); writeUserBounds(w, m.bounds); w.join(); }
  for (const each of m.packages) { w.uint32(66).fork(); writePackageRecord(w, each); w.join(); }
  for (const each of m.labels) { w.uint32(82).fork(); writeLabel(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUserRecord = (): Any => ({ $typeName: "borg.v1.UserRecord", name: "", roles: [], capabilities: [], quotas: [], requests: [], tokens: [], packages: [], secrets: [], labels: [] });

function makeUserRecord(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UserRecord", name: i.name ?? "", roles: i.roles ?? [], capabilities: i.capabilities ?? [], quotas: i.quotas?.map(makeBandQuota) ?? [], requests: i.requests?.map(makeRequestRecord) ?? [], tokens: i.tokens?.map(makeTokenRecord) ?? [], packages: i.packages?.map(makePackageRecord) ?? [], secrets: i.secrets?.map(makeSecretRecord) ?? [], labels: i.labels?.map(makeLabel) ?? [] };
  if (i.bounds !== undefined) m.bounds = makeUserBounds(i.bounds);
  return m;
}

function readUserRecord(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.roles.push(r.int32());
        break;
      case 18:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.roles.push(r.int32());
        break;
      case 24:
        m.capabilities.push(r.int32());
        break;
      case 26:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.capabilities.push(r.int32());
        break;
      case 34:
        m.quotas.push(readBandQuota(zeroBandQuota(), r, r.uint32() + r.pos));
        break;
      case 42:
        m.requests.push(readRequestRecord(zeroRequestRecord(), r, r.uint32() + r.pos));
        break;
      case 50:
        m.tokens.push(readTokenRecord(zeroTokenRecord(), r, r.uint32() + r.pos));
        break;
      case 58:
        m.bounds = readUserBounds(m.bounds ?? zeroUserBounds(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.packages.push(readPackageRecord(zeroPackageRecord(), r, r.uint32() + r.pos));
        break;
      case 74:
        m.secrets.push(readSecretRecord(zeroSecretRecord(), r, r.uint32() + r.pos));
        break;
      case 82:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUserRecord(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.roles.length > 0) {
    w.uint32(18).fork();
    for (const each of m.roles) w.int32(each);
    w.join();
  }
  if (m.capabilities.length > 0) {
    w.uint32(26).fork();
    for (const each of m.capabilities) w.int32(each);
    w.join();
  }
  for (const each of m.quotas) { w.uint32(34).fork(); writeBandQuota(w, each); w.join(); }
  for (const each of m.requests) { w.uint32(42).fork(); writeRequestRecord(w, each); w.join(); }
  for (const each of m.tokens) { w.uint32(50).fork(); writeTokenRecord(w, each); w.join(); }
  if (m.bounds !== undefined) { w.uint32(58).fork(); writeUserBounds(w, m.bounds); w.join(); }
  for (const each of m.packages) { w.uint32(66).fork(); writePackageRecord(w, each); w.join(); }
  for (const each of m.secrets) { w.uint32(74).fork(); writeSecretRecord(w, each); w.join(); }
  for (const each of m.labels) { w.uint32(82).fork(); writeLabel(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroUserView = (): Any => ({ $typeName: "borg.v1.UserView", name: "", roles: [], capabilities: [], jobs: 0, tasks: 0, specBytes: 0, labels: [] });

function makeUserView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.UserView", name: i.name ?? "", roles: i.roles ?? [], capabilities: i.capabilities ?? [], jobs: i.jobs ?? 0, tasks: i.tasks ?? 0, specBytes: i.specBytes ?? 0, labels: i.labels?.map(makeLabel) ?? [] };
  if (i.bounds !== undefined) m.bounds = makeUserBounds(i.bounds);
  return m;
}

function readUserView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.roles.push(r.int32());
        break;
      case 18:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.roles.push(r.int32());
        break;
      case 24:
        m.capabilities.push(r.int32());
        break;
      case 26:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.capabilities.push(r.int32());
        break;
      case 32:
        m.jobs = r.uint32();
        break;
      case 40:
        m.tasks = r.uint32();
        break;
      case 49:
        m.specBytes = r.double();
        break;
      case 58:
        m.bounds = readUserBounds(m.bounds ?? zeroUserBounds(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.labels.push(readLabel(zeroLabel(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeUserView(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.roles.length > 0) {
    w.uint32(18).fork();
    for (const each of m.roles) w.int32(each);
    w.join();
  }
  if (m.capabilities.length > 0) {
    w.uint32(26).fork();
    for (const each of m.capabilities) w.int32(each);
    w.join();
  }
  if (m.jobs !== 0) w.uint32(32).uint32(m.jobs);
  if (m.tasks !== 0) w.uint32(40).uint32(m.tasks);
  if (!Object.is(m.specBytes, 0)) w.uint32(49).double(m.specBytes);
  if (m.bounds !== undefined) { w.uint32(58).fork(); writeUserBounds(w, m.bounds); w.join(); }
  for (const each of m.labels) { w.uint32(66).fork(); writeLabel(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroVictim = (): Any => ({ $typeName: "borg.v1.Victim", instance: "", priority: 0, machine: "", noticeMs: 0 });

function makeVictim(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Victim", instance: i.instance ?? "", priority: i.priority ?? 0, machine: i.machine ?? "", noticeMs: i.noticeMs ?? 0 };
  return m;
}

function readVictim(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.instance = r.string(true);
        break;
      case 16:
        m.priority = r.uint32();
        break;
      case 26:
        m.machine = r.string(true);
        break;
      case 32:
        m.noticeMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeVictim(w: BinaryWriter, m: Any): void {
  if (m.instance !== "") w.uint32(10).string(m.instance);
  if (m.priority !== 0) w.uint32(16).uint32(m.priority);
  if (m.machine !== "") w.uint32(26).string(m.machine);
  if (m.noticeMs !== 0) w.uint32(32).uint32(m.noticeMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroView = (): Any => ({ $typeName: "borg.v1.View", kind: 0, query: "", sort: "", first: 0, limit: 0 });

function makeView(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.View", kind: i.kind ?? 0, query: i.query ?? "", sort: i.sort ?? "", first: i.first ?? 0, limit: i.limit ?? 0 };
  return m;
}

function readView(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.kind = r.int32();
        break;
      case 18:
        m.query = r.string(true);
        break;
      case 26:
        m.sort = r.string(true);
        break;
      case 32:
        m.first = r.uint32();
        break;
      case 40:
        m.limit = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeView(w: BinaryWriter, m: Any): void {
  if (m.kind !== 0) w.uint32(8).int32(m.kind);
  if (m.query !== "") w.uint32(18).string(m.query);
  if (m.sort !== "") w.uint32(26).string(m.sort);
  if (m.first !== 0) w.uint32(32).uint32(m.first);
  if (m.limit !== 0) w.uint32(40).uint32(m.limit);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroViewCell = (): Any => ({ $typeName: "borg.v1.ViewCell", name: "", user: "", roles: [], jobs: 0, users: 0, machines: 0, up: 0, draining: 0, drained: 0, unreachable: 0, unreachableMs: 0, samples: [], countedSinceMs: 0 });

function makeViewCell(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ViewCell", name: i.name ?? "", user: i.user ?? "", roles: i.roles ?? [], jobs: i.jobs ?? 0, users: i.users ?? 0, machines: i.machines ?? 0, up: i.up ?? 0, draining: i.draining ?? 0, drained: i.drained ?? 0, unreachable: i.unreachable ?? 0, unreachableMs: i.unreachableMs ?? 0, samples: i.samples?.map(makeViewSample) ?? [], countedSinceMs: i.countedSinceMs ?? 0 };
  if (i.capacity !== undefined) m.capacity = makeResources(i.capacity);
  if (i.production !== undefined) m.production = makeViewSums(i.production);
  if (i.rest !== undefined) m.rest = makeViewSums(i.rest);
  return m;
}

function readViewCell(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.user = r.string(true);
        break;
      case 24:
        m.roles.push(r.int32());
        break;
      case 26:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.roles.push(r.int32());
        break;
      case 32:
        m.jobs = r.uint32();
        break;
      case 40:
        m.users = r.uint32();
        break;
      case 48:
        m.machines = r.uint32();
        break;
      case 56:
        m.up = r.uint32();
        break;
      case 64:
        m.draining = r.uint32();
        break;
      case 72:
        m.drained = r.uint32();
        break;
      case 80:
        m.unreachable = r.uint32();
        break;
      case 89:
        m.unreachableMs = r.double();
        break;
      case 98:
        m.capacity = readResources(m.capacity ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 106:
        m.production = readViewSums(m.production ?? zeroViewSums(), r, r.uint32() + r.pos);
        break;
      case 114:
        m.rest = readViewSums(m.rest ?? zeroViewSums(), r, r.uint32() + r.pos);
        break;
      case 122:
        m.samples.push(readViewSample(zeroViewSample(), r, r.uint32() + r.pos));
        break;
      case 129:
        m.countedSinceMs = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeViewCell(w: BinaryWriter, m: Any): void {
  if (m.name !== "") w.uint32(10).string(m.name);
  if (m.user !== "") w.uint32(18).string(m.user);
  if (m.roles.length > 0) {
    w.uint32(26).fork();
    for (const each of m.roles) w.int32(each);
    w.join();
  }
  if (m.jobs !== 0) w.uint32(32).uint32(m.jobs);
  if (m.users !== 0) w.uint32(40).uint32(m.users);
  if (m.machines !== 0) w.uint32(48).uint32(m.machines);
  if (m.up !== 0) w.uint32(56).uint32(m.up);
  if (m.draining !== 0) w.uint32(64).uint32(m.draining);
  if (m.drained !== 0) w.uint32(72).uint32(m.drained);
  if (m.unreachable !== 0) w.uint32(80).uint32(m.unreachable);
  if (!Object.is(m.unreachableMs, 0)) w.uint32(89).double(m.unreachableMs);
  if (m.capacity !== undefined) { w.uint32(98).fork(); writeResources(w, m.capacity); w.join(); }
  if (m.production !== undefined) { w.uint32(106).fork(); writeViewSums(w, m.production); w.join(); }
  if (m.rest !== undefined) { w.uint32(114).fork(); writeViewSums(w, m.rest); w.join(); }
  for (const each of m.samples) { w.uint32(122).fork(); writeViewSample(w, each); w.join(); }
  if (!Object.is(m.countedSinceMs, 0)) w.uint32(129).double(m.countedSinceMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroViewChange = (): Any => ({ $typeName: "borg.v1.ViewChange", view: 0, anew: false, total: 0, order: [], ordered: false, jobs: [], tasks: [], machines: [], events: [] });

function makeViewChange(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ViewChange", view: i.view ?? 0, anew: i.anew ?? false, total: i.total ?? 0, order: i.order ?? [], ordered: i.ordered ?? false, jobs: i.jobs?.map(makeViewJob) ?? [], tasks: i.tasks?.map(makeTaskView) ?? [], machines: i.machines?.map(makeMachineView) ?? [], events: i.events?.map(makeEventView) ?? [] };
  if (i.cell !== undefined) m.cell = makeViewCell(i.cell);
  if (i.map !== undefined) m.map = makeViewMap(i.map);
  return m;
}

function readViewChange(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.view = r.uint32();
        break;
      case 16:
        m.anew = r.bool();
        break;
      case 24:
        m.total = r.uint32();
        break;
      case 34:
        m.order.push(r.string(true));
        break;
      case 40:
        m.ordered = r.bool();
        break;
      case 50:
        m.jobs.push(readViewJob(zeroViewJob(), r, r.uint32() + r.pos));
        break;
      case 58:
        m.tasks.push(readTaskView(zeroTaskView(), r, r.uint32() + r.pos));
        break;
      case 66:
        m.machines.push(readMachineView(zeroMachineView(), r, r.uint32() + r.pos));
        break;
      case 74:
        m.cell = readViewCell(m.cell ?? zeroViewCell(), r, r.uint32() + r.pos);
        break;
      case 82:
        m.map = readViewMap(m.map ?? zeroViewMap(), r, r.uint32() + r.pos);
        break;
      case 90:
        m.events.push(readEventView(zeroEventView(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeViewChange(w: BinaryWriter, m: Any): void {
  if (m.view !== 0) w.uint32(8).uint32(m.view);
  if (m.anew) w.uint32(16).bool(m.anew);
  if (m.total !== 0) w.uint32(24).uint32(m.total);
  for (const each of m.order) w.uint32(34).string(each);
  if (m.ordered) w.uint32(40).bool(m.ordered);
  for (const each of m.jobs) { w.uint32(50).fork(); writeViewJob(w, each); w.join(); }
  for (const each of m.tasks) { w.uint32(58).fork(); writeTaskView(w, each); w.join(); }
  for (const each of m.machines) { w.uint32(66).fork(); writeMachineView(w, each); w.join(); }
  if (m.cell !== undefined) { w.uint32(74).fork(); writeViewCell(w, m.cell); w.join(); }
  if (m.map !== undefined) { w.uint32(82).fork(); writeViewMap(w, m.map); w.join(); }
  for (const each of m.events) { w.uint32(90).fork(); writeEventView(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroViewJob = (): Any => ({ $typeName: "borg.v1.ViewJob", restarts: 0, unreachable: 0, update: "", restartsHour: 0 });

function makeViewJob(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ViewJob", restarts: i.restarts ?? 0, unreachable: i.unreachable ?? 0, update: i.update ?? "", restartsHour: i.restartsHour ?? 0 };
  if (i.job !== undefined) m.job = makeJobView(i.job);
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.reservation !== undefined) m.reservation = makeResources(i.reservation);
  if (i.usage !== undefined) m.usage = makeResources(i.usage);
  return m;
}

function readViewJob(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.job = readJobView(m.job ?? zeroJobView(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.reservation = readResources(m.reservation ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.usage = readResources(m.usage ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 40:
        m.restarts = r.uint32();
        break;
      case 48:
        m.unreachable = r.uint32();
        break;
      case 58:
        m.update = r.string(true);
        break;
      case 64:
        m.restartsHour = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeViewJob(w: BinaryWriter, m: Any): void {
  if (m.job !== undefined) { w.uint32(10).fork(); writeJobView(w, m.job); w.join(); }
  if (m.limit !== undefined) { w.uint32(18).fork(); writeResources(w, m.limit); w.join(); }
  if (m.reservation !== undefined) { w.uint32(26).fork(); writeResources(w, m.reservation); w.join(); }
  if (m.usage !== undefined) { w.uint32(34).fork(); writeResources(w, m.usage); w.join(); }
  if (m.restarts !== 0) w.uint32(40).uint32(m.restarts);
  if (m.unreachable !== 0) w.uint32(48).uint32(m.unreachable);
  if (m.update !== "") w.uint32(58).string(m.update);
  if (m.restartsHour !== 0) w.uint32(64).uint32(m.restartsHour);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroViewMap = (): Any => ({ $typeName: "borg.v1.ViewMap", names: [], racks: [], rack: [], states: NONE, cpuUsed: NONE, cpuReserved: NONE, cpuLimit: NONE, ramUsed: NONE, ramReserved: NONE, ramLimit: NONE, tasks: NONE, groups: [] });

function makeViewMap(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ViewMap", names: i.names ?? [], racks: i.racks ?? [], rack: i.rack ?? [], states: i.states ?? NONE, cpuUsed: i.cpuUsed ?? NONE, cpuReserved: i.cpuReserved ?? NONE, cpuLimit: i.cpuLimit ?? NONE, ramUsed: i.ramUsed ?? NONE, ramReserved: i.ramReserved ?? NONE, ramLimit: i.ramLimit ?? NONE, tasks: i.tasks ?? NONE, groups: i.groups ?? [] };
  return m;
}

function readViewMap(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.names.push(r.string(true));
        break;
      case 18:
        m.racks.push(r.string(true));
        break;
      case 24:
        m.rack.push(r.uint32());
        break;
      case 26:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.rack.push(r.uint32());
        break;
      case 34:
        m.states = r.bytes();
        break;
      case 42:
        m.cpuUsed = r.bytes();
        break;
      case 50:
        m.cpuReserved = r.bytes();
        break;
      case 58:
        m.cpuLimit = r.bytes();
        break;
      case 66:
        m.ramUsed = r.bytes();
        break;
      case 74:
        m.ramReserved = r.bytes();
        break;
      case 82:
        m.ramLimit = r.bytes();
        break;
      case 90:
        m.tasks = r.bytes();
        break;
      case 98:
        m.groups.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeViewMap(w: BinaryWriter, m: Any): void {
  for (const each of m.names) w.uint32(10).string(each);
  for (const each of m.racks) w.uint32(18).string(each);
  if (m.rack.length > 0) {
    w.uint32(26).fork();
    for (const each of m.rack) w.uint32(each);
    w.join();
  }
  if (m.states.length > 0) w.uint32(34).bytes(m.states);
  if (m.cpuUsed.length > 0) w.uint32(42).bytes(m.cpuUsed);
  if (m.cpuReserved.length > 0) w.uint32(50).bytes(m.cpuReserved);
  if (m.cpuLimit.length > 0) w.uint32(58).bytes(m.cpuLimit);
  if (m.ramUsed.length > 0) w.uint32(66).bytes(m.ramUsed);
  if (m.ramReserved.length > 0) w.uint32(74).bytes(m.ramReserved);
  if (m.ramLimit.length > 0) w.uint32(82).bytes(m.ramLimit);
  if (m.tasks.length > 0) w.uint32(90).bytes(m.tasks);
  for (const each of m.groups) w.uint32(98).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroViewSample = (): Any => ({ $typeName: "borg.v1.ViewSample", timeMs: 0 });

function makeViewSample(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ViewSample", timeMs: i.timeMs ?? 0 };
  if (i.capacity !== undefined) m.capacity = makeResources(i.capacity);
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.reservation !== undefined) m.reservation = makeResources(i.reservation);
  if (i.usage !== undefined) m.usage = makeResources(i.usage);
  return m;
}

function readViewSample(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.timeMs = r.double();
        break;
      case 18:
        m.capacity = readResources(m.capacity ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.reservation = readResources(m.reservation ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.usage = readResources(m.usage ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeViewSample(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.timeMs, 0)) w.uint32(9).double(m.timeMs);
  if (m.capacity !== undefined) { w.uint32(18).fork(); writeResources(w, m.capacity); w.join(); }
  if (m.limit !== undefined) { w.uint32(26).fork(); writeResources(w, m.limit); w.join(); }
  if (m.reservation !== undefined) { w.uint32(34).fork(); writeResources(w, m.reservation); w.join(); }
  if (m.usage !== undefined) { w.uint32(42).fork(); writeResources(w, m.usage); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroViewSums = (): Any => ({ $typeName: "borg.v1.ViewSums", running: 0, starting: 0, pending: 0, failing: 0, stopping: 0, jobsFailing: 0, jobsPending: 0 });

function makeViewSums(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.ViewSums", running: i.running ?? 0, starting: i.starting ?? 0, pending: i.pending ?? 0, failing: i.failing ?? 0, stopping: i.stopping ?? 0, jobsFailing: i.jobsFailing ?? 0, jobsPending: i.jobsPending ?? 0 };
  if (i.limit !== undefined) m.limit = makeResources(i.limit);
  if (i.reservation !== undefined) m.reservation = makeResources(i.reservation);
  if (i.usage !== undefined) m.usage = makeResources(i.usage);
  return m;
}

function readViewSums(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.running = r.uint32();
        break;
      case 16:
        m.starting = r.uint32();
        break;
      case 24:
        m.pending = r.uint32();
        break;
      case 32:
        m.failing = r.uint32();
        break;
      case 40:
        m.stopping = r.uint32();
        break;
      case 48:
        m.jobsFailing = r.uint32();
        break;
      case 56:
        m.jobsPending = r.uint32();
        break;
      case 66:
        m.limit = readResources(m.limit ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.reservation = readResources(m.reservation ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      case 82:
        m.usage = readResources(m.usage ?? zeroResources(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeViewSums(w: BinaryWriter, m: Any): void {
  if (m.running !== 0) w.uint32(8).uint32(m.running);
  if (m.starting !== 0) w.uint32(16).uint32(m.starting);
  if (m.pending !== 0) w.uint32(24).uint32(m.pending);
  if (m.failing !== 0) w.uint32(32).uint32(m.failing);
  if (m.stopping !== 0) w.uint32(40).uint32(m.stopping);
  if (m.jobsFailing !== 0) w.uint32(48).uint32(m.jobsFailing);
  if (m.jobsPending !== 0) w.uint32(56).uint32(m.jobsPending);
  if (m.limit !== undefined) { w.uint32(66).fork(); writeResources(w, m.limit); w.join(); }
  if (m.reservation !== undefined) { w.uint32(74).fork(); writeResources(w, m.reservation); w.join(); }
  if (m.usage !== undefined) { w.uint32(82).fork(); writeResources(w, m.usage); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroVolume = (): Any => ({ $typeName: "borg.v1.Volume", readOnly: false, name: "" });

function makeVolume(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.Volume", readOnly: i.readOnly ?? false, name: i.name ?? "" };
  return m;
}

function readVolume(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 24:
        m.readOnly = r.bool();
        break;
      case 34:
        m.name = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeVolume(w: BinaryWriter, m: Any): void {
  if (m.readOnly) w.uint32(24).bool(m.readOnly);
  if (m.name !== "") w.uint32(34).string(m.name);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroVolumeOffer = (): Any => ({ $typeName: "borg.v1.VolumeOffer", user: "", name: "" });

function makeVolumeOffer(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.VolumeOffer", user: i.user ?? "", name: i.name ?? "" };
  return m;
}

function readVolumeOffer(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeVolumeOffer(w: BinaryWriter, m: Any): void {
  if (m.user !== "") w.uint32(10).string(m.user);
  if (m.name !== "") w.uint32(18).string(m.name);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroWatchViewsRequest = (): Any => ({ $typeName: "borg.v1.WatchViewsRequest", watch: "", seen: 0, views: [], waitMs: 0 });

function makeWatchViewsRequest(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.WatchViewsRequest", watch: i.watch ?? "", seen: i.seen ?? 0, views: i.views?.map(makeView) ?? [], waitMs: i.waitMs ?? 0 };
  return m;
}

function readWatchViewsRequest(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.watch = r.string(true);
        break;
      case 17:
        m.seen = r.double();
        break;
      case 26:
        m.views.push(readView(zeroView(), r, r.uint32() + r.pos));
        break;
      case 32:
        m.waitMs = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeWatchViewsRequest(w: BinaryWriter, m: Any): void {
  if (m.watch !== "") w.uint32(10).string(m.watch);
  if (!Object.is(m.seen, 0)) w.uint32(17).double(m.seen);
  for (const each of m.views) { w.uint32(26).fork(); writeView(w, each); w.join(); }
  if (m.waitMs !== 0) w.uint32(32).uint32(m.waitMs);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeroWatchViewsResponse = (): Any => ({ $typeName: "borg.v1.WatchViewsResponse", seen: 0, timeMs: 0, changes: [] });

function makeWatchViewsResponse(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "borg.v1.WatchViewsResponse", seen: i.seen ?? 0, timeMs: i.timeMs ?? 0, changes: i.changes?.map(makeViewChange) ?? [] };
  return m;
}

function readWatchViewsResponse(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.seen = r.double();
        break;
      case 17:
        m.timeMs = r.double();
        break;
      case 26:
        m.changes.push(readViewChange(zeroViewChange(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writeWatchViewsResponse(w: BinaryWriter, m: Any): void {
  if (!Object.is(m.seen, 0)) w.uint32(9).double(m.seen);
  if (!Object.is(m.timeMs, 0)) w.uint32(17).double(m.timeMs);
  for (const each of m.changes) { w.uint32(26).fork(); writeViewChange(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Address = (): Any => ({ $typeName: "mesos.v1.Address" });

function makemesos_v1_Address(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Address" };
  if (i.hostname !== undefined) m.hostname = i.hostname;
  if (i.ip !== undefined) m.ip = i.ip;
  if (i.port !== undefined) m.port = i.port;
  return m;
}

function readmesos_v1_Address(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.hostname = r.string(true);
        break;
      case 18:
        m.ip = r.string(true);
        break;
      case 24:
        m.port = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Address(w: BinaryWriter, m: Any): void {
  if (m.hostname !== undefined) w.uint32(10).string(m.hostname);
  if (m.ip !== undefined) w.uint32(18).string(m.ip);
  if (m.port !== undefined) w.uint32(24).int32(m.port);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_AgentID = (): Any => ({ $typeName: "mesos.v1.AgentID" });

function makemesos_v1_AgentID(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.AgentID" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_AgentID(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_AgentID(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_AgentInfo = (): Any => ({ $typeName: "mesos.v1.AgentInfo", resources: [], attributes: [] });

function makemesos_v1_AgentInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.AgentInfo", resources: i.resources?.map(makemesos_v1_Resource) ?? [], attributes: i.attributes?.map(makemesos_v1_Attribute) ?? [] };
  if (i.hostname !== undefined) m.hostname = i.hostname;
  if (i.id !== undefined) m.id = makemesos_v1_AgentID(i.id);
  if (i.port !== undefined) m.port = i.port;
  if (i.domain !== undefined) m.domain = makemesos_v1_DomainInfo(i.domain);
  return m;
}

function readmesos_v1_AgentInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.hostname = r.string(true);
        break;
      case 26:
        m.resources.push(readmesos_v1_Resource(zeromesos_v1_Resource(), r, r.uint32() + r.pos));
        break;
      case 42:
        m.attributes.push(readmesos_v1_Attribute(zeromesos_v1_Attribute(), r, r.uint32() + r.pos));
        break;
      case 50:
        m.id = readmesos_v1_AgentID(m.id ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 64:
        m.port = r.int32();
        break;
      case 82:
        m.domain = readmesos_v1_DomainInfo(m.domain ?? zeromesos_v1_DomainInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_AgentInfo(w: BinaryWriter, m: Any): void {
  if (m.hostname !== undefined) w.uint32(10).string(m.hostname);
  for (const each of m.resources) { w.uint32(26).fork(); writemesos_v1_Resource(w, each); w.join(); }
  for (const each of m.attributes) { w.uint32(42).fork(); writemesos_v1_Attribute(w, each); w.join(); }
  if (m.id !== undefined) { w.uint32(50).fork(); writemesos_v1_AgentID(w, m.id); w.join(); }
  if (m.port !== undefined) w.uint32(64).int32(m.port);
  if (m.domain !== undefined) { w.uint32(82).fork(); writemesos_v1_DomainInfo(w, m.domain); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Attribute = (): Any => ({ $typeName: "mesos.v1.Attribute" });

function makemesos_v1_Attribute(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Attribute" };
  if (i.name !== undefined) m.name = i.name;
  if (i.type !== undefined) m.type = i.type;
  if (i.scalar !== undefined) m.scalar = makemesos_v1_Value_Scalar(i.scalar);
  if (i.ranges !== undefined) m.ranges = makemesos_v1_Value_Ranges(i.ranges);
  if (i.text !== undefined) m.text = makemesos_v1_Value_Text(i.text);
  if (i.set !== undefined) m.set = makemesos_v1_Value_Set(i.set);
  return m;
}

function readmesos_v1_Attribute(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.type = r.int32();
        break;
      case 26:
        m.scalar = readmesos_v1_Value_Scalar(m.scalar ?? zeromesos_v1_Value_Scalar(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.ranges = readmesos_v1_Value_Ranges(m.ranges ?? zeromesos_v1_Value_Ranges(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.text = readmesos_v1_Value_Text(m.text ?? zeromesos_v1_Value_Text(), r, r.uint32() + r.pos);
        break;
      case 50:
        m.set = readmesos_v1_Value_Set(m.set ?? zeromesos_v1_Value_Set(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Attribute(w: BinaryWriter, m: Any): void {
  if (m.name !== undefined) w.uint32(10).string(m.name);
  if (m.type !== undefined) w.uint32(16).int32(m.type);
  if (m.scalar !== undefined) { w.uint32(26).fork(); writemesos_v1_Value_Scalar(w, m.scalar); w.join(); }
  if (m.ranges !== undefined) { w.uint32(34).fork(); writemesos_v1_Value_Ranges(w, m.ranges); w.join(); }
  if (m.text !== undefined) { w.uint32(42).fork(); writemesos_v1_Value_Text(w, m.text); w.join(); }
  if (m.set !== undefined) { w.uint32(50).fork(); writemesos_v1_Value_Set(w, m.set); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_CheckInfo = (): Any => ({ $typeName: "mesos.v1.CheckInfo" });

function makemesos_v1_CheckInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.CheckInfo" };
  if (i.type !== undefined) m.type = i.type;
  if (i.command !== undefined) m.command = makemesos_v1_CheckInfo_Command(i.command);
  if (i.http !== undefined) m.http = makemesos_v1_CheckInfo_Http(i.http);
  if (i.delaySeconds !== undefined) m.delaySeconds = i.delaySeconds;
  if (i.intervalSeconds !== undefined) m.intervalSeconds = i.intervalSeconds;
  if (i.timeoutSeconds !== undefined) m.timeoutSeconds = i.timeoutSeconds;
  if (i.tcp !== undefined) m.tcp = makemesos_v1_CheckInfo_Tcp(i.tcp);
  return m;
}

function readmesos_v1_CheckInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      case 18:
        m.command = readmesos_v1_CheckInfo_Command(m.command ?? zeromesos_v1_CheckInfo_Command(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.http = readmesos_v1_CheckInfo_Http(m.http ?? zeromesos_v1_CheckInfo_Http(), r, r.uint32() + r.pos);
        break;
      case 33:
        m.delaySeconds = r.double();
        break;
      case 41:
        m.intervalSeconds = r.double();
        break;
      case 49:
        m.timeoutSeconds = r.double();
        break;
      case 58:
        m.tcp = readmesos_v1_CheckInfo_Tcp(m.tcp ?? zeromesos_v1_CheckInfo_Tcp(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_CheckInfo(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.command !== undefined) { w.uint32(18).fork(); writemesos_v1_CheckInfo_Command(w, m.command); w.join(); }
  if (m.http !== undefined) { w.uint32(26).fork(); writemesos_v1_CheckInfo_Http(w, m.http); w.join(); }
  if (m.delaySeconds !== undefined) w.uint32(33).double(m.delaySeconds);
  if (m.intervalSeconds !== undefined) w.uint32(41).double(m.intervalSeconds);
  if (m.timeoutSeconds !== undefined) w.uint32(49).double(m.timeoutSeconds);
  if (m.tcp !== undefined) { w.uint32(58).fork(); writemesos_v1_CheckInfo_Tcp(w, m.tcp); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_CheckInfo_Command = (): Any => ({ $typeName: "mesos.v1.CheckInfo.Command" });

function makemesos_v1_CheckInfo_Command(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.CheckInfo.Command" };
  if (i.command !== undefined) m.command = makemesos_v1_CommandInfo(i.command);
  return m;
}

function readmesos_v1_CheckInfo_Command(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.command = readmesos_v1_CommandInfo(m.command ?? zeromesos_v1_CommandInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_CheckInfo_Command(w: BinaryWriter, m: Any): void {
  if (m.command !== undefined) { w.uint32(10).fork(); writemesos_v1_CommandInfo(w, m.command); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_CheckInfo_Http = (): Any => ({ $typeName: "mesos.v1.CheckInfo.Http" });

function makemesos_v1_CheckInfo_Http(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.CheckInfo.Http" };
  if (i.port !== undefined) m.port = i.port;
  if (i.path !== undefined) m.path = i.path;
  return m;
}

function readmesos_v1_CheckInfo_Http(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.port = r.uint32();
        break;
      case 18:
        m.path = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_CheckInfo_Http(w: BinaryWriter, m: Any): void {
  if (m.port !== undefined) w.uint32(8).uint32(m.port);
  if (m.path !== undefined) w.uint32(18).string(m.path);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_CheckInfo_Tcp = (): Any => ({ $typeName: "mesos.v1.CheckInfo.Tcp" });

function makemesos_v1_CheckInfo_Tcp(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.CheckInfo.Tcp" };
  if (i.port !== undefined) m.port = i.port;
  return m;
}

function readmesos_v1_CheckInfo_Tcp(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.port = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_CheckInfo_Tcp(w: BinaryWriter, m: Any): void {
  if (m.port !== undefined) w.uint32(8).uint32(m.port);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_CheckStatusInfo = (): Any => ({ $typeName: "mesos.v1.CheckStatusInfo" });

function makemesos_v1_CheckStatusInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.CheckStatusInfo" };
  if (i.type !== undefined) m.type = i.type;
  if (i.command !== undefined) m.command = makemesos_v1_CheckStatusInfo_Command(i.command);
  if (i.http !== undefined) m.http = makemesos_v1_CheckStatusInfo_Http(i.http);
  if (i.tcp !== undefined) m.tcp = makemesos_v1_CheckStatusInfo_Tcp(i.tcp);
  return m;
}

function readmesos_v1_CheckStatusInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      case 18:
        m.command = readmesos_v1_CheckStatusInfo_Command(m.command ?? zeromesos_v1_CheckStatusInfo_Command(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.http = readmesos_v1_CheckStatusInfo_Http(m.http ?? zeromesos_v1_CheckStatusInfo_Http(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.tcp = readmesos_v1_CheckStatusInfo_Tcp(m.tcp ?? zeromesos_v1_CheckStatusInfo_Tcp(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_CheckStatusInfo(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.command !== undefined) { w.uint32(18).fork(); writemesos_v1_CheckStatusInfo_Command(w, m.command); w.join(); }
  if (m.http !== undefined) { w.uint32(26).fork(); writemesos_v1_CheckStatusInfo_Http(w, m.http); w.join(); }
  if (m.tcp !== undefined) { w.uint32(34).fork(); writemesos_v1_CheckStatusInfo_Tcp(w, m.tcp); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_CheckStatusInfo_Command = (): Any => ({ $typeName: "mesos.v1.CheckStatusInfo.Command" });

function makemesos_v1_CheckStatusInfo_Command(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.CheckStatusInfo.Command" };
  if (i.exitCode !== undefined) m.exitCode = i.exitCode;
  return m;
}

function readmesos_v1_CheckStatusInfo_Command(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.exitCode = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_CheckStatusInfo_Command(w: BinaryWriter, m: Any): void {
  if (m.exitCode !== undefined) w.uint32(8).int32(m.exitCode);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_CheckStatusInfo_Http = (): Any => ({ $typeName: "mesos.v1.CheckStatusInfo.Http" });

function makemesos_v1_CheckStatusInfo_Http(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.CheckStatusInfo.Http" };
  if (i.statusCode !== undefined) m.statusCode = i.statusCode;
  return m;
}

function readmesos_v1_CheckStatusInfo_Http(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.statusCode = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_CheckStatusInfo_Http(w: BinaryWriter, m: Any): void {
  if (m.statusCode !== undefined) w.uint32(8).uint32(m.statusCode);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_CheckStatusInfo_Tcp = (): Any => ({ $typeName: "mesos.v1.CheckStatusInfo.Tcp" });

function makemesos_v1_CheckStatusInfo_Tcp(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.CheckStatusInfo.Tcp" };
  if (i.succeeded !== undefined) m.succeeded = i.succeeded;
  return m;
}

function readmesos_v1_CheckStatusInfo_Tcp(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.succeeded = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_CheckStatusInfo_Tcp(w: BinaryWriter, m: Any): void {
  if (m.succeeded !== undefined) w.uint32(8).bool(m.succeeded);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_CommandInfo = (): Any => ({ $typeName: "mesos.v1.CommandInfo", uris: [], arguments: [] });

function makemesos_v1_CommandInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.CommandInfo", uris: i.uris?.map(makemesos_v1_CommandInfo_URI) ?? [], arguments: i.arguments ?? [] };
  if (i.environment !== undefined) m.environment = makemesos_v1_Environment(i.environment);
  if (i.value !== undefined) m.value = i.value;
  if (i.user !== undefined) m.user = i.user;
  if (i.shell !== undefined) m.shell = i.shell;
  return m;
}

function readmesos_v1_CommandInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.uris.push(readmesos_v1_CommandInfo_URI(zeromesos_v1_CommandInfo_URI(), r, r.uint32() + r.pos));
        break;
      case 18:
        m.environment = readmesos_v1_Environment(m.environment ?? zeromesos_v1_Environment(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.value = r.string(true);
        break;
      case 42:
        m.user = r.string(true);
        break;
      case 48:
        m.shell = r.bool();
        break;
      case 58:
        m.arguments.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_CommandInfo(w: BinaryWriter, m: Any): void {
  for (const each of m.uris) { w.uint32(10).fork(); writemesos_v1_CommandInfo_URI(w, each); w.join(); }
  if (m.environment !== undefined) { w.uint32(18).fork(); writemesos_v1_Environment(w, m.environment); w.join(); }
  if (m.value !== undefined) w.uint32(26).string(m.value);
  if (m.user !== undefined) w.uint32(42).string(m.user);
  if (m.shell !== undefined) w.uint32(48).bool(m.shell);
  for (const each of m.arguments) w.uint32(58).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_CommandInfo_URI = (): Any => ({ $typeName: "mesos.v1.CommandInfo.URI" });

function makemesos_v1_CommandInfo_URI(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.CommandInfo.URI" };
  if (i.value !== undefined) m.value = i.value;
  if (i.executable !== undefined) m.executable = i.executable;
  if (i.extract !== undefined) m.extract = i.extract;
  if (i.cache !== undefined) m.cache = i.cache;
  if (i.outputFile !== undefined) m.outputFile = i.outputFile;
  return m;
}

function readmesos_v1_CommandInfo_URI(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      case 16:
        m.executable = r.bool();
        break;
      case 24:
        m.extract = r.bool();
        break;
      case 32:
        m.cache = r.bool();
        break;
      case 42:
        m.outputFile = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_CommandInfo_URI(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.executable !== undefined) w.uint32(16).bool(m.executable);
  if (m.extract !== undefined) w.uint32(24).bool(m.extract);
  if (m.cache !== undefined) w.uint32(32).bool(m.cache);
  if (m.outputFile !== undefined) w.uint32(42).string(m.outputFile);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_ContainerID = (): Any => ({ $typeName: "mesos.v1.ContainerID" });

function makemesos_v1_ContainerID(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.ContainerID" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_ContainerID(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_ContainerID(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_ContainerInfo = (): Any => ({ $typeName: "mesos.v1.ContainerInfo", volumes: [], networkInfos: [] });

function makemesos_v1_ContainerInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.ContainerInfo", volumes: i.volumes?.map(makemesos_v1_Volume) ?? [], networkInfos: i.networkInfos?.map(makemesos_v1_NetworkInfo) ?? [] };
  if (i.type !== undefined) m.type = i.type;
  if (i.docker !== undefined) m.docker = makemesos_v1_ContainerInfo_DockerInfo(i.docker);
  if (i.hostname !== undefined) m.hostname = i.hostname;
  if (i.mesos !== undefined) m.mesos = makemesos_v1_ContainerInfo_MesosInfo(i.mesos);
  return m;
}

function readmesos_v1_ContainerInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      case 18:
        m.volumes.push(readmesos_v1_Volume(zeromesos_v1_Volume(), r, r.uint32() + r.pos));
        break;
      case 26:
        m.docker = readmesos_v1_ContainerInfo_DockerInfo(m.docker ?? zeromesos_v1_ContainerInfo_DockerInfo(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.hostname = r.string(true);
        break;
      case 42:
        m.mesos = readmesos_v1_ContainerInfo_MesosInfo(m.mesos ?? zeromesos_v1_ContainerInfo_MesosInfo(), r, r.uint32() + r.pos);
        break;
      case 58:
        m.networkInfos.push(readmesos_v1_NetworkInfo(zeromesos_v1_NetworkInfo(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_ContainerInfo(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  for (const each of m.volumes) { w.uint32(18).fork(); writemesos_v1_Volume(w, each); w.join(); }
  if (m.docker !== undefined) { w.uint32(26).fork(); writemesos_v1_ContainerInfo_DockerInfo(w, m.docker); w.join(); }
  if (m.hostname !== undefined) w.uint32(34).string(m.hostname);
  if (m.mesos !== undefined) { w.uint32(42).fork(); writemesos_v1_ContainerInfo_MesosInfo(w, m.mesos); w.join(); }
  for (const each of m.networkInfos) { w.uint32(58).fork(); writemesos_v1_NetworkInfo(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_ContainerInfo_DockerInfo = (): Any => ({ $typeName: "mesos.v1.ContainerInfo.DockerInfo", portMappings: [], parameters: [] });

function makemesos_v1_ContainerInfo_DockerInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.ContainerInfo.DockerInfo", portMappings: i.portMappings?.map(makemesos_v1_ContainerInfo_DockerInfo_PortMapping) ?? [], parameters: i.parameters?.map(makemesos_v1_Parameter) ?? [] };
  if (i.image !== undefined) m.image = i.image;
  if (i.network !== undefined) m.network = i.network;
  if (i.privileged !== undefined) m.privileged = i.privileged;
  if (i.forcePullImage !== undefined) m.forcePullImage = i.forcePullImage;
  return m;
}

function readmesos_v1_ContainerInfo_DockerInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.image = r.string(true);
        break;
      case 16:
        m.network = r.int32();
        break;
      case 26:
        m.portMappings.push(readmesos_v1_ContainerInfo_DockerInfo_PortMapping(zeromesos_v1_ContainerInfo_DockerInfo_PortMapping(), r, r.uint32() + r.pos));
        break;
      case 32:
        m.privileged = r.bool();
        break;
      case 42:
        m.parameters.push(readmesos_v1_Parameter(zeromesos_v1_Parameter(), r, r.uint32() + r.pos));
        break;
      case 48:
        m.forcePullImage = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_ContainerInfo_DockerInfo(w: BinaryWriter, m: Any): void {
  if (m.image !== undefined) w.uint32(10).string(m.image);
  if (m.network !== undefined) w.uint32(16).int32(m.network);
  for (const each of m.portMappings) { w.uint32(26).fork(); writemesos_v1_ContainerInfo_DockerInfo_PortMapping(w, each); w.join(); }
  if (m.privileged !== undefined) w.uint32(32).bool(m.privileged);
  for (const each of m.parameters) { w.uint32(42).fork(); writemesos_v1_Parameter(w, each); w.join(); }
  if (m.forcePullImage !== undefined) w.uint32(48).bool(m.forcePullImage);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_ContainerInfo_DockerInfo_PortMapping = (): Any => ({ $typeName: "mesos.v1.ContainerInfo.DockerInfo.PortMapping" });

function makemesos_v1_ContainerInfo_DockerInfo_PortMapping(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.ContainerInfo.DockerInfo.PortMapping" };
  if (i.hostPort !== undefined) m.hostPort = i.hostPort;
  if (i.containerPort !== undefined) m.containerPort = i.containerPort;
  if (i.protocol !== undefined) m.protocol = i.protocol;
  return m;
}

function readmesos_v1_ContainerInfo_DockerInfo_PortMapping(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.hostPort = r.uint32();
        break;
      case 16:
        m.containerPort = r.uint32();
        break;
      case 26:
        m.protocol = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_ContainerInfo_DockerInfo_PortMapping(w: BinaryWriter, m: Any): void {
  if (m.hostPort !== undefined) w.uint32(8).uint32(m.hostPort);
  if (m.containerPort !== undefined) w.uint32(16).uint32(m.containerPort);
  if (m.protocol !== undefined) w.uint32(26).string(m.protocol);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_ContainerInfo_MesosInfo = (): Any => ({ $typeName: "mesos.v1.ContainerInfo.MesosInfo" });

function makemesos_v1_ContainerInfo_MesosInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.ContainerInfo.MesosInfo" };
  if (i.image !== undefined) m.image = makemesos_v1_Image(i.image);
  return m;
}

function readmesos_v1_ContainerInfo_MesosInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.image = readmesos_v1_Image(m.image ?? zeromesos_v1_Image(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_ContainerInfo_MesosInfo(w: BinaryWriter, m: Any): void {
  if (m.image !== undefined) { w.uint32(10).fork(); writemesos_v1_Image(w, m.image); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_ContainerStatus = (): Any => ({ $typeName: "mesos.v1.ContainerStatus", networkInfos: [] });

function makemesos_v1_ContainerStatus(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.ContainerStatus", networkInfos: i.networkInfos?.map(makemesos_v1_NetworkInfo) ?? [] };
  if (i.executorPid !== undefined) m.executorPid = i.executorPid;
  if (i.containerId !== undefined) m.containerId = makemesos_v1_ContainerID(i.containerId);
  return m;
}

function readmesos_v1_ContainerStatus(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.networkInfos.push(readmesos_v1_NetworkInfo(zeromesos_v1_NetworkInfo(), r, r.uint32() + r.pos));
        break;
      case 24:
        m.executorPid = r.uint32();
        break;
      case 34:
        m.containerId = readmesos_v1_ContainerID(m.containerId ?? zeromesos_v1_ContainerID(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_ContainerStatus(w: BinaryWriter, m: Any): void {
  for (const each of m.networkInfos) { w.uint32(10).fork(); writemesos_v1_NetworkInfo(w, each); w.join(); }
  if (m.executorPid !== undefined) w.uint32(24).uint32(m.executorPid);
  if (m.containerId !== undefined) { w.uint32(34).fork(); writemesos_v1_ContainerID(w, m.containerId); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_DiscoveryInfo = (): Any => ({ $typeName: "mesos.v1.DiscoveryInfo" });

function makemesos_v1_DiscoveryInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.DiscoveryInfo" };
  if (i.visibility !== undefined) m.visibility = i.visibility;
  if (i.name !== undefined) m.name = i.name;
  if (i.environment !== undefined) m.environment = i.environment;
  if (i.location !== undefined) m.location = i.location;
  if (i.version !== undefined) m.version = i.version;
  if (i.ports !== undefined) m.ports = makemesos_v1_Ports(i.ports);
  if (i.labels !== undefined) m.labels = makemesos_v1_Labels(i.labels);
  return m;
}

function readmesos_v1_DiscoveryInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.visibility = r.int32();
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 26:
        m.environment = r.string(true);
        break;
      case 34:
        m.location = r.string(true);
        break;
      case 42:
        m.version = r.string(true);
        break;
      case 50:
        m.ports = readmesos_v1_Ports(m.ports ?? zeromesos_v1_Ports(), r, r.uint32() + r.pos);
        break;
      case 58:
        m.labels = readmesos_v1_Labels(m.labels ?? zeromesos_v1_Labels(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_DiscoveryInfo(w: BinaryWriter, m: Any): void {
  if (m.visibility !== undefined) w.uint32(8).int32(m.visibility);
  if (m.name !== undefined) w.uint32(18).string(m.name);
  if (m.environment !== undefined) w.uint32(26).string(m.environment);
  if (m.location !== undefined) w.uint32(34).string(m.location);
  if (m.version !== undefined) w.uint32(42).string(m.version);
  if (m.ports !== undefined) { w.uint32(50).fork(); writemesos_v1_Ports(w, m.ports); w.join(); }
  if (m.labels !== undefined) { w.uint32(58).fork(); writemesos_v1_Labels(w, m.labels); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_DomainInfo = (): Any => ({ $typeName: "mesos.v1.DomainInfo" });

function makemesos_v1_DomainInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.DomainInfo" };
  if (i.faultDomain !== undefined) m.faultDomain = makemesos_v1_DomainInfo_FaultDomain(i.faultDomain);
  return m;
}

function readmesos_v1_DomainInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.faultDomain = readmesos_v1_DomainInfo_FaultDomain(m.faultDomain ?? zeromesos_v1_DomainInfo_FaultDomain(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_DomainInfo(w: BinaryWriter, m: Any): void {
  if (m.faultDomain !== undefined) { w.uint32(10).fork(); writemesos_v1_DomainInfo_FaultDomain(w, m.faultDomain); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_DomainInfo_FaultDomain = (): Any => ({ $typeName: "mesos.v1.DomainInfo.FaultDomain" });

function makemesos_v1_DomainInfo_FaultDomain(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.DomainInfo.FaultDomain" };
  if (i.region !== undefined) m.region = makemesos_v1_DomainInfo_FaultDomain_RegionInfo(i.region);
  if (i.zone !== undefined) m.zone = makemesos_v1_DomainInfo_FaultDomain_ZoneInfo(i.zone);
  return m;
}

function readmesos_v1_DomainInfo_FaultDomain(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.region = readmesos_v1_DomainInfo_FaultDomain_RegionInfo(m.region ?? zeromesos_v1_DomainInfo_FaultDomain_RegionInfo(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.zone = readmesos_v1_DomainInfo_FaultDomain_ZoneInfo(m.zone ?? zeromesos_v1_DomainInfo_FaultDomain_ZoneInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_DomainInfo_FaultDomain(w: BinaryWriter, m: Any): void {
  if (m.region !== undefined) { w.uint32(10).fork(); writemesos_v1_DomainInfo_FaultDomain_RegionInfo(w, m.region); w.join(); }
  if (m.zone !== undefined) { w.uint32(18).fork(); writemesos_v1_DomainInfo_FaultDomain_ZoneInfo(w, m.zone); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_DomainInfo_FaultDomain_RegionInfo = (): Any => ({ $typeName: "mesos.v1.DomainInfo.FaultDomain.RegionInfo" });

function makemesos_v1_DomainInfo_FaultDomain_RegionInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.DomainInfo.FaultDomain.RegionInfo" };
  if (i.name !== undefined) m.name = i.name;
  return m;
}

function readmesos_v1_DomainInfo_FaultDomain_RegionInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_DomainInfo_FaultDomain_RegionInfo(w: BinaryWriter, m: Any): void {
  if (m.name !== undefined) w.uint32(10).string(m.name);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_DomainInfo_FaultDomain_ZoneInfo = (): Any => ({ $typeName: "mesos.v1.DomainInfo.FaultDomain.ZoneInfo" });

function makemesos_v1_DomainInfo_FaultDomain_ZoneInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.DomainInfo.FaultDomain.ZoneInfo" };
  if (i.name !== undefined) m.name = i.name;
  return m;
}

function readmesos_v1_DomainInfo_FaultDomain_ZoneInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_DomainInfo_FaultDomain_ZoneInfo(w: BinaryWriter, m: Any): void {
  if (m.name !== undefined) w.uint32(10).string(m.name);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_DurationInfo = (): Any => ({ $typeName: "mesos.v1.DurationInfo" });

function makemesos_v1_DurationInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.DurationInfo" };
  if (i.nanoseconds !== undefined) m.nanoseconds = i.nanoseconds;
  return m;
}

function readmesos_v1_DurationInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.nanoseconds = r.int64();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_DurationInfo(w: BinaryWriter, m: Any): void {
  if (m.nanoseconds !== undefined) w.uint32(8).int64(m.nanoseconds);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Environment = (): Any => ({ $typeName: "mesos.v1.Environment", variables: [] });

function makemesos_v1_Environment(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Environment", variables: i.variables?.map(makemesos_v1_Environment_Variable) ?? [] };
  return m;
}

function readmesos_v1_Environment(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.variables.push(readmesos_v1_Environment_Variable(zeromesos_v1_Environment_Variable(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Environment(w: BinaryWriter, m: Any): void {
  for (const each of m.variables) { w.uint32(10).fork(); writemesos_v1_Environment_Variable(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Environment_Variable = (): Any => ({ $typeName: "mesos.v1.Environment.Variable" });

function makemesos_v1_Environment_Variable(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Environment.Variable" };
  if (i.name !== undefined) m.name = i.name;
  if (i.value !== undefined) m.value = i.value;
  if (i.type !== undefined) m.type = i.type;
  if (i.secret !== undefined) m.secret = makemesos_v1_Secret(i.secret);
  return m;
}

function readmesos_v1_Environment_Variable(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.value = r.string(true);
        break;
      case 24:
        m.type = r.int32();
        break;
      case 34:
        m.secret = readmesos_v1_Secret(m.secret ?? zeromesos_v1_Secret(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Environment_Variable(w: BinaryWriter, m: Any): void {
  if (m.name !== undefined) w.uint32(10).string(m.name);
  if (m.value !== undefined) w.uint32(18).string(m.value);
  if (m.type !== undefined) w.uint32(24).int32(m.type);
  if (m.secret !== undefined) { w.uint32(34).fork(); writemesos_v1_Secret(w, m.secret); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_ExecutorID = (): Any => ({ $typeName: "mesos.v1.ExecutorID" });

function makemesos_v1_ExecutorID(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.ExecutorID" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_ExecutorID(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_ExecutorID(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_ExecutorInfo = (): Any => ({ $typeName: "mesos.v1.ExecutorInfo", resources: [] });

function makemesos_v1_ExecutorInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.ExecutorInfo", resources: i.resources?.map(makemesos_v1_Resource) ?? [] };
  if (i.executorId !== undefined) m.executorId = makemesos_v1_ExecutorID(i.executorId);
  if (i.data !== undefined) m.data = i.data;
  if (i.command !== undefined) m.command = makemesos_v1_CommandInfo(i.command);
  if (i.frameworkId !== undefined) m.frameworkId = makemesos_v1_FrameworkID(i.frameworkId);
  if (i.name !== undefined) m.name = i.name;
  if (i.source !== undefined) m.source = i.source;
  if (i.container !== undefined) m.container = makemesos_v1_ContainerInfo(i.container);
  if (i.discovery !== undefined) m.discovery = makemesos_v1_DiscoveryInfo(i.discovery);
  if (i.shutdownGracePeriod !== undefined) m.shutdownGracePeriod = makemesos_v1_DurationInfo(i.shutdownGracePeriod);
  if (i.labels !== undefined) m.labels = makemesos_v1_Labels(i.labels);
  if (i.type !== undefined) m.type = i.type;
  return m;
}

function readmesos_v1_ExecutorInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.executorId = readmesos_v1_ExecutorID(m.executorId ?? zeromesos_v1_ExecutorID(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.data = r.bytes();
        break;
      case 42:
        m.resources.push(readmesos_v1_Resource(zeromesos_v1_Resource(), r, r.uint32() + r.pos));
        break;
      case 58:
        m.command = readmesos_v1_CommandInfo(m.command ?? zeromesos_v1_CommandInfo(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.frameworkId = readmesos_v1_FrameworkID(m.frameworkId ?? zeromesos_v1_FrameworkID(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.name = r.string(true);
        break;
      case 82:
        m.source = r.string(true);
        break;
      case 90:
        m.container = readmesos_v1_ContainerInfo(m.container ?? zeromesos_v1_ContainerInfo(), r, r.uint32() + r.pos);
        break;
      case 98:
        m.discovery = readmesos_v1_DiscoveryInfo(m.discovery ?? zeromesos_v1_DiscoveryInfo(), r, r.uint32() + r.pos);
        break;
      case 106:
        m.shutdownGracePeriod = readmesos_v1_DurationInfo(m.shutdownGracePeriod ?? zeromesos_v1_DurationInfo(), r, r.uint32() + r.pos);
        break;
      case 114:
        m.labels = readmesos_v1_Labels(m.labels ?? zeromesos_v1_Labels(), r, r.uint32() + r.pos);
        break;
      case 120:
        m.type = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_ExecutorInfo(w: BinaryWriter, m: Any): void {
  if (m.executorId !== undefined) { w.uint32(10).fork(); writemesos_v1_ExecutorID(w, m.executorId); w.join(); }
  if (m.data !== undefined) w.uint32(34).bytes(m.data);
  for (const each of m.resources) { w.uint32(42).fork(); writemesos_v1_Resource(w, each); w.join(); }
  if (m.command !== undefined) { w.uint32(58).fork(); writemesos_v1_CommandInfo(w, m.command); w.join(); }
  if (m.frameworkId !== undefined) { w.uint32(66).fork(); writemesos_v1_FrameworkID(w, m.frameworkId); w.join(); }
  if (m.name !== undefined) w.uint32(74).string(m.name);
  if (m.source !== undefined) w.uint32(82).string(m.source);
  if (m.container !== undefined) { w.uint32(90).fork(); writemesos_v1_ContainerInfo(w, m.container); w.join(); }
  if (m.discovery !== undefined) { w.uint32(98).fork(); writemesos_v1_DiscoveryInfo(w, m.discovery); w.join(); }
  if (m.shutdownGracePeriod !== undefined) { w.uint32(106).fork(); writemesos_v1_DurationInfo(w, m.shutdownGracePeriod); w.join(); }
  if (m.labels !== undefined) { w.uint32(114).fork(); writemesos_v1_Labels(w, m.labels); w.join(); }
  if (m.type !== undefined) w.uint32(120).int32(m.type);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Filters = (): Any => ({ $typeName: "mesos.v1.Filters" });

function makemesos_v1_Filters(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Filters" };
  if (i.refuseSeconds !== undefined) m.refuseSeconds = i.refuseSeconds;
  return m;
}

function readmesos_v1_Filters(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.refuseSeconds = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Filters(w: BinaryWriter, m: Any): void {
  if (m.refuseSeconds !== undefined) w.uint32(9).double(m.refuseSeconds);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_FrameworkID = (): Any => ({ $typeName: "mesos.v1.FrameworkID" });

function makemesos_v1_FrameworkID(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.FrameworkID" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_FrameworkID(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_FrameworkID(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_FrameworkInfo = (): Any => ({ $typeName: "mesos.v1.FrameworkInfo", capabilities: [], roles: [], offerFilters: [] });

function makemesos_v1_FrameworkInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.FrameworkInfo", capabilities: i.capabilities?.map(makemesos_v1_FrameworkInfo_Capability) ?? [], roles: i.roles ?? [], offerFilters: i.offerFilters?.map(makemesos_v1_FrameworkInfo_OfferFiltersEntry) ?? [] };
  if (i.user !== undefined) m.user = i.user;
  if (i.name !== undefined) m.name = i.name;
  if (i.id !== undefined) m.id = makemesos_v1_FrameworkID(i.id);
  if (i.failoverTimeout !== undefined) m.failoverTimeout = i.failoverTimeout;
  if (i.checkpoint !== undefined) m.checkpoint = i.checkpoint;
  if (i.role !== undefined) m.role = i.role;
  if (i.hostname !== undefined) m.hostname = i.hostname;
  if (i.principal !== undefined) m.principal = i.principal;
  if (i.webuiUrl !== undefined) m.webuiUrl = i.webuiUrl;
  if (i.labels !== undefined) m.labels = makemesos_v1_Labels(i.labels);
  return m;
}

function readmesos_v1_FrameworkInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.user = r.string(true);
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 26:
        m.id = readmesos_v1_FrameworkID(m.id ?? zeromesos_v1_FrameworkID(), r, r.uint32() + r.pos);
        break;
      case 33:
        m.failoverTimeout = r.double();
        break;
      case 40:
        m.checkpoint = r.bool();
        break;
      case 50:
        m.role = r.string(true);
        break;
      case 58:
        m.hostname = r.string(true);
        break;
      case 66:
        m.principal = r.string(true);
        break;
      case 74:
        m.webuiUrl = r.string(true);
        break;
      case 82:
        m.capabilities.push(readmesos_v1_FrameworkInfo_Capability(zeromesos_v1_FrameworkInfo_Capability(), r, r.uint32() + r.pos));
        break;
      case 90:
        m.labels = readmesos_v1_Labels(m.labels ?? zeromesos_v1_Labels(), r, r.uint32() + r.pos);
        break;
      case 98:
        m.roles.push(r.string(true));
        break;
      case 106:
        m.offerFilters.push(readmesos_v1_FrameworkInfo_OfferFiltersEntry(zeromesos_v1_FrameworkInfo_OfferFiltersEntry(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_FrameworkInfo(w: BinaryWriter, m: Any): void {
  if (m.user !== undefined) w.uint32(10).string(m.user);
  if (m.name !== undefined) w.uint32(18).string(m.name);
  if (m.id !== undefined) { w.uint32(26).fork(); writemesos_v1_FrameworkID(w, m.id); w.join(); }
  if (m.failoverTimeout !== undefined) w.uint32(33).double(m.failoverTimeout);
  if (m.checkpoint !== undefined) w.uint32(40).bool(m.checkpoint);
  if (m.role !== undefined) w.uint32(50).string(m.role);
  if (m.hostname !== undefined) w.uint32(58).string(m.hostname);
  if (m.principal !== undefined) w.uint32(66).string(m.principal);
  if (m.webuiUrl !== undefined) w.uint32(74).string(m.webuiUrl);
  for (const each of m.capabilities) { w.uint32(82).fork(); writemesos_v1_FrameworkInfo_Capability(w, each); w.join(); }
  if (m.labels !== undefined) { w.uint32(90).fork(); writemesos_v1_Labels(w, m.labels); w.join(); }
  for (const each of m.roles) w.uint32(98).string(each);
  for (const each of m.offerFilters) { w.uint32(106).fork(); writemesos_v1_FrameworkInfo_OfferFiltersEntry(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_FrameworkInfo_Capability = (): Any => ({ $typeName: "mesos.v1.FrameworkInfo.Capability" });

function makemesos_v1_FrameworkInfo_Capability(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.FrameworkInfo.Capability" };
  if (i.type !== undefined) m.type = i.type;
  return m;
}

function readmesos_v1_FrameworkInfo_Capability(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_FrameworkInfo_Capability(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_FrameworkInfo_OfferFiltersEntry = (): Any => ({ $typeName: "mesos.v1.FrameworkInfo.OfferFiltersEntry" });

function makemesos_v1_FrameworkInfo_OfferFiltersEntry(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.FrameworkInfo.OfferFiltersEntry" };
  if (i.key !== undefined) m.key = i.key;
  if (i.value !== undefined) m.value = makemesos_v1_OfferFilters(i.value);
  return m;
}

function readmesos_v1_FrameworkInfo_OfferFiltersEntry(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.key = r.string(true);
        break;
      case 18:
        m.value = readmesos_v1_OfferFilters(m.value ?? zeromesos_v1_OfferFilters(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_FrameworkInfo_OfferFiltersEntry(w: BinaryWriter, m: Any): void {
  if (m.key !== undefined) w.uint32(10).string(m.key);
  if (m.value !== undefined) { w.uint32(18).fork(); writemesos_v1_OfferFilters(w, m.value); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_HealthCheck = (): Any => ({ $typeName: "mesos.v1.HealthCheck" });

function makemesos_v1_HealthCheck(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.HealthCheck" };
  if (i.http !== undefined) m.http = makemesos_v1_HealthCheck_HTTPCheckInfo(i.http);
  if (i.delaySeconds !== undefined) m.delaySeconds = i.delaySeconds;
  if (i.intervalSeconds !== undefined) m.intervalSeconds = i.intervalSeconds;
  if (i.timeoutSeconds !== undefined) m.timeoutSeconds = i.timeoutSeconds;
  if (i.consecutiveFailures !== undefined) m.consecutiveFailures = i.consecutiveFailures;
  if (i.gracePeriodSeconds !== undefined) m.gracePeriodSeconds = i.gracePeriodSeconds;
  if (i.command !== undefined) m.command = makemesos_v1_CommandInfo(i.command);
  if (i.type !== undefined) m.type = i.type;
  if (i.tcp !== undefined) m.tcp = makemesos_v1_HealthCheck_TCPCheckInfo(i.tcp);
  return m;
}

function readmesos_v1_HealthCheck(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.http = readmesos_v1_HealthCheck_HTTPCheckInfo(m.http ?? zeromesos_v1_HealthCheck_HTTPCheckInfo(), r, r.uint32() + r.pos);
        break;
      case 17:
        m.delaySeconds = r.double();
        break;
      case 25:
        m.intervalSeconds = r.double();
        break;
      case 33:
        m.timeoutSeconds = r.double();
        break;
      case 40:
        m.consecutiveFailures = r.uint32();
        break;
      case 49:
        m.gracePeriodSeconds = r.double();
        break;
      case 58:
        m.command = readmesos_v1_CommandInfo(m.command ?? zeromesos_v1_CommandInfo(), r, r.uint32() + r.pos);
        break;
      case 64:
        m.type = r.int32();
        break;
      case 74:
        m.tcp = readmesos_v1_HealthCheck_TCPCheckInfo(m.tcp ?? zeromesos_v1_HealthCheck_TCPCheckInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_HealthCheck(w: BinaryWriter, m: Any): void {
  if (m.http !== undefined) { w.uint32(10).fork(); writemesos_v1_HealthCheck_HTTPCheckInfo(w, m.http); w.join(); }
  if (m.delaySeconds !== undefined) w.uint32(17).double(m.delaySeconds);
  if (m.intervalSeconds !== undefined) w.uint32(25).double(m.intervalSeconds);
  if (m.timeoutSeconds !== undefined) w.uint32(33).double(m.timeoutSeconds);
  if (m.consecutiveFailures !== undefined) w.uint32(40).uint32(m.consecutiveFailures);
  if (m.gracePeriodSeconds !== undefined) w.uint32(49).double(m.gracePeriodSeconds);
  if (m.command !== undefined) { w.uint32(58).fork(); writemesos_v1_CommandInfo(w, m.command); w.join(); }
  if (m.type !== undefined) w.uint32(64).int32(m.type);
  if (m.tcp !== undefined) { w.uint32(74).fork(); writemesos_v1_HealthCheck_TCPCheckInfo(w, m.tcp); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_HealthCheck_HTTPCheckInfo = (): Any => ({ $typeName: "mesos.v1.HealthCheck.HTTPCheckInfo", statuses: [] });

function makemesos_v1_HealthCheck_HTTPCheckInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.HealthCheck.HTTPCheckInfo", statuses: i.statuses ?? [] };
  if (i.port !== undefined) m.port = i.port;
  if (i.path !== undefined) m.path = i.path;
  if (i.scheme !== undefined) m.scheme = i.scheme;
  return m;
}

function readmesos_v1_HealthCheck_HTTPCheckInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.port = r.uint32();
        break;
      case 18:
        m.path = r.string(true);
        break;
      case 26:
        m.scheme = r.string(true);
        break;
      case 32:
        m.statuses.push(r.uint32());
        break;
      case 34:
        for (const stop = r.uint32() + r.pos; r.pos < stop; ) m.statuses.push(r.uint32());
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_HealthCheck_HTTPCheckInfo(w: BinaryWriter, m: Any): void {
  if (m.port !== undefined) w.uint32(8).uint32(m.port);
  if (m.path !== undefined) w.uint32(18).string(m.path);
  if (m.scheme !== undefined) w.uint32(26).string(m.scheme);
  for (const each of m.statuses) w.uint32(32).uint32(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_HealthCheck_TCPCheckInfo = (): Any => ({ $typeName: "mesos.v1.HealthCheck.TCPCheckInfo" });

function makemesos_v1_HealthCheck_TCPCheckInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.HealthCheck.TCPCheckInfo" };
  if (i.port !== undefined) m.port = i.port;
  return m;
}

function readmesos_v1_HealthCheck_TCPCheckInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.port = r.uint32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_HealthCheck_TCPCheckInfo(w: BinaryWriter, m: Any): void {
  if (m.port !== undefined) w.uint32(8).uint32(m.port);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Image = (): Any => ({ $typeName: "mesos.v1.Image" });

function makemesos_v1_Image(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Image" };
  if (i.type !== undefined) m.type = i.type;
  if (i.appc !== undefined) m.appc = makemesos_v1_Image_Appc(i.appc);
  if (i.docker !== undefined) m.docker = makemesos_v1_Image_Docker(i.docker);
  if (i.cached !== undefined) m.cached = i.cached;
  return m;
}

function readmesos_v1_Image(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      case 18:
        m.appc = readmesos_v1_Image_Appc(m.appc ?? zeromesos_v1_Image_Appc(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.docker = readmesos_v1_Image_Docker(m.docker ?? zeromesos_v1_Image_Docker(), r, r.uint32() + r.pos);
        break;
      case 32:
        m.cached = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Image(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.appc !== undefined) { w.uint32(18).fork(); writemesos_v1_Image_Appc(w, m.appc); w.join(); }
  if (m.docker !== undefined) { w.uint32(26).fork(); writemesos_v1_Image_Docker(w, m.docker); w.join(); }
  if (m.cached !== undefined) w.uint32(32).bool(m.cached);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Image_Appc = (): Any => ({ $typeName: "mesos.v1.Image.Appc" });

function makemesos_v1_Image_Appc(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Image.Appc" };
  if (i.name !== undefined) m.name = i.name;
  if (i.id !== undefined) m.id = i.id;
  if (i.labels !== undefined) m.labels = makemesos_v1_Labels(i.labels);
  return m;
}

function readmesos_v1_Image_Appc(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.id = r.string(true);
        break;
      case 26:
        m.labels = readmesos_v1_Labels(m.labels ?? zeromesos_v1_Labels(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Image_Appc(w: BinaryWriter, m: Any): void {
  if (m.name !== undefined) w.uint32(10).string(m.name);
  if (m.id !== undefined) w.uint32(18).string(m.id);
  if (m.labels !== undefined) { w.uint32(26).fork(); writemesos_v1_Labels(w, m.labels); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Image_Docker = (): Any => ({ $typeName: "mesos.v1.Image.Docker" });

function makemesos_v1_Image_Docker(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Image.Docker" };
  if (i.name !== undefined) m.name = i.name;
  return m;
}

function readmesos_v1_Image_Docker(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Image_Docker(w: BinaryWriter, m: Any): void {
  if (m.name !== undefined) w.uint32(10).string(m.name);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_KillPolicy = (): Any => ({ $typeName: "mesos.v1.KillPolicy" });

function makemesos_v1_KillPolicy(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.KillPolicy" };
  if (i.gracePeriod !== undefined) m.gracePeriod = makemesos_v1_DurationInfo(i.gracePeriod);
  return m;
}

function readmesos_v1_KillPolicy(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.gracePeriod = readmesos_v1_DurationInfo(m.gracePeriod ?? zeromesos_v1_DurationInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_KillPolicy(w: BinaryWriter, m: Any): void {
  if (m.gracePeriod !== undefined) { w.uint32(10).fork(); writemesos_v1_DurationInfo(w, m.gracePeriod); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Label = (): Any => ({ $typeName: "mesos.v1.Label" });

function makemesos_v1_Label(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Label" };
  if (i.key !== undefined) m.key = i.key;
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_Label(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.key = r.string(true);
        break;
      case 18:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Label(w: BinaryWriter, m: Any): void {
  if (m.key !== undefined) w.uint32(10).string(m.key);
  if (m.value !== undefined) w.uint32(18).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Labels = (): Any => ({ $typeName: "mesos.v1.Labels", labels: [] });

function makemesos_v1_Labels(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Labels", labels: i.labels?.map(makemesos_v1_Label) ?? [] };
  return m;
}

function readmesos_v1_Labels(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.labels.push(readmesos_v1_Label(zeromesos_v1_Label(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Labels(w: BinaryWriter, m: Any): void {
  for (const each of m.labels) { w.uint32(10).fork(); writemesos_v1_Label(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_MasterInfo = (): Any => ({ $typeName: "mesos.v1.MasterInfo" });

function makemesos_v1_MasterInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.MasterInfo" };
  if (i.id !== undefined) m.id = i.id;
  if (i.ip !== undefined) m.ip = i.ip;
  if (i.port !== undefined) m.port = i.port;
  if (i.pid !== undefined) m.pid = i.pid;
  if (i.hostname !== undefined) m.hostname = i.hostname;
  if (i.version !== undefined) m.version = i.version;
  if (i.address !== undefined) m.address = makemesos_v1_Address(i.address);
  return m;
}

function readmesos_v1_MasterInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = r.string(true);
        break;
      case 16:
        m.ip = r.uint32();
        break;
      case 24:
        m.port = r.uint32();
        break;
      case 34:
        m.pid = r.string(true);
        break;
      case 42:
        m.hostname = r.string(true);
        break;
      case 50:
        m.version = r.string(true);
        break;
      case 58:
        m.address = readmesos_v1_Address(m.address ?? zeromesos_v1_Address(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_MasterInfo(w: BinaryWriter, m: Any): void {
  if (m.id !== undefined) w.uint32(10).string(m.id);
  if (m.ip !== undefined) w.uint32(16).uint32(m.ip);
  if (m.port !== undefined) w.uint32(24).uint32(m.port);
  if (m.pid !== undefined) w.uint32(34).string(m.pid);
  if (m.hostname !== undefined) w.uint32(42).string(m.hostname);
  if (m.version !== undefined) w.uint32(50).string(m.version);
  if (m.address !== undefined) { w.uint32(58).fork(); writemesos_v1_Address(w, m.address); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_NetworkInfo = (): Any => ({ $typeName: "mesos.v1.NetworkInfo", groups: [], ipAddresses: [], portMappings: [] });

function makemesos_v1_NetworkInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.NetworkInfo", groups: i.groups ?? [], ipAddresses: i.ipAddresses?.map(makemesos_v1_NetworkInfo_IPAddress) ?? [], portMappings: i.portMappings?.map(makemesos_v1_NetworkInfo_PortMapping) ?? [] };
  if (i.labels !== undefined) m.labels = makemesos_v1_Labels(i.labels);
  if (i.name !== undefined) m.name = i.name;
  return m;
}

function readmesos_v1_NetworkInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 26:
        m.groups.push(r.string(true));
        break;
      case 34:
        m.labels = readmesos_v1_Labels(m.labels ?? zeromesos_v1_Labels(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.ipAddresses.push(readmesos_v1_NetworkInfo_IPAddress(zeromesos_v1_NetworkInfo_IPAddress(), r, r.uint32() + r.pos));
        break;
      case 50:
        m.name = r.string(true);
        break;
      case 58:
        m.portMappings.push(readmesos_v1_NetworkInfo_PortMapping(zeromesos_v1_NetworkInfo_PortMapping(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_NetworkInfo(w: BinaryWriter, m: Any): void {
  for (const each of m.groups) w.uint32(26).string(each);
  if (m.labels !== undefined) { w.uint32(34).fork(); writemesos_v1_Labels(w, m.labels); w.join(); }
  for (const each of m.ipAddresses) { w.uint32(42).fork(); writemesos_v1_NetworkInfo_IPAddress(w, each); w.join(); }
  if (m.name !== undefined) w.uint32(50).string(m.name);
  for (const each of m.portMappings) { w.uint32(58).fork(); writemesos_v1_NetworkInfo_PortMapping(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_NetworkInfo_IPAddress = (): Any => ({ $typeName: "mesos.v1.NetworkInfo.IPAddress" });

function makemesos_v1_NetworkInfo_IPAddress(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.NetworkInfo.IPAddress" };
  if (i.ipAddress !== undefined) m.ipAddress = i.ipAddress;
  return m;
}

function readmesos_v1_NetworkInfo_IPAddress(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 18:
        m.ipAddress = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_NetworkInfo_IPAddress(w: BinaryWriter, m: Any): void {
  if (m.ipAddress !== undefined) w.uint32(18).string(m.ipAddress);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_NetworkInfo_PortMapping = (): Any => ({ $typeName: "mesos.v1.NetworkInfo.PortMapping" });

function makemesos_v1_NetworkInfo_PortMapping(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.NetworkInfo.PortMapping" };
  if (i.hostPort !== undefined) m.hostPort = i.hostPort;
  if (i.containerPort !== undefined) m.containerPort = i.containerPort;
  if (i.protocol !== undefined) m.protocol = i.protocol;
  return m;
}

function readmesos_v1_NetworkInfo_PortMapping(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.hostPort = r.uint32();
        break;
      case 16:
        m.containerPort = r.uint32();
        break;
      case 26:
        m.protocol = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_NetworkInfo_PortMapping(w: BinaryWriter, m: Any): void {
  if (m.hostPort !== undefined) w.uint32(8).uint32(m.hostPort);
  if (m.containerPort !== undefined) w.uint32(16).uint32(m.containerPort);
  if (m.protocol !== undefined) w.uint32(26).string(m.protocol);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Offer = (): Any => ({ $typeName: "mesos.v1.Offer", resources: [], executorIds: [], attributes: [] });

function makemesos_v1_Offer(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Offer", resources: i.resources?.map(makemesos_v1_Resource) ?? [], executorIds: i.executorIds?.map(makemesos_v1_ExecutorID) ?? [], attributes: i.attributes?.map(makemesos_v1_Attribute) ?? [] };
  if (i.id !== undefined) m.id = makemesos_v1_OfferID(i.id);
  if (i.frameworkId !== undefined) m.frameworkId = makemesos_v1_FrameworkID(i.frameworkId);
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  if (i.hostname !== undefined) m.hostname = i.hostname;
  if (i.url !== undefined) m.url = makemesos_v1_URL(i.url);
  if (i.unavailability !== undefined) m.unavailability = makemesos_v1_Unavailability(i.unavailability);
  if (i.allocationInfo !== undefined) m.allocationInfo = makemesos_v1_Resource_AllocationInfo(i.allocationInfo);
  if (i.domain !== undefined) m.domain = makemesos_v1_DomainInfo(i.domain);
  return m;
}

function readmesos_v1_Offer(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = readmesos_v1_OfferID(m.id ?? zeromesos_v1_OfferID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.frameworkId = readmesos_v1_FrameworkID(m.frameworkId ?? zeromesos_v1_FrameworkID(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.hostname = r.string(true);
        break;
      case 42:
        m.resources.push(readmesos_v1_Resource(zeromesos_v1_Resource(), r, r.uint32() + r.pos));
        break;
      case 50:
        m.executorIds.push(readmesos_v1_ExecutorID(zeromesos_v1_ExecutorID(), r, r.uint32() + r.pos));
        break;
      case 58:
        m.attributes.push(readmesos_v1_Attribute(zeromesos_v1_Attribute(), r, r.uint32() + r.pos));
        break;
      case 66:
        m.url = readmesos_v1_URL(m.url ?? zeromesos_v1_URL(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.unavailability = readmesos_v1_Unavailability(m.unavailability ?? zeromesos_v1_Unavailability(), r, r.uint32() + r.pos);
        break;
      case 82:
        m.allocationInfo = readmesos_v1_Resource_AllocationInfo(m.allocationInfo ?? zeromesos_v1_Resource_AllocationInfo(), r, r.uint32() + r.pos);
        break;
      case 90:
        m.domain = readmesos_v1_DomainInfo(m.domain ?? zeromesos_v1_DomainInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Offer(w: BinaryWriter, m: Any): void {
  if (m.id !== undefined) { w.uint32(10).fork(); writemesos_v1_OfferID(w, m.id); w.join(); }
  if (m.frameworkId !== undefined) { w.uint32(18).fork(); writemesos_v1_FrameworkID(w, m.frameworkId); w.join(); }
  if (m.agentId !== undefined) { w.uint32(26).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.hostname !== undefined) w.uint32(34).string(m.hostname);
  for (const each of m.resources) { w.uint32(42).fork(); writemesos_v1_Resource(w, each); w.join(); }
  for (const each of m.executorIds) { w.uint32(50).fork(); writemesos_v1_ExecutorID(w, each); w.join(); }
  for (const each of m.attributes) { w.uint32(58).fork(); writemesos_v1_Attribute(w, each); w.join(); }
  if (m.url !== undefined) { w.uint32(66).fork(); writemesos_v1_URL(w, m.url); w.join(); }
  if (m.unavailability !== undefined) { w.uint32(74).fork(); writemesos_v1_Unavailability(w, m.unavailability); w.join(); }
  if (m.allocationInfo !== undefined) { w.uint32(82).fork(); writemesos_v1_Resource_AllocationInfo(w, m.allocationInfo); w.join(); }
  if (m.domain !== undefined) { w.uint32(90).fork(); writemesos_v1_DomainInfo(w, m.domain); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Offer_Operation = (): Any => ({ $typeName: "mesos.v1.Offer.Operation" });

function makemesos_v1_Offer_Operation(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Offer.Operation" };
  if (i.type !== undefined) m.type = i.type;
  if (i.launch !== undefined) m.launch = makemesos_v1_Offer_Operation_Launch(i.launch);
  if (i.launchGroup !== undefined) m.launchGroup = makemesos_v1_Offer_Operation_LaunchGroup(i.launchGroup);
  if (i.id !== undefined) m.id = makemesos_v1_OperationID(i.id);
  return m;
}

function readmesos_v1_Offer_Operation(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      case 18:
        m.launch = readmesos_v1_Offer_Operation_Launch(m.launch ?? zeromesos_v1_Offer_Operation_Launch(), r, r.uint32() + r.pos);
        break;
      case 58:
        m.launchGroup = readmesos_v1_Offer_Operation_LaunchGroup(m.launchGroup ?? zeromesos_v1_Offer_Operation_LaunchGroup(), r, r.uint32() + r.pos);
        break;
      case 98:
        m.id = readmesos_v1_OperationID(m.id ?? zeromesos_v1_OperationID(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Offer_Operation(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.launch !== undefined) { w.uint32(18).fork(); writemesos_v1_Offer_Operation_Launch(w, m.launch); w.join(); }
  if (m.launchGroup !== undefined) { w.uint32(58).fork(); writemesos_v1_Offer_Operation_LaunchGroup(w, m.launchGroup); w.join(); }
  if (m.id !== undefined) { w.uint32(98).fork(); writemesos_v1_OperationID(w, m.id); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Offer_Operation_Launch = (): Any => ({ $typeName: "mesos.v1.Offer.Operation.Launch", taskInfos: [] });

function makemesos_v1_Offer_Operation_Launch(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Offer.Operation.Launch", taskInfos: i.taskInfos?.map(makemesos_v1_TaskInfo) ?? [] };
  return m;
}

function readmesos_v1_Offer_Operation_Launch(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskInfos.push(readmesos_v1_TaskInfo(zeromesos_v1_TaskInfo(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Offer_Operation_Launch(w: BinaryWriter, m: Any): void {
  for (const each of m.taskInfos) { w.uint32(10).fork(); writemesos_v1_TaskInfo(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Offer_Operation_LaunchGroup = (): Any => ({ $typeName: "mesos.v1.Offer.Operation.LaunchGroup" });

function makemesos_v1_Offer_Operation_LaunchGroup(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Offer.Operation.LaunchGroup" };
  if (i.executor !== undefined) m.executor = makemesos_v1_ExecutorInfo(i.executor);
  if (i.taskGroup !== undefined) m.taskGroup = makemesos_v1_TaskGroupInfo(i.taskGroup);
  return m;
}

function readmesos_v1_Offer_Operation_LaunchGroup(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.executor = readmesos_v1_ExecutorInfo(m.executor ?? zeromesos_v1_ExecutorInfo(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.taskGroup = readmesos_v1_TaskGroupInfo(m.taskGroup ?? zeromesos_v1_TaskGroupInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Offer_Operation_LaunchGroup(w: BinaryWriter, m: Any): void {
  if (m.executor !== undefined) { w.uint32(10).fork(); writemesos_v1_ExecutorInfo(w, m.executor); w.join(); }
  if (m.taskGroup !== undefined) { w.uint32(18).fork(); writemesos_v1_TaskGroupInfo(w, m.taskGroup); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_OfferFilters = (): Any => ({ $typeName: "mesos.v1.OfferFilters" });

function makemesos_v1_OfferFilters(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.OfferFilters" };
  if (i.minAllocatableResources !== undefined) m.minAllocatableResources = makemesos_v1_OfferFilters_MinAllocatableResources(i.minAllocatableResources);
  return m;
}

function readmesos_v1_OfferFilters(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.minAllocatableResources = readmesos_v1_OfferFilters_MinAllocatableResources(m.minAllocatableResources ?? zeromesos_v1_OfferFilters_MinAllocatableResources(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_OfferFilters(w: BinaryWriter, m: Any): void {
  if (m.minAllocatableResources !== undefined) { w.uint32(10).fork(); writemesos_v1_OfferFilters_MinAllocatableResources(w, m.minAllocatableResources); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_OfferFilters_MinAllocatableResources = (): Any => ({ $typeName: "mesos.v1.OfferFilters.MinAllocatableResources", quantities: [] });

function makemesos_v1_OfferFilters_MinAllocatableResources(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.OfferFilters.MinAllocatableResources", quantities: i.quantities?.map(makemesos_v1_OfferFilters_ResourceQuantities) ?? [] };
  return m;
}

function readmesos_v1_OfferFilters_MinAllocatableResources(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.quantities.push(readmesos_v1_OfferFilters_ResourceQuantities(zeromesos_v1_OfferFilters_ResourceQuantities(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_OfferFilters_MinAllocatableResources(w: BinaryWriter, m: Any): void {
  for (const each of m.quantities) { w.uint32(10).fork(); writemesos_v1_OfferFilters_ResourceQuantities(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_OfferFilters_ResourceQuantities = (): Any => ({ $typeName: "mesos.v1.OfferFilters.ResourceQuantities", quantities: [] });

function makemesos_v1_OfferFilters_ResourceQuantities(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.OfferFilters.ResourceQuantities", quantities: i.quantities?.map(makemesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry) ?? [] };
  return m;
}

function readmesos_v1_OfferFilters_ResourceQuantities(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.quantities.push(readmesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry(zeromesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_OfferFilters_ResourceQuantities(w: BinaryWriter, m: Any): void {
  for (const each of m.quantities) { w.uint32(10).fork(); writemesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry = (): Any => ({ $typeName: "mesos.v1.OfferFilters.ResourceQuantities.QuantitiesEntry" });

function makemesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.OfferFilters.ResourceQuantities.QuantitiesEntry" };
  if (i.key !== undefined) m.key = i.key;
  if (i.value !== undefined) m.value = makemesos_v1_Value_Scalar(i.value);
  return m;
}

function readmesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.key = r.string(true);
        break;
      case 18:
        m.value = readmesos_v1_Value_Scalar(m.value ?? zeromesos_v1_Value_Scalar(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry(w: BinaryWriter, m: Any): void {
  if (m.key !== undefined) w.uint32(10).string(m.key);
  if (m.value !== undefined) { w.uint32(18).fork(); writemesos_v1_Value_Scalar(w, m.value); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_OfferID = (): Any => ({ $typeName: "mesos.v1.OfferID" });

function makemesos_v1_OfferID(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.OfferID" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_OfferID(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_OfferID(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_OperationID = (): Any => ({ $typeName: "mesos.v1.OperationID" });

function makemesos_v1_OperationID(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.OperationID" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_OperationID(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_OperationID(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Parameter = (): Any => ({ $typeName: "mesos.v1.Parameter" });

function makemesos_v1_Parameter(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Parameter" };
  if (i.key !== undefined) m.key = i.key;
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_Parameter(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.key = r.string(true);
        break;
      case 18:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Parameter(w: BinaryWriter, m: Any): void {
  if (m.key !== undefined) w.uint32(10).string(m.key);
  if (m.value !== undefined) w.uint32(18).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Parameters = (): Any => ({ $typeName: "mesos.v1.Parameters", parameter: [] });

function makemesos_v1_Parameters(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Parameters", parameter: i.parameter?.map(makemesos_v1_Parameter) ?? [] };
  return m;
}

function readmesos_v1_Parameters(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.parameter.push(readmesos_v1_Parameter(zeromesos_v1_Parameter(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Parameters(w: BinaryWriter, m: Any): void {
  for (const each of m.parameter) { w.uint32(10).fork(); writemesos_v1_Parameter(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Port = (): Any => ({ $typeName: "mesos.v1.Port" });

function makemesos_v1_Port(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Port" };
  if (i.number !== undefined) m.number = i.number;
  if (i.name !== undefined) m.name = i.name;
  if (i.protocol !== undefined) m.protocol = i.protocol;
  if (i.visibility !== undefined) m.visibility = i.visibility;
  if (i.labels !== undefined) m.labels = makemesos_v1_Labels(i.labels);
  return m;
}

function readmesos_v1_Port(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.number = r.uint32();
        break;
      case 18:
        m.name = r.string(true);
        break;
      case 26:
        m.protocol = r.string(true);
        break;
      case 32:
        m.visibility = r.int32();
        break;
      case 42:
        m.labels = readmesos_v1_Labels(m.labels ?? zeromesos_v1_Labels(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Port(w: BinaryWriter, m: Any): void {
  if (m.number !== undefined) w.uint32(8).uint32(m.number);
  if (m.name !== undefined) w.uint32(18).string(m.name);
  if (m.protocol !== undefined) w.uint32(26).string(m.protocol);
  if (m.visibility !== undefined) w.uint32(32).int32(m.visibility);
  if (m.labels !== undefined) { w.uint32(42).fork(); writemesos_v1_Labels(w, m.labels); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Ports = (): Any => ({ $typeName: "mesos.v1.Ports", ports: [] });

function makemesos_v1_Ports(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Ports", ports: i.ports?.map(makemesos_v1_Port) ?? [] };
  return m;
}

function readmesos_v1_Ports(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.ports.push(readmesos_v1_Port(zeromesos_v1_Port(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Ports(w: BinaryWriter, m: Any): void {
  for (const each of m.ports) { w.uint32(10).fork(); writemesos_v1_Port(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Request = (): Any => ({ $typeName: "mesos.v1.Request", resources: [] });

function makemesos_v1_Request(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Request", resources: i.resources?.map(makemesos_v1_Resource) ?? [] };
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  return m;
}

function readmesos_v1_Request(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.resources.push(readmesos_v1_Resource(zeromesos_v1_Resource(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Request(w: BinaryWriter, m: Any): void {
  if (m.agentId !== undefined) { w.uint32(10).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  for (const each of m.resources) { w.uint32(18).fork(); writemesos_v1_Resource(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Resource = (): Any => ({ $typeName: "mesos.v1.Resource", reservations: [] });

function makemesos_v1_Resource(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Resource", reservations: i.reservations?.map(makemesos_v1_Resource_ReservationInfo) ?? [] };
  if (i.name !== undefined) m.name = i.name;
  if (i.type !== undefined) m.type = i.type;
  if (i.scalar !== undefined) m.scalar = makemesos_v1_Value_Scalar(i.scalar);
  if (i.ranges !== undefined) m.ranges = makemesos_v1_Value_Ranges(i.ranges);
  if (i.set !== undefined) m.set = makemesos_v1_Value_Set(i.set);
  if (i.role !== undefined) m.role = i.role;
  if (i.disk !== undefined) m.disk = makemesos_v1_Resource_DiskInfo(i.disk);
  if (i.reservation !== undefined) m.reservation = makemesos_v1_Resource_ReservationInfo(i.reservation);
  if (i.revocable !== undefined) m.revocable = makemesos_v1_Resource_RevocableInfo(i.revocable);
  if (i.shared !== undefined) m.shared = makemesos_v1_Resource_SharedInfo(i.shared);
  if (i.allocationInfo !== undefined) m.allocationInfo = makemesos_v1_Resource_AllocationInfo(i.allocationInfo);
  return m;
}

function readmesos_v1_Resource(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 16:
        m.type = r.int32();
        break;
      case 26:
        m.scalar = readmesos_v1_Value_Scalar(m.scalar ?? zeromesos_v1_Value_Scalar(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.ranges = readmesos_v1_Value_Ranges(m.ranges ?? zeromesos_v1_Value_Ranges(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.set = readmesos_v1_Value_Set(m.set ?? zeromesos_v1_Value_Set(), r, r.uint32() + r.pos);
        break;
      case 50:
        m.role = r.string(true);
        break;
      case 58:
        m.disk = readmesos_v1_Resource_DiskInfo(m.disk ?? zeromesos_v1_Resource_DiskInfo(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.reservation = readmesos_v1_Resource_ReservationInfo(m.reservation ?? zeromesos_v1_Resource_ReservationInfo(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.revocable = readmesos_v1_Resource_RevocableInfo(m.revocable ?? zeromesos_v1_Resource_RevocableInfo(), r, r.uint32() + r.pos);
        break;
      case 82:
        m.shared = readmesos_v1_Resource_SharedInfo(m.shared ?? zeromesos_v1_Resource_SharedInfo(), r, r.uint32() + r.pos);
        break;
      case 90:
        m.allocationInfo = readmesos_v1_Resource_AllocationInfo(m.allocationInfo ?? zeromesos_v1_Resource_AllocationInfo(), r, r.uint32() + r.pos);
        break;
      case 106:
        m.reservations.push(readmesos_v1_Resource_ReservationInfo(zeromesos_v1_Resource_ReservationInfo(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Resource(w: BinaryWriter, m: Any): void {
  if (m.name !== undefined) w.uint32(10).string(m.name);
  if (m.type !== undefined) w.uint32(16).int32(m.type);
  if (m.scalar !== undefined) { w.uint32(26).fork(); writemesos_v1_Value_Scalar(w, m.scalar); w.join(); }
  if (m.ranges !== undefined) { w.uint32(34).fork(); writemesos_v1_Value_Ranges(w, m.ranges); w.join(); }
  if (m.set !== undefined) { w.uint32(42).fork(); writemesos_v1_Value_Set(w, m.set); w.join(); }
  if (m.role !== undefined) w.uint32(50).string(m.role);
  if (m.disk !== undefined) { w.uint32(58).fork(); writemesos_v1_Resource_DiskInfo(w, m.disk); w.join(); }
  if (m.reservation !== undefined) { w.uint32(66).fork(); writemesos_v1_Resource_ReservationInfo(w, m.reservation); w.join(); }
  if (m.revocable !== undefined) { w.uint32(74).fork(); writemesos_v1_Resource_RevocableInfo(w, m.revocable); w.join(); }
  if (m.shared !== undefined) { w.uint32(82).fork(); writemesos_v1_Resource_SharedInfo(w, m.shared); w.join(); }
  if (m.allocationInfo !== undefined) { w.uint32(90).fork(); writemesos_v1_Resource_AllocationInfo(w, m.allocationInfo); w.join(); }
  for (const each of m.reservations) { w.uint32(106).fork(); writemesos_v1_Resource_ReservationInfo(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Resource_AllocationInfo = (): Any => ({ $typeName: "mesos.v1.Resource.AllocationInfo" });

function makemesos_v1_Resource_AllocationInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Resource.AllocationInfo" };
  if (i.role !== undefined) m.role = i.role;
  return m;
}

function readmesos_v1_Resource_AllocationInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.role = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Resource_AllocationInfo(w: BinaryWriter, m: Any): void {
  if (m.role !== undefined) w.uint32(10).string(m.role);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Resource_DiskInfo = (): Any => ({ $typeName: "mesos.v1.Resource.DiskInfo" });

function makemesos_v1_Resource_DiskInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Resource.DiskInfo" };
  if (i.persistence !== undefined) m.persistence = makemesos_v1_Resource_DiskInfo_Persistence(i.persistence);
  if (i.volume !== undefined) m.volume = makemesos_v1_Volume(i.volume);
  return m;
}

function readmesos_v1_Resource_DiskInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.persistence = readmesos_v1_Resource_DiskInfo_Persistence(m.persistence ?? zeromesos_v1_Resource_DiskInfo_Persistence(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.volume = readmesos_v1_Volume(m.volume ?? zeromesos_v1_Volume(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Resource_DiskInfo(w: BinaryWriter, m: Any): void {
  if (m.persistence !== undefined) { w.uint32(10).fork(); writemesos_v1_Resource_DiskInfo_Persistence(w, m.persistence); w.join(); }
  if (m.volume !== undefined) { w.uint32(18).fork(); writemesos_v1_Volume(w, m.volume); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Resource_DiskInfo_Persistence = (): Any => ({ $typeName: "mesos.v1.Resource.DiskInfo.Persistence" });

function makemesos_v1_Resource_DiskInfo_Persistence(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Resource.DiskInfo.Persistence" };
  if (i.id !== undefined) m.id = i.id;
  if (i.principal !== undefined) m.principal = i.principal;
  return m;
}

function readmesos_v1_Resource_DiskInfo_Persistence(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.id = r.string(true);
        break;
      case 18:
        m.principal = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Resource_DiskInfo_Persistence(w: BinaryWriter, m: Any): void {
  if (m.id !== undefined) w.uint32(10).string(m.id);
  if (m.principal !== undefined) w.uint32(18).string(m.principal);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Resource_ReservationInfo = (): Any => ({ $typeName: "mesos.v1.Resource.ReservationInfo" });

function makemesos_v1_Resource_ReservationInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Resource.ReservationInfo" };
  if (i.principal !== undefined) m.principal = i.principal;
  if (i.labels !== undefined) m.labels = makemesos_v1_Labels(i.labels);
  if (i.role !== undefined) m.role = i.role;
  if (i.type !== undefined) m.type = i.type;
  return m;
}

function readmesos_v1_Resource_ReservationInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.principal = r.string(true);
        break;
      case 18:
        m.labels = readmesos_v1_Labels(m.labels ?? zeromesos_v1_Labels(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.role = r.string(true);
        break;
      case 32:
        m.type = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Resource_ReservationInfo(w: BinaryWriter, m: Any): void {
  if (m.principal !== undefined) w.uint32(10).string(m.principal);
  if (m.labels !== undefined) { w.uint32(18).fork(); writemesos_v1_Labels(w, m.labels); w.join(); }
  if (m.role !== undefined) w.uint32(26).string(m.role);
  if (m.type !== undefined) w.uint32(32).int32(m.type);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Resource_RevocableInfo = (): Any => ({ $typeName: "mesos.v1.Resource.RevocableInfo" });

function makemesos_v1_Resource_RevocableInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Resource.RevocableInfo" };
  return m;
}

function readmesos_v1_Resource_RevocableInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Resource_RevocableInfo(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Resource_SharedInfo = (): Any => ({ $typeName: "mesos.v1.Resource.SharedInfo" });

function makemesos_v1_Resource_SharedInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Resource.SharedInfo" };
  return m;
}

function readmesos_v1_Resource_SharedInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Resource_SharedInfo(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Secret = (): Any => ({ $typeName: "mesos.v1.Secret" });

function makemesos_v1_Secret(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Secret" };
  if (i.type !== undefined) m.type = i.type;
  if (i.reference !== undefined) m.reference = makemesos_v1_Secret_Reference(i.reference);
  if (i.value !== undefined) m.value = makemesos_v1_Secret_Value(i.value);
  return m;
}

function readmesos_v1_Secret(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      case 18:
        m.reference = readmesos_v1_Secret_Reference(m.reference ?? zeromesos_v1_Secret_Reference(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.value = readmesos_v1_Secret_Value(m.value ?? zeromesos_v1_Secret_Value(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Secret(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.reference !== undefined) { w.uint32(18).fork(); writemesos_v1_Secret_Reference(w, m.reference); w.join(); }
  if (m.value !== undefined) { w.uint32(26).fork(); writemesos_v1_Secret_Value(w, m.value); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Secret_Reference = (): Any => ({ $typeName: "mesos.v1.Secret.Reference" });

function makemesos_v1_Secret_Reference(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Secret.Reference" };
  if (i.name !== undefined) m.name = i.name;
  if (i.key !== undefined) m.key = i.key;
  return m;
}

function readmesos_v1_Secret_Reference(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.key = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Secret_Reference(w: BinaryWriter, m: Any): void {
  if (m.name !== undefined) w.uint32(10).string(m.name);
  if (m.key !== undefined) w.uint32(18).string(m.key);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Secret_Value = (): Any => ({ $typeName: "mesos.v1.Secret.Value" });

function makemesos_v1_Secret_Value(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Secret.Value" };
  if (i.data !== undefined) m.data = i.data;
  return m;
}

function readmesos_v1_Secret_Value(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Secret_Value(w: BinaryWriter, m: Any): void {
  if (m.data !== undefined) w.uint32(10).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Task = (): Any => ({ $typeName: "mesos.v1.Task", resources: [], statuses: [] });

function makemesos_v1_Task(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Task", resources: i.resources?.map(makemesos_v1_Resource) ?? [], statuses: i.statuses?.map(makemesos_v1_TaskStatus) ?? [] };
  if (i.name !== undefined) m.name = i.name;
  if (i.taskId !== undefined) m.taskId = makemesos_v1_TaskID(i.taskId);
  if (i.frameworkId !== undefined) m.frameworkId = makemesos_v1_FrameworkID(i.frameworkId);
  if (i.executorId !== undefined) m.executorId = makemesos_v1_ExecutorID(i.executorId);
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  if (i.state !== undefined) m.state = i.state;
  if (i.statusUpdateState !== undefined) m.statusUpdateState = i.statusUpdateState;
  if (i.statusUpdateUuid !== undefined) m.statusUpdateUuid = i.statusUpdateUuid;
  if (i.labels !== undefined) m.labels = makemesos_v1_Labels(i.labels);
  if (i.user !== undefined) m.user = i.user;
  return m;
}

function readmesos_v1_Task(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.taskId = readmesos_v1_TaskID(m.taskId ?? zeromesos_v1_TaskID(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.frameworkId = readmesos_v1_FrameworkID(m.frameworkId ?? zeromesos_v1_FrameworkID(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.executorId = readmesos_v1_ExecutorID(m.executorId ?? zeromesos_v1_ExecutorID(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 48:
        m.state = r.int32();
        break;
      case 58:
        m.resources.push(readmesos_v1_Resource(zeromesos_v1_Resource(), r, r.uint32() + r.pos));
        break;
      case 66:
        m.statuses.push(readmesos_v1_TaskStatus(zeromesos_v1_TaskStatus(), r, r.uint32() + r.pos));
        break;
      case 72:
        m.statusUpdateState = r.int32();
        break;
      case 82:
        m.statusUpdateUuid = r.bytes();
        break;
      case 90:
        m.labels = readmesos_v1_Labels(m.labels ?? zeromesos_v1_Labels(), r, r.uint32() + r.pos);
        break;
      case 114:
        m.user = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Task(w: BinaryWriter, m: Any): void {
  if (m.name !== undefined) w.uint32(10).string(m.name);
  if (m.taskId !== undefined) { w.uint32(18).fork(); writemesos_v1_TaskID(w, m.taskId); w.join(); }
  if (m.frameworkId !== undefined) { w.uint32(26).fork(); writemesos_v1_FrameworkID(w, m.frameworkId); w.join(); }
  if (m.executorId !== undefined) { w.uint32(34).fork(); writemesos_v1_ExecutorID(w, m.executorId); w.join(); }
  if (m.agentId !== undefined) { w.uint32(42).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.state !== undefined) w.uint32(48).int32(m.state);
  for (const each of m.resources) { w.uint32(58).fork(); writemesos_v1_Resource(w, each); w.join(); }
  for (const each of m.statuses) { w.uint32(66).fork(); writemesos_v1_TaskStatus(w, each); w.join(); }
  if (m.statusUpdateState !== undefined) w.uint32(72).int32(m.statusUpdateState);
  if (m.statusUpdateUuid !== undefined) w.uint32(82).bytes(m.statusUpdateUuid);
  if (m.labels !== undefined) { w.uint32(90).fork(); writemesos_v1_Labels(w, m.labels); w.join(); }
  if (m.user !== undefined) w.uint32(114).string(m.user);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_TaskGroupInfo = (): Any => ({ $typeName: "mesos.v1.TaskGroupInfo", tasks: [] });

function makemesos_v1_TaskGroupInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.TaskGroupInfo", tasks: i.tasks?.map(makemesos_v1_TaskInfo) ?? [] };
  return m;
}

function readmesos_v1_TaskGroupInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.tasks.push(readmesos_v1_TaskInfo(zeromesos_v1_TaskInfo(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_TaskGroupInfo(w: BinaryWriter, m: Any): void {
  for (const each of m.tasks) { w.uint32(10).fork(); writemesos_v1_TaskInfo(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_TaskID = (): Any => ({ $typeName: "mesos.v1.TaskID" });

function makemesos_v1_TaskID(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.TaskID" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_TaskID(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_TaskID(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_TaskInfo = (): Any => ({ $typeName: "mesos.v1.TaskInfo", resources: [], limits: [] });

function makemesos_v1_TaskInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.TaskInfo", resources: i.resources?.map(makemesos_v1_Resource) ?? [], limits: i.limits?.map(makemesos_v1_TaskInfo_LimitsEntry) ?? [] };
  if (i.name !== undefined) m.name = i.name;
  if (i.taskId !== undefined) m.taskId = makemesos_v1_TaskID(i.taskId);
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  if (i.executor !== undefined) m.executor = makemesos_v1_ExecutorInfo(i.executor);
  if (i.data !== undefined) m.data = i.data;
  if (i.command !== undefined) m.command = makemesos_v1_CommandInfo(i.command);
  if (i.healthCheck !== undefined) m.healthCheck = makemesos_v1_HealthCheck(i.healthCheck);
  if (i.container !== undefined) m.container = makemesos_v1_ContainerInfo(i.container);
  if (i.labels !== undefined) m.labels = makemesos_v1_Labels(i.labels);
  if (i.discovery !== undefined) m.discovery = makemesos_v1_DiscoveryInfo(i.discovery);
  if (i.killPolicy !== undefined) m.killPolicy = makemesos_v1_KillPolicy(i.killPolicy);
  if (i.check !== undefined) m.check = makemesos_v1_CheckInfo(i.check);
  if (i.maxCompletionTime !== undefined) m.maxCompletionTime = makemesos_v1_DurationInfo(i.maxCompletionTime);
  return m;
}

function readmesos_v1_TaskInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.name = r.string(true);
        break;
      case 18:
        m.taskId = readmesos_v1_TaskID(m.taskId ?? zeromesos_v1_TaskID(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.resources.push(readmesos_v1_Resource(zeromesos_v1_Resource(), r, r.uint32() + r.pos));
        break;
      case 42:
        m.executor = readmesos_v1_ExecutorInfo(m.executor ?? zeromesos_v1_ExecutorInfo(), r, r.uint32() + r.pos);
        break;
      case 50:
        m.data = r.bytes();
        break;
      case 58:
        m.command = readmesos_v1_CommandInfo(m.command ?? zeromesos_v1_CommandInfo(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.healthCheck = readmesos_v1_HealthCheck(m.healthCheck ?? zeromesos_v1_HealthCheck(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.container = readmesos_v1_ContainerInfo(m.container ?? zeromesos_v1_ContainerInfo(), r, r.uint32() + r.pos);
        break;
      case 82:
        m.labels = readmesos_v1_Labels(m.labels ?? zeromesos_v1_Labels(), r, r.uint32() + r.pos);
        break;
      case 90:
        m.discovery = readmesos_v1_DiscoveryInfo(m.discovery ?? zeromesos_v1_DiscoveryInfo(), r, r.uint32() + r.pos);
        break;
      case 98:
        m.killPolicy = readmesos_v1_KillPolicy(m.killPolicy ?? zeromesos_v1_KillPolicy(), r, r.uint32() + r.pos);
        break;
      case 106:
        m.check = readmesos_v1_CheckInfo(m.check ?? zeromesos_v1_CheckInfo(), r, r.uint32() + r.pos);
        break;
      case 114:
        m.maxCompletionTime = readmesos_v1_DurationInfo(m.maxCompletionTime ?? zeromesos_v1_DurationInfo(), r, r.uint32() + r.pos);
        break;
      case 122:
        m.limits.push(readmesos_v1_TaskInfo_LimitsEntry(zeromesos_v1_TaskInfo_LimitsEntry(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_TaskInfo(w: BinaryWriter, m: Any): void {
  if (m.name !== undefined) w.uint32(10).string(m.name);
  if (m.taskId !== undefined) { w.uint32(18).fork(); writemesos_v1_TaskID(w, m.taskId); w.join(); }
  if (m.agentId !== undefined) { w.uint32(26).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  for (const each of m.resources) { w.uint32(34).fork(); writemesos_v1_Resource(w, each); w.join(); }
  if (m.executor !== undefined) { w.uint32(42).fork(); writemesos_v1_ExecutorInfo(w, m.executor); w.join(); }
  if (m.data !== undefined) w.uint32(50).bytes(m.data);
  if (m.command !== undefined) { w.uint32(58).fork(); writemesos_v1_CommandInfo(w, m.command); w.join(); }
  if (m.healthCheck !== undefined) { w.uint32(66).fork(); writemesos_v1_HealthCheck(w, m.healthCheck); w.join(); }
  if (m.container !== undefined) { w.uint32(74).fork(); writemesos_v1_ContainerInfo(w, m.container); w.join(); }
  if (m.labels !== undefined) { w.uint32(82).fork(); writemesos_v1_Labels(w, m.labels); w.join(); }
  if (m.discovery !== undefined) { w.uint32(90).fork(); writemesos_v1_DiscoveryInfo(w, m.discovery); w.join(); }
  if (m.killPolicy !== undefined) { w.uint32(98).fork(); writemesos_v1_KillPolicy(w, m.killPolicy); w.join(); }
  if (m.check !== undefined) { w.uint32(106).fork(); writemesos_v1_CheckInfo(w, m.check); w.join(); }
  if (m.maxCompletionTime !== undefined) { w.uint32(114).fork(); writemesos_v1_DurationInfo(w, m.maxCompletionTime); w.join(); }
  for (const each of m.limits) { w.uint32(122).fork(); writemesos_v1_TaskInfo_LimitsEntry(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_TaskInfo_LimitsEntry = (): Any => ({ $typeName: "mesos.v1.TaskInfo.LimitsEntry" });

function makemesos_v1_TaskInfo_LimitsEntry(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.TaskInfo.LimitsEntry" };
  if (i.key !== undefined) m.key = i.key;
  if (i.value !== undefined) m.value = makemesos_v1_Value_Scalar(i.value);
  return m;
}

function readmesos_v1_TaskInfo_LimitsEntry(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.key = r.string(true);
        break;
      case 18:
        m.value = readmesos_v1_Value_Scalar(m.value ?? zeromesos_v1_Value_Scalar(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_TaskInfo_LimitsEntry(w: BinaryWriter, m: Any): void {
  if (m.key !== undefined) w.uint32(10).string(m.key);
  if (m.value !== undefined) { w.uint32(18).fork(); writemesos_v1_Value_Scalar(w, m.value); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_TaskStatus = (): Any => ({ $typeName: "mesos.v1.TaskStatus" });

function makemesos_v1_TaskStatus(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.TaskStatus" };
  if (i.taskId !== undefined) m.taskId = makemesos_v1_TaskID(i.taskId);
  if (i.state !== undefined) m.state = i.state;
  if (i.data !== undefined) m.data = i.data;
  if (i.message !== undefined) m.message = i.message;
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  if (i.timestamp !== undefined) m.timestamp = i.timestamp;
  if (i.executorId !== undefined) m.executorId = makemesos_v1_ExecutorID(i.executorId);
  if (i.healthy !== undefined) m.healthy = i.healthy;
  if (i.source !== undefined) m.source = i.source;
  if (i.reason !== undefined) m.reason = i.reason;
  if (i.uuid !== undefined) m.uuid = i.uuid;
  if (i.labels !== undefined) m.labels = makemesos_v1_Labels(i.labels);
  if (i.containerStatus !== undefined) m.containerStatus = makemesos_v1_ContainerStatus(i.containerStatus);
  if (i.unreachableTime !== undefined) m.unreachableTime = makemesos_v1_TimeInfo(i.unreachableTime);
  if (i.checkStatus !== undefined) m.checkStatus = makemesos_v1_CheckStatusInfo(i.checkStatus);
  return m;
}

function readmesos_v1_TaskStatus(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskId = readmesos_v1_TaskID(m.taskId ?? zeromesos_v1_TaskID(), r, r.uint32() + r.pos);
        break;
      case 16:
        m.state = r.int32();
        break;
      case 26:
        m.data = r.bytes();
        break;
      case 34:
        m.message = r.string(true);
        break;
      case 42:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 49:
        m.timestamp = r.double();
        break;
      case 58:
        m.executorId = readmesos_v1_ExecutorID(m.executorId ?? zeromesos_v1_ExecutorID(), r, r.uint32() + r.pos);
        break;
      case 64:
        m.healthy = r.bool();
        break;
      case 72:
        m.source = r.int32();
        break;
      case 80:
        m.reason = r.int32();
        break;
      case 90:
        m.uuid = r.bytes();
        break;
      case 98:
        m.labels = readmesos_v1_Labels(m.labels ?? zeromesos_v1_Labels(), r, r.uint32() + r.pos);
        break;
      case 106:
        m.containerStatus = readmesos_v1_ContainerStatus(m.containerStatus ?? zeromesos_v1_ContainerStatus(), r, r.uint32() + r.pos);
        break;
      case 114:
        m.unreachableTime = readmesos_v1_TimeInfo(m.unreachableTime ?? zeromesos_v1_TimeInfo(), r, r.uint32() + r.pos);
        break;
      case 122:
        m.checkStatus = readmesos_v1_CheckStatusInfo(m.checkStatus ?? zeromesos_v1_CheckStatusInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_TaskStatus(w: BinaryWriter, m: Any): void {
  if (m.taskId !== undefined) { w.uint32(10).fork(); writemesos_v1_TaskID(w, m.taskId); w.join(); }
  if (m.state !== undefined) w.uint32(16).int32(m.state);
  if (m.data !== undefined) w.uint32(26).bytes(m.data);
  if (m.message !== undefined) w.uint32(34).string(m.message);
  if (m.agentId !== undefined) { w.uint32(42).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.timestamp !== undefined) w.uint32(49).double(m.timestamp);
  if (m.executorId !== undefined) { w.uint32(58).fork(); writemesos_v1_ExecutorID(w, m.executorId); w.join(); }
  if (m.healthy !== undefined) w.uint32(64).bool(m.healthy);
  if (m.source !== undefined) w.uint32(72).int32(m.source);
  if (m.reason !== undefined) w.uint32(80).int32(m.reason);
  if (m.uuid !== undefined) w.uint32(90).bytes(m.uuid);
  if (m.labels !== undefined) { w.uint32(98).fork(); writemesos_v1_Labels(w, m.labels); w.join(); }
  if (m.containerStatus !== undefined) { w.uint32(106).fork(); writemesos_v1_ContainerStatus(w, m.containerStatus); w.join(); }
  if (m.unreachableTime !== undefined) { w.uint32(114).fork(); writemesos_v1_TimeInfo(w, m.unreachableTime); w.join(); }
  if (m.checkStatus !== undefined) { w.uint32(122).fork(); writemesos_v1_CheckStatusInfo(w, m.checkStatus); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_TimeInfo = (): Any => ({ $typeName: "mesos.v1.TimeInfo" });

function makemesos_v1_TimeInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.TimeInfo" };
  if (i.nanoseconds !== undefined) m.nanoseconds = i.nanoseconds;
  return m;
}

function readmesos_v1_TimeInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.nanoseconds = r.int64();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_TimeInfo(w: BinaryWriter, m: Any): void {
  if (m.nanoseconds !== undefined) w.uint32(8).int64(m.nanoseconds);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_URL = (): Any => ({ $typeName: "mesos.v1.URL", query: [] });

function makemesos_v1_URL(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.URL", query: i.query?.map(makemesos_v1_Parameter) ?? [] };
  if (i.scheme !== undefined) m.scheme = i.scheme;
  if (i.address !== undefined) m.address = makemesos_v1_Address(i.address);
  if (i.path !== undefined) m.path = i.path;
  if (i.fragment !== undefined) m.fragment = i.fragment;
  return m;
}

function readmesos_v1_URL(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.scheme = r.string(true);
        break;
      case 18:
        m.address = readmesos_v1_Address(m.address ?? zeromesos_v1_Address(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.path = r.string(true);
        break;
      case 34:
        m.query.push(readmesos_v1_Parameter(zeromesos_v1_Parameter(), r, r.uint32() + r.pos));
        break;
      case 42:
        m.fragment = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_URL(w: BinaryWriter, m: Any): void {
  if (m.scheme !== undefined) w.uint32(10).string(m.scheme);
  if (m.address !== undefined) { w.uint32(18).fork(); writemesos_v1_Address(w, m.address); w.join(); }
  if (m.path !== undefined) w.uint32(26).string(m.path);
  for (const each of m.query) { w.uint32(34).fork(); writemesos_v1_Parameter(w, each); w.join(); }
  if (m.fragment !== undefined) w.uint32(42).string(m.fragment);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Unavailability = (): Any => ({ $typeName: "mesos.v1.Unavailability" });

function makemesos_v1_Unavailability(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Unavailability" };
  if (i.start !== undefined) m.start = makemesos_v1_TimeInfo(i.start);
  if (i.duration !== undefined) m.duration = makemesos_v1_DurationInfo(i.duration);
  return m;
}

function readmesos_v1_Unavailability(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.start = readmesos_v1_TimeInfo(m.start ?? zeromesos_v1_TimeInfo(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.duration = readmesos_v1_DurationInfo(m.duration ?? zeromesos_v1_DurationInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Unavailability(w: BinaryWriter, m: Any): void {
  if (m.start !== undefined) { w.uint32(10).fork(); writemesos_v1_TimeInfo(w, m.start); w.join(); }
  if (m.duration !== undefined) { w.uint32(18).fork(); writemesos_v1_DurationInfo(w, m.duration); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Value = (): Any => ({ $typeName: "mesos.v1.Value" });

function makemesos_v1_Value(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Value" };
  if (i.type !== undefined) m.type = i.type;
  if (i.scalar !== undefined) m.scalar = makemesos_v1_Value_Scalar(i.scalar);
  if (i.ranges !== undefined) m.ranges = makemesos_v1_Value_Ranges(i.ranges);
  if (i.set !== undefined) m.set = makemesos_v1_Value_Set(i.set);
  if (i.text !== undefined) m.text = makemesos_v1_Value_Text(i.text);
  return m;
}

function readmesos_v1_Value(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      case 18:
        m.scalar = readmesos_v1_Value_Scalar(m.scalar ?? zeromesos_v1_Value_Scalar(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.ranges = readmesos_v1_Value_Ranges(m.ranges ?? zeromesos_v1_Value_Ranges(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.set = readmesos_v1_Value_Set(m.set ?? zeromesos_v1_Value_Set(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.text = readmesos_v1_Value_Text(m.text ?? zeromesos_v1_Value_Text(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Value(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.scalar !== undefined) { w.uint32(18).fork(); writemesos_v1_Value_Scalar(w, m.scalar); w.join(); }
  if (m.ranges !== undefined) { w.uint32(26).fork(); writemesos_v1_Value_Ranges(w, m.ranges); w.join(); }
  if (m.set !== undefined) { w.uint32(34).fork(); writemesos_v1_Value_Set(w, m.set); w.join(); }
  if (m.text !== undefined) { w.uint32(42).fork(); writemesos_v1_Value_Text(w, m.text); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Value_Range = (): Any => ({ $typeName: "mesos.v1.Value.Range" });

function makemesos_v1_Value_Range(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Value.Range" };
  if (i.begin !== undefined) m.begin = i.begin;
  if (i.end !== undefined) m.end = i.end;
  return m;
}

function readmesos_v1_Value_Range(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.begin = r.uint64();
        break;
      case 16:
        m.end = r.uint64();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Value_Range(w: BinaryWriter, m: Any): void {
  if (m.begin !== undefined) w.uint32(8).uint64(m.begin);
  if (m.end !== undefined) w.uint32(16).uint64(m.end);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Value_Ranges = (): Any => ({ $typeName: "mesos.v1.Value.Ranges", range: [] });

function makemesos_v1_Value_Ranges(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Value.Ranges", range: i.range?.map(makemesos_v1_Value_Range) ?? [] };
  return m;
}

function readmesos_v1_Value_Ranges(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.range.push(readmesos_v1_Value_Range(zeromesos_v1_Value_Range(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Value_Ranges(w: BinaryWriter, m: Any): void {
  for (const each of m.range) { w.uint32(10).fork(); writemesos_v1_Value_Range(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Value_Scalar = (): Any => ({ $typeName: "mesos.v1.Value.Scalar" });

function makemesos_v1_Value_Scalar(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Value.Scalar" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_Value_Scalar(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 9:
        m.value = r.double();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Value_Scalar(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(9).double(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Value_Set = (): Any => ({ $typeName: "mesos.v1.Value.Set", item: [] });

function makemesos_v1_Value_Set(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Value.Set", item: i.item ?? [] };
  return m;
}

function readmesos_v1_Value_Set(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.item.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Value_Set(w: BinaryWriter, m: Any): void {
  for (const each of m.item) w.uint32(10).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Value_Text = (): Any => ({ $typeName: "mesos.v1.Value.Text" });

function makemesos_v1_Value_Text(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Value.Text" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_Value_Text(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Value_Text(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_VersionInfo = (): Any => ({ $typeName: "mesos.v1.VersionInfo" });

function makemesos_v1_VersionInfo(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.VersionInfo" };
  if (i.version !== undefined) m.version = i.version;
  if (i.buildDate !== undefined) m.buildDate = i.buildDate;
  if (i.buildTime !== undefined) m.buildTime = i.buildTime;
  if (i.buildUser !== undefined) m.buildUser = i.buildUser;
  if (i.gitSha !== undefined) m.gitSha = i.gitSha;
  if (i.gitBranch !== undefined) m.gitBranch = i.gitBranch;
  if (i.gitTag !== undefined) m.gitTag = i.gitTag;
  return m;
}

function readmesos_v1_VersionInfo(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.version = r.string(true);
        break;
      case 18:
        m.buildDate = r.string(true);
        break;
      case 25:
        m.buildTime = r.double();
        break;
      case 34:
        m.buildUser = r.string(true);
        break;
      case 42:
        m.gitSha = r.string(true);
        break;
      case 50:
        m.gitBranch = r.string(true);
        break;
      case 58:
        m.gitTag = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_VersionInfo(w: BinaryWriter, m: Any): void {
  if (m.version !== undefined) w.uint32(10).string(m.version);
  if (m.buildDate !== undefined) w.uint32(18).string(m.buildDate);
  if (m.buildTime !== undefined) w.uint32(25).double(m.buildTime);
  if (m.buildUser !== undefined) w.uint32(34).string(m.buildUser);
  if (m.gitSha !== undefined) w.uint32(42).string(m.gitSha);
  if (m.gitBranch !== undefined) w.uint32(50).string(m.gitBranch);
  if (m.gitTag !== undefined) w.uint32(58).string(m.gitTag);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_Volume = (): Any => ({ $typeName: "mesos.v1.Volume" });

function makemesos_v1_Volume(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.Volume" };
  if (i.containerPath !== undefined) m.containerPath = i.containerPath;
  if (i.hostPath !== undefined) m.hostPath = i.hostPath;
  if (i.mode !== undefined) m.mode = i.mode;
  if (i.image !== undefined) m.image = makemesos_v1_Image(i.image);
  return m;
}

function readmesos_v1_Volume(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.containerPath = r.string(true);
        break;
      case 18:
        m.hostPath = r.string(true);
        break;
      case 24:
        m.mode = r.int32();
        break;
      case 34:
        m.image = readmesos_v1_Image(m.image ?? zeromesos_v1_Image(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_Volume(w: BinaryWriter, m: Any): void {
  if (m.containerPath !== undefined) w.uint32(10).string(m.containerPath);
  if (m.hostPath !== undefined) w.uint32(18).string(m.hostPath);
  if (m.mode !== undefined) w.uint32(24).int32(m.mode);
  if (m.image !== undefined) { w.uint32(34).fork(); writemesos_v1_Image(w, m.image); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Call = (): Any => ({ $typeName: "mesos.v1.executor.Call" });

function makemesos_v1_executor_Call(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Call" };
  if (i.executorId !== undefined) m.executorId = makemesos_v1_ExecutorID(i.executorId);
  if (i.frameworkId !== undefined) m.frameworkId = makemesos_v1_FrameworkID(i.frameworkId);
  if (i.type !== undefined) m.type = i.type;
  if (i.subscribe !== undefined) m.subscribe = makemesos_v1_executor_Call_Subscribe(i.subscribe);
  if (i.update !== undefined) m.update = makemesos_v1_executor_Call_Update(i.update);
  if (i.message !== undefined) m.message = makemesos_v1_executor_Call_Message(i.message);
  return m;
}

function readmesos_v1_executor_Call(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.executorId = readmesos_v1_ExecutorID(m.executorId ?? zeromesos_v1_ExecutorID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.frameworkId = readmesos_v1_FrameworkID(m.frameworkId ?? zeromesos_v1_FrameworkID(), r, r.uint32() + r.pos);
        break;
      case 24:
        m.type = r.int32();
        break;
      case 34:
        m.subscribe = readmesos_v1_executor_Call_Subscribe(m.subscribe ?? zeromesos_v1_executor_Call_Subscribe(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.update = readmesos_v1_executor_Call_Update(m.update ?? zeromesos_v1_executor_Call_Update(), r, r.uint32() + r.pos);
        break;
      case 50:
        m.message = readmesos_v1_executor_Call_Message(m.message ?? zeromesos_v1_executor_Call_Message(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Call(w: BinaryWriter, m: Any): void {
  if (m.executorId !== undefined) { w.uint32(10).fork(); writemesos_v1_ExecutorID(w, m.executorId); w.join(); }
  if (m.frameworkId !== undefined) { w.uint32(18).fork(); writemesos_v1_FrameworkID(w, m.frameworkId); w.join(); }
  if (m.type !== undefined) w.uint32(24).int32(m.type);
  if (m.subscribe !== undefined) { w.uint32(34).fork(); writemesos_v1_executor_Call_Subscribe(w, m.subscribe); w.join(); }
  if (m.update !== undefined) { w.uint32(42).fork(); writemesos_v1_executor_Call_Update(w, m.update); w.join(); }
  if (m.message !== undefined) { w.uint32(50).fork(); writemesos_v1_executor_Call_Message(w, m.message); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Call_Message = (): Any => ({ $typeName: "mesos.v1.executor.Call.Message" });

function makemesos_v1_executor_Call_Message(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Call.Message" };
  if (i.data !== undefined) m.data = i.data;
  return m;
}

function readmesos_v1_executor_Call_Message(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 18:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Call_Message(w: BinaryWriter, m: Any): void {
  if (m.data !== undefined) w.uint32(18).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Call_Subscribe = (): Any => ({ $typeName: "mesos.v1.executor.Call.Subscribe", unacknowledgedTasks: [], unacknowledgedUpdates: [] });

function makemesos_v1_executor_Call_Subscribe(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Call.Subscribe", unacknowledgedTasks: i.unacknowledgedTasks?.map(makemesos_v1_TaskInfo) ?? [], unacknowledgedUpdates: i.unacknowledgedUpdates?.map(makemesos_v1_executor_Call_Update) ?? [] };
  return m;
}

function readmesos_v1_executor_Call_Subscribe(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.unacknowledgedTasks.push(readmesos_v1_TaskInfo(zeromesos_v1_TaskInfo(), r, r.uint32() + r.pos));
        break;
      case 18:
        m.unacknowledgedUpdates.push(readmesos_v1_executor_Call_Update(zeromesos_v1_executor_Call_Update(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Call_Subscribe(w: BinaryWriter, m: Any): void {
  for (const each of m.unacknowledgedTasks) { w.uint32(10).fork(); writemesos_v1_TaskInfo(w, each); w.join(); }
  for (const each of m.unacknowledgedUpdates) { w.uint32(18).fork(); writemesos_v1_executor_Call_Update(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Call_Update = (): Any => ({ $typeName: "mesos.v1.executor.Call.Update" });

function makemesos_v1_executor_Call_Update(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Call.Update" };
  if (i.status !== undefined) m.status = makemesos_v1_TaskStatus(i.status);
  return m;
}

function readmesos_v1_executor_Call_Update(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.status = readmesos_v1_TaskStatus(m.status ?? zeromesos_v1_TaskStatus(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Call_Update(w: BinaryWriter, m: Any): void {
  if (m.status !== undefined) { w.uint32(10).fork(); writemesos_v1_TaskStatus(w, m.status); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Event = (): Any => ({ $typeName: "mesos.v1.executor.Event" });

function makemesos_v1_executor_Event(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Event" };
  if (i.type !== undefined) m.type = i.type;
  if (i.subscribed !== undefined) m.subscribed = makemesos_v1_executor_Event_Subscribed(i.subscribed);
  if (i.acknowledged !== undefined) m.acknowledged = makemesos_v1_executor_Event_Acknowledged(i.acknowledged);
  if (i.launch !== undefined) m.launch = makemesos_v1_executor_Event_Launch(i.launch);
  if (i.kill !== undefined) m.kill = makemesos_v1_executor_Event_Kill(i.kill);
  if (i.message !== undefined) m.message = makemesos_v1_executor_Event_Message(i.message);
  if (i.error !== undefined) m.error = makemesos_v1_executor_Event_Error(i.error);
  if (i.launchGroup !== undefined) m.launchGroup = makemesos_v1_executor_Event_LaunchGroup(i.launchGroup);
  return m;
}

function readmesos_v1_executor_Event(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      case 18:
        m.subscribed = readmesos_v1_executor_Event_Subscribed(m.subscribed ?? zeromesos_v1_executor_Event_Subscribed(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.acknowledged = readmesos_v1_executor_Event_Acknowledged(m.acknowledged ?? zeromesos_v1_executor_Event_Acknowledged(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.launch = readmesos_v1_executor_Event_Launch(m.launch ?? zeromesos_v1_executor_Event_Launch(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.kill = readmesos_v1_executor_Event_Kill(m.kill ?? zeromesos_v1_executor_Event_Kill(), r, r.uint32() + r.pos);
        break;
      case 50:
        m.message = readmesos_v1_executor_Event_Message(m.message ?? zeromesos_v1_executor_Event_Message(), r, r.uint32() + r.pos);
        break;
      case 58:
        m.error = readmesos_v1_executor_Event_Error(m.error ?? zeromesos_v1_executor_Event_Error(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.launchGroup = readmesos_v1_executor_Event_LaunchGroup(m.launchGroup ?? zeromesos_v1_executor_Event_LaunchGroup(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Event(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.subscribed !== undefined) { w.uint32(18).fork(); writemesos_v1_executor_Event_Subscribed(w, m.subscribed); w.join(); }
  if (m.acknowledged !== undefined) { w.uint32(26).fork(); writemesos_v1_executor_Event_Acknowledged(w, m.acknowledged); w.join(); }
  if (m.launch !== undefined) { w.uint32(34).fork(); writemesos_v1_executor_Event_Launch(w, m.launch); w.join(); }
  if (m.kill !== undefined) { w.uint32(42).fork(); writemesos_v1_executor_Event_Kill(w, m.kill); w.join(); }
  if (m.message !== undefined) { w.uint32(50).fork(); writemesos_v1_executor_Event_Message(w, m.message); w.join(); }
  if (m.error !== undefined) { w.uint32(58).fork(); writemesos_v1_executor_Event_Error(w, m.error); w.join(); }
  if (m.launchGroup !== undefined) { w.uint32(66).fork(); writemesos_v1_executor_Event_LaunchGroup(w, m.launchGroup); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Event_Acknowledged = (): Any => ({ $typeName: "mesos.v1.executor.Event.Acknowledged" });

function makemesos_v1_executor_Event_Acknowledged(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Event.Acknowledged" };
  if (i.taskId !== undefined) m.taskId = makemesos_v1_TaskID(i.taskId);
  if (i.uuid !== undefined) m.uuid = i.uuid;
  return m;
}

function readmesos_v1_executor_Event_Acknowledged(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskId = readmesos_v1_TaskID(m.taskId ?? zeromesos_v1_TaskID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.uuid = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Event_Acknowledged(w: BinaryWriter, m: Any): void {
  if (m.taskId !== undefined) { w.uint32(10).fork(); writemesos_v1_TaskID(w, m.taskId); w.join(); }
  if (m.uuid !== undefined) w.uint32(18).bytes(m.uuid);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Event_Error = (): Any => ({ $typeName: "mesos.v1.executor.Event.Error" });

function makemesos_v1_executor_Event_Error(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Event.Error" };
  if (i.message !== undefined) m.message = i.message;
  return m;
}

function readmesos_v1_executor_Event_Error(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.message = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Event_Error(w: BinaryWriter, m: Any): void {
  if (m.message !== undefined) w.uint32(10).string(m.message);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Event_Kill = (): Any => ({ $typeName: "mesos.v1.executor.Event.Kill" });

function makemesos_v1_executor_Event_Kill(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Event.Kill" };
  if (i.taskId !== undefined) m.taskId = makemesos_v1_TaskID(i.taskId);
  if (i.killPolicy !== undefined) m.killPolicy = makemesos_v1_KillPolicy(i.killPolicy);
  return m;
}

function readmesos_v1_executor_Event_Kill(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskId = readmesos_v1_TaskID(m.taskId ?? zeromesos_v1_TaskID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.killPolicy = readmesos_v1_KillPolicy(m.killPolicy ?? zeromesos_v1_KillPolicy(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Event_Kill(w: BinaryWriter, m: Any): void {
  if (m.taskId !== undefined) { w.uint32(10).fork(); writemesos_v1_TaskID(w, m.taskId); w.join(); }
  if (m.killPolicy !== undefined) { w.uint32(18).fork(); writemesos_v1_KillPolicy(w, m.killPolicy); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Event_Launch = (): Any => ({ $typeName: "mesos.v1.executor.Event.Launch" });

function makemesos_v1_executor_Event_Launch(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Event.Launch" };
  if (i.task !== undefined) m.task = makemesos_v1_TaskInfo(i.task);
  return m;
}

function readmesos_v1_executor_Event_Launch(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.task = readmesos_v1_TaskInfo(m.task ?? zeromesos_v1_TaskInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Event_Launch(w: BinaryWriter, m: Any): void {
  if (m.task !== undefined) { w.uint32(10).fork(); writemesos_v1_TaskInfo(w, m.task); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Event_LaunchGroup = (): Any => ({ $typeName: "mesos.v1.executor.Event.LaunchGroup" });

function makemesos_v1_executor_Event_LaunchGroup(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Event.LaunchGroup" };
  if (i.taskGroup !== undefined) m.taskGroup = makemesos_v1_TaskGroupInfo(i.taskGroup);
  return m;
}

function readmesos_v1_executor_Event_LaunchGroup(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskGroup = readmesos_v1_TaskGroupInfo(m.taskGroup ?? zeromesos_v1_TaskGroupInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Event_LaunchGroup(w: BinaryWriter, m: Any): void {
  if (m.taskGroup !== undefined) { w.uint32(10).fork(); writemesos_v1_TaskGroupInfo(w, m.taskGroup); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Event_Message = (): Any => ({ $typeName: "mesos.v1.executor.Event.Message" });

function makemesos_v1_executor_Event_Message(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Event.Message" };
  if (i.data !== undefined) m.data = i.data;
  return m;
}

function readmesos_v1_executor_Event_Message(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Event_Message(w: BinaryWriter, m: Any): void {
  if (m.data !== undefined) w.uint32(10).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_executor_Event_Subscribed = (): Any => ({ $typeName: "mesos.v1.executor.Event.Subscribed" });

function makemesos_v1_executor_Event_Subscribed(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.executor.Event.Subscribed" };
  if (i.executorInfo !== undefined) m.executorInfo = makemesos_v1_ExecutorInfo(i.executorInfo);
  if (i.frameworkInfo !== undefined) m.frameworkInfo = makemesos_v1_FrameworkInfo(i.frameworkInfo);
  if (i.agentInfo !== undefined) m.agentInfo = makemesos_v1_AgentInfo(i.agentInfo);
  if (i.containerId !== undefined) m.containerId = makemesos_v1_ContainerID(i.containerId);
  return m;
}

function readmesos_v1_executor_Event_Subscribed(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.executorInfo = readmesos_v1_ExecutorInfo(m.executorInfo ?? zeromesos_v1_ExecutorInfo(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.frameworkInfo = readmesos_v1_FrameworkInfo(m.frameworkInfo ?? zeromesos_v1_FrameworkInfo(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.agentInfo = readmesos_v1_AgentInfo(m.agentInfo ?? zeromesos_v1_AgentInfo(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.containerId = readmesos_v1_ContainerID(m.containerId ?? zeromesos_v1_ContainerID(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_executor_Event_Subscribed(w: BinaryWriter, m: Any): void {
  if (m.executorInfo !== undefined) { w.uint32(10).fork(); writemesos_v1_ExecutorInfo(w, m.executorInfo); w.join(); }
  if (m.frameworkInfo !== undefined) { w.uint32(18).fork(); writemesos_v1_FrameworkInfo(w, m.frameworkInfo); w.join(); }
  if (m.agentInfo !== undefined) { w.uint32(26).fork(); writemesos_v1_AgentInfo(w, m.agentInfo); w.join(); }
  if (m.containerId !== undefined) { w.uint32(34).fork(); writemesos_v1_ContainerID(w, m.containerId); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Call = (): Any => ({ $typeName: "mesos.v1.master.Call" });

function makemesos_v1_master_Call(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Call" };
  if (i.type !== undefined) m.type = i.type;
  return m;
}

function readmesos_v1_master_Call(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Call(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response = (): Any => ({ $typeName: "mesos.v1.master.Response" });

function makemesos_v1_master_Response(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response" };
  if (i.type !== undefined) m.type = i.type;
  if (i.getHealth !== undefined) m.getHealth = makemesos_v1_master_Response_GetHealth(i.getHealth);
  if (i.getVersion !== undefined) m.getVersion = makemesos_v1_master_Response_GetVersion(i.getVersion);
  if (i.getState !== undefined) m.getState = makemesos_v1_master_Response_GetState(i.getState);
  if (i.getAgents !== undefined) m.getAgents = makemesos_v1_master_Response_GetAgents(i.getAgents);
  if (i.getFrameworks !== undefined) m.getFrameworks = makemesos_v1_master_Response_GetFrameworks(i.getFrameworks);
  if (i.getExecutors !== undefined) m.getExecutors = makemesos_v1_master_Response_GetExecutors(i.getExecutors);
  if (i.getTasks !== undefined) m.getTasks = makemesos_v1_master_Response_GetTasks(i.getTasks);
  return m;
}

function readmesos_v1_master_Response(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      case 18:
        m.getHealth = readmesos_v1_master_Response_GetHealth(m.getHealth ?? zeromesos_v1_master_Response_GetHealth(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.getVersion = readmesos_v1_master_Response_GetVersion(m.getVersion ?? zeromesos_v1_master_Response_GetVersion(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.getState = readmesos_v1_master_Response_GetState(m.getState ?? zeromesos_v1_master_Response_GetState(), r, r.uint32() + r.pos);
        break;
      case 82:
        m.getAgents = readmesos_v1_master_Response_GetAgents(m.getAgents ?? zeromesos_v1_master_Response_GetAgents(), r, r.uint32() + r.pos);
        break;
      case 90:
        m.getFrameworks = readmesos_v1_master_Response_GetFrameworks(m.getFrameworks ?? zeromesos_v1_master_Response_GetFrameworks(), r, r.uint32() + r.pos);
        break;
      case 98:
        m.getExecutors = readmesos_v1_master_Response_GetExecutors(m.getExecutors ?? zeromesos_v1_master_Response_GetExecutors(), r, r.uint32() + r.pos);
        break;
      case 106:
        m.getTasks = readmesos_v1_master_Response_GetTasks(m.getTasks ?? zeromesos_v1_master_Response_GetTasks(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.getHealth !== undefined) { w.uint32(18).fork(); writemesos_v1_master_Response_GetHealth(w, m.getHealth); w.join(); }
  if (m.getVersion !== undefined) { w.uint32(34).fork(); writemesos_v1_master_Response_GetVersion(w, m.getVersion); w.join(); }
  if (m.getState !== undefined) { w.uint32(74).fork(); writemesos_v1_master_Response_GetState(w, m.getState); w.join(); }
  if (m.getAgents !== undefined) { w.uint32(82).fork(); writemesos_v1_master_Response_GetAgents(w, m.getAgents); w.join(); }
  if (m.getFrameworks !== undefined) { w.uint32(90).fork(); writemesos_v1_master_Response_GetFrameworks(w, m.getFrameworks); w.join(); }
  if (m.getExecutors !== undefined) { w.uint32(98).fork(); writemesos_v1_master_Response_GetExecutors(w, m.getExecutors); w.join(); }
  if (m.getTasks !== undefined) { w.uint32(106).fork(); writemesos_v1_master_Response_GetTasks(w, m.getTasks); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response_GetAgents = (): Any => ({ $typeName: "mesos.v1.master.Response.GetAgents", agents: [] });

function makemesos_v1_master_Response_GetAgents(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response.GetAgents", agents: i.agents?.map(makemesos_v1_master_Response_GetAgents_Agent) ?? [] };
  return m;
}

function readmesos_v1_master_Response_GetAgents(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.agents.push(readmesos_v1_master_Response_GetAgents_Agent(zeromesos_v1_master_Response_GetAgents_Agent(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response_GetAgents(w: BinaryWriter, m: Any): void {
  for (const each of m.agents) { w.uint32(10).fork(); writemesos_v1_master_Response_GetAgents_Agent(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response_GetAgents_Agent = (): Any => ({ $typeName: "mesos.v1.master.Response.GetAgents.Agent", totalResources: [], allocatedResources: [] });

function makemesos_v1_master_Response_GetAgents_Agent(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response.GetAgents.Agent", totalResources: i.totalResources?.map(makemesos_v1_Resource) ?? [], allocatedResources: i.allocatedResources?.map(makemesos_v1_Resource) ?? [] };
  if (i.agentInfo !== undefined) m.agentInfo = makemesos_v1_AgentInfo(i.agentInfo);
  if (i.active !== undefined) m.active = i.active;
  if (i.version !== undefined) m.version = i.version;
  if (i.registeredTime !== undefined) m.registeredTime = makemesos_v1_TimeInfo(i.registeredTime);
  return m;
}

function readmesos_v1_master_Response_GetAgents_Agent(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.agentInfo = readmesos_v1_AgentInfo(m.agentInfo ?? zeromesos_v1_AgentInfo(), r, r.uint32() + r.pos);
        break;
      case 16:
        m.active = r.bool();
        break;
      case 26:
        m.version = r.string(true);
        break;
      case 42:
        m.registeredTime = readmesos_v1_TimeInfo(m.registeredTime ?? zeromesos_v1_TimeInfo(), r, r.uint32() + r.pos);
        break;
      case 58:
        m.totalResources.push(readmesos_v1_Resource(zeromesos_v1_Resource(), r, r.uint32() + r.pos));
        break;
      case 66:
        m.allocatedResources.push(readmesos_v1_Resource(zeromesos_v1_Resource(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response_GetAgents_Agent(w: BinaryWriter, m: Any): void {
  if (m.agentInfo !== undefined) { w.uint32(10).fork(); writemesos_v1_AgentInfo(w, m.agentInfo); w.join(); }
  if (m.active !== undefined) w.uint32(16).bool(m.active);
  if (m.version !== undefined) w.uint32(26).string(m.version);
  if (m.registeredTime !== undefined) { w.uint32(42).fork(); writemesos_v1_TimeInfo(w, m.registeredTime); w.join(); }
  for (const each of m.totalResources) { w.uint32(58).fork(); writemesos_v1_Resource(w, each); w.join(); }
  for (const each of m.allocatedResources) { w.uint32(66).fork(); writemesos_v1_Resource(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response_GetExecutors = (): Any => ({ $typeName: "mesos.v1.master.Response.GetExecutors", executors: [] });

function makemesos_v1_master_Response_GetExecutors(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response.GetExecutors", executors: i.executors?.map(makemesos_v1_master_Response_GetExecutors_Executor) ?? [] };
  return m;
}

function readmesos_v1_master_Response_GetExecutors(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.executors.push(readmesos_v1_master_Response_GetExecutors_Executor(zeromesos_v1_master_Response_GetExecutors_Executor(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response_GetExecutors(w: BinaryWriter, m: Any): void {
  for (const each of m.executors) { w.uint32(10).fork(); writemesos_v1_master_Response_GetExecutors_Executor(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response_GetExecutors_Executor = (): Any => ({ $typeName: "mesos.v1.master.Response.GetExecutors.Executor" });

function makemesos_v1_master_Response_GetExecutors_Executor(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response.GetExecutors.Executor" };
  if (i.executorInfo !== undefined) m.executorInfo = makemesos_v1_ExecutorInfo(i.executorInfo);
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  return m;
}

function readmesos_v1_master_Response_GetExecutors_Executor(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.executorInfo = readmesos_v1_ExecutorInfo(m.executorInfo ?? zeromesos_v1_ExecutorInfo(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response_GetExecutors_Executor(w: BinaryWriter, m: Any): void {
  if (m.executorInfo !== undefined) { w.uint32(10).fork(); writemesos_v1_ExecutorInfo(w, m.executorInfo); w.join(); }
  if (m.agentId !== undefined) { w.uint32(18).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response_GetFrameworks = (): Any => ({ $typeName: "mesos.v1.master.Response.GetFrameworks", frameworks: [], completedFrameworks: [] });

function makemesos_v1_master_Response_GetFrameworks(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response.GetFrameworks", frameworks: i.frameworks?.map(makemesos_v1_master_Response_GetFrameworks_Framework) ?? [], completedFrameworks: i.completedFrameworks?.map(makemesos_v1_master_Response_GetFrameworks_Framework) ?? [] };
  return m;
}

function readmesos_v1_master_Response_GetFrameworks(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.frameworks.push(readmesos_v1_master_Response_GetFrameworks_Framework(zeromesos_v1_master_Response_GetFrameworks_Framework(), r, r.uint32() + r.pos));
        break;
      case 18:
        m.completedFrameworks.push(readmesos_v1_master_Response_GetFrameworks_Framework(zeromesos_v1_master_Response_GetFrameworks_Framework(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response_GetFrameworks(w: BinaryWriter, m: Any): void {
  for (const each of m.frameworks) { w.uint32(10).fork(); writemesos_v1_master_Response_GetFrameworks_Framework(w, each); w.join(); }
  for (const each of m.completedFrameworks) { w.uint32(18).fork(); writemesos_v1_master_Response_GetFrameworks_Framework(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response_GetFrameworks_Framework = (): Any => ({ $typeName: "mesos.v1.master.Response.GetFrameworks.Framework", allocatedResources: [] });

function makemesos_v1_master_Response_GetFrameworks_Framework(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response.GetFrameworks.Framework", allocatedResources: i.allocatedResources?.map(makemesos_v1_Resource) ?? [] };
  if (i.frameworkInfo !== undefined) m.frameworkInfo = makemesos_v1_FrameworkInfo(i.frameworkInfo);
  if (i.active !== undefined) m.active = i.active;
  if (i.connected !== undefined) m.connected = i.connected;
  if (i.registeredTime !== undefined) m.registeredTime = makemesos_v1_TimeInfo(i.registeredTime);
  if (i.recovered !== undefined) m.recovered = i.recovered;
  return m;
}

function readmesos_v1_master_Response_GetFrameworks_Framework(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.frameworkInfo = readmesos_v1_FrameworkInfo(m.frameworkInfo ?? zeromesos_v1_FrameworkInfo(), r, r.uint32() + r.pos);
        break;
      case 16:
        m.active = r.bool();
        break;
      case 24:
        m.connected = r.bool();
        break;
      case 34:
        m.registeredTime = readmesos_v1_TimeInfo(m.registeredTime ?? zeromesos_v1_TimeInfo(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.allocatedResources.push(readmesos_v1_Resource(zeromesos_v1_Resource(), r, r.uint32() + r.pos));
        break;
      case 88:
        m.recovered = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response_GetFrameworks_Framework(w: BinaryWriter, m: Any): void {
  if (m.frameworkInfo !== undefined) { w.uint32(10).fork(); writemesos_v1_FrameworkInfo(w, m.frameworkInfo); w.join(); }
  if (m.active !== undefined) w.uint32(16).bool(m.active);
  if (m.connected !== undefined) w.uint32(24).bool(m.connected);
  if (m.registeredTime !== undefined) { w.uint32(34).fork(); writemesos_v1_TimeInfo(w, m.registeredTime); w.join(); }
  for (const each of m.allocatedResources) { w.uint32(74).fork(); writemesos_v1_Resource(w, each); w.join(); }
  if (m.recovered !== undefined) w.uint32(88).bool(m.recovered);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response_GetHealth = (): Any => ({ $typeName: "mesos.v1.master.Response.GetHealth" });

function makemesos_v1_master_Response_GetHealth(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response.GetHealth" };
  if (i.healthy !== undefined) m.healthy = i.healthy;
  return m;
}

function readmesos_v1_master_Response_GetHealth(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.healthy = r.bool();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response_GetHealth(w: BinaryWriter, m: Any): void {
  if (m.healthy !== undefined) w.uint32(8).bool(m.healthy);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response_GetState = (): Any => ({ $typeName: "mesos.v1.master.Response.GetState" });

function makemesos_v1_master_Response_GetState(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response.GetState" };
  if (i.getTasks !== undefined) m.getTasks = makemesos_v1_master_Response_GetTasks(i.getTasks);
  if (i.getExecutors !== undefined) m.getExecutors = makemesos_v1_master_Response_GetExecutors(i.getExecutors);
  if (i.getFrameworks !== undefined) m.getFrameworks = makemesos_v1_master_Response_GetFrameworks(i.getFrameworks);
  if (i.getAgents !== undefined) m.getAgents = makemesos_v1_master_Response_GetAgents(i.getAgents);
  return m;
}

function readmesos_v1_master_Response_GetState(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.getTasks = readmesos_v1_master_Response_GetTasks(m.getTasks ?? zeromesos_v1_master_Response_GetTasks(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.getExecutors = readmesos_v1_master_Response_GetExecutors(m.getExecutors ?? zeromesos_v1_master_Response_GetExecutors(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.getFrameworks = readmesos_v1_master_Response_GetFrameworks(m.getFrameworks ?? zeromesos_v1_master_Response_GetFrameworks(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.getAgents = readmesos_v1_master_Response_GetAgents(m.getAgents ?? zeromesos_v1_master_Response_GetAgents(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response_GetState(w: BinaryWriter, m: Any): void {
  if (m.getTasks !== undefined) { w.uint32(10).fork(); writemesos_v1_master_Response_GetTasks(w, m.getTasks); w.join(); }
  if (m.getExecutors !== undefined) { w.uint32(18).fork(); writemesos_v1_master_Response_GetExecutors(w, m.getExecutors); w.join(); }
  if (m.getFrameworks !== undefined) { w.uint32(26).fork(); writemesos_v1_master_Response_GetFrameworks(w, m.getFrameworks); w.join(); }
  if (m.getAgents !== undefined) { w.uint32(34).fork(); writemesos_v1_master_Response_GetAgents(w, m.getAgents); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response_GetTasks = (): Any => ({ $typeName: "mesos.v1.master.Response.GetTasks", tasks: [], completedTasks: [] });

function makemesos_v1_master_Response_GetTasks(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response.GetTasks", tasks: i.tasks?.map(makemesos_v1_Task) ?? [], completedTasks: i.completedTasks?.map(makemesos_v1_Task) ?? [] };
  return m;
}

function readmesos_v1_master_Response_GetTasks(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 18:
        m.tasks.push(readmesos_v1_Task(zeromesos_v1_Task(), r, r.uint32() + r.pos));
        break;
      case 26:
        m.completedTasks.push(readmesos_v1_Task(zeromesos_v1_Task(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response_GetTasks(w: BinaryWriter, m: Any): void {
  for (const each of m.tasks) { w.uint32(18).fork(); writemesos_v1_Task(w, each); w.join(); }
  for (const each of m.completedTasks) { w.uint32(26).fork(); writemesos_v1_Task(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_master_Response_GetVersion = (): Any => ({ $typeName: "mesos.v1.master.Response.GetVersion" });

function makemesos_v1_master_Response_GetVersion(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.master.Response.GetVersion" };
  if (i.versionInfo !== undefined) m.versionInfo = makemesos_v1_VersionInfo(i.versionInfo);
  return m;
}

function readmesos_v1_master_Response_GetVersion(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.versionInfo = readmesos_v1_VersionInfo(m.versionInfo ?? zeromesos_v1_VersionInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_master_Response_GetVersion(w: BinaryWriter, m: Any): void {
  if (m.versionInfo !== undefined) { w.uint32(10).fork(); writemesos_v1_VersionInfo(w, m.versionInfo); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_AttributeConstraint = (): Any => ({ $typeName: "mesos.v1.scheduler.AttributeConstraint" });

function makemesos_v1_scheduler_AttributeConstraint(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.AttributeConstraint" };
  if (i.selector !== undefined) m.selector = makemesos_v1_scheduler_AttributeConstraint_Selector(i.selector);
  if (i.predicate !== undefined) m.predicate = makemesos_v1_scheduler_AttributeConstraint_Predicate(i.predicate);
  return m;
}

function readmesos_v1_scheduler_AttributeConstraint(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.selector = readmesos_v1_scheduler_AttributeConstraint_Selector(m.selector ?? zeromesos_v1_scheduler_AttributeConstraint_Selector(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.predicate = readmesos_v1_scheduler_AttributeConstraint_Predicate(m.predicate ?? zeromesos_v1_scheduler_AttributeConstraint_Predicate(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_AttributeConstraint(w: BinaryWriter, m: Any): void {
  if (m.selector !== undefined) { w.uint32(10).fork(); writemesos_v1_scheduler_AttributeConstraint_Selector(w, m.selector); w.join(); }
  if (m.predicate !== undefined) { w.uint32(18).fork(); writemesos_v1_scheduler_AttributeConstraint_Predicate(w, m.predicate); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_AttributeConstraint_Predicate = (): Any => ({ $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate", predicate: { case: undefined } });

const predicateOfmesos_v1_scheduler_AttributeConstraint_Predicate: Record<string, (value: Any) => Any> = { exists: makemesos_v1_scheduler_AttributeConstraint_Predicate_Exists, notExists: makemesos_v1_scheduler_AttributeConstraint_Predicate_NotExists, textEquals: makemesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals, textNotEquals: makemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals, textMatches: makemesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches, textNotMatches: makemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches };

function makemesos_v1_scheduler_AttributeConstraint_Predicate(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate", predicate: i.predicate?.case === undefined ? { case: undefined } : { case: i.predicate.case, value: predicateOfmesos_v1_scheduler_AttributeConstraint_Predicate[i.predicate.case]!(i.predicate.value) } };
  return m;
}

function readmesos_v1_scheduler_AttributeConstraint_Predicate(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.predicate = { case: "exists", value: readmesos_v1_scheduler_AttributeConstraint_Predicate_Exists((m.predicate.case === "exists" ? m.predicate.value : undefined) ?? zeromesos_v1_scheduler_AttributeConstraint_Predicate_Exists(), r, r.uint32() + r.pos) };
        break;
      case 18:
        m.predicate = { case: "notExists", value: readmesos_v1_scheduler_AttributeConstraint_Predicate_NotExists((m.predicate.case === "notExists" ? m.predicate.value : undefined) ?? zeromesos_v1_scheduler_AttributeConstraint_Predicate_NotExists(), r, r.uint32() + r.pos) };
        break;
      case 26:
        m.predicate = { case: "textEquals", value: readmesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals((m.predicate.case === "textEquals" ? m.predicate.value : undefined) ?? zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals(), r, r.uint32() + r.pos) };
        break;
      case 34:
        m.predicate = { case: "textNotEquals", value: readmesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals((m.predicate.case === "textNotEquals" ? m.predicate.value : undefined) ?? zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals(), r, r.uint32() + r.pos) };
        break;
      case 42:
        m.predicate = { case: "textMatches", value: readmesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches((m.predicate.case === "textMatches" ? m.predicate.value : undefined) ?? zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches(), r, r.uint32() + r.pos) };
        break;
      case 50:
        m.predicate = { case: "textNotMatches", value: readmesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches((m.predicate.case === "textNotMatches" ? m.predicate.value : undefined) ?? zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches(), r, r.uint32() + r.pos) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_AttributeConstraint_Predicate(w: BinaryWriter, m: Any): void {
  switch (m.predicate.case) {
    case "exists":
      { w.uint32(10).fork(); writemesos_v1_scheduler_AttributeConstraint_Predicate_Exists(w, m.predicate.value); w.join(); }
      break;
    case "notExists":
      { w.uint32(18).fork(); writemesos_v1_scheduler_AttributeConstraint_Predicate_NotExists(w, m.predicate.value); w.join(); }
      break;
    case "textEquals":
      { w.uint32(26).fork(); writemesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals(w, m.predicate.value); w.join(); }
      break;
    case "textNotEquals":
      { w.uint32(34).fork(); writemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals(w, m.predicate.value); w.join(); }
      break;
    case "textMatches":
      { w.uint32(42).fork(); writemesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches(w, m.predicate.value); w.join(); }
      break;
    case "textNotMatches":
      { w.uint32(50).fork(); writemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches(w, m.predicate.value); w.join(); }
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_AttributeConstraint_Predicate_Exists = (): Any => ({ $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.Exists" });

function makemesos_v1_scheduler_AttributeConstraint_Predicate_Exists(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.Exists" };
  return m;
}

function readmesos_v1_scheduler_AttributeConstraint_Predicate_Exists(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_AttributeConstraint_Predicate_Exists(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_AttributeConstraint_Predicate_NotExists = (): Any => ({ $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.NotExists" });

function makemesos_v1_scheduler_AttributeConstraint_Predicate_NotExists(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.NotExists" };
  return m;
}

function readmesos_v1_scheduler_AttributeConstraint_Predicate_NotExists(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_AttributeConstraint_Predicate_NotExists(w: BinaryWriter, m: Any): void {
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals = (): Any => ({ $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.TextEquals" });

function makemesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.TextEquals" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches = (): Any => ({ $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.TextMatches" });

function makemesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.TextMatches" };
  if (i.regex !== undefined) m.regex = i.regex;
  return m;
}

function readmesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.regex = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches(w: BinaryWriter, m: Any): void {
  if (m.regex !== undefined) w.uint32(10).string(m.regex);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals = (): Any => ({ $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.TextNotEquals" });

function makemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.TextNotEquals" };
  if (i.value !== undefined) m.value = i.value;
  return m;
}

function readmesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.value = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals(w: BinaryWriter, m: Any): void {
  if (m.value !== undefined) w.uint32(10).string(m.value);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches = (): Any => ({ $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.TextNotMatches" });

function makemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.AttributeConstraint.Predicate.TextNotMatches" };
  if (i.regex !== undefined) m.regex = i.regex;
  return m;
}

function readmesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.regex = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches(w: BinaryWriter, m: Any): void {
  if (m.regex !== undefined) w.uint32(10).string(m.regex);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_AttributeConstraint_Selector = (): Any => ({ $typeName: "mesos.v1.scheduler.AttributeConstraint.Selector", selector: { case: undefined } });

const selectorOfmesos_v1_scheduler_AttributeConstraint_Selector: Record<string, (value: Any) => Any> = { pseudoattributeType: (value) => value, attributeName: (value) => value };

function makemesos_v1_scheduler_AttributeConstraint_Selector(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.AttributeConstraint.Selector", selector: i.selector?.case === undefined ? { case: undefined } : { case: i.selector.case, value: selectorOfmesos_v1_scheduler_AttributeConstraint_Selector[i.selector.case]!(i.selector.value) } };
  return m;
}

function readmesos_v1_scheduler_AttributeConstraint_Selector(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.selector = { case: "pseudoattributeType", value: r.int32() };
        break;
      case 18:
        m.selector = { case: "attributeName", value: r.string(true) };
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_AttributeConstraint_Selector(w: BinaryWriter, m: Any): void {
  switch (m.selector.case) {
    case "pseudoattributeType":
      w.uint32(8).int32(m.selector.value);
      break;
    case "attributeName":
      w.uint32(18).string(m.selector.value);
      break;
  }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call = (): Any => ({ $typeName: "mesos.v1.scheduler.Call" });

function makemesos_v1_scheduler_Call(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call" };
  if (i.frameworkId !== undefined) m.frameworkId = makemesos_v1_FrameworkID(i.frameworkId);
  if (i.type !== undefined) m.type = i.type;
  if (i.subscribe !== undefined) m.subscribe = makemesos_v1_scheduler_Call_Subscribe(i.subscribe);
  if (i.accept !== undefined) m.accept = makemesos_v1_scheduler_Call_Accept(i.accept);
  if (i.decline !== undefined) m.decline = makemesos_v1_scheduler_Call_Decline(i.decline);
  if (i.kill !== undefined) m.kill = makemesos_v1_scheduler_Call_Kill(i.kill);
  if (i.shutdown !== undefined) m.shutdown = makemesos_v1_scheduler_Call_Shutdown(i.shutdown);
  if (i.acknowledge !== undefined) m.acknowledge = makemesos_v1_scheduler_Call_Acknowledge(i.acknowledge);
  if (i.reconcile !== undefined) m.reconcile = makemesos_v1_scheduler_Call_Reconcile(i.reconcile);
  if (i.message !== undefined) m.message = makemesos_v1_scheduler_Call_Message(i.message);
  if (i.request !== undefined) m.request = makemesos_v1_scheduler_Call_Request(i.request);
  if (i.revive !== undefined) m.revive = makemesos_v1_scheduler_Call_Revive(i.revive);
  if (i.suppress !== undefined) m.suppress = makemesos_v1_scheduler_Call_Suppress(i.suppress);
  if (i.updateFramework !== undefined) m.updateFramework = makemesos_v1_scheduler_Call_UpdateFramework(i.updateFramework);
  return m;
}

function readmesos_v1_scheduler_Call(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.frameworkId = readmesos_v1_FrameworkID(m.frameworkId ?? zeromesos_v1_FrameworkID(), r, r.uint32() + r.pos);
        break;
      case 16:
        m.type = r.int32();
        break;
      case 26:
        m.subscribe = readmesos_v1_scheduler_Call_Subscribe(m.subscribe ?? zeromesos_v1_scheduler_Call_Subscribe(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.accept = readmesos_v1_scheduler_Call_Accept(m.accept ?? zeromesos_v1_scheduler_Call_Accept(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.decline = readmesos_v1_scheduler_Call_Decline(m.decline ?? zeromesos_v1_scheduler_Call_Decline(), r, r.uint32() + r.pos);
        break;
      case 50:
        m.kill = readmesos_v1_scheduler_Call_Kill(m.kill ?? zeromesos_v1_scheduler_Call_Kill(), r, r.uint32() + r.pos);
        break;
      case 58:
        m.shutdown = readmesos_v1_scheduler_Call_Shutdown(m.shutdown ?? zeromesos_v1_scheduler_Call_Shutdown(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.acknowledge = readmesos_v1_scheduler_Call_Acknowledge(m.acknowledge ?? zeromesos_v1_scheduler_Call_Acknowledge(), r, r.uint32() + r.pos);
        break;
      case 74:
        m.reconcile = readmesos_v1_scheduler_Call_Reconcile(m.reconcile ?? zeromesos_v1_scheduler_Call_Reconcile(), r, r.uint32() + r.pos);
        break;
      case 82:
        m.message = readmesos_v1_scheduler_Call_Message(m.message ?? zeromesos_v1_scheduler_Call_Message(), r, r.uint32() + r.pos);
        break;
      case 90:
        m.request = readmesos_v1_scheduler_Call_Request(m.request ?? zeromesos_v1_scheduler_Call_Request(), r, r.uint32() + r.pos);
        break;
      case 122:
        m.revive = readmesos_v1_scheduler_Call_Revive(m.revive ?? zeromesos_v1_scheduler_Call_Revive(), r, r.uint32() + r.pos);
        break;
      case 130:
        m.suppress = readmesos_v1_scheduler_Call_Suppress(m.suppress ?? zeromesos_v1_scheduler_Call_Suppress(), r, r.uint32() + r.pos);
        break;
      case 154:
        m.updateFramework = readmesos_v1_scheduler_Call_UpdateFramework(m.updateFramework ?? zeromesos_v1_scheduler_Call_UpdateFramework(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call(w: BinaryWriter, m: Any): void {
  if (m.frameworkId !== undefined) { w.uint32(10).fork(); writemesos_v1_FrameworkID(w, m.frameworkId); w.join(); }
  if (m.type !== undefined) w.uint32(16).int32(m.type);
  if (m.subscribe !== undefined) { w.uint32(26).fork(); writemesos_v1_scheduler_Call_Subscribe(w, m.subscribe); w.join(); }
  if (m.accept !== undefined) { w.uint32(34).fork(); writemesos_v1_scheduler_Call_Accept(w, m.accept); w.join(); }
  if (m.decline !== undefined) { w.uint32(42).fork(); writemesos_v1_scheduler_Call_Decline(w, m.decline); w.join(); }
  if (m.kill !== undefined) { w.uint32(50).fork(); writemesos_v1_scheduler_Call_Kill(w, m.kill); w.join(); }
  if (m.shutdown !== undefined) { w.uint32(58).fork(); writemesos_v1_scheduler_Call_Shutdown(w, m.shutdown); w.join(); }
  if (m.acknowledge !== undefined) { w.uint32(66).fork(); writemesos_v1_scheduler_Call_Acknowledge(w, m.acknowledge); w.join(); }
  if (m.reconcile !== undefined) { w.uint32(74).fork(); writemesos_v1_scheduler_Call_Reconcile(w, m.reconcile); w.join(); }
  if (m.message !== undefined) { w.uint32(82).fork(); writemesos_v1_scheduler_Call_Message(w, m.message); w.join(); }
  if (m.request !== undefined) { w.uint32(90).fork(); writemesos_v1_scheduler_Call_Request(w, m.request); w.join(); }
  if (m.revive !== undefined) { w.uint32(122).fork(); writemesos_v1_scheduler_Call_Revive(w, m.revive); w.join(); }
  if (m.suppress !== undefined) { w.uint32(130).fork(); writemesos_v1_scheduler_Call_Suppress(w, m.suppress); w.join(); }
  if (m.updateFramework !== undefined) { w.uint32(154).fork(); writemesos_v1_scheduler_Call_UpdateFramework(w, m.updateFramework); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Accept = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Accept", offerIds: [], operations: [] });

function makemesos_v1_scheduler_Call_Accept(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Accept", offerIds: i.offerIds?.map(makemesos_v1_OfferID) ?? [], operations: i.operations?.map(makemesos_v1_Offer_Operation) ?? [] };
  if (i.filters !== undefined) m.filters = makemesos_v1_Filters(i.filters);
  return m;
}

function readmesos_v1_scheduler_Call_Accept(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.offerIds.push(readmesos_v1_OfferID(zeromesos_v1_OfferID(), r, r.uint32() + r.pos));
        break;
      case 18:
        m.operations.push(readmesos_v1_Offer_Operation(zeromesos_v1_Offer_Operation(), r, r.uint32() + r.pos));
        break;
      case 26:
        m.filters = readmesos_v1_Filters(m.filters ?? zeromesos_v1_Filters(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Accept(w: BinaryWriter, m: Any): void {
  for (const each of m.offerIds) { w.uint32(10).fork(); writemesos_v1_OfferID(w, each); w.join(); }
  for (const each of m.operations) { w.uint32(18).fork(); writemesos_v1_Offer_Operation(w, each); w.join(); }
  if (m.filters !== undefined) { w.uint32(26).fork(); writemesos_v1_Filters(w, m.filters); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Acknowledge = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Acknowledge" });

function makemesos_v1_scheduler_Call_Acknowledge(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Acknowledge" };
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  if (i.taskId !== undefined) m.taskId = makemesos_v1_TaskID(i.taskId);
  if (i.uuid !== undefined) m.uuid = i.uuid;
  return m;
}

function readmesos_v1_scheduler_Call_Acknowledge(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.taskId = readmesos_v1_TaskID(m.taskId ?? zeromesos_v1_TaskID(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.uuid = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Acknowledge(w: BinaryWriter, m: Any): void {
  if (m.agentId !== undefined) { w.uint32(10).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.taskId !== undefined) { w.uint32(18).fork(); writemesos_v1_TaskID(w, m.taskId); w.join(); }
  if (m.uuid !== undefined) w.uint32(26).bytes(m.uuid);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Decline = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Decline", offerIds: [] });

function makemesos_v1_scheduler_Call_Decline(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Decline", offerIds: i.offerIds?.map(makemesos_v1_OfferID) ?? [] };
  if (i.filters !== undefined) m.filters = makemesos_v1_Filters(i.filters);
  return m;
}

function readmesos_v1_scheduler_Call_Decline(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.offerIds.push(readmesos_v1_OfferID(zeromesos_v1_OfferID(), r, r.uint32() + r.pos));
        break;
      case 18:
        m.filters = readmesos_v1_Filters(m.filters ?? zeromesos_v1_Filters(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Decline(w: BinaryWriter, m: Any): void {
  for (const each of m.offerIds) { w.uint32(10).fork(); writemesos_v1_OfferID(w, each); w.join(); }
  if (m.filters !== undefined) { w.uint32(18).fork(); writemesos_v1_Filters(w, m.filters); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Kill = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Kill" });

function makemesos_v1_scheduler_Call_Kill(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Kill" };
  if (i.taskId !== undefined) m.taskId = makemesos_v1_TaskID(i.taskId);
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  if (i.killPolicy !== undefined) m.killPolicy = makemesos_v1_KillPolicy(i.killPolicy);
  return m;
}

function readmesos_v1_scheduler_Call_Kill(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskId = readmesos_v1_TaskID(m.taskId ?? zeromesos_v1_TaskID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.killPolicy = readmesos_v1_KillPolicy(m.killPolicy ?? zeromesos_v1_KillPolicy(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Kill(w: BinaryWriter, m: Any): void {
  if (m.taskId !== undefined) { w.uint32(10).fork(); writemesos_v1_TaskID(w, m.taskId); w.join(); }
  if (m.agentId !== undefined) { w.uint32(18).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.killPolicy !== undefined) { w.uint32(26).fork(); writemesos_v1_KillPolicy(w, m.killPolicy); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Message = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Message" });

function makemesos_v1_scheduler_Call_Message(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Message" };
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  if (i.executorId !== undefined) m.executorId = makemesos_v1_ExecutorID(i.executorId);
  if (i.data !== undefined) m.data = i.data;
  return m;
}

function readmesos_v1_scheduler_Call_Message(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.executorId = readmesos_v1_ExecutorID(m.executorId ?? zeromesos_v1_ExecutorID(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Message(w: BinaryWriter, m: Any): void {
  if (m.agentId !== undefined) { w.uint32(10).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.executorId !== undefined) { w.uint32(18).fork(); writemesos_v1_ExecutorID(w, m.executorId); w.join(); }
  if (m.data !== undefined) w.uint32(26).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Reconcile = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Reconcile", tasks: [] });

function makemesos_v1_scheduler_Call_Reconcile(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Reconcile", tasks: i.tasks?.map(makemesos_v1_scheduler_Call_Reconcile_Task) ?? [] };
  return m;
}

function readmesos_v1_scheduler_Call_Reconcile(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.tasks.push(readmesos_v1_scheduler_Call_Reconcile_Task(zeromesos_v1_scheduler_Call_Reconcile_Task(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Reconcile(w: BinaryWriter, m: Any): void {
  for (const each of m.tasks) { w.uint32(10).fork(); writemesos_v1_scheduler_Call_Reconcile_Task(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Reconcile_Task = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Reconcile.Task" });

function makemesos_v1_scheduler_Call_Reconcile_Task(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Reconcile.Task" };
  if (i.taskId !== undefined) m.taskId = makemesos_v1_TaskID(i.taskId);
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  return m;
}

function readmesos_v1_scheduler_Call_Reconcile_Task(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.taskId = readmesos_v1_TaskID(m.taskId ?? zeromesos_v1_TaskID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Reconcile_Task(w: BinaryWriter, m: Any): void {
  if (m.taskId !== undefined) { w.uint32(10).fork(); writemesos_v1_TaskID(w, m.taskId); w.join(); }
  if (m.agentId !== undefined) { w.uint32(18).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Request = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Request", requests: [] });

function makemesos_v1_scheduler_Call_Request(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Request", requests: i.requests?.map(makemesos_v1_Request) ?? [] };
  return m;
}

function readmesos_v1_scheduler_Call_Request(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.requests.push(readmesos_v1_Request(zeromesos_v1_Request(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Request(w: BinaryWriter, m: Any): void {
  for (const each of m.requests) { w.uint32(10).fork(); writemesos_v1_Request(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Revive = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Revive", roles: [] });

function makemesos_v1_scheduler_Call_Revive(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Revive", roles: i.roles ?? [] };
  return m;
}

function readmesos_v1_scheduler_Call_Revive(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.roles.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Revive(w: BinaryWriter, m: Any): void {
  for (const each of m.roles) w.uint32(10).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Shutdown = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Shutdown" });

function makemesos_v1_scheduler_Call_Shutdown(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Shutdown" };
  if (i.executorId !== undefined) m.executorId = makemesos_v1_ExecutorID(i.executorId);
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  return m;
}

function readmesos_v1_scheduler_Call_Shutdown(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.executorId = readmesos_v1_ExecutorID(m.executorId ?? zeromesos_v1_ExecutorID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Shutdown(w: BinaryWriter, m: Any): void {
  if (m.executorId !== undefined) { w.uint32(10).fork(); writemesos_v1_ExecutorID(w, m.executorId); w.join(); }
  if (m.agentId !== undefined) { w.uint32(18).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Subscribe = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Subscribe", suppressedRoles: [] });

function makemesos_v1_scheduler_Call_Subscribe(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Subscribe", suppressedRoles: i.suppressedRoles ?? [] };
  if (i.frameworkInfo !== undefined) m.frameworkInfo = makemesos_v1_FrameworkInfo(i.frameworkInfo);
  if (i.offerConstraints !== undefined) m.offerConstraints = makemesos_v1_scheduler_OfferConstraints(i.offerConstraints);
  return m;
}

function readmesos_v1_scheduler_Call_Subscribe(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.frameworkInfo = readmesos_v1_FrameworkInfo(m.frameworkInfo ?? zeromesos_v1_FrameworkInfo(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.suppressedRoles.push(r.string(true));
        break;
      case 26:
        m.offerConstraints = readmesos_v1_scheduler_OfferConstraints(m.offerConstraints ?? zeromesos_v1_scheduler_OfferConstraints(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Subscribe(w: BinaryWriter, m: Any): void {
  if (m.frameworkInfo !== undefined) { w.uint32(10).fork(); writemesos_v1_FrameworkInfo(w, m.frameworkInfo); w.join(); }
  for (const each of m.suppressedRoles) w.uint32(18).string(each);
  if (m.offerConstraints !== undefined) { w.uint32(26).fork(); writemesos_v1_scheduler_OfferConstraints(w, m.offerConstraints); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_Suppress = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.Suppress", roles: [] });

function makemesos_v1_scheduler_Call_Suppress(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.Suppress", roles: i.roles ?? [] };
  return m;
}

function readmesos_v1_scheduler_Call_Suppress(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.roles.push(r.string(true));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_Suppress(w: BinaryWriter, m: Any): void {
  for (const each of m.roles) w.uint32(10).string(each);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Call_UpdateFramework = (): Any => ({ $typeName: "mesos.v1.scheduler.Call.UpdateFramework", suppressedRoles: [] });

function makemesos_v1_scheduler_Call_UpdateFramework(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Call.UpdateFramework", suppressedRoles: i.suppressedRoles ?? [] };
  if (i.frameworkInfo !== undefined) m.frameworkInfo = makemesos_v1_FrameworkInfo(i.frameworkInfo);
  if (i.offerConstraints !== undefined) m.offerConstraints = makemesos_v1_scheduler_OfferConstraints(i.offerConstraints);
  return m;
}

function readmesos_v1_scheduler_Call_UpdateFramework(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.frameworkInfo = readmesos_v1_FrameworkInfo(m.frameworkInfo ?? zeromesos_v1_FrameworkInfo(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.suppressedRoles.push(r.string(true));
        break;
      case 26:
        m.offerConstraints = readmesos_v1_scheduler_OfferConstraints(m.offerConstraints ?? zeromesos_v1_scheduler_OfferConstraints(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Call_UpdateFramework(w: BinaryWriter, m: Any): void {
  if (m.frameworkInfo !== undefined) { w.uint32(10).fork(); writemesos_v1_FrameworkInfo(w, m.frameworkInfo); w.join(); }
  for (const each of m.suppressedRoles) w.uint32(18).string(each);
  if (m.offerConstraints !== undefined) { w.uint32(26).fork(); writemesos_v1_scheduler_OfferConstraints(w, m.offerConstraints); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Event = (): Any => ({ $typeName: "mesos.v1.scheduler.Event" });

function makemesos_v1_scheduler_Event(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Event" };
  if (i.type !== undefined) m.type = i.type;
  if (i.subscribed !== undefined) m.subscribed = makemesos_v1_scheduler_Event_Subscribed(i.subscribed);
  if (i.offers !== undefined) m.offers = makemesos_v1_scheduler_Event_Offers(i.offers);
  if (i.rescind !== undefined) m.rescind = makemesos_v1_scheduler_Event_Rescind(i.rescind);
  if (i.update !== undefined) m.update = makemesos_v1_scheduler_Event_Update(i.update);
  if (i.message !== undefined) m.message = makemesos_v1_scheduler_Event_Message(i.message);
  if (i.failure !== undefined) m.failure = makemesos_v1_scheduler_Event_Failure(i.failure);
  if (i.error !== undefined) m.error = makemesos_v1_scheduler_Event_Error(i.error);
  return m;
}

function readmesos_v1_scheduler_Event(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 8:
        m.type = r.int32();
        break;
      case 18:
        m.subscribed = readmesos_v1_scheduler_Event_Subscribed(m.subscribed ?? zeromesos_v1_scheduler_Event_Subscribed(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.offers = readmesos_v1_scheduler_Event_Offers(m.offers ?? zeromesos_v1_scheduler_Event_Offers(), r, r.uint32() + r.pos);
        break;
      case 34:
        m.rescind = readmesos_v1_scheduler_Event_Rescind(m.rescind ?? zeromesos_v1_scheduler_Event_Rescind(), r, r.uint32() + r.pos);
        break;
      case 42:
        m.update = readmesos_v1_scheduler_Event_Update(m.update ?? zeromesos_v1_scheduler_Event_Update(), r, r.uint32() + r.pos);
        break;
      case 50:
        m.message = readmesos_v1_scheduler_Event_Message(m.message ?? zeromesos_v1_scheduler_Event_Message(), r, r.uint32() + r.pos);
        break;
      case 58:
        m.failure = readmesos_v1_scheduler_Event_Failure(m.failure ?? zeromesos_v1_scheduler_Event_Failure(), r, r.uint32() + r.pos);
        break;
      case 66:
        m.error = readmesos_v1_scheduler_Event_Error(m.error ?? zeromesos_v1_scheduler_Event_Error(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Event(w: BinaryWriter, m: Any): void {
  if (m.type !== undefined) w.uint32(8).int32(m.type);
  if (m.subscribed !== undefined) { w.uint32(18).fork(); writemesos_v1_scheduler_Event_Subscribed(w, m.subscribed); w.join(); }
  if (m.offers !== undefined) { w.uint32(26).fork(); writemesos_v1_scheduler_Event_Offers(w, m.offers); w.join(); }
  if (m.rescind !== undefined) { w.uint32(34).fork(); writemesos_v1_scheduler_Event_Rescind(w, m.rescind); w.join(); }
  if (m.update !== undefined) { w.uint32(42).fork(); writemesos_v1_scheduler_Event_Update(w, m.update); w.join(); }
  if (m.message !== undefined) { w.uint32(50).fork(); writemesos_v1_scheduler_Event_Message(w, m.message); w.join(); }
  if (m.failure !== undefined) { w.uint32(58).fork(); writemesos_v1_scheduler_Event_Failure(w, m.failure); w.join(); }
  if (m.error !== undefined) { w.uint32(66).fork(); writemesos_v1_scheduler_Event_Error(w, m.error); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Event_Error = (): Any => ({ $typeName: "mesos.v1.scheduler.Event.Error" });

function makemesos_v1_scheduler_Event_Error(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Event.Error" };
  if (i.message !== undefined) m.message = i.message;
  return m;
}

function readmesos_v1_scheduler_Event_Error(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.message = r.string(true);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Event_Error(w: BinaryWriter, m: Any): void {
  if (m.message !== undefined) w.uint32(10).string(m.message);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Event_Failure = (): Any => ({ $typeName: "mesos.v1.scheduler.Event.Failure" });

function makemesos_v1_scheduler_Event_Failure(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Event.Failure" };
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  if (i.executorId !== undefined) m.executorId = makemesos_v1_ExecutorID(i.executorId);
  if (i.status !== undefined) m.status = i.status;
  return m;
}

function readmesos_v1_scheduler_Event_Failure(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.executorId = readmesos_v1_ExecutorID(m.executorId ?? zeromesos_v1_ExecutorID(), r, r.uint32() + r.pos);
        break;
      case 24:
        m.status = r.int32();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Event_Failure(w: BinaryWriter, m: Any): void {
  if (m.agentId !== undefined) { w.uint32(10).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.executorId !== undefined) { w.uint32(18).fork(); writemesos_v1_ExecutorID(w, m.executorId); w.join(); }
  if (m.status !== undefined) w.uint32(24).int32(m.status);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Event_Message = (): Any => ({ $typeName: "mesos.v1.scheduler.Event.Message" });

function makemesos_v1_scheduler_Event_Message(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Event.Message" };
  if (i.agentId !== undefined) m.agentId = makemesos_v1_AgentID(i.agentId);
  if (i.executorId !== undefined) m.executorId = makemesos_v1_ExecutorID(i.executorId);
  if (i.data !== undefined) m.data = i.data;
  return m;
}

function readmesos_v1_scheduler_Event_Message(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.agentId = readmesos_v1_AgentID(m.agentId ?? zeromesos_v1_AgentID(), r, r.uint32() + r.pos);
        break;
      case 18:
        m.executorId = readmesos_v1_ExecutorID(m.executorId ?? zeromesos_v1_ExecutorID(), r, r.uint32() + r.pos);
        break;
      case 26:
        m.data = r.bytes();
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Event_Message(w: BinaryWriter, m: Any): void {
  if (m.agentId !== undefined) { w.uint32(10).fork(); writemesos_v1_AgentID(w, m.agentId); w.join(); }
  if (m.executorId !== undefined) { w.uint32(18).fork(); writemesos_v1_ExecutorID(w, m.executorId); w.join(); }
  if (m.data !== undefined) w.uint32(26).bytes(m.data);
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Event_Offers = (): Any => ({ $typeName: "mesos.v1.scheduler.Event.Offers", offers: [] });

function makemesos_v1_scheduler_Event_Offers(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Event.Offers", offers: i.offers?.map(makemesos_v1_Offer) ?? [] };
  return m;
}

function readmesos_v1_scheduler_Event_Offers(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.offers.push(readmesos_v1_Offer(zeromesos_v1_Offer(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Event_Offers(w: BinaryWriter, m: Any): void {
  for (const each of m.offers) { w.uint32(10).fork(); writemesos_v1_Offer(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Event_Rescind = (): Any => ({ $typeName: "mesos.v1.scheduler.Event.Rescind" });

function makemesos_v1_scheduler_Event_Rescind(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Event.Rescind" };
  if (i.offerId !== undefined) m.offerId = makemesos_v1_OfferID(i.offerId);
  return m;
}

function readmesos_v1_scheduler_Event_Rescind(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.offerId = readmesos_v1_OfferID(m.offerId ?? zeromesos_v1_OfferID(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Event_Rescind(w: BinaryWriter, m: Any): void {
  if (m.offerId !== undefined) { w.uint32(10).fork(); writemesos_v1_OfferID(w, m.offerId); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Event_Subscribed = (): Any => ({ $typeName: "mesos.v1.scheduler.Event.Subscribed" });

function makemesos_v1_scheduler_Event_Subscribed(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Event.Subscribed" };
  if (i.frameworkId !== undefined) m.frameworkId = makemesos_v1_FrameworkID(i.frameworkId);
  if (i.heartbeatIntervalSeconds !== undefined) m.heartbeatIntervalSeconds = i.heartbeatIntervalSeconds;
  if (i.masterInfo !== undefined) m.masterInfo = makemesos_v1_MasterInfo(i.masterInfo);
  return m;
}

function readmesos_v1_scheduler_Event_Subscribed(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.frameworkId = readmesos_v1_FrameworkID(m.frameworkId ?? zeromesos_v1_FrameworkID(), r, r.uint32() + r.pos);
        break;
      case 17:
        m.heartbeatIntervalSeconds = r.double();
        break;
      case 26:
        m.masterInfo = readmesos_v1_MasterInfo(m.masterInfo ?? zeromesos_v1_MasterInfo(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Event_Subscribed(w: BinaryWriter, m: Any): void {
  if (m.frameworkId !== undefined) { w.uint32(10).fork(); writemesos_v1_FrameworkID(w, m.frameworkId); w.join(); }
  if (m.heartbeatIntervalSeconds !== undefined) w.uint32(17).double(m.heartbeatIntervalSeconds);
  if (m.masterInfo !== undefined) { w.uint32(26).fork(); writemesos_v1_MasterInfo(w, m.masterInfo); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_Event_Update = (): Any => ({ $typeName: "mesos.v1.scheduler.Event.Update" });

function makemesos_v1_scheduler_Event_Update(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.Event.Update" };
  if (i.status !== undefined) m.status = makemesos_v1_TaskStatus(i.status);
  return m;
}

function readmesos_v1_scheduler_Event_Update(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.status = readmesos_v1_TaskStatus(m.status ?? zeromesos_v1_TaskStatus(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_Event_Update(w: BinaryWriter, m: Any): void {
  if (m.status !== undefined) { w.uint32(10).fork(); writemesos_v1_TaskStatus(w, m.status); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_OfferConstraints = (): Any => ({ $typeName: "mesos.v1.scheduler.OfferConstraints", roleConstraints: [] });

function makemesos_v1_scheduler_OfferConstraints(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.OfferConstraints", roleConstraints: i.roleConstraints?.map(makemesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry) ?? [] };
  return m;
}

function readmesos_v1_scheduler_OfferConstraints(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.roleConstraints.push(readmesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry(zeromesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_OfferConstraints(w: BinaryWriter, m: Any): void {
  for (const each of m.roleConstraints) { w.uint32(10).fork(); writemesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_OfferConstraints_RoleConstraints = (): Any => ({ $typeName: "mesos.v1.scheduler.OfferConstraints.RoleConstraints", groups: [] });

function makemesos_v1_scheduler_OfferConstraints_RoleConstraints(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.OfferConstraints.RoleConstraints", groups: i.groups?.map(makemesos_v1_scheduler_OfferConstraints_RoleConstraints_Group) ?? [] };
  return m;
}

function readmesos_v1_scheduler_OfferConstraints_RoleConstraints(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.groups.push(readmesos_v1_scheduler_OfferConstraints_RoleConstraints_Group(zeromesos_v1_scheduler_OfferConstraints_RoleConstraints_Group(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_OfferConstraints_RoleConstraints(w: BinaryWriter, m: Any): void {
  for (const each of m.groups) { w.uint32(10).fork(); writemesos_v1_scheduler_OfferConstraints_RoleConstraints_Group(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_OfferConstraints_RoleConstraints_Group = (): Any => ({ $typeName: "mesos.v1.scheduler.OfferConstraints.RoleConstraints.Group", attributeConstraints: [] });

function makemesos_v1_scheduler_OfferConstraints_RoleConstraints_Group(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.OfferConstraints.RoleConstraints.Group", attributeConstraints: i.attributeConstraints?.map(makemesos_v1_scheduler_AttributeConstraint) ?? [] };
  return m;
}

function readmesos_v1_scheduler_OfferConstraints_RoleConstraints_Group(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.attributeConstraints.push(readmesos_v1_scheduler_AttributeConstraint(zeromesos_v1_scheduler_AttributeConstraint(), r, r.uint32() + r.pos));
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_OfferConstraints_RoleConstraints_Group(w: BinaryWriter, m: Any): void {
  for (const each of m.attributeConstraints) { w.uint32(10).fork(); writemesos_v1_scheduler_AttributeConstraint(w, each); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

const zeromesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry = (): Any => ({ $typeName: "mesos.v1.scheduler.OfferConstraints.RoleConstraintsEntry" });

function makemesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry(i: Any): Any {
  if (i.$typeName !== undefined) return i;
  const m: Any = { $typeName: "mesos.v1.scheduler.OfferConstraints.RoleConstraintsEntry" };
  if (i.key !== undefined) m.key = i.key;
  if (i.value !== undefined) m.value = makemesos_v1_scheduler_OfferConstraints_RoleConstraints(i.value);
  return m;
}

function readmesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry(m: Any, r: BinaryReader, to: number): Any {
  while (r.pos < to) {
    const tag = r.uint32();
    switch (tag) {
      case 10:
        m.key = r.string(true);
        break;
      case 18:
        m.value = readmesos_v1_scheduler_OfferConstraints_RoleConstraints(m.value ?? zeromesos_v1_scheduler_OfferConstraints_RoleConstraints(), r, r.uint32() + r.pos);
        break;
      default:
        unknown(m, r, tag);
    }
  }
  end(r, to);
  return m;
}

function writemesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry(w: BinaryWriter, m: Any): void {
  if (m.key !== undefined) w.uint32(10).string(m.key);
  if (m.value !== undefined) { w.uint32(18).fork(); writemesos_v1_scheduler_OfferConstraints_RoleConstraints(w, m.value); w.join(); }
  if (m.$unknown !== undefined) rest(w, m.$unknown);
}

export const CODECS: Readonly<Record<string, MessageCodec>> = {
  "borg.v1.AcknowledgeUpdatesRequest": { make: makeAcknowledgeUpdatesRequest, zero: zeroAcknowledgeUpdatesRequest, read: readAcknowledgeUpdatesRequest, write: writeAcknowledgeUpdatesRequest },
  "borg.v1.Acknowledgement": { make: makeAcknowledgement, zero: zeroAcknowledgement, read: readAcknowledgement, write: writeAcknowledgement },
  "borg.v1.AddPackageRequest": { make: makeAddPackageRequest, zero: zeroAddPackageRequest, read: readAddPackageRequest, write: writeAddPackageRequest },
  "borg.v1.AdjustOrder": { make: makeAdjustOrder, zero: zeroAdjustOrder, read: readAdjustOrder, write: writeAdjustOrder },
  "borg.v1.AllocSetSpec": { make: makeAllocSetSpec, zero: zeroAllocSetSpec, read: readAllocSetSpec, write: writeAllocSetSpec },
  "borg.v1.AllocSetSubmit": { make: makeAllocSetSubmit, zero: zeroAllocSetSubmit, read: readAllocSetSubmit, write: writeAllocSetSubmit },
  "borg.v1.Amounts": { make: makeAmounts, zero: zeroAmounts, read: readAmounts, write: writeAmounts },
  "borg.v1.Approval": { make: makeApproval, zero: zeroApproval, read: readApproval, write: writeApproval },
  "borg.v1.ApproveMachineRequest": { make: makeApproveMachineRequest, zero: zeroApproveMachineRequest, read: readApproveMachineRequest, write: writeApproveMachineRequest },
  "borg.v1.Attribute": { make: makeAttribute, zero: zeroAttribute, read: readAttribute, write: writeAttribute },
  "borg.v1.Avoid": { make: makeAvoid, zero: zeroAvoid, read: readAvoid, write: writeAvoid },
  "borg.v1.BandQuota": { make: makeBandQuota, zero: zeroBandQuota, read: readBandQuota, write: writeBandQuota },
  "borg.v1.Barrier": { make: makeBarrier, zero: zeroBarrier, read: readBarrier, write: writeBarrier },
  "borg.v1.Beside": { make: makeBeside, zero: zeroBeside, read: readBeside, write: writeBeside },
  "borg.v1.BorgletAnswer": { make: makeBorgletAnswer, zero: zeroBorgletAnswer, read: readBorgletAnswer, write: writeBorgletAnswer },
  "borg.v1.BorgletQuestion": { make: makeBorgletQuestion, zero: zeroBorgletQuestion, read: readBorgletQuestion, write: writeBorgletQuestion },
  "borg.v1.Bound": { make: makeBound, zero: zeroBound, read: readBound, write: writeBound },
  "borg.v1.BoundsSet": { make: makeBoundsSet, zero: zeroBoundsSet, read: readBoundsSet, write: writeBoundsSet },
  "borg.v1.CallProblem": { make: makeCallProblem, zero: zeroCallProblem, read: readCallProblem, write: writeCallProblem },
  "borg.v1.CellClock": { make: makeCellClock, zero: zeroCellClock, read: readCellClock, write: writeCellClock },
  "borg.v1.CellConfig": { make: makeCellConfig, zero: zeroCellConfig, read: readCellConfig, write: writeCellConfig },
  "borg.v1.CellConfigure": { make: makeCellConfigure, zero: zeroCellConfigure, read: readCellConfigure, write: writeCellConfigure },
  "borg.v1.CellInit": { make: makeCellInit, zero: zeroCellInit, read: readCellInit, write: writeCellInit },
  "borg.v1.CellRecord": { make: makeCellRecord, zero: zeroCellRecord, read: readCellRecord, write: writeCellRecord },
  "borg.v1.CellRestored": { make: makeCellRestored, zero: zeroCellRestored, read: readCellRestored, write: writeCellRestored },
  "borg.v1.CellSettings": { make: makeCellSettings, zero: zeroCellSettings, read: readCellSettings, write: writeCellSettings },
  "borg.v1.CellVersion": { make: makeCellVersion, zero: zeroCellVersion, read: readCellVersion, write: writeCellVersion },
  "borg.v1.CellView": { make: makeCellView, zero: zeroCellView, read: readCellView, write: writeCellView },
  "borg.v1.Changed": { make: makeChanged, zero: zeroChanged, read: readChanged, write: writeChanged },
  "borg.v1.CheckJobRequest": { make: makeCheckJobRequest, zero: zeroCheckJobRequest, read: readCheckJobRequest, write: writeCheckJobRequest },
  "borg.v1.CheckJobResponse": { make: makeCheckJobResponse, zero: zeroCheckJobResponse, read: readCheckJobResponse, write: writeCheckJobResponse },
  "borg.v1.CheckUpdateRequest": { make: makeCheckUpdateRequest, zero: zeroCheckUpdateRequest, read: readCheckUpdateRequest, write: writeCheckUpdateRequest },
  "borg.v1.CheckUpdateResponse": { make: makeCheckUpdateResponse, zero: zeroCheckUpdateResponse, read: readCheckUpdateResponse, write: writeCheckUpdateResponse },
  "borg.v1.CheckpointRecord": { make: makeCheckpointRecord, zero: zeroCheckpointRecord, read: readCheckpointRecord, write: writeCheckpointRecord },
  "borg.v1.Claim": { make: makeClaim, zero: zeroClaim, read: readClaim, write: writeClaim },
  "borg.v1.ClaimTasksRequest": { make: makeClaimTasksRequest, zero: zeroClaimTasksRequest, read: readClaimTasksRequest, write: writeClaimTasksRequest },
  "borg.v1.ClaimTasksResponse": { make: makeClaimTasksResponse, zero: zeroClaimTasksResponse, read: readClaimTasksResponse, write: writeClaimTasksResponse },
  "borg.v1.ClaimVerdict": { make: makeClaimVerdict, zero: zeroClaimVerdict, read: readClaimVerdict, write: writeClaimVerdict },
  "borg.v1.CommitUpdateRequest": { make: makeCommitUpdateRequest, zero: zeroCommitUpdateRequest, read: readCommitUpdateRequest, write: writeCommitUpdateRequest },
  "borg.v1.ConfigFile": { make: makeConfigFile, zero: zeroConfigFile, read: readConfigFile, write: writeConfigFile },
  "borg.v1.ConfigureCellRequest": { make: makeConfigureCellRequest, zero: zeroConfigureCellRequest, read: readConfigureCellRequest, write: writeConfigureCellRequest },
  "borg.v1.Constraint": { make: makeConstraint, zero: zeroConstraint, read: readConstraint, write: writeConstraint },
  "borg.v1.Controller": { make: makeController, zero: zeroController, read: readController, write: writeController },
  "borg.v1.CreateTokenRequest": { make: makeCreateTokenRequest, zero: zeroCreateTokenRequest, read: readCreateTokenRequest, write: writeCreateTokenRequest },
  "borg.v1.DenyMachineRequest": { make: makeDenyMachineRequest, zero: zeroDenyMachineRequest, read: readDenyMachineRequest, write: writeDenyMachineRequest },
  "borg.v1.DenyMachineResponse": { make: makeDenyMachineResponse, zero: zeroDenyMachineResponse, read: readDenyMachineResponse, write: writeDenyMachineResponse },
  "borg.v1.DeviceKind": { make: makeDeviceKind, zero: zeroDeviceKind, read: readDeviceKind, write: writeDeviceKind },
  "borg.v1.DirectoryForget": { make: makeDirectoryForget, zero: zeroDirectoryForget, read: readDirectoryForget, write: writeDirectoryForget },
  "borg.v1.DiskTraffic": { make: makeDiskTraffic, zero: zeroDiskTraffic, read: readDiskTraffic, write: writeDiskTraffic },
  "borg.v1.DownView": { make: makeDownView, zero: zeroDownView, read: readDownView, write: writeDownView },
  "borg.v1.DrainMachineRequest": { make: makeDrainMachineRequest, zero: zeroDrainMachineRequest, read: readDrainMachineRequest, write: writeDrainMachineRequest },
  "borg.v1.DropOrder": { make: makeDropOrder, zero: zeroDropOrder, read: readDropOrder, write: writeDropOrder },
  "borg.v1.EndRecord": { make: makeEndRecord, zero: zeroEndRecord, read: readEndRecord, write: writeEndRecord },
  "borg.v1.EndUiRequest": { make: makeEndUiRequest, zero: zeroEndUiRequest, read: readEndUiRequest, write: writeEndUiRequest },
  "borg.v1.EndUiResponse": { make: makeEndUiResponse, zero: zeroEndUiResponse, read: readEndUiResponse, write: writeEndUiResponse },
  "borg.v1.Entry": { make: makeEntry, zero: zeroEntry, read: readEntry, write: writeEntry },
  "borg.v1.EnvironmentVariable": { make: makeEnvironmentVariable, zero: zeroEnvironmentVariable, read: readEnvironmentVariable, write: writeEnvironmentVariable },
  "borg.v1.Event": { make: makeEvent, zero: zeroEvent, read: readEvent, write: writeEvent },
  "borg.v1.EventView": { make: makeEventView, zero: zeroEventView, read: readEventView, write: writeEventView },
  "borg.v1.EvictionCounts": { make: makeEvictionCounts, zero: zeroEvictionCounts, read: readEvictionCounts, write: writeEvictionCounts },
  "borg.v1.EvictionDay": { make: makeEvictionDay, zero: zeroEvictionDay, read: readEvictionDay, write: writeEvictionDay },
  "borg.v1.Executor": { make: makeExecutor, zero: zeroExecutor, read: readExecutor, write: writeExecutor },
  "borg.v1.ExecutorMessage": { make: makeExecutorMessage, zero: zeroExecutorMessage, read: readExecutorMessage, write: writeExecutorMessage },
  "borg.v1.Exit": { make: makeExit, zero: zeroExit, read: readExit, write: writeExit },
  "borg.v1.ExplainChange": { make: makeExplainChange, zero: zeroExplainChange, read: readExplainChange, write: writeExplainChange },
  "borg.v1.ExplainReason": { make: makeExplainReason, zero: zeroExplainReason, read: readExplainReason, write: writeExplainReason },
  "borg.v1.ExplainRequest": { make: makeExplainRequest, zero: zeroExplainRequest, read: readExplainRequest, write: writeExplainRequest },
  "borg.v1.Explanation": { make: makeExplanation, zero: zeroExplanation, read: readExplanation, write: writeExplanation },
  "borg.v1.Extra": { make: makeExtra, zero: zeroExtra, read: readExtra, write: writeExtra },
  "borg.v1.FeedRecord": { make: makeFeedRecord, zero: zeroFeedRecord, read: readFeedRecord, write: writeFeedRecord },
  "borg.v1.FeedRecords": { make: makeFeedRecords, zero: zeroFeedRecords, read: readFeedRecords, write: writeFeedRecords },
  "borg.v1.FileChunk": { make: makeFileChunk, zero: zeroFileChunk, read: readFileChunk, write: writeFileChunk },
  "borg.v1.FileEntry": { make: makeFileEntry, zero: zeroFileEntry, read: readFileEntry, write: writeFileEntry },
  "borg.v1.FileRequest": { make: makeFileRequest, zero: zeroFileRequest, read: readFileRequest, write: writeFileRequest },
  "borg.v1.ForgetDirectoryRequest": { make: makeForgetDirectoryRequest, zero: zeroForgetDirectoryRequest, read: readForgetDirectoryRequest, write: writeForgetDirectoryRequest },
  "borg.v1.ForgetJobRequest": { make: makeForgetJobRequest, zero: zeroForgetJobRequest, read: readForgetJobRequest, write: writeForgetJobRequest },
  "borg.v1.FrameworkAcknowledge": { make: makeFrameworkAcknowledge, zero: zeroFrameworkAcknowledge, read: readFrameworkAcknowledge, write: writeFrameworkAcknowledge },
  "borg.v1.FrameworkDisconnect": { make: makeFrameworkDisconnect, zero: zeroFrameworkDisconnect, read: readFrameworkDisconnect, write: writeFrameworkDisconnect },
  "borg.v1.FrameworkKill": { make: makeFrameworkKill, zero: zeroFrameworkKill, read: readFrameworkKill, write: writeFrameworkKill },
  "borg.v1.FrameworkLaunch": { make: makeFrameworkLaunch, zero: zeroFrameworkLaunch, read: readFrameworkLaunch, write: writeFrameworkLaunch },
  "borg.v1.FrameworkRevoke": { make: makeFrameworkRevoke, zero: zeroFrameworkRevoke, read: readFrameworkRevoke, write: writeFrameworkRevoke },
  "borg.v1.FrameworkRole": { make: makeFrameworkRole, zero: zeroFrameworkRole, read: readFrameworkRole, write: writeFrameworkRole },
  "borg.v1.FrameworkSpec": { make: makeFrameworkSpec, zero: zeroFrameworkSpec, read: readFrameworkSpec, write: writeFrameworkSpec },
  "borg.v1.FrameworkSubscribe": { make: makeFrameworkSubscribe, zero: zeroFrameworkSubscribe, read: readFrameworkSubscribe, write: writeFrameworkSubscribe },
  "borg.v1.FrameworkTeardown": { make: makeFrameworkTeardown, zero: zeroFrameworkTeardown, read: readFrameworkTeardown, write: writeFrameworkTeardown },
  "borg.v1.FrameworkView": { make: makeFrameworkView, zero: zeroFrameworkView, read: readFrameworkView, write: writeFrameworkView },
  "borg.v1.GetCellRequest": { make: makeGetCellRequest, zero: zeroGetCellRequest, read: readGetCellRequest, write: writeGetCellRequest },
  "borg.v1.GetFrameworkRequest": { make: makeGetFrameworkRequest, zero: zeroGetFrameworkRequest, read: readGetFrameworkRequest, write: writeGetFrameworkRequest },
  "borg.v1.GetFrameworkResponse": { make: makeGetFrameworkResponse, zero: zeroGetFrameworkResponse, read: readGetFrameworkResponse, write: writeGetFrameworkResponse },
  "borg.v1.GetJobRequest": { make: makeGetJobRequest, zero: zeroGetJobRequest, read: readGetJobRequest, write: writeGetJobRequest },
  "borg.v1.GetJobResponse": { make: makeGetJobResponse, zero: zeroGetJobResponse, read: readGetJobResponse, write: writeGetJobResponse },
  "borg.v1.GetMachineRequest": { make: makeGetMachineRequest, zero: zeroGetMachineRequest, read: readGetMachineRequest, write: writeGetMachineRequest },
  "borg.v1.GetMasterRequest": { make: makeGetMasterRequest, zero: zeroGetMasterRequest, read: readGetMasterRequest, write: writeGetMasterRequest },
  "borg.v1.GetTaskRequest": { make: makeGetTaskRequest, zero: zeroGetTaskRequest, read: readGetTaskRequest, write: writeGetTaskRequest },
  "borg.v1.GetUpdateRequest": { make: makeGetUpdateRequest, zero: zeroGetUpdateRequest, read: readGetUpdateRequest, write: writeGetUpdateRequest },
  "borg.v1.GrantUserRequest": { make: makeGrantUserRequest, zero: zeroGrantUserRequest, read: readGrantUserRequest, write: writeGrantUserRequest },
  "borg.v1.HealthCheck": { make: makeHealthCheck, zero: zeroHealthCheck, read: readHealthCheck, write: writeHealthCheck },
  "borg.v1.HeldDevice": { make: makeHeldDevice, zero: zeroHeldDevice, read: readHeldDevice, write: writeHeldDevice },
  "borg.v1.Hello": { make: makeHello, zero: zeroHello, read: readHello, write: writeHello },
  "borg.v1.InstanceRecord": { make: makeInstanceRecord, zero: zeroInstanceRecord, read: readInstanceRecord, write: writeInstanceRecord },
  "borg.v1.InstanceReport": { make: makeInstanceReport, zero: zeroInstanceReport, read: readInstanceReport, write: writeInstanceReport },
  "borg.v1.InvitationRecord": { make: makeInvitationRecord, zero: zeroInvitationRecord, read: readInvitationRecord, write: writeInvitationRecord },
  "borg.v1.InvitationView": { make: makeInvitationView, zero: zeroInvitationView, read: readInvitationView, write: writeInvitationView },
  "borg.v1.JobForget": { make: makeJobForget, zero: zeroJobForget, read: readJobForget, write: writeJobForget },
  "borg.v1.JobKill": { make: makeJobKill, zero: zeroJobKill, read: readJobKill, write: writeJobKill },
  "borg.v1.JobRecord": { make: makeJobRecord, zero: zeroJobRecord, read: readJobRecord, write: writeJobRecord },
  "borg.v1.JobResize": { make: makeJobResize, zero: zeroJobResize, read: readJobResize, write: writeJobResize },
  "borg.v1.JobRestart": { make: makeJobRestart, zero: zeroJobRestart, read: readJobRestart, write: writeJobRestart },
  "borg.v1.JobSpec": { make: makeJobSpec, zero: zeroJobSpec, read: readJobSpec, write: writeJobSpec },
  "borg.v1.JobSubmit": { make: makeJobSubmit, zero: zeroJobSubmit, read: readJobSubmit, write: writeJobSubmit },
  "borg.v1.JobView": { make: makeJobView, zero: zeroJobView, read: readJobView, write: writeJobView },
  "borg.v1.JoinQuestion": { make: makeJoinQuestion, zero: zeroJoinQuestion, read: readJoinQuestion, write: writeJoinQuestion },
  "borg.v1.JoinRequest": { make: makeJoinRequest, zero: zeroJoinRequest, read: readJoinRequest, write: writeJoinRequest },
  "borg.v1.JoinVerdict": { make: makeJoinVerdict, zero: zeroJoinVerdict, read: readJoinVerdict, write: writeJoinVerdict },
  "borg.v1.KeptDirectory": { make: makeKeptDirectory, zero: zeroKeptDirectory, read: readKeptDirectory, write: writeKeptDirectory },
  "borg.v1.KeptForgotten": { make: makeKeptForgotten, zero: zeroKeptForgotten, read: readKeptForgotten, write: writeKeptForgotten },
  "borg.v1.KeptInstance": { make: makeKeptInstance, zero: zeroKeptInstance, read: readKeptInstance, write: writeKeptInstance },
  "borg.v1.KeptRecord": { make: makeKeptRecord, zero: zeroKeptRecord, read: readKeptRecord, write: writeKeptRecord },
  "borg.v1.KeptSpec": { make: makeKeptSpec, zero: zeroKeptSpec, read: readKeptSpec, write: writeKeptSpec },
  "borg.v1.KeptTerm": { make: makeKeptTerm, zero: zeroKeptTerm, read: readKeptTerm, write: writeKeptTerm },
  "borg.v1.KillJobRequest": { make: makeKillJobRequest, zero: zeroKillJobRequest, read: readKillJobRequest, write: writeKillJobRequest },
  "borg.v1.KillTasksRequest": { make: makeKillTasksRequest, zero: zeroKillTasksRequest, read: readKillTasksRequest, write: writeKillTasksRequest },
  "borg.v1.Label": { make: makeLabel, zero: zeroLabel, read: readLabel, write: writeLabel },
  "borg.v1.Labels": { make: makeLabels, zero: zeroLabels, read: readLabels, write: writeLabels },
  "borg.v1.Launch": { make: makeLaunch, zero: zeroLaunch, read: readLaunch, write: writeLaunch },
  "borg.v1.LaunchTasksRequest": { make: makeLaunchTasksRequest, zero: zeroLaunchTasksRequest, read: readLaunchTasksRequest, write: writeLaunchTasksRequest },
  "borg.v1.LaunchVerdict": { make: makeLaunchVerdict, zero: zeroLaunchVerdict, read: readLaunchVerdict, write: writeLaunchVerdict },
  "borg.v1.LaunchedRecord": { make: makeLaunchedRecord, zero: zeroLaunchedRecord, read: readLaunchedRecord, write: writeLaunchedRecord },
  "borg.v1.LaunchedView": { make: makeLaunchedView, zero: zeroLaunchedView, read: readLaunchedView, write: writeLaunchedView },
  "borg.v1.LedRecord": { make: makeLedRecord, zero: zeroLedRecord, read: readLedRecord, write: writeLedRecord },
  "borg.v1.LineFrame": { make: makeLineFrame, zero: zeroLineFrame, read: readLineFrame, write: writeLineFrame },
  "borg.v1.LineOpen": { make: makeLineOpen, zero: zeroLineOpen, read: readLineOpen, write: writeLineOpen },
  "borg.v1.LinkChallenge": { make: makeLinkChallenge, zero: zeroLinkChallenge, read: readLinkChallenge, write: writeLinkChallenge },
  "borg.v1.LinkClosed": { make: makeLinkClosed, zero: zeroLinkClosed, read: readLinkClosed, write: writeLinkClosed },
  "borg.v1.LinkFrame": { make: makeLinkFrame, zero: zeroLinkFrame, read: readLinkFrame, write: writeLinkFrame },
  "borg.v1.LinkJoin": { make: makeLinkJoin, zero: zeroLinkJoin, read: readLinkJoin, write: writeLinkJoin },
  "borg.v1.LinkJoined": { make: makeLinkJoined, zero: zeroLinkJoined, read: readLinkJoined, write: writeLinkJoined },
  "borg.v1.LinkLife": { make: makeLinkLife, zero: zeroLinkLife, read: readLinkLife, write: writeLinkLife },
  "borg.v1.LinkOpen": { make: makeLinkOpen, zero: zeroLinkOpen, read: readLinkOpen, write: writeLinkOpen },
  "borg.v1.LinkOpened": { make: makeLinkOpened, zero: zeroLinkOpened, read: readLinkOpened, write: writeLinkOpened },
  "borg.v1.LinkPartition": { make: makeLinkPartition, zero: zeroLinkPartition, read: readLinkPartition, write: writeLinkPartition },
  "borg.v1.LinkPassed": { make: makeLinkPassed, zero: zeroLinkPassed, read: readLinkPassed, write: writeLinkPassed },
  "borg.v1.LinkWaiting": { make: makeLinkWaiting, zero: zeroLinkWaiting, read: readLinkWaiting, write: writeLinkWaiting },
  "borg.v1.ListFrameworksRequest": { make: makeListFrameworksRequest, zero: zeroListFrameworksRequest, read: readListFrameworksRequest, write: writeListFrameworksRequest },
  "borg.v1.ListFrameworksResponse": { make: makeListFrameworksResponse, zero: zeroListFrameworksResponse, read: readListFrameworksResponse, write: writeListFrameworksResponse },
  "borg.v1.ListJobsRequest": { make: makeListJobsRequest, zero: zeroListJobsRequest, read: readListJobsRequest, write: writeListJobsRequest },
  "borg.v1.ListJobsResponse": { make: makeListJobsResponse, zero: zeroListJobsResponse, read: readListJobsResponse, write: writeListJobsResponse },
  "borg.v1.ListJoinsRequest": { make: makeListJoinsRequest, zero: zeroListJoinsRequest, read: readListJoinsRequest, write: writeListJoinsRequest },
  "borg.v1.ListJoinsResponse": { make: makeListJoinsResponse, zero: zeroListJoinsResponse, read: readListJoinsResponse, write: writeListJoinsResponse },
  "borg.v1.ListMachinesRequest": { make: makeListMachinesRequest, zero: zeroListMachinesRequest, read: readListMachinesRequest, write: writeListMachinesRequest },
  "borg.v1.ListMachinesResponse": { make: makeListMachinesResponse, zero: zeroListMachinesResponse, read: readListMachinesResponse, write: writeListMachinesResponse },
  "borg.v1.ListPackagesRequest": { make: makeListPackagesRequest, zero: zeroListPackagesRequest, read: readListPackagesRequest, write: writeListPackagesRequest },
  "borg.v1.ListPackagesResponse": { make: makeListPackagesResponse, zero: zeroListPackagesResponse, read: readListPackagesResponse, write: writeListPackagesResponse },
  "borg.v1.ListQuotaRequest": { make: makeListQuotaRequest, zero: zeroListQuotaRequest, read: readListQuotaRequest, write: writeListQuotaRequest },
  "borg.v1.ListQuotaResponse": { make: makeListQuotaResponse, zero: zeroListQuotaResponse, read: readListQuotaResponse, write: writeListQuotaResponse },
  "borg.v1.ListRolesRequest": { make: makeListRolesRequest, zero: zeroListRolesRequest, read: readListRolesRequest, write: writeListRolesRequest },
  "borg.v1.ListRolesResponse": { make: makeListRolesResponse, zero: zeroListRolesResponse, read: readListRolesResponse, write: writeListRolesResponse },
  "borg.v1.ListSchedulersRequest": { make: makeListSchedulersRequest, zero: zeroListSchedulersRequest, read: readListSchedulersRequest, write: writeListSchedulersRequest },
  "borg.v1.ListSchedulersResponse": { make: makeListSchedulersResponse, zero: zeroListSchedulersResponse, read: readListSchedulersResponse, write: writeListSchedulersResponse },
  "borg.v1.ListSecretsRequest": { make: makeListSecretsRequest, zero: zeroListSecretsRequest, read: readListSecretsRequest, write: writeListSecretsRequest },
  "borg.v1.ListSecretsResponse": { make: makeListSecretsResponse, zero: zeroListSecretsResponse, read: readListSecretsResponse, write: writeListSecretsResponse },
  "borg.v1.ListTasksRequest": { make: makeListTasksRequest, zero: zeroListTasksRequest, read: readListTasksRequest, write: writeListTasksRequest },
  "borg.v1.ListTasksResponse": { make: makeListTasksResponse, zero: zeroListTasksResponse, read: readListTasksResponse, write: writeListTasksResponse },
  "borg.v1.ListTokensRequest": { make: makeListTokensRequest, zero: zeroListTokensRequest, read: readListTokensRequest, write: writeListTokensRequest },
  "borg.v1.ListTokensResponse": { make: makeListTokensResponse, zero: zeroListTokensResponse, read: readListTokensResponse, write: writeListTokensResponse },
  "borg.v1.ListUsersRequest": { make: makeListUsersRequest, zero: zeroListUsersRequest, read: readListUsersRequest, write: writeListUsersRequest },
  "borg.v1.ListUsersResponse": { make: makeListUsersResponse, zero: zeroListUsersResponse, read: readListUsersResponse, write: writeListUsersResponse },
  "borg.v1.LogChunk": { make: makeLogChunk, zero: zeroLogChunk, read: readLogChunk, write: writeLogChunk },
  "borg.v1.LogMark": { make: makeLogMark, zero: zeroLogMark, read: readLogMark, write: writeLogMark },
  "borg.v1.LogRequest": { make: makeLogRequest, zero: zeroLogRequest, read: readLogRequest, write: writeLogRequest },
  "borg.v1.MachineApprove": { make: makeMachineApprove, zero: zeroMachineApprove, read: readMachineApprove, write: writeMachineApprove },
  "borg.v1.MachineDetail": { make: makeMachineDetail, zero: zeroMachineDetail, read: readMachineDetail, write: writeMachineDetail },
  "borg.v1.MachineDrain": { make: makeMachineDrain, zero: zeroMachineDrain, read: readMachineDrain, write: writeMachineDrain },
  "borg.v1.MachineEnroll": { make: makeMachineEnroll, zero: zeroMachineEnroll, read: readMachineEnroll, write: writeMachineEnroll },
  "borg.v1.MachineFacts": { make: makeMachineFacts, zero: zeroMachineFacts, read: readMachineFacts, write: writeMachineFacts },
  "borg.v1.MachineFactsChange": { make: makeMachineFactsChange, zero: zeroMachineFactsChange, read: readMachineFactsChange, write: writeMachineFactsChange },
  "borg.v1.MachineJoin": { make: makeMachineJoin, zero: zeroMachineJoin, read: readMachineJoin, write: writeMachineJoin },
  "borg.v1.MachineLeave": { make: makeMachineLeave, zero: zeroMachineLeave, read: readMachineLeave, write: writeMachineLeave },
  "borg.v1.MachineMark": { make: makeMachineMark, zero: zeroMachineMark, read: readMachineMark, write: writeMachineMark },
  "borg.v1.MachineMoment": { make: makeMachineMoment, zero: zeroMachineMoment, read: readMachineMoment, write: writeMachineMoment },
  "borg.v1.MachineRecord": { make: makeMachineRecord, zero: zeroMachineRecord, read: readMachineRecord, write: writeMachineRecord },
  "borg.v1.MachineReport": { make: makeMachineReport, zero: zeroMachineReport, read: readMachineReport, write: writeMachineReport },
  "borg.v1.MachineView": { make: makeMachineView, zero: zeroMachineView, read: readMachineView, write: writeMachineView },
  "borg.v1.MasterView": { make: makeMasterView, zero: zeroMasterView, read: readMasterView, write: writeMasterView },
  "borg.v1.NamedPort": { make: makeNamedPort, zero: zeroNamedPort, read: readNamedPort, write: writeNamedPort },
  "borg.v1.NamedTask": { make: makeNamedTask, zero: zeroNamedTask, read: readNamedTask, write: writeNamedTask },
  "borg.v1.OfferPolicy": { make: makeOfferPolicy, zero: zeroOfferPolicy, read: readOfferPolicy, write: writeOfferPolicy },
  "borg.v1.OffersSet": { make: makeOffersSet, zero: zeroOffersSet, read: readOffersSet, write: writeOffersSet },
  "borg.v1.Op": { make: makeOp, zero: zeroOp, read: readOp, write: writeOp },
  "borg.v1.OpenShellRequest": { make: makeOpenShellRequest, zero: zeroOpenShellRequest, read: readOpenShellRequest, write: writeOpenShellRequest },
  "borg.v1.OpenUiRequest": { make: makeOpenUiRequest, zero: zeroOpenUiRequest, read: readOpenUiRequest, write: writeOpenUiRequest },
  "borg.v1.OpenUiResponse": { make: makeOpenUiResponse, zero: zeroOpenUiResponse, read: readOpenUiResponse, write: writeOpenUiResponse },
  "borg.v1.Order": { make: makeOrder, zero: zeroOrder, read: readOrder, write: writeOrder },
  "borg.v1.PackageAdd": { make: makePackageAdd, zero: zeroPackageAdd, read: readPackageAdd, write: writePackageAdd },
  "borg.v1.PackageChunk": { make: makePackageChunk, zero: zeroPackageChunk, read: readPackageChunk, write: writePackageChunk },
  "borg.v1.PackageGrant": { make: makePackageGrant, zero: zeroPackageGrant, read: readPackageGrant, write: writePackageGrant },
  "borg.v1.PackageGranted": { make: makePackageGranted, zero: zeroPackageGranted, read: readPackageGranted, write: writePackageGranted },
  "borg.v1.PackageRecord": { make: makePackageRecord, zero: zeroPackageRecord, read: readPackageRecord, write: writePackageRecord },
  "borg.v1.PackageRef": { make: makePackageRef, zero: zeroPackageRef, read: readPackageRef, write: writePackageRef },
  "borg.v1.PackageRemove": { make: makePackageRemove, zero: zeroPackageRemove, read: readPackageRemove, write: writePackageRemove },
  "borg.v1.PackageRequest": { make: makePackageRequest, zero: zeroPackageRequest, read: readPackageRequest, write: writePackageRequest },
  "borg.v1.PackageSource": { make: makePackageSource, zero: zeroPackageSource, read: readPackageSource, write: writePackageSource },
  "borg.v1.PackageView": { make: makePackageView, zero: zeroPackageView, read: readPackageView, write: writePackageView },
  "borg.v1.PauseUpdateRequest": { make: makePauseUpdateRequest, zero: zeroPauseUpdateRequest, read: readPauseUpdateRequest, write: writePauseUpdateRequest },
  "borg.v1.PeerRequest": { make: makePeerRequest, zero: zeroPeerRequest, read: readPeerRequest, write: writePeerRequest },
  "borg.v1.PieceFound": { make: makePieceFound, zero: zeroPieceFound, read: readPieceFound, write: writePieceFound },
  "borg.v1.PieceQuestion": { make: makePieceQuestion, zero: zeroPieceQuestion, read: readPieceQuestion, write: writePieceQuestion },
  "borg.v1.Poll": { make: makePoll, zero: zeroPoll, read: readPoll, write: writePoll },
  "borg.v1.Principal": { make: makePrincipal, zero: zeroPrincipal, read: readPrincipal, write: writePrincipal },
  "borg.v1.QueryColumn": { make: makeQueryColumn, zero: zeroQueryColumn, read: readQueryColumn, write: writeQueryColumn },
  "borg.v1.Quota": { make: makeQuota, zero: zeroQuota, read: readQuota, write: writeQuota },
  "borg.v1.QuotaReportRow": { make: makeQuotaReportRow, zero: zeroQuotaReportRow, read: readQuotaReportRow, write: writeQuotaReportRow },
  "borg.v1.QuotaSet": { make: makeQuotaSet, zero: zeroQuotaSet, read: readQuotaSet, write: writeQuotaSet },
  "borg.v1.QuotaView": { make: makeQuotaView, zero: zeroQuotaView, read: readQuotaView, write: writeQuotaView },
  "borg.v1.ReadEventsRequest": { make: makeReadEventsRequest, zero: zeroReadEventsRequest, read: readReadEventsRequest, write: writeReadEventsRequest },
  "borg.v1.ReadEventsResponse": { make: makeReadEventsResponse, zero: zeroReadEventsResponse, read: readReadEventsResponse, write: writeReadEventsResponse },
  "borg.v1.ReadFeedRequest": { make: makeReadFeedRequest, zero: zeroReadFeedRequest, read: readReadFeedRequest, write: writeReadFeedRequest },
  "borg.v1.ReadFeedResponse": { make: makeReadFeedResponse, zero: zeroReadFeedResponse, read: readReadFeedResponse, write: writeReadFeedResponse },
  "borg.v1.ReadFileRequest": { make: makeReadFileRequest, zero: zeroReadFileRequest, read: readReadFileRequest, write: writeReadFileRequest },
  "borg.v1.ReadFileResponse": { make: makeReadFileResponse, zero: zeroReadFileResponse, read: readReadFileResponse, write: writeReadFileResponse },
  "borg.v1.ReadLogRequest": { make: makeReadLogRequest, zero: zeroReadLogRequest, read: readReadLogRequest, write: writeReadLogRequest },
  "borg.v1.ReadLogResponse": { make: makeReadLogResponse, zero: zeroReadLogResponse, read: readReadLogResponse, write: writeReadLogResponse },
  "borg.v1.ReadUsageRequest": { make: makeReadUsageRequest, zero: zeroReadUsageRequest, read: readReadUsageRequest, write: writeReadUsageRequest },
  "borg.v1.ReadUsageResponse": { make: makeReadUsageResponse, zero: zeroReadUsageResponse, read: readReadUsageResponse, write: writeReadUsageResponse },
  "borg.v1.ReclaimRow": { make: makeReclaimRow, zero: zeroReclaimRow, read: readReclaimRow, write: writeReclaimRow },
  "borg.v1.ReclamationSet": { make: makeReclamationSet, zero: zeroReclamationSet, read: readReclamationSet, write: writeReclamationSet },
  "borg.v1.Redial": { make: makeRedial, zero: zeroRedial, read: readRedial, write: writeRedial },
  "borg.v1.RemoveMachineRequest": { make: makeRemoveMachineRequest, zero: zeroRemoveMachineRequest, read: readRemoveMachineRequest, write: writeRemoveMachineRequest },
  "borg.v1.RemovePackageRequest": { make: makeRemovePackageRequest, zero: zeroRemovePackageRequest, read: readRemovePackageRequest, write: writeRemovePackageRequest },
  "borg.v1.RemoveSecretRequest": { make: makeRemoveSecretRequest, zero: zeroRemoveSecretRequest, read: readRemoveSecretRequest, write: writeRemoveSecretRequest },
  "borg.v1.RemovedRecord": { make: makeRemovedRecord, zero: zeroRemovedRecord, read: readRemovedRecord, write: writeRemovedRecord },
  "borg.v1.Report": { make: makeReport, zero: zeroReport, read: readReport, write: writeReport },
  "borg.v1.ReportEvictionsRequest": { make: makeReportEvictionsRequest, zero: zeroReportEvictionsRequest, read: readReportEvictionsRequest, write: writeReportEvictionsRequest },
  "borg.v1.ReportEvictionsResponse": { make: makeReportEvictionsResponse, zero: zeroReportEvictionsResponse, read: readReportEvictionsResponse, write: writeReportEvictionsResponse },
  "borg.v1.ReportQuotaRequest": { make: makeReportQuotaRequest, zero: zeroReportQuotaRequest, read: readReportQuotaRequest, write: writeReportQuotaRequest },
  "borg.v1.ReportQuotaResponse": { make: makeReportQuotaResponse, zero: zeroReportQuotaResponse, read: readReportQuotaResponse, write: writeReportQuotaResponse },
  "borg.v1.ReportReclaimRequest": { make: makeReportReclaimRequest, zero: zeroReportReclaimRequest, read: readReportReclaimRequest, write: writeReportReclaimRequest },
  "borg.v1.ReportReclaimResponse": { make: makeReportReclaimResponse, zero: zeroReportReclaimResponse, read: readReportReclaimResponse, write: writeReportReclaimResponse },
  "borg.v1.ReportShapesRequest": { make: makeReportShapesRequest, zero: zeroReportShapesRequest, read: readReportShapesRequest, write: writeReportShapesRequest },
  "borg.v1.ReportShapesResponse": { make: makeReportShapesResponse, zero: zeroReportShapesResponse, read: readReportShapesResponse, write: writeReportShapesResponse },
  "borg.v1.Reports": { make: makeReports, zero: zeroReports, read: readReports, write: writeReports },
  "borg.v1.RequestRecord": { make: makeRequestRecord, zero: zeroRequestRecord, read: readRequestRecord, write: writeRequestRecord },
  "borg.v1.Reservation": { make: makeReservation, zero: zeroReservation, read: readReservation, write: writeReservation },
  "borg.v1.Reservations": { make: makeReservations, zero: zeroReservations, read: readReservations, write: writeReservations },
  "borg.v1.ResizeJobRequest": { make: makeResizeJobRequest, zero: zeroResizeJobRequest, read: readResizeJobRequest, write: writeResizeJobRequest },
  "borg.v1.ResolveRequest": { make: makeResolveRequest, zero: zeroResolveRequest, read: readResolveRequest, write: writeResolveRequest },
  "borg.v1.ResolveResponse": { make: makeResolveResponse, zero: zeroResolveResponse, read: readResolveResponse, write: writeResolveResponse },
  "borg.v1.Resources": { make: makeResources, zero: zeroResources, read: readResources, write: writeResources },
  "borg.v1.RestartJobRequest": { make: makeRestartJobRequest, zero: zeroRestartJobRequest, read: readRestartJobRequest, write: writeRestartJobRequest },
  "borg.v1.RestartPolicy": { make: makeRestartPolicy, zero: zeroRestartPolicy, read: readRestartPolicy, write: writeRestartPolicy },
  "borg.v1.RevokeTokenRequest": { make: makeRevokeTokenRequest, zero: zeroRevokeTokenRequest, read: readRevokeTokenRequest, write: writeRevokeTokenRequest },
  "borg.v1.RoleSet": { make: makeRoleSet, zero: zeroRoleSet, read: readRoleSet, write: writeRoleSet },
  "borg.v1.RoleView": { make: makeRoleView, zero: zeroRoleView, read: readRoleView, write: writeRoleView },
  "borg.v1.RotateSecretKeyRequest": { make: makeRotateSecretKeyRequest, zero: zeroRotateSecretKeyRequest, read: readRotateSecretKeyRequest, write: writeRotateSecretKeyRequest },
  "borg.v1.RotateSecretKeyResponse": { make: makeRotateSecretKeyResponse, zero: zeroRotateSecretKeyResponse, read: readRotateSecretKeyResponse, write: writeRotateSecretKeyResponse },
  "borg.v1.RunQueryRequest": { make: makeRunQueryRequest, zero: zeroRunQueryRequest, read: readRunQueryRequest, write: writeRunQueryRequest },
  "borg.v1.RunQueryResponse": { make: makeRunQueryResponse, zero: zeroRunQueryResponse, read: readRunQueryResponse, write: writeRunQueryResponse },
  "borg.v1.SchedulerLimits": { make: makeSchedulerLimits, zero: zeroSchedulerLimits, read: readSchedulerLimits, write: writeSchedulerLimits },
  "borg.v1.SchedulerRecord": { make: makeSchedulerRecord, zero: zeroSchedulerRecord, read: readSchedulerRecord, write: writeSchedulerRecord },
  "borg.v1.SchedulerSet": { make: makeSchedulerSet, zero: zeroSchedulerSet, read: readSchedulerSet, write: writeSchedulerSet },
  "borg.v1.SchedulerView": { make: makeSchedulerView, zero: zeroSchedulerView, read: readSchedulerView, write: writeSchedulerView },
  "borg.v1.ScorePart": { make: makeScorePart, zero: zeroScorePart, read: readScorePart, write: writeScorePart },
  "borg.v1.SealedSecret": { make: makeSealedSecret, zero: zeroSealedSecret, read: readSealedSecret, write: writeSealedSecret },
  "borg.v1.SecretRecord": { make: makeSecretRecord, zero: zeroSecretRecord, read: readSecretRecord, write: writeSecretRecord },
  "borg.v1.SecretRef": { make: makeSecretRef, zero: zeroSecretRef, read: readSecretRef, write: writeSecretRef },
  "borg.v1.SecretRemove": { make: makeSecretRemove, zero: zeroSecretRemove, read: readSecretRemove, write: writeSecretRemove },
  "borg.v1.SecretRequest": { make: makeSecretRequest, zero: zeroSecretRequest, read: readSecretRequest, write: writeSecretRequest },
  "borg.v1.SecretReseal": { make: makeSecretReseal, zero: zeroSecretReseal, read: readSecretReseal, write: writeSecretReseal },
  "borg.v1.SecretSet": { make: makeSecretSet, zero: zeroSecretSet, read: readSecretSet, write: writeSecretSet },
  "borg.v1.SecretValue": { make: makeSecretValue, zero: zeroSecretValue, read: readSecretValue, write: writeSecretValue },
  "borg.v1.SecretValues": { make: makeSecretValues, zero: zeroSecretValues, read: readSecretValues, write: writeSecretValues },
  "borg.v1.SecretView": { make: makeSecretView, zero: zeroSecretView, read: readSecretView, write: writeSecretView },
  "borg.v1.SetBoundsRequest": { make: makeSetBoundsRequest, zero: zeroSetBoundsRequest, read: readSetBoundsRequest, write: writeSetBoundsRequest },
  "borg.v1.SetOffersRequest": { make: makeSetOffersRequest, zero: zeroSetOffersRequest, read: readSetOffersRequest, write: writeSetOffersRequest },
  "borg.v1.SetQuotaRequest": { make: makeSetQuotaRequest, zero: zeroSetQuotaRequest, read: readSetQuotaRequest, write: writeSetQuotaRequest },
  "borg.v1.SetReclamationRequest": { make: makeSetReclamationRequest, zero: zeroSetReclamationRequest, read: readSetReclamationRequest, write: writeSetReclamationRequest },
  "borg.v1.SetRoleRequest": { make: makeSetRoleRequest, zero: zeroSetRoleRequest, read: readSetRoleRequest, write: writeSetRoleRequest },
  "borg.v1.SetSchedulerRequest": { make: makeSetSchedulerRequest, zero: zeroSetSchedulerRequest, read: readSetSchedulerRequest, write: writeSetSchedulerRequest },
  "borg.v1.SetSecretRequest": { make: makeSetSecretRequest, zero: zeroSetSecretRequest, read: readSetSecretRequest, write: writeSetSecretRequest },
  "borg.v1.ShapeFit": { make: makeShapeFit, zero: zeroShapeFit, read: readShapeFit, write: writeShapeFit },
  "borg.v1.ShapeRow": { make: makeShapeRow, zero: zeroShapeRow, read: readShapeRow, write: writeShapeRow },
  "borg.v1.ShardAsk": { make: makeShardAsk, zero: zeroShardAsk, read: readShardAsk, write: writeShardAsk },
  "borg.v1.ShardOps": { make: makeShardOps, zero: zeroShardOps, read: readShardOps, write: writeShardOps },
  "borg.v1.ShardTold": { make: makeShardTold, zero: zeroShardTold, read: readShardTold, write: writeShardTold },
  "borg.v1.ShardUsage": { make: makeShardUsage, zero: zeroShardUsage, read: readShardUsage, write: writeShardUsage },
  "borg.v1.ShellChunk": { make: makeShellChunk, zero: zeroShellChunk, read: readShellChunk, write: writeShellChunk },
  "borg.v1.ShellOpen": { make: makeShellOpen, zero: zeroShellOpen, read: readShellOpen, write: writeShellOpen },
  "borg.v1.ShellRequest": { make: makeShellRequest, zero: zeroShellRequest, read: readShellRequest, write: writeShellRequest },
  "borg.v1.ShellSaid": { make: makeShellSaid, zero: zeroShellSaid, read: readShellSaid, write: writeShellSaid },
  "borg.v1.ShellUse": { make: makeShellUse, zero: zeroShellUse, read: readShellUse, write: writeShellUse },
  "borg.v1.StartOrder": { make: makeStartOrder, zero: zeroStartOrder, read: readStartOrder, write: writeStartOrder },
  "borg.v1.StartUpdateRequest": { make: makeStartUpdateRequest, zero: zeroStartUpdateRequest, read: readStartUpdateRequest, write: writeStartUpdateRequest },
  "borg.v1.StatusRecord": { make: makeStatusRecord, zero: zeroStatusRecord, read: readStatusRecord, write: writeStatusRecord },
  "borg.v1.StopOrder": { make: makeStopOrder, zero: zeroStopOrder, read: readStopOrder, write: writeStopOrder },
  "borg.v1.StopRecord": { make: makeStopRecord, zero: zeroStopRecord, read: readStopRecord, write: writeStopRecord },
  "borg.v1.Strain": { make: makeStrain, zero: zeroStrain, read: readStrain, write: writeStrain },
  "borg.v1.SubmitAllocSetRequest": { make: makeSubmitAllocSetRequest, zero: zeroSubmitAllocSetRequest, read: readSubmitAllocSetRequest, write: writeSubmitAllocSetRequest },
  "borg.v1.SubmitJobRequest": { make: makeSubmitJobRequest, zero: zeroSubmitJobRequest, read: readSubmitJobRequest, write: writeSubmitJobRequest },
  "borg.v1.SubscribeFrameworkRequest": { make: makeSubscribeFrameworkRequest, zero: zeroSubscribeFrameworkRequest, read: readSubscribeFrameworkRequest, write: writeSubscribeFrameworkRequest },
  "borg.v1.TaskClaims": { make: makeTaskClaims, zero: zeroTaskClaims, read: readTaskClaims, write: writeTaskClaims },
  "borg.v1.TaskDetail": { make: makeTaskDetail, zero: zeroTaskDetail, read: readTaskDetail, write: writeTaskDetail },
  "borg.v1.TaskEvict": { make: makeTaskEvict, zero: zeroTaskEvict, read: readTaskEvict, write: writeTaskEvict },
  "borg.v1.TaskExpire": { make: makeTaskExpire, zero: zeroTaskExpire, read: readTaskExpire, write: writeTaskExpire },
  "borg.v1.TaskLost": { make: makeTaskLost, zero: zeroTaskLost, read: readTaskLost, write: writeTaskLost },
  "borg.v1.TaskOverride": { make: makeTaskOverride, zero: zeroTaskOverride, read: readTaskOverride, write: writeTaskOverride },
  "borg.v1.TaskRange": { make: makeTaskRange, zero: zeroTaskRange, read: readTaskRange, write: writeTaskRange },
  "borg.v1.TaskRecord": { make: makeTaskRecord, zero: zeroTaskRecord, read: readTaskRecord, write: writeTaskRecord },
  "borg.v1.TaskSpec": { make: makeTaskSpec, zero: zeroTaskSpec, read: readTaskSpec, write: writeTaskSpec },
  "borg.v1.TaskUnpin": { make: makeTaskUnpin, zero: zeroTaskUnpin, read: readTaskUnpin, write: writeTaskUnpin },
  "borg.v1.TaskView": { make: makeTaskView, zero: zeroTaskView, read: readTaskView, write: writeTaskView },
  "borg.v1.TasksRecord": { make: makeTasksRecord, zero: zeroTasksRecord, read: readTasksRecord, write: writeTasksRecord },
  "borg.v1.TeardownFrameworkRequest": { make: makeTeardownFrameworkRequest, zero: zeroTeardownFrameworkRequest, read: readTeardownFrameworkRequest, write: writeTeardownFrameworkRequest },
  "borg.v1.TokenRecord": { make: makeTokenRecord, zero: zeroTokenRecord, read: readTokenRecord, write: writeTokenRecord },
  "borg.v1.TokenRevoke": { make: makeTokenRevoke, zero: zeroTokenRevoke, read: readTokenRevoke, write: writeTokenRevoke },
  "borg.v1.TokenSet": { make: makeTokenSet, zero: zeroTokenSet, read: readTokenSet, write: writeTokenSet },
  "borg.v1.TokenView": { make: makeTokenView, zero: zeroTokenView, read: readTokenView, write: writeTokenView },
  "borg.v1.ToldRecord": { make: makeToldRecord, zero: zeroToldRecord, read: readToldRecord, write: writeToldRecord },
  "borg.v1.UndoUpdateRequest": { make: makeUndoUpdateRequest, zero: zeroUndoUpdateRequest, read: readUndoUpdateRequest, write: writeUndoUpdateRequest },
  "borg.v1.UnpinTaskRequest": { make: makeUnpinTaskRequest, zero: zeroUnpinTaskRequest, read: readUnpinTaskRequest, write: writeUnpinTaskRequest },
  "borg.v1.UpdateCommit": { make: makeUpdateCommit, zero: zeroUpdateCommit, read: readUpdateCommit, write: writeUpdateCommit },
  "borg.v1.UpdatePause": { make: makeUpdatePause, zero: zeroUpdatePause, read: readUpdatePause, write: writeUpdatePause },
  "borg.v1.UpdatePolicy": { make: makeUpdatePolicy, zero: zeroUpdatePolicy, read: readUpdatePolicy, write: writeUpdatePolicy },
  "borg.v1.UpdateRecord": { make: makeUpdateRecord, zero: zeroUpdateRecord, read: readUpdateRecord, write: writeUpdateRecord },
  "borg.v1.UpdateStart": { make: makeUpdateStart, zero: zeroUpdateStart, read: readUpdateStart, write: writeUpdateStart },
  "borg.v1.UpdateStep": { make: makeUpdateStep, zero: zeroUpdateStep, read: readUpdateStep, write: writeUpdateStep },
  "borg.v1.UpdateTask": { make: makeUpdateTask, zero: zeroUpdateTask, read: readUpdateTask, write: writeUpdateTask },
  "borg.v1.UpdateUndo": { make: makeUpdateUndo, zero: zeroUpdateUndo, read: readUpdateUndo, write: writeUpdateUndo },
  "borg.v1.UpdateView": { make: makeUpdateView, zero: zeroUpdateView, read: readUpdateView, write: writeUpdateView },
  "borg.v1.UploadPackageRequest": { make: makeUploadPackageRequest, zero: zeroUploadPackageRequest, read: readUploadPackageRequest, write: writeUploadPackageRequest },
  "borg.v1.UploadPackageResponse": { make: makeUploadPackageResponse, zero: zeroUploadPackageResponse, read: readUploadPackageResponse, write: writeUploadPackageResponse },
  "borg.v1.Usage": { make: makeUsage, zero: zeroUsage, read: readUsage, write: writeUsage },
  "borg.v1.UsageChange": { make: makeUsageChange, zero: zeroUsageChange, read: readUsageChange, write: writeUsageChange },
  "borg.v1.UsageChunk": { make: makeUsageChunk, zero: zeroUsageChunk, read: readUsageChunk, write: writeUsageChunk },
  "borg.v1.UsageMoment": { make: makeUsageMoment, zero: zeroUsageMoment, read: readUsageMoment, write: writeUsageMoment },
  "borg.v1.UsageRequest": { make: makeUsageRequest, zero: zeroUsageRequest, read: readUsageRequest, write: writeUsageRequest },
  "borg.v1.UseShellRequest": { make: makeUseShellRequest, zero: zeroUseShellRequest, read: readUseShellRequest, write: writeUseShellRequest },
  "borg.v1.UseShellResponse": { make: makeUseShellResponse, zero: zeroUseShellResponse, read: readUseShellResponse, write: writeUseShellResponse },
  "borg.v1.UserBounds": { make: makeUserBounds, zero: zeroUserBounds, read: readUserBounds, write: writeUserBounds },
  "borg.v1.UserGrant": { make: makeUserGrant, zero: zeroUserGrant, read: readUserGrant, write: writeUserGrant },
  "borg.v1.UserGrants": { make: makeUserGrants, zero: zeroUserGrants, read: readUserGrants, write: writeUserGrants },
  "borg.v1.UserRecord": { make: makeUserRecord, zero: zeroUserRecord, read: readUserRecord, write: writeUserRecord },
  "borg.v1.UserView": { make: makeUserView, zero: zeroUserView, read: readUserView, write: writeUserView },
  "borg.v1.Victim": { make: makeVictim, zero: zeroVictim, read: readVictim, write: writeVictim },
  "borg.v1.View": { make: makeView, zero: zeroView, read: readView, write: writeView },
  "borg.v1.ViewCell": { make: makeViewCell, zero: zeroViewCell, read: readViewCell, write: writeViewCell },
  "borg.v1.ViewChange": { make: makeViewChange, zero: zeroViewChange, read: readViewChange, write: writeViewChange },
  "borg.v1.ViewJob": { make: makeViewJob, zero: zeroViewJob, read: readViewJob, write: writeViewJob },
  "borg.v1.ViewMap": { make: makeViewMap, zero: zeroViewMap, read: readViewMap, write: writeViewMap },
  "borg.v1.ViewSample": { make: makeViewSample, zero: zeroViewSample, read: readViewSample, write: writeViewSample },
  "borg.v1.ViewSums": { make: makeViewSums, zero: zeroViewSums, read: readViewSums, write: writeViewSums },
  "borg.v1.Volume": { make: makeVolume, zero: zeroVolume, read: readVolume, write: writeVolume },
  "borg.v1.VolumeOffer": { make: makeVolumeOffer, zero: zeroVolumeOffer, read: readVolumeOffer, write: writeVolumeOffer },
  "borg.v1.WatchViewsRequest": { make: makeWatchViewsRequest, zero: zeroWatchViewsRequest, read: readWatchViewsRequest, write: writeWatchViewsRequest },
  "borg.v1.WatchViewsResponse": { make: makeWatchViewsResponse, zero: zeroWatchViewsResponse, read: readWatchViewsResponse, write: writeWatchViewsResponse },
  "mesos.v1.Address": { make: makemesos_v1_Address, zero: zeromesos_v1_Address, read: readmesos_v1_Address, write: writemesos_v1_Address },
  "mesos.v1.AgentID": { make: makemesos_v1_AgentID, zero: zeromesos_v1_AgentID, read: readmesos_v1_AgentID, write: writemesos_v1_AgentID },
  "mesos.v1.AgentInfo": { make: makemesos_v1_AgentInfo, zero: zeromesos_v1_AgentInfo, read: readmesos_v1_AgentInfo, write: writemesos_v1_AgentInfo },
  "mesos.v1.Attribute": { make: makemesos_v1_Attribute, zero: zeromesos_v1_Attribute, read: readmesos_v1_Attribute, write: writemesos_v1_Attribute },
  "mesos.v1.CheckInfo": { make: makemesos_v1_CheckInfo, zero: zeromesos_v1_CheckInfo, read: readmesos_v1_CheckInfo, write: writemesos_v1_CheckInfo },
  "mesos.v1.CheckInfo.Command": { make: makemesos_v1_CheckInfo_Command, zero: zeromesos_v1_CheckInfo_Command, read: readmesos_v1_CheckInfo_Command, write: writemesos_v1_CheckInfo_Command },
  "mesos.v1.CheckInfo.Http": { make: makemesos_v1_CheckInfo_Http, zero: zeromesos_v1_CheckInfo_Http, read: readmesos_v1_CheckInfo_Http, write: writemesos_v1_CheckInfo_Http },
  "mesos.v1.CheckInfo.Tcp": { make: makemesos_v1_CheckInfo_Tcp, zero: zeromesos_v1_CheckInfo_Tcp, read: readmesos_v1_CheckInfo_Tcp, write: writemesos_v1_CheckInfo_Tcp },
  "mesos.v1.CheckStatusInfo": { make: makemesos_v1_CheckStatusInfo, zero: zeromesos_v1_CheckStatusInfo, read: readmesos_v1_CheckStatusInfo, write: writemesos_v1_CheckStatusInfo },
  "mesos.v1.CheckStatusInfo.Command": { make: makemesos_v1_CheckStatusInfo_Command, zero: zeromesos_v1_CheckStatusInfo_Command, read: readmesos_v1_CheckStatusInfo_Command, write: writemesos_v1_CheckStatusInfo_Command },
  "mesos.v1.CheckStatusInfo.Http": { make: makemesos_v1_CheckStatusInfo_Http, zero: zeromesos_v1_CheckStatusInfo_Http, read: readmesos_v1_CheckStatusInfo_Http, write: writemesos_v1_CheckStatusInfo_Http },
  "mesos.v1.CheckStatusInfo.Tcp": { make: makemesos_v1_CheckStatusInfo_Tcp, zero: zeromesos_v1_CheckStatusInfo_Tcp, read: readmesos_v1_CheckStatusInfo_Tcp, write: writemesos_v1_CheckStatusInfo_Tcp },
  "mesos.v1.CommandInfo": { make: makemesos_v1_CommandInfo, zero: zeromesos_v1_CommandInfo, read: readmesos_v1_CommandInfo, write: writemesos_v1_CommandInfo },
  "mesos.v1.CommandInfo.URI": { make: makemesos_v1_CommandInfo_URI, zero: zeromesos_v1_CommandInfo_URI, read: readmesos_v1_CommandInfo_URI, write: writemesos_v1_CommandInfo_URI },
  "mesos.v1.ContainerID": { make: makemesos_v1_ContainerID, zero: zeromesos_v1_ContainerID, read: readmesos_v1_ContainerID, write: writemesos_v1_ContainerID },
  "mesos.v1.ContainerInfo": { make: makemesos_v1_ContainerInfo, zero: zeromesos_v1_ContainerInfo, read: readmesos_v1_ContainerInfo, write: writemesos_v1_ContainerInfo },
  "mesos.v1.ContainerInfo.DockerInfo": { make: makemesos_v1_ContainerInfo_DockerInfo, zero: zeromesos_v1_ContainerInfo_DockerInfo, read: readmesos_v1_ContainerInfo_DockerInfo, write: writemesos_v1_ContainerInfo_DockerInfo },
  "mesos.v1.ContainerInfo.DockerInfo.PortMapping": { make: makemesos_v1_ContainerInfo_DockerInfo_PortMapping, zero: zeromesos_v1_ContainerInfo_DockerInfo_PortMapping, read: readmesos_v1_ContainerInfo_DockerInfo_PortMapping, write: writemesos_v1_ContainerInfo_DockerInfo_PortMapping },
  "mesos.v1.ContainerInfo.MesosInfo": { make: makemesos_v1_ContainerInfo_MesosInfo, zero: zeromesos_v1_ContainerInfo_MesosInfo, read: readmesos_v1_ContainerInfo_MesosInfo, write: writemesos_v1_ContainerInfo_MesosInfo },
  "mesos.v1.ContainerStatus": { make: makemesos_v1_ContainerStatus, zero: zeromesos_v1_ContainerStatus, read: readmesos_v1_ContainerStatus, write: writemesos_v1_ContainerStatus },
  "mesos.v1.DiscoveryInfo": { make: makemesos_v1_DiscoveryInfo, zero: zeromesos_v1_DiscoveryInfo, read: readmesos_v1_DiscoveryInfo, write: writemesos_v1_DiscoveryInfo },
  "mesos.v1.DomainInfo": { make: makemesos_v1_DomainInfo, zero: zeromesos_v1_DomainInfo, read: readmesos_v1_DomainInfo, write: writemesos_v1_DomainInfo },
  "mesos.v1.DomainInfo.FaultDomain": { make: makemesos_v1_DomainInfo_FaultDomain, zero: zeromesos_v1_DomainInfo_FaultDomain, read: readmesos_v1_DomainInfo_FaultDomain, write: writemesos_v1_DomainInfo_FaultDomain },
  "mesos.v1.DomainInfo.FaultDomain.RegionInfo": { make: makemesos_v1_DomainInfo_FaultDomain_RegionInfo, zero: zeromesos_v1_DomainInfo_FaultDomain_RegionInfo, read: readmesos_v1_DomainInfo_FaultDomain_RegionInfo, write: writemesos_v1_DomainInfo_FaultDomain_RegionInfo },
  "mesos.v1.DomainInfo.FaultDomain.ZoneInfo": { make: makemesos_v1_DomainInfo_FaultDomain_ZoneInfo, zero: zeromesos_v1_DomainInfo_FaultDomain_ZoneInfo, read: readmesos_v1_DomainInfo_FaultDomain_ZoneInfo, write: writemesos_v1_DomainInfo_FaultDomain_ZoneInfo },
  "mesos.v1.DurationInfo": { make: makemesos_v1_DurationInfo, zero: zeromesos_v1_DurationInfo, read: readmesos_v1_DurationInfo, write: writemesos_v1_DurationInfo },
  "mesos.v1.Environment": { make: makemesos_v1_Environment, zero: zeromesos_v1_Environment, read: readmesos_v1_Environment, write: writemesos_v1_Environment },
  "mesos.v1.Environment.Variable": { make: makemesos_v1_Environment_Variable, zero: zeromesos_v1_Environment_Variable, read: readmesos_v1_Environment_Variable, write: writemesos_v1_Environment_Variable },
  "mesos.v1.ExecutorID": { make: makemesos_v1_ExecutorID, zero: zeromesos_v1_ExecutorID, read: readmesos_v1_ExecutorID, write: writemesos_v1_ExecutorID },
  "mesos.v1.ExecutorInfo": { make: makemesos_v1_ExecutorInfo, zero: zeromesos_v1_ExecutorInfo, read: readmesos_v1_ExecutorInfo, write: writemesos_v1_ExecutorInfo },
  "mesos.v1.Filters": { make: makemesos_v1_Filters, zero: zeromesos_v1_Filters, read: readmesos_v1_Filters, write: writemesos_v1_Filters },
  "mesos.v1.FrameworkID": { make: makemesos_v1_FrameworkID, zero: zeromesos_v1_FrameworkID, read: readmesos_v1_FrameworkID, write: writemesos_v1_FrameworkID },
  "mesos.v1.FrameworkInfo": { make: makemesos_v1_FrameworkInfo, zero: zeromesos_v1_FrameworkInfo, read: readmesos_v1_FrameworkInfo, write: writemesos_v1_FrameworkInfo },
  "mesos.v1.FrameworkInfo.Capability": { make: makemesos_v1_FrameworkInfo_Capability, zero: zeromesos_v1_FrameworkInfo_Capability, read: readmesos_v1_FrameworkInfo_Capability, write: writemesos_v1_FrameworkInfo_Capability },
  "mesos.v1.FrameworkInfo.OfferFiltersEntry": { make: makemesos_v1_FrameworkInfo_OfferFiltersEntry, zero: zeromesos_v1_FrameworkInfo_OfferFiltersEntry, read: readmesos_v1_FrameworkInfo_OfferFiltersEntry, write: writemesos_v1_FrameworkInfo_OfferFiltersEntry },
  "mesos.v1.HealthCheck": { make: makemesos_v1_HealthCheck, zero: zeromesos_v1_HealthCheck, read: readmesos_v1_HealthCheck, write: writemesos_v1_HealthCheck },
  "mesos.v1.HealthCheck.HTTPCheckInfo": { make: makemesos_v1_HealthCheck_HTTPCheckInfo, zero: zeromesos_v1_HealthCheck_HTTPCheckInfo, read: readmesos_v1_HealthCheck_HTTPCheckInfo, write: writemesos_v1_HealthCheck_HTTPCheckInfo },
  "mesos.v1.HealthCheck.TCPCheckInfo": { make: makemesos_v1_HealthCheck_TCPCheckInfo, zero: zeromesos_v1_HealthCheck_TCPCheckInfo, read: readmesos_v1_HealthCheck_TCPCheckInfo, write: writemesos_v1_HealthCheck_TCPCheckInfo },
  "mesos.v1.Image": { make: makemesos_v1_Image, zero: zeromesos_v1_Image, read: readmesos_v1_Image, write: writemesos_v1_Image },
  "mesos.v1.Image.Appc": { make: makemesos_v1_Image_Appc, zero: zeromesos_v1_Image_Appc, read: readmesos_v1_Image_Appc, write: writemesos_v1_Image_Appc },
  "mesos.v1.Image.Docker": { make: makemesos_v1_Image_Docker, zero: zeromesos_v1_Image_Docker, read: readmesos_v1_Image_Docker, write: writemesos_v1_Image_Docker },
  "mesos.v1.KillPolicy": { make: makemesos_v1_KillPolicy, zero: zeromesos_v1_KillPolicy, read: readmesos_v1_KillPolicy, write: writemesos_v1_KillPolicy },
  "mesos.v1.Label": { make: makemesos_v1_Label, zero: zeromesos_v1_Label, read: readmesos_v1_Label, write: writemesos_v1_Label },
  "mesos.v1.Labels": { make: makemesos_v1_Labels, zero: zeromesos_v1_Labels, read: readmesos_v1_Labels, write: writemesos_v1_Labels },
  "mesos.v1.MasterInfo": { make: makemesos_v1_MasterInfo, zero: zeromesos_v1_MasterInfo, read: readmesos_v1_MasterInfo, write: writemesos_v1_MasterInfo },
  "mesos.v1.NetworkInfo": { make: makemesos_v1_NetworkInfo, zero: zeromesos_v1_NetworkInfo, read: readmesos_v1_NetworkInfo, write: writemesos_v1_NetworkInfo },
  "mesos.v1.NetworkInfo.IPAddress": { make: makemesos_v1_NetworkInfo_IPAddress, zero: zeromesos_v1_NetworkInfo_IPAddress, read: readmesos_v1_NetworkInfo_IPAddress, write: writemesos_v1_NetworkInfo_IPAddress },
  "mesos.v1.NetworkInfo.PortMapping": { make: makemesos_v1_NetworkInfo_PortMapping, zero: zeromesos_v1_NetworkInfo_PortMapping, read: readmesos_v1_NetworkInfo_PortMapping, write: writemesos_v1_NetworkInfo_PortMapping },
  "mesos.v1.Offer": { make: makemesos_v1_Offer, zero: zeromesos_v1_Offer, read: readmesos_v1_Offer, write: writemesos_v1_Offer },
  "mesos.v1.Offer.Operation": { make: makemesos_v1_Offer_Operation, zero: zeromesos_v1_Offer_Operation, read: readmesos_v1_Offer_Operation, write: writemesos_v1_Offer_Operation },
  "mesos.v1.Offer.Operation.Launch": { make: makemesos_v1_Offer_Operation_Launch, zero: zeromesos_v1_Offer_Operation_Launch, read: readmesos_v1_Offer_Operation_Launch, write: writemesos_v1_Offer_Operation_Launch },
  "mesos.v1.Offer.Operation.LaunchGroup": { make: makemesos_v1_Offer_Operation_LaunchGroup, zero: zeromesos_v1_Offer_Operation_LaunchGroup, read: readmesos_v1_Offer_Operation_LaunchGroup, write: writemesos_v1_Offer_Operation_LaunchGroup },
  "mesos.v1.OfferFilters": { make: makemesos_v1_OfferFilters, zero: zeromesos_v1_OfferFilters, read: readmesos_v1_OfferFilters, write: writemesos_v1_OfferFilters },
  "mesos.v1.OfferFilters.MinAllocatableResources": { make: makemesos_v1_OfferFilters_MinAllocatableResources, zero: zeromesos_v1_OfferFilters_MinAllocatableResources, read: readmesos_v1_OfferFilters_MinAllocatableResources, write: writemesos_v1_OfferFilters_MinAllocatableResources },
  "mesos.v1.OfferFilters.ResourceQuantities": { make: makemesos_v1_OfferFilters_ResourceQuantities, zero: zeromesos_v1_OfferFilters_ResourceQuantities, read: readmesos_v1_OfferFilters_ResourceQuantities, write: writemesos_v1_OfferFilters_ResourceQuantities },
  "mesos.v1.OfferFilters.ResourceQuantities.QuantitiesEntry": { make: makemesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry, zero: zeromesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry, read: readmesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry, write: writemesos_v1_OfferFilters_ResourceQuantities_QuantitiesEntry },
  "mesos.v1.OfferID": { make: makemesos_v1_OfferID, zero: zeromesos_v1_OfferID, read: readmesos_v1_OfferID, write: writemesos_v1_OfferID },
  "mesos.v1.OperationID": { make: makemesos_v1_OperationID, zero: zeromesos_v1_OperationID, read: readmesos_v1_OperationID, write: writemesos_v1_OperationID },
  "mesos.v1.Parameter": { make: makemesos_v1_Parameter, zero: zeromesos_v1_Parameter, read: readmesos_v1_Parameter, write: writemesos_v1_Parameter },
  "mesos.v1.Parameters": { make: makemesos_v1_Parameters, zero: zeromesos_v1_Parameters, read: readmesos_v1_Parameters, write: writemesos_v1_Parameters },
  "mesos.v1.Port": { make: makemesos_v1_Port, zero: zeromesos_v1_Port, read: readmesos_v1_Port, write: writemesos_v1_Port },
  "mesos.v1.Ports": { make: makemesos_v1_Ports, zero: zeromesos_v1_Ports, read: readmesos_v1_Ports, write: writemesos_v1_Ports },
  "mesos.v1.Request": { make: makemesos_v1_Request, zero: zeromesos_v1_Request, read: readmesos_v1_Request, write: writemesos_v1_Request },
  "mesos.v1.Resource": { make: makemesos_v1_Resource, zero: zeromesos_v1_Resource, read: readmesos_v1_Resource, write: writemesos_v1_Resource },
  "mesos.v1.Resource.AllocationInfo": { make: makemesos_v1_Resource_AllocationInfo, zero: zeromesos_v1_Resource_AllocationInfo, read: readmesos_v1_Resource_AllocationInfo, write: writemesos_v1_Resource_AllocationInfo },
  "mesos.v1.Resource.DiskInfo": { make: makemesos_v1_Resource_DiskInfo, zero: zeromesos_v1_Resource_DiskInfo, read: readmesos_v1_Resource_DiskInfo, write: writemesos_v1_Resource_DiskInfo },
  "mesos.v1.Resource.DiskInfo.Persistence": { make: makemesos_v1_Resource_DiskInfo_Persistence, zero: zeromesos_v1_Resource_DiskInfo_Persistence, read: readmesos_v1_Resource_DiskInfo_Persistence, write: writemesos_v1_Resource_DiskInfo_Persistence },
  "mesos.v1.Resource.ReservationInfo": { make: makemesos_v1_Resource_ReservationInfo, zero: zeromesos_v1_Resource_ReservationInfo, read: readmesos_v1_Resource_ReservationInfo, write: writemesos_v1_Resource_ReservationInfo },
  "mesos.v1.Resource.RevocableInfo": { make: makemesos_v1_Resource_RevocableInfo, zero: zeromesos_v1_Resource_RevocableInfo, read: readmesos_v1_Resource_RevocableInfo, write: writemesos_v1_Resource_RevocableInfo },
  "mesos.v1.Resource.SharedInfo": { make: makemesos_v1_Resource_SharedInfo, zero: zeromesos_v1_Resource_SharedInfo, read: readmesos_v1_Resource_SharedInfo, write: writemesos_v1_Resource_SharedInfo },
  "mesos.v1.Secret": { make: makemesos_v1_Secret, zero: zeromesos_v1_Secret, read: readmesos_v1_Secret, write: writemesos_v1_Secret },
  "mesos.v1.Secret.Reference": { make: makemesos_v1_Secret_Reference, zero: zeromesos_v1_Secret_Reference, read: readmesos_v1_Secret_Reference, write: writemesos_v1_Secret_Reference },
  "mesos.v1.Secret.Value": { make: makemesos_v1_Secret_Value, zero: zeromesos_v1_Secret_Value, read: readmesos_v1_Secret_Value, write: writemesos_v1_Secret_Value },
  "mesos.v1.Task": { make: makemesos_v1_Task, zero: zeromesos_v1_Task, read: readmesos_v1_Task, write: writemesos_v1_Task },
  "mesos.v1.TaskGroupInfo": { make: makemesos_v1_TaskGroupInfo, zero: zeromesos_v1_TaskGroupInfo, read: readmesos_v1_TaskGroupInfo, write: writemesos_v1_TaskGroupInfo },
  "mesos.v1.TaskID": { make: makemesos_v1_TaskID, zero: zeromesos_v1_TaskID, read: readmesos_v1_TaskID, write: writemesos_v1_TaskID },
  "mesos.v1.TaskInfo": { make: makemesos_v1_TaskInfo, zero: zeromesos_v1_TaskInfo, read: readmesos_v1_TaskInfo, write: writemesos_v1_TaskInfo },
  "mesos.v1.TaskInfo.LimitsEntry": { make: makemesos_v1_TaskInfo_LimitsEntry, zero: zeromesos_v1_TaskInfo_LimitsEntry, read: readmesos_v1_TaskInfo_LimitsEntry, write: writemesos_v1_TaskInfo_LimitsEntry },
  "mesos.v1.TaskStatus": { make: makemesos_v1_TaskStatus, zero: zeromesos_v1_TaskStatus, read: readmesos_v1_TaskStatus, write: writemesos_v1_TaskStatus },
  "mesos.v1.TimeInfo": { make: makemesos_v1_TimeInfo, zero: zeromesos_v1_TimeInfo, read: readmesos_v1_TimeInfo, write: writemesos_v1_TimeInfo },
  "mesos.v1.URL": { make: makemesos_v1_URL, zero: zeromesos_v1_URL, read: readmesos_v1_URL, write: writemesos_v1_URL },
  "mesos.v1.Unavailability": { make: makemesos_v1_Unavailability, zero: zeromesos_v1_Unavailability, read: readmesos_v1_Unavailability, write: writemesos_v1_Unavailability },
  "mesos.v1.Value": { make: makemesos_v1_Value, zero: zeromesos_v1_Value, read: readmesos_v1_Value, write: writemesos_v1_Value },
  "mesos.v1.Value.Range": { make: makemesos_v1_Value_Range, zero: zeromesos_v1_Value_Range, read: readmesos_v1_Value_Range, write: writemesos_v1_Value_Range },
  "mesos.v1.Value.Ranges": { make: makemesos_v1_Value_Ranges, zero: zeromesos_v1_Value_Ranges, read: readmesos_v1_Value_Ranges, write: writemesos_v1_Value_Ranges },
  "mesos.v1.Value.Scalar": { make: makemesos_v1_Value_Scalar, zero: zeromesos_v1_Value_Scalar, read: readmesos_v1_Value_Scalar, write: writemesos_v1_Value_Scalar },
  "mesos.v1.Value.Set": { make: makemesos_v1_Value_Set, zero: zeromesos_v1_Value_Set, read: readmesos_v1_Value_Set, write: writemesos_v1_Value_Set },
  "mesos.v1.Value.Text": { make: makemesos_v1_Value_Text, zero: zeromesos_v1_Value_Text, read: readmesos_v1_Value_Text, write: writemesos_v1_Value_Text },
  "mesos.v1.VersionInfo": { make: makemesos_v1_VersionInfo, zero: zeromesos_v1_VersionInfo, read: readmesos_v1_VersionInfo, write: writemesos_v1_VersionInfo },
  "mesos.v1.Volume": { make: makemesos_v1_Volume, zero: zeromesos_v1_Volume, read: readmesos_v1_Volume, write: writemesos_v1_Volume },
  "mesos.v1.executor.Call": { make: makemesos_v1_executor_Call, zero: zeromesos_v1_executor_Call, read: readmesos_v1_executor_Call, write: writemesos_v1_executor_Call },
  "mesos.v1.executor.Call.Message": { make: makemesos_v1_executor_Call_Message, zero: zeromesos_v1_executor_Call_Message, read: readmesos_v1_executor_Call_Message, write: writemesos_v1_executor_Call_Message },
  "mesos.v1.executor.Call.Subscribe": { make: makemesos_v1_executor_Call_Subscribe, zero: zeromesos_v1_executor_Call_Subscribe, read: readmesos_v1_executor_Call_Subscribe, write: writemesos_v1_executor_Call_Subscribe },
  "mesos.v1.executor.Call.Update": { make: makemesos_v1_executor_Call_Update, zero: zeromesos_v1_executor_Call_Update, read: readmesos_v1_executor_Call_Update, write: writemesos_v1_executor_Call_Update },
  "mesos.v1.executor.Event": { make: makemesos_v1_executor_Event, zero: zeromesos_v1_executor_Event, read: readmesos_v1_executor_Event, write: writemesos_v1_executor_Event },
  "mesos.v1.executor.Event.Acknowledged": { make: makemesos_v1_executor_Event_Acknowledged, zero: zeromesos_v1_executor_Event_Acknowledged, read: readmesos_v1_executor_Event_Acknowledged, write: writemesos_v1_executor_Event_Acknowledged },
  "mesos.v1.executor.Event.Error": { make: makemesos_v1_executor_Event_Error, zero: zeromesos_v1_executor_Event_Error, read: readmesos_v1_executor_Event_Error, write: writemesos_v1_executor_Event_Error },
  "mesos.v1.executor.Event.Kill": { make: makemesos_v1_executor_Event_Kill, zero: zeromesos_v1_executor_Event_Kill, read: readmesos_v1_executor_Event_Kill, write: writemesos_v1_executor_Event_Kill },
  "mesos.v1.executor.Event.Launch": { make: makemesos_v1_executor_Event_Launch, zero: zeromesos_v1_executor_Event_Launch, read: readmesos_v1_executor_Event_Launch, write: writemesos_v1_executor_Event_Launch },
  "mesos.v1.executor.Event.LaunchGroup": { make: makemesos_v1_executor_Event_LaunchGroup, zero: zeromesos_v1_executor_Event_LaunchGroup, read: readmesos_v1_executor_Event_LaunchGroup, write: writemesos_v1_executor_Event_LaunchGroup },
  "mesos.v1.executor.Event.Message": { make: makemesos_v1_executor_Event_Message, zero: zeromesos_v1_executor_Event_Message, read: readmesos_v1_executor_Event_Message, write: writemesos_v1_executor_Event_Message },
  "mesos.v1.executor.Event.Subscribed": { make: makemesos_v1_executor_Event_Subscribed, zero: zeromesos_v1_executor_Event_Subscribed, read: readmesos_v1_executor_Event_Subscribed, write: writemesos_v1_executor_Event_Subscribed },
  "mesos.v1.master.Call": { make: makemesos_v1_master_Call, zero: zeromesos_v1_master_Call, read: readmesos_v1_master_Call, write: writemesos_v1_master_Call },
  "mesos.v1.master.Response": { make: makemesos_v1_master_Response, zero: zeromesos_v1_master_Response, read: readmesos_v1_master_Response, write: writemesos_v1_master_Response },
  "mesos.v1.master.Response.GetAgents": { make: makemesos_v1_master_Response_GetAgents, zero: zeromesos_v1_master_Response_GetAgents, read: readmesos_v1_master_Response_GetAgents, write: writemesos_v1_master_Response_GetAgents },
  "mesos.v1.master.Response.GetAgents.Agent": { make: makemesos_v1_master_Response_GetAgents_Agent, zero: zeromesos_v1_master_Response_GetAgents_Agent, read: readmesos_v1_master_Response_GetAgents_Agent, write: writemesos_v1_master_Response_GetAgents_Agent },
  "mesos.v1.master.Response.GetExecutors": { make: makemesos_v1_master_Response_GetExecutors, zero: zeromesos_v1_master_Response_GetExecutors, read: readmesos_v1_master_Response_GetExecutors, write: writemesos_v1_master_Response_GetExecutors },
  "mesos.v1.master.Response.GetExecutors.Executor": { make: makemesos_v1_master_Response_GetExecutors_Executor, zero: zeromesos_v1_master_Response_GetExecutors_Executor, read: readmesos_v1_master_Response_GetExecutors_Executor, write: writemesos_v1_master_Response_GetExecutors_Executor },
  "mesos.v1.master.Response.GetFrameworks": { make: makemesos_v1_master_Response_GetFrameworks, zero: zeromesos_v1_master_Response_GetFrameworks, read: readmesos_v1_master_Response_GetFrameworks, write: writemesos_v1_master_Response_GetFrameworks },
  "mesos.v1.master.Response.GetFrameworks.Framework": { make: makemesos_v1_master_Response_GetFrameworks_Framework, zero: zeromesos_v1_master_Response_GetFrameworks_Framework, read: readmesos_v1_master_Response_GetFrameworks_Framework, write: writemesos_v1_master_Response_GetFrameworks_Framework },
  "mesos.v1.master.Response.GetHealth": { make: makemesos_v1_master_Response_GetHealth, zero: zeromesos_v1_master_Response_GetHealth, read: readmesos_v1_master_Response_GetHealth, write: writemesos_v1_master_Response_GetHealth },
  "mesos.v1.master.Response.GetState": { make: makemesos_v1_master_Response_GetState, zero: zeromesos_v1_master_Response_GetState, read: readmesos_v1_master_Response_GetState, write: writemesos_v1_master_Response_GetState },
  "mesos.v1.master.Response.GetTasks": { make: makemesos_v1_master_Response_GetTasks, zero: zeromesos_v1_master_Response_GetTasks, read: readmesos_v1_master_Response_GetTasks, write: writemesos_v1_master_Response_GetTasks },
  "mesos.v1.master.Response.GetVersion": { make: makemesos_v1_master_Response_GetVersion, zero: zeromesos_v1_master_Response_GetVersion, read: readmesos_v1_master_Response_GetVersion, write: writemesos_v1_master_Response_GetVersion },
  "mesos.v1.scheduler.AttributeConstraint": { make: makemesos_v1_scheduler_AttributeConstraint, zero: zeromesos_v1_scheduler_AttributeConstraint, read: readmesos_v1_scheduler_AttributeConstraint, write: writemesos_v1_scheduler_AttributeConstraint },
  "mesos.v1.scheduler.AttributeConstraint.Predicate": { make: makemesos_v1_scheduler_AttributeConstraint_Predicate, zero: zeromesos_v1_scheduler_AttributeConstraint_Predicate, read: readmesos_v1_scheduler_AttributeConstraint_Predicate, write: writemesos_v1_scheduler_AttributeConstraint_Predicate },
  "mesos.v1.scheduler.AttributeConstraint.Predicate.Exists": { make: makemesos_v1_scheduler_AttributeConstraint_Predicate_Exists, zero: zeromesos_v1_scheduler_AttributeConstraint_Predicate_Exists, read: readmesos_v1_scheduler_AttributeConstraint_Predicate_Exists, write: writemesos_v1_scheduler_AttributeConstraint_Predicate_Exists },
  "mesos.v1.scheduler.AttributeConstraint.Predicate.NotExists": { make: makemesos_v1_scheduler_AttributeConstraint_Predicate_NotExists, zero: zeromesos_v1_scheduler_AttributeConstraint_Predicate_NotExists, read: readmesos_v1_scheduler_AttributeConstraint_Predicate_NotExists, write: writemesos_v1_scheduler_AttributeConstraint_Predicate_NotExists },
  "mesos.v1.scheduler.AttributeConstraint.Predicate.TextEquals": { make: makemesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals, zero: zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals, read: readmesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals, write: writemesos_v1_scheduler_AttributeConstraint_Predicate_TextEquals },
  "mesos.v1.scheduler.AttributeConstraint.Predicate.TextMatches": { make: makemesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches, zero: zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches, read: readmesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches, write: writemesos_v1_scheduler_AttributeConstraint_Predicate_TextMatches },
  "mesos.v1.scheduler.AttributeConstraint.Predicate.TextNotEquals": { make: makemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals, zero: zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals, read: readmesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals, write: writemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotEquals },
  "mesos.v1.scheduler.AttributeConstraint.Predicate.TextNotMatches": { make: makemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches, zero: zeromesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches, read: readmesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches, write: writemesos_v1_scheduler_AttributeConstraint_Predicate_TextNotMatches },
  "mesos.v1.scheduler.AttributeConstraint.Selector": { make: makemesos_v1_scheduler_AttributeConstraint_Selector, zero: zeromesos_v1_scheduler_AttributeConstraint_Selector, read: readmesos_v1_scheduler_AttributeConstraint_Selector, write: writemesos_v1_scheduler_AttributeConstraint_Selector },
  "mesos.v1.scheduler.Call": { make: makemesos_v1_scheduler_Call, zero: zeromesos_v1_scheduler_Call, read: readmesos_v1_scheduler_Call, write: writemesos_v1_scheduler_Call },
  "mesos.v1.scheduler.Call.Accept": { make: makemesos_v1_scheduler_Call_Accept, zero: zeromesos_v1_scheduler_Call_Accept, read: readmesos_v1_scheduler_Call_Accept, write: writemesos_v1_scheduler_Call_Accept },
  "mesos.v1.scheduler.Call.Acknowledge": { make: makemesos_v1_scheduler_Call_Acknowledge, zero: zeromesos_v1_scheduler_Call_Acknowledge, read: readmesos_v1_scheduler_Call_Acknowledge, write: writemesos_v1_scheduler_Call_Acknowledge },
  "mesos.v1.scheduler.Call.Decline": { make: makemesos_v1_scheduler_Call_Decline, zero: zeromesos_v1_scheduler_Call_Decline, read: readmesos_v1_scheduler_Call_Decline, write: writemesos_v1_scheduler_Call_Decline },
  "mesos.v1.scheduler.Call.Kill": { make: makemesos_v1_scheduler_Call_Kill, zero: zeromesos_v1_scheduler_Call_Kill, read: readmesos_v1_scheduler_Call_Kill, write: writemesos_v1_scheduler_Call_Kill },
  "mesos.v1.scheduler.Call.Message": { make: makemesos_v1_scheduler_Call_Message, zero: zeromesos_v1_scheduler_Call_Message, read: readmesos_v1_scheduler_Call_Message, write: writemesos_v1_scheduler_Call_Message },
  "mesos.v1.scheduler.Call.Reconcile": { make: makemesos_v1_scheduler_Call_Reconcile, zero: zeromesos_v1_scheduler_Call_Reconcile, read: readmesos_v1_scheduler_Call_Reconcile, write: writemesos_v1_scheduler_Call_Reconcile },
  "mesos.v1.scheduler.Call.Reconcile.Task": { make: makemesos_v1_scheduler_Call_Reconcile_Task, zero: zeromesos_v1_scheduler_Call_Reconcile_Task, read: readmesos_v1_scheduler_Call_Reconcile_Task, write: writemesos_v1_scheduler_Call_Reconcile_Task },
  "mesos.v1.scheduler.Call.Request": { make: makemesos_v1_scheduler_Call_Request, zero: zeromesos_v1_scheduler_Call_Request, read: readmesos_v1_scheduler_Call_Request, write: writemesos_v1_scheduler_Call_Request },
  "mesos.v1.scheduler.Call.Revive": { make: makemesos_v1_scheduler_Call_Revive, zero: zeromesos_v1_scheduler_Call_Revive, read: readmesos_v1_scheduler_Call_Revive, write: writemesos_v1_scheduler_Call_Revive },
  "mesos.v1.scheduler.Call.Shutdown": { make: makemesos_v1_scheduler_Call_Shutdown, zero: zeromesos_v1_scheduler_Call_Shutdown, read: readmesos_v1_scheduler_Call_Shutdown, write: writemesos_v1_scheduler_Call_Shutdown },
  "mesos.v1.scheduler.Call.Subscribe": { make: makemesos_v1_scheduler_Call_Subscribe, zero: zeromesos_v1_scheduler_Call_Subscribe, read: readmesos_v1_scheduler_Call_Subscribe, write: writemesos_v1_scheduler_Call_Subscribe },
  "mesos.v1.scheduler.Call.Suppress": { make: makemesos_v1_scheduler_Call_Suppress, zero: zeromesos_v1_scheduler_Call_Suppress, read: readmesos_v1_scheduler_Call_Suppress, write: writemesos_v1_scheduler_Call_Suppress },
  "mesos.v1.scheduler.Call.UpdateFramework": { make: makemesos_v1_scheduler_Call_UpdateFramework, zero: zeromesos_v1_scheduler_Call_UpdateFramework, read: readmesos_v1_scheduler_Call_UpdateFramework, write: writemesos_v1_scheduler_Call_UpdateFramework },
  "mesos.v1.scheduler.Event": { make: makemesos_v1_scheduler_Event, zero: zeromesos_v1_scheduler_Event, read: readmesos_v1_scheduler_Event, write: writemesos_v1_scheduler_Event },
  "mesos.v1.scheduler.Event.Error": { make: makemesos_v1_scheduler_Event_Error, zero: zeromesos_v1_scheduler_Event_Error, read: readmesos_v1_scheduler_Event_Error, write: writemesos_v1_scheduler_Event_Error },
  "mesos.v1.scheduler.Event.Failure": { make: makemesos_v1_scheduler_Event_Failure, zero: zeromesos_v1_scheduler_Event_Failure, read: readmesos_v1_scheduler_Event_Failure, write: writemesos_v1_scheduler_Event_Failure },
  "mesos.v1.scheduler.Event.Message": { make: makemesos_v1_scheduler_Event_Message, zero: zeromesos_v1_scheduler_Event_Message, read: readmesos_v1_scheduler_Event_Message, write: writemesos_v1_scheduler_Event_Message },
  "mesos.v1.scheduler.Event.Offers": { make: makemesos_v1_scheduler_Event_Offers, zero: zeromesos_v1_scheduler_Event_Offers, read: readmesos_v1_scheduler_Event_Offers, write: writemesos_v1_scheduler_Event_Offers },
  "mesos.v1.scheduler.Event.Rescind": { make: makemesos_v1_scheduler_Event_Rescind, zero: zeromesos_v1_scheduler_Event_Rescind, read: readmesos_v1_scheduler_Event_Rescind, write: writemesos_v1_scheduler_Event_Rescind },
  "mesos.v1.scheduler.Event.Subscribed": { make: makemesos_v1_scheduler_Event_Subscribed, zero: zeromesos_v1_scheduler_Event_Subscribed, read: readmesos_v1_scheduler_Event_Subscribed, write: writemesos_v1_scheduler_Event_Subscribed },
  "mesos.v1.scheduler.Event.Update": { make: makemesos_v1_scheduler_Event_Update, zero: zeromesos_v1_scheduler_Event_Update, read: readmesos_v1_scheduler_Event_Update, write: writemesos_v1_scheduler_Event_Update },
  "mesos.v1.scheduler.OfferConstraints": { make: makemesos_v1_scheduler_OfferConstraints, zero: zeromesos_v1_scheduler_OfferConstraints, read: readmesos_v1_scheduler_OfferConstraints, write: writemesos_v1_scheduler_OfferConstraints },
  "mesos.v1.scheduler.OfferConstraints.RoleConstraints": { make: makemesos_v1_scheduler_OfferConstraints_RoleConstraints, zero: zeromesos_v1_scheduler_OfferConstraints_RoleConstraints, read: readmesos_v1_scheduler_OfferConstraints_RoleConstraints, write: writemesos_v1_scheduler_OfferConstraints_RoleConstraints },
  "mesos.v1.scheduler.OfferConstraints.RoleConstraints.Group": { make: makemesos_v1_scheduler_OfferConstraints_RoleConstraints_Group, zero: zeromesos_v1_scheduler_OfferConstraints_RoleConstraints_Group, read: readmesos_v1_scheduler_OfferConstraints_RoleConstraints_Group, write: writemesos_v1_scheduler_OfferConstraints_RoleConstraints_Group },
  "mesos.v1.scheduler.OfferConstraints.RoleConstraintsEntry": { make: makemesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry, zero: zeromesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry, read: readmesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry, write: writemesos_v1_scheduler_OfferConstraints_RoleConstraintsEntry },
};
