/** Cells drawn from a seed: machines of several shapes with attributes, racks, packages and devices, and jobs of every kind. */

import { type CellPlan, GI, type JobPlan, type MachinePlan } from "../../bench/cells/plan.ts";
import { Random } from "../../src/base/random.ts";
import { Operator, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";

export function randomCell(seed: number, machines: number, jobs: number): CellPlan {
  const random = new Random(seed, "cell");
  const plan = {
    machines: Array.from({ length: machines }, (_, i) => machineOf(i, random)),
    jobs: Array.from({ length: jobs }, (_, i) => jobOf(i, random)),
  };
  return seed % 2 === 0 ? plan : withDevices(plan, new Random(seed, "devices"));
}

/** The same with two gpus in units on half of the machines, which many jobs want a part of, or whole ones. */
function withDevices({ machines, jobs }: CellPlan, random: Random): CellPlan {
  const units = () => {
    const unit = random.pick([1000, 1000, 500]);
    return { unit, extras: [{ name: "gpu-milli", amount: unit * random.int(1, 4) }] };
  };
  const inUnits = ({ name, facts }: MachinePlan): MachinePlan => {
    if (random.chance(0.5)) return { name, facts };
    const { unit, extras } = units();
    const devices = random.chance(0.8) ? [{ name: "gpu-milli", unit }] : [];
    return { name, facts: { ...facts, capacity: { ...facts.capacity, extras } as NonNullable<typeof facts.capacity>, devices } };
  };
  const wanting = (job: JobPlan): JobPlan => {
    const { task } = job.spec;
    const asked = random.chance(0.5) ? [{ name: "gpu-milli", amount: random.pick([100, 300, 500, 600, 1000, 1500, 2000]) }] : [];
    const limit = { ...task?.limit, extras: asked };
    return { ...job, spec: { ...job.spec, task: { ...task, packages: [], limit } } as JobPlan["spec"] };
  };
  return { machines: machines.map(inUnits), jobs: jobs.map(wanting) };
}

function machineOf(index: number, random: Random): MachinePlan {
  const capacity = {
    cpuMilli: random.pick([2000, 4000, 4000, 8000]),
    ramBytes: random.pick([4, 8, 8, 16]) * GI,
    diskBytes: 100 * GI,
    extras: random.chance(0.2) ? [{ name: "gpu", amount: random.int(1, 5) }] : [],
  };
  const attributes = [{ key: "os", value: random.pick(["a", "b"]) }];
  if (random.chance(0.3)) attributes.push({ key: "ssd", value: "yes" });
  const packages = ["p@1", "p@2", "q@1"].filter(() => random.chance(0.3));
  const places = random.chance(0.5) ? { rack: `r${index % 5}`, powerDomain: `p${index % 2}` } : {};
  return { name: `m${index}`, facts: { capacity, attributes, packages, portFirst: 1000, portLast: 1003, ...places } };
}

function jobOf(index: number, random: Random): JobPlan {
  const limit = {
    cpuMilli: 100 * random.int(1, random.chance(0.2) ? 60 : 15),
    ramBytes: random.int(1, random.chance(0.2) ? 60 : 15) * (GI / 4),
    diskBytes: random.int(0, 3) * GI,
    extras: random.chance(0.1) ? [{ name: "gpu", amount: random.int(1, 3) }] : [],
  };
  const soft = random.chance(0.5);
  const constraints = random.chance(0.4)
    ? [{ attribute: random.pick(["os", "ssd"]), operator: Operator.EQUAL, values: [random.pick(["a", "yes"])], soft }]
    : [];
  const spread = random.chance(0.3) ? random.pick([Spread.HARD, Spread.HARD, Spread.RACK, Spread.POWER]) : Spread.SOFT;
  const beside = random.chance(0.15) ? [{ job: `u${random.int(0, 3)}/j${random.int(0, index + 9)}`, max: random.int(0, 3) }] : [];
  // Such jobs come to a cell that wants packages by their hashes.
  const isNew = spread === Spread.RACK || spread === Spread.POWER || beside.length > 0;
  const packages =
    !isNew && random.chance(0.3)
      ? [
          { name: "p", version: random.pick(["", "1"]) },
          { name: "q", version: "1" },
        ]
      : [];
  const task = { command: ["run"], limit, packages, ports: random.chance(0.2) ? ["a", "b"] : [] };
  return {
    spec: {
      user: `u${random.int(0, 3)}`,
      name: `j${index}`,
      priority: random.pick([0, 0, 50, 100, 110, 120, 200, 360]),
      count: random.chance(0.5) ? 1 : random.int(2, 9),
      task,
      constraints,
      spread,
      beside: beside.filter(({ job }) => !job.endsWith(`/j${index}`)),
    },
    ranOn: [],
  };
}
