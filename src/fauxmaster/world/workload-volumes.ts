/** Jobs with volumes, which stay with their machines, and owners who let them go. */
import type { Random } from "../../base/random.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { type ClientCall, change, kill, resize, submit } from "./workload-changes.ts";

const MI = 1024 ** 2;
const NAME = "vol";
export const VOLUME = "data";

/** Who is offered a volume by the machine with this index: each user by another part of the machines. */
export const offersOf = (index: number, users: readonly string[]): { readonly user: string; readonly name: string }[] =>
  users.filter((_, i) => index % (i + 2) === 0).map((user) => ({ user, name: VOLUME }));

/** An alloc set whose directories outlive it, a job in it, and their ends. */
function keepingCall(random: Random, user: string): ClientCall {
  const draw = random.int(0, 100);
  if (draw < 35) {
    const limit = { cpuMilli: 500, ramBytes: 256 * MI };
    const spec = {
      user,
      name: "kept",
      priority: 110,
      count: random.int(1, 3),
      limit,
      keepDirectoryMs: random.pick([5000, 40_000, 600_000]),
    };
    return change("submitAllocSet", api.SubmitAllocSetRequestSchema, { spec });
  }
  if (draw < 60) {
    const task = { command: ["serve"], limit: { cpuMilli: 100, ramBytes: 64 * MI } };
    return submit({ user, name: "keeper", priority: 100, count: 2, allocSet: `${user}/kept`, task });
  }
  return kill(`${user}/${draw < 85 ? "kept" : "keeper"}`);
}

export function volumeCall(random: Random, user: string, users: readonly string[]): ClientCall {
  if (random.chance(0.4)) return keepingCall(random, user);
  const draw = random.int(0, 100);
  const job = `${user}/${NAME}`;
  if (draw < 45) {
    const task = {
      command: random.pick(["serve", "serve", "work 20000", "crash 3000", "stubborn"]).split(" "),
      limit: { cpuMilli: random.pick([100, 500]), ramBytes: 64 * MI },
      noticeMs: random.pick([0, 2000]),
      volumes: [{ name: VOLUME, readOnly: random.chance(0.15) }],
    };
    return submit({ user, name: NAME, priority: random.pick([100, 119, 120]), count: random.int(1, 4), task });
  }
  if (draw < 60) return kill(job);
  if (draw < 70) return resize(job, random.int(1, 4));
  const whose = random.chance(0.9) ? user : random.pick(users);
  return change("unpinTask", api.UnpinTaskRequestSchema, { task: `${whose}/${NAME}/${random.int(0, 3)}` });
}
