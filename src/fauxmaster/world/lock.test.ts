import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor, Address, Env } from "../../base/env.ts";
import type { KnownVersions, LockAnswer, LockRequest } from "../../borgmaster/lock-message.ts";
import { Kernel } from "./kernel.ts";
import { LockService, newLockMemory } from "./lock.ts";
import { Network } from "./network.ts";
import { Process } from "./process.ts";

class Asker implements Actor<LockAnswer> {
  readonly env: Env<LockRequest>;
  readonly heard: string[] = [];
  known: KnownVersions | undefined;

  constructor(env: Env<LockRequest>) {
    this.env = env;
  }

  start(): void {}
  onTimer(): void {}

  onMessage(_from: Address, answer: LockAnswer): void {
    const { type, sequence } = answer;
    if (answer.type === "granted") this.known = answer.known;
    this.heard.push(sequence === undefined ? type : `${type} ${sequence}`);
  }
}

function setUp() {
  const kernel = new Kernel({ seed: 6 });
  const network = new Network(kernel);
  const memory = newLockMemory();
  const service = new Process(kernel, network, {
    name: "lock",
    factory: (birth) => new Map([["lock", new LockService(birth.envFor("lock"), memory)]]),
  });
  const askers = ["a", "b"].map((name) => {
    let asker: Asker | undefined;
    const factory = (birth: { envFor(address: string): Env<unknown> }) => {
      asker = new Asker(birth.envFor(name));
      return new Map([[name, asker]]);
    };
    new Process(kernel, network, { name, factory }).start();
    return asker!;
  });
  service.start();
  const ask = (who: number, message: LockRequest): string | undefined => {
    askers[who]!.env.send("lock", message);
    kernel.run(kernel.nowMs + 100);
    return askers[who]!.heard.at(-1);
  };
  return { kernel, service, ask, known: (who: number) => askers[who]!.known };
}

const acquire = (who: string, sequence?: number, versionMax = 1): LockRequest => ({
  type: "acquire",
  who,
  ttlMs: 2000,
  versionMax,
  ...(sequence === undefined ? {} : { sequence }),
});

test("One holder at a time, until its lease ends on the service's clock or is given back", () => {
  const { kernel, ask } = setUp();
  assert.equal(ask(0, acquire("a", 1)), "granted 1");
  assert.equal(ask(1, acquire("b", 1)), "denied 1");
  assert.equal(ask(0, acquire("a")), "granted");
  kernel.run(kernel.nowMs + 2500);
  assert.equal(ask(1, acquire("b", 2)), "granted 2");
  assert.equal(ask(0, acquire("a", 3)), "denied 3");
  ask(0, { type: "release", who: "a" });
  assert.equal(ask(0, acquire("a", 4)), "denied 4");
  ask(1, { type: "release", who: "b" });
  assert.equal(ask(0, acquire("a", 5)), "granted 5");
});

test("A restarted service remembers the holder for a whole lease; a fast clock ends leases early", () => {
  const { kernel, service, ask } = setUp();
  ask(0, acquire("a"));
  kernel.run(kernel.nowMs + 1500);
  service.crash();
  service.start();
  kernel.run(kernel.nowMs + 1000);
  assert.equal(ask(1, acquire("b")), "denied");
  kernel.run(kernel.nowMs + 1500);
  assert.equal(ask(1, acquire("b")), "granted");
  service.clock.setRate(kernel.nowMs, 2);
  kernel.run(kernel.nowMs + 1200);
  assert.equal(ask(0, acquire("a")), "granted", "its holder believes in 700 ms more");
});

test("The holder hears of how many masters there are and the lowest version any of them can do, also after a restart of the service [cell.E4]", () => {
  const { service, ask, known } = setUp();
  ask(0, acquire("a", 1, 2));
  assert.deepEqual(known(0), { masters: 1, lowest: 2 });
  ask(1, acquire("b", 1, 1));
  service.crash();
  service.start();
  ask(0, acquire("a", 2, 2));
  assert.deepEqual(known(0), { masters: 2, lowest: 1 });
  ask(1, acquire("b", 2, 2));
  ask(0, acquire("a", 3, 2));
  assert.deepEqual(known(0), { masters: 2, lowest: 2 });
});
