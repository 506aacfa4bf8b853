/** Whether directories that outlive their allocs are kept for their time and no longer, entry by entry. [V6] */
import type { Outcome } from "../../cell/cell.ts";
import { believedMs } from "../../cell/invariants-words.ts";
import type { Op } from "../../cell/op.ts";
import type { CellState } from "../../cell/state.ts";
import { ActorKind } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Violation } from "../world/kernel.ts";
import type { Tally } from "../world/tally.ts";

/** A leader forgets them in its next round. There may be none for a while: so long, and so many entries, is late. */
const LATE_MS = 120_000;
const LATE_ENTRIES = 100;
/** Of one user on one machine: the oldest makes room. */
const MOST = 16;

interface Known {
  readonly machine: string;
  readonly untilMs: number;
}

export class KeepingJudge {
  readonly violations: Violation[] = [];
  readonly #probes: Tally;
  #known = new Map<string, Known>();
  /** How many entries were seen after the end of each. */
  readonly #late = new Map<string, number>();

  constructor(probes: Tally) {
    this.#probes = probes;
  }

  add(state: CellState, steps: readonly { readonly op: Op; readonly outcome: Outcome }[]): void {
    const now = new Map<string, Known>();
    for (const { id, directories } of state.machines.values())
      for (const { alloc, untilMs } of directories) now.set(alloc, { machine: id, untilMs });
    const wished = steps.flatMap(({ op: { actor, body }, outcome }) =>
      outcome.ok && actor?.kind === ActorKind.USER && body.case === "directoryForget" ? [body.value.alloc] : [],
    );
    for (const [alloc, { machine, untilMs }] of this.#known) {
      if (now.has(alloc) || wished.includes(alloc) || !state.machines.has(machine as never)) continue;
      const owner = alloc.slice(0, alloc.indexOf("/") + 1);
      const isCrowded = [...now].filter(([other, known]) => known.machine === machine && other.startsWith(owner)).length >= MOST;
      if (isCrowded) continue;
      this.#probes.add("a kept directory was forgotten");
      if (believedMs(state) < untilMs) this.#wrong(`The directory of "${alloc}" was forgotten ${untilMs - believedMs(state)} ms too soon`);
    }
    for (const [alloc, { untilMs }] of now) {
      if (!this.#known.has(alloc)) this.#probes.add("a directory outlived its alloc");
      const lateMs = believedMs(state) - untilMs;
      if (lateMs >= 0) this.#late.set(alloc, (this.#late.get(alloc) ?? 0) + 1);
      if (lateMs > LATE_MS && (this.#late.get(alloc) ?? 0) > LATE_ENTRIES)
        this.#wrong(`The directory of "${alloc}" is kept ${lateMs} ms too long`);
    }
    this.#known = now;
  }

  #wrong(text: string): void {
    if (this.violations.length < 10) this.violations.push({ id: "KR8", text });
  }
}
