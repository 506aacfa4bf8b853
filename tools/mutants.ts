/** Planted bugs. Each must be caught by the simulation within SEEDS_MAX seeds, by one of the invariants named, while the same seeds without it are clean. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
  /** Invariants that may catch it; "throw" is an assertion of our own. */
  readonly caughtBy: readonly string[];
}

export const SEEDS_MAX = 300;

/** Anything that an acknowledged change which is no longer there may break first. */
const LOST = ["KD5", "KD1", "KD2", "KD3", "KD4", "KL1", "KT3", "throw"];

export const MUTANTS: readonly Mutant[] = [
  {
    name: "acknowledge before sync",
    file: "src/store/log-writer.ts",
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
    text: 'payload, ops, state: "sent", again: false };\n    this.#journal.append(this.#term, this.#flight.position, payload.slice());',
    replacement:
      'payload, ops, state: "sent", again: false };\n    this.#journal.append(this.#term, this.#flight.position, payload.slice());\n    this.#host.committed(this.#flight.position, payload, ops);\n    this.#last = this.#flight.position;\n    this.#flight = undefined;',
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
    name: "stale read",
    file: "src/borgmaster/master.ts",
    text: 'if (message.type === "read-job") {',
    replacement:
      'if (message.type === "read-job") {\n      this.#env.send(from, answerRead(this.#state, message.id, message.job));\n      return;',
    caughtBy: ["KD3"],
  },
  {
    // The pre-check against the applied state: a deposed leader has an old one (docs/decisions/0005).
    name: "refused before the journal",
    file: "src/borgmaster/master.ts",
    text: "const problem = admissionProblem(message.op);",
    replacement:
      'const { body } = message.op;\n    const there = body.case !== "jobKill" || this.#state.jobs.has(body.value.job as never);\n    const problem = admissionProblem(message.op) ?? (there ? undefined : `Job "${(body.value as { job: string }).job}" does not exist`);',
    caughtBy: ["KD3"],
  },
  {
    name: "stale claim accepted",
    file: "src/cell/judge.ts",
    text: "if (task.incarnation !== claim.incarnation) return",
    replacement: "if (task.incarnation < 0) return",
    caughtBy: ["KS1", "KT1", "KT2"],
  },
  {
    name: "claim on a machine that is gone",
    file: "src/cell/judge.ts",
    text: "if (!machine.reachable) return",
    replacement: "if (machine.sequence < 0) return",
    caughtBy: ["KS1"],
  },
  {
    name: "back-off ignored",
    file: "src/cell/judge.ts",
    text: "if (task.notBeforeMs > this.#state.timeMs) return",
    replacement: "if (task.notBeforeMs < 0) return",
    caughtBy: ["KP4"],
  },
  {
    name: "quota not looked at",
    file: "src/cell/quota.ts",
    text: "if (missing === undefined) return undefined;\n  return refused(`User",
    replacement: "if (missing === undefined || user.roles.size > 0) return undefined;\n  return refused(`User",
    caughtBy: ["KR3"],
  },
  {
    name: "duplicate not stopped",
    file: "src/borgmaster/comparison.ts",
    text: "for (const id of told) if (!wanted.has(id as InstanceId)) stops.push(stopOrder(id, 0));",
    replacement: "",
    caughtBy: ["KT3", "KT2"],
  },
  {
    name: "request ids not remembered",
    file: "src/cell/requests.ts",
    text: "requests.set(op.requestId,",
    replacement: "new Map(requests).set(op.requestId,",
    caughtBy: ["KD3"],
  },
  {
    name: "stale order obeyed",
    file: "src/fauxmaster/borglet.ts",
    text: "if (isOld) {",
    replacement: "if (isOld && poll.term < 0) {",
    caughtBy: ["KL2", "KT2", "KT3"],
  },
  {
    name: "term not persisted",
    file: "src/fauxmaster/borglet.ts",
    text: "  start(): void {\n",
    replacement: "  start(): void {\n    this.#machine.memory.term = 0;\n    this.#machine.memory.sequence = 0;\n",
    caughtBy: ["KL2"],
  },
  {
    name: "checksum ignored",
    file: "src/store/log-record.ts",
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
    caughtBy: ["KP1"],
  },
  {
    name: "lost counted twice",
    file: "src/cell/lifecycle.ts",
    text: "job.placed += Number(isPlaced(state)) - Number(isPlaced(task.state));",
    replacement: 'job.placed += Number(isPlaced(state)) - Number(isPlaced(task.state)) * (cause === "lost" ? 2 : 1);',
    caughtBy: ["KT4"],
  },
  {
    name: "feed gap",
    file: "src/borgmaster/feed.ts",
    text: "for (const reader of this.#readers) this.#env.send",
    replacement: "if (item.position % 13 !== 0) for (const reader of this.#readers) this.#env.send",
    caughtBy: ["KT3", "KT2", "KS3", "throw"],
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
    file: "src/cell/judge.ts",
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
    text: "payload: encodeCheckpoint(this.#state).bytes",
    replacement: "payload: encodeCheckpoint({ ...this.#state, position: this.#state.position + 1 }).bytes",
    caughtBy: [...LOST, "KT1"],
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
    file: "src/cell/judge.ts",
    text: "if (this.#problem(wish, fewer) === undefined) needed = fewer;",
    replacement: "if (fewer.length < 0) needed = fewer;",
    caughtBy: ["KP1"],
  },
  {
    name: "gang half applied",
    file: "src/cell/claims.ts",
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
    caughtBy: ["KD4"],
  },
  {
    name: "killed task comes back",
    file: "src/cell/task.ts",
    text: 'kill: to("ending"),\n    lost: to("pending", "stop", "enqueue"),',
    replacement: 'lost: to("pending", "stop", "enqueue"),',
    caughtBy: ["KD2", "KD3", "KT4", "KS3"],
  },
  {
    name: "alloc goes, its tasks stay",
    file: "src/cell/lifecycle.ts",
    text: "if (instance.inside !== undefined) stopInside(turn, instance, stop);",
    replacement: "",
    caughtBy: ["KR4", "KT3", "KS3"],
  },
];
