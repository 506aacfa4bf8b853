/** Script of frames out of a trace: what stands inside one another counts once, frames without script and other threads do not count. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptOfFrames, type TraceEvent } from "../bench/ui-frames.ts";

const at = (name: string, ms: number, forMs = 0, tid = 1): TraceEvent => ({
  ...{ name, ph: "X", pid: 1, tid },
  ...{ tts: 1000 * ms, tdur: 1000 * forMs },
});

test("scriptOfFrames() counts a moment of script once, and only frames that had some", () => {
  const frames = [at("Layerize", 20), at("Layerize", 40), at("Layerize", 60), at("Layerize", 80)];
  const script = [
    at("TimerFire", 1, 10),
    at("FunctionCall", 2, 4),
    at("RunMicrotasks", 12, 3),
    at("FunctionCall", 45, 6),
    at("Layout", 52, 5),
    // Nothing is drawn after it: it belongs to no frame.
    at("FunctionCall", 85, 9),
  ];
  const others = [at("FunctionCall", 3, 15, 2), at("Layerize", 30, 1, 2)];
  assert.deepEqual(scriptOfFrames([...others, ...script, ...frames]), [13, 6]);
});
