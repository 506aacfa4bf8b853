import { apply, newState } from "../../../src/cell/cell.ts";
import { masterOp, type Op, schedulerOp } from "../../../src/cell/op.ts";
import { INVITATIONS_MAX } from "../../../src/cell/ops/invitations.ts";
import { MACHINES_MAX } from "../../../src/cell/ops/machines.ts";
import { versionProblem } from "../../../src/cell/ops/table.ts";
import { TOKENS_MAX } from "../../../src/cell/ops/tokens.ts";
import { Capability, Cause, Reclamation } from "../../../src/wire/gen/borg/v1/op_pb.ts";
import { GI, limit, type OpBody, World } from "../world.ts";
import { asks, cell, commands, crowded, type Group, kill, row, running, unchecked } from "./row.ts";

const hash = (i: number): string => i.toString(16).padStart(12, "0").padEnd(64, "0");
const token = (more: object = {}): OpBody => ({ case: "tokenSet", value: { user: "ubar", hash: hash(1), ...more } }) as OpBody;

const gpus = (amount: number, ...devices: { name: string; unit: number }[]) => ({
  capacity: { extras: [{ name: "gpu-milli", amount }] },
  devices,
});
const units = (...devices: { name: string; unit: number }[]) =>
  commands({ case: "machineJoin", value: { machine: "g1", facts: gpus(2000, ...devices) } });

const links = (term: number, epoch: number, ...replicas: string[]): OpBody => ({
  case: "linkPartition",
  value: { term, epoch, shards: replicas.map((replica) => ({ replica, life: "l" })) },
});

const PEOPLE: Group = {
  title: "People and their tokens",
  rows: [
    row(
      "user.may-not",
      "to kill another user's job",
      asks("ann", () => ({ case: "jobKill", value: { job: "ubar/web" } }), running),
    ),
    row(
      "user.may-not-admin",
      "to drain a machine, as no admin",
      asks("ann", () => ({ case: "machineDrain", value: { machine: "m1", draining: true } })),
    ),
    row(
      "user.last-admin",
      "to take the last admin's role away",
      asks("admin", () => ({ case: "userGrant", value: { user: "admin", roles: [] } })),
    ),
    row(
      "user.host-mount",
      "to grant the capability host-mount",
      asks("admin", () => ({ case: "userGrant", value: { user: "ann", capabilities: [Capability.HOST_MOUNT] } })),
    ),
    row(
      "user.unknown",
      "a job for nobody",
      asks("admin", () => ({ case: "jobSubmit", value: { spec: { user: "zed", name: "web", count: 1, task: { command: ["x"] } } } })),
    ),
    row(
      "token.hash",
      "a token, and not its hash",
      asks("admin", () => token({ hash: "secret" })),
    ),
    row(
      "token.ended",
      "a token until yesterday",
      asks("admin", () => token({ untilMs: 1 })),
    ),
    row(
      "token.most",
      "a token more than a user may have",
      asks(
        "admin",
        () => token({ hash: hash(99) }),
        (world) => {
          for (let i = 0; i < TOKENS_MAX; i++) world.must(world.user("admin", token({ hash: hash(i) })));
        },
      ),
    ),
    row(
      "token.twice",
      "the same token again",
      asks(
        "admin",
        () => token(),
        (world) => world.must(world.user("admin", token({ user: "ann" }))),
      ),
    ),
    row(
      "token.none",
      "to revoke a token that is not there",
      asks("admin", () => ({ case: "tokenRevoke", value: { user: "ubar", id: "0123" } })),
    ),
  ],
};

const KEY = "a".repeat(64);
const facts = (more: object = {}) => ({ capacity: { cpuMilli: 1000, ramBytes: GI }, ...more });
const join = (more: object, key = "", machine = "m1"): OpBody => ({ case: "machineJoin", value: { machine, key, facts: facts(more) } });
const approve = (more: object = {}, machine = "far"): OpBody =>
  ({ case: "machineApprove", value: { machine, approval: { capacity: limit(1000, GI), key: KEY }, ...more } }) as OpBody;
const keyless = { approval: { capacity: limit(1000, GI) } };
/** Machine `far` came from elsewhere. */
const far = (world: World): void => {
  world.must(world.user("admin", approve()));
  world.must(masterOp(join({}, KEY, "far")));
};

const MACHINES: Group = {
  title: "Machines",
  rows: [
    row(
      "machine.unknown",
      "to drain a machine that is not there",
      asks("admin", () => ({ case: "machineDrain", value: { machine: "m9", draining: true } })),
    ),
    row(
      "machine.busy",
      "to remove a machine that has tasks",
      asks("admin", () => ({ case: "machineLeave", value: { machine: "m1" } }), running),
    ),
    row("machine.facts", "a machine that says nothing of itself", () =>
      unchecked(() => masterOp({ case: "machineJoin", value: { machine: "m3" } })),
    ),
    row("machine.ports", "a range of ports that ends before it begins", commands(join({ portFirst: 9, portLast: 3 }))),
    row("machine.port-0", "a range of ports that begins at 0", commands(join({ portFirst: 0, portLast: 3 }))),
    row("machine.units", "units that are not all of the extra", units({ name: "gpu-milli", unit: 300 })),
    row("machine.units-many", "more units than a machine has", units({ name: "gpu-milli", unit: 1 })),
    row("machine.units-twice", "units of one name twice", units({ name: "gpu-milli", unit: 500 }, { name: "gpu-milli", unit: 1000 })),
    row("machine.unit-held", "facts without a unit that a task has", () => {
      const world = cell().machine("g1", 4000, 8 * GI, gpus(2000, { name: "gpu-milli", unit: 1000 }));
      world.submit("web", { task: { limit: { cpuMilli: 1, ramBytes: 1, extras: [{ name: "gpu-milli", amount: 2000 }] } } });
      world.claim("ubar/web/0", "g1");
      const value = { machine: "g1", facts: { portFirst: 20000, portLast: 20009, ...gpus(1000, { name: "gpu-milli", unit: 1000 }) } };
      return world.say(world.master({ case: "machineFacts", value }));
    }),
    row(
      "machine.port-held",
      "a range without a port that a task holds",
      commands(join({ portFirst: 1, portLast: 2 }), (world) => running(world, { task: { ports: ["http"] } })),
    ),
    row("machine.most", "a machine more than a cell holds", () => {
      const world = cell();
      for (let i = 0; i < MACHINES_MAX; i++) world.state.machines.set(`x${i}` as never, undefined as never);
      return crowded(world, masterOp(join({}, "", "m3")));
    }),
    row("machine.from-elsewhere", "a machine of the cell with the name of one from elsewhere", commands(join({}, "", "far"), far)),
    row("machine.other-key", "a machine from elsewhere, with another key", commands(join({}, "b".repeat(64), "far"), far)),
    row("machine.not-approved", "a machine from elsewhere that nobody approved", commands(join({}, KEY, "far"))),
    row(
      "approval.early",
      "an approval, in a cell of version 2",
      asks(
        "admin",
        () => approve(),
        () => {},
        2,
      ),
    ),
    row("approval.capacity", "an approval of nothing", () => unchecked((world) => world.user("admin", approve({ approval: undefined })))),
    row(
      "approval.key",
      "an approval of a key, and not its hash",
      asks("admin", () => approve({ approval: { capacity: limit(1, GI), key: "k" } })),
    ),
    row(
      "approval.token",
      "an invitation with a token, and not its hash",
      asks("admin", () => approve({ ...keyless, tokenHash: "secret" })),
    ),
    row(
      "approval.both",
      "an approval of a key, and a token",
      asks("admin", () => approve({ tokenHash: KEY })),
    ),
    row(
      "approval.ended",
      "an approval until yesterday",
      asks("admin", () => approve({ untilMs: 1 })),
    ),
    row(
      "approval.unknown",
      "an approval without a key of a machine that is not known",
      asks("admin", () => approve(keyless)),
    ),
    row(
      "approval.own",
      "an approval of one of the cell's own machines",
      asks("admin", () => approve({}, "m1")),
    ),
    row(
      "approval.in-cell",
      "an invitation of a machine that is there",
      asks("admin", () => approve({ ...keyless, tokenHash: KEY }), far),
    ),
    row("approval.most", "an invitation more than there may be", () => {
      const world = cell();
      for (let i = 0; i < INVITATIONS_MAX; i++)
        world.state.invitations.set(`x${i}` as never, { machine: `x${i}` as never, approval: {} as never, tokenHash: "", untilMs: 0 });
      return crowded(world, world.user("admin", approve()));
    }),
    row(
      "enroll.key",
      "a machine that joins with a key, and not its hash",
      commands({ case: "machineEnroll", value: { machine: "far", tokenHash: KEY, key: "k" } }),
    ),
    row(
      "enroll.token",
      "a machine that joins with a token of nobody",
      commands({ case: "machineEnroll", value: { machine: "far", tokenHash: KEY, key: KEY } }),
    ),
  ],
};

const evict = (cause: Cause, instances: string[] = []): OpBody => ({ case: "taskEvict", value: { cause, instances } });
const reserve = (world: World, ramBytes: number): string =>
  world.say(
    masterOp({
      case: "reservations",
      value: { machine: "m1", reservations: [{ instance: world.instance("ubar/web/0"), amount: { ramBytes } }] },
    }),
  );

const CELL: Group = {
  title: "The cell itself",
  next: "Nobody is asked to do anything: the master or an older one asked, and looks again.",
  rows: [
    row("cell.no-actor", "an op of nobody", () =>
      crowded(cell(), { ...masterOp({ case: "barrier", value: {} }), actor: undefined } as unknown as Op),
    ),
    row("cell.unknown-op", "an op of a newer build", () =>
      crowded(cell(), { ...masterOp({ case: "barrier", value: {} }), body: { case: "later", value: {} } } as unknown as Op),
    ),
    row("cell.not-yet", "anything before the cell exists", () => {
      const outcome = apply(newState(), masterOp({ case: "barrier", value: {} }));
      return outcome.ok ? "ok" : outcome.reason;
    }),
    row("cell.exists", "to make the cell again", commands({ case: "cellInit", value: { cell: "cc", owner: "admin" } })),
    row("cell.version", "a version out of its turn", commands({ case: "cellVersion", value: { version: 3 } })),
    row(
      "cell.version-op",
      "an op that the cell's version has not",
      () => versionProblem(new World().init().state, masterOp({ case: "updateStep", value: { job: "ubar/web" } })) ?? "ok",
    ),
    row(
      "cell.reclamation",
      "to choose reclamation, in a cell of version 3",
      asks(
        "admin",
        () => ({ case: "reclamationSet", value: { reclamation: Reclamation.OFF } }),
        () => {},
        3,
      ),
    ),
    row(
      "cell.offers",
      "to choose how room is offered, in a cell of version 7",
      asks(
        "admin",
        () => ({ case: "offersSet", value: { shortPermille: 100 } }),
        () => {},
        7,
      ),
    ),
    row(
      "cell.offers-nothing",
      "to change nothing of how room is offered",
      asks("admin", () => ({ case: "offersSet", value: {} })),
    ),
    row("cell.clock", "to set the clock, in a cell of version 1", () =>
      cell(1).say(masterOp({ case: "cellClock", value: { toMs: 9e12 } })),
    ),
    row("cell.clock-back", "to set the clock back", commands({ case: "cellClock", value: { toMs: 1 } })),
    row("links.version", "to share machines out, in a cell of version 7", () => cell(7).say(masterOp(links(1, 1, "a")))),
    row(
      "links.older",
      "to share machines out by an older epoch",
      commands(links(2, 3, "a"), (world) => world.must(masterOp(links(2, 3, "a")))),
    ),
    row("links.nobody", "to share machines out among nobody", commands(links(1, 1))),
    row("links.twice", "to share machines out to a replica twice", commands(links(1, 1, "a", "a"))),
    row("cell.restored", "to go on from a backup, in a cell of version 1", () =>
      cell(1).say(masterOp({ case: "cellRestored", value: { incarnations: 1 } })),
    ),
    row("cell.scheduler-limits", "a scheduler without limits", () =>
      unchecked((world) => world.user("admin", { case: "schedulerSet", value: { name: "mine" } })),
    ),
    row(
      "cell.scheduler-range",
      "a scheduler of priorities 9 to 3",
      asks("admin", () => ({ case: "schedulerSet", value: { name: "mine", limits: { priorityMin: 9, priorityMax: 3 } } })),
    ),
    row("evict.cause", "an eviction because of an update", commands(evict(Cause.FINISHED, ["ubar/web/0:1"]))),
    row("evict.prod", "an eviction of prod for lack of resources", () => {
      const world = running(cell(), { priority: 200 });
      return world.say(masterOp(evict(Cause.OUT_OF_RESOURCES, [world.instance("ubar/web/0")])));
    }),
    row("evict.not-draining", "an eviction from a machine that is not drained", () => {
      const world = running(cell());
      return world.say(masterOp(evict(Cause.MACHINE_SHUTDOWN, [world.instance("ubar/web/0")])));
    }),
    row("job.kept", "to forget a job that died just now", () => {
      const world = cell();
      world.submit("web");
      kill(world);
      return world.say(masterOp({ case: "jobForget", value: { job: "ubar/web" } }));
    }),
    row(
      "lost.answers",
      "to give up what is on a machine that answers",
      commands({ case: "taskLost", value: { machine: "m1", instances: ["ubar/web/0:1"] } }),
    ),
    row("reserve.above", "a reservation above the limit", () => reserve(running(cell()), 100 * GI)),
    row("reserve.kept", "a reservation below the limit where it stays there", () => {
      const world = cell();
      world.must(
        world.user("admin", {
          case: "jobSubmit",
          value: {
            spec: { user: "ubar", name: "web", count: 1, disableReclamation: true, task: { command: ["x"], limit: limit(1000, GI) } },
          },
        }),
      );
      world.claim("ubar/web/0", "m1");
      return reserve(world, 1);
    }),
    row("claim.stranger", "claims in the name of another's scheduler", () => {
      const world = cell();
      world.must(world.user("admin", { case: "schedulerSet", value: { name: "mine", limits: { priorityMax: 9, user: "ubar" } } }));
      return world.say(schedulerOp("mine", { case: "taskClaims", value: { claims: [{ task: "ubar/web/0", place: "m1" }] } }, "ann"));
    }),
  ],
};

export const WIDE_GROUPS: readonly Group[] = [PEOPLE, MACHINES, CELL];
