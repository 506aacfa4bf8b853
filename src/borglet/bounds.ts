/** What holds a task whose spec gives no limit, or one that no program could live with: a floor and a ceiling for each resource that neighbours share. */

const MIB = 2 ** 20;
/** A shell, its jail and a small program. */
const RAM_FLOOR = 8 * MIB;
/** Of a limit that was not given: a quarter of the machine, between these two. */
const RAM_LEAST = 64 * MIB;
const RAM_MOST = 1024 * MIB;
const DISK_FLOOR = 16 * MIB;
const DISK_LEAST = 256 * MIB;
const DISK_MOST = 16 * 1024 * MIB;
const PACKAGES_LEAST = 1024 * MIB;
/** Processes and threads of one task, and of all tasks of a machine: a fork bomb ends here. */
export const TASK_PIDS_MAX = 4096;
export const MACHINE_PIDS_MAX = 16_384;
/** Of all tasks of a band together: whatever those below prod start, prod has room for as many as one task may have, and batch for as many beside free. */
export const BAND_PIDS_MAX = {
  prod: MACHINE_PIDS_MAX,
  batch: MACHINE_PIDS_MAX - TASK_PIDS_MAX,
  free: MACHINE_PIDS_MAX - 2 * TASK_PIDS_MAX,
} as const;
/** What a file, a directory or a link counts at least: it costs its file system something even when it is empty. */
export const DISK_ENTRY_BYTES = 4096;
/** A task whose directories are deeper cannot be measured, and is ended for it. */
export const DISK_DEPTH_MAX = 200;

export const ramBound = (givenBytes: number, machineBytes: number): number =>
  givenBytes > 0 ? Math.max(givenBytes, RAM_FLOOR) : quarter(machineBytes, RAM_LEAST, RAM_MOST);

/** Of all files of a task together, and of each alone. */
export const diskBound = (givenBytes: number, machineBytes: number): number =>
  givenBytes > 0 ? Math.max(givenBytes, DISK_FLOOR) : quarter(machineBytes, DISK_LEAST, DISK_MOST);

/** Of a task's files in memory, as a machine's own are bounded: half of what it has. */
export const shmBound = (ramBytes: number): number => Math.floor(ramBytes / 2);

/** Of all packages of a machine together, unpacked: a quarter of its disk. */
export const packageBytes = (machineBytes: number): number => quarter(machineBytes, PACKAGES_LEAST, Number.MAX_SAFE_INTEGER);

/** Of a machine that does not say what it has, the least. */
const quarter = (machineBytes: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.floor(machineBytes / 4)));
