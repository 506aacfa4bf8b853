/** Whatever comes on a link: it is taken, or the link ends with a reason; no listener sees a frame out of bounds, and other links go on [KB2]. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { encodeFrame } from "../../src/rpc/link-frame.ts";
import { mutateBytes } from "./mutation.ts";
import { COUNT, DELAY_MS_MAX, SEED } from "./settings.ts";
import { drawFrame, framed, talk } from "./talk.ts";
import { startStub } from "./target.ts";

const NORMAL_EVERY = 100;
const WHOLE = 0.1;

test(`${COUNT} mutated link frames [KB2]`, async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const target = await startStub();
  t.after(() => target.close());
  const random = new Random(SEED, "fuzz-frames");
  const open = encodeFrame({ case: "open", value: { protocol: 1, machine: "m1", token: target.linkToken } })!;
  const frame = () => drawFrame(random, "m1");
  let refused = 0;
  let taken = 0;
  let before = await target.stateHash();
  for (let i = 0; i < COUNT; i++) {
    const whole = random.chance(WHOLE);
    // Mostly what is inside a frame is broken; at times its length, or the frame that opens the link.
    const inside = framed(whole ? frame() : mutateBytes(frame(), frame(), random));
    const bytes = whole || random.chance(0.8) ? inside : mutateBytes(inside, open, random);
    const first = random.chance(0.1) ? mutateBytes(open, inside, random) : open;
    const about = `frame ${i}: ${Buffer.from(first).toString("hex")} ${Buffer.from(bytes.subarray(0, 400)).toString("hex")}`;
    const { opened, reason } = await talk(target, [first, bytes]).catch((error: unknown) => {
      throw new Error(about, { cause: error });
    });
    const now = await target.stateHash();
    if (now === before) refused++;
    else taken++;
    // Several frames may have become one's tail: what came before the broken one may have counted.
    if (!opened) assert.equal(now, before, about);
    if (reason !== "" && bytes === inside) assert.equal(now, before, `${about}: ${reason}`);
    before = now;
    if (i % NORMAL_EVERY === 0) {
      const normal = await talk(target, [open, encodeFrame({ case: "report", value: { machine: "m1", sequence: i } })!]);
      assert.deepEqual(normal, { opened: true, reason: "" });
      before = await target.stateHash();
    }
  }
  assert.deepEqual(await target.problems(), []);
  assert.ok(taken > 0 && refused > 0, `taken ${taken}, refused ${refused}`);
  const delayMs = await target.delayMaxMs();
  t.diagnostic(`taken ${taken}, refused ${refused}; longest delay of the event loop ${Math.round(delayMs)} ms`);
  assert.ok(delayMs < DELAY_MS_MAX);
});
