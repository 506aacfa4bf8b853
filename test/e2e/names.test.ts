/**
 * A service of six tasks behind a real nginx whose configuration `borg lb` keeps, and in DNS: no request fails while a new version rolls out and the master dies
 * in the middle, and what has ended is soon named by nobody.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { answerOf } from "./load.ts";
import { freePort, RealCell } from "./real-cell.ts";
import { webFile } from "./web-file.ts";

const JOB = "tester/web";
const CLIENTS = 4;
const has = (program: string): string | false => (spawnSync(program, ["-v"]).error === undefined ? false : `no ${program} here`);

const nginxFile = (desk: string, port: number): string => `
daemon off; pid ${desk}/nginx.pid; error_log ${desk}/error.log; ${process.getuid?.() === 0 ? "user root;" : ""} worker_processes 1;
events {}
http {
  access_log off; client_body_temp_path ${desk}/a; proxy_temp_path ${desk}/b; fastcgi_temp_path ${desk}/c; uwsgi_temp_path ${desk}/d; scgi_temp_path ${desk}/e;
  include ${desk}/web.conf;
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://tester-web; proxy_connect_timeout 3s; } }
}
`;

class Front {
  readonly failed: string[] = [];
  readonly versions = new Set<string>();
  served = 0;
  #stopped = false;
  readonly #loops: Promise<void>[];

  constructor(address: string) {
    this.#loops = Array.from({ length: CLIENTS }, async () => {
      while (!this.#stopped) {
        const said = await answerOf(address);
        if (said.ok) this.versions.add(said.text);
        else this.failed.push(said.why);
        this.served += Number(said.ok);
        await sleep(10);
      }
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }
}

test("nginx before a rolling update drops nothing while the master dies, and DNS names what serves [N1] [N2] [N3] [D1]", {
  skip: has("nginx") || has("dig"),
  timeout: 300_000,
}, async (t) => {
  const cell = await RealCell.start(2);
  const desk = mkdtempSync(join(tmpdir(), "borg-names-"));
  const path = join(desk, "web.bcl");
  const [dnsPort, port] = [await freePort(), await freePort()];
  const children: ChildProcess[] = [];
  const borg = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await cell.borg(...args);
    assert.equal(code, 0, `borg ${args.join(" ")}: ${out}${err}`);
    return out;
  };
  const dig = (name: string, type: string): readonly string[] => {
    const args = ["@127.0.0.1", "-p", String(dnsPort), "+short", "+tries=1", "+time=3", `${name}.tester.${cell.name}.borg`, type];
    return spawnSync("dig", args, { encoding: "utf8" }).stdout.trim().split("\n").filter(Boolean).sort();
  };
  const restartMaster = async (): Promise<void> => {
    await cell.kill("master");
    cell.startMaster();
    await cell.ready();
  };
  try {
    cell.data.writeCell({ ...cell.data.readCell()!, dnsPort });
    await restartMaster();
    writeFileSync(path, webFile("0", "4s"));
    await borg("submit", path, "--wait");
    await cell.until("all six by DNS", () => dig("web", "TXT")[0] === '"size=6" "ready=6"');
    const addresses = (await borg("resolve", "web", "--port", "http")).trim().split("\n").sort();
    const ports = addresses.map((address) => address.slice(address.indexOf(":") + 1));
    assert.deepEqual(
      dig("_http._tcp.web", "SRV")
        .map((line) => line.split(" ")[2])
        .sort(),
      ports.sort(),
    );
    assert.deepEqual(dig("0.web", "A"), ["127.0.0.1"]);

    writeFileSync(join(desk, "nginx.conf"), nginxFile(desk, port));
    const nginx = ["-e", join(desk, "error.log"), "-c", join(desk, "nginx.conf")];
    await borg("lb", "web", "--format", "nginx", "--out", join(desk, "web.conf"), "--once");
    children.push(spawn("nginx", nginx, { stdio: "ignore" }));
    const reload = `nginx ${nginx.join(" ")} -s reload`;
    const args = [...entryPoint(), "lb", "web", "--format", "nginx", "--out", join(desk, "web.conf"), "--reload", reload, "--json"];
    children.push(spawn(process.execPath, args, { env: cell.env, stdio: "ignore" }));
    await cell.until("nginx to serve", async () => (await answerOf(`http://127.0.0.1:${port}/`)).ok);
    const front = new Front(`http://127.0.0.1:${port}/`);
    try {
      writeFileSync(path, webFile("1", "4s"));
      await borg("update", path);
      await cell.until("the new version to answer", () => front.versions.has("1"));
      await restartMaster();
      await cell.until("the update to end", async () => (await cell.client.getUpdate({ job: JOB })).phase === "rolled", 120_000);
      await cell.until("all six by DNS", () => dig("web", "TXT")[0] === '"size=6" "ready=6"');
      await sleep(1000);
    } finally {
      await front.stop();
    }
    assert.deepEqual(
      front.failed,
      [],
      `of ${front.served} requests these failed\n${readFileSync(join(desk, "error.log"), "utf8").slice(-2000)}`,
    );
    assert.ok(front.served > 50);
    t.diagnostic(`${front.served} requests through nginx, none dropped`);
    await borg("update", "commit", "web");

    await borg("kill", "web");
    await cell.until("the dead to leave DNS", () => dig("web", "SRV").length === 0 && dig("0.web", "A").length === 0, 6000);
    await cell.until("the file to hold nobody", () => readFileSync(join(desk, "web.conf"), "utf8").includes(" down;"), 10_000);
  } finally {
    for (const child of children.reverse()) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    }
    rmSync(desk, { recursive: true, force: true });
    await cell.close();
  }
});
