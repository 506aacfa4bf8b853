/**
 * make soak: every suite at its full counts: two parts that wait at a time, and beside them as many that compute as there are cores, which give way to them.
 * Prints the wall time of each part, and at the end the row for docs/TRACK-RECORD.md. What a part says is in .cache/soak/PART.log. A soak that was stopped
 * goes on where it was, as long as the commit is the same: parts
 * that were clean are not run again. Usage: node tools/soak.ts [--scale 0.01] [--only PART,PART] [--fresh]
 */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { arch, availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Part, soakParts } from "./soak-parts.ts";

const LOGS = join(".cache", "soak");
/** What computes gives way to what waits, so that clocks are kept and no core is idle. */
const GIVES_WAY = 10;
/** Only a hang takes so long. */
const HANG_MS = 7_200_000;
const TAIL_LINES = 60;
/** What waits talks to itself only. A plain user has no network to give: there ports of two parts may meet, and such a part is to be run again. */
const OWN_NETWORK = process.getuid?.() === 0 ? ["unshare", "--net", "sh", "-c", 'ip link set lo up; exec "$@"', "soak"] : [];

interface Done {
  readonly part: Part;
  readonly seconds: number;
  readonly ok: boolean;
  /** By a run of this command before this one. */
  readonly earlier?: true;
}

const git = (...args: readonly string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const secondsSince = (startedMs: number): number => Math.round((performance.now() - startedMs) / 1000);

/** So many that wait, at once: each mostly does nothing. */
const WAITING_MAX = 2;

/** The next part for a free place: one that waits first, as long as few of these are running. One that computes has a core. None begins before those that it needs are over. */
export function next(all: readonly Part[], running: readonly Part[], cores: number): Part | undefined {
  const open = [...all, ...running];
  const left = all.filter(({ after }) => after === undefined || !open.some(({ name }) => name.startsWith(after)));
  const waiting = running.filter(({ waits }) => waits).length;
  const one = waiting >= WAITING_MAX ? undefined : left.find(({ waits }) => waits);
  return one ?? (running.length - waiting < cores ? left.find(({ waits }) => !waits) : undefined);
}

const memoryOf = (part: Part): string => join(LOGS, `${part.name}.clean`);
/** What has to be the same for a part not to be run again. */
const sameRun = (part: Part, commit: string): string => JSON.stringify([commit, part.told]);

/** Of an earlier run on the same commit with the same counts. */
export function remembered(part: Part, commit: string, text: string): Done | undefined {
  const [same, seconds] = text.split("\n");
  return same === sameRun(part, commit) ? { part, seconds: Number(seconds), ok: true, earlier: true } : undefined;
}

export const memory = (part: Part, commit: string, seconds: number): string => `${sameRun(part, commit)}\n${seconds}\n`;

function recall(part: Part, commit: string): Done | undefined {
  try {
    return remembered(part, commit, readFileSync(memoryOf(part), "utf8"));
  } catch {
    return undefined;
  }
}

function run(part: Part, commit: string): Promise<Done> {
  const log = openSync(join(LOGS, `${part.name}.log`), "w");
  const told = Object.fromEntries(Object.entries(part.told).map(([name, value]) => [name, String(value)]));
  const env = { ...process.env, ...told, HANG_MS: String(HANG_MS) };
  const startedMs = performance.now();
  const words = [...(part.waits ? OWN_NETWORK : ["nice", "-n", String(GIVES_WAY)]), "make", "--no-print-directory", part.target];
  const child = spawn("env", words, { env, stdio: ["ignore", log, log] });
  closeSync(log);
  return new Promise((resolve) =>
    child.once("exit", (code) => {
      const done = { part, seconds: secondsSince(startedMs), ok: code === 0 };
      say(`soak: ${part.name} ${done.ok ? "is clean" : "FAILED"} after ${done.seconds} s: ${part.counts}`);
      if (done.ok) writeFileSync(memoryOf(part), memory(part, commit, done.seconds));
      else
        say(
          readFileSync(join(LOGS, `${part.name}.log`), "utf8")
            .split("\n")
            .slice(-TAIL_LINES)
            .join("\n"),
        );
      resolve(done);
    }),
  );
}

async function runAll(parts: readonly Part[], commit: string): Promise<readonly Done[]> {
  const left = [...parts];
  const running = new Map<Part, Promise<Done>>();
  const all: Done[] = [];
  while (left.length + running.size > 0) {
    const part = next(left, [...running.keys()], availableParallelism());
    if (part !== undefined) {
      left.splice(left.indexOf(part), 1);
      running.set(part, run(part, commit));
      continue;
    }
    const done = await Promise.race(running.values());
    running.delete(done.part);
    all.push(done);
  }
  return all;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { scale: { type: "string", default: "1" }, only: { type: "string", default: "" }, fresh: { type: "boolean", default: false } },
  });
  const parts = soakParts(git("rev-parse", "HEAD"), Number(values.scale)).filter(
    ({ name }) => values.only === "" || values.only.split(",").includes(name),
  );
  const commit = `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") === "" ? "" : " with changes"}`;
  mkdirSync(LOGS, { recursive: true });
  say(`soak: commit ${commit}, ${availableParallelism()} cores, ${parts.length} parts; what they say is in ${LOGS}`);
  const startedMs = performance.now();
  const earlier = values.fresh ? [] : parts.flatMap((part) => recall(part, commit) ?? []);
  for (const { part, seconds } of earlier) say(`soak: ${part.name} was clean before, after ${seconds} s: ${part.counts}`);
  const all = [
    ...earlier,
    ...(await runAll(
      parts.filter((part) => !earlier.some((done) => done.part === part)),
      commit,
    )),
  ];
  const failed = all.filter(({ ok }) => !ok).map(({ part }) => part.name);
  const inOrder = parts.map((part) => all.find((done) => done.part === part) as Done);
  const counts = inOrder.map(({ part, seconds }) => `${part.counts} (${seconds} s)`).join(", ");
  const pieces = earlier.length === 0 ? "" : ` for the last ${parts.length - earlier.length} of ${parts.length} parts, the others before`;
  const result = `${failed.length === 0 ? "clean" : `failed: ${failed.join(", ")}`}, ${secondsSince(startedMs)} s${pieces}`;
  const machine = `${availableParallelism()} cores, ${arch()}`;
  say(`| ${new Date().toISOString().slice(0, 10)} | ${commit} | make soak | ${counts} | ${machine} | ${result} |`);
  return failed.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
