/** A cell is saved while it runs, and comes back: in an empty directory with the very same state, and in its own without touching what still runs. */
import assert from "node:assert/strict";
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { problemsOf, schemaOf } from "../../src/cli/json-schema.test.ts";
import { takeBackup } from "../../src/daemon/backup.ts";
import { decodeBackup } from "../../src/daemon/backup-file.ts";
import { DataDirectory } from "../../src/daemon/data.ts";
import { FilesDisk } from "../../src/store/files.ts";
import { Log } from "../../src/store/log.ts";
import { instancePids, isAlive, RealCell } from "./real-cell.ts";

const desk = mkdtempSync(join(tmpdir(), "borg-backup-"));
const file = (name: string): string => join(desk, name);
let cell: RealCell;

before(async () => {
  cell = await RealCell.start();
  assert.equal((await cell.borg("run", "steady", "--restart", "always", "--wait", "--", "sleep", "600")).code, 0);
  assert.equal((await cell.borg("run", "done", "--wait", "--", "/bin/sh", "-c", "echo done")).code, 0);
});

after(async () => {
  await cell.close();
  rmSync(desk, { recursive: true, force: true });
});

const incarnationOf = (instance: string): number => Number(instance.split(":")[1]);

test("a running cell is saved with its keys, for its owner's eyes only, and never over a file that is there [M5] [U9]", async () => {
  const { code, out, err } = await cell.borg("backup", file("a"), "--data", cell.data.path, "--json");
  assert.equal(code, 0, err);
  const told = JSON.parse(out);
  assert.deepEqual(problemsOf(schemaOf("backup"), told), []);
  assert.equal(statSync(file("a")).mode & 0o777, 0o600);
  assert.match(readFileSync(file("a"), "latin1").split("\n")[0]!, /^openborg backup 1 of cell \S+ This file holds the cell's keys/);
  const backup = decodeBackup(readFileSync(file("a")), "a");
  assert.deepEqual([backup.position, backup.hash], [told.position, told.hash]);
  assert.ok(Object.keys(backup.keys).includes("master/authority.key"));
  const again = await cell.borg("backup", file("a"), "--data", cell.data.path);
  assert.equal(again.code, 2);
  assert.match(again.err, /it is there already/);
  assert.match((await cell.borg("backup", file("b"), "--data", join(desk, "none"))).err, /There is no cell in/);
});

test("restored into an empty directory it has the same hash at its position, and goes on above its terms and instance numbers [M5] [KD4] [KL1]", async () => {
  const backup = decodeBackup(readFileSync(file("a")), "a");
  const to = file("elsewhere");
  const { code, out, err } = await cell.borg("restore", file("a"), "--data", to, "--json");
  assert.equal(code, 0, err);
  const told = JSON.parse(out);
  assert.deepEqual(problemsOf(schemaOf("restore"), told), []);
  assert.deepEqual([told.position, told.hash, told.stopped], [backup.position, backup.hash, []]);
  const data = new DataDirectory(to);
  const made = data.readCell()!;
  assert.deepEqual([made.cell, made.id === backup.cell.id], [backup.cell.cell, false], "a cell of its own on this machine");
  const disk = new FilesDisk(data.journal);
  const log = Log.open(disk, { cell: made.cell, wall: Date.now });
  assert.deepEqual([log.last, log.term > backup.term], [backup.position + 1, true]);
  disk.close();
  const there = { position: backup.position, term: 0, hash: backup.hash };
  assert.equal(takeBackup(data, made, there, 0).hash, backup.hash, "and its journal makes that state");
  const twice = await cell.borg("restore", file("a"), "--data", to);
  assert.equal(twice.code, 2);
  assert.match(twice.err, /holds a journal, which a restore would forget[\s\S]*mv /);
});

test("a file that others can read, that is damaged, or that is none is refused in words [KD5]", async () => {
  const bytes = readFileSync(file("a"));
  const refused = async (name: string, expected: RegExp): Promise<void> => {
    const { code, err } = await cell.borg("restore", file(name), "--data", file("nowhere"));
    assert.ok(code === 2 || code === 6, `${name}: exit ${code}`);
    assert.match(err, expected);
    assert.ok(!existsSync(join(file("nowhere"), "journal")), name);
  };
  writeFileSync(file("open"), bytes);
  chmodSync(file("open"), 0o644);
  await refused("open", /Others can read/);
  for (const [name, at] of [
    ["flipped", bytes.length - 9],
    ["flipped-head", bytes.indexOf('"position":') + 11],
  ] as const) {
    const copy = Buffer.from(bytes);
    copy[at] = copy[at]! ^ 1;
    writeFileSync(file(name), copy, { mode: 0o600 });
    await refused(name, /is damaged/);
  }
  writeFileSync(file("short"), bytes.subarray(0, bytes.length - 1), { mode: 0o600 });
  await refused("short", /is damaged/);
  writeFileSync(file("none"), "hello\n", { mode: 0o600 });
  await refused("none", /is no backup of a cell/);
});

test("restored in its own directory: what it knows runs on, what it does not is named first and stopped only when told [M5] [B1]", async () => {
  assert.equal((await cell.borg("run", "later", "--restart", "always", "--wait", "--", "sleep", "600")).code, 0);
  const pids = instancePids(cell.name);
  const nameOf = (job: string): string => [...pids.keys()].find((instance) => instance.includes(`/${job}/`))!;
  const [steady, later] = [nameOf("steady"), nameOf("later")];
  for (const name of ["master", ...cell.machines]) await cell.kill(name);
  renameSync(join(cell.data.path, "journal"), file("journal.old"));
  const asked = await cell.borg("restore", file("a"), "--data", cell.data.path);
  assert.equal(asked.code, 2);
  assert.match(asked.err, new RegExp(`1 instance runs here that the backup does not know: ${later}\n`));
  assert.ok(!existsSync(join(cell.data.path, "journal")), "nothing was done");
  const done = await cell.borg("restore", file("a"), "--data", cell.data.path, "--stop-unknown");
  assert.equal(done.code, 0, done.err);
  assert.ok(isAlive(pids.get(later)!) && isAlive(pids.get(steady)!), "a restore stops nothing by itself");
  cell.startMaster();
  for (const machine of cell.machines) cell.startBorglet(machine);
  await cell.ready();
  await cell.until("what it does not know to be gone", () => !isAlive(pids.get(later)!));
  assert.ok(isAlive(pids.get(steady)!), "what it knows was not touched");
  assert.equal((await cell.tasks("tester/steady"))[0]?.instance, steady);
  assert.equal((await cell.borg("run", "next", "--restart", "always", "--wait", "--", "sleep", "600")).code, 0);
  const next = (await cell.tasks("tester/next"))[0]!.instance;
  assert.ok(incarnationOf(next) > incarnationOf(later), `${next} after ${later}`);
  assert.match((await cell.borg("events")).out, /restored from a backup; what came after it is not known/);
});

test("a cell that is down is saved too, with what a power cut left of its journal", async () => {
  await cell.kill("master");
  const said = await cell.borg("backup", file("down"), "--data", cell.data.path);
  assert.equal(said.code, 0, said.err);
  appendFileSync(file("down"), "x");
  assert.throws(() => decodeBackup(readFileSync(file("down")), "down"), /damaged/);
  cell.startMaster();
  await cell.ready();
});
