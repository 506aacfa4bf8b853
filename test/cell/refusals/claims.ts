import { masterOp, schedulerOp } from "../../../src/cell/op.ts";
import { Phase } from "../../../src/wire/gen/borg/v1/machine_pb.ts";
import { Operator, Spread } from "../../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI, type JobWish, limit, type World } from "../world.ts";
import { asks, cell, type Group, row, running } from "./row.ts";

/** Job `ubar/new` is there, and its first task is claimed. */
const claims =
  (wish: JobWish = {}, prepare: (world: World) => unknown = () => {}, place = "m1", victims: (world: World) => string[] = () => []) =>
  () => {
    const world = cell();
    prepare(world);
    world.submit("new", wish);
    return world.claim("ubar/new/0", place, victims(world));
  };

const limited = (limits: object) => () => {
  const world = running(cell());
  world.must(world.user("admin", { case: "schedulerSet", value: { name: "mine", limits: { priorityMax: 450, ...limits } } }));
  world.submit("other");
  world.claim("ubar/other/0", "m2", [], "mine");
  world.submit("new", { priority: 50 });
  return world.claim("ubar/new/0", "m2", [], "mine");
};
const HALF = { task: { limit: limit(3000, GI) } };
const inAllocs = (world: World): void => {
  world.submitAllocs("aset");
  world.claim("ubar/aset/0", "m1");
};

/** Machine `g1` has four gpus in units, parts of which are taken. */
const withGpus =
  (asked: number, taken: readonly number[] = []) =>
  () => {
    const world = cell();
    const gpus = { capacity: { extras: [{ name: "gpu-milli", amount: 4000 }] }, devices: [{ name: "gpu-milli", unit: 1000 }] };
    world.machine("g1", 4000, 8 * GI, gpus);
    const wish = (amount: number) => ({ task: { limit: { ...limit(100, GI), extras: [{ name: "gpu-milli", amount }] } } });
    for (const [i, amount] of taken.entries()) {
      world.submit(`old${i}`, wish(amount));
      world.claim(`ubar/old${i}/0`, "g1");
    }
    world.submit("new", wish(asked));
    return world.claim("ubar/new/0", "g1");
  };

const CLAIMS: Group = {
  title: "A scheduler's claims",
  next: "The scheduler looks again at its next pass; `borg why` says what a task waits for.",
  rows: [
    row("claim.scheduler", "claims of a scheduler that is not known", () =>
      cell().say(schedulerOp("none", { case: "taskClaims", value: { claims: [{ task: "ubar/web/0", place: "m1" }] } })),
    ),
    row("claim.all", "all or nothing, and one cannot be", () => {
      const world = running(cell());
      return world.say(
        schedulerOp("service", { case: "taskClaims", value: { allOrNothing: true, claims: [world.claimOf("ubar/web/0", "m1")] } }),
      );
    }),
    row("claim.task", "a task that is not there", () => {
      const world = cell();
      const answer = world.must(schedulerOp("service", { case: "taskClaims", value: { claims: [{ task: "ubar/new/7", place: "m1" }] } }));
      return answer.type === "claims" && answer.claims[0]?.ok === false ? answer.claims[0].reason : "ok";
    }),
    row("claim.stopping", "a task that still stops", () => {
      const world = running(cell());
      world.must(world.user("ubar", { case: "jobRestart", value: { job: "ubar/web", tasks: [0] } }));
      return world.claim("ubar/web/0", "m1");
    }),
    row("claim.unit-part", "a part of a device, and each has less left", withGpus(500, [600, 600, 600, 600])),
    row("claim.unit-whole", "whole devices, and parts of them are in use", withGpus(2000, [600, 600, 600])),
    row("claim.unit-odd", "neither a part of a device nor whole ones", withGpus(1500)),
    row("claim.not-pending", "a task that runs", () => running(cell()).claim("ubar/web/0", "m1")),
    row("claim.incarnation", "a task as it was before", () => {
      const world = cell();
      world.submit("new");
      const answer = world.must(
        schedulerOp("service", { case: "taskClaims", value: { claims: [{ ...world.claimOf("ubar/new/0", "m1"), incarnation: 77 }] } }),
      );
      return answer.type === "claims" && answer.claims[0]?.ok === false ? answer.claims[0].reason : "ok";
    }),
    row("claim.held", "a task whose job waits for another", claims({ startAfter: "ubar/web" }, running)),
    row("claim.back-off", "a task that failed just now", () => {
      const world = running(cell());
      world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.FAILED, exitCode: 3 });
      return world.claim("ubar/web/0", "m2");
    }),
    row(
      "claim.place",
      "a machine that is not there",
      claims({}, () => {}, "m9"),
    ),
    row(
      "claim.unreachable",
      "a machine that does not answer",
      claims({}, (world) => world.must(masterOp({ case: "machineMark", value: { machine: "m1", reachable: false } }))),
    ),
    row(
      "claim.draining",
      "a machine that is drained",
      claims({}, (world) => world.must(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining: true } }))),
    ),
    row(
      "claim.over",
      "a machine that lost half its memory",
      claims({}, (world) => {
        world.submit("big", { task: { limit: limit(1000, 8 * GI) } });
        world.claim("ubar/big/0", "m1");
        world.must(
          masterOp({
            case: "machineFacts",
            value: { machine: "m1", facts: { capacity: { cpuMilli: 4000, ramBytes: 4 * GI }, portFirst: 20000, portLast: 20009 } },
          }),
        );
      }),
    ),
    row("claim.seen", "a machine that changed, where that matters", () => {
      const world = cell();
      world.must(world.user("admin", { case: "schedulerSet", value: { name: "mine", limits: { priorityMax: 450, coarse: true } } }));
      world.submit("new");
      const answer = world.must(
        schedulerOp("mine", { case: "taskClaims", value: { claims: [{ ...world.claimOf("ubar/new/0", "m1"), seen: 99 }] } }),
      );
      return answer.type === "claims" && answer.claims[0]?.ok === false ? answer.claims[0].reason : "ok";
    }),
    row(
      "claim.victim-elsewhere",
      "a victim that is on another machine",
      claims({ priority: 9 }, running, "m2", (world) => [world.instance("ubar/web/0")]),
    ),
    row(
      "claim.victim-stops",
      "a victim that stops already",
      claims(
        { priority: 9 },
        (world) => {
          running(world);
          world.must(world.user("ubar", { case: "jobRestart", value: { job: "ubar/web", tasks: [0] } }));
        },
        "m1",
        (world) => [world.instance("ubar/web/0")],
      ),
    ),
    row(
      "claim.victim-priority",
      "a victim of the same priority",
      claims({}, running, "m1", (world) => [world.instance("ubar/web/0")]),
    ),
    row("claim.priority", "a priority that is not the scheduler's", limited({ priorityMax: 9 })),
    row("claim.cap", "more than the scheduler's cap", limited({ cap: { cpuMilli: 1500, ramBytes: 9 * GI } })),
    row("claim.jobs", "a job more than the scheduler may have", limited({ jobsMax: 1 })),
    row(
      "claim.constraint",
      "a machine without the attribute",
      claims({ constraints: [{ attribute: "arch", operator: Operator.EQUAL, values: ["x64"] }] }),
    ),
    row("claim.spread", "a second task on one machine where each wants its own", () => {
      const world = cell();
      world.submit("new", { count: 2, spread: Spread.HARD });
      world.claim("ubar/new/0", "m1");
      return world.claim("ubar/new/1", "m1");
    }),
    row("claim.no-rack", "a machine that names no rack, where each task wants one of its own", () => {
      const world = cell().upgraded();
      world.submit("new", { spread: Spread.RACK });
      return world.claim("ubar/new/0", "m1");
    }),
    row("claim.rack", "a second task in one rack where each wants its own", () => {
      const world = cell().upgraded();
      for (const name of ["m8", "m9"]) world.machine(name, 4000, 8 * GI, { rack: "r1" });
      world.submit("new", { count: 2, spread: Spread.RACK });
      world.claim("ubar/new/0", "m8");
      return world.claim("ubar/new/1", "m9");
    }),
    row("claim.beside", "beside more of another job than it wants", () => {
      const world = cell().upgraded();
      world.submit("mill");
      world.submit("new", { beside: [{ job: "ubar/mill", max: 0 }] });
      world.claim("ubar/mill/0", "m1");
      return world.claim("ubar/new/0", "m1");
    }),
    row("claim.limited", "beside a job that wants no more of it", () => {
      const world = cell().upgraded();
      world.submit("mill", { beside: [{ job: "ubar/new", max: 0 }] });
      world.submit("new");
      world.claim("ubar/mill/0", "m1");
      return world.claim("ubar/new/0", "m1");
    }),
    row("claim.limits", "prod where the limits of prod are taken", () => {
      const world = cell();
      for (const name of ["web", "new"]) world.submit(name, { ...HALF, priority: 200 });
      world.claim("ubar/web/0", "m1");
      return world.claim("ubar/new/0", "m1");
    }),
    row(
      "claim.reservations",
      "a machine that is full",
      claims(HALF, (world) => running(world, { count: 3, task: { limit: limit(2000, GI) } })),
    ),
    row("claim.ports", "more ports than are free", () => {
      const world = cell();
      const ports = Array.from({ length: 8 }, (_, i) => `p${i}`);
      for (const name of ["web", "new"]) world.submit(name, { task: { ports, limit: limit(100, GI) } });
      world.claim("ubar/web/0", "m1");
      return world.claim("ubar/new/0", "m1");
    }),
    row("claim.ports-held", "ports that a victim still holds", () => {
      const world = cell();
      const ports = Array.from({ length: 8 }, (_, i) => `p${i}`);
      for (const [name, priority] of [
        ["web", 0],
        ["new", 9],
      ] as const)
        world.submit(name, { priority, task: { ports, limit: limit(100, GI) } });
      world.claim("ubar/web/0", "m1");
      return world.claim("ubar/new/0", "m1", [world.instance("ubar/web/0")]);
    }),
    row("claim.not-in-set", "an alloc for a task that runs on machines", () => {
      const world = cell();
      inAllocs(world);
      world.submit("new");
      return world.claim("ubar/new/0", world.instance("ubar/aset/0"));
    }),
    row("claim.only-in-set", "a machine for a task that runs in allocs", claims({ allocSet: "ubar/aset" }, inAllocs)),
    row(
      "claim.pinned",
      "another machine than the task's own",
      claims({ perMachine: true }, () => {}, "m2"),
    ),
    row("claim.kill", "a kill by a scheduler", () =>
      running(cell()).say(schedulerOp("service", { case: "jobKill", value: { job: "ubar/web" } })),
    ),
    row(
      "claim.user",
      "claims by a user",
      asks("ubar", () => ({ case: "taskClaims", value: { claims: [{ task: "ubar/web/0", place: "m1" }] } })),
    ),
  ],
};

export const CLAIM_GROUPS: readonly Group[] = [CLAIMS];
