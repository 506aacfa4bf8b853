/** What is in the jail of a question: the folders of whoever asks, to be read, and nothing of the world outside. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { historyOf } from "../../src/borgmaster/api/veil.ts";
import type { CellState } from "../../src/cell/state.ts";
import { Database } from "../../src/infrastore/database.ts";
import { History } from "../../src/infrastore/history.ts";
import { findJail, INSIDE, jailWords } from "../../src/infrastore/jail.ts";
import { ask } from "../../src/infrastore/question.ts";
import { PRICES } from "../../src/infrastore/settings.ts";
import { Capability, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { usageAt } from "./made-history.ts";

const directory = mkdtempSync(join(tmpdir(), "borg-scope-"));
const jail = findJail();
const WALLS = { skip: jail === undefined ? "bubblewrap is not installed, or not permitted here" : false, timeout: 600_000 };
const UID = 1_999_999_998;
const history = new History(directory, await Database.open(), Date.now);
await history.add([usageAt(0, "ann/web", 0, 100, 1), usageAt(0, "bob/web", 0, 100, 1)], 1);
after(() => rmSync(directory, { recursive: true, force: true }));

test("A question of one owner has that owner's rows [infrastore.Q1]", WALLS, async () => {
  const options = { history, jail, prices: PRICES, uid: process.getuid?.() === 0 ? UID : undefined };
  const child = ask({ sql: "select owner from usage", parquet: false, scope: { owners: ["ann"], audit: false } }, options);
  let text = "";
  child.stdout?.on("data", (part: Buffer) => {
    text += part.toString("utf8");
  });
  await new Promise((over) => child.once("close", over));
  assert.match(text, /"ann"/);
  assert.doesNotMatch(text, /"bob"/);
});

test("Inside the jail not even root writes to the history, and there is no network and no /etc [infrastore.Q2]", WALLS, () => {
  const file = history.files[0]!;
  const path = `${file.table}/owner=${file.owner}`;
  const script = `const fs = require("fs"); const out = [];
    try { fs.writeFileSync("/data/${path}/mine", "x"); out.push("written"); } catch (error) { out.push(error.code); }
    out.push(fs.existsSync("/etc/passwd"), fs.readFileSync("/proc/net/dev", "utf8").trim().split(String.fromCharCode(10)).length - 2);
    console.log(out.join(" "));`;
  const folder = { source: join(directory, "tables", path), path };
  const words = jailWords(jail!, [folder], { cpuSeconds: 20, dataBytes: 2 ** 32 });
  const [command = "", ...args] = [...words, INSIDE.node, "-e", script];
  // Of the network there is the jail's own loopback alone.
  assert.equal(spawnSync(command, args, { encoding: "utf8", env: {} }).stdout, "EROFS false 1\n");
});

test("Whose rows a caller may see is its role's and capabilities' matter [P11] [infrastore.Q1]", () => {
  const user = (roles: Role[], capabilities: Capability[]) => ({ roles: new Set(roles), capabilities: new Set(capabilities) });
  const users = { admin: user([Role.CELL_ADMIN], []), reader: user([Role.USER], [Capability.READ_ANY_JOB]), ann: user([Role.USER], []) };
  const state = { users: new Map(Object.entries(users)) } as unknown as CellState;
  assert.deepEqual(
    ["admin", "reader", "ann", "nobody"].map((name) => historyOf(state, name)),
    [
      { owners: "all", audit: true },
      { owners: "all", audit: false },
      { owners: ["ann"], audit: false },
      { owners: [], audit: false },
    ],
  );
});
