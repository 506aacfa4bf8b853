/** Real tasks under a real borglet, in every mode that this host allows. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { exitWords } from "../../src/base/exit-words.ts";
import { LogStream } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { is, isAlive, MODES, Stage, start, stop } from "./stage.ts";

const NEVER = { restart: { when: RestartWhen.NEVER } };

for (const mode of MODES) {
  test(`Tasks start, see what they were promised, end with their exit codes and stop as a whole (${mode.name}) [borglet.T1] [U7] [U12]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      await seesItsWorld(stage);
      await exitCodes(stage);
      await codesAndSignals(stage);
      await stops(stage);
    } finally {
      await stage.close();
    }
  });
}

/** Environment, ports, files, user, descriptors, working directory. */
async function seesItsWorld(stage: Stage): Promise<void> {
  const script = `
    echo "user=$(id -u) caps=$(grep CapEff /proc/self/status | cut -f2) privs=$(grep NoNewPrivs /proc/self/status | cut -f2)"
    echo "names=$BORG_CELL $BORG_USER $BORG_JOB $BORG_TASK $BORG_INSTANCE $BORG_BNS"
    echo "ports=$BORG_PORT_HTTP $BORG_PORT_ADMIN_UI own=$GREETING"
    echo "devices=$BORG_DEVICES_GPU $BORG_DEVICES_GPU_MILLI"
    echo "file=$(cat $BORG_ROOT/srv/app/conf) etc=$(cat $BORG_ROOT/etc/openborg-test/app.conf)"
    echo "fds=$(ls /proc/self/fd | tr '\\n' ' ')"
    echo "int=$(grep SigIgn /proc/self/status | cut -f2)"
    echo "home=$PWD $HOME $TMPDIR"; touch here "$TMPDIR/there" && echo writable
    echo "node=$(node -p 1+1)"
    echo oops >&2
    echo end`;
  const task = {
    ports: ["http", "admin-ui"],
    environment: [
      { key: "GREETING", value: "it's\nme $HOME" },
      { key: "BORG_INSTANCE", value: "a lie" },
      { key: "odd.name", value: "x" },
    ],
    files: [
      { path: "/srv/app/conf", content: Buffer.from("hello"), mode: 0o400 },
      { path: "/etc/openborg-test/app.conf", content: Buffer.from("deep") },
    ],
  };
  const name = "ann/web/3:7";
  const devices = [1, 3].map((number) => ({ name: "gpu-milli", number, amount: 1000 }));
  await stage.run(name, script, { ...NEVER, ports: [21_001, 21_002], devices }, task);
  const text = await stage.said(name, "end\n");
  assert.match(text, /devices=1,3 2000\n/);
  assert.doesNotMatch(text, /user=0 /, "tasks never run as root");
  assert.match(text, /caps=0000000000000000 privs=1/);
  assert.match(text, /names=test ann web 3 ann\/web\/3:7 3\.web\.ann\.test\.borg\n/);
  assert.match(text, /ports=21001 21002 own=it's\nme \$HOME\n/);
  assert.match(text, /file=hello etc=deep\n/);
  assert.match(text, /fds=0 1 2 3 \n/, "three is ls itself");
  // The C library's own signal 32 may come ignored from whoever started the tests.
  assert.match(text, /int=00000000[08]0000000\n/, "no signal is ignored");
  assert.match(text, /home=(\S+) \1 \S+\nwritable\n/);
  assert.match(text, /node=2\n/);
  assert.equal(await stage.said(name, "oops\n", LogStream.STDERR), "oops\n");
  await stage.instance(name, "finishes", is(Phase.FINISHED));
}

async function exitCodes(stage: Stage): Promise<void> {
  stage.poll([
    start("ann/code/0:1", "exit 7", NEVER),
    start("ann/code/1:1", "kill -KILL $$", NEVER),
    start("ann/code/2:1", "exit 0", NEVER),
    start("ann/code/3:1", "", NEVER, { command: ["/no/such/program"] }),
    start("ann/code/4:1", "", NEVER, { command: ["true"], volumes: [{ name: "etc" }] }),
  ]);
  const [a, b, c, d, e] = await Promise.all(
    [0, 1, 2, 3, 4].map((i) =>
      stage.instance(`ann/code/${i}:1`, "ends", ({ phase }) => phase === Phase.FAILED || phase === Phase.FINISHED),
    ),
  );
  assert.deepEqual([a?.phase, a?.exitCode, a?.signal, a?.message], [Phase.FAILED, 7, 0, "exit 7"]);
  assert.deepEqual([b?.phase, b?.exitCode, b?.signal, b?.message], [Phase.FAILED, 0, 9, "exit 137: killed by SIGKILL"]);
  assert.equal(c?.phase, Phase.FINISHED);
  assert.deepEqual([d?.phase, d?.exitCode], [Phase.FAILED, 127]);
  assert.equal(e?.message, 'Cannot start: This machine offers no volume "etc" to "ann"');
  await heldPorts(stage);
}

/** Another cell, or a program of nobody's, listens on a port that the master gave. */
async function heldPorts(stage: Stage): Promise<void> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  stage.poll([start("ann/held/0:1", "sleep 100", { ...NEVER, ports: [port] }, { ports: ["http"] })]);
  const { message } = await stage.instance("ann/held/0:1", "fails", is(Phase.FAILED));
  assert.equal(message, `Cannot start: Port ${port} of this machine is held by somebody else`);
  await new Promise((done) => server.close(done));
}

/** A shell says 130 for both "exit 130" and a death by SIGINT; a user is told which it was. */
async function codesAndSignals(stage: Stage): Promise<void> {
  const ends = ["exit 125", "exit 129", "exit 130", "exit 137", "exit 143", "exit 192", "exit 255"];
  const deaths = ["HUP 1", "INT 2", "KILL 9", "PIPE 13", "TERM 15", "64 64"];
  const scripts = [...ends, ...deaths.map((death) => `kill -${death.split(" ")[0]} $$; sleep 1000`)];
  const name = (i: number): string => `ann/end/${i}:1`;
  stage.poll(scripts.map((script, i) => start(name(i), script, NEVER)));
  const told = await Promise.all(scripts.map((_, i) => stage.instance(name(i), "ends", is(Phase.FAILED))));
  assert.deepEqual(
    told.map(({ exitCode, signal, message }) => [exitCode, signal, message]),
    [
      ...ends.map((end) => Number(end.slice(5))).map((code) => [code, 0, exitWords(code, 0)]),
      ...deaths.map((death) => Number(death.split(" ")[1])).map((signal) => [0, signal, exitWords(0, signal)]),
    ],
  );
}

/** One that goes at SIGTERM, and a tree that ignores it, forks, leaves its session and hides its name. */
async function stops(stage: Stage): Promise<void> {
  const [kind, tree] = ["ann/kind/0:1", "ann/tree/0:1"];
  const stubborn = `
    trap '' TERM
    (trap '' TERM; setsid sh -c 'trap "" TERM; ${sleep(1000)} & setsid ${sleep(1001)} & wait' &)
    env -i setsid sh -c 'trap "" TERM; exec ${sleep(1002)}' &
    while :; do ${sleep(1003)}; done & wait; wait`;
  stage.poll([start(kind, "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.1; done"), start(tree, `echo up; ${stubborn}`)]);
  await Promise.all([stage.said(kind, "up"), stage.said(tree, "up")]);
  await stage.until("both run", ({ instances }) => instances.filter(is(Phase.RUNNING)).length >= 2);
  stage.poll([stop(kind, 20_000), stop(tree, 300)]);
  await stage.instance(kind, "is gone", is(Phase.GONE));
  assert.match(await stage.said(kind, "bye"), /bye/);
  const gone = await stage.instance(tree, "is gone", is(Phase.GONE));
  assert.equal(gone.signal, 9);
  assert.deepEqual(sleepers(), [], "nothing of the tree is left");
  stage.poll([stop(kind), stop(tree)]);
  await stage.until("both are forgotten", ({ instances }) => !instances.some(({ instance }) => instance === kind || instance === tree));
  assert.ok(!readdirSync(join(stage.directory, "area", "tasks")).some((name) => name.startsWith("ann_tree")));
  assert.match(await stage.said(kind, "bye"), /up\nbye/, "logs stay for a while");
}

/** With our own number behind the point, so that nobody else sleeps just so long. */
const sleep = (seconds: number): string => `sleep ${seconds}.${process.pid}`;

function sleepers(): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || !isAlive(Number(pid))) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").endsWith(`.${process.pid} `);
    } catch {
      return false;
    }
  });
}
