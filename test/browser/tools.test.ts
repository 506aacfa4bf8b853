/**
 * What a person does in the pages beside looking: a shell in a task, questions in SQL, receipts of preemptions, the pages of a cell that is elsewhere. One real cell and one browser, one story after the other.
 * PICTURES=DIR takes pictures of every page into that directory.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { findAbilities } from "../../src/borglet/linux/abilities.ts";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { QUESTIONS } from "../../src/sigma/app/sql/questions.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { HANG_MS, RealCell } from "../e2e/real-cell.ts";
import { axeFaults, noBrowser, openPage, pictures, startBrowser, type Watched } from "./browser.ts";

const SMALL = ["--cpu", "50m", "--ram", "64MiB", "--disk", "16MiB"] as const;

/** As a browser does it for somebody who pastes. */
const PASTE = `
const data = new DataTransfer();
data.setData("text/plain", "echo pas\\\\ted");
document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
`;

let cell: RealCell;
let browser: Browser;
let seen: Watched;
let page: Page;
let own: string;

const options = noBrowser === undefined ? {} : { skip: noBrowser };
const { jail, user } = findAbilities();
const noShell =
  jail === "none" ? "there is no jail here (package bubblewrap)" : user === "root" ? undefined : "only root finds the way into a jail";

before(async () => {
  if (noBrowser !== undefined) return;
  cell = await RealCell.start(1);
  cell.startHistory();
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
  await cell?.close();
});

/** Some line of the screen is like this. */
const screenSays = (line: RegExp): Promise<void> =>
  cell.until(`the screen to say ${line}`, async () => {
    const text = (await page.locator(".screen pre").textContent()) ?? "";
    return text.split("\n").some((each) => line.test(each.trimEnd()));
  });

test(
  "A shell in a task: asked first, typed into, drawn on, and ended [N5] [KX2] [sigma.V7]",
  noShell === undefined ? options : { skip: noShell },
  async () => {
    await cell.borg("run", "web", ...SMALL, "--", "sleep", "3600");
    await cell.running("tester/web", 1);
    await page.goto(`${own}/tasks/tester/web/0`);
    await page.getByRole("button", { name: "Shell" }).click();
    await page.getByRole("dialog").getByText("borg ssh tester/web/0").waitFor();
    await page.getByRole("button", { name: "Open a shell" }).click();
    const keys = page.getByLabel(/Keys for the shell in tester\/web\/0/);
    await screenSays(/[$#]$/);
    await keys.pressSequentially("echo '<b>it</b>' $((6 * 7))\n");
    await screenSays(/^<b>it<\/b> 42/);
    await keys.pressSequentially("stty size; ls -l --color=always / | head -8; printf '\\033[1;34mblue\\033[0m \\033]0;owned\\007\\n'\n");
    await screenSays(/^24 \d+/);
    await screenSays(/^blue$/);
    assert.equal(await page.locator(".screen .bold", { hasText: /^blue$/ }).count(), 1);
    assert.notEqual(await page.title(), "owned");
    assert.equal(await page.locator(".screen b").count(), 0, "what it writes is text");
    assert.deepEqual(await axeFaults(page), []);
    await pictures(page, "shell");
    await page.evaluate(PASTE);
    await keys.press("Enter");
    await screenSays(/^pasted/);
    await page.setViewportSize({ width: 390, height: 844 });
    await keys.pressSequentially("stty size\n");
    await screenSays(/^24 4\d\b/);
    await page.setViewportSize({ width: 1440, height: 900 });
    await keys.press("Shift+Tab");
    assert.equal(await page.evaluate("document.activeElement.localName === 'textarea'"), false, "the keyboard is not caught");
    await keys.focus();
    await keys.pressSequentially("exit 3\n");
    await page.getByText("The shell has ended with code 3.").waitFor();
    const { events } = await cell.client.readEvents({ about: "tester/web/0" });
    assert.ok(events.some(({ text }) => text.includes("a shell was opened (by tester)")));
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("button", { name: "Shell" }).click();
    await page.getByRole("button", { name: "Open a shell" }).click();
    await screenSays(/[$#]$/);
    await cell.borg("kill", "web", "--yes");
    // In words that depend on who heard of it first; then there is nothing left to end.
    await page.getByRole("button", { name: "Close", exact: true }).waitFor({ timeout: 60_000 });
    assert.deepEqual(seen.faults, []);
  },
);

test("What a task used before its page was opened is there by the second: its machine is asked [N8]", options, async () => {
  const busy =
    "const { performance: p } = globalThis; setInterval(() => { const from = p.now(); while (p.now() - from < 400 * (from % 5000 < 2500)); }, 500)";
  await cell.borg("run", "wave", ...SMALL, "--cpu", "900m", "--", "node", "-e", busy);
  await cell.running("tester/wave", 1);
  const measured = () => cell.client.readUsage({ task: "tester/wave/0" });
  await cell.until("some seconds to be measured", async () => (await measured()).moments.length > 4);
  const { moments, timeMs, instance } = await measured();
  const times = moments.map((moment) => timeMs - moment.timeMs);
  assert.deepEqual(
    [...times].sort((a, b) => b - a),
    times,
    "oldest first",
  );
  assert.ok(
    times.some((ms, i) => i > 0 && times[i - 1]! - ms < 2000),
    "second by second",
  );
  assert.match(instance, /^tester\/wave\/0:/);
  await page.goto(`${own}/tasks/tester/wave/0`);
  const uses = page.getByRole("region", { name: "What it uses" });
  await uses.getByText(/the last five minutes by the second, then live/).waitFor();
  await uses.locator("canvas").first().waitFor();
  const edges = async (part: Locator): Promise<readonly number[]> => {
    const { x, width } = (await part.boundingBox())!;
    return [Math.round(x / 4), Math.round((x + width) / 4)];
  };
  const where = page.getByRole("region", { name: "Where it was" });
  const parts = [
    where.locator(".track").first(),
    where.locator(".track").last(),
    uses.locator(".u-over").first(),
    uses.locator(".u-over").last(),
  ];
  const [bar, ...others] = await Promise.all(parts.map(edges));
  for (const other of others) assert.deepEqual(other, bar, "what is plotted begins and ends where bars and marks do");
  await page.getByLabel("Time shown").selectOption({ label: "the last five minutes" });
  assert.ok(page.url().endsWith("?span=5m"), "which time is shown stands in the address");
  await where.getByText(/since \d\d:\d\d/).waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await pictures(page, "usage");
  await cell.borg("kill", "wave", "--yes");
  await cell.until("it to be gone", async () => (await cell.client.getTask({ task: "tester/wave/0" })).task?.instance === "");
  await assert.rejects(measured(), /is on no machine now: borg sql has what it used before/);
  assert.deepEqual(seen.faults, []);
});

test(
  "Questions in SQL: chosen or written, answered as a table and a plot, refused in words, saved in the browser [N5] [N8]",
  options,
  async () => {
    const answer = page.getByRole("table", { name: "answer" });
    const editor = page.getByLabel("Question in SQL");
    await page.goto(`${own}/sql`);
    assert.deepEqual(await axeFaults(page), []);
    await pictures(page, "sql-empty");
    await cell.until("the history to be there", async () => (await cell.borg("sql", "select 1 as one")).code === 0);
    await page.getByLabel("Questions").selectOption({ label: "How many jobs were submitted on each day, and by how many people?" });
    await page.getByRole("region", { name: "Answer", exact: true }).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await editor.fill(
      "select range::bigint as n, n * n as square, '<b>' || n as text, timestamp '2026-01-01' + interval 1 hour * n as at from range(5000)",
    );
    await editor.press("Control+Enter");
    await page.getByText("The first 1,000 rows: there are more, which borg sql --csv prints").waitFor();
    assert.deepEqual([await answer.locator("tbody tr").count(), await answer.locator("b").count()], [1000, 0]);
    await page.getByRole("img", { name: "n, square over at" }).locator("canvas").waitFor();
    await pictures(page, "sql");
    const address = page.url();
    await page.getByLabel("Name of the question").fill("squares");
    await page.getByRole("button", { name: "Save in this browser" }).click();
    await editor.fill("select no_such from jobs");
    await page.getByRole("button", { name: "Run" }).click();
    await page
      .getByRole("alert")
      .getByText(/no_such/)
      .waitFor();
    await pictures(page, "sql-error");
    await page.goto(address);
    await page.getByText("The first 1,000 rows").waitFor();
    assert.equal(
      await page.getByLabel("Questions").inputValue(),
      "ssquares",
      "an own question is among the others, and the address says it all",
    );
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Save in this browser" }).waitFor();
    assert.deepEqual(seen.faults, []);
  },
);

test(
  "Each of the twenty questions about the history is answered after two clicks from the front page, each in a jail of its own [N5] [N8]",
  options,
  async () => {
    await cell.until("the history to be there", async () => (await cell.borg("sql", "select 1 as one")).code === 0);
    assert.equal(QUESTIONS.length, 20);
    for (const { name } of QUESTIONS) {
      await page.locator("header .name").click();
      await page.locator(".sentence").waitFor();
      // Two: the page, and the question.
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "SQL" }).click();
      await page.getByLabel("Questions").selectOption({ label: name });
      const [answer, problem] = [page.getByRole("region", { name: "Answer", exact: true }), page.getByRole("alert")];
      await answer.or(problem).waitFor({ timeout: HANG_MS });
      assert.equal(await problem.count(), 0, `${name}: ${await problem.allTextContents()}`);
      await answer.getByText(/^(No rows|[\d,]+ rows?|The first 1,000 rows.*); \d+\.\d s$/).waitFor();
    }
    assert.deepEqual(seen.faults, []);
  },
);

test("Who made way for whom stands on the pages of both, with the rule and the worth [N5] [P3] [G5]", options, async () => {
  const { machines } = await cell.client.listMachines({});
  const cpuMilli = Math.floor((machines[0]?.capacity?.cpuMilli ?? 0) * 0.7);
  const submit = (name: string, priority: number) =>
    cell.client.submitJob({
      requestId: name,
      spec: {
        ...{ user: "tester", name, count: 1, priority },
        task: { command: ["/bin/sleep", "3600"], limit: { cpuMilli, ramBytes: 32 * 2 ** 20, diskBytes: 2 ** 20 } },
      },
    });
  await cell.client.setQuota({
    requestId: "prod",
    user: "tester",
    band: Band.PRODUCTION,
    quota: { limit: { cpuMilli, ramBytes: 2 ** 28, diskBytes: 2 ** 28 } },
  });
  await submit("nightly", 100);
  await cell.running("tester/nightly", 1);
  await submit("front", 210);
  await cell.running("tester/front", 1);
  await page.goto(`${own}/jobs/tester/front`);
  const section = page.getByRole("region", { name: "Who made way" });
  await section.getByText("Others made way for it once").waitFor();
  await section.getByText(/Production \(priority 210\) may take the place of batch \(priority 100\)/).waitFor();
  await section.getByText(/It freed .* cores and 0.03 GiB\./).waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await pictures(page, "receipts");
  await section.getByRole("link", { name: "tester/nightly/0" }).click();
  await section.getByText("It made way once").waitFor();
  await section.getByText(/it had been there for \d+ (s|min); it has no other machine yet/).waitFor();
  await pictures(page, "receipt-task");
  assert.deepEqual(seen.faults, []);
});

/** `borg ui` as somebody who has a ticket and no socket; its first words. It ends with its test at the latest: while it runs, it keeps this process. */
async function uiElsewhere(t: TestContext, ticket: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const { BORG_MASTER: _, ...env } = cell.env;
  const child = spawn(process.execPath, [...entryPoint(), "ui", "--here", "--json"], {
    env: { ...env, BORG_TICKET_FILE: ticket },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let text = "";
  for await (const piece of child.stdout!) {
    text += piece;
    if (text.includes("}")) break;
  }
  return { child, url: JSON.parse(text).url };
}

test(
  "The pages of a cell elsewhere: over TLS with a token that the page never has, until the command is ended [N5] [KA2]",
  options,
  async (t) => {
    const ticket = join(cell.data.path, "me.ticket");
    const made = await cell.borg("token", "create", "--user", "tester", "--out", ticket);
    assert.equal(made.code, 0, made.err);
    const { child, url } = await uiElsewhere(t, ticket);
    const away = new URL(url).origin;
    assert.notEqual(away, own);
    const far = await openPage(browser, away);
    await far.page.goto(url);
    await far.page.locator(".sentence").waitFor();
    await far.page.goto(`${away}/jobs/tester/front`);
    await far.page.getByRole("heading", { name: "tester/front", level: 1 }).waitFor();
    const key = await far.page.evaluate<string>("sessionStorage.getItem('borg-session')");
    const kept = await far.page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    const way = JSON.stringify({ url: `https://127.0.0.1:${cell.data.readCell()!.port}` });
    assert.deepEqual(JSON.parse(kept), [{}, { "borg-session": key, "borg-way": way }, ""], "nothing but its key, and where the cell is");
    const ask = async (path: string, headers: Readonly<Record<string, string>>, body = "{}"): Promise<number> =>
      (await fetch(`${away}${path}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body })).status;
    const call = "/borg.v1.CellService/GetCell";
    const good = { origin: away, "borg-session": key };
    assert.equal(await ask(call, good), 200);
    assert.equal(await ask(call, { ...good, "borg-session": "guess" }), 401);
    assert.equal(await ask(call, { origin: away }), 401);
    assert.equal(await ask(call, { "borg-session": key }), 403, "who is no page");
    assert.equal(await ask(call, { ...good, origin: own }), 403, "a page of another port");
    assert.equal(await ask("/session", { origin: away, "borg-link": url.split("=")[1]! }), 401, "a link is good once");
    assert.equal(await ask("/borg.v1.CellService/CreateToken", good), 403, "what no page may ask");
    assert.equal(await ask("/borg.v1.CellService/OpenUi", good), 403);
    assert.equal(await ask("/v1/scheduler", good), 404, "calls of pages, and nothing else");
    assert.equal(await ask(call, good, `"${"x".repeat(2 ** 20)}"`), 413);
    assert.deepEqual(await axeFaults(far.page), []);
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "exit"), [0, null]);
    await far.page.getByText(/The cell does not answer since/).waitFor();
    assert.deepEqual(far.faults, []);
    await far.context.close();
  },
);
