/**
 * What a master process is started with. Its threads take and free large buffers all the time; left to itself the C library keeps them in an arena for each thread, which never
 * shrinks: a tenth of the memory of a full cell that starts, and more under floods. Each of its seven threads has a young generation of its own: at 4 MiB instead of 16 a full cell takes
 * 200 to 300 MiB less, with no more processor time (docs/BENCHMARKS.md, hostile and cell). Whoever sets these variables itself is left alone.
 */
export const MASTER_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
  NODE_OPTIONS: "--max-semi-space-size=4",
};

/** For a process that holds nothing and must not grow. */
export const SMALL_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "1",
  NODE_OPTIONS: "--max-old-space-size=64 --max-semi-space-size=1",
};
