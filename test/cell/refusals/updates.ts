import { masterOp } from "../../../src/cell/op.ts";
import { Phase } from "../../../src/wire/gen/borg/v1/machine_pb.ts";
import { Operator } from "../../../src/wire/gen/borg/v1/spec_pb.ts";
import { type JobWish, jobSpec, type World } from "../world.ts";
import { asks, cell, type Group, kill, NEW, row, running, unchecked, update } from "./row.ts";

const updates =
  (wish: JobWish, more: object = {}, prepare: (world: World) => unknown = running) =>
  () => {
    const world = cell();
    prepare(world);
    return update(world, wish, more);
  };

const about = (name: "updatePause" | "updateCommit" | "updateUndo", prepare: (world: World) => unknown, more: object = {}) =>
  asks("ubar", () => ({ case: name, value: { job: "ubar/web", ...more } }) as never, prepare);

const ranges = (count: number): { first: number; last: number }[] => Array.from({ length: count }, () => ({ first: 0, last: 0 }));

const begun = (world: World): void => {
  running(world);
  update(world, NEW);
};
/** An update of some tasks that has come to its end. */
const rolled =
  (tasks: object[] = []) =>
  (world: World): void => {
    running(world);
    update(world, { ...NEW, update: { batch: 3, watchMs: 1 } }, { tasks });
    for (let turn = 0; turn < 6; turn++) {
      world.must(masterOp({ case: "updateStep", value: { job: "ubar/web" } }));
      for (const i of [0, 1, 2]) {
        const { instance } = world.task(`ubar/web/${i}`);
        if (instance === undefined) continue;
        world.report(instance.place.machine.id, {
          instance: instance.id,
          phase: instance.stop === undefined ? Phase.RUNNING : Phase.GONE,
          run: 1,
        });
      }
      world.timeMs += 20_000;
    }
  };
const undone = (world: World): void => {
  begun(world);
  world.must(masterOp({ case: "updateStep", value: { job: "ubar/web" } }));
  world.must(world.user("ubar", { case: "updateUndo", value: { job: "ubar/web" } }));
};

const UPDATES: Group = {
  title: "Updates",
  rows: [
    row(
      "update.early",
      "an update, in a cell of version 2",
      asks(
        "ubar",
        () => ({ case: "updateStart", value: { spec: jobSpec("web") } }),
        () => {},
        2,
      ),
    ),
    row("update.none", "an update without a job", () => unchecked((world) => world.user("admin", { case: "updateStart", value: {} }))),
    row(
      "update.unknown",
      "an update of a job that is not there",
      updates(NEW, {}, () => {}),
    ),
    row(
      "update.dead",
      "an update of a dead job",
      updates(NEW, {}, (world) => kill(running(world))),
    ),
    row(
      "update.allocs",
      "an update of an alloc set to a job",
      updates(NEW, {}, (world) => world.submitAllocs("web")),
    ),
    row("update.fixed", "another alloc set", updates({ allocSet: "ubar/aset" })),
    row(
      "update.per-machine",
      "other machines for one task per machine",
      updates({ count: 0, perMachine: true, constraints: [{ attribute: "arch", operator: Operator.EXISTS }] }, {}, (world) =>
        world.submit("web", { perMachine: true }),
      ),
    ),
    row("update.ranges", "an update of 1001 ranges of tasks", () =>
      unchecked((world) =>
        running(world).user("ubar", { case: "updateStart", value: { spec: jobSpec("web", { count: 3, ...NEW }), tasks: ranges(1001) } }),
      ),
    ),
    row("update.range", "an update of tasks that the job has not", updates(NEW, { tasks: [{ first: 1, last: 9 }] })),
    row("update.some-count", "an update of some tasks that adds one", updates({ ...NEW, count: 4 }, { tasks: [{ first: 0, last: 0 }] })),
    row("update.under-way", "an update while there is another", updates({ priority: 7 }, {}, begun)),
    row("update.undoing", "an update while another is undone", updates({ priority: 7 }, {}, undone)),
    row(
      "update.ranges-more",
      "an update of more and more ranges",
      updates(
        { ...NEW, update: { batch: 3, watchMs: 1 } },
        { tasks: [{ first: 1, last: 1 }, ...ranges(998)] },
        rolled([
          { first: 0, last: 0 },
          { first: 0, last: 0 },
        ]),
      ),
    ),
    row("update.left-out", "to commit an update that left tasks out", about("updateCommit", rolled([{ first: 0, last: 0 }]))),
    row("update.not", "to undo an update of a job that has none", about("updateUndo", running)),
    row("update.pause-undo", "to pause an undo", about("updatePause", undone, { paused: true })),
    row("update.pause-rolled", "to pause an update that has come to its end", about("updatePause", rolled(), { paused: true })),
    row("update.commit-early", "to commit an update that is under way", about("updateCommit", begun)),
    row(
      "update.resize",
      "another size while there is an update",
      asks("ubar", () => ({ case: "jobResize", value: { job: "ubar/web", count: 9 } }), begun),
    ),
  ],
};

export const UPDATE_GROUPS: readonly Group[] = [UPDATES];
