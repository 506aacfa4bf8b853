/** Machines from elsewhere: who may come in under which name, and how much of what they say they have counts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeCheckpoint, stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { INVITATIONS_MAX } from "../../src/cell/ops/invitations.ts";
import { GI, type OpBody, World } from "./world.ts";

const [KEY, OTHER, TOKEN] = ["a", "b", "c"].map((digit) => digit.repeat(64)) as [string, string, string];
const HOUR_MS = 3_600_000;
const NOT_APPROVED = 'Machine "far" was not approved with this key: an admin approves it with borg machine approve far';
const NOT_GOOD =
  'The token is not good for machine "far": it was used, has ended, or is for another one; an admin makes another with borg machine invite far';

function cell(): World {
  const world = new World().init().machine("m1");
  for (const version of [2, 3]) world.must(world.master({ case: "cellVersion", value: { version } }));
  return world;
}

const capacity = (cores: number, gib: number) => ({ cpuMilli: 1000 * cores, ramBytes: gib * GI, diskBytes: 10 * GI });
const approve = (world: World, more: object = {}, by = "admin"): string =>
  world.say(
    world.user(by, { case: "machineApprove", value: { machine: "far", approval: { capacity: capacity(2, 4) }, ...more } } as OpBody),
  );
const enroll = (world: World, tokenHash: string, key: string, machine = "far"): string =>
  world.say(world.master({ case: "machineEnroll", value: { machine, tokenHash, key } }));
const join = (world: World, key: string, cores = 8, more: object = {}, machine = "far"): string =>
  world.say(world.master({ case: "machineJoin", value: { machine, key, facts: { capacity: capacity(cores, 32), ...more } } }));
const leave = (world: World): string => world.say(world.user("admin", { case: "machineLeave", value: { machine: "far" } }));
const far = (world: World) => world.state.machines.get("far" as never) ?? assert.fail("far is not there");

test("a machine from elsewhere joins with the key that was approved for its name, and with no other [cell.M8] [KA2]", () => {
  const world = cell();
  assert.equal(join(world, KEY), NOT_APPROVED);
  const bad = { capacity: capacity(2, 4), key: "../../etc" };
  assert.equal(approve(world, { approval: bad }), "A key is given by its SHA-256: 64 lower-case hex digits");
  assert.equal(approve(world, { tokenHash: "token" }), "A token is given by its SHA-256: 64 lower-case hex digits");
  assert.match(approve(world, { tokenHash: TOKEN, untilMs: world.timeMs }), /would have ended already/);
  assert.match(approve(world), /^Machine "far" is not known: name its key with --fingerprint/);
  assert.match(
    approve(world, { approval: { capacity: capacity(2, 4), key: KEY } }, "ubar"),
    /^User "ubar" may not ask for machineApprove: only admins of the cell may$/,
  );
  assert.equal(approve(world, { approval: { capacity: capacity(2, 4), key: KEY } }), "ok");
  assert.equal(join(world, OTHER), NOT_APPROVED);
  assert.equal(join(world, KEY, 8, {}, "near"), NOT_APPROVED.replaceAll("far", "near"));
  assert.equal(join(world, KEY), "ok");
  assert.equal(join(world, OTHER), 'Machine "far" is in the cell with another key: an admin approves it with borg machine approve far');
  assert.equal(join(world, ""), 'Machine "far" came from elsewhere: remove it before another one takes its name');
  assert.match(join(world, KEY, 8, {}, "m1"), /^Machine "m1" is in the cell with another key/);
  assert.equal(leave(world), "ok");
  assert.equal(join(world, KEY), NOT_APPROVED, "removing it takes its approval away");
});

test("a machine of the cell's own directory needs no approval and gets none; a token is not for one that is there [cell.M8]", () => {
  const world = cell();
  assert.match(approve(world, { machine: "m1", tokenHash: TOKEN }), /own directory, and needs no approval: /);
  assert.equal(approve(world, { tokenHash: TOKEN, approval: { capacity: capacity(2, 4), key: KEY } }).slice(0, 13), "Either a toke");
  assert.equal(approve(world, { approval: { capacity: capacity(2, 4), key: KEY } }), "ok");
  assert.equal(join(world, KEY), "ok");
  assert.match(approve(world, { tokenHash: TOKEN }), /is in the cell: approve it with its fingerprint/);
  assert.equal(approve(world, { approval: { capacity: capacity(2, 4), key: OTHER } }), "ok", "a new key for a machine that lost its own");
  assert.equal(join(world, OTHER), "ok");
});

test("a token is good once, for its name and until its end; who showed it may ask again [cell.M9]", () => {
  const world = cell();
  assert.equal(approve(world, { tokenHash: TOKEN, untilMs: world.timeMs + HOUR_MS }), "ok");
  assert.equal(join(world, KEY), NOT_APPROVED, "not before it has shown its token");
  assert.equal(enroll(world, OTHER, KEY), NOT_GOOD);
  assert.equal(enroll(world, TOKEN, KEY, "near"), NOT_GOOD.replaceAll("far", "near"));
  assert.equal(enroll(world, TOKEN, KEY), "ok");
  assert.equal(enroll(world, TOKEN, OTHER), NOT_GOOD, "a second time");
  assert.equal(join(world, OTHER), NOT_APPROVED);
  assert.equal(join(world, KEY), "ok");

  const late = cell();
  assert.equal(approve(late, { tokenHash: TOKEN, untilMs: late.timeMs + HOUR_MS }), "ok");
  late.timeMs += HOUR_MS;
  assert.equal(enroll(late, TOKEN, KEY), NOT_GOOD, "at its end");
  assert.equal(leave(late), "ok", "an invitation can be taken back");
  assert.equal(leave(late), 'Machine "far" is not in this cell: borg ls machines shows those that are');
});

test("no more counts than was approved, in any dimension; less counts at once, more when it is approved [cell.M10]", () => {
  const world = cell();
  const before = world.state.capacity.cpu;
  assert.equal(approve(world, { approval: { capacity: capacity(2, 4), key: KEY } }), "ok");
  const gpus = { portFirst: 20_000, portLast: 20_009, coreSpeedPermille: 2000 };
  const facts = { ...gpus, capacity: { ...capacity(8, 32), extras: [{ name: "gpu", amount: 4 }], diskBandwidth: 1e9 } };
  assert.equal(world.say(world.master({ case: "machineJoin", value: { machine: "far", key: KEY, facts } })), "ok");
  const { place, facts: kept } = far(world);
  assert.deepEqual(place.capacity, { cpu: 2000, ram: 4 * 2 ** 20, disk: 10 * 2 ** 20, bandwidth: 0, ports: 10, extras: [] });
  assert.equal(kept.capacity?.cpuMilli, 8000, "what it says is kept");
  assert.equal(world.state.capacity.cpu, before + 2000);

  const more = { ...capacity(16, 4), extras: [{ name: "gpu", amount: 1 }] };
  assert.equal(approve(world, { approval: { capacity: more } }), "ok");
  assert.deepEqual([far(world).place.capacity.cpu, far(world).place.capacity.extras], [16_000, [{ name: "gpu", amount: 1 }]]);
  assert.equal(far(world).approval?.key, KEY, "who speaks for it stays");
  assert.equal(world.say(world.master({ case: "machineFacts", value: { machine: "far", facts: { capacity: capacity(1, 2) } } })), "ok");
  assert.deepEqual([far(world).place.capacity.cpu, far(world).place.capacity.ram], [1000, 2 * 2 ** 20]);
});

test("approvals stand in checkpoints; a cell of an earlier version has none [cell.M8] [KD4] [KD7]", () => {
  const world = cell();
  approve(world, { tokenHash: TOKEN });
  approve(world, { machine: "near", approval: { capacity: capacity(2, 4), key: KEY } });
  join(world, KEY, 8, {}, "near");
  const read = decodeCheckpoint(encodeCheckpoint(world.state).bytes);
  assert.ok(read.ok);
  assert.equal(stateHash(read.value), stateHash(world.state));
  assert.deepEqual(read.value.capacity, world.state.capacity);
  assert.equal(read.value.invitations.get("far" as never)?.tokenHash, TOKEN);
  const old = new World().init();
  assert.equal(approve(old, { tokenHash: TOKEN }), "The cell's version has no approvals of machines yet: upgrade every master of the cell");
});

test("so many may join and have not, and no more; those whose time is over make room [cell.M11] [KB1]", () => {
  const world = cell();
  const ops = Array.from({ length: INVITATIONS_MAX }, (_, i) => ({
    case: "machineApprove" as const,
    value: { machine: `n${i}`, approval: { capacity: capacity(1, 1) }, tokenHash: TOKEN, untilMs: i === 0 ? world.timeMs + 1 : 0 },
  }));
  world.entry(...ops.map((op) => world.user("admin", op)));
  assert.equal(world.state.invitations.size, INVITATIONS_MAX);
  assert.equal(approve(world, { tokenHash: TOKEN }), `${INVITATIONS_MAX} machines may join and have not yet: remove one first`);
  world.timeMs += 1;
  assert.equal(approve(world, { tokenHash: TOKEN }), "ok");
  assert.equal(world.state.invitations.size, INVITATIONS_MAX);
});
