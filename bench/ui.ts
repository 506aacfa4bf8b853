/**
 * The pages on a cell of full size: how soon each can be used, what it loads and holds, and what following costs the browser while the cell changes.
 * With BORG_TRACE_DIR the cell is the recorded one. The browser is Debian's chromium. PICTURES=DIR takes pictures of the pages on the way.
 */
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { type Figures, percentile, rounded } from "./figures.ts";
import { type UiCell, uiCell } from "./ui-cell.ts";
import { scriptOfFrames, type TraceEvent } from "./ui-frames.ts";
import { type Place, placesOf } from "./ui-places.ts";

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
const KIB = 2 ** 10;

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
    const session = await page.context().newCDPSession(page);
    const received = await receivedBytes(session);
    const places = placesOf(cell);
    const [overview] = places as [Place];
    await page.goto(cell.newLink());
    await page.waitForSelector(overview.ready);
    const firstLoad = { firstLoadBytes: received.all, firstLoadAnswerBytes: received.answers };
    cell.change(CHANGES_PER_SECOND);
    const loaded = await loadTimes(page, cell, places, received);
    await page.goto(`${cell.url}${overview.path}`);
    await page.waitForSelector(overview.ready);
    const followed = await followCost(browser, page, session, seconds);
    return {
      coreShare: coreShare(),
      machines: cell.machines,
      tasks: cell.tasks,
      running: cell.running,
      ...firstLoad,
      ...loaded,
      ...followed,
    };
  } finally {
    await browser.close();
    await cell.close();
  }
}

/** Of one core: what others left of this machine. Far below 1 the waits are theirs. */
function coreShare(): number {
  const cpu = process.cpuUsage();
  const from = performance.now();
  while (performance.now() - from < 1000);
  const { user, system } = process.cpuUsage(cpu);
  return rounded((user + system) / 1000 / (performance.now() - from));
}

interface Received {
  all: number;
  /** Of calls of the API. */
  answers: number;
}

/** As they came, with their headers: what was compressed counts compressed. */
async function receivedBytes(session: CDPSession): Promise<Received> {
  const received: Received = { all: 0, answers: 0 };
  const calls = new Set<string>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (new URL(request.url).pathname.startsWith("/borg.v1.")) calls.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    received.all += encodedDataLength;
    if (calls.delete(requestId)) received.answers += encodedDataLength;
  });
  await session.send("Network.enable");
  return received;
}

async function loadTimes(page: Page, { url }: UiCell, places: readonly Place[], received: Received): Promise<Figures> {
  const all: number[] = [];
  const figures: Record<string, number> = {};
  for (const { name, path, ready } of places) {
    const times: number[] = [];
    const before = received.answers;
    const begun = performance.now();
    for (let i = 0; i < ROUNDS && (i < 2 || performance.now() - begun < PLACE_MS); i++) {
      const from = performance.now();
      await page.goto(`${url}${path}`);
      await page.waitForSelector(ready);
      times.push(performance.now() - from);
    }
    all.push(...times);
    figures[`usableP50Ms_${name}`] = Math.round(percentile(times, 0.5));
    figures[`answersKiB_${name}`] = rounded((received.answers - before) / times.length / KIB, 1);
    const directory = process.env["PICTURES"];
    if (directory !== undefined) await pictures(page, `${directory}/large-${name}`);
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

async function followCost(browser: Browser, page: Page, session: CDPSession, seconds: number): Promise<Figures> {
  await browser.startTracing(page, { categories: ["devtools.timeline", "v8"] });
  await page.waitForTimeout(1000 * seconds);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8")) as { readonly traceEvents: readonly TraceEvent[] };
  const script = scriptOfFrames(traceEvents);
  await session.send("Performance.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  return {
    frames: script.length,
    scriptMsPerFrameP95: rounded(percentile(script, 0.95)),
    heapMiB: rounded((metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 2 ** 20, 1),
  };
}
