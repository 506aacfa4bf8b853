import assert from "node:assert/strict";
import { test } from "node:test";
import { filled, WORD_MAX } from "./own-values.ts";

const VALUES = new Map([
  ["BORG_TASK", "3"],
  ["BORG_PORT_HTTP", "20001"],
  ["BORG_LONG", "x".repeat(1000)],
]);

test("What the machine knows of a task stands in the words of its spec; what it does not know, and a shell's own, stays [borglet.T13] [U12]", () => {
  const rows = [
    ["--port=$(BORG_PORT_HTTP)", "--port=20001"],
    ["$(BORG_TASK)/$(BORG_TASK)", "3/3"],
    ["$$(BORG_TASK) is $(BORG_TASK)", "$(BORG_TASK) is 3"],
    ["echo $(date) $(BORG_NOTHING) $BORG_TASK", "echo $(date) $(BORG_NOTHING) $BORG_TASK"],
    ["$(BORG_TASK", "$(BORG_TASK"],
    ["", ""],
  ] as const;
  for (const [text, meant] of rows) assert.equal(filled(text, VALUES), meant, text);
});

test("A value is not read again, and a text that grows too long is refused in words [borglet.T13] [KB1]", () => {
  assert.equal(filled("$(BORG_A)", new Map([["BORG_A", "$(BORG_TASK)"]])), "$(BORG_TASK)");
  assert.throws(() => filled("$(BORG_LONG)".repeat(200), VALUES), new RegExp(`BORG_LONG.*longer than ${WORD_MAX}`));
});
