/** Reports from the history: what is asked, and how it is told as text, JSON and a page. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { borg, type Script } from "../fixture.test.ts";
import { completed, csvLine } from "./sql.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-report-"));
after(() => rmSync(ROOT, { recursive: true }));

function answering(columns: readonly string[], row: readonly unknown[]): { readonly asked: string[]; readonly script: Script } {
  const asked: string[] = [];
  const runQuery = ({ sql }: { readonly sql?: string }) => {
    asked.push(String(sql));
    return { columns: columns.map((name) => ({ name, type: "DOUBLE" })), rows: [JSON.stringify(row)] };
  };
  return { asked, script: { runQuery } as Script };
}

const USAGE = ["user", "band", "task_hours", "core_hours", "gib_hours", "price", "cost"];

test("borg report usage charges recorded use by band, of one user or of all that one may see [P8]", async () => {
  const { asked, script } = answering(USAGE, ["ann", "production", 10, 5, 8, 3, 21]);
  const { out, code } = await borg(["report", "usage", "--user", "ann", "--since", "7d"], script, { cwd: ROOT });
  assert.equal(code, 0);
  assert.match(out, /ann +production +10\.00 +5\.00 +8\.00 +3\.00 +21\.00/);
  assert.match(asked[0] ?? "", /owner = 'ann'/);
  assert.match(asked[0] ?? "", /join prices using \(band\)/);
});

test("a report as a page holds the table and a plot, and what others wrote is text [P8]", async () => {
  const { script } = answering(USAGE, ["<img onerror=x>", "batch", 1, 1, 1, 1, 2]);
  await borg(["report", "usage", "--html", "usage.html"], script, { cwd: ROOT });
  const page = readFileSync(join(ROOT, "usage.html"), "utf8");
  assert.match(page, /<svg /);
  assert.match(page, /&lt;img onerror=x&gt;/);
  assert.ok(!page.includes("<img"));
});

test("borg report sla tells running time of wanted time [V7]", async () => {
  const { script } = answering(["job", "band", "wanted", "running", "availability"], ["ann/web", "production", 100, 99.5, 0.995]);
  const { out } = await borg(["report", "sla"], script, { cwd: ROOT });
  assert.match(out, /ann\/web +production +100\.00 +99\.50 +99\.500 %/);
});

test("an answer as CSV quotes what has to be quoted; the prompt completes the last word [N8]", () => {
  assert.equal(csvLine(["a,b", 'say "x"', null, 5, true]), '"a,b","say ""x""",,5,true\r\n');
  assert.deepEqual(completed("select * from jo", ["job_events", "jobs", "limit"]), [["job_events", "jobs"], "jo"]);
  assert.deepEqual(completed("select ", ["jobs"]), [[], ""]);
});
