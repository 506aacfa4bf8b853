/**
 * Guaranteed shares over time, on a real cell: frameworks that take all they are offered, whose tasks end and are killed at random, that stop wanting and begin
 * again, beside Borg tasks of lower priority. Judged by cores that the cell shows; nothing of the desk or of the cell's own sums is asked.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { machineId } from "../../src/base/id.ts";
import { Random } from "../../src/base/random.ts";
import type { Outcome } from "../../src/cell/cell.ts";
import type { Op } from "../../src/cell/op.ts";
import type { Instance } from "../../src/cell/state.ts";
import { roomOf } from "../../src/offers/room.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Call_Type as Type } from "../../src/wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { settings } from "../cell/settings.ts";
import { GI, limit } from "../cell/world.ts";
import { amountIn, DeskWorld, type Scheduler } from "./desk-world.ts";

const MACHINES = ["m0", "m1", "m2"];
const CORES = 4;
/** Longer than any wait for a revocation, its notice, and the answer to the offer that follows. */
const BACK_SECONDS = 120;

/** Sees every revocation at the moment when the cell does it. */
class GuardedWorld extends DeskWorld {
  readonly guaranteed = new Map<string, number>();
  revoked = 0;
  readonly #stopping = new Set<string>();

  override entry(...ops: Op[]): Outcome[] {
    const outcomes = super.entry(...ops);
    for (const { id, task, stop } of this.instances()) {
      if (stop === undefined || this.#stopping.has(id)) continue;
      this.#stopping.add(id);
      if (stop.cause === "revocation") this.#judge(task.job.spec);
    }
    return outcomes;
  }

  #judge(spec: Instance["task"]["job"]["spec"]): void {
    this.revoked += 1;
    if (spec.kind !== "framework") return;
    const { role } = spec.framework;
    const left = this.coresOf(role);
    assert.ok(left >= (this.guaranteed.get(role) ?? 0), `Role ${role} was taken down to ${left} cores`);
  }

  instances(): readonly Instance[] {
    return [...this.state.machines.values()].flatMap(({ place }) => [...place.occupants.values()]);
  }

  /** Those of tasks that stay. */
  coresOf(role: string): number {
    const own = this.instances().filter(({ task: { job }, stop }) => {
      return stop === undefined && job.spec.kind === "framework" && job.spec.framework.role === role;
    });
    return own.reduce((sum, each) => sum + each.limit.cpu, 0) / 1000;
  }
}

interface Player {
  readonly role: string;
  readonly scheduler: Scheduler;
  wants: boolean;
  heard: number;
}

class Play {
  readonly world = new GuardedWorld().init();
  readonly random: Random;
  readonly players: readonly Player[];
  #names = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    for (const name of MACHINES) this.world.machine(name, 1000 * CORES, 64 * GI);
    for (const role of ["r0", "r1", "r2"]) this.#guarantee(role, this.random.int(1, CORES));
    this.players = ["*", "r0", "r1", "r2"].map((role, i) => {
      const scheduler = this.world.scheduler(`f${i}`, { roles: [role], capabilities: [{ type: 6 }] });
      scheduler.subscribe();
      return { role, scheduler, wants: true, heard: 0 };
    });
  }

  #guarantee(role: string, cores: number): void {
    this.world.guaranteed.set(role, cores);
    this.world.must(
      this.world.user("admin", { case: "roleSet", value: { role: { name: role, weight: 1, guarantee: { cpuMilli: 1000 * cores } } } }),
    );
  }

  /** Seconds in which everybody answers, and borglets say what they have. */
  pass(seconds: number): void {
    for (let i = 0; i < seconds; i++) {
      for (const player of this.players) this.#answer(player);
      this.world.run(1_000);
      for (const { id, task, stop, place } of this.world.instances()) {
        const phase = stop !== undefined ? Phase.GONE : task.state === "starting" ? Phase.RUNNING : undefined;
        if (phase !== undefined) this.world.report(place.machine.id, { instance: id, phase, run: 1 });
      }
    }
  }

  /** It takes whole cores, as many as there are. */
  #answer({ scheduler, wants }: Player): void {
    for (const offer of [...scheduler.offers.values()]) {
      const cores = wants ? Math.floor(amountIn(offer.resources, "cpus")) : 0;
      const tasks = Array.from({ length: cores }, () => {
        this.#names += 1;
        return scheduler.task(`t${this.#names}`, offer);
      });
      if (cores === 0) scheduler.decline(offer, 1);
      else scheduler.launch(offer, tasks, 0);
    }
    for (const update of scheduler.updates) if (update.uuid !== undefined) scheduler.acknowledge(update);
    scheduler.events.length = 0;
  }

  step(): void {
    const player = this.random.pick(this.players);
    const [mine] = [this.#running(player)];
    switch (this.random.int(0, 4)) {
      case 0:
        for (const { task } of mine) if (this.random.chance(0.3)) this.#kill(player, task.launched?.taskId ?? "");
        break;
      case 1:
        for (const { id, place } of mine)
          if (this.random.chance(0.4)) this.world.report(place.machine.id, { instance: id, phase: Phase.FINISHED, run: 1, exitCode: 0 });
        break;
      case 2:
        this.#want(player, !player.wants);
        break;
      case 3:
        this.#claim(this.random.pick(MACHINES));
        break;
    }
    this.pass(this.random.int(1, 15));
  }

  #running({ role }: Player): readonly Instance[] {
    return this.world.instances().filter(({ task: { job, state } }) => {
      return state === "running" && job.spec.kind === "framework" && job.spec.framework.role === role;
    });
  }

  #kill({ scheduler }: Player, taskId: string): void {
    scheduler.call({ type: Type.KILL, kill: { taskId: { value: taskId } } });
  }

  #want(player: Player, wants: boolean): void {
    player.wants = wants;
    player.scheduler.call(wants ? { type: Type.REVIVE, revive: {} } : { type: Type.SUPPRESS, suppress: {} });
  }

  /** A Borg task that frameworks of these roles may revoke. */
  #claim(machine: string): void {
    this.#names += 1;
    const name = `j${this.#names}`;
    this.world.submit(name, { priority: this.random.pick([0, 50]), task: { command: ["work"], limit: limit(1000, GI / 8) } });
    const there = this.world.state.machines.get(machineId(machine));
    if (there !== undefined && roomOf(there).byReservations.cpu >= 1000) this.world.claim(`ubar/${name}/0`, machine);
  }

  allWant(): void {
    for (const player of this.players) if (!player.wants) this.#want(player, true);
  }

  get below(): readonly string[] {
    return [...this.world.guaranteed].filter(([role, cores]) => this.world.coresOf(role) < cores).map(([role]) => role);
  }
}

test("guarantees are kept under random ends, kills and wishes: nobody is taken below its own, and who wants it comes back to it [offers.H4][offers.S7][offers.G2][offers.G3][Z8]", () => {
  let revoked = 0;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const play = new Play(seed);
      for (let i = 0; i < 40; i++) play.step();
      play.allWant();
      let seconds = 0;
      while (play.below.length > 0 && seconds < BACK_SECONDS) {
        play.pass(1);
        seconds += 1;
      }
      assert.deepEqual(play.below, [], `After ${BACK_SECONDS} calm seconds all have what they are guaranteed`);
      revoked += play.world.revoked;
    }),
    settings(6),
  );
  assert.ok(revoked > 0, "Something had to be revoked");
});
