/** Attacks of a task on its jail. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findAbilities } from "../../src/borglet/linux/abilities.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { is, MODES, Stage } from "../borglet/stage.ts";
import { isRoot } from "../nobody.ts";

const NEVER = { restart: { when: RestartWhen.NEVER } };
const JAILED = MODES.filter(({ without }) => !without.includes("bubblewrap"));
const open = findAbilities().missing.find(({ what }) => what === "a closed jail");

for (const mode of JAILED) {
  test(`A jailed task makes no user namespace of its own (${mode.name}) [borglet.X5] [I2]`, {
    skip: mode.skip || (open === undefined ? false : `a closed jail is missing: ${open.cure}`),
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      await stage.run("ann/out/0:1", "unshare -U -r true 2>/dev/null && echo root || echo refused; echo over; sleep 1000");
      assert.match(await stage.said("ann/out/0:1", "over"), /^refused\n/);
    } finally {
      await stage.close();
    }
  });
}

/** Numbers on x64: unshare, mount, setns, keyctl, bpf, perf_event_open, userfaultfd, ptrace, io_uring_setup; clone with a user namespace; clone3. */
const CALLS = [272, 165, 308, 250, 321, 298, 323, 101, 425];
const ASK = `perl -e 'for (${CALLS}) { syscall($_, 0, 0, 0, 0, 0); print 0 + $!, " " } syscall(56, 0x10000011, 0); print 0 + $!, " "; syscall(435, 0, 0); print 0 + $!'`;
const noFilter = findAbilities().missing.find(({ what }) => what === "a filter of system calls");

for (const mode of JAILED) {
  test(`A jailed task has no rights, three descriptors, and a filter before every call to the kernel (${mode.name}) [borglet.X6] [I1]`, {
    skip:
      mode.skip ||
      (noFilter === undefined ? false : `a filter is missing: ${noFilter.cure}`) ||
      (process.arch === "x64" ? false : "numbers of x64"),
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const marks = "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -s '\\t' ' '";
      await stage.run("ann/calls/0:1", `${ASK}; echo; ${marks}; ls /proc/self/fd | tr '\\n' ' '; echo over; sleep 1000`);
      const said = (await stage.said("ann/calls/0:1", "over")).trim().split("\n");
      assert.deepEqual(said, [
        [...CALLS.map(() => 1), 1, 38].join(" "),
        "CapEff: 0000000000000000",
        said[2],
        "NoNewPrivs: 1",
        "Seccomp: 2",
        "0 1 2 3 over",
      ]);
    } finally {
      await stage.close();
    }
  });
}

test("A config file in a directory that only root can read shows none of its names, nor whether one is there [borglet.X5] [I2]", {
  skip: isRoot ? JAILED[0]!.skip : "needs root",
}, async () => {
  const directory = mkdtempSync("/etc/openborg-test-");
  const stage = await Stage.open(JAILED[0]);
  try {
    chmodSync(directory, 0o755);
    mkdirSync(join(directory, "private", "deep"), { recursive: true });
    writeFileSync(join(directory, "private", "secret-name"), "x");
    chmodSync(join(directory, "private"), 0o700);
    const words: string[] = [];
    for (const [i, name] of ["new", "secret-name", "deep/new"].entries()) {
      const files = [{ path: join(directory, "private", name), content: Buffer.from("mine") }];
      await stage.run(`ann/peek/${i}:1`, `ls -R ${directory}; sleep 1000`, NEVER, { files });
      const { message } = await stage.instance(`ann/peek/${i}:1`, "is refused", is(Phase.FAILED));
      words.push(message.replaceAll(name, "NAME"));
    }
    const expected = `Cannot put a file at "${directory}/private/NAME": not everybody may read "${directory}/private"`;
    assert.ok(words[0]!.includes(expected), String(words[0]));
    assert.equal(new Set(words).size, 1, words.join("\n"));
  } finally {
    rmSync(directory, { recursive: true });
    await stage.close();
  }
});
