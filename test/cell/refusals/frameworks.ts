import { apply } from "../../../src/cell/cell.ts";
import { frameworkId } from "../../../src/cell/framework.ts";
import { masterOp } from "../../../src/cell/op.ts";
import { ROLES_MAX } from "../../../src/cell/ops/roles.ts";
import { make } from "../../../src/wire/codec.ts";
import { GetFrameworkRequestSchema } from "../../../src/wire/gen/borg/v1/api_pb.ts";
import { FrameworkRoleSchema } from "../../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../../src/wire/gen/borg/v1/resource_pb.ts";
import { AttackedCell } from "../../attack/desk.ts";
import { GI, limit, type OpBody, type World } from "../world.ts";
import { asks, cell, commands, crowded, type Group, row, unchecked } from "./row.ts";

const FW = "ubar/fw";
const subscribes = (more: object = {}, id = "", session = 1): OpBody => ({
  case: "frameworkSubscribe",
  value: { spec: { user: "ubar", name: "fw", role: "*", priority: 100, failoverMs: 1000, ...more }, id, session },
});
const isThere = (world: World): unknown => world.must(world.user("ubar", subscribes()));
const idOf = (world: World): string => frameworkId(world.state.jobs.get(FW as never)!);
const task = (more: object = {}) => ({ command: ["work"], limit: limit(1000, GI), ...more });
const launchBody = (launches: readonly object[], session = 1): OpBody =>
  ({
    case: "frameworkLaunch",
    value: { framework: FW, session, launches: launches.map((each, i) => ({ taskId: `t${i}`, machine: "m1", task: task(), ...each })) },
  }) as OpBody;

/** What is said of the last launch. */
function lastSaid(world: World, launches: readonly object[], prepare: (world: World) => unknown = () => {}): string {
  isThere(world);
  prepare(world);
  const outcome = apply(world.state, world.user("ubar", launchBody(launches)));
  const answer = outcome.ok && outcome.answer.type === "launches" ? outcome.answer.launches.at(-1) : undefined;
  return answer === undefined ? (outcome.ok ? "ok" : outcome.reason) : answer.ok ? "ok" : answer.reason;
}

const launching =
  (launches: readonly object[], prepare: (world: World) => unknown = () => {}) =>
  (): string =>
    lastSaid(cell(), launches, prepare);

const led = (world: World) => world.state.jobs.get(FW as never)!.led!;

const tornDown = (world: World): unknown => [isThere(world), world.must(world.user("ubar", { case: "jobKill", value: { job: FW } }))];
const stopping = (world: World): unknown => [
  isThere(world),
  world.must(world.user("ubar", launchBody([{}]))),
  world.must(world.user("ubar", { case: "jobKill", value: { job: FW } })),
];
const ends: OpBody = { case: "frameworkTeardown", value: { framework: FW } };
const gone = (world: World): unknown => [
  isThere(world),
  world.must(masterOp({ case: "frameworkDisconnect", value: { framework: FW, session: 1 } })),
];
/** Half of the cell for role `eng`, which has a framework. */
const guaranteed = (world: World): unknown => [
  world.must(world.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.PRODUCTION, quota: { limit: limit(1000, GI) } } })),
  world.must(world.user("admin", { case: "roleSet", value: { role: { name: "eng", weight: 1, guarantee: { cpuMilli: 2000 } } } })),
  world.must(world.user("ubar", subscribes({ name: "needy", role: "eng" }))),
];
const placed = (world: World): string[] => [...world.state.machines.values()].flatMap(({ place }) => [...place.occupants.keys()]).sort();
const revokes =
  (prepare: (world: World) => unknown, role = "eng") =>
  (): string => {
    const world = cell();
    prepare(world);
    const instances = placed(world);
    return world.say(
      masterOp({ case: "frameworkRevoke", value: { role, instances: instances.length === 0 ? ["ubar/x/0:1"] : instances } }),
    );
  };
const launches = (name: string, more: object = {}): OpBody => ({
  case: "frameworkLaunch",
  value: { framework: `ubar/${name}`, session: 1, launches: [{ taskId: "t", machine: "m1", task: task(more) }] } as never,
});
const runsAt = (world: World, priority: number): unknown => [world.submit("borg", { priority }), world.claim("ubar/borg/0", "m1")];

const roleBody = (more: object = {}): OpBody => ({ case: "roleSet", value: { role: { name: "eng", weight: 2, ...more } } });

function manyRoles(): string {
  const world = cell();
  for (let i = 0; i < ROLES_MAX; i++) world.state.roles.set(`r${i}`, make(FrameworkRoleSchema, { name: `r${i}`, weight: 1 }));
  return crowded(world, world.user("admin", roleBody()));
}

const looks = (): string => {
  const answer = new AttackedCell().call("getFramework", "ann", make(GetFrameworkRequestSchema, { framework: "ann/none" }));
  return answer.type === "failed" ? answer.reason : "ok";
};

const FRAMEWORKS: Group = {
  title: "Frameworks",
  rows: [
    row(
      "framework.early",
      "a framework, in a cell of version 5",
      asks("ubar", () => subscribes(), undefined, 5),
    ),
    row("framework.none", "a framework without a spec", () =>
      unchecked((world) => ({
        ...world.user("admin", subscribes()),
        body: { case: "frameworkSubscribe", value: { id: "", session: 1 } as never },
      })),
    ),
    row(
      "framework.taken",
      "a new one under the name of one that lives",
      asks("ubar", () => subscribes({}, "", 2), isThere),
    ),
    row(
      "framework.stopping",
      "a new one under the name of one whose tasks still stop",
      asks("ubar", () => subscribes({}, "", 2), stopping),
    ),
    row(
      "framework.unknown",
      "to lead one that is not there",
      asks("ubar", () => subscribes({}, "ubar.fw.7")),
    ),
    row(
      "framework.no-framework",
      "to lead a job",
      asks(
        "ubar",
        () => subscribes({ name: "web" }, "ubar.web.7"),
        (world) => world.submit("web"),
      ),
    ),
    row(
      "framework.torn-down",
      "to lead one that was torn down",
      asks("ubar", () => subscribes({}, "ubar.fw.7"), tornDown),
    ),
    row(
      "framework.other",
      "to lead one by the id of another before it",
      asks("ubar", (world) => subscribes({}, `${idOf(world)}0`), isThere),
    ),
    row(
      "framework.fixed",
      "to lead one in another role",
      asks("ubar", (world) => subscribes({ role: "eng" }, idOf(world)), isThere),
    ),
    row(
      "framework.foreign",
      "to lead one of another user",
      asks("ann", (world) => subscribes({ user: "ann" }, idOf(world)), isThere),
    ),
    row(
      "framework.session",
      "a launch of a scheduler that leads no longer",
      asks("ubar", () => launchBody([{}], 9), isThere),
    ),
    row("framework.has-scheduler", "the master, to end one that has a scheduler", commands(ends, isThere)),
    row("framework.waits", "the master, to end one before its failover timeout", commands(ends, gone)),
    row(
      "framework.restart",
      "a restart of a framework",
      asks("ubar", () => ({ case: "jobRestart", value: { job: FW, tasks: [] } }), isThere),
    ),
    row(
      "framework.resize",
      "another size for a framework",
      asks("ubar", () => ({ case: "jobResize", value: { job: FW, count: 2 } }), isThere),
    ),
    row(
      "revocation.no-framework",
      "a revocation for a role without a framework",
      revokes(() => {}, "nobody"),
    ),
    row(
      "revocation.enough",
      "a revocation for a role that has its guarantee",
      revokes((world) => [isThere(world), world.must(world.user("ubar", launchBody([{}])))], "*"),
    ),
    row(
      "revocation.priority",
      "a revocation of a Borg task of the same priority",
      revokes((world) => [guaranteed(world), runsAt(world, 100)]),
    ),
    row(
      "revocation.own",
      "a revocation of a task of the role itself",
      revokes((world) => [guaranteed(world), world.must(world.user("ubar", launches("needy")))]),
    ),
    row(
      "revocation.prod",
      "a revocation of a prod task of a framework",
      revokes((world) => [
        guaranteed(world),
        world.must(world.user("ubar", subscribes({ priority: 200 }))),
        world.must(world.user("ubar", launches("fw"))),
      ]),
    ),
    row(
      "revocation.guarantee",
      "a revocation of a task of a role that would fall below its guarantee",
      revokes((world) => [
        guaranteed(world),
        world.must(world.user("admin", { case: "roleSet", value: { role: { name: "*", weight: 1, guarantee: { cpuMilli: 1000 } } } })),
        isThere(world),
        world.must(world.user("ubar", launches("fw"))),
      ]),
    ),
    row("framework.not-found", "to look at one that is not there", looks),
    row(
      "role.early",
      "a role, in a cell of version 5",
      asks("admin", () => roleBody(), undefined, 5),
    ),
    row("role.none", "a role without a name", () =>
      unchecked((world) => ({ ...world.user("admin", roleBody()), body: { case: "roleSet", value: { role: undefined } as never } })),
    ),
    row(
      "role.name",
      "a role with a blank in its name",
      asks("admin", () => roleBody({ name: "a b" })),
    ),
    row(
      "role.guarantee",
      "a guarantee beside prod quota for the whole cell",
      asks("admin", () => roleBody({ guarantee: { cpuMilli: 1 } })),
    ),
    row(
      "role.users",
      "a framework in a role of others",
      asks(
        "ubar",
        () => subscribes({ role: "eng" }),
        (world) => world.must(world.user("admin", roleBody({ users: ["ann"] }))),
      ),
    ),
    row("role.most", "one role too many", manyRoles),
  ],
};

const LAUNCHES: Group = {
  title: "Launches",
  next: "A framework hears of each launch by itself: `lost` where another machine or a later time may help, `error` where the launch itself has to change.",
  rows: [
    row("launch.id-long", "a task id of 256 bytes", launching([{ taskId: "é".repeat(128) }])),
    row("launch.id-used", "the task id of a task that lives", launching([{ taskId: "a" }, { taskId: "a" }])),
    row("launch.ports-count", "two numbers for one port", launching([{ task: task({ ports: ["http"] }), ports: [20001, 20002] }])),
    row("launch.port-twice", "one number for two ports", launching([{ task: task({ ports: ["a", "b"] }), ports: [20001, 20001] }])),
    row("launch.port-range", "a port that the machine does not give out", launching([{ task: task({ ports: ["http"] }), ports: [80] }])),
    row(
      "launch.port-held",
      "a port that another task holds",
      launching([
        { task: task({ ports: ["http"] }), ports: [20001] },
        { task: task({ ports: ["http"] }), ports: [20001] },
      ]),
    ),
    row(
      "launch.group",
      "a task whose group cannot be launched",
      launching([
        { machine: "m2", group: 1, task: task({ limit: limit(9000, GI) }) },
        { taskId: "b", group: 1 },
      ]),
    ),
    row(
      "launch.unacknowledged",
      "a task more, with 10,000 that are over and not acknowledged",
      launching([{}], (world) => {
        led(world).unacknowledged = 10_000;
      }),
    ),
    row(
      "launch.uncountable",
      "more than numbers can hold",
      launching([{ task: task({ limit: { cpuMilli: 1 } }) }], (world) => {
        const job = world.state.jobs.get(FW as never)!;
        job.charge = { ...job.charge, cpu: Number.MAX_SAFE_INTEGER };
      }),
    ),
    row(
      "launch.most",
      "a task more than a framework may have",
      launching([{ task: task({ limit: { cpuMilli: 1 } }) }], (world) => {
        const job = world.state.jobs.get(FW as never)!;
        led(world).freeFrom = 100_000;
        job.tasks.length = 100_000;
      }),
    ),
    row("executor.early", "an executor, in a cell of version 6", () => lastSaid(cell(6), [{ task: task({ executor: { id: "e" } }) }])),
    row("executor.none", "a task inside an executor that it does not name", launching([{ inside: true }])),
    row(
      "executor.missing",
      "a task inside an executor that is not there",
      launching([{ inside: true, task: task({ executor: { id: "e" } }) }]),
    ),
    row(
      "executor.twice",
      "a second executor of one name on a machine",
      launching([{ task: task({ executor: { id: "e" } }) }, { taskId: "b", task: task({ executor: { id: "e" } }) }]),
    ),
    row(
      "executor.refused",
      "a task inside an executor that came with it and was refused",
      launching([
        { task: task({ executor: { id: "e" }, limit: limit(9000, GI) }) },
        { taskId: "b", inside: true, task: task({ executor: { id: "e" } }) },
      ]),
    ),
    row("executor.job", "a job with an executor", () => cell().submit("web", { task: task({ executor: { id: "e" } }) } as never)),
    row(
      "launch.offers",
      "a launch, without limits for scheduler offers",
      launching([{}], (world) => world.state.schedulers.delete("offers")),
    ),
  ],
};

export const FRAMEWORK_GROUPS: readonly Group[] = [FRAMEWORKS, LAUNCHES];
