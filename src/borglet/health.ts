/**
 * What a task's health URL says over time (Borg §2.6): when to ask, what to report, and when so many bad answers came in a row that the
 * task is to be restarted. It asks nobody itself.
 */
import { Health } from "../wire/gen/borg/v1/machine_pb.ts";
import type { HealthCheck } from "../wire/gen/borg/v1/spec_pb.ts";
import { HEALTH_DEFAULTS } from "../wire/spec-defaults.ts";

/** Until its first good answer a task is asked this often, and bad answers count only after GRACE_MS: it may still be starting. */
const FIRST_INTERVAL_MS = 1000;
const GRACE_MS = 30_000;

export class HealthWatch {
  readonly #check: HealthCheck;
  readonly #sinceMs: number;
  #bad = 0;
  #health: Health = Health.UNKNOWN;
  #problem = "";

  constructor(check: HealthCheck, nowMs: number) {
    this.#check = check;
    this.#sinceMs = nowMs;
  }

  get health(): Health {
    return this.#health;
  }

  get path(): string {
    return this.#check.path || HEALTH_DEFAULTS.path;
  }

  get timeoutMs(): number {
    return this.#check.timeoutMs || HEALTH_DEFAULTS.timeoutMs;
  }

  /** How long until the next question. */
  get intervalMs(): number {
    const intervalMs = this.#check.intervalMs || HEALTH_DEFAULTS.intervalMs;
    return this.#health === Health.UNKNOWN ? Math.min(intervalMs, FIRST_INTERVAL_MS) : intervalMs;
  }

  /** True when what is reported changed. */
  heard(problem: string, nowMs: number): boolean {
    const before = this.#health;
    if (problem === "") {
      this.#bad = 0;
      this.#health = Health.GOOD;
    } else if (this.#health !== Health.UNKNOWN || nowMs - this.#sinceMs >= GRACE_MS) {
      this.#bad += 1;
      this.#health = Health.BAD;
      this.#problem = problem;
    }
    return this.#health !== before;
  }

  /** Why it is to be restarted; undefined while it is not. */
  get verdict(): string | undefined {
    if (this.#bad < (this.#check.failures || HEALTH_DEFAULTS.failures)) return undefined;
    return `Restarted: its health check failed ${this.#bad} times, last: ${this.#problem}`;
  }
}
