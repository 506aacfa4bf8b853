import assert from "node:assert/strict";
import { test } from "node:test";
import { CallError } from "../../rpc/call-error.ts";
import { EXIT } from "../exit.ts";
import { borg, notFound, type Script } from "../fixture.test.ts";
import { clockText } from "../text/units.ts";
import { startOfLines } from "./log-reader.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A log that keeps its bytes from `kept` on. */
function logOf(text: string, kept = 0): NonNullable<Script["readLog"]> {
  const all = bytes(text);
  return ({ offset, fromEnd, bytesMax, instance }) => {
    const from = Math.max(kept, fromEnd ? Math.max(0, all.length - offset) : offset);
    const data = all.subarray(from, from + Math.min(bytesMax, 4));
    return { instance: instance || "ann/web/0:1", machine: "m1", offset: from, data, nextOffset: from + data.length };
  };
}

test("logs prints all there is, in pieces, and the last lines with --tail [N6]", async () => {
  const text = "one\ntwo\nthree\nfour\n";
  assert.equal((await borg(["logs", "web/0", "--stdout"], { readLog: logOf(text) })).out, text);
  assert.equal((await borg(["logs", "web/0", "--stdout", "--tail", "2"], { readLog: logOf(text) })).out, "three\nfour\n");
  assert.equal((await borg(["logs", "web/0", "--stdout", "--tail", "99"], { readLog: logOf(text) })).out, text);
  assert.equal((await borg(["logs", "web/0", "--stdout", "--tail", "0"], { readLog: logOf(text) })).out, "");
  const { asked } = await borg(["logs", "ann/web/0", "--stderr", "--instance", "7"], { readLog: logOf("x") });
  assert.deepEqual([asked[0]!.request["stream"], asked[0]!.request["instance"]], [2, "ann/web/0:7"]);
});

test("--tail looks further back until it has its lines", async () => {
  const text = `${"x".repeat(100_000)}\nlast\n`;
  const readLog: NonNullable<Script["readLog"]> = ({ offset, fromEnd }) => {
    const from = fromEnd ? Math.max(0, text.length - offset) : offset;
    return { instance: "ann/web/0:1", offset: from, data: bytes(text.slice(from)), nextOffset: text.length };
  };
  const { out, asked } = await borg(["logs", "web/0", "--stdout", "-n", "2"], { readLog });
  assert.equal(out, text);
  assert.deepEqual(
    asked.filter(({ request }) => request["fromEnd"]).map(({ request }) => request["offset"]),
    [65_536, 262_144],
  );
});

test("what rotation dropped is said beside the output, not in it", async () => {
  const { out, err } = await borg(["logs", "web/0", "--stdout"], { readLog: logOf("0123456789", 6) });
  assert.deepEqual([out, err], ["6789", "-- 6 B before this are no longer kept --\n"]);
});

/** Logs by task and stream: `ann/web/0 1`. */
const logsOf =
  (texts: Readonly<Record<string, string>>): NonNullable<Script["readLog"]> =>
  (request) => {
    const text = texts[`${request.task} ${request.stream}`];
    if (text === undefined) return notFound("log");
    return { ...(logOf(text)(request) as object), instance: `${request.task}:1`, ended: true };
  };

test("a task's two streams both come, errors behind the output, never within a line of it [N6]", async () => {
  const readLog = logsOf({ "ann/web/0 1": "one\ntwo", "ann/web/0 2": "oops\n" });
  assert.equal((await borg(["logs", "web/0"], { readLog })).out, "one\ntwo\noops\n");
  assert.equal((await borg(["logs", "web/0", "--stderr"], { readLog })).out, "oops\n");
  assert.equal((await borg(["logs", "web/0", "--stdout"], { readLog })).out, "one\ntwo");
  assert.equal((await borg(["logs", "web/0", "--stdout", "--stderr", "-n", "1"], { readLog })).out, "two\noops\n");
  const getTask = () => ({ task: { name: "ann/web/0", state: "dead", cause: "finished", exited: true } });
  const followed = await borg(["logs", "web/0", "-f"], { readLog, getTask });
  assert.deepEqual(followed.out.split("\n").sort(), ["", "one", "oops", "two"].sort());
  assert.equal(followed.err, "-- task ann/web/0 is dead (finished, exit 0) --\n", "said once, not for each stream");
});

test("a job means all its tasks, each line behind its task; one with a single task needs no name [N6]", async () => {
  const one = { readLog: logsOf({ "ann/web/0 1": "x", "ann/web/0 2": "" }), getJob: () => ({ job: { count: 1 } }) };
  assert.equal((await borg(["logs", "web"], one)).out, "x");
  const readLog = logsOf({
    "ann/web/0 1": "a\nb",
    "ann/web/0 2": "",
    "ann/web/2 1": "c\n",
    "ann/web/2 2": "\x1b[31mred\ngone\n",
  });
  const script = { readLog, getJob: () => ({ job: { count: 3 } }) };
  const many = await borg(["logs", "web"], script);
  assert.equal(many.out, "web/0 | a\nweb/0 | b\nweb/2 | c\nweb/2 ! \x1b[31mred\nweb/2 ! gone\n");
  assert.equal(many.err, "-- web/1 has no log --\n");
  const live = await borg(["logs", "web", "--stderr"], script, { live: true, columns: 80 });
  assert.equal(live.out, "web/2 ! \x1b[31mred\x1b[0m\nweb/2 ! gone\n");
  assert.equal(
    (await borg(["logs", "bob/web", "-n", "1"], { ...script, readLog: logsOf({ "bob/web/1 1": "x\ny\n", "bob/web/1 2": "" }) })).out,
    "bob/web/1 | y\n",
  );
  const json = (await borg(["logs", "web", "--json", "--stdout"], script)).out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual([...new Set(json.map(({ task }) => task))], ["ann/web/0", "ann/web/2"]);
  assert.equal((await borg(["logs", "web"], { ...script, readLog: () => notFound("log") })).code, EXIT.notFound);
  const following = await borg(["logs", "web", "-f"], { ...script, getJob: () => ({ job: { count: 21 } }) });
  assert.deepEqual([following.code, following.out], [EXIT.usage, ""]);
  assert.match(following.err, /at most 20/);
});

/** What the terminal of these tests takes for now. */
const NOW = 1_700_000_000_000;
const AT = Date.parse("2026-03-01T12:00:00Z");

/** A machine that saw `one` written at once, `two` some time in a minute, and that was not there for `three`. */
const timedLog: NonNullable<Script["readLog"]> = (request) => {
  const log = logOf("one\ntwo\nthree\n");
  const marks = [
    { offset: 4, fromMs: AT - 1000, toMs: AT },
    { offset: 8, fromMs: AT, toMs: AT + 60_000 },
  ];
  const offset = request.sinceMs === 0 ? request.offset : request.sinceMs <= AT ? 0 : request.sinceMs <= AT + 60_000 ? 4 : 8;
  const piece = log({ ...request, offset }) as { offset: number };
  return { ...piece, timed: true, ...(request.times ? { marks: marks.filter((mark) => mark.offset > piece.offset) } : {}) };
};

test("-t says when each line was written, as well as that is known [N6]", async () => {
  const { out } = await borg(["logs", "web/0", "--stdout", "-t"], { readLog: timedLog });
  const times = [` ${clockText(AT)}`, `<${clockText(AT + 60_000)}`, "-".padStart(20)];
  assert.equal(out, `${times[0]}  one\n${times[1]}  two\n${times[2]}  three\n`);
  const tail = await borg(["logs", "web/0", "--stdout", "-t", "-n", "2"], { readLog: timedLog });
  assert.equal(tail.out, `${times[1]}  two\n${times[2]}  three\n`);
  const many = await borg(["logs", "web", "--stdout", "-t"], { readLog: timedLog, getJob: () => ({ job: { count: 2 } }) });
  assert.equal(many.out.split("\n")[0], `${times[0]}  web/0 | one`);
  const json = (await borg(["logs", "web/0", "--stdout", "-t", "--json"], { readLog: timedLog })).out.trimEnd().split("\n");
  assert.deepEqual(
    json.map((line) => JSON.parse(line)).map(({ text, writtenAfter, writtenBy }) => [text, writtenAfter, writtenBy]),
    [
      ["one\n", "2026-03-01T11:59:59.000Z", "2026-03-01T12:00:00.000Z"],
      ["two\n", "2026-03-01T12:00:00.000Z", "2026-03-01T12:01:00.000Z"],
      ["thre", null, null],
      ["e\n", null, null],
    ],
  );
});

test("--since begins where something that late may stand; a machine that notes no times cannot tell [N6]", async () => {
  const since = async (...args: string[]) => (await borg(["logs", "web/0", "--stdout", ...args], { readLog: timedLog })).out;
  assert.equal(await since("--since", "2026-03-01T11:00:00Z"), "one\ntwo\nthree\n");
  assert.equal(await since("--since", "2026-03-01T12:00:30Z"), "two\nthree\n");
  assert.equal(await since("--since", "2026-03-01T12:05:00Z"), "three\n");
  const { asked } = await borg(["logs", "web/0", "--stdout", "--since", "10m"], { readLog: timedLog });
  assert.equal(asked.find(({ method }) => method === "readLog")!.request["sinceMs"], NOW - 600_000);
  const old = await borg(["logs", "web/0", "--since", "5m"], { readLog: logOf("x") });
  assert.equal(old.code, EXIT.refused);
  assert.match(old.err, /machine "m1" does not note when logs were written/);
  const older = await borg(["logs", "web/0", "--stdout", "-t"], { readLog: logOf("x\n") });
  assert.deepEqual([older.out, older.err], [`${"-".padStart(20)}  x\n`, "-- machine m1 does not note when logs were written --\n"]);
  for (const args of [
    ["--since", "soon"],
    ["--since", "5m", "--tail", "3"],
  ])
    assert.equal((await borg(["logs", "web/0", ...args], { readLog: timedLog })).code, EXIT.usage, args.join(" "));
});

test("-f follows across a wait, a restart in place, a cell that is away and a new placement, and ends with the task [N6]", async () => {
  const piece = (instance: string, text: string, offset: number, more = {}) => ({
    instance: `ann/web/0:${instance}`,
    offset,
    data: bytes(text),
    nextOffset: offset + text.length,
    ...more,
  });
  const answers = [
    () => piece("1", "run 1\n", 0),
    () => piece("1", "", 6),
    () => piece("1", "run 2\n", 6),
    () => {
      throw new CallError("unreachable", "Cannot reach a cell");
    },
    () => {
      throw new CallError("unknown", "broke");
    },
    () => piece("1", "end\n", 12),
    () => piece("1", "", 16, { ended: true }),
    () => piece("1", "", 16, { ended: true, newerInstance: "ann/web/0:2" }),
    () => piece("2", "elsewhere\n", 0),
    () => piece("2", "", 10, { ended: true }),
  ];
  const asked: string[] = [];
  let tasks = 0;
  const { code, out, err } = await borg(["logs", "web/0", "--stdout", "-f"], {
    readLog: ({ instance, offset, waitMs }) => {
      asked.push(`${instance || "-"}@${offset}`);
      assert.ok(waitMs > 0);
      return answers.shift()!();
    },
    getTask: () => ({ task: { name: "ann/web/0", state: tasks++ === 0 ? "pending" : "dead", cause: "finished", exited: true } }),
  });
  assert.equal(code, EXIT.done);
  assert.equal(out, "run 1\nrun 2\nend\nelsewhere\n");
  assert.deepEqual(asked.slice(0, 4), ["-@0", "ann/web/0:1@6", "ann/web/0:1@6", "ann/web/0:1@12"]);
  assert.deepEqual(asked.slice(-2), ["ann/web/0:2@0", "ann/web/0:2@10"]);
  assert.deepEqual(err.trimEnd().split("\n"), [
    "-- Cannot reach a cell; waiting for it --",
    "-- task ann/web/0 was placed again: ann/web/0:2 --",
    "-- task ann/web/0 is dead (finished, exit 0) --",
  ]);
});

test("-f moves on when nothing is kept of the instance it followed; a task that floods does not keep a plain logs for ever", async () => {
  let reads = 0;
  const moved = await borg(["logs", "web/0", "--stdout", "-f"], {
    readLog: ({ instance }) => {
      if (reads++ === 0) return { instance: "ann/web/0:1", data: bytes("a\n"), nextOffset: 2 };
      if (instance === "ann/web/0:1") return notFound("log");
      return { instance, data: reads < 5 ? bytes("b\n") : bytes(""), nextOffset: 2, ended: true };
    },
    getTask: () => ({ task: { name: "ann/web/0", instance: "ann/web/0:2", state: reads < 5 ? "running" : "dead" } }),
  });
  assert.equal(moved.out.replaceAll("b\nb\n", "b\n"), "a\nb\n");
  let size = 8;
  const flood = await borg(["logs", "web/0", "--stdout"], {
    readLog: ({ offset, fromEnd, bytesMax }) => {
      size += 100;
      const from = fromEnd ? size - offset : offset;
      return {
        instance: "ann/web/0:1",
        offset: from,
        data: new Uint8Array(Math.min(bytesMax, size - from)).fill(120),
        nextOffset: Math.min(from + bytesMax, size),
      };
    },
  });
  assert.equal(flood.out, "x".repeat(108));
});

test("-f waits for a task that has no log yet; a task that is not there is not waited for", async () => {
  let reads = 0;
  const { code, out } = await borg(["logs", "web/0", "--stdout", "-f", "--tail", "5"], {
    readLog: (request) => (reads++ < 2 ? notFound("instance") : ({ ...logOf("hi\n")(request), ended: true } as never)),
    getTask: () => ({ task: { name: "ann/web/0", state: reads < 5 ? "pending" : "dead" } }),
  });
  assert.deepEqual([code, out], [EXIT.done, "hi\n"]);
  const none = await borg(["logs", "web/9", "--stdout", "-f"], {
    readLog: () => notFound("task"),
    getTask: () => notFound('task "ann/web/9"'),
  });
  assert.equal(none.code, EXIT.notFound);
});

test("a terminal gets colours and no other escapes; a pipe gets the bytes; programs get objects", async () => {
  const evil = "\x1b[31mred\x1b]0;title\x07\x1b[2J\n";
  const readLog: NonNullable<Script["readLog"]> = ({ offset }) => ({
    instance: "ann/web/0:1",
    machine: "m1",
    offset,
    data: bytes(evil.slice(offset)),
    nextOffset: evil.length,
  });
  assert.equal((await borg(["logs", "web/0", "--stdout"], { readLog })).out, evil);
  assert.equal((await borg(["logs", "web/0", "--stdout"], { readLog }, { live: true, columns: 80 })).out, "\x1b[31mred\n\x1b[0m");
  const json = JSON.parse((await borg(["logs", "web/0", "--stdout", "--json"], { readLog })).out);
  assert.deepEqual(json, { task: "ann/web/0", instance: "ann/web/0:1", machine: "m1", stream: "stdout", offset: 0, text: evil });
});

test("startOfLines() counts from the end, also a last line that is not ended", () => {
  const starts = (text: string) => [0, 1, 2, 3].map((lines) => startOfLines(bytes(text), lines));
  assert.deepEqual(starts("a\nb\nc"), [5, 4, 2, 0]);
  assert.deepEqual(starts("a\nb\nc\n"), [6, 4, 2, 0]);
  assert.deepEqual(starts(""), [0, 0, 0, 0]);
});
