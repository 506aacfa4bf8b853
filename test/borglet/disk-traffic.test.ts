/** Real tasks that write and read so many bytes, and what their borglet tells of it. */
import assert from "node:assert/strict";
import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { MODES, Stage } from "./stage.ts";

const MIB = 2 ** 20;
const WRITTEN = 24 * MIB;
const READ = 8 * MIB;
/** The program's own pages, and what a file system writes of its own. */
const SLACK = 16 * MIB;
const TMPFS = 0x01021994;
const skip = (!existsSync("/proc/self/io") && "this kernel counts nothing for processes") || (statfsSync(tmpdir()).type === TMPFS && "files are in memory here"); // biome-ignore format: one reason after the other

for (const mode of MODES)
  test(`What a task writes to its disk and reads from it is told with its use, also what its children moved (${mode.name}) [borglet.U9] [B1]`, {
    skip: mode.skip || skip,
  }, async (t) => {
    const stage = await Stage.open(mode);
    try {
      const [busy, calm] = ["ann/busy/0:1", "ann/calm/0:1"];
      await stage.run(
        busy,
        `head -c ${WRITTEN} /dev/zero >file; sync file
         dd if=file of=/dev/null bs=1M count=${READ / MIB} iflag=direct 2>/dev/null && echo both end || echo written end
         exec sleep 1000`,
      );
      await stage.run(calm, "echo up; exec sleep 1000");
      const isBoth = (await stage.said(busy, "end")).includes("both");
      const of = (name: string) => stage.usage.get(name)?.diskTraffic;
      await stage.until("it is counted", () => (of(busy)?.writtenBytes ?? 0) >= WRITTEN && (!isBoth || of(busy)!.readBytes >= READ));
      const { readBytes, writtenBytes } = of(busy)!;
      t.diagnostic(`${writtenBytes} written, ${readBytes} read${isBoth ? "" : " (this file system reads only through memory)"}`);
      assert.ok(writtenBytes < WRITTEN + SLACK, `${writtenBytes} written`);
      assert.ok(readBytes < READ + SLACK, `${readBytes} read`);
      const idle = of(calm);
      assert.ok(idle !== undefined && idle.writtenBytes < MIB, `${idle?.writtenBytes} written by a task that sleeps`);
    } finally {
      await stage.close();
    }
  });
