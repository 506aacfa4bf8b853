import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { measuredSpeed } from "./core-speed.ts";
import { descriptionOf } from "./description.ts";
import { describedNow } from "./description-watch.ts";

const folder = mkdtempSync(join(tmpdir(), "borg-described-"));
process.once("exit", () => rmSync(folder, { recursive: true }));
const file = join(folder, "machines.json");
const write = (value: unknown): void => writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));

test("What the file says of a machine counts before what it says of all, and that before the flags; attributes go together [U13] [U4] [U3]", () => {
  write({
    all: {
      power_domain: "p1",
      disk_bandwidth: "200MiB",
      reserve: { cpu: "500m", disk: "2GiB" },
      volumes: { "bob/music": "/srv/music" },
      attributes: { ssd: "no", tier: "b" },
    },
    machines: {
      m1: {
        rack: "r1",
        core_speed: 1.25,
        reserve: { cpu: 0.25 },
        attributes: { ssd: "yes" },
        extras: { gpu: 4, fpga: 0 },
        devices: { tpu: 2, dsp: 0 },
      },
    },
  });
  const flags = {
    extras: { gpu: 1, fpga: 2, licence: 3 },
    devices: { tpu: "9", dsp: "4", nic: "8x250" },
    volumes: { "ann/data": "/srv/{machine}/data" },
    rack: "r9",
    reserve: { cpu: 2000, ram: 7 },
    attributes: { zone: "z" },
    file,
  };
  assert.deepEqual(descriptionOf(flags, "m1"), {
    rack: "r1",
    powerDomain: "p1",
    volumes: [
      { user: "ann", name: "data", path: "/srv/m1/data" },
      { user: "bob", name: "music", path: "/srv/music" },
    ],
    attributes: [
      { key: "ssd", value: "yes" },
      { key: "tier", value: "b" },
      { key: "zone", value: "z" },
    ],
    extras: [
      { name: "gpu", amount: 4 },
      { name: "licence", amount: 3 },
      { name: "nic-milli", amount: 2000 },
      { name: "tpu-milli", amount: 2000 },
    ],
    devices: [
      { name: "nic-milli", unit: 250 },
      { name: "tpu-milli", unit: 1000 },
    ],
    coreSpeedPermille: 1250,
    diskBandwidth: 200 * 2 ** 20,
    reserve: { cpuMilli: 250, ramBytes: 7, diskBytes: 2 * 2 ** 30 },
  });
  const { rack, coreSpeedPermille } = descriptionOf(flags, "m2");
  assert.deepEqual([rack, coreSpeedPermille], ["r9", 1000]);
  assert.deepEqual([descriptionOf({ diskBandwidth: 5 }, "m1").diskBandwidth, descriptionOf({}, "m1").diskBandwidth], [5, 0]);
});

test("A description that is wrong says where and what to do; a machine starts all the same, with what its flags say [U13] [KB2]", () => {
  for (const [wrong, words] of [
    ["{", /is no JSON/],
    [[], /must be an object/],
    [{ racks: {} }, /says "racks", but it can only say "all" and "machines"/],
    [{ machines: { m9: { rank: 1 } } }, /machines.m9 says "rank", but it can only say rack, power_domain/],
    [{ all: { rack: 7 } }, /Cannot use 7 for all.rack/],
    [{ all: { rack: "r\n7" } }, /a line of at most 63 plain characters/],
    [{ all: { core_speed: 0 } }, /a number from 0.05 to 20; 1 is a normal core/],
    [{ all: { attributes: { arch: "x" } } }, /the machine finds it out by itself/],
    [{ all: { attributes: { rack: "x" } } }, /stands for something else/],
    [{ all: { attributes: { "a b": "x" } } }, /letters, digits/],
    [{ all: { attributes: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`a${i}`, ""])) } }, /more than 64 attributes/],
    [{ all: { disk_bandwidth: "2s" } }, /Cannot use "2s" for all.disk_bandwidth: bytes a second, as in 200MiB/],
    [{ all: { disk_bandwidth: "2TB" } }, /at most 1TB/],
    [{ all: { disk_bandwidth: -1 } }, /bytes a second/],
    [{ all: { reserve: { gpu: 1 } } }, /Cannot say "gpu" in all.reserve: cpu, ram or disk/],
    [{ all: { reserve: { cpu: "1GiB" } } }, /Cannot use "1GiB" for all.reserve.cpu: as in 0.5 or 500m/],
    [{ all: { reserve: { ram: "half" } } }, /Cannot use "half" for all.reserve.ram: as in 2GiB/],
    [{ all: { reserve: 5 } }, /must be an object/],
    [{ all: { disk_bandwidth: [5] } }, /bytes a second/],
    [{ all: { attributes: { disk_bandwidth: "x" } } }, /the machine finds it out by itself/],
    [{ all: { volumes: { data: "/srv" } } }, /Cannot use "data" in all.volumes: whose it is and what it is called, as in ann\/data/],
    [{ all: { volumes: { "ann/data": "srv" } } }, /Cannot use "srv" for all.volumes.ann\/data: an absolute path/],
    [{ all: { volumes: { "ann/data": "/srv/../etc" } } }, /an absolute path/],
    [{ all: { volumes: { "ann/data": "/srv/" } } }, /an absolute path/],
    [{ all: { volumes: { "ann/data": "/srv", "bob/data": "/srv/bob" } } }, /are in one another: "\/srv", "\/srv\/bob"/],
    [{ all: { volumes: { "ann/data": "/srv", "bob/data": "/srv" } } }, /are in one another/],
    [{ all: { volumes: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`ann/v${i}`, `/srv/v${i}`])) } }, /more than 64 volumes/],
    [{ all: { extras: { GPU: 1 } } }, /Cannot use "GPU" in all.extras: small letters/],
    [{ all: { extras: { gpu: 0.5 } } }, /Cannot use 0.5 for all.extras.gpu: a whole number/],
    [{ all: { extras: { gpu: -1 } } }, /a whole number from 0/],
    [{ all: { extras: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`e${i}`, 1])) } }, /more than 16 extras/],
    [{ all: { devices: { GPU: 1 } } }, /Cannot use "GPU" in all.devices: at most 57 small letters/],
    [{ all: { devices: { gpu: 0.5 } } }, /Cannot use 0.5 for all.devices.gpu: how many, from 0 to 64/],
    [{ all: { devices: { gpu: "4x1001" } } }, /thousandths of each, from 1 to 1000, as in 8x250/],
    [{ all: { devices: { gpu: 65 } } }, /from 0 to 64/],
    [" ".repeat(2 ** 20 + 1), /longer than 1 MiB/],
  ] as const) {
    write(wrong);
    assert.throws(() => descriptionOf({ file }, "m1"), words);
    const said: string[] = [];
    assert.equal(describedNow({ rack: "r3", file }, "m1", (line) => said.push(line)).rack, "r3");
    assert.match(said.join(), words);
  }
  assert.throws(() => descriptionOf({ file: join(folder, "none.json") }, "m1"), /Cannot read/);
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const file of [pipe, folder, "/dev/zero"]) assert.throws(() => descriptionOf({ file }, "m1"), /is no plain file/);
});

test("A core has a speed [U4]", () => {
  const speed = measuredSpeed();
  assert.ok(speed > 0.05 && speed < 20, String(speed));
});
