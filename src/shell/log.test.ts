import assert from "node:assert/strict";
import { test } from "node:test";
import { traceOf } from "../base/trace.ts";
import { messageOf, newLog } from "./log.ts";

const lines = (env: Readonly<Record<string, string>>, work: (log: ReturnType<typeof newLog>) => void): readonly string[] => {
  const written: string[] = [];
  work(
    newLog(
      "m1",
      env,
      (text) => written.push(text),
      () => 1000,
    ),
  );
  return written;
};

test("a line is text with its time, or one object with time, level, process, message and trace [N9]", () => {
  const trace = traceOf("ann", "r1");
  const say = (log: ReturnType<typeof newLog>): void => {
    log(`Starts "ann/web/0:1", run 1, trace ${trace}`);
    log("The master failed: x\ny", { level: "error", fields: { position: 7 } });
  };
  assert.deepEqual(lines({}, say), [
    `1970-01-01T00:00:01.000Z Starts "ann/web/0:1", run 1, trace ${trace}\n`,
    "1970-01-01T00:00:01.000Z The master failed: x\ny\n",
  ]);
  const found = lines({ BORG_LOG_FORMAT: "json" }, say);
  assert.ok(
    found.every((line) => line.indexOf("\n") === line.length - 1),
    "one line each, whatever is in it",
  );
  assert.deepEqual(
    found.map((line) => JSON.parse(line)),
    [
      { time: "1970-01-01T00:00:01.000Z", level: "info", process: "m1", message: `Starts "ann/web/0:1", run 1, trace ${trace}`, trace },
      { time: "1970-01-01T00:00:01.000Z", level: "error", process: "m1", message: "The master failed: x\ny", position: 7 },
    ],
  );
  assert.deepEqual(
    [messageOf(found[1]!), messageOf("1970-01-01T00:00:01.000Z hello"), messageOf("{x")],
    ["The master failed: x\ny", "hello", "{x"],
  );
});

test("from a level on; what could not be done is a warning [N9]", () => {
  const say = (log: ReturnType<typeof newLog>): void => {
    log("small", { level: "debug" });
    log("usual");
    log("Cannot do it");
    log("bad", { level: "error" });
  };
  const told = (level: string): number => lines({ BORG_LOG_LEVEL: level }, say).length;
  assert.deepEqual([told("debug"), told("info"), told("warn"), told("error"), told("nonsense")], [4, 3, 2, 1, 4]);
});

test("a trace is short, the same for the same request of the same user, and does not tell the request id [N9]", () => {
  assert.match(traceOf("ann", "r1"), /^[0-9a-f]{16}$/);
  assert.equal(traceOf("ann", "r1"), traceOf("ann", "r1"));
  assert.notEqual(traceOf("ann", "r1"), traceOf("bob", "r1"));
  assert.equal(traceOf("ann", ""), "");
});
