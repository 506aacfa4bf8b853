/** Counts for itself, from what the journal's entries told, what the cell says it counted; and whether reclamation that was switched off is off. */
import type { CellEvent } from "../../cell/event.ts";
import type { CellState } from "../../cell/state.ts";
import { Reclamation } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Violation } from "../world/kernel.ts";

/** So long after it was switched off every reservation is a limit again. */
const OFF_MS = 60_000;
const PLACED = new Set(["starting", "running"]);
const EVICTIONS = new Set(["preemption", "out-of-resources", "machine-failure", "machine-shutdown", "other", "lost", "revocation"]);

export class Tallies {
  #evictions = 0;
  /** Of the entry in which the cell began to count: before that, or after? */
  #perhaps = 0;
  #isCounting = false;
  /** What each name is, or was last: one may be evicted, killed and forgotten in one entry. */
  readonly #kinds = new Map<string, string>();
  #offMs: number | undefined;

  add(state: CellState, nowMs: number, events: readonly CellEvent[]): void {
    for (const { kind, from = "", to = "", cause = "", subject, detail = "" } of events) {
      if (kind === "cell.changed" && detail.startsWith("reclamation")) this.#offMs = isOff(state) ? nowMs : undefined;
      if (kind !== "task.state") continue;
      const isTask = this.#isTask(state, subject);
      if (state.version < 4 || !PLACED.has(from) || PLACED.has(to) || !EVICTIONS.has(cause)) continue;
      if (isTask && this.#isCounting) this.#evictions += 1;
      else if (isTask) this.#perhaps += 1;
    }
    this.#isCounting = state.version >= 4;
  }

  /** Allocs are none; tasks of frameworks are. */
  #isTask(state: CellState, subject: string): boolean {
    const [user, name] = subject.split("/");
    const id = `${user}/${name}`;
    const kind = state.jobs.get(id as never)?.spec.kind;
    if (kind !== undefined) this.#kinds.set(id, kind);
    return ["job", "framework"].includes(this.#kinds.get(id) ?? "");
  }

  /** In so few days nothing is forgotten. */
  violations(state: CellState, nowMs: number): Violation[] {
    const found: Violation[] = [];
    const counts = state.evictionDays.flatMap(({ prod, nonProd }) => [prod, nonProd]);
    const counted = counts.reduce((sum, { runMs: _, ...causes }) => sum + Object.values(causes).reduce((a, b) => a + b, 0), 0);
    if (counted < this.#evictions || counted > this.#evictions + this.#perhaps)
      found.push({ id: "V7", text: `${this.#evictions} tasks were evicted, and the cell counted ${counted}` });
    if (this.#offMs !== undefined && nowMs - this.#offMs > OFF_MS) found.push(...lent(state));
    return found;
  }
}

const isOff = ({ config }: CellState): boolean => config.reclamation === Reclamation.OFF;

function lent(state: CellState): Violation[] {
  const found: Violation[] = [];
  for (const { place } of state.machines.values())
    for (const { id, limit, reservation, stop } of place.occupants.values())
      if (stop === undefined && (reservation.cpu < limit.cpu || reservation.ram < limit.ram))
        found.push({ id: "R5", text: `Reclamation is off, and "${id}" has ${reservation.cpu} of ${limit.cpu} millicores reserved` });
  return found.slice(0, 3);
}
