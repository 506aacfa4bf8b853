/** Whether the leader's process is there: when a standby may say that it is gone, and when not. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { givePulse, PulseWatch } from "./pulse.ts";

const home = mkdtempSync(join(tmpdir(), "pulse-"));
const closing: (() => void)[] = [];
after(() => {
  for (const close of closing) close();
  rmSync(home, { recursive: true });
});

function watching(onGone: () => void): PulseWatch {
  const watch = new PulseWatch(onGone);
  closing.push(() => watch.watch(undefined));
  return watch;
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !isTrue(); i++) await sleep(10);
  assert.ok(isTrue());
}

/** As a process that dies: its connections are reset, and nobody listens. */
function mortal(path: string): { readonly server: Server; readonly die: (listens: boolean) => void; readonly count: () => number } {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => {}))).listen(path);
  const die = (listens: boolean): void => {
    if (!listens) server.close();
    for (const socket of sockets) socket.destroy();
  };
  closing.push(() => die(false));
  return { server, die, count: () => sockets.size };
}

test("a leader whose connection breaks and that cannot be dialled again is gone; it is said once [M3] [store.E11]", async () => {
  const path = join(home, "a");
  const leader = mortal(path);
  let gone = 0;
  const watch = watching(() => gone++);
  watch.watch(path);
  await until(() => leader.count() === 1);
  leader.die(false);
  await until(() => gone === 1);
  await sleep(50);
  assert.equal(gone, 1);
});

test("one that can be dialled again is there, and one that was never reached is not known to be gone [M3] [store.E11]", async () => {
  const path = join(home, "b");
  const leader = mortal(path);
  let gone = 0;
  const watch = watching(() => gone++);
  watch.watch(path);
  await until(() => leader.count() === 1);
  leader.die(true);
  await until(() => leader.count() === 2);
  watch.watch(join(home, "never"));
  await sleep(200);
  assert.equal(gone, 0);
});

test("a process gives its pulse for as long as it lives, also after one that left its socket behind", async () => {
  const path = join(home, "c");
  const first = givePulse(path);
  const second = givePulse(path);
  closing.push(() => [first, second].map((server) => server.close()));
  let gone = 0;
  const watch = watching(() => gone++);
  watch.watch(path);
  await sleep(100);
  assert.equal(gone, 0);
});
