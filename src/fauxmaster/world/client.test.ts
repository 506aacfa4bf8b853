import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor, Address, Env } from "../../base/env.ts";
import { Random } from "../../base/random.ts";
import type { ApiAnswer, ApiCall } from "../../borgmaster/api/message.ts";
import { checker } from "../../wire/check.ts";
import { make } from "../../wire/codec.ts";
import { CellService, ChangedSchema, type DrainMachineRequest } from "../../wire/gen/borg/v1/api_pb.ts";
import { History } from "../judge/history.ts";
import { SimulatedClient } from "./client.ts";
import { Kernel } from "./kernel.ts";
import { Network } from "./network.ts";
import { Process } from "./process.ts";
import { Workload } from "./workload.ts";

/** Answers as told, or not at all. */
class Desk implements Actor<ApiCall> {
  readonly #env: Env<ApiAnswer>;
  readonly #say: (request: ApiCall, time: number) => ApiAnswer | undefined;
  readonly asked: string[];

  constructor(env: Env<ApiAnswer>, asked: string[], say: (request: ApiCall, time: number) => ApiAnswer | undefined) {
    this.#env = env;
    this.#say = say;
    this.asked = asked;
  }

  start(): void {}
  onTimer(): void {}

  onMessage(from: Address, message: ApiCall): void {
    this.asked.push(message.requestId);
    const answer = this.#say(message, this.asked.filter((id) => id === message.requestId).length);
    if (answer !== undefined) this.#env.send(from, answer);
  }
}

test("A client sends the same request id again, to all masters in turn, until the answer is final", () => {
  const kernel = new Kernel({ seed: 1 });
  const network = new Network(kernel);
  const history = new History(() => kernel.nowMs);
  const asked: string[] = [];
  const answers = [undefined, "unavailable", "unknown", "done"] as const;
  const say = ({ id }: ApiCall, time: number): ApiAnswer | undefined => {
    const code = answers[time - 1];
    if (code === undefined) return undefined;
    if (code === "done")
      return { type: "answered", id, position: 9, price: 1, ageMs: undefined, response: make(ChangedSchema, { position: 9 }) };
    return { type: "failed", id, code, reason: "", position: 0, price: 1, retryAfterMs: 100 };
  };
  const masters = ["master/0", "master/1"];
  for (const name of masters) {
    new Process(kernel, network, { name, factory: (birth) => new Map([[name, new Desk(birth.envFor(name), asked, say)]]) }).start();
  }
  const workload = new Workload(
    new Random(1),
    {
      users: ["ann"],
      machines: ["m1"],
      schedulers: [],
      capacity: { cpuMilli: 1, ramBytes: 1, diskBytes: 1 },
      open: () => true,
      ids: [],
      used: new Set<string>(),
    },
    1,
  );
  const next = (id: string) => {
    for (;;) {
      const wish = workload.next(id);
      if (wish !== undefined && wish.requestId !== "") return wish;
    }
  };
  const factory = (birth: { envFor(address: string): Env<unknown> }) =>
    new Map([
      ["client/0", new SimulatedClient(birth.envFor("client/0"), { name: "client/0", apis: masters, next, history, thinkMs: 1_000_000 })],
    ]);
  new Process(kernel, network, { name: "client/0", factory }).start();
  kernel.run(2_500_000);
  const [call] = history.calls;
  assert.equal(call?.attempts, 4);
  assert.equal(call?.heard.type, "done");
  assert.ok(call!.returnedMs - call!.invokedMs > 3000);
  assert.equal(asked.filter((id) => id === call!.asked.requestId).length, 4);
  assert.equal(call?.unavailable.size, 1);
});

test("A workload asks only for what is well formed, sets the cell up first and ends with every machine in service", () => {
  let open = true;
  const options = {
    users: ["ann", "bob"],
    machines: ["m1", "m2", "m3"],
    schedulers: ["service"],
    capacity: { cpuMilli: 8000, ramBytes: 1e9, diskBytes: 1e9 },
    open: () => open,
    ids: [],
    used: new Set<string>(),
    secrets: () => secrets,
  };
  const secrets = new Random(7);
  const workload = new Workload(new Random(3), options, 0);
  const drained = new Set<string>();
  const methods = new Set<string>();
  const checks = new Map(CellService.methods.map((method) => [method.localName, checker(method.input)]));
  for (let i = 0; i < 4000; i++) {
    open = i < 3900;
    const asked = workload.next(`q${i}`);
    if (asked === undefined) continue;
    const { method, request, user, again } = asked;
    assert.equal(checks.get(method)?.(request as never), undefined);
    methods.add(method);
    if (i === 0) assert.equal(method, "setScheduler");
    const { machine, draining } = request as DrainMachineRequest;
    if (method !== "drainMachine" || user !== "admin" || again) continue;
    if (draining) drained.add(machine);
    else drained.delete(machine);
  }
  assert.equal(drained.size, 0);
  assert.deepEqual([...methods].sort(), [
    "commitUpdate",
    "drainMachine",
    "getCell",
    "getJob",
    "getMachine",
    "getTask",
    "grantUser",
    "killJob",
    "listJobs",
    "listMachines",
    "listQuota",
    "listSchedulers",
    "listTasks",
    "listUsers",
    "pauseUpdate",
    "removeSecret",
    "reportEvictions",
    "reportQuota",
    "reportReclaim",
    "resizeJob",
    "resolve",
    "restartJob",
    "setQuota",
    "setScheduler",
    "setSecret",
    "startUpdate",
    "submitAllocSet",
    "submitJob",
    "undoUpdate",
    "watchViews",
  ]);
});

test("A workload asks again for what it asked before, uses ids of others, and asks for what it has no right to [KD3] [KA2]", () => {
  const ids: { readonly user: string; readonly id: string }[] = [];
  const taken = new Set<string>();
  const options = { users: ["ann", "bob"], machines: ["m1"], schedulers: [], capacity: { cpuMilli: 1, ramBytes: 1, diskBytes: 1 }, ids };
  const [one, two] = [0, 1].map((index) => new Workload(new Random(index), { ...options, used: taken, open: () => true }, index)) as [
    Workload,
    Workload,
  ];
  const used = new Map<string, Set<string>>();
  let again = 0;
  let foreign = 0;
  for (let i = 0; i < 2000; i++) {
    const asked = (i % 2 === 0 ? one : two).next(`q${i}`);
    if (asked === undefined || asked.requestId === "") continue;
    if (asked.again) again += 1;
    if (asked.user === "bob" && asked.method === "drainMachine") foreign += 1;
    used.set(asked.requestId, (used.get(asked.requestId) ?? new Set()).add(asked.user));
  }
  assert.ok(again > 10 && foreign > 0, `${again} again, ${foreign} foreign`);
  assert.ok([...used.values()].some((users) => users.size > 1));
});
