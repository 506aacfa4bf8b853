/** A master that leads one of several replicas, for tests that answer as its journal and its lock. */
import assert from "node:assert/strict";
import { DEFAULT_MASTER, type MasterOptions } from "../../src/borgmaster/defaults.ts";
import { Master } from "../../src/borgmaster/master.ts";
import type { ClientAnswer, FromMaster } from "../../src/borgmaster/message.ts";
import { encodeOp, type Op, userOp } from "../../src/cell/op.ts";
import type { Journal, JournalAnswer } from "../../src/wire/journal.ts";
import { jobSpec } from "../cell/world.ts";
import { TestEnv } from "./test-env.ts";

/** A master that leads, with a journal that the test answers for. `version`: that its cell may have. */
export function leader(told: Partial<MasterOptions> = {}, version = 1) {
  const env = new TestEnv<FromMaster>();
  const calls: { readonly position: number }[] = [];
  const reads: number[] = [];
  const confirmed: number[] = [];
  const nothing = (): void => {};
  const journal = {
    append: (_: number, position: number) => void calls.push({ position }),
    confirm: (term: number) => void confirmed.push(term),
    loadSnapshot: nothing,
    lead: nothing,
  } as unknown;
  const others = { read: (from: number) => void reads.push(from), follow: nothing, unfollow: nothing, saveSnapshot: nothing };
  const options = { ...DEFAULT_MASTER, name: "m", create: { cell: "cc", owner: "admin" }, link: "l", follower: "f", schedulers: [] };
  const master = new Master(env, { ...others, ...(journal as Journal) }, { ...options, replicas: 1, lock: "lock", ...told });
  const hear = (answer: JournalAnswer): void => master.onMessage("journal", { type: "journal", answer });
  const land = (): void => hear({ type: "appended", position: calls.at(-1)!.position });
  master.start();
  hear({ type: "snapshot", snapshot: undefined });
  master.onTimer("lock");
  master.onMessage("lock", { type: "granted", sequence: 1, ttlMs: 2000, known: { masters: 1, lowest: version } } as never);
  hear({ type: "leading", term: 1, last: 0 });
  land();
  land();
  assert.equal(master.role, "leading");
  const answers = (): ClientAnswer[] => env.take().flatMap(({ to, message }) => (to === "ann" ? [message as ClientAnswer] : []));
  return {
    env,
    master,
    hear,
    land,
    answers,
    confirmed,
    reads,
    calls,
    ask: (op: Op) => master.onMessage("ann", { type: "request", id: op.requestId, op: encodeOp(op) }),
  };
}

export const submit = (id: string): Op =>
  userOp("admin", id, { case: "jobSubmit", value: { spec: { ...jobSpec("web"), user: "admin", priority: 0 } } });
