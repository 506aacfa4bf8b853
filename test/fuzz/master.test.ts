/** The same broken frames and conversations to a real master: it goes on, as the same process, and serves a normal caller in between. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { encodeFrame } from "../../src/rpc/link-frame.ts";
import { drawConversation, hold, KIND_NAMES } from "./conversation.ts";
import { startMaster } from "./master-target.ts";
import { mutateBytes } from "./mutation.ts";
import { COUNT, DELAY_MS_MAX, SEED } from "./settings.ts";
import { Speaker } from "./speaker.ts";
import { drawFrame, framed, talk } from "./talk.ts";

const FRAMES = Math.ceil(COUNT / 5);
const CONVERSATIONS = Math.ceil(COUNT / 20);
const AT_ONCE = 20;
const QUIET_MS = 150;
const WHOLE = 0.1;
/** A master takes so many dials a second, and no more; the rest would only be refused for that. */
const DIALS_PER_SECOND = 150;

test(`${FRAMES} mutated link frames to a real master [KB2] [KB1]`, { timeout: 3_600_000 }, async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const target = await startMaster();
  t.after(() => target.close());
  const speaker = new Speaker(target);
  t.after(() => speaker.close());
  const random = new Random(SEED, "fuzz-master-frames");
  const open = encodeFrame({ case: "open", value: { protocol: 1, machine: "m1", token: target.linkToken } })!;
  let refused = 0;
  for (let i = 0; i < FRAMES; i++) {
    const startedMs = performance.now();
    const whole = random.chance(WHOLE);
    const frame = drawFrame(random, "m1");
    const inside = framed(whole ? frame : mutateBytes(frame, drawFrame(random, "m1"), random));
    const { reason } = await talk(target, [open, inside]);
    if (reason !== "") refused += 1;
    if (i % 100 === 0) await speaker.assertServed();
    const leftMs = 1000 / DIALS_PER_SECOND - (performance.now() - startedMs);
    if (leftMs > 0) await new Promise((next) => setTimeout(next, leftMs));
  }
  assert.deepEqual(await target.problems(), []);
  const delayMs = await target.delayMaxMs();
  t.diagnostic(`${refused} were hung up on with a reason; longest delay of the master's main thread ${Math.round(delayMs)} ms`);
  assert.ok(refused > 0);
  assert.ok(delayMs < DELAY_MS_MAX);
});

test(`${CONVERSATIONS} raw conversations with a real master: its state does not change [KB2] [KB1]`, { timeout: 3_600_000 }, async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const target = await startMaster();
  t.after(() => target.close());
  const speaker = new Speaker(target);
  t.after(() => speaker.close());
  const random = new Random(SEED, "fuzz-master-conversations");
  const before = await target.stateHash();
  for (let from = 0; from < CONVERSATIONS; from += AT_ONCE) {
    const drawn = Array.from({ length: Math.min(AT_ONCE, CONVERSATIONS - from) }, (_, i) =>
      drawConversation(target, KIND_NAMES[(from + i) % KIND_NAMES.length]!, random),
    );
    await Promise.all([...drawn.map((conversation) => hold(target, conversation, QUIET_MS)), speaker.assertServed()]);
  }
  assert.equal(await target.stateHash(), before);
  assert.deepEqual(await target.problems(), []);
  const delayMs = await target.delayMaxMs();
  t.diagnostic(`longest delay of the master's main thread ${Math.round(delayMs)} ms`);
  assert.ok(delayMs < DELAY_MS_MAX);
});
