/**
 * Holds the room table and fails the build where the tree does not follow it. Every message says what to do instead.
 * `node tools/tidy.ts [root]` checks, `node tools/tidy.ts --rooms` prints the table. The rules are in tidy-*.ts; none can be switched off in a file.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkImports } from "./tidy-imports.ts";
import { checkPurity } from "./tidy-purity.ts";
import { checkRepository } from "./tidy-repo.ts";
import { isGenerated, type Problem, type Repository, type Room, roomTable } from "./tidy-rooms.ts";
import { checkStyle } from "./tidy-style.ts";
import { scan } from "./tidy-tokens.ts";

const PLANNING: readonly string[] = ["base", "wire", "cell", "scheduler", "offers", "bcl"];
const CLIENT: readonly string[] = ["base", "wire", "rpc"];

/** Which rooms there are, what each may touch, and which others it may use. A change here is a decision note. */
export const ROOMS: readonly Room[] = [
  { name: "base", kind: "pure", uses: [], what: "assert, typed ids, result, resource vector, heap, seeded random; Env, Actor, Disk" },
  {
    name: "wire",
    kind: "pure",
    uses: ["base"],
    what: "the protobuf vocabulary (generated into wire/gen), its check, the journal interface",
  },
  {
    name: "cell",
    kind: "pure",
    uses: ["base", "wire"],
    what: "the truth: ops, state, apply, transition tables, claims, quota, checkpoint, hash, invariants",
  },
  {
    name: "scheduler",
    kind: "pure",
    uses: ["base", "wire", "cell"],
    what: "mirror of the cell, queue, feasibility, scoring, preemption, pass, explain",
  },
  {
    name: "offers",
    kind: "pure",
    uses: ["base", "wire", "cell", "scheduler"],
    what: "Mesos: allocation modules, offer ledger, filters, revocation",
  },
  { name: "bcl", kind: "pure", uses: ["base", "wire"], what: "job description text to JobSpec" },
  { name: "archive", kind: "outer", uses: [], what: "packages as bytes: trees of files in one stream and back" },
  {
    name: "borgmaster",
    kind: "actor",
    uses: PLANNING,
    what: "admission, append pipeline, election, link shards, reservations, watch, follower, API handlers",
  },
  {
    name: "borglet",
    kind: "mixed",
    // Its Linux half takes the real Disk from store, the real Env from shell, and archive's program that unpacks.
    uses: [...CLIENT, "archive", "store", "shell"],
    what: "reconcile, launcher, cgroups, packages, logs, health, usage; its Linux shell is in linux/",
    files: [
      { path: "linux/*", kind: "outer" },
      { path: "contract.ts", kind: "test" },
    ],
    others: "actor",
  },
  {
    name: "store",
    kind: "mixed",
    uses: ["base", "wire"],
    what: "journals over a Disk; one contract suite for all",
    files: [
      { path: "memory*", kind: "pure" },
      { path: "log*", kind: "pure" },
      { path: "files*", kind: "outer" },
      { path: "etcd/*", kind: "pure" },
      { path: "etcd*", kind: "outer" },
      { path: "contract.ts", kind: "test" },
    ],
    others: "pure",
  },
  {
    name: "fauxmaster",
    kind: "actor",
    // Of store and borglet only the pure and actor files: an actor file may import no other.
    uses: [...PLANNING, "borgmaster", "borglet", "store"],
    what: "simulated world, simulated machines, what-if, experiments, trace replay",
  },
  {
    name: "shell",
    kind: "outer",
    uses: [...CLIENT, "store"],
    what: "the real Env: timers, sockets, files, threads and processes that drive the actors",
  },
  { name: "rpc", kind: "outer", uses: ["base", "wire"], what: "transport, TLS, authentication, server and client, links" },
  { name: "bns", kind: "outer", uses: CLIENT, what: "names and DNS" },
  { name: "infrastore", kind: "outer", uses: CLIENT, what: "SQL over the history of a cell" },
  { name: "sigma", kind: "outer", uses: CLIENT, what: "web UI" },
  { name: "services", kind: "outer", uses: CLIENT, what: "cron, workflow, autoscaling, repacking" },
  {
    name: "daemon",
    kind: "outer",
    uses: [
      ...PLANNING,
      "borgmaster",
      "borglet",
      "store",
      "fauxmaster",
      "shell",
      "rpc",
      "bns",
      "infrastore",
      "sigma",
      "services",
      "archive",
    ],
    what: "the processes of a cell put together: master process and its threads, borglet process, supervisor",
  },
  { name: "cli", kind: "outer", uses: "everything", what: "the borg command" },
];

/** Every problem of a set of files (path from the root, text), sorted by place. */
export function tidy(files: ReadonlyMap<string, string>, rooms: readonly Room[] = ROOMS): readonly Problem[] {
  const sources = [...files].filter(([path]) => /\.tsx?$/.test(path) && !isGenerated(path)).map(([path, text]) => scan(path, text));
  const repository: Repository = { rooms, files, sources };
  const rules = [checkImports, checkPurity, checkStyle, checkRepository];
  return rules.flatMap((rule) => rule(repository)).sort(byPlace);
}

function byPlace(a: Problem, b: Problem): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || a.column - b.column || (a.message < b.message ? -1 : 1);
}

export function format(problem: Problem): string {
  return `${problem.path}:${problem.line}:${problem.column}: ${problem.message}`;
}

/** The text files that git knows or would take: tracked ones, and new ones that are not ignored. */
export function readFiles(root: string): ReadonlyMap<string, string> {
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const files = new Map<string, string>();
  for (const path of [...new Set(list.split("\0"))].sort()) {
    if (path === "") continue;
    const text = readText(join(root, path));
    if (text !== undefined) files.set(path, text);
  }
  return files;
}

/** Undefined for what is no text, and for a tracked file that is no longer there. */
function readText(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return undefined;
  const text = readFileSync(path, "utf8");
  return text.includes("\0") ? undefined : text;
}

/** The exit code; `print` gets what a person should read. */
export function main(args: readonly string[], print: (line: string) => void): number {
  if (args.includes("--rooms")) {
    print(roomTable(ROOMS));
    return 0;
  }
  const files = readFiles(args[0] ?? dirname(dirname(fileURLToPath(import.meta.url))));
  const problems = tidy(files);
  for (const problem of problems) print(format(problem));
  print(`tidy: ${files.size} files, ${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
