/** What refusals leave behind at a real cell, and that a user's own bounds of calls count there: the journal is read entry by entry. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallError } from "../../src/rpc/call-error.ts";
import type { CellClient } from "../../src/rpc/client.ts";
import { RealCell } from "../e2e/real-cell.ts";
import { patient, stranger } from "./stranger.ts";

const TRIES = 50;
const spec = (user: string, name: string) => ({ user, name, count: 1, task: { command: ["x"], limit: { cpuMilli: 1 } } });

interface Attempt {
  readonly what: string;
  readonly words: RegExp;
  readonly call: (client: CellClient, requestId: string) => Promise<unknown>;
}

/** Of ann, who may have one job and has it. */
const REFUSED: readonly Attempt[] = [
  {
    what: "size",
    words: /User "ann" would have 2 jobs, and 1 is the most/,
    call: (ann, requestId) => ann.submitJob({ requestId, spec: spec("ann", "more") }),
  },
  {
    what: "identity",
    words: /ann" may not|of user "bob"|needs one of/,
    call: (ann, requestId) => ann.submitJob({ requestId, spec: spec("bob", "stolen") }),
  },
  {
    what: "form",
    words: /Cannot take SubmitJobRequest.*name: Expected a name/,
    call: (ann, requestId) => ann.submitJob({ requestId, spec: spec("ann", "No Name") }),
  },
  {
    what: "right",
    words: /may not|needs one of/,
    call: (ann, requestId) => ann.grantUser({ requestId, user: "ann", roles: [4] }),
  },
];

/** What it is told each time; who is told to slow down comes again. */
async function refusals(ann: CellClient, { what, call }: Attempt): Promise<readonly string[]> {
  const told: string[] = [];
  for (let i = 0; i < TRIES; i++)
    told.push(
      await patient(() => call(ann, `refused-${what}-${i}`)).then(
        () => "done",
        (error: Error) => error.message,
      ),
    );
  return told;
}

test("What form, size, identity, right or rate refuse leaves no record; a user's own bounds of calls count [KB1] [KA2] [P11]", async (t) => {
  const cell = await RealCell.start();
  const ann = await stranger(cell, "ann");
  const bounds = (requestId: string, more: object) => cell.client.setBounds({ requestId, user: "ann", bounds: { jobs: 1, ...more } });
  const poll = (): Promise<string> =>
    ann.readEvents({ about: "ann/none", afterPosition: 1e15, waitMs: 1500 }).then(
      () => "ok",
      (error: CallError) => error.message,
    );
  const polls = (count: number): Promise<readonly string[]> => Promise.all(Array.from({ length: count }, poll));
  try {
    await bounds("one-job", {});
    await ann.submitJob({ requestId: "first", spec: spec("ann", "first") });
    for (const attempt of REFUSED) {
      const told = await refusals(ann, attempt);
      for (const words of told) assert.match(words, attempt.words);
    }

    await bounds("few", { polls: 2 });
    const few = await polls(4);
    assert.equal(few.filter((words) => words === "ok").length, 2, few.join("\n"));
    assert.match(few.find((words) => words !== "ok") ?? "", /waits for news in 2 calls already: .*borg quota bounds ann --polls N/);
    await bounds("many", { polls: 40, calls: 80 });
    assert.deepEqual([...new Set(await polls(40))], ["ok"], "more than everybody may");

    await bounds("slow", { workPerSecond: 1 });
    const slowed: string[] = [];
    for (let i = 0; i < TRIES && slowed.length < 3; i++)
      await ann.killJob({ requestId: `refused-rate-${i}`, job: "bob/none" }).catch((error: Error) => {
        if (/Slow down/.test(error.message)) slowed.push(error.message);
      });
    assert.match(slowed.at(-1) ?? "", /^Slow down: user "ann" .*borg quota bounds ann --work N/);

    await cell.kill("master");
    const ops = cell.ops();
    assert.ok(
      ops.some(({ requestId }) => requestId === "first"),
      "what was taken stands there",
    );
    const left = ops.filter(({ requestId }) => requestId.startsWith("refused-")).map(({ requestId }) => requestId);
    assert.deepEqual(left, []);
    t.diagnostic(`${ops.length} ops in the journal`);
  } finally {
    ann.close();
    await cell.close();
  }
});
