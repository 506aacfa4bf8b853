/**
 * What a check of a task says over time (Borg §2.6): when to ask, what to report, and when so many bad answers came in a row that it counts. The same for every
 * kind of question, for health and for readiness. It asks nobody itself.
 */
import { Health } from "../wire/gen/borg/v1/machine_pb.ts";
import { CheckKind, type HealthCheck } from "../wire/gen/borg/v1/spec_pb.ts";
import { HEALTH_DEFAULTS } from "../wire/spec-defaults.ts";
import type { About, Question } from "./machine.ts";

/** Until its first good answer, and no longer than its grace, a task is asked this often: it may still be starting. */
const FIRST_INTERVAL_MS = 1000;
/** A process is not started more often than this, whatever a spec asks for. */
const COMMAND_INTERVAL_MS_MIN = 1000;
/** What a report can carry. */
const PROBLEM_LENGTH_MAX = 256;

export class HealthWatch {
  readonly #check: HealthCheck;
  readonly #about: About;
  readonly #sinceMs: number;
  #bad = 0;
  #wasGood = false;
  #health: Health;
  #problem = "";

  /** `isAdopted`: what a borglet before us knew of this run stands until we know more. */
  constructor(check: HealthCheck, nowMs: number, about: About = "health", isAdopted = false) {
    this.#check = check;
    this.#about = about;
    this.#sinceMs = nowMs;
    this.#health = isAdopted ? Health.UNSPECIFIED : Health.UNKNOWN;
  }

  get health(): Health {
    return this.#health;
  }

  /** What is wrong; empty while nothing is. */
  get problem(): string {
    return this.#health === Health.GOOD ? "" : this.#problem;
  }

  /** `portOf`: the number of a named port; undefined where the task has none of that name. */
  question(portOf: (name: string) => number | undefined): Question | undefined {
    const { kind, command, path } = this.#check;
    const timeoutMs = this.#check.timeoutMs || HEALTH_DEFAULTS.timeoutMs;
    if (kind === CheckKind.COMMAND) return { kind: "command", command, timeoutMs };
    const port = portOf(this.#check.port);
    if (port === undefined) return undefined;
    return kind === CheckKind.TCP
      ? { kind: "tcp", port, timeoutMs }
      : { kind: "http", port, path: path || HEALTH_DEFAULTS.path, timeoutMs };
  }

  /** How long until the next question. */
  intervalMs(nowMs: number): number {
    const askedMs = this.#check.intervalMs || HEALTH_DEFAULTS.intervalMs;
    const intervalMs = this.#check.kind === CheckKind.COMMAND ? Math.max(askedMs, COMMAND_INTERVAL_MS_MIN) : askedMs;
    return this.#isStarting(nowMs) ? Math.min(intervalMs, FIRST_INTERVAL_MS) : intervalMs;
  }

  #isStarting(nowMs: number): boolean {
    return !this.#wasGood && nowMs - this.#sinceMs < (this.#check.graceMs ?? HEALTH_DEFAULTS.graceMs);
  }

  get #failures(): number {
    return this.#check.failures || HEALTH_DEFAULTS.failures;
  }

  /** True when what is reported changed. One bad answer is told as bad health; who is ready stays so until enough of them came. */
  heard(problem: string, nowMs: number): boolean {
    const before = this.#health;
    if (problem === "") {
      this.#bad = 0;
      this.#wasGood = true;
      this.#health = Health.GOOD;
      return before !== Health.GOOD;
    }
    this.#problem = problem.slice(0, PROBLEM_LENGTH_MAX);
    if (this.#about === "health" && this.#isStarting(nowMs)) return false;
    this.#bad += 1;
    if (this.#about === "health" || this.#bad >= this.#failures) this.#health = Health.BAD;
    return this.#health !== before;
  }

  /** Why it is to be restarted; undefined while it is not. Nobody is restarted because it is not ready. */
  get verdict(): string | undefined {
    if (this.#about !== "health" || this.#bad < this.#failures) return undefined;
    return `Restarted: its health check failed ${this.#bad === 1 ? "once" : `${this.#bad} times`}, last: ${this.#problem}`;
  }
}
