import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Actor, Env } from "../base/env.ts";
import { ActorHost } from "./actor-host.ts";

type Told = readonly [string, string, unknown];

function host(routed: Told[] = [], crashed: unknown[] = [], lines: string[] = []): ActorHost {
  return new ActorHost({
    route: (from, to, message) => routed.push([from, to, message]),
    log: (line) => lines.push(line),
    crash: (error) => crashed.push(error),
  });
}

class Echo implements Actor<string> {
  readonly heard: string[] = [];
  readonly env: Env<string>;
  constructor(env: Env<string>) {
    this.env = env;
  }
  start(): void {
    this.heard.push("start");
  }
  onMessage(from: string, message: string): void {
    this.heard.push(`${from}: ${message}`);
    if (message === "throw") throw new Error("a bug");
    if (message === "ask") this.env.send("elsewhere", "question");
    if (message === "self") this.env.send("echo", "again");
    if (message === "say") for (const line of ["~probe", "words"]) this.env.log(line);
  }
  onTimer(tag: string): void {
    this.heard.push(`timer ${tag}`);
  }
}

function started(parts: Parameters<typeof host> = []): { readonly host: ActorHost; readonly echo: Echo } {
  const made = host(...parts);
  let echo: Echo | undefined;
  made.add("echo", (env: Env<string>) => {
    echo = new Echo(env);
    return echo;
  });
  made.start();
  return { host: made, echo: echo! };
}

test("messages come in order and never inside the sender's own turn", async () => {
  const { host, echo } = started();
  host.deliver("a", "echo", "self");
  host.deliver("a", "echo", "one");
  assert.deepEqual(echo.heard, ["start"]);
  await sleep(20);
  assert.deepEqual(echo.heard, ["start", "a: self", "a: one", "echo: again"]);
});

test("what is not of this thread is routed, and probes are not logged", async () => {
  const routed: Told[] = [];
  const lines: string[] = [];
  const { host } = started([routed, [], lines]);
  host.deliver("a", "echo", "ask");
  host.deliver("a", "echo", "say");
  await sleep(20);
  assert.deepEqual(routed, [["echo", "elsewhere", "question"]]);
  assert.deepEqual(lines, ["echo: words"]);
});

test("a cancelled timer does not fire", async () => {
  const { echo } = started();
  echo.env.timer(5, "kept");
  echo.env.cancel(echo.env.timer(5, "dropped"));
  await sleep(40);
  assert.deepEqual(echo.heard, ["start", "timer kept"]);
});

test("an exception out of an actor stops the host and is passed on", async () => {
  const crashed: unknown[] = [];
  const { host, echo } = started([[], crashed]);
  for (const message of ["throw", "after"]) host.deliver("a", "echo", message);
  await sleep(20);
  assert.equal(crashed.length, 1);
  assert.deepEqual(echo.heard, ["start", "a: throw"]);
});

test("steps are counted, and the count begins anew when it is taken", async () => {
  const { host } = started();
  for (let i = 0; i < 10; i++) host.deliver("a", "echo", "one");
  await sleep(20);
  const { count, longestMs, totalMs } = host.takeSteps();
  assert.equal(count, 11);
  assert.ok(longestMs > 0 && totalMs >= longestMs);
  assert.equal(host.takeSteps().count, 0);
});
