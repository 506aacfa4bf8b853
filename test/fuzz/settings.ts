/** How much is tried: FUZZ=25000 SEED=7 for a long run; the seed is printed by every test. */
export const COUNT = Number(process.env["FUZZ"] ?? 240);
export const SEED = Number(process.env["SEED"] ?? 1);
/** Only a hang bound: the machine that runs the tests may be busy. */
export const DELAY_MS_MAX = 2000;
/** No call and no conversation takes so long unless it hangs. */
export const ANSWER_MS_MAX = 10_000;
/** A whole run at the counts of a soak. */
export const TIMEOUT_MS = 3_600_000;
