/**
 * Controllers, and what is done with their tokens: mostly what they are for, and often what they are not. Tokens of tasks that are gone are shown as well: whoever has
 * one may have kept it.
 */
import type { Random } from "../../base/random.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { Role } from "../../wire/gen/borg/v1/op_pb.ts";
import { type ClientCall, change, grant, kill, resize, submit } from "./workload-changes.ts";

const MI = 1024 ** 2;
/** The controller of each user, its priority, and the jobs that it was given. */
const BOSS = "boss";
const PRIORITY = 110;
const LIMIT = { cpuMilli: 100, ramBytes: 64 * MI };

export interface ControlledCall {
  readonly user: string;
  readonly call: ClientCall;
  /** The instance whose token is shown; not said: the user itself asks. */
  readonly controller?: string;
}

/** `tokens`: of controllers that were started at some time. */
export function controlledCall(random: Random, user: string, users: readonly string[], tokens: readonly string[]): ControlledCall {
  if (tokens.length === 0 || random.chance(0.3)) return { user, call: random.chance(0.7) ? submitBoss(user) : kill(`${user}/${BOSS}`) };
  const controller = random.pick(tokens);
  const [owner = ""] = controller.split("/");
  return { user: owner, controller, call: callWith(random, random.chance(0.9) ? owner : random.pick(users)) };
}

const submitBoss = (user: string): ClientCall =>
  submit({ user, name: BOSS, priority: PRIORITY, count: 2, task: { command: ["serve"], limit: LIMIT, controller: { jobs: ["part-*"] } } });

function callWith(random: Random, user: string): ClientCall {
  const name = random.pick(["part-a", "part-b", "part-a", "part-b", "web", BOSS]);
  const job = `${user}/${name}`;
  const draw = random.int(0, 100);
  if (draw < 45) {
    const own = random.chance(0.1) ? { controller: { jobs: ["part-*", "web"] } } : {};
    const task = { command: ["work", "20000"], limit: LIMIT, ...own };
    return submit({ user, name, priority: random.pick([10, 100, 109, 109, 110, 119, 200]), count: random.int(1, 4), task });
  }
  if (draw < 70) return kill(job);
  if (draw < 85) return resize(job, random.int(1, 5));
  if (draw < 92) return change("restartJob", api.RestartJobRequestSchema, { job });
  return grant(user, [Role.USER, Role.CELL_ADMIN]);
}
