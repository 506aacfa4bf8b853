/**
 * Frameworks of random behaviour on a real cell, beside Borg jobs, machines that come and go and masters that change. Judged by what the schedulers themselves
 * hold and heard, and by the cell's state: nothing of the desk is asked.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { machineId } from "../../src/base/id.ts";
import { Random } from "../../src/base/random.ts";
import { fits, plus, type Vector, ZERO } from "../../src/base/vector.ts";
import { overlaps, type Ranges } from "../../src/offers/ranges.ts";
import { partOf } from "../../src/offers/resources.ts";
import { roomOf } from "../../src/offers/room.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import type { Offer } from "../../src/wire/gen/mesos/v1/mesos_pb.ts";
import { Call_Type as Type } from "../../src/wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { settings } from "../cell/settings.ts";
import { GI } from "../cell/world.ts";
import { amountIn, DeskWorld, type Scheduler } from "./desk-world.ts";

const MACHINES = ["m0", "m1", "m2", "m3"];
const OVER = /TASK_(FINISHED|FAILED|KILLED|LOST|ERROR)$/;

type Habit = "hoards" | "declines" | "silent" | "works" | "dies" | "twice";
const HABITS: readonly Habit[] = ["hoards", "declines", "silent", "works", "dies", "twice"];

interface Player {
  readonly habit: Habit;
  readonly name: string;
  /** The one that leads, and all there were. */
  scheduler: Scheduler;
  readonly all: Scheduler[];
  readonly launched: Set<string>;
  isSuppressed: boolean;
  heard: number;
}

class Play {
  readonly world = new DeskWorld().init();
  readonly random: Random;
  readonly players: Player[];
  #tasks = 0;
  #jobs = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    for (const name of MACHINES) this.world.machine(name, 1000 * this.random.int(2, 8), GI * this.random.int(1, 8));
    this.players = [0, 1, 2].map((i) => {
      const scheduler = this.world.scheduler(`f${i}`);
      scheduler.subscribe();
      return {
        habit: this.random.pick(HABITS),
        name: `f${i}`,
        scheduler,
        all: [scheduler],
        launched: new Set(),
        isSuppressed: false,
        heard: 0,
      };
    });
  }

  step(): void {
    const player = this.random.pick(this.players);
    if (this.random.chance(0.55)) this.#act(player);
    else this.#happen();
    this.world.run(this.random.pick([100, 1_000, 7_000]));
    for (const each of this.players) this.#hear(each);
  }

  #act(player: Player): void {
    const { habit, scheduler } = player;
    if (scheduler.ended !== undefined) return this.#subscribe(player, this.random.chance(0.3));
    const offers = [...scheduler.offers.values()];
    if (habit === "silent") return;
    if (habit === "dies" && this.random.chance(0.2)) {
      scheduler.hangUp();
      scheduler.ended = "died";
      return;
    }
    if (habit === "twice" && this.random.chance(0.2)) return this.#subscribe(player, true);
    if (this.random.chance(0.1)) return this.#suppress(player);
    for (const offer of offers) {
      if (habit === "declines" || this.random.chance(0.2)) scheduler.decline(offer, this.random.pick([0, 1, 60]));
      else if (habit !== "hoards" || this.random.chance(0.5)) this.#launch(player, offer);
    }
    if (this.random.chance(0.2)) for (const taskId of player.launched) if (this.random.chance(0.3)) this.#kill(scheduler, taskId);
  }

  /** It comes after the calls before it, so it is looked at when those are done. */
  #suppress(player: Player): void {
    if (this.world.masterIs !== "leading") return;
    const wants = player.isSuppressed;
    const { kind } = player.scheduler.call(wants ? { type: Type.REVIVE, revive: {} } : { type: Type.SUPPRESS, suppress: {} });
    if (kind !== "accepted") return;
    this.world.run(2_000);
    player.isSuppressed = !wants;
    player.heard = player.scheduler.events.length;
  }

  #kill(scheduler: Scheduler, taskId: string): void {
    scheduler.call({ type: Type.KILL, kill: { taskId: { value: taskId } } });
  }

  #subscribe(player: Player, isNew: boolean): void {
    const { id } = player.scheduler;
    const next = isNew ? this.world.scheduler(player.name) : player.scheduler;
    next.id = id;
    player.isSuppressed = false;
    player.scheduler = next;
    if (isNew) player.all.push(next);
    player.heard = next.events.length;
    next.subscribe();
  }

  #launch(player: Player, offer: Offer): void {
    const cpus = amountIn(offer.resources, "cpus");
    const mem = amountIn(offer.resources, "mem");
    const part = this.random.pick([0.2, 0.5, 1, 1.4]);
    const count = this.random.int(1, 3);
    const tasks = Array.from({ length: count }, () => {
      this.#tasks += 1;
      const taskId = `t${this.#tasks}`;
      player.launched.add(taskId);
      return player.scheduler.task(taskId, offer, [
        ["cpus", Math.max(0.01, (cpus * part) / count)],
        ["mem", Math.max(1, (mem * part) / count)],
      ]);
    });
    player.scheduler.launch(offer, tasks, this.random.pick([0, 5]));
  }

  #happen(): void {
    const { world, random } = this;
    const machine = random.pick(MACHINES);
    const known = world.state.machines.get(machineId(machine));
    switch (random.int(0, 8)) {
      case 0:
        if (known !== undefined) world.say(world.master({ case: "machineMark", value: { machine, reachable: !known.reachable } }));
        break;
      case 1:
        if (known !== undefined) world.say(world.user("admin", { case: "machineDrain", value: { machine, draining: !known.draining } }));
        break;
      case 2:
      case 3:
        this.#claim(machine);
        break;
      case 4:
        world.frameworks.restored();
        break;
      case 5:
        world.masterIs = world.masterIs === "leading" ? random.pick(["following", "silent"] as const) : "leading";
        break;
      default:
        this.#report();
    }
  }

  /** Somebody else's scheduler takes what is free. */
  #claim(machine: string): void {
    this.#jobs += 1;
    const limit = { cpuMilli: 500 * this.random.int(1, 6), ramBytes: GI / 4 };
    this.world.submit(`j${this.#jobs}`, { priority: this.random.pick([0, 100, 119]), task: { limit } });
    const room = this.world.state.machines.get(machineId(machine));
    if (room !== undefined && roomOf(room).byReservations.cpu >= limit.cpuMilli) this.world.claim(`ubar/j${this.#jobs}/0`, machine);
  }

  /** Borglets speak: what was started runs, some of it ends. */
  #report(): void {
    for (const job of this.world.state.jobs.values()) {
      for (const task of job.tasks) {
        const { instance } = task;
        if (instance === undefined || !instance.place.machine.reachable) continue;
        const phase =
          instance.stop !== undefined ? Phase.GONE : this.random.pick([Phase.RUNNING, Phase.RUNNING, Phase.FINISHED, Phase.FAILED]);
        const exitCode = phase === Phase.FAILED ? 1 : 0;
        this.world.report(instance.place.machine.id, { instance: instance.id, phase, run: 1, exitCode });
      }
    }
  }

  /** Acknowledges most of what it hears. */
  #hear(player: Player): void {
    const { scheduler } = player;
    const fresh = scheduler.events.slice(player.heard);
    if (player.isSuppressed) assert.ok(!fresh.some(({ offers }) => offers !== undefined), "Who suppressed offers gets none");
    player.heard = scheduler.events.length;
    if (scheduler.ended !== undefined || player.habit === "silent") return;
    for (const { update } of fresh) if (update?.status?.uuid !== undefined && this.random.chance(0.8)) scheduler.acknowledge(update.status);
    this.world.run(100);
  }

  get holding(): readonly Offer[] {
    return this.players.flatMap(({ scheduler }) => (scheduler.ended === undefined ? [...scheduler.offers.values()] : []));
  }
}

function expectNoOverlap({ world, holding }: Play): void {
  for (const [id, machine] of world.state.machines) {
    const here = holding.filter(({ agentId }) => agentId?.value === id).map(({ resources }) => partOf(resources));
    let sum: Vector = ZERO;
    const ports: Ranges[] = [];
    for (const part of here) {
      assert.ok(part.ok);
      for (const other of ports) assert.ok(!overlaps(other, part.value.ports), "A port is in two offers");
      ports.push(part.value.ports);
      sum = plus(sum, part.value.amount);
    }
    assert.ok(
      fits(sum, roomOf(machine).byReservations),
      `Offers on ${id} come to ${JSON.stringify(sum)}, free is ${JSON.stringify(roomOf(machine).byReservations)}`,
    );
  }
}

/** Every update acknowledged, or still kept. */
function expectNothingForgotten({ players, world }: Play): void {
  for (const { name, all, launched } of players) {
    const job = world.state.jobs.get(`ubar/${name}` as never);
    const heard = new Set(all.flatMap(({ told }) => told.filter((line) => OVER.test(line)).map((line) => line.split(" ")[0])));
    for (const taskId of launched) {
      const isKept = job?.led?.byId.has(taskId) === true;
      assert.ok(isKept || heard.has(taskId) || !wasDone(job, taskId), `Task ${taskId} of ${name} is gone and nobody was told`);
    }
  }
}

/** Whether the cell ever had it. A launch may have been on its way when a master died. */
const wasDone = (
  job: { readonly tasks: readonly { readonly launched: { readonly taskId: string } | undefined }[] } | undefined,
  taskId: string,
): boolean => job?.tasks.some(({ launched }) => launched?.taskId === taskId) === true;

test("whatever frameworks do: no offers overlap, none offers what is taken, nothing is forgotten [offers.L1][offers.L4][offers.C4][offers.F2]", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const play = new Play(seed);
      for (let i = 0; i < 60; i++) {
        play.step();
        if (play.world.masterIs !== "leading") continue;
        // An answer of a call may have changed something in this very moment.
        play.world.run(100);
        expectNoOverlap(play);
        expectNothingForgotten(play);
      }
    }),
    settings(12),
  );
});

test("when it is calm again, all that is free is offered to whoever wants it [offers.C10][offers.L3][Z6]", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const play = new Play(seed);
      const { world } = play;
      for (let i = 0; i < 40; i++) play.step();
      world.masterIs = "leading";
      // Also those before one that could not subscribe.
      for (const { all } of play.players) for (const scheduler of all) scheduler.hangUp();
      for (const [id, { reachable, draining }] of world.state.machines) {
        if (!reachable) world.say(world.master({ case: "machineMark", value: { machine: id, reachable: true } }));
        if (draining) world.say(world.user("admin", { case: "machineDrain", value: { machine: id, draining: false } }));
      }
      world.run(10_000);
      const last = world.scheduler("last");
      last.subscribe();
      const isWorthwhile = ({ cpu, ram }: Vector): boolean => cpu >= 10 || ram >= 32 * 1024;
      const free = [...world.state.machines.values()].filter((machine) => isWorthwhile(roomOf(machine).byReservations));
      assert.deepEqual(
        new Set([...last.offers.values()].map(({ agentId }) => agentId?.value)),
        new Set(free.map(({ id }) => id as string)),
      );
    }),
    settings(8),
  );
});
