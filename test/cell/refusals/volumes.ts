import { masterOp } from "../../../src/cell/op.ts";
import { GI, type JobWish, jobSpec, type OpBody, type World } from "../world.ts";
import { asks, cell, type Group, row, submits, update } from "./row.ts";

const DATA = { task: { volumes: [{ name: "data" }] } } satisfies JobWish;
const DAY_MS = 86_400_000;

/** Machine `m3` offers ubar the volume `data`. */
const offered = (world: World): World => world.machine("m3", 4000, 8 * GI, { volumes: [{ user: "ubar", name: "data" }] });
const unpins = (task: string, prepare: (world: World) => unknown) => asks("ubar", () => ({ case: "taskUnpin", value: { task } }), prepare);

const VOLUMES: Group = {
  title: "Volumes",
  rows: [
    row(
      "volume.early",
      "a volume, in a cell of version 4",
      submits("web", DATA, () => {}, 4),
    ),
    row("volume.twice", "one volume, two times", submits("web", { task: { volumes: [{ name: "data" }, { name: "data" }] } })),
    row(
      "volume.allocs",
      "a volume, in an alloc set",
      submits("web", { ...DATA, allocSet: "ubar/aset" }, (world) => world.submitAllocs("aset")),
    ),
    row("volume.update-per-machine", "an update of one task per machine to other volumes", () => {
      const world = offered(cell());
      world.submit("web", { perMachine: true, ...DATA });
      return update(world, { perMachine: true, count: 0 });
    }),
    row(
      "unpin.per-machine",
      "to unpin one of one task per machine",
      unpins("ubar/web/0", (world) => world.submit("web", { perMachine: true })),
    ),
    row(
      "unpin.directory",
      "to unpin a task that has a kept directory",
      unpins("ubar/save/0", (world) => world.submit("save", { keptDirectory: goneAlloc(world) })),
    ),
    row(
      "unpin.free",
      "to unpin a task that was never placed",
      unpins("ubar/web/0", (world) => offered(world).submit("web", DATA)),
    ),
    row(
      "unpin.placed",
      "to unpin a task that is on its machine",
      unpins("ubar/web/0", (world) => {
        offered(world).submit("web", DATA);
        world.claim("ubar/web/0", "m3");
      }),
    ),
  ],
};

/** An alloc that was on m1 and is gone: its instance, whose directory is kept. */
function goneAlloc(world: World): string {
  world.submitAllocs("room", { keepDirectoryMs: DAY_MS });
  world.claim("ubar/room/0", "m1");
  const id = world.instance("ubar/room/0");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/room" } }));
  return id;
}

const forget = (alloc: string): OpBody => ({ case: "directoryForget", value: { alloc } });
const saves = (wish: JobWish) => (): string => {
  const world = cell();
  return world.submit("save", { keptDirectory: goneAlloc(world), ...wish });
};

const DIRECTORIES: Group = {
  title: "Kept directories",
  rows: [
    row("directory.early-keep", "an alloc set whose directories are kept, in a cell of version 4", () =>
      cell(4).submitAllocs("room", { keepDirectoryMs: DAY_MS }),
    ),
    row(
      "directory.early-use",
      "a job with a kept directory, in a cell of version 4",
      submits("save", { keptDirectory: "ubar/room/0:1" }, () => {}, 4),
    ),
    row("directory.none", "a job with a directory that is not kept", submits("save", { keptDirectory: "ubar/room/0:1" })),
    row("directory.foreign", "a job with another user's directory", () => {
      const world = cell();
      const spec = jobSpec("save", { user: "ann", keptDirectory: goneAlloc(world) });
      return world.say(world.user("ann", { case: "jobSubmit", value: { spec } }));
    }),
    row("directory.count", "two tasks with one directory", saves({ count: 2 })),
    row("directory.resize", "a second task for a job with a kept directory", () => {
      const world = cell();
      world.submit("save", { keptDirectory: goneAlloc(world) });
      return world.say(world.user("ubar", { case: "jobResize", value: { job: "ubar/save", count: 2 } }));
    }),
    row(
      "directory.forget-none",
      "to forget a directory that is not kept",
      asks("ubar", () => forget("ubar/room/0:7")),
    ),
    row("directory.forget-early", "the master, to forget a directory before its time", () => {
      const world = cell();
      return world.say(masterOp(forget(goneAlloc(world))));
    }),
    row("directory.forget-used", "to forget a directory that a task has", () => {
      const world = cell();
      const id = goneAlloc(world);
      world.submit("save", { keptDirectory: id });
      world.claim("ubar/save/0", "m1");
      return world.say(world.user("ubar", forget(id)));
    }),
  ],
};

const CLAIMS: Group = {
  title: "A scheduler's claims for tasks with volumes and directories",
  next: "The scheduler looks again at its next pass; `borg why` says what a task waits for.",
  rows: [
    row("claim.volume", "a machine that does not offer the volume", () => {
      const world = offered(cell());
      world.submit("web", DATA);
      return world.claim("ubar/web/0", "m1");
    }),
    row("claim.directory", "the machine of a directory that was forgotten", () => {
      const world = cell();
      const id = goneAlloc(world);
      world.submit("save", { keptDirectory: id });
      world.must(world.user("ubar", forget(id)));
      return world.claim("ubar/save/0", "m1");
    }),
  ],
};

export const VOLUME_GROUPS: readonly Group[] = [VOLUMES, DIRECTORIES, CLAIMS];
