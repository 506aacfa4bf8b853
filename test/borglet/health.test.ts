/** Checks by TCP and by command, and lame ducks, with real processes. By HTTP: hostile.test.ts. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Health, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { CheckKind } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { BEST, EXTREMES, is, Stage } from "./stage.ts";

const A = "ann/web/0:1";
const KEY = "ann_web_0.1";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

const command = (script: string, more: object = {}) => ({
  kind: CheckKind.COMMAND,
  command: ["/bin/sh", "-c", script],
  intervalMs: 1000,
  timeoutMs: 10_000,
  ...more,
});

for (const mode of EXTREMES) {
  test(`A command runs with the task's files, user, rights, limits and environment: ${mode.name} [borglet.H6] [N4]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const look =
        'id -u; pwd; echo "$BORG_INSTANCE $MINE"; cat /etc/mine 2>/dev/null || cat "$BORG_ROOT/etc/mine"; grep -E "^(CapEff|NoNewPrivs|Seccomp):" /proc/self/status; ls /proc/self/fd';
      const files = [{ path: "/etc/mine", content: Buffer.from("a file\n"), mode: 0o644 }];
      const environment = [{ key: "MINE", value: "yes" }];
      const task = { files, environment, ready: command(`{ ${look}; } >seen; test -f well`) };
      await stage.run(A, `{ ${look}; } >own; touch well; exec sleep 600`, {}, task);
      await stage.instance(A, "is ready", ({ ready }) => ready === Health.GOOD);
      const written = (name: string): string => readFileSync(join(stage.directory, "area", "tasks", KEY, "work", name), "utf8");
      assert.equal(written("seen"), written("own"), "as the task itself");
      assert.match(written("seen"), / yes\na file\nCapEff:\t0+\nNoNewPrivs:\t1\n/);
      if (mode.root && mode.without.length === 0) assert.match(written("seen"), /Seccomp:\t2/);
    } finally {
      await stage.close();
    }
  });
}

test("A command is counted in the task's control groups and ends with its time, with all that it started [borglet.H6] [N4]", async () => {
  const stage = await Stage.open(BEST);
  try {
    const check = command("sleep 98765 & exec sleep 98765", { timeoutMs: 3000, failures: 1, graceMs: 0 });
    await stage.run(A, "exec sleep 98764", { restart: { backoffMinMs: 1 } }, { health: check, noticeMs: 100 });
    const [task, asked] = [await running("98764"), await running("98765")];
    assert.equal(groupsOf(asked), groupsOf(task));
    const report = await stage.instance(A, "is restarted", ({ run }) => run >= 2);
    assert.equal(report.message, "Restarted: its health check failed once, last: Command took longer than 3000 ms");
    stage.poll([{ body: { case: "stop", value: { instance: A } } }]);
    await stage.instance(A, "is gone", is(Phase.GONE));
    assert.deepEqual(sleepers("98765"), []);
  } finally {
    await stage.close();
  }
});

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

const groupsOf = (pid: string): string => read(`/proc/${pid}/cgroup`);

/** Who sleeps for just this long. */
const sleepers = (seconds: string): readonly string[] =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/cmdline`) === `sleep\0${seconds}\0`);

async function running(seconds: string): Promise<string> {
  for (let looks = 0; looks < 1000; looks++) {
    const [pid] = sleepers(seconds);
    if (pid !== undefined) return pid;
    await sleep(20);
  }
  throw new Error(`Nobody sleeps for ${seconds} s`);
}

test("A command that fails is told with its exit, and nothing of what it wrote [borglet.H6]", async () => {
  const stage = await Stage.open(BEST);
  try {
    const bad = command("head -c 30000000 /dev/zero; echo secret >&2; exit 137", { failures: 1 });
    await stage.run(A, "exec sleep 600", {}, { ready: bad });
    const report = await stage.instance(A, "is not ready", ({ ready }) => ready === Health.BAD);
    assert.equal(report.problem, "Command: exit 137");
    assert.deepEqual([report.run, report.phase], [1, Phase.RUNNING]);
  } finally {
    await stage.close();
  }
});

test("By TCP who takes a connection is ready, unless another process does [borglet.H2] [borglet.H4] [N4]", async () => {
  const stage = await Stage.open(BEST);
  const port = await freePort();
  const stranger = createServer();
  try {
    const ready = { kind: CheckKind.TCP, port: "db", intervalMs: 100, failures: 2 };
    const program =
      "const s = require('net').createServer().listen(process.env.BORG_PORT_DB, '127.0.0.1'); process.on('SIGUSR1', () => s.close())";
    const script = `node -e "${program}" & pid=$!; while [ ! -f leave ]; do sleep 0.1; done; kill -USR1 $pid; wait $pid; exec sleep 600`;
    await stage.run(A, script, { ports: [port] }, { ports: ["db"], ready });
    await stage.instance(A, "is ready", ({ ready: told }) => told === Health.GOOD);
    writeFileSync(join(stage.directory, "area", "tasks", KEY, "work", "leave"), "");
    const closed = await stage.instance(A, "is not ready", ({ ready: told }) => told === Health.BAD);
    assert.match(closed.problem, /^Cannot connect: .*ECONNREFUSED/);
    await new Promise<void>((done) => stranger.listen(port, "127.0.0.1", () => done()));
    const held = await stage.instance(A, "is held", ({ problem }) => /held by another/.test(problem));
    assert.deepEqual([held.ready, held.run, held.problem], [Health.BAD, 1, `Port ${port} is held by another process`]);
  } finally {
    stranger.close();
    await stage.close();
  }
});

test("A lame duck serves on until its time has come, and then gets its SIGTERM [borglet.R3] [N4]", async () => {
  const stage = await Stage.open(BEST);
  try {
    await stage.run(A, "trap 'echo ended; exit 0' TERM; while :; do sleep 0.05; done");
    const sinceMs = performance.now();
    stage.poll([{ body: { case: "stop", value: { instance: A, noticeMs: 10_000, lameDuckMs: 1500 } } }]);
    await stage.instance(A, "is gone", is(Phase.GONE));
    assert.ok(performance.now() - sinceMs >= 1400, "its SIGTERM came too soon");
    assert.equal(await stage.said(A, "ended"), "ended\n");
  } finally {
    await stage.close();
  }
});
