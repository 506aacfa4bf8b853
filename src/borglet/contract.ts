/**
 * What every machine must do for its borglet, as rules (SPEC.md M) that run against each implementation: the simulated one and Linux. A borglet
 * that is proven over the one runs over the other only because both pass this suite.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../wire/codec.ts";
import { LogStream } from "../wire/gen/borg/v1/link_pb.ts";
import { StartOrderSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import { ResourcesSchema } from "../wire/gen/borg/v1/resource_pb.ts";
import { type Kept, newKept, termRecord } from "./kept.ts";
import type { BorgletMachine, Sample, Seen } from "./machine.ts";
import type { FromMachine } from "./message.ts";

/** Programs that the suite runs. `serve`: for ever, and ends at SIGTERM. `deaf`: a tree that does not. `fail`: ends soon, with exit code 1. `exit137` and `die9`: so too, with exit code 137, and by SIGKILL. All say something first. */
export type Program = "serve" | "deaf" | "fail" | "exit137" | "die9";

/** One machine; `open` may be called again after `close`, as a restarted borglet would. */
export interface MachineSubject {
  open(deliver: (message: FromMachine) => void): BorgletMachine | Promise<BorgletMachine>;
  /** The borglet ends; tasks go on. */
  close(): void | Promise<void>;
  /** Lets some twenty milliseconds pass. */
  step(): void | Promise<void>;
  /** While no borglet is there: no process is left, the disk is. */
  reboot(): void | Promise<void>;
  /** Ends everything and removes whatever the subject used. */
  discard(): void | Promise<void>;
  command(program: Program): readonly string[];
  /** Whether any process of an instance lives, by another way than the machine's own word. */
  lives(instance: string): boolean;
}

const STEPS_MAX = 3000;
const [A, B, C] = ["ann/web/0:1", "ann/web/1:2", "ann/web/2:3"] as const;
const ALLOC = "bob/aset/0:9";

/** A borglet's side of the conversation. */
class Talk {
  readonly subject: MachineSubject;
  seen: Seen[] = [];
  samples: Sample[] = [];
  machine!: BorgletMachine;

  constructor(subject: MachineSubject) {
    this.subject = subject;
  }

  /** What is adopted counts as told. */
  async open(kept: readonly Kept[] = []): Promise<readonly Seen[]> {
    const seen: Seen[] = [];
    const samples: Sample[] = [];
    this.seen = seen;
    this.samples = samples;
    this.machine = await this.subject.open((message) => {
      // Nobody listens to what is told to a borglet that ended.
      if (message.type === "seen" && this.seen === seen) seen.push(...message.seen);
      else if (message.type === "usage") samples.push(...message.samples);
    });
    const found = this.machine.adopt(kept);
    this.seen.push(...found);
    return found;
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    for (let step = 0; step < STEPS_MAX; step++) {
      if (holds()) return;
      await this.subject.step();
    }
    assert.fail(`${what} did not happen: ${JSON.stringify(this.seen)}`);
  }

  async steps(count: number): Promise<void> {
    for (let step = 0; step < count; step++) await this.subject.step();
  }

  start(instance: string, program: Program, run = 1, alloc = ""): Kept {
    const task = { command: [...this.subject.command(program)], limit: { cpuMilli: 1000, ramBytes: 2 ** 30 } };
    const order = make(StartOrderSchema, { instance, priority: 120, task, alloc });
    assert.ok(this.machine.save([termRecord({ term: 1, sequence: run, instances: new Map() })]));
    this.machine.start(order, run);
    return { ...newKept(order), phase: "running", run };
  }

  of(instance: string, what?: Seen["what"]): Seen[] {
    return this.seen.filter((each) => each.instance === instance && (what === undefined || each.what === what));
  }

  hasWritten(instance: string): boolean {
    const range = { instance, stream: LogStream.STDOUT, offset: 0, fromEnd: false, bytesMax: 100 };
    return (this.machine.readLog(range)?.data.length ?? 0) > 0;
  }

  alive(instance: string): Promise<void> {
    return this.until(`"${instance}" alive`, () => this.of(instance, "alive").length > 0);
  }

  /** How it ended; and after a while nothing more was told of it. */
  async ended(instance: string): Promise<Extract<Seen, { what: "ended" }>> {
    await this.until(`The end of "${instance}"`, () => this.of(instance, "ended").length > 0);
    await this.steps(20);
    const told = this.of(instance, "ended");
    assert.equal(told.length, 1, "an end is told once");
    assert.ok(!this.subject.lives(instance), "nothing of it is left");
    return told[0] as Extract<Seen, { what: "ended" }>;
  }
}

const RULES: Readonly<Record<string, (talk: Talk) => Promise<void>>> = {
  "what is started is told alive once, lives, is measured and can be read [borglet.M1]": async (talk) => {
    await talk.open();
    assert.deepEqual(talk.seen, []);
    talk.start(A, "serve");
    await talk.alive(A);
    await talk.until("A sample", () => talk.samples.some(({ instance }) => instance === A));
    assert.ok(talk.subject.lives(A));
    const range = { instance: A, stream: LogStream.STDOUT, offset: 0, fromEnd: false, bytesMax: 100 };
    await talk.until("Output", () => (talk.machine.readLog(range)?.data.length ?? 0) > 0);
    assert.equal(talk.machine.readLog(range)?.ended, false);
    assert.equal(talk.machine.readLog({ ...range, instance: B }), undefined);
    assert.deepEqual(
      talk.of(A).map(({ what, run }) => `${what} ${run}`),
      ["alive 1"],
    );
  },
  "an end is told once, with its exit, and the log has an end [borglet.M2]": async (talk) => {
    await talk.open();
    talk.start(A, "fail");
    const { exit, run } = await talk.ended(A);
    assert.deepEqual([exit, run], [{ code: 1, signal: 0 }, 1]);
    const piece = talk.machine.readLog({ instance: A, stream: LogStream.STDOUT, offset: 0, fromEnd: false, bytesMax: 1000 });
    assert.ok(piece !== undefined && piece.data.length > 0 && piece.ended);
    talk.seen.length = 0;
    talk.start(A, "fail", 2);
    assert.equal((await talk.ended(A)).run, 2);
  },
  "exit code 137 and a death by SIGKILL are told apart [borglet.M2]": async (talk) => {
    await talk.open();
    talk.start(A, "exit137");
    talk.start(B, "die9");
    assert.deepEqual((await talk.ended(A)).exit, { code: 137, signal: 0 });
    assert.deepEqual((await talk.ended(B)).exit, { code: 0, signal: 9 });
  },
  "other limits reach what runs, which goes on; what is not there takes them without a word [borglet.M8] [I8]": async (talk) => {
    await talk.open();
    const { order } = talk.start(A, "serve");
    await talk.alive(A);
    const other = make(StartOrderSchema, {
      ...order,
      task: { ...order.task!, limit: make(ResourcesSchema, { cpuMilli: 500, ramBytes: 2 ** 29 }) },
    });
    talk.machine.adjust(other);
    talk.machine.adjust({ ...other, instance: B });
    await talk.steps(20);
    assert.deepEqual(
      talk.seen.map(({ what, instance }) => `${what} ${instance}`),
      [`alive ${A}`],
    );
    assert.ok(talk.subject.lives(A));
  },
  "terminate ends who listens; kill, asked again, ends everything [borglet.M3]": async (talk) => {
    await talk.open();
    talk.start(A, "serve");
    talk.start(B, "deaf");
    await Promise.all([talk.alive(A), talk.alive(B)]);
    // A signal that comes while the jail is still being made reaches nobody.
    for (const each of [A, B]) await talk.until("Output", () => talk.hasWritten(each));
    for (const each of [A, B]) talk.machine.terminate(each);
    assert.deepEqual((await talk.ended(A)).exit, { code: 0, signal: 15 });
    assert.ok(talk.subject.lives(B) && talk.of(B, "ended").length === 0, "deaf to SIGTERM");
    await talk.until("The end of the deaf one", () => {
      talk.machine.kill(B);
      return talk.of(B, "ended").length > 0;
    });
    assert.deepEqual((await talk.ended(B)).exit, { code: 0, signal: 9 });
    for (const each of [A, B, C]) {
      talk.machine.terminate(each);
      talk.machine.kill(each);
    }
    await talk.steps(20);
    assert.equal(talk.of(B, "ended").length, 1, "what is gone takes signals without a word");
  },
  "after a restart of its borglet it tells what lives, what ended meanwhile and how, and what vanished [borglet.M4] [KT5]": async (
    talk,
  ) => {
    await talk.open();
    const [serves, fails] = [talk.start(A, "serve"), talk.start(B, "fail")];
    await talk.alive(A);
    await talk.alive(B);
    await talk.subject.close();
    await talk.until("The end of B", () => !talk.subject.lives(B));
    await talk.steps(10);
    const never = { ...newKept(make(StartOrderSchema, { instance: C, task: { command: ["true"] } })), phase: "running" as const, run: 3 };
    const found = await talk.open([serves, fails, never]);
    assert.deepEqual(found.map(({ instance, run }) => `${instance} ${run}`).sort(), [`${A} 1`, `${B} 1`, `${C} 3`]);
    assert.equal(talk.of(C)[0]?.what, "vanished");
    await talk.alive(A);
    assert.deepEqual((await talk.ended(B)).exit, { code: 1, signal: 0 });
    assert.ok(talk.subject.lives(A));
    talk.machine.terminate(A);
    assert.deepEqual((await talk.ended(A)).exit, { code: 0, signal: 15 });
  },
  "what lives and nobody kept is told as well, and can be ended [borglet.M5] [KT3]": async (talk) => {
    await talk.open();
    talk.start(A, "serve");
    await talk.alive(A);
    await talk.subject.close();
    const found = await talk.open([]);
    assert.deepEqual(
      found.map(({ instance, run, what }) => `${what} ${instance} ${run}`),
      [`alive ${A} 1`],
    );
    await talk.until("The end of the stranger", () => {
      talk.machine.kill(A);
      return talk.of(A, "ended").length > 0;
    });
    talk.machine.forget(A);
    await talk.subject.close();
    assert.deepEqual(await talk.open([]), []);
  },
  "what was forgotten is not found again; its log stays for a while [borglet.M6]": async (talk) => {
    await talk.open();
    talk.start(A, "fail");
    await talk.ended(A);
    talk.machine.forget(A);
    assert.ok(talk.machine.readLog({ instance: A, stream: LogStream.STDOUT, offset: 0, fromEnd: false, bytesMax: 100 }) !== undefined);
    await talk.subject.close();
    assert.deepEqual(await talk.open([]), []);
  },
  "the directory of an alloc is there from its first start on, through the ends of its tasks and of the borglet, until it is dropped [borglet.M9] [A2]":
    async (talk) => {
      await talk.open();
      assert.deepEqual(talk.machine.allocs(), []);
      talk.start(A, "fail", 1, ALLOC);
      await talk.ended(A);
      talk.machine.forget(A);
      assert.deepEqual(talk.machine.allocs(), [ALLOC]);
      await talk.subject.close();
      await talk.open([]);
      assert.deepEqual(talk.machine.allocs(), [ALLOC]);
      talk.machine.dropAlloc(ALLOC);
      assert.deepEqual(talk.machine.allocs(), []);
      talk.machine.dropAlloc(ALLOC);
    },
  "after a reboot what lived has vanished, and the next run of it can be started [borglet.M7]": async (talk) => {
    await talk.open();
    const kept = talk.start(A, "serve");
    await talk.alive(A);
    await talk.subject.close();
    await talk.subject.reboot();
    assert.deepEqual(await talk.open([kept]), [{ what: "vanished", instance: A, run: 1, rebooted: true }]);
    talk.start(A, "serve", 2);
    await talk.alive(A);
    assert.deepEqual(
      talk.of(A, "alive").map(({ run }) => run),
      [2],
    );
  },
};

export function machineContract(name: string, makeSubject: () => MachineSubject): void {
  for (const [rule, check] of Object.entries(RULES)) {
    test(`${name}: ${rule}`, async () => {
      const subject = makeSubject();
      try {
        await check(new Talk(subject));
      } finally {
        await subject.close();
        await subject.discard();
      }
    });
  }
}
