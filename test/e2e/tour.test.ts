/** docs/tour.md, word by word: every file it shows is written, every command typed, and what it says one sees is seen. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const ROOT = join(import.meta.dirname, "..", "..");
const HANG_MS = 120_000;

const home = mkdtempSync(join(tmpdir(), "borg-tour-"));
const desk = join(home, "desk");
const PORT = String(9500 + Math.floor(Math.random() * 50) * 2);
const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: "", XDG_STATE_HOME: "", BORG_MASTER: "", BORG_TICKET: "", BORG_TICKET_FILE: "" };

interface Step {
  readonly line: number;
  readonly command: string;
  /** Lines that must be seen in this order, others between them or not. */
  readonly shown: readonly string[];
}

type Block =
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  | { readonly kind: "steps"; readonly steps: readonly Step[] };

function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^```(console|bcl (\S+))\n([\s\S]*?)^```$/gm)].map(({ 1: kind, 2: name, 3: body = "", index }): Block => {
    if (kind !== "console") return { kind: "file", name: name!, text: body };
    return { kind: "steps", steps: stepsOf(body, text.slice(0, index).split("\n").length + 1) };
  });
}

function stepsOf(body: string, firstLine: number): readonly Step[] {
  const steps: { line: number; command: string; shown: string[] }[] = [];
  for (const [i, line] of body.trimEnd().split("\n").entries()) {
    if (line.startsWith("$ ")) steps.push({ line: firstLine + i, command: line.slice(2), shown: [] });
    else steps.at(-1)!.shown.push(line);
  }
  return steps;
}

/** `...` stands for anything; how wide a column is, is nobody's promise. */
function patternOf(shown: string): RegExp {
  const parts = shown.split("...").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ +/g, " +"));
  return new RegExp(`^${parts.join(".*")}$`);
}

/** What of it was not seen; undefined: all of it was. */
function unseen(shown: readonly string[], said: string): string | undefined {
  const lines = said.split("\n").map((line) => line.trimEnd());
  let at = 0;
  for (const one of shown) {
    const found = lines.findIndex((line, i) => i >= at && patternOf(one).test(line));
    if (found === -1) return one;
    at = found + 1;
  }
  return undefined;
}

function typed(command: string): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((done) => {
    // This cell has a port of its own; everything else is typed as it stands.
    const child = spawn("bash", ["-c", command.replace("./borg up ", `./borg up --port ${PORT} `)], { cwd: desk, env, detached: true });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece) => {
        said += piece;
      });
    const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), HANG_MS);
    child.on("close", (code) => {
      clearTimeout(timer);
      done({ code, said });
    });
  });
}

after(async () => {
  await typed("./borg down --kill");
  rmSync(home, { recursive: true, force: true });
});

test("the tour can be taken: each command does what the page says one sees [N9] [U6] [U9]", { timeout: 600_000 }, async () => {
  mkdirSync(desk);
  symlinkSync(join(ROOT, "borg"), join(desk, "borg"));
  const blocks = blocksOf(readFileSync(join(ROOT, "docs/tour.md"), "utf8"));
  assert.ok(blocks.flatMap((block) => (block.kind === "steps" ? block.steps : [])).length > 25);
  for (const block of blocks) {
    if (block.kind === "file") writeFileSync(join(desk, block.name), block.text);
    else
      for (const { line, command, shown } of block.steps) {
        const { code, said } = await typed(command);
        const where = `docs/tour.md:${line}: ${command}`;
        assert.equal(code, 0, `${where}: exit ${code}\n${said}`);
        assert.equal(unseen(shown, said), undefined, `${where}\n${said}`);
      }
  }
});

test("what the page shows must be seen: a line that is missing, another order, another word", () => {
  const said = "one  two\nthree 17\n";
  assert.equal(unseen(["one two", "three ..."], said), undefined);
  assert.equal(unseen(["three ...", "one two"], said), "one two");
  assert.equal(unseen(["three 1"], said), "three 1");
});
