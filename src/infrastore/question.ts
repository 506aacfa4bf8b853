/** One question, asked of a process of its own: who may see what is decided before, here only those files are shown to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Question, Scope } from "./asked.ts";
import type { History } from "./history.ts";
import { type Folder, INSIDE, type JailTools, jailWords, PROGRAM_INSIDE, programPath } from "./jail.ts";
import { pathOf } from "./manifest.ts";
import { CELL_OWNER, TABLE_NAMES, type TableName } from "./tables.ts";
import { type Prices, viewStatements } from "./views.ts";

export const QUESTION_BOUNDS = { timeMs: 20_000, memory: "512MB", bytesMax: 256 * 2 ** 20, dataBytes: 3 * 2 ** 30 };
type Bounds = typeof QUESTION_BOUNDS;
const GRACE_MS = 3_000;

export interface AskOptions {
  readonly history: History;
  /** Undefined: there are none here. */
  readonly jail: JailTools | undefined;
  readonly prices: Prices;
  /** Under root: who the program becomes. */
  readonly uid: number | undefined;
  readonly bounds?: Partial<Bounds>;
}

/** The process; its output are the lines of question-program.ts. It is ended when its time is over, whatever it does. */
export function ask(question: Question, options: AskOptions): ChildProcess {
  const { history, jail, prices, uid } = options;
  const bounds = { ...QUESTION_BOUNDS, ...options.bounds };
  const files = permitted(history, question.scope);
  const data = jail === undefined ? join(history.directory, "tables") : INSIDE.data;
  const below = (path: string): string => join(data, path.slice("tables/".length));
  const paths = (table: TableName): readonly string[] => files.filter((file) => file.table === table).map((file) => below(pathOf(file)));
  const own = jail === undefined ? mkdtempSync(join(tmpdir(), "borg-question-")) : undefined;
  const input = JSON.stringify({
    sql: question.sql,
    parquet: question.parquet,
    views: viewStatements({ paths, audit: question.scope.audit, prices }),
    directory: data,
    temporary: own ?? INSIDE.temporary,
    memory: bounds.memory,
    timeMs: bounds.timeMs,
    bytesMax: bounds.bytesMax,
    ...(jail?.root === true && uid !== undefined ? { uid } : {}),
  });
  const [command = "", ...args] =
    jail === undefined
      ? [process.execPath, programPath()]
      : [
          ...jailWords(jail, folders(history, files), { cpuSeconds: Math.ceil(bounds.timeMs / 1000) + 5, dataBytes: bounds.dataBytes }),
          INSIDE.node,
          PROGRAM_INSIDE,
        ];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], env: {}, cwd: "/" });
  const over = setTimeout(() => child.kill("SIGKILL"), bounds.timeMs + GRACE_MS);
  child.once("close", () => {
    clearTimeout(over);
    if (own !== undefined) rmSync(own, { recursive: true, force: true });
  });
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  return child;
}

function permitted(history: History, { owners }: Scope): History["files"] {
  if (owners === "all") return history.files;
  const seen = new Set([CELL_OWNER, ...owners]);
  return history.files.filter(({ owner }) => seen.has(owner));
}

/** Each table's folder of each owner that may be seen. */
function folders(history: History, files: History["files"]): readonly Folder[] {
  const seen = new Set(files.map(({ table, owner }) => `${table}/owner=${owner}`));
  const whole = files.length === history.files.length;
  const paths = whole ? TABLE_NAMES.filter((table) => files.some((file) => file.table === table)) : [...seen];
  return paths.map((path) => ({ source: join(history.directory, "tables", path), path }));
}
