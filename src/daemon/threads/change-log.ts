/**
 * A line in the master's log for each change that somebody asked for: which call, by whom, about what, how it ended, and its trace. It never says what a request
 * holds. Under a flood most are only counted.
 */
import { traceOf } from "../../base/trace.ts";
import type { ApiAnswer } from "../../borgmaster/api/message.ts";
import type { Call } from "../../rpc/service.ts";
import { TokenBucket } from "../../rpc/token-bucket.ts";
import type { Log } from "../../shell/log.ts";

interface Asked {
  readonly method: string;
  readonly request: object;
  readonly call: Pick<Call, "user" | "requestId">;
}

/** Lines a second; further changes are counted and told with the next line. */
const LINES_MAX = 100;
const REASON_LENGTH_MAX = 300;
const ABOUT_LENGTH_MAX = 200;

export class ChangeLog {
  readonly #log: Log;
  readonly #now: () => number;
  readonly #lines = new TokenBucket(LINES_MAX);
  #untold = 0;

  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** Reads carry no request id. */
  ended({ method, request, call: { user, requestId } }: Asked, answer: ApiAnswer): void {
    if (requestId === undefined) return;
    if (!this.#lines.take(this.#now())) {
      this.#untold += 1;
      return;
    }
    const about = aboutOf(request);
    const trace = traceOf(user, requestId);
    const end = answer.type === "answered" ? `done at ${answer.position}` : `${answer.code}: ${oneLine(answer.reason, REASON_LENGTH_MAX)}`;
    const untold = this.#untold === 0 ? "" : `; ${this.#untold} changes before it are not told`;
    this.#untold = 0;
    this.#log(`${method}${about === "" ? "" : ` ${about}`} by ${user}${trace === "" ? "" : `, trace ${trace}`}: ${end}${untold}`, {
      fields: {
        method,
        user,
        ...(about === "" ? {} : { about }),
        ...(answer.type === "answered" ? { position: answer.position } : { code: answer.code }),
      },
    });
  }
}

/** The job, task or machine that a request names. */
function aboutOf(request: object): string {
  const { job, task, machine, instance, spec } = request as Readonly<Record<string, unknown>>;
  const named = [job, task, machine, instance].find((each) => typeof each === "string" && each !== "");
  if (named !== undefined) return oneLine(named as string, ABOUT_LENGTH_MAX);
  const { user, name } = (spec ?? {}) as { readonly user?: unknown; readonly name?: unknown };
  return typeof user === "string" && typeof name === "string" ? oneLine(`${user}/${name}`, ABOUT_LENGTH_MAX) : "";
}

/** What others wrote must not begin a line of its own, nor look like another trace. */
const oneLine = (text: string, most: number): string => text.replace(/\p{C}/gu, "?").replaceAll("trace ", "trace?").slice(0, most);
