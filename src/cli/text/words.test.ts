import assert from "node:assert/strict";
import { test } from "node:test";
import { exitWords } from "../../base/exit-words.ts";
import { EventKind } from "../../wire/gen/borg/v1/event_pb.ts";
import { Health } from "../../wire/gen/borg/v1/machine_pb.ts";
import { Capability, Cause, Role } from "../../wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../wire/gen/borg/v1/resource_pb.ts";
import { CAPABILITY_WORDS, ROLE_WORDS } from "../../wire/grants.ts";
import { BAND_WORDS, CAUSE_WORDS, EVENT_WORDS, exitPlain, HEALTH_WORDS, numberOf, wordOf } from "./words.ts";

test("the words are those of the generated enums, number by number", () => {
  for (const [words, numbers] of [
    [BAND_WORDS, Band],
    [ROLE_WORDS, Role],
    [CAPABILITY_WORDS, Capability],
    [HEALTH_WORDS, Health],
    [CAUSE_WORDS, Cause],
    [EVENT_WORDS, EventKind],
  ] as const) {
    const entries = Object.entries(numbers).filter(([, value]) => typeof value === "number");
    assert.equal(entries.length, Object.keys(words).length);
    for (const [name, value] of entries) {
      if (value === 0) continue;
      assert.equal((words as Record<number, string>)[value], name.toLowerCase().replaceAll("_", "-"));
    }
  }
  assert.equal(wordOf(BAND_WORDS, 99 as Band), "#99");
  assert.equal(numberOf(ROLE_WORDS, "cell-admin"), Role.CELL_ADMIN);
  assert.equal(numberOf(ROLE_WORDS, "none"), undefined);
});

test("exits are said in words", () => {
  assert.equal(exitWords(0, 0), "exit 0");
  assert.equal(exitWords(3, 0), "exit 3");
  assert.equal(exitWords(137, 0), "exit 137", "by itself: nobody killed it");
  assert.equal(exitWords(0, 9), "exit 137: killed by SIGKILL");
  assert.equal(exitWords(0, 15), "exit 143: killed by SIGTERM");
  assert.equal(exitWords(127, 0), "exit 127: command not found");
  assert.equal(exitWords(255, 0), "exit 255");
  assert.equal(exitWords(0, 64), "exit 192: killed by signal 64");
});

test("programs get a code or a signal", () => {
  assert.deepEqual(
    [exitPlain(3, 0), exitPlain(0, 9)],
    [
      { code: 3, signal: null },
      { code: null, signal: "SIGKILL" },
    ],
  );
  assert.deepEqual(exitPlain(0, 64), { code: null, signal: "signal 64" });
});
