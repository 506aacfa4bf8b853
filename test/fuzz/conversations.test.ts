/** Whatever is said on the API port of a real master: no crash, every answer begins as HTTP does, normal requests are served, no state changes [KB1] [KB2]. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { drawConversation, hold, KIND_NAMES } from "./conversation.ts";
import { COUNT, DELAY_MS_MAX, SEED, TIMEOUT_MS } from "./settings.ts";
import { Speaker } from "./speaker.ts";
import { Target } from "./target.ts";

/** A fifth: each takes some time of being silent. */
const CONVERSATIONS = Math.ceil(COUNT / 5);
const AT_ONCE = 20;
const QUIET_MS = 150;
/** What a server may begin with: an answer of HTTP/1, or a frame of HTTP/2 (SETTINGS, or GOAWAY when nothing else fits). */
const STATUS = /^HTTP\/1\.1 (100|200|400|401|403|404|405|408|411|413|414|415|417|421|429|431|501|503|505) /;
const FRAME_TYPES = [4, 7];

function assertForm(answer: Buffer, about: string): void {
  if (answer.length === 0) return;
  if (answer.subarray(0, 5).toString("latin1") === "HTTP/") return assert.match(answer.toString("latin1"), STATUS, about);
  assert.ok(answer.length >= 9 && FRAME_TYPES.includes(answer[3]!), `${about}: ${answer.subarray(0, 40).toString("hex")}`);
}

test(`${CONVERSATIONS} raw conversations with a real master: its state does not change [KB2] [KB1]`, { timeout: TIMEOUT_MS }, async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const target = await Target.start(t);
  const speaker = new Speaker(target);
  t.after(() => speaker.close());
  const random = new Random(SEED, "fuzz-conversations");
  const before = await target.stateHash();
  let answered = 0;
  for (let from = 0; from < CONVERSATIONS; from += AT_ONCE) {
    const drawn = Array.from({ length: Math.min(AT_ONCE, CONVERSATIONS - from) }, (_, i) =>
      drawConversation(target, KIND_NAMES[(from + i) % KIND_NAMES.length]!, random),
    );
    const held = drawn.map(async (conversation, i) => {
      const answer = await hold(target, conversation, QUIET_MS);
      assertForm(answer, `conversation ${from + i}, ${conversation.kind}`);
      if (answer.length > 0) answered++;
    });
    await Promise.all([...held, speaker.assertServed()]);
  }
  await speaker.assertServed();
  assert.equal(await target.stateHash(), before);
  assert.deepEqual(await target.problems(), []);
  const delayMs = await target.delayMaxMs();
  t.diagnostic(`${answered} of ${CONVERSATIONS} were answered; longest delay of the master's main thread ${Math.round(delayMs)} ms`);
  assert.ok(answered > 0);
  assert.ok(delayMs < DELAY_MS_MAX);
});
