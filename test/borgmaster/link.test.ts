/** A link shard between one master and one borglet, both played by the test. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LINK } from "../../src/borgmaster/defaults.ts";
import { LinkShard } from "../../src/borgmaster/link.ts";
import type { FromLink } from "../../src/borgmaster/message.ts";
import { imageOf } from "../../src/cell/feed.ts";
import { masterOp, type Op, unseal } from "../../src/cell/op.ts";
import { make } from "../../src/wire/codec.ts";
import { Health, type InstanceReport, Phase, ReportSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import type { ToBorglet } from "../../src/wire/link-message.ts";
import { World } from "../cell/world.ts";
import { TestEnv } from "./test-env.ts";

function opened(bytes: Uint8Array): Op {
  const found = unseal(bytes);
  assert.ok(found.ok);
  return found.value.op;
}

const isReport = (bytes: Uint8Array): boolean => opened(bytes).body.case === "machineReport";

test("a health check that flaps is passed on at most once in ten seconds; a restart or an end at once [KB1] [N5]", () => {
  const world = new World().init().machine("m1");
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  const instance = world.instance("ubar/web/0");
  world.report("m1", { instance, phase: Phase.RUNNING, run: 1 });
  const env = new TestEnv<FromLink | ToBorglet>();
  const link = new LinkShard(env, "master", DEFAULT_LINK, 0);
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  link.onMessage("borglet/m1", { type: "hello", machine: "m1", facts: world.state.machines.get("m1" as never)!.facts });
  /** Answers the outstanding poll with this; how many reports went on. */
  const tell = (health: Health, run = 1): number => {
    env.nowMs += DEFAULT_LINK.pollMs;
    link.onTimer();
    const polls = env.take().flatMap(({ message }) => (message.type === "poll" ? [message.poll] : []));
    const sequence = polls.at(-1)?.sequence ?? 0;
    const instances = [{ instance, phase: Phase.RUNNING, run, health }];
    link.onMessage("borglet/m1", { type: "report", report: make(ReportSchema, { machine: "m1", term: 1, sequence, instances }) });
    return env.take().filter(({ message }) => message.type === "ops" && message.ops.some((op) => isReport(op))).length;
  };
  assert.equal(tell(Health.BAD), 1);
  assert.equal(tell(Health.BAD), 0, "five seconds later");
  assert.equal(tell(Health.BAD, 2), 1, "it was started again, which is more than its health");
  assert.equal(tell(Health.BAD), 1, "fifteen seconds later");
});

test("a crash loop is passed on at once and then once in ten seconds, whatever it does between; its end at once [KB1] [U11]", () => {
  const world = new World().init().machine("m1");
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  world.must(masterOp({ case: "cellVersion", value: { version: 2 } }));
  const instance = world.instance("ubar/web/0");
  world.report("m1", { instance, phase: Phase.RUNNING, run: 1, upMs: 5 });
  const env = new TestEnv<FromLink | ToBorglet>();
  const link = new LinkShard(env, "master", DEFAULT_LINK, 0);
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  link.onMessage("borglet/m1", { type: "hello", machine: "m1", facts: world.state.machines.get("m1" as never)!.facts });
  let journaled = 0;
  /** A second later: what the borglet says now, to the shard and, where it goes on, to the cell. */
  const tell = (told: Partial<InstanceReport>): void => {
    env.nowMs += 1000;
    link.onMessage("borglet/m1", { type: "hello", machine: "m1", facts: world.state.machines.get("m1" as never)!.facts });
    const sequence =
      env
        .take()
        .flatMap(({ message }) => (message.type === "poll" ? [message.poll.sequence] : []))
        .at(-1) ?? 0;
    const report = make(ReportSchema, { machine: "m1", term: 1, sequence, instances: [{ instance, ...told } as InstanceReport] });
    link.onMessage("borglet/m1", { type: "report", report });
    for (const { message } of env.take()) {
      if (message.type !== "ops") continue;
      journaled += 1;
      for (const op of message.ops) {
        const { position } = world.state;
        assert.ok(world.try(opened(op)).ok);
        assert.equal(world.state.position, position + 1);
      }
      link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
    }
  };
  for (let run = 1; run <= 15; run++) {
    tell({ phase: Phase.STARTING, run, exitCode: 1, failures: run, backoffMs: 1000 });
    tell({ phase: Phase.RUNNING, run: run + 1, exitCode: 1, failures: run, upMs: 20 });
  }
  assert.ok(journaled >= 3 && journaled <= 4, `${journaled} entries in 30 seconds`);
  tell({ phase: Phase.FAILED, run: 16, exitCode: 1, failures: 16 });
  assert.equal(world.state.jobs.get("ubar/web" as never)!.tasks[0]!.state, "pending", "its end is not held back");
});
