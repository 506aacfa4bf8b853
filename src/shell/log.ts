/**
 * The log of a process of a cell: one line for each message on standard error, as text or as JSON (BORG_LOG_FORMAT=json), from a level on (BORG_LOG_LEVEL). It says
 * what is done, for whom and by which request; never what a request holds.
 */

export const LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LEVELS)[number];
export const LOG_FORMATS = ["text", "json"] as const;

export interface LogMore {
  readonly level?: Level;
  /** Beside the message, for programs that read JSON. */
  readonly fields?: Readonly<Record<string, string | number>>;
}

export type Log = (line: string, more?: LogMore) => void;

type Environment = Readonly<Record<string, string | undefined>>;

export const LOG_FORMAT_VARIABLE = "BORG_LOG_FORMAT";
export const LOG_LEVEL_VARIABLE = "BORG_LOG_LEVEL";

/** `name`: which process it is: master, m1, infrastore. */
export function newLog(
  name: string,
  env: Environment = process.env,
  write: (text: string) => void = (text) => void process.stderr.write(text),
  now: () => number = Date.now,
): Log {
  const isJson = env[LOG_FORMAT_VARIABLE] === "json";
  const least = Math.max(0, LEVELS.indexOf((env[LOG_LEVEL_VARIABLE] ?? "info") as Level));
  return (line, { level = levelOf(line), fields = {} } = {}) => {
    if (LEVELS.indexOf(level) < least) return;
    const time = new Date(now()).toISOString();
    if (!isJson) return write(`${time} ${line}\n`);
    const trace = TRACE.exec(line)?.[1];
    write(`${JSON.stringify({ time, level, process: name, message: line, ...(trace === undefined ? {} : { trace }), ...fields })}\n`);
  };
}

const TRACE = /\btrace ([0-9a-f]{16})\b/;

/** Messages about what could not be done begin so. */
const levelOf = (line: string): Level => (/^(Cannot|Went on after|Link closed|No )/.test(line) ? "warn" : "info");

/** The message of a line, whichever form it has. */
export function messageOf(line: string): string {
  if (!line.startsWith("{")) return line.replace(/^[0-9T:.-]+Z /, "");
  try {
    return String((JSON.parse(line) as { readonly message?: unknown }).message ?? line);
  } catch {
    return line;
  }
}
