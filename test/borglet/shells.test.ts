/** Shells in tasks, in every mode of a machine: where they run, that what is said arrives once and whole, and when they end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findAbilities } from "../../src/borglet/linux/abilities.ts";
import { MODES, type Mode, Stage } from "./stage.ts";

const WAIT_MS = 10_000;
const noFilter = findAbilities().missing.find(({ what }) => what === "a filter of system calls");

/** All that a command wrote, and how it ended. */
async function talk(stage: Stage, instance: string, command: readonly string[], input = ""): Promise<string> {
  const shell = `ann ${Math.random()}`;
  const how = { command: [...command], waitMs: WAIT_MS, input: new TextEncoder().encode(input), inputEnded: true };
  let [text, seen, errorsSeen] = ["", 0, 0];
  for (;;) {
    const { problem, said } = await stage.shell(shell, instance, { ...how, outputSeen: seen, errorsSeen });
    assert.equal(problem, "");
    assert.ok(said !== undefined);
    if (said.ended) return `${text}exit ${said.code}${said.signal}`;
    assert.equal(said.outputAt, seen);
    text += new TextDecoder().decode(said.output);
    seen += said.output.length;
    text += new TextDecoder().decode(said.errors);
    errorsSeen += said.errors.length;
  }
}

const isJailed = ({ root, without }: Mode): boolean => root && !without.includes("bubblewrap");

for (const mode of MODES) {
  test(`A shell has the task's files, environment and rights, and its processes where it has a jail as root (${mode.name}) [borglet.E1] [I1]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      await stage.run("ann/web/0:1", "echo mine >note; echo there; sleep 54321");
      await stage.said("ann/web/0:1", "there");
      const told = await talk(
        stage,
        "ann/web/0:1",
        ["/bin/sh", "-c", "cat note; echo $BORG_INSTANCE; ls /proc/self/fd | tr '\\n' ' '; cat; exit 3"],
        "typed\n",
      );
      assert.equal(told, "mine\nann/web/0:1\n0 1 2 3 typed\nexit 3");
      const marks = await talk(stage, "ann/web/0:1", [
        "/bin/sh",
        "-c",
        "grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status | tr -s '\\t' ' '; for each in /proc/[0-9]*; do tr '\\0' ' ' <$each/cmdline; echo; done",
      ]);
      assert.match(marks, /^CapEff: 0+\nNoNewPrivs: 1\n/);
      if (!mode.without.includes("bubblewrap") && noFilter === undefined) assert.match(marks, /^Seccomp: 2$/m);
      if (isJailed(mode)) assert.match(marks, /^sleep 54321 $/m);
    } finally {
      await stage.close();
    }
  });
}

test("What is typed twice arrives once, output stays until it was seen, and nobody waits for ever [borglet.E2]", async () => {
  const stage = await Stage.open();
  try {
    await stage.run("ann/web/0:1", "sleep 54321");
    const use = (more: object) => stage.shell("ann s", "ann/web/0:1", { command: ["cat"], waitMs: WAIT_MS, ...more });
    const bytes = new TextEncoder().encode("one");
    await use({ input: bytes, inputAt: 0, waitMs: 0 });
    await use({ input: bytes, inputAt: 0, waitMs: 0 });
    const first = await use({ inputAt: 3 });
    const again = await use({ inputAt: 3 });
    for (const { said } of [first, again]) assert.deepEqual([new TextDecoder().decode(said?.output), said?.inputTaken], ["one", 3]);
    assert.equal((await use({ inputAt: 3, outputSeen: 3, waitMs: 100 })).said?.output.length, 0);
    const ended = await use({ inputAt: 3, outputSeen: 3, inputEnded: true });
    assert.deepEqual([ended.said?.ended, ended.said?.code], [true, 0]);
    const none = await stage.shell("ann t", "ann/other/0:9", { waitMs: 0 });
    assert.deepEqual([none.missing, none.problem], [true, "The task does not run here now"]);
  } finally {
    await stage.close();
  }
});

test("What a program does not read is not taken beyond a bound: whoever types waits [borglet.E2] [KB1]", async () => {
  const stage = await Stage.open();
  try {
    await stage.run("ann/web/0:1", "sleep 54321");
    const input = new Uint8Array(65_536);
    let taken = 0;
    for (let i = 0; i < 40; i++) {
      const use = { command: ["sleep", "5000"], input, inputAt: taken, waitMs: 0 };
      taken = (await stage.shell("ann s", "ann/web/0:1", use)).said?.inputTaken ?? 0;
    }
    assert.ok(taken > 0 && taken < 20 * input.length, `${taken} bytes were taken`);
  } finally {
    await stage.close();
  }
});

test("A shell ends with its task, and one that was there before the borglet is not begun again [borglet.E3]", async () => {
  const stage = await Stage.open();
  try {
    await stage.run("ann/web/0:1", "sleep 54321");
    const use = (more: object) => stage.shell("ann s", "ann/web/0:1", { command: ["sleep", "5000"], ...more });
    await use({ waitMs: 0 });
    const waiting = use({ waitMs: 3 * WAIT_MS });
    stage.poll([{ body: { case: "stop", value: { instance: "ann/web/0:1" } } }]);
    let [last, errorsSeen] = [await waiting, 0];
    while (!last.missing && last.said?.ended !== true) {
      errorsSeen += last.said?.errors.length ?? 0;
      last = await use({ waitMs: 3 * WAIT_MS, errorsSeen });
    }
    const late = await stage.shell("ann u", "ann/web/0:1", { outputSeen: 5, waitMs: 0 });
    assert.equal(late.missing, true);
  } finally {
    await stage.close();
  }
});
