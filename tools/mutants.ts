/** Planted bugs: the simulation's own first, then those of each room. Each row says who has to notice; the same seeds and suites are clean without it. */
import { ALLOC_BUGS } from "./mutants/allocs.ts";
import { API_BUGS } from "./mutants/api.ts";
import { BORGLET_BUGS } from "./mutants/borglet.ts";
import { BORGMASTER_BUGS } from "./mutants/borgmaster.ts";
import { CELL_BUGS } from "./mutants/cell.ts";
import { CLAIM_BUGS } from "./mutants/claims.ts";
import { CONTROLLER_BUGS } from "./mutants/controllers.ts";
import { EDGE_BUGS } from "./mutants/edge.ts";
import { ETCD_BUGS } from "./mutants/etcd.ts";
import { EXECUTOR_BUGS } from "./mutants/executors.ts";
import { FRAMEWORK_BUGS } from "./mutants/frameworks.ts";
import { IMAGE_BUGS } from "./mutants/images.ts";
import { INFRASTORE_BUGS } from "./mutants/infrastore.ts";
import { ISOLATION_BUGS } from "./mutants/isolation.ts";
import { JOURNAL_BUGS } from "./mutants/journals.ts";
import { LABEL_BUGS } from "./mutants/labels.ts";
import { MASTER_BUGS } from "./mutants/masters.ts";
import { MESOS_BUGS } from "./mutants/mesos.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { NAME_BUGS } from "./mutants/names.ts";
import { OFFER_BUGS } from "./mutants/offers.ts";
import { PACKAGE_BUGS } from "./mutants/packages.ts";
import { REPORT_BUGS } from "./mutants/reports.ts";
import { SCHEDULER_BUGS } from "./mutants/scheduler.ts";
import { SECRET_BUGS } from "./mutants/secrets.ts";
import { SHARD_BUGS } from "./mutants/shards.ts";
import { SHELL_BUGS } from "./mutants/shells.ts";
import { START_AFTER_BUGS } from "./mutants/start-after.ts";
import { STORE_BUGS } from "./mutants/store.ts";
import { STRANGER_BUGS } from "./mutants/strangers.ts";
import { TIME_BUGS } from "./mutants/time.ts";
import { UPDATE_BUGS } from "./mutants/updates.ts";
import { VIEW_BUGS } from "./mutants/views.ts";
import { VOLUME_BUGS } from "./mutants/volumes.ts";

export const SEEDS_MAX = 300;

/** Anything that an acknowledged change which is no longer there may break first. */
const LOST = ["KD5", "KD1", "KD2", "KD3", "KD4", "KL1", "KT3", "throw"];

export const MUTANTS: readonly Mutant[] = [
  {
    name: "acknowledge before sync",
    file: "src/store/log/writer.ts",
    text: "this.#write(batch);\n    this.#disk.sync(this.#active.file);",
    replacement: "this.#write(batch);",
    caughtBy: LOST,
  },
  {
    name: "no fencing",
    file: "src/store/memory-store.ts",
    text: "if (term !== this.#term || term === 0) return `Term ${term} is not the log's term ${this.#term}`;\n    if (position !== this.last + 1) return `Position ${position} is not the next one, ${this.last + 1}`;\n    this.#entries.push({ position, term,",
    replacement: "this.#entries.push({ position: this.last + 1, term,",
    caughtBy: LOST,
  },
  {
    name: "effect before durability",
    file: "src/borgmaster/pipeline.ts",
    text: "this.#journal.append(this.#term, this.#flight.position, payload.slice());",
    replacement:
      "this.#journal.append(this.#term, this.#flight.position, payload.slice());\n    this.#host.committed(this.#flight);\n    this.#last = this.#flight.position;\n    this.#flight = undefined;",
    caughtBy: LOST,
  },
  {
    name: "unknown append taken for done",
    file: "src/borgmaster/pipeline.ts",
    text: "if (found === undefined && flight.again) {",
    replacement: "if (found === undefined) {\n      this.#landed(flight);\n    } else if (found === undefined && flight.again) {",
    caughtBy: LOST,
  },
  {
    name: "new leader does not read to the end",
    file: "src/borgmaster/master.ts",
    text: "if (this.#state.position < this.#target) return this.#journal.read",
    replacement: "if (this.#state.position < this.#target - 1) return this.#journal.read",
    caughtBy: LOST,
  },
  {
    // A copy is not current because it exists: a standby's, or a deposed leader's, has an old state.
    name: "stale read",
    file: "src/borgmaster/api.ts",
    text: 'if (call.stale || method.kind === "master") this',
    replacement: "if (method.kind.length > 0) this",
    caughtBy: ["KD3"],
  },
  {
    // The pre-check against the applied state: a standby or a deposed leader has an old one (docs/decisions/0005).
    name: "refused before the journal",
    file: "src/borgmaster/api.ts",
    text: 'open.late = () => this.#fail(open, "unknown", `${LATE}: ${SAME_ID}`);',
    replacement:
      'if (op.body.case === "jobKill" && !this.#copy.state.jobs.has(op.body.value.job as never))\n      return this.#fail(open, "not-found", `Job "${op.body.value.job}" does not exist`);\n    open.late = () => this.#fail(open, "unknown", `${LATE}: ${SAME_ID}`);',
    caughtBy: ["KD3"],
  },
  {
    name: "stale claim accepted",
    file: "src/cell/ops/arbiter.ts",
    text: "if (task.incarnation !== claim.incarnation) return",
    replacement: "if (task.incarnation < 0) return",
    caughtBy: ["KS1", "KT1", "KT2"],
  },
  {
    name: "claim on a machine that is gone",
    file: "src/cell/ops/arbiter.ts",
    text: "if (!machine.reachable) return",
    replacement: "if (machine.sequence < 0) return",
    caughtBy: ["KS1"],
  },
  {
    name: "back-off ignored",
    file: "src/cell/ops/arbiter.ts",
    text: "if (task.notBeforeMs > this.#state.timeMs) return",
    replacement: "if (task.notBeforeMs < 0) return",
    caughtBy: ["KP4"],
  },
  {
    name: "quota not looked at",
    file: "src/cell/ops/quota.ts",
    text: "if (missing === undefined) return undefined;\n  const { dimension, amount } = missing;\n  const [asked, beside, granted]",
    replacement:
      "if (missing === undefined || user.roles.size > 0) return undefined;\n  const { dimension, amount } = missing;\n  const [asked, beside, granted]",
    caughtBy: ["KR3"],
  },
  {
    name: "duplicate not stopped",
    file: "src/borgmaster/link/comparison.ts",
    text: "for (const id of told) if (!wanted.has(id as InstanceId)) stops.push(stopOrder(id, 0));",
    replacement: "",
    caughtBy: ["KT3", "KT2"],
  },
  {
    name: "request ids not remembered",
    file: "src/cell/ops/requests.ts",
    text: "requests.set(op.requestId,",
    replacement: "new Map(requests).set(op.requestId,",
    caughtBy: ["KD3"],
  },
  {
    name: "stale order obeyed",
    file: "src/borglet/borglet.ts",
    text: "if (isStale(memory, poll)) {",
    replacement: "if (isStale(memory, poll) && poll.term < 0) {",
    caughtBy: ["KL2"],
  },
  {
    name: "term not persisted",
    file: "src/borglet/unsaved.ts",
    text: "this.#term ? [termRecord(memory)] : []",
    replacement: "this.#term ? [] : []",
    caughtBy: ["KL2"],
  },
  {
    name: "checksum ignored",
    file: "src/store/log/record.ts",
    text: "seedAt(seed, fileOffset)) !== chain) return undefined;",
    replacement: "seedAt(seed, fileOffset)) < 0) return undefined;",
    caughtBy: LOST,
  },
  {
    name: "ports given twice",
    file: "src/cell/place.ts",
    text: "if (!held.has(port)) taken.push(port);",
    replacement: "taken.push(port);",
    caughtBy: ["KR2"],
  },
  {
    name: "preemption inside production",
    file: "src/cell/band.ts",
    text: "return !isProd(victim.priority) || bandOf(victim.priority) !== bandOf(priority);",
    replacement: "return true;",
    suite: "test/cell/claims.test.ts",
  },
  {
    name: "lost counted twice",
    file: "src/cell/ops/lifecycle.ts",
    text: "job.placed += Number(isPlaced(state)) - Number(isPlaced(task.state));",
    replacement: 'job.placed += Number(isPlaced(state)) - Number(isPlaced(task.state)) * (cause === "lost" ? 2 : 1);',
    caughtBy: ["KT4"],
  },
  {
    name: "feed gap",
    file: "src/borgmaster/feed.ts",
    text: "for (const reader of this.#readers) this.#env.send",
    replacement: "if (item.position % 13 !== 0) for (const reader of this.#readers) this.#env.send",
    caughtBy: ["KT3", "KT2", "KS3", "KS6", "throw"],
  },
  {
    name: "reschedule storm",
    file: "src/borgmaster/reach.ts",
    text: "this.#tokens -= 1;",
    replacement: "this.#tokens -= 0;",
    caughtBy: ["KP3"],
  },
  {
    name: "freeze ignored",
    file: "src/borgmaster/reach.ts",
    text: "if (this.#env.now() - this.#frozenMs < this.#options.thawMs) {",
    replacement: "if (this.#env.now() < 0) {",
    caughtBy: ["KP3"],
  },
  {
    name: "stopping instance claimable",
    file: "src/cell/ops/arbiter.ts",
    text: 'if (task.state === "stopping") return `Task "${task.id}" still has an instance that stops`;\n    if (task.state !== "pending" ||',
    replacement: 'if ((task.state !== "pending" && task.state !== "stopping") ||',
    caughtBy: ["KT1", "KT4", "KS1", "throw"],
  },
  {
    name: "difference sent once only",
    file: "src/borgmaster/link.ts",
    text: "const news = differences(this.#desired.on(link.machine), report)",
    replacement:
      "const now = JSON.stringify(report.instances);\n    const same = (link as { told?: string }).told === now;\n    (link as { told?: string }).told = now;\n    const news = (same ? [] : differences(this.#desired.on(link.machine), report))",
    caughtBy: ["KT3", "KS3"],
  },
  {
    name: "snapshot of the wrong position",
    file: "src/borgmaster/follower.ts",
    text: "payload: encodeCheckpoint(this.#state, this.#newHash).bytes",
    replacement: "payload: encodeCheckpoint({ ...this.#state, position: this.#state.position + 1 }, this.#newHash).bytes",
    caughtBy: [...LOST, "KT1", "KS3"],
  },
  {
    name: "follower skips an op",
    file: "src/borgmaster/follower.ts",
    text: "else applyEntry(this.#state, position, entry.value);",
    replacement: "else applyEntry(this.#state, position, { ...entry.value, ops: entry.value.ops.slice(0, 3) });",
    caughtBy: ["KD4"],
  },
  {
    name: "reservation below use",
    file: "src/borgmaster/estimator.ts",
    text: "return target >= before[name] ? target : before[name] - (before[name] - target) * share;",
    replacement: "return target >= before[name] ? before[name] : before[name] - (before[name] - target / 3) * share;",
    caughtBy: ["R2"],
  },
  {
    name: "unneeded victim evicted",
    file: "src/cell/ops/arbiter.ts",
    text: "if (this.#problem(wish, fewer) === undefined) needed = fewer;",
    replacement: "if (fewer.length < 0) needed = fewer;",
    caughtBy: ["KP1"],
  },
  {
    name: "gang half applied",
    file: "src/cell/ops/claims.ts",
    text: "if (op.allOrNothing && first >= 0)",
    replacement: "if (op.allOrNothing && first < -1)",
    caughtBy: ["KS1"],
  },
  {
    name: "give-up of a returned machine",
    file: "src/borgmaster/link.ts",
    text: 'if (!machine.reachable) ops.push(masterOp({ case: "machineMark", value: { machine: link.machine, reachable: true } }));',
    replacement: "",
    caughtBy: ["KT2", "KS3"],
  },
  {
    name: "time running back",
    file: "src/cell/cell.ts",
    text: "state.timeMs = Math.max(state.timeMs, entry.timeMs);",
    replacement: "state.timeMs = entry.timeMs;",
    suite: "test/cell/users.test.ts",
  },
  {
    name: "killed task comes back",
    file: "src/cell/task.ts",
    text: 'kill: "ending",\n    lost: "pending",\n    lostForGood: "dead",\n    // It ended',
    replacement: 'lost: "pending",\n    lostForGood: "dead",\n    // It ended',
    caughtBy: ["KD2", "KD3", "KT4", "KS3"],
  },
  {
    name: "alloc goes, its tasks stay",
    file: "src/cell/ops/lifecycle.ts",
    text: "if (instance.inside !== undefined) stopInside(turn, instance, stop);",
    replacement: "",
    caughtBy: ["KR4", "KT3", "KS3"],
  },
  ...JOURNAL_BUGS,
  ...MASTER_BUGS,
  ...SHARD_BUGS,
  ...MESOS_BUGS,
  ...API_BUGS,
  ...BORGLET_BUGS,
  ...TIME_BUGS,
  ...CELL_BUGS,
  ...NAME_BUGS,
  ...OFFER_BUGS,
  ...PACKAGE_BUGS,
  ...FRAMEWORK_BUGS,
  ...EXECUTOR_BUGS,
  ...IMAGE_BUGS,
  ...CLAIM_BUGS,
  ...SCHEDULER_BUGS,
  ...BORGMASTER_BUGS,
  ...STORE_BUGS,
  ...EDGE_BUGS,
  ...STRANGER_BUGS,
  ...ETCD_BUGS,
  ...UPDATE_BUGS,
  ...SECRET_BUGS,
  ...LABEL_BUGS,
  ...START_AFTER_BUGS,
  ...CONTROLLER_BUGS,
  ...VIEW_BUGS,
  ...VOLUME_BUGS,
  ...SHELL_BUGS,
  ...REPORT_BUGS,
  ...INFRASTORE_BUGS,
  ...ISOLATION_BUGS,
  ...ALLOC_BUGS,
];
