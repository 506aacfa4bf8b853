import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor, Address, Env } from "../base/env.ts";
import { Random } from "../base/random.ts";
import type { ClientAnswer, ClientRequest } from "../borgmaster/message.ts";
import { opFault } from "../cell/op.ts";
import { SimulatedClient } from "./client.ts";
import { History } from "./history.ts";
import { Kernel } from "./kernel.ts";
import { Network } from "./network.ts";
import { Process } from "./process.ts";
import { Workload } from "./workload.ts";

/** Answers as told, or not at all. */
class Desk implements Actor<ClientRequest> {
  readonly #env: Env<ClientAnswer>;
  readonly #say: (request: ClientRequest, time: number) => ClientAnswer | undefined;
  readonly asked: string[];

  constructor(env: Env<ClientAnswer>, asked: string[], say: (request: ClientRequest, time: number) => ClientAnswer | undefined) {
    this.#env = env;
    this.#say = say;
    this.asked = asked;
  }

  start(): void {}
  onTimer(): void {}

  onMessage(from: Address, message: ClientRequest): void {
    this.asked.push(message.id);
    const answer = this.#say(message, this.asked.filter((id) => id === message.id).length);
    if (answer !== undefined) this.#env.send(from, answer);
  }
}

test("A client sends the same request id again, to all masters in turn, until the answer is final", () => {
  const kernel = new Kernel({ seed: 1 });
  const network = new Network(kernel);
  const history = new History(() => kernel.nowMs);
  const asked: string[] = [];
  const answers = [undefined, "unavailable", "unknown", "done"] as const;
  const say = ({ id }: ClientRequest, time: number): ClientAnswer | undefined => {
    const result = answers[time - 1];
    if (result === undefined) return undefined;
    if (result === "done") return { type: "answer", id, result, position: 9, answer: { type: "done" } };
    return { type: "answer", id, result, reason: "", retryAfterMs: 100 };
  };
  const masters = ["master/0", "master/1"];
  for (const name of masters) {
    new Process(kernel, network, { name, factory: (birth) => new Map([[name, new Desk(birth.envFor(name), asked, say)]]) }).start();
  }
  const workload = new Workload(
    new Random(1),
    { users: ["ann"], machines: ["m1"], schedulers: [], capacity: { cpuMilli: 1, ramBytes: 1, diskBytes: 1 }, open: () => true },
    1,
  );
  const next = (id: string) => {
    for (;;) {
      const wish = workload.next(id);
      if (wish?.type === "mutate") return wish;
    }
  };
  const factory = (birth: { envFor(address: string): Env<unknown> }) =>
    new Map([
      ["client/0", new SimulatedClient(birth.envFor("client/0"), { name: "client/0", masters, next, history, thinkMs: 1_000_000 })],
    ]);
  new Process(kernel, network, { name: "client/0", factory }).start();
  kernel.run(2_500_000);
  const [call] = history.calls;
  assert.equal(call?.attempts, 4);
  assert.equal(call?.heard.type, "done");
  assert.ok(call!.returnedMs - call!.invokedMs > 3000);
  assert.equal(asked.filter((id) => id === call!.id).length, 4);
});

test("A workload asks only for what is well formed, sets the cell up first and ends with every machine in service", () => {
  let open = true;
  const options = {
    users: ["ann", "bob"],
    machines: ["m1", "m2", "m3"],
    schedulers: ["service"],
    capacity: { cpuMilli: 8000, ramBytes: 1e9, diskBytes: 1e9 },
    open: () => open,
  };
  const workload = new Workload(new Random(3), options, 0);
  const drained = new Set<string>();
  const kinds = new Set<string>();
  for (let i = 0; i < 2000; i++) {
    open = i < 1900;
    const asked = workload.next(`q${i}`);
    if (asked?.type !== "mutate") continue;
    const { body } = asked.op;
    assert.equal(opFault(asked.op), undefined);
    kinds.add(body.case ?? "");
    if (i === 0) assert.equal(body.case, "schedulerSet");
    if (body.case === "machineDrain" && body.value.draining) drained.add(body.value.machine);
    else if (body.case === "machineDrain") drained.delete(body.value.machine);
  }
  assert.equal(drained.size, 0);
  assert.deepEqual([...kinds].sort(), [
    "allocSetSubmit",
    "jobKill",
    "jobResize",
    "jobRestart",
    "jobSubmit",
    "machineDrain",
    "quotaSet",
    "schedulerSet",
    "userGrant",
  ]);
});
