/** The addresses inside a master process: the main thread delivers by them. */
export const MASTER = "master";
export const FOLLOWER = "follower";
export const LINK = "link";
export const API = "api";
export const SERVICE = "service";
export const BATCH_SCHEDULERS: readonly string[] = ["batch-0"];
/** The main thread itself: counts and clocks of the process. */
export const PROCESS = "process";
