import { masterOp } from "../../../src/cell/op.ts";
import { Phase } from "../../../src/wire/gen/borg/v1/machine_pb.ts";
import { AfterFailure, AppClass, CheckKind, Operator, SchedulingMode, Spread } from "../../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI, jobSpec, limit, type World } from "../world.ts";
import { asks, cell, type Group, kill, row, running, submits, unchecked } from "./row.ts";

const check = (more: object): { path: string; port: string } => ({ path: "/", port: "http", ...more });
const dead = (world: World): unknown => kill(running(world));
/** Dead, and its machines have said that nothing is left. */
const gone = (world: World): void => {
  dead(world);
  for (const i of [0, 1, 2]) {
    const { instance } = world.task(`ubar/web/${i}`);
    if (instance !== undefined) world.report(instance.place.machine.id, { instance: instance.id, phase: Phase.GONE });
  }
};
const twice = [
  { key: "app", value: "a" },
  { key: "app", value: "b" },
];
const gpus = { extras: [{ name: "gpu", amount: 1 }, { name: "gpu", amount: 2 }] }; // biome-ignore format: one line
const digest = "a".repeat(64);

const SPECS: Group = {
  title: "What a job asks for",
  rows: [
    row("spec.none", "a submit without a job", () => unchecked((world) => world.user("admin", { case: "jobSubmit", value: {} }))),
    row("spec.count", "a job of no tasks", submits("web", { count: 0 })),
    row("spec.per-machine-count", "one task per machine, and a count", submits("web", { perMachine: true, count: 2 })),
    row("spec.per-machine-allocs", "one task per machine, in an alloc set", submits("web", { perMachine: true, allocSet: "ubar/aset" })),
    row(
      "spec.per-machine-overrides",
      "one task per machine, one of them special",
      submits("web", { perMachine: true, overrides: [{ first: 0, last: 0 }] }),
    ),
    row("spec.after-failure", "what to do when a job fails, and no such job", submits("web", { afterFailure: AfterFailure.WAIT })),
    row(
      "spec.after-failure-early",
      "what to do when a job fails, in a cell of version 6",
      submits("late", { startAfter: "ubar/web", afterFailure: AfterFailure.WAIT }, running, 6),
    ),
    row(
      "spec.after-failed",
      "a job that fails with another, which has failed",
      submits("late", { startAfter: "ubar/web", afterFailure: AfterFailure.FAIL }, dead),
    ),
    row("spec.own-end", "a job that starts after itself", submits("web", { startAfter: "ubar/web" })),
    row(
      "spec.spread-per-machine",
      "one task per machine, no two in a rack",
      submits("web", { perMachine: true, count: 0, spread: Spread.RACK }),
    ),
    row("spec.spread-tasks", "more tasks than there are power domains anywhere", submits("web", { count: 2001, spread: Spread.POWER })),
    row(
      "spec.exit-twice",
      "an exit code that is final and as good as 0",
      submits("web", { restart: { fatalExits: [64, 3], okExits: [3] } }),
    ),
    row(
      "spec.early-exits",
      "exit codes that are final, in a cell of version 7",
      submits("web", { restart: { fatalExits: [64] } }, () => {}, 7),
    ),
    row(
      "spec.early-spread",
      "spread over racks, in a cell of version 6",
      submits("web", { spread: Spread.RACK }, () => {}, 6),
    ),
    row(
      "spec.beside-twice",
      "two limits on one job",
      submits("web", {
        beside: [
          { job: "ubar/a", max: 1 },
          { job: "ubar/a", max: 2 },
        ],
      }),
    ),
    row("spec.beside-self", "a limit on itself", submits("web", { beside: [{ job: "ubar/web", max: 1 }] })),
    row(
      "spec.early-beside",
      "a limit on another job, in a cell of version 6",
      submits("web", { beside: [{ job: "ubar/a", max: 1 }] }, () => {}, 6),
    ),
    row(
      "spec.early-pace",
      "a pace for drains, in a cell of version 7",
      submits("web", { drainEveryMs: 1000 }, () => {}, 7),
    ),
    row("spec.port-twice", "two ports of one name", submits("web", { task: { ports: ["http", "http"] } })),
    row("spec.cores-class", "whole cores for a batch task", submits("web", { task: { wholeCores: true } })),
    row(
      "spec.cores-whole",
      "one and a half whole cores",
      submits("web", { appClass: AppClass.LATENCY_SENSITIVE, task: { wholeCores: true, limit: limit(1500, GI) } }),
    ),
    row("spec.ready-grace", "a readiness check with a grace", submits("web", { task: { ports: ["http"], ready: check({ graceMs: 5 }) } })),
    row("spec.check-command", "a check that runs no command", submits("web", { task: { health: { kind: CheckKind.COMMAND } } })),
    row(
      "spec.check-both",
      "a check that runs a command at a port",
      submits("web", { task: { ports: ["http"], health: check({ kind: CheckKind.COMMAND, command: ["true"] }) } }),
    ),
    row(
      "spec.check-port-command",
      "a check by HTTP with a command",
      submits("web", { task: { ports: ["http"], health: check({ command: ["true"] }) } }),
    ),
    row(
      "spec.check-tcp-path",
      "a check by TCP with a path",
      submits("web", { task: { ports: ["http"], health: check({ kind: CheckKind.TCP }) } }),
    ),
    row("spec.check-port", "a check of a port that the task has not", submits("web", { task: { ports: ["rpc"], health: check({}) } })),
    row("spec.label-twice", "one label, two values", submits("web", { labels: twice })),
    row("spec.resource-twice", "one resource, two amounts", submits("web", { task: { limit: { cpuMilli: 1, ...gpus } } })),
    row("spec.gang", "a gang of 1001 tasks", submits("web", { mode: SchedulingMode.GANG, count: 1001 })),
    row("spec.override", "an override of tasks that the job has not", submits("web", { count: 2, overrides: [{ first: 1, last: 2 }] })),
    row(
      "spec.constraint",
      "a constraint with two values where one is meant",
      submits("web", { constraints: [{ attribute: "arch", operator: Operator.EQUAL, values: ["a", "b"] }] }),
    ),
    row(
      "spec.uncountable",
      "more than numbers can hold",
      submits("web", { count: 100_000, task: { limit: { cpuMilli: 1, ramBytes: 2 ** 50 } } }),
    ),
    row("spec.secrets", "secrets", submits("web", { task: { secrets: [{ name: "key", path: "/key" }] } })),
    row("spec.slack-memory", "memory beyond the limit", submits("web", { task: { slackRam: true } })),
    row("spec.reclamation", "reservations that stay at the limit", submits("web", { disableReclamation: true })),
    row(
      "spec.volumes",
      "a volume, below cell version 2",
      submits("web", { task: { volumes: [{ name: "srv" }] } }, () => {}, 1),
    ),
    row("spec.start-after", "a job that starts after one that is not there", submits("web", { startAfter: "ubar/none" })),
    row("spec.alloc-set", "a job in an alloc set that is not there", submits("web", { allocSet: "ubar/none" })),
    row(
      "spec.tenant",
      "a job in another user's alloc set",
      asks(
        "ann",
        () => ({ case: "jobSubmit", value: { spec: { ...jobSpec("web", { allocSet: "ubar/aset" }), user: "ann" } } }),
        (world) => world.submitAllocs("aset"),
      ),
    ),
    row(
      "spec.inside-priority",
      "a job above its alloc set",
      submits("web", { allocSet: "ubar/aset", priority: 200 }, (world) => world.submitAllocs("aset")),
    ),
    row("spec.package-hash", "a package without its hash", submits("web", { task: { packages: [{ name: "web", version: "latest" }] } })),
    row("spec.package-none", "a package that is not there", submits("web", { task: { packages: [{ name: "web", version: digest }] } })),
    row(
      "spec.package-place",
      "a package where the cell's own files are",
      submits("web", { task: { packages: [{ name: "web", version: digest, path: "/borg/x" }] } }, withPackage),
    ),
    row(
      "spec.package-file",
      "a file inside a package",
      submits("web", { task: { packages: [{ name: "web", version: digest, path: "/srv" }], files: [{ path: "/srv/a" }] } }, withPackage),
    ),
    row(
      "spec.package-overlap",
      "one package inside another",
      submits(
        "web",
        {
          task: {
            packages: [
              { name: "web", version: digest, path: "/srv" },
              { name: "web", version: digest, path: "/srv/a" },
            ],
          },
        },
        withPackage,
      ),
    ),
    row(
      "spec.early-checks",
      "readiness, in a cell of version 2",
      submits("web", { task: { ports: ["http"], ready: check({}) } }, () => {}, 2),
    ),
    row(
      "spec.early-labels",
      "labels of single tasks, in a cell of version 3",
      submits("web", { overrides: [{ first: 0, last: 0, labels: [{ key: "a", value: "b" }] }] }, () => {}, 3),
    ),
    row(
      "spec.early-cpu",
      "a task held to its cpu, in a cell of version 7",
      submits("web", { task: { holdCpu: true } }, () => {}, 7),
    ),
    row(
      "spec.early-cores",
      "whole cores, in a cell of version 3",
      submits("web", { appClass: AppClass.LATENCY_SENSITIVE, task: { wholeCores: true } }, () => {}, 3),
    ),
  ],
};

function withPackage(world: World): void {
  world.must(world.user("ubar", { case: "packageAdd", value: { user: "ubar", name: "web", digest, bytes: 1 } }));
}

const ALLOC_SETS: Group = {
  title: "What an alloc set asks for",
  rows: [
    row("allocs.count", "a set of no allocs", () => cell().submitAllocs("aset", { count: 0 })),
    row("allocs.early-spread", "spread over racks, in a cell of version 6", () => cell(6).submitAllocs("aset", { spread: Spread.RACK })),
    row("allocs.early-tenants", "tenants, in a cell of version 3", () => cell(3).submitAllocs("aset", { tenants: ["ann"] })),
    row("allocs.stranger", "a set again, without the tenant whose job waits for it", () => {
      const world = cell();
      world.submitAllocs("aset", { tenants: ["ann"] });
      world.must(world.user("ann", { case: "jobSubmit", value: { spec: { ...jobSpec("web", { allocSet: "ubar/aset" }), user: "ann" } } }));
      kill(world, "ubar/aset");
      return world.submitAllocs("aset");
    }),
  ],
};

const JOBS: Group = {
  title: "What is done to a job",
  rows: [
    row(
      "job.unknown",
      "a kill of a job that is not there",
      asks("ubar", () => ({ case: "jobKill", value: { job: "ubar/none" } })),
    ),
    row("job.differs", "the name of a living job for another", submits("web", { priority: 7 }, running)),
    row("job.kind", "the name of a living job for an alloc set", () => running(cell()).submitAllocs("web")),
    row(
      "job.dead",
      "a restart of a dead job",
      asks("ubar", () => ({ case: "jobRestart", value: { job: "ubar/web" } }), dead),
    ),
    row(
      "job.no-task",
      "a restart of task 7 of 3",
      asks("ubar", () => ({ case: "jobRestart", value: { job: "ubar/web", tasks: [7] } }), running),
    ),
    row(
      "job.resize-per-machine",
      "another size for one task per machine",
      asks(
        "ubar",
        () => ({ case: "jobResize", value: { job: "ubar/web", count: 9 } }),
        (world) => world.submit("web", { perMachine: true }),
      ),
    ),
    row(
      "job.resize-none",
      "a job of no tasks",
      asks("ubar", () => ({ case: "jobResize", value: { job: "ubar/web", count: 0 } }), running),
    ),
    row(
      "job.resize-overrides",
      "fewer tasks than have overrides",
      asks(
        "ubar",
        () => ({ case: "jobResize", value: { job: "ubar/web", count: 2 } }),
        (world) => world.submit("web", { count: 3, overrides: [{ first: 2, last: 2, arguments: ["x"] }] }),
      ),
    ),
    row(
      "job.forget-living",
      "to forget a living job",
      asks("ubar", () => ({ case: "jobForget", value: { job: "ubar/web" } }), running),
    ),
    row(
      "job.forget-stopping",
      "to forget a job that still stops",
      asks("ubar", () => ({ case: "jobForget", value: { job: "ubar/web" } }), dead),
    ),
    row(
      "job.forget-inside",
      "to forget an alloc set that a job waits for",
      asks(
        "ubar",
        () => ({ case: "jobForget", value: { job: "ubar/aset" } }),
        (world) => {
          world.submitAllocs("aset");
          world.submit("web", { allocSet: "ubar/aset" });
          kill(world, "ubar/aset");
        },
      ),
    ),
    row(
      "job.forget-early",
      "to forget a dead job, in a cell of version 1",
      asks("ubar", () => ({ case: "jobForget", value: { job: "ubar/web" } }), gone, 1),
    ),
    row(
      "job.shell-gone",
      "a shell in an instance that has gone",
      asks("ubar", () => ({ case: "shellOpen", value: { instance: "ubar/web/0:99" } }), running),
    ),
    row(
      "job.shell-alloc",
      "a shell in an alloc",
      asks(
        "ubar",
        (world) => ({ case: "shellOpen", value: { instance: world.instance("ubar/aset/0") } }),
        (world) => {
          world.submitAllocs("aset");
          world.claim("ubar/aset/0", "m1");
        },
      ),
    ),
    row(
      "job.shell-starting",
      "a shell in a task that does not run yet",
      asks(
        "ubar",
        (world) => ({ case: "shellOpen", value: { instance: world.instance("ubar/web/0") } }),
        (world) => {
          world.submit("web");
          world.claim("ubar/web/0", "m1");
        },
      ),
    ),
    row("request.other-kind", "a request id that stood for something else", () => {
      const world = cell();
      world.must(world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec("web") } }, "once"));
      return world.say(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }, "once"));
    }),
    row("request.other-values", "a request id that stood for other values", () => {
      const world = cell();
      const submit = (priority: number, byte: number) => ({
        ...world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec("web", { priority }) } }, "once"),
        requestDigest: new Uint8Array(16).fill(byte),
      });
      world.must(submit(0, 1));
      return world.say(submit(7, 2));
    }),
    row("job.stopping-deadline", "the master, to end tasks at their deadline, in a cell of version 1", () =>
      cell(1).say(masterOp({ case: "taskExpire", value: { tasks: ["ubar/web/0"] } })),
    ),
  ],
};

export const JOB_GROUPS: readonly Group[] = [SPECS, ALLOC_SETS, JOBS];
