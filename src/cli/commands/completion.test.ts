import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { borg } from "../fixture.test.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-completion-"));
after(() => rmSync(ROOT, { recursive: true }));
/** Stands for the command: answers `__complete KIND PREFIX` with what it was asked. */
writeFileSync(join(ROOT, "borg"), '#!/bin/sh\n[ "$1" = __complete ] && printf "%s\\n" "$2-one" "$2-two"\n');
chmodSync(join(ROOT, "borg"), 0o755);
writeFileSync(join(ROOT, "web.bcl"), "");

const SCRIPT = (await borg(["completion", "bash"], {})).out;

/** What bash would offer behind these words. */
function offers(...words: readonly string[]): readonly string[] {
  const set = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`;
  const text = `${SCRIPT}\n${set}\n_borg\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", text], { cwd: ROOT, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
}

const BORG = join(ROOT, "borg");

test("bash completes commands, subcommands and options", () => {
  assert.deepEqual(offers(BORG, "su"), ["submit"]);
  assert.deepEqual(offers(BORG, "token", ""), ["create", "ls", "revoke", "--json", "--help"]);
  assert.deepEqual(offers(BORG, "--json", "quota", "s"), ["set"]);
  assert.deepEqual(offers(BORG, "submit", "--dr"), ["--dry-run"]);
  assert.deepEqual(offers(BORG, "ls", "ma"), ["machines"]);
  assert.ok(!offers(BORG, "").some((word) => word.startsWith("_")));
});

test("bash asks the cell for names, and the directory for files; nothing behind --", () => {
  assert.deepEqual(offers(BORG, "kill", "jobs"), ["jobs-one", "jobs-two"]);
  assert.deepEqual(offers(BORG, "logs", "tasks-t"), ["tasks-two"]);
  assert.deepEqual(offers(BORG, "drain", "m"), ["machines-one", "machines-two"]);
  assert.deepEqual(offers(BORG, "submit", "w"), ["web.bcl"]);
  assert.deepEqual(offers(BORG, "run", "x", "--", ""), []);
});

test("bash completes values: of options, and of each argument in its place [N9]", () => {
  assert.deepEqual(offers(BORG, "ls", "tasks", "--state", "f"), ["finished", "failed"]);
  assert.deepEqual(offers(BORG, "ls", "tasks", "--machine", "m"), ["machines-one", "machines-two"]);
  assert.deepEqual(offers(BORG, "ls", "-u", ""), ["users-one", "users-two"]);
  assert.deepEqual(offers(BORG, "ls", "--job", "jobs-o"), ["jobs-one"]);
  assert.deepEqual(offers(BORG, "--cell", "c"), ["cells-one", "cells-two"]);
  assert.deepEqual(offers(BORG, "--cell", "x", "dra"), ["drain"]);
  assert.deepEqual(offers(BORG, "run", "x", "--priority", "p"), ["production"]);
  assert.deepEqual(offers(BORG, "run", "x", "--restart", ""), ["never", "on-failure", "always"]);
  assert.deepEqual(offers(BORG, "user", "grant", "u"), ["users-one", "users-two"]);
  assert.deepEqual(offers(BORG, "user", "grant", "ann", "--role", "q"), ["quota-admin"]);
  assert.deepEqual(offers(BORG, "quota", "set", "ann", "b"), ["batch"]);
  assert.deepEqual(offers(BORG, "logs", "-n", "5", "tasks-o"), ["tasks-one"]);
  assert.deepEqual(offers(BORG, "bcl", "check", "w"), ["web.bcl"]);
  assert.deepEqual(offers(BORG, "token", "ls", "5", ""), ["--user", "--all", "--help"]);
  assert.ok(!offers(BORG, "logs", "-").includes("--until"));
});

test("zsh offers the same, where there is a zsh", async (t) => {
  if (spawnSync("zsh", ["--version"]).status !== 0) return t.skip("zsh is not installed");
  const { out } = await borg(["completion", "zsh"], {});
  const words = (...line: readonly string[]): readonly string[] => {
    const stubs = "compdef() { }; _files() { print FILES }; compadd() { shift; print -l -- $@ }";
    const text = `${stubs}\n${out}\nwords=(${line.map((word) => `'${word}'`).join(" ")}); CURRENT=${line.length}; _borg`;
    return execFileSync("zsh", ["-f", "-c", text], { cwd: ROOT, encoding: "utf8" }).split("\n").filter(Boolean);
  };
  assert.ok(words(BORG, "").includes("submit"));
  assert.deepEqual(words(BORG, "token", ""), ["create", "ls", "revoke", "--json", "--help"]);
  assert.deepEqual(words(BORG, "kill", "j").slice(-4), ["--json", "--help", "jobs-one", "jobs-two"]);
  assert.equal(words(BORG, "submit", "w")[0], "FILES");
});

test("names are mine by their short names, others' by their full ones; a cell that is away completes nothing", async () => {
  const script = {
    listJobs: ({ user }: { user: string }) => (user === "web" ? {} : { jobs: [{ name: `${user}/web` }, { name: `${user}/worker` }] }),
    listTasks: ({ job }: { job: string }) => ({ tasks: [{ name: `${job}/0` }, { name: `${job}/1` }] }),
    listMachines: () => ({ machines: [{ name: "m1" }] }),
    listUsers: () => ({ users: [{ name: "ann" }, { name: "bob" }] }),
    listSchedulers: () => ({ schedulers: [{ name: "service" }] }),
  };
  const names = async (...args: readonly string[]) => (await borg(["__complete", ...args], script)).out.split("\n").filter(Boolean);
  assert.deepEqual(await names("jobs", "w"), ["web", "worker"]);
  assert.deepEqual(await names("jobs", "bob/w"), ["bob/web", "bob/worker"]);
  assert.deepEqual(await names("tasks", "web/"), ["web/0", "web/1"]);
  assert.deepEqual(await names("tasks", "ann/web/"), ["ann/web/0", "ann/web/1"]);
  assert.deepEqual(await names("names", "m"), ["m1"]);
  assert.deepEqual(await names("users", "b"), ["bob"]);
  assert.deepEqual(await names("schedulers", ""), ["service"]);
  const away = await borg(["__complete", "jobs", "", "--deadline", "1s"], {});
  assert.deepEqual([away.code, away.out, away.err], [0, "", ""]);
});
