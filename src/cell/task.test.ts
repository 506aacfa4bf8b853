import assert from "node:assert/strict";
import { test } from "node:test";
import { isDead, isPlaced, step, TASK_EVENTS, TASK_STATES } from "./task.ts";

const EXPECTED = `
           submit    claim     start     evict     restart   kill      lost      lostForG  fail      failForG  finish    gone
pending    -         starting  -         -         -         dead      -         -         -         -         -         -
starting   -         -         running   stopping  stopping  ending    pending   dead      pending   dead      dead      pending
running    -         -         -         stopping  stopping  ending    pending   dead      pending   dead      dead      pending
stopping   -         -         -         -         -         ending    pending   dead      pending   dead      dead      pending
ending     stopping  -         -         -         -         -         dead      dead      dead      dead      dead      dead
dead       pending   -         -         -         -         -         -         -         -         -         -         -`;

function drawn(cell: (state: (typeof TASK_STATES)[number], event: (typeof TASK_EVENTS)[number]) => string): string {
  const pad = (text: string) => text.slice(0, 8).padEnd(10);
  const head = ["".padEnd(11), ...TASK_EVENTS.map(pad)].join("").trimEnd();
  const rows = TASK_STATES.map((state) => [state.padEnd(11), ...TASK_EVENTS.map((event) => pad(cell(state, event)))].join("").trimEnd());
  return `\n${[head, ...rows].join("\n")}`;
}

test("step() moves a task only along the arrows of Figure 2 [U11] [KT4] [cell.T1]", () => {
  assert.equal(
    drawn((state, event) => step(state, event) ?? "-"),
    EXPECTED,
  );
});

test("every arrow of Figure 2 is there, seen through its three states [U11]", () => {
  const figure = (state: (typeof TASK_STATES)[number]) => (isPlaced(state) ? "Running" : isDead(state) ? "Dead" : "Pending");
  const arrows = new Set<string>();
  for (const state of TASK_STATES) {
    for (const event of TASK_EVENTS) {
      const next = step(state, event);
      if (next !== undefined) arrows.add(`${figure(state)} -${event}-> ${figure(next)}`);
    }
  }
  for (const arrow of [
    "Pending -claim-> Running",
    "Running -evict-> Pending",
    "Running -fail-> Pending",
    "Running -lost-> Pending",
    "Pending -kill-> Dead",
  ])
    assert.ok(arrows.has(arrow), arrow);
  for (const arrow of ["Running -finish-> Dead", "Running -failForGood-> Dead", "Running -kill-> Dead", "Running -lostForGood-> Dead"])
    assert.ok(arrows.has(arrow), arrow);
  assert.ok(
    ![...arrows].some((arrow) => arrow.startsWith("Dead") && !arrow.includes("submit") && !arrow.endsWith("Dead")),
    "Dead is left only by a new submit",
  );
});
