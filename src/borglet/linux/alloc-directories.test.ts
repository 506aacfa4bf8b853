import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { keyOf } from "../instance-key.ts";
import { AllocDirectories } from "./alloc-directories.ts";
import { Layout } from "./layout.ts";
import { Trash } from "./trash.ts";

const ALLOC = "ann/aset/0:9";
const isRoot = process.getuid?.() === 0;
const [GROUP, ANN, BOB, EVE] = [64_990, 64_991, 64_992, 64_993];

function stage(): { readonly root: string; readonly layout: Layout; readonly allocs: AllocDirectories } {
  const root = mkdtempSync(join(tmpdir(), "borg-allocs-"));
  chmodSync(root, 0o711);
  const layout = new Layout(join(root, "own"), join(root, "area"));
  chmodSync(join(root, "area"), 0o711);
  return { root, layout, allocs: new AllocDirectories(layout, () => (isRoot ? GROUP : undefined)) };
}

test("What an alloc's tasks share is made once, for its group alone, and is found again [borglet.C1] [borglet.C3] [A2]", () => {
  const { root, layout, allocs } = stage();
  try {
    assert.deepEqual([allocs.list(), allocs.make("")], [[], undefined]);
    assert.equal(allocs.make(ALLOC), isRoot ? GROUP : undefined);
    const shared = allocs.sharedOf(ALLOC);
    assert.equal(statSync(shared).mode & 0o7777, 0o2770);
    if (isRoot) assert.equal(statSync(shared).gid, GROUP);
    writeFileSync(join(shared, "kept"), "x");
    allocs.make(ALLOC);
    assert.ok(existsSync(join(shared, "kept")), "it was there");
    assert.deepEqual(new AllocDirectories(layout, () => undefined).list(), [ALLOC]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

const as = (uid: number, groups: string, script: string): string => {
  try {
    return execFileSync("setpriv", [`--reuid=${uid}`, `--regid=${uid}`, groups, "/bin/sh", "-c", script], { stdio: "pipe" }).toString();
  } catch {
    return "no";
  }
};

test("Tasks of its users write there side by side, nobody else looks in, and what they leave is deleted by themselves [borglet.C3] [A2]", {
  skip: !isRoot && "needs root: users of their own",
}, async () => {
  const { root, layout, allocs } = stage();
  try {
    allocs.make(ALLOC);
    const shared = allocs.sharedOf(ALLOC);
    const inside = `--groups=${GROUP}`;
    as(
      ANN,
      inside,
      `umask 002; echo ann >${shared}/log; mkdir -p ${shared}/own/deep; echo x >${shared}/own/deep/file; chmod 700 ${shared}/own`,
    );
    assert.equal(as(BOB, inside, `umask 002; echo bob >>${shared}/log; mkdir ${shared}/bobs; cat ${shared}/log`), "ann\nbob\n");
    assert.equal(as(EVE, "--clear-groups", `ls ${shared}`), "no");
    const trash = new Trash({
      directory: layout.trash,
      asUser: (uid, group) => ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, group === undefined ? "--clear-groups" : `--groups=${group}`],
      log: () => {},
    });
    trash.take(layout.alloc(keyOf(ALLOC)), keyOf(ALLOC));
    for (let tries = 0; tries < 300 && execFileSync("ls", [layout.trash]).length > 0; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(execFileSync("ls", [layout.trash]).toString(), "");
    trash.close();
  } finally {
    rmSync(root, { recursive: true });
  }
});
