/** The root that an image gives a task: what is bound where, and that nothing in an image decides where the jail's own places are. [U8] [I1] */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { imageText } from "../../archive/image-config.ts";
import { make } from "../../wire/codec.ts";
import { StartOrderSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import { attributesOf, findAbilities } from "./abilities.ts";
import { hasFile, imageBinds, imageFiles, taskImage } from "./image.ts";
import { jailArguments } from "./jail.ts";
import { environmentOf } from "./launch.ts";

let place = "";
let tree = "";
const CONFIG = {
  architecture: "amd64",
  entrypoint: ["/bin/x"],
  command: [],
  environment: [
    ["PATH", "/image/bin"],
    ["A", "image"],
    ["B", "image"],
    ["BORG_TASK", "99"],
  ] as const,
  directory: "/srv",
  user: "",
};

before(() => {
  place = mkdtempSync(join(tmpdir(), "borg-root-"));
  tree = join(place, "tree");
  const put = (path: string, text = ""): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  put("image.json", imageText(CONFIG));
  for (const path of ["root/bin/x", "root/etc/a", "root/etc/deep/b", "root/usr/lib/c", "root/top"]) put(path);
  // All that the jail has itself, as links to elsewhere.
  for (const name of ["tmp", "proc", "dev", "borg", "sys"]) symlinkSync("../outside", join(tree, "root", name));
  symlinkSync("usr/lib", join(tree, "root/lib"));
  symlinkSync("/usr", join(tree, "root/abs"));
  symlinkSync("../../../../../../usr/lib", join(tree, "root/etc/climbs"));
  symlinkSync("../run/resolv", join(tree, "root/etc/resolv.conf"));
  symlinkSync("../dev/null", join(tree, "root/etc/hosts"));
  symlinkSync("circle", join(tree, "root/circle"));
  put("source/file");
});
after(() => rmSync(place, { recursive: true, force: true }));

const root = (): string => join(tree, "root");
/** The words of bubblewrap that put something over the image, without what every task has. */
const over = (...paths: readonly string[]): string =>
  imageFiles(
    root(),
    paths.map((path) => ({ source: join(tree, "source", "file"), path })),
  )
    .join(" ")
    .replaceAll(root(), "IMAGE")
    .replaceAll(join(tree, "source"), "S");

test("what an image has at its top is bound read-only, links stay links, and the jail's own places are the jail's [borglet.D8] [I1]", () => {
  assert.deepEqual(
    imageBinds(root()).map((word) => word.replace(root(), "IMAGE")),
    [
      ...["--symlink", "/usr", "/abs", "--ro-bind", "IMAGE/bin", "/bin", "--symlink", "circle", "/circle"],
      ...[
        "--ro-bind",
        "IMAGE/etc",
        "/etc",
        "--symlink",
        "usr/lib",
        "/lib",
        "--ro-bind",
        "IMAGE/top",
        "/top",
        "--ro-bind",
        "IMAGE/usr",
        "/usr",
      ],
    ],
  );
  const place = { home: "/h", temporary: "/t", nodeDirectory: "/n", launch: "/l", files: [], packages: [] };
  const helpers = [{ source: "/bin/sh", path: "/borg/helpers/sh" }];
  const words = jailArguments({ bubblewrap: "bwrap", ...place, image: { root: root(), helpers }, closed: true, filtered: false }).join(" ");
  assert.match(
    words,
    /--proc \/proc .*--dev \/dev --size \d+ --tmpfs \/dev\/shm --remount-ro \/dev --bind \/t \/tmp --bind \/h \/borg\/task --ro-bind \/bin\/sh \/borg\/helpers\/sh/,
  );
  assert.doesNotMatch(words, /--ro-bind(-try)? (\/usr|\/etc) |\/borg\/node/, "nothing of the host is in it");
});

test("a file over an image lies where the links of the image lead inside it, never behind one [borglet.D8] [I1]", () => {
  const plain = over();
  assert.match(
    plain,
    /^--ro-bind \S+ \/run\/resolv$/,
    "how names are found, where the image looks for it; what it wants in the jail's own is not put there",
  );
  assert.deepEqual(
    imageFiles(root(), [], join(tree, "source", "file")),
    ["--ro-bind", join(tree, "source", "file"), "/run/resolv"],
    "ours, where there is one",
  );
  assert.match(over("/etc/a"), /--ro-bind S\/file \/etc\/a /);
  assert.match(over("/lib/c"), /--ro-bind S\/file \/usr\/lib\/c /);
  assert.match(over("/etc/climbs/c"), /--ro-bind S\/file \/usr\/lib\/c /, "nothing is above the root");
  assert.match(over("/abs/lib/c"), /--ro-bind S\/file \/usr\/lib\/c /);
  assert.match(over("/new/deep/file"), /^--ro-bind S\/file \/new\/deep\/file /, "the top is bubblewrap's own");
  for (const path of ["/tmp/x", "/borg/x", "/proc/x", "/dev/null", "/sys/x", "/etc/hosts"])
    assert.throws(() => over(path), /that is not the task's/, path);
  assert.deepEqual([hasFile(root(), "/abs/lib/c"), hasFile(root(), "/lib"), hasFile(root(), "/bin/sh")], [true, false, false]);
  assert.throws(() => over("/circle/x"), /a circle of links/);
  assert.throws(() => over("/etc/a/b"), /a file on the way/);
  assert.throws(() => over("/etc/deep"), /another kind of thing there/);
});

test("a directory that gets a new name is put together anew, the outer one first, and is read-only again [borglet.D8]", () => {
  const words = over("/etc/deep/new", "/etc/new/b");
  const [etc, deep] = [words.indexOf("--tmpfs /etc "), words.indexOf("--tmpfs /etc/deep ")];
  assert.ok(etc >= 0 && etc < deep && deep < words.indexOf("S/file /etc/new/b"), words);
  assert.match(words, /--tmpfs \/etc --ro-bind IMAGE\/etc\/a \/etc\/a --symlink \S+ \/etc\/climbs --ro-bind IMAGE\/etc\/deep \/etc\/deep/);
  assert.match(words, /--remount-ro \/etc --remount-ro \/etc\/deep$/);
});

test("a package is an image by what lies beside its root, and that is not believed unseen [borglet.D8]", () => {
  assert.deepEqual(taskImage(tree, "x").config, CONFIG);
  const other = (name: string, text: string | undefined, isRoot = true): (() => unknown) => {
    const at = join(place, name);
    mkdirSync(isRoot ? join(at, "root") : at, { recursive: true });
    if (text !== undefined) writeFileSync(join(at, "image.json"), text);
    return () => taskImage(at, "x");
  };
  assert.throws(other("none", undefined), /Package "x" is no image: borg package push x --oci makes one/);
  assert.throws(other("no-root", imageText(CONFIG), false), /is no image/);
  assert.throws(other("text", "hello"), /is no JSON/);
  assert.throws(other("later", '{"version":2}'), /of another version than 1/);
  assert.throws(other("words", '{"version":1,"entrypoint":[1]}'), /"entrypoint" is no text/);
  assert.throws(other("key", '{"version":1,"environment":[["a=b","c"]]}'), /a variable with the key "a=b"/);
  assert.throws(other("large", " ".repeat(300_000)), /longer than 262144 bytes/);
  mkdirSync(join(place, "linked", "root"), { recursive: true });
  symlinkSync("/etc/passwd", join(place, "linked", "image.json"));
  assert.throws(() => taskImage(join(place, "linked"), "x"), /ELOOP/);
});

test("an image's variables count more than ours, the job's more than those, and the cell's most [borglet.D8] [U9]", () => {
  const task = { environment: [{ key: "B", value: "job" }], packages: [{ name: "os", root: true }] };
  const order = make(StartOrderSchema, { instance: "ann/web/3:7", task });
  const view = { cell: "cc", home: "/borg/task", temporary: "/tmp", nodeDirectory: "/borg/node", root: "", mark: "m" };
  const found = environmentOf(order, view, CONFIG);
  assert.deepEqual(
    ["PATH", "A", "B", "BORG_TASK", "HOME", "BORG_PACKAGE_OS"].map((key) => found.get(key)),
    ["/image/bin", "image", "job", "3", "/borg/task", "/"],
  );
  assert.doesNotMatch(
    environmentOf(order, view, { ...CONFIG, environment: [] }).get("PATH")!,
    /node/,
    "the host's Node is not in an image",
  );
});

test("a machine without a jail says that it has no images [borglet.D9] [I1]", () => {
  const without = findAbilities({ without: ["bubblewrap", "cgroups"] });
  assert.equal(without.helpers, undefined);
  assert.ok(attributesOf(without).some(({ key, value }) => key === "images" && value === "no"));
});
