/**
 * Whatever comes on a link to a real master: it is taken, or the link ends with a reason. What is refused leaves the cell's state as it was, what is taken is
 * within bounds, and normal links and calls go on [KB2].
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../src/base/random.ts";
import { DEFAULT_MASTER } from "../../src/borgmaster/defaults.ts";
import { mutateBytes } from "./mutation.ts";
import { COUNT, DELAY_MS_MAX, SEED, TIMEOUT_MS } from "./settings.ts";
import { Speaker } from "./speaker.ts";
import { type Asked, answerFrame, drawMessage, framed, openFrame, outOfBounds, talk } from "./talk.ts";
import { type Glance, Target } from "./target.ts";

const NORMAL_EVERY = 100;
const WHOLE = 0.2;
/** A machine that answers no poll for 15 s is marked as silent; it answers in time. */
const ANSWER_EVERY_MS = 2000;
/** A master takes 200 dials a second, and no more; the rest would only be refused for that. */
const DIAL_MS = 7;

class Fuzzer {
  readonly #target: Target;
  readonly #random: Random;
  readonly #open: (nonce: Uint8Array) => Uint8Array;
  /** Long ago, so that the first step begins with an answer, however fast the cell came up. */
  #answeredMs = Number.NEGATIVE_INFINITY;
  #before: Glance = { hash: "", machinesReachable: 0 };
  changed = 0;
  refused = 0;

  constructor(target: Target, random: Random) {
    this.#target = target;
    this.#random = random;
    this.#open = (nonce) => openFrame(target, nonce);
  }

  /** A machine that does as it should: it joins, and answers its poll. */
  async answer(): Promise<void> {
    assert.deepEqual(await talk(this.#target, { open: this.#open, answer: answerFrame }), { opened: true, reason: "" });
    this.#answeredMs = performance.now();
    await this.#look();
  }

  async step(i: number): Promise<void> {
    if (performance.now() - this.#answeredMs > ANSWER_EVERY_MS) await this.answer();
    const random = this.#random;
    const whole = random.chance(WHOLE);
    // Mostly what is inside a frame is broken; at times its length, or the frame that opens the link.
    const [lengthToo, openToo] = [!whole && random.chance(0.2), !whole && random.chance(0.1)];
    let [message, said] = [new Uint8Array(), new Uint8Array()];
    const answer = (asked: Asked): Uint8Array => {
      const drawn = drawMessage(random, asked);
      message = Uint8Array.from(whole ? drawn : mutateBytes(drawn, drawMessage(random, asked), random));
      said = Uint8Array.from(lengthToo ? mutateBytes(framed(message), answerFrame(asked), random) : framed(message));
      return said;
    };
    let opening = new Uint8Array();
    const open = (nonce: Uint8Array): Uint8Array => {
      const right = this.#open(nonce);
      opening = Uint8Array.from(openToo ? mutateBytes(right, right, random) : right);
      return opening;
    };
    const { opened, reason } = await talk(this.#target, { open, answer: openToo ? undefined : answer }).catch((error: unknown) => {
      throw new Error(`Frame ${i}`, { cause: error });
    });
    const about = `frame ${i}: ${Buffer.from(opening).toString("hex")} ${Buffer.from(said.subarray(0, 400)).toString("hex")}: ${reason}`;
    const refused = !opened || reason !== "";
    if (refused) this.refused += 1;
    // With a broken length one frame may have become several, and those before the broken one count.
    if (refused && !(opened && lengthToo)) return this.#assertSame(about);
    if (!refused && !lengthToo && !openToo) assert.equal(outOfBounds(message), undefined, about);
    if (!(await this.#look())) return;
    this.changed += 1;
    // What it said of itself is taken back, so that the hello of the next link is no news.
    await this.answer();
  }

  /** What was refused changed nothing. Only the master itself may have found that the machine is silent. */
  async #assertSame(about: string): Promise<void> {
    const now = await this.#target.glance();
    const isSilent = now.machinesReachable < this.#before.machinesReachable;
    if (!isSilent) assert.equal(now.hash, this.#before.hash, `It was refused, and the state changed: ${about}`);
    this.#before = now;
  }

  /** Whether what was taken changed something; all of it is there before the next frame begins. */
  async #look(): Promise<boolean> {
    const { hash } = this.#before;
    await sleep(10 + DEFAULT_MASTER.newsMs);
    const isChanged = (await this.#target.stateHash()) !== hash;
    await this.#target.settle();
    this.#before = await this.#target.glance();
    return isChanged;
  }
}

test(`${COUNT} mutated link frames to a real master: what it refuses changes nothing [KB2] [KB1]`, { timeout: TIMEOUT_MS }, async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const target = await Target.start(t);
  const speaker = new Speaker(target);
  t.after(() => speaker.close());
  const fuzzer = new Fuzzer(target, new Random(SEED, "fuzz-frames"));
  for (let i = 0; i < COUNT; i++) {
    const startedMs = performance.now();
    await fuzzer.step(i);
    if (i % NORMAL_EVERY === 0) await speaker.assertServed();
    await sleep(Math.max(0, DIAL_MS - (performance.now() - startedMs)));
  }
  await fuzzer.answer();
  assert.deepEqual(await target.problems(), []);
  const delayMs = await target.delayMaxMs();
  t.diagnostic(
    `${fuzzer.refused} were refused, ${fuzzer.changed} changed the state; longest delay of the master's main thread ${Math.round(delayMs)} ms`,
  );
  assert.ok(fuzzer.refused > 0 && fuzzer.changed > 0, "some are refused, some count");
  assert.ok(delayMs < DELAY_MS_MAX);
});
