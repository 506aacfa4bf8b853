import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CallError } from "../../rpc/call-error.ts";
import { EXIT } from "../exit.ts";
import { borg } from "../fixture.test.ts";

const desk = mkdtempSync(join(tmpdir(), "borg-lb-"));
after(() => rmSync(desk, { recursive: true }));

const task = (index: number, host = "10.0.0.1", port = "http") => ({
  name: `ann/web/${index}`,
  host,
  ports: [{ name: port, number: 20_000 + index }],
  ready: true,
  instance: `ann/web/${index}:1`,
});
const found = (...tasks: object[]): never => ({ kind: "job", size: 3, ready: tasks.length, version: "v", tasks }) as never;
const read = (name: string): string => readFileSync(join(desk, name), "utf8");
const once = (args: string, ...tasks: object[]) =>
  borg(["lb", ...args.split(" "), "--once"], { resolve: () => found(...tasks) }, { cwd: desk });

test("borg lb writes what is ready for nginx and for haproxy [N3]", async () => {
  const { code, out } = await once("web --format nginx --out nginx.conf", task(0), task(1, "fd00::1"), task(2, "host-7.example.com"));
  assert.equal(code, EXIT.done, out);
  assert.equal(
    read("nginx.conf"),
    `# Written by borg lb: what is ready of ann-web. It is replaced when that changes.
upstream ann-web {
    server 10.0.0.1:20000;
    server [fd00::1]:20001;
    server host-7.example.com:20002;
}
`,
  );
  await once("web --format haproxy --out haproxy.cfg", task(0), task(1, "fd00::1"));
  assert.equal(
    read("haproxy.cfg"),
    `# Written by borg lb: what is ready of ann-web. It is replaced when that changes.
backend ann-web
    balance roundrobin
    server web-0 10.0.0.1:20000
    server web-1 [fd00::1]:20001
`,
  );
});

const has = (program: string): string | false => (spawnSync(program, ["-v"]).error === undefined ? false : `no ${program} here`);

test("nginx and haproxy take what is written, also when nobody is ready [N3]", { skip: has("nginx") || has("haproxy") }, async () => {
  for (const tasks of [[], [task(0), task(1)]]) {
    await once("web --format nginx --out up.conf", ...tasks);
    writeFileSync(
      join(desk, "whole.conf"),
      `pid ${desk}/nginx.pid; error_log ${desk}/error.log; events {} http { access_log off; client_body_temp_path ${desk}/a; proxy_temp_path ${desk}/b;
      fastcgi_temp_path ${desk}/c; uwsgi_temp_path ${desk}/d; scgi_temp_path ${desk}/e; include ${desk}/up.conf; server { listen 127.0.0.1:1; location / { proxy_pass http://ann-web; } } }\n`,
    );
    const nginx = spawnSync("nginx", ["-t", "-e", join(desk, "error.log"), "-c", join(desk, "whole.conf")], { encoding: "utf8" });
    assert.equal(nginx.status, 0, nginx.stderr);
    await once("web --format haproxy --out up.cfg", ...tasks);
    writeFileSync(
      join(desk, "main.cfg"),
      "defaults\n mode http\n timeout connect 1s\n timeout client 1s\n timeout server 1s\nfrontend in\n bind 127.0.0.1:1\n default_backend ann-web\n",
    );
    const haproxy = spawnSync("haproxy", ["-c", "-f", join(desk, "main.cfg"), "-f", join(desk, "up.cfg")], { encoding: "utf8" });
    assert.equal(haproxy.status, 0, haproxy.stderr);
  }
});

test("what a machine says is its host goes into no file unless it is one, and a task without the port is left out [N3] [KA2]", async () => {
  const { err } = await once(
    "web --format nginx --out evil.conf --port http",
    task(0, "1.2.3.4; } server { listen 80"),
    task(1, "a\nserver evil"),
    task(2, ""),
    task(3, "10.0.0.3", "debug"),
    task(4, "10.0.0.4"),
  );
  assert.deepEqual(read("evil.conf").match(/server .*/g), ["server 10.0.0.4:20004;"]);
  assert.match(err, /Left out: ann\/web\/0: its machine says no host.* and 1 more/);
});

test("a file of somebody else, a format that is none and a name that nothing has are refused [N3]", async () => {
  writeFileSync(join(desk, "mine.conf"), "worker_processes 1;\n");
  assert.equal((await once("web --format nginx --out mine.conf", task(0))).code, EXIT.refused);
  assert.equal(read("mine.conf"), "worker_processes 1;\n");
  assert.equal((await once("web --format apache --out x.conf", task(0))).code, EXIT.usage);
  assert.equal((await once("web --format nginx --out no/where/x.conf", task(0))).code, EXIT.refused);
  const gone = await borg(["lb", "web", "--format", "nginx", "--out", "x.conf"], { resolve: () => ({}) }, { cwd: desk });
  assert.deepEqual([gone.code, existsSync(join(desk, "x.conf"))], [EXIT.notFound, false]);
});

test("the file follows the cell over a master that dies, and is reloaded once at first and then when it changed [N3]", async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const note = (): void =>
    void seen.push(
      read("watch.conf")
        .match(/server [^;]*/g)!
        .join(" ")
        .replaceAll("server 10.0.0.1:2000", ""),
    );
  const noted = (...tasks: object[]): never => {
    note();
    return found(...tasks);
  };
  const steps: (() => never)[] = [
    () => found(task(0), task(1)),
    () => found(task(0), task(1)),
    () => noted(task(1)),
    () => {
      note();
      throw new CallError("unreachable", "Nobody answers");
    },
    () => noted({ ...task(1), instance: "ann/web/1:9" }),
    () => noted(task(1), task(2)),
    () => {
      note();
      stop.abort();
      return found();
    },
  ];
  const log = join(desk, "reloads");
  const args = ["lb", "web", "--format", "nginx", "--out", "watch.conf", "--reload", `grep -c ' server ' watch.conf >>${log}`, "--json"];
  const { code, out, err, terminal } = await borg(args, { resolve: () => steps.shift()!() }, { cwd: desk, interrupted: () => stop.signal });
  assert.equal(code, EXIT.done);
  assert.deepEqual(seen, ["0 1", "1", "1", "1", "1 2"]);
  assert.match(err, /Nobody answers; waiting/);
  const told = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { servers: number; written: boolean });
  assert.deepEqual(
    told.map(({ servers, written }) => [servers, written]),
    [
      [2, true],
      [1, true],
      [2, true],
      [0, true],
    ].slice(0, told.length),
  );
  assert.deepEqual(readFileSync(log, "utf8").trim().split("\n"), ["2", "1", "2", "1"], "after each change, and not otherwise");
  assert.ok(terminal.slept.includes(250), "changes that come together are written together");
  assert.deepEqual(
    readdirSync(desk).filter((name) => name.endsWith(".new")),
    [],
    "nothing is left behind",
  );
});

test("the reload command runs where lb was started, only when something changed, and again when it fails [N3]", async () => {
  const log = join(desk, "log");
  const run = (...tasks: object[]) =>
    borg(
      ["lb", "web", "--format", "nginx", "--out", "r.conf", "--once", "--reload", `echo x >>${log}; test $(wc -l <${log}) -ne 1`],
      { resolve: () => found(...tasks) },
      { cwd: desk },
    );
  const { out, err } = await run(task(0));
  assert.match(out, /1 of 3 tasks in .*r\.conf; reloaded/);
  assert.match(err, /The reload command failed \(1 of 3\)/);
  assert.equal(readFileSync(log, "utf8"), "x\nx\n");
});
