/** The borglet's files: records, names, users, logs, scripts. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { make } from "../../wire/codec.ts";
import { LogStream } from "../../wire/gen/borg/v1/link_pb.ts";
import { StartOrderSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import { ConfigFileSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { instanceOf, keyOf } from "../instance-key.ts";
import { isReachable, sweepAreas, tieArea } from "./area.ts";
import { writeUnder } from "./config-files.ts";
import { jailArguments } from "./jail.ts";
import { environmentOf, launchScript } from "./launch.ts";
import { logEnd, readLog, sweepLogs } from "./log-files.ts";
import { parseStat } from "./proc.ts";
import { callOff } from "./run-files.ts";
import { parseExit, parseProcess } from "./shim.ts";
import { Uids } from "./uids.ts";

function temporary(use: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), "openborg-files-"));
  try {
    use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

test("Instances become names of files and back, and nothing else becomes one [borglet.T4]", () => {
  const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/);
  fc.assert(
    fc.property(name, name, fc.nat(99_999), fc.nat(1e9), (user, job, index, incarnation) => {
      const instance = `${user}/${job}/${index}:${incarnation}`;
      assert.equal(instanceOf(keyOf(instance)), instance);
      assert.ok(!keyOf(instance).includes("/"));
    }),
  );
  for (const bad of ["../x/0:1", "a/../0:1", "a/b/0:1/..", "a/b/0:1\n", "A/b/0:1", "a/b/0", "a/b/x:1", ""])
    assert.throws(() => keyOf(bad), /no instance/);
});

test("Any command and environment reach the program unchanged [borglet.T5]", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 }).filter((each) => !each.includes("\0") && each.isWellFormed());
  temporary((directory) => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, text, (words, value, odd) => {
        const path = join(directory, "launch");
        const show = 'const{A}=process.env;process.stdout.write(JSON.stringify([process.argv.slice(1),A,process.env["o.d"]]))';
        const environment = new Map([
          ["A", value],
          ["o.d", odd],
          ["UID", "7"],
        ]);
        writeFileSync(path, launchScript([process.execPath, "-e", show, "--", ...words], environment, directory));
        const { stdout } = spawnSync("/bin/sh", [path], { encoding: "utf8" });
        assert.deepEqual(JSON.parse(stdout), [words, value, odd]);
      }),
      { numRuns: 15 },
    );
  });
});

test("A task's mark cannot be taken off by its own spec", () => {
  const spec = make(StartOrderSchema, {
    instance: "ann/web/2:1",
    task: {
      command: ["x"],
      environment: [
        { key: "BORG_INSTANCE", value: "no" },
        { key: "BORG_MARK", value: "no" },
        { key: "HOME", value: "/h" },
      ],
    },
  });
  const environment = environmentOf(spec, { cell: "cc", home: "/w", temporary: "/t", nodeDirectory: "/n", root: "", mark: "me" });
  assert.deepEqual(
    ["BORG_INSTANCE", "BORG_MARK", "HOME", "BORG_BNS"].map((key) => environment.get(key)),
    ["ann/web/2:1", "me ann/web/2:1", "/h", "2.web.ann.cc.borg"],
  );
});

test("A task's own number and ports stand in its command and its variables, whatever the spec calls its own [borglet.T13] [U12]", () => {
  const values = [
    { key: "SHARD", value: "$(BORG_TASK) of $(BORG_JOB)" },
    { key: "BORG_TASK", value: "no" },
  ];
  const task = { command: ["x"], ports: ["http"], environment: values };
  const order = make(StartOrderSchema, { instance: "ann/web/2:1", ports: [20001], task });
  const environment = environmentOf(order, { cell: "cc", home: "/w", temporary: "/t", nodeDirectory: "/n", root: "", mark: "me" });
  assert.equal(environment.get("SHARD"), "2 of web");
  assert.match(launchScript(["serve", "$(BORG_PORT_HTTP)", "$(date)"], environment, "/w"), /exec 'serve' '20001' '\$\(date\)'/);
});

test("Every job has one user, whatever their hashes, also in the next life [borglet.T6]", () => {
  temporary((directory) => {
    const path = join(directory, "uids");
    const range = { first: 100, last: 109 };
    const uids = new Uids(path, range);
    const jobs = Array.from({ length: 10 }, (_, i) => `ann/job${i}`);
    const given = jobs.map((job) => uids.of(job, () => true));
    assert.deepEqual([...given].sort(), [100, 101, 102, 103, 104, 105, 106, 107, 108, 109]);
    assert.deepEqual(
      jobs.map((job) => new Uids(path, range).of(job, () => true)),
      given,
    );
    assert.throws(() => uids.of("ann/more", () => true), /all 10 ids from 100 on are taken/);
    assert.equal(
      uids.of("ann/more", (job) => job !== "ann/job3"),
      given[3],
      "what nobody uses is given again",
    );
  });
});

test("Logs are read by offsets that count every byte, over files and past what is gone [borglet.L3] [N6]", () => {
  temporary((directory) => {
    const read = (offset: number, more = {}) => {
      const range = { instance: "", stream: LogStream.STDOUT, offset, fromEnd: false, bytesMax: 100, ...more };
      const piece = readLog(directory, range, false)!;
      return `${piece.offset} ${Buffer.from(piece.data)}`;
    };
    assert.equal(read(0), "0 ");
    writeFileSync(join(directory, "out.0000000000000100"), "hello ");
    writeFileSync(join(directory, "out.0000000000000106"), "world");
    writeFileSync(join(directory, "err.0000000000000000"), "other");
    symlinkSync("/etc/passwd", join(directory, "out.0000000000000111"));
    assert.equal(read(0), "100 hello ");
    assert.equal(read(103), "103 lo ");
    assert.equal(read(106), "106 world");
    assert.doesNotMatch(read(111), /root/, "never through a link");
    rmSync(join(directory, "out.0000000000000111"));
    assert.equal(read(111), "111 ");
    assert.equal(read(500), "111 ", "past the end there is nothing");
    assert.equal(read(3, { fromEnd: true }), "108 rld");
    assert.deepEqual(logEnd(directory, "out"), { at: 106, size: 5 });
    assert.deepEqual(logEnd(join(directory, "none"), "out"), { at: 0, size: 0 });
    assert.equal(readLog(join(directory, "none"), { instance: "", stream: 1, offset: 0, fromEnd: false, bytesMax: 1 }, true), undefined);
  });
});

test("Logs of forgotten instances go after a while, and the oldest first when there are too many [borglet.L4] [N6] [KB1]", () => {
  temporary((directory) => {
    for (const [i, key] of ["a", "b", "c", "kept"].entries()) {
      mkdirSync(join(directory, key));
      writeFileSync(join(directory, key, "out.0000000000000000"), "x".repeat(100));
      utimesSync(join(directory, key), 1000 + i, 1000 + i);
    }
    const limits = { fileBytes: 1, files: 1, keepMs: 10_000, keepBytes: 150 };
    const left = (): string[] =>
      ["a", "b", "c", "kept"].filter((key) => statSync(join(directory, key), { throwIfNoEntry: false }) !== undefined);
    sweepLogs(directory, (key) => key === "kept", limits, 1_004_000);
    assert.deepEqual(left(), ["c", "kept"]);
    sweepLogs(directory, (key) => key === "kept", limits, 2_000_000);
    assert.deepEqual(left(), ["kept"]);
  });
});

test("A run that is called off before it began never begins; shims' words are believed only whole [borglet.A5]", () => {
  temporary((directory) => {
    const prefix = join(directory, "a.1");
    assert.ok(callOff(prefix));
    assert.ok(!callOff(prefix), "nor can one that began be called off");
  });
  assert.deepEqual(parseProcess("12 345 boot\n"), { pid: 12, start: "345", bootId: "boot" });
  for (const bad of ["", "12 345", "12 345 boot", "called off\n"]) assert.equal(parseProcess(bad), undefined);
  assert.deepEqual(["exit 0\n", "exit 137\n", "signal 9\n", "exit 255\n", "137\n", "255\n"].map(parseExit), [
    { code: 0, signal: 0 },
    { code: 137, signal: 0 },
    { code: 0, signal: 9 },
    { code: 255, signal: 0 },
    { code: 0, signal: 9 },
    { code: 255, signal: 0 },
  ]);
  for (const bad of ["13", "exit 1", "signal", "exit 1\nexit 2\n", "stop 3\n"]) assert.equal(parseExit(bad), undefined);
  const stat = parseStat("77 (a) S (b) R 5 6 7 0 -1 4194304 1 0 0 0 11 12 13 14 20 0 1 0 98765 1 2");
  assert.deepEqual([stat?.pid, stat?.state, stat?.ppid, stat?.session, stat?.start, stat?.cpuTicks], [77, "R", 5, 7, "98765", 50]);
});

test("Config files are written nowhere but under their root, over nothing and through no link [borglet.T7]", () => {
  temporary((directory) => {
    const root = join(directory, "root");
    const file = (path: string) => make(ConfigFileSchema, { path, content: Buffer.from("x"), mode: 0o640 });
    mkdirSync(root);
    symlinkSync("/etc", join(root, "srv"));
    writeUnder(root, [file("/srv/a/b")], [], undefined);
    assert.equal(readFileSync(join(root, "srv", "a", "b"), "utf8"), "x");
    assert.equal(statSync(join(root, "srv/a/b")).mode & 0o777, 0o640);
    for (const bad of ["/../x", "relative", "/a//b", "/a/./b"])
      assert.throws(() => writeUnder(root, [file(bad)], [], undefined), /no plain path/);
    assert.throws(() => writeUnder(root, [file("/a"), file("/a")], [], undefined), /EEXIST/);
  });
});

const JAIL = {
  bubblewrap: "bwrap",
  home: "/h",
  temporary: "/t",
  nodeDirectory: "/n",
  launch: "/l",
  packages: [],
  closed: true,
  filtered: true,
};

test("A jail takes no file where the jail's own things are [borglet.T8]", () => {
  for (const path of ["/proc/x", "/borg/launch", "/dev/null"])
    assert.throws(() => jailArguments({ ...JAIL, files: [{ source: "/s", path }] }), /is not the task's/);
  const words = jailArguments({ ...JAIL, files: [{ source: "/s", path: "/etc/openborg-no-such/x" }] });
  assert.match(words.join(" "), / --tmpfs \/etc /, "/etc gets one more entry");
});

test("A task's own resolv.conf stands over its machine's, whatever else its job puts into /etc, and a job's own over that [borglet.T12] [N2]", () => {
  const last = (...paths: readonly string[]): string | undefined => {
    const files = paths.map((path) => ({ source: "/s", path }));
    const words = jailArguments({ ...JAIL, resolver: "/ours", files }).join(" ");
    const at = existsSync("/etc/resolv.conf") ? realpathSync("/etc/resolv.conf") : "/etc/resolv.conf";
    return [...words.matchAll(/--(?:ro-bind(?:-try)? (\S+)|tmpfs) (\S+)/g)].findLast(
      ([, , to]) => to === at || at.startsWith(`${to}/`),
    )?.[1];
  };
  assert.equal(last(), "/ours");
  assert.equal(last("/etc/openborg-no-such/x"), "/ours");
  if (existsSync("/etc/resolv.conf") && realpathSync("/etc/resolv.conf") === "/etc/resolv.conf")
    assert.equal(last("/etc/resolv.conf"), "/s");
  assert.doesNotMatch(jailArguments({ ...JAIL, files: [] }).join(" "), /ours/);
});

test("A directory is public only when all of its path is; an area whose directory is gone is removed, but not when it was moved [borglet.T9]", () => {
  temporary((directory) => {
    chmodSync(directory, 0o711);
    assert.ok(isReachable(directory));
    mkdirSync(join(directory, "private"), { mode: 0o700 });
    mkdirSync(join(directory, "private", "open"), { mode: 0o755 });
    assert.ok(!isReachable(join(directory, "private", "open")));
    for (const [name, origin] of [
      ["used", join(directory, "private")],
      ["left", join(directory, "gone")],
    ] as const) {
      mkdirSync(join(directory, "areas", name), { recursive: true });
      writeFileSync(join(directory, "areas", name, "origin"), origin);
    }
    mkdirSync(join(directory, "areas", "other"));
    mkdirSync(join(directory, "areas", "left", "tasks", "ann_web_0.1", "work"), { recursive: true });
    for (const name of ["stays", "moves", "goes"]) {
      mkdirSync(join(directory, name));
      mkdirSync(join(directory, "areas", name));
      tieArea(join(directory, "areas", name), join(directory, name));
      tieArea(join(directory, "areas", name), join(directory, name));
    }
    renameSync(join(directory, "moves"), join(directory, "moved"));
    rmSync(join(directory, "goes"), { recursive: true });
    const sweep = (nowMs: number): string[] => {
      sweepAreas(join(directory, "areas"), join(directory, "trash"), nowMs);
      return readdirSync(join(directory, "areas"));
    };
    assert.deepEqual(
      sweep(Date.now()),
      ["left", "moves", "other", "stays", "used"],
      "what cannot be told from a move waits a day, if it has tasks",
    );
    assert.deepEqual(sweep(Date.now() + 2 * 86_400_000), ["moves", "other", "stays", "used"]);
    assert.deepEqual(readdirSync(join(directory, "trash")), ["ann_web_0.1~left"], "task directories are for the trash to empty");
  });
});
