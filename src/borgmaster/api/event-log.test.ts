import assert from "node:assert/strict";
import { test } from "node:test";
import type { CellEvent } from "../../cell/event.ts";
import { EventLog, loggedEvents } from "./event-log.ts";

test("the newest so many events are so many that say something, however often reservations change [L6]", () => {
  const log = new EventLog(0);
  const add = (position: number, ...events: readonly CellEvent[]) =>
    log.add(position, loggedEvents(position, position, [], [{ ok: true, events } as never]));
  for (let i = 1; i <= 5; i++) {
    add(3 * i, { kind: "job.submitted", subject: `ann/job-${i}` });
    add(3 * i + 1, { kind: "reservation.changed", subject: "ann/web/0" }, { kind: "reservation.changed", subject: "ann/web/1" });
    add(3 * i + 2, { kind: "instance.changed", subject: "ann/web/0" });
  }
  const { events } = log.read({ position: 0, index: 0 }, { name: "", isMeant: undefined }, 3);
  assert.deepEqual(
    events.map(({ event }) => event.subject),
    ["ann/job-3", "ann/job-4", "ann/job-5"],
  );
});
