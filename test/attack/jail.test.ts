/** Attacks of a task on its jail. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
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

/** Everything that can be written; devices, and /usr and the kernel's files, of which there are many, are tried by name. */
const WRITABLE = "find / \\( -path /proc -o -path /usr -o -path /sys -o -path /dev \\) -prune -o -writable ! -type l -print 2>/dev/null";
const NAMED = [
  "/",
  "/usr",
  "/usr/bin",
  "/etc",
  "/dev",
  "/dev/pts",
  "/sys",
  "/proc",
  "/proc/sys",
  "/proc/sys/kernel",
  "/borg",
  "/borg/launch.d",
  "/run",
  "/var/tmp",
];
const CREATED = `for d in ${NAMED.join(" ")}; do ( : >"$d/probe" ) 2>/dev/null && echo "$d"; done`;
const OVERWRITTEN =
  "for f in /proc/1/exe /proc/self/exe /bin/sh /etc/passwd /proc/sys/kernel/hostname /proc/sysrq-trigger; do ( : >>$f ) 2>/dev/null && echo $f; done";
const MASKED =
  "for n in keys key-users kcore kallsyms timer_list sched_debug; do head -c 1 /proc/$n 2>/dev/null | grep -q . && echo $n; done";
const RAW = `perl -e 'use Socket; for ([AF_INET, SOCK_RAW, 1], [17, SOCK_RAW, 0]) { print socket(my $s, $_->[0], $_->[1], $_->[2]) ? "open" : "refused", " " }'`;

for (const mode of JAILED) {
  test(`A jailed task writes into its own directories and nowhere else, opens no raw socket, and reads nothing of the machine's keys and addresses (${mode.name}) [borglet.X7] [I1] [I2]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const parts = [
        CREATED,
        "echo over-1",
        OVERWRITTEN,
        "echo over-2",
        MASKED,
        "echo over-3",
        RAW,
        "echo",
        WRITABLE,
        "echo over; sleep 1000",
      ];
      await stage.run("ann/walls/0:1", parts.join("\n"));
      const [created, overwritten, masked, rest = ""] = (await stage.said("ann/walls/0:1", "over\n")).split(/over-\d\n/);
      assert.deepEqual([created, overwritten, masked], ["", "", ""]);
      const [raw, ...writable] = rest.trim().split("\n").slice(0, -1);
      assert.equal(raw, "refused refused ");
      assert.deepEqual(writable.filter((path) => path !== "").sort(), ["/borg/task", "/tmp"]);
    } finally {
      await stage.close();
    }
  });

  test(`Files in a jailed task's /dev/shm are bounded by half of its memory, and its terminals are there (${mode.name}) [borglet.X7] [I9]`, {
    skip: mode.skip || (open === undefined ? false : `a closed jail is missing: ${open.cure}`),
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const fill = "head -c 64M /dev/zero >/dev/shm/f; stat -c %s /dev/shm/f; script -qec 'tty' /dev/null; echo over; sleep 1000";
      await stage.run("ann/shm/0:1", fill, {}, { limit: { ramBytes: 64 * 2 ** 20, cpuMilli: 100 } });
      assert.match(await stage.said("ann/shm/0:1", "over"), /^33554432\n\/dev\/pts\/0\r?\nover/);
    } finally {
      await stage.close();
    }
  });

  test(`Two jailed tasks see none of each other's processes, and no namespaces of the host but its network's (${mode.name}) [borglet.X7] [I1] [I2]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const kinds = ["pid", "ipc", "uts", "mnt", "net"];
      const look = `for n in ${kinds.join(" ")}; do readlink /proc/self/ns/$n; done; cat /proc/[0-9]*/cmdline | tr '\\0' ' '; echo; echo over; exec sleep`;
      await stage.run("ann/one/0:1", `${look} 98761`);
      await stage.said("ann/one/0:1", "over");
      await stage.run("bob/two/0:1", `${look} 98762`);
      const said = [await stage.said("ann/one/0:1", "over"), await stage.said("bob/two/0:1", "over")].map((text) => text.split("\n"));
      const host = kinds.map((kind) => readlinkSync(`/proc/self/ns/${kind}`));
      for (const kind of kinds.keys()) {
        const seen = new Set([host[kind], ...said.map((lines) => lines[kind])]);
        assert.equal(seen.size, kinds[kind] === "net" ? 1 : 3, `${kinds[kind]}: ${[...seen]}`);
      }
      assert.match(said[1]!.slice(kinds.length).join(" "), /98762/);
      assert.doesNotMatch(said[1]!.slice(kinds.length).join(" "), /98761/);
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
