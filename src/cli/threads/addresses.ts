/** The addresses inside a master process: the main thread delivers by them. */
export const MASTER = "master";
export const FOLLOWER = "follower";
export const LINK = "link";
export const API = "api";
export const SERVICE = "service";
/** Batch jobs are shared out between them by hash (Omega §5.1). */
export const batchNames = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `batch-${i}`);
/** The main thread itself: counts and clocks of the process. */
export const PROCESS = "process";
