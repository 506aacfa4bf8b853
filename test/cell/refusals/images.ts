import { Operator } from "../../../src/wire/gen/borg/v1/spec_pb.ts";
import type { JobWish, World } from "../world.ts";
import { type Group, row, submits } from "./row.ts";

const digest = "a".repeat(64);
const IMAGE = { name: "web", version: digest, root: true };
const ABLE = { attribute: "images", operator: Operator.EQUAL, values: ["yes"] };

const withPackages = (world: World): void => {
  for (const name of ["web", "lib"])
    world.must(world.user("ubar", { case: "packageAdd", value: { user: "ubar", name, digest, bytes: 1 } }));
};
const runs = (packages: readonly object[], more: JobWish = { constraints: [ABLE] }, version?: number) =>
  submits("web", { task: { command: version === undefined ? [] : ["x"], packages: [...packages] }, ...more }, withPackages, version);

const IMAGES: Group = {
  title: "Images",
  rows: [
    row("image.early", "an image, in a cell of version 4", runs([IMAGE], { constraints: [ABLE] }, 4)),
    row("image.two", "two images", runs([IMAGE, { ...IMAGE, name: "lib" }])),
    row("image.path", "an image at a path", runs([{ ...IMAGE, path: "/app" }])),
    row("image.constraint", "an image, on whatever machine", runs([IMAGE], {})),
    row("image.no-command", "a task without a command and without an image", submits("web", { task: { command: [] } })),
  ],
};

export const IMAGE_GROUPS: readonly Group[] = [IMAGES];
