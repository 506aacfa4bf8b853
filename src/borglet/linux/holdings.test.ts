import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { make } from "../../wire/codec.ts";
import { StartOrderSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import { keyOf } from "../instance-key.ts";
import { newMemory } from "../kept.ts";
import { Holdings } from "./holdings.ts";
import { Layout } from "./layout.ts";
import { Uids } from "./uids.ts";

/** Room for three holders, beside what a test has made. */
function stage() {
  const root = mkdtempSync(join(tmpdir(), "borg-holdings-"));
  chmodSync(root, 0o711);
  const layout = new Layout(join(root, "own"), join(root, "area"));
  const memory = newMemory();
  const open = (count: number): Holdings =>
    new Holdings({
      layout,
      abilities: { user: "root" },
      kept: { memory },
      uids: new Uids(layout.uids, { first: 64_900, last: 64_899 + count }),
      log: () => {},
    });
  return { root, layout, memory, open };
}

const order = (instance: string, more: { alloc?: string; volumes?: { name: string; readOnly?: boolean }[] } = {}) =>
  make(StartOrderSchema, { instance, alloc: more.alloc ?? "", task: { command: ["true"], volumes: more.volumes ?? [] } });

test("A user id is given to another job only when nothing of the one who had it is left, in the trash neither [borglet.V3] [KA4]", () => {
  const { root, layout, open } = stage();
  try {
    const holdings = open(1);
    const uid = holdings.idOf("ann/web");
    mkdirSync(join(layout.trash, `${keyOf("ann/web/0:3")}~12ab`));
    assert.throws(() => holdings.idOf("bob/spy"), /all 1 ids/);
    assert.throws(() => open(1).idOf("bob/spy"), /all 1 ids/, "after a restart neither");
    rmSync(join(layout.trash, `${keyOf("ann/web/0:3")}~12ab`), { recursive: true });
    assert.equal(holdings.idOf("bob/spy"), uid);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("Who wrote into an alloc's directory keeps its user id while that is there or in the trash, and so does the alloc its group [borglet.V3] [KA4]", {
  skip: process.getuid?.() !== 0 && "needs root: it gives directories away",
}, () => {
  const { root, layout, open } = stage();
  try {
    const holdings = open(2);
    const alloc = "ann/aset/0:9";
    holdings.idOf("bob/log");
    const groups = holdings.groupsOf(order("bob/log/0:10", { alloc }));
    assert.equal(groups.length, 1);
    assert.throws(() => holdings.idOf("eve/spy"), /all 2 ids/);
    renameSync(layout.alloc(keyOf(alloc)), join(layout.trash, `${keyOf(alloc)}~12ab`));
    assert.throws(() => open(2).idOf("eve/spy"), /all 2 ids/);
    rmSync(join(layout.trash, `${keyOf(alloc)}~12ab`), { recursive: true });
    const given = [open(2).idOf("eve/spy"), open(2).idOf("eve/spy2")];
    assert.ok(given.includes(groups[0]));
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("The group of a volume, and the user id of who could write into it, are never given to anybody else [borglet.V3] [KA4]", {
  skip: process.getuid?.() !== 0 && "needs root: it gives directories away",
}, () => {
  const { root, open } = stage();
  try {
    const holdings = open(3);
    const volume = { user: "ann", name: "data", path: join(root, "data") };
    assert.deepEqual(holdings.volumes.offer([volume]), [volume]);
    holdings.idOf("ann/reader");
    holdings.groupsOf(order("ann/reader/0:1", { volumes: [{ name: "data", readOnly: true }] }));
    const uid = holdings.idOf("ann/db");
    const groups = holdings.groupsOf(order("ann/db/0:2", { volumes: [{ name: "data" }] }));
    // Who only read owns nothing there; who could write is not asked whether it did, also when the volume is no longer declared.
    const later = open(3);
    assert.ok(![uid, ...groups].includes(later.idOf("eve/spy")));
    later.volumes.offer([]);
    assert.ok(![uid, ...groups].includes(later.idOf("eve/spy2")));
  } finally {
    rmSync(root, { recursive: true });
  }
});
