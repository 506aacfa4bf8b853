/** What frames of a page cost in script, out of what the browser itself traces. */

/** An event of a trace, as far as it is looked at; times in microseconds of its thread, which do not run while others have the core. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tts?: number;
  readonly tdur?: number;
}

/** Everything that runs script of a page, or clears up behind it. They stand inside one another: a moment counts once. */
const SCRIPT: ReadonlySet<string> = new Set([
  "EvaluateScript",
  "EventDispatch",
  "FireAnimationFrame",
  "FireIdleCallback",
  "FunctionCall",
  "MajorGC",
  "MinorGC",
  "RunMicrotasks",
  "TimerFire",
  "XHRReadyStateChange",
  "v8.callFunction",
]);
/** The last thing that the page's thread does for a frame. */
const FRAME = "Layerize";

/**
 * Script of each frame, in milliseconds of CPU: what ran since the frame before. Only frames that the page itself caused are there, for the browser makes no others, and of
 * those only frames with script: sixty frames a second in which nothing happens would hide the one that takes long.
 */
export function scriptOfFrames(events: readonly TraceEvent[]): readonly number[] {
  const byThread = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`);
  // The page's thread: no other one makes so many frames.
  const frames = (thread: readonly TraceEvent[]): number => thread.filter(({ name }) => name === FRAME).length;
  const [thread = []] = [...byThread.values()].sort((a, b) => frames(b) - frames(a));
  const all: number[] = [];
  let [script, untilUs] = [0, 0];
  const timed = thread.flatMap(({ name, ph, tts, tdur = 0 }) => (tts === undefined ? [] : [{ name, ph, fromUs: tts, toUs: tts + tdur }]));
  for (const { name, ph, fromUs, toUs } of timed.sort((a, b) => a.fromUs - b.fromUs)) {
    if (name === FRAME) {
      if (script > 0) all.push(script / 1000);
      script = 0;
    } else if (ph === "X" && SCRIPT.has(name)) {
      script += Math.max(0, toUs - Math.max(fromUs, untilUs));
      untilUs = Math.max(untilUs, toUs);
    }
  }
  return all;
}
