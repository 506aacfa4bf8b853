/** Run under a file-size limit by full.test.ts: opens a journal whose segments are larger than the limit allows. */
import { DiskError } from "../../src/base/env.ts";
import { LOCK_NAME } from "../../src/store/files/lock.ts";
import { FilesDisk } from "../../src/store/files.ts";
import { FilesJournal } from "../../src/store/files-journal.ts";

const directory = process.argv[2]!;
const open = (segmentBytes: number) => FilesJournal.open({ directory, cell: "full", segmentBytes }, () => {});

const refused = await open(64 * 1024).catch((error: Error) => error);
if (!(refused instanceof Error) || !/EFBIG/.test(refused.message)) throw new Error(`Expected EFBIG, got ${refused}`);
const disk = new FilesDisk(directory);
try {
  disk.create("large", 64 * 1024);
} catch (error) {
  console.log(`first: ${error instanceof DiskError ? error.fault : error}`);
}
const left = disk.list().filter((name) => name !== LOCK_NAME);
if (left.length > 0) throw new Error(`Something remains: ${left}`);
disk.close();
const journal = await open(16 * 1024);
await journal.close();
