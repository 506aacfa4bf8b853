import assert from "node:assert/strict";
import { test } from "node:test";
import { CheckKind } from "../wire/gen/borg/v1/spec_pb.ts";
import { HEALTH_DEFAULTS } from "../wire/spec-defaults.ts";
import { checkOfText } from "./check-text.ts";
import { Failure } from "./exit.ts";

const { intervalMs, timeoutMs, failures } = HEALTH_DEFAULTS;
const TIMES = { intervalMs, timeoutMs, failures };

test("--health and --ready say a check by HTTP, TCP or command, with the times of BCL [N4]", () => {
  const read = (text: string) => checkOfText("--health", text, ["http", "admin"]);
  assert.deepEqual(read("/healthz"), { port: "http", path: "/healthz", ...TIMES });
  assert.deepEqual(read("admin/a/b?c=/"), { port: "admin", path: "/a/b?c=/", ...TIMES });
  assert.deepEqual(read("tcp:admin"), { kind: CheckKind.TCP, port: "admin", ...TIMES });
  assert.deepEqual(read("tcp:"), { kind: CheckKind.TCP, port: "http", ...TIMES });
  assert.deepEqual(read("sh:test -f a/b && true"), {
    kind: CheckKind.COMMAND,
    command: ["/bin/sh", "-c", "test -f a/b && true"],
    ...TIMES,
  });
});

test("A check that cannot be understood, or of a port that is not there, says what to type [N4]", () => {
  const refused = (text: string, ports: readonly string[], words: RegExp, hint: RegExp): void =>
    assert.throws(
      () => checkOfText("--ready", text, ports),
      (error) => error instanceof Failure && words.test(error.message) && hint.test(error.hint ?? ""),
    );
  refused("healthz", ["http"], /^Cannot understand --ready "healthz"$/, /tcp:PORT, or sh:COMMAND/);
  refused("sh:", ["http"], /^Cannot understand/, /as in/);
  refused("/healthz", [], /the job has none/, /--port http --ready http\/healthz$/);
  refused("db/healthz", ["http"], /port "db", which the job has not/, /--port db --ready db\/healthz$/);
  refused("tcp:db", ["http"], /port "db", which the job has not/, /--port db --ready tcp:db$/);
});
