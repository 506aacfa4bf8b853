/** The addresses inside a master process: the main thread delivers by them. A scheduler's is its name. */
export const MASTER = "master";
export const FOLLOWER = "follower";
export const LINK = "link";
export const API = "api";
/** Files of packages; each thread that needs them has its own hand on them. */
export const PACKAGES = "packages";
/** The lock that elects one of several replicas; the store thread has it. */
export const LOCK = "lock";
/** The main thread itself: counts and clocks of the process. */
export const PROCESS = "process";
