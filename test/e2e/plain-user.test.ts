/** As a plain user, without bubblewrap and cgroups, the same example runs, and `borg ls machines` says what is missing and what that means. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { asNobody, isRoot, NOBODY, unreachable } from "../nobody.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const HANG_MS = 120_000;

function run(
  env: NodeJS.ProcessEnv,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [command = "", ...rest] = [...asNobody, join(ROOT, "borg"), ...args];
  return new Promise((resolve) => {
    execFile(command, rest, { env, cwd: "/", timeout: HANG_MS }, (error, out, err) =>
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 255, out, err }),
    );
  });
}

test("a plain user without bubblewrap and cgroups [I9] [U7]", async (t) => {
  const problem = unreachable(join(ROOT, "src", "cli", "borg.ts"));
  if (problem !== "") return t.skip(problem);
  const home = mkdtempSync(join(tmpdir(), "borg-plain-"));
  if (isRoot) chownSync(home, NOBODY, NOBODY);
  const { PATH } = process.env;
  const port = String(9200 + Math.floor(Math.random() * 150) * 2);
  const env = { PATH, HOME: home, TMPDIR: tmpdir(), BORG_WITHOUT: "bubblewrap,cgroups" };
  const borg = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(env, ...args);
    assert.equal(code, 0, `borg ${args.join(" ")}: exit ${code}\n${out}\n${err}`);
    return out;
  };
  try {
    assert.match(
      await borg("up", "--detach", "--port", port),
      /Tasks run as plain processes that see each other's files, tasks under your user/,
    );
    await borg("submit", join(ROOT, "examples", "hello-web.bcl"), "--wait");
    const tasks = JSON.parse(await borg("ls", "tasks", "--json")) as { state: string; ports: { http: number } }[];
    assert.equal(tasks.length, 3);
    for (const { ports } of tasks) {
      const answer = await fetch(`http://127.0.0.1:${ports.http}/`, { headers: { connection: "close" } });
      assert.match(await answer.text(), /hello/);
    }
    const machines = await borg("ls", "machines");
    assert.match(machines, /no jail: tasks see each other's files and processes, and the machine's; .*bubblewrap/);
    assert.match(machines, /cgroup/);
  } finally {
    await run(env, "down", "--kill");
    rmSync(home, { recursive: true, force: true });
  }
});
