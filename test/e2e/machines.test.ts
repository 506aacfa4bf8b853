/**
 * A cell of several machines, each a network namespace with a home of its own, made by typing what docs/operations/machines.md prints and nothing else: masters join, a machine joins,
 * is drained and leaves, a master is replaced, and the last backup is restored on an empty disk.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { problemsOf, schemaOf } from "../../src/cli/json-schema.test.ts";
import { etcdVersion } from "../../src/daemon/etcd-member.ts";
import { Networks } from "./networks.ts";
import { newcomersEnv, type Ran, ROOT, ran } from "./typist.ts";

const PAGE = join(ROOT, "docs", "operations", "machines.md");
const HOSTS = ["one", "two", "three", "far", "four"] as const;
type Host = (typeof HOSTS)[number];
const LONG_MS = 180_000;

/** One line of the page, and the machine that it is typed on. */
interface Typed {
  readonly host: Host;
  readonly line: string;
}

/** Machines are called before their blocks: "On two (10.0.0.2):". */
function typedIn(page: string): readonly Typed[] {
  let host: Host | undefined;
  return page.split("\n").flatMap((line) => {
    const named = /(?:^|\. )On (one|two|three|four|far)\b[^:]*:$/.exec(line)?.[1] as Host | undefined;
    host = named ?? host;
    return line.startsWith("    ") && host !== undefined ? [{ host, line: line.trim() }] : [];
  });
}

class Rig {
  readonly #networks = new Networks(HOSTS);
  readonly #root = mkdtempSync(join(tmpdir(), "borg-machines-"));
  readonly #serving = new Map<Host, ChildProcess>();

  make(): boolean {
    for (const host of HOSTS) mkdirSync(join(this.#root, host), { mode: 0o700 });
    return this.#networks.make();
  }

  home(host: Host): string {
    return join(this.#root, host);
  }

  /** Addresses of the page are those of this rig. */
  #here(line: string): string {
    const { subnet } = this.#networks;
    return line.replaceAll("10.0.0.", `${subnet}.`).replaceAll("m-10-0-0-", `m-${subnet.replaceAll(".", "-")}-`);
  }

  #words(host: Host, line: string): readonly string[] {
    return [...this.#networks.on(host), "bash", "-c", `borg() { '${join(ROOT, "borg")}' "$@"; }; ${this.#here(line)}`];
  }

  type(host: Host, line: string): Promise<Ran> {
    return ran("ip", this.#words(host, line), { env: newcomersEnv(this.home(host)), cwd: this.home(host) });
  }

  async good(host: Host, line: string): Promise<string> {
    const { code, out, err } = await this.type(host, line);
    assert.equal(code, 0, `${host}: ${line}\n${out}\n${err}\n${this.#logs(host)}`);
    return out;
  }

  /** A borglet in the foreground. */
  serve(host: Host, line: string): void {
    const said = openSync(this.#saidBy(host), "a");
    const child = spawn("ip", this.#words(host, `exec ${join(ROOT, "borg")} ${line.replace(/^borg /, "")}`), {
      ...{ env: newcomersEnv(this.home(host)), cwd: this.home(host), stdio: ["ignore", said, said] },
    });
    closeSync(said);
    this.#serving.set(host, child);
  }

  #saidBy(host: Host): string {
    return join(this.home(host), "said.log");
  }

  #logs(host: Host): string {
    const served = [...this.#serving.keys()].map((each) => this.#saidBy(each)).join(" ");
    const { stdout } = spawnSync("bash", ["-c", `tail -n 5 ${join(this.home(host), ".local/state/borg/cc/log")}/*.log ${served}`], {
      encoding: "utf8",
    });
    return stdout;
  }

  /** Of those that have keys: how many have the key that secrets of the cell are encrypted with. */
  mastersWithNewestKey(): number {
    const files = HOSTS.map((host) => join(this.home(host), ".local/state/borg/cc/secrets/keys.json")).filter(existsSync);
    const rings = files.map((file) => (JSON.parse(readFileSync(file, "utf8")) as { keys: { id: string; waits?: boolean }[] }).keys);
    const used = rings.flatMap((keys) => keys.find(({ waits }) => waits !== true)?.id ?? []);
    return Math.max(...used.map((id) => rings.filter((keys) => keys.length > 1 && keys.some((key) => key.id === id)).length));
  }

  async until(what: string, host: Host, line: string, isGood: (out: string) => boolean): Promise<string> {
    let last = "";
    for (const end = performance.now() + LONG_MS; performance.now() < end; await sleep(1000)) {
      const { out, err } = await this.type(host, line);
      if (isGood(out)) return out;
      last = `${out}\n${err}`;
    }
    throw new Error(`${what} did not come: ${last}\n${this.#logs(host)}`);
  }

  async remove(): Promise<void> {
    for (const child of this.#serving.values()) child.kill("SIGUSR2");
    await Promise.all(HOSTS.filter((host) => host !== "far").map((host) => this.type(host, "borg down --kill")));
    for (const child of this.#serving.values()) child.kill("SIGKILL");
    this.#networks.remove();
    rmSync(this.#root, { recursive: true, force: true });
  }
}

const unable = (): string | false => Networks.problem() || (etcdVersion() === undefined && "needs etcd: package etcd-server");

const COPIED = /^scp (\w+):(\S+) (\S+)$/;

/** What the page says of how it is afterwards. */
const rolesOf = (out: string): string =>
  (JSON.parse(out) as { replicas: { role: string }[] }).replicas
    .map(({ role }) => role)
    .sort()
    .join();
const leadingOf = (out: string): number =>
  rolesOf(out)
    .split(",")
    .filter((role) => role === "leading").length;

/** Most masters have the new key on their disks: while the one where it was made is down, whoever leads opens what is encrypted with it. */
async function opensElsewhere(rig: Rig, host: Host): Promise<void> {
  assert.ok(rig.mastersWithNewestKey() >= 2, "most masters have the new key");
  await rig.good(host, "borg down");
  const out = await rig.until("a leader elsewhere", "two", "borg secret ls --json", (said) => said.startsWith("["));
  const secrets = JSON.parse(out) as readonly { name: string; isKeyLost: boolean }[];
  assert.deepEqual(
    secrets.map(({ name, isKeyLost }) => [name, isKeyLost]),
    [["db", false]],
  );
  await rig.good(host, "borg up --detach");
  await rig.until("all masters", host, "borg status --json", (said) => said !== "" && rolesOf(said) === "following,following,leading");
}

/** A browser of this machine, whoever leads: the page, a read, and a change. */
async function showsPages(rig: Rig, host: Host): Promise<void> {
  const { origin, hash } = new URL((await rig.good(host, "borg ui")).trim());
  const post = (path: string, header: string, body: object): Promise<string> =>
    rig.good(
      host,
      `curl -sS --fail-with-body -H 'origin: ${origin}' -H 'content-type: application/json' -H '${header}' -d '${JSON.stringify(body)}' ${origin}${path}`,
    );
  assert.match(await rig.good(host, `curl -sSf ${origin}/`), /<html/);
  const { key } = JSON.parse(await post("/session", `borg-link: ${hash.replace("#link=", "")}`, {})) as { readonly key: string };
  const ask = async (method: string, body: object): Promise<string> => post(`/borg.v1.CellService/${method}`, `borg-session: ${key}`, body);
  const { jobs } = JSON.parse(await ask("ListJobs", {})) as { readonly jobs: readonly { readonly name: string }[] };
  assert.equal(jobs.length, 1, `${host} shows the job`);
  await ask("ResizeJob", { requestId: `pages-of-${host}`, job: jobs[0]!.name, count: 1 });
  await ask("ReadLog", { task: `${jobs[0]!.name}/0` });
}

test("three machines become a cell by typing docs/operations: one more joins, is drained and leaves, a master is replaced, and a backup is restored on an empty disk [M2] [M4] [M7] [M9] [G14]", {
  skip: unable(),
}, async () => {
  const typed = typedIn(readFileSync(PAGE, "utf8"));
  assert.ok(typed.length > 25, "the page has commands");
  const rig = new Rig();
  assert.ok(rig.make(), "networks");
  let hash = "";
  try {
    for (const { host, line } of typed) {
      const copied = COPIED.exec(line);
      if (copied !== null) {
        const [, from, file, to] = copied as unknown as [string, Host, string, string];
        copyFileSync(join(rig.home(from), file), join(rig.home(host), to));
        continue;
      }
      if (line.startsWith("borg join far")) {
        rig.serve(host, line);
        await rig.until("far in the cell", "one", "borg ls machines --json", (out) => /"far"[^}]*"up"/s.test(out));
        continue;
      }
      if (line.startsWith("borg restore")) hash = (JSON.parse(await rig.good(host, `${line} --json`)) as { hash: string }).hash;
      else if (line === "borg status") await rig.until("a leader", host, "borg status --json", (out) => out !== "" && leadingOf(out) === 1);
      else if (line === "borg replica ls")
        assert.deepEqual(problemsOf(schemaOf("replica-ls"), JSON.parse(await rig.good(host, `${line} --json`))), []);
      else if (line === "borg ui") for (const each of ["one", "two", "three"] as const) await showsPages(rig, each);
      else await rig.good(host, line);
      if (line.startsWith("borg drain far")) assert.equal((await rig.type("two", "borg show steady")).code, 0, "every master serves");
      if (line.startsWith("borg up") && host === "one" && hash === "")
        await rig.good("one", "borg run steady --restart always --wait -- sleep 3600");
      if (line === "borg secret rotate-key") await opensElsewhere(rig, host);
      if (line === "borg backup cc.backup") await rig.good("one", "borg run later -- sleep 1");
    }
    assert.match(await rig.good("one", "borg show steady"), /steady/, "what was saved is there");
    assert.equal((await rig.type("one", "borg show later")).code, 3, "what came after the backup is not");
    assert.ok(hash !== "");
  } finally {
    await rig.remove();
  }
});
