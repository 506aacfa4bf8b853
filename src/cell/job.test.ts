import assert from "node:assert/strict";
import { test } from "node:test";
import { JOB_EVENTS, JOB_STATES, jobStep } from "./job.ts";

const EXPECTED = `
           submit    run       idle      end
pending    -         running   -         dead
running    -         -         pending   dead
dead       pending   -         -         -`;

test("jobStep() moves a job only along the arrows of Figure 2 [U11] [cell.J9]", () => {
  const pad = (text: string) => text.padEnd(10);
  const head = ["".padEnd(11), ...JOB_EVENTS.map(pad)].join("").trimEnd();
  const rows = JOB_STATES.map((state) =>
    [state.padEnd(11), ...JOB_EVENTS.map((event) => pad(jobStep(state, event) ?? "-"))].join("").trimEnd(),
  );
  assert.equal(`\n${[head, ...rows].join("\n")}`, EXPECTED);
});
