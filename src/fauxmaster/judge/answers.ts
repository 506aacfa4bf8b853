/** An answer to a change against the outcome that the journal has for it. */
import type { Outcome } from "../../cell/cell.ts";
import type { Violation } from "../world/kernel.ts";
import type { Call, Heard } from "./history.ts";

/** A copy of a request in the journal. */
export interface Stands {
  readonly position: number;
  readonly outcome: Outcome;
}

/** A no that was said from a copy of the cell, without an entry: who asks is not known here, or may not, or would be remembered too much for. */
export const isAccessRefusal = (heard: Heard): boolean =>
  heard.type === "refused" &&
  /has no role in this cell|^The cell has version|may not (ask for|call|touch|give)|^The token of|is the most: |its most: |at most: ship/.test(
    heard.reason,
  );

/** A no that a master says before any entry: its cell has not the version yet that knows the op. [KD7] */
function isTooEarly(heard: Heard): boolean {
  const [, has, from] =
    (heard.type === "refused" && /^The cell has version (\d+): it does this from version (\d+) on/.exec(heard.reason)) || [];
  return has !== undefined && Number(has) < Number(from);
}

/** What is wrong with an answer. [KD1] [KD3] */
export function answerProblem({ id, client, asked, heard }: Call, stands: readonly Stands[]): Violation | undefined {
  if (heard.type === "done") {
    if (stands.some((each) => isTold(each, heard))) return undefined;
    const { position, changed } = heard;
    const isThere = stands.some((each) => each.position === position);
    const how = changed.repeated ? "repeated" : changed.already ? "already there" : "done";
    return {
      id: isThere ? "KD3" : "KD1",
      text: `Call ${id} of ${client} was told "${how}" at position ${position}; ${described(stands)}`,
    };
  }
  // Whether that no was true of its state is looked at there. A copy of the request that the network kept back may still be done when it is no longer.
  if (heard.type !== "refused" || asked.requestId === "" || isAccessRefusal(heard) || isTooEarly(heard)) return undefined;
  const isTrue = stands.some(({ position, outcome }) => position === heard.position && !outcome.ok && outcome.reason === heard.reason);
  if (isTrue) return undefined;
  return { id: "KD3", text: `Call ${id} of ${client} was refused at ${heard.position} with "${heard.reason}"; ${described(stands)}` };
}

function isTold({ position, outcome }: Stands, { position: told, changed }: Extract<Heard, { readonly type: "done" }>): boolean {
  if (!outcome.ok) return false;
  const { answer } = outcome;
  if (answer.type === "repeated") return changed.repeated && answer.position === told && changed.position === told;
  const already = answer.type === "already" || (answer.type === "submitted" && answer.already);
  return position === told && changed.position === told && !changed.repeated && changed.already === already;
}

function described(stands: readonly Stands[]): string {
  if (stands.length === 0) return "the journal does not have it";
  const each = stands.map(({ position, outcome }) => `${position}: ${outcome.ok ? JSON.stringify(outcome.answer) : outcome.reason}`);
  return `the journal has ${each.join("; ")}`;
}
