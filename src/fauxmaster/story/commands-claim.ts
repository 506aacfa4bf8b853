/** Speaking as a scheduler, where the cell has none of its own: look at the cell, plan on what was seen, claim. */

import { taskOf } from "../../base/id.ts";
import type { ClaimAnswer } from "../../cell/ops/claims.ts";
import type { CellState } from "../../cell/state.ts";
import type { PlannedClaim, ToScheduler } from "../../scheduler/message.ts";
import { claimOp } from "../../scheduler/message.ts";
import { BANDS } from "../../wire/band.ts";
import { make } from "../../wire/codec.ts";
import { SetSchedulerRequestSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { taskIn } from "./narrator.ts";
import { answerWords, type Command, type Line, type Seen } from "./session.ts";
import { ADMIN } from "./stage.ts";
import { Misspoken } from "./words.ts";

/** Makes a scheduler known to the cell. */
function scheduler({ stage, words }: Line): readonly string[] {
  const name = words.name(0, "a name");
  const highest = words.text("highest");
  const priorityMax = highest === undefined ? 450 : (BANDS.find((band) => band.name === highest)?.highest ?? Number(highest));
  const amounts = words.amounts();
  const cap = amounts.cpuMilli === 0 && amounts.ramBytes === 0 ? {} : { cap: amounts };
  const jobsMax = words.number("jobs");
  words.done();
  const limits = { priorityMax, coarse: words.has("coarse"), ...cap, ...(jobsMax === undefined ? {} : { jobsMax }) };
  const requestId = stage.requestId();
  const request = make(SetSchedulerRequestSchema, { requestId, name, limits });
  return [answerWords(stage.ask({ user: ADMIN, method: "setScheduler", request, requestId }))];
}

function seen(state: CellState): Seen {
  const incarnations = new Map<string, number>();
  for (const job of state.jobs.values()) for (const task of job.tasks) incarnations.set(task.id, task.incarnation);
  return { incarnations, sequences: new Map([...state.machines.values()].map((machine) => [machine.id, machine.sequence])) };
}

function look({ session, stage, words }: Line): readonly string[] {
  for (const name of words.names) session.seen.set(name, seen(stage.look()));
  return [];
}

/** A machine by its name, or an alloc by its task's. */
function placeNamed(state: CellState, name: string): string {
  if (!name.includes("/")) return name;
  const alloc = taskIn(state, name)?.instance;
  if (alloc === undefined) throw new Misspoken(`Alloc "${name}" is nowhere`);
  return alloc.id;
}

function planned(state: CellState, from: Seen, pair: string, victims: readonly string[]): PlannedClaim {
  const [task = "", where = ""] = pair.split("=");
  const place = placeNamed(state, where);
  const machine = where.includes("/") ? (taskIn(state, where)?.instance?.place.machine.id ?? "") : where;
  return {
    task,
    incarnation: from.incarnations.get(task) ?? 0,
    place,
    victims: victims.flatMap((victim) => taskIn(state, victim)?.instance?.id ?? []),
    seen: from.sequences.get(machine) ?? 0,
  };
}

/** On what it saw when it looked; if it never did, it looks now. Several pairs are one transaction. */
function claim({ session, stage, words }: Line): readonly string[] {
  const name = words.name(0, "a scheduler");
  const state = stage.look();
  const pairs = words.names.slice(1).filter((word) => word.includes("="));
  if (pairs.length === 0) throw new Misspoken('"claim" needs a task and a place, such as ann/web/0=m1');
  const victims = words.list("victims");
  const claims = pairs.map((pair) => planned(state, session.seen.get(name) ?? seen(state), pair, victims));
  const at = words.text("at");
  words.done();
  const id = stage.requestId();
  stage.send({ type: "claim", id, op: claimOp(name, claims, words.has("all-or-nothing")) }, at);
  const answer = stage.hear(id) as ToScheduler | undefined;
  if (answer?.type === "claimed") return answer.answers.map((each, i) => claimWords(each, pairs[i]?.split("=")[1] ?? ""));
  return [answer?.type === "not-claimed" ? `refused: ${answer.reason}` : "no answer"];
}

function claimWords(answer: ClaimAnswer, where: string): string {
  if (!answer.ok) return `${answer.task}: refused: ${answer.reason}`;
  const goes = answer.victims.length === 0 ? "" : `; ${answer.victims.map(taskOf).join(", ")} must go`;
  const stays = answer.spared.length === 0 ? "" : `; ${answer.spared.map(taskOf).join(", ")} may stay`;
  return `${answer.task}: accepted on ${where}${goes}${stays}`;
}

export const CLAIM_COMMANDS: readonly (readonly [string, Command])[] = [
  ["scheduler", { usage: "scheduler NAME [coarse] [highest=BAND] [cpu=N ram=N (its cap)] [jobs=N]", run: scheduler }],
  ["look", { usage: "look SCHEDULER...", run: look }],
  ["claim", { usage: "claim SCHEDULER TASK=PLACE... [victims=TASK,...] [all-or-nothing] [at=MASTER]", run: claim }],
];
