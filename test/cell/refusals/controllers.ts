import { userOp } from "../../../src/cell/op.ts";
import { make } from "../../../src/wire/codec.ts";
import { CellService } from "../../../src/wire/gen/borg/v1/api_pb.ts";
import { AttackedCell } from "../../attack/desk.ts";
import { type JobWish, jobSpec, type OpBody, type World } from "../world.ts";
import { cell, type Group, row, submits } from "./row.ts";

const AS: JobWish = { priority: 120, task: { controller: { jobs: ["web-*"] } } };

const submitsAs = (controller: object, more: JobWish = {}) =>
  submits("boss", { priority: 120, ...more, task: { controller: { jobs: ["web-*"], ...controller }, ...more.task } });

/** Asked with the token of controller ubar/boss, which runs. */
const shows =
  (body: OpBody, prepare: (world: World) => unknown = () => {}, wish = AS) =>
  () => {
    const world = cell();
    world.submit("boss", wish);
    world.claim("ubar/boss/0", "m1");
    const token = world.instance("ubar/boss/0");
    prepare(world);
    return world.say(userOp("ubar", "c1", body, new Uint8Array(), token));
  };

const kills = (job: string, prepare?: (world: World) => unknown, wish?: JobWish) =>
  shows({ case: "jobKill", value: { job } }, prepare, wish);
const gives = (wish: JobWish) => shows({ case: "jobSubmit", value: { spec: jobSpec("web-a", wish) } });
const ALL: JobWish = { priority: 120, task: { controller: { jobs: ["*"] } } };

function calls(): string {
  const attacked = new AttackedCell();
  const token = attacked.controller("web");
  const answer = attacked.call("listUsers", "ann", make(CellService.method.listUsers.input, {}), false, token);
  return answer.type === "failed" ? answer.reason : "ok";
}

const CONTROLLERS: Group = {
  title: "Controllers",
  rows: [
    row(
      "controller.early",
      "a controller, in a cell of version 5",
      submits("boss", AS, () => {}, 5),
    ),
    row("controller.none", "a controller without jobs", submitsAs({ jobs: [] })),
    row("controller.pattern", "a controller for jobs *a", submitsAs({ jobs: ["*a"] })),
    row("controller.lowest", "a controller with priority 0", submitsAs({}, { priority: 0 })),
    row("controller.above", "a controller whose jobs may be as high as it is", submitsAs({ priorityMax: 120 })),
    row(
      "controller.path",
      "a controller with a secret where its token goes",
      submitsAs({}, { task: { secrets: [{ name: "db", path: "/borg/secrets/controller.json" }] } }),
    ),
    row(
      "controller.ended",
      "a controller that was killed, to kill a job of its own",
      kills("ubar/web-a", (world) => world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/boss" } }))),
    ),
    row("controller.name", "a controller, to kill a job that is not its own", kills("ubar/other")),
    row("controller.op", "a controller, for a shell in a task", shows({ case: "shellOpen", value: { instance: "ubar/web-a/0:1" } })),
    row("controller.call", "a controller, for the users of the cell", calls),
    row(
      "controller.set",
      "a controller for all jobs, to kill an alloc set",
      kills("ubar/set", (world) => world.submitAllocs("set"), ALL),
    ),
    row("controller.controller", "a controller for all jobs, to kill itself", kills("ubar/boss", undefined, ALL)),
    row(
      "controller.higher",
      "a controller, to kill a job of a higher priority",
      kills("ubar/web-a", (world) => world.submit("web-a", { priority: 200 })),
    ),
    row("controller.priority", "a controller, for a job as high as itself", gives({ priority: 120 })),
    row("controller.nested", "a controller, for another controller", gives({ priority: 100, task: { controller: { jobs: ["a"] } } })),
    row(
      "controller.secret",
      "a controller, for a job with a secret that it has not",
      gives({ task: { secrets: [{ name: "db", path: "/borg/secrets/db" }] } }),
    ),
    row("controller.volume", "a controller, for a job with a volume that it has not", gives({ task: { volumes: [{ name: "data" }] } })),
    row("controller.alloc-set", "a controller, for a job in an alloc set", gives({ allocSet: "ubar/set" })),
    row("controller.directory", "a controller, for a job with a kept directory", gives({ keptDirectory: "ubar/set/0:1" })),
    row("controller.reclaim", "a controller, for a job that is not reclaimed from", gives({ disableReclamation: true })),
    row("controller.slack", "a controller, for a job with slack memory", gives({ task: { slackRam: true } })),
  ],
};

export const CONTROLLER_GROUPS: readonly Group[] = [CONTROLLERS];
