/**
 * A copy of the cell for readers: fed with the same entries as the master's own state, in the order in which they were acknowledged, it answers
 * every read of the API without a word to the master. It also keeps what is not state: recent events and measured usage.
 */
import { assert } from "../../base/assert.ts";
import type { JobId } from "../../base/id.ts";
import { type Vector, ZERO } from "../../base/vector.ts";
import { applyEntry, newState } from "../../cell/cell.ts";
import { decodeChecked } from "../../cell/checkpoint/decode.ts";
import { decodeApplied } from "../../cell/op.ts";
import type { CellState } from "../../cell/state.ts";
import type { Touched } from "../../cell/touched.ts";
import type { ToFollower } from "../message.ts";
import { EventLog, loggedEvents } from "./event-log.ts";
import { FeedRing } from "./feed-ring.ts";
import { JobNames } from "./job-names.ts";
import { SchedulerMetrics } from "./scheduler-metrics.ts";
import { UsageTable } from "./usage-table.ts";

/** How many offers a framework has not answered, and what they come to. */
export type OffersTo = (framework: JobId) => { readonly count: number; readonly amount: Vector };
const NO_OFFERS = { count: 0, amount: ZERO } as const;

export class Copy {
  #state: CellState = newState();
  #events = new EventLog(0);
  readonly jobNames = new JobNames();
  readonly usage = new UsageTable();
  readonly feed = new FeedRing();
  readonly schedulers = new SchedulerMetrics();
  /** Offers are no part of the journal: whoever makes them says who has which. */
  offersTo: OffersTo = () => NO_OFFERS;

  get state(): CellState {
    return this.#state;
  }

  get events(): EventLog {
    return this.#events;
  }

  /**
   * What the master tells its copies; comparisons and snapshots are the follower's. An entry that cannot be applied is a bug of ours. What an entry changed
   * is answered, for whoever works on the copy and does not ask.
   */
  hear(message: ToFollower): ReadonlySet<Touched> {
    if (message.type === "restore") this.#restore(message.checkpoint);
    return message.type === "entry" ? this.#apply(message.position, message.payload) : NOTHING;
  }

  #restore(checkpoint: Uint8Array | undefined): void {
    const decoded = checkpoint === undefined ? undefined : decodeChecked(checkpoint);
    assert(decoded?.ok !== false, "The checkpoint that the master reads is one that its copies read");
    this.#state = decoded?.ok ? decoded.value : newState();
    this.#events = new EventLog(this.#state.position);
    this.jobNames.reset(this.#state);
    this.feed.reset();
  }

  #apply(position: number, payload: Uint8Array): ReadonlySet<Touched> {
    const entry = decodeApplied(payload);
    assert(entry.ok, "The entry that the master applied is one that its copies apply");
    const outcomes = applyEntry(this.#state, position, entry.value);
    const all = new Set(outcomes.filter((outcome) => outcome.ok).map(({ touched }) => touched));
    for (const { jobs } of all) for (const id of jobs) this.jobNames.touched(this.#state, id);
    const events = loggedEvents(position, this.#state.timeMs, entry.value.ops, outcomes);
    this.#events.add(position, events);
    this.feed.add(this.#state, outcomes, events);
    for (const [i, outcome] of outcomes.entries()) {
      this.schedulers.learn(this.#state, entry.value.ops[i]!, outcome);
      if (!outcome.ok) continue;
      for (const { kind, subject } of outcome.events) if (kind === "machine.left") this.usage.forget(subject as never);
    }
    return all;
  }
}

const NOTHING: ReadonlySet<Touched> = new Set<Touched>();
