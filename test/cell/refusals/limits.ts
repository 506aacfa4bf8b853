import { CELL_BOUNDS, cellBoundsOf } from "../../../src/cell/bounds.ts";
import { Band } from "../../../src/wire/gen/borg/v1/resource_pb.ts";
import { USER_BOUNDS } from "../../../src/wire/user-bounds.ts";
import { GI, jobSpec, limit, type OpBody, type World } from "../world.ts";
import { asks, cell, crowded, type Group, row, submits, unchecked } from "./row.ts";

const quota = (more: object, user = "ubar"): OpBody =>
  ({ case: "quotaSet", value: { user, band: Band.PRODUCTION, quota: { limit: limit(1000, GI) }, ...more } }) as OpBody;
const bounds = (more: object): OpBody => ({ case: "boundsSet", value: { user: "ubar", bounds: { jobs: 7 }, ...more } }) as OpBody;
const bounded = (world: World): unknown => world.must(world.user("admin", bounds({ bounds: { jobs: 1, tasks: 2 } })));
const submit = (world: World, wish = {}): ReturnType<World["user"]> =>
  world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec("new", wish) } });

const QUOTA: Group = {
  title: "Quota and bounds",
  rows: [
    row("quota.none", "a monitoring job without quota", submits("web", { priority: 400 })),
    row("quota.lacks", "more than the quota has", submits("web", { priority: 200, count: 100 })),
    row(
      "quota.ended",
      "a job under a quota that has ended",
      submits("web", { priority: 200 }, (world) => {
        world.must(world.user("admin", quota({ quota: { limit: limit(1000, GI), untilMs: world.timeMs + 1 } })));
        world.timeMs += 2;
      }),
    ),
    row(
      "quota.user",
      "quota for nobody",
      asks("admin", () => quota({}, "zed")),
    ),
    row(
      "quota.free",
      "quota in the free band",
      asks("admin", () => quota({ band: Band.FREE })),
    ),
    row(
      "quota.unlimited",
      "production quota without end",
      asks("admin", () => quota({ quota: { unlimited: true } })),
    ),
    row(
      "quota.oversold",
      "more production quota than there are machines",
      asks("admin", () => quota({ quota: { limit: limit(1_000_000, GI) } })),
    ),
    row(
      "bounds.early",
      "bounds of a user, in a cell of version 1",
      asks(
        "admin",
        () => bounds({}),
        () => {},
        1,
      ),
    ),
    row(
      "bounds.early-calls",
      "bounds of a user's calls, in a cell of version 7",
      asks(
        "admin",
        () => bounds({ bounds: { calls: 100 } }),
        () => {},
        7,
      ),
    ),
    row(
      "bounds.user",
      "bounds for nobody",
      asks("admin", () => bounds({ user: "zed" })),
    ),
    row(
      "bounds.admin",
      "bounds for an admin",
      asks("admin", () => bounds({ user: "admin" })),
    ),
    row("bounds.none", "bounds, and none named", () => unchecked((world) => world.user("admin", bounds({ bounds: undefined })))),
    row(
      "bounds.user-jobs",
      "a job more than the user may have",
      submits("new", {}, (world) => {
        bounded(world);
        world.submit("web");
      }),
    ),
    row("bounds.user-specs", "a spec more than the user may keep", () => {
      const world = cell();
      world.state.users.get("ubar" as never)!.used.specBytes = USER_BOUNDS.specBytes;
      return crowded(world, submit(world));
    }),
    row("bounds.cell-specs", "a spec more than the cell holds", () => {
      const world = cell();
      world.state.specBytes = cellBoundsOf(world.state).specBytes;
      return crowded(world, submit(world));
    }),
    row("bounds.cell-jobs", "a job more than the cell holds", () => {
      const world = cell();
      for (let i = 0; i < cellBoundsOf(world.state).jobsKept; i++) world.state.jobs.set(`ann/j${i}` as never, undefined as never);
      return crowded(world, submit(world));
    }),
    row("bounds.cell-tasks", "more tasks than the cell holds", () => {
      const world = cell();
      world.state.taskCount = cellBoundsOf(world.state).tasksKept;
      return crowded(world, submit(world));
    }),
  ],
};

const digestOf = (i: number): string => i.toString(16).padStart(64, "0");
const add = (more: object = {}): OpBody =>
  ({ case: "packageAdd", value: { user: "ubar", name: "web", digest: digestOf(1), bytes: 100, ...more } }) as OpBody;
const added =
  (more: object = {}) =>
  (world: World): unknown =>
    world.must(world.user("ubar", add(more)));
const naming = (world: World, user = "ubar"): unknown =>
  world.must(
    world.user(user, {
      case: "jobSubmit",
      value: { spec: { ...jobSpec("web", { task: { packages: [{ user: "ubar", name: "web", version: digestOf(1) }] } }), user } },
    }),
  );

/** Many packages without as many ops. */
function withPackages(owner: string, count: number, bytes = 1): World {
  const world = cell();
  const { packages } = world.state.users.get(owner as never)!;
  for (let i = 0; i < count; i++)
    packages.set(`p@${i}`, { name: "p", digest: digestOf(1000 + i), bytes, shared: false, createdMs: 0, labels: [] });
  return world;
}

const PACKAGES: Group = {
  title: "Packages",
  rows: [
    row(
      "package.early",
      "a package, in a cell of version 2",
      asks(
        "ubar",
        () => add(),
        () => {},
        2,
      ),
    ),
    row(
      "package.digest",
      "a package by another name than its hash",
      asks("ubar", () => add({ digest: "latest" })),
    ),
    row(
      "package.user",
      "a package for nobody",
      asks("admin", () => add({ user: "zed" })),
    ),
    row(
      "package.bytes",
      "the same package with another size",
      asks("ubar", () => add({ bytes: 101 }), added()),
    ),
    row(
      "package.none",
      "to remove a package that is not there",
      asks("ubar", () => ({ case: "packageRemove", value: { user: "ubar", name: "web", digest: digestOf(1) } })),
    ),
    row(
      "package.named",
      "to remove a package that a job names",
      asks(
        "ubar",
        () => ({ case: "packageRemove", value: { user: "ubar", name: "web", digest: digestOf(1) } }),
        (world) => {
          added()(world);
          naming(world);
        },
      ),
    ),
    row(
      "package.shared",
      "no longer to share a package that another's job names",
      asks(
        "ubar",
        () => add(),
        (world) => {
          added({ shared: true })(world);
          naming(world, "ann");
        },
      ),
    ),
    row("package.cell-full", "a package more than the cell keeps", () => {
      const world = withPackages("admin", CELL_BOUNDS.packages);
      return crowded(world, world.user("ubar", add()));
    }),
    row("package.user-count", "a package more than the user may keep", () => {
      const world = withPackages("ubar", USER_BOUNDS.packages);
      return crowded(world, world.user("ubar", add()));
    }),
    row("package.user-bytes", "more bytes than the user may keep", () => {
      const world = withPackages("ubar", 4, USER_BOUNDS.packageBytes / 4);
      return crowded(world, world.user("ubar", add()));
    }),
  ],
};

export const LIMIT_GROUPS: readonly Group[] = [QUOTA, PACKAGES];
