/**
 * What others choose is text on every page: labels, roles, frameworks' and tasks' names, addresses that somebody sends. And all pages, dark and on a phone. One real cell and one
 * browser, one story after the other. PICTURES=DIR takes pictures of every page into that directory.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { Gateway } from "../../src/rpc/mesos/gateway.ts";
import { commandLine, curlLine } from "../../src/sigma/app/commands.ts";
import { MesosFramework } from "../e2e/mesos-framework.ts";
import { RealCell } from "../e2e/real-cell.ts";
import { axeFaults, noBrowser, openPage, pictures, startBrowser, type Watched } from "./browser.ts";

/** Without spaces, of which some of these names may have none. */
const MARKUP = "<img/src=x/onerror=alert(1)>";
const LINK = `'; touch owned; '$(touch owned) ${MARKUP}`;

let cell: RealCell;
let gateway: Gateway;
let browser: Browser;
let seen: Watched;
let page: Page;
let own: string;

const options = noBrowser === undefined ? {} : { skip: noBrowser };
const says = (text: string | RegExp): Promise<void> => page.locator("main").getByText(text).first().waitFor();

before(async () => {
  if (noBrowser !== undefined) return;
  cell = await RealCell.start(1);
  const at = { kind: "unix", path: cell.data.socket("api") } as const;
  gateway = await Gateway.listen({ port: 0, credentials: () => ({ at, token: undefined }), log: () => {}, uid: process.getuid?.() ?? 0 });
  own = `http://127.0.0.1:${cell.data.readCell()!.port}`;
  browser = await startBrowser();
  seen = await openPage(browser, own);
  page = seen.page;
  const { out } = await cell.borg("ui", "--json");
  await page.goto(JSON.parse(out).url);
  await page.locator(".sentence").waitFor();
});

after(async () => {
  await browser?.close();
  await gateway?.close();
  await cell?.close();
});

/** Nothing of it became a part of the page. */
async function isText(): Promise<void> {
  assert.equal(await page.evaluate("document.querySelectorAll('main img, main script, main svg[onload]').length"), 0);
  assert.deepEqual(seen.faults, []);
}

test("A label, a role, a framework and a task with markup for names are text on every page [N5] [KX2]", options, async () => {
  const limit = { cpuMilli: 50, ramBytes: 2 ** 26, diskBytes: 2 ** 24 };
  const labels = [{ key: "note", value: MARKUP }];
  const task = { command: ["/bin/sleep", "3600"], limit };
  await cell.client.submitJob({ requestId: "web", spec: { user: "tester", name: "web", count: 2, labels, task } });
  await cell.running("tester/web", 2);
  const framework = new MesosFramework(gateway.port);
  await framework.subscribe({ name: MARKUP, role: MARKUP });
  assert.equal(await framework.launch("t1", "sleep 3600", MARKUP), 202);
  await framework.state("t1", "TASK_RUNNING");
  await page.goto(`${own}/jobs/tester/web`);
  await says(MARKUP);
  await isText();
  await cell.until("another offer", async () => (await cell.client.listFrameworks({})).frameworks.some(({ offers }) => offers === 1));
  await page.goto(`${own}/frameworks`);
  await page.getByRole("table", { name: "roles" }).getByText(MARKUP).waitFor();
  await page.getByRole("table", { name: "frameworks" }).getByRole("cell", { name: "1", exact: true }).nth(1).waitFor();
  await isText();
  await pictures(page, "frameworks");
  await page.getByRole("table", { name: "frameworks" }).getByRole("link").first().click();
  await page.getByRole("table", { name: "tasks" }).waitFor();
  await isText();
  await page.getByRole("table", { name: "tasks" }).getByRole("link").first().click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await isText();
});

test("A link with a command in it gives a command that is only its text, and a curl of this cell [N5] [KX2]", options, async () => {
  const command = page.locator("main .terminal code");
  for (const [path, words] of [
    ["/events", "borg events -f"],
    ["/sql", "borg sql"],
  ] as const) {
    await page.goto(`${own}${path}?q=${encodeURIComponent(LINK)}`);
    await command.first().waitFor();
    assert.equal(await command.first().textContent(), commandLine(words, LINK));
    await page.locator("main .terminal").getByRole("button", { name: "curl" }).click();
    const [method, request] = path === "/sql" ? (["RunQuery", { sql: LINK }] as const) : (["ReadEvents", { about: LINK }] as const);
    assert.equal(await command.nth(1).textContent(), curlLine({ socket: cell.data.socket("api") }, method, request));
    await pictures(page, `hostile${path.replace("/", "-")}`);
    await isText();
  }
  await page.goto(`${own}/tasks?state=running&q=WEB`);
  await command.first().waitFor();
  assert.equal(await command.first().textContent(), `borg ls tasks --all --state running | awk 'NR == 1 || index(tolower($1), "web")'`);
  await pictures(page, "tasks-filtered");
});

test("An update is paused and committed on its page, which asks first [N5] [D1]", options, async () => {
  const { spec } = await cell.client.getJob({ job: "tester/web" });
  const task = { ...spec!.task!, environment: [{ key: "V", value: "2" }] };
  await cell.client.startUpdate({ spec: { ...spec!, task, update: { batch: 1, watchMs: 3000, failuresMax: 0 } } as never });
  await page.goto(`${own}/jobs/tester/web`);
  for (const [verb, then] of [
    ["Pause", "An update is paused"],
    ["Resume", "An update has reached all tasks, and waits to be committed"],
    ["Commit", ""],
  ] as const) {
    await page.getByRole("button", { name: verb }).click();
    await page.getByRole("dialog").getByText(`borg update ${verb.toLowerCase()} tester/web`).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: verb }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    if (then !== "") await page.getByText(then).waitFor({ timeout: 60_000 });
  }
  await cell.until("the update to be committed", async () => (await cell.client.getUpdate({ job: "tester/web" })).phase === "");
  await page.getByRole("region", { name: "Update" }).waitFor({ state: "detached" });
  const { spec: committed } = await cell.client.getJob({ job: "tester/web" });
  assert.deepEqual(
    committed?.task?.environment.map(({ value }) => value),
    ["2"],
  );
});

test("The search finds a user and a command, and the keyboard opens them [N5]", options, async () => {
  const find = page.getByRole("combobox", { name: "Find" });
  await page.keyboard.press("/");
  await find.fill("teste");
  await page.getByRole("option", { name: /user\s*tester/ }).waitFor();
  await pictures(page, "search");
  await find.fill("unreachable machines");
  await page.getByRole("option", { name: /Show unreachable machines/ }).waitFor();
  await find.press("Enter");
  await page.getByRole("heading", { name: "Machines", level: 1 }).waitFor();
  assert.ok(page.url().endsWith("/machines?state=unreachable"), page.url());
});

const PLACES = [
  "/",
  "/jobs",
  "/jobs/tester/web",
  "/tasks",
  "/tasks/tester/web/0",
  "/machines",
  "/machines/MACHINE",
  "/quota",
  "/schedulers",
  "/frameworks",
  "/events",
  "/sql",
] as const;

/** Empty, or the parts that make the page wider than the screen. */
const TOO_WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : [document.documentElement.scrollWidth + " of " + innerWidth,
  ...[...document.querySelectorAll("main *, header *")].filter((part) => part.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 5).map((part) => part.outerHTML.slice(0, 120))]`;

test("Every page keeps nobody out, light and dark, wide and on a phone, where nothing is wider than the screen [N5]", options, async () => {
  const all = PLACES.map((place) => place.replace("MACHINE", cell.machines[0] ?? ""));
  for (const colorScheme of ["light", "dark"] as const)
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      for (const place of all) {
        await page.goto(`${own}${place}`);
        await page.locator("main .terminal").first().waitFor();
        await page.locator(".awaited").first().waitFor({ state: "detached" });
        const where = `${place} ${colorScheme} ${width}`;
        assert.deepEqual(await axeFaults(page), [], where);
        assert.deepEqual(await page.evaluate(TOO_WIDE), [], where);
      }
    }
  assert.deepEqual(seen.faults, []);
});
