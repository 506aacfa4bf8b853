/**
 * What a person does with the pages, in a real browser against a real cell. One cell and one browser, one story after the other.
 * PICTURES=DIR takes pictures of every page into that directory.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { RealCell } from "../e2e/real-cell.ts";
import { axeFaults, noBrowser, openPage, pictures, startBrowser, type Watched } from "./browser.ts";

const SMALL = ["--cpu", "50m", "--ram", "64MiB", "--disk", "16MiB"] as const;
const HOSTILE = `
process.stdout.write("<img src=x onerror=alert(1)><script>alert(2)</script>\\n");
process.stdout.write("\\u001b[2J\\u001b]0;owned\\u0007\\u0000\\u202e bells\\u0007\\n");
process.stdout.write("y".repeat(10 * 2 ** 20) + "\\nafter the long line\\n");
setInterval(() => console.log("beat " + Date.now()), 500);
`;

let cell: RealCell;
let browser: Browser;
let seen: Watched;
let page: Page;
let own: string;

const options = noBrowser === undefined ? {} : { skip: noBrowser };

async function newLink(): Promise<string> {
  const { out } = await cell.borg("ui", "--json");
  return JSON.parse(out).url;
}

/** By a click on a link or a button, as a person does: clicks are counted. */
let clicks = 0;
async function click(name: string | RegExp, role: "link" | "button" = "link"): Promise<void> {
  clicks += 1;
  await page.getByRole(role, { name }).first().click();
}

const heading = (name: string | RegExp): Promise<void> => page.getByRole("heading", { name, level: 1 }).waitFor();
const says = (text: string | RegExp): Promise<void> => page.locator("main").getByText(text).first().waitFor();
const home = async (): Promise<void> => {
  await page.locator("header .name").click();
  await page.locator(".sentence").waitFor();
  clicks = 0;
};

before(async () => {
  if (noBrowser !== undefined) return;
  cell = await RealCell.start(2);
  own = `http://127.0.0.1:${cell.data.readCell()!.port}`;
  browser = await startBrowser();
  seen = await openPage(browser, own);
  page = seen.page;
});

after(async () => {
  await browser?.close();
  await cell?.close();
});

test("A link lets one page in, once; nothing of it stays in the address [N5] [KA2]", options, async () => {
  const link = await newLink();
  await page.goto(link);
  await says("No tasks yet; all 2 machines answer.");
  assert.equal(page.url(), `${own}/`);
  const other = await openPage(browser, own);
  await other.page.goto(link);
  await other.page.getByText("This link was followed before, has ended, or is none").waitFor();
  await other.context.close();
  assert.deepEqual(await axeFaults(page), []);
  await pictures(page, "empty-cell");
  await page.goto(`${own}/jobs`);
  await says("No jobs yet.");
  await pictures(page, "empty-jobs");
});

test(
  "What is submitted by command appears without reload, and its log is followed; what tasks write is text [N5] [KX2]",
  options,
  async () => {
    await page.evaluate("globalThis.sameDocument = true");
    await cell.borg("run", "talk", ...SMALL, "--count", "2", "--", "node", "-e", HOSTILE);
    await cell.borg("run", "big", "--ram", "3TiB", "--", "sleep", "60");
    await page.getByRole("link", { name: "talk" }).waitFor();
    await page.getByRole("img", { name: "2 running" }).waitFor();
    await pictures(page, "jobs");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await heading("tester/talk");
    assert.deepEqual(await axeFaults(page), []);
    await pictures(page, "job");
    await page.getByRole("table", { name: "tasks" }).getByRole("link", { name: "0", exact: true }).click();
    const log = page.getByRole("log");
    await log
      .getByText(/beat \d+/)
      .first()
      .waitFor();
    await log.getByText("after the long line").waitFor();
    await page.getByLabel("Find in the log").fill("after");
    await page.getByText("1 lines").waitFor();
    assert.ok(page.url().endsWith("?find=after"), "the search is in the address");
    await page.getByLabel("Find in the log").fill("");
    assert.deepEqual(await axeFaults(page), []);
    await pictures(page, "task");
    assert.equal(await page.evaluate("globalThis.sameDocument"), true, "no page was loaded again");
    assert.equal(await page.evaluate("document.querySelectorAll('main img, main script').length"), 0);
    assert.deepEqual(seen.faults, []);
  },
);

test("Every question of a person is answered from the front page in at most two clicks [N5]", options, async () => {
  const answers: readonly (readonly [string, () => Promise<void>])[] = [
    ["is the cell well?", () => says(/of 3 tasks run; all 2 machines answer/)],
    ["is my work well?", () => click("My jobs").then(() => says("talk"))],
    [
      "why does it not run?",
      () =>
        click(/waits for a machine/)
          .then(() => click(/tester\/big/))
          .then(() => says(/None of 2 machines can take it/)),
    ],
    ["what happened to it?", () => click(/^tester\/talk\/0$/).then(() => says("Where it was"))],
    [
      "what is on this machine?",
      () =>
        click(/^Machines/)
          .then(() => click("m1"))
          .then(() => says("Drawn to scale")),
    ],
    [
      "how often did it begin again in the last hour?",
      () => click("My jobs").then(() => page.getByRole("columnheader", { name: /^restarts(, 1 h| since .*\d\d:\d\d)$/ }).waitFor()),
    ],
    [
      "how are the machines, by what they have in common?",
      async () => {
        clicks += 1;
        await page.getByLabel("in groups of").selectOption("os");
        await page.getByRole("img", { name: /2 machines by cpu used/ }).waitFor();
        assert.ok(page.url().endsWith("?group=os"));
      },
    ],
    [
      "where do I find a user, or a command?",
      () =>
        click(/Find jobs, tasks, machines, users, commands/, "button")
          .then(() => page.getByRole("combobox", { name: "Find" }).waitFor())
          .then(() => page.keyboard.press("Escape")),
    ],
    ["how do I do this from a script?", () => says("borg cell show")],
  ];
  for (const [question, answer] of answers) {
    await home();
    await answer();
    assert.ok(clicks <= 2, `${question} took ${clicks} clicks`);
  }
});

test("The search in a log goes back to its beginning, or says how far it looked [N5]", options, async () => {
  const program = `
    console.log("needle at the start");
    for (let i = 0; i < 4000; i++) console.log("line " + i + " " + "x".repeat(80));
    setInterval(() => console.log("needle now"), 500);
  `;
  await cell.borg("run", "chatty", ...SMALL, "--", "node", "-e", program);
  await cell.running("tester/chatty", 1);
  await page.goto(`${own}/tasks/tester/chatty/0`);
  const log = page.getByRole("log");
  await log.getByText("needle now").nth(1).waitFor();
  await log.getByText("Earlier lines are not shown here").waitFor();
  assert.equal(await log.getByText("needle at the start").count(), 0, "its end is shown");
  await page.getByLabel("Find in the log").fill("needle");
  await log.getByText("needle at the start").waitFor();
  await page.getByText(/lines; looked 0\.\d+ MiB back, as far as it is kept/).waitFor();
  const many = await log.getByText("needle now").count();
  await log
    .getByText("needle now")
    .nth(many + 1)
    .waitFor();
  assert.equal(await log.getByText("needle at the start").count(), 1, "what is written goes on below what was found");
  assert.deepEqual(await axeFaults(page), []);
  await pictures(page, "log-search");
  await page.goto(`${own}/tasks/tester/talk/0?find=onerror`);
  await page.getByText(/0 lines; looked \d+\.?\d* MiB back: what is older was not looked at/).waitFor({ timeout: 60_000 });
  await cell.borg("kill", "chatty", "--yes");
  await cell.until("it to be over", async () => (await cell.client.getJob({ job: "tester/chatty" })).job?.state === "dead");
  assert.deepEqual(seen.faults, []);
});

test("Why says what would help, and a suggestion shows before and after [N5] [N7]", options, async () => {
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Find" }).fill("big");
  await page.getByRole("option", { name: /job\s*tester\/big/ }).waitFor();
  await page.getByRole("combobox", { name: "Find" }).press("Enter");
  await heading("tester/big");
  await page.getByRole("button", { name: /ask for .* of ram instead of/ }).click();
  await says(/would do|would be placed/);
  assert.deepEqual(await axeFaults(page), []);
  await pictures(page, "why");
  await page.getByRole("button", { name: "Apply this" }).click();
  await page
    .getByRole("dialog")
    .getByText(/tester\/big would be updated: ask for/)
    .waitFor();
  await pictures(page, "apply");
  await page.getByRole("dialog").getByRole("button", { name: "Apply this" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await cell.running("tester/big", 1);
  await says("Its task runs");
});

test("An update is resumed and undone on its page, which asks first [N5] [D1]", options, async () => {
  const { spec } = await cell.client.getJob({ job: "tester/talk" });
  await cell.client.startUpdate({
    spec: { ...spec!, task: { ...spec!.task!, environment: [{ name: "V", value: "2" }] } } as never,
    paused: true,
  });
  await page.goto(`${own}/jobs/tester/talk`);
  await says("An update is paused");
  await pictures(page, "update");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("dialog").getByText("borg update resume tester/talk").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await pictures(page, "question");
  await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
  await cell.until("the update to be undone", async () => (await cell.client.getUpdate({ job: "tester/talk" })).phase === "");
  await page.getByRole("region", { name: "Update" }).waitFor({ state: "detached" });
});

test("A machine is drained and given back on its page [N5]", options, async () => {
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await heading("Machines");
  await page.getByRole("link", { name: "m2" }).click();
  const times = page.getByRole("region", { name: "Over time" });
  await times.locator("canvas").first().waitFor();
  const told = await cell.client.getMachine({ machine: "m2" });
  assert.ok((told.moments.at(-1)?.strain?.ramBytes ?? 0) > 0, "its host says how it does");
  assert.equal(await times.locator("canvas").count(), told.moments.some(({ strain }) => strain?.cpuWaitingPermille !== undefined) ? 3 : 2);
  assert.deepEqual(await axeFaults(page), []);
  await pictures(page, "machine");
  await page.getByRole("button", { name: "Drain" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Drain" }).click();
  await says(/drain(ing|ed) for/);
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole("button", { name: "Undrain" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undrain" }).click();
  await says(/up for/);
  for (const place of ["/tasks", "/quota", "/schedulers", "/frameworks", "/events", "/machines", "/jobs?kind=alloc", "/?group=os", "/"]) {
    await page.goto(`${own}${place}`);
    await page.locator("main .terminal").first().waitFor();
    await page.locator(".awaited").first().waitFor({ state: "detached" });
    assert.deepEqual(await axeFaults(page), [], place);
    await pictures(page, `page${place.replace(/[^a-z]+/g, "-")}`);
  }
});

test("A master that dies is said to be away, since when; the next one is asked by itself, and wants a new link [N5]", options, async () => {
  await page.goto(`${own}/jobs`);
  await page.getByRole("link", { name: "talk" }).waitFor();
  await cell.kill("master");
  await page.getByText(/The cell does not answer since \d\d:\d\d:\d\d/).waitFor();
  assert.ok(await page.getByRole("link", { name: "talk" }).isVisible(), "what was known is still shown");
  await pictures(page, "lost");
  cell.startMaster();
  await page.getByText("its session has ended").waitFor({ timeout: 40_000 });
  assert.equal(await page.getByText("talk").count(), 0, "nothing of the cell is shown to who has no session");
  await pictures(page, "ended");
  await cell.ready();
  await page.goto((await newLink()).replace("/#", "/jobs#"));
  await page.getByRole("link", { name: "talk" }).waitFor();
  assert.deepEqual(seen.faults, []);
});
