/**
 * Three scheduling worlds on one cell (FEATURES G12): Borg's one queue, Omega's schedulers that commit side by side, and frameworks that are offered what is free, over the same machines, the same
 * work and the cell's own code: the state and its rules, the scheduler, the allocator. What differs is who decides, and what they see while they think. Decisions of services are made slower and
 * slower, as in the Omega paper (§4).
 */
import { writeFileSync } from "node:fs";
import { Random } from "../src/base/random.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { WORLDS_INPUTS, type WorldsInputs } from "./worlds/inputs.ts";
import { FrameworkMind, OFFERS, Offering, SchedulerMind } from "./worlds/minds.ts";
import { drawnWaits } from "./worlds/plot.ts";
import { drawWork, KINDS, type Work } from "./worlds/work.ts";
import { World } from "./worlds/world.ts";

export const WORLDS = ["borg", "omega", "mesos"] as const;
export type WorldName = (typeof WORLDS)[number];

export function benchThreeWorlds(seed: number, svg = "", inputs: WorldsInputs = WORLDS_INPUTS): Figures {
  const work = drawWork(inputs, seed);
  const figures: Record<string, number> = {
    machines: work.machines.length,
    jobs: work.arrivals.length,
    tasks: work.arrivals.reduce((sum, { taskMs }) => sum + taskMs.length, 0),
  };
  for (const thinkMs of inputs.serviceThinksMs)
    for (const name of WORLDS) {
      const own = outcomeOf(lived(name, work, inputs, thinkMs, seed));
      const prefix = `${name}${thinkMs / 1000}s`;
      for (const [figure, value] of Object.entries(own)) figures[`${prefix}${figure}`] = value;
      process.stderr.write(
        `${name}, services decided in ${thinkMs / 1000} s: ${Object.entries(own)
          .map(([figure, value]) => `${figure} ${value}`)
          .join(", ")}\n`,
      );
    }
  if (svg !== "") writeFileSync(svg, drawnWaits(figures, WORLDS, inputs.serviceThinksMs));
  return figures;
}

/** The whole time, in one of the worlds. */
export function lived(name: WorldName, work: Work, inputs: WorldsInputs, serviceThinkMs: number, seed: number): World {
  const world = new World(work, inputs, serviceThinkMs, name === "mesos" ? [OFFERS] : name === "omega" ? KINDS : ["borg"]);
  if (name === "borg") world.minds = [new SchedulerMind(world, "borg", KINDS)];
  else if (name === "omega") world.minds = KINDS.map((kind) => new SchedulerMind(world, kind, [kind]));
  else {
    const offering = new Offering(world, new Random(seed, "offers"));
    world.minds = KINDS.map((kind) => new FrameworkMind(world, offering, kind));
  }
  return world.run();
}

/** Of the jobs that came while it counted. A job that waited to the end waited that long at least. */
export function outcomeOf(world: World): Figures {
  const figures: Record<string, number> = {};
  for (const kind of KINDS) {
    const jobs = world.jobs.filter(({ arrival }) => arrival.kind === kind && arrival.atMs >= world.fromMs);
    const seconds = (of: (job: (typeof jobs)[number]) => number | undefined): number[] =>
      jobs.map((job) => ((of(job) ?? world.endMs) - job.arrival.atMs) / 1000);
    const [first, placed] = [seconds(({ firstMs }) => firstMs), seconds(({ placedMs }) => placedMs)];
    const label = kind === "batch" ? "Batch" : "Service";
    figures[`${label}WaitSeconds`] = rounded(first.reduce((sum, each) => sum + each, 0) / jobs.length, 2);
    figures[`${label}PlacedP90Seconds`] = rounded(percentile(placed, 0.9), 2);
    figures[`${label}Unplaced`] = jobs.filter(({ placedMs }) => placedMs === undefined).length;
  }
  const claims = world.minds.reduce((sum, mind) => sum + mind.claims, 0);
  figures["RefusedPercent"] = rounded((100 * world.minds.reduce((sum, { refused }) => sum + refused, 0)) / Math.max(1, claims), 2);
  figures["BusyPercent"] = rounded((100 * Math.max(...world.minds.map(({ busyMs }) => busyMs))) / (world.endMs - world.fromMs), 1);
  figures["CpuPercent"] = rounded(100 * world.utilisation, 1);
  return figures;
}
