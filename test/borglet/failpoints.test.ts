/**
 * The borglet is killed with -9 right before or right after one of its own steps: a write, a rename, a directory, a process, a control group, whatever it does in
 * the life of tasks that start, run, fail, are started again in place, are stopped and are forgotten. Whichever step it is, the borglet that follows
 * finishes the work: nothing is started twice, nothing is left, exits are told as they were, and tasks that run are not touched.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../src/base/random.ts";
import { type InstanceReport, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { BEST, Stage, start, stop, words } from "./stage.ts";

const ROUNDS = Number(process.env["FAILPOINTS"] ?? 20);
const SEED = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1e9));
const WAIT_MS = 60_000;
const LOOK_MS = 50;

const NEVER = { restart: { when: RestartWhen.NEVER } };
const TWICE = { restart: { when: RestartWhen.ON_FAILURE, failuresMax: 5 } };
const STEADY = "ann/steady/0:1";

/** A task of a round: what it does, and how its first instance has to end. */
interface Work {
  readonly name: string;
  readonly script: string;
  readonly more: object;
  readonly isOver: (report: InstanceReport) => boolean;
  readonly want: string;
  /** How often its program begins. */
  readonly begins: number;
}

/** Runs are not compared: one that the borglet had noted and not begun has a number too. */
const exitOf = ({ phase, exitCode, signal }: InstanceReport): string =>
  `${phase === Phase.FINISHED ? "finished" : phase === Phase.FAILED ? "failed" : "runs"}, exit ${exitCode}, signal ${signal}`;
const hasEnded = ({ phase }: InstanceReport): boolean => phase === Phase.FINISHED || phase === Phase.FAILED;
const runs = ({ phase }: InstanceReport): boolean => phase === Phase.RUNNING;

function workOf(round: number): readonly Work[] {
  const once = { more: NEVER, isOver: hasEnded, begins: 1 };
  return [
    { name: `ann/fails/0:${round}`, script: "echo begin; sleep 0.3; exit 3", want: "failed, exit 3, signal 0", ...once },
    { name: `ann/ends/0:${round}`, script: "echo begin; exit 0", want: "finished, exit 0, signal 0", ...once },
    { name: `ann/dies/0:${round}`, script: "echo begin; sleep 0.2; kill -KILL $$", want: "failed, exit 0, signal 9", ...once },
    {
      name: `ann/again/0:${round}`,
      // Its directory outlives its runs.
      script: "echo begin; if [ -e seen ]; then exec sleep 1000; fi; touch seen; exit 4",
      more: TWICE,
      isOver: ({ phase, exitCode }) => phase === Phase.RUNNING && exitCode === 4,
      want: "runs, exit 4, signal 0",
      begins: 2,
    },
    {
      name: `ann/lives/0:${round}`,
      script: "echo begin; (trap '' TERM; sleep 1000) & exec sleep 1000",
      more: NEVER,
      isOver: runs,
      want: "runs, exit 0, signal 0",
      begins: 1,
    },
  ];
}

/** Says the same again and again, as a link does, until it is so; a borglet that has ended is started again, without its failpoint. */
async function until(
  stage: Stage,
  what: string,
  orders: () => Parameters<Stage["poll"]>[0],
  holds: () => boolean,
  look: () => Promise<void> = async () => {},
): Promise<void> {
  const overMs = performance.now() + WAIT_MS;
  for (await look(); !holds(); await look()) {
    assert.ok(performance.now() < overMs, `${what} did not happen: ${words(stage.latest)}\n${stage.lines.slice(-30).join("")}`);
    if (stage.isOver) await stage.start();
    stage.poll(orders(), { holdMs: 0 });
    await sleep(LOOK_MS);
  }
}

const reportOf = (stage: Stage, name: string): InstanceReport | undefined =>
  stage.latest?.instances.find(({ instance }) => instance === name);

async function oneRound(stage: Stage, round: number): Promise<void> {
  const work = workOf(round);
  const startAll = () => work.map(({ name, script, more }) => start(name, script, more));
  const isOver = ({ name, isOver: is }: Work): boolean => {
    const report = reportOf(stage, name);
    return report !== undefined && is(report);
  };
  await until(stage, `round ${round} runs and ends`, startAll, () => work.every(isOver));
  for (const { name, want } of work) assert.equal(exitOf(reportOf(stage, name)!), want, name);
  for (const { name, begins } of work) assert.equal(await beginsOf(stage, name, begins), begins, `"${name}" began so often`);
  const stopAll = () => work.map(({ name }) => stop(name, 100));
  const isGone = ({ name }: Work): boolean => (reportOf(stage, name)?.phase ?? Phase.GONE) === Phase.GONE;
  await until(stage, `round ${round} is gone`, stopAll, () => work.every(isGone));
}

/** How often its program has begun, by what all its runs have printed. It runs a moment before it says something, and a second one would too. */
async function beginsOf(stage: Stage, name: string, wanted: number): Promise<number> {
  let begins = -1;
  await until(
    stage,
    `"${name}" says something`,
    () => [],
    () => begins >= wanted,
    async () => {
      const { data } = await stage.log(name);
      begins = Buffer.from(data).toString("latin1").split("begin\n").length - 1;
    },
  );
  return begins;
}

test(`${ROUNDS} times kill -9 of the borglet at one of its own steps: no orphan, no second start, exits as they were [B5] [KT3] [KT5] [borglet.A6]`, {
  skip: BEST.skip,
  timeout: 60_000 * (ROUNDS + 5),
}, async (t) => {
  t.diagnostic(`SEED=${SEED} FAILPOINTS=${ROUNDS}`);
  const random = new Random(SEED, "failpoints");
  const notes = mkdtempSync(join(tmpdir(), "borg-steps-"));
  const log = join(notes, "steps");
  const stage = await Stage.open(BEST);
  try {
    stage.poll([start(STEADY, "echo up; exec sleep 100000")]);
    const steady = await stage.instance(STEADY, "runs", runs);
    await stage.said(STEADY, "up\n");
    const alone = new Set(stage.marked().map(pidIn));
    await stage.kill9();
    await stage.start({ failpoint: { FAILPOINT_LOG: log } });
    await oneRound(stage, 1);
    const steps = readFileSync(log, "utf8").trim().split("\n");
    t.diagnostic(`${steps.length} steps in a life without an end`);
    for (let round = 2; round < ROUNDS + 2; round++) {
      await stage.kill9();
      const failpoint = `${random.chance(0.5) ? "before" : "after"} ${random.int(1, steps.length + 1)}`;
      const where = `${failpoint} (${steps[Number(failpoint.split(" ")[1]) - 1]})`;
      stage.lines.length = 0;
      try {
        await stage.start({ failpoint: { FAILPOINT: failpoint } });
        await oneRound(stage, round);
        await until(
          stage,
          "nothing is left",
          () => [],
          () => stage.marked().every((line) => alone.has(pidIn(line))),
        );
        const now = reportOf(stage, STEADY);
        assert.deepEqual([now?.run, now?.phase], [steady.run, Phase.RUNNING], "the task that only runs was touched");
      } catch (error) {
        throw new Error(
          `Round ${round}, killed ${where}: ${error instanceof Error ? error.message : error}\nLEFT ${stage
            .marked()
            .filter((line) => !alone.has(pidIn(line)))
            .map((line) => line.replaceAll("\n", " "))
            .join(" ;; ")}`,
        );
      }
    }
  } finally {
    await stage.close();
    rmSync(notes, { recursive: true, force: true });
  }
});

const pidIn = (line: string): string => line.slice(0, line.indexOf(" "));
