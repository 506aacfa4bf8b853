/** Bugs in what becomes of images: layers merged, digests held, roots of tasks. */
import type { Mutant } from "./mutant.ts";

const [MERGE, EVIL, ROOT] = ["src/archive/image/image.test.ts", "src/archive/image/evil.test.ts", "src/borglet/linux/image.test.ts"];

export const IMAGE_BUGS: readonly Mutant[] = [
  {
    name: "whiteout of an image ignored",
    file: "src/archive/image/tree.ts",
    text: "if (name.startsWith(HIDES)) return this.#hide(into, name, layer);",
    replacement: "if (name.startsWith(HIDES)) return;",
    suite: MERGE,
  },
  {
    name: "whiteout hides what its own layer brought",
    file: "src/archive/image/tree.ts",
    text: "if (found.layer < layer) parent",
    replacement: "if (found.layer <= layer) parent",
    suite: MERGE,
  },
  {
    name: "digest of a layer not held",
    file: "src/archive/image/layer.ts",
    text: '  if (digest !== undefined) refuseOther("its file", digest, packed.digest("hex"));\n  refuseOther("its tar", contents, unpacked.digest("hex"));\n',
    replacement: "",
    suite: EVIL,
  },
  {
    name: "digest of an image's documents not held",
    file: "src/archive/image/manifest.ts",
    text: "if (digest !== undefined) refuseOther(",
    replacement: 'if (digest === "") refuseOther(',
    suite: EVIL,
  },
  {
    name: "link of an image leads above its root",
    file: "src/archive/image/links.ts",
    text: "!isAbsolute && climbs <= directory.length && ",
    replacement: "!isAbsolute && ",
    suite: MERGE,
  },
  {
    name: "image brings its own configuration",
    file: "src/archive/image/convert.ts",
    text: 'partsOf([IMAGE_ROOT, ...parts].join("/"), bounds)',
    replacement: 'partsOf(parts.join("/"), bounds)',
    suite: MERGE,
  },
  {
    name: "layers that swell read to the end",
    file: "src/archive/image/layer.ts",
    text: "if (bytes > bytesMax) refuse",
    replacement: "if (bytes < 0) refuse",
    suite: EVIL,
  },
  {
    name: "image replaces the jail's own places",
    file: "src/borglet/linux/image.ts",
    text: "    .filter((name) => !OURS.has(name))\n",
    replacement: "",
    suite: ROOT,
  },
  {
    name: "file put behind a link of an image",
    file: "src/borglet/linux/image.ts",
    text: "if (stat?.isSymbolicLink() !== true) {",
    replacement: "if (way.length >= 0) {",
    suite: ROOT,
  },
  {
    name: "configuration of an image read through a link",
    file: "src/borglet/linux/image.ts",
    text: "constants.O_RDONLY | constants.O_NOFOLLOW",
    replacement: "constants.O_RDONLY",
    suite: ROOT,
  },
  {
    name: "image's variables before the job's",
    file: "src/borglet/linux/launch.ts",
    text: "for (const { key, value } of order.task?.environment ?? []) environment.set(key, filled(value, own));",
    replacement:
      "for (const { key, value } of order.task?.environment ?? []) environment.set(key, filled(value, own));\n  for (const [key, value] of image?.environment ?? []) environment.set(key, value);",
    suite: ROOT,
  },
  {
    name: "image for machines that know none",
    file: "src/cell/package.ts",
    text: "each.attribute === attribute && !each.soft && ",
    replacement: "each.attribute === attribute && ",
    suite: "test/cell/packages.test.ts",
  },
  {
    name: "arguments of a job with an image told to everybody",
    file: "src/borgmaster/api/veil.ts",
    text: "hasImage(task) ? [] : task.command.slice(0, 1)",
    replacement: "task.command.slice(0, 1)",
    suite: "test/borgmaster/api.test.ts",
  },
  {
    name: "programs of an image run as root",
    file: "src/borglet/linux/launcher.ts",
    text: " || image !== undefined",
    replacement: "",
    suite: "test/borglet/images.test.ts",
  },
];
