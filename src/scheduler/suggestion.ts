/**
 * The smallest changes that would place a task that fits nowhere (Borg §2.6: guidance how to modify requests): less of one resource, or of
 * all, one constraint less, tasks of the job on one machine, a higher priority. Each is tried out by the tests that decide, on a copy of
 * what the task asks for. Quota is not looked at: whether a higher priority can be paid for is the user's business.
 */
import { isDimension, unitOf } from "../base/dimension.ts";
import { amountIn, namesIn, type Vector } from "../base/vector.ts";
import { constraintText } from "../cell/constraint.ts";
import { DOMAIN_WORDS, isImplied } from "../cell/domain.ts";
import { freePorts } from "../cell/place.ts";
import type { Place } from "../cell/state.ts";
import { volumeWords, writesVolumes } from "../cell/volume.ts";
import { isProd, LOWEST, PRIORITY_MAX } from "../wire/band.ts";
import { type Constraint, Spread } from "../wire/gen/borg/v1/spec_pb.ts";
import { spaceWithout, victimsAt } from "./evict/preempt.ts";
import type { Mirror } from "./mirror/mirror.ts";
import { placesOf } from "./search/candidates.ts";
import { machineProblem, type Need, spaceProblem, withinCap } from "./search/feasible.ts";

/** Priorities that are tried, from low to high. */
const PRIORITIES_MAX = 20;

interface Worth {
  /** In words, with the amounts of the cell: millicores and KiB. */
  readonly text: string;
  /** How many places would take it then. */
  readonly places: number;
}

export type Suggestion = Worth &
  (
    | { readonly kind: "less"; readonly limit: Vector }
    | { readonly kind: "constraint"; readonly without: Constraint }
    | { readonly kind: "spread"; readonly to: Spread }
    | { readonly kind: "beside"; readonly without: string }
    | { readonly kind: "priority"; readonly priority: number }
  );

export function suggestionsFor(mirror: Mirror, need: Need): readonly Suggestion[] {
  const single = [
    ...lessOfOne(mirror, need),
    ...withoutConstraint(mirror, need),
    ...withoutSpread(mirror, need),
    ...withoutLimit(mirror, need),
  ];
  const priority = higherPriority(mirror, need);
  const found = [...single, ...(priority === undefined ? [] : [priority])];
  const all = found.length > 0 ? undefined : lessOfAll(mirror, need);
  return [...found, ...(all === undefined ? [] : [all])].sort((a, b) => b.places - a.places);
}

/** Places that only lack room, and what they would have if everybody went who may be evicted. */
function* widest(mirror: Mirror, need: Need): Generator<{ readonly place: Place; readonly room: Vector }> {
  for (const place of placesOf(mirror, need)) {
    if (machineProblem(need, place.machine) !== undefined) continue;
    const room = spaceWithout(mirror, need, place);
    yield { place, room: { ...room, ports: Math.min(room.ports, freePorts(place)) } };
  }
}

const dimensionsOf = ({ limit }: Need): readonly string[] => namesIn(limit);

function withAmount(vector: Vector, dimension: string, amount: number): Vector {
  if (isDimension(dimension)) return { ...vector, [dimension]: amount };
  const extras = vector.extras.map((extra) => (extra.name === dimension ? { ...extra, amount } : extra));
  return { ...vector, extras: extras.filter((extra) => extra.amount > 0) };
}

function lessOfOne(mirror: Mirror, need: Need): Suggestion[] {
  const rooms = [...widest(mirror, need)];
  return dimensionsOf(need).flatMap((dimension): Suggestion[] => {
    const asked = amountIn(need.limit, dimension);
    const others = dimensionsOf(need).filter((other) => other !== dimension);
    const fitting = rooms.filter(({ room }) => others.every((other) => amountIn(need.limit, other) <= amountIn(room, other)));
    const most = fitting.reduce((best, { room }) => Math.max(best, amountIn(room, dimension)), 0);
    if (asked === 0 || most >= asked || (most === 0 && (dimension === "cpu" || dimension === "ram"))) return [];
    const limit = withAmount(need.limit, dimension, most);
    const places = feasiblePlaces(mirror, { ...need, limit });
    return places === 0 ? [] : [{ kind: "less", limit, places, text: `ask for ${most} ${unitOf(dimension)}, ${asked - most} less` }];
  });
}

/** Where the largest part of what is asked for would be had. */
function lessOfAll(mirror: Mirror, need: Need): Suggestion | undefined {
  let best: { readonly part: number; readonly limit: Vector } | undefined;
  for (const { room } of widest(mirror, need)) {
    let [part, limit] = [1, need.limit];
    for (const dimension of dimensionsOf(need)) {
      const asked = amountIn(need.limit, dimension);
      const had = Math.max(0, Math.min(asked, amountIn(room, dimension)));
      if (asked > 0) part = Math.min(part, had / asked);
      limit = withAmount(limit, dimension, had);
    }
    if (limit.cpu > 0 && limit.ram > 0 && (best === undefined || part > best.part)) best = { part, limit };
  }
  const places = best === undefined ? 0 : feasiblePlaces(mirror, { ...need, limit: best.limit });
  if (best === undefined || places === 0) return undefined;
  return {
    kind: "less",
    limit: best.limit,
    places,
    text: `ask for ${best.limit.cpu} ${unitOf("cpu")} and ${best.limit.ram} ${unitOf("ram")}`,
  };
}

function withoutConstraint(mirror: Mirror, need: Need): Suggestion[] {
  return need.constraints.flatMap((without): Suggestion[] => {
    if (without.soft || volumeWords(without) !== undefined || isImplied(without, need.domain)) return [];
    const places = feasiblePlaces(mirror, { ...need, constraints: need.constraints.filter((other) => other !== without) });
    return places === 0 ? [] : [{ kind: "constraint", without, places, text: `drop the constraint ${constraintText(without)}` }];
  });
}

/** As little as helps: first a rack or power domain is shared, then a machine. */
function withoutSpread(mirror: Mirror, need: Need): Suggestion[] {
  const { domain } = need;
  if (domain !== undefined) {
    const wider = { ...need, domain: undefined, constraints: need.constraints.filter((each) => !isImplied(each, domain)) };
    const places = feasiblePlaces(mirror, wider);
    const text = `let tasks of the job share a ${DOMAIN_WORDS[domain]}: spread = "hard"`;
    return places > 0 ? [{ kind: "spread", to: Spread.HARD, places, text }] : withoutSpread(mirror, wider);
  }
  const places = need.hardSpread && !writesVolumes(need.face) ? feasiblePlaces(mirror, { ...need, hardSpread: false }) : 0;
  return places === 0 ? [] : [{ kind: "spread", to: Spread.SOFT, places, text: "let tasks of the job share a machine" }];
}

function withoutLimit(mirror: Mirror, need: Need): Suggestion[] {
  const { face } = need;
  return face.wants.beside.flatMap(({ job: without }): Suggestion[] => {
    const beside = face.wants.beside.filter(({ job }) => job !== without);
    const places = feasiblePlaces(mirror, { ...need, face: { ...face, wants: { ...face.wants, beside } } });
    return places === 0 ? [] : [{ kind: "beside", without, places, text: `let more of ${without} be beside it` }];
  });
}

/** The lowest one that helps. One above somebody's is enough to evict it, and prod may evict whoever is not. */
function higherPriority(mirror: Mirror, need: Need): Suggestion | undefined {
  const { priority: own } = need.face;
  const worth = new Set<number>([LOWEST.production, LOWEST.monitoring]);
  for (const place of placesOf(mirror, need)) for (const { priority } of place.occupants.values()) worth.add(priority + 1);
  const higher = [...worth].filter((priority) => priority > own && priority <= PRIORITY_MAX).sort((a, b) => a - b);
  for (const priority of higher.slice(0, PRIORITIES_MAX)) {
    const places = feasiblePlaces(mirror, { ...need, face: { ...need.face, priority }, prod: isProd(priority) });
    if (places > 0) return { kind: "priority", priority, places, text: `run at priority ${priority}, at the expense of others` };
  }
  return undefined;
}

/** How many places would take it, with or without victims. */
function feasiblePlaces(mirror: Mirror, need: Need): number {
  let found = 0;
  for (const place of placesOf(mirror, need)) {
    if (machineProblem(need, place.machine) !== undefined) continue;
    const fits = spaceProblem(mirror, need, place) === undefined && withinCap(mirror, need.limit);
    if (fits || victimsAt(mirror, need, place) !== undefined) found += 1;
  }
  return found;
}
