/** The judge and the quota check against the slow model of model.ts, on random cells. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEntry } from "../../src/cell/cell.ts";
import { encodeCheckpoint } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { makeEntry, type Op, schedulerOp } from "../../src/cell/op.ts";
import type { CellState, Job } from "../../src/cell/state.ts";
import { newNativeSha256 } from "../../src/shell/native-sha256.ts";
import { acceptable, jobBags, jobsHeld, withinQuota } from "./model.ts";
import { draws, toOp } from "./random-op.ts";
import { settings } from "./settings.ts";
import { busyWorld, type World } from "./world.ts";

/** Of the counts, when nobody says RUNS. */
const SHARE = 0.5;

/** Calls `before` with every op just before it is applied, and `after` right afterwards. */
function play(drawn: Parameters<typeof toOp>[1][], watch: (world: World, op: Op) => (() => void) | undefined): void {
  const world = busyWorld();
  const past: Op[] = [];
  for (const draw of drawn) {
    const op = toOp(world.state, draw, past);
    if (op === undefined) continue;
    past.push(op);
    world.timeMs += 40;
    world.try(world.master({ case: "barrier", value: {} }));
    watch(world, op)?.();
  }
}

function copy(state: CellState): CellState {
  const decoded = decodeCheckpoint(encodeCheckpoint(state, newNativeSha256).bytes);
  assert.ok(decoded.ok);
  return decoded.value;
}

/** Judges the claims of a transaction one after another, each alone on a copy that the accepted ones changed before. */
function expectedVerdicts(state: CellState, op: Op): boolean[] {
  assert.ok(op.body.case === "taskClaims" && op.actor !== undefined);
  const trial = copy(state);
  const held = jobsHeld(state, op.actor.name);
  const sequences = new Map([...state.machines.values()].map((m) => [m.id, m.sequence]));
  const verdicts: boolean[] = [];
  for (const claim of op.body.value.claims) {
    for (const machine of trial.machines.values()) machine.sequence = sequences.get(machine.id) ?? 0;
    const verdict = acceptable(trial, op.actor.name, claim, held);
    verdicts.push(verdict);
    if (verdict)
      applyEntry(
        trial,
        trial.position + 1,
        makeEntry(trial.timeMs, [schedulerOp(op.actor.name, { case: "taskClaims", value: { claims: [claim] } })]),
      );
  }
  return verdicts;
}

const TRIES_MAX = 5;

test("claims are accepted exactly when the model says so, alone, in a row or all together [KS1] [KR1] [O3] [O4] [O5] [O6] [S13] [S14]", () => {
  const seen = { accepted: 0, refused: 0, gangs: 0, gangsRefused: 0 };
  const isMet = (): boolean => seen.accepted > 50 && seen.refused > 50 && seen.gangs > 0 && seen.gangsRefused > 0;
  const draw = (): void =>
    fc.assert(
      fc.property(draws(160), (drawn) => {
        play(drawn, (world, op) => {
          if (op.body.case !== "taskClaims") return () => void world.try(op);
          const expected = expectedVerdicts(world.state, op);
          const gang = op.body.value.allOrNothing;
          return () => {
            const outcome = world.try(op);
            if (gang || !outcome.ok) {
              const all = expected.every(Boolean);
              assert.equal(outcome.ok, all || (!gang && world.state.schedulers.has(op.actor?.name ?? "")), JSON.stringify(outcome));
              seen[all ? "gangs" : "gangsRefused"] += 1;
              return;
            }
            assert.ok(outcome.answer.type === "claims");
            assert.deepEqual(
              outcome.answer.claims.map((c) => c.ok),
              expected,
              JSON.stringify(outcome.answer.claims),
            );
            for (const verdict of expected) seen[verdict ? "accepted" : "refused"] += 1;
          };
        });
      }),
      settings(150, SHARE),
    );
  // All or nothing is seldom all: in one of some twenty runs never.
  for (let tries = 0; tries < TRIES_MAX && !isMet(); tries++) draw();
  console.log(`  model: ${JSON.stringify(seen)}`);
  assert.ok(isMet());
});

test("victims that are not needed are spared, and sparing any more would not fit [KP1] [S5]", () => {
  fc.assert(
    fc.property(draws(160), (drawn) => {
      play(drawn, (world, op) => {
        if (op.body.case !== "taskClaims" || op.body.value.claims.length !== 1) return () => void world.try(op);
        const [claim] = op.body.value.claims;
        const before = copy(world.state);
        return () => {
          const outcome = world.try(op);
          const answer = outcome.ok && outcome.answer.type === "claims" ? outcome.answer.claims[0] : undefined;
          if (claim === undefined || answer?.ok !== true) return;
          const scheduler = op.actor?.name ?? "";
          assert.ok(acceptable(before, scheduler, { ...claim, victims: [...answer.victims] }));
          for (const victim of answer.victims) {
            const fewer: string[] = answer.victims.filter((other) => other !== victim);
            assert.ok(!acceptable(before, scheduler, { ...claim, victims: fewer }), `Victim ${victim} was not needed`);
          }
        };
      });
    }),
    settings(150, SHARE),
  );
});

test("a submit or resize is admitted exactly when the model says that quota allows it [KR3] [P4] [P5] [P9]", () => {
  const seen = { admitted: 0, overQuota: 0 };
  fc.assert(
    fc.property(draws(160), (drawn) => {
      play(drawn, (world, op) => () => {
        const spec = op.body.case === "jobSubmit" || op.body.case === "allocSetSubmit" ? op.body.value.spec : undefined;
        if (spec === undefined) return void world.try(op);
        const before = copy(world.state);
        const outcome = world.try(op);
        if (outcome.ok && outcome.answer.type === "submitted" && !outcome.answer.already) {
          const job = world.state.jobs.get(`${spec.user}/${spec.name}` as never) as Job;
          assert.ok(withinQuota(before, spec.user, spec.priority, jobBags(job)));
          seen.admitted += 1;
        }
        if (!outcome.ok && outcome.reason.includes("quota") && !outcome.reason.includes("borg quota bounds")) {
          const wanted = wouldBe(spec, before, op);
          assert.ok(!withinQuota(before, spec.user, spec.priority, wanted), outcome.reason);
          seen.overQuota += 1;
        }
      });
    }),
    settings(150, SHARE),
  );
  console.log(`  model: ${JSON.stringify(seen)}`);
  assert.ok(seen.admitted > 50 && seen.overQuota > 25);
});

/** The limits a refused job would have had, for a user with nothing in the way. */
function wouldBe(spec: { user: string; name: string }, before: CellState, op: Op): ReturnType<typeof jobBags> {
  const trial = copy(before);
  for (const user of trial.users.values()) {
    user.bounds = undefined;
    for (const band of ["batch", "production", "monitoring"] as const) user.quotas.set(band, { unlimited: true, untilMs: 0 } as never);
  }
  const [outcome] = applyEntry(trial, trial.position + 1, makeEntry(trial.timeMs, [op]));
  assert.ok(outcome?.ok);
  return jobBags(trial.jobs.get(`${spec.user}/${spec.name}` as never) as Job);
}
