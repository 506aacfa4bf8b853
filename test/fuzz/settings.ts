/** How much is tried: FUZZ=50000 SEED=7 for a long run; the seed is printed by every test. */
export const COUNT = Number(process.env["FUZZ"] ?? 1500);
export const SEED = Number(process.env["SEED"] ?? 1);
/** Only a hang bound: the machine that runs the tests may be busy. */
export const DELAY_MS_MAX = 2000;
