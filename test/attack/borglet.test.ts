/** Attacks of a task on the borglet of its machine, and on those who share it. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Health, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { is, Stage, start, stop } from "../borglet/stage.ts";
import { ATTACK_MODES } from "./modes.ts";

const NEVER = { restart: { when: RestartWhen.NEVER } };
const MIB = 2 ** 20;
/** Killed at once; the soak asks for a thousand. */
const CROWD = Number(process.env["CROWD"] ?? 100);
/** A borglet that is silent so long is given up by its master. */
const SILENCE_MS_MAX = 8_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await held(server, 0);
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** As soon as nobody else has it. */
async function held(server: Server, port: number): Promise<void> {
  while (!server.listening) {
    await new Promise<void>((done) => {
      server.once("error", () => done());
      server.listen(port, "127.0.0.1", () => done());
    });
    server.removeAllListeners("error");
    if (!server.listening) await sleep(1);
  }
}

for (const mode of ATTACK_MODES) {
  const jailed = !mode.without.includes("bubblewrap");

  test(`A health path that cannot be asked for harms its own task only (${mode.name}) [borglet.H3] [KB2]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const health = { port: "http", path: "/\u{1f980} x", intervalMs: 20, failures: 1 };
      await stage.run("ann/bad/0:1", "sleep 1000", { ports: [21_050] }, { ports: ["http"], health });
      await stage.run("bob/calm/0:1", "i=0; while :; do echo $i; i=$((i+1)); sleep 0.05; done");
      await stage.said("bob/calm/0:1", "\n30\n");
      assert.equal(stage.hellos, 1, `the borglet ended: ${stage.lines.join("")}`);
    } finally {
      await stage.close();
    }
  });

  test(`What goes wrong in the background, with nobody waiting for it, does not end the borglet (${mode.name}) [borglet.H3] [KB2]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      for (const _ of ["once", "twice"]) stage.reject();
      await stage.line("Went on after: Nobody waits for this");
      await stage.run("bob/calm/0:1", "echo up; sleep 1000");
      await stage.said("bob/calm/0:1", "up");
      assert.equal(stage.hellos, 1, `the borglet ended: ${stage.lines.join("")}`);
    } finally {
      await stage.close();
    }
  });

  test(`A foreign process that answers on a task's port does not make the task healthy (${mode.name}) [borglet.H4] [N4] [KB2]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    const foreign = createServer((_, response) => response.end());
    try {
      // So many, that on a slow machine the other one has the port before they are counted.
      const health = { port: "http", path: "/", intervalMs: 50, failures: 40 };
      const [port, instance] = [await freePort(), "ann/web/0:1"];
      // For a moment the task has it, and then somebody else, who was waiting.
      const serve = "require('http').createServer((_, r) => r.end()).listen(process.env.BORG_PORT_HTTP, '127.0.0.1')";
      const leave = `const s = ${serve}; process.on('SIGUSR1', () => { s.close(); s.closeAllConnections(); }); setInterval(() => {}, 1000)`;
      const script = `node -e "${leave}" & echo $!; while [ ! -e leave ]; do sleep 0.1; done; kill -USR1 $!; wait`;
      await stage.run(instance, script, { ...NEVER, ports: [port] }, { ports: ["http"], health });
      await stage.instance(instance, "is well", (told) => told.health === Health.GOOD);
      writeFileSync(join(stage.directory, "area", "tasks", "ann_web_0.1", "work", "leave"), "");
      await held(foreign, port);
      const { message } = await stage.instance(instance, "fails", is(Phase.FAILED));
      assert.match(message, new RegExp(`^Restarted: its health check failed 40 times, last: Port ${port} is held by another process$`));
    } finally {
      foreign.close();
      await stage.close();
    }
  });

  test(`Limits that were not given are there all the same: memory (${mode.name}) [borglet.X3] [KB1]`, { skip: mode.skip }, async () => {
    const stage = await Stage.open(mode, { capacity: { cpuMilli: 2000, ramBytes: 512 * MIB, diskBytes: 2 ** 30 } });
    try {
      const eat = "const all=[]; setInterval(()=>all.push(Buffer.alloc(8<<20,1)),20)";
      stage.poll([start("ann/hog/0:1", "", NEVER, { command: ["node", "-e", eat] }), start("bob/calm/0:1", "echo up; sleep 1000")]);
      const { message } = await stage.instance("ann/hog/0:1", "fails", is(Phase.FAILED));
      assert.match(message, /^Killed: used .*more (memory )?than its limit of 128 MiB$/);
      assert.equal((await stage.instance("bob/calm/0:1", "runs", is(Phase.RUNNING))).run, 1);
    } finally {
      await stage.close();
    }
  });

  test(`Limits that were not given are there all the same: files (${mode.name}) [borglet.X3] [KB1]`, { skip: mode.skip }, async () => {
    const stage = await Stage.open(mode);
    try {
      const write = "dd if=/dev/zero of=big bs=1M count=1 seek=400; echo $?; ls -s big; echo over";
      await stage.run("ann/big/0:1", `trap '' XFSZ; ${write}; sleep 1000`);
      const said = await stage.said("ann/big/0:1", "over");
      assert.match(said, /^1\n0 big/, "a file of 400 MiB on a machine of 1 GiB");
    } finally {
      await stage.close();
    }
  });

  test(`A crowd without limits, killed at once, does not silence the borglet (${mode.name}) [borglet.X2] [KB2]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const names = Array.from({ length: CROWD }, (_, i) => `ann/crowd/${i}:1`);
      stage.poll(names.map((name) => start(name, "mkdir a b c; : >a/x; sleep 1000")));
      await stage.until("All run", ({ instances }) => instances.filter(is(Phase.RUNNING)).length === CROWD);
      stage.poll(names.map((name) => stop(name)));
      let lastMs = performance.now();
      let longest = 0;
      let sequence = 0;
      await stage.until("All are gone", (report) => {
        if (report.sequence !== sequence) longest = Math.max(longest, performance.now() - lastMs);
        if (report.sequence !== sequence) lastMs = performance.now();
        sequence = report.sequence;
        return report.instances.every(is(Phase.GONE));
      });
      stage.poll(names.map((name) => stop(name)));
      await stage.until("All are forgotten", ({ instances }) => instances.length === 0);
      longest = Math.max(longest, performance.now() - lastMs);
      assert.ok(longest < SILENCE_MS_MAX, `silent for ${Math.round(longest)} ms`);
    } finally {
      await stage.close();
    }
  });

  test(`Without a jail a plain user's machine runs the owner's jobs only (${mode.name}) [borglet.X4] [P11]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode, { onlyUser: "ann" });
    try {
      await stage.run("ann/mine/0:1", "sleep 1000");
      await stage.run("bob/steal/0:1", "echo here; sleep 1000", NEVER);
      if (mode.root || jailed) {
        await stage.said("bob/steal/0:1", "here");
        return;
      }
      const { message } = await stage.instance("bob/steal/0:1", "fails", is(Phase.FAILED));
      const words = 'This machine has no jail and runs tasks as its owner: it takes jobs of "ann" only';
      assert.ok(message.includes(`Cannot start: ${words} (install bubblewrap, or borg up --trust-all-users)`), message);
    } finally {
      await stage.close();
    }
  });
}
