/**
 * The pages on a cell of full size: how soon each can be used, what the first one loads and holds, and what following costs the browser while the cell changes.
 * With BORG_TRACE_DIR the cell is the recorded one. The browser is Debian's chromium. PICTURES=DIR takes pictures of the pages on the way.
 */
import { type CDPSession, chromium, type Page } from "playwright-core";
import { type Figures, percentile, rounded } from "./figures.ts";
import { uiCell } from "./ui-cell.ts";

export interface UiArgs {
  readonly machines: number;
  readonly tasks: number;
  readonly seed: number;
  readonly seconds: number;
}

const ROUNDS = 10;
/** Of one page: a machine that has others to serve makes fewer rounds, so that the bench ends in some minutes. */
const PLACE_MS = 30_000;
const WAIT_MS = 120_000;
const CHANGES_PER_SECOND = 1000;
const WINDOW_MS = 100;
/** Where to go, and what is there when the page can be used. */
const PLACES: readonly (readonly [path: string, ready: string])[] = [
  ["/", ".map canvas"],
  ["/jobs", "tbody tr:nth-child(10)"],
  ["/tasks", "tbody tr:nth-child(10)"],
  ["/machines", "tbody tr:nth-child(10)"],
  ["/machines/", ".machine .box"],
  ["/quota", "tbody tr:nth-child(3)"],
  ["/events", ".title"],
];

export async function benchUi({ machines, tasks, seed, seconds }: UiArgs): Promise<Figures> {
  const from = performance.now();
  const cell = await uiCell(machines, tasks, seed);
  process.stderr.write(
    `${cell.running} of ${cell.tasks} tasks run on ${cell.machines} machines after ${Math.round((performance.now() - from) / 1000)} s\n`,
  );
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...args, "--enable-precise-memory-info"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(WAIT_MS);
    let bytes = 0;
    page.on("response", (answer) => {
      if (/\.(js|css|svg)$|\/$/.test(new URL(answer.url()).pathname)) bytes += Number(answer.headers()["content-length"] ?? 0);
    });
    await page.goto(cell.newLink());
    await page.waitForSelector(".map canvas");
    const firstLoadBytes = bytes;
    cell.change(CHANGES_PER_SECOND);
    const loaded = await loadTimes(page, cell.url, cell.machine);
    await page.goto(`${cell.url}/`);
    await page.waitForSelector(".map canvas");
    const session = await page.context().newCDPSession(page);
    const followed = await followCost(page, session, seconds);
    // Of one core: what others left of this machine. Far below 1 the waits are theirs.
    const cpu = process.cpuUsage();
    const busyFrom = performance.now();
    while (performance.now() - busyFrom < 1000);
    const { user, system } = process.cpuUsage(cpu);
    const coreShare = rounded((user + system) / 1000 / (performance.now() - busyFrom));
    return { coreShare, machines: cell.machines, tasks: cell.tasks, running: cell.running, firstLoadBytes, ...loaded, ...followed };
  } finally {
    await browser.close();
    await cell.close();
  }
}

async function loadTimes(page: Page, url: string, machine: string): Promise<Figures> {
  const all: number[] = [];
  const figures: Record<string, number> = {};
  for (const [path, ready] of PLACES) {
    const times: number[] = [];
    const begun = performance.now();
    for (let i = 0; i < ROUNDS && (i < 2 || performance.now() - begun < PLACE_MS); i++) {
      const from = performance.now();
      await page.goto(`${url}${path}${path.endsWith("s/") ? machine : ""}`);
      await page.waitForSelector(ready);
      times.push(performance.now() - from);
    }
    all.push(...times);
    figures[`usableP50Ms${path.replace(/\W+/g, "_")}`] = Math.round(percentile(times, 0.5));
    const directory = process.env["PICTURES"];
    if (directory !== undefined) await pictures(page, `${directory}/large${path.replace(/\W+/g, "-")}`);
  }
  return { usableP99Ms: Math.round(percentile(all, 0.99)), ...figures };
}

async function pictures(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(1200);
      await page.screenshot({ path: `${name}-${width}-${colorScheme}.png` });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Script time of each window, shared among the frames in it. */
async function followCost(page: Page, session: CDPSession, seconds: number): Promise<Figures> {
  await session.send("Performance.enable");
  const metric = async (name: string): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find((each) => each.name === name)?.value ?? 0;
  };
  await page.evaluate("globalThis.frames_ = 0; (function next() { globalThis.frames_ += 1; requestAnimationFrame(next); })()");
  const perFrame: number[] = [];
  let script = await metric("ScriptDuration");
  let frames = await page.evaluate<number>("globalThis.frames_");
  for (let i = 0; i < (1000 * seconds) / WINDOW_MS; i++) {
    await page.waitForTimeout(WINDOW_MS);
    const [scriptNow, framesNow] = [await metric("ScriptDuration"), await page.evaluate<number>("globalThis.frames_")];
    perFrame.push((1000 * (scriptNow - script)) / Math.max(1, framesNow - frames));
    [script, frames] = [scriptNow, framesNow];
  }
  await session.send("HeapProfiler.collectGarbage");
  return {
    scriptMsPerFrameP95: rounded(percentile(perFrame, 0.95)),
    heapMiB: rounded((await metric("JSHeapUsedSize")) / 2 ** 20, 1),
  };
}
