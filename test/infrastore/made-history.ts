/** A history that is known: jobs that run, fail, wait, are preempted and end, on two machines, with what they use. `scale` makes it large, for the bench. */
import type { Placed, Row } from "../../src/infrastore/tables.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GIB = 2 ** 30;

/** Yesterday at noon, so that "the last day" has something. */
export const beginMs = (nowMs: number): number => nowMs - DAY_MS / 2;

interface Told {
  readonly kind: string;
  readonly subject: string;
  readonly owner: string;
  readonly machine?: string;
  readonly from?: string;
  readonly to?: string;
  readonly cause?: string;
  readonly actor?: string;
  readonly actorKind?: string;
  readonly preemptor?: string;
}

export function eventAt(position: number, timeMs: number, told: Told): Placed {
  const [user, name, index] = told.subject.split("/");
  const job = name === undefined ? null : `${user}/${name}`;
  const row: Row = [
    position,
    1,
    timeMs,
    told.kind,
    told.subject,
    job,
    index === undefined ? null : Number(index),
    index === undefined ? null : `${told.subject}:${position}`,
    told.machine ?? null,
    told.from ?? null,
    told.to ?? null,
    told.cause ?? null,
    told.actor ?? null,
    told.actorKind ?? null,
    told.preemptor ?? null,
    null,
  ];
  return { table: "events", owner: told.owner, timeMs, row };
}

export const usageAt = (startMs: number, job: string, index: number, priority: number, cpu: number): Placed => ({
  table: "usage",
  owner: job.split("/")[0] ?? "",
  timeMs: startMs,
  row: [
    startMs,
    300,
    job,
    index,
    `m${1 + (index % 2)}`,
    priority,
    cpu,
    cpu * 1.5,
    GIB * (0.5 + (index % 5) / 10),
    0.95 * GIB,
    1,
    GIB,
    null,
    null,
  ],
});

/** Of one task of `owner/name`: placed, run, `ends` as it does. */
function lifeOf(owner: string, name: string, fromMs: number, ends: "runs" | "fails" | "preempted" | "waits", position: number): Placed[] {
  const subject = `${owner}/${name}/0`;
  const at = (step: number, told: Omit<Told, "owner" | "subject">): Placed =>
    eventAt(position + step, fromMs + step * 60_000, { owner, subject, ...told });
  const submitted = eventAt(position, fromMs, {
    kind: "job.submitted",
    subject: `${owner}/${name}`,
    owner,
    actor: owner,
    actorKind: "user",
  });
  const added = { ...at(0, { kind: "task.added", actor: owner, actorKind: "user" }) };
  if (ends === "waits") return [submitted, added];
  const placed = at(1, {
    kind: "task.state",
    from: "pending",
    to: "starting",
    cause: "placed",
    machine: "m1",
    actor: "service",
    actorKind: "scheduler",
  });
  const jobRuns = eventAt(position + 1, fromMs + 60_000, {
    kind: "job.state",
    subject: `${owner}/${name}`,
    owner,
    from: "pending",
    to: "running",
  });
  const runs = at(2, { kind: "task.state", from: "starting", to: "running", cause: "started", machine: "m1" });
  const begun = [submitted, added, placed, jobRuns, runs];
  if (ends === "runs") return begun;
  if (ends === "preempted") {
    const cause = { cause: "preemption", machine: "m1", preemptor: "bob/prod/0:9" };
    return [
      ...begun,
      at(3, { kind: "task.state", from: "running", to: "stopping", ...cause }),
      at(4, { kind: "task.state", from: "stopping", to: "pending", ...cause }),
    ];
  }
  const again = [3, 5, 7, 9].flatMap((step) => [
    at(step, { kind: "task.state", from: "running", to: "pending", cause: "failed", machine: "m2" }),
    at(step + 1, {
      kind: "task.state",
      from: "pending",
      to: "starting",
      cause: "placed",
      machine: "m2",
      actor: "batch-0",
      actorKind: "scheduler",
    }),
  ]);
  return [
    ...begun,
    ...again,
    at(11, { kind: "task.state", from: "running", to: "dead", cause: "lost", machine: "m2" }),
    eventAt(position + 11, fromMs + 11 * 60_000, { kind: "job.state", subject: `${owner}/${name}`, owner, from: "running", to: "dead" }),
  ];
}

const jobAt = (position: number, timeMs: number, job: string, priority: number): Placed => ({
  table: "jobs",
  owner: job.split("/")[0] ?? "",
  timeMs,
  row: [position, timeMs, job, "job", priority, 1, timeMs, 0, false, false, 1, GIB, GIB, null],
});

export function madeHistory(nowMs: number): readonly Placed[] {
  const from = beginMs(nowMs);
  const jobs = [
    ["ann", "web", 200, "runs"],
    ["ann", "odd", 100, "fails"],
    ["ann", "batch", 100, "preempted"],
    ["bob", "prod", 200, "runs"],
    ["bob", "later", 0, "waits"],
  ] as const;
  const machine = (name: string, position: number): Placed[] => [
    eventAt(position, from, { kind: "machine.joined", subject: name, owner: "_cell" }),
    { table: "machines", owner: "_cell", timeMs: from, row: [position, from, name, true, false, 8, 32 * GIB, 100 * GIB, null, null] },
  ];
  const quota = (position: number, cpu: number): Placed => ({
    table: "quota",
    owner: "ann",
    timeMs: from,
    row: [position, from, "ann", "production", cpu, GIB, GIB, false, null],
  });
  return [
    ...machine("m1", 1),
    ...machine("m2", 2),
    quota(3, 4),
    quota(4, 8),
    ...jobs.flatMap(([owner, name, priority, ends], i) => [
      jobAt(100 * (i + 1), from, `${owner}/${name}`, priority),
      ...lifeOf(owner, name, from, ends, 100 * (i + 1)),
    ]),
    ...[0, 1, 2, 3].flatMap((i) => [
      usageAt(from + i * 300_000, "ann/web", 0, 200, 0.25),
      usageAt(from + i * 300_000, "bob/prod", 0, 200, 0.5),
    ]),
  ];
}
