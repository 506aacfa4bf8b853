/** One refusal: what is asked of which cell, and what that says. Its words stand in docs/refusals.md; refusals.test.ts asks again and compares. */
import { apply } from "../../../src/cell/cell.ts";
import { masterOp, type Op } from "../../../src/cell/op.ts";
import { VERSION_MAX } from "../../../src/cell/version.ts";
import { Phase } from "../../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../../src/wire/gen/borg/v1/op_pb.ts";
import { type JobWish, jobSpec, type OpBody, World } from "../world.ts";

export interface Row {
  readonly id: string;
  /** What was asked. */
  readonly asked: string;
  /** Asks, and gives the words of the refusal. */
  readonly say: () => string | Promise<string>;
}

export interface Group {
  readonly title: string;
  /** What to do about any of them, where the words do not say. */
  readonly next?: string;
  readonly rows: readonly Row[];
}

export const row = (id: string, asked: string, say: () => string): Row => ({ id, asked, say });

/** Two machines, user `ubar` with production quota for them, user `ann` with the role of a user. */
export function cell(version = VERSION_MAX): World {
  const world = new World().init().machine("m1").machine("m2");
  for (let next = 2; next <= version; next++) world.must(masterOp({ case: "cellVersion", value: { version: next } }));
  world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  return world.prodQuota();
}

/** Asked of a cell as it is after `prepare`. */
export const asks =
  (by: string, body: (world: World) => OpBody, prepare: (world: World) => unknown = () => {}, version?: number) =>
  () => {
    const world = cell(version);
    prepare(world);
    return world.say(world.user(by, body(world)));
  };

export const commands =
  (body: OpBody, prepare: (world: World) => unknown = () => {}, version?: number) =>
  () => {
    const world = cell(version);
    prepare(world);
    return world.say(masterOp(body));
  };

/** Of a cell whose counters a test set: too full to be filled by hand. */
export function crowded(world: World, op: Op): string {
  const outcome = apply(world.state, op);
  return outcome.ok ? "ok" : outcome.reason;
}

/** What the check of a request's form keeps out, said by the cell itself. */
export function unchecked(op: (world: World) => Op): string {
  const world = cell();
  return crowded(world, op(world));
}

export const submits =
  (name: string, wish: JobWish = {}, prepare: (world: World) => unknown = () => {}, version?: number) =>
  () => {
    const world = cell(version);
    prepare(world);
    return world.submit(name, wish);
  };

/** Job `ubar/web` of three tasks, all running. */
export function running(world: World, wish: JobWish = {}): World {
  world.submit("web", { count: 3, ...wish });
  for (const i of [0, 1, 2]) {
    world.claim(`ubar/web/${i}`, i === 2 ? "m2" : "m1");
    const { instance } = world.task(`ubar/web/${i}`);
    if (instance !== undefined) world.report(instance.place.machine.id, { instance: instance.id, phase: Phase.RUNNING, run: 1 });
  }
  return world;
}

export const kill = (world: World, job = "ubar/web"): string => world.say(world.user("admin", { case: "jobKill", value: { job } }));

export const update = (world: World, wish: JobWish = {}, more: object = {}): string =>
  world.say(world.user("ubar", { case: "updateStart", value: { spec: jobSpec("web", { count: 3, ...wish }), ...more } }));

export const NEW: JobWish = { task: { command: ["node", "new.js"] } };
