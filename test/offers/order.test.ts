/** The order of the modules, guarantees, and revocation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { InstanceId, MachineId } from "../../src/base/id.ts";
import { Random } from "../../src/base/random.ts";
import { dominantShare } from "../../src/base/share.ts";
import { minus, plus, type Vector, ZERO } from "../../src/base/vector.ts";
import { MODULE_NAMES, moduleOf } from "../../src/offers/module.ts";
import { type Candidate, type RoleNeed, revocations } from "../../src/offers/revocation.ts";
import { settings } from "../cell/settings.ts";
import { amount, ToyCell } from "./toy-cell.ts";

const entrant = (name: string, share: number, more: object = {}) => ({
  ...{ name, share, usable: share, weight: 1, priority: 100, guarantee: 0 },
  ...more,
});
const order = (module: (typeof MODULE_NAMES)[number], entrants: readonly ReturnType<typeof entrant>[]): readonly string[] =>
  [...moduleOf(module, new Random(1)).line(entrants).inOrder()].map(({ name }) => name);

test("priority: the highest that wants something comes first, whatever it has [offers.S5][Z7]", () => {
  const all = [entrant("low", 0, { priority: 100 }), entrant("high", 0.9, { priority: 119 }), entrant("same", 0.1, { priority: 119 })];
  assert.deepEqual(order("priority", all), ["same", "high", "low"]);
  assert.deepEqual(order("drf", all), ["low", "same", "high"]);
});

test("a role below its guarantee comes before all others, with every module [offers.S7]", () => {
  const all = [
    entrant("poor", 0, { priority: 300, weight: 100 }),
    entrant("half", 0.2, { guarantee: 0.4 }),
    entrant("most", 0.3, { guarantee: 0.4 }),
    entrant("there", 0.4, { guarantee: 0.4 }),
  ];
  for (const module of MODULE_NAMES) assert.deepEqual(order(module, all).slice(0, 2), ["half", "most"]);
});

test("lottery: offers in proportion to weight [offers.S6][Z9]", () => {
  const cell = new ToyCell("lottery", 7);
  for (let i = 0; i < 3000; i++) cell.addMachine(`m${i}`, amount(1000, 1000 * 1024));
  cell.addFramework("a", { weight: 1 });
  cell.addFramework("b", { weight: 2 });
  // With a bound of 1,000 offers a draw that went wrong would hide, so a third takes its part as well.
  cell.addFramework("c", { weight: 3, role: "c" });
  const first = cell.cycle().offers.slice(0, 1200);
  const parts = ["a", "b", "c"].map((name) => first.filter(({ framework }) => framework === name).length / first.length);
  for (const [i, part] of parts.entries()) assert.ok(Math.abs(part - (i + 1) / 6) < 0.05, `${parts}`);
});

test("frameworks of a role share what is the role's [offers.S2]", () => {
  const cell = new ToyCell();
  for (let i = 0; i < 8; i++) cell.addMachine(`m${i}`, amount(1000, 1000 * 1024));
  for (const name of ["a1", "a2", "a3"]) cell.addFramework(name, { role: "a" });
  cell.addFramework("b");
  const got = cell.cycle().offers.map(({ framework }) => framework);
  assert.equal(got.filter((name) => name === "b").length, 4);
  assert.deepEqual(new Set(got), new Set(["a1", "a2", "a3", "b"]));
});

const TOTAL = amount(10_000, 10_000);

interface Drawn {
  readonly roles: readonly RoleNeed[];
  readonly tasks: readonly Candidate[];
}

/** Roles whose guarantees fit into the cell together, and tasks of theirs and of Borg's. */
function draw(seed: number): Drawn {
  const random = new Random(seed);
  const tasks: Candidate[] = [];
  const add = (role: string | undefined, priority: number): void => {
    const limit = amount(random.int(1, 12) * 100, random.int(1, 12) * 100);
    const instance = `u/j/${tasks.length}:1` as InstanceId;
    tasks.push({
      instance,
      machine: "m1" as MachineId,
      limit,
      priority,
      placedMs: random.int(0, 5),
      role,
      yieldsTo: (asking) => priority < asking,
    });
  };
  const names = ["a", "b", "c"];
  for (let i = random.int(0, 16); i > 0; i--) add(random.pick([...names, undefined, "c"]), random.pick([0, 100, 110]));
  const used = (name: string): Vector => tasks.filter(({ role }) => role === name).reduce((sum, { limit }) => plus(sum, limit), ZERO);
  const roles = names.map((name) => ({
    terms: { name, weight: 1, guarantee: random.int(0, 4) / 10 },
    priority: 105,
    used: used(name),
    isStarving: random.chance(0.6),
    suits: () => true,
  }));
  return { roles, tasks };
}

test("guarantees are kept whatever is revoked, and no more goes than the needy lack [offers.G1][offers.G2][offers.G3][Z8]", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const { roles, tasks } = draw(seed);
      const left = new Map(roles.map(({ terms, used }) => [terms.name, used]));
      const freed = new Map<string, Vector>();
      for (const { instance, role } of revocations(TOTAL, roles, tasks)) {
        const task = tasks.find((each) => each.instance === instance) as Candidate;
        const needy = roles.find(({ terms }) => terms.name === role) as RoleNeed;
        assert.ok(needy.isStarving && dominantShare(needy.used, TOTAL) < needy.terms.guarantee, "Only the needy are helped");
        const has = plus(needy.used, freed.get(role) ?? ZERO);
        assert.ok(dominantShare(has, TOTAL) < needy.terms.guarantee, "What was freed before was not enough");
        freed.set(role, plus(freed.get(role) ?? ZERO, task.limit));
        if (task.role === undefined) assert.ok(task.priority < needy.priority, "Borg tasks of equal or higher priority stay");
        else {
          left.set(task.role, minus(left.get(task.role) as Vector, task.limit));
          const own = roles.find(({ terms }) => terms.name === task.role) as RoleNeed;
          assert.ok(dominantShare(left.get(task.role) as Vector, TOTAL) >= own.terms.guarantee, "Nobody falls below its own");
        }
      }
    }),
    settings(400),
  );
});

test("lower-priority Borg tasks go first, then the role farthest above its guarantee [offers.G1]", () => {
  const task = (name: string, priority: number, role?: string): Candidate => ({
    instance: `u/${name}/0:1` as InstanceId,
    machine: "m1" as MachineId,
    limit: amount(1000),
    priority,
    placedMs: 0,
    role,
    yieldsTo: (asking) => priority < asking,
  });
  const role = (name: string, guarantee: number, used: Vector, isStarving = false): RoleNeed => ({
    terms: { name, weight: 1, guarantee },
    priority: 110,
    used,
    isStarving,
    suits: () => true,
  });
  const roles = [role("needy", 0.5, ZERO, true), role("some", 0.1, amount(2000)), role("much", 0, amount(3000))];
  const tasks = [
    ...[task("equal", 110), task("batch", 100), task("free", 0)],
    ...[task("s1", 100, "some"), task("s2", 100, "some")],
    ...[task("m1", 100, "much"), task("m2", 100, "much"), task("m3", 100, "much")],
  ];
  const went = revocations(TOTAL, roles, tasks).map(({ instance }) => instance.split("/")[1]);
  assert.deepEqual(went, ["free", "batch", "m1", "m2", "m3"]);
  assert.deepEqual(revocations(TOTAL, [role("needy", 0.5, ZERO, false), ...roles.slice(1)], tasks), []);
});
