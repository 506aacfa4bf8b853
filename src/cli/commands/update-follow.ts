/** Follows an update to its end, with a line that is redrawn in place on a terminal. Ctrl-C ends the looking, never the update. */
import type { UpdateView } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Context } from "../context.ts";
import { Live } from "../text/live.ts";
import { durationText } from "../text/units.ts";

const POLL_MS = 500;

/** `late`: the time was over. `left`: who looked went away. */
export interface Followed {
  readonly end: "rolled" | "committed" | "undone" | "late" | "left";
  /** Why it was undone, when nobody asked for that. */
  readonly reason: string;
  /** Whose update it was. */
  readonly kind: "job" | "alloc set";
}

export async function follow(context: Context, job: string, timeoutMs: number | undefined): Promise<Followed> {
  const { terminal } = context;
  const signal = terminal.interrupted();
  const live = new Live(terminal, context.json);
  const begin = terminal.now();
  let [reason, generation] = ["", undefined as number | undefined];
  for (;;) {
    const view = await context.ask((client) => client.getUpdate({ job }));
    generation ??= view.generation;
    reason = view.reason || reason;
    const end = endOf(view, generation);
    const kind = view.allocSet ? "alloc set" : "job";
    if (end === undefined || view.phase !== "") live.draw([lineOf(view, terminal.now() - begin)]);
    if (end !== undefined) return { end, reason, kind };
    if (signal.aborted) return { end: "left", reason, kind };
    if (timeoutMs !== undefined && terminal.now() - begin >= timeoutMs) return { end: "late", reason, kind };
    await terminal.sleep(POLL_MS, signal);
  }
}

/** An update that is no more was committed if its job has another spec than before, else undone. */
function endOf({ phase, generation }: UpdateView, before: number): Followed["end"] | undefined {
  if (phase === "rolled") return "rolled";
  if (phase !== "") return undefined;
  return generation === before ? "undone" : "committed";
}

function lineOf({ job, phase, passed, waiting, failed, skipped, left }: UpdateView, spentMs: number): string {
  const all = passed + waiting + failed + skipped + left;
  const more = [waiting > 0 ? `${waiting} watched` : "", failed > 0 ? `${failed} failed` : "", skipped > 0 ? `${skipped} skipped` : ""];
  const words = [`${passed} of ${all} well`, ...more.filter((part) => part !== "")].join(", ");
  return `${job}  ${phase}: ${words}  ${durationText(spentMs)}`;
}
