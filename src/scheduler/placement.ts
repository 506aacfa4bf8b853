/** Why a task runs where it does: what its machine's score is made of now, as if the task were to be placed again, and who would come next. */

import type { PlaceId } from "../base/id.ts";
import { ZERO } from "../base/vector.ts";
import { count, counts, uncount } from "../cell/place.ts";
import type { Place, Task } from "../cell/state.ts";
import type { Mirror } from "./mirror/mirror.ts";
import { Tally } from "./mirror/tally.ts";
import { placesOf } from "./search/candidates.ts";
import { needOf } from "./search/feasible.ts";
import type { Policy } from "./search/policy.ts";
import type { Score } from "./search/score.ts";
import { ALL_SHORTCUTS, Search } from "./search/search.ts";
import { Shares } from "./search/shares.ts";
import { Slots } from "./search/slots.ts";

/** How many others are named. */
const RUNNERS_UP = 3;

export interface Scored {
  readonly place: PlaceId;
  readonly score: Score;
}

export interface Placement extends Scored {
  /** 1: there is no better place. */
  readonly rank: number;
  /** How many places would take it as they are. */
  readonly feasible: number;
  /** The best of the others. */
  readonly runnersUp: readonly Scored[];
}

/** Undefined: it has no place, or its place would not take it again. The mirror is as it was afterwards. */
export function placementOf(mirror: Mirror, task: Task, policy: Policy = "hybrid"): Placement | undefined {
  const { instance } = task;
  if (instance === undefined || !counts(instance)) return undefined;
  uncount(instance);
  instance.place.occupants.delete(instance.id);
  try {
    const need = needOf(task);
    const tally = new Tally(mirror, task.job);
    tally.add(mirror.numbering.of(instance.place.machine), -1);
    const demand = need.set === "" ? mirror.demand.now : ZERO;
    const slots = new Slots(placesOf(mirror, need), policy, need.prod, mirror.numbering, undefined, demand);
    const search = new Search(slots, need, tally, new Shares(mirror.totals), ALL_SHORTCUTS);
    return ranked(search, instance.place);
  } finally {
    instance.place.occupants.set(instance.id, instance);
    count(instance);
  }
}

function ranked(search: Search, own: Place): Placement | undefined {
  const { places } = search.slots;
  const values = places.map((_, i) => ({ i, value: search.valueOf(i) })).filter(({ value }) => value > Number.NEGATIVE_INFINITY);
  values.sort((a, b) => b.value - a.value || a.i - b.i);
  const chosen = values.find(({ i }) => places[i] === own);
  if (chosen === undefined) return undefined;
  const better = values.filter(({ value }) => value > chosen.value).length;
  const scored = ({ i }: { readonly i: number }): Scored => ({ place: (places[i] as Place).id, score: search.parts(i) });
  const others = values.filter((each) => each !== chosen).slice(0, RUNNERS_UP);
  return { ...scored(chosen), rank: better + 1, feasible: values.length, runnersUp: others.map(scored) };
}
