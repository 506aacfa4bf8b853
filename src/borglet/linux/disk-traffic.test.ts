/** What tasks moved between memory and disks, as the kernel's two ways to tell it say. */
import assert from "node:assert/strict";
import { closeSync, existsSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { DiskTraffic } from "../machine.ts";
import { DiskTraffics, parseIoStat, parseProcessIo } from "./disk-traffic.ts";

const traffic = (readBytes: number, writtenBytes: number): DiskTraffic => ({ readBytes, writtenBytes });

test("A group's disks are added up, without those that are made of others [borglet.U9]", () => {
  const text = `8:0 rbytes=4096 wbytes=100 rios=1 wios=2 dbytes=0 dios=0
253:0 rbytes=4096 wbytes=100 rios=1 wios=2 dbytes=0 dios=0
8:16 rbytes=10 wbytes=20 rios=1 wios=1 dbytes=0 dios=0
7:0
`;
  assert.deepEqual(
    parseIoStat(text, (disk) => disk === "253:0"),
    traffic(4106, 120),
  );
  assert.deepEqual(parseIoStat(""), traffic(0, 0));
});

test("Of what a process wrote the kernel takes off what was deleted before it came to the disk; without counts nothing is told [borglet.U9]", () => {
  const text = "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 4096\nwrite_bytes: 10000\ncancelled_write_bytes: 4000\n";
  assert.deepEqual(parseProcessIo(text), traffic(4096, 6000));
  assert.equal(parseProcessIo("rchar: 1\nwchar: 2\n"), undefined);
});

test("A task is looked at after one second, and then ever less often, up to half a minute [borglet.U9]", () => {
  const traffics = new DiskTraffics();
  const looks: number[] = [];
  for (let second = 0; second <= 120; second++) {
    const told = traffics.of("a", second * 1000, {
      group: () => {
        looks.push(second);
        return traffic(second, 0);
      },
      pids: () => assert.fail("its group tells"),
    });
    assert.deepEqual(told, traffic(looks.at(-1)!, 0));
  }
  assert.deepEqual(looks, [0, 1, 2, 4, 8, 16, 32, 62, 92]);
});

test("What a group counts anew in another band is added, and a new run begins with nothing [borglet.U9]", () => {
  const traffics = new DiskTraffics();
  const look = (nowMs: number, group: DiskTraffic): DiskTraffic | undefined =>
    traffics.of("a", nowMs, { group: () => group, pids: () => [] });
  assert.deepEqual(look(0, traffic(100, 50)), traffic(100, 50));
  assert.deepEqual(look(1000, traffic(120, 60)), traffic(120, 60));
  assert.deepEqual(look(2000, traffic(7, 60)), traffic(127, 60));
  traffics.forget("a");
  assert.deepEqual(look(3000, traffic(8, 1)), traffic(8, 1));
});

test("Without a group's count the processes are asked; none that can be read, or too many: absent, not zero, and what was told stands [borglet.U9]", {
  skip: !existsSync("/proc/self/io") && "this kernel counts nothing for processes",
}, () => {
  const traffics = new DiskTraffics();
  const look = (nowMs: number, pids: readonly number[]): DiskTraffic | undefined =>
    traffics.of("a", nowMs, { group: () => undefined, pids: () => pids });
  const nobody = 2 ** 22 + 1;
  assert.equal(look(0, [nobody]), undefined);
  assert.equal(look(1000, new Array<number>(65).fill(process.pid)), undefined);
  const before = look(2000, [process.pid, nobody])!;
  const bytes = 3 * 2 ** 20;
  const directory = mkdtempSync(join(tmpdir(), "openborg-traffic-"));
  try {
    const fd = openSync(join(directory, "file"), "w");
    writeSync(fd, Buffer.alloc(bytes, 1));
    fsyncSync(fd);
    closeSync(fd);
    const now = look(4000, [process.pid])!;
    const written = now.writtenBytes - before.writtenBytes;
    // On a file system in memory nothing is written to a disk.
    assert.ok(written === 0 || written >= bytes, `${written}`);
    assert.deepEqual(look(8000, [nobody]), now);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
