/** A real browser for tests: Debian's chromium, driven by playwright-core; nothing is downloaded. What a page must never do fails the test that it is in. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));

/** Why no browser can be started here. */
export const noBrowser: string | undefined = CHROMIUM === undefined ? "no chromium here" : undefined;

export const PICTURES = process.env["PICTURES"] ?? "";

export async function startBrowser(): Promise<Browser> {
  // As root chromium has no sandbox of its own; it opens nothing but the pages of the test's cell.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return await chromium.launch({ executablePath: CHROMIUM!, args });
}

export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What a page must never have: errors, dialogs, requests to elsewhere, breaches of its policy. */
  readonly faults: string[];
}

export async function openPage(browser: Browser, own: string): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(own)) faults.push(`request to ${request.url()}`);
  });
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML/i.test(message.text())) faults.push(`policy: ${message.text()}`);
  });
  return { context, page, faults };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds that keeps somebody out, as lines. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate<readonly { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  const grave = found.filter(({ impact }) => impact === "serious" || impact === "critical");
  return grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary.slice(0, 200)}`);
}

/** Pictures of a place for people to look at, in three widths, light and dark; only when they are asked for. */
export async function pictures(page: Page, name: string): Promise<void> {
  if (PICTURES === "") return;
  mkdirSync(PICTURES, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const)
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`) });
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: 900 });
}
