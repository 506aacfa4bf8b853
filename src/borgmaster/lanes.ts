/**
 * Ops that wait for their entry, in three lanes that the table of ops names: news, then claims, then everything else. Inside a lane users are served in portions, by the weight of
 * what they ask for, so a flood of one costs the others one turn each. What the master and its schedulers do, and admins, go before all users.
 */
import type { Address } from "../base/env.ts";
import { userId } from "../base/id.ts";
import { type SealedOp, seal } from "../cell/op.ts";
import { type Lane, laneOf, type OpCase } from "../cell/ops/table.ts";
import type { CellState } from "../cell/state.ts";
import { DIGESTS_AND_CLOCK } from "../cell/version.ts";
import { ActorKind, Role } from "../wire/gen/borg/v1/op_pb.ts";
import { tasksChanged } from "./api/price.ts";
import { FairQueue } from "./fair-queue.ts";

/** Who gets the answer. Nobody asks for one about a report. */
export type Reply =
  | { readonly kind: "client"; readonly to: Address; readonly id: string }
  | { readonly kind: "scheduler"; readonly to: Address; readonly id: string }
  | { readonly kind: "none" };

export interface WaitingOp extends SealedOp {
  readonly reply: Reply;
  /** Whose portion it counts to; empty: it goes before what users ask. */
  readonly user: string;
  /** How many tasks it makes, ends or changes: every copy of the cell has to do that. */
  readonly tasks: number;
}

export function waitingOp(state: CellState, sealed: SealedOp, reply: Reply): WaitingOp {
  const { actor } = sealed.op;
  const user = actor?.kind === ActorKind.USER ? actor.name : (actor?.user ?? "");
  const isAdmin = state.users.get(userId(user))?.roles.has(Role.CELL_ADMIN) === true;
  return { ...asOf(state, sealed), reply, user: isAdmin ? "" : user, tasks: tasksChanged(state, sealed.op) };
}

/** What a cell stops taking when its journal runs full: jobs and alloc sets that were not there before. */
export const isSubmit = ({ op: { body } }: SealedOp): boolean => body.case === "jobSubmit" || body.case === "allocSetSubmit";

/** Builds of version 1 cannot read digests, so there are none in the journal before version 2. */
const asOf = ({ version }: CellState, sealed: SealedOp): SealedOp =>
  version < DIGESTS_AND_CLOCK && sealed.op.requestDigest.length > 0 ? seal({ ...sealed.op, requestDigest: new Uint8Array() }) : sealed;

/** What machines report, and what the master reckons from it, when nobody asked: it can wait a moment for an entry that goes anyway. */
const PATIENT: readonly (OpCase | undefined)[] = ["machineReport", "reservations"];
const isPatient = ({ op, reply }: WaitingOp): boolean => reply.kind === "none" && PATIENT.includes(op.body.case);

export interface WaitingBounds {
  /** Ops of everybody. News may use a tenth more, so that it gets through. */
  readonly waitingMax: number;
  /** Bytes of everybody. What goes before users may use as much again. */
  readonly waitingBytesMax: number;
  /** Bytes of one user. */
  readonly userBytesMax: number;
}

interface WeighedOp extends WaitingOp {
  readonly weight: number;
}

/** A task that is made, ended or changed counts for as many bytes of an op: both hold the threads for about as long. */
const TASK_WEIGHT = 64;

/** What ops cost every copy of the cell, in bytes. */
export const weightOf = (ops: readonly WaitingOp[]): number =>
  ops.reduce((sum, { bytes, tasks }) => sum + bytes.length + TASK_WEIGHT * tasks, 0);

const MIB = 2 ** 20;

class LaneQueue {
  first: WeighedOp[] = [];
  readonly users = new FairQueue<WeighedOp>();

  get size(): number {
    return this.first.length + this.users.size;
  }
}

export class Lanes {
  readonly #lanes: Readonly<Record<Lane, LaneQueue>> = { news: new LaneQueue(), claims: new LaneQueue(), rest: new LaneQueue() };
  readonly #bounds: WaitingBounds;
  readonly #userBytes = new Map<string, number>();
  #bytes = 0;
  #urgent = 0;

  constructor(bounds: WaitingBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    const { news, claims, rest } = this.#lanes;
    return news.size + claims.size + rest.size;
  }

  /** Whether anything waits that should go at once. */
  get isUrgent(): boolean {
    return this.#urgent > 0;
  }

  /** Undefined when it waits now; else why it cannot: the caller answers `unavailable`. */
  push(waiting: WaitingOp): string | undefined {
    const name = laneOf(waiting.op);
    const problem = this.#problem(waiting, name);
    if (problem !== undefined) return problem;
    const lane = this.#lanes[name];
    const weighed = { ...waiting, weight: weightOf([waiting]) };
    if (waiting.user === "") lane.first.push(weighed);
    else lane.users.push(weighed);
    this.#count(waiting, 1);
    return undefined;
  }

  /** The ops of the next entry, at most so many and of so much weight; at least one if there is one. `usersToo`: not only what goes before users. */
  take(opsMax: number, weightMax: number, usersToo = true): WaitingOp[] {
    const taken: WeighedOp[] = [];
    let weight = 0;
    const fits = (next: WeighedOp): boolean => taken.length < opsMax && (taken.length === 0 || weight + next.weight <= weightMax);
    const take = (next: WeighedOp): void => {
      taken.push(next);
      weight += next.weight;
      this.#count(next, -1);
    };
    const { news, claims, rest } = this.#lanes;
    const takeFirst = (lane: LaneQueue): void => {
      let used = 0;
      for (let next = lane.first[used]; next !== undefined && fits(next); next = lane.first[used]) {
        take(next);
        used += 1;
      }
      lane.first.splice(0, used);
    };
    const takeUsers = ({ users }: LaneQueue): void => {
      for (let next = usersToo ? users.peek() : undefined; next !== undefined && fits(next); next = users.peek())
        take(users.shift() as WeighedOp);
    };
    takeFirst(news);
    takeFirst(rest);
    takeUsers(news);
    takeFirst(claims);
    takeUsers(claims);
    takeUsers(rest);
    return taken;
  }

  /** Takes ops of one kind out of the master's own news: they were right when they came, and no longer are. */
  drop(kind: OpCase): void {
    const { news } = this.#lanes;
    for (const waiting of news.first) if (waiting.op.body.case === kind) this.#count(waiting, -1);
    news.first = news.first.filter(({ op }) => op.body.case !== kind);
  }

  waits(kind: OpCase): boolean {
    return this.#lanes.news.first.some(({ op }) => op.body.case === kind);
  }

  /** Everything that waits, when this master is no longer the one to do it. */
  drain(): WaitingOp[] {
    const all = Object.values(this.#lanes).flatMap((lane) => [...lane.first.splice(0), ...lane.users.drain()]);
    for (const waiting of all) this.#count(waiting, -1);
    return all;
  }

  #problem({ user, bytes }: WaitingOp, lane: Lane): string | undefined {
    const { waitingMax, waitingBytesMax, userBytesMax } = this.#bounds;
    if (this.size >= (lane === "news" ? waitingMax * 1.1 : waitingMax)) return "Too much waits for the journal";
    const more = this.#bytes + bytes.length;
    if (user === "") return more > 2 * waitingBytesMax ? `${mebibytes(this.#bytes)} wait for the journal` : undefined;
    const own = this.#userBytes.get(user) ?? 0;
    if (own + bytes.length > userBytesMax) return `${mebibytes(own)} of user "${user}" wait for the journal`;
    return more > waitingBytesMax ? `${mebibytes(this.#bytes)} wait for the journal` : undefined;
  }

  #count(waiting: WaitingOp, by: 1 | -1): void {
    const { user, bytes } = waiting;
    this.#bytes += by * bytes.length;
    if (!isPatient(waiting)) this.#urgent += by;
    if (user === "") return;
    const own = (this.#userBytes.get(user) ?? 0) + by * bytes.length;
    if (own === 0) this.#userBytes.delete(user);
    else this.#userBytes.set(user, own);
  }
}

const mebibytes = (bytes: number): string => `${Math.ceil((10 * bytes) / MIB) / 10} MiB`;
