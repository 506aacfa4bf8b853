/** A worker thread with one actor of the master in it: the follower, or a scheduler. What it is comes with its start. */
import { workerData } from "node:worker_threads";
import { Follower } from "../../borgmaster/follower.ts";
import { Packer, unpack } from "../../borgmaster/packing.ts";
import { ownJobs, startOf } from "../../scheduler/responsibility.ts";
import { SchedulerActor } from "../../scheduler/scheduler.ts";
import { ActorHost } from "../../shell/actor-host.ts";
import { newNativeSha256 } from "../../shell/native-sha256.ts";
import { openThread } from "../../shell/thread-side.ts";
import { stepBack } from "../urgency.ts";
import { FOLLOWER, MASTER } from "./addresses.ts";
import { patienceMs } from "./patience.ts";

export interface ActorThreadData {
  /** The actor's address. */
  readonly actor: string;
  /** All schedulers of the cell. */
  readonly schedulers: readonly string[];
}

/** Letters between threads are not lost, so an image comes when it is made and read; this is for a bug of ours. */
const IMAGE_MS = 60_000;

const { actor, schedulers } = workerData as ActorThreadData;

// Nobody waits for what these do.
stepBack();

openThread((side) => {
  const packer = new Packer();
  const host = new ActorHost({
    route: (from, to, message) => {
      const { body, bytes } = packer.pack(message as object);
      side.send(from, to, body, bytes, patienceMs(to, message as object));
    },
    log: (line) => side.log(line),
    crash: (error) => side.fail(`Actor "${actor}" failed: ${error instanceof Error ? error.stack : String(error)}`),
  });
  if (actor === FOLLOWER) host.add(actor, (env) => new Follower(env, MASTER, newNativeSha256));
  else {
    const [mine, start] = [ownJobs(actor, schedulers), startOf(actor, schedulers)];
    host.add(actor, (env) => new SchedulerActor(env, { name: actor, master: MASTER, mine, start, imageMs: IMAGE_MS }));
  }
  host.start();
  side.ready();
  let busyMs = 0;
  const startedMs = performance.now();
  return {
    onLetter: ({ from, to, body }) => {
      const told = body as Readonly<Record<string, unknown>>;
      if (told["type"] !== "count-steps") return host.deliver(from, to, unpack(told));
      busyMs += host.takeSteps().totalMs;
      side.send(actor, from, { type: "steps", id: told["id"], busyMs, upMs: performance.now() - startedMs });
    },
    onStop: () => host.stop(),
  };
});
