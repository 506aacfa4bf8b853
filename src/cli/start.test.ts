/** The command as a process: what it loads, how it ends, what reaches a real server. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CallError } from "../rpc/call-error.ts";
import { AUTHORITY, type TestCell, testCell } from "../rpc/test-cell.ts";
import { EXIT } from "./exit.ts";
import { ticketText } from "./ticket.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-start-"));
const LOADED = join(ROOT, "loaded");
const HOOK = join(ROOT, "hook.mjs");
const HANG_MS = 60_000;
/** Writes down every file that is loaded. */
writeFileSync(
  HOOK,
  `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(LOADED)}, url + "\\n"), next(url, context)) });
`,
);

let cell: TestCell;
let submits = 0;
before(async () => {
  cell = await testCell({
    getCell: (_, call) => ({ name: "test", user: call.user }),
    listJobs: () => ({ jobs: Array.from({ length: 1000 }, (_, i) => ({ name: `ann/job-${i}`, state: "running" })) }),
    submitJob: (request) => {
      if (submits++ === 0) throw new CallError("unavailable", "The cell is not ready yet", { retryAfterMs: 10 });
      if (request.spec?.name === "big") throw new CallError("refused", "User has no quota", { hint: "ask for some" });
      return { position: 7 };
    },
  });
});
after(async () => {
  await cell.server.close();
  rmSync(ROOT, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly loaded: readonly string[];
}

const passFor = (token: string): string => ticketText({ cell: "test", url: cell.url, authorities: [AUTHORITY.certificate], token });

/** A line of bash in which `borg` is the command. */
function run(line: string, own: Readonly<Record<string, string>> = {}): Promise<Ran> {
  writeFileSync(LOADED, "");
  const env = { PATH: process.env["PATH"], HOME: ROOT, BORG_TICKET: passFor("token-of-ann"), ...own };
  const borg = `borg() { '${process.execPath}' --disable-warning=ExperimentalWarning --import '${HOOK}' '${join(import.meta.dirname, "borg.ts")}' "$@"; }`;
  return new Promise((done) => {
    execFile("bash", ["-c", `${borg}\n${line}`], { env, timeout: HANG_MS, encoding: "utf8" }, (error, out, err) => {
      const loaded = readFileSync(LOADED, "utf8")
        .split("\n")
        .map((url) => url.replace(/^.*\/(src|node_modules)\//, "$1/"));
      done({ code: error === null ? 0 : Number(error.code ?? 255), out, err, loaded });
    });
  });
}

/** Tables that import nothing cost nothing. */
const TABLES = /src\/(wire\/(spec-defaults|band)|cell\/(event|cause|health))\.ts$/;

const has = (loaded: readonly string[], pattern: RegExp): readonly string[] =>
  loaded.filter((url) => pattern.test(url) && !TABLES.test(url));

test("a command loads only what it needs: no schema for help, no job language and no cell for ls", async () => {
  const help = await run("borg help");
  assert.equal(help.code, 0);
  assert.deepEqual(has(help.loaded, /src\/(wire\/|cell\/|scheduler\/|borgmaster\/|cli\/commands\/)|@bufbuild|@connectrpc/), []);
  const ls = await run("borg ls --json");
  assert.equal(JSON.parse(ls.out).length, 1000, ls.err);
  assert.deepEqual(has(ls.loaded, /src\/(cell\/|scheduler\/|borgmaster\/|borglet\/|store\/|shell\/)|@connectrpc/), []);
  assert.deepEqual(
    has(ls.loaded, /src\/bcl\//).filter((url) => !/(quantity|suggest|schema\/date)\.ts$/.test(url)),
    [],
  );
  assert.ok(has(ls.loaded, /src\/wire\/gen\//).length > 0);
});

test("a pipe that is closed early is no error, and a long output is written whole", async () => {
  const cut = await run("set -o pipefail; borg ls | head -n 2");
  assert.deepEqual([cut.code, cut.err, cut.out.split("\n").length], [0, "", 3]);
  const whole = await run("borg ls | wc -l");
  assert.equal(whole.out.trim(), "1001");
});

test("changes over a real connection: retried while unavailable, refusals with their hint, exit codes [U9]", async () => {
  const good = await run("borg run hi -- /bin/true");
  assert.deepEqual([good.code, good.out], [EXIT.done, "Submitted job ann/hi with 1 task\n"]);
  const ids = cell.asked.filter(({ method }) => method === "SubmitJob").map(({ call }) => call.requestId);
  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
  const bad = await run("borg run big -- /bin/true");
  assert.deepEqual([bad.code, bad.err], [EXIT.refused, "User has no quota\n  ask for some\n"]);
  const nobody = await run("borg ls", { BORG_TICKET: passFor("wrong") });
  assert.equal(nobody.code, EXIT.notPermitted);
});
